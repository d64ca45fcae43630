//! From where we look: the folder, the home, the project, and the settings that hold there.

use std::path::{Path, PathBuf};

use autobelay::{Gate, Knowledge, LoadError};
use belay_journal::{Journal, Secrets};
use belay_model::{Answer, Call, Question, Surroundings};
use belay_settings::{ExactRule, Fault, Loaded, Places, Settings, SettingsError, Source, proven};
use belay_ship::Outbox;
use belay_surroundings::{Environment, Standpoint, World};

use crate::anchor;
use crate::bound;
use crate::out::Failure;
use crate::switch;
use crate::trust::now;

/// A folder and what holds in it.
pub struct Here {
    /// The folder, absolute.
    pub cwd: String,
    /// The user's home folder.
    pub home: Option<String>,
    /// The folder of the project around it.
    pub project: String,
    /// Where settings are looked for.
    pub places: Places,
}

impl Here {
    /// Looks from a folder, or from the working folder.
    pub fn at(folder: Option<&Path>) -> Result<Self, Failure> {
        let cwd = absolute(folder)?;
        let home = anchor::home();
        let project = project_of(&cwd, home.as_deref());
        let mut places = anchor::places();
        places.project_root = Some(PathBuf::from(&project));
        Ok(Self {
            cwd,
            home,
            project,
            places,
        })
    }

    /// Looks from where an agent's call would run.
    pub fn of(call: &Call) -> Self {
        let home = anchor::home();
        let project = call.project_roots.first().unwrap_or(&call.cwd).clone();
        let mut places = anchor::places();
        places.project_root = Some(PathBuf::from(&project)).filter(|it| it.is_absolute());
        places.agent.clone_from(&call.agent);
        Self {
            cwd: call.cwd.clone(),
            home,
            project,
            places,
        }
    }

    /// Loads the settings that hold here.
    pub fn settings(&self) -> Loaded {
        let world = self.world();
        let remote = |root: &Path| remote_of(root, &world);
        let mut loaded = belay_settings::load(&self.places, &remote);
        switch::apply(self.places.state_dir.as_deref(), &self.project, &mut loaded);
        loaded
    }

    /// Loads the settings that hold here, and proves their examples once for each change of them.
    pub fn proven(&self) -> Loaded {
        let mut loaded = self.settings();
        if loaded.broken || !autobelay::has_examples(&loaded.settings.exact) {
            return loaded;
        }
        let state = self.places.state_dir.as_deref();
        let hash = loaded.hash.as_ref();
        let hash = hash.map(|it| format!("{it}-{}", autobelay::tables()));
        let known = state.zip(hash.as_deref());
        if known.is_some_and(|(state, hash)| proven::is_proven(state, hash)) {
            return loaded;
        }
        loaded.errors = self.failing_examples(&loaded);
        loaded.broken = !loaded.errors.is_empty();
        if let Some((state, hash)) = known.filter(|_| !loaded.broken) {
            // Where nothing can be written, they are proved again next time.
            let _ = proven::remember(state, hash);
        }
        loaded
    }

    /// A project may tighten what an example of the user's shows: theirs are judged without it.
    fn failing_examples(&self, loaded: &Loaded) -> Vec<SettingsError> {
        let by_project = |it: &ExactRule| it.origin.source == Source::Project;
        let project = loaded.files.iter().any(|(it, _)| *it == Source::Project);
        let alone = if project {
            let mut places = self.places.clone();
            places.project_root = None;
            belay_settings::load(&places, &|_: &Path| None).settings
        } else {
            loaded.settings.clone()
        };
        let mut failing = Gate::new(alone).failing_examples(&|it| !by_project(it));
        failing.extend(Gate::new(loaded.settings.clone()).failing_examples(&by_project));
        failing
    }

    /// Loads what the user's own files say of commands that we do not know.
    pub fn knowledge(&self) -> Result<Knowledge, LoadError> {
        match &self.places.knowledge {
            Some(folder) => Knowledge::load_folder(folder, &bound::holds),
            None => Ok(Knowledge::ours()),
        }
    }

    /// Returns the places that belong to the gate itself: settings, journal, memory, program.
    pub fn ours(&self, read: &[(Source, PathBuf)]) -> Vec<String> {
        let files = read.iter().map(|(_, path)| path.clone());
        let named = [
            &self.places.managed,
            &self.places.user,
            &self.places.state_dir,
            &self.places.knowledge,
        ];
        let named = named.into_iter().flatten().cloned();
        let program = std::env::current_exe().ok();
        let all = files.chain(named).chain(program);
        all.filter_map(|it| it.into_os_string().into_string().ok())
            .collect()
    }

    /// Returns the world as seen from here.
    pub fn world(&self) -> World {
        World::new(standpoint(&self.cwd, self.home.as_deref()))
    }
}

/// Says where the project's own file tries to switch the gate off: it has no say in that.
pub fn switched_off_by(loaded: &Loaded) -> Option<String> {
    let is_mode =
        |it: &&SettingsError| matches!(&it.fault, Fault::NotForProjects { key } if key == "mode");
    let wish = loaded.ignored.iter().find(is_mode)?;
    Some(format!(
        "this repository sets a `mode` for belay in {}: belay ignores it",
        wish.origin
    ))
}

/// Returns a standpoint in a folder, with the environment of this process.
pub fn standpoint(cwd: &str, home: Option<&str>) -> Standpoint {
    Standpoint {
        cwd: cwd.to_owned(),
        home: home.map(str::to_owned),
        search_path: variable("PATH").unwrap_or_default(),
        config_home: variable("XDG_CONFIG_HOME"),
        environment: Environment::Asked(variables),
        now: Some(now()),
        ..Standpoint::default()
    }
}

/// Returns all variables of the environment as text.
fn variables() -> Vec<(String, String)> {
    let text = |it: std::ffi::OsString| it.to_string_lossy().into_owned();
    let all = std::env::vars_os();
    all.map(|(name, value)| (text(name), text(value))).collect()
}

/// Returns the journal that the settings name.
pub fn journal(settings: &Settings, places: &Places) -> Option<Journal> {
    let named = settings.journal.dir.as_ref().map(|it| expanded(it, places));
    let usual = || places.state_dir.as_ref().map(|it| it.join("journal"));
    let secrets = if settings.journal.redact {
        Secrets::Redacted
    } else {
        Secrets::Kept
    };
    let opened = |it: PathBuf| {
        let cursor = Outbox::of(&it).cursor_file();
        let journal = Journal::new(it)
            .with(secrets)
            .keeping(settings.journal.keep_days);
        // Days that were not shipped yet stay.
        match settings.ship.url {
            Some(_) => journal.held_by(cursor),
            None => journal,
        }
    };
    named.or_else(usual).map(opened)
}

/// Returns the address of a repository's main remote.
pub fn remote_of(root: &Path, world: &impl Surroundings) -> Option<String> {
    let question = Question::RemoteUrl(root.display().to_string(), "origin".to_owned());
    match world.ask(&question) {
        Answer::Name(url) => Some(url),
        Answer::Unknown
        | Answer::Yes
        | Answer::No
        | Answer::Path(_)
        | Answer::Missing(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => None,
    }
}

/// Reads an environment variable; what is not text counts as not set.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|it| !it.is_empty())
}

fn expanded(path: &str, places: &Places) -> PathBuf {
    match (path.strip_prefix("~/"), &places.home) {
        (Some(rest), Some(home)) => home.join(rest),
        (Some(_) | None, _) => PathBuf::from(path),
    }
}

fn absolute(folder: Option<&Path>) -> Result<String, Failure> {
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let path = std::path::absolute(folder).map_err(|why| {
        Failure::Said(format!(
            "cannot tell where `{}` is: {why}",
            folder.display()
        ))
    })?;
    let path = match folder.as_os_str() == "." {
        true => std::env::current_dir()?,
        false => path,
    };
    path.into_os_string()
        .into_string()
        .map_err(|path| Failure::Said(format!("`{}` is not UTF-8", path.display())))
}

/// The nearest folder upwards that holds a repository or settings of its own, below the home
/// folder; else the folder itself.
fn project_of(cwd: &str, home: Option<&str>) -> String {
    let is_project = |folder: &&Path| {
        let marks = [".git", ".belay.toml"];
        marks
            .iter()
            .any(|it| folder.join(it).symlink_metadata().is_ok())
    };
    let below_home = |folder: &&Path| {
        Some(folder.as_os_str()) != home.map(std::ffi::OsStr::new) && folder.parent().is_some()
    };
    let found = Path::new(cwd)
        .ancestors()
        .take_while(below_home)
        .find(is_project);
    found.and_then(Path::to_str).unwrap_or(cwd).to_owned()
}
