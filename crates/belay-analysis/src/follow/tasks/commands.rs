//! Commands that stand where a task is named: what is no task of the project, some tools look for among all programs.

use super::manifests;
use super::notation::Notation;
use crate::effects::called::Called;
use crate::machine::flows::Flows;
use crate::machine::state::State;
use crate::machine::value::Arg;
use crate::machine::walk::Walker;

/// The list of tools that do so.
const RUNS_COMMANDS: &str = "runs-commands";

/// The list of names that a script usually has: one of them is no command where nobody knows the scripts.
const USUAL: &str = "usual-scripts";

impl Walker<'_> {
    /// Does what a known command does whose name stands where that of a task would.
    pub(crate) fn command_for_task(
        &mut self,
        called: &Called<'_>,
        state: &mut State,
        flows: &mut Flows<'_>,
    ) {
        let Called { name, args, .. } = *called;
        let knowledge = self.scene.knowledge;
        let tool = args.first().and_then(Arg::text).unwrap_or_default();
        if !knowledge.lists(RUNS_COMMANDS, tool) || knowledge.find(name).is_none() {
            return;
        }
        let at = args.iter().position(|it| it.text() == Some(name));
        let own = at == Some(1) && knowledge.all_said(RUNS_COMMANDS, tool).any(|it| it == name);
        let Some(at) = at.filter(|at| *at > 0 && !own) else {
            return;
        };
        if self.is_script(called, state) {
            return;
        }
        let words = args.get(at..).unwrap_or_default().to_vec();
        let mut child = state.clone();
        let output = self.command(words, &mut child, flows.input);
        state.after_process(child);
        flows.output = Some(output);
    }

    /// Tells whether the project has a script of that name, or may have one.
    fn is_script(&mut self, called: &Called<'_>, state: &State) -> bool {
        let knowledge = self.scene.knowledge;
        let Some(notation) = Notation::of(called.tool, knowledge) else {
            return false;
        };
        let names = notation.names(knowledge);
        let name = [called.name.to_owned()];
        match self.manifest(&names, called, state) {
            Some(manifest) => !manifests::scripts(&manifest.text, "scripts", &name).is_empty(),
            None => knowledge.lists(USUAL, called.name),
        }
    }
}
