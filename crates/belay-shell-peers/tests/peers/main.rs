//! What other readers of the same text see.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests read the corpora, ask other programs and say what they found"
)]

mod accepted;
#[path = "../../../belay-shell/tests/shell/attacks.rs"]
mod attacks;
#[path = "../../../belay-shell/tests/shell/corners.rs"]
#[expect(dead_code, reason = "the reader's own tests use the rest")]
mod corners;
mod names;
mod rable_names;
mod shfmt;
mod texts;
mod tree_sitter_names;
#[path = "../../../belay-shell/tests/shell/walk.rs"]
#[expect(dead_code, reason = "the reader's own tests use the rest")]
mod walk;
