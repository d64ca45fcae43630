//! Who reads.

use std::hint::black_box;

/// A reader of shell text.
pub struct Reader {
    pub name: &'static str,
    pub read: fn(&str),
}

/// Ours first.
pub const READERS: [Reader; 3] = [
    Reader {
        name: "belay-shell",
        read: ours,
    },
    Reader {
        name: "rable",
        read: rable,
    },
    Reader {
        name: "tree-sitter-bash",
        read: tree_sitter,
    },
];

fn ours(text: &str) {
    drop(black_box(belay_shell::parse(
        black_box(text.as_bytes()),
        belay_shell::Dialect::Bash,
    )));
}

fn rable(text: &str) {
    drop(black_box(rable::parse(black_box(text), false)));
}

/// The parser is made once, as one that stays would.
fn tree_sitter(text: &str) {
    thread_local! {
        static PARSER: std::cell::RefCell<tree_sitter::Parser> = {
            let mut parser = tree_sitter::Parser::new();
            let _ = parser.set_language(&tree_sitter_bash::LANGUAGE.into());
            parser.into()
        };
    }
    PARSER.with_borrow_mut(|parser| drop(black_box(parser.parse(black_box(text), None))));
}
