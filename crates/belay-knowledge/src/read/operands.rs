//! Which operand fills which slot.

use super::{Few, Fill, Reader, Value};
use crate::UnknownKind;
use crate::blob::{Level, List};
use crate::layout::{self, DASHES, MANY, OPTIONAL, PAYLOAD};

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
        self.is(PAYLOAD) || self.is(DASHES) || (self.given && !self.is(MANY))
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
        self.forms = self.chosen(level, forms);
        let mut fills = Few::new();
        let mut taken = 0;
        for form in &self.forms {
            let mut more = Few::new();
            taken = taken.max(self.distribute(level, *form, &mut more));
            fills.append(&mut more);
        }
        if self.forms.len() > 1 {
            fills.sort_unstable();
            fills.dedup();
        }
        self.fills.append(&mut fills);
        if taken < self.operands.len() && !self.lost {
            self.excess(taken);
        }
    }

    /// Reports the first operand that no slot takes.
    fn excess(&mut self, first: usize) {
        if let Some(word) = self.operands.get(first).copied() {
            let end = self.words.get(word).map_or(0, |it| it.beginning().len());
            self.report(UnknownKind::Operand, word, 0..end);
        }
    }

    /// Returns the forms that count: the first that fits; all that may where the number of operands is
    /// not known; all where none fits.
    fn chosen(&self, level: Level<'k>, forms: List) -> Few<usize> {
        if forms.len() < 2 {
            return forms.iter().collect();
        }
        let dashed = self.dashes.is_some()
            && forms
                .iter()
                .any(|it| self.items(level, it).iter().any(|it| it.is(DASHES)));
        let mut fit = forms.iter().filter(|it| self.fits(level, *it, dashed));
        let chosen: Few<usize> = if self.has_many() {
            fit.collect()
        } else {
            fit.next().into_iter().collect()
        };
        if chosen.is_empty() {
            return forms.iter().collect();
        }
        chosen
    }

    fn has_many(&self) -> bool {
        self.operands.iter().any(|it| self.is_many(*it))
    }

    fn is_many(&self, word: usize) -> bool {
        self.words.get(word).is_some_and(|it| it.is_many())
    }

    /// Tells whether the operands fit a form; a word that may be several, or none, fits any number.
    fn fits(&self, level: Level<'k>, form: usize, dashed: bool) -> bool {
        let items = self.items(level, form);
        let cut = items.iter().position(|it| it.is(DASHES));
        let payload = items.iter().find(|it| it.is(PAYLOAD));
        let lacks = payload.is_some_and(|it| !it.is(OPTIONAL) && !it.given) && !self.has_many();
        if lacks || cut.is_some() != dashed {
            return false;
        }
        let Some(cut) = cut else {
            return self.fit(&items, &self.operands);
        };
        let (before, after) = items.split_at(cut);
        let (first, second) = self.parted();
        self.fit(before, first) && self.fit(after, second)
    }

    fn fit(&self, items: &[Item], operands: &[usize]) -> bool {
        let least: usize = items.iter().map(|it| it.least()).sum();
        let many = items.iter().any(|it| it.is(MANY) && !it.skipped());
        let most = items.iter().filter(|it| !it.skipped()).count();
        let known = operands.iter().filter(|it| !self.is_many(**it)).count();
        let enough = operands.len() >= least || known < operands.len();
        enough && (many || known <= most)
    }

    /// Returns the operands before and after `--`.
    fn parted(&self) -> (&[usize], &[usize]) {
        let cut = self.dashes.unwrap_or(0).min(self.operands.len());
        self.operands.split_at(cut)
    }

    fn items(&self, level: Level<'k>, form: usize) -> Few<Item> {
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
    fn distribute(&self, level: Level<'k>, form: usize, fills: &mut Few<Fill>) -> usize {
        let items = self.items(level, form);
        let taken = match items.iter().position(|it| it.is(DASHES)) {
            None => self.give(&items, &self.operands, fills),
            Some(cut) => {
                let (before, after) = items.split_at(cut);
                let (first, second) = self.parted();
                let taken = self.give(before, first, fills);
                let more = self.give(after, second, fills);
                if taken < first.len() {
                    taken
                } else {
                    taken + more
                }
            }
        };
        self.spill(&items, fills);
        taken
    }

    /// Gives operands to items: a repeated one leaves enough for those after it.
    fn give(&self, items: &[Item], operands: &[usize], fills: &mut Few<Fill>) -> usize {
        let depth = self.depth();
        let mut needed: usize = items.iter().map(|it| it.least()).sum();
        let mut taken = 0;
        for item in items.iter().filter(|it| !it.skipped()) {
            needed -= item.least();
            let free = (operands.len() - taken).saturating_sub(needed);
            let count = match (item.is(MANY), item.least()) {
                (true, least) => free.max(least),
                (false, 0) => free.min(1),
                (false, _) => 1,
            };
            let before = fills.len();
            fills.extend(operands.iter().skip(taken).take(count).map(|index| Fill {
                depth,
                slot: item.slot,
                value: Value::Piece {
                    index: *index,
                    from: 0,
                },
            }));
            taken += fills.len() - before;
        }
        taken
    }

    /// A word that may be several may fill what is left empty too.
    fn spill(&self, items: &[Item], fills: &mut Few<Fill>) {
        let mut backwards = self.operands.iter().rev().copied();
        let Some(index) = backwards.find(|it| self.is_many(*it)) else {
            return;
        };
        let depth = self.depth();
        for item in items.iter().filter(|it| !it.given && !it.is(DASHES)) {
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
