//! Services of compose files and databases of projects: which of them are the project's own.

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

    /// A database is the one that the project's files name where no word and no variable of the call may name another.
    pub(crate) fn own_database(
        &self,
        mut names: Vec<String>,
        args: &[Arg],
        state: &State,
    ) -> Vec<String> {
        let [kind, own, _] = names.as_slice() else {
            return names;
        };
        if own != "own" || !matches!(kind.as_str(), "database" | "schema") {
            return names;
        }
        let here = self.at == At::Here && state.cwd.as_deref() == Some(self.scene.frame.cwd);
        let said = args
            .iter()
            .skip(1)
            .any(|it| it.text().is_none_or(may_name_database));
        if !here || said || state.may_steer(&HARMLESS) {
            names.truncate(1);
        }
        names
    }
}

/// Variables that say nothing of databases.
const HARMLESS: [&str; 12] = [
    "CI",
    "FORCE_COLOR",
    "LANG",
    "LC_ALL",
    "NO_COLOR",
    "OLDPWD",
    "PATH",
    "PS1",
    "PWD",
    "PYTHONUNBUFFERED",
    "VIRTUAL_ENV",
    "VIRTUAL_ENV_PROMPT",
];

/// Tells whether a word of a tool may name another database, file of settings or mode.
fn may_name_database(word: &str) -> bool {
    let flags = [
        "--url",
        "--db",
        "--database",
        "--config",
        "--settings",
        "--env",
        "--schema",
        "--pythonpath",
        "--path",
        "--realpath",
        "--shadow",
        "-e",
        "-c",
        "-x",
    ];
    let named = word.split_once('=').map(|(name, _)| name);
    let assigns = named.is_some_and(|it| !it.starts_with('-') && !it.contains(char::is_whitespace));
    assigns || word.contains("://") || flags.iter().any(|it| word.starts_with(it))
}
