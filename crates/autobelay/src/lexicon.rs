//! What the knowledge says of names, flags and sub-commands, for the user's own rules.

use belay_knowledge::{Command, Knowledge, OURS, Spelling};
use belay_model::Verb;
use belay_settings::Lexicon;
use belay_settings::command::Plain;

use crate::sight;

/// The lexicon of the commands we know.
#[derive(Clone, Copy, Debug)]
pub struct OurLexicon<'k> {
    knowledge: &'k Knowledge,
}

impl Default for OurLexicon<'static> {
    fn default() -> Self {
        Self { knowledge: &OURS }
    }
}

impl<'k> OurLexicon<'k> {
    /// Makes the lexicon of what is compiled in and of what a user's files add.
    #[must_use]
    pub const fn of(knowledge: &'k Knowledge) -> Self {
        Self { knowledge }
    }

    /// Returns what is known of a program: as a builtin of the shell, and as a command.
    fn known(&self, path: &[&str]) -> impl Iterator<Item = Command<'k>> {
        let program = path.first().copied().unwrap_or_default();
        let builtin = self.knowledge.builtin(program);
        builtin.into_iter().chain(self.knowledge.find(program))
    }

    fn spelling(&self, path: &[&str], flag: &str) -> Option<Spelling> {
        let words = path.get(1..).unwrap_or_default();
        let mut known = self.known(path);
        known.find_map(|it| belay_knowledge::spelling(it, words, flag))
    }
}

impl Lexicon for OurLexicon<'_> {
    fn canonical(&self, path: &[&str], flag: &str) -> Option<String> {
        match self.known(path).next() {
            Some(_) => self.spelling(path, flag).map(|it| it.one),
            None => Plain.canonical(path, flag),
        }
    }

    fn takes_value(&self, path: &[&str], flag: &str) -> bool {
        match self.known(path).next() {
            Some(_) => self.spelling(path, flag).is_some_and(|it| it.takes_next),
            None => Plain.takes_value(path, flag),
        }
    }

    fn knows(&self, program: &str) -> bool {
        self.known(&[program]).next().is_some()
    }

    fn subcommand(&self, program: &str, words: &[&str]) -> Option<Vec<String>> {
        let usual = self.knowledge.same_subcommand(program, words)?;
        Some(usual.into_iter().map(str::to_owned).collect())
    }

    fn program(&self, name: &str) -> Vec<String> {
        let alias: Vec<String> = self.knowledge.alias(name).map(str::to_owned).collect();
        if !alias.is_empty() {
            return alias;
        }
        let one = self.knowledge.same_program(name).unwrap_or(name);
        vec![one.to_owned()]
    }

    fn known_for(&self, words: &[&str]) -> Option<Verb> {
        // Of all that flags can say, only this is also said by the spelling of an operand.
        let rewrites = |words: &[&str]| {
            let mut effects = sight::of_words(words, self.knowledge).into_iter();
            effects.any(|it| it.verb == Verb::Rewrite)
        };
        let bare: Vec<&str> = words
            .iter()
            .copied()
            .filter(|it| !it.starts_with('-'))
            .collect();
        (rewrites(words) && !rewrites(&bare)).then_some(Verb::Rewrite)
    }
}
