//! Descriptors: where each number leads, and what has flowed there so far.

use std::rc::Rc;

use belay_model::Carries;

use crate::machine::options::Tri;
use crate::machine::state::Shared;
use crate::machine::stream::Stream;
use crate::machine::value::Val;

/// So many descriptors are kept.
const KEPT: usize = 32;

/// How much of its input a program may have read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drank {
    /// Nothing at all.
    Nothing,
    /// Nothing, or all that there was.
    Whole,
    /// So much that what is left may begin in the middle of a line.
    Part,
}

/// Where a descriptor leads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    /// The person's terminal, or the agent that started the shell.
    Terminal,
    /// Nothing comes and nothing stays.
    Nothing,
    /// Nobody knows where.
    Unknown,
    /// What somebody behind us reads: a pipe, a substitution.
    Out(usize),
    /// What somebody before us wrote: a pipe, a file, a here-document.
    In(usize),
    /// A file, absolute; `None` when its name is not known.
    File(Option<Rc<str>>),
    /// A host, by bash's own names of sockets.
    Host(Rc<str>),
    /// One of these.
    OneOf(Vec<End>),
}

impl End {
    fn or(self, other: &Self) -> Self {
        if self == *other {
            return self;
        }
        let mut all = match self {
            Self::OneOf(all) => all,
            one @ Self::Terminal
            | one @ Self::Nothing
            | one @ Self::Unknown
            | one @ Self::Out(_)
            | one @ Self::In(_)
            | one @ Self::File(_)
            | one @ Self::Host(_) => vec![one],
        };
        match other {
            Self::OneOf(more) => all.extend(more.iter().cloned()),
            one @ Self::Terminal
            | one @ Self::Nothing
            | one @ Self::Unknown
            | one @ Self::Out(_)
            | one @ Self::In(_)
            | one @ Self::File(_)
            | one @ Self::Host(_) => all.push(one.clone()),
        }
        all.dedup();
        if all.len() > 4 {
            Self::Unknown
        } else {
            Self::OneOf(all)
        }
    }

    /// Returns each place it may lead to.
    pub(crate) fn each(&self) -> &[Self] {
        match self {
            Self::OneOf(all) => all,
            one @ Self::Terminal
            | one @ Self::Nothing
            | one @ Self::Unknown
            | one @ Self::Out(_)
            | one @ Self::In(_)
            | one @ Self::File(_)
            | one @ Self::Host(_) => std::slice::from_ref(one),
        }
    }
}

/// Something that is read from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    stream: Rc<Stream>,
    /// Whether somebody may have read from it already.
    taken: bool,
    /// Whether what was read may not have been whole lines.
    spoiled: bool,
}

/// What reading a line gives.
pub(crate) struct Line {
    pub(crate) val: Val,
    /// What its first word is like, where no more is known of it.
    pub(crate) first: Option<Val>,
    /// Whether there is one, with its end.
    pub(crate) there: Tri,
}

/// Returns what a terminal gives; nearly every command reads from one.
fn terminal() -> Rc<Stream> {
    thread_local! {
        static TERMINAL: Rc<Stream> = Rc::new(Stream::terminal());
    }
    TERMINAL.with(Rc::clone)
}

/// All descriptors of a shell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Descriptors {
    table: Shared<Vec<(u32, End)>>,
    outs: Shared<Vec<Stream>>,
    ins: Shared<Vec<Source>>,
}

impl Descriptors {
    /// Tells whether two are surely the same: once something flowed, only one and the same is.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let outs = self.outs.is_same(&other.outs) || self.outs.is_empty() && other.outs.is_empty();
        let ins = self.ins.is_same(&other.ins) || self.ins.is_empty() && other.ins.is_empty();
        outs && ins && self.table == other.table
    }

    /// Returns where a descriptor leads.
    pub(crate) fn get(&self, number: u32) -> End {
        let found = self.table.iter().find(|(it, _)| *it == number);
        match found {
            Some((_, end)) => end.clone(),
            None if number <= 2 => End::Terminal,
            None => End::Unknown,
        }
    }

    /// Leads a descriptor elsewhere. Of one that is not kept nobody knows where it leads.
    pub(crate) fn lead(&mut self, number: u32, end: End) {
        let at = self.table.iter().position(|(it, _)| *it == number);
        if let Some((_, it)) = at.and_then(|at| self.table.get_mut(at)) {
            *it = end;
        } else if number <= 2 || self.table.len() < KEPT {
            self.table.push((number, end));
        }
    }

    /// Leads all descriptors back to where they led.
    pub(crate) fn restore(&mut self, before: &Self, numbers: &[u32]) {
        for number in numbers {
            self.lead(*number, before.get(*number));
        }
        let used = |end: &End| match end {
            End::In(at) => at + 1,
            End::Terminal
            | End::Nothing
            | End::Unknown
            | End::Out(_)
            | End::File(_)
            | End::Host(_)
            | End::OneOf(_) => 0,
        };
        let most = self
            .table
            .iter()
            .flat_map(|(_, it)| it.each())
            .map(used)
            .max();
        let keep = most.unwrap_or(0).max(before.ins.len());
        if self.ins.len() > keep {
            self.ins.truncate(keep);
        }
    }

    /// Opens something to read from.
    pub(crate) fn source(&mut self, stream: Stream) -> End {
        self.ins.push(Source {
            stream: Rc::new(stream),
            taken: false,
            spoiled: false,
        });
        End::In(self.ins.len() - 1)
    }

    /// Opens something that catches output.
    pub(crate) fn catch(&mut self) -> End {
        self.outs.push(Stream::nothing());
        End::Out(self.outs.len() - 1)
    }

    /// Closes what caught output last and returns it.
    pub(crate) fn caught(&mut self) -> Stream {
        self.outs.pop().unwrap_or_else(Stream::nothing)
    }

    /// Returns what comes out of a descriptor: whole, if nobody has read from it.
    pub(crate) fn input(&self, number: u32) -> Rc<Stream> {
        let end = self.get(number);
        let mut found: Option<Rc<Stream>> = None;
        for end in end.each() {
            let next = self.stream_of(end);
            found = Some(match found {
                Some(before) => Rc::new((*before).clone().or((*next).clone())),
                None => next,
            });
        }
        found.unwrap_or_else(terminal)
    }

    fn stream_of(&self, end: &End) -> Rc<Stream> {
        match end {
            End::In(at) => match self.ins.get(*at) {
                // What is left may begin in the middle of a line.
                Some(source) if source.spoiled => Rc::new(Stream {
                    first: None,
                    ..source.stream.rest()
                }),
                Some(source) if source.taken => Rc::new(source.stream.rest()),
                Some(source) => Rc::clone(&source.stream),
                None => Rc::new(Stream::labelled(Carries::UNKNOWN)),
            },
            End::Terminal => terminal(),
            End::Nothing => Rc::new(Stream::nothing()),
            End::Unknown | End::Out(_) | End::File(_) | End::OneOf(_) => {
                Rc::new(Stream::labelled(Carries::UNKNOWN))
            }
            End::Host(_) => Rc::new(Stream::labelled(Carries::FETCHED)),
        }
    }

    /// Returns the next line of a descriptor.
    pub(crate) fn line(&self, number: u32) -> Line {
        let end = self.get(number);
        let unknown = |carries| Line {
            val: Val::any(carries),
            first: None,
            there: Tri::Perhaps,
        };
        let End::In(at) = end else {
            return match end {
                End::Nothing => Line {
                    val: Val::known(""),
                    first: None,
                    there: Tri::No,
                },
                End::Terminal
                | End::Unknown
                | End::Out(_)
                | End::In(_)
                | End::File(_)
                | End::Host(_)
                | End::OneOf(_) => unknown(self.input(number).carries.and(Carries::UNKNOWN)),
            };
        };
        let Some(source) = self.ins.get(at) else {
            return unknown(Carries::UNKNOWN);
        };
        if source.spoiled {
            return match source.stream.cut_line() {
                Some(val) => Line {
                    val,
                    first: None,
                    there: Tri::Perhaps,
                },
                None => unknown(source.stream.carries.and(Carries::UNKNOWN)),
            };
        }
        let whole = source.stream.text.as_ref().and_then(Val::text);
        match whole {
            Some("") => Line {
                val: Val::known(""),
                first: None,
                there: Tri::No,
            },
            Some(text) if !source.taken => {
                let first = text.split('\n').next().unwrap_or_default();
                Line {
                    val: Val::known(first).carrying(source.stream.carries),
                    first: None,
                    there: if text.contains('\n') {
                        Tri::Yes
                    } else {
                        Tri::Perhaps
                    },
                }
            }
            _ => Line {
                val: source.stream.any_line(),
                first: source.stream.begins_with(),
                there: Tri::Perhaps,
            },
        }
    }

    /// Says that a line may have been read from a descriptor.
    pub(crate) fn take_line(&mut self, number: u32) {
        self.mark(number, |source| source.taken = true);
    }

    /// Says that something else than whole lines was read: what is left begins anywhere.
    pub(crate) fn spoil(&mut self, number: u32) {
        self.take(number);
    }

    fn mark(&mut self, number: u32, change: impl Fn(&mut Source)) {
        for end in self.get(number).each() {
            if let End::In(at) = end
                && let Some(source) = self.ins.get_mut(*at)
            {
                change(source);
            }
        }
    }

    /// Says that somebody may have read from a descriptor.
    pub(crate) fn take(&mut self, number: u32) {
        for end in self.get(number).each() {
            if let End::In(at) = end
                && self.ins.get(*at).is_some_and(|it| !it.spoiled)
                && let Some(source) = self.ins.get_mut(*at)
            {
                source.taken = true;
                source.spoiled = true;
            }
        }
    }

    /// Adds to what somebody behind us reads; `perhaps` when it may also go elsewhere.
    pub(crate) fn pour(&mut self, at: usize, stream: Stream, perhaps: bool) {
        if let Some(out) = self.outs.get_mut(at) {
            let before = std::mem::take(out);
            *out = if perhaps {
                before.clone().or(before.then(stream))
            } else {
                before.then(stream)
            };
        }
    }

    /// Adds to everything that may be read, because nobody knows where it goes.
    pub(crate) fn spill(&mut self, carries: Carries) {
        if self.outs.is_empty() {
            return;
        }
        for out in self.outs.iter_mut() {
            *out = Stream::labelled(out.carries.and(carries).and(Carries::UNKNOWN));
        }
    }

    /// Returns what is known when either may be so.
    pub(crate) fn or(mut self, other: Self) -> Self {
        if !self.table.is_same(&other.table) && self.table != other.table {
            let mut numbers: Vec<u32> = self.table.iter().map(|(it, _)| *it).collect();
            numbers.extend(other.table.iter().map(|(it, _)| *it));
            numbers.sort_unstable();
            numbers.dedup();
            let joined = numbers
                .into_iter()
                .map(|it| (it, self.get(it).or(&other.get(it))))
                .collect();
            self.table = Shared::new(joined);
        }
        if !self.outs.is_same(&other.outs) {
            let theirs = other.outs.take();
            let mine = self.outs.take();
            let joined = mine.into_iter().zip(theirs).map(|(a, b)| a.or(b));
            self.outs = Shared::new(joined.collect());
        }
        if !self.ins.is_same(&other.ins) && self.ins != other.ins {
            self.join_sources(other.ins.take());
        }
        self
    }

    fn join_sources(&mut self, theirs: Vec<Source>) {
        for (at, other) in theirs.into_iter().enumerate() {
            match self.ins.get_mut(at) {
                Some(mine) => {
                    mine.taken |= other.taken;
                    mine.spoiled |= other.spoiled;
                    if mine.stream != other.stream {
                        mine.stream = Rc::new((*mine.stream).clone().or((*other.stream).clone()));
                    }
                }
                None => self.ins.push(other),
            }
        }
    }

    /// Returns what covers this and all that another round may add to it.
    pub(crate) fn widened(mut self, before: &Self) -> Self {
        if self.table != before.table {
            for (number, end) in self.table.iter_mut() {
                if before.get(*number) != *end {
                    *end = End::Unknown;
                }
            }
        }
        if self.outs != before.outs {
            for (at, out) in self.outs.iter_mut().enumerate() {
                if before.outs.get(at) != Some(out) {
                    *out = out.rest();
                }
            }
        }
        for source in self.ins.iter_mut() {
            source.taken = true;
        }
        self
    }

    /// Forgets where everything leads.
    pub(crate) fn forget(&mut self) {
        for (_, end) in self.table.iter_mut() {
            *end = End::Unknown;
        }
        for number in 0..3 {
            self.lead(number, End::Unknown);
        }
        for source in self.ins.iter_mut() {
            source.taken = true;
            source.spoiled = true;
        }
    }

    /// Tells whether a shell beside this one may have read or written what this one reads and writes.
    pub(crate) fn flows_on(&self, child: &Self) -> bool {
        let wrote = !self.outs.is_empty() && !self.outs.is_same(&child.outs);
        wrote || !self.ins.is_empty() && !self.ins.is_same(&child.ins)
    }

    /// Takes over what a shell beside this one read and wrote.
    pub(crate) fn take_flow(&mut self, child: Self) {
        if !self.outs.is_empty() && !self.outs.is_same(&child.outs) {
            let mut outs = child.outs.take();
            outs.truncate(self.outs.len());
            self.outs = Shared::new(outs);
        }
        if !self.ins.is_empty() && !self.ins.is_same(&child.ins) {
            for (mine, theirs) in self.ins.iter_mut().zip(child.ins.iter()) {
                mine.taken |= theirs.taken;
                mine.spoiled |= theirs.spoiled;
            }
        }
    }
}
