//! `belay test`: runs the tests and examples that the settings carry.

use std::collections::BTreeSet;

use autobelay::{Knowledge, Nowhere};
use belay_journal::json;
use belay_model::{Call, Judgement, Verdict};
use belay_settings::{Settings, TestCall};

use crate::args::TestArgs;
use crate::check::command_input;
use crate::exit::Exit;
use crate::judging::Judging;
use crate::knowing::played;
use crate::out::{Failure, Out, harmless};
use crate::places::Here;

/// One claim of the settings.
struct Claim {
    call: Call,
    shown: String,
    verdict: Verdict,
    origin: String,
}

/// Judges every claim; ends with 1 when one does not hold.
pub fn test(args: &TestArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_unproven(&args.standing, args.file.as_deref())?;
    let claims = claims(judging.settings())?;
    let mut wrong = 0;
    for claim in &claims {
        let judgement = judging.judge(&judging.completed(claim.call.clone()))?;
        if judgement.verdict != claim.verdict {
            wrong += 1;
            out.line(harmless(&fault(claim, &judgement)))?;
        }
    }
    let knowledge = knowledge()?;
    let taught = taught(&knowledge, &judging);
    for fault in &taught.wrong {
        wrong += 1;
        out.line(harmless(fault))?;
    }
    let all = claims.len() + taught.count;
    out.line(format_args!("{} of {all} pass", all - wrong))?;
    Ok(if wrong == 0 { Exit::Done } else { Exit::Failed })
}

/// Counts the claims of settings that hold, and all of them.
pub fn held(
    settings: &Settings,
    judge: &dyn Fn(Call) -> Verdict,
) -> Result<(usize, usize), Failure> {
    let claims = claims(settings)?;
    let all = claims.len();
    let holds = |it: &Claim| judge(it.call.clone()) == it.verdict;
    Ok((claims.iter().filter(|it| holds(it)).count(), all))
}

fn knowledge() -> Result<Knowledge, Failure> {
    let loaded = Here::at(None)?.knowledge();
    loaded.map_err(|why| Failure::Said(why.to_string().replacen("error: ", "", 1)))
}

/// What the examples of the user's own knowledge come to.
#[derive(Default)]
struct Taught {
    count: usize,
    wrong: Vec<String>,
}

/// Looks at every example of a command that the user's files teach, where nothing is known of the world.
fn taught(knowledge: &Knowledge, judging: &Judging) -> Taught {
    let mut taught = Taught::default();
    let examples = knowledge.examples().iter();
    for example in examples.filter(|it| !it.file.contains("/tools/")) {
        let call = played(&example.command);
        let sight = judging.look_in(&call, &Nowhere);
        let found: BTreeSet<String> = sight
            .findings
            .iter()
            .map(|it| it.effect.to_string())
            .collect();
        let wanted: BTreeSet<String> = example.effects.iter().cloned().collect();
        taught.count += 1;
        if found != wanted {
            taught.wrong.push(format!(
                "error: `{}` does {found:?}, not {wanted:?}\n  --> {}:{}",
                example.command, example.file, example.line
            ));
        }
    }
    taught
}

fn claims(settings: &Settings) -> Result<Vec<Claim>, Failure> {
    let mut claims = Vec::new();
    for test in &settings.tests {
        let (mut call, shown) = call(&test.call)?;
        call.headless = test.headless;
        claims.push(Claim {
            call,
            shown,
            verdict: test.verdict,
            origin: test.origin.to_string(),
        });
    }
    for example in settings.exact.iter().flat_map(|it| &it.examples) {
        let (call, shown) = call(&TestCall::Command(example.line.text.clone()))?;
        let origin = example.line.origin.to_string();
        claims.push(Claim {
            call,
            shown,
            verdict: example.verdict,
            origin,
        });
    }
    Ok(claims)
}

fn call(test: &TestCall) -> Result<(Call, String), Failure> {
    let (tool, input, shown) = match test {
        TestCall::Command(command) => ("Bash", command_input(command), command.clone()),
        TestCall::Tool { tool, input } => {
            let value = json::read(input.as_bytes())
                .map_err(|why| Failure::Said(format!("the input of a test is {why}")))?;
            (tool.as_str(), value, format!("{tool} {input}"))
        }
    };
    let call = Call {
        tool: tool.to_owned(),
        input,
        ..Call::default()
    };
    Ok((call, shown))
}

fn fault(claim: &Claim, judgement: &Judgement) -> String {
    format!(
        "error: `{}` is {}, not {}\n  --> {}\nbecause: {}",
        claim.shown, judgement.verdict, claim.verdict, claim.origin, judgement.reason.because
    )
}
