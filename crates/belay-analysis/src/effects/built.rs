//! What is built outside the project from the project's own sources is the project's program all the same.

use belay_model::{Answer, At, Carries, How, Question, Scope};

use crate::effects::arrivals::Arrival;
use crate::machine::state::State;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Tells whether a tool that builds makes this outside the project from nothing but the project's sources, where
    /// nothing lay before: what a build that fails leaves there is then nobody else's either.
    pub(crate) fn is_built(&self, out: &Val, arrival: Arrival<'_>, state: &State) -> bool {
        let outside = arrival.carries.and(arrival.flows.carries);
        let path = out.text().and_then(|it| self.absolute(it, state));
        let Some(path) = path.filter(|_| self.at == At::Here) else {
            return false;
        };
        let named = out.text().unwrap_or_default();
        let ours = |it: &Arg| {
            it.text()
                .is_some_and(|it| it != "-" && (names(it, named) || self.stays_inside(it)))
        };
        outside.only(Carries::OUTSIDE).is_nothing()
            && !self.lies_inside(&path)
            && state.cwd.as_deref().is_some_and(|it| self.lies_inside(it))
            && arrival.args.iter().skip(1).all(ours)
            && self.was_nothing(&path, state)
    }

    /// Tells whether a tool that builds takes something from a place that is neither the project's nor the system's,
    /// and that this session did not make.
    pub(crate) fn builds_foreign(&self, out: &Val, arrival: Arrival<'_>, state: &State) -> bool {
        let named = out.text().unwrap_or_default();
        let foreign = |word: &str| {
            let path = if word.starts_with('-') {
                let at = word.find(['/', '~']);
                let flag = at.and_then(|at| word.get(..at)).unwrap_or(word);
                word.strip_prefix(flag.trim_end_matches('.'))
            } else {
                Some(word)
            };
            let elsewhere =
                |it: &&str| it.starts_with(['/', '~']) || it.split('/').any(|it| it == "..");
            let Some(path) = path
                .filter(elsewhere)
                .and_then(|it| self.absolute(it, state))
            else {
                return false;
            };
            !self.lies_inside(&path)
                && self.scope(&path) != Scope::System
                && self.is_stranger(&Val::known(path), state)
        };
        let words = arrival.args.iter().skip(1).filter_map(Arg::text);
        words.filter(|it| !names(it, named)).any(foreign)
    }

    /// Tells whether a file was built so: in this call, or in an earlier one of the session.
    pub(crate) fn was_built(&self, file: &Val, state: &State) -> bool {
        let Some(path) = file.text().and_then(|it| self.absolute(it, state)) else {
            return false;
        };
        // A folder is what was built only as long as nothing was put into it.
        if state.files.touches(&path) {
            return false;
        }
        let mut above = std::path::Path::new(&path).ancestors();
        let noted = above.find_map(|it| state.files.get(it.to_str()?));
        match noted {
            Some(note) => note.built && !note.perhaps,
            None => self.says_built(path),
        }
    }

    fn says_built(&self, path: String) -> bool {
        let origin = self.scene.frame.world.ask(&Question::Provenance(path));
        origin == Answer::Name(How::Built.word().to_owned())
    }

    fn was_nothing(&self, path: &str, state: &State) -> bool {
        let world = self.scene.frame.world;
        match state.files.get(path) {
            Some(note) => note.built && !note.perhaps,
            None => {
                let kind = world.ask(&Question::Kind(path.to_owned()));
                matches!(kind, Answer::Missing(_)) || self.says_built(path.to_owned())
            }
        }
    }

    /// Tells whether a word names nothing that lies outside the project: neither by itself nor behind a flag.
    fn stays_inside(&self, word: &str) -> bool {
        let climbs = word.split(['/', '=', ',', ':']).any(|it| it == "..");
        let glued = word.trim_start_matches(|c: char| c == '-' || c.is_ascii_alphanumeric());
        let absolute = word.starts_with('/') && !self.lies_inside(word);
        let flag =
            word.starts_with('-') && glued.starts_with(['/', '=', ',', ':']) && glued.contains('/');
        !climbs && !absolute && !flag && !word.contains(['~', '@'])
    }

    fn lies_inside(&self, path: &str) -> bool {
        matches!(
            self.scope(path),
            Scope::Project | Scope::ProjectRoot | Scope::ExecutionBearing
        )
    }

    fn scope(&self, path: &str) -> Scope {
        belay_places::scope_of(&belay_places::Path::new(path), self.scene.frame)
    }
}

/// Tells whether a word names what is built, by itself or behind a flag.
fn names(word: &str, out: &str) -> bool {
    let flag = |it: &str| {
        let name = it.trim_start_matches('-').trim_end_matches('=');
        it.starts_with('-') && name.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
    };
    word.strip_suffix(out).is_some_and(|before| {
        before.is_empty() || before == "-o" || (before.ends_with('=') && flag(before))
    })
}
