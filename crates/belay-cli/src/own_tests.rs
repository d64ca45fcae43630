//! `belay test`: runs the tests and examples that the settings carry.

use belay_journal::json;
use belay_model::{Call, Judgement, Verdict};
use belay_settings::{Settings, TestCall};

use crate::args::TestArgs;
use crate::check::command_input;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless};

/// One claim of the settings.
struct Claim {
    call: Call,
    shown: String,
    verdict: Verdict,
    origin: String,
}

/// Judges every claim; ends with 1 when one does not hold.
pub fn test(args: &TestArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_static(&args.standing, Recording::NotKept)?;
    let claims = claims(judging.settings())?;
    let mut wrong = 0;
    for claim in &claims {
        let judgement = judging.judge(&judging.completed(claim.call.clone()))?;
        if judgement.verdict != claim.verdict {
            wrong += 1;
            out.line(harmless(&fault(claim, &judgement)))?;
        }
    }
    out.line(format_args!(
        "{} of {} hold",
        claims.len() - wrong,
        claims.len()
    ))?;
    Ok(if wrong == 0 { Exit::Done } else { Exit::Failed })
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
