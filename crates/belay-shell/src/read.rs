//! The entry points: text in, tree out.

use crate::reader::{Context, Reader};
use crate::tree::{Arith, Bytes, Dialect, Entry, Id, Many, Span, Subscript, Tree, TroubleKind};

/// How many bytes are read; a longer text is a trouble and read up to there.
pub const MAX_BYTES: usize = 8 << 20;

/// Reads a script. Never fails: what could not be read is among the tree's troubles.
#[must_use]
pub fn parse(text: &[u8], dialect: Dialect) -> Tree<'_> {
    let (tree, root) = read(text, dialect, |reader| reader.script());
    Tree { root, ..tree }
}

/// Reads text as arithmetic, the way `let`, `declare -i`, `[[ -eq ]]` and `$(( ))` evaluate it.
#[must_use]
pub fn parse_arith(text: &[u8]) -> (Tree<'_>, Arith) {
    read(text, Dialect::Bash, |reader| reader.whole_arith())
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
    read(text, Dialect::Bash, |reader| reader.name_and_subscript())
}

fn read<'t, T>(
    text: &'t [u8],
    dialect: Dialect,
    with: impl FnOnce(&mut Reader<'_, '_>) -> T,
) -> (Tree<'t>, T) {
    let source = text.get(..MAX_BYTES).unwrap_or(text);
    let mut context = Context::new(source.len(), dialect);
    if source.contains(&0) {
        let span = Span {
            start: 0,
            end: source.len() as u32,
        };
        context.trouble(
            TroubleKind::Invisible,
            span,
            "a NUL byte, which shells drop or stop at",
        );
    }
    let result = with(&mut Reader::new(source, None, &mut context));
    if source.len() < text.len() {
        let span = Span {
            start: source.len() as u32,
            end: u32::try_from(text.len()).unwrap_or(u32::MAX),
        };
        context.trouble(TroubleKind::Limit, span, "the text is too long");
    }
    let root: Many<Entry> = Many::NONE;
    (
        Tree {
            text,
            root,
            store: context.store,
        },
        result,
    )
}
