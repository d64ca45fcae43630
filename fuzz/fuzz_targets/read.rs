//! Reads any bytes as a script in every dialect, prints the tree, and reads that again.
#![no_main]

use belay_shell::{Dialect, parse, parse_arith, parse_name, print};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
        let tree = parse(text, dialect);
        for trouble in tree.troubles() {
            assert!(trouble.span.end as usize <= text.len());
        }
        let printed = print(&tree);
        if tree.troubles().is_empty() && dialect == Dialect::Bash {
            let again = parse(&printed, dialect);
            assert!(again.troubles().is_empty(), "{:?}", String::from_utf8_lossy(&printed));
        }
    }
    let _ = (parse_arith(text), parse_name(text));
});
