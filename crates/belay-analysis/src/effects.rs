//! What one command does, where it stands.

pub(crate) mod acts;
pub(crate) mod arrivals;
pub(crate) mod built;
pub(crate) mod called;
mod commits;
mod decoded;
pub(crate) mod find;
pub(crate) mod hosts;
mod landing;
pub(crate) mod moves;
mod narrowed;
pub(crate) mod nouns;
pub(crate) mod outputs;
mod patched;
pub(crate) mod payloads;
mod printed;
pub(crate) mod program;
pub(crate) mod refs;
pub(crate) mod repository;
mod services;
pub(crate) mod signals;
mod sought;
mod strangers;
mod told;
mod tools;
