//! `belay replay`: judges recorded calls anew, in the world as it was recorded.

use belay_journal::{Record, json, judgement_to_json, subject};
use belay_model::{Judgement, Value};
use belay_surroundings::{Record as Answers, Replay};

use crate::args::ReplayArgs;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless, one_line};

/// Lists the calls whose verdict would be another today.
pub fn replay(args: &ReplayArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_static(&args.standing, Recording::NotKept)?;
    let journal = judging.journal()?;
    let mut chosen: Vec<Record> = journal
        .newest()
        .filter(|it| args.chosen.wants(it))
        .take(args.number)
        .collect();
    chosen.reverse();
    let mut changed = 0;
    for record in &chosen {
        let now = anew(record, &judging);
        if now.verdict != record.judgement.verdict {
            changed += 1;
            if args.json {
                json_line(record, &now, out)?;
            } else {
                show(record, &now, out)?;
            };
        }
    }
    if !args.json {
        out.line(format_args!(
            "{changed} of {} would be another verdict today",
            chosen.len()
        ))?;
    }
    Ok(if changed > 0 && args.strict {
        Exit::Failed
    } else {
        Exit::Done
    })
}

/// Judges with the answers of then; what was not asked then is not known now.
fn anew(record: &Record, judging: &Judging) -> Judgement {
    let answers = Answers::from_lines(&record.answers).unwrap_or_default();
    judging.judge_again(record, &Replay::new(answers))
}

fn json_line(record: &Record, now: &Judgement, out: &mut Out) -> Result<(), Failure> {
    let members = [
        ("record", Value::from(record.id.as_str())),
        ("then", Value::from(record.judgement.verdict.word())),
        ("now", judgement_to_json(now)),
    ];
    let members = members.map(|(name, it)| (name.to_owned(), it)).to_vec();
    out.line(json::compact(&Value::Object(members)))
}

fn show(record: &Record, now: &Judgement, out: &mut Out) -> Result<(), Failure> {
    let paint = out.paint();
    out.line(format_args!(
        "{} -> {}  {}",
        paint.verdict(record.judgement.verdict),
        paint.verdict(now.verdict),
        one_line(&subject(&record.call), 100),
    ))?;
    out.line(format_args!("    {}", harmless(&now.reason.because)))
}
