//! Where files come from: a host, another's tree, or neither.

use belay_model::{Answer, At, Carries, Question, Scope, Standing, Verb};

use crate::machine::state::State;
use crate::machine::value::{Text, Val};
use crate::machine::walk::Walker;

/// How many bytes of a script are read.
const SCRIPT: u32 = 256 * 1024;

/// What came from outside to a folder, under names that nobody knows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Brought {
    /// The folder, absolute.
    pub(crate) folder: String,
    /// The labels of what was not there before.
    pub(crate) new: Carries,
    /// The labels of what was there, and may have been replaced.
    pub(crate) old: Carries,
}

impl Brought {
    /// A tree that may have replaced all that lay there.
    pub(crate) const fn tree(folder: String, labels: Carries) -> Self {
        let old = if labels.holds(Carries::FOREIGN) {
            labels
        } else {
            Carries::FOREIGN
        };
        Self {
            folder,
            new: labels,
            old,
        }
    }

    /// Tells whether a path lies in the folder.
    pub(crate) fn holds(&self, path: &str) -> bool {
        belay_places::Path::new(path).is_within(&self.folder)
    }
}

impl Walker<'_> {
    /// Tells whether the session wrote a file, in an earlier call.
    pub(crate) fn was_written(&self, file: &Val, state: &State) -> bool {
        let path = file.text().and_then(|it| self.absolute(it, state));
        let origin = path.map(|it| self.scene.frame.world.ask(&Question::Provenance(it)));
        matches!(origin, Some(Answer::Name(_)))
    }

    /// Returns the text of a file here: what this call wrote, or what lies on the disk.
    pub(crate) fn text_in(&self, file: &Val, state: &State) -> Option<String> {
        if self.at != At::Here {
            return None;
        }
        let path = self.absolute(file.text()?, state)?;
        if let Some(note) = state.files.get(&path) {
            let came = || self.came_with(&path, &note, state);
            return note.text.clone().or_else(came);
        }
        match self.scene.frame.world.ask(&Question::Text(path, SCRIPT)) {
            Answer::Text(bytes, true) => String::from_utf8(bytes).ok(),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        }
    }

    /// Returns the labels of what came from outside to a file, in this call or earlier in the session.
    pub(crate) fn outside(&self, file: &Val, state: &State) -> Carries {
        let mut sum = Carries::NOTHING;
        for choice in file.each().iter() {
            sum = sum.and(match &choice.text {
                Text::Known(text) => self.outside_at(text, state),
                Text::Glob(text) => self.outside_among(text, state),
                Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => Carries::NOTHING,
            });
        }
        sum
    }

    fn outside_at(&self, text: &str, state: &State) -> Carries {
        let here = self.absolute(text, state);
        let led = self.followed(text, state).into_iter().flatten();
        here.into_iter()
            .chain(led)
            .fold(Carries::NOTHING, |sum, it| sum.and(self.origin(&it, state)))
    }

    fn origin(&self, path: &str, state: &State) -> Carries {
        let note = state.files.get(path);
        let labels = note.as_ref().map_or(Carries::NOTHING, |it| it.carries);
        // What was written whole since is what the call says.
        if note.is_some_and(|it| it.text.is_some() && !it.perhaps) {
            return labels.only(Carries::OUTSIDE);
        }
        let arrived = state.files.arrived(path, &|| self.lies_at(path));
        labels
            .and(arrived)
            .and(self.remembered(path))
            .only(Carries::OUTSIDE)
    }

    /// Returns what the session remembers of a file.
    fn remembered(&self, path: &str) -> Carries {
        let question = Question::Provenance(path.to_owned());
        match self.scene.frame.world.ask(&question) {
            Answer::Name(word) => Carries::from_word(&word).unwrap_or_default(),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Carries::NOTHING,
        }
    }

    /// Returns the labels of an archive or a patch that is not the project's own: what it holds is another's.
    pub(crate) fn strange(&self, file: &Val, state: &State) -> Carries {
        let strange = |it: &Val| self.is_archive(it) && self.is_stranger(it, state);
        if file.each().iter().any(strange) {
            Carries::FOREIGN
        } else {
            Carries::NOTHING
        }
    }

    /// Tells whether a file bears the name of an archive or a patch.
    pub(crate) fn is_archive(&self, file: &Val) -> bool {
        let ending = file.text().and_then(|it| it.rsplit('/').next());
        ending
            .and_then(|it| it.rsplit_once('.'))
            .is_some_and(|(_, it)| self.scene.knowledge.lists("archive-endings", it))
    }

    /// Tells whether neither the project keeps a file, nor this call or session made it.
    pub(crate) fn is_stranger(&self, file: &Val, state: &State) -> bool {
        let frame = self.scene.frame;
        let Some(path) = file.text().and_then(|it| self.absolute(it, state)) else {
            return false;
        };
        let made = Question::Provenance(path.clone());
        if state.files.contains_key(&path) || matches!(frame.world.ask(&made), Answer::Name(_)) {
            return false;
        }
        match belay_places::scope_of(&belay_places::Path::new(&path), frame) {
            Scope::Project | Scope::ProjectRoot | Scope::ExecutionBearing => {
                match frame.world.ask(&Question::Standing(path)) {
                    Answer::Standing(Standing::Lost { .. } | Standing::Ignored) => true,
                    Answer::Standing(Standing::Absent) => !self.ran_before(file),
                    Answer::Unknown
                    | Answer::Yes
                    | Answer::No
                    | Answer::Path(_)
                    | Answer::Missing(_)
                    | Answer::Name(_)
                    | Answer::Names(_)
                    | Answer::Text(..)
                    | Answer::Standing(_) => false,
                }
            }
            Scope::Temp
            | Scope::TempRoot
            | Scope::Home
            | Scope::HomeRoot
            | Scope::System
            | Scope::Root
            | Scope::Device
            | Scope::Sink
            | Scope::Credentials
            | Scope::Personal
            | Scope::AgentConfig
            | Scope::Gate
            | Scope::Startup
            | Scope::VcsInternal
            | Scope::Remote
            | Scope::Other
            | Scope::Unknown
            | Scope::LocalHost
            | Scope::PrivateHost
            | Scope::KnownHost
            | Scope::MetadataHost
            | Scope::OtherHost => true,
        }
    }

    /// Tells whether a program of the project is not there, and nothing in this call may have made it.
    pub(crate) fn is_not_there(&self, file: &Val, state: &State) -> bool {
        let world = self.scene.frame.world;
        let is_missing = |path: String| {
            let kind = world.ask(&Question::Kind(path));
            matches!(kind, Answer::Missing(_))
        };
        let roots = &self.scene.frame.roots;
        let path = file.text().and_then(|it| self.absolute(it, state));
        path.is_some_and(|path| {
            let root = roots
                .iter()
                .find(|it| belay_places::Path::new(&path).is_within(it));
            self.at == At::Here
                && root.is_some_and(|it| !is_missing(it.clone()))
                && !state.files.contains_key(&path)
                && !self.ran_before(file)
                && !self.filled(&path)
                && is_missing(path)
        })
    }

    /// Tells whether this call wrote to a folder that a path lies in, under names of its own.
    fn filled(&self, path: &str) -> bool {
        let frame = self.scene.frame;
        self.may_have_done(|it| {
            let place = it.place().filter(|_| it.verb == Verb::Write);
            let folder = place
                .and_then(|it| it.known())
                .and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()));
            folder.is_some_and(|it| belay_places::Path::new(path).is_within(it.text()))
        })
    }

    /// Tells whether this call ran something before that may have made what is not there yet. The command that wants a
    /// file makes none; only a name that may be a module's, found elsewhere, is left to it.
    pub(crate) fn ran_before(&self, file: &Val) -> bool {
        const MANY: usize = 256;
        let makes = |it: Verb| {
            matches!(
                it,
                Verb::Run | Verb::Eval | Verb::Install | Verb::Change | Verb::Unknown
            )
        };
        let all = self.out.effects.as_slice();
        let is_file = file.text().is_some_and(|it| self.names_file(it));
        let to = if is_file { self.began() } else { all.len() };
        let before = all.get(..to).unwrap_or(all);
        before.len() > MANY || before.iter().any(|it| makes(it.verb))
    }

    /// Tells whether a word names a file by where it lies or how it ends, and not a module by its name.
    fn names_file(&self, word: &str) -> bool {
        let starts = ["/", "./", "../", "~"];
        let ending = word.rsplit('/').next().and_then(|it| it.rsplit_once('.'));
        let ends = |(_, it): (&str, &str)| self.scene.knowledge.lists("file-endings", it);
        starts.iter().any(|it| word.starts_with(it)) || ending.is_some_and(ends)
    }

    /// Returns how many effects there were when the present command began, and those that it stands behind.
    fn began(&self) -> usize {
        let mut commands = self.out.invocations.iter().rev();
        let Some(present) = commands.next() else {
            return self.out.effects.len();
        };
        let mut began = present.from;
        // One that has not ended has no end yet.
        for it in commands.take_while(|it| it.to == it.from) {
            if it.from >= began {
                break;
            }
            began = it.from;
        }
        began
    }

    /// Returns the labels of all files that a pattern may name.
    fn outside_among(&self, pattern: &str, state: &State) -> Carries {
        let Some(pattern) = self.absolute(pattern, state) else {
            return Carries::NOTHING;
        };
        let folder = match pattern.split_once(['*', '?', '[']) {
            Some((before, _)) => before.rsplit_once('/').map_or("/", |(folder, _)| folder),
            None => pattern.as_str(),
        };
        let folder = if folder.is_empty() { "/" } else { folder };
        self.outside_below(folder, state)
            .into_iter()
            .filter(|(path, _)| {
                belay_places::matches_path(&pattern, path)
                    || belay_places::Path::new(folder).is_within(path)
            })
            .fold(Carries::NOTHING, |sum, (_, labels)| sum.and(labels))
    }

    /// Returns what came from outside to places in a folder, and to the folders around it.
    pub(crate) fn outside_below(&self, folder: &str, state: &State) -> Vec<(String, Carries)> {
        let mut found = state.files.outside_below(folder);
        let question = Question::Brought(folder.to_owned());
        if let Answer::Names(names) = self.scene.frame.world.ask(&question) {
            found.extend(names.iter().filter_map(|it| {
                let (word, path) = it.split_once(' ')?;
                Some((path.to_owned(), Carries::from_word(word)?))
            }));
        }
        found
    }

    /// Tells whether something lies at a path already.
    fn lies_at(&self, path: &str) -> bool {
        let kind = Question::Kind(path.to_owned());
        matches!(self.scene.frame.world.ask(&kind), Answer::Name(_))
    }

    /// Tells whether a value is known to name a folder.
    pub(crate) fn names_folder(&self, val: &Val, state: &State) -> bool {
        let Some(text) = val.text() else {
            return false;
        };
        let spelled = text.ends_with('/') || text.rsplit('/').next().is_some_and(is_dots);
        spelled
            || self.absolute(text, state).is_some_and(|it| {
                let kind = self.scene.frame.world.ask(&Question::Kind(it));
                matches!(kind, Answer::Name(it) if it == "folder")
            })
    }
}

fn is_dots(name: &str) -> bool {
    name == "." || name == ".."
}
