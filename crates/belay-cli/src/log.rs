//! `belay log`, `belay why` and `belay stats`: what the journal says.

use std::time::Duration;

use belay_journal::{Journal, Record, json};
use belay_model::{Call, Value, Verdict};

use crate::args::{LogArgs, StatsArgs, WhyArgs};
use crate::out::{Failure, Out, Paint, harmless, one_line};

/// How often the journal is looked at for more.
const FOLLOWED: Duration = Duration::from_millis(300);

/// Lists records, oldest of the chosen first, so that the newest is nearest the prompt.
pub fn log(args: &LogArgs, journal: &Journal, out: &mut Out) -> Result<(), Failure> {
    let mut chosen: Vec<Record> = journal
        .newest()
        .filter(|it| args.chosen.wants(it))
        .take(args.number)
        .collect();
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

/// Returns what a call is about: its command, path or address, else its whole input.
pub fn subject(call: &Call) -> String {
    const NAMES: [&str; 8] = [
        "command",
        "cmd",
        "file_path",
        "path",
        "url",
        "query",
        "pattern",
        "notebook_path",
    ];
    let named = NAMES.iter().find_map(|name| call.input.get(name)?.text());
    named.map_or_else(|| json::compact(&call.input), str::to_owned)
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
                format!("no record is named `{id}`\nhint: `belay log` shows the names")
            }
            None => "nothing was asked or denied yet\nhint: `belay log` shows what was allowed"
                .to_owned(),
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

/// Sums up.
pub fn stats(args: &StatsArgs, journal: &Journal, out: &mut Out) -> Result<(), Failure> {
    let mut sum = Sum::default();
    journal
        .newest()
        .filter(|it| args.chosen.wants(it))
        .for_each(|it| sum.add(&it));
    if args.json {
        return out.line(json::compact(&sum.to_json()));
    }
    out.bytes(sum.told().as_bytes())
}

/// Counts by name, in the order of their first appearance.
#[derive(Default)]
struct Counts(Vec<(String, [u64; 3])>);

impl Counts {
    fn add(&mut self, name: &str, verdict: Verdict) {
        let at = self
            .0
            .iter()
            .position(|(it, _)| it == name)
            .unwrap_or_else(|| {
                self.0.push((name.to_owned(), [0; 3]));
                self.0.len() - 1
            });
        let place = match verdict {
            Verdict::Allow => 0,
            Verdict::Ask => 1,
            Verdict::Deny => 2,
        };
        if let Some(count) = self
            .0
            .get_mut(at)
            .and_then(|(_, counts)| counts.get_mut(place))
        {
            *count += 1;
        }
    }

    fn sorted(&self) -> Vec<&(String, [u64; 3])> {
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.iter().sum::<u64>()), name));
        rows
    }

    fn to_json(&self) -> Value {
        let row = |(name, [allow, ask, deny]): &(String, [u64; 3])| {
            let count = |it: &u64| Value::Number(it.to_string());
            let members = [
                ("allow", count(allow)),
                ("ask", count(ask)),
                ("deny", count(deny)),
            ];
            let members = members.map(|(name, it)| (name.to_owned(), it)).to_vec();
            (name.clone(), Value::Object(members))
        };
        Value::Object(self.sorted().into_iter().map(row).collect())
    }
}

#[derive(Default)]
struct Sum {
    all: Counts,
    layers: Counts,
    agents: Counts,
    tools: Counts,
    rules: Counts,
    micros: Vec<u64>,
}

impl Sum {
    fn add(&mut self, record: &Record) {
        let verdict = record.judgement.verdict;
        self.all.add("all", verdict);
        self.layers.add(record.judgement.layer.word(), verdict);
        self.agents
            .add(record.call.agent.as_deref().unwrap_or("-"), verdict);
        self.tools.add(&record.call.tool, verdict);
        if let (Some(rule), Verdict::Ask | Verdict::Deny) = (&record.judgement.reason.rule, verdict)
        {
            self.rules.add(rule, verdict);
        }
        self.micros.push(record.judgement.micros);
    }

    fn parts(&self) -> [(&'static str, &Counts); 5] {
        [
            ("all", &self.all),
            ("by layer", &self.layers),
            ("by agent", &self.agents),
            ("by tool", &self.tools),
            ("by rule", &self.rules),
        ]
    }

    fn median(&self) -> u64 {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    fn to_json(&self) -> Value {
        let parts = self
            .parts()
            .map(|(name, counts)| (name.replace("by ", ""), counts.to_json()));
        let mut members = parts.to_vec();
        members.push((
            "median_micros".to_owned(),
            Value::Number(self.median().to_string()),
        ));
        Value::Object(members)
    }

    fn told(&self) -> String {
        if self.micros.is_empty() {
            return "no records\n".to_owned();
        }
        let mut text = format!(
            "{:<28} {:>8} {:>8} {:>8}  allowed\n",
            "", "allow", "ask", "deny"
        );
        for (heading, counts) in self.parts().into_iter().filter(|(_, it)| !it.0.is_empty()) {
            if heading != "all" {
                text.push_str(&format!("{heading}\n"));
            }
            for (name, counts) in counts.sorted() {
                text.push_str(&row(name, *counts));
            }
        }
        text.push_str(&format!(
            "half of the verdicts took {} µs or less\n",
            self.median()
        ));
        text
    }
}

fn row(name: &str, [allow, ask, deny]: [u64; 3]) -> String {
    let all = allow + ask + deny;
    let share = allow * 1000 / all.max(1);
    let (whole, tenth) = (share / 10, share % 10);
    format!(
        "  {:<26} {allow:>8} {ask:>8} {deny:>8}  {whole:>3}.{tenth} %\n",
        one_line(name, 26)
    )
}
