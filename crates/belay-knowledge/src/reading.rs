use std::borrow::Cow;

use belay_model::{How, Verb};
use smallvec::SmallVec;

use crate::{Deeds, Print};

/// A word of a command line, as far as its text is known. Quotes are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// Exactly this text.
    Known(&'a str),
    /// Any text, or any number of texts, that the glob matches.
    Pattern(&'a str),
    /// One text that the glob matches, never none and never empty.
    Shape(&'a str),
    /// One word with a known beginning, which may be empty; the rest is not known.
    Prefix(&'a str),
    /// Nothing is known, not even whether it is one word. A quoted unknown is `Prefix("")`.
    Unknown,
}

impl<'a> Word<'a> {
    /// Returns the text, when all of it is known.
    #[must_use]
    pub const fn known(self) -> Option<&'a str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Pattern(_) | Self::Shape(_) | Self::Prefix(_) | Self::Unknown => None,
        }
    }

    /// Returns the known text at its beginning.
    #[must_use]
    pub fn beginning(self) -> &'a str {
        match self {
            Self::Known(text) | Self::Prefix(text) => text,
            Self::Pattern(text) | Self::Shape(text) => {
                text.split(['*', '?', '[', '{', '\\']).next().unwrap_or("")
            }
            Self::Unknown => "",
        }
    }

    /// Tells whether it is a pattern that no flag matches: its first character is anything but a dash.
    #[must_use]
    pub fn is_no_flag(self) -> bool {
        let (Self::Pattern(text) | Self::Shape(text)) = self else {
            return false;
        };
        crate::glob::begins_without(text, b'-')
    }

    /// Tells whether it may stand for several words, or none.
    #[must_use]
    pub const fn is_many(self) -> bool {
        match self {
            Self::Known(_) | Self::Shape(_) | Self::Prefix(_) => false,
            Self::Pattern(_) | Self::Unknown => true,
        }
    }
}

/// What an invocation does.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reading<'k> {
    /// The command and its sub-commands by their first names: `git`, `push`.
    pub path: SmallVec<[&'k str; 2]>,
    /// The words that named them, as they were typed.
    pub named: SmallVec<[usize; 2]>,
    /// What it does. Acts of payloads are judged by whoever asks.
    pub acts: Vec<Act<'k>>,
    /// What else is known of the command.
    pub deeds: Deeds,
    /// What its standard output shows of what it read.
    pub output: Output<'k>,
    /// What it prints, where a file says so for exactly the flags used.
    pub prints: Option<Prints<'k>>,
    /// Tells whether it reads standard input as contents.
    pub reads_input: bool,
    /// What the knowledge does not say.
    pub unknown: Vec<Unknown>,
}

impl<'k> Reading<'k> {
    /// Returns the command and its sub-commands as one text.
    #[must_use]
    pub fn name(&self) -> Cow<'k, str> {
        match self.path.as_slice() {
            [name] => Cow::Borrowed(name),
            path => Cow::Owned(path.join(" ")),
        }
    }
}

/// Pieces of one thing; most have one or two, which take no memory of their own.
pub type Pieces<'k> = SmallVec<[Piece<'k>; 2]>;

/// One thing that is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Act<'k> {
    /// What it is.
    pub what: What<'k>,
    /// Where it happens when not here: by which way (`ssh`, `container`, `cluster`), and its name there.
    pub at: Option<(&'k str, Piece<'k>)>,
    /// The word that brings it about: the flag, or the last word of the command's path.
    pub cause: usize,
}

/// What an act is.
#[derive(Clone, Debug, PartialEq)]
pub enum What<'k> {
    /// An effect on a target.
    Effect {
        /// What is done.
        verb: Verb,
        /// In which way.
        how: How,
        /// To what: fixed names and words, in order.
        target: Pieces<'k>,
        /// What flows into it.
        with: Vec<Flow<'k>>,
        /// Tells that a path here may be `host:path`, and then lies on that host.
        remote: bool,
        /// Tells that each piece of the target is one of its own: very many operands are one act.
        each: bool,
    },
    /// A payload: words that are a command of their own.
    RunWords {
        /// The first word.
        from: usize,
        /// The word after the last.
        to: usize,
        /// What more operands it gets.
        operands: Operands<'k>,
        /// The registry that its program is fetched from when the project does not have it.
        package: Option<&'k str>,
        /// Words before it that set variables for it.
        assignments: Vec<usize>,
    },
    /// A program or script file is run.
    RunFile {
        /// The file.
        file: Piece<'k>,
        /// Tells whether the file is read as shell text whatever its first line says.
        shell: bool,
    },
    /// A task that the project defines.
    Task {
        /// Who runs it: `npm`, `make`.
        tool: &'k str,
        /// Which one.
        name: Piece<'k>,
    },
    /// Code is executed.
    Eval {
        /// Of which language: `shell`, `python`, `sql`.
        language: &'k str,
        /// Where the code is.
        source: Source<'k>,
    },
    /// Every relative path of this invocation is below this folder.
    Cd(Piece<'k>),
}

/// What operands a payload gets besides its own words.
#[derive(Clone, Debug, PartialEq)]
pub enum Operands<'k> {
    /// None.
    None,
    /// Any, at the end, from standard input.
    Input,
    /// Any from standard input, wherever this text stands in the payload's words.
    Replacing(Piece<'k>),
    /// `{}` stands for anything at or below these paths.
    Found(Vec<Piece<'k>>),
}

/// Where code is.
#[derive(Clone, Debug, PartialEq)]
pub enum Source<'k> {
    /// In this text.
    Text(Piece<'k>),
    /// In these words, joined by blanks: the first, and the one after the last.
    Words(usize, usize),
    /// On standard input.
    Input,
}

/// A text that an act speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'k> {
    /// A text of the knowledge file: a name, or a value for what was not given.
    Text(&'k str),
    /// A word of the invocation from this byte on; as known as that word is.
    Word {
        /// Which word.
        index: usize,
        /// Where in its text the piece begins: after `--out=` or `-o`.
        from: usize,
    },
}

impl<'k> Piece<'k> {
    /// Returns the text that a knowledge file gave.
    #[must_use]
    pub const fn fixed(self) -> Option<&'k str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Word { .. } => None,
        }
    }
}

/// What flows into an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow<'k> {
    /// The text itself.
    Text(Piece<'k>),
    /// The contents of the file so named.
    Content(Piece<'k>),
    /// A body as curl reads it: text, `@file` or `@-`.
    Body(Piece<'k>),
    /// A form field as curl reads it: `name=text`, `name=@file`, `name=<file`.
    Form(Piece<'k>),
    /// Standard input.
    Input,
    /// What this invocation fetched.
    Fetched,
    /// What came from outside with a tree.
    Brought,
    /// What is written gets its name from this address, where no other name is given.
    Named(Piece<'k>),
    /// What is written is called like the target, with this behind it; a `*` in it stands for anything.
    Ending(Piece<'k>),
    /// What is written is called like the target without this ending.
    Trimmed(Piece<'k>),
    /// What is written is called like the target, with this behind it where that has no ending.
    Lacking(Piece<'k>),
    /// The port of the host.
    Port(Piece<'k>),
    /// The target is made where nothing lies, and left alone where something does.
    Making,
}

/// What standard output shows of what was read.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Output<'k> {
    /// Contents.
    #[default]
    Content,
    /// Counts, names, states; no contents.
    Facts,
    /// Nothing.
    Nothing,
    /// Names, one on a line, that are neither flags nor paths: hashes, numbers of processes.
    Names,
    /// Ids, one on a line: letters and digits, of which every part is like the whole.
    Ids,
    /// Lines that begin with a name that is no flag and no path, and go on with anything: a hash and a title.
    Entries,
    /// Names of branches, one on a line: no flags, with slashes, and never a way up.
    Refs,
    /// Names of files at or below these paths.
    Paths(Pieces<'k>),
    /// Lines of what it reads, as they are: what names a file still does.
    Lines,
    /// One of the lines it reads, or nothing where there is none.
    Line,
}

/// What an invocation prints.
#[derive(Clone, Debug, PartialEq)]
pub struct Prints<'k> {
    /// In which form.
    pub form: Print,
    /// What it speaks of: paths, a template, a format.
    pub of: Pieces<'k>,
    /// What is besides: an ending to cut off, a folder.
    pub with: Pieces<'k>,
    /// Tells that it often prints nothing. Any program may fail; these do whenever what they are asked
    /// for is not there.
    pub fails: bool,
}

/// Something about an invocation that the knowledge does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// What kind of thing.
    pub kind: UnknownKind,
    /// Which word.
    pub word: usize,
    /// Which bytes of the word's text: the letter of a cluster, the name without its `=value`.
    pub part: (usize, usize),
}

impl Unknown {
    /// Returns how the notation names it: `--x`, `-Z`, or `?` where the word is not known.
    #[must_use]
    pub fn text(&self, words: &[Word<'_>]) -> String {
        let word = words.get(self.word).and_then(|it| it.known());
        let part = word.and_then(|it| it.get(self.part.0..self.part.1));
        match (part, self.kind) {
            (None | Some(""), _) => "?".to_owned(),
            (Some(text), UnknownKind::Flag) if self.part.0 > 0 => {
                let plus = word.is_some_and(|it| it.starts_with('+'));
                format!("{}{text}", if plus { '+' } else { '-' })
            }
            (Some(text), UnknownKind::Flag | UnknownKind::Subcommand | UnknownKind::Operand) => {
                text.to_owned()
            }
        }
    }
}

/// The kinds of things that the knowledge may not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnknownKind {
    /// A flag.
    Flag,
    /// A sub-command.
    Subcommand,
    /// An operand more than the usage has.
    Operand,
}

impl UnknownKind {
    /// Returns the word of the notation: `unknown flag --x`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Subcommand => "subcommand",
            Self::Operand => "operand",
        }
    }
}
