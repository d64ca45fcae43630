//! Why a bundle is refused.

use std::fmt;

use crate::form::MOST_BYTES;
use crate::time::stamp;

/// Why a bundle is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is larger than a bundle may be.
    TooLarge,
    /// Its bytes are not text.
    NotText,
    /// It is no TOML: what the reader said.
    Syntax(String),
    /// It is of a form that this version does not know.
    UnknownForm(String),
    /// It has a key that nobody knows.
    UnknownKey(String),
    /// It lacks a key.
    Missing(&'static str),
    /// A key has something that does not belong there.
    Wrong {
        /// The key.
        key: &'static str,
        /// What belongs there.
        want: &'static str,
    },
    /// Two rule sets have one name.
    Twice(String),
    /// The settings of a rule set have a mistake: in which, and what.
    Settings {
        /// The rule set.
        set: String,
        /// The mistake.
        cause: String,
    },
    /// The knowledge of a rule set has a mistake: in which, and what.
    Knowledge {
        /// The rule set.
        set: String,
        /// The mistake.
        cause: String,
    },
    /// The signature is not one, or only half of it is there.
    NoSignature,
    /// The signature is of the old kind, over the file and not over its hash.
    Legacy,
    /// No key of the managed settings made the signature.
    UnknownSigner,
    /// The key that made the signature is no longer accepted.
    SignerExpired(u64),
    /// The file or the comment is not what was signed.
    Forged,
    /// The signed comment does not say what it must: its text.
    Comment(String),
    /// The signed comment speaks of other stages than the file.
    OtherStages,
    /// Its time is over.
    Expired(u64),
    /// A newer one was accepted before.
    GoesBack {
        /// Its serial number.
        serial: u64,
        /// The serial number of the one accepted before.
        known: u64,
    },
    /// Another one with the same serial number was accepted before.
    SameSerial(u64),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the bundle is larger than {MOST_BYTES} bytes"),
            Self::NotText => f.write_str("the bundle is not UTF-8 text"),
            Self::Syntax(cause) => write!(f, "the bundle is not valid TOML: {cause}"),
            Self::UnknownForm(form) => write!(f, "this belay does not know the format {form}"),
            Self::UnknownKey(key) => write!(f, "unknown key `{key}` in the bundle"),
            Self::Missing(key) => write!(f, "the bundle has no `{key}`"),
            Self::Wrong { key, want } => write!(f, "`{key}` in the bundle must be {want}"),
            Self::Twice(name) => write!(f, "two rule sets or knowledge files are called `{name}`"),
            Self::Settings { set, cause } | Self::Knowledge { set, cause } => {
                write!(f, "rule set `{set}`: {cause}")
            }
            Self::NoSignature => f.write_str("the signature is missing or incomplete"),
            Self::Legacy => f.write_str("the signature is not a prehashed one"),
            Self::UnknownSigner => {
                f.write_str("none of the keys in `[fleet] keys` made the signature")
            }
            Self::SignerExpired(at) => {
                write!(f, "the signer's key is not accepted after {}", stamp(*at))
            }
            Self::Forged => f.write_str("the signature does not match the bundle"),
            Self::Comment(text) => write!(
                f,
                "the trusted comment `{text}` is not `serial=N not_after=TIME stages=NAME:STAGE:PERCENT,...`"
            ),
            Self::OtherStages => {
                f.write_str("the trusted comment names other stages than the bundle")
            }
            Self::Expired(at) => write!(f, "the bundle expired on {}", stamp(*at)),
            Self::GoesBack { serial, known } => {
                write!(
                    f,
                    "serial {serial} is older than {known}, which was accepted before"
                )
            }
            Self::SameSerial(serial) => {
                write!(f, "another bundle with serial {serial} was accepted before")
            }
        }
    }
}

impl std::error::Error for Flaw {}
