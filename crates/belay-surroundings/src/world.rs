//! The real answers.

use std::path::{Path, PathBuf};

use belay_knowledge::OURS;
use belay_model::{Answer, Question, Standing, Surroundings};

use crate::added::before_writing;
use crate::databases::Databases;
use crate::declared::{Package, declared};
use crate::environment::Environment;
use crate::facts::Facts;
use crate::git::Whose;
use crate::limits;
use crate::look::{self, Gap};
use crate::processes::Meant;
use crate::products;
use crate::program::SearchPath;
use crate::provenance::FILLED;
use crate::resolve::{Led, Ways};
use crate::services;
use crate::session::{Before, Memory, Origin, Session, SessionError, content_hash};

/// From where the world is looked at. Nothing of it is checked or read before a question needs it.
#[derive(Clone, Debug, Default)]
pub struct Standpoint {
    /// The folder the call runs in.
    pub cwd: String,
    /// The user's home folder.
    pub home: Option<String>,
    /// Where commands are looked for: folders parted by colons.
    pub search_path: String,
    /// The folder of the user's settings (`XDG_CONFIG_HOME`), if it is not the usual one.
    pub config_home: Option<String>,
    /// Files of the machine's own git configuration; empty for the usual ones.
    pub system_config: Vec<String>,
    /// The variables of the environment.
    pub environment: Environment,
    /// The time, in seconds since 1970; where nobody says it, what ends by itself has ended.
    pub now: Option<u64>,
}

impl Standpoint {
    /// Returns the folder that a tool's own setting means.
    fn tool_folder(&self, name: &str) -> Answer {
        let home = self.home.as_deref();
        let Some(named) = self.environment.tool_folders() else {
            return Answer::Unknown;
        };
        if named
            .iter()
            .any(|(it, _)| OURS.lists("tool-setting-steering", it))
        {
            return Answer::Unknown;
        }
        let said = named.iter().find(|(it, _)| it == name);
        let said = said.map(|(_, value)| value.clone());
        let written = || {
            let file = OURS.said("tool-settings", name)?;
            let folder = match &self.config_home {
                Some(folder) => folder.clone(),
                None => format!("{}/.config", home?),
            };
            let text = look::text(&Path::new(&folder).join(file)).ok()?;
            let mut lines = text.lines().filter_map(|it| it.split_once('='));
            lines
                .find(|(it, _)| *it == name)
                .map(|(_, value)| value.to_owned())
        };
        let below = || {
            let (other, rest) = OURS.said("tool-setting-below", name)?.split_once('/')?;
            let Answer::Path(folder) = self.tool_folder(other) else {
                return None;
            };
            Some(format!("{folder}/{rest}"))
        };
        let usual = || {
            let below = OURS.said("tool-setting-folders", name)?;
            Some(format!("{}/{below}", home?))
        };
        match said.or_else(written).or_else(below).or_else(usual) {
            Some(path) if path.starts_with('/') && !path.contains([':', '\n']) => {
                Answer::Path(path)
            }
            Some(_) | None => Answer::Unknown,
        }
    }

    pub(crate) fn whose(&self) -> Whose {
        const USUAL: [&str; 3] = [
            "/etc/gitconfig",
            "/usr/local/etc/gitconfig",
            "/opt/homebrew/etc/gitconfig",
        ];
        let usual = self
            .system_config
            .is_empty()
            .then_some(USUAL)
            .into_iter()
            .flatten();
        Whose {
            home: self.home.as_ref().map(PathBuf::from),
            config_home: self.config_home.as_ref().map(PathBuf::from),
            system: self
                .system_config
                .iter()
                .map(PathBuf::from)
                .chain(usual.map(PathBuf::from))
                .collect(),
        }
    }
}

/// Answers by looking at the disk.
#[derive(Debug, Default)]
pub struct World {
    from: Standpoint,
    facts: Facts,
}

impl World {
    /// Makes a world seen from there, without a session; looks at nothing yet.
    #[must_use]
    pub fn new(from: Standpoint) -> Self {
        let facts = Facts::new(from.whose(), None);
        Self { from, facts }
    }

    /// Makes a world seen from there, with what a session remembers; looks at nothing yet.
    #[must_use]
    pub fn with_session(from: Standpoint, session: Session) -> Self {
        let facts = Facts::new(from.whose(), Some(session));
        Self { from, facts }
    }

    /// Returns the session.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.facts.session()
    }

    /// Remembers what is known when a session begins: the remotes of the repositories of these
    /// folders. Does nothing the second time; to be called before the first call is judged.
    ///
    /// # Errors
    /// When the session's memory cannot be written.
    pub fn begin_session(&self, roots: &[String]) -> Result<(), SessionError> {
        self.facts.begin(roots, self.from.now)
    }

    /// Remembers that the call about to run writes or fetches a file; to be called before it runs, once
    /// it is allowed, with the whole contents where the call names them. The repository is only looked
    /// at the first time a path is remembered.
    ///
    /// # Errors
    /// When the session's memory cannot be written.
    pub fn remember_file(
        &self,
        path: &str,
        origin: Origin,
        contents: Option<&[u8]>,
    ) -> Result<(), SessionError> {
        let (Some(session), Ok(led)) = (self.session(), self.ways().resolve(Path::new(path)))
        else {
            return Ok(());
        };
        let Ok(path) = led.place().into_os_string().into_string() else {
            return Ok(());
        };
        let hash = contents.map(content_hash);
        let known = session.known_file(&path);
        if hash.is_none() && known == Some((origin, None)) {
            return Ok(());
        }
        let before = match known {
            Some(_) => Before::Something,
            None => Before::of(&self.ask(&Question::Standing(path.clone()))),
        };
        // What lay there before may be all that a failed build leaves.
        let origin = match (origin, known, before) {
            (Origin::Built, Some((Origin::Built, _)), _)
            | (Origin::Built, None, Before::Nothing) => Origin::Built,
            (Origin::Built, _, _) => Origin::Written,
            (origin, _, _) => origin,
        };
        session.remember(&[Memory::File {
            path,
            origin,
            before,
            hash,
        }])
    }

    /// Remembers what the manifest at a path, or right in that folder, says before the call about to run writes it;
    /// does nothing the second time, nor for ecosystems that the call itself installs from.
    ///
    /// # Errors
    /// When the session's memory cannot be written.
    pub fn remember_manifests(&self, path: &str, installing: &[&str]) -> Result<(), SessionError> {
        let (Some(session), Ok(led)) = (self.session(), self.ways().resolve(Path::new(path)))
        else {
            return Ok(());
        };
        session.remember(&before_writing(session, &led.place(), installing))
    }

    const fn ways(&self) -> &Ways {
        self.facts.ways()
    }

    fn of_session(&self, look: impl Fn(&Session) -> Answer) -> Answer {
        self.session().map_or(Answer::Unknown, look)
    }

    fn home(&self) -> Option<&Path> {
        self.from.home.as_deref().map(Path::new)
    }

    /// Tells whether the session may have made a file what it is. Where a tool only wrote into its folder, the time at
    /// which the file last changed tells; nobody can set that one back.
    fn is_ours(&self, file: &Path) -> bool {
        let Some(session) = self.session() else {
            return false;
        };
        match session.provenance(file, &|| false) {
            Answer::No => false,
            Answer::Name(origin) if origin == FILLED => {
                let began = session.began_at();
                !began.is_some_and(|it| look::stands_since_before(file, it))
            }
            Answer::Name(_)
            | Answer::Unknown
            | Answer::Yes
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => true,
        }
    }

    fn owns_services(&self, folder: &Path) -> Result<Answer, Gap> {
        let ours = |it: &Path| self.is_ours(it);
        let steered = self.from.environment.steers_services();
        let own = !steered && services::are_own(folder, self.home(), &ours)?;
        Ok(yes_or_no(own))
    }

    fn owns_database(&self, folder: &Path, kind: &str) -> Result<Answer, Gap> {
        let ours = |it: &Path| self.is_ours(it);
        let databases = Databases {
            folder,
            home: self.home(),
            ours: &ours,
        };
        let environment = &self.from.environment;
        let free = !environment.steers_services() && !environment.names_database();
        Ok(yes_or_no(free && databases.is_own(kind)?))
    }

    fn program(&self, name: &str) -> Answer {
        if name.is_empty() || name.contains(['/', '\0']) {
            return Answer::Unknown;
        }
        let search = SearchPath {
            folders: &self.from.search_path,
            cwd: Path::new(&self.from.cwd),
        };
        match search.find(name) {
            Some(path) => path_answer(Answer::Path, path),
            None => Answer::Missing(name.to_owned()),
        }
    }
}

impl Surroundings for World {
    fn ask(&self, question: &Question) -> Answer {
        let facts = &self.facts;
        match question {
            Question::Resolve(path) => at(path, |it| resolved(it, facts.ways())),
            Question::Kind(path) => at(path, |it| kind(it, facts.ways())),
            Question::Links(pattern) => {
                at(pattern, |it| crate::links::Search::along(it, facts.ways()))
            }
            Question::Text(path, limit) => at(path, |it| text(it, *limit, facts.ways())),
            Question::Entries(path, limit) => at(path, |it| entries(it, *limit)),
            Question::Program(name) => self.program(name),
            Question::Standing(path) => sure(path, |it| facts.standing(it)),
            Question::Changed(path) => sure(path, |it| facts.changed(it)),
            Question::Untracked(path) => sure(path, |it| facts.untracked(it)),
            Question::Branch(folder) => sure(folder, |it| facts.branch(it)),
            Question::DefaultBranch(folder, name) => {
                sure(folder, |it| facts.default_branch(it, name))
            }
            Question::RemoteUrl(folder, name) => sure(folder, |it| facts.remote_url(it, name)),
            Question::PushTarget(folder, name) => sure(folder, |it| facts.push_target(it, name)),
            Question::KnownRemote(folder, name) => sure(folder, |it| facts.known_remote(it, name)),
            Question::KnownHost(host) => sure(&self.from.cwd, |it| facts.known_host(host, it)),
            Question::NamedHost(folder, host) => sure(folder, |it| facts.named_host(host, it)),
            Question::NamedMachine(folder, host) => {
                sure(folder, |it| facts.named_machine(host, it, self.home()))
            }
            Question::TopLevel(folder) => sure(folder, |it| facts.top_level(it)),
            Question::Worktrees(folder) => sure(folder, |it| facts.worktrees(it)),
            Question::ExecutingConfig(folder) => sure(folder, |it| facts.executing(it)),
            Question::Hooks(folder) => sure(folder, |it| facts.hooks(it)),
            Question::Provenance(path) => {
                let is_work = |path: &Path| {
                    let standing = facts.untracked(path).unwrap_or(Answer::Unknown);
                    matches!(
                        standing,
                        Answer::Unknown | Answer::Standing(Standing::Lost { .. })
                    )
                };
                self.of_session(|it| at(path, |path| it.provenance(path, &|| is_work(path))))
            }
            Question::Brought(folder) => {
                self.of_session(|it| at(folder, |folder| it.brought(folder)))
            }
            Question::Words(prompt) => self.of_session(|it| it.words(prompt)),
            Question::OwnProgram(folder, name) => {
                let ours = |it: &Path| self.is_ours(it);
                sure(folder, |it| products::makes(it, name, &ours).map(yes_or_no))
            }
            Question::OwnProcesses(root, by, which) => sure(root, |root| {
                let since = self.session().and_then(Session::began_at);
                let meant = Meant {
                    root,
                    by,
                    which,
                    since,
                };
                meant.all_own().map(yes_or_no)
            }),
            Question::OwnServices(folder) => sure(folder, |it| self.owns_services(it)),
            Question::OwnDatabase(folder, kind) => sure(folder, |it| self.owns_database(it, kind)),
            Question::ToolFolder(name) => self.from.tool_folder(name),
            Question::SecretsRead => self.of_session(Session::secrets),
            Question::Endings => self.of_session(Session::endings),
            Question::Consent(agent, root) => {
                let now = self.from.now.unwrap_or(u64::MAX);
                self.of_session(|it| it.consent(agent, root, now))
            }
            Question::WorkingTree(folder) => sure(folder, |it| facts.working_tree(it)),
            Question::Unpushed(folder) => sure(folder, |it| facts.unpushed(it)),
            Question::Reachable(folder, name) => sure(folder, |it| facts.reachable(it, name)),
            Question::LeftBehind(folder, name) => sure(folder, |it| facts.left_behind(it, name)),
            Question::Pushed(folder, name) => sure(folder, |it| facts.pushed(it, name)),
            Question::ArchiveLinks(path) => sure(path, |it| facts.archive_links(it)),
            Question::Revision(folder, name) => sure(folder, |it| facts.revision(it, name)),
            Question::CommitLinks(folder, name) => sure(folder, |it| facts.commit_links(it, name)),
            Question::Declared(folder, ecosystem, name) => {
                let package = Package { ecosystem, name };
                let reads = |it: &Path| match self.session() {
                    Some(session) => session.declaring_text(it),
                    None => look::text(it),
                };
                at(folder, |it| declared(it, package, &reads))
            }
            Question::Added(folder, ecosystem) => {
                self.of_session(|it| at(folder, |folder| it.added(folder, ecosystem)))
            }
        }
    }
}

/// Answers about a path; what could not be seen is not known.
fn sure(path: &str, look: impl Fn(&Path) -> Result<Answer, Gap>) -> Answer {
    at(path, |it| look(it).unwrap_or(Answer::Unknown))
}

/// Answers about a path, if it is one that can be looked at.
fn at(path: &str, look: impl Fn(&Path) -> Answer) -> Answer {
    if path.starts_with('/') && !path.contains('\0') {
        look(Path::new(path))
    } else {
        Answer::Unknown
    }
}

const fn yes_or_no(yes: bool) -> Answer {
    if yes { Answer::Yes } else { Answer::No }
}

fn resolved(path: &Path, ways: &Ways) -> Answer {
    match ways.resolve(path) {
        Ok(Led::There(place)) => path_answer(Answer::Path, place),
        Ok(Led::Nowhere(place)) => path_answer(Answer::Missing, place),
        Err(_) => Answer::Unknown,
    }
}

fn kind(path: &Path, ways: &Ways) -> Answer {
    match ways.kind(path) {
        Ok(kind) => Answer::Name(kind.word().to_owned()),
        Err(gap) => gap_answer(gap, path),
    }
}

fn text(path: &Path, limit: u32, ways: &Ways) -> Answer {
    // The place behind all links is opened, so that none can lead to what a look must not open.
    let place = match ways.resolve(path) {
        Ok(led) => led.place(),
        Err(gap) => return gap_answer(gap, path),
    };
    match look::beginning(&place, u64::from(limit).min(limits::TEXT)) {
        Ok((bytes, whole)) => Answer::Text(bytes, whole),
        Err(gap) => gap_answer(gap, &place),
    }
}

fn entries(path: &Path, limit: u32) -> Answer {
    match look::names(path) {
        Ok(mut names) => {
            names.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            Answer::Names(names)
        }
        Err(gap) => gap_answer(gap, path),
    }
}

fn gap_answer(gap: Gap, path: &Path) -> Answer {
    match gap {
        Gap::Absent => path_answer(Answer::Missing, path.to_owned()),
        Gap::Closed => Answer::Unknown,
    }
}

/// A path that is no text cannot be spoken of.
fn path_answer(kind: fn(String) -> Answer, path: PathBuf) -> Answer {
    path.into_os_string()
        .into_string()
        .map_or(Answer::Unknown, kind)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use belay_model::{Answer, Question, Surroundings};

    use super::{Environment, Standpoint, World};

    #[test]
    fn the_folder_of_a_setting_is_known_where_nothing_hides_it() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().to_str().unwrap();
        let asked = |set: Option<&[(&str, &str)]>| {
            let named = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            let from = Standpoint {
                home: Some(home.to_owned()),
                environment: set.map_or(Environment::Unseen, |it| {
                    Environment::Seen(it.iter().map(named).collect())
                }),
                ..Standpoint::default()
            };
            World::new(from).ask(&Question::ToolFolder("GOPATH".to_owned()))
        };
        let path = |it: &str| Answer::Path(it.to_owned());
        assert_eq!(asked(None), Answer::Unknown);
        assert_eq!(asked(Some(&[])), path(&format!("{home}/go")));
        assert_eq!(asked(Some(&[("GOPATH", "/a")])), path("/a"));
        for odd in ["a", "/a:/b", ""] {
            assert_eq!(asked(Some(&[("GOPATH", odd)])), Answer::Unknown, "{odd}");
        }
        assert_eq!(asked(Some(&[("GOENV", "/x")])), Answer::Unknown);
        fs::create_dir_all(format!("{home}/.config/go")).unwrap();
        fs::write(format!("{home}/.config/go/env"), "GOPATH=/kept\n").unwrap();
        assert_eq!(asked(Some(&[])), path("/kept"));
    }
}
