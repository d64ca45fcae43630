//! What a rule set may do to settings: tighten everything, and loosen nothing.

use belay_model::Verdict;

use super::refused;
use crate::SettingsError;
use crate::choices::Profile;
use crate::draft::{Draft, Entry, Setting};
use crate::keys::{self, InProject};
use crate::merge;
use crate::settings::Settings;

/// Takes out what only the managed file says, and says so.
pub(super) fn managed_only(draft: &mut Draft) -> Vec<SettingsError> {
    draft.without_managed()
}

/// Applies what tightens. Returns what would not.
pub(super) fn tighten(settings: &mut Settings, draft: &Draft) -> Vec<SettingsError> {
    let mut left = Vec::new();
    for entry in &draft.entries {
        let effect = effect(settings, entry);
        match effect {
            Effect::Tightens => set(settings, entry),
            Effect::Nothing => {}
            Effect::Perhaps => left.push(refused(entry.key.name, &entry.origin)),
        }
    }
    let (tight, loose): (Vec<_>, Vec<_>) =
        (draft.rules.iter()).partition(|it| it.verdict != Verdict::Allow);
    settings.exact.extend(tight.into_iter().cloned());
    settings.tests.extend(draft.tests.iter().cloned());
    left.extend(loose.iter().map(|it| refused("rule", &it.origin)));
    let tools = draft.tools.iter().map(|it| ("tools", &it.origin));
    let projects = draft.projects.iter().map(|it| ("projects", &it.origin));
    let models = draft
        .fallback
        .iter()
        .map(|(_, it)| ("classifier.fallback", it));
    let others = tools.chain(projects).chain(models);
    left.extend(others.map(|(key, origin)| refused(key, origin)));
    left
}

/// Applies the single values that tighten.
pub(super) fn tighten_single(settings: &mut Settings, draft: &Draft) {
    let single = |it: &&Entry| !matches!(it.value, Setting::Lines(_));
    for entry in draft.entries.iter().filter(single) {
        if effect(settings, entry) == Effect::Tightens {
            set(settings, entry);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Tightens,
    Nothing,
    Perhaps,
}

/// What a line would do. A project's file may only tighten either, so what counts at once there does here.
fn effect(settings: &mut Settings, entry: &Entry) -> Effect {
    let tightens = match entry.key.project {
        InProject::Never => is_strictest(entry),
        InProject::Only(answer) => entry.value == Setting::YesNo(answer),
        InProject::Stricter => is_stricter(settings, &entry.value),
        InProject::Lowers => merge::lowers(settings, entry),
        InProject::Adds => true,
        InProject::Waits => false,
    };
    match (tightens, merge::says_nothing_new(settings, entry)) {
        (true, _) => Effect::Tightens,
        (false, true) => Effect::Nothing,
        (false, false) => Effect::Perhaps,
    }
}

/// Of what projects have no say in, a few values are the strictest there are.
fn is_strictest(entry: &Entry) -> bool {
    match (entry.key.name, &entry.value) {
        ("mode", Setting::Word(word)) => word == "auto",
        ("journal.redact", Setting::YesNo(redact)) => *redact,
        (_, _) => false,
    }
}

fn is_stricter(settings: &Settings, value: &Setting) -> bool {
    let Setting::Word(word) = value else {
        return false;
    };
    let said = Profile::from_word(word);
    said.is_some_and(|it| it.is_as_strict_as(settings.profile))
}

/// Sets a key; a list never takes our own lines away.
fn set(settings: &mut Settings, entry: &Entry) {
    let defaults = settings.rules.defaults;
    merge::set(settings, entry.key, entry.said());
    settings.rules.defaults = defaults;
}

impl Draft {
    /// Takes out what only the managed file says, and says so.
    pub(crate) fn without_managed(&mut self) -> Vec<SettingsError> {
        let (ours, theirs) = std::mem::take(&mut self.entries)
            .into_iter()
            .partition(|it| keys::is_managed_only(it.key.name));
        self.entries = theirs;
        let ours: Vec<Entry> = ours;
        let fault = |it: &Entry| crate::Fault::OnlyManaged {
            key: it.key.name.to_owned(),
        };
        ours.iter()
            .map(|it| SettingsError::new(fault(it), it.origin.clone()))
            .collect()
    }
}
