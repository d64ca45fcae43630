//! One spelling for all spellings of a flag, for whoever compares command lines as written.

use std::cmp::Reverse;

use super::flags::{Arity, Flag};
use super::{Reader, Step};
use crate::blob::Dialect;
use crate::{Command, layout};

/// A flag as its command knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The spelling that stands for all of them: the shortest.
    pub one: String,
    /// Tells whether the next word is its value, where none is glued on.
    pub takes_next: bool,
}

/// Returns the one spelling of a flag of a command, or of its sub-commands that the words name, as far
/// as they do. None where no file says that there is such a flag.
///
/// `--force` and `-f` are one, and so is what a program takes for them: `--forc`.
#[must_use]
pub fn spelling(command: Command<'_>, words: &[&str], flag: &str) -> Option<Spelling> {
    let mut reader = Reader::new(command.level.blob, &[]);
    let mut level = command.level;
    reader.chain.push(Step { level, word: 0 });
    for name in words {
        let Some(sub) = level.sub(name) else { break };
        level = sub;
        reader.chain.push(Step { level, word: 0 });
    }
    let found = reader.named(flag, level.dialect())?;
    let level = reader.chain.get(found.depth)?.level;
    let list = level.list(layout::level::SPELLINGS, layout::SPELLING);
    let flags = level.list(layout::level::FLAGS, layout::FLAG);
    let same = |at: &usize| flags.at(usize::from(level.blob.short(at + 4))) == found.at;
    let texts = || list.iter().filter(same).map(|at| level.blob.text(at));
    // `--[no-]x` is one entry with two meanings.
    let positive = flag.strip_prefix("--no-").map(|it| format!("--{it}"));
    let undoes = positive.is_some_and(|it| texts().any(|text| text == it));
    let one = if undoes {
        flag
    } else {
        texts().min_by_key(|it| (it.len(), Reverse(*it)))?
    };
    Some(Spelling {
        one: one.to_owned(),
        takes_next: matches!(found.arity, Arity::One | Arity::Either | Arity::Two),
    })
}

impl Reader<'_, '_> {
    /// Finds the flag of a name, as its dialect spells and shortens names.
    fn named(&self, name: &str, dialect: Dialect) -> Option<Flag> {
        let short = || {
            let long = name.len() > 2 && name.starts_with("--") && dialect.abbreviates();
            long.then(|| self.abbreviated(name)).flatten()
        };
        self.exact(name)
            .or_else(|| self.other_dashes(name, dialect))
            .or_else(short)
    }
}
