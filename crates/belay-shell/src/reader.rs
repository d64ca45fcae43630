//! The reader: one pass over the bytes, recursive descent, a depth counter and a budget for reading twice.

mod arithmetic;
mod braces;
mod chars;
mod commands;
mod compounds;
mod conditions;
mod functions;
mod heredocs;
mod lists;
mod params;
mod parentheses;
mod patterns;
mod prefixes;
mod quotes;
mod redirects;
mod rows;
mod state;
mod substitutions;
mod words;

use crate::tree::{Bytes, Dialect, Span, Store, Trouble, TroubleKind};
pub(crate) use heredocs::PendingDoc;
pub(crate) use parentheses::parentheses_match;
use std::collections::BTreeMap;

/// How deep constructs may nest; far below what a thread's stack of 2 MB holds in a debug build.
pub(crate) const MAX_DEPTH: u32 = 100;

/// Reading cannot go on; the trouble is already noted.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The shell reads nothing more.
    Reject,
    /// The shell drops the line and reads on with the next one; inside a substitution it goes on taking a closing
    /// parenthesis for the end of a command.
    NextLine { in_parentheses: bool },
}

/// What reading returns.
pub(crate) type Read<T> = Result<T, Stop>;

/// What all readers of one text share.
pub(crate) struct Context {
    /// The tree so far.
    pub(crate) store: Store,
    /// Rows that are not finished yet, see [`rows::Row`].
    pub(crate) scratch: Store,
    /// Here-documents whose bodies come after the next line end.
    pub(crate) pending: Vec<PendingDoc>,
    /// Here-documents whose bodies were read, a row for each line end: a reading that is forgotten gives them back.
    pub(crate) reached: Vec<Vec<PendingDoc>>,
    /// The dialect of the text.
    pub(crate) dialect: Dialect,
    depth: u32,
    /// How deep the innermost `${ ...; }` is: there a brace ends the list whatever follows it.
    brace_depth: u32,
    /// A limit was hit: everything ends here and nothing that is missing is an error.
    pub(crate) limited: bool,
    /// Whether a line before this one switched extended patterns on.
    pub(crate) extglob: bool,
    /// Whether this line does.
    pub(crate) extglob_next: bool,
    /// How many bytes may still be read a second time.
    fuel: usize,
}

impl Context {
    pub(crate) fn new(length: usize, dialect: Dialect) -> Self {
        let mut store = Store::default();
        store.words.reserve(length / 8 + 2);
        store.parts.reserve(length / 8 + 2);
        store.commands.reserve(length / 32 + 1);
        store.entries.reserve(length / 32 + 1);
        Self {
            store,
            scratch: Store::default(),
            pending: Vec::new(),
            reached: Vec::new(),
            dialect,
            depth: 0,
            brace_depth: u32::MAX,
            limited: false,
            extglob: false,
            extglob_next: false,
            fuel: 16 * length + 65_536,
        }
    }

    pub(crate) fn trouble(&mut self, kind: TroubleKind, span: Span, what: &'static str) {
        self.store.troubles.push(Trouble { kind, span, what });
    }
}

/// A cursor over one source: the text itself, or text that was unescaped from it.
///
/// INVARIANT: outside of raw quotes `at` never rests on a backslash and newline; [`Reader::go`] skips them.
pub(crate) struct Reader<'s, 'c> {
    pub(crate) src: &'s [u8],
    /// The source past quotes that end `src` early: an expansion may cross them.
    full: &'s [u8],
    pub(crate) at: usize,
    /// Where re-read text comes from; `None` when `src` is the original text.
    pub(crate) origin: Option<Span>,
    pub(crate) cx: &'c mut Context,
    /// Pending here-documents below this one belong to an outer substitution.
    pub(crate) pending_base: usize,
    /// How many of the pending here-documents a substitution left open: their bodies come first.
    pub(crate) early: usize,
    /// Whether the nearest substitution ends with a parenthesis.
    pub(crate) in_parentheses: bool,
    /// Whether an operator may stand at the start of a line, after a here-document that a substitution left open: bash
    /// puts what follows its end before the rest of the line it began on.
    pub(crate) loose: bool,
    /// Whether a closing parenthesis may stand between commands, after a dropped line.
    pub(crate) stray_parenthesis: bool,
    /// Where parentheses that were looked for are closed, so that nested ones are looked for once.
    closes: BTreeMap<usize, usize>,
    /// Bodies of here-documents are not looked for before this place.
    pub(crate) bodies_after: usize,
    /// Whether the next simple command may have `NAME=(...)` as an argument.
    pub(crate) declares: bool,
}

/// Lengths to return to when a reading turns out to be wrong.
pub(crate) struct Mark {
    pub(crate) store: [usize; Store::FIELDS],
    scratch: [usize; Store::FIELDS],
    heredocs: usize,
    reached: usize,
    at: usize,
    depth: u32,
    pending_base: usize,
    in_parentheses: bool,
    early: usize,
}

impl Mark {
    /// Tells whether a here-document had been met by then.
    pub(crate) fn knows(&self, doc: &PendingDoc) -> bool {
        doc.number() < self.heredocs
    }

    /// Returns for how many line ends bodies had been read.
    pub(crate) fn reached(&self) -> usize {
        self.reached
    }

    /// Returns how many of them a substitution had left open.
    pub(crate) fn early(&self) -> usize {
        self.early
    }

    /// Returns where the cursor was.
    pub(crate) fn place(&self) -> usize {
        self.at
    }
}

impl<'s, 'c> Reader<'s, 'c> {
    pub(crate) fn new(src: &'s [u8], origin: Option<Span>, cx: &'c mut Context) -> Self {
        let pending_base = cx.pending.len();
        let mut reader = Self {
            src,
            full: src,
            at: 0,
            origin,
            cx,
            pending_base,
            early: 0,
            in_parentheses: false,
            loose: false,
            stray_parenthesis: false,
            closes: BTreeMap::new(),
            bodies_after: 0,
            declares: false,
        };
        reader.go(0);
        reader
    }

    /// Returns the byte under the cursor.
    #[inline]
    pub(crate) fn cur(&self) -> Option<u8> {
        self.src.get(self.at).copied()
    }

    /// Moves to a place and past line continuations there.
    #[inline]
    pub(crate) fn go(&mut self, at: usize) {
        self.at = at;
        while self.src.get(self.at) == Some(&b'\\') && self.src.get(self.at + 1) == Some(&b'\n') {
            self.at += 2;
        }
    }

    /// Moves one byte on.
    #[inline]
    pub(crate) fn bump(&mut self) {
        self.go(self.at + 1);
    }

    /// Returns the byte after the one at a place, line continuations skipped, and where it is.
    fn after(&self, at: usize) -> (Option<u8>, usize) {
        let mut next = at + 1;
        while self.src.get(next) == Some(&b'\\') && self.src.get(next + 1) == Some(&b'\n') {
            next += 2;
        }
        (self.src.get(next).copied(), next)
    }

    /// Returns the byte after the cursor.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        match self.src.get(self.at + 1) {
            Some(b'\\') => self.after(self.at).0,
            other => other.copied(),
        }
    }

    /// Returns the second byte after the cursor.
    pub(crate) fn peek2(&self) -> Option<u8> {
        let (_, next) = self.after(self.at);
        self.after(next).0
    }

    /// Moves past a byte if it is the one under the cursor.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let found = self.cur() == Some(byte);
        if found {
            self.bump();
        }
        found
    }

    /// Moves past a byte that must be there.
    pub(crate) fn expect(&mut self, byte: u8, what: &'static str) -> Read<()> {
        if self.eat(byte) || self.cx.limited {
            Ok(())
        } else {
            self.fail(what)
        }
    }

    /// Returns the span from a place to the cursor.
    pub(crate) fn since(&self, start: usize) -> Span {
        self.span(start, self.at)
    }

    /// Returns the span of two places in the source.
    #[inline]
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let (start, end) = (start.min(self.full.len()), end.min(self.full.len()));
        self.origin.unwrap_or(Span {
            start: start as u32,
            end: end.max(start) as u32,
        })
    }

    /// Notes a syntax error at the cursor.
    #[cold]
    pub(crate) fn fail<T>(&mut self, what: &'static str) -> Read<T> {
        let span = self.span(self.at, (self.at + 1).min(self.src.len()));
        self.cx.trouble(TroubleKind::Syntax, span, what);
        Err(Stop::Reject)
    }

    /// Notes something with several meanings.
    #[cold]
    pub(crate) fn ambiguous(&mut self, start: usize, what: &'static str) {
        let span = self.since(start);
        self.cx.trouble(TroubleKind::Ambiguous, span, what);
    }

    /// Notes a place where another dialect reads on differently.
    #[cold]
    pub(crate) fn dialect(&mut self, start: usize, what: &'static str) {
        let span = self.since(start);
        self.cx.trouble(TroubleKind::Dialect, span, what);
    }

    /// Goes one level deeper and reads there; past the limit everything ends as if the text did.
    pub(crate) fn deeper<T>(
        &mut self,
        empty: T,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        if self.cx.depth >= MAX_DEPTH {
            self.limit("nested too deeply");
            return Ok(empty);
        }
        self.cx.depth += 1;
        let result = read(self);
        self.cx.depth -= 1;
        result
    }

    /// Notes a limit and moves to the end of the source.
    #[cold]
    pub(crate) fn limit(&mut self, what: &'static str) {
        if !self.cx.limited {
            let span = self.span(self.at, self.src.len());
            self.cx.trouble(TroubleKind::Limit, span, what);
        }
        self.cx.limited = true;
        self.at = self.src.len();
    }

    /// Reads with the source ending earlier.
    pub(crate) fn within<T>(&mut self, end: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.src;
        self.src = whole.get(..end).unwrap_or(whole);
        let result = read(self);
        self.src = whole;
        if self.cx.limited {
            self.at = whole.len();
        }
        result
    }

    /// Reads with the source ending earlier, and nothing beyond it.
    pub(crate) fn isolated<T>(&mut self, end: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let full = self.full;
        self.full = self.src.get(..end).unwrap_or(self.src);
        let result = self.within(end, read);
        self.full = full;
        result
    }

    /// Reads past the quotes around the cursor, then returns to where it was: bash expands without regard to quotes
    /// here, so what lies beyond them may belong to an expansion that begins inside.
    pub(crate) fn beyond<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Option<T> {
        if self.src.len() == self.full.len() || self.cx.limited {
            return None;
        }
        let (mark, narrow) = (self.mark(), self.src);
        self.src = self.full;
        let result = read(self);
        self.src = narrow;
        self.spend(self.at.saturating_sub(mark.at));
        if result.is_err() {
            self.rewind(&mark);
        }
        self.at = if self.cx.limited {
            self.src.len()
        } else {
            mark.at
        };
        result.ok()
    }

    /// Remembers where the tree ends now.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            store: self.cx.store.lengths(),
            scratch: self.cx.scratch.lengths(),
            heredocs: self.cx.store.heredocs.len(),
            reached: self.cx.reached.len(),
            at: self.at,
            depth: self.cx.depth,
            pending_base: self.pending_base,
            in_parentheses: self.in_parentheses,
            early: self.early,
        }
    }

    /// Forgets what was read since a mark and returns there; the bytes read in vain are counted.
    pub(crate) fn rewind(&mut self, mark: &Mark) {
        self.spend(self.at.saturating_sub(mark.at) + self.cx.pending.len());
        self.cx.store.truncate(&mark.store);
        self.reset(mark);
        if self.cx.reached.len() > mark.reached {
            self.forget_bodies(mark);
        }
        self.at = mark.at;
        if self.cx.limited {
            self.at = self.src.len();
        }
    }

    /// Lets here-documents wait again whose bodies were read in a reading that is forgotten. Bodies are read for all that wait in one
    /// substitution, the last to wait, so those that were reached first wait behind the others.
    #[cold]
    fn forget_bodies(&mut self, mark: &Mark) {
        let rows: Vec<_> = self.cx.reached.drain(mark.reached..).collect();
        for doc in rows.into_iter().rev().flatten() {
            self.spend(8);
            if let Some(node) = self.cx.store.heredocs.get_mut(doc.number()) {
                (node.body, node.closed) = (crate::tree::Many::NONE, false);
                self.cx.pending.push(doc);
            }
        }
    }

    /// Forgets rows left unfinished since a mark but keeps the nodes and the place.
    pub(crate) fn reset(&mut self, mark: &Mark) {
        self.cx.scratch.truncate(&mark.scratch);
        self.cx.pending.retain(|doc| mark.knows(doc));
        self.cx.depth = mark.depth;
        self.pending_base = mark.pending_base;
        self.in_parentheses = mark.in_parentheses;
        self.early = mark.early;
    }

    /// Counts bytes that are read twice; too many are a limit.
    pub(crate) fn spend(&mut self, bytes: usize) {
        self.cx.fuel = self.cx.fuel.saturating_sub(bytes + 8);
        if self.cx.fuel == 0 {
            self.limit("too much text with two readings");
        }
    }

    /// Returns bytes of the source as bytes of the tree, line continuations removed. `fixed` bytes at the start
    /// are taken as they are.
    pub(crate) fn literal(&mut self, start: usize, end: usize, fixed: usize) -> Bytes {
        let raw = self.src.get(start..end).unwrap_or_default();
        let joins = raw.iter().skip(fixed).any(|&byte| byte == b'\\') && has_join(raw, fixed);
        if self.origin.is_none() && !joins {
            return Bytes {
                start: start as u32,
                len: raw.len() as u32,
            };
        }
        let from = self.cx.store.pool.len();
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            if joins && at >= fixed && byte == b'\\' && raw.get(at + 1) == Some(&b'\n') {
                at += 2;
                continue;
            }
            self.cx.store.pool.push(byte);
            at += 1;
        }
        self.pooled(from)
    }

    /// Returns what was added to the pool since a place.
    pub(crate) fn pooled(&self, from: usize) -> Bytes {
        Bytes {
            start: from as u32 | Bytes::POOL,
            len: (self.cx.store.pool.len() - from) as u32,
        }
    }
}

fn has_join(raw: &[u8], fixed: usize) -> bool {
    raw.get(fixed..)
        .unwrap_or_default()
        .windows(2)
        .any(|pair| pair == b"\\\n")
}
