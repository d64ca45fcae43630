//! How the files are written that hold tasks.

use belay_knowledge::Knowledge;

/// How a file with tasks is written, and so who reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    ComposerJson,
    DenoJson,
    Justfile,
    Makefile,
    MiseToml,
    PackageJson,
    Taskfile,
}

/// Each notation with its word in `knowledge/lists`.
const WORDS: [(&str, Notation); 7] = [
    ("composer-json", Notation::ComposerJson),
    ("deno-json", Notation::DenoJson),
    ("justfile", Notation::Justfile),
    ("makefile", Notation::Makefile),
    ("mise-toml", Notation::MiseToml),
    ("package-json", Notation::PackageJson),
    ("taskfile", Notation::Taskfile),
];

impl Notation {
    /// Returns the notation of a tool's tasks; none when we do not read them.
    pub(super) fn of(tool: &str, knowledge: &Knowledge) -> Option<Self> {
        let said = knowledge.said("task-notations", tool)?;
        let found = WORDS.iter().find(|(word, _)| *word == said);
        found.map(|(_, notation)| *notation)
    }

    /// Returns the names that such a file may have.
    pub(super) fn names(self, knowledge: &Knowledge) -> Vec<&str> {
        knowledge.all_said("task-files", self.word()).collect()
    }

    /// Returns the scripts that run by themselves at an install, in their order.
    pub(super) fn lifecycle(self, knowledge: &Knowledge) -> Vec<&str> {
        let words = knowledge.words_of("lifecycle-scripts");
        let mut found: Vec<(&str, &str)> = words
            .filter_map(|name| {
                let mut said = knowledge.all_said("lifecycle-scripts", name);
                let own = said.next()? == self.word();
                Some((said.next().unwrap_or_default(), name)).filter(|_| own)
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, name)| name).collect()
    }

    fn word(self) -> &'static str {
        let found = WORDS.iter().find(|(_, it)| *it == self);
        found.map_or("", |(word, _)| word)
    }
}
