//! What commands, variables and tools do, compiled from `knowledge/`.
//!
//! INVARIANT: this crate says what would happen and never whether that is fine; what no file says is
//! reported as unknown, and a word that is not known can only add to a reading.

mod blob;
mod bound;
mod compile;
mod deeds;
mod example;
mod glob;
mod kinds;
mod knowledge;
mod layout;
mod lint;
#[cfg(feature = "examples")]
mod outline;
mod printing;
mod read;
mod reading;
mod server;
mod show;
mod taught;
mod tool;
mod variable;

pub use bound::Bound;
pub use compile::Fault;
pub use deeds::{Deed, Deeds};
pub use example::Example;
#[cfg(feature = "examples")]
pub use example::examples;
pub use kinds::{Guess, Part, ToolKind};
pub use knowledge::{Command, Knowledge, LoadError, OURS};
pub use lint::Lint;
#[cfg(feature = "examples")]
pub use outline::{Other, Outline, Spelled, others, outlines};
pub use printing::Print;
pub use read::{Spelling, read, spelling};
pub use reading::{
    Act, Flow, Operands, Output, Piece, Pieces, Prints, Reading, Source, Unknown, UnknownKind,
    What, Word,
};
pub use tool::Tool;
pub use variable::Variable;

/// Names this version of our own files.
pub const HASH: &str = env!("BELAY_KNOWLEDGE_HASH");

/// Returns what is known of a command by its name, which is the last part of its path.
#[must_use]
pub fn find(name: &str) -> Option<Command<'static>> {
    OURS.find(name)
}

/// Returns what is known of a builtin of the shell.
#[must_use]
pub fn builtin(name: &str) -> Option<Command<'static>> {
    OURS.builtin(name)
}

/// Returns what setting a variable does; nothing when it is inert.
#[must_use]
pub fn variable(name: &str) -> Option<Variable<'static>> {
    OURS.variable(name)
}

/// Returns what is known of an agent's tool.
#[must_use]
pub fn tool(name: &str) -> Option<Tool<'static>> {
    OURS.tool(name)
}

/// Guesses from the words of a tool's name what it does; the strictest word counts.
#[must_use]
pub fn guess(name: &str) -> Option<Guess> {
    OURS.guess(name)
}
