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
            let span = run.args.first().map(|it: &Arg| it.span).unwrap_or_default();
            self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span));
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
        // A script among them may do as it likes: it is read, or the project's own.
        let changes =
            |it: &Effect| !it.verb.only_looks() && !matches!(it.verb, Verb::Run | Verb::Eval);
        if !plain || state.options.finds_more() || self.may_have_done(changes) {
            return None;
        }
        let path = self.absolute(folder, state)?;
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
