//! Where copies land: under which names, and whether a whole folder comes with them.

use belay_knowledge::{Deed, Flow};
use belay_model::{Answer, Carries, Place, Question, Scope, Verb};

use crate::effects::acts::Stated;
use crate::effects::arrivals::Arrival;
use crate::machine::came::Came;
use crate::machine::files::Note;
use crate::machine::flows::Flows;
use crate::machine::state::State;
use crate::machine::value::{Text, Val, escape};
use crate::machine::walk::Walker;

/// Of so many effects nobody looks for the one that made a folder.
const MANY: usize = 256;

/// So many names are told apart; of more, the folder is written.
const NAMES: usize = 32;

impl Walker<'_> {
    /// Returns what a command writes when it copies into a folder: a file of each source's name.
    pub(crate) fn landing(&self, val: &Val, arrival: Arrival<'_>, state: &State) -> Vec<Val> {
        let flows = arrival.flows;
        let whole = || vec![val.clone()];
        let Some(folder) = val.text().filter(|_| flows.deeds.has(Deed::Copies)) else {
            return whole();
        };
        let deep = self.is_told("keeps-whole-paths", arrival);
        let there = self.names_folder(val, state);
        // No folder has an empty name: who writes there fails.
        if deep || folder.is_empty() || !(there || self.may_be_made(val, state)) {
            return whole();
        }
        let sources = copied(val, arrival);
        let names: Option<Vec<Val>> = sources.iter().map(|it| inside(folder, it)).collect();
        let mut names = names
            .filter(|it| !it.is_empty() && it.len() <= NAMES)
            .unwrap_or_else(whole);
        let replaced = !there
            || self.is_told("takes-the-folders-place", arrival)
            || self.may_be_gone(val, state);
        if replaced && !names.contains(val) {
            names.push(val.clone());
        }
        names
    }

    /// Returns the names of what a command writes, or does anything else to.
    pub(crate) fn names_of(
        &self,
        stated: &Stated<'_>,
        state: &State,
        flows: &Flows<'_>,
    ) -> Vec<Val> {
        let [piece] = stated.target else {
            return Vec::new();
        };
        let mut named = self.named_after(stated.with, piece, flows.args);
        named.extend(self.named_inside(stated, state, flows));
        if stated.with.contains(&Flow::Making) {
            named.retain(|it| !self.lies_still(it, state));
        }
        named
    }

    /// Returns what a command makes in a folder beside the files that land there: `d/a~` where `a` is copied to `d`.
    fn named_inside(&self, stated: &Stated<'_>, state: &State, flows: &Flows<'_>) -> Vec<Val> {
        let [piece] = stated.target else {
            return Vec::new();
        };
        let ends = |it: &Flow<'_>| matches!(it, Flow::Ending(_));
        if !stated.with.iter().any(ends) {
            return Vec::new();
        }
        let args = flows.args;
        let folder = self.piece(*piece, args);
        let arrival = Arrival {
            how: stated.how,
            carries: Carries::NOTHING,
            span: stated.span,
            args,
            flows,
        };
        let mut names = self.landing(&folder, arrival, state);
        names.retain(|it| *it != folder);
        let names = names.into_iter();
        names
            .map(|it| self.derived(it, stated.with, args))
            .collect()
    }

    /// Tells whether this call may have made a folder there: what comes then goes into it.
    fn may_be_made(&self, folder: &Val, state: &State) -> bool {
        let frame = self.scene.frame;
        let Some(path) = folder.text().and_then(|it| self.absolute(it, state)) else {
            return true;
        };
        // What was written as a text is a file.
        if state.files.get(&path).is_some_and(|it| it.text.is_some()) {
            return false;
        }
        let path = belay_places::Path::new(&path);
        // What the copying command did so far made no folder.
        let told = self.out.invocations.last().map(|it| it.from);
        let before = told.and_then(|it| self.out.effects.get(..it));
        let before = before.unwrap_or(&self.out.effects);
        before.len() > MANY
            || before.iter().any(|it| {
                let known = it.place().and_then(Place::known);
                let place =
                    known.and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()));
                let unread = matches!(it.verb, Verb::Run | Verb::Eval | Verb::Unknown);
                let written = matches!(it.verb, Verb::Write | Verb::Move);
                unread || written && place.is_none_or(|it| path.is_within(it.text()))
            })
    }

    /// Tells whether this call may have moved or deleted a folder: what comes then takes its place.
    fn may_be_gone(&self, folder: &Val, state: &State) -> bool {
        let frame = self.scene.frame;
        let Some(path) = folder.text().and_then(|it| self.absolute(it, state)) else {
            return true;
        };
        let path = belay_places::Path::new(&path);
        self.may_have_done(|it| {
            let known = it.place().and_then(Place::known);
            let place = known.and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()));
            matches!(it.verb, Verb::Move | Verb::Delete)
                && place.is_none_or(|it| path.is_within(it.text()))
        })
    }

    /// Tells whether a whole folder may come with what is copied: nobody has seen that each source is a file.
    pub(crate) fn brings_folder(&self, val: &Val, arrival: Arrival<'_>, state: &State) -> bool {
        let mut sources = copied(val, arrival).into_iter();
        self.is_told("keeps-whole-paths", arrival)
            || sources.any(|it| !self.is_plain_file(it, state))
    }

    fn is_plain_file(&self, source: &Val, state: &State) -> bool {
        let Some(path) = source.text().and_then(|it| self.absolute(it, state)) else {
            return false;
        };
        match state.files.get(&path) {
            Some(note) => note.text.is_some(),
            None => {
                let kind = self.scene.frame.world.ask(&Question::Kind(path));
                matches!(kind, Answer::Name(it) if it == "file")
            }
        }
    }

    /// Remembers that whatever lies below a place may be new, and was not read.
    pub(crate) fn note_below(&self, val: &Val, arrival: Arrival<'_>, state: &mut State) {
        let note = Note {
            came: self.came(val, arrival, state),
            ..Note::unread(arrival.carries)
        };
        self.note_all_below(val, &note, state);
    }

    /// Remembers the same of everything below a place.
    pub(crate) fn note_all_below(&self, val: &Val, note: &Note, state: &mut State) {
        for choice in val.choices() {
            // The place itself has a note of its own.
            let below = match &choice.text {
                Text::Known(text) => format!("{}/*/**", escape(text.trim_end_matches('/'))),
                Text::Glob(text) => format!("{}/*/**", text.trim_end_matches('/')),
                // Of what is written nobody knows where, all is unread already.
                Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => continue,
            };
            self.note(&Val::glob(below), note.clone(), state);
        }
    }

    /// Returns which folder comes here as a whole, where it is one of the project's that this call left alone.
    fn came(&self, val: &Val, arrival: Arrival<'_>, state: &State) -> Option<Came> {
        let program = arrival.flows.path.first()?;
        let as_it_is = self.scene.knowledge.lists("copies-as-it-is", program)
            && !self.is_told("keeps-whole-paths", arrival);
        let landed = val.text()?;
        // The folder into which it goes is no source.
        let goes_into = |it: &&Val| {
            let folder = it.text().map(|it| it.trim_end_matches('/'));
            folder.is_some_and(|it| {
                landed
                    .strip_prefix(it)
                    .is_some_and(|it| it.starts_with('/'))
            })
        };
        let mut sources = copied(val, arrival);
        sources.retain(|it| !goes_into(it));
        let [source] = sources[..] else {
            return None;
        };
        let to = self.absolute(landed, state)?;
        let from = self.absolute(source.text()?, state).filter(|_| as_it_is)?;
        let plain = |it: String| it.trim_end_matches("/.").trim_end_matches('/').to_owned();
        let [from, to] = [from, to].map(plain);
        let whole = !state.files.contains_key(&from) && !state.files.touches(&from);
        let path = belay_places::Path::new(&from);
        let own = belay_places::scope_of(&path, self.scene.frame) == Scope::Project;
        (whole && own).then_some(Came { from, to })
    }
}

/// Returns the words that name what is copied. The names of sub-commands are no sources.
pub(crate) fn copied<'a>(val: &Val, arrival: Arrival<'a>) -> Vec<&'a Val> {
    let Arrival { args, flows, .. } = arrival;
    let mut commands = flows.path.iter().skip(1).peekable();
    let words = args.iter().skip(1).map(|it| &it.val);
    let words = words.filter(|it| commands.next_if(|name| it.text() == Some(name)).is_none());
    words
        .filter(|it| *it != val && it.text().is_none_or(|it| !it.starts_with('-')))
        .collect()
}

/// Returns where a source lies once it was copied into a folder; `None` where its contents go there.
fn inside(folder: &str, source: &Val) -> Option<Val> {
    let folder = folder.trim_end_matches('/');
    let name = |text: &str| -> Option<String> {
        let path = text.split_once(':').map_or(text, |(_, path)| path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let plain = !matches!(name, "" | "." | "..");
        plain.then(|| format!("{folder}/{name}"))
    };
    match &source.text {
        Text::Known(text) => name(text).map(Val::known),
        Text::Glob(text) => name(text).map(Val::glob),
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
    }
}
