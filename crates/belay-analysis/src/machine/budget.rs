//! What a text may cost: no shape of it takes more than its length allows.

use belay_model::Span;

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
}

impl Default for Fuel {
    fn default() -> Self {
        Self {
            left: STEPS,
            repeats: 0,
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
