//! `belay log` and `belay why`: what the journal says.

use std::time::Duration;

use belay_journal::{Journal, Record, subject};
use belay_model::Verdict;

use crate::chosen::Chosen;
use crate::exit::Exit;
use crate::export::ExportArgs;
use crate::out::{Failure, Out, Paint, harmless, one_line};
use crate::verify::VerifyArgs;
use crate::{export, verify};
use clap::{Args, Subcommand};

/// Arguments of `belay log`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LogArgs {
    /// Something other than listing.
    #[command(subcommand)]
    pub job: Option<LogJob>,
    /// How many.
    #[arg(short = 'n', long, default_value_t = 20)]
    pub number: usize,
    /// Print the records as JSON lines.
    #[arg(long)]
    pub json: bool,
    /// Wait for more, and print each as it comes; ends with Ctrl-C.
    #[arg(short = 'f', long)]
    pub follow: bool,
    /// Which.
    #[command(flatten)]
    pub chosen: Chosen,
}

/// What else can be done with the journal.
#[derive(Subcommand)]
pub enum LogJob {
    /// Look for lines that were changed, taken out or put in; ends with 1 when there are any.
    #[command(
        after_help = "Each line holds a hash of itself and of the line before. Anyone who can write your files can also recompute them:\nkeep the last hash somewhere else, and `--noted LINK` checks that nothing before it has changed."
    )]
    Verify(VerifyArgs),
    /// Print all records, the oldest first, for other programs.
    #[command(
        after_help = "  belay log export --format csv --since 7d > week.csv\n  belay log export | jq -r 'select(.judgement.verdict==\"ask\") | .judgement.rule' | sort | uniq -c"
    )]
    Export(ExportArgs),
}

/// Arguments of `belay why`.
#[derive(Args)]
pub struct WhyArgs {
    /// The record's name or its beginning, or the call's own id.
    pub id: Option<String>,
    /// Print the record as JSON.
    #[arg(long)]
    pub json: bool,
}

/// How often the journal is looked at for more.
const FOLLOWED: Duration = Duration::from_millis(300);

/// Lists records, or does another job with the journal.
pub fn log(args: &LogArgs, journal: &Journal, out: &mut Out) -> Result<Exit, Failure> {
    match &args.job {
        Some(LogJob::Verify(args)) => verify::verify(args, journal, out),
        Some(LogJob::Export(args)) => export::export(args, journal, out).map(|()| Exit::Done),
        None => list(args, journal, out).map(|()| Exit::Done),
    }
}

/// Lists records, oldest of the chosen first, so that the newest is nearest the prompt.
fn list(args: &LogArgs, journal: &Journal, out: &mut Out) -> Result<(), Failure> {
    let mut chosen: Vec<Record> = args.chosen.newest(journal).take(args.number).collect();
    chosen.reverse();
    for record in &chosen {
        if args.json {
            out.bytes(record.line().as_bytes())?;
        } else {
            let line = log_line(record, out.paint());
            out.line(line)?;
        }
    }
    match args.follow {
        true => follow(args, journal, out),
        false => Ok(()),
    }
}

/// Prints records as they come, until nobody listens or the person has seen enough.
fn follow(args: &LogArgs, journal: &Journal, out: &mut Out) -> Result<(), Failure> {
    let mut last = journal.newest().next().map(|it| it.id);
    loop {
        out.flush()?;
        std::thread::sleep(FOLLOWED);
        let new = journal
            .newest()
            .take_while(|it| Some(&it.id) != last.as_ref());
        let mut new: Vec<Record> = new.collect();
        last = new.first().map(|it| it.id.clone()).or(last);
        new.reverse();
        for record in new.iter().filter(|it| args.chosen.wants(it)) {
            let line = match args.json {
                true => record.line().trim_end().to_owned(),
                false => log_line(record, out.paint()),
            };
            out.line(line)?;
        }
    }
}

fn log_line(record: &Record, paint: Paint) -> String {
    let verdict = record.judgement.verdict;
    let word = paint.as_verdict(verdict, &format!("{:<5}", verdict.word()));
    let time = record.at.stamp().replace('T', " ");
    let time = time.get(..19).unwrap_or(&time).to_owned();
    let agent = record.call.agent.as_deref().unwrap_or("-");
    let subject = one_line(&subject(&record.call), 72);
    let because = match verdict {
        Verdict::Allow => kept(record).map_or(String::new(), |id| {
            format!("  {}", paint.dim(&format!("kept as {id}: belay undo {id}")))
        }),
        Verdict::Ask | Verdict::Deny => {
            format!(
                "  {}",
                paint.dim(&one_line(&record.judgement.reason.because, 100))
            )
        }
    };
    format!(
        "{} {} {word} {agent} {}: {subject}{because}",
        paint.dim(&time),
        record.short(),
        record.call.tool
    )
}

/// Returns the name of what was kept before a call ran.
fn kept(record: &Record) -> Option<&str> {
    let rule = record.judgement.reason.rule.as_deref()?;
    rule.strip_prefix("kept ")
}

/// Explains one record: the one named, else the newest that was not allowed.
pub fn why(args: &WhyArgs, journal: &Journal, out: &mut Out) -> Result<(), Failure> {
    let mut records = journal.newest();
    let found = match &args.id {
        Some(id) => records.find(|it| it.is_named(id)),
        None => records.find(|it| it.judgement.verdict != Verdict::Allow),
    };
    let Some(record) = found else {
        return Err(Failure::Said(match &args.id {
            Some(id) => {
                format!("there is no record `{id}`\nhint: `belay log` shows the ids")
            }
            None => {
                "nothing has been asked or denied yet\nhint: `belay log` shows what was allowed"
                    .to_owned()
            }
        }));
    };
    if args.json {
        return out.bytes(record.line().as_bytes());
    }
    let mut text = told(&record, out.paint());
    let answers = journal.answers().take_while(|it| it.at >= record.at);
    for answered in answers.filter(|it| it.of == record.id) {
        let learned = answered.learned.iter().map(|it| format!("; {it}"));
        let line = format!(
            "the user said {}{}",
            answered.said,
            learned.collect::<String>()
        );
        text.push_str(&format!("{:<8} {}\n", "answer", harmless(&line)));
    }
    let ended = journal.outcomes().take_while(|it| it.at >= record.at);
    let mut ended = ended.filter(|it| {
        Some(&it.session) == record.call.session.as_ref()
            && Some(&it.call) == record.call.id.as_ref()
    });
    if let Some(outcome) = ended.next() {
        text.push_str(&format!("{:<8} {}\n", "outcome", harmless(&outcome.what)));
    }
    out.bytes(text.as_bytes())
}

fn told(record: &Record, paint: Paint) -> String {
    let judgement = &record.judgement;
    let mut text = format!(
        "{}  {} {}  {}\n\n",
        paint.verdict(judgement.verdict),
        record.call.agent.as_deref().unwrap_or("-"),
        record.call.tool,
        paint.dim(&record.at.stamp()),
    );
    for line in harmless(&subject(&record.call)).lines() {
        text.push_str(&format!("    {line}\n"));
    }
    text.push('\n');
    let mut part =
        |name: &str, said: &str| text.push_str(&format!("{:<8} {}\n", name, harmless(said)));
    part("because", &judgement.reason.because);
    judgement
        .reason
        .instead
        .iter()
        .for_each(|it| part("instead", it));
    judgement.reason.rule.iter().for_each(|it| part("rule", it));
    part("risk", &judgement.risk.to_string());
    part("layer", judgement.layer.word());
    judgement
        .effects
        .iter()
        .for_each(|it| part("effect", &it.to_string()));
    judgement
        .troubles
        .iter()
        .for_each(|it| part("trouble", &it.to_string()));
    judgement
        .trail
        .iter()
        .for_each(|it| part("trail", &format!("{}: {}", it.layer, it.said)));
    for pair in record.answers.chunks(2) {
        part("looked", &pair.join(" → ").replace('\t', " "));
    }
    let number = record
        .number
        .map_or(String::new(), |it| format!(", number {it}"));
    let told = if record.enforced {
        ""
    } else {
        ", only observed"
    };
    part(
        "record",
        &format!("{} ({}){number}{told}", record.short(), record.id),
    );
    text
}
