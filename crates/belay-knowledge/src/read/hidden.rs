//! Words of which a part is not known: without their beginning they may be any flag.

use belay_model::{How, Verb};

use super::flags::{Arity, Flag, is_number};
use super::{Next, Reader};
use crate::blob::{Blob, Dialect, Level};
use crate::layout;
use crate::{UnknownKind, Word};

impl<'k> Reader<'k, '_> {
    /// Reads a word of which not even the beginning is known: it may be any flag.
    pub(super) fn hidden(&mut self, level: Level<'k>, at: usize) -> Next<'k> {
        if level.is(layout::PARENT) {
            return self.operand(level, at);
        }
        let glued = matches!(self.words.get(at), Some(Word::Pattern(text) | Word::Shape(text))
            if text.contains(|c: char| !c.is_alphanumeric() && !"*?[]{}".contains(c)));
        let bit = if glued {
            layout::HARMS_GLUED
        } else {
            layout::HARMS
        };
        let harms = self
            .reachable()
            .any(|(_, it)| it.is(bit) && self.adds_harm(it));
        if harms {
            self.report(UnknownKind::Flag, at, 0..0);
        }
        self.operand(level, at)
    }

    /// Finds a flag of one dash with a number glued on of which nobody knows which: `-j$(nproc)`.
    pub(super) fn numbered(&self, word: Word<'_>, dialect: Dialect) -> Option<Flag> {
        let (Word::Pattern(text) | Word::Shape(text)) = word else {
            return None;
        };
        let name = text.strip_suffix("[0-9]*")?;
        let glues = |it: &Flag| matches!(it.arity, Arity::Optional | Arity::Either);
        let plain = name == word.beginning() && !dialect.clusters() && name.len() == 2;
        self.exact(name).filter(|it| plain && glues(it))
    }

    /// Tells whether a word after a plus is a flag here.
    pub(super) fn finds_plus(&self, word: &str) -> bool {
        if is_number(word) && self.exact("+NUM").is_some() {
            return true;
        }
        word.len() > 1
            && self.reachable().any(|(_, level)| {
                let list = level.list(layout::level::SPELLINGS, layout::SPELLING);
                let first = level.blob.lower_bound(list, b"+");
                (first..list.len())
                    .map(|it| level.blob.text_bytes(list.at(it)))
                    .take_while(|it| it.starts_with(b"+"))
                    .any(|it| it != b"+NUM")
            })
    }

    /// Tells whether some flag of a level does more than what is done already. What is deleted with all that lies in it
    /// cannot be changed further.
    fn adds_harm(&self, level: Level<'k>) -> bool {
        let blob = level.blob;
        let gone: Vec<u32> = self
            .fires
            .iter()
            .filter(|it| !it.weak)
            .flat_map(|it| effects(blob, it.case))
            .filter(|it| verb(blob, *it) == Some(Verb::Delete) && deletes_tree(blob, *it))
            .map(|it| blob.long(it + layout::effect::TARGET))
            .collect();
        let flags = level.list(layout::level::FLAGS, layout::FLAG);
        flags
            .iter()
            .flat_map(|flag| blob.list(flag + 3, layout::CASE).iter())
            .flat_map(|case| effects(blob, case))
            .any(|it| match verb(blob, it) {
                Some(Verb::Read | Verb::Probe) => false,
                Some(Verb::Delete | Verb::Write) => {
                    !gone.contains(&blob.long(it + layout::effect::TARGET))
                }
                Some(_) | None => true,
            })
    }
}

/// Returns where the effects lie that a case brings about.
fn effects(blob: Blob<'_>, case: usize) -> impl Iterator<Item = usize> + use<'_> {
    use layout::case::{ALSO, INSTEAD, SPARES};
    [ALSO, INSTEAD, SPARES]
        .into_iter()
        .flat_map(move |field| blob.list(case + field, 4).iter())
        .map(move |it| blob.offset(it))
}

/// Returns the verb of a plain effect.
fn verb(blob: Blob<'_>, effect: usize) -> Option<Verb> {
    let plain = blob.byte(effect + layout::effect::KIND) == 0;
    let verb = usize::from(blob.byte(effect + layout::effect::VERB));
    Verb::ALL.get(verb).copied().filter(|_| plain)
}

fn deletes_tree(blob: Blob<'_>, effect: usize) -> bool {
    let how = usize::from(blob.byte(effect + layout::effect::HOW));
    How::ALL.get(how) == Some(&How::Tree)
}
