//! `belay fleet diff`: what another bundle would have changed over the recorded calls.

use std::fs;
use std::path::{Path, PathBuf};

use belay_bundle::{Bundle, Stage, read};
use belay_journal::{Record, json, judgement_to_json, subject};
use belay_model::{Judgement, Value};
use belay_settings::{Settings, fleet};
use belay_surroundings::{Record as Answers, Replay};
use clap::Args;

use crate::args::Standing;
use crate::exit::Exit;
use crate::judging::Judging;
use crate::out::{Failure, Out, harmless, one_line};

/// Arguments of `belay fleet diff`.
#[derive(Args)]
pub struct DiffArgs {
    /// One bundle, to compare with none; or two, the old one first.
    #[arg(value_name = "BUNDLE", required = true, num_args = 1..=2)]
    pub files: Vec<PathBuf>,
    /// From where, and how.
    #[command(flatten)]
    pub standing: Standing,
    /// How many records, the newest.
    #[arg(short = 'n', long, default_value_t = 1000)]
    pub number: usize,
    /// Judge as if every rule set were enforced.
    #[arg(long)]
    pub enforced: bool,
    /// Print the changes as JSON lines.
    #[arg(long)]
    pub json: bool,
}

/// Judges recorded calls under both bundles, and lists those whose verdicts differ.
pub fn diff(args: &DiffArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_without_bundle(&args.standing)?;
    let under = |file: &PathBuf| -> Result<Settings, Failure> {
        Ok(fleet::with(
            judging.settings(),
            &bundle(file, args.enforced)?,
        ))
    };
    let (old, new) = match args.files.as_slice() {
        [old, new, ..] => (under(old)?, under(new)?),
        [new] => (judging.settings().clone(), under(new)?),
        [] => return Err(Failure::said("name a bundle")),
    };
    let mut records: Vec<Record> = judging.journal()?.newest().take(args.number).collect();
    records.reverse();
    let mut changed = 0;
    for record in &records {
        let answers = Answers::from_lines(&record.answers).unwrap_or_default();
        let world = Replay::new(answers);
        let judged = |settings| judging.judge_again_by(settings, record, &world);
        let turn = Turn {
            record,
            old: judged(&old),
            new: judged(&new),
        };
        if turn.old.verdict != turn.new.verdict {
            changed += 1;
            match args.json {
                true => out.line(json::compact(&turn.to_json()))?,
                false => turn.show(out)?,
            }
        }
    }
    if !args.json {
        let all = records.len();
        out.line(format_args!(
            "{changed} of {all} recorded calls would get a different verdict"
        ))?;
    }
    Ok(Exit::Done)
}

fn bundle(file: &Path, enforced: bool) -> Result<Bundle, Failure> {
    let failed = |why: &dyn std::fmt::Display| {
        Failure::said(format_args!("cannot use `{}`: {why}", file.display()))
    };
    let bytes = fs::read(file).map_err(|it| failed(&it))?;
    let mut bundle = read(&bytes).map_err(|it| failed(&it))?;
    if enforced {
        bundle
            .sets
            .iter_mut()
            .for_each(|it| it.stage = Stage::Enforce);
    }
    Ok(bundle)
}

/// A call and what two bundles say of it.
struct Turn<'a> {
    record: &'a Record,
    old: Judgement,
    new: Judgement,
}

impl Turn<'_> {
    fn to_json(&self) -> Value {
        let members = [
            ("record", Value::from(self.record.id.as_str())),
            ("old", judgement_to_json(&self.old)),
            ("new", judgement_to_json(&self.new)),
        ];
        Value::Object(members.map(|(name, it)| (name.to_owned(), it)).to_vec())
    }

    fn show(&self, out: &mut Out) -> Result<(), Failure> {
        let paint = out.paint();
        out.line(format_args!(
            "{} -> {}  {}",
            paint.verdict(self.old.verdict),
            paint.verdict(self.new.verdict),
            one_line(&subject(&self.record.call), 100),
        ))?;
        out.line(format_args!("    {}", harmless(&self.new.reason.because)))
    }
}
