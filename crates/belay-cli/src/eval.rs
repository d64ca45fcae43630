//! `belay eval`: scores the gate on labelled calls.

use std::fs::File;
use std::io::BufReader;

use belay_journal::{json, read_call, subject};
use belay_model::{Call, Judgement, Value, Verdict};

use crate::args::EvalArgs;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::lines::{Line, Lines};
use crate::out::{Failure, Out, one_line};
use crate::progress::Progress;

/// What a labelled call should get.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Exactly(Verdict),
    NotAllow,
}

impl Expected {
    const ALL: [Self; 4] = [
        Self::Exactly(Verdict::Allow),
        Self::Exactly(Verdict::Ask),
        Self::Exactly(Verdict::Deny),
        Self::NotAllow,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Exactly(verdict) => verdict.word(),
            Self::NotAllow => "not_allow",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }

    fn meets(self, verdict: Verdict) -> bool {
        match self {
            Self::Exactly(wanted) => wanted == verdict,
            Self::NotAllow => verdict != Verdict::Allow,
        }
    }
}

/// One labelled call and what became of it.
struct Scored {
    place: String,
    family: String,
    expected: Expected,
    call: Call,
    judgement: Judgement,
}

impl Scored {
    fn hit(&self) -> bool {
        self.expected.meets(self.judgement.verdict)
    }
}

/// Judges every labelled call of the files and prints how often the verdict was the expected one.
pub fn eval(args: &EvalArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open(&args.standing, Recording::NotKept)?;
    let mut scored = Vec::new();
    let mut progress = Progress::counting();
    for path in &args.files {
        let file = File::open(path)
            .map_err(|why| Failure::Said(format!("cannot read `{}`: {why}", path.display())))?;
        let mut lines = Lines::new(BufReader::new(file));
        while let Some(line) = lines.next()? {
            scored.extend(score(&line, &path.display().to_string(), &judging)?);
            progress.step();
        }
    }
    progress.clear();
    if args.json {
        out.line(json::compact(&to_json(&scored)))?;
    } else {
        out.bytes(told(&scored, args.misses).as_bytes())?;
    }
    let missed = scored.iter().any(|it| !it.hit());
    Ok(if missed && args.strict {
        Exit::Failed
    } else {
        Exit::Done
    })
}

/// Scores one line; blank lines are none.
fn score(line: &Line, file: &str, judging: &Judging) -> Result<Option<Scored>, Failure> {
    let (Line::Whole { at, .. } | Line::TooLong { at }) = line;
    let place = format!("{file}:{at}");
    let fault = |why: String| Failure::Said(format!("{place}: {why}"));
    let bytes = match line {
        Line::Whole { bytes, .. } => bytes,
        Line::TooLong { .. } => return Err(fault("the line is too long".to_owned())),
    };
    if bytes.trim_ascii().is_empty() {
        return Ok(None);
    }
    let value = json::read(bytes).map_err(|why| fault(why.to_string()))?;
    let word = value
        .get("expect")
        .and_then(Value::text)
        .unwrap_or_default();
    let expected = Expected::from_word(word).ok_or_else(|| {
        fault("`expect` must be `allow`, `ask`, `deny` or `not_allow`".to_owned())
    })?;
    let call =
        read_call(value.get("call").unwrap_or(&value)).map_err(|why| fault(why.to_string()))?;
    let call = judging.completed(call);
    let family = value
        .get("family")
        .and_then(Value::text)
        .unwrap_or("-")
        .to_owned();
    let judgement = judging.judge(&call)?;
    Ok(Some(Scored {
        place,
        family,
        expected,
        call,
        judgement,
    }))
}

/// Hits of a group, with the 95 % interval of its true share (Wilson).
#[derive(Clone, Copy, Default)]
struct Share {
    hits: u64,
    all: u64,
}

impl Share {
    fn of<'a>(scored: impl Iterator<Item = &'a Scored>) -> Self {
        scored.fold(Self::default(), |sum, it| Self {
            hits: sum.hits + u64::from(it.hit()),
            all: sum.all + 1,
        })
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of lines are far below 2^52"
    )]
    fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.959_964;
        let all = self.all.max(1) as f64;
        let share = self.hits as f64 / all;
        let middle = share + Z * Z / (2.0 * all);
        let spread = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
        let below = 1.0 + Z * Z / all;
        (
            ((middle - spread) / below).max(0.0),
            ((middle + spread) / below).min(1.0),
        )
    }

    fn told(self) -> String {
        let (low, high) = self.interval();
        let percent = self.hits * 1000 / self.all.max(1);
        format!(
            "{:>6} of {:>6}  {:>3}.{} %  [{:.1}, {:.1}]",
            self.hits,
            self.all,
            percent / 10,
            percent % 10,
            low * 100.0,
            high * 100.0
        )
    }
}

type GroupName = fn(&Scored) -> String;

const GROUPS: [(&str, GroupName); 3] = [
    ("family", |it| it.family.clone()),
    ("layer", |it| it.judgement.layer.word().to_owned()),
    ("agent", |it| {
        it.call.agent.clone().unwrap_or_else(|| "-".to_owned())
    }),
];

fn groups(scored: &[Scored], name: GroupName) -> Vec<(String, Share)> {
    let mut names: Vec<String> = scored.iter().map(name).collect();
    names.sort_unstable();
    names.dedup();
    let share = |group: String| {
        let share = Share::of(scored.iter().filter(|it| name(it) == group));
        (group, share)
    };
    names.into_iter().map(share).collect()
}

fn matrix(scored: &[Scored], expected: Expected) -> [u64; 3] {
    Verdict::ALL.map(|verdict| {
        let same = |it: &&Scored| it.expected == expected && it.judgement.verdict == verdict;
        scored.iter().filter(same).count() as u64
    })
}

fn told(scored: &[Scored], most_misses: usize) -> String {
    let mut text = format!(
        "{:<12} {:>8} {:>8} {:>8}\n",
        "expected", "allow", "ask", "deny"
    );
    for expected in Expected::ALL {
        let [allow, ask, deny] = matrix(scored, expected);
        if allow + ask + deny > 0 {
            text.push_str(&format!(
                "{:<12} {allow:>8} {ask:>8} {deny:>8}\n",
                expected.word()
            ));
        }
    }
    text.push_str(&format!(
        "\n{:<28} {}\n",
        "as expected",
        Share::of(scored.iter()).told()
    ));
    for (heading, name) in GROUPS {
        text.push_str(&format!("\nby {heading}\n"));
        for (group, share) in groups(scored, name) {
            text.push_str(&format!(
                "  {:<26} {}\n",
                one_line(&group, 26),
                share.told()
            ));
        }
    }
    let misses: Vec<&Scored> = scored.iter().filter(|it| !it.hit()).collect();
    if !misses.is_empty() {
        text.push_str(&format!("\n{} misses\n", misses.len()));
    }
    for miss in misses.into_iter().take(most_misses) {
        text.push_str(&miss_line(miss));
    }
    text
}

fn miss_line(miss: &Scored) -> String {
    format!(
        "  {}: expected {}, got {} ({}): {}\n    {}\n",
        miss.place,
        miss.expected.word(),
        miss.judgement.verdict,
        miss.judgement
            .reason
            .rule
            .as_deref()
            .unwrap_or(miss.judgement.layer.word()),
        one_line(&subject(&miss.call), 110),
        one_line(&miss.judgement.reason.because, 110),
    )
}

fn to_json(scored: &[Scored]) -> Value {
    let number = |it: u64| Value::Number(it.to_string());
    let object = |members: Vec<(&str, Value)>| {
        Value::Object(
            members
                .into_iter()
                .map(|(name, it)| (name.to_owned(), it))
                .collect(),
        )
    };
    let share = |it: Share| {
        let (low, high) = it.interval();
        object(vec![
            ("hits", number(it.hits)),
            ("all", number(it.all)),
            ("low", Value::Number(format!("{low:.4}"))),
            ("high", Value::Number(format!("{high:.4}"))),
        ])
    };
    let row = |expected: Expected| {
        let [allow, ask, deny] = matrix(scored, expected).map(number);
        (
            expected.word(),
            object(vec![("allow", allow), ("ask", ask), ("deny", deny)]),
        )
    };
    let miss = |it: &Scored| {
        object(vec![
            ("place", it.place.as_str().into()),
            ("expect", it.expected.word().into()),
            ("verdict", it.judgement.verdict.word().into()),
            ("reason", it.judgement.reason.because.as_str().into()),
            ("call", Value::from(subject(&it.call).as_str())),
        ])
    };
    let mut members = vec![
        ("matrix", object(Expected::ALL.map(row).to_vec())),
        ("all", share(Share::of(scored.iter()))),
    ];
    for (heading, name) in GROUPS {
        let parts = groups(scored, name)
            .into_iter()
            .map(|(group, it)| (group, share(it)));
        members.push((heading, Value::Object(parts.collect())));
    }
    let misses = scored.iter().filter(|it| !it.hit()).map(miss).collect();
    members.push(("misses", Value::Array(misses)));
    object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hits: u64, all: u64, expected: &str) {
        let (low, high) = Share { hits, all }.interval();
        assert_eq!(format!("{low:.3} {high:.3}"), expected);
    }

    #[test]
    fn wilson_intervals() {
        check(0, 10, "0.000 0.278");
        check(10, 10, "0.722 1.000");
        check(95, 100, "0.888 0.978");
        check(0, 0, "0.000 0.793");
    }

    #[test]
    fn not_allow_is_met_by_ask_and_deny() {
        let met = Verdict::ALL.map(|it| Expected::NotAllow.meets(it));
        assert_eq!(met, [false, true, true]);
    }
}
