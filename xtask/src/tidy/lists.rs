//! No list of facts stands twice: who needs one from elsewhere names it there (`also`, `like`), and no array in Rust repeats
//! one that is data or that another room has.

use std::collections::BTreeSet;
use std::fs;

use toml::{Table, Value};

use crate::Outcome;
use crate::run::root;

use super::source::File;

/// So many words in common make two lists one.
const COMMON: usize = 8;
/// So many words make an array in Rust a list of facts.
const ARRAY: usize = 4;
/// Where arrays hold words of a notation that many share: keywords and signs of languages, keys of our own files, values
/// of the shell, and what is not shipped.
const NOTATIONS: [&str; 6] = [
    "crates/belay-languages/",
    "crates/belay-knowledge/src/compile/",
    "crates/belay-analysis/src/machine/",
    "crates/belay-oracle/",
    "crates/belay-witness/",
    "xtask/",
];

/// A list of words, and where it stands.
struct List {
    place: String,
    words: BTreeSet<String>,
}

/// Compares all lists of `policy/`, `knowledge/lists/` and `knowledge/variables/` with each other, and with arrays in Rust.
pub fn faults(files: &[File]) -> Outcome<Vec<String>> {
    let mut lists = Vec::new();
    for folder in ["policy", "knowledge/lists", "knowledge/variables"] {
        let entries =
            fs::read_dir(root().join(folder)).map_err(|why| format!("{folder}: {why}"))?;
        let mut paths: Vec<_> = entries.flatten().map(|it| it.path()).collect();
        paths.retain(|it| it.extension().is_some_and(|it| it == "toml"));
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let place = format!("{folder}/{name}");
            let text = fs::read_to_string(&path).map_err(|why| format!("{place}: {why}"))?;
            let table: Table = text.parse().map_err(|why| format!("{place}: {why}"))?;
            gather(&place, &Value::Table(table), &mut lists);
        }
    }
    let shipped = |it: &&File| !NOTATIONS.iter().any(|room| it.path.starts_with(room));
    let arrays: Vec<List> = files.iter().filter(shipped).flat_map(arrays).collect();
    Ok([doubled(&lists), repeated(&arrays, &lists)].concat())
}

/// Returns the arrays of a file that hold nothing but texts.
fn arrays(file: &File) -> Vec<List> {
    let text = file.lines.join("\n");
    let mut found = Vec::new();
    for (at, _) in text.match_indices('[') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let words = words_in(rest).filter(|it| it.len() >= ARRAY);
        found.extend(words.map(|words| List {
            place: file.path.clone(),
            words,
        }));
    }
    found
}

/// Reads texts and commas up to the bracket that closes; none where anything else stands there.
fn words_in(mut rest: &str) -> Option<BTreeSet<String>> {
    let mut words = BTreeSet::new();
    loop {
        rest = rest.trim_start();
        if rest.starts_with(']') {
            return Some(words);
        }
        let (word, after) = rest.strip_prefix('"')?.split_once('"')?;
        words.insert(word.to_owned());
        let after = after.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after);
    }
}

/// Names arrays all of whose words stand in a list, or whose words another array has.
fn repeated(arrays: &[List], lists: &[List]) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, array) in arrays.iter().enumerate() {
        let others = lists.iter().chain(arrays.iter().skip(at + 1));
        let within = |it: &&List| {
            array.words.is_subset(&it.words)
                || it.words.len() >= ARRAY && it.words.is_subset(&array.words)
        };
        faults.extend(others.filter(within).map(|it| {
            format!(
                "an array in `{}` repeats words of `{}`: let one name the other",
                array.place, it.place
            )
        }));
    }
    faults
}

fn gather(place: &str, value: &Value, lists: &mut Vec<List>) {
    match value {
        Value::Array(items) => {
            let words: Option<BTreeSet<String>> = items
                .iter()
                .map(|it| it.as_str().map(str::to_owned))
                .collect();
            match words {
                Some(words) => lists.push(List {
                    place: place.to_owned(),
                    words,
                }),
                None => items.iter().for_each(|it| gather(place, it, lists)),
            }
        }
        Value::Table(table) => {
            for (key, value) in table.iter().filter(|(key, _)| *key != "examples") {
                gather(&format!("{place} {key}"), value, lists);
            }
        }
        Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_) => {}
    }
}

/// Names lists of which one holds half of the other.
fn doubled(lists: &[List]) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, one) in lists.iter().enumerate() {
        for other in lists.iter().skip(at + 1) {
            let common = one.words.intersection(&other.words).count();
            let shorter = one.words.len().min(other.words.len());
            if common >= COMMON && common * 2 >= shorter {
                faults.push(format!(
                    "`{}` and `{}` have {common} words in common: let one name the other",
                    one.place, other.place
                ));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::{List, arrays, doubled, repeated};
    use crate::tidy::source::File;

    #[test]
    fn an_array_that_repeats_a_list_is_told() {
        let list = List {
            place: "list".to_owned(),
            words: ["a", "b", "c", "d", "e"].map(str::to_owned).into(),
        };
        let file = |text: &str| File {
            path: "file".to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
        };
        let told = |text: &str| repeated(&arrays(&file(text)), std::slice::from_ref(&list)).len();
        assert_eq!(
            told("const A: [&str; 4] = [\n    \"a\", \"b\",\n \"c\", \"d\",\n];"),
            1
        );
        assert_eq!(told("[\"a\", \"b\", \"c\"]"), 0);
        assert_eq!(told("[\"a\", \"b\", \"c\", \"x\"]"), 0);
        assert_eq!(told("[\"a\", b, \"c\", \"d\"]"), 0);
    }

    #[test]
    fn half_a_list_in_another_is_told() {
        let list = |from: u32, to: u32| List {
            place: format!("{from}"),
            words: (from..to).map(|it| it.to_string()).collect(),
        };
        assert_eq!(doubled(&[list(0, 16), list(8, 24)]).len(), 1);
        assert_eq!(doubled(&[list(0, 16), list(9, 25)]).len(), 0);
        assert_eq!(doubled(&[list(0, 4), list(0, 4)]).len(), 0);
    }
}
