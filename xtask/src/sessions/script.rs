//! A session as it is written down: who works, who answers, what was typed and what was called.

use serde_json::{Value, json};

use crate::Outcome;

/// One session.
pub struct Script {
    pub agent: String,
    pub person: Person,
    pub project: String,
    pub prompts: Vec<Prompt>,
}

/// How the person answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Person {
    Yes,
    No,
    /// Every third answer is a no.
    Mixed,
}

/// What was typed, and the calls that followed.
pub struct Prompt {
    pub words: String,
    pub calls: Vec<Call>,
}

/// One call: what kind, and its input.
pub struct Call {
    pub act: Act,
}

/// What is called.
pub enum Act {
    Shell(String),
    Read(String),
    Write(String),
    Edit(String),
    Grep(String),
    Fetch(String),
    Tool(String, Value),
}

impl Script {
    /// Reads a script.
    pub fn read(text: &str) -> Outcome<Self> {
        let mut script = Self {
            agent: String::new(),
            person: Person::Yes,
            project: String::new(),
            prompts: Vec::new(),
        };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line == "$$" {
                let body: Vec<&str> = lines.by_ref().take_while(|it| *it != "$$").collect();
                script.call(Act::Shell(body.join("\n")))?;
            } else if !line.trim().is_empty() {
                script.line(line)?;
            }
        }
        let whole = !script.agent.is_empty() && !script.project.is_empty();
        if whole && !script.prompts.is_empty() {
            return Ok(script);
        }
        Err("it names no agent, no project or no prompt".to_owned())
    }

    fn line(&mut self, line: &str) -> Outcome {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match mark {
            "#" => self.head(rest),
            ">" => {
                self.prompts.push(Prompt {
                    words: rest.to_owned(),
                    calls: Vec::new(),
                });
                Ok(())
            }
            "$" => self.call(Act::Shell(rest.to_owned())),
            "R" => self.call(Act::Read(rest.to_owned())),
            "W" => self.call(Act::Write(rest.to_owned())),
            "E" => self.call(Act::Edit(rest.to_owned())),
            "G" => self.call(Act::Grep(rest.to_owned())),
            "F" => self.call(Act::Fetch(rest.to_owned())),
            "T" => {
                let (name, input) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let input = serde_json::from_str(input)
                    .map_err(|why| format!("the input of `{name}`: {why}"))?;
                self.call(Act::Tool(name.to_owned(), input))
            }
            _ => Err(format!("what is `{line}`?")),
        }
    }

    fn head(&mut self, line: &str) -> Outcome {
        let Some((key, value)) = line.split_once(':') else {
            return Ok(());
        };
        let value = value.split('(').next().unwrap_or_default().trim();
        match key.trim() {
            "agent" => self.agent = value.to_owned(),
            "project" => self.project = value.to_owned(),
            "person" => {
                self.person = match value {
                    "yes" => Person::Yes,
                    "no" => Person::No,
                    "mixed" => Person::Mixed,
                    _ => return Err(format!("a person who says `{value}`")),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn call(&mut self, act: Act) -> Outcome {
        let prompt = self.prompts.last_mut().ok_or("a call before any prompt")?;
        prompt.calls.push(Call { act });
        Ok(())
    }
}

impl Call {
    /// Returns the tool and its input as that agent spells them; paths as the agent would write them.
    pub fn spelled(&self, agent: &str, place: &dyn Fn(&str) -> String) -> (String, Value) {
        let gemini = agent == "gemini";
        let named = |usual: &str, other: &str| if gemini { other } else { usual }.to_owned();
        match &self.act {
            Act::Shell(command) => {
                let tool = match agent {
                    "gemini" => "run_shell_command",
                    "cursor" => "Shell",
                    "opencode" => "bash",
                    _ => "Bash",
                };
                (tool.to_owned(), json!({ "command": command }))
            }
            Act::Read(path) if agent == "codex" => (
                "Bash".to_owned(),
                json!({ "command": format!("sed -n '1,200p' {path}") }),
            ),
            Act::Grep(words) if agent == "codex" => (
                "Bash".to_owned(),
                json!({ "command": format!("rg -n '{words}' .") }),
            ),
            Act::Write(path) | Act::Edit(path) if agent == "codex" => {
                let patch = format!(
                    "*** Begin Patch\n*** Add File: {}\n+{}\n*** End Patch\n",
                    place(path),
                    content(path).trim_end().replace('\n', "\n+")
                );
                ("apply_patch".to_owned(), json!({ "command": patch }))
            }
            Act::Read(path) => (
                named("Read", "read_file"),
                json!({ "file_path": place(path) }),
            ),
            Act::Write(path) => (
                named("Write", "write_file"),
                json!({ "file_path": place(path), "content": content(path) }),
            ),
            Act::Edit(path) => (
                named("Edit", "replace"),
                json!({ "file_path": place(path), "old_string": "a", "new_string": "b" }),
            ),
            Act::Grep(words) => (
                named("Grep", "search_file_content"),
                json!({ "pattern": words }),
            ),
            Act::Fetch(url) if gemini => (
                "web_fetch".to_owned(),
                json!({ "prompt": format!("read {url}") }),
            ),
            Act::Fetch(url) => (
                "WebFetch".to_owned(),
                json!({ "url": url, "prompt": "what does it say" }),
            ),
            Act::Tool(name, input) => (name.clone(), input.clone()),
        }
    }
}

/// What is in a file that a session writes: a script that can be read where one will be run, else some text.
pub fn content(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "sh")) => "#!/bin/sh\nset -eu\necho \"done: $*\"\n",
        Some(_) | None => "text\n",
    }
}
