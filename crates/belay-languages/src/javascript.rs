//! JavaScript: what a short program does to files, programs and the net.
//!
//! The program is parsed, and every expression is followed to what it stands for: things of the host (`fs.rmSync`)
//! through the names they are given, plain texts, and values nobody knows. Reaching outside needs a thing of the
//! host; one that is given away, stored, mixed or reached by a computed name makes the program unreadable, and so
//! does every construct that could make code (`eval`, `constructor`, tags, accessors). Modules of the project are its
//! own code; packages of others are named, with whether anything of theirs was called and by which kind of name.

mod bind;
mod calls;
mod members;
mod names;
mod objects;
mod parse;
mod patterns;
mod reach;
mod statements;
mod things;
mod tokens;
mod tooling;
mod tree;
mod values;
mod walk;

use crate::{Doing, Given, ToolCall};

/// Reads a program that calls the host's own tools; `None` when it could make a call that cannot be told.
pub(crate) fn read_calls(code: &str) -> Option<Vec<ToolCall>> {
    let words = tokens::words(code)?;
    let (program, scopes) = parse::parse(words)?;
    tooling::calls(&program, &scopes)
}

/// Reads a JavaScript program.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    read_given(code, None)
}

/// Reads a JavaScript program that is given words: first what names it, unless it stands in the call.
pub(crate) fn read_given(code: &str, given: Option<Given>) -> Option<Vec<Doing>> {
    let words = tokens::words(code)?;
    let (program, scopes) = parse::parse(words)?;
    let bindings = bind::Bindings::of(&program, &scopes);
    let mut walk = walk::Walk::new(&bindings);
    walk.given = given;
    // The value of the last statement may be shown: `node -p`.
    let Some((last, before)) = program.split_last() else {
        return Some(Vec::new());
    };
    for node in before {
        walk.value(node)?;
    }
    walk.data(last)?;
    let signs = &walk.signs;
    let hides = signs.strangers && signs.loose || signs.stored && (signs.crafted || signs.deep);
    let changes = |it: &Doing| matches!(it, Doing::Run(_) | Doing::Delete(..));
    if hides || signs.polluting && walk.out.iter().any(changes) {
        return None;
    }
    let used = signs.packages;
    for doing in &mut walk.out {
        if let Doing::NodePackage { how, .. } = doing {
            *how = (*how).max(used);
        }
    }
    // What is read may reach whatever stands before it in the text.
    let (mut reads, others): (Vec<Doing>, Vec<Doing>) = walk.out.into_iter().partition(is_source);
    reads.extend(others);
    Some(reads)
}

/// Tells whether a doing brings something into the program.
fn is_source(doing: &Doing) -> bool {
    match doing {
        Doing::Read(_) | Doing::Variable(_) | Doing::Load(_) => true,
        Doing::Other(verb, _) => *verb == belay_model::Verb::Read,
        Doing::Write(_)
        | Doing::Unpack(_)
        | Doing::Spill(_)
        | Doing::Delete(..)
        | Doing::Fetch(_)
        | Doing::Send(_)
        | Doing::Run(_)
        | Doing::Import(_)
        | Doing::Search(_)
        | Doing::Folder(_)
        | Doing::Package { .. }
        | Doing::NodePackage { .. }
        | Doing::Secret(_)
        | Doing::Unread { .. } => false,
    }
}
