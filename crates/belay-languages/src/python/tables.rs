//! What is known of Python's library and of packages, compiled from `knowledge/python/`.

use crate::words::{Spot, Words};

/// A module, package or kind of object, and its members.
#[derive(Debug)]
pub(crate) struct Thing {
    pub(crate) name: &'static str,
    /// The first of its members, and the one behind the last.
    members: (u16, u16),
}

/// A member: what reading and calling it does.
#[derive(Debug)]
pub(crate) struct Member {
    of: Spot,
    name: Spot,
    steps: (u16, u16),
}

impl Member {
    /// Returns the name of what it belongs to.
    pub(crate) fn of(&self) -> &'static str {
        self.of.of(NAMES)
    }

    /// Returns its name.
    pub(crate) fn name(&self) -> &'static str {
        self.name.of(NAMES)
    }

    /// Returns what it does: nothing when it does nothing outside the program.
    pub(crate) fn steps(&self) -> &'static [Step] {
        let (from, to) = self.steps;
        STEPS
            .get(usize::from(from)..usize::from(to))
            .unwrap_or_default()
    }
}

/// Where a step finds what it acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// The object whose member is called.
    Myself,
    /// All arguments.
    All,
    /// An argument by its place and, where it has one, its name.
    At(u8, &'static str),
    /// An argument by its name alone.
    Named(&'static str),
    /// This text.
    Text(&'static str),
}

/// One thing that a call does, or what it returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Read(Place),
    Write(Place),
    /// Calls the methods of an object as if it were a file.
    Drives(Place),
    /// Puts what an archive holds into a folder; the working folder where none is named.
    Unpack(Place),
    Delete(Place),
    DeleteTree(Place),
    /// Reads or writes a file, as the mode in the second place says.
    Open(Place, Place),
    /// Runs a text of the shell.
    Shell(Place),
    /// Runs a program as `subprocess` does.
    Program,
    /// Runs its arguments as the words of a command.
    Words,
    Sql(Place),
    Python(Place),
    Fetch(Place),
    Send(Place),
    /// Shows its arguments.
    Shows,
    /// Calls none of the functions it is given.
    Quiet,
    /// What it returns says nothing of what it was given.
    Drops,
    Unread,
    Variable(Place),
    /// Reads something personal: clipboard, screen.
    Personal,
    /// Adds a folder where modules are looked for.
    Search(Place),
    /// Sets a variable of the environment.
    Sets(Place, Place),
    /// Changes the working folder.
    Folder(Place),
    /// Returns the function it decorates.
    Keeps,
    /// Returns an object of this kind.
    Object(&'static str),
    /// Stands for another member.
    Alias(&'static str),
    Same(Place),
    SamePath(Place),
    Join,
    Path(Place),
    /// Returns paths below a folder.
    Below(Place),
    /// Returns names in a folder.
    Names(Place),
    /// Returns folders below a folder, with the names in them.
    Walk(Place),
    Text(Place),
    Parent(Place),
    Last(Place),
    Package,
    /// Read by code of its own.
    Special(&'static str),
}

include!(concat!(env!("OUT_DIR"), "/python.rs"));

fn find(things: &'static [Thing], name: &str) -> Option<&'static Thing> {
    let at = things.binary_search_by(|it| it.name.cmp(name)).ok()?;
    things.get(at)
}

/// Returns a module of the library.
pub(super) fn module(name: &str) -> Option<&'static Thing> {
    find(MODULES, name)
}

/// Returns a kind of object.
pub(super) fn object(name: &str) -> Option<&'static Thing> {
    find(OBJECTS, name)
}

/// Returns a package of others.
pub(super) fn package(name: &str) -> Option<&'static Thing> {
    find(PACKAGES, name)
}

/// Tells whether modules lie below a name: `xml.etree` in `xml.etree.ElementTree`.
pub(super) fn holds_modules(name: &str) -> bool {
    let at = MODULES.partition_point(|it| it.name < name);
    let near = MODULES.get(at..).unwrap_or_default().iter().take(64);
    near.filter(|it| it.name.starts_with(name)).any(|it| {
        it.name
            .get(name.len()..)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// Tells whether all that a module hands out by `*` is listed and harmless.
pub(super) fn is_pure(name: &str) -> bool {
    PURE.has(name)
}

/// Tells whether a top-level module comes with Python.
pub(super) fn is_library(name: &str) -> bool {
    LIBRARY.has(name)
}

/// Tells whether a package is known to be somebody else's.
pub(super) fn is_stranger(name: &str) -> bool {
    STRANGERS.has(name)
}

/// Tells whether a member leads from one thing to everything.
pub(super) fn leads(name: &str) -> bool {
    let own = name.starts_with("__") && name.ends_with("__") && name.len() > 4;
    own && !OWN.has(name) || LEADING.has(name)
}

/// Tells whether the library calls a method of this name on what it takes for a file, a table or a queue.
pub(super) fn is_driven(name: &str) -> bool {
    DRIVEN.has(name)
}

/// Tells whether a package computes, so that few of its names speak of acting.
pub(super) fn computes(package: &str) -> bool {
    COMPUTING.has(package)
}

/// Tells whether something in a package that computes does more: by the part it belongs to, or by its name.
pub(super) fn stands_apart(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    QUIET.has(name) || path.split('.').any(|it| APART.has(it))
}

/// Tells whether all is known of a package that may be called without a thought.
pub(super) fn is_known(package: &str) -> bool {
    self::package(package).is_some() && !PARTLY.has(package)
}

/// Tells whether a member's name says that it acts.
pub(crate) fn acts(name: &str) -> bool {
    has_word(name, |it| ACTING.has(it))
}

/// Tells whether the name of a member says that it acts, though its package computes.
pub(super) fn acts_beyond_values(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    has_word(name, |it| ACTING.has(it) && !CALM.has(it)) || TELLING.any(|it| lower.contains(it))
}

/// Tells whether one of the words in a name is such a one.
fn has_word(name: &str, sought: impl Fn(&str) -> bool) -> bool {
    let mut word = String::new();
    let mut before = '_';
    for c in name.chars().chain(['_']) {
        let begins = c.is_ascii_uppercase() && before.is_ascii_lowercase();
        if !c.is_ascii_alphabetic() || begins {
            if sought(&word) {
                return true;
            }
            word.clear();
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    false
}

impl PartialEq for Thing {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        self.of() == other.of() && self.name() == other.name()
    }
}

impl Thing {
    /// Returns all members, sorted by their names.
    pub(crate) fn members(&self) -> &'static [Member] {
        let (from, to) = self.members;
        MEMBERS
            .get(usize::from(from)..usize::from(to))
            .unwrap_or_default()
    }

    /// Returns a member by its name.
    pub(crate) fn member(&self, name: &str) -> Option<&'static Member> {
        let members = self.members();
        let at = members.binary_search_by(|it| it.name().cmp(name)).ok()?;
        members.get(at)
    }
}
