//! Redirections: file effects of their command, in every form.

use belay_model::{Carries, Effect, How, Place, Span, Verb};
use belay_shell::{Fd, Many, Redirect, RedirectOp, Target, Tree};

use crate::machine::state::{Note, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Text, Val};
use crate::machine::walk::{Walker, span};

/// Where the output of a command goes.
#[derive(Default)]
pub(crate) struct Outlets {
    /// Files, with whether standard output goes there.
    files: Vec<(Val, Span, How, bool)>,
    /// Whether standard output still reaches the next command.
    closed: bool,
}

impl Walker<'_> {
    /// Evaluates redirections; returns the input they give, and where the output goes.
    pub(crate) fn redirects(
        &mut self,
        tree: &Tree<'_>,
        many: Many<Redirect>,
        state: &mut State,
        input: &Stream,
    ) -> (Stream, Outlets) {
        let mut input = input.clone();
        let mut outlets = Outlets::default();
        for redirect in tree.many(many) {
            if let Fd::Variable {
                subscript: Some(subscript),
                ..
            } = redirect.fd
            {
                self.subscript(tree, subscript, state);
            }
            if let Some(stream) = self.redirect(tree, redirect, state, &mut outlets) {
                input = stream;
            }
        }
        (input, outlets)
    }

    fn redirect(
        &mut self,
        tree: &Tree<'_>,
        redirect: &Redirect,
        state: &mut State,
        outlets: &mut Outlets,
    ) -> Option<Stream> {
        let at = span(redirect.span);
        let word = match redirect.target {
            Target::HereDoc(id) => {
                let val = self.parts(tree, tree.one(id).body, state);
                return Some(Stream::of(val));
            }
            Target::Word(word) => self.word(tree, tree.one(word), state),
        };
        if word.text() == Some("!") {
            self.trouble(
                belay_model::TroubleKind::Ambiguous,
                "zsh reads `>!` as a redirection to the next word",
                at,
            );
        }
        let standard = match redirect.fd {
            Fd::Default | Fd::Number(1) => true,
            Fd::Number(_) | Fd::Variable { .. } => false,
        };
        match redirect.op {
            RedirectOp::HereString | RedirectOp::HereDoc | RedirectOp::HereDocTabs => {
                Some(Stream::of(word))
            }
            RedirectOp::Read => {
                let stream = self.read_from(&word, at, state);
                matches!(redirect.fd, Fd::Default | Fd::Number(0)).then_some(stream)
            }
            RedirectOp::ReadWrite => {
                outlets.files.push((word.clone(), at, How::Append, false));
                Some(self.read_from(&word, at, state))
            }
            RedirectOp::DuplicateInput => {
                (!is_descriptor(&word)).then(|| self.read_from(&word, at, state))
            }
            RedirectOp::DuplicateOutput if is_descriptor(&word) => {
                outlets.closed |= standard && word.text() != Some("1");
                None
            }
            RedirectOp::DuplicateOutput | RedirectOp::WriteBoth => {
                outlets.to(word, at, How::Plain, true)
            }
            RedirectOp::AppendBoth => outlets.to(word, at, How::Append, true),
            RedirectOp::Write | RedirectOp::Clobber => outlets.to(word, at, How::Plain, standard),
            RedirectOp::Append => outlets.to(word, at, How::Append, standard),
        }
    }

    /// Reads a file as standard input.
    pub(crate) fn read_from(&mut self, path: &Val, at: Span, state: &mut State) -> Stream {
        if let Some(host) = socket(path) {
            self.emit(Effect::to(Verb::Fetch, belay_model::Target::Host(host)).spanning(at));
            return Stream::labelled(Carries::FETCHED);
        }
        let carries = self.read_place(path, How::Plain, at, state);
        let text = self.note_of(path, state).and_then(|it| it.text);
        match text {
            Some(text) => Stream::of(Val::known(text).carrying(carries)),
            None => Stream::labelled(carries),
        }
    }

    /// Sends output where the redirections say; returns what still reaches the next command.
    pub(crate) fn pour(&mut self, outlets: &Outlets, output: Stream, state: &mut State) -> Stream {
        for (path, at, how, standard) in &outlets.files {
            let carries = if *standard {
                output.carries
            } else {
                Carries::NOTHING
            };
            if let Some(host) = socket(path) {
                let effect =
                    Effect::to(Verb::Send, belay_model::Target::Host(host)).carrying(carries);
                self.emit(effect.spanning(*at));
                continue;
            }
            let text = if *standard {
                output.text.as_ref().and_then(Val::text).map(str::to_owned)
            } else {
                None
            };
            self.write_place(path, (*how, carries), *at, state);
            let written = path.text().filter(|_| *standard);
            if let Some(written) = written.and_then(|it| self.absolute(it, state)) {
                self.reviewed(&written, &output);
            }
            let text = if *how == How::Append { None } else { text };
            self.note(
                path,
                Note {
                    carries: carries.and(path.carries),
                    copied: text.is_none(),
                    text,
                },
                state,
            );
        }
        if outlets.closed {
            Stream::nothing()
        } else {
            output
        }
    }

    /// Remembers what a file holds now.
    pub(crate) fn note(&self, path: &Val, note: Note, state: &mut State) {
        if let Some(path) = path.text().and_then(|it| self.absolute(it, state)) {
            state.files.insert(path, note);
        }
    }

    /// Returns what is known of a file that this call wrote.
    pub(crate) fn note_of(&self, path: &Val, state: &State) -> Option<Note> {
        if state.files.is_empty() {
            return None;
        }
        let path = self.absolute(path.text()?, state)?;
        state.files.get(&path).cloned()
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
            Text::Unknown { .. } => Place::Unknown,
        }
    }

    /// Emits a change of a place: where it is, where it may be if the last `cd` failed, and what it
    /// is when everything unknown in it is empty.
    pub(crate) fn change_place(&mut self, effect: &Effect, val: &Val, state: &State) {
        let place = self.place(val, state.cwd.as_deref());
        self.emit(Effect {
            target: belay_model::Target::Place(place.clone()),
            ..effect.clone()
        });
        if let Some(perhaps) = &state.perhaps {
            let other = self.place(val, Some(perhaps));
            if other != place {
                self.emit(Effect {
                    target: belay_model::Target::Place(other),
                    ..effect.clone()
                });
            }
        }
        if let Text::Prefix { empty, .. } | Text::Unknown { empty } = &val.text
            && !empty.is_empty()
        {
            let hollow = if empty.contains(['*', '?', '[']) {
                Val::glob(empty.clone())
            } else {
                Val::known(empty.clone())
            };
            let place = self.place(&hollow, state.cwd.as_deref());
            self.emit(Effect {
                target: belay_model::Target::Place(place),
                ..effect.clone()
            });
        }
    }

    /// Emits a write.
    pub(crate) fn write_place(
        &mut self,
        val: &Val,
        (how, carries): (How, Carries),
        at: Span,
        state: &State,
    ) {
        if is_sink(val) {
            return;
        }
        let effect = Effect::on(Verb::Write, Place::Unknown)
            .how(how)
            .carrying(carries)
            .spanning(at);
        self.change_place(&effect, val, state);
    }

    /// Emits a read; returns the labels of what was read.
    pub(crate) fn read_place(&mut self, val: &Val, how: How, at: Span, state: &State) -> Carries {
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
        let place = self.place(val, state.cwd.as_deref());
        let mut carries = Carries::CONTENT;
        if let Some(note) = self.note_of(val, state) {
            carries = note.carries;
        } else {
            carries = carries.and(self.labels(&place));
        }
        if carries.holds(Carries::SECRET) {
            self.secrets.push(None);
        }
        self.emit(Effect::on(Verb::Read, place).how(how).spanning(at));
        carries.and(val.carries)
    }

    /// Returns the labels of what a place holds.
    fn labels(&self, place: &Place) -> Carries {
        let frame = self.scene.frame;
        let Some(path) = place
            .known()
            .and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()))
        else {
            return Carries::UNKNOWN;
        };
        let scope = belay_places::scope_of(&path, frame);
        let mut carries = Carries::NOTHING;
        if matches!(
            scope,
            belay_model::Scope::Credentials | belay_model::Scope::Personal
        ) || belay_places::is_secret(&path, frame)
        {
            carries = carries.and(Carries::SECRET);
        }
        let question = belay_model::Question::Provenance(path.text().to_owned());
        if matches!(frame.world.ask(&question), belay_model::Answer::Name(it) if it == "fetched") {
            carries = carries.and(Carries::FETCHED);
        }
        carries
    }
}

impl Outlets {
    fn to(&mut self, path: Val, at: Span, how: How, standard: bool) -> Option<Stream> {
        self.files.push((path, at, how, standard));
        self.closed |= standard;
        None
    }
}

fn is_descriptor(word: &Val) -> bool {
    match &word.text {
        Text::Known(text) => text
            .trim_end_matches('-')
            .chars()
            .all(|c| c.is_ascii_digit()),
        Text::Glob(text) => text == "*",
        Text::Prefix { .. } | Text::Unknown { .. } => false,
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
fn socket(path: &Val) -> Option<String> {
    let text = match &path.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => text,
        Text::Unknown { .. } => return None,
    };
    let rest = text
        .strip_prefix("/dev/tcp/")
        .or_else(|| text.strip_prefix("/dev/udp/"))?;
    match (path.text(), rest.split_once('/')) {
        (Some(_), Some((host, port))) => Some(format!("{}:{port}", host.to_ascii_lowercase())),
        _ => Some("?".to_owned()),
    }
}
