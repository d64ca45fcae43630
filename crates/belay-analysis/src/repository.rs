//! The repository's own settings, where they start programs.

use belay_model::{Answer, At, Question, Span, Verb};

use crate::state::State;
use crate::walk::Walker;

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
            names.push(belay_policy::shorten(cwd, frame.cwd, frame.home()));
        }
        names
    }

    /// Says what a git command would run because the repository's own settings say so.
    pub(crate) fn repository_settings(&mut self, sub: &str, span: Span, state: &State) {
        let Some(cwd) = state.cwd.clone() else { return };
        if ![
            "status",
            "diff",
            "add",
            "commit",
            "checkout",
            "switch",
            "stash",
            "ls-files",
            "show",
            "log",
            "blame",
            "grep",
            "fetch",
            "pull",
            "push",
            "merge",
            "rebase",
            "restore",
            "reset",
            "ls-remote",
        ]
        .contains(&sub)
        {
            return;
        }
        let Answer::Names(settings) = self.scene.frame.world.ask(&Question::ExecutingConfig(cwd))
        else {
            return;
        };
        for setting in settings {
            let Some(setting) = setting.strip_prefix("repository ") else {
                continue;
            };
            let key = setting.split('=').next().unwrap_or(setting).to_lowercase();
            if uses(sub, &key) {
                let effect = belay_model::Effect::of(
                    belay_model::Verb::Unknown,
                    ["setting".to_owned(), key],
                );
                self.emit(effect.spanning(span));
            }
        }
    }
}

/// Tells whether a git command would run what a setting names.
fn uses(sub: &str, key: &str) -> bool {
    let net = matches!(sub, "fetch" | "pull" | "push" | "ls-remote");
    let looks_at_files = matches!(
        sub,
        "status"
            | "diff"
            | "add"
            | "commit"
            | "checkout"
            | "switch"
            | "stash"
            | "ls-files"
            | "merge"
            | "rebase"
            | "restore"
            | "reset"
            | "pull"
    );
    let shows = matches!(sub, "diff" | "show" | "log" | "blame" | "grep");
    match key {
        "core.fsmonitor" => looks_at_files,
        "core.sshcommand" | "core.gitproxy" => net,
        "diff.external" => sub == "diff",
        key if key.starts_with("filter.") => looks_at_files,
        key if key.starts_with("diff.") => shows,
        key if key.starts_with("merge.") => matches!(sub, "merge" | "rebase" | "pull"),
        key if key.starts_with("credential.") => net,
        _ => false,
    }
}
