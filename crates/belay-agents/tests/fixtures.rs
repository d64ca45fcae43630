//! Recorded messages of every agent, and the exact answers. `BELAY_BLESS=1` writes them anew.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use belay_agents::{Agent, Answer, Heard, answer, no_opinion, read, refuse};
use belay_journal::json;
use belay_model::{Call, Judgement, Layer, Reason, Risk, Value, Verdict};

fn judgement(verdict: Verdict) -> Judgement {
    Judgement {
        id: None,
        verdict,
        layer: Layer::Analysis,
        reason: Reason {
            because: "`x` would do y: z".to_owned(),
            instead: Some("do w".to_owned()),
            rule: Some("a-rule".to_owned()),
        },
        risk: Risk::HIGH,
        effects: Vec::new(),
        troubles: Vec::new(),
        trail: Vec::new(),
        micros: 1,
    }
}

fn told(answer: &Answer) -> Value {
    let text = |bytes: &[u8]| Value::String(String::from_utf8(bytes.to_vec()).unwrap());
    Value::Object(vec![
        ("stdout".to_owned(), text(&answer.stdout)),
        ("stderr".to_owned(), text(&answer.stderr)),
        ("code".to_owned(), Value::Number(answer.code.to_string())),
    ])
}

fn shown(call: &Call) -> Value {
    let text = |it: &Option<String>| it.as_deref().map_or(Value::Null, Value::from);
    let roots = call.project_roots.iter().map(|it| it.as_str().into());
    let turns = call.transcript.iter().map(|it| format!("{it:?}").into());
    let mut members = vec![
        ("id", text(&call.id)),
        ("tool", call.tool.as_str().into()),
        ("input", call.input.clone()),
        ("cwd", call.cwd.as_str().into()),
        ("project_roots", Value::Array(roots.collect())),
        ("home", text(&call.home)),
        ("agent", text(&call.agent)),
        ("session", text(&call.session)),
        ("headless", Value::Bool(call.headless)),
        ("transcript", Value::Array(turns.collect())),
        ("transcript_path", text(&call.transcript_path)),
    ];
    members.retain(|(_, value)| *value != Value::Null && *value != Value::Array(Vec::new()));
    let members = members.into_iter();
    Value::Object(members.map(|(name, it)| (name.to_owned(), it)).collect())
}

fn answers(agent: Agent, stdin: &[u8], env: &Value) -> Vec<(&'static str, Value)> {
    let env = |name: &str| env.get(name).and_then(Value::text).map(str::to_owned);
    let heard = match read(agent, stdin, &env) {
        Ok(heard) => heard,
        Err(error) => {
            let error = error.to_string();
            let refused = told(&refuse(Some(agent), &error));
            return vec![("error", error.into()), ("refused", refused)];
        }
    };
    let mut members = match &heard {
        Heard::Ignore => vec![("ignored", Value::Bool(true))],
        Heard::Observe(seen) => vec![
            ("seen", format!("{:?}", seen.moment).into()),
            ("call", shown(&seen.call)),
            ("prompt", seen.prompt.as_deref().unwrap_or_default().into()),
        ],
        Heard::Judge(asked) => vec![
            ("asked", format!("{:?}", asked.event).into()),
            ("call", shown(&asked.call)),
        ],
    };
    if matches!(heard, Heard::Judge(_)) {
        for verdict in Verdict::ALL {
            let answer = answer(agent, &heard, &judgement(verdict));
            members.push((verdict.word(), told(&answer)));
        }
    }
    members.push(("no opinion", told(&no_opinion(agent, &heard))));
    members
}

/// One member per line, so that a change is easy to see.
fn laid_out(members: &[(&str, Value)]) -> String {
    let lines: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {}", json::compact(value)))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Every recorded message with its agent.
fn inputs() -> Vec<(Agent, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/agents");
    let mut found = Vec::new();
    for agent in Agent::ALL {
        for file in fs::read_dir(folder.join(agent.word())).unwrap() {
            let path = file.unwrap().path();
            if path.to_str().unwrap().ends_with(".in.json") {
                found.push((*agent, path));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_agent_is_answered_byte_for_byte() {
    let mut wrong = Vec::new();
    for (agent, input) in inputs() {
        let beside = |end| PathBuf::from(input.to_str().unwrap().replace(".in.json", end));
        let env = json::read(&fs::read(beside(".env.json")).unwrap()).unwrap();
        let text = laid_out(&answers(agent, &fs::read(&input).unwrap(), &env));
        let golden = beside(".out.json");
        if std::env::var_os("BELAY_BLESS").is_some() {
            fs::write(&golden, &text).unwrap();
        } else if fs::read_to_string(&golden).ok().as_deref() != Some(&text) {
            wrong.push(format!("{}\n{text}", golden.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_agent_has_a_fixture() {
    for agent in Agent::ALL {
        assert!(inputs().iter().any(|(it, _)| it == agent), "{agent}");
    }
}

#[test]
fn a_refusal_speaks_every_dialect() {
    let answer = refuse(None, "it broke");
    assert_eq!(answer.code, 2);
    assert_eq!(answer.stderr, b"belay: refused: it broke\n");
    let said = json::read(&answer.stdout).unwrap();
    assert_eq!(said.get("decision"), Some(&"block".into()));
    assert_eq!(said.get("permission"), Some(&"deny".into()));
    assert_eq!(said.get("permissionDecision"), Some(&"deny".into()));
    assert_eq!(said.get("cancel"), Some(&Value::Bool(true)));
}

#[test]
fn a_message_cut_short_is_an_error() {
    for (agent, input) in inputs() {
        let whole = fs::read(&input).unwrap();
        for cut in 0..whole.trim_ascii_end().len() {
            let heard = read(agent, &whole[..cut], &|_| None);
            assert!(heard.is_err(), "{} cut at {cut}", input.display());
        }
    }
}
