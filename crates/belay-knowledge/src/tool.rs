use belay_model::{Risk, Value};

/// What is known of an agent's tool.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'k> {
    about: &'k str,
}

impl<'k> Tool<'k> {
    /// Returns one sentence on the tool.
    #[must_use]
    pub const fn about(self) -> &'k str {
        self.about
    }

    /// Returns what kind of tool it is.
    #[must_use]
    pub const fn kind(self) -> ToolKind {
        ToolKind::Other
    }

    /// Returns the least risk of a call of it.
    #[must_use]
    pub const fn risk(self) -> Risk {
        Risk::UNSURE
    }

    /// Returns the values in the tool's input that play a part: strings, or the items of an array of
    /// strings. An input that spells a part in several ways gives all of them.
    #[must_use]
    pub const fn get(self, part: Part, input: &Value) -> Vec<&Value> {
        let _ = (part, input);
        Vec::new()
    }
}

/// The kinds of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolKind {
    /// Only looks, at nothing that is a file's contents.
    Look,
    /// Reads files.
    ReadFile,
    /// Searches contents or names of files.
    Search,
    /// Changes or creates a file.
    Edit,
    /// Deletes a file.
    Delete,
    /// Applies a patch that names its files itself.
    Patch,
    /// Changes a notebook's cells.
    Notebook,
    /// Runs shell text.
    Shell,
    /// Types into a program that runs.
    ShellInput,
    /// Ends a program that the agent started.
    ShellStop,
    /// Runs text of a shell that we cannot read.
    ForeignShell,
    /// Executes code of a language.
    Code,
    /// Gets a page from the net.
    Fetch,
    /// Asks a search engine.
    WebSearch,
    /// Starts another agent with the same gate.
    Agent,
    /// Keeps lists, plans and questions to the user.
    Plan,
    /// Calls another server's tool.
    Mcp,
    /// Steers a browser or a desktop.
    Browser,
    /// Changes something elsewhere: a schedule, a service.
    Change,
    /// Known by name, and nothing else.
    Other,
}

/// The parts that members of a tool's input play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Paths read or written.
    Path,
    /// The shell text, or an argv.
    Command,
    /// The address.
    Url,
    /// What is written.
    Content,
    /// The folder it happens in.
    Cwd,
    /// A patch.
    Patch,
    /// What is typed into a program.
    Input,
}
