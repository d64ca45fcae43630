//! Services of compose files: which of them are the project's own.

use belay_model::At;

use crate::machine::state::State;
use crate::machine::value::Arg;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Services are the project's own where the call stands, and where no flag names another project or file.
    pub(crate) fn own_services(
        &self,
        mut names: Vec<String>,
        args: &[Arg],
        state: &State,
    ) -> Vec<String> {
        let flags = ["-p", "-f", "--project-", "--file"];
        let names_other = |it: &str| flags.iter().any(|flag| it.starts_with(flag));
        let other = |it: &Arg| it.text().is_none_or(names_other);
        let own = self.at == At::Here && state.cwd.as_deref() == Some(self.scene.frame.cwd);
        if names == ["services", "own"] && (!own || args.iter().any(other)) {
            names.pop();
        }
        names
    }
}
