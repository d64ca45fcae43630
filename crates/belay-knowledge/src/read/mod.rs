//! Reading an invocation as the program does: first its words, then what they bring about.

mod acts;
mod expand;
mod flags;
mod hidden;
mod listed;
mod open;
mod operands;
mod prints;
mod spelled;

use std::ops::Range;

use crate::blob::{Blob, Dialect, Level};
use crate::layout::{self, NO_SLOT, OPEN, PARENT, PAYLOAD};
use crate::{Act, Command, Deed, Piece, Reading, Unknown, UnknownKind, Word};
use open::names_file;
use smallvec::SmallVec;

pub use spelled::{Spelling, spelling};

/// Reads the words of an invocation, the command's name first, as the program would.
///
/// INVARIANT: a word that is not known adds: it fires what it may mean, or is reported, and never
/// counts as something that makes the command do less.
#[must_use]
pub fn read<'k>(command: Command<'k>, words: &[Word<'_>]) -> Reading<'k> {
    let mut reader = Reader::new(command.level.blob, words);
    reader.walk(command.level);
    reader.assign();
    reader.stand_ins();
    reader.fills.sort_by_key(Fill::place);
    reader.acts()
}

/// Says what setting a variable does: its name counts as word 0, its value as word 1.
pub(crate) fn setting<'k>(blob: Blob<'k>, effects: crate::blob::List) -> Vec<Act<'k>> {
    let mut reader = Reader::new(blob, &[]);
    for slot in 0..2u8 {
        let value = Value::Piece {
            index: usize::from(slot),
            from: 0,
        };
        let depth = 0;
        reader.fills.push(Fill { depth, slot, value });
    }
    reader.all(effects)
}

/// A value that fills a slot: a piece, or several words at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Piece { index: usize, from: usize },
    Words(usize, usize),
}

/// A slot's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fill {
    depth: usize,
    slot: u8,
    value: Value,
}

impl Fill {
    /// The slot that is filled.
    const fn place(&self) -> (usize, u8) {
        (self.depth, self.slot)
    }
}

/// A flag, or an operand's text, that was met and does something.
#[derive(Clone, Copy, Debug)]
struct Fire {
    depth: usize,
    /// Where its case lies.
    case: usize,
    cause: usize,
    /// Its own values, by slot.
    own: [Option<(u8, Value)>; 2],
    /// Tells that its value is not known, so that it may not lower.
    weak: bool,
}

/// A level that was entered, and the word that named it.
#[derive(Clone, Copy, Debug)]
struct Step<'k> {
    level: Level<'k>,
    word: usize,
}

struct Reader<'k, 'w> {
    blob: Blob<'k>,
    words: &'w [Word<'w>],
    chain: Few<Step<'k>>,
    fires: Few<Fire>,
    /// Every flag that was met: its level, and where it lies.
    met: Few<(usize, usize)>,
    /// In the end sorted by slot, for there may be many.
    fills: Few<Fill>,
    operands: Few<usize>,
    /// The forms of the usage that count.
    forms: Few<usize>,
    assignments: Vec<usize>,
    unknown: Vec<Unknown>,
    helped: Option<usize>,
    /// How many operands stood before `--`, where it was typed.
    dashes: Option<usize>,
    /// Tells that some usage of the level being read ends in a payload.
    has_payload: bool,
    /// Tells that the sub-command is not known.
    lost: bool,
}

/// Few things of a kind, which is what most commands have: they take no memory of their own.
type Few<T> = SmallVec<[T; 4]>;

/// Where reading goes on.
enum Next<'k> {
    Word(usize),
    Enter(Level<'k>, usize, usize),
    End,
}

impl<'k, 'w> Reader<'k, 'w> {
    fn new(blob: Blob<'k>, words: &'w [Word<'w>]) -> Self {
        Self {
            blob,
            words,
            chain: Few::new(),
            fires: Few::new(),
            met: Few::new(),
            fills: Few::new(),
            operands: Few::new(),
            forms: Few::new(),
            assignments: Vec::new(),
            unknown: Vec::new(),
            helped: None,
            dashes: None,
            has_payload: false,
            lost: false,
        }
    }

    fn walk(&mut self, level: Level<'k>) {
        let mut next = Next::Enter(level, 0, 1);
        while let Next::Enter(level, word, from) = next {
            self.chain.push(Step { level, word });
            self.dashes = None;
            self.has_payload = level.is(layout::RUNS);
            next = self.level(level, from);
        }
    }

    /// Reads the words of one level from a word on.
    fn level(&mut self, level: Level<'k>, from: usize) -> Next<'k> {
        let dialect = level.dialect();
        let mut ended = dialect == Dialect::None;
        let mut at = self.first(dialect, from);
        while let Some(word) = self.words.get(at).copied() {
            if !ended && word == Word::Known("--") && dialect != Dialect::Assign {
                ended = dialect != Dialect::Find;
                self.dashes = Some(self.operands.len());
                at += 1;
                continue;
            }
            let next = if ended {
                self.operand(level, at)
            } else {
                self.word(level, at)
            };
            match next {
                Next::Word(after) => at = after,
                Next::Enter(..) | Next::End => return next,
            }
            ended |= dialect.stops() && !self.operands.is_empty();
        }
        match level.named(layout::level::DEFAULT) {
            Some(sub) => Next::Enter(sub, self.cause(), at),
            None => Next::End,
        }
    }

    /// Reads a word where options may still stand.
    fn word(&mut self, level: Level<'k>, at: usize) -> Next<'k> {
        let Some(word) = self.words.get(at).copied() else {
            return Next::End;
        };
        let dialect = level.dialect();
        let beginning = word.beginning();
        if dialect == Dialect::Assign {
            return self.assigned(level, at);
        }
        if word.is_no_flag() {
            return self.operand(level, at);
        }
        if beginning.is_empty() && word.known().is_none() {
            return self.hidden(level, at);
        }
        if dialect == Dialect::Find && matches!(word.known(), Some("(" | ")" | "!" | ",")) {
            return Next::Word(at + 1);
        }
        let dash = word.known() == Some("-");
        if dash && let Some(next) = self.dash(at) {
            return next;
        }
        let dashed = beginning.starts_with('-') && !dash;
        if dashed || (beginning.starts_with('+') && self.finds_plus(beginning)) {
            return self.flag(level, at);
        }
        self.operand(level, at)
    }

    fn operand(&mut self, level: Level<'k>, at: usize) -> Next<'k> {
        let Some(word) = self.words.get(at).copied() else {
            return Next::End;
        };
        if level.is(PARENT) && self.operands.is_empty() {
            return self.sub(level, at);
        }
        if level.is(layout::ASSIGNMENTS) && self.operands.is_empty() && assigns(word.beginning()) {
            self.assignments.push(at);
            return Next::Word(at + 1);
        }
        if self.has_payload
            && let Some(slot) = self.payload(level)
        {
            let depth = self.depth();
            let value = Value::Words(at, self.words.len());
            self.fills.push(Fill { depth, slot, value });
            return Next::End;
        }
        if level.is(OPEN) && names_file(word.beginning()) {
            self.report(UnknownKind::Operand, at, 0..word.beginning().len());
        }
        self.operands.push(at);
        Next::Word(at + 1)
    }

    fn sub(&mut self, level: Level<'k>, at: usize) -> Next<'k> {
        let name = self.words.get(at).and_then(|it| it.known());
        if let Some(sub) = name.and_then(|it| level.sub(it)) {
            return Next::Enter(sub, at, at + 1);
        }
        if let Some(sub) = level.named(layout::level::OTHERWISE) {
            if name.is_none() {
                self.report(UnknownKind::Subcommand, at, 0..0);
            }
            return Next::Enter(sub, self.cause(), at);
        }
        let operands = level.list(layout::level::FORMS, layout::FORM);
        let takes = operands.iter().any(|it| level.blob.offset(it) != 0);
        if takes && name.is_some() {
            self.operands.push(at);
            return Next::Word(at + 1);
        }
        self.report(UnknownKind::Subcommand, at, 0..name.map_or(0, str::len));
        self.lost = true;
        Next::End
    }

    /// Returns the payload's slot when the next operand begins it.
    fn payload(&self, level: Level<'k>) -> Option<u8> {
        let forms = level.list(layout::level::FORMS, layout::FORM);
        forms.iter().find_map(|form| {
            let items = level.blob.list(form, layout::ITEM);
            let last = items.iter().next_back()?;
            if level.blob.byte(last + 1) & PAYLOAD == 0 {
                return None;
            }
            let before = items.iter().take(items.len() - 1);
            let open = before
                .filter(|it| !self.is_filled(level.blob.byte(*it)))
                .count();
            (self.operands.len() >= open).then(|| level.blob.byte(last))
        })
    }

    /// Tells whether a flag filled a slot of the level being read.
    fn is_filled(&self, slot: u8) -> bool {
        let depth = self.depth();
        slot != NO_SLOT
            && self
                .fills
                .iter()
                .any(|it| it.depth == depth && it.slot == slot)
    }

    fn depth(&self) -> usize {
        self.chain.len().saturating_sub(1)
    }

    /// Returns the last word of the command's path.
    fn cause(&self) -> usize {
        self.chain.last().map_or(0, |it| it.word)
    }

    /// Returns the levels whose flags may stand here, the nearest first.
    fn reachable(&self) -> impl Iterator<Item = (usize, Level<'k>)> + use<'_, 'k> {
        let own = self.depth();
        self.chain
            .iter()
            .enumerate()
            .rev()
            .map(|(depth, step)| (depth, step.level))
            .filter(move |(depth, level)| *depth == own || level.is(layout::INHERIT))
    }

    fn report(&mut self, kind: UnknownKind, word: usize, part: Range<usize>) {
        let part = (part.start, part.end);
        self.unknown.push(Unknown { kind, word, part });
    }

    /// Reports words that stand for the words of a file: the program reads those, wherever they stand.
    fn stand_ins(&mut self) {
        if !self.deeds().has(Deed::Expands) {
            return;
        }
        let words = self.words;
        for (at, word) in words.iter().enumerate().skip(1) {
            let beginning = word.beginning();
            if beginning.starts_with('@') && beginning.len() > 1 {
                self.report(UnknownKind::Operand, at, 0..beginning.len());
            }
        }
    }

    fn known(&self, value: Value) -> Word<'_> {
        let Value::Piece { index, from } = value else {
            return Word::Unknown;
        };
        match self.words.get(index) {
            Some(Word::Known(text)) => text.get(from..).map_or(Word::Unknown, Word::Known),
            Some(Word::Prefix(text)) => Word::Prefix(text.get(from..).unwrap_or("")),
            Some(Word::Pattern(text) | Word::Shape(text)) => {
                text.get(from..).map_or(Word::Unknown, Word::Pattern)
            }
            Some(Word::Unknown) | None => Word::Unknown,
        }
    }
}

impl Value {
    const fn piece<'k>(index: usize, from: usize) -> Piece<'k> {
        Piece::Word { index, from }
    }

    /// Returns its first word.
    const fn first(self) -> usize {
        match self {
            Self::Piece { index, .. } | Self::Words(index, _) => index,
        }
    }

    /// Returns the pieces of the value, one for each word.
    fn pieces<'k>(self) -> impl Iterator<Item = Piece<'k>> {
        let (from, to, offset) = match self {
            Self::Piece { index, from } => (index, index + 1, from),
            Self::Words(from, to) => (from, to, 0),
        };
        (from..to).map(move |index| Self::piece(index, offset))
    }
}

/// Tells whether a word begins as an assignment does.
fn assigns(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    // Whatever stands before the sign is a name: the environment takes any, also those of exported functions.
    !name.is_empty() && !name.starts_with('-') && !name.contains(['/', ' '])
}
