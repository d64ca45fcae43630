//! What else is known of a command: facts that are no effects, for whoever follows what it does.

/// A fact about a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// It answers `--help` and `--version` wherever they stand among its options, and does nothing else.
    Helps,
    /// It puts text that exists elsewhere into the file it writes.
    Copies,
    /// It takes files out of an archive.
    Unpacks,
    /// It looks for names of files by an expression, and acts on what it finds.
    Seeks,
    /// It is a shell that runs the text after `-c`.
    Shell,
    /// It pushes branches to a remote.
    Pushes,
    /// Its first operand is a revision or a path, whichever is there.
    ChecksOut,
    /// It speaks with remotes.
    Contacts,
    /// It looks at, or changes, files of the working tree.
    Touches,
    /// It shows changes.
    Shows,
    /// It compares files by a program of its own, where one is set.
    Diffs,
    /// It merges.
    Merges,
    /// It lets a message be edited, or signs it.
    Edits,
    /// It lists what lies in a folder by bare names.
    Lists,
    /// It builds a whole folder.
    Fills,
    /// It puts the words of a file in the place of a word that begins with `@`.
    Expands,
    /// It builds a program of the texts that it reads.
    Builds,
}

/// The words of facts, in the order in which they are packed.
pub const DEEDS: &[(&str, Deed)] = &[
    ("helps", Deed::Helps),
    ("copies", Deed::Copies),
    ("unpacks", Deed::Unpacks),
    ("seeks", Deed::Seeks),
    ("shell", Deed::Shell),
    ("pushes", Deed::Pushes),
    ("checks-out", Deed::ChecksOut),
    ("contacts", Deed::Contacts),
    ("touches", Deed::Touches),
    ("shows", Deed::Shows),
    ("diffs", Deed::Diffs),
    ("merges", Deed::Merges),
    ("edits", Deed::Edits),
    ("lists", Deed::Lists),
    ("fills", Deed::Fills),
    ("expands", Deed::Expands),
    ("builds", Deed::Builds),
];

/// Facts about a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds(pub(crate) u32);

impl Deeds {
    /// Tells whether a fact holds.
    #[must_use]
    pub fn has(self, deed: Deed) -> bool {
        let at = DEEDS.iter().position(|(_, it)| *it == deed);
        at.is_some_and(|at| self.0 & (1 << at) != 0)
    }

    /// Tells whether the fact of this word holds.
    #[must_use]
    pub fn says(self, word: &str) -> bool {
        let at = DEEDS.iter().position(|(it, _)| *it == word);
        at.is_some_and(|at| self.0 & (1 << at) != 0)
    }
}
