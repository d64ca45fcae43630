//! What tools load by themselves: files by their usual names, and all that lies in a folder from outside.

use belay_languages::Language;
use belay_model::{Answer, At, Carries, Effect, Question, Span, Verb};

use crate::effects::called::{Called, Script};
use crate::machine::state::State;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

/// So many files that earlier calls wrote are read when a tool loads them; of more than that nobody knows what they do.
const READ: usize = 256;

impl Walker<'_> {
    /// Says what a tool runs that came from outside: its own files, and those that the call names.
    pub(crate) fn load_outside(&mut self, called: &Called<'_>, state: &State) {
        if self.at != At::Here {
            return;
        }
        let Some(cwd) = state.cwd.clone() else {
            return;
        };
        let mut found: Vec<(String, Carries)> = Vec::new();
        let here = self.around(&cwd, state);
        if !here.is_nothing() {
            found.push((cwd.clone(), here));
        }
        for (path, labels) in self.outside_below(&cwd, state) {
            if self.loads_file(called.tool, &cwd, &path) {
                // What was rewritten since is not what came.
                let now = self.outside(&Val::known(path.clone()), state);
                found.push((path, labels.only(now)));
            }
        }
        let named = if here.is_nothing() {
            self.named_folders(called.args, state)
        } else {
            Vec::new()
        };
        for path in named {
            let labels = self.outside(&Val::known(path.clone()), state);
            found.push((path, labels.only(Carries::FOREIGN)));
        }
        for (path, labels) in found {
            self.ran_outside(&path, labels, called.span);
        }
        self.load_written(called, &cwd, state);
        self.load_made(called, &cwd, state);
        if let Some(ecosystem) = self.scene.knowledge.said("installs-first", called.tool) {
            let called = Called {
                tool: ecosystem,
                ..*called
            };
            self.declared_here(&called, state);
        }
    }

    /// A program may load whatever lies in its project in its language, by way of others too: what came from outside
    /// is run with it.
    pub(crate) fn load_beside(&mut self, language: &str, run: &Script<'_>, state: &State) {
        let Some(base) = self.project_of(state).filter(|_| self.at == At::Here) else {
            return;
        };
        let own = run.file.text().and_then(|it| self.absolute(it, state));
        let span = run.args.first().map(|it| it.span).unwrap_or_default();
        for (path, labels) in self.outside_below(&base, state) {
            if own.as_ref() != Some(&path) && self.loads_file(language, &base, &path) {
                // What was rewritten since is not what came.
                let now = self.outside(&Val::known(path.clone()), state);
                self.ran_outside(&path, labels.only(now), span);
            }
        }
    }

    /// Says that a package runs which came from outside, or a part of it did. What this call wrote of it is read.
    pub(crate) fn load_package(&mut self, name: &str, span: Span, state: &State) {
        let Some(base) = self.project_of(state).filter(|_| self.at == At::Here) else {
            return;
        };
        let folders = self.scene.knowledge.words_of("package-folders");
        let folders: Vec<String> = folders.map(|it| format!("{base}/{it}/{name}")).collect();
        for folder in folders {
            for (path, labels) in self.outside_below(&folder, state) {
                self.ran_outside(&path, labels, span);
            }
            for path in state.files.written_below(&folder) {
                if self.calls.contains(&path) {
                    continue;
                }
                let by = [Arg::known(Language::JavaScript.word(), span)];
                let file = Val::known(path.clone());
                self.calls.push(path);
                self.load_file(&Script::named(&file, &by), &mut state.clone());
                self.calls.pop();
            }
        }
    }

    /// Returns the root of the project that we are in, or else the folder.
    fn project_of(&self, state: &State) -> Option<String> {
        let cwd = state.cwd.as_deref()?;
        let within = |it: &&String| belay_places::Path::new(cwd).is_within(it);
        let root = self.scene.frame.roots.iter().find(within);
        Some(root.map_or(cwd, String::as_str).to_owned())
    }

    /// What this very call wrote and a tool then loads by itself is judged by its text.
    fn load_written(&mut self, called: &Called<'_>, cwd: &str, state: &State) {
        let written = state.files.written_below(cwd).into_iter();
        for path in written.chain(state.files.unread_below(cwd)) {
            if !self.loads_file(called.tool, cwd, &path) || self.calls.contains(&path) {
                continue;
            }
            let by = [Arg::known(called.tool, called.span)];
            let file = Val::known(path.clone());
            self.calls.push(path);
            self.load_file(&Script::named(&file, &by), &mut state.clone());
            self.calls.pop();
        }
    }

    /// What earlier calls of this session wrote and a tool then loads by itself is read as a program of the project is.
    fn load_made(&mut self, called: &Called<'_>, cwd: &str, state: &State) {
        let made = Question::Brought(cwd.to_owned());
        let Answer::Names(names) = self.scene.frame.world.ask(&made) else {
            return;
        };
        let made = names.iter().filter_map(|it| it.strip_prefix("written "));
        let loaded: Vec<&str> = made
            .filter(|it| self.loads_file(called.tool, cwd, it))
            .collect();
        if loaded.len() > READ {
            self.limit("too many files of this session are loaded", called.span);
        }
        for path in loaded.into_iter().take(READ) {
            let by = [Arg::known(called.tool, called.span)];
            let file = Val::known(path);
            self.project_code(&Script::named(&file, &by), &mut state.clone());
        }
    }

    /// What this session wrote into a manifest nobody declared: installing it is installing by name.
    pub(crate) fn declared_here(&mut self, called: &Called<'_>, state: &State) {
        let Some(cwd) = state.cwd.as_deref().filter(|_| self.at == At::Here) else {
            return;
        };
        let knowledge = self.scene.knowledge;
        let manifests = knowledge.all_said("manifests", called.tool);
        let mut paths = manifests.map(|it| belay_places::Path::joined(cwd, it).into_text());
        let mut added = self.added_before(called.tool, cwd);
        if paths.any(|it| state.files.contains_key(&it)) {
            added.push("added".to_owned());
        }
        for path in self.named_folders(called.args, state) {
            let is_file = matches!(self.scene.frame.world.ask(&Question::Kind(path.clone())), Answer::Name(it) if it == "file");
            if is_file {
                added.extend(self.added_before(called.tool, &path));
            }
        }
        added.sort_unstable();
        added.dedup();
        for name in added {
            let effect = Effect::of(Verb::Install, [called.tool, &name]);
            self.emit(effect.spanning(called.span));
        }
    }

    /// Returns the packages that earlier calls of this session wrote into manifests of the project.
    fn added_before(&self, ecosystem: &str, cwd: &str) -> Vec<String> {
        let question = Question::Added(cwd.to_owned(), ecosystem.to_owned());
        match self.scene.frame.world.ask(&question) {
            Answer::Names(names) => names,
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Vec::new(),
        }
    }

    fn ran_outside(&mut self, path: &str, labels: Carries, span: Span) {
        if labels.is_nothing() {
            return;
        }
        let place = self.place(&Val::known(path), None);
        let effect = Effect::on(Verb::Run, place).carrying(labels);
        self.emit(effect.spanning(span));
    }

    /// Returns the labels of the folder a tool works in: all of it may be loaded.
    fn around(&self, cwd: &str, state: &State) -> Carries {
        let is_root = self.scene.frame.roots.iter().any(|it| it == cwd);
        let labels = if is_root {
            // What the session brought into the project is told file by file.
            state.files.arrived(cwd, &|| true)
        } else {
            self.outside(&Val::known(cwd), state)
        };
        labels.only(Carries::FOREIGN)
    }

    /// Tells whether a tool loads a file by itself, by its name or by its ending.
    fn loads_file(&self, tool: &str, cwd: &str, path: &str) -> bool {
        let Some(below) = path
            .strip_prefix(cwd.trim_end_matches('/'))
            .and_then(|it| it.strip_prefix('/'))
        else {
            return false;
        };
        let name = below.rsplit('/').next().unwrap_or(below);
        let knowledge = self.scene.knowledge;
        let every = knowledge.all_said("loads", "*");
        let mut patterns = knowledge.all_said("loads", tool).chain(every);
        patterns.any(|it| {
            let text = if it.contains('/') { below } else { name };
            belay_places::matches_path(it, text)
        })
    }

    /// Returns the places that a call's words name.
    fn named_folders(&self, args: &[Arg], state: &State) -> Vec<String> {
        let words = args.iter().skip(1).filter_map(Arg::text);
        let values = words.map(|it| match it.split_once('=') {
            Some((flag, value)) if flag.starts_with('-') => value,
            Some(_) | None => it,
        });
        values
            .filter(|it| !it.is_empty() && !it.starts_with('-') && !it.contains("://"))
            .map(|it| it.trim_end_matches("/..."))
            .filter_map(|it| self.absolute(it, state))
            .filter(|it| Some(it) != state.cwd.as_ref())
            .collect()
    }
}
