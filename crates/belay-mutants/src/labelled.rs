//! Calls with the verdict they should get: examples of rules, and the labelled calls of `corpus/`.

use std::path::Path;

use autobelay::{Call, Gate, Nowhere, Settings, Value, Verdict};

/// A call and what it should get.
pub struct Labelled {
    /// The call.
    pub call: Call,
    /// The verdict; none: any but allow.
    pub expected: Option<Verdict>,
    /// The rule whose example it is.
    pub of: Option<String>,
    /// Whether that rule decides: then it always should.
    pub spoken: bool,
}

impl Labelled {
    /// Tells whether the gate judges it as it should.
    pub fn holds(&self, gate: &Gate) -> bool {
        let judgement = gate.judge_in(&self.call, &Nowhere);
        let meant = match self.expected {
            Some(expected) => judgement.verdict == expected,
            None => judgement.verdict != Verdict::Allow,
        };
        meant && (!self.spoken || judgement.reason.rule == self.of)
    }

    /// Returns it with what its rule says of it now; `None` when it does not hold as it is.
    pub fn heard(mut self, gate: &Gate) -> Option<Self> {
        let rule = gate.judge_in(&self.call, &Nowhere).reason.rule;
        self.spoken = self.of.is_some() && rule == self.of;
        self.holds(gate).then_some(self)
    }
}

/// Reads every example and every labelled call.
pub fn all(root: &Path) -> Result<Vec<Labelled>, String> {
    let mut all = examples(root)?;
    let folder = root.join("corpus");
    let entries = std::fs::read_dir(&folder).map_err(|why| format!("corpus: {why}"))?;
    let mut files: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    for file in files {
        let text = read(&file)?;
        for line in text.lines().filter(|it| !it.trim().is_empty()) {
            all.push(corpus(line).map_err(|why| format!("{}: {why}: {line}", file.display()))?);
        }
    }
    Ok(all)
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|why| format!("cannot read `{}`: {why}", path.display()))
}

fn corpus(line: &str) -> Result<Labelled, String> {
    let value = belay_journal::json::read(line.as_bytes()).map_err(|why| why.to_string())?;
    let word = value.get("expect").and_then(Value::text);
    let expected = match word.unwrap_or_default() {
        "not_allow" => None,
        word => Some(Verdict::from_word(word).ok_or("`expect` is no verdict")?),
    };
    let call = value.get("call").unwrap_or(&value);
    let call = belay_journal::read_call(call).map_err(|why| why.to_string())?;
    Ok(Labelled {
        call,
        expected,
        of: None,
        spoken: false,
    })
}

fn examples(root: &Path) -> Result<Vec<Labelled>, String> {
    let text = read(&root.join("policy/default.toml"))?;
    let table: toml::Table = text.parse().map_err(|why| format!("policy: {why}"))?;
    let rules = table.get("rule").and_then(toml::Value::as_array);
    let mut all = Vec::new();
    for rule in rules.into_iter().flatten() {
        let id = rule.get("id").and_then(toml::Value::as_str);
        let examples = rule.get("examples").and_then(toml::Value::as_table);
        for (word, lines) in examples.into_iter().flatten() {
            let expected = Verdict::from_word(word).ok_or("an example has no verdict")?;
            let lines = lines.as_array().into_iter().flatten();
            all.extend(lines.filter_map(toml::Value::as_str).map(|line| Labelled {
                call: shell(line),
                expected: Some(expected),
                of: id.map(str::to_owned),
                spoken: false,
            }));
        }
    }
    Ok(all)
}

/// A shell command in the project `/work/app` of the home `/home/me`.
fn shell(line: &str) -> Call {
    let input = Value::Object(vec![("command".to_owned(), Value::from(line))]);
    Call {
        tool: "Bash".to_owned(),
        input,
        cwd: "/work/app".to_owned(),
        project_roots: vec!["/work/app".to_owned()],
        home: Some("/home/me".to_owned()),
        ..Call::default()
    }
}

/// The gate as it is without any settings.
pub fn gate() -> Gate {
    Gate::new(Settings::default())
}
