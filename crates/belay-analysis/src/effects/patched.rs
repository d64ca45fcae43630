//! What a patch in the call's own text changes: the files that it names hold what nobody read.

use belay_knowledge::Deed;
use belay_model::{At, Carries};

use crate::effects::arrivals::Arrival;
use crate::machine::files::Note;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// What stands before the name of a file as it becomes.
const BECOMES: &str = "+++ ";

impl Walker<'_> {
    /// Notes the files that a patch changes which comes in as a known text.
    pub(super) fn patched(&self, arrival: Arrival<'_>, state: &mut State) {
        let text = arrival.flows.input.text.as_ref().and_then(Val::text);
        let Some(text) = text.filter(|_| arrival.flows.deeds.has(Deed::Unpacks)) else {
            return;
        };
        if self.at != At::Here {
            return;
        }
        for line in text.lines().filter_map(|it| it.strip_prefix(BECOMES)) {
            let name = line.split('\t').next().unwrap_or(line);
            // Whether the first folder counts, a flag says.
            let inner = name.split_once('/').map(|it| it.1);
            for name in [Some(name), inner].into_iter().flatten() {
                if let Some(path) = self.absolute(name, state) {
                    let note = Note::unread(Carries::NOTHING);
                    state.files.insert(path, note);
                }
            }
        }
    }
}
