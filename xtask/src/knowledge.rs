//! The files of knowledge, as far as the house inspects and counts them.

use std::path::Path;

use toml::{Table, Value};

use crate::Outcome;
use crate::run::root;

/// A file of `knowledge/commands`.
pub struct File {
    /// Its path below the root.
    pub path: String,
    /// The command, as it is typed: `git push`.
    pub command: String,
    /// What it says.
    pub table: Table,
    /// Its text.
    pub text: String,
}

/// Reads every command's file, sorted by command.
pub fn files() -> Outcome<Vec<File>> {
    let folder = root().join("knowledge/commands");
    let mut paths = Vec::new();
    walk(&folder, &mut paths)?;
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(root().join(&path))
            .map_err(|why| format!("cannot read `{path}`: {why}"))?;
        let table = text
            .parse::<Table>()
            .map_err(|why| format!("`{path}` is not TOML: {why}"))?;
        all.push(File {
            command: command(&path),
            path,
            table,
            text,
        });
    }
    all.sort_by(|a, b| a.command.cmp(&b.command));
    Ok(all)
}

fn walk(folder: &Path, found: &mut Vec<String>) -> Outcome {
    let fault = |why| format!("cannot read `{}`: {why}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.is_dir() {
            walk(&path, found)?;
        } else if let Ok(inside) = path.strip_prefix(root()) {
            found.push(inside.display().to_string());
        }
    }
    Ok(())
}

/// Returns the command a file speaks of: a folder's own file is the command itself.
fn command(path: &str) -> String {
    let inside = path.trim_start_matches("knowledge/commands/");
    let mut words: Vec<&str> = inside.trim_end_matches(".toml").split('/').collect();
    if words.len() > 1 && words.last() == words.iter().rev().nth(1) {
        words.pop();
    }
    words.join(" ")
}

impl File {
    /// Returns its own table and those of the sub-commands in it.
    pub fn levels(&self) -> Vec<&Table> {
        let mut all = vec![&self.table];
        let mut at = 0;
        while let Some(level) = all.get(at).copied() {
            let tables = ["sub", "tool"].map(|it| level.get(it).and_then(Value::as_table));
            let inner = tables.into_iter().flatten().flatten();
            all.extend(inner.filter_map(|it| it.1.as_table()));
            at += 1;
        }
        all
    }

    /// Returns one sentence on the command.
    pub fn about(&self) -> &str {
        let about = self.table.get("about").and_then(Value::as_str);
        about.unwrap_or_default()
    }

    /// Returns the names besides the file's own.
    pub fn other_names(&self) -> usize {
        let names = self.table.get("names").and_then(Value::as_array);
        let tools = self.table.get("tool").and_then(Value::as_table);
        let tools = tools
            .into_iter()
            .flatten()
            .map(|it| it.0.split('|').count());
        let all = names.map_or(0, Vec::len) + tools.sum::<usize>();
        all.saturating_sub(1)
    }

    /// Returns how many flags it knows, those of its sub-commands too.
    pub fn flags(&self) -> usize {
        self.levels().into_iter().map(|it| spelled(it).len()).sum()
    }

    /// Returns its examples with their effects, in no order.
    pub fn examples(&self) -> Vec<(&str, Vec<&str>)> {
        let examples = self.table.get("examples").and_then(Value::as_table);
        let all = examples.into_iter().flatten();
        all.map(|(line, effects)| (line.as_str(), texts(effects)))
            .collect()
    }

    /// Returns the example that comes first: the plain use.
    pub fn plain_use(&self) -> Option<String> {
        let mut lines = self
            .text
            .lines()
            .skip_while(|it| *it != "[examples]")
            .skip(1);
        lines.find_map(|line| {
            let table = line.parse::<Table>().ok()?;
            table.keys().next().cloned()
        })
    }
}

/// Returns every flag of a level as its file writes it.
fn spelled(level: &Table) -> Vec<String> {
    let keys = |name: &str| {
        let table = level.get(name).and_then(Value::as_table);
        let keys = table.into_iter().flat_map(Table::keys);
        keys.flat_map(|it| parted(it)).collect::<Vec<_>>()
    };
    let inert = level.get("inert").and_then(Value::as_str);
    let mut all: Vec<String> = inert.map(parted).unwrap_or_default();
    all.extend(keys("examined"));
    all.extend(keys("flags"));
    let mut names: Vec<String> = all.iter().map(|it| name(it).to_owned()).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the name of a flag without its value: its first spelling.
fn name(flag: &str) -> &str {
    let first = flag.split_whitespace().next().unwrap_or(flag);
    let end = first.find('=').unwrap_or(first.len());
    first.get(..end).unwrap_or(first).trim_end_matches('[')
}

/// Parts a list of flags at commas that a blank or the next flag follows.
pub fn parted(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = |it: &char| it.is_whitespace() || *it == '-' || *it == '+';
        if c == ',' && chars.peek().is_none_or(ends) {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    let trimmed = out.iter().map(|it| it.trim().to_owned());
    trimmed.filter(|it| !it.is_empty()).collect()
}

/// Returns the texts of a string or a list of strings.
pub fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Table(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_commands() {
        assert_eq!(command("knowledge/commands/rm.toml"), "rm");
        assert_eq!(command("knowledge/commands/git/git.toml"), "git");
        assert_eq!(command("knowledge/commands/git/push.toml"), "git push");
    }

    #[test]
    fn flags_are_parted_at_commas() {
        assert_eq!(
            parted("-a --all, -b=X\n-c,--d"),
            ["-a --all", "-b=X\n-c", "--d"]
        );
        assert_eq!(name("-W --allow-write[=X]"), "-W");
        assert_eq!(name("--write[=X]"), "--write");
    }
}
