//! Each agent's dialect, in and out; one file per agent.
//!
//! INVARIANT: nothing here judges. [`read`] turns an agent's JSON into a plain
//! [`Call`](belay_model::Call), [`answer`] turns a judgement into the bytes and the exit code that
//! agent understands, and [`refuse`] is what every agent reads as *no* when anything went wrong.

pub mod acp;
mod adapter;
mod adapters;
mod agent;
mod answer;
pub mod doctor;
mod folders;
mod heard;
mod host_rules;
pub mod install;
pub mod mcp;
mod patience;
mod proof;
mod reading;
pub mod transcript;
mod wording;

pub use agent::Agent;
pub use answer::{Answer, answer, as_answered, no_opinion, refuse};
pub use heard::{Approvals, Asked, Event, Heard, HostMode, Moment, ReadError, Seen, Spelling};
pub use host_rules::{HostRules, Lines};
pub use proof::{PersonSaid, Typed, asks_alone, person_said, says_who_answered, typed};
pub use reading::{Env, host_rules, read};
