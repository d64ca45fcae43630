//! Other names of commands and sub-commands. Files join what has the same effects; which of their names
//! are one command in other words, only `same` and `same_names` say.

use super::model::Level;
use super::pack::Pack;
use super::source::{Placed, Source};
use crate::glob;

/// One name and the others that stand for it.
struct Group<'l> {
    name: Vec<&'l str>,
    others: Vec<Vec<&'l str>>,
    written: &'l Placed,
}

fn groups(lines: &[Placed]) -> impl Iterator<Item = Group<'_>> {
    lines.iter().filter_map(|written| {
        let mut names = written
            .text
            .split(',')
            .map(|it| it.split_whitespace().collect::<Vec<_>>());
        Some(Group {
            name: names.next()?,
            others: names.collect(),
            written,
        })
    })
}

/// Checks that all names are there.
pub fn check(source: &mut Source<'_>, level: &Level) {
    for group in groups(&level.same) {
        for path in std::iter::once(&group.name).chain(&group.others) {
            if !has(level, path) {
                let what = format!("there is no sub-command `{}`", path.join(" "));
                let hint = "`same` lists sub-commands of this file, the usual name first: `same = [\"install, i, add\"]`";
                source.fault(group.written.span.clone(), what, hint);
            }
        }
    }
    for group in groups(&level.same_names) {
        let known = |it: &Vec<&str>| level.names.iter().any(|name| it == &[name.text.as_str()]);
        for name in std::iter::once(&group.name).chain(&group.others) {
            if !known(name) {
                let what = format!("`{}` is not among the names", name.join(" "));
                source.fault(
                    group.written.span.clone(),
                    what,
                    "list it under `names` too",
                );
            }
        }
    }
}

fn has(level: &Level, path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return false;
    };
    let named = |name: &Placed| name.text == *first || glob::matches(name.text.as_bytes(), first);
    let sub = level.subs.iter().find(|it| it.names.iter().any(named));
    // `container run` is only ever another name of `run`: `container` need not describe it again.
    sub.is_some_and(|it| rest.is_empty() || has(it, rest) || rest.len() == 1)
}

/// Returns the entries of the table of other names: the program and the sub-command's words, and what
/// stands for those words.
pub fn entries<'l>(pack: &mut Pack, levels: impl Iterator<Item = &'l Level>) -> Vec<(String, u32)> {
    let mut out = Vec::new();
    for level in levels {
        for group in groups(&level.same_names) {
            let name = owned(&group.name);
            let at = pack.texts(&name);
            out.extend(group.others.iter().map(|it| (it.join(" "), at)));
        }
        below(pack, &[level], &mut out);
    }
    out
}

/// Adds the other names of a level's sub-commands; the level stands at the end of its path.
fn below(pack: &mut Pack, path: &[&Level], out: &mut Vec<(String, u32)>) {
    let Some(level) = path.last() else { return };
    let names = path.iter().filter_map(|it| it.names.first());
    let names: Vec<&str> = names.map(|it| it.text.as_str()).collect();
    for group in groups(&level.same) {
        let below = names.get(1..).unwrap_or_default();
        let at = pack.texts(&owned(&[below, &group.name].concat()));
        let full = |it: &Vec<&str>| ([&names, it.as_slice()].concat().join(" "), at);
        out.extend(group.others.iter().map(full));
    }
    for sub in &level.subs {
        below(pack, &[path, &[sub]].concat(), out);
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|it| (*it).to_owned()).collect()
}
