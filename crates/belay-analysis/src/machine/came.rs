//! Folders that came as a whole: what is in them is read where they came from.

use belay_model::{Answer, Question};

use crate::machine::files::Note;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// A folder that was copied, moved or linked as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Came {
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A folder to which things came in this call, and links perhaps with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) with: Source,
    /// The folder, absolute.
    pub(crate) to: String,
}

/// Where things came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A folder that was copied or moved; a pattern may stand on its way.
    Folder(String),
    /// An archive or a patch on the disk.
    Archive(String),
    /// Nobody can look there now.
    Elsewhere,
}

impl Came {
    /// Returns where a file below the folder came from.
    pub(crate) fn source(&self, path: &str) -> Option<String> {
        let below = path.strip_prefix(&self.to)?;
        below
            .starts_with('/')
            .then(|| format!("{}{below}", self.from))
    }
}

impl Walker<'_> {
    /// Returns the text of a file that came with its folder, where nothing lay in its place before.
    pub(crate) fn came_with(&self, path: &str, note: &Note, state: &State) -> Option<String> {
        let source = note.came.as_ref()?.source(path)?;
        let world = self.scene.frame.world;
        let is_new = matches!(
            world.ask(&Question::Kind(path.to_owned())),
            Answer::Missing(_)
        );
        // A link that is copied may lead elsewhere from its new place.
        let led = world.ask(&Question::Resolve(source.clone()));
        let is_itself = matches!(led, Answer::Path(it) if it == source);
        let left_alone = !state.files.contains_key(&source)
            && self
                .outside(&Val::known(source.clone()), state)
                .is_nothing();
        if !is_new || !is_itself || !left_alone {
            return None;
        }
        self.text_in(&Val::known(source), state)
    }
}
