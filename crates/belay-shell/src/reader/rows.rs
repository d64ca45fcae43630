//! Rows of nodes that must stand side by side although nested nodes of the same sort are made in between.

use super::Context;
use crate::tree::{
    ArithToken, Arm, Assignment, Branch, Command, Element, Entry, Many, Part, Redirect, TestItem,
    Word,
};
use std::marker::PhantomData;

/// A row being made. It grows in place until something nested got in between, then on the scratch vector.
pub(crate) struct Row<T> {
    start: usize,
    len: usize,
    spilled: Option<usize>,
    /// How many nodes were in place when it moved to the scratch vector.
    placed: usize,
    of: PhantomData<T>,
}

/// A node that comes in rows.
pub(crate) trait Rowed: Copy {
    /// Returns the vector of the tree and the scratch vector.
    fn vectors(cx: &mut Context) -> (&mut Vec<Self>, &mut Vec<Self>);
}

macro_rules! rowed {
    ($($node:ident: $field:ident,)*) => {
        $(impl Rowed for $node {
            #[inline]
            fn vectors(cx: &mut Context) -> (&mut Vec<Self>, &mut Vec<Self>) {
                (&mut cx.store.$field, &mut cx.scratch.$field)
            }
        })*
    };
}

rowed! {
    Entry: entries,
    Command: commands,
    Word: words,
    Part: parts,
    Redirect: redirects,
    Assignment: assignments,
    Element: elements,
    ArithToken: tokens,
    TestItem: tests,
    Branch: branches,
    Arm: arms,
}

impl<T: Rowed> Row<T> {
    pub(crate) fn new() -> Self {
        Self {
            start: 0,
            len: 0,
            spilled: None,
            placed: 0,
            of: PhantomData,
        }
    }

    /// Begins a row on the scratch vector, for rows that are made in turns.
    pub(crate) fn stacked(cx: &mut Context) -> Self {
        let mark = T::vectors(cx).1.len();
        Self {
            start: 0,
            len: 0,
            spilled: Some(mark),
            placed: 0,
            of: PhantomData,
        }
    }

    /// Goes on with a row that was finished.
    pub(crate) fn again(cx: &mut Context, row: Many<T>) -> Self {
        let (nodes, scratch) = T::vectors(cx);
        let mark = scratch.len();
        scratch.extend(nodes.iter().skip(row.start as usize).take(row.len()));
        Self {
            start: 0,
            len: row.len(),
            spilled: Some(mark),
            placed: 0,
            of: PhantomData,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, cx: &mut Context, item: T) {
        let (nodes, scratch) = T::vectors(cx);
        if self.spilled.is_some() {
            scratch.push(item);
        } else if self.len == 0 || nodes.len() == self.start + self.len {
            if self.len == 0 {
                self.start = nodes.len();
            }
            nodes.push(item);
        } else {
            self.spilled = Some(scratch.len());
            self.placed = self.len;
            scratch.extend(nodes.iter().skip(self.start).take(self.len));
            scratch.push(item);
        }
        self.len += 1;
    }

    /// Keeps only the first nodes.
    pub(crate) fn cut(&mut self, cx: &mut Context, len: usize) {
        self.len = self.len.min(len);
        let Some(mark) = self.spilled else { return };
        if self.placed > 0 && self.len <= self.placed {
            T::vectors(cx).1.truncate(mark);
            self.spilled = None;
        } else {
            T::vectors(cx).1.truncate(mark + self.len);
        }
    }

    /// Changes the last node.
    pub(crate) fn last(&mut self, cx: &mut Context, change: impl FnOnce(&mut T)) {
        let (nodes, scratch) = T::vectors(cx);
        let last = match self.spilled {
            Some(_) => scratch.last_mut(),
            None => nodes.get_mut((self.start + self.len).wrapping_sub(1)),
        };
        if let (Some(last), true) = (last, self.len > 0) {
            change(last);
        }
    }

    /// Puts the row into the tree.
    #[inline]
    pub(crate) fn finish(self, cx: &mut Context) -> Many<T> {
        let (nodes, scratch) = T::vectors(cx);
        let Some(mark) = self.spilled else {
            return Many::new(self.start, self.len);
        };
        let start = nodes.len();
        nodes.extend(scratch.drain(mark..));
        Many::new(start, self.len)
    }
}
