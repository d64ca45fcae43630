//! What redirections name: files, descriptors, commands beside this one.

use belay_shell::{Fd, Part, PartKind, Redirect, Target, Tree, Value, Word};

use crate::machine::state::State;
use crate::machine::value::{Arg, DIGITS, Text, Val};
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    /// Returns the file that a redirection names: bash splits the word, and refuses it unless one is left. Where it follows posix it
    /// splits nothing.
    pub(crate) fn file_named(&mut self, tree: &Tree<'_>, word: &Word, state: &mut State) -> Val {
        if self.scene.shell != Shell::Bash {
            return self.word(tree, word, state);
        }
        let other = state.options.posix.may().then(|| state.clone());
        let ways = self.expand(tree, word, state).into_iter();
        let mut named: Vec<Val> = ways.flat_map(left_alone).collect();
        if let Some(mut other) = other {
            named.push(self.word(tree, word, &mut other));
        }
        let named = named.into_iter().reduce(|one, other| one.or(&other));
        named.unwrap_or_else(|| Val::known(""))
    }
}

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

/// Returns which of several words may be the only one: a word that may be empty may be none.
fn left_alone(words: Vec<Arg>) -> Vec<Val> {
    let stays = |it: &Arg| !it.many && !it.val.may_be_empty();
    match words.iter().filter(|it| stays(it)).count() {
        0 => words.into_iter().map(|it| it.val).collect(),
        1 => words.into_iter().filter(stays).map(|it| it.val).collect(),
        _ => Vec::new(),
    }
}
