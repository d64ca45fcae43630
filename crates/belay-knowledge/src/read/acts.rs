//! From what was met to what it brings about.

use belay_model::Verb;
use smallvec::SmallVec;

use super::expand::{NOTHING, Template};
use super::listed::{Match, listed};
use super::{Fill, Fire, Reader, Value};
use crate::blob::{Level, List};
use crate::layout::{self, INSTEAD, NO_SLOT, OUTPUT, SPARES};
use crate::{Act, Deeds, Output, Piece, Reading, UnknownKind, What, Word};

/// Templates of one reading; most have one or two.
type Templates = SmallVec<[Template; 2]>;

impl<'k> Reader<'k, '_> {
    /// Says what all that was met does: the command's own effects, then `instead`, `drops`, `also`, the
    /// values' and `spares`.
    pub(super) fn acts(&mut self) -> Reading<'k> {
        self.values();
        let mut reading = Reading {
            path: self.chain.iter().map(|it| it.level.name()).collect(),
            named: self.chain.iter().map(|it| it.word).collect(),
            output: self.output(),
            deeds: self.deeds(),
            ..Reading::default()
        };
        let mut templates = self.own();
        self.instead(&mut templates);
        self.drops(&mut templates);
        reading.reads_input = self.reads_input(&templates);
        self.add(&mut templates, layout::case::ALSO);
        for template in &templates {
            self.expand(*template, &mut reading);
        }
        self.spare(&mut reading);
        reading.prints = self.prints();
        reading.unknown = std::mem::take(&mut self.unknown);
        reading
    }

    /// Returns what is known of the command and its sub-commands together.
    pub(super) fn deeds(&self) -> Deeds {
        let all = self.chain.iter().map(|it| it.level.deeds().0);
        Deeds(all.fold(0, |sum, it| sum | it))
    }

    /// Says what packed effects do with the slots as they are filled.
    pub(super) fn all(&self, effects: List) -> Vec<Act<'k>> {
        let mut reading = Reading::default();
        for effect in effects.iter() {
            let template = Template {
                depth: 0,
                at: self.blob.offset(effect),
                cause: 0,
                own: NOTHING,
            };
            self.expand(template, &mut reading);
        }
        reading.acts
    }

    /// Notes what operands do by their text.
    fn values(&mut self) {
        for at in 0..self.fills.len() {
            let Some(fill) = self.fills.get(at).copied() else {
                continue;
            };
            let Some(level) = self.chain.get(fill.depth).map(|it| it.level) else {
                continue;
            };
            let entries = level.list(layout::level::VALUES, layout::VALUE);
            if entries.len() == 0 {
                continue;
            }
            // A payload is known by its first word: the others are that command's own.
            for piece in fill.value.pieces().take(1) {
                if let Piece::Word { index, from } = piece {
                    let value = Value::Piece { index, from };
                    self.value(level, Fill { value, ..fill });
                }
            }
        }
    }

    /// Notes what one value of a slot does; an entry that does nothing is an exception to those after it.
    fn value(&mut self, level: Level<'k>, fill: Fill) {
        let Fill { depth, slot, value } = fill;
        let cause = value.first();
        for entry in level.list(layout::level::VALUES, layout::VALUE).iter() {
            if level.blob.byte(entry) != slot {
                continue;
            }
            let case = entry + 1;
            match listed(level, case, self.known(value)) {
                Match::Yes if is_nothing(level, case) => return,
                Match::Yes => self.fires.push(Fire {
                    depth,
                    case,
                    cause,
                    own: [Some((slot, value)), None],
                    weak: false,
                }),
                Match::No => {}
                Match::Perhaps => self.report(UnknownKind::Operand, cause, 0..0),
            }
        }
    }

    /// Returns the effects of the last level's forms that count.
    fn own(&self) -> Templates {
        let Some(step) = self.chain.last().filter(|_| !self.lost) else {
            return Templates::new();
        };
        let level = step.level;
        let mut out = Templates::new();
        for form in &self.forms {
            let effects = level.blob.list(form + 4, 4);
            out.extend(effects.iter().map(|it| Template {
                depth: self.depth(),
                at: level.blob.offset(it),
                cause: step.word,
                own: NOTHING,
            }));
        }
        out
    }

    fn has(&self, fire: &Fire, bit: u8) -> bool {
        self.blob.byte(fire.case + layout::case::BITS) & bit != 0
    }

    fn instead(&self, templates: &mut Templates) {
        if !self.fires.iter().any(|it| self.has(it, INSTEAD)) {
            return;
        }
        // What is not certain does not take the command's own effects away.
        if self
            .fires
            .iter()
            .any(|it| self.has(it, INSTEAD) && !it.weak)
        {
            templates.clear();
        }
        self.add(templates, layout::case::INSTEAD);
    }

    fn add(&self, templates: &mut Templates, field: usize) {
        let blob = self.blob;
        for fire in &self.fires {
            templates.extend(blob.list(fire.case + field, 4).iter().map(|it| Template {
                depth: fire.depth,
                at: blob.offset(it),
                cause: fire.cause,
                own: fire.own,
            }));
        }
    }

    fn drops(&self, templates: &mut Templates) {
        let blob = self.blob;
        for fire in self.fires.iter().filter(|it| !it.weak) {
            for drop in blob.list(fire.case + layout::case::DROPS, 4).iter() {
                let shape = |at: usize| {
                    (
                        blob.short(at),
                        blob.byte(at + layout::effect::HOW),
                        blob.long(at + layout::effect::TARGET),
                    )
                };
                let drop = shape(blob.offset(drop));
                templates.retain(|it| shape(it.at) != drop);
            }
        }
    }

    /// Tells whether a flag names the file it writes: what it lists or compares goes there.
    fn is_output(&self, cause: usize, target: &[Piece<'k>]) -> bool {
        let flag = self
            .words
            .get(cause)
            .is_some_and(|it| it.beginning().starts_with('-'));
        let own = |it: &Piece<'k>| matches!(it, Piece::Word { index, .. } if *index == cause || *index == cause + 1);
        flag && target.iter().any(own)
    }

    /// Keeps only what flags spare, where some do: payloads, folders, files that flags name for the output
    /// and what is unknown stay.
    fn spare(&self, reading: &mut Reading<'k>) {
        let sparing: Vec<&Fire> = self
            .fires
            .iter()
            .filter(|it| self.has(it, SPARES) && !it.weak)
            .collect();
        if sparing.is_empty() && self.helped.is_none() {
            return;
        }
        reading.acts.retain(|it| match &it.what {
            What::Effect { verb, target, .. } => {
                matches!(verb, Verb::Run | Verb::Eval | Verb::Unknown)
                    || *verb == Verb::Write && self.is_output(it.cause, target)
            }
            What::RunWords { .. }
            | What::RunFile { .. }
            | What::Task { .. }
            | What::Eval { .. }
            | What::Cd(_) => true,
        });
        let blob = self.blob;
        for fire in sparing {
            for effect in blob.list(fire.case + layout::case::SPARES, 4).iter() {
                let template = Template {
                    depth: fire.depth,
                    at: blob.offset(effect),
                    cause: fire.cause,
                    own: fire.own,
                };
                self.expand(template, reading);
            }
        }
    }

    fn output(&self) -> Output<'k> {
        let Some(step) = self.chain.last() else {
            return Output::Content;
        };
        let level = step.level;
        let mut said = (self.depth(), level.at + layout::level::OUTPUT);
        for fire in self
            .fires
            .iter()
            .filter(|it| !it.weak && self.has(it, OUTPUT))
        {
            said = (fire.depth, fire.case + layout::case::OUTPUT);
            // Contents are shown whatever else is said.
            if level.blob.byte(said.1) == 0 {
                break;
            }
        }
        let (depth, at) = said;
        if self.helped.is_some() {
            return Output::Facts;
        }
        match level.blob.byte(at) {
            1 => Output::Facts,
            2 => Output::Nothing,
            3 => Output::Paths(self.filled(depth, level.blob.byte(at + 1), NOTHING)),
            4 => Output::Lines,
            5 => Output::Names,
            6 => Output::Ids,
            7 => Output::Line,
            8 => Output::Entries,
            9 => Output::Refs,
            _ => Output::Content,
        }
    }

    /// Tells whether standard input stands in for a slot that is read.
    fn reads_input(&self, templates: &[Template]) -> bool {
        let Some(step) = self.chain.last() else {
            return false;
        };
        let blob = step.level.blob;
        let slot = blob.byte(step.level.at + layout::level::INPUT_SLOT);
        if slot != NO_SLOT {
            return self.is_input(self.depth(), slot);
        }
        let read = Verb::ALL.iter().position(|it| *it == Verb::Read);
        templates.iter().any(|it| {
            let verb = usize::from(blob.byte(it.at + layout::effect::VERB));
            let target = blob.list(it.at + layout::effect::TARGET, layout::PIECE);
            let piece = target.iter().next_back();
            blob.byte(it.at) == 0
                && Some(verb) == read
                && piece.is_some_and(|piece| {
                    let (depth, slot) = self.slot(it.depth, piece);
                    blob.byte(piece) == 1 && self.is_input(depth, slot)
                })
        })
    }

    fn is_input(&self, depth: usize, slot: u8) -> bool {
        let mut all = self
            .raw(depth, slot, NOTHING)
            .flat_map(Value::pieces)
            .peekable();
        if all.peek().is_some() {
            return all.any(|it| self.is_dash(it));
        }
        let level = self.chain.get(depth).map(|it| it.level);
        let default = level.and_then(|it| it.default_of(slot));
        default.is_none_or(|it| it == "-")
    }

    pub(super) fn is_dash(&self, piece: Piece<'_>) -> bool {
        match piece {
            Piece::Text(text) => text == "-",
            Piece::Word { index, from } => {
                self.known(Value::Piece { index, from }) == Word::Known("-")
            }
        }
    }
}

/// Tells whether a case brings nothing about.
fn is_nothing(level: Level<'_>, case: usize) -> bool {
    use layout::case::{ALSO, BITS, DROPS};
    level.blob.byte(case + BITS) & (INSTEAD | SPARES | OUTPUT) == 0
        && level.blob.offset(case + ALSO) == 0
        && level.blob.offset(case + DROPS) == 0
}
