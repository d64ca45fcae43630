use std::fmt;

/// A path as far as it is known, in short form: `./x` under the working folder of the call, `~/x`
/// under the home folder, `/x` otherwise; without `.`, `..` and doubled slashes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Exactly this path.
    Exact(String),
    /// Every path the glob matches.
    Pattern(String),
    /// This path, or something below or beginning with it; the rest is not known.
    Under(String),
    /// Nothing is known.
    Unknown,
}

impl Place {
    /// Returns the text known of the path: the path, the pattern or the prefix.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Exact(text) | Self::Pattern(text) | Self::Under(text) => Some(text),
            Self::Unknown => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(text) => crate::notation::write_word(f, text, &['*', '?', '[']),
            Self::Pattern(text) => crate::notation::write_word(f, text, &[]),
            Self::Under(text) => {
                crate::notation::write_word(f, text, &['*', '?', '['])?;
                f.write_str("/?")
            }
            Self::Unknown => f.write_str("?"),
        }
    }
}

/// The region a target lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Below one of the project's roots.
    Project,
    /// The root of the project itself.
    ProjectRoot,
    /// Below a folder for temporary files.
    Temp,
    /// A folder for temporary files itself.
    TempRoot,
    /// In the user's home folder, outside the project.
    Home,
    /// The home folder itself, or a parent of it or of the project.
    HomeRoot,
    /// The operating system's files, and other users' files.
    System,
    /// The root of the file system, or a top-level folder of it.
    Root,
    /// A device.
    Device,
    /// A sink or source without state: `/dev/null`, `/dev/stdout` and their like.
    Sink,
    /// Secret values: keys, tokens, passwords.
    Credentials,
    /// Mail, messages, browser profiles, shell history.
    Personal,
    /// The settings, hooks and permissions of an agent.
    AgentConfig,
    /// Autobelay itself: its settings, journal, binary.
    Gate,
    /// What runs at login or on a timer: shell startup files, cron, services, authorised keys.
    Startup,
    /// The inside of a version-control folder.
    VcsInternal,
    /// Project files that run or steer what runs: hooks, tasks, CI.
    ExecutionBearing,
    /// On another machine, in a container, on a cluster.
    Remote,
    /// Somewhere else.
    Other,
    /// Not known where.
    Unknown,
    /// This machine's own network addresses.
    LocalHost,
    /// A private network's addresses.
    PrivateHost,
    /// A host that is known: registries, forges, documentation, the project's own remotes.
    KnownHost,
    /// An address that hands out credentials to whoever asks from inside.
    MetadataHost,
    /// Any other host.
    OtherHost,
}

impl Scope {
    /// All scopes, in the order of their declaration.
    pub const ALL: [Self; 25] = [
        Self::Project,
        Self::ProjectRoot,
        Self::Temp,
        Self::TempRoot,
        Self::Home,
        Self::HomeRoot,
        Self::System,
        Self::Root,
        Self::Device,
        Self::Sink,
        Self::Credentials,
        Self::Personal,
        Self::AgentConfig,
        Self::Gate,
        Self::Startup,
        Self::VcsInternal,
        Self::ExecutionBearing,
        Self::Remote,
        Self::Other,
        Self::Unknown,
        Self::LocalHost,
        Self::PrivateHost,
        Self::KnownHost,
        Self::MetadataHost,
        Self::OtherHost,
    ];

    /// Returns the word that stands for the scope in rules and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::ProjectRoot => "project-root",
            Self::Temp => "temp",
            Self::TempRoot => "temp-root",
            Self::Home => "home",
            Self::HomeRoot => "home-root",
            Self::System => "system",
            Self::Root => "root",
            Self::Device => "device",
            Self::Sink => "sink",
            Self::Credentials => "credentials",
            Self::Personal => "personal",
            Self::AgentConfig => "agent-config",
            Self::Gate => "gate",
            Self::Startup => "startup",
            Self::VcsInternal => "vcs-internal",
            Self::ExecutionBearing => "execution-bearing",
            Self::Remote => "remote",
            Self::Other => "other",
            Self::Unknown => "unknown",
            Self::LocalHost => "local-host",
            Self::PrivateHost => "private-host",
            Self::KnownHost => "known-host",
            Self::MetadataHost => "metadata-host",
            Self::OtherHost => "other-host",
        }
    }

    /// Reads a scope from its word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
