//! Who runs a file of code: its language, and whether that is the shell.

use belay_knowledge::{Deed, Knowledge};

use crate::machine::value::Arg;

/// The list of languages, by programs and endings.
const LANGUAGES: &str = "languages";

/// Returns the language of a program's file: by who is called to run it, else by its name.
pub(super) fn language_of<'k>(
    path: &str,
    args: &[Arg],
    knowledge: &'k Knowledge,
) -> Option<&'k str> {
    let first = args.first().and_then(Arg::text).unwrap_or_default();
    let by = base(first).trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
    let ending = || {
        let at = base(path).rfind('.')?;
        base(path).get(at..)
    };
    let said = |it: &str| knowledge.said(LANGUAGES, it);
    said(by).or_else(|| said(ending()?))
}

/// Tells whether a program, named with its folder or without, is a shell.
pub(super) fn is_shell(program: &str, knowledge: &Knowledge) -> bool {
    let known = knowledge.find(base(program));
    known.is_some_and(|it| it.has(&[], Deed::Shell))
}

/// Returns the program that the first line of a script names, without what only looks it up.
pub(super) fn interpreter<'t>(text: &'t str, knowledge: &Knowledge) -> Option<&'t str> {
    let line = text.lines().next().unwrap_or_default();
    let mut words = line.strip_prefix("#!")?.split_whitespace().map(base);
    let finds = |it: &str| knowledge.lists("interpreter-finders", it);
    words.find(|it| !finds(it) && !it.starts_with('-'))
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
