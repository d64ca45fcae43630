//! Tasks of the project: what `npm run X` and `make X` would run, read from the project's own files.

use belay_model::{Answer, Question, Span, TroubleKind};

use crate::state::State;
use crate::stream::Stream;
use crate::walk::Walker;

/// How many bytes of a manifest are read.
const MANIFEST: u32 = 512 * 1024;

/// How many targets of a makefile are followed from one.
const TARGETS: usize = 32;

impl Walker<'_> {
    /// Follows a task into what it runs. What is not known in it is the project's own code; what is known counts.
    pub(crate) fn follow_task(&mut self, (tool, name): (&str, &str), span: Span, state: &State) {
        let Some(cwd) = state.cwd.clone() else { return };
        let texts = match tool {
            "npm" | "pnpm" | "yarn" | "bun" => self.scripts(&cwd, name),
            "make" => self.recipes(&cwd, name),
            _ => return,
        };
        let key = format!("{tool} {name}");
        if self.calls.contains(&key) {
            return;
        }
        self.calls.push(key);
        for text in texts {
            self.own_code(&text, span, &mut state.clone());
        }
        self.calls.pop();
    }

    /// Walks the project's own code: only what is understood in it counts, for the rest is allowed to run.
    pub(crate) fn own_code(&mut self, text: &str, span: Span, state: &mut State) -> Stream {
        let (effects, troubles) = (self.out.effects.len(), self.out.troubles.len());
        state.positional = None;
        let output = self.nested_at(text, span, state, &Stream::terminal());
        self.end(state);
        let mut at = 0;
        self.out.effects.retain(|effect| {
            at += 1;
            at <= effects || is_understood(effect)
        });
        let mut at = 0;
        self.out.troubles.retain(|trouble| {
            at += 1;
            at <= troubles || matches!(trouble.kind, TroubleKind::Limit | TroubleKind::Failure)
        });
        let known = self.out.effects.len();
        for invocation in &mut self.out.invocations {
            invocation.from = invocation.from.min(known);
            invocation.to = invocation.to.min(known);
        }
        output
    }

    fn file(&self, path: String) -> Option<String> {
        match self.scene.frame.world.ask(&Question::Text(path, MANIFEST)) {
            Answer::Text(bytes, true) => String::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// Returns a script of `package.json`, with what runs before and after it.
    fn scripts(&self, cwd: &str, name: &str) -> Vec<String> {
        let manifest = self.file(format!("{cwd}/package.json"));
        let Some(json) =
            manifest.and_then(|it| serde_json::from_str::<serde_json::Value>(&it).ok())
        else {
            return Vec::new();
        };
        let script = |name: String| json.get("scripts")?.get(name)?.as_str().map(str::to_owned);
        [format!("pre{name}"), name.to_owned(), format!("post{name}")]
            .into_iter()
            .filter_map(script)
            .collect()
    }

    /// Returns the recipes of a make target and of what it needs first.
    fn recipes(&self, cwd: &str, name: &str) -> Vec<String> {
        let names = ["GNUmakefile", "makefile", "Makefile"];
        let Some(text) = names.iter().find_map(|it| self.file(format!("{cwd}/{it}"))) else {
            return Vec::new();
        };
        let mut wanted = vec![name.to_owned()];
        let mut recipes = Vec::new();
        let mut at = 0;
        while let Some(target) = wanted.get(at).cloned() {
            let (needs, recipe) = rule(&text, &target);
            recipes.extend(recipe);
            for need in needs {
                if wanted.len() < TARGETS && !wanted.contains(&need) {
                    wanted.push(need);
                }
            }
            at += 1;
        }
        recipes
    }
}

/// Tells whether an effect of the project's own code is one that was understood.
fn is_understood(effect: &belay_model::Effect) -> bool {
    use belay_model::{Carries, Place, Target, Verb};
    let unknown_place = matches!(
        &effect.target,
        Target::Place(Place::Unknown | Place::Under(_))
    );
    match effect.verb {
        Verb::Unknown => false,
        Verb::Eval | Verb::Run => effect.carries.holds(Carries::FETCHED),
        _ => !unknown_place,
    }
}

/// Returns what a target needs, and its recipe as shell text.
fn rule(makefile: &str, target: &str) -> (Vec<String>, Vec<String>) {
    let mut needs = Vec::new();
    let mut recipe = Vec::new();
    let mut inside = false;
    for line in makefile.lines() {
        if let Some(command) = line.strip_prefix('\t') {
            if inside {
                recipe.push(shell_of(command, makefile));
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        inside = false;
        if let Some((names, rest)) = line.split_once(':')
            && !rest.starts_with('=')
            && names.split_whitespace().any(|it| it == target)
        {
            inside = true;
            needs.extend(
                rest.trim_start_matches(':')
                    .split_whitespace()
                    .map(str::to_owned),
            );
        }
    }
    (needs, recipe)
}

/// Writes a line of a recipe as the shell gets it: `$(X)` is make's, `$$` is the shell's `$`.
fn shell_of(command: &str, makefile: &str) -> String {
    let command = command.trim_start_matches(['@', '-', '+', ' ']);
    let mut out = String::with_capacity(command.len());
    let mut rest = command;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        rest = match (after.chars().next(), after.find([')', '}'])) {
            (Some('$'), _) => {
                out.push('$');
                after.get(1..).unwrap_or_default()
            }
            (Some('(' | '{'), Some(end)) => {
                let name = after.get(1..end).unwrap_or_default();
                out.push_str(
                    &assigned(makefile, name).unwrap_or_else(|| "\"$MAKE_VARIABLE\"".to_owned()),
                );
                after.get(end + 1..).unwrap_or_default()
            }
            _ => {
                out.push_str("\"$MAKE_VARIABLE\"");
                after.get(1..).unwrap_or_default()
            }
        };
    }
    out + rest
}

/// Returns the plain value of a variable of a makefile.
fn assigned(makefile: &str, name: &str) -> Option<String> {
    let value = makefile.lines().find_map(|line| {
        let (left, right) = line.split_once('=')?;
        (left.trim_end_matches([':', '?', ' ']).trim() == name).then(|| right.trim().to_owned())
    })?;
    (!value.contains('$')).then_some(value)
}

/// What a git command would run because the repository's own settings say so.
impl Walker<'_> {
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

#[cfg(test)]
mod tests {
    use super::{rule, shell_of};

    #[test]
    fn recipes_of_make() {
        let text = "OUT = build\nall: clean app\n\nclean:\n\t@rm -rf $(OUT)\n\napp: a.c\n\tcc $< -o $$HOME/x\n";
        assert_eq!(rule(text, "all").0, ["clean", "app"]);
        assert_eq!(rule(text, "clean").1, ["rm -rf build"]);
        assert_eq!(
            shell_of("echo $$HOME $(X)", text),
            "echo $HOME \"$MAKE_VARIABLE\""
        );
    }
}
