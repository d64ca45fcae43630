//! The person's own rules in an agent's settings: what they want to be asked about, and what they
//! forbid. Those are boundaries: an allow of ours must never answer a question that one of them put.
//!
//! INVARIANT: a rule that cannot be read matches whatever the tool it names does, and a file that
//! cannot be read matches everything. A match only ever takes an allow away.

use std::fs;
use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::glob::matches_stars;
use belay_model::{Call, Value};

/// No agent's settings are longer.
const MOST_BYTES: u64 = 1 << 20;

/// One rule, as its file spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HostRule {
    /// Its text, for the record.
    text: String,
    /// The tool it names.
    tool: String,
    /// What stands in the parentheses; `None` when the rule speaks of every call.
    inside: Option<String>,
}

/// The rules of all files that an agent reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostRules {
    rules: Vec<HostRule>,
}

/// The lines that a call would run, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lines {
    /// All of them, wrappers removed.
    Known(Vec<String>),
    /// Not all could be made out.
    Unknown,
}

impl HostRules {
    /// Reads the rules from files; one that is not there has none.
    pub(crate) fn read(files: &[PathBuf]) -> Self {
        let mut rules = Self::default();
        for file in files {
            rules.add_file(file);
        }
        rules
    }

    /// Makes rules of texts such as `Bash(git push:*)`.
    pub(crate) fn of(texts: &[String]) -> Self {
        Self {
            rules: texts.iter().map(|it| rule(Some(it))).collect(),
        }
    }

    fn add_file(&mut self, path: &Path) {
        let Ok(about) = fs::metadata(path) else {
            return;
        };
        let readable = about.is_file() && about.len() <= MOST_BYTES;
        let bytes = readable.then(|| fs::read(path).ok()).flatten();
        match bytes.and_then(|it| json::read(&it).ok()) {
            Some(settings) => self.add_settings(&settings),
            None => self.rules.push(HostRule {
                text: format!("`{}`, which cannot be read", path.display()),
                tool: "*".to_owned(),
                inside: None,
            }),
        }
    }

    fn add_settings(&mut self, settings: &Value) {
        let Some(permissions) = settings.get("permissions") else {
            return;
        };
        for list in ["ask", "deny"] {
            match permissions.get(list) {
                Some(Value::Array(items)) => {
                    self.rules.extend(items.iter().map(|it| rule(it.text())));
                }
                Some(Value::Null) | None => {}
                Some(_) => self.rules.push(rule(None)),
            }
        }
    }

    /// Tells whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the rule that speaks of a call, if one may. `lines` is asked only when a rule on
    /// commands needs it.
    #[must_use]
    pub fn on(&self, call: &Call, lines: &dyn Fn() -> Lines) -> Option<&str> {
        let speaks = |rule: &&HostRule| {
            names(&rule.tool, &call.tool)
                && rule
                    .inside
                    .as_deref()
                    .is_none_or(|inside| is_about(inside, &Subject { call, lines }).unwrap_or(true))
        };
        self.rules.iter().find(speaks).map(|it| it.text.as_str())
    }
}

fn rule(text: Option<&str>) -> HostRule {
    let Some(text) = text.map(str::trim) else {
        return HostRule {
            text: "a rule that is no text".to_owned(),
            tool: "*".to_owned(),
            inside: None,
        };
    };
    let (tool, inside) = match text.split_once('(') {
        // Without its end nobody knows what it means, so it speaks of the whole tool.
        Some((tool, rest)) => (tool, rest.strip_suffix(')')),
        None => (text, None),
    };
    let everything = |it: &&str| it.trim_matches(['*', ':', ' ']).is_empty();
    HostRule {
        text: format!("`{text}`"),
        tool: tool.trim().to_owned(),
        inside: inside.filter(|it| !everything(it)).map(str::to_owned),
    }
}

/// Tools of one kind: a rule on one of them is a rule on all.
const KINDS: [&[&str]; 4] = [
    &["Edit", "Write", "MultiEdit", "NotebookEdit"],
    &["Read", "Grep", "Glob", "LS", "NotebookRead"],
    &["Bash", "Monitor", "PowerShell"],
    &["Agent", "Task"],
];

fn names(rule: &str, tool: &str) -> bool {
    let alike = |kind: &&&[&str]| kind.contains(&rule) && kind.contains(&tool);
    let server = rule.starts_with("mcp__") && tool.starts_with(&format!("{rule}__"));
    rule == tool || server || matches_stars(rule, tool) || KINDS.iter().any(|it| alike(&it))
}

struct Subject<'a> {
    call: &'a Call,
    lines: &'a dyn Fn() -> Lines,
}

/// Tells whether the parentheses of a rule fit a call; `None` when that cannot be told.
fn is_about(inside: &str, subject: &Subject<'_>) -> Option<bool> {
    let call = subject.call;
    let kind = |tool| KINDS.iter().position(|it| it.contains(&tool));
    match kind(call.tool.as_str()) {
        Some(0 | 1) => path_fits(inside, call),
        Some(2) => {
            let command = call.input.get("command")?.text()?;
            Some(command_fits(inside, command, subject.lines))
        }
        Some(_) => None,
        None if call.tool == "WebFetch" => host_fits(inside, call),
        None => None,
    }
}

/// Compares by the longest pieces without a wild card: what stands before and after them.
fn path_fits(inside: &str, call: &Call) -> Option<bool> {
    let members = ["file_path", "notebook_path", "path"];
    let path = members
        .iter()
        .find_map(|it| call.input.get(it)?.text())
        .unwrap_or(&call.cwd);
    let path = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{}/{path}", call.cwd)
    };
    if path.contains("..") {
        return None;
    }
    let start = inside
        .find(['*', '?', '[', '{', '!'])
        .unwrap_or(inside.len());
    let end = inside
        .rfind(['*', '?', ']', '}'])
        .map_or(start, |it| it + 1);
    let (before, after) = (inside.get(..start)?, inside.get(end..)?);
    let anywhere = !inside.contains('/');
    let base = match (before.strip_prefix("//"), before.strip_prefix("~/")) {
        (Some(rest), _) => format!("/{rest}"),
        (None, Some(rest)) => format!("{}/{rest}", call.home.as_deref()?),
        // Relative to the settings' folder, the project or the working folder: the text decides.
        (None, None) => before.trim_start_matches("./").to_owned(),
    };
    let begins = match base.starts_with('/') && before.starts_with(['~', '/']) {
        true if before.starts_with("//") || before.starts_with('~') => path.starts_with(&base),
        true => path.contains(&base),
        false => anywhere || base.is_empty() || path.contains(&format!("/{base}")),
    };
    let name = path.rsplit('/').next().unwrap_or_default();
    let ends = match (anywhere, end == start) {
        (true, true) => path.split('/').any(|it| it == inside),
        (true, false) => name.starts_with(before) && name.ends_with(after),
        (false, true) => true,
        (false, false) => after.starts_with('/') || path.ends_with(after),
    };
    Some(begins && ends)
}

fn host_fits(inside: &str, call: &Call) -> Option<bool> {
    let domain = inside.strip_prefix("domain:")?.trim_matches(['*', '.']);
    let url = call.input.get("url")?.text()?;
    Some(
        url.to_ascii_lowercase()
            .contains(&domain.to_ascii_lowercase()),
    )
}

fn command_fits(inside: &str, command: &str, lines: &dyn Fn() -> Lines) -> bool {
    let wanted = plain(inside);
    let text = plain(command);
    if line_fits(&wanted, &text) {
        return true;
    }
    // Only where the words stand somewhere is it worth while to take the command apart.
    let mut starts = text.match_indices(' ').map(|(at, _)| at + 1);
    let somewhere = starts.any(|at| text.get(at..).is_some_and(|it| line_begins(&wanted, it)));
    let glued = text.contains([';', '|', '&', '(', '`', '$', '{', '\\']);
    if !somewhere && !glued {
        return false;
    }
    match lines() {
        Lines::Known(lines) => lines.iter().any(|it| line_fits(&wanted, &plain(it))),
        Lines::Unknown => true,
    }
}

/// Leaves out quotes and doubled blanks, so that two spellings of one line are one text.
fn plain(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|it| !matches!(it, '"' | '\''))
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn open(wanted: &str) -> Option<&str> {
    let stem = wanted.strip_suffix('*')?;
    let stem = stem.strip_suffix([':', ' ']).unwrap_or(stem);
    (!stem.contains('*')).then_some(stem)
}

fn line_fits(wanted: &str, line: &str) -> bool {
    match open(wanted) {
        Some(stem) => line.starts_with(stem),
        None => matches_stars(wanted, line),
    }
}

/// The same for a line of which only the beginning is sure.
fn line_begins(wanted: &str, line: &str) -> bool {
    let stem = wanted.split('*').next().unwrap_or_default();
    line.starts_with(stem.trim_end_matches([':', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, input: &str) -> Call {
        Call {
            tool: tool.to_owned(),
            input: json::read(input.as_bytes()).unwrap_or_default(),
            cwd: "/h/app".to_owned(),
            home: Some("/h".to_owned()),
            ..Call::default()
        }
    }

    fn speaks(text: &str, call: &Call, lines: &Lines) -> bool {
        let rules = HostRules {
            rules: vec![rule(Some(text))],
        };
        rules.on(call, &|| lines.clone()).is_some()
    }

    #[test]
    fn rules_on_commands() {
        let check = |text: &str, command: &str, lines: &[&str], wanted: bool| {
            let input = format!("{{\"command\":{command:?}}}");
            let lines = Lines::Known(lines.iter().map(|it| (*it).to_owned()).collect());
            let found = speaks(text, &call("Bash", &input), &lines);
            assert_eq!(found, wanted, "{text}: {command}");
        };
        check("Bash", "ls", &["ls"], true);
        check("Bash(*)", "ls", &["ls"], true);
        check("Bash(git push:*)", "git push", &["git push"], true);
        check(
            "Bash(git push:*)",
            "git  'push' origin",
            &["git push origin"],
            true,
        );
        check(
            "Bash(git push *)",
            "cd x && git push",
            &["cd x", "git push"],
            true,
        );
        check(
            "Bash(git push:*)",
            "timeout 5 git push",
            &["git push"],
            true,
        );
        check(
            "Bash(git * main)",
            "git checkout main",
            &["git checkout main"],
            true,
        );
        check("Bash(npm publish)", "npm publish", &["npm publish"], true);
        check("Bash(git push:*)", "git status", &["git status"], false);
        check(
            "Bash(git push:*)",
            "echo git push",
            &["echo git push"],
            false,
        );
        check(
            "Bash(rm:*)",
            "git rm --cached a",
            &["git rm --cached a"],
            false,
        );
        check("Read", "ls", &["ls"], false);
        let pushes = call("Bash", r#"{"command":"$(x) git push"}"#);
        assert!(speaks("Bash(git push:*)", &pushes, &Lines::Unknown));
        let odd = call("Bash", r#"{"command":["git","push"]}"#);
        assert!(speaks("Bash(git push:*)", &odd, &Lines::Unknown));
    }

    #[test]
    fn rules_on_files() {
        let check = |text: &str, path: &str, wanted: bool| {
            let input = format!("{{\"file_path\":{path:?}}}");
            let found = speaks(text, &call("Write", &input), &Lines::Unknown);
            assert_eq!(found, wanted, "{text}: {path}");
        };
        check("Edit", "/h/app/a", true);
        check("Edit(*.env)", "/h/app/sub/x.env", true);
        check("Edit(*.env)", "/h/app/sub/x.rs", false);
        check("Edit(/src/**)", "/h/app/src/a/b.rs", true);
        check("Edit(src/**)", "/h/app/src/a/b.rs", true);
        check("Edit(src/**)", "/h/app/tests/b.rs", false);
        check("Edit(src/**/*.rs)", "/h/app/src/a.rs", true);
        check("Edit(src/**/*.rs)", "/h/app/src/a.txt", false);
        check("Edit(~/.zshrc)", "/h/.zshrc", true);
        check("Edit(//etc/**)", "/etc/hosts", true);
        check("Edit(//etc/**)", "/h/app/etc/hosts", false);
        check("Write(.env)", "/h/app/.env", true);
        check("Edit(src/**)", "/h/app/tests/../src/b.rs", true);
        check("Read(src/**)", "/h/app/src/a.rs", false);
    }

    #[test]
    fn rules_on_other_tools() {
        let check = |text: &str, tool: &str, input: &str, wanted: bool| {
            let found = speaks(text, &call(tool, input), &Lines::Unknown);
            assert_eq!(found, wanted, "{text}: {tool}");
        };
        check("mcp__linear", "mcp__linear__create_issue", "{}", true);
        check("mcp__linear__*", "mcp__linear__create_issue", "{}", true);
        check("mcp__linear", "mcp__linearity__x", "{}", false);
        check("mcp__*", "mcp__linear__x", "{}", true);
        check(
            "WebFetch(domain:example.com)",
            "WebFetch",
            r#"{"url":"https://Example.com/x"}"#,
            true,
        );
        check(
            "WebFetch(domain:example.com)",
            "WebFetch",
            r#"{"url":"https://docs.rs"}"#,
            false,
        );
        check("Agent(reviewer)", "Agent", "{}", true);
        check("Skill(x", "Skill", "{}", true);
        check("Bash(touch", "Bash", r#"{"command":"ls"}"#, true);
        check("Skill(x", "Bash", r#"{"command":"ls"}"#, false);
    }

    #[test]
    fn what_cannot_be_read_matches() {
        let mut rules = HostRules::default();
        rules.add_settings(&json::read(br#"{"permissions":{"ask":[7]}}"#).unwrap_or_default());
        assert!(rules.on(&call("Read", "{}"), &|| Lines::Unknown).is_some());
        let mut rules = HostRules::default();
        rules.add_settings(&json::read(br#"{"permissions":{"deny":"Bash"}}"#).unwrap_or_default());
        assert!(rules.on(&call("Read", "{}"), &|| Lines::Unknown).is_some());
        let mut rules = HostRules::default();
        rules.add_settings(
            &json::read(br#"{"permissions":{"allow":["Bash"]}}"#).unwrap_or_default(),
        );
        assert!(rules.is_empty());
    }
}
