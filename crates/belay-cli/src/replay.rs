//! `belay replay`: judges recorded calls anew, in the world as it was recorded.

use belay_journal::{Record, Rows, Sums, json, judgement_to_json, subject};
use belay_model::{Judgement, Value};
use belay_page::Turned;
use belay_surroundings::{Record as Answers, Replay};

use crate::args::ReplayArgs;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless, one_line};
use crate::progress::Progress;

/// Lists the calls that would get a different verdict today.
pub fn replay(args: &ReplayArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_static(&args.standing, Recording::NotKept)?;
    let journal = judging.journal()?;
    let mut chosen: Vec<Record> = args.chosen.newest(&journal).take(args.number).collect();
    chosen.reverse();
    let all = chosen.len();
    let mut progress = Progress::of(all);
    let mut turned: Vec<Turned> = Vec::new();
    for record in &mut chosen {
        let now = anew(record, &judging);
        progress.step();
        if now.verdict != record.judgement.verdict {
            turned.push(turn(record, &now));
            if args.html.is_none() {
                progress.clear();
                match args.json {
                    true => json_line(record, &now, out)?,
                    false => show(record, &now, out)?,
                }
            }
        }
        record.judgement = now;
    }
    progress.clear();
    let changed = turned.len();
    if let Some(file) = &args.html {
        std::fs::write(file, page(chosen, &turned))?;
        out.line(format_args!("written to {}", file.display()))?;
    }
    if !args.json {
        out.line(format_args!(
            "{changed} of {all} would get a different verdict today"
        ))?;
    }
    Ok(if changed > 0 && args.strict {
        Exit::Failed
    } else {
        Exit::Done
    })
}

fn turn(record: &Record, now: &Judgement) -> Turned {
    let at = record.at.stamp().replace('T', " ");
    Turned {
        at: at.get(..16).unwrap_or(&at).to_owned(),
        what: format!("{}: {}", record.call.tool, subject(&record.call)),
        then: record.judgement.verdict,
        now: now.verdict,
        because: now.reason.because.clone(),
    }
}

/// Returns one page of all that was judged again.
fn page(judged: Vec<Record>, turned: &[Turned]) -> String {
    let rows = Rows::of_records(judged.into_iter());
    let sums = Sums::of(&rows, |_| true);
    belay_page::self_contained("Replay", belay_page::replayed(&sums, turned))
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
