//! The accidents.

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Nothing: what stays shows that the others are tried on calls that work.
    Nothing,
    /// The hook is killed at some moment.
    Killed,
    /// The hook and the shell around it are killed at some moment.
    AllKilled,
    /// Nobody reads the answer.
    ClosedPipe,
    /// Descriptors are closed, or lead nowhere.
    ClosedDescriptors,
    /// The message ends in the middle.
    CutMessage,
    /// The disk is full.
    FullDisk,
    /// The disk cannot be written to.
    ReadOnlyDisk,
    /// No file can be made.
    NoInodes,
    /// The environment names no home.
    NoHome,
    /// The environment is empty, and the registration names no home either.
    NothingNamed,
    /// The environment names no path.
    NoPath,
    /// The environment has a megabyte and more.
    HugeEnvironment,
    /// Files are of the future, or of the past.
    OtherTimes,
    /// Turkish, and other places.
    Locale,
    /// A limit of the shell.
    Limit,
    /// Many hooks at once.
    Crowd,
    /// The model is slow, dies or talks nonsense.
    Model,
    /// The daemon is killed.
    DaemonKilled,
    /// The user's settings are not what they were.
    Settings,
    /// The session's memory is not what it was.
    Memory,
    /// The journal is not what it was.
    Journal,
    /// What readers of the journal keep is not what it was.
    Index,
    /// What models said is not what it was.
    Cache,
    /// What flags say is not what it was.
    Flags,
    /// What was kept is not what it was.
    Undo,
    /// Any file of ours is not what it was.
    Anything,
}

impl Fault {
    /// All, with their names for the table.
    pub const ALL: [(Self, &'static str); 27] = [
        (Self::Nothing, "nothing goes wrong"),
        (Self::Killed, "hook killed (SIGKILL)"),
        (Self::AllKilled, "hook and shell killed"),
        (Self::ClosedPipe, "stdout is a closed pipe"),
        (Self::ClosedDescriptors, "descriptors closed"),
        (Self::CutMessage, "message cut"),
        (Self::FullDisk, "disk full"),
        (Self::ReadOnlyDisk, "disk read-only"),
        (Self::NoInodes, "disk without inodes"),
        (Self::NoHome, "no HOME"),
        (Self::NothingNamed, "no HOME, none registered"),
        (Self::NoPath, "no PATH"),
        (Self::HugeEnvironment, "huge environment"),
        (Self::OtherTimes, "clock jumps"),
        (Self::Locale, "locale tr_TR and others"),
        (Self::Limit, "ulimit of each kind"),
        (Self::Crowd, "many hooks at once"),
        (Self::Model, "model slow, dying, wrong"),
        (Self::DaemonKilled, "daemon killed"),
        (Self::Settings, "settings corrupted"),
        (Self::Memory, "session memory corrupted"),
        (Self::Journal, "journal corrupted"),
        (Self::Index, "journal index corrupted"),
        (Self::Cache, "model cache corrupted"),
        (Self::Flags, "flags corrupted"),
        (Self::Undo, "undo store corrupted"),
        (Self::Anything, "any file corrupted"),
    ];

    /// Returns the name of a fault.
    #[must_use]
    pub fn named(self) -> &'static str {
        let found = Self::ALL.into_iter().find(|(it, _)| *it == self);
        found.map_or("", |(_, name)| name)
    }
}
