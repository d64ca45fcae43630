//! Effects of shell scripts: text to tree to what would happen.
//!
//! INVARIANT: a pure function of script, knowledge and surroundings; no file, clock, environment or
//! network is read here, so every answer can be replayed. What is not understood travels as an
//! effect or a trouble; nothing is dropped in silence.
//!
//! Three tiers: `machine` is the shell's own state and walk, `effects` says what one command does where
//! it stands, `follow` reads on into scripts, tasks, code and edits.

mod effects;
mod follow;
mod machine;
mod scene;

pub use belay_languages::{ToolCall, read_tool_calls};
pub use follow::code::sql_effects;
pub use follow::review::{Change, Review, review};
pub use machine::losses::is_unkept;
pub use machine::walk::{analyse, analyse_argv};
pub use scene::{Analysis, Invocation, Looked, Scene, Shell};
