//! Every example line, its verdict, and the ways to write it anew.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use autobelay::{Gate, Judgement, Nowhere, Settings, Verdict};

use crate::house;

/// A line for a shell and what the gate says to it.
pub struct Sample {
    pub line: String,
    pub verdict: Verdict,
}

/// Judges a line where nothing is known of the world.
pub fn judge(line: &str) -> Judgement {
    thread_local!(static GATE: Gate = Gate::new(Settings::default()));
    let call = house::call("Bash", house::object(&[("command", line)]));
    GATE.with(|gate| gate.judge_in(&call, &Nowhere))
}

/// The verdict on a line.
pub fn verdict(line: &str) -> Verdict {
    judge(line).verdict
}

/// All examples, each once, in the order of their text.
pub fn all() -> &'static [Sample] {
    static ALL: OnceLock<Vec<Sample>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut lines = BTreeMap::new();
        for example in belay_knowledge::examples() {
            lines.insert(example.command, ());
        }
        for line in of_policy() {
            lines.insert(line, ());
        }
        lines
            .into_keys()
            .map(|line| Sample {
                verdict: verdict(&line),
                line,
            })
            .collect()
    })
}

fn of_policy() -> Vec<String> {
    let table: toml::Table = include_str!("../../../../policy/default.toml")
        .parse()
        .unwrap();
    let rules = table["rule"].as_array().unwrap().iter();
    rules
        .flat_map(|rule| rule["examples"].as_table().unwrap().values())
        .flat_map(|lines| lines.as_array().unwrap())
        .map(|line| line.as_str().unwrap().to_owned())
        .collect()
}

/// Every `step`th of the examples that can be put beside others on one line.
pub fn plain(step: usize) -> impl Iterator<Item = &'static Sample> {
    all().iter().filter(|it| joinable(&it.line)).step_by(step)
}

/// Every `step`th of the examples that are one simple command whose name is a plain word.
pub fn simple(step: usize) -> impl Iterator<Item = &'static Sample> {
    all()
        .iter()
        .filter(|it| joinable(&it.line) && is_simple(&it.line))
        .step_by(step)
}

/// Every `step`th simple example that another program could start: no builtins.
pub fn program(step: usize) -> impl Iterator<Item = &'static Sample> {
    all()
        .iter()
        .filter(|it| joinable(&it.line) && is_simple(&it.line) && is_program(&it.line))
        .step_by(step)
}

/// Tells whether text may follow on the same line and be read apart from it.
fn joinable(line: &str) -> bool {
    let end = line.trim_end();
    !line.contains(['\n', '#'])
        && !line.contains("<<")
        && !end.ends_with(['&', ';', '\\', '|'])
        && !end.is_empty()
        // What follows these is read by another shell, or never.
        && !["exit", "return", "exec", "alias", "unalias", "break", "continue", "set", "shopt"]
            .iter()
            .any(|word| line.split([' ', ';']).any(|it| it == *word))
}

const KEYWORDS: [&str; 21] = [
    "!", "{", "}", "[[", "]]", "((", "if", "then", "else", "fi", "for", "do", "done", "while",
    "until", "case", "esac", "select", "function", "time", "coproc",
];

fn is_simple(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    !line.contains(['|', ';', '&', '(', ')', '<', '>', '{', '}', '`'])
        && first
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.'))
        && first.starts_with(|it: char| it.is_ascii_alphabetic())
        && !KEYWORDS.contains(&first)
}

fn is_program(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    belay_knowledge::builtin(first).is_none()
}

/// A text in single quotes.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Collects what does not hold, to be told together.
#[derive(Default)]
pub struct Ledger {
    count: usize,
    wrong: Vec<String>,
}

impl Ledger {
    /// Notes a case: what was asked, and what to say when it does not hold.
    pub fn note(&mut self, holds: bool, told: impl FnOnce() -> String) {
        self.count += 1;
        if !holds {
            self.wrong.push(told());
        }
    }

    /// Asks that a line is judged at least so strictly.
    pub fn at_least(&mut self, line: &str, least: Verdict) {
        let found = judge(line);
        self.note(found.verdict >= least, || {
            let effects: Vec<String> = found.effects.iter().map(ToString::to_string).collect();
            format!(
                "`{}` is {}, not at least {least} {effects:?}",
                shown(line),
                found.verdict
            )
        });
    }

    /// Asks that a line gets exactly this verdict.
    pub fn exactly(&mut self, line: &str, wanted: Verdict) {
        let found = judge(line);
        self.note(found.verdict == wanted, || {
            let effects: Vec<String> = found.effects.iter().map(ToString::to_string).collect();
            format!(
                "`{}` is {}, not {wanted} {effects:?} {:?} {}",
                shown(line),
                found.verdict,
                found.troubles,
                found.reason.because
            )
        });
    }

    /// Asks that a line is not allowed.
    pub fn never_allows(&mut self, line: &str) {
        self.at_least(line, Verdict::Ask);
    }

    /// Ends the account.
    pub fn close(self) {
        assert!(self.count > 0, "nothing was asked");
        let told: Vec<&String> = self.wrong.iter().take(40).collect();
        assert!(
            self.wrong.is_empty(),
            "{} of {} do not hold\n{}",
            self.wrong.len(),
            self.count,
            told.iter()
                .map(|it| it.as_str())
                .collect::<Vec<_>>()
                .join("\n")
        );
    }
}

fn shown(line: &str) -> String {
    line.chars()
        .take(160)
        .flat_map(char::escape_debug)
        .collect()
}
