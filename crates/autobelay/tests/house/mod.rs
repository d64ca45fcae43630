//! One way to put a question to the gate, for all tests here.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test uses its part"
)]

pub mod work;

use autobelay::{Call, Gate, Judgement, Nowhere, Settings, Value, Verdict};

/// A call in the project `/work/app` of the home `/home/me`.
pub fn call(tool: &str, input: Value) -> Call {
    Call {
        tool: tool.to_owned(),
        input,
        cwd: "/work/app".to_owned(),
        project_roots: vec!["/work/app".to_owned()],
        home: Some("/home/me".to_owned()),
        ..Call::default()
    }
}

/// An object with string members.
pub fn object(members: &[(&str, &str)]) -> Value {
    Value::Object(
        members
            .iter()
            .map(|(name, text)| ((*name).to_owned(), Value::from(*text)))
            .collect(),
    )
}

/// Judges a shell command where nothing is known of the world.
pub fn shell(settings: Settings, command: &str) -> Judgement {
    let gate = Gate::new(settings);
    gate.judge_in(&call("Bash", object(&[("command", command)])), &Nowhere)
}

/// The verdict on a shell command with default settings.
pub fn verdict(command: &str) -> Verdict {
    shell(Settings::default(), command).verdict
}
