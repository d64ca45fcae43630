//! The shell's own state, and the walk through a text that changes it.

pub(crate) mod arith;
pub(crate) mod armed;
pub(crate) mod builtins;
pub(crate) mod compound;
pub(crate) mod params;
pub(crate) mod redirects;
pub(crate) mod simple;
pub(crate) mod state;
pub(crate) mod stream;
pub(crate) mod value;
pub(crate) mod variables;
pub(crate) mod walk;
pub(crate) mod words;
