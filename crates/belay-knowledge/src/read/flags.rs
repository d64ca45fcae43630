//! Flags in all their spellings.

use std::ops::Range;

use super::listed::{Match, adds, is_folded, listed};
use super::open::{names_file, speaks_of_acting};
use super::{Fill, Fire, Next, Reader, Value};
use crate::blob::{Dialect, Level};
use crate::layout::{self, LISTED, NO_SLOT, OPEN, PARENT};
use crate::{Deed, UnknownKind, Word};

/// How many words a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arity {
    None,
    One,
    Optional,
    Two,
    Rest,
    Until,
    Either,
}

impl Arity {
    const ALL: [Self; 7] = [
        Self::None,
        Self::One,
        Self::Optional,
        Self::Two,
        Self::Rest,
        Self::Until,
        Self::Either,
    ];
}

/// A flag that was found: the level it belongs to and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) depth: usize,
    pub(super) at: usize,
    pub(super) arity: Arity,
}

/// A flag's value in the same word: where it begins.
type Glued = Option<usize>;

/// Where a flag stands: the word, and where in it its value begins.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    glued: Glued,
}

impl<'k> Reader<'k, '_> {
    /// Reads what may stand only first: the old style of `tar`.
    pub(super) fn first(&mut self, dialect: Dialect, from: usize) -> usize {
        let word = self.words.get(from).and_then(|it| it.known());
        match word {
            Some(text) if dialect == Dialect::Tar && !text.starts_with('-') => {
                self.old_style(text, from)
            }
            Some(_) | None => from,
        }
    }

    fn old_style(&mut self, text: &str, at: usize) -> usize {
        let mut next = at + 1;
        for (offset, letter) in text.char_indices() {
            match self.letter(b'-', letter) {
                Some(flag) => {
                    next = self.fire(flag, Place { at, glued: None }, next);
                }
                None => self.strange(at, offset..offset + letter.len_utf8()),
            }
        }
        next
    }

    /// Reads a `name=value` word.
    pub(super) fn assigned(&mut self, level: Level<'k>, at: usize) -> Next<'k> {
        let word = self.words.get(at).copied().unwrap_or(Word::Unknown);
        let text = word.beginning();
        if let Some((name, _)) = text.split_once('=') {
            match self.exact(name) {
                Some(flag) => {
                    self.fire(
                        flag,
                        Place {
                            at,
                            glued: Some(name.len() + 1),
                        },
                        at + 1,
                    );
                }
                None => self.strange(at, 0..name.len() + 1),
            }
            return Next::Word(at + 1);
        }
        match word.known() {
            Some(known) if self.is_help(known, at) => Next::Word(at + 1),
            Some(known) if self.exact(known).is_some() => self.flag(level, at),
            Some(known) if known.starts_with('-') => {
                self.strange(at, 0..known.len());
                Next::Word(at + 1)
            }
            Some(_) => self.operand(level, at),
            None => self.hidden(level, at),
        }
    }

    /// Reads a word that begins as a flag does.
    pub(super) fn flag(&mut self, level: Level<'k>, at: usize) -> Next<'k> {
        let word = self.words.get(at).copied().unwrap_or(Word::Unknown);
        let text = word.beginning();
        let whole = word.known().is_some();
        if let Some((flag, glued)) = self.whole(text, whole, level.dialect()) {
            let next = self.fire(flag, Place { at, glued }, at + 1);
            return Next::Word(next);
        }
        if let Some(flag) = self.numbered(word, level.dialect()) {
            let glued = Some(text.len());
            let next = self.fire(flag, Place { at, glued }, at + 1);
            return Next::Word(next);
        }
        if whole && self.is_help(text, at) {
            return Next::Word(at + 1);
        }
        if level.is(PARENT)
            && let Some(sub) = level.named(layout::level::DEFAULT)
        {
            return Next::Enter(sub, self.cause(), at);
        }
        if level.dialect().clusters() && !text.starts_with("--") {
            return self.cluster(at, level.dialect() == Dialect::Exact);
        }
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        let value = text.get(name.len() + 1..).unwrap_or_default();
        if level.is(OPEN) && whole && !speaks_of_acting(name) && !names_file(value) {
            return Next::Word(at + 1);
        }
        self.report(UnknownKind::Flag, at, 0..name.len());
        Next::Word(at + 1)
    }

    /// Finds the flag that the word as a whole spells, with a value after `=` or glued on.
    fn whole(&self, text: &str, whole: bool, dialect: Dialect) -> Option<(Flag, Glued)> {
        let (name, value) = match text.split_once('=') {
            Some((name, _)) => (name, Some(name.len() + 1)),
            None => (text, None),
        };
        if !whole && value.is_none() && dialect.clusters() {
            return None;
        }
        let long = name.starts_with("--");
        // One letter and `=`: the rest of the word, `=` too, is the letter's value.
        let short = dialect.clusters() && !long && name.len() <= 2;
        if !short
            && (whole || value.is_some())
            && let Some(flag) = self
                .exact(name)
                .or_else(|| self.other_dashes(name, dialect))
        {
            return Some((flag, value));
        }
        if whole && value.is_none() && !long && is_number(text) && !self.letters_are_flags(text) {
            let number = if text.starts_with('+') {
                "+NUM"
            } else {
                "-NUM"
            };
            return self.exact(number).map(|flag| (flag, None));
        }
        if long && dialect.abbreviates() && (whole || value.is_some()) && name.len() > 2 {
            return self.abbreviated(name).map(|flag| (flag, value));
        }
        // A path is more than a name.
        if whole && text.starts_with('+') && !text.contains('/') {
            return self.exact("+*").map(|flag| (flag, None));
        }
        if dialect.clusters() || long {
            return None;
        }
        self.prefixed(text, dialect)
    }

    /// Finds `-name` for `--name` and the other way round, where a dialect does not tell them apart.
    pub(super) fn other_dashes(&self, name: &str, dialect: Dialect) -> Option<Flag> {
        if dialect != Dialect::Go {
            return None;
        }
        match name.strip_prefix("--") {
            Some(bare) => self.exact(&format!("-{bare}")),
            None => self.exact(&format!("-{name}")),
        }
    }

    /// Finds a flag of one dash whose value is glued on: `-Dname`, `-Xmx1g`.
    fn prefixed(&self, text: &str, dialect: Dialect) -> Option<(Flag, Glued)> {
        if !matches!(dialect, Dialect::Single | Dialect::Find | Dialect::Go) {
            return None;
        }
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        ends.rev().find_map(|end| {
            let flag = self.exact(text.get(..end)?)?;
            let glues = match flag.arity {
                Arity::Optional => dialect != Dialect::Go,
                Arity::Either => end == 2,
                Arity::None | Arity::One | Arity::Two | Arity::Rest | Arity::Until => false,
            };
            (glues && end < text.len()).then_some((flag, Some(end)))
        })
    }

    /// Reads a lone dash where it is a flag: `env -`.
    pub(super) fn dash(&mut self, at: usize) -> Option<Next<'k>> {
        let flag = self.exact("-")?;
        Some(Next::Word(self.fire(
            flag,
            Place { at, glued: None },
            at + 1,
        )))
    }

    fn letters_are_flags(&self, text: &str) -> bool {
        let sign = text.bytes().next().unwrap_or(b'-');
        text.chars()
            .nth(1)
            .is_some_and(|it| self.letter(sign, it).is_some())
    }

    /// Reads letters after one dash; `exact` programs drop a `=` before a letter's value.
    fn cluster(&mut self, at: usize, exact: bool) -> Next<'k> {
        let word = self.words.get(at).copied().unwrap_or(Word::Unknown);
        let text = word.beginning();
        let sign = text.bytes().next().unwrap_or(b'-');
        let mut letters = text.char_indices().skip(1).peekable();
        let mut next = at + 1;
        while let Some((offset, letter)) = letters.next() {
            let end = offset + letter.len_utf8();
            let Some(flag) = self.letter(sign, letter) else {
                if letter.is_ascii_digit() && self.exact("-NUM").is_some() {
                    while letters.next_if(|(_, it)| it.is_ascii_digit()).is_some() {}
                    continue;
                }
                self.strange(at, offset..end);
                continue;
            };
            let more = end < text.len() || word.known().is_none();
            let takes = flag.arity != Arity::None;
            let equals = exact && text.get(end..).is_some_and(|it| it.starts_with('='));
            let value = if equals { end + 1 } else { end };
            next = self.fire(
                flag,
                Place {
                    at,
                    glued: (takes && more).then_some(value),
                },
                next,
            );
            if takes && more {
                return Next::Word(next);
            }
        }
        if word.known().is_none() {
            self.report(UnknownKind::Flag, at, 0..text.len());
        }
        Next::Word(next)
    }

    /// Reports a letter or a name that is no flag here.
    fn strange(&mut self, at: usize, part: Range<usize>) {
        if self.chain.last().is_some_and(|it| it.level.is(OPEN)) {
            return;
        }
        self.report(UnknownKind::Flag, at, part);
    }

    /// Notes `--help` and `--version`. As the only word behind the command's own they make it do nothing
    /// else. Behind other words many programs have acted by then: there they count only where the file says so.
    fn is_help(&mut self, text: &str, at: usize) -> bool {
        let help = matches!(text, "--help" | "--version");
        let alone = at == self.cause() + 1 && at + 1 == self.words.len();
        let anywhere = || {
            self.chain
                .iter()
                .any(|it| it.level.deeds().has(Deed::Helps))
        };
        if help && (alone || anywhere()) {
            self.helped = Some(at);
        }
        help
    }

    fn letter(&self, sign: u8, letter: char) -> Option<Flag> {
        let mut spelling = [sign, 0, 0, 0, 0];
        let (_, room) = spelling.split_at_mut(1);
        let length = letter.encode_utf8(room).len() + 1;
        self.spelled(spelling.get(..length)?)
    }

    pub(super) fn exact(&self, name: &str) -> Option<Flag> {
        self.spelled(name.as_bytes())
    }

    fn spelled(&self, name: &[u8]) -> Option<Flag> {
        self.reachable().find_map(|(depth, level)| {
            let list = level.list(layout::level::SPELLINGS, layout::SPELLING);
            let at = level.blob.search(list, name)?;
            Some(found(level, depth, at))
        })
    }

    /// Finds the only flag that begins so.
    pub(super) fn abbreviated(&self, name: &str) -> Option<Flag> {
        let mut only: Option<Flag> = None;
        for (depth, level) in self.reachable() {
            let list = level.list(layout::level::SPELLINGS, layout::SPELLING);
            let first = level.blob.lower_bound(list, name.as_bytes());
            for at in (first..list.len()).map(|it| list.at(it)) {
                if !level.blob.text_bytes(at).starts_with(name.as_bytes()) {
                    break;
                }
                let flag = found(level, depth, at);
                if only.is_some_and(|it| it != flag) {
                    return None;
                }
                only = Some(flag);
            }
        }
        only
    }

    /// Takes a flag's values, fills its slots and notes what it does; returns the next word.
    fn fire(&mut self, flag: Flag, place: Place, next: usize) -> usize {
        let Place { at, glued } = place;
        let Some(level) = self.chain.get(flag.depth).map(|it| it.level) else {
            return next;
        };
        self.met.push((flag.depth, flag.at));
        let (values, next) = self.take(flag.arity, Place { at, glued }, next);
        let mut own = [None, None];
        for (place, (entry, value)) in own.iter_mut().zip(values).enumerate() {
            let slot = level.blob.byte(flag.at + 1 + place);
            if let Some(value) = value {
                *entry = Some((slot, value));
                if slot != NO_SLOT {
                    let depth = flag.depth;
                    self.fills.push(Fill { depth, slot, value });
                }
            }
        }
        let odd = glued.is_some()
            && match flag.arity {
                Arity::None => !self.says_true(at, glued),
                // The first word of the payload hides in the flag's own: `python -mevil`.
                Arity::Rest | Arity::Until => true,
                Arity::One | Arity::Either | Arity::Optional | Arity::Two => false,
            };
        if odd {
            let text = self.words.get(at).map_or("", |it| it.beginning());
            let name = glued.and_then(|it| text.get(..it)).unwrap_or(text);
            self.report(UnknownKind::Flag, at, 0..name.trim_end_matches('=').len());
        }
        let seed = Fire {
            depth: flag.depth,
            case: 0,
            cause: at,
            own,
            weak: odd,
        };
        let cases = level.blob.list(flag.at + 3, layout::CASE);
        self.cases(level, cases, seed);
        next
    }

    fn says_true(&self, at: usize, glued: Glued) -> bool {
        let word = self.words.get(at).and_then(|it| it.known());
        let value = word.and_then(|it| it.get(glued?..));
        value == Some("true")
    }

    fn take(&self, arity: Arity, place: Place, next: usize) -> ([Option<Value>; 2], usize) {
        let Place { at, glued } = place;
        let here = glued.map(|from| Value::Piece { index: at, from });
        let word =
            |index: usize| (index < self.words.len()).then_some(Value::Piece { index, from: 0 });
        match arity {
            Arity::None => ([None, None], next),
            Arity::Optional => ([here, None], next),
            Arity::One | Arity::Either => match here {
                Some(value) => ([Some(value), None], next),
                None => ([word(next), None], next + 1),
            },
            Arity::Two => match here {
                Some(value) => ([Some(value), word(next)], next + 1),
                None => ([word(next), word(next + 1)], next + 2),
            },
            Arity::Rest => {
                let end = self.words.len();
                ([Some(Value::Words(next.min(end), end)), None], end)
            }
            Arity::Until => {
                let end = self.terminator(next);
                ([Some(Value::Words(next.min(end), end)), None], end + 1)
            }
        }
    }

    /// Finds the `;`, or the `+` after `{}`, that ends a command among `find`'s words.
    fn terminator(&self, from: usize) -> usize {
        let known = |at: usize| self.words.get(at).and_then(|it| it.known());
        (from..self.words.len())
            .find(|at| match known(*at) {
                Some(";") => true,
                Some("+") => *at > from && known(at - 1) == Some("{}"),
                Some(_) | None => false,
            })
            .unwrap_or(self.words.len())
    }

    /// Notes the case that speaks for a value.
    pub(super) fn cases(&mut self, level: Level<'k>, cases: crate::blob::List, seed: Fire) {
        if cases.len() == 0 {
            return;
        }
        let value = seed.own.first().copied().flatten().map(|(_, it)| it);
        let word = value.map_or(Word::Known(""), |it| self.known(it));
        let (mut perhaps, mut doubtful) = (false, false);
        for at in cases.iter() {
            if level.blob.byte(at + layout::case::BITS) & LISTED == 0 {
                self.note(Fire {
                    case: at,
                    weak: seed.weak || perhaps,
                    ..seed
                });
                break;
            }
            match listed(level, at, word) {
                // What does nothing says nothing of a second line: `memory_limit=1` and more below it.
                Match::Yes if is_folded(word) && !adds(level, at) => {
                    perhaps = true;
                    doubtful = true;
                }
                Match::Yes => return self.note(Fire { case: at, ..seed }),
                Match::No => {}
                Match::Perhaps => {
                    perhaps = true;
                    doubtful |= adds(level, at);
                }
            }
        }
        let general = cases.iter().next_back();
        let general =
            general.is_some_and(|at| level.blob.byte(at + layout::case::BITS) & LISTED == 0);
        if (doubtful || !general) && !seed.weak {
            let end = self.words.get(seed.cause).map_or(0, |it| {
                let text = it.beginning();
                text.split_once('=')
                    .map_or(text.len(), |(name, _)| name.len())
            });
            self.report(UnknownKind::Flag, seed.cause, 0..end);
        }
    }

    fn note(&mut self, fire: Fire) {
        let plain = fire.own.iter().all(Option::is_none);
        if plain
            && self
                .fires
                .iter()
                .any(|it| it.case == fire.case && it.weak == fire.weak)
        {
            return;
        }
        self.fires.push(fire);
    }
}

fn found(level: Level<'_>, depth: usize, spelling: usize) -> Flag {
    let flags = level.list(layout::level::FLAGS, layout::FLAG);
    let at = flags.at(usize::from(level.blob.short(spelling + 4)));
    let arity = Arity::ALL.get(usize::from(level.blob.byte(at)));
    Flag {
        depth,
        at,
        arity: arity.copied().unwrap_or(Arity::None),
    }
}

pub(super) fn is_number(word: &str) -> bool {
    let digits = word.get(1..).unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
}
