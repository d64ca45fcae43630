//! `belay stats`: what the journal adds up to.

use std::path::PathBuf;

use belay_journal::{DaySum, Journal, Named, Spread, Sums, Tally, json};
use belay_model::Value;
use clap::Args;

use crate::chosen::Chosen;
use crate::out::{Failure, Out, one_line};

/// Arguments of `belay stats`.
#[derive(Args)]
pub struct StatsArgs {
    /// Print the sums as JSON.
    #[arg(long)]
    pub json: bool,
    /// Write one page with the same plots as `belay ui` to this file; it needs nothing else.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub html: Option<PathBuf>,
    /// Which records.
    #[command(flatten)]
    pub chosen: Chosen,
}

/// Sums up.
pub fn stats(args: &StatsArgs, journal: &Journal, out: &mut Out) -> Result<(), Failure> {
    let rows = args.chosen.rows(journal);
    let sums = Sums::of(&rows, |it| args.chosen.glances(&rows, it));
    if args.json {
        return out.line(json::compact(&to_json(&sums)));
    }
    if let Some(file) = &args.html {
        let since = match sums.days.first().zip(sums.days.last()) {
            Some((first, last)) => format!("From {} to {}.", first.date, last.date),
            None => String::new(),
        };
        let page = belay_page::self_contained("Trends", belay_page::trends(&sums, &since));
        std::fs::write(file, page)?;
        return out.line(format_args!("written to {}", file.display()));
    }
    out.bytes(told(&sums).as_bytes())
}

fn told(sums: &Sums) -> String {
    if sums.all.calls() == 0 {
        return "no records\n".to_owned();
    }
    let mut text = format!(
        "{:<28} {:>8} {:>8} {:>8}  allowed\n",
        "", "allow", "ask", "deny"
    );
    text.push_str(&line("all", &sums.all));
    let parts = [
        ("by layer", &sums.layers),
        ("by agent", &sums.agents),
        ("by project", &sums.projects),
        ("by tool", &sums.tools),
        ("by rule", &sums.rules),
    ];
    for (heading, named) in parts.into_iter().filter(|(_, it)| !it.is_empty()) {
        text.push_str(&format!("{heading}\n"));
        for it in named {
            text.push_str(&line(&shown(&it.name), &it.tally));
        }
    }
    text.push_str("by day\n");
    for day in &sums.days {
        text.push_str(&line(&day.date, &day.tally));
    }
    text.push_str(&in_words(sums));
    text
}

/// Paths are told apart by their ends.
fn shown(name: &str) -> String {
    let length = name.chars().count();
    match name.starts_with('/') && length > 26 {
        true => format!("…{}", name.chars().skip(length - 25).collect::<String>()),
        false => name.to_owned(),
    }
}

fn in_words(sums: &Sums) -> String {
    let all = &sums.all;
    let mut text = format!(
        "questions: {} ({} per 100 calls, {} per session), {} of them repeated; answers: {} yes, {} no\n",
        all.questions,
        tenths(all.questions_per_100()),
        tenths(sums.questions_per_session()),
        all.repeats,
        sums.yes,
        sums.no,
    );
    text.push_str(&format!(
        "verdicts took {} µs at the median, {} µs at the 99th percentile\n",
        sums.micros.half, sums.micros.late
    ));
    let kept = sums.layers.iter().find(|it| it.name == "keep");
    if let Some(kept) = kept.map(|it| it.tally.allow).filter(|it| *it > 0) {
        text.push_str(&format!(
            "for {kept} of the allowed calls belay kept a copy of the work instead of asking: `belay undo --list`\n"
        ));
    }
    if all.modelled > 0 {
        text.push_str(&format!(
            "a model was asked {} times: {} tokens in, {} out, {} dollars, {} ms at the median\n",
            all.modelled,
            all.input_tokens,
            all.output_tokens,
            dollars(all.micro_dollars),
            sums.model_millis.half,
        ));
    }
    text
}

/// Writes tenths as `3.5`.
pub fn tenths(tenths: u64) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Writes millionths of a dollar as dollars.
pub fn dollars(millionths: u64) -> String {
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

fn line(name: &str, tally: &Tally) -> String {
    let share = tally.allowed();
    let (whole, tenth) = (share / 10, share % 10);
    format!(
        "  {:<26} {:>8} {:>8} {:>8}  {whole:>3}.{tenth} %\n",
        one_line(name, 27),
        tally.allow,
        tally.ask,
        tally.deny,
    )
}

fn number(it: u64) -> Value {
    Value::Number(it.to_string())
}

fn object(members: &[(&str, Value)]) -> Value {
    let members = members.iter();
    Value::Object(
        members
            .map(|(name, it)| ((*name).to_owned(), it.clone()))
            .collect(),
    )
}

fn to_json(sums: &Sums) -> Value {
    let named = |all: &[Named]| {
        let member = |it: &Named| (it.name.clone(), tally(&it.tally));
        Value::Object(all.iter().map(member).collect())
    };
    let day = |it: &DaySum| {
        let mut whole = tally(&it.tally);
        if let Value::Object(members) = &mut whole {
            members.push(("micros".to_owned(), spread(it.micros)));
        }
        (it.date.clone(), whole)
    };
    object(&[
        ("all", tally(&sums.all)),
        ("sessions", number(sums.sessions)),
        (
            "questions_per_session",
            Value::Number(tenths(sums.questions_per_session())),
        ),
        (
            "answers",
            object(&[("yes", number(sums.yes)), ("no", number(sums.no))]),
        ),
        ("micros", spread(sums.micros)),
        ("model_millis", spread(sums.model_millis)),
        ("layer", named(&sums.layers)),
        ("agent", named(&sums.agents)),
        ("project", named(&sums.projects)),
        ("tool", named(&sums.tools)),
        ("rule", named(&sums.rules)),
        ("day", Value::Object(sums.days.iter().map(day).collect())),
        ("median_micros", number(sums.micros.half)),
    ])
}

fn spread(spread: Spread) -> Value {
    object(&[("p50", number(spread.half)), ("p99", number(spread.late))])
}

fn tally(tally: &Tally) -> Value {
    object(&[
        ("allow", number(tally.allow)),
        ("ask", number(tally.ask)),
        ("deny", number(tally.deny)),
        ("questions", number(tally.questions)),
        (
            "questions_per_100",
            Value::Number(tenths(tally.questions_per_100())),
        ),
        ("repeats", number(tally.repeats)),
        ("modelled", number(tally.modelled)),
        ("input_tokens", number(tally.input_tokens)),
        ("output_tokens", number(tally.output_tokens)),
        ("usd", Value::Number(dollars(tally.micro_dollars))),
    ])
}
