//! Programs that installers put into folders of their own, and links that lead to the system's.

use belay_model::{Answer, At, Question};

use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Tells whether a path leads to a program that an installer put there, and nobody else since.
    pub(super) fn is_tool(&self, path: &str, state: &State) -> bool {
        let Some((folder, _)) = path.rsplit_once('/') else {
            return false;
        };
        let file = Val::known(path);
        self.at == At::Here && self.holds_tools(folder) && !self.is_changed(&file, state)
    }

    /// Tells whether a path is a link to the system's program of that name, as in a virtual environment: `.venv/bin/python`
    /// is `/usr/bin/python3`. A link that was made in this session may lead elsewhere by now.
    pub(super) fn leads_to_tool(&self, path: &str, state: &State) -> bool {
        let file = Val::known(path);
        let Some(from) = self.absolute(path, state).filter(|_| self.at == At::Here) else {
            return false;
        };
        let Answer::Path(real) = self.scene.frame.world.ask(&Question::Resolve(from.clone()))
        else {
            return false;
        };
        let (Some((_, asked)), Some((folder, last))) =
            (from.rsplit_once('/'), real.rsplit_once('/'))
        else {
            return false;
        };
        let knowledge = self.scene.knowledge;
        let program = |name| knowledge.same_program(name).unwrap_or(name);
        let is_one =
            real != from && program(asked) == program(last) && knowledge.find(last).is_some();
        let holds = || knowledge.lists("program-folders", folder) || self.holds_tools(folder);
        is_one && holds() && !self.is_changed(&file, state)
    }

    /// Tells whether a folder is one for tools; of its names up to two may be versions.
    fn holds_tools(&self, folder: &str) -> bool {
        let home = self.scene.frame.home();
        let folder = match folder.strip_prefix(home) {
            Some(rest) if rest.starts_with('/') => format!("~{rest}"),
            Some(_) | None => folder.to_owned(),
        };
        let parts: Vec<&str> = folder.split('/').collect();
        if parts.iter().any(|it| matches!(*it, "." | ".." | "*")) {
            return false;
        }
        let listed = |stars: [usize; 2]| {
            let starred = |(at, part): (usize, &&str)| {
                let part = if stars.contains(&at) { "*" } else { part };
                part.to_owned()
            };
            let key: Vec<String> = parts.iter().enumerate().map(starred).collect();
            self.scene.knowledge.lists("tool-folders", &key.join("/"))
        };
        let none = usize::MAX;
        let with_one = |one: usize| listed([one, none]) || (1..one).any(|two| listed([one, two]));
        listed([none, none]) || (1..parts.len()).any(with_one)
    }
}
