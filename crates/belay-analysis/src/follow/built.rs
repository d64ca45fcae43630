//! Texts that are loaded, or that programs are built of; the file that stands for a folder, and the flags that every
//! program of a kind has.

use belay_languages::Language;
use belay_model::{Answer, At, Effect, How, Place, Question, Target, Verb};

use crate::effects::called::Script;
use crate::follow::doings::Done;
use crate::follow::tasks::entry;
use crate::machine::flows::Flows;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// Flags of programs that a tool builds, whose values are files that are written.
const WRITING: &str = "built-writing-flags";

/// How many bytes of a file as it was are read.
const BEFORE: u32 = 64 * 1024;

/// A text that a tool loads.
#[derive(Clone, Copy)]
pub(super) struct Loaded<'a> {
    pub(super) text: &'a str,
    pub(super) language: &'a str,
}

impl Walker<'_> {
    /// Looks into a text that a program is built of, where this session wrote it or it comes in by itself.
    pub(crate) fn build_text(&mut self, run: &Script<'_>, state: &State, input: &Stream) {
        if matches!(run.file.text(), Some("-" | "/dev/stdin")) {
            if let Some(text) = input.text.as_ref().and_then(Val::text) {
                self.handed(text, run, state);
            }
            return;
        }
        let path = run.file.text().and_then(|it| self.absolute(it, state));
        let Some(path) = path.filter(|it| !self.calls.contains(it)) else {
            return;
        };
        // What is not known of it, the project may have built or brought: building is not running.
        let written = self.written_text(run, state);
        let Some(text) = written.map(|(text, _)| text) else {
            return;
        };
        self.calls.push(path);
        self.handed(&text, run, state);
        self.calls.pop();
    }

    /// Returns the file that a folder's manifest says is run in its place, where this session wrote it. One that is
    /// not there may be anything by then.
    pub(super) fn entry_of(
        &mut self,
        folder: &str,
        run: &Script<'_>,
        state: &State,
    ) -> Option<String> {
        let manifest = Val::known(format!("{folder}/package.json"));
        let entry = entry(&self.text_in(&manifest, state)?)?;
        let path = self.absolute(&format!("{folder}/{entry}"), state)?;
        let ends = ["", ".js", ".cjs", ".mjs", ".json", "/index.js"];
        let paths: Vec<String> = ends.iter().map(|it| format!("{path}{it}")).collect();
        let made = |it: &&String| state.files.contains_key(it) || self.was_made(it);
        let found = paths.iter().find(made).cloned();
        let missing = |it: &String| self.is_not_there(&Val::known(it.clone()), state);
        let ours = || state.files.contains_key(&format!("{folder}/package.json"));
        if found.is_none() && ours() && paths.iter().all(missing) {
            let span = run.args.first().map(|it| it.span).unwrap_or_default();
            self.emit(Effect::of(Verb::Unknown, ["script", &entry]).spanning(span));
        }
        found
    }

    /// Writes the files that flags name which every program of a kind has, whoever wrote it.
    pub(super) fn written_by_flags(&mut self, run: &Script<'_>, state: &State) {
        if self.at != At::Here {
            return;
        }
        let mut words = run.args.iter();
        while let Some(word) = words.next() {
            let text = word.text().unwrap_or_default();
            let (flag, glued) = match text.split_once('=') {
                Some((flag, value)) => (flag, Some(Val::known(value))),
                None => (text, None),
            };
            // Two dashes mean what one does.
            let flag = flag
                .strip_prefix('-')
                .filter(|it| it.starts_with('-'))
                .unwrap_or(flag);
            if self.scene.knowledge.lists(WRITING, flag) {
                let value = glued.or_else(|| words.next().map(|it| it.val.clone()));
                let touch = Touch::new(How::Plain, word.span);
                self.write_place(&value.unwrap_or_else(Val::unknown), touch, state);
            }
        }
    }

    /// Does what a text does that a tool loads.
    pub(super) fn load_text(&mut self, loaded: Loaded<'_>, run: &Script<'_>, state: &mut State) {
        let Loaded { text, language } = loaded;
        let span = run.args.first().map(|it| it.span).unwrap_or_default();
        let Some(doings) = belay_languages::read(language, text) else {
            self.handed(text, run, state);
            return;
        };
        self.done(Done { doings, span }, state, &mut Flows::default());
        if language == Language::Python.word() {
            self.lent_functions(text, span, state);
        }
    }

    /// Returns what a file of the project held before this call only added to it. What the session wrote or brought before is nobody's
    /// own.
    pub(super) fn text_before(&self, run: &Script<'_>, now: &str, state: &State) -> Option<String> {
        let path = run.file.text().and_then(|it| self.absolute(it, state))?;
        let world = self.scene.frame.world;
        if let Answer::Name(_) = world.ask(&Question::Provenance(path.clone())) {
            return None;
        }
        let Answer::Text(bytes, true) = world.ask(&Question::Text(path, BEFORE)) else {
            return None;
        };
        let before = String::from_utf8(bytes).ok()?;
        (before.len() < now.len() && now.starts_with(&before)).then_some(before)
    }

    /// Returns what a program did before it was added to, and leaves no trace of having looked.
    pub(super) fn did_before(
        &mut self,
        loaded: Loaded<'_>,
        run: &Script<'_>,
        state: &State,
    ) -> Vec<Effect> {
        let (effects, commands) = (self.out.effects.len(), self.out.invocations.len());
        self.load_text(loaded, run, &mut state.clone());
        self.out.invocations.truncate(commands);
        self.out.effects.split_off(effects)
    }

    /// Drops what a program did before, too: that is the project's own. What is not known by name may be another act of the same look.
    pub(super) fn drop_what_it_did(&mut self, from: usize, had: &[Effect]) {
        let known = |it: &Effect| {
            matches!(&it.target, Target::Place(Place::Exact(_)))
                && !matches!(it.verb, Verb::Unknown | Verb::Eval | Verb::Run)
        };
        let now = self.out.effects.split_off(from);
        let added = now.into_iter().filter(|it| !known(it) || !had.contains(it));
        self.out.effects.extend(added);
        // Commands in it answer for all that was added.
        let to = self.out.effects.len();
        for it in self.out.invocations.iter_mut().filter(|it| it.to > from) {
            it.to = to;
            it.from = it.from.min(from);
        }
    }
}
