//! The words of tools: kinds with their usual risk, and the parts of an input.

use belay_model::Risk;

/// The kinds of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolKind {
    /// Only looks, at nothing that is a file's contents.
    Look,
    /// Reads files.
    ReadFile,
    /// Searches contents of files.
    Search,
    /// Lists names of files.
    List,
    /// Changes or creates a file.
    Edit,
    /// Deletes a file.
    Delete,
    /// Moves or renames a file.
    Move,
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
    /// Asks a database.
    Query,
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

/// The words of kinds with their usual risk, in the order in which they are packed.
pub const KINDS: &[(&str, ToolKind, Risk)] = &[
    ("look", ToolKind::Look, Risk::NONE),
    ("read-file", ToolKind::ReadFile, Risk::NONE),
    ("search", ToolKind::Search, Risk::NONE),
    ("list", ToolKind::List, Risk::NONE),
    ("edit", ToolKind::Edit, Risk::NONE),
    ("delete", ToolKind::Delete, Risk::NONE),
    ("move", ToolKind::Move, Risk::NONE),
    ("patch", ToolKind::Patch, Risk::NONE),
    ("notebook", ToolKind::Notebook, Risk::NONE),
    ("shell", ToolKind::Shell, Risk::NONE),
    ("shell-input", ToolKind::ShellInput, Risk::UNSURE),
    ("shell-stop", ToolKind::ShellStop, Risk::NONE),
    ("foreign-shell", ToolKind::ForeignShell, Risk::UNSURE),
    ("code", ToolKind::Code, Risk::UNSURE),
    ("query", ToolKind::Query, Risk::NONE),
    ("fetch", ToolKind::Fetch, Risk::NONE),
    ("web-search", ToolKind::WebSearch, Risk::NONE),
    ("agent", ToolKind::Agent, Risk::LOW),
    ("plan", ToolKind::Plan, Risk::NONE),
    ("mcp", ToolKind::Mcp, Risk::UNSURE),
    ("browser", ToolKind::Browser, Risk::UNSURE),
    ("change", ToolKind::Change, Risk::UNSURE),
    ("other", ToolKind::Other, Risk::UNSURE),
];

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
    /// Code of a language, or a question to a database.
    Code,
    /// What is searched for.
    Pattern,
    /// How freely a started agent may act.
    Mode,
    /// Another server's tool.
    Tool,
    /// The file into which a tool that looks writes what it saw.
    Saves,
    /// Names nothing that happens: words for people, numbers, what is searched for or replaced.
    Inert,
}

/// The words of parts, in the order in which they are packed.
pub const PARTS: &[(&str, Part)] = &[
    ("path", Part::Path),
    ("command", Part::Command),
    ("url", Part::Url),
    ("content", Part::Content),
    ("cwd", Part::Cwd),
    ("patch", Part::Patch),
    ("input", Part::Input),
    ("code", Part::Code),
    ("pattern", Part::Pattern),
    ("mode", Part::Mode),
    ("tool", Part::Tool),
    ("saves", Part::Saves),
    ("inert", Part::Inert),
];

/// What the name of a tool says of it where nothing else is known, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guess {
    /// It looks.
    Looks,
    /// It changes something that can be changed back.
    Changes,
    /// It does what cannot be undone, or what others will see.
    Acts,
}

/// The words of guesses, in the order in which they are packed.
pub const GUESSES: &[(&str, Guess)] = &[
    ("looks", Guess::Looks),
    ("changes", Guess::Changes),
    ("acts", Guess::Acts),
];
