//! Hostile text: nothing overflows a stack of 2 MB in a debug build, and what came before is kept.

use crate::walk::Seen;
use belay_shell::{Dialect, MAX_BYTES, TroubleKind, parse};

const OPENERS: &[&str] = &[
    "$(",
    "\"$(",
    "`",
    "\\`",
    "(",
    "((",
    "( ",
    "{ ",
    "$((",
    "$[",
    "${x:-",
    "\"${x:-",
    "${a[",
    "a[",
    "x=(",
    "<(",
    ">(",
    "if ",
    "while ",
    "until ",
    "case x in x) ",
    "for i in 1; do ",
    "for ((",
    "[[ ",
    "[[ (",
    "[[ ! ",
    "!(",
    "! ",
    "@(",
    "a@(",
    "{a,",
    "{",
    "f() ",
    "function f ",
    "coproc ",
    "time ",
    "<<E $(",
    "cat <<E\n$(",
    "'",
    "\"",
    "$'",
    "<",
    ">",
    "&",
    "|",
    ";",
    "\\\n",
    "$",
    "${",
    "${!",
    "${#",
    "((a[",
    "$((a[",
    "$(($(",
    "(( $((",
    "x=([",
    "declare x=(",
    "{x}>",
    "1>",
    "#",
    "~",
    "=",
    "'a[$(",
    "(('",
    "\"`",
    "$(`",
    "${x/",
    "${x:",
    "${x:1?",
    "[[ x =~ (",
    "!($(",
    "((\"$(",
    "x['$(",
    "\"${x:-'$(",
];

fn troubled(text: &str) {
    let tree = parse(text.as_bytes(), Dialect::Bash);
    let _ = Seen::of(&tree);
}

#[test]
fn deep_text_neither_overflows_nor_hangs() {
    for opener in OPENERS {
        for closer in ["", ")", "}", "a", " ]", "\n"] {
            troubled(&format!(
                "{}{}",
                opener.repeat(10_000),
                closer.repeat(10_000)
            ));
        }
    }
}

#[test]
fn two_openers_in_turn_neither_overflow_nor_hang() {
    for first in OPENERS {
        for second in OPENERS {
            troubled(&format!("{first}{second}").repeat(120));
        }
    }
}

#[test]
fn what_came_before_the_depth_limit_is_kept() {
    let text = format!("PWN; echo {}", "$(".repeat(100_000));
    let tree = parse(text.as_bytes(), Dialect::Bash);
    assert!(
        tree.troubles()
            .iter()
            .any(|trouble| trouble.kind == TroubleKind::Limit)
    );
    assert!(Seen::of(&tree).runs("PWN"));
}

#[test]
fn a_text_that_is_too_long_is_read_to_the_limit() {
    let text = format!("PWN\n#{}", "a;".repeat(MAX_BYTES / 2));
    let tree = parse(text.as_bytes(), Dialect::Bash);
    assert!(
        tree.troubles()
            .iter()
            .any(|trouble| trouble.kind == TroubleKind::Limit)
    );
    assert!(Seen::of(&tree).runs("PWN"));
}

#[test]
fn brace_products_are_counted_not_made() {
    let text = format!("echo {}", "{a,b}".repeat(200));
    let tree = parse(text.as_bytes(), Dialect::Bash);
    let word = tree
        .every::<belay_shell::Word>()
        .iter()
        .find(|word| tree.expansion_count(word) > 2)
        .unwrap();
    assert_eq!(tree.expansion_count(word), u64::MAX);
    assert_eq!(tree.expansions(word, 5).count(), 5);
}
