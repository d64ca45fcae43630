//! A command's name in Rust is a fact in the wrong room: what is known of commands stands in `knowledge/`.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::literals::{Literal, literals};
use super::rooms::ROOMS;
use super::source::File;
use crate::Outcome;
use crate::knowledge;

/// Where a name may stand all the same, and why.
const EXCEPTIONS: &str = "xtask/src/tidy/facts.toml";

/// Names that may stand where a path begins so.
struct Exception {
    place: String,
    /// Those names; all where none is listed.
    words: Vec<String>,
}

/// A command's name as a whole text of the program.
struct Found {
    path: String,
    literal: Literal,
}

/// Lists names of commands that no exception covers, and exceptions that cover nothing.
pub fn faults(files: &[File], knowledge: &[knowledge::File]) -> Outcome<Vec<String>> {
    let exceptions = exceptions()?;
    let found = found(files, &names(knowledge));
    let loose = found
        .iter()
        .filter(|it| !exceptions.iter().any(|other| other.covers(it)));
    let mut faults: Vec<String> = loose
        .map(|it| {
            format!(
                "{}:{}: `{}` is a command's name: what is known of it belongs into `knowledge/`",
                it.path, it.literal.line, it.literal.text
            )
        })
        .collect();
    faults.extend(exceptions.iter().flat_map(|it| it.idle(&found)));
    Ok(faults)
}

/// Lists the names in each file, and how many there are.
pub fn print() -> Outcome {
    let exceptions = exceptions()?;
    let found = found(&super::source::files()?, &names(&knowledge::files()?));
    let mut paths: Vec<&str> = found.iter().map(|it| it.path.as_str()).collect();
    paths.dedup();
    for path in paths {
        let own = found.iter().filter(|it| it.path == path);
        let shown: Vec<String> = own
            .map(|it| format!("{}:{}", it.literal.line, it.literal.text))
            .collect();
        println!("{path} {}", shown.join(" "));
    }
    let excepted = found
        .iter()
        .filter(|it| exceptions.iter().any(|other| other.covers(it)));
    println!(
        "{} names of commands as whole texts, {} of them excepted for {} reasons",
        found.len(),
        excepted.count(),
        exceptions.len()
    );
    Ok(())
}

/// Returns every name that a file of knowledge speaks for.
fn names(files: &[knowledge::File]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in files {
        let own = file.command.split(' ').next().unwrap_or_default();
        all.insert(own.to_owned());
        if file.command == own {
            all.extend(others(&file.table));
        }
    }
    all
}

fn others(table: &Table) -> Vec<String> {
    let names = table.get("names").and_then(Value::as_array);
    let names = names.into_iter().flatten().filter_map(Value::as_str);
    let tools = table.get("tool").and_then(Value::as_table);
    let tools = tools
        .into_iter()
        .flat_map(Table::keys)
        .flat_map(|it| it.split('|'));
    names.chain(tools).map(str::to_owned).collect()
}

fn found(files: &[File], names: &BTreeSet<String>) -> Vec<Found> {
    let ships = |it: &&File| {
        let room = it.path.strip_prefix("crates/").unwrap_or_default();
        let room = room.split('/').next().unwrap_or_default();
        ROOMS.contains(&room) && it.path.contains("/src/")
    };
    let in_file = |file: &File| -> Vec<Found> {
        let all = literals(&file.lines).into_iter();
        all.filter(|it| names.contains(&it.text))
            .map(|literal| Found {
                path: file.path.clone(),
                literal,
            })
            .collect()
    };
    files.iter().filter(ships).flat_map(in_file).collect()
}

fn exceptions() -> Outcome<Vec<Exception>> {
    let text = crate::run::read(EXCEPTIONS)?;
    let table: Table = text.parse().map_err(|why| format!("{EXCEPTIONS}: {why}"))?;
    let list = table.get("exception").and_then(Value::as_array);
    let read = |it: &Value| {
        let text = |key: &str| it.get(key).and_then(Value::as_str);
        text("why").ok_or(format!("{EXCEPTIONS}: an exception without `why`"))?;
        Ok(Exception {
            place: text("place")
                .ok_or(format!("{EXCEPTIONS}: an exception without `place`"))?
                .to_owned(),
            words: it
                .get("words")
                .map(|it| {
                    knowledge::texts(it)
                        .into_iter()
                        .map(str::to_owned)
                        .collect()
                })
                .unwrap_or_default(),
        })
    };
    list.into_iter().flatten().map(read).collect()
}

impl Exception {
    fn covers(&self, found: &Found) -> bool {
        found.path.starts_with(&self.place)
            && (self.words.is_empty() || self.words.contains(&found.literal.text))
    }

    /// Lists what the exception speaks of without need.
    fn idle(&self, found: &[Found]) -> Vec<String> {
        let stands = |word: Option<&String>| {
            found
                .iter()
                .any(|it| self.covers(it) && word.is_none_or(|word| *word == it.literal.text))
        };
        let idle = self.words.iter().filter(|it| !stands(Some(it)));
        let mut faults: Vec<String> = idle
            .map(|it| format!("{EXCEPTIONS}: no `{it}` stands in {}", self.place))
            .collect();
        if self.words.is_empty() && !stands(None) {
            faults.push(format!("{EXCEPTIONS}: no name stands in {}", self.place));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File {
        File {
            path: "crates/belay-policy/src/a.rs".to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn a_whole_text_is_a_name() {
        let names = BTreeSet::from(["git".to_owned(), "rm".to_owned()]);
        let count = |text: &str| found(&[file(text)], &names).len();
        assert_eq!(count(r#"if program == "git" {"#), 1);
        assert_eq!(count(r#"["git", "rm"]"#), 2);
        assert_eq!(count(r#"b"rm""#), 1);
        assert_eq!(count(r#"// "git""#), 0);
        assert_eq!(count(r#""git push""#), 0);
    }

    #[test]
    fn an_exception_without_need_is_a_fault() {
        let exception = Exception {
            place: "crates/belay-policy/".to_owned(),
            words: vec!["git".to_owned(), "rm".to_owned()],
        };
        let names = BTreeSet::from(["git".to_owned()]);
        let found = found(&[file(r#"let x = "git";"#)], &names);
        assert_eq!(exception.idle(&found).len(), 1);
    }
}
