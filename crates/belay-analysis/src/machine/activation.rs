//! Files that installers make for people to source: what they set is how the project's own programs are found.

use belay_model::{At, Effect, Target, Verb};

use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Tells whether a file that sets up an environment is as its installer left it, and none of this call's own
    /// variables has a say in what it sets.
    pub(crate) fn is_as_installed(&self, file: &Val, text: &str, state: &State) -> bool {
        let sets = |name: &str| self.scene.knowledge.lists("activation-variables", name);
        let mut names = state.variables.keys();
        let steered = names.any(|it| !sets(it) && text.contains(it.as_str()));
        self.at == At::Here && !self.is_changed(file, state) && !steered
    }

    /// Tells whether a file, or a folder around it, may be another one than when the session began.
    pub(crate) fn is_changed(&self, file: &Val, state: &State) -> bool {
        let path = file.text().and_then(|it| self.absolute(it, state));
        path.is_none_or(|it| self.may_be_moved(&it))
            || self.note_of(file, state).is_some()
            || !self.outside(file, state).is_nothing()
            || self.was_written(file, state)
    }

    /// Tells whether this call may have put another folder where one of those around a path was.
    fn may_be_moved(&self, path: &str) -> bool {
        let frame = self.scene.frame;
        let path = belay_places::Path::new(path);
        let around = |it: &Effect| {
            let known = it.place().and_then(belay_model::Place::known);
            let place = known.and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()));
            place.is_none_or(|it| path.is_within(it.text()))
        };
        let moves = |it: &Effect| matches!(it.verb, Verb::Move | Verb::Link | Verb::Write);
        self.out.effects.iter().any(|it| moves(it) && around(it))
    }

    /// Takes back that the variables were set by which such a file is known to find programs.
    pub(crate) fn forgive_activation(&mut self, since: usize) {
        let knowledge = self.scene.knowledge;
        self.forgive(since, |name| knowledge.lists("activation-variables", name));
    }

    /// Takes back that variables were set which say, in front of the one program that reads them so, what a flag of it says.
    pub(crate) fn forgive_flags(&mut self, since: usize, program: Option<&str>, state: &State) {
        let knowledge = self.scene.knowledge;
        let own = program.filter(|it| state.functions.get(*it).is_none());
        let is_flag = |name: &str| {
            knowledge
                .said("variables-of", name)
                .is_some_and(|it| own == Some(it))
        };
        self.forgive(since, is_flag);
    }

    /// Takes back that some variables were set.
    fn forgive(&mut self, since: usize, is_usual: impl Fn(&str) -> bool) {
        let later = self
            .out
            .effects
            .split_off(since.min(self.out.effects.len()));
        let forgiven = |it: &Effect| {
            let Target::Names(names) = &it.target else {
                return false;
            };
            let [kind, name] = names.as_slice() else {
                return false;
            };
            it.verb == Verb::Configure && kind == "environment" && is_usual(name)
        };
        self.out
            .effects
            .extend(later.into_iter().filter(|it| !forgiven(it)));
    }
}
