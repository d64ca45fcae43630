//! The entry points: text in, tree out.

use crate::tree::{
    Arith, Bytes, Dialect, Id, Many, Span, Store, Subscript, Tree, Trouble, TroubleKind,
};

/// Reads a script. Never fails: what could not be read is among the tree's troubles.
#[must_use]
pub fn parse(text: &[u8], _dialect: Dialect) -> Tree<'_> {
    let mut store = Store::default();
    let span = Span {
        start: 0,
        end: u32::try_from(text.len()).unwrap_or(u32::MAX),
    };
    store.troubles.push(Trouble {
        kind: TroubleKind::Limit,
        span,
        what: "the reader cannot read anything yet",
    });
    Tree {
        text,
        root: Many::NONE,
        store,
    }
}

/// Reads text as arithmetic, the way `let`, `declare -i`, `[[ -eq ]]` and `$(( ))` evaluate it.
#[must_use]
pub fn parse_arith(text: &[u8]) -> (Tree<'_>, Arith) {
    (parse(text, Dialect::Bash), Many::NONE)
}

/// A variable named by text, as `read`, `printf -v`, `test -v` and `unset` take it.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The variable.
    pub name: Bytes,
    /// `[...]` after it; evaluated, whatever quotes the text came from.
    pub subscript: Option<Id<Subscript>>,
}

/// Reads text as a variable name with an optional subscript; `None` when it is neither.
#[must_use]
pub fn parse_name(text: &[u8]) -> (Tree<'_>, Option<Name>) {
    (parse(text, Dialect::Bash), None)
}
