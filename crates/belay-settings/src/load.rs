//! Finds the files, reads them within bounds, and merges them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::draft::{self, Draft};
use crate::fleet::{Found, Laying, Standing};
use crate::merge::{self, ProjectOutcome, Trust, Waiting};
use crate::settings::Settings;
use crate::{Fault, FlagProvider, Origin, SettingsError, Source, trust};
use sha2::{Digest, Sha256};

/// The most bytes of a managed or user file.
pub const MOST_BYTES: u64 = 1 << 20;
/// The most bytes of a project's file.
pub const MOST_PROJECT_BYTES: u64 = 1 << 16;

/// Where root keeps what it fetched for everybody.
pub(crate) const SHARED: &str = "/var/lib/belay";

/// Where settings are looked for. An empty path is looked for nowhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The file of the machine's owner.
    pub managed: Option<PathBuf>,
    /// The user's file.
    pub user: Option<PathBuf>,
    /// Tells that the user named the file: then it must be there.
    pub user_named: bool,
    /// The folder with the project's `.belay.toml`.
    pub project_root: Option<PathBuf>,
    /// Our own folder, with what was trusted and granted.
    pub state_dir: Option<PathBuf>,
    /// Where root keeps what it fetched for everybody.
    pub shared: Option<PathBuf>,
    /// The agent whose call is judged, where one's is.
    pub agent: Option<String>,
    /// Whether the fleet's bundle counts.
    pub bundles: Bundles,
    /// The user's folder with knowledge of commands that we do not know.
    pub knowledge: Option<PathBuf>,
    /// The user's home folder, for `~`.
    pub home: Option<PathBuf>,
    /// What the command line of this run sets: key and value, as TOML or a bare word.
    pub overrides: Vec<(String, String)>,
}

impl Places {
    /// Finds the usual places from environment variables: `BELAY_CONFIG`, `XDG_CONFIG_HOME`,
    /// `XDG_STATE_HOME`, `BELAY_STATE`, `HOME`.
    #[must_use]
    pub fn usual(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let given = |name: &str| {
            variable(name)
                .filter(|it| !it.is_empty())
                .map(PathBuf::from)
        };
        let home = given("HOME").filter(|it| it.is_absolute());
        let below_home = |folder: &str| home.as_ref().map(|it| it.join(folder));
        let absolute = |name: &str| given(name).filter(|it| it.is_absolute());
        let config = absolute("XDG_CONFIG_HOME").or_else(|| below_home(".config"));
        let state = absolute("XDG_STATE_HOME").or_else(|| below_home(".local/state"));
        let named = given("BELAY_CONFIG");
        Self {
            managed: Some(PathBuf::from("/etc/belay/config.toml")),
            user_named: named.is_some(),
            knowledge: config.as_ref().map(|it| it.join("belay/knowledge")),
            user: named.or_else(|| config.map(|it| it.join("belay/config.toml"))),
            project_root: None,
            shared: Some(PathBuf::from(SHARED)),
            bundles: Bundles::Count,
            agent: None,
            state_dir: given("BELAY_STATE").or_else(|| state.map(|it| it.join("belay"))),
            home,
            overrides: Vec::new(),
        }
    }

    /// Returns the project's file.
    #[must_use]
    pub fn project_file(&self) -> Option<PathBuf> {
        Some(self.project_root.as_ref()?.join(".belay.toml"))
    }
}

/// Whether the fleet's bundle counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bundles {
    /// As for an agent's call.
    #[default]
    Count,
    /// For who compares bundles.
    LeftOut,
}

/// What loading leads to.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The settings in force. Where a file is broken, what could be read of it. They are large, and handed on often.
    pub settings: Box<Settings>,
    /// Mistakes, in the order of the files.
    pub errors: Vec<SettingsError>,
    /// Tells that a file could not be read as it was meant: nothing may be allowed.
    pub broken: bool,
    /// Lines of the project that would loosen, and wait for trust.
    pub waiting: Vec<Waiting>,
    /// Lines of the project that would loosen, and were accepted.
    pub trusted: Vec<Waiting>,
    /// Lines of the project that have no say there at all, and flags out of their bounds.
    pub ignored: Vec<SettingsError>,
    /// The files that were read.
    pub files: Vec<(Source, PathBuf)>,
    /// What is known of the fleet's policy.
    pub fleet: Standing,
    /// Names what the settings were made of; none where nobody set anything.
    pub hash: Option<String>,
    /// What the settings were made of, as hashes.
    prints: String,
}

/// Loads the settings in force. The remote is asked for only where something waits for trust.
#[must_use]
pub fn load(places: &Places, remote: &dyn Fn(&Path) -> Option<String>) -> Loaded {
    let mut loaded = Loaded::default();
    let presence = if places.user_named {
        Presence::Required
    } else {
        Presence::Optional
    };
    let user = loaded.file(Source::User, places.user.as_deref(), presence);
    let managed = loaded.file(
        Source::Managed,
        places.managed.as_deref(),
        Presence::Optional,
    );
    let project = places.project_file();
    let project = loaded.file(Source::Project, project.as_deref(), Presence::Optional);
    merge::apply(&mut loaded.settings, &user);
    loaded.project_mode(places);
    loaded.flags(places);
    loaded.overrides(&places.overrides);
    let found = loaded.fleet(&managed, places);
    let before = found.is_staged().then(|| loaded.settings.clone());
    let settings = &mut loaded.settings;
    let managed = &managed;
    let refused = found.lay(Laying { settings, managed }, None);
    loaded.ignored.extend(refused);
    loaded.project(&project, places, remote);
    if let Some(before) = before {
        let trust = match loaded.trusted.is_empty() {
            true => Trust::Missing,
            false => Trust::Given,
        };
        loaded.settings.staged = found.staged(&before, &|settings, stage| {
            found.lay(Laying { settings, managed }, Some(stage));
            merge::apply_project(settings, &project, trust);
        });
    }
    loaded.broken = !loaded.errors.is_empty();
    loaded.hash = (!loaded.prints.is_empty()).then(|| {
        let mut hash = sha256(&loaded.prints);
        hash.truncate(16);
        hash
    });
    loaded
}

/// Reads settings from texts instead of files, strongest last; for checks of single files.
#[must_use]
pub fn load_texts(texts: &[(Source, &str, &str)]) -> Loaded {
    let mut loaded = Loaded::default();
    for (source, file, text) in texts {
        let draft = draft::read(*source, file, text);
        loaded.errors.extend(draft.errors.iter().cloned());
        match source {
            Source::Project => {
                let outcome = merge::apply_project(&mut loaded.settings, &draft, Trust::Missing);
                loaded.waiting.extend(outcome.waiting);
                loaded.ignored.extend(outcome.ignored);
            }
            Source::Default
            | Source::User
            | Source::Flag
            | Source::CommandLine
            | Source::Managed => merge::apply(&mut loaded.settings, &draft),
        }
    }
    loaded.broken = !loaded.errors.is_empty();
    loaded
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Optional,
    Required,
}

fn sha256(text: &str) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

impl Loaded {
    fn print(&mut self, what: &str, text: &str) {
        self.prints.push_str(what);
        self.prints.push_str(&sha256(text));
    }

    fn file(&mut self, source: Source, path: Option<&Path>, presence: Presence) -> Draft {
        let Some(path) = path else {
            return Draft::default();
        };
        let most = if source == Source::Project {
            MOST_PROJECT_BYTES
        } else {
            MOST_BYTES
        };
        let name = path.display().to_string();
        let draft = match read_file(path, most) {
            Ok(Some(text)) => {
                self.print(source.word(), &text);
                draft::read(source, &name, &text)
            }
            Ok(None) if presence == Presence::Optional => return Draft::default(),
            Ok(None) => failed(source, &name, Fault::Unreadable("no such file".to_owned())),
            Err(fault) => failed(source, &name, fault),
        };
        self.errors.extend(draft.errors.iter().cloned());
        self.ignored.extend(draft.ignored.iter().cloned());
        self.files.push((source, path.to_owned()));
        draft
    }

    fn fleet(&mut self, managed: &Draft, places: &Places) -> Found {
        let mut found = Found::under(managed, places);
        self.fleet.clone_from(&found.standing);
        self.errors.append(&mut found.errors);
        self.ignored.append(&mut found.ignored);
        if let Some(print) = &found.print {
            self.print("the bundle", print);
        }
        let file = found.file.take();
        self.files.extend(file.map(|it| (Source::Managed, it)));
        found
    }

    fn project_mode(&mut self, places: &Places) {
        let Some(root) = &places.project_root else {
            return;
        };
        let here = |folder: &str| expand(folder, places.home.as_deref()) == *root;
        let found = self.settings.projects.iter().rfind(|it| here(&it.folder));
        if let Some(found) = found.cloned() {
            self.settings.mode = found.mode;
            self.settings.set_origin("mode", found.origin);
        }
    }

    fn flags(&mut self, places: &Places) {
        if let Some(state) = &places.state_dir {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let now = now.map(|it| it.as_secs()).unwrap_or_default();
            if self.settings.flags.provider == FlagProvider::None {
                return;
            }
            if let Ok(Some(cached)) = crate::flags::kept(state) {
                let values = serde_json::to_string(&cached.values).unwrap_or_default();
                self.print("flags", &values);
                let refused = crate::flags::overlay(&mut self.settings, &cached, now);
                self.ignored.extend(refused);
            }
        }
    }

    fn overrides(&mut self, overrides: &[(String, String)]) {
        for (key, value) in overrides {
            let file = format!("--set {key}");
            let bare = value
                .chars()
                .all(|it| it.is_ascii_alphabetic() || "_-".contains(it));
            let plain = bare && value != "true" && value != "false";
            let value = if plain {
                crate::show::quoted(value)
            } else {
                value.clone()
            };
            self.print(&file, &value);
            let draft = draft::read(Source::CommandLine, &file, &format!("{key} = {value}"));
            self.errors.extend(draft.errors.iter().cloned());
            self.ignored.extend(draft.ignored.iter().cloned());
            merge::apply(&mut self.settings, &draft);
        }
    }

    fn project(
        &mut self,
        draft: &Draft,
        places: &Places,
        remote: &dyn Fn(&Path) -> Option<String>,
    ) {
        let mut tightened = self.settings.clone();
        let outcome = merge::apply_project(&mut tightened, draft, Trust::Missing);
        let ProjectOutcome { waiting, ignored } = outcome;
        self.ignored.extend(ignored);
        let trusted = !waiting.is_empty() && is_trusted(places, &waiting, remote);
        if trusted {
            merge::apply_project(&mut self.settings, draft, Trust::Given);
            self.trusted = waiting;
            self.print("trusted", "");
        } else {
            self.settings = tightened;
            self.waiting = waiting;
        }
    }
}

fn is_trusted(
    places: &Places,
    waiting: &[Waiting],
    remote: &dyn Fn(&Path) -> Option<String>,
) -> bool {
    let (Some(state), Some(root)) = (&places.state_dir, &places.project_root) else {
        return false;
    };
    let subject = trust::Subject {
        root: root.clone(),
        remote: remote(root),
        lines: trust::lines(waiting),
    };
    trust::is_accepted(state, &subject)
}

fn failed(source: Source, name: &str, fault: Fault) -> Draft {
    let error = SettingsError::new(fault, Origin::of(source, name));
    Draft {
        errors: vec![error],
        ..Draft::default()
    }
}

fn expand(folder: &str, home: Option<&Path>) -> PathBuf {
    match (folder.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        (_, _) => PathBuf::from(folder),
    }
}

/// Reads a file whole, if it is there, is an ordinary file, is text and is not too large.
pub(crate) fn read_file(path: &Path, most: u64) -> Result<Option<String>, Fault> {
    let unreadable = |error: std::io::Error| Fault::Unreadable(error.to_string());
    // A pipe would wait for ever when opened, so its kind is looked at first. A link that leads nowhere is something:
    // what it should say is lost.
    let kind = match std::fs::symlink_metadata(path) {
        Ok(kind) if kind.is_symlink() => std::fs::metadata(path).map_err(unreadable)?,
        Ok(kind) => kind,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if !kind.is_file() {
        return Err(Fault::NotAFile);
    }
    if kind.len() > most {
        return Err(Fault::TooLarge { most });
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(Fault::TooLarge { most });
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| Fault::NotText)
}

/// Tells whether nothing is there.
fn is_absent(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}
