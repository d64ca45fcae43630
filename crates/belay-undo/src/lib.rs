//! Keeps what a call would take away, and gives it back.
//!
//! INVARIANT: what is called kept is whole. Everything is written into a folder of its own, and that folder gets its
//! name last; what could not be read, is too much, or changed meanwhile is not kept at all. No link below the project's
//! root is followed, neither on the way out nor on the way back, and no program is run.

mod beneath;
mod copy;
mod error;
mod keep;
mod loss;
mod manifest;
mod pattern;
mod plan;
mod restore;
mod store;
mod write;

pub use error::UndoError;
pub use keep::{Keeper, Keeping, Measure};
pub use loss::{Doom, Loss, Sieve, Taken, Told, Wish};
pub use manifest::{Entry, Head, Kind, Manifest};
pub use restore::{Change, Deed, Report, Undo};
pub use store::{Limits, Room, Store};
