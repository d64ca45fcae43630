//! Templates with the slots as they are filled.

use belay_model::{How, Verb};

use super::{Reader, Value};
use crate::blob::{Level, List};
use crate::layout::{self, NO_SLOT};
use smallvec::smallvec;

use crate::{Act, Flow, Operands, Piece, Pieces, Reading, Source, What};

/// A template to expand: the level it belongs to, where it lies, the word that brings it about, and the
/// flag's own values.
#[derive(Clone, Copy)]
pub(super) struct Template {
    pub(super) depth: usize,
    pub(super) at: usize,
    pub(super) cause: usize,
    pub(super) own: [Option<(u8, Value)>; 2],
}

/// A template's target, filled, and what flows into it.
struct Filled<'k, 'w> {
    target: Pieces<'k>,
    with: &'w [Flow<'k>],
}

/// From so many targets on, an act of its own for each would only cost memory.
const MANY: usize = 64;

pub(super) const NOTHING: [Option<(u8, Value)>; 2] = [None, None];

impl<'k> Reader<'k, '_> {
    /// Returns depth and number of the slot that a packed piece names.
    pub(super) fn slot(&self, depth: usize, piece: usize) -> (usize, u8) {
        let blob = self.blob;
        let up = usize::from(blob.byte(piece + 2));
        (depth.saturating_sub(up), blob.byte(piece + 1))
    }

    /// Returns the values of a slot: a flag's own first, then all that filled it, then the default.
    pub(super) fn filled(
        &self,
        depth: usize,
        slot: u8,
        own: [Option<(u8, Value)>; 2],
    ) -> Pieces<'k> {
        let mut out = Pieces::new();
        for value in self.raw(depth, slot, own) {
            out.extend(value.pieces());
        }
        if out.is_empty() {
            let level = self.chain.get(depth).map(|it| it.level);
            let default = level.and_then(|it| it.default_of(slot));
            out.extend(default.map(Piece::Text));
        }
        out
    }

    pub(super) fn raw(
        &self,
        depth: usize,
        slot: u8,
        own: [Option<(u8, Value)>; 2],
    ) -> impl Iterator<Item = Value> + use<'_, 'k> {
        let mine = own
            .into_iter()
            .flatten()
            .find(|(it, _)| *it == slot && slot != NO_SLOT);
        let place = (depth, slot);
        let from = self.fills.partition_point(|it| it.place() < place);
        let all = self.fills.get(from..).unwrap_or_default().iter();
        let all = all.take_while(move |it| mine.is_none() && it.place() == place);
        let all = all.map(|it| it.value);
        mine.map(|(_, value)| value).into_iter().chain(all)
    }

    /// Returns what a packed piece stands for, once for each value.
    fn pieces(&self, template: Template, piece: usize) -> Pieces<'k> {
        let blob = self.blob;
        if blob.byte(piece) == 0 {
            return smallvec![Piece::Text(blob.text(piece + 1))];
        }
        if blob.byte(piece) == 2 {
            return self.pieces_or(template, blob.offset(piece + 1));
        }
        let (depth, slot) = self.slot(template.depth, piece);
        self.filled(depth, slot, own_at(template, depth))
    }

    /// Returns what fills a slot, or the text that stands for it where nothing does.
    fn pieces_or(&self, template: Template, record: usize) -> Pieces<'k> {
        let blob = self.blob;
        let depth = template
            .depth
            .saturating_sub(usize::from(blob.byte(record + 1)));
        let all = self.filled(depth, blob.byte(record), own_at(template, depth));
        if all.is_empty() {
            return smallvec![Piece::Text(blob.text(record + 4))];
        }
        all
    }

    /// Expands a template once for every value of its slots.
    pub(super) fn expand(&self, template: Template, reading: &mut Reading<'k>) {
        let blob = self.blob;
        match blob.byte(template.at + layout::effect::KIND) {
            1 => return self.run_words(template, reading),
            5 if self.eval_words(template, reading) => return,
            _ => {}
        }
        let Some(with) = self.flows(template) else {
            return;
        };
        let target = blob.list(template.at + layout::effect::TARGET, layout::PIECE);
        if target.len() == 1 && reading.acts.len() <= 64 + 8 * self.words.len() {
            let pieces = self.pieces(template, target.at(0));
            let is_effect = blob.byte(template.at + layout::effect::KIND) == 0;
            if pieces.len() >= MANY && is_effect {
                let filled = Filled {
                    target: pieces,
                    with: &with,
                };
                return self.act_on_each(template, filled, reading);
            }
            reading.acts.reserve(pieces.len());
            for piece in pieces {
                self.act(
                    template,
                    Filled {
                        target: smallvec![piece],
                        with: &with,
                    },
                    reading,
                );
            }
            return;
        }
        for target in self.combine(template, target, reading) {
            let with = &with;
            self.act(template, Filled { target, with }, reading);
        }
    }

    /// Adds one act for very many targets; what standard input stands in for is none.
    fn act_on_each(
        &self,
        template: Template,
        mut filled: Filled<'k, '_>,
        reading: &mut Reading<'k>,
    ) {
        if self.verb(template) == Verb::Read {
            let before = filled.target.len();
            filled.target.retain(|it| !self.is_dash(*it));
            reading.reads_input |= filled.target.len() < before;
        }
        let before = reading.acts.len();
        self.act(template, filled, reading);
        let made = reading.acts.get_mut(before);
        if let Some(What::Effect { each, .. }) = made.map(|it| &mut it.what) {
            *each = true;
        }
    }

    /// Returns all combinations of a target that has several parts.
    fn combine(
        &self,
        template: Template,
        target: List,
        reading: &mut Reading<'k>,
    ) -> Vec<Pieces<'k>> {
        let columns: Vec<Pieces<'k>> = target.iter().map(|it| self.pieces(template, it)).collect();
        let all = columns
            .iter()
            .map(Pieces::len)
            .fold(1, usize::saturating_mul);
        let most = 64 + 8 * self.words.len();
        let full = reading.acts.len().saturating_add(all) <= most;
        let widest = columns.iter().map(Pieces::len).max().unwrap_or(0);
        let rows = if full { all } else { widest.min(all).min(most) };
        if !full && (all > rows || reading.acts.len() > most) {
            // Too many combinations to list: what is left out is unknown.
            self.once(template, overflow(), reading);
            if reading.acts.len() > 2 * most {
                return Vec::new();
            }
        }
        let picked = |row: usize| {
            let mut left = row;
            let mut pick = Pieces::with_capacity(columns.len());
            for column in &columns {
                let length = column.len().max(1);
                pick.extend(column.get(left % length).copied());
                left = if full { left / length } else { left };
            }
            pick
        };
        (0..rows).map(picked).collect()
    }

    /// Returns what flows into a template; nothing when a slot it speaks of is empty.
    fn flows(&self, template: Template) -> Option<Vec<Flow<'k>>> {
        let blob = self.blob;
        let mut out = Vec::new();
        for flow in blob
            .list(template.at + layout::effect::WITH, layout::FLOW)
            .iter()
        {
            let kind = blob.byte(flow);
            let make = |piece: Piece<'k>| match kind {
                0 => Some(Flow::Text(piece)),
                1 => Some(Flow::Content(piece)),
                2 => Some(Flow::Body(piece)),
                3 => Some(Flow::Form(piece)),
                4 => Some(Flow::Input),
                5 => Some(Flow::Fetched),
                10 => Some(Flow::Brought),
                11 => Some(Flow::Named(piece)),
                12 => Some(Flow::Ending(piece)),
                13 => Some(Flow::Trimmed(piece)),
                14 => Some(Flow::Lacking(piece)),
                16 => Some(Flow::Making),
                15 => Some(Flow::Port(piece)),
                _ => None,
            };
            if (6..10).contains(&kind) {
                continue;
            }
            let pieces = self.pieces(template, flow + 1);
            if pieces.is_empty() {
                return None;
            }
            out.extend(pieces.into_iter().filter_map(make));
        }
        Some(out)
    }

    fn act(&self, template: Template, filled: Filled<'k, '_>, reading: &mut Reading<'k>) {
        let Filled { target, with } = filled;
        let blob = self.blob;
        let kind = blob.byte(template.at + layout::effect::KIND);
        let first = target.first().copied();
        let Some(piece) = first else { return };
        let word = |piece: Piece<'k>| match piece {
            Piece::Text(text) => text,
            Piece::Word { .. } => "",
        };
        let what = match kind {
            2 | 3 => What::RunFile {
                file: piece,
                shell: kind == 3,
            },
            4 => What::Task {
                tool: word(piece),
                name: target.get(1).copied().unwrap_or(Piece::Text("")),
            },
            5 => What::Eval {
                language: word(piece),
                source: Source::Text(target.get(1).copied().unwrap_or(Piece::Text(""))),
            },
            6 => What::Eval {
                language: word(piece),
                source: Source::Input,
            },
            7 => What::Cd(piece),
            _ => match self.effect(template, target, with) {
                Some(what) => what,
                None => {
                    reading.reads_input = true;
                    return;
                }
            },
        };
        let at = self.elsewhere(template);
        let cause = template.cause;
        reading.acts.push(Act { what, at, cause });
    }

    /// Makes an effect; nothing when it reads standard input.
    fn effect(
        &self,
        template: Template,
        target: Pieces<'k>,
        with: &[Flow<'k>],
    ) -> Option<What<'k>> {
        let blob = self.blob;
        let verb = self.verb(template);
        let how = How::ALL.get(usize::from(blob.byte(template.at + layout::effect::HOW)));
        if verb == Verb::Read
            && target.len() == 1
            && target.first().is_some_and(|it| self.is_dash(*it))
        {
            return None;
        }
        let mut with = with.to_vec();
        let remote = self.is_remote(template);
        if remote && verb == Verb::Write {
            with.extend(self.others(template).map(Flow::Content));
        }
        Some(What::Effect {
            verb,
            how: how.copied().unwrap_or(How::Plain),
            target,
            with,
            remote,
            each: false,
        })
    }

    fn verb(&self, template: Template) -> Verb {
        let number = self.blob.byte(template.at + layout::effect::VERB);
        let verb = Verb::ALL.get(usize::from(number)).copied();
        verb.unwrap_or(Verb::Unknown)
    }

    fn is_remote(&self, template: Template) -> bool {
        self.target_slots(template)
            .any(|(level, _, slot)| level.is_remote(slot))
    }

    fn target_slots(&self, template: Template) -> impl Iterator<Item = (Level<'k>, usize, u8)> {
        let blob = self.blob;
        let target = blob.list(template.at + layout::effect::TARGET, layout::PIECE);
        target
            .iter()
            .filter(move |it| blob.byte(*it) == 1)
            .filter_map(move |it| {
                let (depth, slot) = self.slot(template.depth, it);
                let level = self.chain.get(depth)?.level;
                Some((level, depth, slot))
            })
    }

    /// Returns what the other slots that may be remote are filled with: what is copied to this one.
    fn others(&self, template: Template) -> impl Iterator<Item = Piece<'k>> {
        let own = self
            .target_slots(template)
            .next()
            .map(|(_, depth, slot)| (depth, slot));
        let chain = &self.chain;
        self.fills
            .iter()
            .filter(move |it| Some((it.depth, it.slot)) != own)
            .filter(move |it| {
                chain
                    .get(it.depth)
                    .is_some_and(|step| step.level.is_remote(it.slot))
            })
            .flat_map(|it| it.value.pieces())
    }

    fn elsewhere(&self, template: Template) -> Option<(&'k str, Piece<'k>)> {
        let blob = self.blob;
        let way = template.at + layout::effect::WAY;
        if blob.long(way) == 0 {
            return None;
        }
        let name = self.pieces(template, template.at + layout::effect::AT);
        let name = name.first().copied().unwrap_or(Piece::Text(""));
        Some((blob.text(way), name))
    }

    fn values_of(&self, template: Template, nth: usize) -> impl Iterator<Item = Value> {
        let blob = self.blob;
        let target = blob.list(template.at + layout::effect::TARGET, layout::PIECE);
        let (depth, slot) = self.slot(template.depth, target.at(nth));
        self.raw(depth, slot, template.own)
    }

    /// Adds payloads: each run of words once, however many words it has.
    fn run_words(&self, template: Template, reading: &mut Reading<'k>) {
        for value in self.values_of(template, 0) {
            let what = match value {
                Value::Words(from, to) if from < to => What::RunWords {
                    from,
                    to,
                    operands: self.operands(template),
                    package: self.package(template),
                    assignments: self.assignments.clone(),
                },
                Value::Words(..) => continue,
                Value::Piece { index, from } => What::RunFile {
                    file: Piece::Word { index, from },
                    shell: false,
                },
            };
            self.once(template, what, reading);
        }
    }

    fn once(&self, template: Template, what: What<'k>, reading: &mut Reading<'k>) {
        let act = Act {
            what,
            at: self.elsewhere(template),
            cause: template.cause,
        };
        if reading.acts.last() != Some(&act) {
            reading.acts.push(act);
        }
    }

    fn operands(&self, template: Template) -> Operands<'k> {
        let blob = self.blob;
        for flow in blob
            .list(template.at + layout::effect::WITH, layout::FLOW)
            .iter()
        {
            let pieces = self.pieces(template, flow + 1);
            match blob.byte(flow) {
                6 => return Operands::Input,
                7 => {
                    return pieces
                        .first()
                        .map_or(Operands::Input, |it| Operands::Replacing(*it));
                }
                8 => return Operands::Found(pieces.into_vec()),
                _ => {}
            }
        }
        Operands::None
    }

    /// Returns the registry that a payload may be fetched from.
    fn package(&self, template: Template) -> Option<&'k str> {
        let blob = self.blob;
        let with = blob.list(template.at + layout::effect::WITH, layout::FLOW);
        let from = with.iter().find(|it| blob.byte(*it) == 9)?;
        Some(blob.text(from + 2))
    }

    /// Adds code that stands in several words; tells whether it does.
    fn eval_words(&self, template: Template, reading: &mut Reading<'k>) -> bool {
        let blob = self.blob;
        let target = blob.list(template.at + layout::effect::TARGET, layout::PIECE);
        let language = blob.text(target.at(0) + 1);
        let mut any = false;
        for value in self.values_of(template, 1) {
            if let Value::Words(from, to) = value {
                let source = Source::Words(from, to);
                self.once(template, What::Eval { language, source }, reading);
                any = true;
            }
        }
        any
    }
}

/// Returns the flag's own values, where a slot is of the template's own level.
fn own_at(template: Template, depth: usize) -> [Option<(u8, Value)>; 2] {
    if depth == template.depth {
        template.own
    } else {
        NOTHING
    }
}

fn overflow<'k>() -> What<'k> {
    What::Effect {
        verb: Verb::Unknown,
        how: How::Plain,
        target: smallvec![Piece::Text("combinations")],
        with: Vec::new(),
        remote: false,
        each: false,
    }
}
