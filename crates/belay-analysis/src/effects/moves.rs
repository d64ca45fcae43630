//! Things that are moved or linked: where they are afterwards.

use belay_model::{Effect, How, Verb};

use crate::effects::acts::Touched;
use crate::machine::places::is_sink;
use crate::machine::state::State;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Takes a thing from its place; into a sink it is gone.
    pub(crate) fn moved(&mut self, touched: Touched<'_>, args: &[Arg], state: &mut State) {
        let Touched { effect, val } = touched;
        let Some(to) = args.last().map(|it| it.val.clone()) else {
            return;
        };
        // However it is spelled: `//dev/null` is the same sink.
        let sinks = |it: &Val| {
            let path = it.text().and_then(|it| self.absolute(it, state));
            path.is_some_and(|it| is_sink(&Val::known(belay_places::Path::new(&it).text())))
        };
        let verb = if is_sink(&to) || to.choices().iter().any(sinks) {
            Verb::Delete
        } else {
            Verb::Move
        };
        let effect = Effect { verb, ..effect };
        self.change_place(&effect, val, state);
        if let Some(to) = to.text().and_then(|it| self.absolute(it, state)) {
            state.moved.push((val.clone(), to));
        }
        let here = |it: &Val| {
            let path = it.text().and_then(|it| self.absolute(it, state));
            let cwd = state.cwd.as_deref().map(belay_places::Path::new);
            path.zip(cwd)
                .is_some_and(|(path, cwd)| cwd.is_within(&path))
        };
        if val.choices().iter().any(here) {
            // With the folder we are in, relative paths lie elsewhere.
            state.lose_folder();
        }
    }

    /// What was moved into a folder that is deleted now is deleted with it.
    pub(crate) fn moved_before(&mut self, effect: &Effect, val: &Val, state: &State) {
        let Some(path) = val.text().and_then(|it| self.absolute(it, state)) else {
            return;
        };
        for (source, to) in state.moved.iter() {
            if belay_places::Path::new(to).is_within(&path) {
                self.change_place(&effect.clone().how(How::Tree), source, state);
            }
        }
    }
}

/// Returns what a symbolic link leads to: its text is read from the link's own folder.
pub(crate) fn linked(val: &Val, args: &[Arg]) -> Val {
    let symbolic = args.iter().filter_map(Arg::text).any(|it| {
        it == "--symbolic" || it.starts_with('-') && !it.starts_with("--") && it.contains('s')
    });
    let relative = val.text().is_some_and(|it| !it.starts_with('/'));
    let folder = args
        .last()
        .and_then(Arg::text)
        .and_then(|it| it.rsplit_once('/'))
        .map(|(folder, _)| folder);
    match (symbolic && relative, folder) {
        (true, Some(folder)) => Val::known(format!("{folder}/")).then(val),
        _ => val.clone(),
    }
}
