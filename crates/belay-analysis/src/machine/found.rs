//! Folders that a search found: which of them we are in is not known, but what they are called is.

use belay_model::{At, Place};

use crate::machine::state::State;
use crate::machine::value::{Text, Val, escape};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Returns the pattern of the folders that a value may lead to, where a search found it or we are in such a folder.
    pub(crate) fn found_folder(&self, folder: &Val, state: &State) -> Option<String> {
        if self.at != At::Here || !state.links.is_empty() {
            return None;
        }
        let text = below(folder)?;
        // A name that is no flag, and not the `-` that means the folder before.
        let named = text.ends_with('/') || !folder.text.may_begin_flag();
        let base = match (&state.cwd, &state.found) {
            (Some(cwd), _) => (!cwd.contains(['*', '?', '['])).then_some(cwd),
            (None, Some(found)) => Some(found),
            (None, None) => None,
        };
        // A folder whose name is known lies in one that is not.
        let searched = folder.is_search() || state.cwd.is_none();
        let base = base.filter(|_| named && searched)?;
        Some(format!("{base}/{}", text.trim_end_matches('/')))
    }

    /// Returns a value as a place where we are, in short form.
    pub(crate) fn place_here(&self, val: &Val, state: &State) -> Place {
        match self.val_here(val, state) {
            Some(val) => self.place(&val, Some("/")),
            None => self.place(val, state.cwd.as_deref()),
        }
    }

    /// Returns a value as a pattern of whole paths, where we are in a folder that a search found.
    pub(crate) fn val_here(&self, val: &Val, state: &State) -> Option<Val> {
        let lost = state.cwd.is_none() && state.links.is_empty();
        let found = state.found.as_ref().filter(|_| lost)?;
        let text = below(val)?;
        Some(Val::glob(format!("{found}/{text}")).carrying(val.carries))
    }
}

/// Returns a value as a pattern, where it leads to nothing but what lies below the folder we are in.
fn below(val: &Val) -> Option<String> {
    let text = match &val.text {
        Text::Known(text) => escape(text),
        Text::Glob(text) if val.is_search() && !text.contains("**") => text.clone(),
        Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => return None,
    };
    // Some shells find `..` by a pattern that begins with a dot.
    let climbs = |it: &str| it == ".." || it.starts_with('.') && it.contains(['*', '?', '[']);
    let plain = !text.is_empty()
        && !text.starts_with(['/', '~'])
        && !text.contains(['{', '\\', '(', ':'])
        && !text.split('/').any(climbs);
    plain.then_some(text)
}
