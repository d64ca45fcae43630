//! What is known of commands: ours and the user's, and beside that what a fleet's rule sets say, for each of their stages.
//!
//! INVARIANT: without `may_loosen` a call that a fleet's files speak of is judged without them, too, so they only raise.

use belay_knowledge::Knowledge;
use belay_settings::Settings;

/// What is known, with and without what a fleet says.
pub(crate) struct Known {
    plain: Knowledge,
    in_force: Option<Knowledge>,
    asking: Option<Knowledge>,
    observing: Option<Knowledge>,
}

impl Known {
    /// Lays what the settings of each stage say over what is known without them.
    pub(crate) fn of(plain: Knowledge, settings: &Settings) -> Self {
        let with = |settings: &Settings| {
            let taught = &settings.taught;
            (!taught.is_empty()).then(|| plain.clone().with_taught(taught))
        };
        Self {
            in_force: with(settings),
            asking: settings.staged.ask.as_deref().and_then(with),
            observing: settings.staged.observe.as_deref().and_then(with),
            plain,
        }
    }

    pub(crate) fn in_force(&self) -> &Knowledge {
        self.in_force.as_ref().unwrap_or(&self.plain)
    }

    pub(crate) fn asking(&self) -> &Knowledge {
        self.asking.as_ref().unwrap_or(&self.plain)
    }

    pub(crate) fn observing(&self) -> &Knowledge {
        self.observing.as_ref().unwrap_or(&self.plain)
    }

    /// Returns what is known without a fleet's files, where they were heard and may not loosen.
    pub(crate) fn without(&self, with: &Knowledge, settings: &Settings) -> Option<&Knowledge> {
        (with.was_taught_heard() && !settings.fleet.may_loosen).then_some(&self.plain)
    }

    /// Returns all by which a call is judged.
    pub(crate) fn both(&self, settings: &Settings) -> Vec<&Knowledge> {
        let plain = self.in_force.is_some() && !settings.fleet.may_loosen;
        let plain = plain.then_some(&self.plain);
        [Some(self.in_force()), plain]
            .into_iter()
            .flatten()
            .collect()
    }
}
