//! `belay rules lint` and `belay rules suggest`: rules that are hardly meant, and rules that would
//! settle what keeps being asked.

use std::collections::BTreeMap;

use autobelay::OurLexicon;
use belay_journal::Record;
use belay_model::Verdict;
use belay_settings::lint::lint;
use belay_settings::suggest::{Asked, suggest};
use belay_surroundings::{Record as Answers, Replay};

use clap::Args;

use crate::args::Standing;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless};

/// How many records are looked at.
const LATELY: usize = 10_000;

/// Arguments of `belay rules lint`.
#[derive(Args)]
pub struct LintArgs {
    /// From where.
    #[command(flatten)]
    pub standing: Standing,
}

/// Arguments of `belay rules suggest`.
#[derive(Args)]
pub struct SuggestArgs {
    /// From where.
    #[command(flatten)]
    pub standing: Standing,
    /// How often something must have been asked.
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub least: u32,
}

/// Lists odd lines of the settings; ends with 1 when there are any.
pub fn lint_rules(args: &LintArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open(&args.standing, Recording::NotKept)?;
    let found = lint(judging.settings(), &OurLexicon);
    for finding in &found {
        out.line(harmless(&format!("{finding}\n  --> {}", finding.origin)))?;
    }
    Ok(if found.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// Prints the narrowest rules that would have settled repeated asks, with what they would change.
pub fn suggest_rules(args: &SuggestArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open(&args.standing, Recording::NotKept)?;
    let asks = asks(&judging)?;
    let found = suggest(&asks, args.least, &OurLexicon);
    for suggestion in &found {
        out.line(format_args!(
            "# would have settled {} asks:",
            suggestion.settles
        ))?;
        let named = suggestion.asks.iter().filter_map(|it| asks.get(*it));
        for ask in named.take(5) {
            out.line(harmless(&format!("#   {}", ask.argv.join(" "))))?;
        }
        out.line(suggestion.rule.to_toml())?;
    }
    if found.is_empty() {
        out.line(format_args!(
            "# nothing was asked {} times or more that a narrow rule would settle",
            args.least
        ))?;
    }
    Ok(Exit::Done)
}

/// Returns the commands of all asks, each once, with how often it came.
fn asks(judging: &Judging) -> Result<Vec<Asked>, Failure> {
    let mut asks: BTreeMap<Vec<String>, Asked> = BTreeMap::new();
    let records = judging
        .journal()?
        .newest()
        .take(LATELY)
        .filter(|it| it.judgement.verdict == Verdict::Ask);
    for ask in records.flat_map(|it| commands(&it, judging)) {
        asks.entry(ask.argv.clone())
            .and_modify(|it| it.times += 1)
            .or_insert(ask);
    }
    Ok(asks.into_values().collect())
}

fn commands(record: &Record, judging: &Judging) -> Vec<Asked> {
    let answers = Answers::from_lines(&record.answers).unwrap_or_default();
    let sight = judging.look_in(&record.call, &Replay::new(answers));
    let asked = |argv: &[Option<String>], from: usize, to: usize| {
        let argv: Vec<String> = argv.iter().cloned().collect::<Option<_>>()?;
        let findings = sight.findings.get(from..to).unwrap_or_default();
        let effects = findings.iter().map(|it| it.effect.clone()).collect();
        Some(Asked {
            argv,
            effects,
            times: 1,
        })
    };
    sight
        .invocations
        .iter()
        .filter_map(|it| asked(&it.argv, it.from, it.to))
        .collect()
}
