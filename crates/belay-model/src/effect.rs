use std::fmt;

use crate::Place;
use crate::notation;

/// Part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// Makes a span from two offsets.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }
}

/// What a call would do: one verb, one target, and what is known about the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// What is done.
    pub verb: Verb,
    /// In which way.
    pub how: How,
    /// To what.
    pub target: Target,
    /// What kind of data flows into it.
    pub carries: Carries,
    /// On which machine.
    pub at: At,
    /// By whose doing, and when.
    pub when: When,
    /// Which part of the text says so.
    pub span: Span,
}

impl Effect {
    /// Makes an effect on a place.
    #[must_use]
    pub fn on(verb: Verb, place: Place) -> Self {
        Self::to(verb, Target::Place(place))
    }

    /// Makes an effect on named things.
    #[must_use]
    pub fn of<I, S>(verb: Verb, names: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<String>,
    {
        Self::to(
            verb,
            Target::Names(names.into_iter().map(Into::into).collect()),
        )
    }

    /// Makes an effect on a target.
    #[must_use]
    pub const fn to(verb: Verb, target: Target) -> Self {
        Self {
            verb,
            how: How::Plain,
            target,
            carries: Carries::NOTHING,
            at: At::Here,
            when: When::Now,
            span: Span { start: 0, end: 0 },
        }
    }

    /// Returns the effect done in another way.
    #[must_use]
    pub fn how(mut self, how: How) -> Self {
        self.how = how;
        self
    }

    /// Returns the effect as one that happens then, if it was nearer before.
    #[must_use]
    pub fn when(mut self, when: When) -> Self {
        self.when = self.when.max(when);
        self
    }

    /// Returns the effect with another span.
    #[must_use]
    pub fn spanning(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// Returns the effect with more flowing into it.
    #[must_use]
    pub fn carrying(mut self, carries: Carries) -> Self {
        self.carries = self.carries.and(carries);
        self
    }

    /// Returns the names of the target, if it is named things.
    #[must_use]
    pub fn names(&self) -> &[String] {
        match &self.target {
            Target::Names(names) => names,
            Target::Place(_) | Target::Host(_) => &[],
        }
    }

    /// Returns the place of the target, if it is one.
    #[must_use]
    pub const fn place(&self) -> Option<&Place> {
        match &self.target {
            Target::Place(place) => Some(place),
            Target::Host(_) | Target::Names(_) => None,
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::write_effect(f, self)
    }
}

/// What an effect is done to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A file or folder.
    Place(Place),
    /// A host, with its port where one is named; `?` when not known.
    Host(String),
    /// Named things, the widest first (`npm left-pad`, `origin main`); `?` where not known.
    Names(Vec<String>),
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the word of the notation.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Reads it from its word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// The closed list of what can be done.
    Verb {
        /// Looks at contents.
        Read = "read",
        /// Creates or changes contents.
        Write = "write",
        /// Removes.
        Delete = "delete",
        /// Takes away from its place; the contents live on elsewhere.
        Move = "move",
        /// Makes another name for.
        Link = "link",
        /// Changes mode, owner or attributes.
        Mark = "mark",
        /// Starts a program, script or task.
        Run = "run",
        /// Executes code that is not a file of its own.
        Eval = "eval",
        /// Gets something from a host.
        Fetch = "fetch",
        /// Gives something to a host.
        Send = "send",
        /// Opens a port.
        Listen = "listen",
        /// Adds a package or tool.
        Install = "install",
        /// Makes work visible to others.
        Publish = "publish",
        /// Replaces history that others may have.
        Rewrite = "rewrite",
        /// Throws away work that was not kept.
        Discard = "discard",
        /// Changes local history.
        History = "history",
        /// Gains rights.
        Escalate = "escalate",
        /// Signals processes.
        Signal = "signal",
        /// Makes something run later by itself.
        Persist = "persist",
        /// Changes settings that steer later programs.
        Configure = "configure",
        /// Ends a thing of value for good: data, machines, services.
        Destroy = "destroy",
        /// Changes the state of a service, repository, machine.
        Change = "change",
        /// Asks a database.
        Query = "query",
        /// Switches a safeguard off.
        Bypass = "bypass",
        /// Looks at a service.
        Probe = "probe",
        /// Starts another agent.
        Launch = "launch",
        /// Not understood.
        Unknown = "unknown",
    }
}

words! {
    /// In which way something is done.
    How {
        /// In the ordinary way.
        Plain = "",
        /// With everything below it.
        Tree = "tree",
        /// Reaching secret values.
        Secret = "secret",
        /// At the end, keeping what was there.
        Append = "append",
        /// So that it can be run.
        Executable = "executable",
        /// As a named task of the project.
        Task = "task",
        /// By name, size and kind alone: contents stay unseen.
        Names = "names",
        /// From the sources at hand, by the tool that builds them.
        Built = "built",
    }
}

words! {
    /// By whose doing something happens, and when; the further from the call, the less of it counts.
    When {
        /// The call does it.
        Now = "",
        /// A task or script of the project does it, which the call runs.
        Task = "task",
        /// Text that the call writes does it, when something runs that by itself.
        Later = "later",
        /// A program of the project does it, which the call runs.
        Own = "own",
        /// Text that the call writes does it, if somebody runs that.
        Perhaps = "perhaps",
    }
}

impl Verb {
    /// Tells whether such an effect changes nothing anywhere.
    #[must_use]
    pub const fn only_looks(self) -> bool {
        match self {
            Self::Read | Self::Fetch | Self::Query | Self::Probe => true,
            Self::Write
            | Self::Delete
            | Self::Move
            | Self::Link
            | Self::Mark
            | Self::Run
            | Self::Eval
            | Self::Send
            | Self::Listen
            | Self::Install
            | Self::Publish
            | Self::Rewrite
            | Self::Discard
            | Self::History
            | Self::Escalate
            | Self::Signal
            | Self::Persist
            | Self::Configure
            | Self::Destroy
            | Self::Change
            | Self::Bypass
            | Self::Launch
            | Self::Unknown => false,
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Labels of the data that flows into an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Carries(u8);

impl Carries {
    /// Nothing worth a label: text written in the call itself.
    pub const NOTHING: Self = Self(0);
    /// Secret values.
    pub const SECRET: Self = Self(1);
    /// Something a host sent.
    pub const FETCHED: Self = Self(2);
    /// Contents of files, or of the environment.
    pub const CONTENT: Self = Self(4);
    /// Something of unknown origin.
    pub const UNKNOWN: Self = Self(8);
    /// Something that came from outside with a tree: a clone, an archive, a patch, another's branch.
    pub const FOREIGN: Self = Self(16);
    /// Something a host sent whose installers everybody's scripts run.
    pub const OFFERED: Self = Self(32);
    /// Text with any letters in it: a label of values, which no effect has and no word names.
    pub const LETTERS: Self = Self(64);
    /// Both labels of what came from outside.
    pub const OUTSIDE: Self = Self(Self::FETCHED.0 | Self::FOREIGN.0);

    const WORDS: [(Self, &'static str); 6] = [
        (Self::SECRET, "secret"),
        (Self::FETCHED, "fetched"),
        (Self::CONTENT, "content"),
        (Self::UNKNOWN, "unknown"),
        (Self::FOREIGN, "foreign"),
        (Self::OFFERED, "offered"),
    ];

    /// Returns both sets of labels together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns this set without the labels of the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the labels that are in both sets.
    #[must_use]
    pub const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Tells whether every label of the other set is in this one.
    #[must_use]
    pub const fn holds(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Tells whether there is no label.
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Returns the labels' words, in their fixed order.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS
            .into_iter()
            .filter(move |(label, _)| self.holds(*label))
            .map(|(_, word)| word)
    }

    /// Reads one label from its word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let (label, _) = Self::WORDS.into_iter().find(|(_, it)| *it == word)?;
        Some(label)
    }
}

/// On which machine an effect happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum At {
    /// On this machine.
    #[default]
    Here,
    /// Elsewhere: by which way (`ssh`, `container`, `cluster`), and its name there.
    Elsewhere(String, String),
}
