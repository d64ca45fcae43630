//! Searches for files: what the names they find cannot be.

use belay_model::{Answer, Effect, Place, Question, Target, Verb};

use crate::machine::state::State;
use crate::machine::value::{Arg, Text};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Tells whether a search for files in this folder finds none whose name looks like a flag.
    pub(crate) fn finds_no_flag(&self, arg: &Arg, state: &State) -> bool {
        const LOOKED_AT: u32 = 4096;
        let Text::Glob(text) = &arg.val.text else {
            return false;
        };
        if !text.starts_with(['*', '?']) || state.options.dotglob.may() {
            return false;
        }
        let Some(cwd) = state.cwd.clone().filter(|_| state.elsewhere.is_empty()) else {
            return false;
        };
        // Whatever ran before may have made such a file.
        if self.may_have_done(|it| self.may_make_flag(it, &cwd)) {
            return false;
        }
        match self
            .scene
            .frame
            .world
            .ask(&Question::Entries(cwd, LOOKED_AT))
        {
            Answer::Names(names) => {
                names.len() < LOOKED_AT as usize && !names.iter().any(|it| it.starts_with('-'))
            }
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => false,
        }
    }

    /// Tells whether what was done may have left a file in this folder whose name looks like a flag.
    fn may_make_flag(&self, effect: &Effect, cwd: &str) -> bool {
        if effect.verb.only_looks() || effect.verb == Verb::Delete {
            return false;
        }
        let Target::Place(Place::Exact(path)) = &effect.target else {
            return true;
        };
        let frame = self.scene.frame;
        let Some(path) = belay_places::absolute(path, frame.cwd, frame.home()) else {
            return true;
        };
        let path = path.into_text();
        let holds_folder =
            cwd == path || cwd.starts_with(&format!("{}/", path.trim_end_matches('/')));
        let name = path.rsplit('/').next().unwrap_or_default();
        effect.verb != Verb::Write || holds_folder || name.starts_with('-')
    }
}
