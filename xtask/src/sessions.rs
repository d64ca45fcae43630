//! Plays written sessions through the hook, the person answering, and counts what they were asked.
//!
//! INVARIANT: every call goes through the real program, in a project on disk; what ran is remembered as an agent
//! would tell it, and who answered stands where the agent writes it down.

mod script;
mod stage;
mod templates;

use std::collections::BTreeSet;
use std::path::Path;

use script::{Person, Script};
use serde_json::Value;
use stage::Stage;

use crate::Outcome;
use crate::figures::{self, Questions};
use crate::run::{build, root, target};

/// What to do with what was counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Print it.
    Print,
    /// Print it, and fail when more is asked than the committed figures say.
    Check,
}

/// Which sessions are played, and what is told of them.
pub struct Choice<'a> {
    /// A part of their names; all of them where there is none.
    only: Option<&'a str>,
    prints: bool,
}

impl Choice<'_> {
    /// All of them, in silence.
    pub const QUIETLY_ALL: Self = Self {
        only: None,
        prints: false,
    };
}

/// What a session asked.
#[derive(Default)]
struct Count {
    calls: usize,
    asked: Vec<Asked>,
    denied: Vec<Asked>,
    repeats: usize,
    /// Questions after which the person typed the command that was offered.
    typed: usize,
}

/// One question.
struct Asked {
    /// The rule and what it said: two questions alike have the same.
    about: String,
    call: String,
    /// All that the call does.
    effects: String,
}

/// Plays all sessions and prints what was asked.
pub fn run(job: Job) -> Outcome {
    let all = Choice {
        only: None,
        prints: true,
    };
    let questions = measured(&all)?;
    match job {
        Job::Print => Ok(()),
        Job::Check => questions.hold_against(&figures::committed()?.sessions),
    }
}

/// Plays the sessions with that in their names and prints what was asked.
pub fn run_only(name: &str) -> Outcome {
    let one = Choice {
        only: Some(name),
        prints: true,
    };
    measured(&one).map(drop)
}

/// Plays sessions and returns what was asked.
pub fn measured(choice: &Choice<'_>) -> Outcome<Questions> {
    build(&["belay-cli"])?;
    let belay = target().join("debug/belay");
    let mut sum = Count::default();
    let mut scripts = scripts()?;
    scripts.retain(|(name, _)| choice.only.is_none_or(|it| name.contains(it)));
    for (name, script) in &scripts {
        let count = played(&belay, script).map_err(|why| format!("{name}: {why}"))?;
        if choice.prints {
            print(name, script, &count);
        }
        sum.calls += count.calls;
        sum.repeats += count.repeats;
        sum.typed += count.typed;
        sum.asked.extend(count.asked);
        sum.denied.extend(count.denied);
    }
    let questions = Questions {
        sessions: scripts.len(),
        calls: sum.calls,
        questions: sum.asked.len(),
        repeats: sum.repeats,
        denied: sum.denied.len(),
    };
    println!("{questions}");
    if choice.prints {
        println!(
            "{} of them the person ended with the `belay allow` that was offered, where the agent does not say who answered",
            sum.typed
        );
    }
    Ok(questions)
}

fn print(name: &str, script: &Script, count: &Count) {
    println!(
        "{name}: {}, {} calls, {} questions, {} repeated, {} denied",
        script.agent,
        count.calls,
        count.asked.len(),
        count.repeats,
        count.denied.len()
    );
    for asked in &count.asked {
        println!("    ask  {}\n         {}", asked.call, asked.about);
        println!("         {}", asked.effects);
    }
    for denied in &count.denied {
        println!("    deny {}\n         {}", denied.call, denied.about);
    }
}

fn scripts() -> Outcome<Vec<(String, Script)>> {
    let folder = root().join("corpus/sessions");
    let fault = |why: std::io::Error| format!("`corpus/sessions`: {why}");
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(fault)? {
        paths.push(entry.map_err(fault)?.path());
    }
    paths.sort();
    let read = |path: &Path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(path).map_err(fault)?;
        let script = Script::read(&text).map_err(|why| format!("{name}: {why}"))?;
        Ok((name.into_owned(), script))
    };
    paths.iter().map(|it| read(it)).collect()
}

fn played(belay: &Path, script: &Script) -> Outcome<Count> {
    let stage = Stage::new(belay, script)?;
    let (mut answers, mut typed) = (Vec::new(), 0);
    for (turn, prompt) in script.prompts.iter().enumerate() {
        stage.types(turn, &prompt.words)?;
        for call in &prompt.calls {
            if let Some(question) = stage.put(turn, call)? {
                let yes = match script.person {
                    Person::Yes => true,
                    Person::No => false,
                    Person::Mixed => answers.len() % 3 != 2,
                };
                answers.push(Answer { turn, yes });
                stage.answer(turn, call, yes)?;
                typed += usize::from(yes && stage.allow(&question)?);
            }
        }
    }
    let mut count = counted(&stage.records()?, &answers)?;
    count.typed = typed;
    Ok(count)
}

/// What the person said to a question, and after which prompt.
#[derive(Clone, Copy)]
struct Answer {
    turn: usize,
    yes: bool,
}

/// Counts what was asked. A question repeats one that was answered with yes in the same session, about the same by the
/// same rule; a no holds for the very same call until the person says something else, so asking that again repeats it too.
fn counted(records: &[Value], answers: &[Answer]) -> Outcome<Count> {
    let mut count = Count::default();
    let mut answered = BTreeSet::new();
    for record in records {
        let text = |path: &str| record.pointer(path).and_then(Value::as_str);
        let Some(verdict) = text("/judgement/verdict") else {
            continue;
        };
        count.calls += 1;
        let call = record.pointer("/call/input").map(Value::to_string);
        let reason = text("/judgement/reason").unwrap_or_default();
        let asked = Asked {
            about: format!("{}: {reason}", text("/judgement/rule").unwrap_or_default()),
            call: call.unwrap_or_default().chars().take(160).collect(),
            effects: effects(record),
        };
        match verdict {
            "ask" => {
                let answer = answers.get(count.asked.len());
                let answer = *answer.ok_or("a question that nobody answered")?;
                let refused = format!("{} {}", answer.turn, asked.call);
                if answered.contains(&asked.about) || answered.contains(&refused) {
                    count.repeats += 1;
                }
                answered.insert(match answer.yes {
                    true => asked.about.clone(),
                    false => refused,
                });
                count.asked.push(asked);
            }
            "deny" => count.denied.push(asked),
            _ => {}
        }
    }
    match count.calls {
        0 => Err("no call was judged".to_owned()),
        _ => Ok(count),
    }
}

fn effects(record: &Value) -> String {
    let effects = record
        .pointer("/judgement/effects")
        .and_then(Value::as_array);
    let effects = effects.into_iter().flatten().filter_map(Value::as_str);
    effects.collect::<Vec<_>>().join(" \u{b7} ")
}
