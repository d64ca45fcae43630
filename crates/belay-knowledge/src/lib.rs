//! What commands, variables and tools do, compiled from `knowledge/`.
//!
//! INVARIANT: this crate says what would happen and never whether that is fine; what no file says is
//! reported as unknown, and a word that is not known can only add to a reading.

mod knowledge;
mod reading;
mod tool;
mod variable;

pub use knowledge::{Command, Knowledge, OURS};
pub use reading::{
    Act, Flow, Operands, Output, Piece, Reading, Source, Unknown, UnknownKind, What, Word,
};
pub use tool::{Part, Tool, ToolKind};
pub use variable::Variable;

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

/// Reads the words of an invocation, the command's name first, as the program would.
#[must_use]
pub fn read<'k>(command: Command<'k>, words: &[Word<'_>]) -> Reading<'k> {
    let _ = words;
    Reading {
        path: vec![command.name()],
        ..Reading::default()
    }
}
