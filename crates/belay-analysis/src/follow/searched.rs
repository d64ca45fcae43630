//! Scripts that a pattern finds: each is run as if it were named.

use belay_model::{Answer, Effect, Question, Verb};

use crate::effects::called::Script;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::Walker;

/// A folder of more names is not looked through.
const LOOKED_AT: u32 = 512;

/// So many scripts are read.
const MOST: usize = 24;

impl Walker<'_> {
    /// Runs what a pattern finds; nothing where no pattern stands. What cannot be found beforehand was not read.
    pub(crate) fn start_found(
        &mut self,
        run: &Script<'_>,
        state: &mut State,
        input: &Stream,
    ) -> Option<Stream> {
        let Text::Glob(pattern) = &run.file.text else {
            return None;
        };
        let Some(files) = self.found_files(pattern, state) else {
            // A search that may find none or several is doubted where its words are read.
            let mut words = run.args.iter();
            let searched = words.any(|it: &Arg| it.many && it.val == *run.file);
            if !searched {
                let span = run.args.first().map(|it| it.span).unwrap_or_default();
                self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span));
            }
            return None;
        };
        let mut output = Stream::nothing();
        for file in files {
            let file = Val::known(file).carrying(run.file.carries);
            let one = Script {
                file: &file,
                args: run.args,
                shell: run.shell,
            };
            output = output.or(self.start_file(&one, state, input));
        }
        Some(output)
    }

    /// Returns what a pattern finds in one folder, where nothing that was done before can have changed that.
    fn found_files(&self, pattern: &str, state: &State) -> Option<Vec<String>> {
        let (folder, name) = pattern.rsplit_once('/').unwrap_or((".", pattern));
        let wild = |it: &str| it.contains(['*', '?', '[', '(', '\\']);
        let plain = !wild(folder) && !name.contains(['[', '(', '\\']);
        if !plain || state.options.finds_more() {
            return None;
        }
        let path = self.absolute(folder, state)?;
        if self.may_have_done(|it| self.may_reach(it, &path)) {
            return None;
        }
        let world = self.scene.frame.world;
        let Answer::Names(names) = world.ask(&Question::Entries(path, LOOKED_AT)) else {
            return None;
        };
        if names.len() >= LOOKED_AT as usize {
            return None;
        }
        let found: Vec<String> = names
            .iter()
            .filter(|it| !it.starts_with('.') && belay_places::matches_name(name, it))
            .map(|it| format!("{folder}/{it}"))
            .collect();
        (!found.is_empty() && found.len() <= MOST).then_some(found)
    }
}
