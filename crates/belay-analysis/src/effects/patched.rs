//! What a patch in the call's own text changes: the files that it names hold what nobody read.

use belay_knowledge::Deed;
use belay_model::{At, Carries, Effect, Verb};

use crate::effects::arrivals::Arrival;
use crate::machine::files::Note;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// What stands before the name of a file as it becomes.
const BECOMES: &str = "+++ ";

impl Walker<'_> {
    /// Notes the files that a patch changes which comes in as a known text. Where its notation names them in another way, it may
    /// change any.
    pub(super) fn patched(&mut self, arrival: Arrival<'_>, state: &mut State) {
        let text = arrival.flows.input.text.as_ref().and_then(Val::text);
        let Some(text) = text.filter(|_| arrival.flows.deeds.has(Deed::Unpacks)) else {
            return;
        };
        if self.at != At::Here {
            return;
        }
        let names: Vec<&str> = text.lines().filter_map(named).collect();
        // An answer to what an unpacker asks is no patch.
        let odd = names.is_empty() && text.lines().any(|it| it.starts_with("*** "));
        if odd || names.iter().any(|it| it.starts_with('"')) {
            let span = arrival.flows.args.first().map(|it| it.span);
            let unread = Effect::of(Verb::Unknown, ["setting", "names"]);
            self.emit(unread.spanning(span.unwrap_or_default()));
        }
        for name in names {
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

/// Returns the file that a line of a patch says is changed.
fn named(line: &str) -> Option<&str> {
    let name = line.strip_prefix(BECOMES)?;
    Some(name.split('\t').next().unwrap_or(name))
}
