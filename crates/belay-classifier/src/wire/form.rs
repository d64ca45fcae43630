//! How the model is brought to give a verdict.

use belay_model::Value;

use super::schema;
use crate::Prompt;
use crate::plan::Mode;
use crate::verdict::{LOOK, TOOL};

/// How the model is brought to give a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It must call the tool.
    Forced,
    /// It may call the tool; some models refuse to be forced.
    Auto,
    /// The provider makes it write an object of that schema; some models have no tools.
    Structured,
    /// It must call the small tool of the first of two stages.
    Look,
    /// It writes freely: no verdict, only words for a person.
    Prose,
}

impl Form {
    /// Returns the next form to try.
    pub(crate) const fn next(self) -> Option<Self> {
        match self {
            Self::Forced => Some(Self::Auto),
            Self::Auto => Some(Self::Structured),
            Self::Structured | Self::Look | Self::Prose => None,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Auto => "auto",
            Self::Structured => "structured",
            Self::Look => "look",
            Self::Prose => "prose",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Forced, Self::Auto, Self::Structured]
            .into_iter()
            .find(|it| it.word() == word)
    }

    /// The last paragraph of the question; all before it is the same in every form.
    pub(super) const fn instruction(self) -> &'static str {
        match self {
            Self::Forced | Self::Auto => include_str!("../../prompts/ask.md"),
            Self::Structured => include_str!("../../prompts/structured.md"),
            Self::Look => include_str!("../../prompts/look.md"),
            Self::Prose => "",
        }
    }

    /// Returns the tool whose call is the answer.
    pub(crate) const fn tool(self) -> Option<&'static str> {
        match self {
            Self::Forced | Self::Auto => Some(TOOL),
            Self::Look => Some(LOOK),
            Self::Structured | Self::Prose => None,
        }
    }
}

/// One question to one model.
pub(crate) struct Ask<'a> {
    pub(crate) prompt: &'a Prompt,
    pub(crate) model: &'a str,
    pub(crate) max_tokens: u64,
    pub(crate) form: Form,
    pub(crate) mode: Mode,
}

/// A tool the model is offered.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) schema: Value,
}

impl Ask<'_> {
    /// Returns the tools to offer. Both stages offer the same, so that the second finds the first
    /// one's prompt in the provider's cache.
    pub(super) fn tools(&self) -> Vec<Tool> {
        let verdict = || Tool {
            name: TOOL,
            about: "Reports whether the call should be blocked.",
            schema: schema::verdict(),
        };
        let look = || Tool {
            name: LOOK,
            about: "Reports whether the call needs a closer look.",
            schema: schema::look(),
        };
        match (self.form, self.mode) {
            (Form::Structured | Form::Prose, _) => Vec::new(),
            (Form::Look, _) | (Form::Forced, Mode::TwoStage) => vec![verdict(), look()],
            (Form::Forced | Form::Auto, _) => vec![verdict()],
        }
    }

    /// Returns the texts of the question, in order.
    pub(super) fn texts(&self) -> Vec<&str> {
        let instruction = self.form.instruction();
        let texts = [self.prompt.context.as_str(), instruction];
        texts.into_iter().filter(|it| !it.is_empty()).collect()
    }
}
