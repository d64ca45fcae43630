//! Reads any bytes as a script in every dialect, prints the tree, and reads that again. Only panics, limits and
//! spans are judged here; that printing keeps the tree is a property test.
#![no_main]

use belay_shell::{Dialect, parse, parse_arith, parse_name, print};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
        let tree = parse(text, dialect);
        for trouble in tree.troubles() {
            assert!(trouble.span.end as usize <= text.len());
        }
        let _ = parse(&print(&tree), dialect);
    }
    let _ = (parse_arith(text), parse_name(text));
});
