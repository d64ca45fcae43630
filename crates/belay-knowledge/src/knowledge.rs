use crate::{Tool, Variable};

/// What is known: our own files, with a user's before them.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {}

impl Knowledge {
    /// Returns what is known of a command by its name, which is the last part of its path.
    #[must_use]
    pub const fn find(&self, name: &str) -> Option<Command<'_>> {
        let _ = name;
        None
    }

    /// Returns what is known of a builtin of the shell.
    #[must_use]
    pub const fn builtin(&self, name: &str) -> Option<Command<'_>> {
        let _ = name;
        None
    }

    /// Returns what setting a variable does; nothing when it is inert.
    #[must_use]
    pub const fn variable(&self, name: &str) -> Option<Variable<'_>> {
        let _ = name;
        None
    }

    /// Returns what is known of an agent's tool.
    #[must_use]
    pub const fn tool(&self, name: &str) -> Option<Tool<'_>> {
        let _ = name;
        None
    }
}

/// What is known of a command.
#[derive(Clone, Copy, Debug)]
pub struct Command<'k> {
    name: &'k str,
}

impl<'k> Command<'k> {
    /// Returns its first name.
    #[must_use]
    pub const fn name(self) -> &'k str {
        self.name
    }
}

/// What is compiled in.
pub static OURS: Knowledge = Knowledge {};
