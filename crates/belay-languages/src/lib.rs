//! Reads code inside commands and says what it would do.
//!
//! INVARIANT: a pure function of the text, and it never judges. A text that is not read whole is
//! `None`: whoever asks must treat it as code nobody has read.

mod awk;
mod handed;
mod javascript;
mod jq;
mod language;
mod perl;
mod plain;
mod python;
mod sed;
mod sql;
mod words;

use belay_model::{Value, Verb};

pub use handed::handed;
pub use language::Language;

/// Ends a path or an address of which only the beginning is known.
pub const ANYTHING: char = '\u{e001}';

/// Ends a path of a folder: something below it, never above.
pub const WITHIN: char = '\u{e002}';

/// How a program uses a package that is not the library's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// Loads it, and looks at its version and the like.
    #[default]
    Imported,
    /// Calls it, by names that do not say that they act outside.
    Called,
    /// Calls something whose name says that it acts.
    Acted,
}

/// One thing that code does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Reads a file.
    Read(String),
    /// Writes a file; `None` when its name is computed.
    Write(Option<String>),
    /// Puts what an archive holds into a folder; `None` when its name is computed.
    Unpack(Option<String>),
    /// The same, but names in the archive may lead out of the folder.
    Spill(Option<String>),
    /// Deletes a file, or a folder with all below it; `None` when its name is computed.
    Delete(Option<String>, bool),
    /// Gets something from an address; `None` when it is computed.
    Fetch(Option<String>),
    /// Gives something to an address; `None` when it is computed.
    Send(Option<String>),
    /// Reads one variable of the environment.
    Variable(String),
    /// Loads a module of the project by its file, which may leave out its ending.
    Load(String),
    /// Runs a text of the shell; `None` when it is computed.
    Run(Option<String>),
    /// Loads a module by its name.
    Import(String),
    /// Looks for modules in a folder too; `None` when its name is computed.
    Search(Option<String>),
    /// Goes to another folder; `None` when its name is computed.
    Folder(Option<String>),
    /// Uses a package, or a module of the project, of which nothing is known here.
    Package {
        /// The package's top name; a dot for the one that holds the program.
        name: String,
        /// What for.
        how: Use,
        /// Whether it is known to be somebody else's.
        stranger: bool,
    },
    /// Uses a package of Node's registry of which nothing is known here.
    NodePackage {
        /// Its name, with its scope.
        name: String,
        /// What for.
        how: Use,
    },
    /// Does something that could not be read.
    Unread {
        /// Whether a host may have sent what it does.
        fetched: bool,
    },
    /// Shows secret values of something.
    Secret(&'static str),
    /// Does something to named things (`query database`).
    Other(Verb, Vec<&'static str>),
}

/// The words that a program is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Its own name, then its words; one may not be known.
    pub words: Vec<Option<String>>,
    /// Whether there may be more of these, or fewer.
    pub several: bool,
}

/// A call that a program makes to a tool of its host.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// What it is given.
    pub input: Value,
}

/// Reads a program in JavaScript that calls its host's tools (`tools.exec_command({cmd: "ls"})`): all calls that it
/// could make, or `None` when one cannot be told.
#[must_use]
pub fn read_tool_calls(code: &str) -> Option<Vec<ToolCall>> {
    javascript::read_calls(code)
}

/// Reads code that is given words: those of `sys.argv` and `process.argv` are known then.
#[must_use]
pub fn read_with(language: &str, code: &str, given: Given) -> Option<Vec<Doing>> {
    let tongue = Language::from_word(language);
    if tongue == Some(Language::Python) {
        return python::read_given(code, Some(given));
    }
    if tongue == Some(Language::JavaScript) {
        return javascript::read_given(code, Some(given));
    }
    read(language, code)
}

/// Reads a Python module that a tool loads and whose functions it may call.
#[must_use]
pub fn read_loaded_python(code: &str) -> Option<Vec<Doing>> {
    python::read_loaded(code)
}

/// Reads code; `None` when the language is not one of ours or the code could not be read whole.
#[must_use]
pub fn read(language: &str, code: &str) -> Option<Vec<Doing>> {
    match Language::from_word(language)? {
        Language::Awk => awk::read(code),
        Language::Django => python::read_django(code),
        Language::DuckDb => sql::read(sql::Engine::DuckDb, code),
        Language::IPython => python::read_prompt(code),
        Language::JavaScript => javascript::read(code),
        Language::Jq => jq::read(code),
        Language::Mongo => plain::read(plain::Tongue::Mongo, code),
        Language::MySql => sql::read(sql::Engine::MySql, code),
        Language::Lua => plain::read(plain::Tongue::Lua, code),
        Language::Perl => perl::read(code),
        Language::Php => plain::read(plain::Tongue::Php, code),
        Language::PostgreSql => sql::read(sql::Engine::PostgreSql, code),
        Language::Python => python::read(code),
        Language::R => plain::read(plain::Tongue::R, code),
        Language::Rails => plain::read_rails(code),
        Language::Ruby => plain::read(plain::Tongue::Ruby, code),
        Language::Sed => sed::read(code),
        Language::Sql => sql::read(sql::Engine::Any, code),
        Language::Sqlite => sql::read(sql::Engine::Sqlite, code),
        Language::Yq => jq::read_yq(code),
    }
}
