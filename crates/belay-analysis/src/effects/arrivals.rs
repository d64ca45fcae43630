//! What commands write: which labels it gets, and under which names it lies afterwards.

use belay_knowledge::{Deed, Flow, Piece};
use belay_model::{Answer, Carries, How, Place, Question, Scope, Span, Target, Verb};

use crate::machine::came::{Filled, Source};
use crate::machine::files::Note;
use crate::machine::flows::Flows;
use crate::machine::origins::Brought;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::Walker;

/// So many names are told apart; of more, the folder is written.
const NAMES: usize = 32;

/// How many bytes of a file that is copied are read.
const SCRIPT: u32 = 64 * 1024;

/// Something that a command writes.
#[derive(Clone, Copy)]
pub(crate) struct Arrival<'a> {
    pub(crate) how: How,
    /// What flows into it.
    pub(crate) carries: Carries,
    /// Which part of the text says so.
    pub(crate) span: Span,
    /// The command's words.
    pub(crate) args: &'a [Arg],
    /// What else moves through the command.
    pub(crate) flows: &'a Flows<'a>,
}

/// What is in a file that is copied as it is.
struct Copied {
    text: String,
    /// Whether it may not be there, and something else stays where it would come.
    perhaps: bool,
}

impl Walker<'_> {
    /// Writes what a command puts somewhere, under the names it gets there, and remembers where it came from.
    pub(crate) fn write_arrival(&mut self, val: &Val, mut arrival: Arrival<'_>, state: &mut State) {
        arrival.carries = self.arriving(val, arrival, state);
        let builds = arrival.how == How::Built;
        let fills = builds && arrival.flows.deeds.has(Deed::Fills);
        if arrival.how == How::Built && self.builds_foreign(val, arrival, state) {
            arrival.carries = arrival.carries.and(Carries::FOREIGN);
        }
        if arrival.how == How::Built && !self.is_built(val, arrival, state) {
            arrival.how = if fills { How::Tree } else { How::Plain };
        } else if fills {
            let touch = Touch::new(How::Tree, arrival.span).carrying(arrival.carries);
            self.write_place(val, touch, state);
        }
        self.links_land(val, arrival, state);
        let landing = self.landing(val, arrival, state);
        if landing.first() != Some(val) {
            // The folder is written too: what governs may lie right in it.
            let plain = arrival.carries.without(Carries::OUTSIDE);
            self.write_place(
                val,
                Touch::new(arrival.how, arrival.span).carrying(plain),
                state,
            );
        }
        let replaces =
            matches!(arrival.how, How::Plain | How::Built) && self.replaces(val, arrival);
        for val in landing {
            if replaces {
                self.overwritten(&val, arrival.span, state);
            }
            let touch = Touch::new(arrival.how, arrival.span).carrying(arrival.carries);
            self.write_place(&val, touch, state);
            let unread = !builds && self.leaves_unread(&val, arrival, state);
            self.arrived(&val, arrival, state);
            if unread && let Some(path) = val.text().and_then(|it| self.absolute(it, state)) {
                state.files.unread(&path);
            }
        }
        self.links_come(val, arrival, state);
        self.patched(arrival, state);
    }

    /// Tells whether a word other than the target names something that came from a host.
    pub(crate) fn sources(&self, target: &Val, args: &[Arg], state: &State) -> Carries {
        /// So many words are looked at; of more, nobody can tell.
        const LOOKED_AT: usize = 256;
        let words = args
            .iter()
            .skip(1)
            .map(|it| &it.val)
            .filter(|it| *it != target);
        let named = |it: &&Val| it.text().is_some_and(|it| !it.starts_with('-'));
        let labels = |it: &Val| {
            let note = self.note_of(it, state).map(|it| it.carries);
            note.unwrap_or_default()
                .only(Carries::OUTSIDE)
                .and(self.outside(it, state))
                .and(self.held_outside(it, state))
        };
        let named: Vec<&Val> = words.filter(named).take(LOOKED_AT).collect();
        if named.len() == LOOKED_AT {
            return Carries::OUTSIDE;
        }
        named
            .into_iter()
            .fold(Carries::NOTHING, |sum, it| sum.and(labels(it)))
    }

    /// Returns the labels of what lies right in a folder. A folder we stand in holds all kinds of things.
    fn held_outside(&self, folder: &Val, state: &State) -> Carries {
        /// So many names are looked at.
        const LOOKED_AT: u32 = 512;
        let world = self.scene.frame.world;
        let Some(path) = folder.text().and_then(|it| self.absolute(it, state)) else {
            return Carries::NOTHING;
        };
        let around = state
            .cwd
            .as_deref()
            .is_some_and(|it| belay_places::Path::new(it).is_within(&path));
        let is_folder = || matches!(world.ask(&Question::Kind(path.clone())), Answer::Name(it) if it == "folder");
        if around || !is_folder() {
            return Carries::NOTHING;
        }
        match world.ask(&Question::Entries(path.clone(), LOOKED_AT)) {
            Answer::Names(names) => names.iter().fold(Carries::NOTHING, |sum, it| {
                sum.and(self.outside(&Val::known(format!("{path}/{it}")), state))
            }),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Carries::NOTHING,
        }
    }

    /// Tells whether this call read a file that neither the project keeps nor the session made: it may be what comes in.
    fn read_a_stranger(&self, state: &State) -> bool {
        self.out
            .effects
            .iter()
            .any(|it| match (&it.target, it.how) {
                (Target::Place(Place::Exact(path)), How::Plain) if it.verb == Verb::Read => {
                    self.is_stranger(&Val::known(path.clone()), state)
                }
                // Of a folder of the project, what is kept there is the project's.
                (Target::Place(Place::Exact(path)), How::Tree) if it.verb == Verb::Read => {
                    self.lies_outside(path)
                }
                _ => false,
            })
    }

    /// Tells whether a place lies outside the project.
    fn lies_outside(&self, path: &str) -> bool {
        let frame = self.scene.frame;
        let path = belay_places::absolute(path, frame.cwd, frame.home());
        path.is_none_or(|it| {
            !matches!(
                belay_places::scope_of(&it, frame),
                Scope::Project | Scope::ProjectRoot | Scope::ExecutionBearing
            )
        })
    }

    /// Tells whether a command puts something else in the place of a file; what it names twice, it works on.
    fn replaces(&self, val: &Val, arrival: Arrival<'_>) -> bool {
        let knowledge = self.scene.knowledge;
        let program = arrival.flows.path.first();
        let named = arrival.args.iter().filter(|it| it.val == *val).count();
        let replaced = |program: &str| match knowledge.lists("overwrites", program) {
            true => !self.spares(program, arrival.args),
            false => self.is_told("takes-the-place-if-told", arrival),
        };
        named <= 1 && program.is_some_and(|it| replaced(it))
    }

    /// Returns the labels of what a command writes: what flows in, what it copies, what it unpacks.
    fn arriving(&self, val: &Val, arrival: Arrival<'_>, state: &State) -> Carries {
        let flows = arrival.flows;
        let unpacks = flows.deeds.has(Deed::Unpacks);
        if !unpacks && !flows.deeds.has(Deed::Copies) {
            return arrival.carries;
        }
        let named = self.sources(val, arrival.args, state);
        if !unpacks {
            return arrival.carries.and(named);
        }
        let mut input = flows.input.carries.only(Carries::OUTSIDE);
        let unread = flows.input.text.is_none() && flows.input.carries.holds(Carries::CONTENT);
        if unread && self.read_a_stranger(state) {
            input = input.and(Carries::FOREIGN);
        }
        if self.is_archive(val) {
            return arrival.carries.and(packed(named.and(input)));
        }
        let read = flows.carries.only(Carries::OUTSIDE);
        let all = unpacked(named).and(unpacked(input)).and(unpacked(read));
        arrival.carries.and(all)
    }

    /// Returns what a command writes that names its file after an address; the folder where that has no name.
    pub(crate) fn named_after(
        &self,
        with: &[Flow<'_>],
        target: &Piece<'_>,
        args: &[Arg],
    ) -> Vec<Val> {
        let folder = self.piece(*target, args);
        let (Piece::Text(_), Some(base)) = (target, folder.text()) else {
            return vec![self.derived(folder, with, args)];
        };
        let is_tree = with.contains(&Flow::Brought);
        let mut found = Vec::new();
        for flow in with {
            let Flow::Named(address) = flow else { continue };
            let address = self.piece(*address, args);
            let names = match &address.text {
                Text::Known(text) if is_tree => vec![repository_name(text)],
                // What asks a host for something is no pattern: no file has such a name.
                Text::Known(text) | Text::Glob(text) => file_names(text),
                Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => {
                    vec![""]
                }
            };
            for name in names {
                let val = match name {
                    "" => folder.clone(),
                    name if base == "." => Val::known(format!("./{name}")),
                    name => Val::known(format!("{base}/{name}")),
                };
                if !found.contains(&val) {
                    found.push(val);
                }
            }
        }
        if found.is_empty() || found.len() > NAMES {
            return vec![self.derived(folder, with, args)];
        }
        found
    }

    /// Returns the name that a command makes from another: `a.gz` of `a`, `a` of `a.gz`.
    pub(crate) fn derived(&self, name: Val, with: &[Flow<'_>], args: &[Arg]) -> Val {
        let mut name = name;
        for flow in with {
            name = match flow {
                Flow::Ending(piece) => ended(name, &self.piece(*piece, args)),
                Flow::Trimmed(piece) => changed(name, |it| trimmed(it, &self.piece(*piece, args))),
                Flow::Lacking(piece) => changed(name, |it| lacking(it, &self.piece(*piece, args))),
                Flow::Text(_)
                | Flow::Content(_)
                | Flow::Body(_)
                | Flow::Form(_)
                | Flow::Input
                | Flow::Fetched
                | Flow::Brought
                | Flow::Named(_)
                | Flow::Making
                | Flow::Port(_) => name,
            };
        }
        name
    }

    /// Returns the labels of a copy of the project's own repository; `None` for one of any other.
    pub(crate) fn cloned(&self, with: &[Flow<'_>], args: &[Arg], state: &State) -> Option<Carries> {
        let address = with.iter().find_map(|it| {
            if let Flow::Named(piece) = it {
                return Some(self.piece(*piece, args));
            }
            None
        })?;
        let local = address.text().filter(|it| it.starts_with(['.', '/']))?;
        let path = self.absolute(local, state)?;
        let scope = belay_places::scope_of(&belay_places::Path::new(&path), self.scene.frame);
        matches!(scope, Scope::Project | Scope::ProjectRoot)
            .then(|| self.outside(&Val::known(path), state))
    }

    /// Returns the text of the one file that a command copies as it is.
    fn copied_text(&self, to: &Val, arrival: Arrival<'_>, state: &State) -> Option<Copied> {
        let Arrival { args, flows, .. } = arrival;
        let as_it_is = |it: &&str| self.scene.knowledge.lists("copies-as-it-is", it);
        flows.path.first().filter(|it| as_it_is(it))?;
        let words = args.iter().skip(1).filter_map(Arg::text);
        let mut operands = words.filter(|it| !it.starts_with('-'));
        let (Some(from), Some(last), None) = (operands.next(), operands.next(), operands.next())
        else {
            return None;
        };
        let path = self.absolute(from, state)?;
        let lands = to.text().and_then(|it| self.absolute(it, state));
        let named = self.absolute(last, state);
        if lands != named || !self.outside(&Val::known(from), state).is_nothing() {
            return None;
        }
        if let Some(note) = state.files.get(&path) {
            // What may not have been written is not there to be copied, unless something was there before.
            let sure = !note.perhaps || !self.lies(&Val::known(from), state);
            let perhaps = note.perhaps;
            let text = note.text.filter(|_| sure)?;
            return Some(Copied { text, perhaps });
        }
        let text = Question::Text(path, SCRIPT);
        match self.scene.frame.world.ask(&text) {
            Answer::Text(bytes, true) => {
                let text = String::from_utf8(bytes).ok()?;
                let perhaps = false;
                Some(Copied { text, perhaps })
            }
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        }
    }

    /// Remembers what a file holds that was expanded in its place: the same under a shorter name, or a longer one.
    pub(crate) fn expanded(&self, val: &Val, state: &mut State) {
        let labels = self.outside(val, state);
        let Some((path, short)) = val
            .text()
            .and_then(|it| Some((it, it.rsplit_once('.')?.0)))
            .filter(|_| !labels.is_nothing())
        else {
            return;
        };
        self.note(&Val::known(short), Note::unread(labels), state);
        let longer = Val::glob(format!("{path}.*"));
        self.note(&longer, Note::unread(labels), state);
    }

    /// Tells whether a command writes a text that nobody read: into a file that was not there, or as one that makes its text
    /// from something else. Who works on a file in its place leaves most of what was there.
    fn leaves_unread(&self, val: &Val, arrival: Arrival<'_>, state: &State) -> bool {
        let path = arrival.flows.path;
        let knowledge = self.scene.knowledge;
        let told = |it: &str| knowledge.lists("leaves-unread", it);
        let is_new = || {
            let missing = |it: &str| {
                let kind = self.scene.frame.world.ask(&Question::Kind(it.to_owned()));
                matches!(kind, Answer::Missing(_))
            };
            let path = val.text().and_then(|it| self.absolute(it, state));
            // Of a project that is not on this disk, nobody knows what is in it.
            let roots = &self.scene.frame.roots;
            let away = |path: &str| {
                let path = belay_places::Path::new(path);
                roots.iter().any(|it| path.is_within(it) && missing(it))
            };
            path.is_some_and(|it| missing(&it) && !away(&it))
        };
        // What a task of the project makes is the project's own.
        let from = self.out.invocations.last().map_or(0, |it| it.from);
        let since = self.out.effects.get(from..).unwrap_or_default();
        let is_task = |it: &belay_model::Effect| it.verb == Verb::Run && it.how == How::Task;
        matches!(arrival.how, How::Plain | How::Tree)
            && !since.iter().any(is_task)
            && (path.first().is_some_and(|it| told(it)) || told(&path.join(" ")) || is_new())
    }

    /// Remembers what a place holds after something was written there.
    pub(crate) fn arrived(&self, val: &Val, arrival: Arrival<'_>, state: &mut State) {
        let flows = arrival.flows;
        let labels = arrival.carries.only(Carries::OUTSIDE);
        let copies = flows.deeds.has(Deed::Copies) || flows.deeds.has(Deed::Unpacks);
        let tree = arrival.how == How::Tree || copies;
        let folder = self.names_folder(val, state);
        let copied = self.copied_text(val, arrival, state);
        let note = Note {
            carries: arrival.carries.and(flows.carries),
            perhaps: copied.as_ref().is_some_and(|it| it.perhaps),
            text: copied.map(|it| it.text),
            copied: copies,
            built: arrival.how == How::Built,
            linked: false,
            number: None,
            came: None,
        };
        self.note(val, note, state);
        if flows.deeds.has(Deed::Copies) && self.brings_folder(val, arrival, state) {
            self.note_below(val, arrival, state);
        }
        let place = val.text().and_then(|it| self.absolute(it, state));
        let Some(place) = place.filter(|_| !labels.is_nothing() && (tree || folder)) else {
            return;
        };
        if arrival.how == How::Tree && !copies && labels.holds(Carries::FOREIGN) {
            let with = Source::Elsewhere;
            let to = place.clone();
            state.files.fill(Filled { with, to });
        }
        state
            .files
            .bring(if tree || labels.holds(Carries::FOREIGN) {
                Brought::tree(place, labels)
            } else {
                // Who downloads under a name that the host says takes one that is free.
                Brought {
                    folder: place,
                    new: labels,
                    old: Carries::NOTHING,
                }
            });
    }
}

/// An archive that was fetched whole is foreign once unpacked; one that holds something fetched stays both.
pub(crate) fn unpacked(carries: Carries) -> Carries {
    if carries.holds(Carries::FOREIGN) || !carries.holds(Carries::FETCHED) {
        return carries;
    }
    carries.without(Carries::FETCHED).and(Carries::FOREIGN)
}

/// What packs something fetched keeps that it was, beyond unpacking.
pub(crate) fn packed(carries: Carries) -> Carries {
    if carries.holds(Carries::FETCHED) {
        carries.and(Carries::FOREIGN)
    } else {
        carries
    }
}

/// Returns the folder that a copy of a repository gets.
fn repository_name(address: &str) -> &str {
    let path = address.trim_end_matches('/');
    let path = path.strip_suffix("/.git").unwrap_or(path);
    let name = path.rsplit(['/', ':']).next().unwrap_or(path);
    let name = name.strip_suffix(".git").unwrap_or(name);
    let name = name.strip_suffix(".bundle").unwrap_or(name);
    if matches!(name, "." | "..") { "" } else { name }
}

/// Returns the names that a file may get from its address: some programs keep what is asked for behind the path.
fn file_names(address: &str) -> Vec<&str> {
    if address.contains(['{', '}', '[', ']']) {
        return vec![""];
    }
    let path = address.split_once("://").map_or(address, |(_, it)| it);
    let path = path.split_once('#').map_or(path, |(it, _)| it);
    let last = |it: &'_ str| {
        it.rsplit_once('/')
            .map_or(0, |(before, _)| before.len() + 1)
    };
    let (plain, _) = path.split_once('?').unwrap_or((path, ""));
    let at = last(plain);
    let name = plain.get(at..).filter(|_| at > 0).unwrap_or_default();
    let asked = path.get(at..).filter(|_| at > 0).unwrap_or_default();
    match name {
        "" => vec!["index.html", ""],
        _ if asked == name => vec![name],
        _ => vec![name, asked],
    }
}

/// Returns a name with an ending behind it; a star in that is anything.
fn ended(name: Val, ending: &Val) -> Val {
    match ending.text() {
        Some(text) if text.contains('*') => name.then(&Val::glob(text)),
        Some(_) | None => name.then(ending),
    }
}

/// Changes a name in each way it may be spelled; of what is not known, nothing is known afterwards either.
fn changed(name: Val, change: impl Fn(&str) -> Option<String>) -> Val {
    let carries = name.carries;
    let all = name.choices().into_iter().map(|it| match &it.text {
        Text::Known(text) => change(text).map_or(it.clone(), Val::known),
        Text::Glob(text) => change(text).map_or(it.clone(), Val::glob),
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => it,
    });
    Val::any_of(all).carrying(carries)
}

/// Returns a name without its ending, if it has that.
fn trimmed(name: &str, ending: &Val) -> Option<String> {
    name.strip_suffix(ending.text()?).map(str::to_owned)
}

/// Returns a name with an ending, if it has none.
fn lacking(name: &str, ending: &Val) -> Option<String> {
    let last = name.rsplit_once('/').map_or(name, |it| it.1);
    let bare = !last.trim_start_matches('.').contains('.');
    bare.then(|| format!("{name}{}", ending.text().unwrap_or_default()))
}
