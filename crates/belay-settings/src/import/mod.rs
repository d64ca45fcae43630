//! Permission settings of agents, turned into ours, with a report of what was left behind.
//!
//! INVARIANT: importing never allows more than the agent's own settings did, but for what the
//! report says; what is too broad to take is left.

mod claude;
mod codex;
mod gemini;

pub use claude::claude;
pub use codex::codex;
pub use gemini::gemini;

use belay_model::Verdict;

use crate::breadth::{is_mighty, is_too_broad};
use crate::command::reads_as_command;
use crate::show::{list, quoted};

/// What was made of an agent's settings.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Imported {
    hard_deny: Vec<String>,
    soft_deny: Vec<String>,
    allow: Vec<String>,
    environment: Vec<String>,
    tools: Vec<String>,
    roots: Vec<String>,
    rules: Vec<ImportedRule>,
    /// What was not taken, and why.
    pub left: Vec<Left>,
    /// What was taken, and means something else here.
    pub changed: Vec<Left>,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The line as the agent has it.
    pub line: String,
    /// Why it was left, or what changed.
    pub why: &'static str,
}

/// What counts in a line of an agent's settings.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    /// The line, for the report.
    line: &'a str,
    /// The command, tool, path or host in it.
    text: &'a str,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct ImportedRule {
    tool: Vec<String>,
    command: Option<String>,
    effect: Vec<&'static str>,
    host: Option<String>,
    path: Option<String>,
    verdict: &'static str,
    because: Option<String>,
}

/// Why an agent's settings cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError(pub String);

impl std::fmt::Display for ImportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read the agent's settings: {}", self.0)
    }
}

impl std::error::Error for ImportError {}

impl Imported {
    fn leave(&mut self, line: &str, why: &'static str) {
        self.left.push(Left {
            line: line.to_owned(),
            why,
        });
    }

    /// Takes a command by its first words.
    fn command(&mut self, part: Part<'_>, verdict: Verdict, because: Option<String>) {
        let Part { line, text: words } = part;
        if !reads_as_command(words) {
            return self.leave(line, "it does not read as one command");
        }
        match verdict {
            Verdict::Allow if is_too_broad(words) => {
                self.leave(line, "too broad: it would allow any code");
            }
            Verdict::Allow => {
                add(&mut self.allow, crate::draft::DEFAULTS);
                add(&mut self.allow, words);
            }
            Verdict::Deny if because.is_none() => add(&mut self.hard_deny, words),
            Verdict::Ask | Verdict::Deny => self.rules.push(ImportedRule {
                command: Some(words.to_owned()),
                verdict: verdict.word(),
                because,
                ..ImportedRule::default()
            }),
        }
    }

    /// Takes whole tools by name.
    fn tool(&mut self, part: Part<'_>, verdict: Verdict) {
        let Part { line, text: tool } = part;
        let whole = tool.trim_matches(['*', '_']).is_empty();
        match verdict {
            Verdict::Allow if whole || is_mighty(tool) => {
                self.leave(line, "too broad: the tool can do anything");
            }
            Verdict::Allow if !tool.contains('*') => add(&mut self.tools, tool),
            Verdict::Allow | Verdict::Ask | Verdict::Deny => self.rules.push(ImportedRule {
                tool: vec![tool.to_owned()],
                verdict: verdict.word(),
                ..ImportedRule::default()
            }),
        }
    }

    /// Writes the settings as TOML, to be added to a user's file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let lists = [
            ("hard_deny", &self.hard_deny),
            ("soft_deny", &self.soft_deny),
            ("allow", &self.allow),
            ("environment", &self.environment),
        ];
        section(&mut text, "rules", &lists);
        section(&mut text, "allowlist", &[("tools", &self.tools)]);
        section(&mut text, "project", &[("roots", &self.roots)]);
        for rule in &self.rules {
            rule.write(&mut text);
        }
        text
    }

    /// Tells whether nothing was taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.to_toml().is_empty()
    }
}

fn add(list: &mut Vec<String>, text: &str) {
    if !list.iter().any(|it| it == text) {
        list.push(text.to_owned());
    }
}

fn section(text: &mut String, name: &str, lists: &[(&str, &Vec<String>)]) {
    if lists.iter().all(|(_, lines)| lines.is_empty()) {
        return;
    }
    text.push_str(&format!("[{name}]\n"));
    for (key, lines) in lists.iter().filter(|(_, lines)| !lines.is_empty()) {
        text.push_str(&format!("{key} = [\n"));
        for line in *lines {
            text.push_str(&format!("  {},\n", quoted(line)));
        }
        text.push_str("]\n");
    }
    text.push('\n');
}

impl ImportedRule {
    fn write(&self, text: &mut String) {
        text.push_str("[[rule]]\n");
        let mut key = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                text.push_str(&format!("{name} = {value}\n"));
            }
        };
        let tools = self.tool.iter().map(String::as_str);
        key("tool", (!self.tool.is_empty()).then(|| list(tools)));
        key("command", self.command.as_deref().map(quoted));
        let effects = self.effect.iter().copied();
        key("effect", (!self.effect.is_empty()).then(|| list(effects)));
        key("host", self.host.as_deref().map(quoted));
        key("path", self.path.as_deref().map(quoted));
        key("verdict", Some(quoted(self.verdict)));
        key("because", self.because.as_deref().map(quoted));
        text.push('\n');
    }
}

#[cfg(test)]
mod tests;
