//! Why there is no verdict.

use std::fmt;

/// What kept a model from giving a verdict. A fault is reported as a fault, never as a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The call cannot be shown whole.
    TooLarge,
    /// Nobody is named who could be asked.
    Nobody,
    /// There is no key: where one was looked for.
    NoKey(String),
    /// The address is neither https nor this machine.
    BadAddress(String),
    /// The settings name no model, and the provider has no default.
    NoModel,
    /// No connection came about.
    Connect(String),
    /// It took too long: so many milliseconds.
    Late(u64),
    /// The connection broke, or what came was no HTTP.
    Broken(String),
    /// The provider answered with an error: its status and the start of its words.
    Status(u16, String),
    /// The reply holds an error, whatever stands beside it.
    Reported(String),
    /// The reply is longer than any verdict.
    HugeReply,
    /// The reply is not what the provider documents.
    Malformed(String),
    /// The model declined to answer.
    Declined(String),
    /// The reply was cut off before its end.
    CutOff,
    /// The reply has no verdict.
    NoToolCall,
    /// The model called another tool.
    WrongTool(String),
    /// The model answered so many times.
    SeveralAnswers(usize),
    /// The money for the day or the session is spent, or what it costs is not known.
    Spent(String),
    /// All places for open questions are taken.
    Busy,
    /// The provider failed lately and is left alone for so many seconds.
    Resting(u64),
    /// A file of ours could not be used.
    State(String),
}

impl Fault {
    /// Returns the same fault with the provider's own words changed.
    pub(crate) fn with_words(self, change: impl Fn(String) -> String) -> Self {
        match self {
            Self::Status(code, said) => Self::Status(code, change(said)),
            Self::Reported(said) => Self::Reported(change(said)),
            other @ (Self::TooLarge
            | Self::Nobody
            | Self::NoKey(_)
            | Self::BadAddress(_)
            | Self::NoModel
            | Self::Connect(_)
            | Self::Late(_)
            | Self::Broken(_)
            | Self::HugeReply
            | Self::Malformed(_)
            | Self::Declined(_)
            | Self::CutOff
            | Self::NoToolCall
            | Self::WrongTool(_)
            | Self::SeveralAnswers(_)
            | Self::Spent(_)
            | Self::Busy
            | Self::Resting(_)
            | Self::State(_)) => other,
        }
    }

    /// Tells whether asking again soon may help.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Connect(_) | Self::Late(_) | Self::Broken(_) | Self::Busy | Self::Resting(_) => {
                true
            }
            Self::Status(code, _) => matches!(code, 408 | 409 | 429 | 500..=599),
            Self::TooLarge
            | Self::Nobody
            | Self::NoKey(_)
            | Self::BadAddress(_)
            | Self::NoModel
            | Self::Reported(_)
            | Self::HugeReply
            | Self::Malformed(_)
            | Self::Declined(_)
            | Self::CutOff
            | Self::NoToolCall
            | Self::WrongTool(_)
            | Self::SeveralAnswers(_)
            | Self::Spent(_)
            | Self::State(_) => false,
        }
    }

    /// Tells whether the same request is worth another try at once.
    pub(crate) const fn retries(&self) -> bool {
        matches!(self, Self::Connect(_) | Self::Status(429 | 500..=599, _))
    }

    /// Tells whether the provider refused the form of the question.
    pub(crate) const fn refuses_form(&self) -> bool {
        matches!(self, Self::Status(400 | 404 | 422, _))
    }

    /// Tells whether the provider answered, only not with what was asked for.
    pub(crate) const fn is_about_the_reply(&self) -> bool {
        matches!(
            self,
            Self::Malformed(_)
                | Self::Declined(_)
                | Self::CutOff
                | Self::NoToolCall
                | Self::WrongTool(_)
                | Self::SeveralAnswers(_)
                | Self::Status(400 | 404 | 422, _)
        )
    }

    /// Tells whether the provider is to blame, so that it is left alone after a few.
    pub(crate) const fn blames_provider(&self) -> bool {
        matches!(
            self,
            Self::Connect(_)
                | Self::Late(_)
                | Self::Broken(_)
                | Self::Status(401 | 403 | 408 | 429 | 500..=599, _)
        )
    }

    /// Tells whether the provider may have done, and billed, the work all the same.
    pub(crate) const fn may_be_billed(&self) -> bool {
        matches!(self, Self::Late(_) | Self::Broken(_) | Self::HugeReply)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the call is too large to show to a model"),
            Self::Nobody => write!(f, "no provider is configured"),
            Self::NoKey(place) => write!(f, "no key: {place}"),
            Self::BadAddress(url) => {
                write!(f, "`{url}` is neither https nor on this machine")
            }
            Self::NoModel => write!(f, "`[classifier] model` is not set"),
            Self::Connect(why) => write!(f, "no connection: {why}"),
            Self::Late(millis) => write!(
                f,
                "timed out after {}.{} s",
                millis / 1000,
                millis % 1000 / 100
            ),
            Self::Broken(why) => write!(f, "the connection broke: {why}"),
            Self::Status(code, said) if said.is_empty() => write!(f, "error {code}"),
            Self::Status(code, said) => write!(f, "error {code}: {said}"),
            Self::Reported(said) => write!(f, "the provider reported an error: {said}"),
            Self::HugeReply => write!(f, "the reply is far too long"),
            Self::Malformed(why) => write!(f, "the reply makes no sense: {why}"),
            Self::Declined(why) => write!(f, "the model declined: {why}"),
            Self::CutOff => write!(
                f,
                "the reply was cut off; a larger `[classifier] max_tokens` may help"
            ),
            Self::NoToolCall => write!(f, "the reply has no verdict"),
            Self::WrongTool(name) => write!(f, "the model called `{name}`"),
            Self::SeveralAnswers(number) => write!(f, "the model answered {number} times at once"),
            Self::Spent(limit) => write!(f, "{limit}"),
            Self::Busy => write!(f, "too many questions are open"),
            Self::Resting(seconds) => {
                write!(
                    f,
                    "not asked after several failures, next try in {seconds} s"
                )
            }
            Self::State(why) => write!(f, "belay could not use one of its files: {why}"),
        }
    }
}

impl std::error::Error for Fault {}
