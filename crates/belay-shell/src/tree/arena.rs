use super::{
    ArithToken, Arm, Assignment, Branch, Case, Command, Coproc, Element, Entry, ExtGlob, For,
    ForArith, Function, HereDoc, Param, Part, Redirect, Sequence, SliceBounds, Subscript, TestItem,
    Trouble, Word,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// A half-open range of bytes of the original text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span from the start of this one to the end of another.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self {
            start: self.start,
            end: end.end.max(self.start),
        }
    }

    /// Returns the span as a range of `usize`.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Bytes of the text, or, where escapes were decoded, bytes the tree owns; [`Tree::bytes`] resolves it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bytes {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Bytes {
    /// Set in `start` when the bytes live in the tree's own pool.
    pub(crate) const POOL: u32 = 1 << 31;

    /// Tells whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// One node of a tree.
pub struct Id<T> {
    pub(crate) index: u32,
    of: PhantomData<fn() -> T>,
}

/// Nodes of a tree that stand side by side, perhaps none.
pub struct Many<T> {
    pub(crate) start: u32,
    pub(crate) len: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    pub(crate) fn new(index: usize) -> Self {
        Self {
            index: index as u32,
            of: PhantomData,
        }
    }
}

impl<T> Many<T> {
    /// No nodes.
    pub const NONE: Self = Self {
        start: 0,
        len: 0,
        of: PhantomData,
    };
    pub(crate) fn new(start: usize, len: usize) -> Self {
        Self {
            start: start as u32,
            len: len as u32,
            of: PhantomData,
        }
    }

    /// Returns how many there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Tells whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns the ids of the nodes, in order.
    pub fn ids(self) -> impl Iterator<Item = Id<T>> {
        (self.start..self.start + self.len).map(|index| Id {
            index,
            of: PhantomData,
        })
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Id<T> {}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}
impl<T> Clone for Many<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Many<T> {}
impl<T> PartialEq for Many<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && (self.start == other.start || self.len == 0)
    }
}
impl<T> Eq for Many<T> {}
impl<T> fmt::Debug for Many<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}+{}", self.start, self.len)
    }
}

/// Everything read from one text, with the troubles met on the way.
#[derive(Clone, Debug)]
pub struct Tree<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) root: Many<Entry>,
    pub(crate) store: Store,
}

macro_rules! stores {
    ($($field:ident: $node:ident,)*) => {
        /// The vectors behind a tree.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Store {
            pub(crate) pool: Vec<u8>,
            pub(crate) troubles: Vec<Trouble>,
            $(pub(crate) $field: Vec<$node>,)*
        }

        impl Store {
            /// How many vectors there are.
            pub(crate) const FIELDS: usize = 2 + [$(stringify!($field)),*].len();

            /// Returns the length of every vector.
            pub(crate) fn lengths(&self) -> [usize; Self::FIELDS] {
                [self.pool.len(), self.troubles.len(), $(self.$field.len()),*]
            }

            /// Cuts every vector to a length.
            pub(crate) fn truncate(&mut self, lengths: &[usize; Self::FIELDS]) {
                let [pool, troubles, $($field),*] = *lengths;
                self.pool.truncate(pool);
                self.troubles.truncate(troubles);
                $(self.$field.truncate($field);)*
            }
        }

        $(impl sealed::Sealed for $node {}
        impl Stored for $node {
            fn store<'a>(tree: &'a Tree<'_>) -> &'a [Self] {
                &tree.store.$field
            }
        })*
    };
}

mod sealed {
    pub trait Sealed {}
}

/// A sort of node that a tree keeps in a vector of its own.
pub trait Stored: Sized + sealed::Sealed {
    #[doc(hidden)]
    fn store<'a>(tree: &'a Tree<'_>) -> &'a [Self];
}

stores! {
    entries: Entry,
    commands: Command,
    words: Word,
    parts: Part,
    redirects: Redirect,
    assignments: Assignment,
    elements: Element,
    params: Param,
    subscripts: Subscript,
    tokens: ArithToken,
    tests: TestItem,
    branches: Branch,
    fors: For,
    arith_fors: ForArith,
    cases: Case,
    arms: Arm,
    functions: Function,
    coprocs: Coproc,
    heredocs: HereDoc,
    extglobs: ExtGlob,
    sequences: Sequence,
    slices: SliceBounds,
}

impl<'t> Tree<'t> {
    /// Returns the original text.
    #[must_use]
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns the list the text is made of; empty when nothing was read, so look at the troubles too.
    #[must_use]
    pub fn root(&self) -> Many<Entry> {
        self.root
    }

    /// Returns what could not be read or has several meanings, in the order it was met.
    #[must_use]
    pub fn troubles(&self) -> &[Trouble] {
        &self.store.troubles
    }

    /// Returns the node of an id.
    ///
    /// # Panics
    /// With an id of another tree; ids are only made by the reader of the same tree.
    #[must_use]
    #[expect(
        clippy::indexing_slicing,
        reason = "ids are made by the reader after it pushed the node"
    )]
    pub fn one<T: Stored>(&self, id: Id<T>) -> &T {
        &T::store(self)[id.index as usize]
    }

    /// Returns nodes that stand side by side.
    ///
    /// # Panics
    /// With a range of another tree; ranges are only made by the reader of the same tree.
    #[must_use]
    #[expect(
        clippy::indexing_slicing,
        reason = "ranges are made by the reader after it pushed the nodes"
    )]
    pub fn many<T: Stored>(&self, range: Many<T>) -> &[T] {
        if range.len == 0 {
            return &[];
        }
        &T::store(self)[range.start as usize..(range.start + range.len) as usize]
    }

    /// Returns every node of a sort, whatever it hangs on, in the order of reading: a walk that cannot miss one.
    #[must_use]
    pub fn every<T: Stored>(&self) -> &[T] {
        T::store(self)
    }

    /// Returns the bytes a node refers to.
    #[must_use]
    pub fn bytes(&self, bytes: Bytes) -> &[u8] {
        let start = (bytes.start & !Bytes::POOL) as usize;
        let source = if bytes.start & Bytes::POOL == 0 {
            self.text
        } else {
            &self.store.pool
        };
        source
            .get(start..start + bytes.len as usize)
            .unwrap_or_default()
    }

    /// Returns the original text of a span.
    #[must_use]
    pub fn source(&self, span: Span) -> &'t [u8] {
        self.text.get(span.range()).unwrap_or_default()
    }
}
