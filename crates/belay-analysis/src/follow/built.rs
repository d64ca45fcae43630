//! Programs that are built: the texts they are built of, the file that stands for a folder, the flags that every
//! program of a kind has.

use belay_model::{At, Effect, How, Verb};

use crate::effects::called::Script;
use crate::follow::tasks::entry;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// Flags of programs that a tool builds, whose values are files that are written.
const WRITING: &str = "built-writing-flags";

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
}
