//! What must hold for any bytes at all in the rooms above the reader; the fuzzer and a test of the command line share it.
//!
//! No target may panic, overflow or hang; where something more must hold, the target asserts it.

use autobelay::{Call, Gate, Judgement, Nowhere, Settings, Value, Verdict};
use belay_agents::{Agent, Heard};
use belay_journal::{Journal, calendar::Moment, json};
use belay_settings::Source;

/// Something that reads what others wrote.
pub struct Target {
    /// Its name, which is also the name of its folder of texts.
    pub name: &'static str,
    /// Reads bytes, and asserts what must hold.
    pub check: fn(&[u8]),
}

/// All of them; the reader of shell text has a target of its own.
pub const TARGETS: [Target; 10] = [
    target("machine", machine),
    target("check", any_json),
    target("agents", agents),
    target("patches", patches),
    target("settings", settings),
    target("rules", rules),
    target("languages", languages),
    target("transcripts", transcripts),
    target("journal", journal),
    target("replies", replies),
];

const fn target(name: &'static str, check: fn(&[u8])) -> Target {
    Target { name, check }
}

thread_local! {
    static GATE: Gate = Gate::new(Settings::default());
}

fn judged(call: &Call) -> Judgement {
    GATE.with(|it| it.judge_in(call, &Nowhere))
}

fn call(tool: &str, member: &str, text: &str) -> Call {
    Call {
        tool: tool.to_owned(),
        input: Value::Object(vec![(member.to_owned(), Value::from(text))]),
        cwd: "/home/me/app".to_owned(),
        project_roots: vec!["/home/me/app".to_owned()],
        home: Some("/home/me".to_owned()),
        ..Call::default()
    }
}

fn verdict(call: &Call) -> Verdict {
    judged(call).verdict
}

/// Whatever follows a line that does harm, the line has been run by then.
fn machine(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = verdict(&call("Bash", "command", &text));
    let harmful = call("Bash", "command", &format!("rm -rf ~\n{text}"));
    assert_ne!(verdict(&harmful), Verdict::Allow, "{text:?}");
}

/// A call that can be read is judged; what follows harm in its command does not undo it.
fn any_json(bytes: &[u8]) {
    let Ok(value) = json::read(bytes) else { return };
    let Ok(call) = belay_journal::read_call(&value) else {
        return;
    };
    let judgement = judged(&call);
    let said = belay_journal::judgement_to_json(&judgement);
    let mut text = String::new();
    json::write(&said, &mut text);
    assert!(json::read(text.as_bytes()).is_ok(), "{text}");
}

/// Each agent reads it; what is answered is one JSON object or nothing, and nobody allows what cannot be read.
fn agents(bytes: &[u8]) {
    for agent in Agent::ALL.iter().copied() {
        let Ok(heard) = belay_agents::read(agent, bytes, &|_| None) else {
            let refused = belay_agents::refuse(Some(agent), "unreadable");
            let text = String::from_utf8_lossy(&refused.stdout).into_owned();
            assert!(!text.contains("\"allow\""), "{text}");
            continue;
        };
        if let Heard::Judge(asked) = &heard {
            let judgement = judged(&asked.call);
            let answer = belay_agents::answer(agent, &heard, &judgement);
            let whole = answer.stdout.is_empty() || json::read(&answer.stdout).is_ok();
            assert!(whole, "{}", String::from_utf8_lossy(&answer.stdout));
        }
    }
}

fn patches(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = verdict(&call("apply_patch", "input", &text));
    let harmful = format!("*** Begin Patch\n*** Add File: /home/me/.bashrc\n+x\n{text}");
    assert_ne!(
        verdict(&call("apply_patch", "input", &harmful)),
        Verdict::Allow,
        "{text:?}"
    );
}

/// No settings of a project lift the floor.
fn settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for source in [Source::User, Source::Managed] {
        let _ = belay_settings::load_texts(&[(source, "config.toml", &text)]);
    }
    floor_holds(&text);
}

/// No rule lifts the floor; prose is compiled whatever it says.
fn rules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = GATE.with(|it| belay_settings::compile(&text, &it.lexicon()));
    floor_holds(&text);
}

fn floor_holds(text: &str) {
    let loaded = belay_settings::load_texts(&[(Source::Project, ".belay.toml", text)]);
    let judgement =
        Gate::new(loaded.settings).judge_in(&call("Bash", "command", "rm -rf ~"), &Nowhere);
    assert_ne!(judgement.verdict, Verdict::Allow, "{text:?}");
}

/// Words of languages: the first byte of a text picks one.
pub const LANGUAGES: [&str; 20] = [
    "awk",
    "django",
    "duckdb",
    "ipython",
    "javascript",
    "jq",
    "lua",
    "mongodb",
    "mysql",
    "perl",
    "php",
    "postgresql",
    "python",
    "r",
    "ruby-on-rails",
    "ruby",
    "sed",
    "sql",
    "sqlite",
    "yq",
];

fn languages(bytes: &[u8]) {
    let Some((first, code)) = bytes.split_first() else {
        return;
    };
    let code = String::from_utf8_lossy(code);
    let picked = LANGUAGES.get(usize::from(*first) % LANGUAGES.len());
    let _ = belay_languages::read(picked.copied().unwrap_or("python"), &code);
    let _ = belay_languages::read_tool_calls(&code);
}

fn transcripts(bytes: &[u8]) {
    for agent in Agent::ALL.iter().copied() {
        let _ = belay_agents::transcript::turns(agent, bytes, 20);
    }
}

/// A reader passes over whatever is not a record, and says what is in doubt.
fn journal(bytes: &[u8]) {
    let folder = std::env::temp_dir().join(format!("belay-fuzz-{}", std::process::id()));
    let made = std::fs::create_dir_all(&folder);
    let day = folder.join("2026-01-02.jsonl");
    assert!(made.and_then(|()| std::fs::write(&day, bytes)).is_ok());
    let journal = Journal::new(folder.clone());
    let records = journal.newest().count();
    let lines = bytes.split(|it| *it == b'\n').count();
    assert!(records <= lines);
    let _ = (journal.answers().count(), journal.outcomes().count());
    let _ = (journal.verify(None), journal.rows(Moment(0)));
    let _ = std::fs::remove_dir_all(folder);
}

fn replies(bytes: &[u8]) {
    for provider in belay_classifier::Provider::all() {
        let _ = provider.reads(bytes);
    }
}
