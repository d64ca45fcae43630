//! What must hold for any bytes at all; the fuzzer and a test of the reader share it.

use crate::shape::shape;
use belay_shell::{Dialect, Param, ParamOp, Tree, Word, parse, parse_arith, parse_name, print};

/// Reads bytes in every dialect, prints the tree and reads that again. A tree that promises it must come back whole.
pub fn check(text: &[u8]) {
    for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
        let tree = parse(text, dialect);
        check_tree(&tree, text);
        let printed = print(&tree);
        let again = parse(&printed, dialect);
        if dialect == Dialect::Bash && reads_back(&tree) {
            assert_eq!(
                shape(&tree),
                shape(&again),
                "{:?}",
                String::from_utf8_lossy(&printed)
            );
        }
    }
    let _ = (parse_arith(text), parse_name(text));
}

/// Tells whether a tree must come back whole when it is printed: it has no troubles, and no expansion that bash refuses
/// whatever its operand is.
pub fn reads_back(tree: &Tree<'_>) -> bool {
    let refused = |param: &Param| matches!(param.op, ParamOp::Unknown(_));
    tree.troubles().is_empty() && !tree.every::<Param>().iter().any(refused)
}

fn check_tree(tree: &Tree<'_>, text: &[u8]) {
    for trouble in tree.troubles() {
        assert!(trouble.span.start <= trouble.span.end && trouble.span.end as usize <= text.len());
    }
    for word in tree.every::<Word>() {
        assert!(
            word.span.start <= word.span.end && word.span.end as usize <= text.len(),
            "{:?} in {:?}",
            word.span,
            String::from_utf8_lossy(text)
        );
        let _ = tree.expansions(word, 3).count();
    }
}
