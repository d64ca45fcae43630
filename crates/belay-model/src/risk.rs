use std::fmt;

use crate::Verdict;

/// How much an effect in its scope could cost, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Risk(u8);

impl Risk {
    /// Nothing can be lost.
    pub const NONE: Self = Self(0);
    /// Ordinary work.
    pub const LOW: Self = Self(20);
    /// A stranger: nobody here can tell.
    pub const UNSURE: Self = Self(45);
    /// Work, machines or services of others are at stake.
    pub const HIGH: Self = Self(70);
    /// Cannot be undone, or is never part of coding.
    pub const CRITICAL: Self = Self(95);

    /// The words that stand for risks, mildest first.
    pub const WORDS: &'static [&'static str] = &["none", "low", "unsure", "high", "critical"];
    const LEVELS: [Self; 5] = [
        Self::NONE,
        Self::LOW,
        Self::UNSURE,
        Self::HIGH,
        Self::CRITICAL,
    ];

    fn worded() -> impl Iterator<Item = (&'static str, Self)> {
        Self::WORDS.iter().copied().zip(Self::LEVELS)
    }

    /// Makes a risk from a number; anything over 100 is 100.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(if number > 100 { 100 } else { number })
    }

    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Reads a risk from its word or its number.
    #[must_use]
    pub fn from_word(text: &str) -> Option<Self> {
        if let Some((_, risk)) = Self::worded().find(|(word, _)| *word == text) {
            return Some(risk);
        }
        let number: u8 = text.parse().ok()?;
        (number <= 100).then_some(Self(number))
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::worded().find(|(_, risk)| risk == self) {
            Some((word, _)) => f.write_str(word),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Where a risk falls between the thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Band {
    /// Below `unsure_at`: may run.
    Clear,
    /// Below `ask_at`: a model may decide; without one a person does.
    Unsure,
    /// Below `deny_at`: a person decides.
    Ask,
    /// The rest: must not run.
    Deny,
}

impl Band {
    /// Returns the verdict of the band when no model speaks.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Clear => Verdict::Allow,
            Self::Unsure | Self::Ask => Verdict::Ask,
            Self::Deny => Verdict::Deny,
        }
    }
}

/// The three numbers that part the bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// From here on nobody here can tell.
    pub unsure_at: u8,
    /// From here on a person decides.
    pub ask_at: u8,
    /// From here on the call is refused.
    pub deny_at: u8,
}

impl Thresholds {
    /// The thresholds of the default settings.
    pub const DEFAULT: Self = Self {
        unsure_at: 30,
        ask_at: 60,
        deny_at: 85,
    };

    /// Returns the band in which a risk falls.
    #[must_use]
    pub const fn band(self, risk: Risk) -> Band {
        let number = risk.number();
        if number >= self.deny_at {
            Band::Deny
        } else if number >= self.ask_at {
            Band::Ask
        } else if number >= self.unsure_at {
            Band::Unsure
        } else {
            Band::Clear
        }
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Self::DEFAULT
    }
}
