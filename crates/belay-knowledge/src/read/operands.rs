//! Which operand fills which slot.

use super::{Fill, Reader, Value};
use crate::UnknownKind;
use crate::blob::{Level, List};
use crate::layout::{self, MANY, OPTIONAL, PAYLOAD};

/// A slot of a usage.
#[derive(Clone, Copy)]
struct Item {
    slot: u8,
    bits: u8,
    /// Tells that a flag filled it.
    given: bool,
}

impl Item {
    const fn is(self, bit: u8) -> bool {
        self.bits & bit != 0
    }

    /// Tells whether operands pass it by.
    const fn skipped(self) -> bool {
        self.is(PAYLOAD) || (self.given && !self.is(MANY))
    }

    /// Returns how many operands it needs at least.
    const fn least(self) -> usize {
        if self.skipped() || self.is(OPTIONAL) || self.given {
            0
        } else {
            1
        }
    }
}

impl<'k> Reader<'k, '_> {
    /// Gives the operands to the slots of the usage that fits, or of all that may.
    pub(super) fn assign(&mut self) {
        let Some(level) = self.chain.last().map(|it| it.level) else {
            return;
        };
        let forms = level.list(layout::level::FORMS, layout::FORM);
        let chosen = self.chosen(level, forms);
        let mut fills = Vec::new();
        let mut left = Some(usize::MAX);
        for form in &chosen {
            let over = self.distribute(level, (*form, &mut fills));
            left = left.min(over);
        }
        if chosen.len() > 1 {
            fills.sort_unstable();
            fills.dedup();
        }
        self.fills.extend(fills);
        if let Some(first) = left.filter(|it| *it < self.operands.len())
            && !self.lost
        {
            self.excess(first);
        }
    }

    /// Reports the first operand that no slot takes.
    fn excess(&mut self, first: usize) {
        if let Some(word) = self.operands.get(first).copied() {
            let end = self.words.get(word).map_or(0, |it| it.beginning().len());
            self.report(UnknownKind::Operand, word, (0, end));
        }
    }

    /// Returns the forms that count: the first that fits; all where the number of operands is not
    /// known or none fits.
    pub(super) fn chosen(&self, level: Level<'k>, forms: List) -> Vec<usize> {
        if forms.len() > 1 && !self.has_many() {
            let fit = forms.iter().find(|it| self.fits(level, *it));
            if let Some(form) = fit {
                return vec![form];
            }
        }
        forms.iter().collect()
    }

    fn has_many(&self) -> bool {
        let many = |it: &usize| self.words.get(*it).is_some_and(|it| it.is_many());
        self.operands.iter().any(many)
    }

    fn fits(&self, level: Level<'k>, form: usize) -> bool {
        let items = self.items(level, form);
        let least: usize = items.iter().map(|it| it.least()).sum();
        let many = items.iter().any(|it| it.is(MANY) && !it.skipped());
        let most = items.iter().filter(|it| !it.skipped()).count();
        let payload = items.iter().find(|it| it.is(PAYLOAD));
        let ran = self.fills.iter().any(|it| {
            it.depth == self.depth()
                && matches!(it.value, Value::Words(..))
                && payload.is_some_and(|item| item.slot == it.slot)
        });
        let lacks = payload.is_some_and(|it| !it.is(OPTIONAL)) && !ran;
        let count = self.operands.len();
        !lacks && count >= least && (many || count <= most)
    }

    fn items(&self, level: Level<'k>, form: usize) -> Vec<Item> {
        let items = level.blob.list(form, layout::ITEM);
        items
            .iter()
            .map(|at| {
                let slot = level.blob.byte(at);
                Item {
                    slot,
                    bits: level.blob.byte(at + 1),
                    given: self.is_filled(slot),
                }
            })
            .collect()
    }

    /// Fills the slots of one form; returns how many operands it took.
    fn distribute(
        &self,
        level: Level<'k>,
        (form, fills): (usize, &mut Vec<Fill>),
    ) -> Option<usize> {
        let items = self.items(level, form);
        let depth = self.depth();
        let mut needed: usize = items.iter().map(|it| it.least()).sum();
        let mut taken = 0;
        for item in items.iter().filter(|it| !it.skipped()) {
            needed -= item.least();
            let free = (self.operands.len() - taken).saturating_sub(needed);
            let count = match (item.is(MANY), item.least()) {
                (true, least) => free.max(least),
                (false, 0) => free.min(1),
                (false, _) => 1,
            };
            let words = self.operands.iter().skip(taken).take(count);
            let before = fills.len();
            fills.extend(words.map(|index| Fill {
                depth,
                slot: item.slot,
                value: Value::Piece {
                    index: *index,
                    from: 0,
                },
            }));
            taken += fills.len() - before;
        }
        self.spill(&items, fills);
        Some(taken)
    }

    /// A word that may be several may fill what is left empty too.
    fn spill(&self, items: &[Item], fills: &mut Vec<Fill>) {
        let many = |it: &&usize| self.words.get(**it).is_some_and(|it| it.is_many());
        let Some(index) = self.operands.iter().rev().find(many).copied() else {
            return;
        };
        let depth = self.depth();
        for item in items.iter().filter(|it| !it.given) {
            let slot = item.slot;
            if fills.iter().any(|it| it.slot == slot) {
                continue;
            }
            let value = if item.is(PAYLOAD) {
                Value::Words(index, index + 1)
            } else {
                Value::Piece { index, from: 0 }
            };
            fills.push(Fill { depth, slot, value });
        }
    }
}
