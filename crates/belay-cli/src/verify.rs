//! `belay log verify`: what in the journal is not as it was written.

use belay_journal::{Day, Doubt, Journal, json};
use belay_model::Value;
use clap::Args;

use crate::exit::Exit;
use crate::out::{Failure, Out};

/// Arguments of `belay log verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// A link that was printed earlier: is everything up to it as it was?
    #[arg(long, value_name = "LINK")]
    pub noted: Option<String>,
    /// Print the days as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Checks the chain of every day; ends with 1 when something is in doubt.
pub fn verify(args: &VerifyArgs, journal: &Journal, out: &mut Out) -> Result<Exit, Failure> {
    let noted = args.noted.as_deref();
    let days = journal.verify(noted)?;
    if args.json {
        let days = days.iter().map(to_json).collect();
        out.line(json::compact(&Value::Array(days)))?;
    } else {
        for day in &days {
            told(day, out)?;
        }
        sum_up(&days, out)?;
    }
    let holds = noted.is_none() || days.iter().any(|it| it.holds_noted);
    if let (Some(noted), false) = (noted, args.json) {
        out.line(match holds {
            true => {
                format!("the link {noted} is there, and everything before it that day is as it was")
            }
            false => format!("the link {noted} is not there, or something before it was changed"),
        })?;
    }
    let whole = days.iter().all(|it| it.doubts.is_empty());
    Ok(if whole && holds {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn told(day: &Day, out: &mut Out) -> Result<(), Failure> {
    let lines = match day.lines {
        1 => "1 line".to_owned(),
        many => format!("{many} lines"),
    };
    let old = match day.unchained {
        0 => String::new(),
        some => format!(", {some} of them from before lines were chained"),
    };
    let end = match &day.link {
        Some(link) => format!(", last link {link}"),
        None => String::new(),
    };
    out.line(format_args!("{}  {lines}{old}{end}", day.date))?;
    for doubt in &day.doubts {
        out.line(format_args!("            {}", said(doubt)))?;
    }
    Ok(())
}

fn said(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Gap(from, to) if from == to => format!("number {from} is missing"),
        Doubt::Gap(from, to) => format!("numbers {from} to {to} are missing"),
        Doubt::Changed(number) => format!("number {number} was changed, or put in"),
        Doubt::OutOfOrder(number) => {
            format!("number {number} does not come after the line before it")
        }
        Doubt::Unlinked(number) => format!("number {number} has no link to the line before it"),
        Doubt::Unreadable(place) => format!("line {place} is no record, or half of one"),
    }
}

/// Says what was found, and what this cannot show.
fn sum_up(days: &[Day], out: &mut Out) -> Result<(), Failure> {
    let doubts: usize = days.iter().map(|it| it.doubts.len()).sum();
    out.line(match doubts {
        0 => "nothing was changed, as far as the chain tells".to_owned(),
        1 => "1 thing is not as it was written".to_owned(),
        many => format!("{many} things are not as they were written"),
    })?;
    out.line("anyone with your rights can rebuild the whole chain or cut the end of the last day; a hash that you kept somewhere else reveals both")
}

fn to_json(day: &Day) -> Value {
    let number = |it: u64| Value::Number(it.to_string());
    let maybe = |it: Option<u64>| it.map_or(Value::Null, number);
    let doubts = day.doubts.iter().map(|it| Value::from(said(it).as_str()));
    let members = [
        ("day", Value::from(day.date.as_str())),
        ("lines", number(day.lines)),
        ("unchained", number(day.unchained)),
        ("from", maybe(day.first)),
        ("to", maybe(day.last)),
        ("link", day.link.as_deref().map_or(Value::Null, Value::from)),
        ("doubts", Value::Array(doubts.collect())),
    ];
    Value::Object(members.map(|(name, it)| (name.to_owned(), it)).to_vec())
}
