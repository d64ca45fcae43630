//! What is lost when something else takes a file's place.

use belay_model::{Answer, At, Effect, Question, Span, Standing, Verb};

use belay_places::Frame;

use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Says what a file held that is written anew: work that nothing keeps, and that was not made here.
    pub(crate) fn overwritten(&mut self, file: &Val, span: Span, state: &State) {
        if self.at != At::Here {
            return;
        }
        for choice in file.choices() {
            if self.is_lost(&choice, state) {
                let place = self.place(&choice, state.cwd.as_deref());
                self.emit(Effect::on(Verb::Discard, place).spanning(span));
            }
        }
    }

    fn is_lost(&self, file: &Val, state: &State) -> bool {
        let frame = self.scene.frame;
        let Some(path) = file.text().and_then(|it| self.absolute(it, state)) else {
            return false;
        };
        !state.files.contains_key(&path) && is_unkept(&path, frame)
    }
}

/// Tells whether a file of the project holds work that is kept nowhere else: who writes over it loses it.
#[must_use]
pub fn is_unkept(path: &str, frame: &Frame<'_>) -> bool {
    let place = belay_places::Path::new(path);
    let inside = frame.roots.iter().any(|it| place.is_within(it));
    if !inside || belay_places::is_artefact(&place, frame) {
        return false;
    }
    let kind = frame.world.ask(&Question::Kind(path.to_owned()));
    let is_file = matches!(kind, Answer::Name(it) if it != "folder");
    is_file
        && matches!(
            frame.world.ask(&Question::Standing(path.to_owned())),
            Answer::Standing(Standing::Lost { .. })
        )
}
