use serde_json::{Value, json};

use crate::{Script, Step};

/// What a request tells about itself, whatever the protocol.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The tools it offers.
    pub(crate) offered: Vec<String>,
    /// How many tool results it holds.
    pub(crate) results: usize,
    /// The tool it forces.
    pub(crate) forced: Option<String>,
    /// The first user message.
    pub(crate) first: String,
    /// The last tool result.
    pub(crate) last: String,
}

/// What the model says.
#[derive(Debug, PartialEq)]
pub(crate) enum Reply {
    Text(String),
    Calls(Vec<Call>),
}

/// One tool call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) input: Value,
    /// The text of a tool that takes no JSON.
    pub(crate) text: Option<String>,
}

impl Call {
    fn new(name: &str, input: Value) -> Self {
        Self {
            name: name.to_owned(),
            input,
            text: None,
        }
    }
}

/// Returns what the script says to a request.
pub(crate) fn reply(script: &Script, asked: &Asked) -> Reply {
    if let Some(call) = forced(script, asked) {
        return Reply::Calls(vec![call]);
    }
    match next(steps(script, asked), asked.results) {
        Some(Step::Text(text)) => Reply::Text(text.clone()),
        Some(step) => match calls(step, asked) {
            Some(calls) => Reply::Calls(calls),
            None => Reply::Text("All done.".to_owned()),
        },
        None => Reply::Text("All done.".to_owned()),
    }
}

fn forced(script: &Script, asked: &Asked) -> Option<Call> {
    let name = asked.forced.as_deref()?;
    let (_, input) = script.forced.iter().find(|(tool, _)| tool == name)?;
    Some(Call::new(name, input.clone()))
}

fn steps<'a>(script: &'a Script, asked: &Asked) -> &'a [Step] {
    let route = script
        .routes
        .iter()
        .find(|(text, _)| asked.first.contains(text));
    route.map_or(&script.steps, |(_, steps)| steps)
}

/// Returns the step that is due once so many results are in.
fn next(steps: &[Step], results: usize) -> Option<&Step> {
    let mut done = 0;
    steps.iter().find(|step| {
        let due = done >= results || matches!(step, Step::Text(_));
        done += match step {
            Step::Batch(below) => below.len(),
            Step::Text(_) => 0,
            Step::Shell(_)
            | Step::Write(..)
            | Step::Read(_)
            | Step::Delegate(_)
            | Step::Tool { .. } => 1,
        };
        due
    })
}

/// Returns the calls of a step, if the request offers the tools for it.
fn calls(step: &Step, asked: &Asked) -> Option<Vec<Call>> {
    match step {
        Step::Batch(steps) => {
            let each: Option<Vec<_>> = steps.iter().map(|it| calls(it, asked)).collect();
            Some(each?.into_iter().flatten().collect())
        }
        Step::Tool {
            name,
            input,
            force,
            capture,
        } => {
            let there = asked.offered.contains(name) || (*force && !asked.offered.is_empty());
            there.then(|| {
                vec![Call::new(
                    name,
                    filled(input, capture.as_deref(), &asked.last),
                )]
            })
        }
        Step::Shell(command) => pick(asked, shell_tools(command)),
        Step::Write(path, content) => pick(asked, write_tools(path, content)),
        Step::Read(path) => pick(asked, read_tools(path)),
        Step::Delegate(errand) => pick(asked, delegate_tools(errand)),
        Step::Text(_) => None,
    }
}

fn pick(asked: &Asked, known: Vec<Call>) -> Option<Vec<Call>> {
    let call = known
        .into_iter()
        .find(|call| asked.offered.contains(&call.name))?;
    Some(vec![call])
}

fn shell_tools(command: &str) -> Vec<Call> {
    let described = json!({"command": command, "description": "scripted"});
    vec![
        Call::new("Bash", described.clone()),
        Call::new("bash", described.clone()),
        Call::new("run_shell_command", {
            let mut input = described;
            merge(&mut input, "is_background", json!(false));
            input
        }),
        Call::new("exec_command", json!({ "cmd": command })),
        Call::new("shell_command", json!({ "command": command })),
        Call::new("shell", json!({ "command": ["bash", "-lc", command] })),
    ]
}

fn write_tools(path: &str, content: &str) -> Vec<Call> {
    let mut patch = format!("*** Begin Patch\n*** Add File: {path}\n");
    for line in content.lines() {
        patch.push('+');
        patch.push_str(line);
        patch.push('\n');
    }
    patch.push_str("*** End Patch\n");
    let apply = Call {
        text: Some(patch.clone()),
        ..Call::new("apply_patch", json!({ "input": patch }))
    };
    vec![
        Call::new("Write", json!({"file_path": path, "content": content})),
        Call::new("write_file", json!({"file_path": path, "content": content})),
        Call::new("write", json!({"filePath": path, "content": content})),
        Call::new("create", json!({"path": path, "file_text": content})),
        apply,
    ]
}

fn read_tools(path: &str) -> Vec<Call> {
    vec![
        Call::new("Read", json!({ "file_path": path })),
        Call::new("read_file", json!({ "file_path": path })),
        Call::new("read", json!({ "filePath": path })),
        Call::new("view", json!({ "path": path })),
    ]
}

fn delegate_tools(errand: &str) -> Vec<Call> {
    let general = json!({"description": "an errand", "prompt": errand,
                         "subagent_type": "general-purpose", "run_in_background": false});
    let task = json!({"name": "errand", "description": "an errand", "prompt": errand,
                      "agent_type": "general-purpose", "subagent_type": "general",
                      "mode": "sync"});
    vec![
        Call::new("Agent", general.clone()),
        Call::new("agent", general),
        Call::new("task", task),
        Call::new(
            "invoke_agent",
            json!({"agent_name": "generalist", "prompt": errand}),
        ),
        Call::new(
            "collaboration.spawn_agent",
            json!({"message": errand, "task_name": "errand", "fork_turns": "none"}),
        ),
    ]
}

pub(crate) fn merge(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value);
    }
}

/// Puts the word that follows the captured text in the place of `"$1"`.
fn filled(input: &Value, capture: Option<&str>, last: &str) -> Value {
    let mut filled = input.clone();
    let (Some(before), Value::Object(members)) = (capture, &mut filled) else {
        return filled;
    };
    let word: String = last
        .split_once(before)
        .map_or_else(String::new, |(_, rest)| {
            rest.chars()
                .take_while(|letter| letter.is_alphanumeric() || *letter == '-')
                .collect()
        });
    let value = word
        .parse::<u64>()
        .map_or_else(|_| json!(word), |it| json!(it));
    for member in members.values_mut().filter(|it| **it == json!("$1")) {
        *member = value.clone();
    }
    filled
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Asked, Reply, reply};
    use crate::Script;

    fn says(script: &str, offered: &[&str], results: usize) -> String {
        let asked = Asked {
            offered: offered.iter().map(|it| (*it).to_owned()).collect(),
            results,
            last: "Process running with session ID 4711\n".to_owned(),
            ..Asked::default()
        };
        match reply(&Script::parse(script).unwrap(), &asked) {
            Reply::Text(text) => text,
            Reply::Calls(calls) => calls
                .iter()
                .map(|call| format!("{} {}", call.name, call.input))
                .collect::<Vec<_>>()
                .join("; "),
        }
    }

    const TWO: &str = r#"[{"shell":"a"},{"batch":[{"read":"b"},{"read":"c"}]},{"text":"end"}]"#;

    #[test]
    fn the_step_is_the_number_of_results() {
        let tools = ["exec_command", "read_file"];
        assert_eq!(says(TWO, &tools, 0), r#"exec_command {"cmd":"a"}"#);
        assert_eq!(
            says(TWO, &tools, 1),
            r#"read_file {"file_path":"b"}; read_file {"file_path":"c"}"#
        );
        assert_eq!(says(TWO, &tools, 3), "end");
        assert_eq!(says(TWO, &tools, 9), "end");
    }
    #[test]
    fn a_tool_not_offered_is_not_called() {
        assert_eq!(says(TWO, &[], 0), "All done.");
    }
    #[test]
    fn force_calls_what_is_not_offered() {
        let script = r#"[{"tool":"Late","input":{"x":1},"force":true}]"#;
        assert_eq!(says(script, &["Bash"], 0), r#"Late {"x":1}"#);
    }
    #[test]
    fn captured_words_fill_in() {
        let script = r#"[{"tool":"t","input":{"id":"$1"},"capture":"session ID "}]"#;
        assert_eq!(says(script, &["t"], 0), r#"t {"id":4711}"#);
    }
    #[test]
    fn a_forced_tool_gets_its_input() {
        let script = Script::forcing("classify_result", json!({"should_block": true}));
        let asked = Asked {
            forced: Some("classify_result".to_owned()),
            ..Asked::default()
        };
        let Reply::Calls(calls) = reply(&script, &asked) else {
            panic!("text");
        };
        assert_eq!(calls[0].input, json!({"should_block": true}));
    }
    #[test]
    fn unknown_steps_are_named() {
        let error = Script::parse(r#"[{"shel":"a"}]"#).unwrap_err();
        assert!(error.to_string().contains(r#"{"shel":"a"}"#));
    }
}
