//! How the drafts of several files become one: strong sources overwrite, lists add up, and a
//! project's file may only tighten.

use crate::choices::Profile;
use crate::draft::{DEFAULTS, Draft, Entry, Setting};
use crate::error::SettingsError;
use crate::keys::{InProject, Key, Slot};
use crate::settings::{Line, RuleText, Settings};
use crate::{Fault, Origin, Source, command};
use belay_model::Verdict;

/// A line of a project's file that would loosen something and waits for a person's trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The key, or `rule` for a `[[rule]]` table.
    pub key: &'static str,
    /// What it would set, in one line.
    pub text: String,
    /// Where it is written.
    pub origin: Origin,
}

/// Applies a draft whose author may say everything.
pub(crate) fn apply(settings: &mut Settings, draft: &Draft) {
    for entry in &draft.entries {
        set(settings, entry.key, entry.said());
    }
    settings.exact.extend(draft.rules.iter().cloned());
    settings.tests.extend(draft.tests.iter().cloned());
    settings.tools.extend(draft.tools.iter().cloned());
    settings.projects.extend(draft.projects.iter().cloned());
    if let Some((_, origin)) = draft.fallback.first() {
        let endpoints = draft.fallback.iter().map(|(it, _)| it.clone());
        settings.classifier.fallback = endpoints.collect();
        settings.set_origin("classifier.fallback", origin.clone());
    }
}

/// A value, and who says it.
pub(crate) struct Said<'a, T> {
    pub(crate) value: &'a T,
    pub(crate) origin: &'a Origin,
}

impl Entry {
    pub(crate) const fn said(&self) -> Said<'_, Setting> {
        Said {
            value: &self.value,
            origin: &self.origin,
        }
    }
}

/// Sets one key, whoever says so.
pub(crate) fn set(settings: &mut Settings, key: &'static Key, said: Said<'_, Setting>) {
    let Said { value, origin } = said;
    match ((key.slot)(settings), value) {
        (Slot::Word(slot), Setting::Word(word)) => slot.choose(word),
        (Slot::Byte(slot), Setting::Number(number)) => {
            *slot = u8::try_from(*number).unwrap_or(u8::MAX);
        }
        (Slot::Number(slot), Setting::Number(number)) => *slot = *number,
        (Slot::Decimal(slot), Setting::Decimal(number)) => *slot = Some(*number),
        (Slot::YesNo(slot), Setting::YesNo(answer)) => *slot = *answer,
        (Slot::Text(slot), Setting::Text(text)) => *slot = Some(text.clone()),
        (Slot::Lines(slot), Setting::Lines(lines)) => add_lines(slot, key, lines),
        (Slot::Rules(slot, defaults), Setting::Lines(lines)) => {
            if let Some(defaults) = defaults {
                *defaults = lines.iter().any(|it| it.text == DEFAULTS);
            }
            slot.extend(written(lines).map(|it| rule_text(it, ForModel::Yes)));
        }
        // The reader has checked the kind of every value.
        (_, _) => return,
    }
    settings.set_origin(key.name, origin.clone());
}

fn add_lines(slot: &mut Vec<Line>, key: &Key, lines: &[Line]) {
    // The words of one command line are no list to add to.
    if key.name == "classifier.api_key_command" {
        slot.clear();
    }
    slot.extend(written(lines).cloned());
}

fn written(lines: &[Line]) -> impl Iterator<Item = &Line> {
    lines.iter().filter(|it| it.text != DEFAULTS)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ForModel {
    Yes,
    No,
}

fn rule_text(line: &Line, for_model: ForModel) -> RuleText {
    RuleText {
        text: line.text.clone(),
        origin: line.origin.clone(),
        for_model: for_model == ForModel::Yes,
    }
}

/// What a project's file leads to.
#[derive(Debug, Default)]
pub(crate) struct ProjectOutcome {
    /// Lines that would loosen.
    pub waiting: Vec<Waiting>,
    /// Lines that have no say here at all.
    pub ignored: Vec<SettingsError>,
}

/// Whether a person has accepted the loosening lines of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    Given,
    Missing,
}

/// Applies a project's draft: what tightens at once, what loosens only with trust.
pub(crate) fn apply_project(
    settings: &mut Settings,
    draft: &Draft,
    trust: Trust,
) -> ProjectOutcome {
    let mut guest = Guest {
        settings,
        trust,
        outcome: ProjectOutcome::default(),
    };
    for entry in &draft.entries {
        guest.entry(entry);
    }
    let Guest {
        settings,
        mut outcome,
        ..
    } = guest;
    for rule in &draft.rules {
        let loosens = rule.verdict == Verdict::Allow;
        if loosens {
            outcome.waiting.push(Waiting {
                key: "rule",
                text: crate::show::rule(rule),
                origin: rule.origin.clone(),
            });
        }
        if !loosens || trust == Trust::Given {
            settings.exact.push(rule.clone());
        }
    }
    settings.tests.extend(draft.tests.iter().cloned());
    settings.tools.extend(draft.tools.iter().cloned());
    let folders = draft.projects.iter().map(|it| ("projects", &it.origin));
    let providers = draft
        .fallback
        .iter()
        .map(|it| ("classifier.fallback", &it.1));
    for (key, origin) in folders.chain(providers) {
        outcome.ignored.push(not_for_projects(key, origin));
    }
    outcome
}

/// A project among the settings: what it may say there, and what became of it.
struct Guest<'a> {
    settings: &'a mut Settings,
    trust: Trust,
    outcome: ProjectOutcome,
}

impl Guest<'_> {
    fn entry(&mut self, entry: &Entry) {
        let refused = || not_for_projects(entry.key.name, &entry.origin);
        match entry.key.project {
            InProject::Never => self.outcome.ignored.push(refused()),
            InProject::Only(answer) if entry.value == Setting::YesNo(answer) => {
                set(self.settings, entry.key, entry.said());
            }
            InProject::Only(_) => self.outcome.ignored.push(refused()),
            InProject::Stricter if self.is_stricter(&entry.value) => {
                set(self.settings, entry.key, entry.said());
            }
            InProject::Stricter => self.outcome.ignored.push(refused()),
            InProject::Lowers if lowers(self.settings, entry) => {
                set(self.settings, entry.key, entry.said());
            }
            InProject::Adds => self.add(entry),
            InProject::Lowers | InProject::Waits => {
                if says_nothing_new(self.settings, entry) {
                    return;
                }
                self.outcome.waiting.extend(waiting(entry));
                if self.trust == Trust::Given {
                    loosen(self.settings, entry);
                }
            }
        }
    }

    fn is_stricter(&self, value: &Setting) -> bool {
        let Setting::Word(word) = value else {
            return false;
        };
        let said = Profile::from_word(word);
        said.is_some_and(|it| it.is_as_strict_as(self.settings.profile))
    }

    /// Adds the lines of a project that tighten. Prose tightens only through the model, and what a
    /// stranger writes into the model's question may as well loosen: it waits.
    fn add(&mut self, entry: &Entry) {
        let Setting::Lines(lines) = &entry.value else {
            return;
        };
        match (entry.key.slot)(self.settings) {
            Slot::Lines(slot) => slot.extend(written(lines).cloned()),
            Slot::Rules(slot, _) => {
                for line in written(lines) {
                    let trusted = self.trust == Trust::Given;
                    let prose = !command::reads_as_command(&line.text);
                    if prose {
                        let waiting = waiting_line(entry.key.name, line);
                        self.outcome.waiting.push(waiting);
                    }
                    if trusted || !prose {
                        let for_model = if trusted { ForModel::Yes } else { ForModel::No };
                        slot.push(rule_text(line, for_model));
                    }
                }
            }
            Slot::Word(_)
            | Slot::Byte(_)
            | Slot::Number(_)
            | Slot::Decimal(_)
            | Slot::YesNo(_)
            | Slot::Text(_) => {}
        }
    }
}

fn not_for_projects(key: &str, origin: &Origin) -> SettingsError {
    let key = key.to_owned();
    SettingsError::new(Fault::NotForProjects { key }, origin.clone())
        .hint("move it to your own settings; `belay config` shows where they are")
}

fn number(settings: &mut Settings, key: &Key) -> Option<u64> {
    match (key.slot)(settings) {
        Slot::Byte(slot) => Some(u64::from(*slot)),
        Slot::Number(slot) => Some(*slot),
        Slot::Word(_)
        | Slot::Decimal(_)
        | Slot::YesNo(_)
        | Slot::Text(_)
        | Slot::Lines(_)
        | Slot::Rules(..) => None,
    }
}

pub(crate) fn lowers(settings: &mut Settings, entry: &Entry) -> bool {
    match (number(settings, entry.key), &entry.value) {
        (Some(now), Setting::Number(new)) => *new < now,
        (_, _) => false,
    }
}

pub(crate) fn says_nothing_new(settings: &mut Settings, entry: &Entry) -> bool {
    match (number(settings, entry.key), &entry.value) {
        (Some(now), Setting::Number(new)) => *new == now,
        (_, Setting::Lines(lines)) => written(lines).next().is_none(),
        (_, _) => false,
    }
}

fn waiting(entry: &Entry) -> Vec<Waiting> {
    let name = entry.key.name;
    match &entry.value {
        Setting::Lines(lines) => written(lines).map(|it| waiting_line(name, it)).collect(),
        Setting::Word(_)
        | Setting::Number(_)
        | Setting::Decimal(_)
        | Setting::YesNo(_)
        | Setting::Text(_) => vec![Waiting {
            key: name,
            text: crate::show::setting(&entry.value),
            origin: entry.origin.clone(),
        }],
    }
}

fn waiting_line(key: &'static str, line: &Line) -> Waiting {
    Waiting {
        key,
        text: crate::show::quoted(&line.text),
        origin: line.origin.clone(),
    }
}

/// Applies a trusted line of a project; what the machine's owner or a flag has set stays.
fn loosen(settings: &mut Settings, entry: &Entry) {
    let single = !matches!(entry.value, Setting::Lines(_));
    let held = matches!(
        settings.source(entry.key.name),
        Source::Managed | Source::Flag | Source::CommandLine
    );
    if single && held {
        return;
    }
    let defaults = settings.rules.defaults;
    set(settings, entry.key, entry.said());
    settings.rules.defaults = defaults;
}
