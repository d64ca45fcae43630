//! Who runs a file of code: its language, and whether that is the shell.

use belay_knowledge::{Deed, Knowledge};

use crate::effects::called::Script;
use crate::machine::value::Arg;

/// The list of languages, by programs and endings.
const LANGUAGES: &str = "languages";

/// Returns the language of a program's file: by who is called to run it, else by its name.
pub(super) fn language_of<'k>(
    path: &str,
    args: &[Arg],
    knowledge: &'k Knowledge,
) -> Option<&'k str> {
    let ending = || {
        let at = base(path).rfind('.')?;
        base(path).get(at..)
    };
    language_by(args, knowledge).or_else(|| knowledge.said(LANGUAGES, ending()?))
}

/// Returns the language of a program's file whose text is known: its first line says who runs it, where the call
/// does not.
pub(super) fn language_in<'k>(
    text: &str,
    run: &Script<'_>,
    knowledge: &'k Knowledge,
) -> Option<&'k str> {
    let headed = || knowledge.said(LANGUAGES, unnumbered(interpreter(text, knowledge)?));
    let path = run.file.text().unwrap_or_default();
    language_by(run.args, knowledge)
        .or_else(headed)
        .or_else(|| language_of(path, run.args, knowledge))
}

/// Returns the language of those that a call's first word runs.
fn language_by<'k>(args: &[Arg], knowledge: &'k Knowledge) -> Option<&'k str> {
    let first = args.first().and_then(Arg::text).unwrap_or_default();
    knowledge.said(LANGUAGES, unnumbered(base(first)))
}

/// Takes the version off a program's name.
fn unnumbered(name: &str) -> &str {
    name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.')
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
