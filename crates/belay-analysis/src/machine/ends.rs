//! How a command ends: the state after success, and the one after failure.

use crate::machine::options::Tri;
use crate::machine::state::State;

/// How a command ends: with which state after success, and with which after failure.
#[derive(Clone)]
pub(crate) enum Ends {
    /// Either way the same.
    Either(State),
    /// It always succeeds.
    Ok(State),
    /// It always fails.
    Bad(State),
    /// Success and failure leave different states.
    Both(State, State),
    /// It never comes back.
    Never,
}

impl Ends {
    /// Puts the two ways together.
    pub(crate) fn of(ok: Option<State>, bad: Option<State>) -> Self {
        match (ok, bad) {
            (Some(ok), Some(bad)) => Self::Both(ok, bad),
            (Some(ok), None) => Self::Ok(ok),
            (None, Some(bad)) => Self::Bad(bad),
            (None, None) => Self::Never,
        }
    }

    /// Says that it ends as an answer says.
    pub(crate) fn by(answer: Tri, state: State) -> Self {
        match answer {
            Tri::Yes => Self::Ok(state),
            Tri::No => Self::Bad(state),
            Tri::Perhaps => Self::Either(state),
        }
    }

    /// Returns the state after success, and the one after failure.
    pub(crate) fn parts(self) -> (Option<State>, Option<State>) {
        match self {
            Self::Either(state) => (Some(state.clone()), Some(state)),
            Self::Ok(state) => (Some(state), None),
            Self::Bad(state) => (None, Some(state)),
            Self::Both(ok, bad) => (Some(ok), Some(bad)),
            Self::Never => (None, None),
        }
    }

    /// Shows the state after success and the one after failure.
    pub(crate) fn look(&self) -> (Option<&State>, Option<&State>) {
        match self {
            Self::Either(state) => (Some(state), Some(state)),
            Self::Ok(state) => (Some(state), None),
            Self::Bad(state) => (None, Some(state)),
            Self::Both(ok, bad) => (Some(ok), Some(bad)),
            Self::Never => (None, None),
        }
    }

    /// Returns the state when nobody asks how it ended.
    pub(crate) fn any(self) -> Option<State> {
        match self {
            Self::Either(state) | Self::Ok(state) | Self::Bad(state) => Some(state),
            Self::Both(ok, bad) => Some(ok.or(bad)),
            Self::Never => None,
        }
    }

    /// Returns the same with success and failure exchanged.
    pub(crate) fn inverted(self) -> Self {
        match self {
            Self::Ok(state) => Self::Bad(state),
            Self::Bad(state) => Self::Ok(state),
            Self::Both(ok, bad) => Self::Both(bad, ok),
            Self::Either(_) | Self::Never => self,
        }
    }

    /// Returns what is left of two runs of which one happens.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, it) | (it, Self::Never) => it,
            (Self::Either(a), Self::Either(b)) => Self::Either(a.or(b)),
            (Self::Ok(a), Self::Ok(b)) => Self::Ok(a.or(b)),
            (Self::Bad(a), Self::Bad(b)) => Self::Bad(a.or(b)),
            (a, b) => {
                let ((a_ok, a_bad), (b_ok, b_bad)) = (a.parts(), b.parts());
                Self::of(State::either(a_ok, b_ok), State::either(a_bad, b_bad))
            }
        }
    }

    /// Changes the states, however it ended.
    pub(crate) fn map(self, mut change: impl FnMut(State) -> State) -> Self {
        match self {
            Self::Either(state) => Self::Either(change(state)),
            Self::Ok(state) => Self::Ok(change(state)),
            Self::Bad(state) => Self::Bad(change(state)),
            Self::Both(ok, bad) => Self::Both(change(ok), change(bad)),
            Self::Never => Self::Never,
        }
    }
}
