//! `belay log export`: records for other programs.

use belay_journal::{Journal, Record, subject};
use belay_model::Value;
use clap::Args;

use crate::chosen::Chosen;
use crate::out::{Failure, Out};
use crate::progress::Progress;

/// Arguments of `belay log export`.
#[derive(Args)]
pub struct ExportArgs {
    /// JSON lines with everything, or a table with the columns that are mostly wanted.
    #[arg(long, value_enum, default_value = "jsonl")]
    pub format: Format,
    /// Which records.
    #[command(flatten)]
    pub chosen: Chosen,
}

/// The form of an export.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Format {
    /// One record a line, as JSON.
    Jsonl,
    /// Comma separated values with a line of names.
    Csv,
}

/// The columns of the table.
const COLUMNS: [&str; 18] = [
    "number",
    "id",
    "at",
    "agent",
    "session",
    "project",
    "tool",
    "subject",
    "verdict",
    "layer",
    "rule",
    "risk",
    "reason",
    "enforced",
    "micros",
    "input_tokens",
    "output_tokens",
    "usd",
];

/// Prints all chosen records, the oldest first; secrets are redacted, however they are kept.
pub fn export(args: &ExportArgs, journal: &Journal, out: &mut Out) -> Result<(), Failure> {
    // The oldest come last out of the journal, and a program wants them first.
    let mut chosen: Vec<String> = Vec::new();
    let mut progress = Progress::counting();
    for record in args.chosen.newest(journal) {
        progress.step();
        chosen.push(match args.format {
            Format::Jsonl => record.line(),
            Format::Csv => row(&record),
        });
    }
    progress.clear();
    if let Format::Csv = args.format {
        out.line(COLUMNS.join(","))?;
    }
    chosen
        .iter()
        .rev()
        .try_for_each(|it| out.bytes(it.as_bytes()))
}

fn row(record: &Record) -> String {
    let call = &record.call;
    let judgement = &record.judgement;
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    let project = call.project_roots.first().unwrap_or(&call.cwd);
    let model = |name: &str| match record.model.as_ref().and_then(|it| it.get(name)) {
        Some(Value::Number(number)) => number.clone(),
        Some(
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
        )
        | None => String::new(),
    };
    let cells: [String; COLUMNS.len()] = [
        record.number.map_or(String::new(), |it| it.to_string()),
        record.id.clone(),
        record.at.stamp(),
        text(&call.agent),
        text(&call.session),
        project.clone(),
        call.tool.clone(),
        belay_secrets::redact(&subject(call)).to_string(),
        judgement.verdict.word().to_owned(),
        judgement.layer.word().to_owned(),
        text(&judgement.reason.rule),
        judgement.risk.number().to_string(),
        belay_secrets::redact(&judgement.reason.because).to_string(),
        record.enforced.to_string(),
        judgement.micros.to_string(),
        model("input_tokens"),
        model("output_tokens"),
        model("usd"),
    ];
    let mut row = cells.map(|it| cell(&it)).join(",");
    row.push_str("\r\n");
    row
}

/// Quotes what needs it (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe.
fn cell(text: &str) -> String {
    let formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = match formula {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_one_cell_and_no_formula() {
        assert_eq!(cell("ls -l"), "ls -l");
        assert_eq!(cell("a,\"b\"\nc"), "\"a,\"\"b\"\"\nc\"");
        assert_eq!(cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(cell("-1.5"), "-1.5");
    }
}
