/// What the world looks like, asked lazily. Every answer may be recorded, so that a judgement can
/// be made anew from the record alone.
pub trait Surroundings {
    /// Answers a question about disk, repository or session; `Answer::Unknown` when it cannot.
    fn ask(&self, question: &Question) -> Answer;
}

/// Something to know before judging. Paths are absolute and normalised.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// Where does the path lead once all links are followed? A missing last part keeps its name
    /// under its resolved parent. Answered by `Path` or `Missing`.
    Resolve(String),
    /// Would it be lost if this path, and all below it, were deleted? Answered by `Standing`.
    Standing(String),
    /// The first bytes of a file, at most so many. Answered by `Text` or `Missing`.
    Text(String, u32),
    /// Which branch is checked out in the repository of this folder? Answered by `Name`.
    Branch(String),
    /// Which branch is the default one of that remote (repository folder, remote)? Answered by `Name`.
    DefaultBranch(String, String),
    /// Which URL has the remote (repository folder, remote)? Answered by `Name`.
    RemoteUrl(String, String),
    /// Does pushing this branch there need a rewrite, and what would be lost? Answered by `Standing`.
    Unpushed(String),
    /// Is the working tree of this folder clean? Answered by `Standing`.
    WorkingTree(String),
    /// Would this commit-ish, stash or branch be lost (repository folder, ref)? Answered by `Standing`.
    Reachable(String, String),
    /// Which settings of the repository's and user's git configuration execute programs?
    /// Answered by `Names`, one `key=value` each; empty when none.
    ExecutingConfig(String),
    /// Was that host known when the session began? Answered by `Yes` or `No`.
    KnownHost(String),
    /// Did this session write or download the file? Answered by `Name` (`written`, `fetched`) or `No`.
    Provenance(String),
    /// Where does a command of that name come from (PATH lookup)? Answered by `Path` or `Missing`.
    Program(String),
    /// The names in a folder, at most so many. Answered by `Names`.
    Entries(String, u32),
    /// Was the package declared by the project in this folder (folder, ecosystem, name)? `Yes` or `No`.
    Declared(String, String, String),
}

/// What the world answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nobody knows.
    Unknown,
    /// Yes.
    Yes,
    /// No.
    No,
    /// A path, absolute.
    Path(String),
    /// There is nothing; where it would be once links are followed.
    Missing(String),
    /// A name.
    Name(String),
    /// Names, in order.
    Names(Vec<String>),
    /// The beginning of a file; and whether that is all of it.
    Text(Vec<u8>, bool),
    /// What would be lost.
    Standing(Standing),
}

/// Whether something can be had again once it is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is there.
    Absent,
    /// Kept elsewhere: tracked and clean, or already on the remote.
    Kept,
    /// Ignored by the repository: can be made again.
    Ignored,
    /// Made in this session by the agent itself.
    Ours,
    /// Would be lost: how many, and the first names.
    Lost {
        /// How many files, commits or entries.
        count: u64,
        /// The first few by name, newest first.
        names: Vec<String>,
    },
}

/// A world of which nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Surroundings for Nowhere {
    fn ask(&self, _: &Question) -> Answer {
        Answer::Unknown
    }
}
