//! What a file says, before it is packed.

use belay_model::{How, Verb};

use super::source::Placed;
use crate::printing::Print;

/// How a command's words are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Gnu,
    Exact,
    Posix,
    Go,
    Single,
    Find,
    Tar,
    Assign,
    None,
}

impl Dialect {
    pub const ALL: [(&'static str, Self); 9] = [
        ("gnu", Self::Gnu),
        ("exact", Self::Exact),
        ("posix", Self::Posix),
        ("go", Self::Go),
        ("single", Self::Single),
        ("find", Self::Find),
        ("tar", Self::Tar),
        ("assign", Self::Assign),
        ("none", Self::None),
    ];

    /// Returns the dialect that a sub-command has when it names none.
    pub const fn inherited(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Go => Self::Go,
            Self::Single => Self::Single,
            Self::Gnu | Self::Posix | Self::Find | Self::Tar | Self::Assign | Self::None => {
                Self::Gnu
            }
        }
    }
}

/// A command or sub-command.
#[derive(Debug)]
pub struct Level {
    /// Which file it is from, where that is not its parent's.
    pub file: Option<usize>,
    pub names: Vec<Placed>,
    /// Sub-commands with other names: the usual one first, then the others.
    pub same: Vec<Placed>,
    /// Names of this command that are one program.
    pub same_names: Vec<Placed>,
    pub about: String,
    pub dialect: Dialect,
    pub inherit: bool,
    pub open: bool,
    pub assignments: bool,
    pub output: Option<Output>,
    pub prints: Vec<Prints>,
    /// Facts, one bit each.
    pub deeds: u32,
    pub input: Option<Placed>,
    pub remote: Vec<Placed>,
    pub defaults: Vec<(Placed, String)>,
    /// The program that it speaks of, and no other of its name.
    pub bound: Option<String>,
    /// The words that a call of it stands for, where it is only another name.
    pub alias: Vec<Placed>,
    /// Names of script files that take this command's words.
    pub scripts: Vec<Placed>,
    /// The registries whose packages of these names are this command: `npm`, or `npm NAME...` for some.
    pub packages: Vec<Placed>,
    pub forms: Vec<Form>,
    pub flags: Vec<Flag>,
    pub values: Vec<ValueCase>,
    pub subs: Vec<Level>,
    pub default: Option<Placed>,
    pub otherwise: Option<Placed>,
}

/// A usage with what it does.
#[derive(Debug, Default)]
pub struct Form {
    pub items: Vec<Item>,
    pub effects: Vec<Effect>,
}

/// A slot of a usage.
#[derive(Clone, Debug)]
pub struct Item {
    pub slot: String,
    pub optional: bool,
    pub many: bool,
    pub payload: bool,
}

/// How many words a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    None,
    One,
    Optional,
    Two,
    Rest,
    Until,
    /// One, glued on or the next word, where values are otherwise never glued on.
    Either,
}

/// The spellings that share arity and cases.
#[derive(Debug)]
pub struct Flag {
    pub spellings: Vec<String>,
    pub arity: Arity,
    /// Names of values; empty where nothing is filled.
    pub slots: Vec<String>,
    pub cases: Vec<Case>,
}

/// What a flag does for some values, or for all others.
#[derive(Clone, Debug)]
pub struct Case {
    pub values: Option<Vec<String>>,
    pub actions: Actions,
    pub key: Placed,
}

/// What a flag or value does.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    pub also: Vec<Effect>,
    pub instead: Option<Vec<Effect>>,
    pub drops: Vec<Effect>,
    pub spares: Option<Vec<Effect>>,
    pub output: Option<Output>,
}

impl Actions {
    /// Tells whether it makes a command do less.
    pub const fn lowers(&self) -> bool {
        self.spares.is_some() || !self.drops.is_empty()
    }

    /// Tells whether it changes anything at all.
    pub const fn is_nothing(&self) -> bool {
        self.also.is_empty()
            && self.instead.is_none()
            && self.drops.is_empty()
            && self.spares.is_none()
            && self.output.is_none()
    }

    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.also
            .iter()
            .chain(self.instead.iter().flatten())
            .chain(&self.drops)
            .chain(self.spares.iter().flatten())
    }
}

/// What an operand's text does.
#[derive(Debug)]
pub struct ValueCase {
    pub slot: String,
    pub case: Case,
}

/// What standard output shows.
#[derive(Clone, Debug)]
pub enum Output {
    Content,
    Facts,
    Nothing,
    Line,
    Lines,
    Names,
    Ids,
    Entries,
    Refs,
    Paths(Placed),
}

/// What is printed with exactly some flags.
#[derive(Clone, Debug)]
pub struct Prints {
    /// Numbers of the flags that must be there.
    pub with: Vec<usize>,
    /// Numbers of the flags that may be there.
    pub perhaps: Vec<usize>,
    pub form: Print,
    pub slots: Vec<Placed>,
    /// The slot that must be empty.
    pub without: Option<Placed>,
    /// Tells that it often prints nothing: what it is asked for may not be there.
    pub fails: bool,
}

/// A template of an act.
#[derive(Clone, Debug)]
pub struct Effect {
    pub kind: EffectKind,
    pub target: Vec<Piece>,
    pub with: Vec<Flow>,
    pub on: Option<(String, Piece)>,
    /// The template's own text, for places and for comparing.
    pub written: Placed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    Effect(Verb, How),
    RunWords,
    RunFile,
    RunShellFile,
    Task,
    Eval,
    EvalInput,
    Cd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Slot(String),
    /// A slot, or where nothing fills it a text.
    SlotOr(String, String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    Text(Piece),
    Content(Piece),
    Body(Piece),
    Form(Piece),
    Input,
    Fetched,
    Brought,
    Named(Piece),
    Ending(Piece),
    Trimmed(Piece),
    Lacking(Piece),
    Port(Piece),
    Making,
    Operands,
    Replacing(Piece),
    Found(Piece),
    /// The registry that the command may be fetched from.
    Package(Piece),
}

/// A variable's file.
#[derive(Debug)]
pub struct Variable {
    pub names: Vec<Placed>,
    pub about: String,
    pub effects: Vec<Effect>,
    pub harmless: Vec<String>,
    /// The file whose harmless values are harmless here too.
    pub like: Option<Placed>,
    pub secret: bool,
}

/// A tool's entry.
#[derive(Debug)]
pub struct Tool {
    pub names: Vec<Placed>,
    pub about: String,
    pub kind: u8,
    pub risk: u8,
    /// Which part a member plays, and the member's path.
    pub parts: Vec<(u8, String)>,
}

/// An example: a command, and the effects it has.
#[derive(Clone, Debug)]
pub struct Example {
    pub command: Placed,
    pub effects: Vec<Placed>,
}
