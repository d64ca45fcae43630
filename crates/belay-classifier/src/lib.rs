//! Asks a fast model one question about a call, for what understanding leaves open.
//!
//! INVARIANT: "pass" is only ever said by a reply that holds exactly one well-formed verdict.
//! Whatever is late, broken, refused, cut off, unpaid or unreachable is [`Answer::NoVerdict`] with
//! its [`Fault`]. What the agent wrote reaches the model as quoted data only, redacted before.

mod breaker;
mod cache;
mod clock;
mod defaults;
mod dump;
mod fault;
mod fetch;
mod flight;
mod json;
mod key;
mod ladder;
mod outcome;
mod plan;
mod prices;
mod question;
mod quote;
mod spend;
mod store;
mod transport;
mod verdict;
mod wire;

pub use defaults::{DefaultList, defaults};
pub use fault::Fault;
pub use fetch::{Fetch, Fetched, fetch};
pub use ladder::Classifier;
pub use outcome::{Account, Answer, Outcome};
pub use plan::{Endpoint, Key, Limits, Mode, Plan, Prices};
pub use question::{Privacy, Prompt, Question, RuleLists, Window};
pub use verdict::Verdict;
pub use wire::Provider;
