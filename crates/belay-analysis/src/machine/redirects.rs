//! Redirections: where each descriptor leads, and the file effects of leading it there.

use std::rc::Rc;

use belay_model::{Carries, Effect, How, Span, TroubleKind, Verb};
use belay_shell::{CommandKind, Fd, List, Many, Redirect, RedirectOp, Target, Tree};

use crate::machine::above::Reviews;
use crate::machine::descriptors::{Descriptors, End};
use crate::machine::files::Note;
use crate::machine::places::Touch;
use crate::machine::places::{is_sink, socket};
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::targets::{expands, is_descriptor, is_process, own_descriptor};
use crate::machine::value::Val;
use crate::machine::walk::{Walker, lossy, span};

/// What redirections changed, so that it can be taken back.
pub(crate) struct Redirected {
    before: Descriptors,
    numbers: Vec<u32>,
    /// Whether one of them may have failed, so that the command did not run.
    pub(crate) may_fail: bool,
    /// Whether one of them expands something, which may change the shell that makes them.
    pub(crate) expands: bool,
}

/// Where a redirection leads, and from which descriptors.
struct Led {
    which: Which,
    end: End,
    may_fail: bool,
}

impl Led {
    fn failing(self, may_fail: bool) -> Self {
        Self { may_fail, ..self }
    }
}

/// A redirection of a descriptor whose number the shell picks.
#[derive(Clone, Copy)]
struct Picked<'a> {
    redirect: &'a Redirect,
    /// Whether nothing may have been opened.
    may_fail: bool,
}

/// The descriptors that a redirection leads where it names none.
#[derive(Clone, Copy)]
enum Which {
    One(u32),
    /// Standard output and standard error.
    Both,
}

/// A file that is opened to write to.
#[derive(Clone, Copy)]
struct Opened<'a> {
    path: &'a Val,
    how: How,
    at: Span,
}

impl Walker<'_> {
    /// Makes redirections, from left to right.
    pub(crate) fn redirects(
        &mut self,
        tree: &Tree<'_>,
        many: Many<Redirect>,
        state: &mut State,
    ) -> Redirected {
        let mut made = Redirected {
            before: state.descriptors.clone(),
            numbers: Vec::new(),
            may_fail: false,
            expands: false,
        };
        for redirect in tree.many(many) {
            made.expands |= expands(tree, redirect);
            let led = self.redirect(tree, redirect, state);
            made.may_fail |= led.may_fail;
            let numbers = match (led.which, redirect.fd) {
                (Which::Both, _) => vec![1, 2],
                (Which::One(number), Fd::Default) | (Which::One(_), Fd::Number(number)) => {
                    vec![number]
                }
                (Which::One(_), Fd::Variable { .. }) => {
                    let may_fail = led.may_fail;
                    self.picked(tree, Picked { redirect, may_fail }, state);
                    self.writes_anything(&led.end, state);
                    Vec::new()
                }
            };
            for number in numbers {
                made.numbers.push(number);
                state.descriptors.lead(number, led.end.clone());
            }
        }
        made
    }

    /// Opens what one redirection names.
    fn redirect(&mut self, tree: &Tree<'_>, redirect: &Redirect, state: &mut State) -> Led {
        let at = span(redirect.span);
        let led = |which: Which, end: End| Led {
            which,
            end,
            may_fail: false,
        };
        let word = match redirect.target {
            Target::HereDoc(id) => {
                let val = self.parts(tree, tree.one(id).body, state);
                return led(Which::One(0), state.descriptors.source(Stream::of(val)));
            }
            Target::Word(word) if redirect.op == RedirectOp::HereString => {
                self.word(tree, tree.one(word), state)
            }
            Target::Word(word) => self.file_named(tree, tree.one(word), state),
        };
        if word.text() == Some("!") {
            self.trouble(
                TroubleKind::Ambiguous,
                "zsh reads `>!` as a redirection to the next word",
                at,
            );
        }
        let path = &word;
        let open = |how: How| Opened { path, how, at };
        match redirect.op {
            RedirectOp::HereString | RedirectOp::HereDoc | RedirectOp::HereDocTabs => {
                led(Which::One(0), state.descriptors.source(Stream::line(word)))
            }
            RedirectOp::Read => {
                let end = self.opened(&word, at, state);
                led(Which::One(0), end)
                    .failing(word.text() != Some("/dev/null") && !is_process(tree, redirect))
            }
            RedirectOp::ReadWrite => {
                let end = self.opened(&word, at, state);
                self.lead_to_file(open(How::Append), state);
                led(Which::One(0), end).failing(true)
            }
            RedirectOp::DuplicateInput => {
                let end = self.duplicated(&word, at, state);
                let unknown = end == End::Unknown;
                led(Which::One(0), end).failing(unknown)
            }
            RedirectOp::DuplicateOutput if is_descriptor(&word) => {
                let end = self.duplicated(&word, at, state);
                let unknown = end == End::Unknown;
                led(Which::One(1), end).failing(unknown)
            }
            RedirectOp::DuplicateOutput | RedirectOp::WriteBoth => {
                let end = self.lead_to_file(open(How::Plain), state);
                led(Which::Both, end).failing(!is_sink(&word))
            }
            RedirectOp::AppendBoth => {
                let end = self.lead_to_file(open(How::Append), state);
                led(Which::Both, end).failing(!is_sink(&word))
            }
            RedirectOp::Write | RedirectOp::Clobber => {
                let end = self.lead_to_file(open(How::Plain), state);
                led(Which::One(1), end).failing(!is_sink(&word))
            }
            RedirectOp::Append => {
                let end = self.lead_to_file(open(How::Append), state);
                led(Which::One(1), end).failing(!is_sink(&word))
            }
        }
    }

    /// The shell picks a number from ten on, keeps it open, and says which in the variable.
    fn picked(&mut self, tree: &Tree<'_>, picked: Picked<'_>, state: &mut State) {
        let Picked { redirect, may_fail } = picked;
        let Fd::Variable { name, subscript } = redirect.fd else {
            return;
        };
        if let Some(subscript) = subscript {
            self.subscript(tree, subscript, state);
        }
        let duplicates = matches!(
            redirect.op,
            RedirectOp::DuplicateInput | RedirectOp::DuplicateOutput
        );
        // To close it the number is read, and where it cannot be opened it is not set.
        let keeps = may_fail || duplicates;
        let before = keeps.then(|| state.clone());
        let name = lossy(tree.bytes(name));
        let setting = crate::machine::variables::Setting::one(name, Val::digits());
        self.assign(setting, state, span(redirect.span));
        if let Some(before) = before {
            *state = before.or(std::mem::take(state));
        }
    }

    /// Returns where `<&word` and `>&word` lead.
    fn duplicated(&mut self, word: &Val, at: Span, state: &mut State) -> End {
        let Some(text) = word.text() else {
            return End::Unknown;
        };
        if text == "-" {
            return End::Nothing;
        }
        let digits = text.strip_suffix('-').unwrap_or(text);
        match digits.parse::<u32>() {
            Ok(number) => state.descriptors.get(number),
            Err(_) => self.opened(word, at, state),
        }
    }

    /// Opens a file to read from.
    fn opened(&mut self, path: &Val, at: Span, state: &mut State) -> End {
        if let Some(number) = own_descriptor(path) {
            return state.descriptors.get(number);
        }
        let stream = self.read_from(path, at, state);
        state.descriptors.source(stream)
    }

    /// Reads a file as standard input.
    pub(crate) fn read_from(&mut self, path: &Val, at: Span, state: &mut State) -> Stream {
        let mut all: Option<Stream> = None;
        for choice in path.choices() {
            let next = self.read_one(&choice, at, state);
            all = Some(match all {
                Some(before) => before.or(next),
                None => next,
            });
        }
        all.unwrap_or_else(Stream::nothing)
    }

    fn read_one(&mut self, path: &Val, at: Span, state: &mut State) -> Stream {
        if let Some(host) = socket(path) {
            self.emit(Effect::to(Verb::Fetch, belay_model::Target::Host(host)).spanning(at));
            return Stream::labelled(Carries::FETCHED);
        }
        if path.text() == Some("/dev/null") {
            return Stream::nothing();
        }
        let carries = self.read_place(path, Touch::new(How::Plain, at), state);
        if let Some(paths) = path.text().and_then(|it| self.listings.get(it)) {
            return Stream {
                paths: paths.clone(),
                ..Stream::labelled(carries)
            };
        }
        match self.note_of(path, state) {
            Some(note) if !note.perhaps && note.text.is_some() => {
                let text = note.text.unwrap_or_default();
                Stream::of(Val::known(text).carrying(carries))
            }
            _ => Stream::labelled(carries),
        }
    }

    /// Returns what `$(<file)` gives, where a list is nothing but that.
    pub(crate) fn file_read(
        &mut self,
        tree: &Tree<'_>,
        list: List,
        state: &mut State,
    ) -> Option<Stream> {
        let [entry] = tree.many(list) else {
            return None;
        };
        let [command] = tree.many(entry.commands) else {
            return None;
        };
        let CommandKind::Simple { assignments, words } = command.kind else {
            return None;
        };
        let [redirect] = tree.many(command.redirects) else {
            return None;
        };
        let plain = assignments.is_empty()
            && words.is_empty()
            && redirect.op == RedirectOp::Read
            && matches!(redirect.fd, Fd::Default | Fd::Number(0))
            && !entry.negated;
        let Target::Word(word) = redirect.target else {
            return None;
        };
        if !plain {
            return None;
        }
        let word = self.word(tree, tree.one(word), state);
        let stream = match own_descriptor(&word) {
            Some(number) => (*state.descriptors.input(number)).clone(),
            None => self.read_from(&word, span(redirect.span), state),
        };
        // Where the file cannot be read nothing comes.
        Some(stream.or(Stream::nothing()))
    }

    /// Leads descriptors back to where they led, and looks at the files that were written.
    pub(crate) fn restore(&mut self, made: &Redirected, state: &mut State) {
        for number in &made.numbers {
            self.review_written(&state.descriptors.get(*number), state);
        }
        state.descriptors.restore(&made.before, &made.numbers);
    }

    /// Looks at a file that was written, as a whole.
    pub(crate) fn review_written(&mut self, end: &End, state: &State) {
        for end in end.each() {
            let End::File(Some(path)) = end else { continue };
            let Some(text) = state.files.get(path).and_then(|it| it.text) else {
                continue;
            };
            if !text.is_empty() {
                self.reviewed(path, &Stream::of(Val::known(text)));
            }
        }
    }

    /// Opens a file to write to.
    fn lead_to_file(&mut self, opened: Opened<'_>, state: &mut State) -> End {
        let mut ends: Vec<End> = Vec::new();
        for path in opened.path.choices() {
            let path = &path;
            ends.push(self.lead_to_one(Opened { path, ..opened }, state));
        }
        match ends.len() {
            1 => ends.pop().unwrap_or(End::Unknown),
            _ => End::OneOf(ends),
        }
    }

    fn lead_to_one(&mut self, opened: Opened<'_>, state: &mut State) -> End {
        let Opened { path, how, at } = opened;
        if let Some(host) = socket(path) {
            let effect = Effect::to(Verb::Send, belay_model::Target::Host(host.clone()));
            self.emit(effect.carrying(Carries::UNKNOWN).spanning(at));
            return End::Host(Rc::from(host));
        }
        if let Some(number) = own_descriptor(path) {
            return state.descriptors.get(number);
        }
        if is_sink(path) {
            return if path.text() == Some("/dev/tty") {
                End::Terminal
            } else {
                End::Nothing
            };
        }
        if how == How::Plain {
            self.overwritten(path, at, state);
        }
        let absolute = path.text().and_then(|it| self.absolute(it, state));
        let text = match how == How::Append {
            false => Some(String::new()),
            true => self.standing_text(path, state),
        };
        self.write_place(path, Touch::new(how, at), state);
        let note = Note {
            carries: path.carries,
            copied: text.is_none(),
            text,
            perhaps: false,
            built: false,
            linked: false,
            number: None,
            came: None,
        };
        self.note(path, note, state);
        End::File(absolute.map(Rc::from))
    }

    /// Returns the text of a file as it stands, where nothing that was done so far may have changed it unseen.
    fn standing_text(&self, path: &Val, state: &State) -> Option<String> {
        let absolute = path.text().and_then(|it| self.absolute(it, state))?;
        if let Some(note) = state.files.get(&absolute) {
            return note.text.filter(|_| !note.perhaps);
        }
        if !state.links.is_empty() || self.may_have_done(|it| self.may_reach(it, &absolute)) {
            return None;
        }
        match self.is_not_there(path, state) {
            true => Some(String::new()),
            false => self.text_in(path, state).filter(|it| it.len() <= WRITTEN),
        }
    }

    /// Something may be written to a file by a descriptor whose number nobody knows.
    fn writes_anything(&self, end: &End, state: &mut State) {
        for end in end.each() {
            if let End::File(Some(path)) = end {
                let note = Note::unread(Carries::UNKNOWN);
                state.files.insert(path.to_string(), note);
            }
        }
    }

    /// Lets output flow to where a descriptor leads.
    pub(crate) fn deliver(&mut self, number: u32, stream: Stream, state: &mut State) {
        if stream.is_silent() {
            return;
        }
        let end = state.descriptors.get(number);
        let ends = end.each();
        let perhaps = ends.len() > 1;
        for end in ends {
            match end {
                End::Terminal => self.showing = self.showing.and(stream.carries),
                End::Nothing => {}
                End::Out(at) => state.descriptors.pour(*at, stream.clone(), perhaps),
                End::Unknown | End::In(_) | End::OneOf(_) => {
                    self.showing = self.showing.and(stream.carries);
                    state.descriptors.spill(stream.carries);
                    state.files.anything();
                }
                End::File(path) => self.add_to_file(path.as_deref(), &stream, state),
                End::Host(host) => {
                    let target = belay_model::Target::Host((**host).to_owned());
                    let effect = Effect::to(Verb::Send, target).carrying(stream.carries);
                    self.emit(effect);
                }
            }
        }
    }

    fn add_to_file(&mut self, path: Option<&str>, stream: &Stream, state: &mut State) {
        let Some(path) = path else { return };
        let Some(note) = state.files.get(path) else {
            return;
        };
        let number = stream.text.as_ref().and_then(Val::numbers);
        // Beside anything else, and where there may be none, it is no number any more.
        let alone =
            note.text.as_deref() == Some("") && stream.text.as_ref().is_some_and(Val::is_one);
        let number = number.filter(|_| alone).cloned().map(Box::new);
        let text = match (note.text, stream.text.as_ref().and_then(Val::text)) {
            (Some(before), Some(more))
                if before.is_empty() || before.len() + more.len() <= WRITTEN =>
            {
                Some(before + more)
            }
            _ => {
                // Of what is too much to be put together each piece is looked at on its own.
                self.reviewed(path, stream);
                None
            }
        };
        self.wrote(path, stream.carries);
        self.keep_text(text.as_deref());
        let note = Note {
            carries: note.carries.and(stream.carries),
            copied: text.is_none(),
            text,
            perhaps: note.perhaps,
            built: false,
            linked: false,
            number,
            came: None,
        };
        state.files.insert(path.to_owned(), note);
    }

    /// Adds to the effect of a write what flowed into it.
    fn wrote(&mut self, path: &str, carries: Carries) {
        let frame = self.scene.frame;
        let place = belay_model::Place::Exact(belay_places::shorten(path, frame.cwd, frame.home()));
        let found = self
            .out
            .effects
            .iter_mut()
            .rev()
            .take(LOOKED_AT)
            .find(|it| it.verb == Verb::Write && it.place() == Some(&place));
        if let Some(effect) = found {
            effect.carries = effect.carries.and(carries.without(Carries::LETTERS));
        }
    }
}

/// So many effects are looked at for the write that something flows into.
const LOOKED_AT: usize = 256;

/// The longest text of a file that is put together.
const WRITTEN: usize = 4 * 1024;
