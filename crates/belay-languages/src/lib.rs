//! Reads code inside commands and says what it would do.
//!
//! INVARIANT: a pure function of the text, and it never judges. A text that is not read whole is
//! `None`: whoever asks must treat it as code nobody has read.

mod awk;
mod javascript;
mod jq;
mod perl;
mod python;
mod sed;
mod sql;

use belay_model::Verb;

/// Ends a path or an address of which only the beginning is known.
pub const ANYTHING: char = '\u{e001}';

/// One thing that code does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Reads a file.
    Read(String),
    /// Writes a file; `None` when its name is computed.
    Write(Option<String>),
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
    /// Does something to named things (`query database`).
    Other(Verb, Vec<&'static str>),
}

/// Reads code; `None` when the language is not one of ours or the code could not be read whole.
#[must_use]
pub fn read(language: &str, code: &str) -> Option<Vec<Doing>> {
    match language {
        "sed" => sed::read(code),
        "awk" => awk::read(code),
        "jq" => jq::read(code),
        "sql" => sql::read(code),
        "python" => python::read(code),
        "javascript" => javascript::read(code),
        "perl" => perl::read(code),
        _ => None,
    }
}
