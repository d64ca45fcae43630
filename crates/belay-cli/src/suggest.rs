//! `belay rules suggest`: rules that would settle what keeps being asked, each with what it would have
//! changed in the past and what the settings' own tests say to it.

use std::collections::BTreeMap;

use autobelay::{Gate, Settings};
use belay_journal::Record;
use belay_model::Verdict;
use belay_settings::suggest::{Asked, Suggested, Suggestion, suggest};
use belay_settings::{Source, load_texts};
use belay_surroundings::{Record as Answers, Replay};
use clap::Args;

use crate::args::Standing;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless};
use crate::own_tests;
use crate::progress::Progress;

/// How many records are looked at.
const LATELY: usize = 10_000;

/// How often something must have been asked before a rule is proposed.
const LEAST: u32 = 3;

/// How many of the calls that a rule would settle are shown.
const SHOWN: usize = 5;

/// Arguments of `belay rules suggest`.
#[derive(Args)]
pub struct SuggestArgs {
    /// From where.
    #[command(flatten)]
    pub standing: Standing,
    /// How often something must have been asked.
    #[arg(long, default_value_t = LEAST, value_name = "N")]
    pub least: u32,
}

/// Prints the narrowest rules that would have settled repeated asks, as settings to paste.
pub fn suggest_rules(args: &SuggestArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_static(&args.standing, Recording::NotKept)?;
    let mut progress = Progress::counting();
    let refused: Vec<Record> = judging
        .journal()?
        .newest()
        .take(LATELY)
        .inspect(|_| progress.step())
        .filter(|it| it.judgement.verdict != Verdict::Allow)
        .collect();
    let past = Past::of(refused, &judging);
    let mut found = suggest(&past.asks, args.least, &judging.lexicon());
    found.retain(|it| {
        progress.step();
        past.is_proven(it, &judging)
    });
    progress.clear();
    for suggestion in &found {
        for line in past.told(suggestion, &judging) {
            out.line(harmless(&line))?;
        }
    }
    if found.is_empty() {
        out.line(format_args!(
            "# nothing was asked {} times or more that a narrow rule could settle",
            args.least
        ))?;
    } else {
        out.bytes(pasted(&found, judging.settings()).as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Returns the narrowest rule that would settle one question, where there is one that frees nothing else.
pub fn rule_for(record: &Record, judging: &Judging) -> Option<Suggested> {
    let past = Past::of(vec![record.clone()], judging);
    let found = suggest(&past.asks, 1, &judging.lexicon());
    let settles = |it: &&Suggestion| {
        let gate = judging.gate_with(with(judging.settings(), it));
        gate.judge_in(&record.call, &replay(record)).verdict == Verdict::Allow
    };
    found.iter().find(settles).map(|it| it.rule.clone())
}

/// Returns rules that would settle repeated questions, as settings, and what is told of each.
pub fn proposals(asked: Vec<Record>, judging: &Judging) -> Vec<(String, Vec<String>)> {
    let past = Past::of(asked, judging);
    let mut found = suggest(&past.asks, LEAST, &judging.lexicon());
    found.retain(|it| past.is_proven(it, judging));
    let told = |it: &Suggestion| {
        let lines = past.told(it, judging);
        let lines = lines
            .iter()
            .map(|it| it.trim_start_matches("# ").to_owned());
        (it.rule.to_toml(), lines.collect())
    };
    found.iter().take(SHOWN).map(told).collect()
}

/// What was not allowed, and what the gate says to it today.
struct Past {
    asks: Vec<Asked>,
    /// Why each of them was asked, for a person.
    reasons: BTreeMap<Vec<String>, String>,
    records: Vec<(Record, Verdict)>,
}

impl Past {
    fn of(records: Vec<Record>, judging: &Judging) -> Self {
        let mut asks: BTreeMap<Vec<String>, Asked> = BTreeMap::new();
        let mut reasons = BTreeMap::new();
        let asked = |it: &&Record| it.judgement.verdict == Verdict::Ask;
        for record in records.iter().filter(asked) {
            for ask in commands(record, judging) {
                reasons
                    .entry(ask.argv.clone())
                    .or_insert_with(|| record.judgement.reason.because.clone());
                asks.entry(ask.argv.clone())
                    .and_modify(|it| it.times += 1)
                    .or_insert(ask);
            }
        }
        let today = |it: Record| {
            let verdict = judging.judge_again(&it, &replay(&it)).verdict;
            (it, verdict)
        };
        Self {
            asks: asks.into_values().collect(),
            reasons,
            records: records.into_iter().map(today).collect(),
        }
    }

    /// Tells of a suggestion: what it settles, why that was asked, and what else would change.
    fn told(&self, suggestion: &Suggestion, judging: &Judging) -> Vec<String> {
        let name = match &suggestion.rule {
            Suggested::Line(text) | Suggested::Effect(text) => text,
        };
        let mut lines = vec![format!(
            "# `{name}` was asked {} times:",
            suggestion.settles
        )];
        let named: Vec<&Asked> = suggestion
            .asks
            .iter()
            .filter_map(|it| self.asks.get(*it))
            .collect();
        let calls = named.iter().take(SHOWN);
        lines.extend(calls.map(|it| format!("#   {}", it.argv.join(" "))));
        if named.len() > SHOWN {
            lines.push(format!("#   and {} more", named.len() - SHOWN));
        }
        let reason = named.first().and_then(|it| self.reasons.get(&it.argv));
        lines.extend(reason.map(|it| format!("# because: {it}")));
        let settings = with(judging.settings(), suggestion);
        let gate = judging.gate_with(settings.clone());
        lines.push(format!("# {}", self.changes(&gate)));
        lines.push(format!("# {}", tests(&gate, &settings, judging)));
        lines
    }

    /// Tells whether a rule, tried on all that was refused, frees nothing that is denied today.
    fn is_proven(&self, suggestion: &Suggestion, judging: &Judging) -> bool {
        let gate = judging.gate_with(with(judging.settings(), suggestion));
        let mut denied = self
            .records
            .iter()
            .filter(|(_, it)| *it == Verdict::Deny)
            .map(|(record, _)| record);
        denied.all(|it| gate.judge_in(&it.call, &replay(it)).verdict != Verdict::Allow)
    }

    /// Judges the past again under the rule.
    fn changes(&self, gate: &Gate) -> String {
        let freed = |wanted: Verdict| {
            let old = self.records.iter().filter(|(_, it)| *it == wanted);
            let all = old.clone().count();
            let freed = |(record, _): &&(Record, Verdict)| {
                gate.judge_in(&record.call, &replay(record)).verdict == Verdict::Allow
            };
            (old.filter(freed).count(), all)
        };
        let ((asks, asked), (denials, denied)) = (freed(Verdict::Ask), freed(Verdict::Deny));
        format!(
            "with it, {asks} of {asked} asks and {denials} of {denied} denials would have been allowed"
        )
    }
}

fn tests(gate: &Gate, settings: &Settings, judging: &Judging) -> String {
    let judge = |call| gate.judge(&judging.completed(call)).verdict;
    match own_tests::held(settings, &judge) {
        Ok((_, 0)) => "there are no tests: add a `[[test]]`, then run `belay test`".to_owned(),
        Ok((held, all)) => format!("with it, {held} of {all} tests and examples pass"),
        Err(why) => format!("the tests cannot be run: {}", why.text()),
    }
}

/// Returns the settings with a suggestion in them.
fn with(settings: &Settings, suggestion: &Suggestion) -> Settings {
    let text = suggestion.rule.to_toml();
    let loaded = load_texts(&[(Source::User, "suggestion", &text)]).settings;
    let mut settings = settings.clone();
    settings.rules.allow.extend(loaded.rules.allow);
    settings.exact.extend(loaded.exact);
    settings
}

/// Returns all suggestions as one piece of settings.
fn pasted(found: &[Suggestion], settings: &Settings) -> String {
    let lines = found.iter().filter_map(|it| match &it.rule {
        Suggested::Line(text) => Some(text.as_str()),
        Suggested::Effect(_) => None,
    });
    let lines: Vec<String> = lines.map(belay_settings::show::quoted).collect();
    let mut text = String::from("\n");
    if !lines.is_empty() && settings.rules.allow.is_empty() {
        text.push_str(&format!(
            "[rules]\nallow = [\"$defaults\", {}]\n",
            lines.join(", ")
        ));
    } else if !lines.is_empty() {
        text.push_str(&format!(
            "# add to `allow` in `[rules]`: {}\n",
            lines.join(", ")
        ));
    }
    for suggestion in found {
        match &suggestion.rule {
            Suggested::Line(_) => {}
            Suggested::Effect(_) => text.push_str(&format!("\n{}", suggestion.rule.to_toml())),
        }
    }
    text
}

/// Returns the world as it was when a record was made.
pub fn replay(record: &Record) -> Replay {
    Replay::new(Answers::from_lines(&record.answers).unwrap_or_default())
}

fn commands(record: &Record, judging: &Judging) -> Vec<Asked> {
    let sight = judging.look_in(&record.call, &replay(record));
    let asked = |argv: &[Option<String>], from: usize, to: usize| {
        let argv: Vec<String> = argv.iter().cloned().collect::<Option<_>>()?;
        let findings = sight.findings.get(from..to).unwrap_or_default();
        let clear = |it: &autobelay::Finding| {
            judging.settings().thresholds.band(it.weighed.risk) == belay_model::Band::Clear
        };
        // What is harmless needs no rule.
        let weighty = findings.iter().filter(|it| !clear(it));
        let effects: Vec<_> = weighty.map(|it| it.effect.clone()).collect();
        if effects.is_empty() {
            return None;
        }
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
