//! Some machines in one process: each with its own journal, cursor and name, written to and shipped by the code that `belay` has.
//!
//! The process may be ended at any moment and started again: it goes on where the journals are.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belay_journal::{Journal, Record, Secrets, json, read_judgement};
use belay_model::{Call, Judgement, Value};
use belay_ship::{Backoff, Bounds, Pace, Run, Shipper, Terms, Time};

use crate::Outcome;
use crate::options::Dice;
use crate::parts::TOKEN;
use crate::wire::Http;

/// What a process of machines is told.
struct Told {
    folder: PathBuf,
    url: String,
    first: usize,
    count: usize,
    records: usize,
    dice: Dice,
}

/// Runs until every machine has written and shipped all it should.
pub fn main(words: &[String]) -> Outcome {
    let [folder, url, first, count, records, seed] = words else {
        return Err("machines FOLDER URL FIRST COUNT RECORDS SEED".to_owned());
    };
    let number = |text: &String| text.parse::<usize>().map_err(|why| why.to_string());
    let mut told = Told {
        folder: PathBuf::from(folder),
        url: url.clone(),
        first: number(first)?,
        count: number(count)?,
        records: number(records)?,
        dice: Dice::new(seed.parse().map_err(|_| "no seed")?),
    };
    let mut open: Vec<usize> = (told.first..told.first + told.count).collect();
    while !open.is_empty() {
        let mut still = Vec::new();
        for machine in open {
            if !told.round(machine)? {
                still.push(machine);
            }
        }
        open = still;
    }
    Ok(())
}

/// Returns the folder of a machine's journal.
pub fn journal_of(root: &Path, machine: usize) -> PathBuf {
    root.join(format!("m{machine:06}")).join("journal")
}

impl Told {
    /// Writes some records and ships what is there; tells whether the machine is done.
    fn round(&mut self, machine: usize) -> Outcome<bool> {
        let folder = journal_of(&self.folder, machine);
        let journal = Journal::new(folder.clone()).with(Secrets::Kept);
        let written = journal.last_number().unwrap_or(0);
        let wanted = self.records as u64;
        let burst = (20 + self.dice.below(wanted / 2 + 1)).min(wanted.saturating_sub(written));
        for number in written..written + burst {
            let record = record(machine, number)?;
            journal.append(&record).map_err(|why| why.to_string())?;
        }
        let wire = Http {
            url: self.url.clone(),
            token: Some(TOKEN.to_owned()),
        };
        let terms = Terms {
            bounds: Bounds {
                records: 20 + usize::try_from(self.dice.below(200)).unwrap_or(0),
                bytes: 1 << 20,
            },
            ..Terms::default()
        };
        let mut shipper = Shipper::new(&folder, terms, &wire).map_err(|why| why.to_string())?;
        let clock = Clock(Instant::now());
        let mut run = Run {
            time: &clock,
            pace: Pace {
                batches_per_minute: 60_000,
            },
            until: Duration::from_millis(1500),
            backoff: &mut Backoff::default(),
        };
        let ended = run.ship(&mut shipper);
        Ok(ended.halted.is_none() && written + burst == wanted)
    }
}

/// The real clock; chance is what is left of its nanoseconds.
pub struct Clock(pub Instant);

impl Time for Clock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn dice(&self, below: u64) -> u64 {
        u64::from(self.now().subsec_nanos()) % below.max(1)
    }
}

/// Secrets that calls carry; none may be in the store.
pub const SECRETS: [&str; 4] = [
    "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789",
    "AKIAIOSFODNN7EXAMPL3",
    "xoxb-123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx",
    "glpat-AbCdEfGhIjKlMnOpQrSt",
];

/// A record as a day of work has them: mostly allowed, some asked, few denied.
pub fn record(machine: usize, number: u64) -> Outcome<Record> {
    let at = machine as u64 * 7919 + number;
    let (verdict, rule, risk) = match at % 40 {
        0 => ("deny", "\"history-rewritten\"", 95),
        1..=4 => ("ask", "\"registry-published\"", 70),
        _ => ("allow", "null", 5),
    };
    let secret = SECRETS.get(usize::try_from(at % 97).unwrap_or(99)).copied();
    let command = match secret {
        Some(secret) => {
            format!("curl -H 'Authorization: Bearer {secret}' https://api.example.com/{number}")
        }
        None => format!(
            "cargo test -p part-{} -- case_{number}\n# \u{fc}ber \"alles\"\t\\",
            machine % 50
        ),
    };
    let text = format!(
        r#"{{"verdict":"{verdict}","layer":"analysis","rule":{rule},"risk":{risk},"reason":"This would run the tests of part {}.","effects":["run ./target/debug/deps","write tree ./target"],"micros":{}}}"#,
        machine % 50,
        400 + at % 900
    );
    let judgement: Judgement = json::read(text.as_bytes())
        .ok()
        .and_then(|it| read_judgement(&it))
        .ok_or("no judgement")?;
    let call = Call {
        id: Some(format!("toolu_{machine}_{number}")),
        tool: "Bash".to_owned(),
        input: Value::Object(vec![("command".to_owned(), Value::String(command))]),
        cwd: "/home/ann/work".to_owned(),
        project_roots: vec!["/home/ann/work".to_owned()],
        agent: Some(
            ["claude-code", "codex", "gemini-cli"]
                .get(machine % 3)
                .copied()
                .unwrap_or("codex")
                .to_owned(),
        ),
        session: Some(format!("s{machine}-{}", number / 50)),
        ..Call::default()
    };
    let mut record = Record::new(call, judgement);
    record.policy = Some("0011223344556677".to_owned());
    Ok(record)
}
