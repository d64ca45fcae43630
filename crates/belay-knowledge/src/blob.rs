//! Packed knowledge, read in place. INVARIANT: bytes that make no sense read as nothing; no panic.

use std::cmp::Ordering;

use crate::Deeds;
use crate::glob;
use crate::layout::{self, ENTRY, HEADER};

/// Packed bytes.
#[derive(Clone, Copy)]
pub(crate) struct Blob<'k>(pub(crate) &'k [u8]);

impl std::fmt::Debug for Blob<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// A list of items of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    start: usize,
    count: usize,
    size: usize,
}

impl List {
    pub(crate) const fn len(self) -> usize {
        self.count
    }

    /// Returns where an item lies.
    pub(crate) const fn at(self, index: usize) -> usize {
        self.start + index * self.size
    }

    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = usize> + Clone {
        (0..self.count).map(move |it| self.at(it))
    }
}

impl<'k> Blob<'k> {
    pub(crate) fn byte(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    pub(crate) fn short(self, at: usize) -> u16 {
        let bytes = self.0.get(at..).and_then(|it| it.first_chunk::<2>());
        bytes.map_or(0, |it| u16::from_le_bytes(*it))
    }

    pub(crate) fn long(self, at: usize) -> u32 {
        let bytes = self.0.get(at..).and_then(|it| it.first_chunk::<4>());
        bytes.map_or(0, |it| u32::from_le_bytes(*it))
    }

    /// Reads an offset.
    pub(crate) fn offset(self, at: usize) -> usize {
        self.long(at) as usize
    }

    /// Returns the bytes of the text whose packed number lies here.
    pub(crate) fn text_bytes(self, at: usize) -> &'k [u8] {
        self.packed(self.long(at))
    }

    /// Returns the bytes of a text by its packed number.
    pub(crate) fn packed(self, number: u32) -> &'k [u8] {
        let number = number as usize;
        let start = number >> 8;
        self.0.get(start..start + (number & 0xff)).unwrap_or(&[])
    }

    /// Returns the items of a list, as they are packed.
    pub(crate) fn items(self, list: List) -> impl Iterator<Item = &'k [u8]> {
        let whole = list.start..list.start + list.count * list.size;
        self.0.get(whole).unwrap_or(&[]).chunks_exact(list.size)
    }

    /// Returns the text whose packed number lies here.
    pub(crate) fn text(self, at: usize) -> &'k str {
        std::str::from_utf8(self.text_bytes(at)).unwrap_or("")
    }

    /// Returns the list whose offset lies here.
    pub(crate) fn list(self, at: usize, size: usize) -> List {
        self.list_at(self.offset(at), size)
    }

    /// Returns the list that lies at this offset.
    pub(crate) fn list_at(self, start: usize, size: usize) -> List {
        let count = if start == 0 {
            0
        } else {
            usize::from(self.short(start))
        };
        List {
            start: start + 2,
            count,
            size,
        }
    }

    /// Finds an entry of a table by its name.
    fn entry(self, list: List, name: &[u8]) -> Option<usize> {
        if list.len() < layout::INDEXED {
            return self.search(list, name);
        }
        let (places, index) = (layout::places(list.len()), list.at(list.len()));
        let start = layout::hash(name);
        for step in 0..places {
            let place = (start + step) & (places - 1);
            let number = usize::from(self.short(index + place * 2));
            let at = list.at(number.checked_sub(1)?);
            if self.text_bytes(at) == name {
                return Some(at);
            }
        }
        None
    }

    /// Finds an item by the text it begins with, in a sorted list.
    pub(crate) fn search(self, list: List, name: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, list.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let at = list.at(middle);
            match self.text_bytes(at).cmp(name) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(at),
            }
        }
        None
    }

    /// Returns the first item of a sorted list that is not less.
    pub(crate) fn lower_bound(self, list: List, name: &[u8]) -> usize {
        let (mut low, mut high) = (0, list.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.text_bytes(list.at(middle)) < name {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Finds a record in two tables whose offsets lie here: exact names, then patterns.
    pub(crate) fn lookup(self, at: usize, name: &[u8]) -> Option<usize> {
        let found = self.entry(self.list(at, ENTRY), name).or_else(|| {
            let patterns = self.list(at + 4, ENTRY);
            patterns
                .iter()
                .find(|it| glob::matches(self.text_bytes(*it), name))
        })?;
        Some(self.offset(found + 4))
    }

    /// Returns the names and patterns of one of the header's tables.
    pub(crate) fn names(self, table: usize) -> Vec<&'k str> {
        if self.0.len() < HEADER {
            return Vec::new();
        }
        let lists = [table * 8, table * 8 + 4].map(|at| self.list(at, ENTRY));
        let entries = lists.into_iter().flat_map(List::iter);
        entries.map(|at| self.text(at)).collect()
    }

    /// Returns the names of a table that begin so, without that beginning.
    pub(crate) fn below(self, table: usize, beginning: &str) -> Vec<&'k str> {
        if self.0.len() < HEADER {
            return Vec::new();
        }
        let list = self.list(table * 8, ENTRY);
        let first = self.lower_bound(list, beginning.as_bytes());
        (first..list.len())
            .map_while(|it| self.text(list.at(it)).strip_prefix(beginning))
            .collect()
    }

    /// Finds a record of one of the header's tables.
    pub(crate) fn find(self, table: usize, name: impl AsRef<[u8]>) -> Option<usize> {
        if self.0.len() < HEADER {
            return None;
        }
        self.lookup(table * 8, name.as_ref())
    }
}

/// A command or sub-command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level<'k> {
    pub(crate) blob: Blob<'k>,
    pub(crate) at: usize,
}

/// How a command's words are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Gnu,
    Exact,
    Posix,
    Go,
    Single,
    Find,
    Tar,
    Assign,
    None,
}

impl Dialect {
    const ALL: [Self; 9] = [
        Self::Gnu,
        Self::Exact,
        Self::Posix,
        Self::Go,
        Self::Single,
        Self::Find,
        Self::Tar,
        Self::Assign,
        Self::None,
    ];

    /// Tells whether letters after one dash are flags of their own.
    pub(crate) const fn clusters(self) -> bool {
        matches!(self, Self::Gnu | Self::Exact | Self::Posix | Self::Tar)
    }

    /// Tells whether long options may be cut short.
    pub(crate) const fn abbreviates(self) -> bool {
        matches!(self, Self::Gnu | Self::Posix | Self::Tar)
    }

    /// Tells whether the first operand ends the options.
    pub(crate) const fn stops(self) -> bool {
        matches!(self, Self::Posix | Self::Go)
    }
}

impl<'k> Level<'k> {
    pub(crate) fn name(self) -> &'k str {
        self.blob.text(self.at + layout::level::NAME)
    }

    pub(crate) fn about(self) -> &'k str {
        self.blob.text(self.at + layout::level::ABOUT)
    }

    pub(crate) fn dialect(self) -> Dialect {
        let number = usize::from(self.blob.byte(self.at + layout::level::DIALECT));
        Dialect::ALL.get(number).copied().unwrap_or(Dialect::Gnu)
    }

    pub(crate) fn is(self, bit: u8) -> bool {
        self.blob.byte(self.at + layout::level::BITS) & bit != 0
    }

    pub(crate) fn list(self, field: usize, size: usize) -> List {
        self.blob.list(self.at + field, size)
    }

    /// Returns a slot's value for when it is not given.
    pub(crate) fn default_of(self, slot: u8) -> Option<&'k str> {
        let slots = self.list(layout::level::SLOTS, layout::SLOT);
        let at = slots.at(usize::from(slot)) + 4;
        (usize::from(slot) < slots.len() && self.blob.long(at) != 0).then(|| self.blob.text(at))
    }

    /// Tells whether a slot may name another machine.
    pub(crate) fn is_remote(self, slot: u8) -> bool {
        let slots = self.list(layout::level::SLOTS, layout::SLOT);
        usize::from(slot) < slots.len() && self.blob.byte(slots.at(usize::from(slot)) + 8) != 0
    }

    /// Returns what else is known of it.
    pub(crate) fn deeds(self) -> Deeds {
        Deeds(self.blob.long(self.at + layout::level::DEEDS))
    }

    /// Finds a sub-command.
    pub(crate) fn sub(self, name: &str) -> Option<Self> {
        let at = self
            .blob
            .lookup(self.at + layout::level::SUBS, name.as_bytes())?;
        Some(Self { at, ..self })
    }

    /// Returns the sub-command a field names.
    pub(crate) fn named(self, field: usize) -> Option<Self> {
        let at = self.blob.offset(self.at + field);
        (at != 0).then_some(Self { at, ..self })
    }
}
