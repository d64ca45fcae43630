//! One settings file, read and checked, not yet merged with the others.

use std::ops::RangeInclusive;

use belay_model::Risk;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::choices::Mode;
use crate::error::{listed, nearest, word_hint};
use crate::exact::ExactRule;
use crate::keys::{self, Key, Kind, LineKind};
use crate::origin::Offsets;
use crate::settings::{Endpoint, Line, ProjectMode, TestCase, ToolRisk};
use crate::{Fault, Origin, SettingsError, Source, tables};

/// The most items a list may have.
pub(crate) const MOST_ITEMS: usize = 2000;
/// The most bytes a text may have.
pub(crate) const MOST_BYTES: usize = 4096;

/// The most mistakes told of one file; a file with more of them is something else.
const MOST_ERRORS: usize = 50;

/// A table, and the keys it may have.
pub(crate) struct Keys<'a> {
    pub(crate) table: &'a str,
    pub(crate) names: &'a [&'a str],
}

/// A checked value of one key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Setting {
    Word(String),
    Number(u64),
    Decimal(f64),
    YesNo(bool),
    Text(String),
    Lines(Vec<Line>),
}

/// One key that a file sets.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: &'static Key,
    pub value: Setting,
    pub origin: Origin,
}

/// All that one file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub entries: Vec<Entry>,
    pub rules: Vec<ExactRule>,
    pub tests: Vec<TestCase>,
    pub tools: Vec<ToolRisk>,
    pub projects: Vec<ProjectMode>,
    pub fallback: Vec<(Endpoint, Origin)>,
    pub errors: Vec<SettingsError>,
    /// What its author has no say in.
    pub ignored: Vec<SettingsError>,
}

/// Reads the text of a settings file.
pub(crate) fn read(source: Source, file: &str, text: &str) -> Draft {
    let mut reader = Reader {
        places: Offsets::new(source, file, text),
        draft: Draft::default(),
    };
    match DeTable::parse(text) {
        Ok(root) => reader.root(root.get_ref()),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            reader.fault(Fault::Syntax(one_line(error.message())), at);
        }
    }
    let place = |it: &Origin| (it.line, it.column);
    reader.draft.errors.sort_by_key(|it| place(&it.origin));
    reader.draft.entries.sort_by_key(|it| place(&it.origin));
    // Of a project, merging says so.
    if !matches!(source, Source::Managed | Source::Project) {
        reader.draft.ignored = reader.draft.without_managed();
    }
    reader.draft
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Walks the tree of one file.
pub(crate) struct Reader {
    pub places: Offsets,
    pub draft: Draft,
}

impl Reader {
    pub(crate) fn fault(&mut self, fault: Fault, at: usize) {
        let error = SettingsError::new(fault, self.places.at(at));
        self.push(error);
    }

    pub(crate) fn fault_with_hint(&mut self, fault: Fault, at: usize, hint: String) {
        let error = SettingsError::new(fault, self.places.at(at)).hint(hint);
        self.push(error);
    }

    pub(crate) fn push(&mut self, error: SettingsError) {
        if !self.is_full() {
            self.draft.errors.push(error);
        }
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.draft.errors.len() >= MOST_ERRORS
    }

    fn root(&mut self, root: &DeTable<'_>) {
        for (name, value) in root {
            if self.is_full() {
                return;
            }
            let at = name.span().start;
            match name.get_ref().as_ref() {
                "rule" => tables::each(self, tables::RULES, value),
                "test" => tables::each(self, tables::TESTS, value),
                "tools" => self.tools(value),
                "projects" => self.projects(value),
                key => self.section(key, at, value),
            }
        }
    }

    fn section(&mut self, name: &str, at: usize, value: &Spanned<DeValue<'_>>) {
        if let Some(key) = keys::find(name) {
            return self.entry(key, at, value);
        }
        let inside = keys::names_in(name);
        if inside.is_empty() {
            return self.unknown_key("", name, at);
        }
        let Some(table) = self.table(name, value) else {
            return;
        };
        for (key, value) in table {
            let at = key.span().start;
            let key = key.get_ref().as_ref();
            match keys::find(&format!("{name}.{key}")) {
                Some(key) => self.entry(key, at, value),
                None if name == "classifier" && key == "fallback" => {
                    tables::each(self, tables::FALLBACKS, value);
                }
                None => self.unknown_key(name, key, at),
            }
        }
    }

    fn unknown_key(&mut self, table: &str, key: &str, at: usize) {
        let names = if table.is_empty() {
            keys::top_names()
        } else {
            keys::names_in(table)
        };
        let keys = Keys {
            table,
            names: &names,
        };
        self.stranger(&keys, key, at);
    }

    /// Reports a key that does not belong into a table.
    pub(crate) fn stranger(&mut self, keys: &Keys<'_>, key: &str, at: usize) {
        if self.is_full() {
            return;
        }
        let mut full = keys::KEYS.iter().map(|it| it.name);
        let elsewhere = full.find(|it| it.rsplit('.').next() == Some(key));
        let hint = match (nearest(key, keys.names.iter().copied()), elsewhere) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Some(full)) => format!("did you mean `{full}`?"),
            (None, None) => format!("the keys are {}", listed(keys.names)),
        };
        let fault = Fault::UnknownKey {
            key: key.to_owned(),
            table: keys.table.to_owned(),
        };
        self.fault_with_hint(fault, at, hint);
    }

    fn entry(&mut self, key: &'static Key, at: usize, value: &Spanned<DeValue<'_>>) {
        if let Some(setting) = self.setting(key.name, key.kind, value) {
            let origin = self.places.at(at);
            self.draft.entries.push(Entry {
                key,
                value: setting,
                origin,
            });
        }
    }

    fn setting(&mut self, name: &str, kind: Kind, value: &Spanned<DeValue<'_>>) -> Option<Setting> {
        match kind {
            Kind::Words(words) => self.word(name, words, value).map(Setting::Word),
            Kind::Number { least, most } => {
                self.number(name, least..=most, value).map(Setting::Number)
            }
            Kind::Decimal => self.decimal(name, value).map(Setting::Decimal),
            Kind::YesNo => self.yes_no(name, value).map(Setting::YesNo),
            Kind::Text => self.text(name, value).map(Setting::Text),
            Kind::Lines(kind) => self.lines(name, kind, value).map(Setting::Lines),
        }
    }

    pub(crate) fn wrong_kind(
        &mut self,
        name: &str,
        want: &'static str,
        value: &Spanned<DeValue<'_>>,
    ) {
        let fault = Fault::WrongKind {
            key: name.to_owned(),
            want,
            found: kind_of(value.get_ref()),
        };
        self.fault(fault, value.span().start);
    }

    pub(crate) fn table<'v, 't>(
        &mut self,
        name: &str,
        value: &'v Spanned<DeValue<'t>>,
    ) -> Option<&'v DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_kind(name, "a table", value);
        }
        table
    }

    pub(crate) fn text(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let at = value.span().start;
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_kind(name, "a string", value);
            return None;
        };
        let key = || name.to_owned();
        if text.trim().is_empty() {
            self.fault(Fault::Empty { key: key() }, at);
            return None;
        }
        if text.len() > MOST_BYTES {
            let most = MOST_BYTES;
            self.fault(Fault::TooLong { key: key(), most }, at);
            return None;
        }
        Some(text.to_owned())
    }

    pub(crate) fn word(
        &mut self,
        name: &str,
        words: &[&str],
        value: &Spanned<DeValue<'_>>,
    ) -> Option<String> {
        let text = self.text(name, value)?;
        if words.contains(&text.as_str()) {
            return Some(text);
        }
        let hint = word_hint(&text, words);
        let fault = Fault::UnknownWord {
            key: name.to_owned(),
            word: text,
        };
        self.fault_with_hint(fault, value.span().start, hint);
        None
    }

    pub(crate) fn number(
        &mut self,
        name: &str,
        range: RangeInclusive<u64>,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<u64> {
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_kind(name, "a whole number", value);
            return None;
        };
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let inside = number.filter(|it| range.contains(it));
        if inside.is_none() {
            let fault = Fault::OutOfRange {
                key: name.to_owned(),
                number: integer.to_string(),
            };
            let hint = format!("from {} to {}", range.start(), range.end());
            self.fault_with_hint(fault, value.span().start, hint);
        }
        inside
    }

    fn decimal(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<f64> {
        let written = match value.get_ref() {
            DeValue::Integer(it) => it.to_string(),
            DeValue::Float(it) => it.as_str().to_owned(),
            DeValue::String(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => {
                self.wrong_kind(name, "a number", value);
                return None;
            }
        };
        let number = written.parse::<f64>().ok();
        let inside = number.filter(|it| it.is_finite() && (0.0..=1_000_000.0).contains(it));
        if inside.is_none() {
            let fault = Fault::OutOfRange {
                key: name.to_owned(),
                number: written,
            };
            self.fault_with_hint(fault, value.span().start, "from 0 to 1000000".to_owned());
        }
        inside
    }

    pub(crate) fn yes_no(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let answer = value.get_ref().as_bool();
        if answer.is_none() {
            self.wrong_kind(name, "`true` or `false`", value);
        }
        answer
    }

    /// Reads a list of texts; where a list is wanted, one text is a list of one.
    pub(crate) fn lines(
        &mut self,
        name: &str,
        kind: LineKind,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<Vec<Line>> {
        let Some(items) = value.get_ref().as_array() else {
            if value.get_ref().is_str() {
                return Some(self.line(name, kind, value).into_iter().collect());
            }
            self.wrong_kind(name, "a list of strings", value);
            return None;
        };
        if items.len() > MOST_ITEMS {
            let fault = Fault::TooMany {
                key: name.to_owned(),
                most: MOST_ITEMS,
            };
            self.fault(fault, value.span().start);
            return None;
        }
        let lines = items.iter().filter_map(|it| self.line(name, kind, it));
        Some(lines.collect())
    }

    fn line(&mut self, name: &str, kind: LineKind, value: &Spanned<DeValue<'_>>) -> Option<Line> {
        let text = match kind {
            LineKind::Rule | LineKind::Plain | LineKind::Glob | LineKind::Phrase(_) => {
                self.text(name, value)?
            }
            LineKind::Words(words) => self.word(name, words, value)?,
        };
        if kind == LineKind::Glob && text != DEFAULTS {
            self.glob(&text, value.span().start)?;
        }
        if name == "places.trusted" && !is_folder(&text) {
            let cause = "a trusted place is a folder";
            let fault = Fault::BadGlob { glob: text, cause };
            let hint = "write a folder with all below it, such as `~/src/generated/**`";
            self.fault_with_hint(fault, value.span().start, hint.to_owned());
            return None;
        }
        let origin = self.places.at(value.span().start);
        let line = Line { text, origin };
        if name == "fleet.keys" && belay_bundle::Key::parse(&line.text).is_none() {
            self.push(crate::fleet::bad_key(&line));
            return None;
        }
        if let LineKind::Phrase(kind) = kind
            && belay_words::Phrase::parse(kind, &line.text).is_none()
        {
            self.push(bad_phrase(line));
            return None;
        }
        Some(line)
    }

    pub(crate) fn glob(&mut self, text: &str, at: usize) -> Option<()> {
        match crate::glob::Glob::new(text) {
            Ok(_) => Some(()),
            Err(cause) => {
                let glob = text.to_owned();
                self.fault(Fault::BadGlob { glob, cause }, at);
                None
            }
        }
    }

    fn tools(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(table) = self.table("tools", value) else {
            return;
        };
        for (tool, value) in table {
            let origin = self.places.at(tool.span().start);
            let tool = tool.get_ref().as_ref().to_owned();
            if let Some(risk) = self.risk(&tool, value) {
                self.draft.tools.push(ToolRisk { tool, risk, origin });
            }
        }
    }

    fn risk(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<Risk> {
        if value.get_ref().is_integer() {
            let number = self.number(name, 0..=100, value)?;
            return u8::try_from(number).ok().map(Risk::new);
        }
        let word = self.word(name, Risk::WORDS, value)?;
        Risk::from_word(&word)
    }

    fn projects(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(table) = self.table("projects", value) else {
            return;
        };
        for (folder, value) in table {
            let origin = self.places.at(folder.span().start);
            let folder = folder.get_ref().as_ref().to_owned();
            let mode = self.word(&folder, Mode::WORDS, value);
            if let Some(mode) = mode.as_deref().and_then(Mode::from_word) {
                self.draft.projects.push(ProjectMode {
                    folder,
                    mode,
                    origin,
                });
            }
        }
    }
}

/// Says that a line is no phrase, and which classes there are.
fn bad_phrase(line: Line) -> SettingsError {
    let classes = belay_words::classes().join(", ");
    let fault = Fault::BadPhrase { line: line.text };
    let hint = format!("write a class, a colon and words; classes are {classes}");
    SettingsError::new(fault, line.origin).hint(hint)
}

/// Tells whether a glob names a whole folder and nothing else.
fn is_folder(glob: &str) -> bool {
    let folder = glob.strip_suffix("/**").unwrap_or(glob);
    folder.starts_with(['/', '~']) && !folder.contains(['*', '?', '['])
}

/// The line that stands for our own default lines.
pub(crate) const DEFAULTS: &str = "$defaults";

const fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "`true` or `false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
