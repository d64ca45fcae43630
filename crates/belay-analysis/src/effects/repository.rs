//! The repository's own settings, where they start programs.

use belay_knowledge::{Deed, Deeds, Piece};
use belay_model::{Answer, At, Carries, Effect, Question, Span, Verb};

use crate::machine::state::State;
use crate::machine::walk::Walker;

/// What a git command may do that settings can turn into running a program.
pub(crate) const USES: [Deed; 6] = [
    Deed::Contacts,
    Deed::Touches,
    Deed::Shows,
    Deed::Diffs,
    Deed::Merges,
    Deed::Edits,
];

impl Walker<'_> {
    /// Tells whether an earlier command of this call spoke of the stash.
    fn stashed_before(&self) -> bool {
        let before = self.out.invocations.split_last();
        before.is_some_and(|(_, before)| {
            let mut words = before.iter().flat_map(|it| &it.argv);
            words.any(|it| it.as_deref().is_none_or(|it| it == "stash"))
        })
    }

    /// Returns the labels of what this call put into the repository: a push takes it along.
    pub(crate) fn committed(&self, verb: Verb) -> Carries {
        let put = |it: &Effect| {
            let repository = it.names().first().is_some_and(|it| it == "repository");
            let kept = it.verb == Verb::Change && repository || it.verb == Verb::Write;
            kept && it.at == At::Here && it.carries.holds(Carries::SECRET)
        };
        match verb == Verb::Publish && self.out.effects.iter().any(put) {
            true => Carries::SECRET,
            false => Carries::NOTHING,
        }
    }

    /// What is declared outside the project, the project does not declare: in a file that is named, or in the folder where we are.
    pub(crate) fn declared_in(&self, verb: Verb, names: Vec<String>, state: &State) -> Vec<String> {
        let [tool, what, named @ ..] = names.as_slice() else {
            return names;
        };
        if verb != Verb::Install || what != "declared" || self.at != At::Here {
            return names;
        }
        let stands = || state.cwd.clone().or_else(|| state.found.clone());
        let folder = || stands().unwrap_or_else(|| "?".to_owned());
        let file = named.first().cloned().unwrap_or_else(folder);
        let mut said = vec![tool.clone()];
        // A part that nobody knows may lead anywhere.
        if !file.contains('?') && self.in_project(&file, state) {
            said.push(what.clone());
        } else {
            said.extend(["foreign".to_owned(), file]);
        }
        said
    }

    /// Names the folder of a repository where it is not the one the call stands in: another one may hold other work.
    pub(crate) fn in_its_tree(
        &self,
        verb: Verb,
        mut names: Vec<String>,
        state: &State,
    ) -> Vec<String> {
        let frame = self.scene.frame;
        if verb == Verb::Discard && names == ["stash"] && self.stashed_before() {
            // What this call put there, nobody sees yet.
            names.push("?".to_owned());
            return names;
        }
        if !matches!(verb, Verb::Discard | Verb::History)
            || self.at != At::Here
            || state.cwd.as_deref() == Some(frame.cwd)
        {
            return names;
        }
        let world = frame.world;
        let here = world.ask(&Question::TopLevel(frame.cwd.to_owned()));
        let Some(cwd) = &state.cwd else {
            names.extend((here != Answer::Unknown).then(|| "?".to_owned()));
            return names;
        };
        let there = world.ask(&Question::TopLevel(cwd.clone()));
        let whole = names.first().is_none_or(|it| it != "untracked");
        if here != there || !whole && there != Answer::Unknown {
            names.push(belay_places::shorten(cwd, frame.cwd, frame.home()));
        }
        names
    }

    /// Names the remote and the branch of a push that does not say them, where the repository does.
    pub(crate) fn pushed(
        &self,
        mut names: Vec<String>,
        target: &[Piece<'_>],
        state: &State,
    ) -> Vec<String> {
        let [.., remote, branch] = names.as_mut_slice() else {
            return names;
        };
        let (world, frame) = (self.scene.frame.world, self.scene.frame);
        let Some(cwd) = state.cwd.clone().filter(|_| self.at == At::Here) else {
            return names;
        };
        let top = |folder: &str| world.ask(&Question::TopLevel(folder.to_owned()));
        if cwd != frame.cwd && top(&cwd) != top(frame.cwd) {
            // Another repository has other remotes under the same names.
            *remote = "?".to_owned();
            return names;
        }
        if self.named_address(Some(remote.as_str())) {
            // Where the name leads now, this very call said.
            *remote = "?".to_owned();
            return names;
        }
        if !self.head_stays() {
            return names;
        }
        if matches!(branch.as_str(), "HEAD" | "@") {
            if let Answer::Name(name) = world.ask(&Question::Branch(cwd)) {
                *branch = name;
            }
        } else if matches!(target, [.., Piece::Text("?")]) {
            let named = if remote == "?" { "" } else { remote.as_str() };
            let question = Question::PushTarget(cwd, named.to_owned());
            if let Answer::Names(found) = world.ask(&question)
                && let [there, name] = found.as_slice()
            {
                (*remote, *branch) = (there.clone(), name.clone());
            }
        }
        names
    }

    /// Tells whether nothing before this in the call may have gone to another branch or changed where
    /// branches are pushed to.
    pub(crate) fn head_stays(&self) -> bool {
        let knowledge = self.scene.knowledge;
        let moves = |argv: &[Option<String>]| {
            let words = || argv.iter().flatten();
            let looks = |it: &String| !it.starts_with('-') || knowledge.lists("branch-looks", it);
            let said = |it: &String| knowledge.said("head-moves", it);
            let known = argv.first().and_then(Option::as_ref);
            let git = known.is_none_or(|it| knowledge.lists("repository-programs", it));
            git && argv.contains(&None)
                || words().any(|it| said(it) == Some("always"))
                || words().any(|it| said(it) == Some("with-flags")) && !words().all(looks)
        };
        let sets = |argv: &[Option<String>]| {
            let set = |it: &String| it.starts_with("-c") || it.starts_with("--config-env");
            let before = argv.iter().take_while(|it| it.as_deref() != Some("push"));
            before.flatten().any(set)
        };
        let before = self.out.invocations.split_last();
        before.is_none_or(|(this, before)| {
            !sets(&this.argv)
                && before
                    .iter()
                    .filter(|it| it.argv.len() > 1)
                    .all(|it| !moves(&it.argv))
        })
    }

    /// Says what a git command would run because the repository's own settings say so.
    pub(crate) fn repository_settings(&mut self, deeds: Deeds, span: Span, state: &State) {
        let Some(cwd) = state.cwd.clone() else {
            return;
        };
        let world = self.scene.frame.world;
        let settings = match world.ask(&Question::ExecutingConfig(cwd.clone())) {
            Answer::Names(settings) => settings,
            // Settings that cannot be read may hold anything.
            Answer::Unknown if matches!(world.ask(&Question::TopLevel(cwd)), Answer::Path(_)) => {
                return self.emit(Effect::of(Verb::Unknown, ["setting", "?"]).spanning(span));
            }
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => return,
        };
        for setting in settings {
            let Some(setting) = setting.strip_prefix("repository ") else {
                continue;
            };
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let key = key.to_lowercase();
            let elsewhere = || self.leads_elsewhere(value);
            if self.uses(deeds, &key) && (key != "core.hookspath" || elsewhere()) {
                let effect = Effect::of(Verb::Unknown, ["setting".to_owned(), key]);
                self.emit(effect.spanning(span));
            }
        }
    }

    /// Hooks of the project are its own; those that lie elsewhere are somebody else's.
    fn leads_elsewhere(&self, folder: &str) -> bool {
        let path = belay_places::Path::new(folder);
        let mut roots = self.scene.frame.roots.iter();
        let outside = folder.starts_with('/') && !roots.any(|it| path.is_within(it));
        outside || folder.starts_with('~') || folder.split('/').any(|it| it == "..")
    }

    /// Tells whether a command that does this would run what a setting names: by its name, else by its section.
    fn uses(&self, deeds: Deeds, key: &str) -> bool {
        let knowledge = self.scene.knowledge;
        let section = key.split('.').next().unwrap_or(key);
        let mut said = knowledge.all_said("git-settings", key).peekable();
        if said.peek().is_some() {
            return said.any(|it| deeds.says(it));
        }
        let mut said = knowledge.all_said("git-settings", section);
        said.any(|it| deeds.says(it))
    }
}
