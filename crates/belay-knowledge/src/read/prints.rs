//! What an invocation prints.

use super::Reader;
use super::expand::NOTHING;
use crate::layout::{self, NO_SLOT};
use crate::printing::PRINTS;
use crate::{Pieces, Prints};

impl<'k> Reader<'k, '_> {
    /// Finds what is printed with exactly the flags that were met.
    ///
    /// INVARIANT: a flag of a parent, a flag no entry lists and anything unknown leave the output unknown.
    pub(super) fn prints(&self) -> Option<Prints<'k>> {
        let level = self.chain.last()?.level;
        let own = self.depth();
        let all = level.list(layout::level::PRINTS, layout::PRINT);
        let strange = !self.unknown.is_empty() || self.helped.is_some() || self.lost;
        if all.len() == 0 || strange || self.met.iter().any(|(depth, _)| *depth != own) {
            return None;
        }
        let blob = level.blob;
        let flags = level.list(layout::level::FLAGS, layout::FLAG);
        let numbers = |at: usize| {
            blob.list(at, 2)
                .iter()
                .map(move |it| flags.at(blob.short(it).into()))
        };
        let is_met = |flag: usize| self.met.iter().any(|(_, it)| *it == flag);
        let fits = |at: &usize| {
            self.printed(blob.byte(at + 12)).is_empty()
                && numbers(*at).all(is_met)
                && self
                    .met
                    .iter()
                    .all(|(_, flag)| numbers(*at).chain(numbers(*at + 4)).any(|it| it == *flag))
        };
        let at = all.iter().find(fits)?;
        let (_, form, _) = PRINTS.get(usize::from(blob.byte(at + 8)))?;
        Some(Prints {
            form: *form,
            of: self.printed(blob.byte(at + 9)),
            with: self.printed(blob.byte(at + 10)),
            fails: blob.byte(at + 11) != 0,
        })
    }

    fn printed(&self, slot: u8) -> Pieces<'k> {
        if slot == NO_SLOT {
            return Pieces::new();
        }
        self.filled(self.depth(), slot, NOTHING)
    }
}
