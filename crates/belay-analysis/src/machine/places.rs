//! Places: what a value names on the disk, and effects on it.

use belay_model::{Carries, Effect, How, Place, Scope, Span, Verb};

use crate::machine::files::Note;
use crate::machine::state::{Linked, State};
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

    /// Remembers a link that is made here: the last word is its name, or the folder it goes to.
    pub(crate) fn made_link(
        &mut self,
        to: &Val,
        args: &[crate::machine::value::Arg],
        state: &State,
    ) {
        /// So many links are followed.
        const LINKS: usize = 32;
        let Some(last) = args.last() else { return };
        // What it leads to may lie behind other links.
        let led = to
            .text()
            .map_or_else(Vec::new, |it| self.followed(it, state));
        let to = to.text().and_then(|it| self.absolute(it, state));
        let from = last.text().and_then(|it| self.absolute(it, state));
        let Some(from) = from else { return };
        if state.links.len() + self.fresh_links.len() + led.len() >= LINKS {
            return self.limit("too many links", last.span);
        }
        for to in led {
            self.fresh_links.push(Linked {
                from: from.clone(),
                to,
                sure: false,
            });
        }
        let name = to.as_deref().and_then(|it| it.rsplit('/').next());
        let below = name.map(|name| format!("{from}/{name}"));
        for (from, sure) in [(Some(from), true), (below, false)] {
            if let Some(from) = from.filter(|it| to.as_ref() != Some(it)) {
                let to = to.clone();
                self.fresh_links.push(Linked { from, to, sure });
            }
        }
    }

    /// Returns where a value leads through links that were made in this call.
    pub(crate) fn through_links(&self, val: &Val, state: &State) -> Vec<Place> {
        let frame = self.scene.frame;
        let written = match &val.text {
            Text::Known(text) | Text::Glob(text) => Some(text),
            Text::Prefix { known, .. } => Some(known),
            Text::Unknown { .. } | Text::OneOf(_) => None,
        };
        if let Some(plain) = written.filter(|it| has_drive(it)) {
            // Where there are no drives this is a name like any other.
            let plain = plain.trim_end_matches('/');
            let path = state.cwd.as_deref().map(|cwd| format!("{cwd}/{plain}"));
            let short = |it: String| belay_places::shorten(&it, frame.cwd, frame.home());
            let kind = match &val.text {
                Text::Known(_) => Place::Exact,
                Text::Glob(_) => Place::Pattern,
                Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => Place::Under,
            };
            return vec![path.map_or(Place::Unknown, |it| kind(short(it)))];
        }
        if state.links.is_empty() {
            return Vec::new();
        }
        let text = match &val.text {
            Text::Known(text) | Text::Glob(text) => text,
            Text::Prefix { known, .. } => known,
            Text::Unknown { .. } | Text::OneOf(_) => return Vec::new(),
        };
        let mut found = Vec::new();
        for path in self.followed(text, state) {
            found.push(match path {
                Some(path) => {
                    let short = belay_places::shorten(&path, frame.cwd, frame.home());
                    match &val.text {
                        Text::Known(_) => Place::Exact(short),
                        Text::Glob(_) => Place::Pattern(short),
                        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => {
                            Place::Under(short)
                        }
                    }
                }
                None => Place::Unknown,
            });
        }
        found
    }

    /// Follows links that were made in this call, as far as a few of them lead.
    pub(crate) fn followed(&self, text: &str, state: &State) -> Vec<Option<String>> {
        if state.links.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<Option<String>> = Vec::new();
        let mut next: Vec<String> = self.absolute(text, state).into_iter().collect();
        if !text.starts_with('/')
            && let Some(cwd) = &state.cwd
        {
            for link in state.links.iter() {
                if let (Some(rest), Some(to)) = (below(cwd, &link.from), &link.to) {
                    let cwd = format!("{to}{rest}");
                    next.push(belay_places::Path::joined(&cwd, text).into_text());
                    found.push(next.last().cloned());
                }
            }
        }
        for path in self.up_from_links(text, state) {
            next.extend(path.clone());
            found.push(path);
        }
        for _ in 0..3 {
            let mut more = Vec::new();
            for path in &next {
                for link in state.links.iter() {
                    let Some(rest) =
                        below(path, &link.from).or_else(|| found_below(path, &link.from))
                    else {
                        continue;
                    };
                    let to = link.to.as_ref().map(|to| format!("{to}{rest}"));
                    if !found.contains(&to) {
                        found.push(to.clone());
                        more.extend(to);
                    }
                }
            }
            next = more;
        }
        found
    }

    /// Returns where `..` leads behind a link that was made in this call: above what the link leads to.
    fn up_from_links(&self, text: &str, state: &State) -> Vec<Option<String>> {
        /// So often a path is followed upwards.
        const UPWARDS: usize = 3;
        let ups = text.match_indices("/..").filter_map(|(at, _)| {
            let (before, rest) = text.split_at_checked(at)?;
            let rest = rest.strip_prefix('/')?;
            let is_up = rest == ".." || rest.starts_with("../");
            (is_up && !before.is_empty()).then_some((before, rest))
        });
        let ups: Vec<(&str, &str)> = ups.take(UPWARDS + 1).collect();
        if ups.len() > UPWARDS {
            return vec![None];
        }
        let joined = |to: String, rest: &str| belay_places::Path::joined(&to, rest).into_text();
        let mut found = Vec::new();
        for (before, rest) in ups {
            let led = self.followed(before, state).into_iter();
            found.extend(led.map(|it| it.map(|to| joined(to, rest))));
        }
        found
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
                // A dot stands for what the link leads to.
                .filter(|it| !matches!(it.rsplit('/').next(), Some("." | "..")))
                .and_then(|it| self.absolute(it, state))
                .is_some_and(|it| state.links.iter().any(|link| link.sure && link.from == it));
        let led = if itself {
            Vec::new()
        } else {
            self.through_links(val, state)
        };
        let led = led
            .into_iter()
            .filter(|it| !self.is_found_link(effect, it, state));
        for place in led.collect::<Vec<_>>() {
            self.emit(Effect {
                target: belay_model::Target::Place(place),
                ..effect.clone()
            });
        }
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

    /// Tells whether a pattern found the link itself: who takes it away leaves what it leads to.
    fn is_found_link(&self, effect: &Effect, place: &Place, state: &State) -> bool {
        let frame = self.scene.frame;
        let leads = |link: &Linked| {
            let to = link.to.as_deref();
            to.map(|it| belay_places::shorten(it, frame.cwd, frame.home()))
        };
        matches!(effect.verb, Verb::Delete | Verb::Move)
            && matches!(place, Place::Pattern(found) if state.links.iter().any(|it| leads(it).as_ref() == Some(found)))
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
        for place in self.through_links(val, state) {
            self.emit(Effect::on(Verb::Read, place).how(how).spanning(at));
        }
        let mut carries = val.carries;
        for choice in val.each().iter() {
            let place = self.place(choice, state.cwd.as_deref());
            carries = carries.and(match self.note_of(choice, state) {
                Some(note) => note.carries,
                None => Carries::CONTENT.and(self.labels(&place, how)),
            });
            carries = carries
                .and(self.outside(choice, state))
                .and(self.strange(choice, state));
            self.emit(Effect::on(Verb::Read, place).how(how).spanning(at));
        }
        if carries.holds(Carries::SECRET) {
            self.secrets.push(None);
        }
        carries
    }

    /// Returns the labels of what a place holds, as far as it is read.
    fn labels(&self, place: &Place, how: How) -> Carries {
        let frame = self.scene.frame;
        let Some(path) = place
            .known()
            .and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()))
        else {
            return Carries::UNKNOWN;
        };
        let mut carries = Carries::NOTHING;
        let secret = || self.may_hold_secrets(place, how) || belay_places::is_secret(&path, frame);
        if how != How::Names && secret() {
            carries = carries.and(Carries::SECRET);
        }
        carries
    }

    /// Tells whether what is read may be somebody's keys, mail or history.
    fn may_hold_secrets(&self, place: &Place, how: How) -> bool {
        let read = Effect::on(Verb::Read, place.clone()).how(how);
        let scopes = belay_places::scopes_of(&read, place, self.scene.frame);
        let secret = |it: &Scope| matches!(it, Scope::Credentials | Scope::Personal);
        scopes.iter().any(secret)
    }
}

/// Tells whether a path begins with the letter of a drive.
fn has_drive(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('/' | '\\'))
}

/// Returns what follows a folder in a path that lies in it.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Returns what stands behind a link in a pattern that finds the link.
fn found_below<'p>(pattern: &'p str, link: &str) -> Option<&'p str> {
    if !pattern.contains(['*', '?', '[', '(']) {
        return None;
    }
    if pattern.contains("**") {
        return Some("/**");
    }
    let depth = link.matches('/').count();
    let ends = pattern.match_indices('/').map(|(at, _)| at);
    let end = ends.chain([pattern.len()]).nth(depth)?;
    let (folder, rest) = pattern.split_at_checked(end)?;
    // Classes and alternatives may find any name.
    let loose = |it: &str| {
        if it.contains(['[', '(']) {
            "*".to_owned()
        } else {
            it.to_owned()
        }
    };
    let folder: Vec<String> = folder.split('/').map(loose).collect();
    belay_places::matches_path(&folder.join("/"), link).then_some(rest)
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
