//! Effects of shell scripts: text to tree to what would happen.
//!
//! INVARIANT: a pure function of script, knowledge and surroundings; no file, clock, environment or
//! network is read here, so every answer can be replayed. What is not understood travels as an
//! effect or a trouble; nothing is dropped in silence.

mod acts;
mod arith;
mod armed;
mod builtins;
mod code;
mod compound;
mod find;
mod follow;
mod hosts;
mod literals;
mod moves;
mod outputs;
mod params;
mod payloads;
mod perl;
mod redirects;
mod refs;
mod repository;
mod review;
mod scene;
mod simple;
mod state;
mod stream;
mod tasks;
mod value;
mod variables;
mod walk;
mod words;
mod yaml;

pub use review::{Change, Review, review};
pub use scene::{Analysis, Invocation, Scene, Shell};
pub use walk::{analyse, analyse_argv};
