//! SQL: what each statement does to the database, as the engine and its client read it.
//!
//! INVARIANT: a list says what is harmless. A statement, a function, a setting or a client's command that no list
//! names is not read, and what two engines read differently is read only where the engine is known.

mod calls;
mod clients;
mod statements;
mod tables;
mod tokens;

use crate::Doing;

/// Whose SQL it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    PostgreSql,
    MySql,
    Sqlite,
    DuckDb,
    /// Nobody knows: only what all read alike.
    Any,
}

impl Engine {
    fn has_bare_dashes(self) -> bool {
        !matches!(self, Self::MySql | Self::Any)
    }

    fn has_escape_texts(self) -> bool {
        matches!(self, Self::PostgreSql | Self::DuckDb)
    }

    /// Tells whether a backslash in a text is never more than that, whatever the mode.
    fn keeps_backslashes(self) -> bool {
        matches!(self, Self::Sqlite | Self::DuckDb)
    }

    fn has_backticks(self) -> bool {
        matches!(self, Self::MySql | Self::Sqlite | Self::Any)
    }

    fn has_dollars(self) -> bool {
        matches!(self, Self::PostgreSql | Self::DuckDb)
    }

    fn puts_variables(self) -> bool {
        matches!(self, Self::PostgreSql)
    }
}

/// Reads SQL, with the commands of the engine's own client among it.
pub(crate) fn read(engine: Engine, code: &str) -> Option<Vec<Doing>> {
    let mut doings = Vec::new();
    let mut rest = code;
    while let Some(begun) = clients::next(engine, rest)? {
        match begun {
            clients::Begun::Command { does, after } => {
                doings.extend(does);
                rest = after;
            }
            clients::Begun::Statement { text, after } => {
                let tokens = tokens::tokens(engine, text)?;
                doings.extend(statements::one(engine, &tokens)?);
                rest = after;
            }
        }
    }
    doings.dedup();
    Some(doings)
}

#[cfg(test)]
mod tests;
