//! Packing what files say into bytes.

use std::collections::BTreeMap;

use super::bits::{bits, kind};
use super::model::{Actions, Case, Effect, Flag, Flow, Form, Level, Output, Piece, Tool, Variable};
use crate::layout::{
    DASHES, HEADER, INDEXED, INSTEAD, LISTED, MANY, NO_SLOT, OPTIONAL, OUTPUT, PAYLOAD, SPARES,
    hash, places as places_for,
};
use crate::printing::PRINTS;

/// Bytes being written. Equal texts and equal lists are stored once.
#[derive(Default)]
pub struct Pack {
    bytes: Vec<u8>,
    texts: BTreeMap<String, u32>,
    lists: BTreeMap<Vec<u8>, u32>,
    /// Texts that are too long to be stored.
    pub long: Vec<String>,
}

/// The names of slots of a level and of those above it, nearest first.
type Scopes<'a> = &'a [Vec<String>];

impl Pack {
    pub fn new() -> Self {
        Self {
            bytes: vec![0; HEADER],
            ..Self::default()
        }
    }

    /// Returns the bytes, with the tables' offsets in front.
    pub fn finish(mut self, tables: &[(u32, u32)]) -> Vec<u8> {
        let header: Vec<u8> = tables
            .iter()
            .flat_map(|(names, patterns)| [names.to_le_bytes(), patterns.to_le_bytes()])
            .flatten()
            .collect();
        for (to, from) in self.bytes.iter_mut().zip(header) {
            *to = from;
        }
        self.bytes
    }

    fn here(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)
    }

    /// Stores a text; those longer than 255 bytes are refused at the end.
    pub fn text(&mut self, text: &str) -> u32 {
        if let Some(at) = self.texts.get(text) {
            return *at;
        }
        if text.len() > 255 {
            self.long.push(text.to_owned());
        }
        let at = self.here();
        self.bytes.extend_from_slice(text.as_bytes());
        let packed = at << 8 | u32::try_from(text.len()).unwrap_or(255).min(255);
        self.texts.insert(text.to_owned(), packed);
        packed
    }

    /// Stores a list of items of one size.
    fn list(&mut self, count: usize, items: Vec<u8>) -> u32 {
        if count == 0 {
            return 0;
        }
        let mut bytes = u16::try_from(count)
            .unwrap_or(u16::MAX)
            .to_le_bytes()
            .to_vec();
        bytes.extend(items);
        self.record(bytes)
    }

    /// Stores a record; equal ones share their place.
    fn record(&mut self, bytes: Vec<u8>) -> u32 {
        if let Some(at) = self.lists.get(&bytes) {
            return *at;
        }
        let at = self.here();
        self.bytes.extend_from_slice(&bytes);
        self.lists.insert(bytes, at);
        at
    }

    /// Stores a list of texts.
    pub fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a String>) -> u32 {
        let packed: Vec<[u8; 4]> = texts
            .into_iter()
            .map(|it| self.text(it).to_le_bytes())
            .collect();
        self.list(packed.len(), packed.concat())
    }

    /// Stores a sorted table of names, and the patterns among them, longest first.
    pub fn table(&mut self, mut entries: Vec<(String, u32)>) -> (u32, u32) {
        entries.sort();
        let (mut patterns, names): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|(name, _)| name.len() > 1 && name.contains('*'));
        patterns.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        (self.entries(&names), self.entries(&patterns))
    }

    /// Stores a sorted table of words that are no patterns, whatever marks they hold.
    pub fn listed(&mut self, mut entries: Vec<(String, u32)>) -> (u32, u32) {
        entries.sort();
        (self.entries(&entries), 0)
    }

    fn entries(&mut self, entries: &[(String, u32)]) -> u32 {
        let mut bytes = Vec::new();
        for (name, record) in entries {
            bytes.extend(self.text(name).to_le_bytes());
            bytes.extend(record.to_le_bytes());
        }
        bytes.extend(index(entries));
        self.list(entries.len(), bytes)
    }

    /// Stores a command with all below it; `above` holds the slots of its parents, nearest first.
    pub fn level(&mut self, level: &Level, above: Scopes<'_>) -> u32 {
        let slots = slots(level);
        let mut scopes = vec![slots];
        scopes.extend_from_slice(above);
        let own = scopes.first().cloned().unwrap_or_default();
        let forms: Vec<u8> = level
            .forms
            .iter()
            .flat_map(|it| self.form(it, &scopes))
            .collect();
        let forms = self.list(level.forms.len(), forms);
        let (flags, spellings) = self.flags(&level.flags, &scopes);
        let values = self.values(level, &scopes);
        let subs = self.subs(level, &scopes);
        let (output, output_slot) = output(level.output.as_ref(), &own);
        let slots = self.slots(level, &own);
        let mut bytes = Vec::new();
        let name = level.names.first().map_or("", |it| it.text.as_str());
        bytes.extend(self.text(name).to_le_bytes());
        bytes.extend(self.text(&level.about).to_le_bytes());
        let input = level
            .input
            .as_ref()
            .map_or(NO_SLOT, |it| number(&it.text, &own));
        bytes.extend([level.dialect as u8, bits(level), output, output_slot, input]);
        for part in [slots, forms, flags, spellings, values] {
            bytes.extend(part.to_le_bytes());
        }
        for part in subs {
            bytes.extend(part.to_le_bytes());
        }
        bytes.extend(self.prints(level, &own).to_le_bytes());
        bytes.extend(level.deeds.to_le_bytes());
        self.record(bytes)
    }

    /// Stores what is printed with which flags.
    fn prints(&mut self, level: &Level, own: &[String]) -> u32 {
        let mut bytes = Vec::new();
        for entry in &level.prints {
            for flags in [&entry.with, &entry.perhaps] {
                let short = |it: &usize| u16::try_from(*it).unwrap_or(u16::MAX).to_le_bytes();
                let numbers: Vec<u8> = flags.iter().flat_map(short).collect();
                bytes.extend(self.list(flags.len(), numbers).to_le_bytes());
            }
            let slot = |at: usize| {
                let name = entry.slots.get(at);
                name.map_or(NO_SLOT, |it| number(&it.text, own))
            };
            let form = PRINTS.iter().position(|(_, it, _)| *it == entry.form);
            let form = form.and_then(|it| u8::try_from(it).ok()).unwrap_or(u8::MAX);
            let without = entry.without.as_ref();
            let without = without.map_or(NO_SLOT, |it| number(&it.text, own));
            bytes.extend([form, slot(0), slot(1), u8::from(entry.fails), without]);
        }
        self.list(level.prints.len(), bytes)
    }

    /// Returns names, patterns, default and otherwise.
    fn subs(&mut self, level: &Level, scopes: Scopes<'_>) -> [u32; 4] {
        let mut entries = Vec::new();
        for sub in &level.subs {
            let at = self.level(sub, scopes);
            entries.extend(sub.names.iter().map(|it| (it.text.clone(), at)));
        }
        let named = |name: Option<&super::source::Placed>| {
            let name = name?;
            entries
                .iter()
                .find(|(it, _)| *it == name.text)
                .map(|(_, at)| *at)
        };
        let default = named(level.default.as_ref()).unwrap_or(0);
        let otherwise = named(level.otherwise.as_ref()).unwrap_or(0);
        let (names, patterns) = self.table(entries);
        [names, patterns, default, otherwise]
    }

    fn slots(&mut self, level: &Level, names: &[String]) -> u32 {
        let mut bytes = Vec::new();
        for name in names {
            let default = level.defaults.iter().find(|(slot, _)| slot.text == *name);
            let default = default.map_or(0, |(_, text)| self.text(text));
            let remote = level.remote.iter().any(|it| it.text == *name);
            bytes.extend(self.text(name).to_le_bytes());
            bytes.extend(default.to_le_bytes());
            bytes.push(u8::from(remote));
        }
        self.list(names.len(), bytes)
    }

    fn form(&mut self, form: &Form, scopes: Scopes<'_>) -> Vec<u8> {
        let own = scopes.first().map_or(&[][..], Vec::as_slice);
        let mut items = Vec::new();
        for item in &form.items {
            let mut bits = 0;
            bits |= if item.optional { OPTIONAL } else { 0 };
            bits |= if item.many { MANY } else { 0 };
            bits |= if item.payload { PAYLOAD } else { 0 };
            bits |= if item.slot == "--" { DASHES } else { 0 };
            items.extend([number(&item.slot, own), bits]);
        }
        let items = self.list(form.items.len(), items);
        let effects = self.effects(&form.effects, scopes);
        [items.to_le_bytes(), effects.to_le_bytes()].concat()
    }

    fn flags(&mut self, flags: &[Flag], scopes: Scopes<'_>) -> (u32, u32) {
        let own = scopes.first().map_or(&[][..], Vec::as_slice);
        let mut bytes = Vec::new();
        let mut spellings = Vec::new();
        for (at, flag) in flags.iter().enumerate() {
            let slot = |at: usize| flag.slots.get(at).map_or(NO_SLOT, |it| number(it, own));
            bytes.extend([flag.arity as u8, slot(0), slot(1)]);
            let cases: Vec<u8> = flag
                .cases
                .iter()
                .flat_map(|it| self.case(it, scopes))
                .collect();
            let inert = flag
                .cases
                .iter()
                .all(|it| it.values.is_none() && it.actions.is_nothing());
            let cases = if inert {
                0
            } else {
                self.list(flag.cases.len(), cases)
            };
            bytes.extend(cases.to_le_bytes());
            let at = u16::try_from(at).unwrap_or(u16::MAX);
            spellings.extend(flag.spellings.iter().map(|it| (it.clone(), at)));
        }
        spellings.sort();
        let mut packed = Vec::new();
        for (spelling, flag) in &spellings {
            packed.extend(self.text(spelling).to_le_bytes());
            packed.extend(flag.to_le_bytes());
        }
        let flags = self.list(flags.len(), bytes);
        (flags, self.list(spellings.len(), packed))
    }

    fn values(&mut self, level: &Level, scopes: Scopes<'_>) -> u32 {
        let own = scopes.first().map_or(&[][..], Vec::as_slice);
        let mut bytes = Vec::new();
        for value in &level.values {
            bytes.push(number(&value.slot, own));
            bytes.extend(self.case(&value.case, scopes));
        }
        self.list(level.values.len(), bytes)
    }

    fn case(&mut self, case: &Case, scopes: Scopes<'_>) -> Vec<u8> {
        let own = scopes.first().map_or(&[][..], Vec::as_slice);
        let Actions {
            also,
            instead,
            drops,
            spares,
            output: shown,
        } = &case.actions;
        let mut bits = 0;
        bits |= if case.values.is_some() { LISTED } else { 0 };
        bits |= if instead.is_some() { INSTEAD } else { 0 };
        bits |= if spares.is_some() { SPARES } else { 0 };
        bits |= if shown.is_some() { OUTPUT } else { 0 };
        let none = Vec::new();
        let values = self.texts(case.values.as_ref().unwrap_or(&none));
        let mut out = values.to_le_bytes().to_vec();
        let nothing = Vec::new();
        for list in [
            also,
            instead.as_ref().unwrap_or(&nothing),
            drops,
            spares.as_ref().unwrap_or(&nothing),
        ] {
            out.extend(self.effects(list, scopes).to_le_bytes());
        }
        let (shows, slot) = output(shown.as_ref(), own);
        out.extend([bits, shows, slot]);
        out
    }

    /// Stores templates.
    pub fn effects(&mut self, effects: &[Effect], scopes: Scopes<'_>) -> u32 {
        let mut bytes = Vec::new();
        for effect in effects {
            bytes.extend(self.effect(effect, scopes).to_le_bytes());
        }
        self.list(effects.len(), bytes)
    }

    fn effect(&mut self, effect: &Effect, scopes: Scopes<'_>) -> u32 {
        let (kind, verb, how) = kind(effect.kind);
        let target: Vec<u8> = effect
            .target
            .iter()
            .flat_map(|it| self.piece(it, scopes))
            .collect();
        let target = self.list(effect.target.len(), target);
        let with: Vec<u8> = effect
            .with
            .iter()
            .flat_map(|it| self.flow(it, scopes))
            .collect();
        let with = self.list(effect.with.len(), with);
        let mut bytes = vec![kind, verb, how];
        bytes.extend(target.to_le_bytes());
        bytes.extend(with.to_le_bytes());
        match &effect.on {
            None => bytes.extend([0; 9]),
            Some((way, name)) => {
                bytes.extend(self.text(way).to_le_bytes());
                bytes.extend(self.piece(name, scopes));
            }
        }
        self.record(bytes)
    }

    fn piece(&mut self, piece: &Piece, scopes: Scopes<'_>) -> Vec<u8> {
        let (tag, number) = match piece {
            Piece::Text(text) => (0, self.text(text)),
            Piece::Slot(name) => (1, find(name, scopes).unwrap_or(u32::from(NO_SLOT))),
            Piece::SlotOr(name, text) => {
                let slot = find(name, scopes).unwrap_or(u32::from(NO_SLOT));
                let text = self.text(text);
                let record = [slot.to_le_bytes(), text.to_le_bytes()].concat();
                (2, self.record(record))
            }
        };
        let mut out = vec![tag];
        out.extend(number.to_le_bytes());
        out
    }

    fn flow(&mut self, flow: &Flow, scopes: Scopes<'_>) -> Vec<u8> {
        let nothing = Piece::Text(String::new());
        let (kind, piece) = match flow {
            Flow::Text(piece) => (0, piece),
            Flow::Content(piece) => (1, piece),
            Flow::Body(piece) => (2, piece),
            Flow::Form(piece) => (3, piece),
            Flow::Input => (4, &nothing),
            Flow::Fetched => (5, &nothing),
            Flow::Operands => (6, &nothing),
            Flow::Replacing(piece) => (7, piece),
            Flow::Found(piece) => (8, piece),
            Flow::Package(piece) => (9, piece),
            Flow::Brought => (10, &nothing),
            Flow::Named(piece) => (11, piece),
            Flow::Ending(piece) => (12, piece),
            Flow::Trimmed(piece) => (13, piece),
            Flow::Lacking(piece) => (14, piece),
            Flow::Port(piece) => (15, piece),
            Flow::Making => (16, &nothing),
        };
        let mut out = vec![kind];
        out.extend(self.piece(piece, scopes));
        out
    }

    /// Stores a variable.
    pub fn variable(&mut self, variable: &Variable) -> u32 {
        let scopes = [vec!["NAME".to_owned(), "VALUE".to_owned()]];
        let effects = self.effects(&variable.effects, &scopes);
        let harmless = self.texts(&variable.harmless);
        let mut bytes = self.text(&variable.about).to_le_bytes().to_vec();
        bytes.extend(effects.to_le_bytes());
        bytes.extend(harmless.to_le_bytes());
        bytes.push(u8::from(variable.secret));
        self.record(bytes)
    }

    /// Stores a tool.
    pub fn tool(&mut self, tool: &Tool) -> u32 {
        let mut sorted: Vec<_> = tool.parts.iter().collect();
        sorted.sort_by_key(|(part, _)| *part);
        let mut parts = Vec::new();
        for (part, member) in sorted {
            parts.push(*part);
            parts.extend(self.text(member).to_le_bytes());
        }
        let parts = self.list(tool.parts.len(), parts);
        let mut bytes = self.text(&tool.about).to_le_bytes().to_vec();
        bytes.extend([tool.kind, tool.risk]);
        bytes.extend(parts.to_le_bytes());
        self.record(bytes)
    }
}

/// Returns the names of a level's slots: those of its usages, then those only flags fill.
pub fn slots(level: &Level) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let usages = level
        .forms
        .iter()
        .flat_map(|it| &it.items)
        .map(|it| &it.slot)
        .filter(|it| *it != "--");
    let flags = level.flags.iter().flat_map(|it| &it.slots);
    let defaults = level.defaults.iter().map(|(slot, _)| &slot.text);
    for name in usages.chain(flags).chain(defaults) {
        if !out.contains(name) {
            out.push(name.clone());
        }
    }
    out
}

/// Returns the packed number of a slot: the level's own first, then those above.
pub fn find(name: &str, scopes: Scopes<'_>) -> Option<u32> {
    scopes.iter().enumerate().find_map(|(up, names)| {
        let at = names.iter().position(|it| it == name)?;
        Some(u32::try_from(at).ok()? | u32::try_from(up).ok()? << 8)
    })
}

fn number(name: &str, names: &[String]) -> u8 {
    names
        .iter()
        .position(|it| it == name)
        .and_then(|at| u8::try_from(at).ok())
        .unwrap_or(NO_SLOT)
}

fn output(output: Option<&Output>, names: &[String]) -> (u8, u8) {
    match output {
        None | Some(Output::Content) => (0, NO_SLOT),
        Some(Output::Facts) => (1, NO_SLOT),
        Some(Output::Nothing) => (2, NO_SLOT),
        Some(Output::Names) => (5, NO_SLOT),
        Some(Output::Ids) => (6, NO_SLOT),
        Some(Output::Entries) => (8, NO_SLOT),
        Some(Output::Refs) => (9, NO_SLOT),
        Some(Output::Paths(slot)) => (3, number(&slot.text, names)),
        Some(Output::Lines) => (4, NO_SLOT),
        Some(Output::Line) => (7, NO_SLOT),
    }
}

/// Returns the index of a table; nothing where it is short.
fn index(entries: &[(String, u32)]) -> Vec<u8> {
    if entries.len() < INDEXED {
        return Vec::new();
    }
    let count = places_for(entries.len());
    let mut places = vec![0_u16; count];
    for (number, (name, _)) in (1_u16..).zip(entries) {
        let start = hash(name.as_bytes());
        let mut order = (0..count).map(|it| (start + it) & (count - 1));
        let free = order.find(|it| places.get(*it) == Some(&0));
        if let Some(place) = free.and_then(|it| places.get_mut(it)) {
            *place = number;
        }
    }
    places.into_iter().flat_map(u16::to_le_bytes).collect()
}
