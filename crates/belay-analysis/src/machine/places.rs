//! Places: what a value names on the disk, and effects on it.

use belay_model::{Carries, Effect, How, Place, Scope, Span, Verb};
use belay_places::Reached;

use crate::machine::files::Note;
use crate::machine::state::State;
use crate::machine::through::goes_behind;
use crate::machine::value::{Text, Val};
use crate::machine::walk::Walker;

/// In which way a place is read or written, and where the text says so.
#[derive(Clone, Copy)]
pub(crate) struct Touch {
    pub(crate) how: How,
    /// What flows in.
    pub(crate) carries: Carries,
    pub(crate) at: Span,
}

impl Touch {
    /// Nothing that is known of flows in.
    pub(crate) const fn new(how: How, at: Span) -> Self {
        Self {
            how,
            carries: Carries::NOTHING,
            at,
        }
    }

    pub(crate) const fn carrying(self, carries: Carries) -> Self {
        Self { carries, ..self }
    }
}

impl Walker<'_> {
    /// Tells whether a path lies in the project.
    pub(crate) fn in_project(&self, path: &str, state: &State) -> bool {
        let Some(path) = self.absolute(path, state) else {
            return false;
        };
        let scope = belay_places::scope_of(&belay_places::Path::new(&path), self.scene.frame);
        matches!(
            scope,
            Scope::Project | Scope::ProjectRoot | Scope::ExecutionBearing
        )
    }

    /// Remembers what a file holds now.
    pub(crate) fn note(&self, path: &Val, note: Note, state: &mut State) {
        for choice in path.choices() {
            let perhaps = note.perhaps || path.is_choice();
            let note = Note {
                perhaps,
                ..note.clone()
            };
            match self.absolute_pattern(&choice, state) {
                Some((path, true)) => state.files.insert(path, note),
                // Nobody knows which of them was written.
                Some((pattern, false)) => state.files.insert_loose(pattern, note.of_some()),
                None => {
                    state
                        .files
                        .insert_loose("/**".to_owned(), Note::unread(note.carries));
                }
            }
        }
    }

    /// Returns where a value lies, absolute, and whether that is one place rather than a pattern.
    fn absolute_pattern(&self, val: &Val, state: &State) -> Option<(String, bool)> {
        match &val.text {
            Text::Known(text) => Some((self.absolute(text, state)?, true)),
            Text::Glob(text) => Some((self.absolute(text, state)?, false)),
            Text::Prefix { known, .. } => {
                let folder = known.rsplit_once('/').map_or(".", |(folder, _)| folder);
                let folder = self.absolute(folder, state)?;
                Some((format!("{}/**", folder.trim_end_matches('/')), false))
            }
            Text::Unknown { .. } | Text::OneOf(_) => None,
        }
    }

    /// Returns what is known of a file that this call wrote.
    pub(crate) fn note_of(&self, path: &Val, state: &State) -> Option<Note> {
        if state.files.is_empty() {
            return None;
        }
        let Some(text) = path.text() else {
            return self.notes_among(path, state);
        };
        let path = self.absolute(text, state)?;
        let note = state.files.get(&path);
        let led = self.followed(text, state).into_iter().flatten();
        let linked = led.filter_map(|it| state.files.get(&it)).next();
        note.or(linked)
    }

    /// Returns what is known of the files that a value may name, where this call wrote one of them.
    fn notes_among(&self, path: &Val, state: &State) -> Option<Note> {
        let mut labels: Option<Carries> = None;
        for choice in path.choices() {
            let found = match self.absolute_pattern(&choice, state)? {
                (path, true) => state.files.get(&path).map(|it| it.carries),
                (pattern, false) => state.files.among(&pattern),
            };
            labels = found.map_or(labels, |it| Some(labels.unwrap_or_default().and(it)));
        }
        labels.map(Note::unread)
    }

    /// Makes a written path absolute in the present folder.
    pub(crate) fn absolute(&self, path: &str, state: &State) -> Option<String> {
        let path = if path.is_empty() { "." } else { path };
        if path.starts_with('/') {
            return Some(belay_places::Path::new(path).into_text());
        }
        let cwd = state.cwd.as_deref()?;
        Some(belay_places::Path::joined(cwd, path).into_text())
    }

    /// Returns a value as a place, in short form.
    pub(crate) fn place(&self, val: &Val, cwd: Option<&str>) -> Place {
        let frame = self.scene.frame;
        let short = |text: &str| -> Option<String> {
            let long = belay_places::written(text, cwd.unwrap_or_default(), frame.home())?;
            let long = long.settled(frame.world);
            Some(belay_places::shorten(
                long.walked(),
                frame.cwd,
                frame.home(),
            ))
        };
        match &val.text {
            Text::Known(text) => short(text).map_or(Place::Unknown, Place::Exact),
            Text::Glob(text) => short(text).map_or(Place::Unknown, Place::Pattern),
            Text::Prefix { known, .. } => {
                let folder = known.rsplit_once('/').map_or(".", |(folder, _)| {
                    if folder.is_empty() { "/" } else { folder }
                });
                short(folder).map_or(Place::Unknown, Place::Under)
            }
            Text::Unknown { .. } | Text::OneOf(_) => Place::Unknown,
        }
    }

    /// Emits a change of a place: where it is, and what it is when everything unknown in it is empty.
    pub(crate) fn change_place(&mut self, effect: &Effect, val: &Val, state: &State) {
        for choice in val.choices() {
            // No file has an empty name: nothing happens.
            if choice.text() == Some("") {
                continue;
            }
            self.change_one(effect, &choice, state);
        }
    }

    fn change_one(&mut self, effect: &Effect, val: &Val, state: &State) {
        // Who takes a link away leaves what it leads to.
        let itself = matches!(effect.verb, Verb::Delete | Verb::Move)
            && val
                .text()
                // A dot or a slash stands for what the link leads to.
                .filter(|it| !goes_behind(it))
                .and_then(|it| self.absolute(it, state))
                .is_some_and(|it| state.links.iter().any(|link| link.sure && link.from == it));
        let led = if itself {
            Vec::new()
        } else {
            self.through_links(val, state)
        };
        let behind = matches!(&val.text, Text::Glob(text) if goes_behind(text));
        let led = led
            .into_iter()
            .filter(|it| behind || !self.is_found_link(effect, it, state));
        for place in led.collect::<Vec<_>>() {
            self.emit(Effect {
                target: belay_model::Target::Place(place),
                ..effect.clone()
            });
        }
        self.behind_links(effect, val, state);
        let place = self.place_here(val, state);
        self.emit(Effect {
            target: belay_model::Target::Place(place),
            ..effect.clone()
        });
        if let Text::Prefix { empty, .. } | Text::Unknown { empty, .. } = &val.text
            && !empty.is_empty()
        {
            let hollow = if empty.contains(['*', '?', '[']) {
                Val::glob(empty.clone())
            } else {
                Val::known(empty.clone())
            };
            let place = self.place_here(&hollow, state);
            self.emit(Effect {
                target: belay_model::Target::Place(place),
                ..effect.clone()
            });
        }
    }

    /// Emits a write.
    pub(crate) fn write_place(&mut self, val: &Val, touch: Touch, state: &State) {
        if is_sink(val) {
            return;
        }
        let effect = Effect::on(Verb::Write, Place::Unknown)
            .how(touch.how)
            .carrying(touch.carries)
            .spanning(touch.at);
        self.change_place(&effect, val, state);
    }

    /// Emits a read; returns the labels of what was read.
    pub(crate) fn read_place(&mut self, val: &Val, touch: Touch, state: &State) -> Carries {
        let Touch { how, at, .. } = touch;
        if is_sink(val) {
            let note = self.note_of(val, state);
            return note.map_or(val.carries, |it| it.carries.and(val.carries));
        }
        if val.text().is_some_and(|it| {
            it.contains("/proc/") && (it.contains("/cwd") || it.contains("/root"))
        }) {
            self.trouble(
                belay_model::TroubleKind::Unknown,
                "a path through a process leads anywhere",
                at,
            );
        }
        let found = self.val_here(val, state);
        let val = found.as_ref().unwrap_or(val);
        for place in self.through_links(val, state) {
            self.emit(Effect::on(Verb::Read, place).how(how).spanning(at));
        }
        let read = Effect::on(Verb::Read, Place::Unknown).how(how).spanning(at);
        self.behind_links(&read, val, state);
        let mut carries = val.carries;
        for choice in val.each().iter() {
            let place = self.place(choice, state.cwd.as_deref());
            let read = Effect::on(Verb::Read, place).how(how).spanning(at);
            carries = carries.and(match self.note_of(choice, state) {
                Some(note) => note.carries,
                None => Carries::CONTENT.and(self.labels(&read)),
            });
            carries = carries
                .and(self.outside(choice, state))
                .and(self.strange(choice, state));
            self.emit(read);
        }
        if carries.holds(Carries::SECRET) {
            self.secrets.push(None);
        }
        carries
    }

    /// Returns the labels of what a place holds, as far as it is read: whether it may be somebody's keys, mail or history.
    fn labels(&mut self, read: &Effect) -> Carries {
        let frame = self.scene.frame;
        let Some(place) = read.place() else {
            return Carries::UNKNOWN;
        };
        if read.how == How::Names {
            let known = place.known();
            let path = known.and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()));
            return path.map_or(Carries::UNKNOWN, |_| Carries::NOTHING);
        }
        let labels = |it: &Reached| {
            let private = |it: &Scope| matches!(it, Scope::Credentials | Scope::Personal);
            match it.secret || it.scopes.iter().any(private) {
                true => Carries::SECRET,
                false => Carries::NOTHING,
            }
        };
        if let Some(known) = self.out.looked.reached(place, read.how) {
            return labels(known);
        }
        let Some(reached) = belay_places::reached(read, place, frame) else {
            return Carries::UNKNOWN;
        };
        let found = labels(&reached);
        self.out.looked.keep(place, read.how, reached);
        found
    }
}

/// Tells whether a path is a sink or source without state.
pub(crate) fn is_sink(path: &Val) -> bool {
    let Some(path) = path.text() else {
        return false;
    };
    matches!(
        path,
        "/dev/null"
            | "/dev/stdin"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/tty"
            | "/dev/zero"
            | "/dev/urandom"
            | "/dev/random"
    ) || path
        .strip_prefix("/dev/fd/")
        .is_some_and(|it| it.chars().all(|c| c.is_ascii_digit()))
}

/// Returns the host of bash's `/dev/tcp/HOST/PORT`.
pub(crate) fn socket(path: &Val) -> Option<String> {
    let text = match &path.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => text,
        Text::Unknown { .. } | Text::OneOf(_) => return None,
    };
    let rest = text
        .strip_prefix("/dev/tcp/")
        .or_else(|| text.strip_prefix("/dev/udp/"))?;
    match (path.text(), rest.split_once('/')) {
        (Some(_), Some((host, port))) => Some(format!("{}:{port}", host.to_ascii_lowercase())),
        _ => Some("?".to_owned()),
    }
}
