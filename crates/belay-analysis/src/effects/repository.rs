//! The repository's own settings, where they start programs.

use belay_knowledge::Piece;
use belay_model::{Answer, At, Effect, Question, Span, Verb};

use crate::machine::state::State;
use crate::machine::walk::Walker;

/// Words of commands that go to another branch, or change what a push without a branch means.
const MOVES: [&str; 10] = [
    "checkout",
    "switch",
    "co",
    "rebase",
    "worktree",
    "symbolic-ref",
    "update-ref",
    "bisect",
    "config",
    "remote",
];

/// Flags of `git branch` that only look.
const LOOKS: [&str; 8] = [
    "--show-current",
    "-a",
    "-r",
    "-v",
    "-vv",
    "--all",
    "--list",
    "--merged",
];

impl Walker<'_> {
    /// Names the folder of a repository where it is not the one the call stands in: another one may hold other work.
    pub(crate) fn in_its_tree(
        &self,
        verb: Verb,
        mut names: Vec<String>,
        state: &State,
    ) -> Vec<String> {
        let frame = self.scene.frame;
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
        let moves = |argv: &[Option<String>]| {
            let has = |word: &str| argv.iter().flatten().any(|it| it == word);
            let looks = |it: &String| !it.starts_with('-') || LOOKS.contains(&it.as_str());
            let git = !matches!(argv.first(), Some(Some(it)) if it != "git" && it != "gh");
            git && argv.contains(&None)
                || MOVES.iter().any(|it| has(it))
                || has("branch") && !argv.iter().flatten().all(looks)
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
    pub(crate) fn repository_settings(&mut self, sub: &str, span: Span, state: &State) {
        let Some(cwd) = state.cwd.clone().filter(|_| Uses::of(sub) != Uses::NOTHING) else {
            return;
        };
        let world = self.scene.frame.world;
        let settings = match world.ask(&Question::ExecutingConfig(cwd.clone())) {
            Answer::Names(settings) => settings,
            // Settings that cannot be read may hold anything.
            Answer::Unknown if matches!(world.ask(&Question::TopLevel(cwd)), Answer::Path(_)) => {
                return self.emit(Effect::of(Verb::Unknown, ["setting", "?"]).spanning(span));
            }
            _ => return,
        };
        for setting in settings {
            let Some(setting) = setting.strip_prefix("repository ") else {
                continue;
            };
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let key = key.to_lowercase();
            let elsewhere = || self.leads_elsewhere(value);
            if Uses::of(sub).runs(&key) && (key != "core.hookspath" || elsewhere()) {
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
}

/// What a git command does that settings can turn into running a program.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Uses {
    net: bool,
    files: bool,
    shows: bool,
    merges: bool,
    edits: bool,
}

impl Uses {
    const NOTHING: Self = Self {
        net: false,
        files: false,
        shows: false,
        merges: false,
        edits: false,
    };

    fn of(sub: &str) -> Self {
        let any = |words: &[&str]| words.contains(&sub);
        Self {
            net: any(&[
                "fetch",
                "pull",
                "push",
                "ls-remote",
                "submodule",
                "remote",
                "archive",
            ]),
            files: any(&[
                "status",
                "diff",
                "add",
                "commit",
                "checkout",
                "switch",
                "stash",
                "ls-files",
                "merge",
                "rebase",
                "restore",
                "reset",
                "pull",
                "clean",
                "rm",
                "mv",
                "cherry-pick",
                "revert",
                "am",
                "apply",
                "describe",
                "worktree",
                "submodule",
                "sparse-checkout",
                "update-index",
                "read-tree",
                "checkout-index",
                "diff-files",
                "diff-index",
                "bisect",
            ]),
            shows: any(&[
                "diff",
                "show",
                "log",
                "blame",
                "grep",
                "range-diff",
                "difftool",
                "format-patch",
            ]),
            merges: any(&[
                "merge",
                "rebase",
                "pull",
                "cherry-pick",
                "revert",
                "am",
                "stash",
                "merge-file",
            ]),
            edits: any(&[
                "commit",
                "merge",
                "rebase",
                "tag",
                "revert",
                "cherry-pick",
                "am",
                "notes",
                "pull",
            ]),
        }
    }

    /// Tells whether a command would run what a setting names.
    fn runs(self, key: &str) -> bool {
        let section = key.split('.').next().unwrap_or(key);
        match (section, key) {
            (_, "core.fsmonitor") => self.files,
            (_, "core.hookspath") => self.files || self.edits || self.net,
            (_, "core.editor" | "sequence.editor") | ("gpg" | "trailer", _) => self.edits,
            (
                _,
                "core.sshcommand" | "core.gitproxy" | "core.askpass" | "core.alternaterefscommand",
            ) => self.net,
            (_, "diff.external") => self.shows && self.files,
            ("filter" | "hook" | "interactive", _) => self.files,
            ("diff", _) => self.shows,
            ("merge", _) => self.merges,
            ("credential" | "remote" | "url" | "protocol" | "submodule", _) => self.net,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Uses;

    #[test]
    fn settings_run_where_they_are_used() {
        for (sub, key) in [
            ("status", "core.fsmonitor"),
            ("clean", "core.fsmonitor"),
            ("cherry-pick", "filter.x.smudge"),
            ("diff", "diff.external"),
            ("log", "diff.x.textconv"),
            ("push", "core.sshcommand"),
            ("fetch", "remote.x.uploadpack"),
            ("commit", "core.editor"),
            ("commit", "gpg.program"),
            ("submodule", "submodule.x.update"),
        ] {
            assert!(Uses::of(sub).runs(key), "{sub} {key}");
        }
        for (sub, key) in [
            ("log", "core.fsmonitor"),
            ("rev-parse", "core.fsmonitor"),
            ("log", "diff.external"),
            ("status", "core.sshcommand"),
            ("log", "core.pager"),
            ("status", "alias.x"),
        ] {
            assert!(!Uses::of(sub).runs(key), "{sub} {key}");
        }
    }
}
