//! Ruby, PHP, Lua, R and what is typed to MongoDB: small programs that compute, ask and print. Whatever else stands in
//! one, nobody has read.
//!
//! Nothing is parsed, so nothing is guessed: every word must be on a list, what is not a word must be a number, a text or
//! a common mark, and nothing that holds a value may be called.

mod check;
mod rails;
mod tokens;

use belay_model::Verb;

use crate::Doing;
use crate::words::{Spot, Words};

/// Longer programs are no one-liners.
const LONG: usize = 4096;

/// A language that is read here word by word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tongue {
    Lua,
    Mongo,
    Php,
    R,
    Ruby,
}

mod lists {
    use super::{Spot, Words};

    include!(concat!(env!("OUT_DIR"), "/plain.rs"));
}

/// Reads a program.
pub(crate) fn read(tongue: Tongue, code: &str) -> Option<Vec<Doing>> {
    if code.len() > LONG {
        return None;
    }
    let tokens = tokens::Reader::new(tongue, code).all()?;
    let mut doings = check::Checker::new(tongue).program(&tokens)?;
    if tongue == Tongue::Mongo {
        doings.push(Doing::Other(Verb::Query, vec!["database"]));
    }
    Some(doings)
}

/// Reads what `rails runner` is given.
pub(crate) fn read_rails(code: &str) -> Option<Vec<Doing>> {
    if code.len() > LONG {
        return None;
    }
    rails::read(&tokens::Reader::new(Tongue::Ruby, code).all()?)
}

#[cfg(test)]
mod tests;
