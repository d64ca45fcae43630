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
        let mut names = text
            .lines()
            .filter_map(|it| it.strip_prefix(BECOMES))
            .peekable();
        if names.peek().is_none() {
            // Other notations name their files in other ways.
            return state.files.anything();
        }
        for line in names {
            let name = line.split('\t').next().unwrap_or(line);
            if name.starts_with('"') {
                return state.files.anything();
            }
            // How many of the first folders count, a flag says.
            let inner = name
                .match_indices('/')
                .filter_map(|(at, _)| name.get(at + 1..));
            for name in std::iter::once(name).chain(inner) {
                if let Some(path) = self.absolute(name, state) {
                    let note = Note::unread(Carries::NOTHING);
                    state.files.insert(path, note);
                }
            }
        }
    }
}
