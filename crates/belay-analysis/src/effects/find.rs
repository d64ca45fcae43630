//! What a search for files can find: the names it asks for, below the folders it looks in.

use belay_knowledge::{Deed, Deeds};

use crate::machine::flows::Flows;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Returns what `{}` and a deletion of what was found stand for.
    pub(crate) fn found(&self, flows: &Flows<'_>, folders: &[Val], args: &[Arg]) -> Vec<Val> {
        let names = flows.names.get_or_init(|| sought(flows.deeds, args));
        below_all(folders, names.as_deref())
    }

    /// Returns what the names of a listing look like.
    pub(crate) fn listed(
        &self,
        deeds: Deeds,
        pieces: &[belay_knowledge::Piece<'_>],
        args: &[Arg],
    ) -> Vec<Val> {
        let folders: Vec<Val> = pieces.iter().map(|it| self.piece(*it, args)).collect();
        if deeds.has(Deed::Lists) {
            return folders.iter().flat_map(bare).collect();
        }
        below_all(&folders, sought(deeds, args).as_deref())
    }
}

/// Returns what a listing shows of one operand: a file as it was named, of a folder the bare names in it.
fn bare(operand: &Val) -> Vec<Val> {
    match operand.text() {
        Some("." | "./") => vec![Val::glob("*")],
        Some(_) => vec![operand.clone(), Val::glob("*")],
        None => vec![operand.clone()],
    }
}

/// Returns the names a command asks for, where it is one that looks for names.
fn sought(deeds: Deeds, args: &[Arg]) -> Option<Vec<String>> {
    names(args).filter(|_| deeds.has(Deed::Seeks))
}

fn below_all(folders: &[Val], names: Option<&[String]>) -> Vec<Val> {
    let all = folders.iter().flat_map(|folder| below(folder, names));
    all.collect()
}

/// Returns what lies below a folder: of these names, or anything at all, the folder too.
fn below(folder: &Val, names: Option<&[String]>) -> Vec<Val> {
    let folder_text = match &folder.text {
        Text::Known(text) => crate::machine::value::escape(text),
        Text::Glob(text) => text.clone(),
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => {
            return vec![Val::unknown()];
        }
    };
    let folder_text = folder_text.trim_end_matches('/').to_owned();
    match names {
        Some(names) => {
            let deep = names
                .iter()
                .map(|name| Val::glob(format!("{folder_text}/**/{name}")));
            // The folder where the search begins may have such a name itself.
            let last = folder_text.rsplit('/').next().unwrap_or_default();
            let itself = names
                .iter()
                .any(|it| crate::machine::patterns::matches(it, last) != Some(false));
            deep.chain((itself && !last.is_empty()).then(|| folder.clone()))
                .collect()
        }
        None => {
            let all = Val::glob(format!("{folder_text}/**"));
            // The folder itself is found too; of `.` the pattern says so.
            let itself = (folder_text != ".").then(|| folder.clone());
            std::iter::once(all).chain(itself).collect()
        }
    }
}

/// Returns the names a `find` expression asks for; `None` when it may find others too.
fn names(args: &[Arg]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut alternatives = false;
    let mut depth = 0_u32;
    let mut grouped = false;
    let mut words = args.iter().skip(1).map(Arg::text);
    while let Some(word) = words.next() {
        match word? {
            "-name" | "-iname" => {
                let name = words.next()??;
                if name.contains('/') || !name.contains(|c: char| c.is_alphanumeric()) {
                    return None;
                }
                found.push(name.to_owned());
                grouped |= depth > 0;
            }
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            "-o" | "-or" => {
                if depth == 0 {
                    return None;
                }
                alternatives = true;
            }
            "!" | "-not" | "," => return None,
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                for word in words.by_ref() {
                    if matches!(word, Some(";" | "+")) {
                        break;
                    }
                }
            }
            other
                if depth > 0
                    && alternatives
                    && !other.starts_with("-type")
                    && other.starts_with('-') =>
            {
                return None;
            }
            _ => {}
        }
    }
    let simple = !alternatives || grouped;
    (simple && !found.is_empty()).then_some(found)
}

/// Tells whether a `find` expression asks for what is empty, and nothing lets it find anything else.
pub(crate) fn only_empty(args: &[Arg]) -> bool {
    let words = || args.iter().skip(1).map(|it| it.text().unwrap_or("!"));
    let at = |word: &str| words().position(|it| it == word);
    let first = at("-empty").filter(|empty| at("-delete").is_none_or(|it| *empty < it));
    let other = |it: &str| matches!(it, "-o" | "-or" | "!" | "-not" | "," | "(" | ")");
    first.is_some() && !words().any(other)
}

#[cfg(test)]
mod tests {
    use belay_model::Span;

    use super::names;
    use crate::machine::value::Arg;

    fn check(line: &str, expected: Option<&[&str]>) {
        let args: Vec<Arg> = line
            .split(' ')
            .map(|it| Arg::known(it, Span::default()))
            .collect();
        let expected =
            expected.map(|it| it.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(names(&args), expected, "{line}");
    }

    #[test]
    fn names_that_are_asked_for() {
        check("find . -name *.pyc -delete", Some(&["*.pyc"]));
        check(
            "find . -type d -name __pycache__ -exec rm -rf {} +",
            Some(&["__pycache__"]),
        );
        check(
            "find . ( -name a.o -o -name b.o ) -delete",
            Some(&["a.o", "b.o"]),
        );
    }

    #[test]
    fn what_may_find_anything() {
        check("find . -delete", None);
        check("find . -name * -delete", None);
        check("find . -name a -o -delete", None);
        check("find . ! -name a -delete", None);
        check("find . ( -name a -o -size 3 ) -delete", None);
    }
}
