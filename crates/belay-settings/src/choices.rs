//! Values that are one of a few words.

use belay_model::Verdict;

macro_rules! choice {
    ($(#[$about:meta])* $name:ident { $(#[$first_doc:meta])* $first:ident = $first_word:literal, $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub enum $name { #[default] $(#[$first_doc])* $first, $($(#[$doc])* $variant,)* }

        impl $name {
            /// The words, in the order of their declaration.
            pub const WORDS: &'static [&'static str] = &[$first_word, $($word,)*];

            /// Returns the word of the settings.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { Self::$first => $first_word, $(Self::$variant => $word,)* }
            }

            /// Reads it from its word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $first_word => Some(Self::$first), $($word => Some(Self::$variant),)* _ => None }
            }
        }

        impl Choice for $name {
            fn word(&self) -> &'static str {
                (*self).word()
            }
            fn choose(&mut self, word: &str) {
                if let Some(it) = Self::from_word(word) {
                    *self = it;
                }
            }
        }
    };
}

/// A value that is one of a few words.
pub(crate) trait Choice {
    fn word(&self) -> &'static str;
    fn choose(&mut self, word: &str);
}

choice! {
    /// What the gate does with its verdicts.
    Mode {
        /// Judges and answers.
        Auto = "auto",
        /// Judges and records, never interferes.
        Observe = "observe",
        /// Has no opinion.
        Off = "off",
    }
}

choice! {
    /// How much is asked.
    Profile {
        /// The stance as it stands.
        Balanced = "balanced",
        /// More is asked.
        Careful = "careful",
        /// Less is asked; nothing that is denied is allowed.
        Bold = "bold",
    }
}

impl Profile {
    /// Tells whether nothing is asked less in this one.
    #[must_use]
    pub const fn is_as_strict_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::Careful, _) | (Self::Balanced, Self::Balanced) | (_, Self::Bold) => true,
            (Self::Balanced | Self::Bold, Self::Careful | Self::Balanced) => false,
        }
    }
}

choice! {
    /// Who serves the model.
    Provider {
        /// Nobody.
        None = "none",
        /// Anthropic Messages.
        Anthropic = "anthropic",
        /// OpenAI Responses.
        OpenAi = "openai",
        /// Chat completions as many servers speak them.
        Compatible = "compatible",
        /// Gemini.
        Gemini = "gemini",
    }
}

choice! {
    /// How the model is asked.
    Asking {
        /// One question.
        Single = "single",
        /// A one-word filter, then reasoning for what it flags.
        TwoStage = "two_stage",
    }
}

choice! {
    /// A verdict that is not allow.
    Refusal {
        /// A person decides.
        Ask = "ask",
        /// It must not run.
        Deny = "deny",
    }
}

impl Refusal {
    /// Returns the verdict.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Ask => Verdict::Ask,
            Self::Deny => Verdict::Deny,
        }
    }
}

choice! {
    /// What the model gets to see.
    Privacy {
        /// Tool, input, effects, rules and transcript, redacted.
        Full = "full",
        /// The effects only.
        EffectsOnly = "effects-only",
    }
}

choice! {
    /// Who serves feature flags.
    FlagProvider {
        /// Nobody.
        None = "none",
        /// Any server of the OpenFeature remote evaluation protocol.
        Ofrep = "ofrep",
        /// GrowthBook's features endpoint.
        GrowthBook = "growthbook",
    }
}

choice! {
    /// How much of a record leaves the machine.
    ShipPrivacy {
        /// The command too, with secrets taken out.
        Redacted = "redacted",
        /// Verdict, rule and effects.
        Effects = "effects",
        /// As the journal has it.
        Full = "full",
    }
}
