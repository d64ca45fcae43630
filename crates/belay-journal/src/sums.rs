//! What many rows add up to: verdicts, questions, answers, tokens, money and time, in all and by name.

use std::collections::{BTreeMap, HashMap, HashSet};

use belay_model::Verdict;

use crate::calendar::Moment;
use crate::rows::{Kind, Name, Row, Rows};

const HOUR: u64 = 3_600_000;

/// Counts of calls that have something in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Allowed.
    pub allow: u64,
    /// Asked.
    pub ask: u64,
    /// Denied.
    pub deny: u64,
    /// Questions that a person got: asked, and the agent was told.
    pub questions: u64,
    /// Questions that had been put before, to the letter.
    pub repeats: u64,
    /// Calls for which a model was asked.
    pub modelled: u64,
    /// Tokens sent to a model.
    pub input_tokens: u64,
    /// Tokens that came back.
    pub output_tokens: u64,
    /// What that cost, in millionths of a dollar.
    pub micro_dollars: u64,
}

impl Tally {
    /// Returns how many calls there were.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.allow + self.ask + self.deny
    }

    /// Returns the questions for every hundred calls, in tenths.
    #[must_use]
    pub fn questions_per_100(&self) -> u64 {
        self.questions * 1000 / self.calls().max(1)
    }

    /// Returns the share that was allowed, in tenths of a hundredth.
    #[must_use]
    pub fn allowed(&self) -> u64 {
        self.allow * 1000 / self.calls().max(1)
    }

    fn add(&mut self, row: &Row, verdict: Verdict, again: bool) {
        match verdict {
            Verdict::Allow => self.allow += 1,
            Verdict::Ask => self.ask += 1,
            Verdict::Deny => self.deny += 1,
        }
        if verdict == Verdict::Ask && row.enforced {
            self.questions += 1;
            self.repeats += u64::from(again);
        }
        self.modelled += u64::from(row.input_tokens > 0 || row.model_millis > 0);
        self.input_tokens += u64::from(row.input_tokens);
        self.output_tokens += u64::from(row.output_tokens);
        self.micro_dollars += u64::from(row.micro_dollars);
    }
}

/// How long something took: half of the time at most the first, and 99 of 100 times at most the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The median.
    pub half: u64,
    /// What one of a hundred exceeds.
    pub late: u64,
}

impl Spread {
    fn of(mut times: Vec<u32>) -> Self {
        times.sort_unstable();
        let at = |part: usize| {
            let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
            times.get(place).copied().map_or(0, u64::from)
        };
        Self {
            half: at(50),
            late: at(99),
        }
    }
}

/// One day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaySum {
    /// Its date.
    pub date: String,
    /// Its counts.
    pub tally: Tally,
    /// How long its verdicts took, in microseconds.
    pub micros: Spread,
}

/// A name and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Its counts.
    pub tally: Tally,
}

/// One hour of the course of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourSum {
    /// When it began.
    pub from: Moment,
    /// Its counts.
    pub tally: Tally,
}

/// Everything rows add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// All of it.
    pub all: Tally,
    /// How many sessions had calls.
    pub sessions: u64,
    /// How often a person said yes.
    pub yes: u64,
    /// How often a person said no.
    pub no: u64,
    /// How long verdicts took, in microseconds.
    pub micros: Spread,
    /// How long models took, in milliseconds.
    pub model_millis: Spread,
    /// Each day, the oldest first.
    pub days: Vec<DaySum>,
    /// Each hour that had calls, the oldest first.
    pub hours: Vec<HourSum>,
    /// By layer, the most calls first; so are the others.
    pub layers: Vec<Named>,
    /// By agent.
    pub agents: Vec<Named>,
    /// By project.
    pub projects: Vec<Named>,
    /// By tool.
    pub tools: Vec<Named>,
    /// Questions and denials by rule.
    pub rules: Vec<Named>,
}

impl Sums {
    /// Returns the questions of a session, in tenths.
    #[must_use]
    pub fn questions_per_session(&self) -> u64 {
        self.all.questions * 10 / self.sessions.max(1)
    }

    /// Adds up the rows that are wanted.
    #[must_use]
    pub fn of(rows: &Rows, wanted: impl Fn(&Row) -> bool) -> Self {
        let mut adding = Adding::default();
        let wanted = rows.all().iter().filter(|it| wanted(it));
        wanted.for_each(|it| adding.add(it));
        adding.done(rows)
    }
}

#[derive(Default)]
struct Adding {
    sums: Sums,
    asked: HashSet<u64>,
    sessions: HashSet<Name>,
    micros: Vec<u32>,
    model_millis: Vec<u32>,
    day_micros: BTreeMap<u64, Vec<u32>>,
    hours: BTreeMap<u64, Tally>,
    layers: HashMap<Name, Tally>,
    agents: HashMap<Name, Tally>,
    projects: HashMap<Name, Tally>,
    tools: HashMap<Name, Tally>,
    rules: HashMap<Name, Tally>,
}

impl Adding {
    fn add(&mut self, row: &Row) {
        let verdict = match row.kind {
            Kind::Call(verdict) => verdict,
            Kind::Yes => return self.sums.yes += 1,
            Kind::No => return self.sums.no += 1,
            Kind::Outcome => return,
        };
        let is_question = verdict == Verdict::Ask && row.enforced;
        let again = is_question && !self.asked.insert(row.same);
        self.sessions.insert(row.session);
        self.micros.push(row.micros);
        let day = row.at.0 / (24 * HOUR);
        self.day_micros.entry(day).or_default().push(row.micros);
        if row.model_millis > 0 {
            self.model_millis.push(row.model_millis);
        }
        let hour = self.hours.entry(row.at.0 / HOUR).or_default();
        let tallies = [
            &mut self.sums.all,
            hour,
            self.layers.entry(row.layer).or_default(),
            self.agents.entry(row.agent).or_default(),
            self.projects.entry(row.project).or_default(),
            self.tools.entry(row.tool).or_default(),
        ];
        for tally in tallies {
            tally.add(row, verdict, again);
        }
        if verdict != Verdict::Allow {
            let rule = self.rules.entry(row.rule).or_default();
            rule.add(row, verdict, again);
        }
    }

    fn done(self, rows: &Rows) -> Sums {
        let named = |tallies: HashMap<Name, Tally>| sorted(tallies, rows);
        let mut rules = named(self.rules);
        rules.retain(|it| it.name != "-");
        Sums {
            sessions: self.sessions.len() as u64,
            micros: Spread::of(self.micros),
            model_millis: Spread::of(self.model_millis),
            days: days(self.day_micros, &self.hours),
            hours: self
                .hours
                .iter()
                .map(|(hour, tally)| hour_of(*hour, *tally))
                .collect(),
            layers: named(self.layers),
            agents: named(self.agents),
            projects: named(self.projects),
            tools: named(self.tools),
            rules,
            ..self.sums
        }
    }
}

const fn hour_of(hour: u64, tally: Tally) -> HourSum {
    HourSum {
        from: Moment(hour * HOUR),
        tally,
    }
}

fn days(micros: BTreeMap<u64, Vec<u32>>, hours: &BTreeMap<u64, Tally>) -> Vec<DaySum> {
    let day = |(day, micros): (u64, Vec<u32>)| DaySum {
        date: Moment(day * 24 * HOUR).date(),
        tally: hours
            .range(day * 24..(day + 1) * 24)
            .fold(Tally::default(), |sum, (_, it)| plus(sum, it)),
        micros: Spread::of(micros),
    };
    micros.into_iter().map(day).collect()
}

const fn plus(a: Tally, b: &Tally) -> Tally {
    Tally {
        allow: a.allow + b.allow,
        ask: a.ask + b.ask,
        deny: a.deny + b.deny,
        questions: a.questions + b.questions,
        repeats: a.repeats + b.repeats,
        modelled: a.modelled + b.modelled,
        input_tokens: a.input_tokens + b.input_tokens,
        output_tokens: a.output_tokens + b.output_tokens,
        micro_dollars: a.micro_dollars + b.micro_dollars,
    }
}

/// The most calls first; what has no name is `-`.
fn sorted(tallies: HashMap<Name, Tally>, rows: &Rows) -> Vec<Named> {
    let named = |(name, tally): (Name, Tally)| {
        let name = match rows.name(name) {
            "" => "-",
            name => name,
        };
        Named {
            name: name.to_owned(),
            tally,
        }
    };
    let mut all: Vec<Named> = tallies.into_iter().map(named).collect();
    all.sort_by(|a, b| {
        let most = b.tally.calls().cmp(&a.tally.calls());
        most.then_with(|| a.name.cmp(&b.name))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;
    use crate::{Answered, Journal};
    use belay_model::Value;

    #[test]
    fn rows_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(folder.path().to_owned());
        for (session, command) in [("a", "x"), ("a", "x"), ("b", "y"), ("b", "z")] {
            let mut record = record(command);
            record.call.session = Some(session.to_owned());
            record.judgement.verdict = match command {
                "z" => Verdict::Allow,
                _ => Verdict::Ask,
            };
            record.enforced = command != "y";
            let usd = Value::Number("0.000250".to_owned());
            let tokens = Value::Number("100".to_owned());
            let model = [("input_tokens".to_owned(), tokens), ("usd".to_owned(), usd)];
            record.model = Some(Value::Object(model.to_vec()));
            journal.append(&record).unwrap();
        }
        let answered = Answered {
            of: "x".to_owned(),
            at: Moment::now(),
            said: "yes".to_owned(),
            learned: Vec::new(),
        };
        journal.append_answer(&answered).unwrap();
        let rows = journal.rows(Moment(0));
        let sums = Sums::of(&rows, |_| true);
        let all = sums.all;
        assert_eq!((all.allow, all.ask, all.deny), (1, 3, 0));
        assert_eq!((all.questions, all.repeats, sums.yes), (2, 1, 1));
        assert_eq!((all.input_tokens, all.micro_dollars), (400, 1000));
        assert_eq!((sums.sessions, sums.questions_per_session()), (2, 10));
        assert_eq!(all.questions_per_100(), 500);
        assert_eq!(sums.days.len(), 1);
        assert_eq!(sums.days[0].tally, all);
        assert_eq!(sums.micros, Spread { half: 7, late: 7 });
    }
}
