/// What the world looks like, asked lazily. Every answer may be recorded, so that a judgement can
/// be made anew from the record alone.
pub trait Surroundings {
    /// Answers a question about disk, repository or session; `Answer::Unknown` when it cannot.
    fn ask(&self, question: &Question) -> Answer;
}

impl<S: Surroundings + ?Sized> Surroundings for &S {
    fn ask(&self, question: &Question) -> Answer {
        (**self).ask(question)
    }
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
    /// Which commits of the checked-out branch are on no remote-tracking branch (repository folder)?
    /// Answered by `Standing`: `Kept` when all of them are.
    Unpushed(String),
    /// Which tracked files differ from the last commit, anywhere in the repository of this folder:
    /// what `git reset --hard` would lose. Answered by `Standing`.
    WorkingTree(String),
    /// Which tracked files at or below this path differ from the last commit, on disk or staged: what
    /// `git restore PATH` and `git checkout HEAD PATH` would lose. Answered by `Standing`.
    Changed(String),
    /// Which files at or below this path are neither tracked nor ignored: what `git clean` would
    /// lose. Answered by `Standing`.
    Untracked(String),
    /// Would this commit-ish, stash or branch be lost (repository folder, ref)? Answered by `Standing`.
    Reachable(String, String),
    /// Which commits would nothing hold if the checked-out branch went to this commit-ish (repository folder, revision):
    /// what `git reset --hard REVISION` would leave behind. Answered by `Standing`.
    LeftBehind(String, String),
    /// Is any commit of this commit-ish or range `a..b` on a remote-tracking branch (repository
    /// folder, revision)? Answered by `Yes` or `No`.
    Pushed(String, String),
    /// Which links come with the archive or patch at this path? Answered by `Names`: the link's name in it and what it leads
    /// to, parted by a NUL, each nothing where it is not known; by `No` where it cannot be read.
    ArchiveLinks(String),
    /// Which commit does the name stand for (repository folder, revision)? Answered by `Name` (the
    /// full hexadecimal id) or `No`.
    Revision(String, String),
    /// Which links would lead out of the working tree once a commit is checked out (repository folder, revision; `:` is what
    /// is tracked now)? Answered
    /// by `Names`: the link and where it leads, absolute, parted by a NUL; by `No` where there is too much to look at.
    CommitLinks(String, String),
    /// Where would `git push [REMOTE]` without a branch push to (repository folder, remote or
    /// nothing)? Answered by `Names`: the remote, then the branch there.
    PushTarget(String, String),
    /// Did the remote have its present URLs when the session began (repository folder, remote)?
    /// Answered by `Yes` or `No`.
    KnownRemote(String, String),
    /// The top folder of the working tree this folder lies in. Answered by `Path`, or `Missing` when
    /// it lies in none.
    TopLevel(String),
    /// The working trees linked to the repository of this folder, the main one first; none where no other is. Answered by
    /// `Names`.
    Worktrees(String),
    /// Which settings of the repository's and user's git configuration execute programs?
    /// Answered by `Names`, one `LEVEL KEY=VALUE` each, where the level is `repository`, `user` or
    /// `system`; empty when none.
    ExecutingConfig(String),
    /// Which hooks would git run in the repository of this folder? Answered by `Names`.
    Hooks(String),
    /// Was that host known when the session began? Answered by `Yes` or `No`.
    KnownHost(String),
    /// Does a tracked file of the person's own repository name that host, as it stood when the session began (folder,
    /// host)? Answered by `Yes` or `No`; looked for only where a person would be asked otherwise.
    NamedHost(String, String),
    /// Do the user's own ssh configuration, by its literal name, and the project's own files name a machine (folder,
    /// machine)? Answered by `Yes` where both did before the session began, else by `No`.
    NamedMachine(String, String),
    /// Did this session write or download the file, or a file with the same content? Answered by
    /// `Name` (`written`, `built`, `foreign`, `fetched`; `filled` where only its folder was written to) or `No`.
    Provenance(String),
    /// What did this session bring from outside, or write, to places below this folder? Answered by `Names`, one
    /// `foreign PATH`, `fetched PATH` or `written PATH` each.
    Brought(String),
    /// Which secrets did this session read? Answered by `Names`.
    SecretsRead,
    /// How did the calls of this session end since a person last spoke? Answered by `Names`, oldest
    /// first: `denied EFFECT` for each denial, `allowed` where an allowed call ended a row of them.
    Endings,
    /// What did a person agree to or refuse in this session (agent, project folder)? Answered by `Names`:
    /// `yes ID KEY` for each grant that still counts, `no HASH` for each call that was refused.
    Consent(String, String),
    /// What did a person say in this session, as far as it counts for a call of that prompt (the agent's
    /// name of it)? Answered by `Names`: `grant` or `limit`, the class, the target or nothing, and the
    /// sentence, parted by U+001F.
    Words(String),
    /// Does a manifest of this project, one that the session did not write, say that the project makes a
    /// program of that name (folder, name)? Answered by `Yes` or `No`.
    OwnProgram(String, String),
    /// Was every process meant started by this session, for this user, to work in that folder (project
    /// folder; `pid`, `name`, `pattern` or `port`; which)? Answered by `Yes`, also where there is none,
    /// or `No`.
    OwnProcesses(String, String, String),
    /// Are the services that a folder's compose file names the project's own, on this machine (folder)? Answered by
    /// `Yes` where the session wrote none of these files and no setting leads to another machine, else by `No`.
    OwnServices(String),
    /// Does the database that this folder's files name lie on this machine (folder; `datasource`, `database-yml`,
    /// `settings-py` or `variables`: which files)? Answered by `Yes` where the session wrote none of these files, no variable says it otherwise and
    /// what listens there is a database, else by `No`.
    OwnDatabase(String, String),
    /// What is at the path itself, links not followed? Answered by `Name` (`file`, `executable`,
    /// `folder`, `link`, `other`) or `Missing`.
    Kind(String),
    /// Where do the links lead that an absolute pattern meets on its way, its last part included (`**` stands for any
    /// folders, and what lies in them; `***` for the same, where only a link at its end is followed)? Answered by `Names`:
    /// for each the place, and what is left of the pattern behind it; by `No` where there is too much to look at.
    Links(String),
    /// Where does a command of that name come from (PATH lookup)? Answered by `Path` or `Missing`.
    Program(String),
    /// Which folder does a tool's own setting of that name mean (`GOPATH`)? Answered by `Path`: what the environment
    /// says, else the tool's settings of the user, else what is usual.
    ToolFolder(String),
    /// The names in a folder, at most so many. Answered by `Names`.
    Entries(String, u32),
    /// Was the package declared by the project in this folder (folder, ecosystem, name)? `Yes` or
    /// `No`. The ecosystem `npm-bin` asks for a command in `node_modules/.bin`.
    Declared(String, String, String),
    /// Which packages stand in the manifests of this project only because this session wrote them there
    /// (folder, ecosystem)? Answered by `Names`; `foreign` for one that says itself where it comes from.
    Added(String, String),
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
        /// How many files, commits or entries; at least so many when the look was cut short.
        count: u64,
        /// What they are, in the plural: `untracked files`, `changed files`, `commits`.
        what: String,
        /// How old the newest is, in seconds, where that was seen.
        newest: Option<u64>,
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
