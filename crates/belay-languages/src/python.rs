//! Python: what a program does to files, programs and the net.
//!
//! The program is read into a tree, and the tree is walked with what each name may stand for. Only what
//! `knowledge/python/` lists of the library is harmless; the rest, and whatever could hide a name, is unread.

mod apply;
mod arguments;
mod assign;
mod calls;
mod classes;
mod driven;
mod expressions;
mod functions;
mod given;
mod handed;
mod heap;
mod imports;
mod loads;
mod magic;
mod members;
mod packages;
mod parse;
mod probes;
mod programs;
mod servers;
mod specials;
mod statements;
mod strings;
mod tables;
mod temporary;
mod texts;
mod tokens;
mod tree;
mod uncalled;
mod value;
mod walk;

use belay_model::Verb;

use crate::{Doing, Given, Use};
pub(crate) use tables::acts;

/// So long a program is read.
const LONGEST: usize = 512 * 1024;

/// Reads a Python program; `None` when it is no Python that can be read.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    read_given(code, None)
}

/// Reads a Python program that is given words; a word may not be known.
pub(crate) fn read_given(code: &str, given: Option<Given>) -> Option<Vec<Doing>> {
    let block = tree_of(code)?;
    let mut walker = walk::Walker::new();
    walker.given = given;
    walker.program(&block);
    Some(told(walker))
}

/// Reads a module that a tool loads, as a runner of tests does: it may call any function of it, with anything.
pub(crate) fn read_loaded(code: &str) -> Option<Vec<Doing>> {
    let block = tree_of(code)?;
    let mut walker = walk::Walker::new();
    walker.loaded = true;
    walker.program(&block);
    Some(told(walker))
}

/// Reads what is typed at IPython's prompt.
pub(crate) fn read_prompt(code: &str) -> Option<Vec<Doing>> {
    let (code, runs) = magic::parted(code)?;
    let block = tree_of(&code)?;
    let mut walker = walk::Walker::new();
    walker.prompt = true;
    runs.into_iter().for_each(|it| walker.does(Doing::Run(it)));
    walker.program(&block);
    Some(told(walker))
}

/// Reads what Django's shell is given: what acts on the project's own models changes its database.
pub(crate) fn read_django(code: &str) -> Option<Vec<Doing>> {
    let mut doings = read(code)?;
    let acts = |it: &Doing| {
        matches!(
            it,
            Doing::Package {
                how: Use::Acted,
                ..
            }
        )
    };
    if doings.iter().any(acts) {
        doings.push(Doing::Other(Verb::Change, vec!["database"]));
    }
    Some(doings)
}

/// Returns what a walk found, in the order in which it counts.
fn told(walker: walk::Walker) -> Vec<Doing> {
    let mut out: Vec<Doing> = walker.imports.into_iter().map(Doing::Import).collect();
    for (name, how) in walker.packages {
        let known = tables::is_known(&name);
        let stranger = tables::package(&name).is_some() || tables::is_stranger(&name);
        if how == Use::Acted || !known && how == Use::Called {
            out.push(Doing::Package {
                name,
                how,
                stranger,
            });
        }
    }
    out.extend(walker.out);
    // What is read may flow into whatever leaves, in any order that calls and loops may bring.
    out.sort_by_key(rank);
    out
}

fn tree_of(code: &str) -> Option<tree::Block> {
    if code.len() > LONGEST {
        return None;
    }
    parse::parse(&tokens::tokens(code)?)
}

fn rank(doing: &Doing) -> u8 {
    match doing {
        Doing::Import(_)
        | Doing::Search(_)
        | Doing::Package { .. }
        | Doing::NodePackage { .. }
        | Doing::Folder(_) => 0,
        Doing::Read(_) | Doing::Variable(_) | Doing::Secret(_) => 1,
        Doing::Other(Verb::Read, _) => 1,
        Doing::Write(_)
        | Doing::Unpack(_)
        | Doing::Spill(_)
        | Doing::Delete(..)
        | Doing::Load(_)
        | Doing::Run(_)
        | Doing::Other(..)
        | Doing::Unread { .. } => 2,
        Doing::Fetch(_) | Doing::Send(_) => 3,
    }
}
