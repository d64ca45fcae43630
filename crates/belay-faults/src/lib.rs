//! Accidents by chance: the built hook is started as an agent starts it, something goes wrong, and what the agent would make
//! of the answer is looked at.
//!
//! INVARIANT: nothing here ships, and nothing runs outside namespaces of its own. What is reported was seen: the real
//! program, the line of shell that agents register, the bytes on its stdout, its exit code, and the journal behind it.

pub mod calls;
pub mod corrupt;
pub mod daemon;
pub mod disk;
pub mod faults;
pub mod home;
pub mod hook;
pub mod host;
pub mod inspect;
pub mod limits;
pub mod model;
pub mod tally;
pub mod trial;
