//! Finds the file that says what a task runs, and the files that it takes in.

use belay_knowledge::Knowledge;
use belay_model::{Answer, Effect, Question, Span, Verb};

use super::notation::Notation;
use crate::effects::called::Called;
use crate::machine::state::State;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

/// How many bytes of a manifest are read.
const MANIFEST: u32 = 512 * 1024;

/// How many folders above the working folder are searched for a manifest.
const ABOVE: usize = 12;

/// How many files a manifest may take in.
const INCLUDED: usize = 64;

/// A file that says what tasks run.
pub(super) struct Manifest {
    pub(super) text: String,
    /// Whether this session wrote it.
    pub(super) is_new: bool,
}

impl Walker<'_> {
    /// Finds the manifest of a task: the one the call names, or the nearest of these names.
    pub(super) fn manifest(
        &mut self,
        names: &[&str],
        called: &Called<'_>,
        state: &State,
    ) -> Option<Manifest> {
        let cwd = state.cwd.clone()?;
        let knowledge = self.scene.knowledge;
        let notation = Notation::of(called.tool, knowledge);
        if let Some(path) = named_files(called, knowledge).first() {
            let path = self.absolute(path, state)?;
            return self.manifest_at(path, called.span, state);
        }
        let workspaces = match notation {
            Some(Notation::PackageJson) => workspaces(called),
            Some(_) | None => Vec::new(),
        };
        for place in workspaces {
            let path = self.absolute(&format!("{place}/package.json"), state)?;
            if let Some(found) = self.manifest_at(path, called.span, state) {
                return Some(found);
            }
        }
        let mut folder = cwd.as_str();
        for _ in 0..ABOVE {
            for name in names {
                let path = format!("{}/{name}", folder.trim_end_matches('/'));
                if let Some(found) = self.manifest_at(path, called.span, state) {
                    return Some(found);
                }
            }
            // Make looks in the working folder alone; nobody looks above the project.
            if notation == Some(Notation::Makefile)
                || self.scene.frame.roots.iter().any(|it| it == folder)
            {
                return None;
            }
            folder = folder
                .rsplit_once('/')
                .map(|(above, _)| above)
                .filter(|it| !it.is_empty())?;
        }
        None
    }

    /// Returns all manifests of services: those the call names, or the usual one and what overrides it.
    pub(super) fn manifests(
        &mut self,
        names: &[&str],
        called: &Called<'_>,
        state: &State,
    ) -> Vec<Manifest> {
        let mut found = Vec::new();
        let named = named_files(called, self.scene.knowledge);
        for path in named.iter().take(INCLUDED) {
            let path = self.absolute(path, state);
            found.extend(path.and_then(|it| self.manifest_at(it, called.span, state)));
        }
        if named.is_empty() {
            found.extend(self.manifest(names, called, state));
            let overrides: Vec<String> = names
                .iter()
                .map(|it| it.replacen(".y", ".override.y", 1))
                .collect();
            let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
            found.extend(self.manifest(&overrides, called, state));
        }
        found
    }

    /// Adds the files that a manifest takes in.
    pub(super) fn with_included(
        &mut self,
        mut manifest: Manifest,
        called: &Called<'_>,
        state: &State,
    ) -> Manifest {
        let notation = Notation::of(called.tool, self.scene.knowledge);
        let mut files = included(notation, &manifest.text);
        let mut at = 0;
        while let Some(file) = files.get(at).filter(|_| at < INCLUDED).cloned() {
            at += 1;
            if !self.in_project(&file, state) {
                let place = self.place(&Val::known(file.clone()), state.cwd.as_deref());
                self.emit(Effect::on(Verb::Run, place).spanning(called.span));
            }
            let path = self.absolute(&file, state);
            let Some(more) = path.and_then(|it| self.manifest_at(it, called.span, state)) else {
                continue;
            };
            for next in included(notation, &more.text) {
                if !files.contains(&next) {
                    files.push(next);
                }
            }
            manifest.text.push('\n');
            manifest.text.push_str(&more.text);
            manifest.is_new |= more.is_new;
        }
        manifest
    }

    fn manifest_at(&mut self, path: String, span: Span, state: &State) -> Option<Manifest> {
        let note = state.files.get(&path);
        if let Some(text) = note.as_ref().and_then(|it| it.text.clone()) {
            return Some(Manifest { text, is_new: true });
        }
        if note.is_some_and(|it| it.copied) {
            self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span));
            return None;
        }
        let world = self.scene.frame.world;
        let Answer::Text(bytes, true) = world.ask(&Question::Text(path.clone(), MANIFEST)) else {
            return None;
        };
        let origin = world.ask(&Question::Provenance(path.clone()));
        let outside = self.outside(&Val::known(path.clone()), state);
        if !outside.is_nothing() || self.is_behind_link(&path) {
            let place = self.place(&Val::known(path), None);
            let effect = Effect::on(Verb::Run, place).carrying(outside);
            self.emit(effect.spanning(span));
        }
        Some(Manifest {
            text: String::from_utf8(bytes).ok()?,
            is_new: matches!(origin, Answer::Name(_)),
        })
    }

    /// Tells whether a link on the way to a file in the project leads to another one: that is the one that is run.
    fn is_behind_link(&self, path: &str) -> bool {
        let frame = self.scene.frame;
        let led = |path: &str| match frame.world.ask(&Question::Resolve(path.to_owned())) {
            Answer::Path(real) => Some(real),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        };
        let Some(real) = led(path).filter(|it| it != path) else {
            return false;
        };
        // The whole project may lie behind a link.
        !frame.roots.iter().any(|root| {
            let below = path.strip_prefix(root.as_str());
            let whole = below.and_then(|rest| Some([led(root)?.as_str(), rest].concat()));
            whole.is_some_and(|it| it == real)
        })
    }
}

/// Returns the files that a manifest takes in.
fn included(notation: Option<Notation>, text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_end);
    let named = |line: &str| -> Vec<String> {
        let words: &[&str] = match notation {
            Some(Notation::Makefile) => &["include ", "-include ", "sinclude "],
            Some(Notation::Justfile) => &["import ", "import? "],
            Some(_) | None => &[],
        };
        let rest = words.iter().find_map(|it| line.strip_prefix(it));
        let files = rest.unwrap_or_default().split_whitespace();
        files
            .map(|it| it.trim_matches(['\'', '"']).to_owned())
            .filter(|it| !it.contains(['$', '*']))
            .collect()
    };
    lines.flat_map(named).take(INCLUDED).collect()
}

/// Returns the folders in which the package that a call names may lie.
fn workspaces(called: &Called<'_>) -> Vec<String> {
    let mut names = values(called.args, &["-w", "--workspace", "--filter", "-F"]);
    let mut words = called.args.iter().filter_map(Arg::text);
    if words.any(|it| it == "workspace") {
        names.extend(words.next());
    }
    let places = ["", "packages/", "apps/", "libs/", "services/", "modules/"];
    let of = |name: &str| -> Vec<String> {
        let own = name.rsplit('/').next().unwrap_or(name);
        let mut all = vec![name.to_owned()];
        all.extend(places.iter().map(|place| format!("{place}{own}")));
        all
    };
    let plain = |it: &&str| !it.is_empty() && !it.contains(['*', '!', '{', '[']);
    names.into_iter().filter(plain).flat_map(of).collect()
}

/// Returns the manifests that a call names itself: `make -f FILE`, `just --justfile FILE`.
pub(super) fn named_files<'a>(called: &Called<'a>, knowledge: &Knowledge) -> Vec<&'a str> {
    let flags = knowledge.all_said("task-file-flags", called.tool);
    values(called.args, &flags.collect::<Vec<_>>())
}

/// Returns the values of flags, in their order.
fn values<'a>(args: &'a [Arg], flags: &[&str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut words = args.iter().filter_map(Arg::text);
    while let Some(word) = words.next() {
        if flags.contains(&word) {
            found.extend(words.next());
            continue;
        }
        found.extend(flags.iter().find_map(|flag| {
            let rest = word.strip_prefix(flag)?;
            if flag.starts_with("--") {
                rest.strip_prefix('=')
            } else {
                Some(rest)
            }
        }));
    }
    found
}
