//! Reads shell text the way bash does and returns a typed tree with byte spans.
//!
//! INVARIANT: a pure function of the text; reading never fails and never panics. What could not be read is a
//! [`Trouble`] in the tree, and everything bash could run before or beside it is still there.
//!
//! No leaf holds text that bash would expand or evaluate: every substitution, subscript, operand and arithmetic
//! expression is parsed, so a walk with exhaustive matches cannot forget one.
//!
//! ```
//! use belay_shell::{parse, CommandKind, Dialect};
//! let tree = parse(b"ls -l | wc", Dialect::Bash);
//! let pipeline = &tree.many(tree.root())[0];
//! let CommandKind::Simple { words, .. } = tree.many(pipeline.commands)[1].kind else { panic!() };
//! assert_eq!(tree.value(&tree.many(words)[0]).known(), Some(&b"wc"[..]));
//! ```

mod print;
mod read;
mod reader;
mod tree;

pub use print::print;
pub use read::{MAX_BYTES, Name, parse, parse_arith, parse_name};
pub use tree::*;
