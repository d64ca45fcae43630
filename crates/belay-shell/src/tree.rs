//! The tree: flat vectors, typed ids into them, children side by side. Dropping it frees a dozen vectors and
//! recurses nowhere.

mod arena;
mod commands;
mod trouble;
mod values;
mod words;

pub(crate) use arena::Store;
pub use arena::{Bytes, Id, Many, Span, Stored, Tree};
pub use commands::*;
pub use trouble::{Trouble, TroubleKind};
pub use values::{Expansion, Piece, Value};
pub use words::*;

/// The shell whose text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// GNU bash 5.2, with what of 5.3 can be told apart.
    #[default]
    Bash,
    /// `sh`, which is bash, dash or busybox: read as bash; where they differ in what runs, a trouble.
    Sh,
    /// zsh: read as bash; what zsh would read differently is a trouble.
    Zsh,
}
