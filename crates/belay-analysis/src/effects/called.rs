//! A task of the project, as a command calls it.

use belay_model::Span;

use crate::machine::value::Arg;

/// A task, as it was called.
pub(crate) struct Called<'a> {
    pub(crate) tool: &'a str,
    pub(crate) name: &'a str,
    pub(crate) args: &'a [Arg],
    pub(crate) span: Span,
}
