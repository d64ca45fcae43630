//! The shape of all commands, for tests of whoever reads knowledge.

use std::collections::BTreeSet;

use crate::blob::{Blob, Level};
use crate::knowledge::PACKED;
use crate::layout::{self, ALIASES, COMMANDS, DASHES, ENTRY, OPTIONAL, PAYLOAD, SAME, SPELLING};

/// A command or sub-command, its names and its flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The program and the sub-commands, each by its first name.
    pub path: Vec<String>,
    /// The spellings of each flag.
    pub flags: Vec<Vec<Spelled>>,
    /// For each form that ends in a command to run: the operands it needs before that.
    pub wraps: Vec<Vec<String>>,
}

/// One spelling of a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// As it is written.
    pub text: String,
    /// How many words it takes: none, one, or more than that in some way.
    pub takes: Option<u8>,
}

/// Names that stand for other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// The other name: `npm i`, `python3*`, `docker-compose`.
    pub name: String,
    /// What stands for it: `npm install`, `python`, `docker compose`.
    pub usual: String,
}

/// Returns the outline of every command we know, parents first.
#[must_use]
pub fn outlines() -> Vec<Outline> {
    let blob = Blob(PACKED);
    let mut found = Found::default();
    for name in blob.names(COMMANDS) {
        if let Some(at) = blob.find(COMMANDS, name) {
            found.add(Level { blob, at }, &[]);
        }
    }
    found.out
}

/// Returns all other names of programs and sub-commands.
#[must_use]
pub fn others() -> Vec<Other> {
    let blob = Blob(PACKED);
    let words = |table: usize, name: &str| {
        let at = blob.find(table, name).unwrap_or_default();
        let list = blob.list_at(at, 4);
        let words: Vec<&str> = list.iter().map(|it| blob.text(it)).collect();
        words.join(" ")
    };
    let same = blob.names(SAME).into_iter().map(|name| {
        let usual = match name.split_once(' ') {
            Some((program, _)) => format!("{program} {}", words(SAME, name)),
            None => words(SAME, name),
        };
        Other {
            name: name.to_owned(),
            usual,
        }
    });
    let aliases = blob.names(ALIASES).into_iter().map(|name| Other {
        name: name.to_owned(),
        usual: words(ALIASES, name),
    });
    same.chain(aliases).collect()
}

/// What was found so far.
#[derive(Default)]
struct Found {
    seen: BTreeSet<usize>,
    out: Vec<Outline>,
}

impl Found {
    fn add(&mut self, level: Level<'static>, above: &[String]) {
        if !self.seen.insert(level.at) {
            return;
        }
        let path = [above, &[level.name().to_owned()]].concat();
        self.out.push(Outline {
            path: path.clone(),
            flags: flags(level),
            wraps: wraps(level),
        });
        for entry in level.list(layout::level::SUBS, ENTRY).iter() {
            let at = level.blob.offset(entry + 4);
            self.add(Level { at, ..level }, &path);
        }
    }
}

fn flags(level: Level<'static>) -> Vec<Vec<Spelled>> {
    let flags = level.list(layout::level::FLAGS, layout::FLAG);
    let spellings = level.list(layout::level::SPELLINGS, SPELLING);
    let of = |flag: usize| {
        let takes = match level.blob.byte(flags.at(flag)) {
            0 => Some(0),
            1 => Some(1),
            _ => None,
        };
        let own = spellings
            .iter()
            .filter(|it| usize::from(level.blob.short(it + 4)) == flag);
        own.map(|it| Spelled {
            text: level.blob.text(it).to_owned(),
            takes,
        })
        .collect()
    };
    (0..flags.len()).map(of).collect()
}

fn wraps(level: Level<'static>) -> Vec<Vec<String>> {
    let slots = level.list(layout::level::SLOTS, layout::SLOT);
    let name = |item: usize| {
        let slot = usize::from(level.blob.byte(item));
        level.blob.text(slots.at(slot)).to_owned()
    };
    let bits = |item: usize| level.blob.byte(item + 1);
    let forms = level.list(layout::level::FORMS, layout::FORM);
    let wrapped = forms.iter().filter_map(|form| {
        let items = level.blob.list(form, layout::ITEM);
        let last = items.iter().next_back()?;
        let runs = bits(last) & PAYLOAD != 0 && name(last) == "COMMAND";
        let needed = items
            .iter()
            .filter(|it| bits(*it) & (OPTIONAL | PAYLOAD) == 0);
        let shown = needed.map(|it| match bits(it) & DASHES {
            0 => name(it),
            _ => "--".to_owned(),
        });
        runs.then(|| shown.collect())
    });
    wrapped.collect()
}
