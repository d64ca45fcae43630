//! Every example in the house: of rules, of knowledge, and the labelled calls of `corpus/`.

use std::collections::BTreeMap;
use std::path::Path;

use autobelay::{Call, Gate, Nowhere, Settings, Value, Verdict};
use belay_knowledge::ToolKind;
use belay_shell::Dialect;

use crate::line::Scene;

/// A call as somebody would plainly write it, and what the gate says to it.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The call.
    pub call: Call,
    /// Where it would run.
    pub scene: Scene,
    /// The verdict on it.
    pub verdict: Verdict,
    /// What is called: a command's first words, or a tool.
    pub command: String,
}

/// Returns the gate as it is without any settings.
#[must_use]
pub fn gate() -> Gate {
    Gate::new(Settings::default())
}

impl Seed {
    fn new(call: Call, gate: &Gate) -> Self {
        let verdict = gate.judge_in(&call, &Nowhere).verdict;
        let command = match text(&call.tool, &call.input) {
            Some(text) => text
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned(),
            None => call.tool.clone(),
        };
        let names = call.input.members().into_iter().flatten();
        let mut names = names.map(|it| it.0.as_str());
        let moved = names.any(|it| it.contains("dir") || it == "cwd");
        let scene = Scene {
            cwd: if moved {
                String::new()
            } else {
                call.cwd.clone()
            },
            home: call.home.clone().unwrap_or_default(),
        };
        Self {
            call,
            scene,
            verdict,
            command,
        }
    }

    /// A line for a shell, in the project `/work/app` of the home `/home/me`.
    #[must_use]
    pub fn of_line(line: &str, gate: &Gate) -> Self {
        let input = Value::Object(vec![("command".to_owned(), Value::from(line))]);
        let call = Call {
            tool: "Bash".to_owned(),
            input,
            cwd: "/work/app".to_owned(),
            project_roots: vec!["/work/app".to_owned()],
            home: Some("/home/me".to_owned()),
            ..Call::default()
        };
        Self::new(call, gate)
    }

    /// Returns its text for a person.
    #[must_use]
    pub fn shown(&self, input: &Value) -> String {
        match text(&self.call.tool, input) {
            Some(text) => text.to_owned(),
            None => format!("{} {}", self.call.tool, belay_journal::json::compact(input)),
        }
    }
}

/// Returns the text that a tool hands to a shell; none where it is another tool, or handed words.
#[must_use]
pub fn text<'a>(tool: &str, input: &'a Value) -> Option<&'a str> {
    let is_shell = belay_knowledge::tool(tool).is_some_and(|it| it.kind() == ToolKind::Shell);
    let given = input
        .get("command")
        .or_else(|| input.get("cmd"))
        .filter(|_| is_shell)?;
    match given.items() {
        Some([_, flag, text]) if ["-c", "-lc"].map(Some).contains(&flag.text()) => text.text(),
        Some(_) => None,
        None => given.text(),
    }
}

/// Returns the input with another text for the shell.
#[must_use]
pub fn with_text(input: &Value, text: &str) -> Value {
    let Value::Object(members) = input else {
        return input.clone();
    };
    let changed = members.iter().map(|(name, value)| {
        let value = match (name.as_str(), value) {
            ("command" | "cmd", Value::Array(items)) => {
                let mut items = items.clone();
                items.pop();
                items.push(Value::from(text));
                Value::Array(items)
            }
            ("command" | "cmd", Value::String(_)) => Value::from(text),
            (_, value) => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(changed.collect())
}

/// Reads every example and every labelled call, each once.
///
/// # Errors
/// When a file cannot be read.
pub fn all(root: &Path, gate: &Gate) -> Result<Vec<Seed>, String> {
    let mut lines: BTreeMap<String, ()> = belay_knowledge::examples()
        .map(|it| (it.command, ()))
        .collect();
    lines.extend(of_policy(root)?.into_iter().map(|it| (it, ())));
    let mut seeds: Vec<Seed> = lines.keys().map(|it| Seed::of_line(it, gate)).collect();
    let folder = root.join("corpus");
    let entries = std::fs::read_dir(&folder).map_err(|why| format!("corpus: {why}"))?;
    let mut files: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    for file in files {
        let text = read(&file)?;
        for line in text.lines().filter(|it| !it.trim().is_empty()) {
            let call =
                labelled(line).map_err(|why| format!("{}: {why}: {line}", file.display()))?;
            seeds.push(Seed::new(call, gate));
        }
    }
    // What a shell refuses to read has no other spelling.
    let odd = |it: &str| {
        hides(it)
            || !belay_shell::parse(it.as_bytes(), Dialect::Bash)
                .troubles()
                .is_empty()
    };
    seeds.retain(|it| !text(&it.call.tool, &it.call.input).is_some_and(odd));
    Ok(seeds)
}

/// Tells whether a line is asked about for a letter that nobody sees: in quotes such a letter is data.
fn hides(text: &str) -> bool {
    text.contains(|c| matches!(c, '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{3000}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'))
        || text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t'))
}

fn labelled(line: &str) -> Result<Call, String> {
    let value = belay_journal::json::read(line.as_bytes()).map_err(|why| why.to_string())?;
    let call = value.get("call").unwrap_or(&value);
    belay_journal::read_call(call).map_err(|why| why.to_string())
}

fn of_policy(root: &Path) -> Result<Vec<String>, String> {
    let text = read(&root.join("policy/default.toml"))?;
    let table: toml::Table = text.parse().map_err(|why| format!("policy: {why}"))?;
    let rules = table.get("rule").and_then(toml::Value::as_array);
    let examples = rules
        .into_iter()
        .flatten()
        .filter_map(|it| it.get("examples")?.as_table());
    let lines = examples
        .flat_map(toml::Table::values)
        .filter_map(toml::Value::as_array);
    Ok(lines
        .flatten()
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|why| format!("cannot read `{}`: {why}", path.display()))
}
