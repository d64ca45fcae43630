//! No list of facts stands twice: who needs one from elsewhere names it there (`also`, `like`).

use std::collections::BTreeSet;
use std::fs;

use toml::{Table, Value};

use crate::Outcome;
use crate::run::root;

/// So many words in common make two lists one.
const COMMON: usize = 8;

/// A list of words, and where it stands.
struct List {
    place: String,
    words: BTreeSet<String>,
}

/// Compares all lists of `policy/`, `knowledge/lists/` and `knowledge/variables/` with each other.
pub fn faults() -> Outcome<Vec<String>> {
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
    Ok(doubled(&lists))
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
    use super::{List, doubled};

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
