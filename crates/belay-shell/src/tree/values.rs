use super::{Id, Many, Part, PartKind, Sequence, Tree, Word};
use std::borrow::Cow;

/// What is known of a word before anything runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Exactly these bytes, always one word.
    Static(Cow<'a, [u8]>),
    /// A file name pattern; bytes that were quoted and would be special carry a backslash. Without a match it is
    /// passed on with quotes removed.
    Pattern(Cow<'a, [u8]>),
    /// Braces: several words, see [`Tree::expansions`].
    Several,
    /// These bytes first, not empty, then something unknown, perhaps further words.
    Partly(Cow<'a, [u8]>),
    /// Nothing is known.
    Dynamic,
}

impl Value<'_> {
    /// Returns the bytes when they are all known.
    #[must_use]
    pub fn known(&self) -> Option<&[u8]> {
        match self {
            Self::Static(bytes) => Some(bytes),
            Self::Pattern(_) | Self::Several | Self::Partly(_) | Self::Dynamic => None,
        }
    }
}

/// One word that braces make of a word.
#[derive(Clone, Debug)]
pub struct Expansion<'a> {
    /// Its parts in order, braces gone.
    pub pieces: Vec<Piece<'a>>,
}

/// A piece of an [`Expansion`].
#[derive(Clone, Debug)]
pub enum Piece<'a> {
    /// A part of the tree, never a brace or a sequence.
    Part(&'a Part),
    /// A member of a sequence.
    Text(Vec<u8>),
}

impl<'t> Tree<'t> {
    /// Tells whether a word is one text that needs no expansion.
    #[must_use]
    pub fn is_static(&self, word: &Word) -> bool {
        match self.many(word.parts) {
            [part] => match part.kind {
                PartKind::Text(bytes) => part.quoted || !is_pattern(self.bytes(bytes)),
                PartKind::Param(_)
                | PartKind::Command { .. }
                | PartKind::Arith(_)
                | PartKind::Process { .. }
                | PartKind::Brace(_)
                | PartKind::Sequence(_)
                | PartKind::Tilde(_)
                | PartKind::ExtGlob(_)
                | PartKind::Array(_)
                | PartKind::Either(_) => false,
            },
            _ => self.value(word).known().is_some(),
        }
    }

    /// Returns what is known of a word.
    #[must_use]
    pub fn value(&self, word: &Word) -> Value<'_> {
        let parts = self.many(word.parts);
        if let [
            Part {
                kind: PartKind::Text(bytes),
                quoted,
                ..
            },
        ] = parts
        {
            let bytes = self.bytes(*bytes);
            if *quoted || !is_pattern(bytes) {
                return Value::Static(Cow::Borrowed(bytes));
            }
        }
        if self.braces(word) {
            return Value::Several;
        }
        self.value_of(parts.iter().map(Piece::Part))
    }

    /// Returns what is known of one expansion of a word.
    #[must_use]
    pub fn expansion_value(&self, expansion: &Expansion<'_>) -> Value<'static> {
        self.value_of(expansion.pieces.iter().cloned())
    }

    /// Returns how many words braces make of a word: 1 without braces, `u64::MAX` when it is more than can be told.
    #[must_use]
    pub fn expansion_count(&self, word: &Word) -> u64 {
        self.many(word.parts)
            .iter()
            .map(|part| self.part_count(part))
            .fold(1, u64::saturating_mul)
    }

    /// Returns the words that braces make of a word, in bash's order, one at a time and no more than `cap`. An empty one
    /// without quotes is no word: `{,a}` is `a`.
    pub fn expansions(&self, word: &Word, cap: u64) -> impl Iterator<Item = Expansion<'_>> {
        let word = *word;
        let count = self.expansion_count(&word).min(cap);
        let made = (0..count).map(move |nth| {
            let mut pieces = Vec::new();
            self.nth_word(&word, nth, &mut pieces);
            Expansion { pieces }
        });
        made.filter(|expansion| !expansion.pieces.is_empty())
    }

    fn braces(&self, word: &Word) -> bool {
        self.many(word.parts)
            .iter()
            .any(|part| matches!(part.kind, PartKind::Brace(_) | PartKind::Sequence(_)))
    }

    fn part_count(&self, part: &Part) -> u64 {
        match part.kind {
            PartKind::Brace(words) => self.alternatives_count(words),
            PartKind::Sequence(id) => self.one(id).count(),
            PartKind::Text(_)
            | PartKind::Param(_)
            | PartKind::Command { .. }
            | PartKind::Arith(_)
            | PartKind::Process { .. }
            | PartKind::Tilde(_)
            | PartKind::ExtGlob(_)
            | PartKind::Array(_)
            | PartKind::Either(_) => 1,
        }
    }

    fn alternatives_count(&self, words: Many<Word>) -> u64 {
        self.many(words)
            .iter()
            .map(|word| self.expansion_count(word))
            .fold(0, u64::saturating_add)
    }

    fn nth_word<'a>(&'a self, word: &Word, nth: u64, pieces: &mut Vec<Piece<'a>>) {
        let parts = self.many(word.parts);
        let mut below: Vec<u64> = Vec::with_capacity(parts.len());
        let mut product = 1u64;
        for part in parts.iter().rev() {
            below.push(product);
            product = product.saturating_mul(self.part_count(part));
        }
        let mut rest = nth;
        for (part, below) in parts.iter().zip(below.into_iter().rev()) {
            self.nth_part(part, rest / below, pieces);
            rest %= below;
        }
    }

    fn nth_part<'a>(&'a self, part: &'a Part, nth: u64, pieces: &mut Vec<Piece<'a>>) {
        if let PartKind::Brace(words) = part.kind {
            return self.nth_alternative(words, nth, pieces);
        }
        if let PartKind::Sequence(id) = part.kind {
            return pieces.push(Piece::Text(self.nth_member(id, nth)));
        }
        pieces.push(Piece::Part(part));
    }

    fn nth_alternative<'a>(&'a self, words: Many<Word>, mut nth: u64, pieces: &mut Vec<Piece<'a>>) {
        for word in self.many(words) {
            let count = self.expansion_count(word);
            if nth < count {
                return self.nth_word(word, nth, pieces);
            }
            nth -= count;
        }
    }

    fn nth_member(&self, id: Id<Sequence>, nth: u64) -> Vec<u8> {
        self.one(id).nth(nth)
    }

    fn value_of<'a>(&'a self, pieces: impl Iterator<Item = Piece<'a>>) -> Value<'static> {
        let mut known = Known::default();
        for piece in pieces {
            let (bytes, quoted) = match &piece {
                Piece::Text(bytes) => (bytes.as_slice(), false),
                Piece::Part(Part {
                    kind: PartKind::Text(bytes),
                    quoted,
                    ..
                }) => (self.bytes(*bytes), *quoted),
                Piece::Part(Part {
                    kind: PartKind::ExtGlob(_),
                    ..
                }) => {
                    known.pattern = true;
                    return known.cut_short();
                }
                Piece::Part(_) => return known.cut_short(),
            };
            known.push(bytes, quoted);
        }
        known.finish()
    }
}

/// Bytes gathered so far, plain and as a pattern.
#[derive(Default)]
struct Known {
    plain: Vec<u8>,
    escaped: Vec<u8>,
    open: bool,
    pattern: bool,
}

impl Known {
    fn push(&mut self, bytes: &[u8], quoted: bool) {
        for &byte in bytes {
            let special = matches!(byte, b'*' | b'?' | b'[' | b']' | b'\\');
            if special && quoted {
                self.escaped.push(b'\\');
            }
            self.escaped.push(byte);
            if special && !quoted {
                self.pattern |= matches!(byte, b'*' | b'?') || byte == b']' && self.open;
                self.open |= byte == b'[';
            }
            self.plain.push(byte);
        }
    }

    fn cut_short(mut self) -> Value<'static> {
        if self.pattern {
            let at = self
                .plain
                .iter()
                .position(|byte| matches!(byte, b'*' | b'?' | b'['))
                .unwrap_or(self.plain.len());
            self.plain.truncate(at);
        }
        if self.plain.is_empty() {
            Value::Dynamic
        } else {
            Value::Partly(Cow::Owned(self.plain))
        }
    }

    fn finish(self) -> Value<'static> {
        if self.pattern {
            Value::Pattern(Cow::Owned(self.escaped))
        } else {
            Value::Static(Cow::Owned(self.plain))
        }
    }
}

/// Tells whether unquoted bytes are a file name pattern.
fn is_pattern(bytes: &[u8]) -> bool {
    let mut open = false;
    bytes.iter().any(|byte| match byte {
        b'*' | b'?' => true,
        b'[' => {
            open = true;
            false
        }
        b']' => open,
        _ => false,
    })
}

impl Sequence {
    /// Returns how many members the sequence has.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.from.abs_diff(self.to) / self.step.unsigned_abs().max(1) + 1
    }

    /// Returns the member at a place, counted from zero.
    #[must_use]
    pub fn nth(&self, nth: u64) -> Vec<u8> {
        let distance = i128::from(nth) * i128::from(self.step.unsigned_abs().max(1));
        let from = i128::from(self.from);
        let value = if self.from <= self.to {
            from + distance
        } else {
            from - distance
        };
        if self.letters {
            return vec![value.clamp(0, 255) as u8];
        }
        let width = self.width as usize;
        format!("{value:0width$}").into_bytes()
    }
}
