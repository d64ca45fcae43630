//! Tasks of the project: what `npm run X` and `make X` would run, read from the project's own files.

mod commands;
mod found;
mod handed;
mod just;
mod make;
mod manifests;
mod notation;
mod services;
mod taskfile;

use belay_model::{Effect, Span, Trouble, TroubleKind, Verb, When};

use crate::effects::called::Called;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Arg;
use crate::machine::walk::Nested;
use crate::machine::walk::Walker;
use handed::receiving;
pub(crate) use manifests::entry;
use notation::Notation;

/// How many tasks are followed from one.
const FOLLOWED: usize = 256;

/// Stands in place of the tasks that were too many to follow.
const TOO_MANY: &str = "\0";

/// Stands in place of what a manifest does that is not read.
const UNREAD: &str = "\u{1}";

/// Adds a task to those that are followed, once; says so when there are too many.
fn want(wanted: &mut Vec<String>, next: &str, found: &mut Vec<String>) {
    if wanted.iter().any(|it| it == next) {
        return;
    }
    if wanted.len() < FOLLOWED {
        wanted.push(next.to_owned());
    } else if found.last().is_none_or(|it| it != TOO_MANY) {
        found.push(TOO_MANY.to_owned());
    }
}

/// Who wrote the code that a task runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The project.
    Project,
    /// This session: code in it that nobody can read is the call's own.
    Session,
}

/// Code of the project.
#[derive(Clone, Copy)]
pub(crate) struct OwnCode<'a> {
    pub(crate) text: &'a str,
    /// Where the call starts it.
    pub(crate) span: Span,
    pub(crate) whose: Whose,
}

impl Walker<'_> {
    /// Follows a task into what it runs.
    pub(crate) fn follow_task(&mut self, called: &Called<'_>, state: &State) {
        let (tool, name) = (called.tool, called.name);
        let Some(notation) = Notation::of(tool, self.scene.knowledge) else {
            return;
        };
        let names = notation.names(self.scene.knowledge);
        // Another file of tasks has other tasks, under the same names.
        let files = found::named_files(called, self.scene.knowledge);
        let cwd = state.cwd.as_deref().unwrap_or("?");
        let key = format!("{tool} {name} {cwd} {}", files.join(" "));
        if self.calls.contains(&key) {
            return;
        }
        let Some(manifest) = self.manifest(&names, called, state) else {
            return;
        };
        let manifest = self.with_included(manifest, called, state);
        let text = &manifest.text;
        let mut texts = match notation {
            Notation::ComposerJson => manifests::composer(text, name),
            Notation::DenoJson => manifests::scripts(text, "tasks", &[name.to_owned()]),
            Notation::Justfile => just::recipes(text, name),
            Notation::Makefile => make::recipes(text, name, &assigned(called.args)),
            Notation::MiseToml => manifests::mise(text, name),
            Notation::PackageJson => manifests::npm(text, name),
            Notation::Taskfile => taskfile::commands(text, name),
        };
        if manifest.is_new && notation == Notation::Makefile {
            texts.extend(make::anywhere(text));
        }
        self.calls.push(key);
        let whose = if manifest.is_new {
            Whose::Session
        } else {
            Whose::Project
        };
        let words = self.words_for_task(called);
        let receiving = words.and_then(|it| Some((receiving(notation, text, name)?, it)));
        for text in &texts {
            let span = called.span;
            let own = OwnCode { text, span, whose };
            match &receiving {
                Some((script, words)) if script == text => self.hand_on(&own, words, state),
                Some(_) | None => self.step(&own, state),
            }
        }
        self.calls.pop();
    }

    /// Follows what a package manager runs by itself when it installs what is declared.
    pub(crate) fn start_install(&mut self, called: &Called<'_>, state: &State) {
        let knowledge = self.scene.knowledge;
        let skips = |it: &Arg| it.text() == Some("--ignore-scripts");
        let notation = Notation::of(called.tool, knowledge);
        let Some(notation) = notation.filter(|it| *it == Notation::PackageJson) else {
            return;
        };
        let names = notation.names(knowledge);
        if called.args.iter().any(skips) {
            return;
        }
        let Some(manifest) = self.manifest(&names, called, state) else {
            return;
        };
        let names = notation.lifecycle(knowledge).into_iter();
        let names: Vec<String> = names.map(str::to_owned).collect();
        let texts = manifests::scripts(&manifest.text, "scripts", &names);
        let whose = if manifest.is_new {
            Whose::Session
        } else {
            Whose::Project
        };
        for text in &texts {
            let span = called.span;
            self.step(&OwnCode { text, span, whose }, state);
        }
    }

    fn step(&mut self, own: &OwnCode<'_>, state: &State) {
        if own.text == TOO_MANY {
            self.trouble(TroubleKind::Limit, "a task needs too many others", own.span);
        } else if own.text == UNREAD {
            self.emit(Effect::of(Verb::Eval, ["text"]).spanning(own.span));
        } else {
            self.own_code(own, &mut state.clone());
        }
    }

    /// Walks the project's own code, and says of all it does that the project does it; how much of that counts,
    /// policy says.
    pub(crate) fn own_code(&mut self, own: &OwnCode<'_>, state: &mut State) -> Stream {
        let OwnCode { text, span, whose } = *own;
        let (effects, troubles) = (self.out.effects.len(), self.out.troubles.len());
        state.positional =
            crate::machine::state::Shared::new(crate::machine::variable::Held::anything());
        let output = self.nested_at(Nested { text, at: span }, state, &Stream::terminal());
        let ours =
            |it: &Effect| whose == Whose::Session && matches!(it.verb, Verb::Eval | Verb::Unknown);
        for effect in self.out.effects.iter_mut().skip(effects) {
            if !ours(effect) {
                effect.when = effect.when.max(When::Task);
            }
        }
        if whose == Whose::Project {
            self.unread_here(troubles, span);
        }
        output
    }

    /// What cannot be read in the project's own code is unknown there, and no trouble of the call.
    fn unread_here(&mut self, from: usize, span: Span) {
        let found = self.out.troubles.split_off(from);
        let all = found.len();
        let of_call = |it: &Trouble| matches!(it.kind, TroubleKind::Limit | TroubleKind::Failure);
        self.out.troubles.extend(found.into_iter().filter(of_call));
        if self.out.troubles.len() < from + all {
            let unread = Effect::of(Verb::Unknown, ["text"]).when(When::Task);
            self.emit(unread.spanning(span));
        }
    }
}

/// Returns the variables that a call sets: `make PREFIX=/usr install`.
fn assigned(args: &[Arg]) -> Vec<(String, String)> {
    let words = args.iter().skip(1).filter_map(Arg::text);
    words
        .filter_map(|it| it.split_once('='))
        .filter(|(name, _)| !name.starts_with('-'))
        .map(|(name, value)| {
            (
                name.trim_end_matches([':', '?', '+']).to_owned(),
                value.to_owned(),
            )
        })
        .collect()
}
