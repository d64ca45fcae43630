//! What a text may cost: no shape of it takes more than its length allows.

use belay_model::Span;

use crate::machine::narrowed::Filters;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// How many commands may be walked again: rounds of loops, calls, scripts.
const STEPS: u32 = 4_000;

/// How many bytes computed texts may have together, beyond what the text itself has.
const BYTES: usize = 8 * 1024 * 1024;

/// Steps that are left for walking something again; the first walk is free.
pub(crate) struct Fuel {
    left: u32,
    /// How many repeated things we are in.
    pub(crate) repeats: u32,
    /// How many texts we are in that arithmetic evaluates.
    pub(crate) texts: u32,
    /// The programs that ran so far.
    pub(crate) filters: Filters,
}

impl Default for Fuel {
    fn default() -> Self {
        Self {
            left: STEPS,
            repeats: 0,
            texts: 0,
            filters: Filters::default(),
        }
    }
}

impl Fuel {
    /// Takes a step; tells whether it was the last.
    pub(crate) fn burns_out(&mut self) -> bool {
        if self.repeats == 0 || self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.left == 0
    }

    /// Takes a step for a text in a text that arithmetic evaluates: each may lead to all others again.
    pub(crate) const fn may_evaluate(&mut self) -> bool {
        if self.texts > 0 && self.left > 0 {
            self.left -= 1;
        }
        self.texts == 0 || self.left > 0
    }

    /// Says how much is left, for [`Self::is_short`].
    pub(crate) const fn left(&self) -> u32 {
        self.left
    }

    /// Tells whether what began with so much left has taken few steps yet, so that its rounds are walked one by one.
    pub(crate) const fn is_short(&self, began: u32) -> bool {
        /// So many steps the rounds of a loop may take that are walked one by one.
        const SHORT: u32 = 192;
        self.left > 0 && began - self.left < SHORT
    }

    /// Tells whether something may be walked again.
    pub(crate) const fn may_repeat(&self) -> bool {
        self.left > 0
    }
}

/// Bytes that are left for computed texts.
pub(crate) struct Memory {
    left: usize,
}

impl Memory {
    /// What a text of this length may use.
    pub(crate) const fn of(length: usize) -> Self {
        Self {
            left: BYTES + length.saturating_mul(8),
        }
    }

    /// Takes bytes; tells whether there were enough.
    pub(crate) const fn spend(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Takes what a long text needs.
    pub(crate) fn spend_long(&mut self, val: &Val) -> bool {
        self.spend(val.text().map_or(0, str::len))
    }
}

impl Walker<'_> {
    /// Says once that there are more variables than are kept.
    pub(crate) fn crowd(&mut self, at: Span) {
        if !std::mem::replace(&mut self.crowded, true) {
            self.limit("too many variables", at);
        }
    }
}

/// The commands that told git of an address. What was looked at is not looked at again: a chain may be long.
#[derive(Debug, Default)]
pub(crate) struct Addressed {
    /// So many commands were looked at.
    pub(crate) looked: usize,
    /// The places of those that did.
    pub(crate) at: Vec<usize>,
}
