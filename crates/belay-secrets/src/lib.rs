//! What secrets look like, where they stand, and texts without them.
//!
//! INVARIANT: a pure function of the text; redacting twice changes nothing more. Where a position
//! says that a secret stands there, its value is taken out whatever it looks like; where a position
//! only may hold one, the value must look random. The lists are data, in `policy/secrets.toml`.

mod assignments;
mod blocks;
mod flags;
mod glimpse;
mod headers;
mod lists;
mod names;
mod redact;
mod tokens;
mod urls;
mod values;

pub use names::is_secret_name;
pub use redact::{redact, redact_value};
pub use tokens::{Token, is_real, tokens};

#[cfg(test)]
mod tests;
