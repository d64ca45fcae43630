//! Words of a command, as they are given to it.

use belay_knowledge::Word;
use belay_model::{Carries, Span};

use crate::machine::value::{DIGITS, PROCESS, Text, Val};

/// Joins words with blanks, as `ssh` and `eval` do.
pub(crate) fn join(args: &[Arg]) -> Val {
    let mut all = args.iter().map(|it| &it.val);
    let first = all.next().cloned().unwrap_or_else(|| Val::known(""));
    all.fold(first, |sum, it| sum.then(&Val::known(" ")).then(it))
}

/// One word of a command, expanded.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) val: Val,
    pub(crate) span: Span,
    /// Whether it may be several words, or none: an unknown that was not quoted, or a search for files.
    pub(crate) many: bool,
    /// Whether it is no flag: a variable of the environment as it is, or names of files that were looked at.
    pub(crate) inherited: bool,
}

impl Arg {
    pub(crate) fn known(text: impl Into<String>, span: Span) -> Self {
        Self::one(Val::known(text), span)
    }

    /// One word, however little is known of it.
    pub(crate) const fn one(val: Val, span: Span) -> Self {
        Self {
            val,
            span,
            many: false,
            inherited: false,
        }
    }

    /// Any number of words.
    pub(crate) const fn many(val: Val, span: Span) -> Self {
        Self {
            val,
            span,
            many: true,
            inherited: false,
        }
    }

    /// Returns the word as the knowledge reads it.
    pub(crate) fn word(&self) -> Word<'_> {
        match (&self.val.text, self.many) {
            (Text::Unknown { .. }, false) if self.inherited => Word::Pattern("[!-]**"),
            // Names that were looked at: no flags, nothing hidden, nowhere but here.
            (Text::Glob(it), _) if self.inherited && it.contains('/') => Word::Pattern("[!-.~]**"),
            (Text::Glob(_), _) if self.inherited => Word::Pattern("[!-.~]*"),
            (Text::Unknown { .. }, false) => Word::Prefix(""),
            // Only the first of the words it is split into begins so: where a file or a host says the rest, another may be
            // any flag. What the environment says is taken for one word.
            (Text::Prefix { .. }, true) if self.others_say_part() => Word::Unknown,
            // It begins with a letter, so it is never nothing.
            (Text::Glob(it), false)
                if it.starts_with(|c: char| c.is_alphanumeric() || c == '/')
                    || it.starts_with(DIGITS)
                    || it.starts_with(PROCESS) =>
            {
                Word::Shape(it)
            }
            _ => self.val.word(),
        }
    }

    /// Tells whether a file or a host says a part of it.
    fn others_say_part(&self) -> bool {
        let told = Carries::CONTENT.and(Carries::OUTSIDE);
        !self.val.carries.only(told).is_nothing()
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.val.text()
    }

    /// Tells whether it is a pattern, which may become several words or stay as it is.
    pub(crate) const fn is_pattern(&self) -> bool {
        matches!(self.val.text, Text::Glob(_))
    }
}
