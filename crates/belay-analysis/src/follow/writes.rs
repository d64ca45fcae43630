//! What code inside commands leaves on the disk, and where that came from.

use belay_languages::Doing;
use belay_model::{Carries, How, Span};

use crate::effects::arrivals::unpacked;
use crate::machine::files::Note;
use crate::machine::origins::Brought;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::walk::Walker;

/// What code puts somewhere.
#[derive(Clone, Copy)]
pub(crate) struct Leaving {
    /// What may be in it.
    pub(crate) brought: Carries,
    /// Which part of the text says so.
    pub(crate) span: Span,
}

impl Walker<'_> {
    /// Returns the labels of what code may write: all that it fetches, is fed and reads may be in it.
    pub(crate) fn brought_by_code(&self, doings: &[Doing], fed: Carries, state: &State) -> Carries {
        let fed = fed.only(Carries::OUTSIDE);
        doings.iter().fold(fed, |sum, it| match it {
            Doing::Fetch(_) => sum.and(Carries::FETCHED),
            Doing::Read(path) => {
                let file = self.of_code(Some(path.clone()));
                sum.and(self.outside(&file, state))
                    .and(self.strange(&file, state))
            }
            Doing::Write(_)
            | Doing::Unpack(_)
            | Doing::Spill(_)
            | Doing::Delete(..)
            | Doing::Send(_)
            | Doing::Variable(_)
            | Doing::Load(_)
            | Doing::Run(_)
            | Doing::Import(_)
            | Doing::Search(_)
            | Doing::Folder(_)
            | Doing::Package { .. }
            | Doing::NodePackage { .. }
            | Doing::Unread { .. }
            | Doing::Secret(_)
            | Doing::Other(..) => sum,
        })
    }

    /// Code writes a file. Nobody has read what it wrote: running that is running unread code.
    pub(crate) fn wrote_by_code(
        &mut self,
        path: Option<String>,
        leaving: Leaving,
        state: &mut State,
    ) {
        let Leaving { brought, span } = leaving;
        let path = self.of_code(path);
        self.write_place(&path, Touch::new(How::Plain, span).carrying(brought), state);
        let note = Note {
            carries: brought,
            text: None,
            copied: true,
            perhaps: false,
            built: false,
            linked: false,
            number: None,
            came: None,
        };
        self.note(&path, note, state);
        // Code copies and moves folders by the same words as files.
        self.note_all_below(&path, &Note::unread(brought), state);
    }

    /// Code unpacks an archive whose names may lead out of the folder; the project's own is trusted as its code is.
    pub(crate) fn spilled_by_code(
        &mut self,
        folder: Option<String>,
        leaving: Leaving,
        state: &mut State,
    ) {
        let own = leaving.brought.is_nothing();
        self.unpacked_by_code(folder.filter(|_| own), leaving, state);
    }

    /// Code unpacks an archive into a folder, under names that nobody knows.
    pub(crate) fn unpacked_by_code(
        &mut self,
        folder: Option<String>,
        leaving: Leaving,
        state: &mut State,
    ) {
        let folder = self.of_code(folder);
        let labels = unpacked(leaving.brought);
        self.write_place(
            &folder,
            Touch::new(How::Tree, leaving.span).carrying(labels),
            state,
        );
        let place = folder.text().and_then(|it| self.absolute(it, state));
        if let Some(place) = place.filter(|_| !labels.is_nothing()) {
            state.files.bring(Brought::tree(place, labels));
        }
    }
}
