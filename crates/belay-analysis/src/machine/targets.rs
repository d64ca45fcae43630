//! What redirections name: files, descriptors, commands beside this one.

use belay_shell::{Fd, Part, PartKind, Redirect, Target, Tree, Value};

use crate::machine::value::{DIGITS, Text, Val};

/// Tells whether a redirection reads what a command beside this one prints: that is always there.
pub(crate) fn is_process(tree: &Tree<'_>, redirect: &Redirect) -> bool {
    let Target::Word(word) = redirect.target else {
        return false;
    };
    // An empty one is no file at all.
    match tree.many(tree.one(word).parts) {
        [
            Part {
                kind: PartKind::Process { list, .. },
                ..
            },
        ] => !tree.many(*list).is_empty(),
        _ => false,
    }
}

/// Tells whether a redirection expands something, or sets a variable.
pub(crate) fn expands(tree: &Tree<'_>, redirect: &Redirect) -> bool {
    let text = match redirect.target {
        Target::HereDoc(id) => tree
            .many(tree.one(id).body)
            .iter()
            .all(|it| matches!(it.kind, PartKind::Text(_))),
        Target::Word(word) => matches!(tree.value(tree.one(word)), Value::Static(_)),
    };
    !text || matches!(redirect.fd, Fd::Variable { .. })
}

/// Tells whether the word of `>&` is a descriptor rather than a file.
pub(crate) fn is_descriptor(word: &Val) -> bool {
    match &word.text {
        Text::Known(text) => text
            .trim_end_matches('-')
            .chars()
            .all(|c| c.is_ascii_digit()),
        Text::Glob(text) => text == DIGITS,
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => false,
    }
}

/// Returns the descriptor that a path of the shell's own stands for.
pub(crate) fn own_descriptor(path: &Val) -> Option<u32> {
    match path.text()? {
        "/dev/stdin" => Some(0),
        "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        other => {
            let number = other
                .strip_prefix("/dev/fd/")
                .or_else(|| other.strip_prefix("/proc/self/fd/"))?
                .parse::<u32>()
                .ok()?;
            (number < 1000).then_some(number)
        }
    }
}
