//! A fleet's policy as one signed file: its form, its signature, its stages.
//!
//! INVARIANT: a pure function of bytes and the time it is told. Nothing of a bundle is read before its signature holds, and
//! what cannot be read as it was meant is refused whole: there is no half of a bundle.

mod flaw;
mod form;
mod keys;
mod seal;
mod stage;
mod time;

pub use flaw::Flaw;
pub use form::{
    Bundle, MOST_BYTES, RuleSet, Source, Taught, is_knowledge_path, read, read_plan, write,
};
pub use keys::Key;
pub use seal::{Accepted, Parcel, Seal, open, stored, to_store};
pub use stage::{Member, Stage, Where};
pub use time::{day, parse as parse_time, stamp};
