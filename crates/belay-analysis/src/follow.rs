//! What is read on into: scripts, tasks, code inside commands, and edits that will run later.

pub(crate) mod code;
pub(crate) mod files;
mod language;
pub(crate) mod literals;
pub(crate) mod loads;
pub(crate) mod modules;
pub(crate) mod perl;
pub(crate) mod review;
pub(crate) mod tasks;
pub(crate) mod yaml;
