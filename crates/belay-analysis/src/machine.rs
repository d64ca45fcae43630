//! The shell's own state, and the walk through a text that changes it.
//!
//! INVARIANT: for every run that agrees with what is known, each act is covered by an effect or by something
//! unknown. Known, empty, unset, absent, fails: all are claims, and only what was proved is claimed.

pub(crate) mod above;
pub(crate) mod again;
pub(crate) mod args;
pub(crate) mod arith;
pub(crate) mod armed;
pub(crate) mod assignments;
pub(crate) mod budget;
pub(crate) mod builtins;
pub(crate) mod calls;
pub(crate) mod cases;
pub(crate) mod compound;
pub(crate) mod cuts;
pub(crate) mod declared;
pub(crate) mod declares;
pub(crate) mod descriptors;
pub(crate) mod elements;
pub(crate) mod evals;
pub(crate) mod fields;
pub(crate) mod files;
pub(crate) mod flows;
pub(crate) mod folders;
pub(crate) mod forks;
pub(crate) mod indirect;
pub(crate) mod jobs;
pub(crate) mod jumps;
pub(crate) mod listing;
pub(crate) mod lists;
pub(crate) mod loops;
pub mod losses;
mod names;
pub(crate) mod once;
pub(crate) mod operators;
pub(crate) mod options;
pub(crate) mod origins;
pub(crate) mod params;
pub(crate) mod patterns;
pub(crate) mod places;
pub(crate) mod prefixes;
pub(crate) mod prints;
pub(crate) mod processes;
pub(crate) mod reads;
pub(crate) mod redirects;
pub(crate) mod shared;
pub(crate) mod simple;
pub(crate) mod state;
pub(crate) mod stream;
pub(crate) mod substitutions;
pub(crate) mod tildes;
pub(crate) mod unread;
pub(crate) mod value;
pub(crate) mod variable;
pub(crate) mod variables;
pub(crate) mod walk;
pub(crate) mod words;
