//! The nouns of Autobelay: what a call is, what it would do, and what we think of it.
//!
//! INVARIANT: this crate depends on nothing, reads nothing and decides nothing. Every other room
//! speaks in its words.

mod anchors;
mod call;
mod effect;
pub mod glob;
mod judgement;
mod notation;
mod place;
mod risk;
mod surroundings;
mod talk;
mod trouble;
mod value;
mod verdict;

pub use anchors::LEADING;
pub use call::{Call, Turn};
pub use effect::{At, Carries, Effect, How, Span, Target, Verb, When};
pub use judgement::{Judgement, Layer, Opinion, Reason, Step};
pub use notation::{NotationError, parse_effect};
pub use place::{Place, Scope};
pub use risk::{Band, Risk, Thresholds};
pub use surroundings::{Answer, Nowhere, Question, Standing, Surroundings};
pub use talk::without_talk;
pub use trouble::{Trouble, TroubleKind};
pub use value::Value;
pub use verdict::Verdict;
