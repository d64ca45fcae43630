//! A journal, a wire that fails on purpose, and a clock that runs as fast as it is told.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use belay_journal::calendar::Moment;
use belay_journal::{Journal, Outcome, Record, json, read_judgement};
use belay_model::{Call, Value};
use belay_ship::otlp::{Received, read_logs};
use belay_ship::{
    Backoff, Bounds, Halt, Outbox, Pace, Privacy, Reply, Run, Shipper, Terms, Time, Wire, gzip,
};

/// Returns a status for the number of a request and what is in it.
type Script<'a> = Box<dyn Fn(u64, &[Received]) -> u16 + 'a>;

/// A collector with a script: what it says by the number of the request.
struct Collector<'a> {
    asked: Cell<u64>,
    taken: RefCell<Vec<Received>>,
    at: RefCell<Vec<Duration>>,
    says: Script<'a>,
    clock: &'a Clock,
}

#[derive(Default)]
struct Clock(Cell<Duration>);

impl Time for Clock {
    fn now(&self) -> Duration {
        self.0.get()
    }

    fn sleep(&self, time: Duration) {
        self.0.set(self.0.get() + time);
    }

    fn dice(&self, below: u64) -> u64 {
        below / 2
    }
}

impl<'a> Collector<'a> {
    fn new(clock: &'a Clock, says: impl Fn(u64, &[Received]) -> u16 + 'a) -> Self {
        Self {
            asked: Cell::new(0),
            taken: RefCell::default(),
            at: RefCell::default(),
            says: Box::new(says),
            clock,
        }
    }

    /// Numbers that arrived, each with how often.
    fn numbers(&self) -> BTreeMap<i64, usize> {
        let mut numbers = BTreeMap::new();
        for record in self.taken.borrow().iter() {
            *numbers.entry(record.int("belay.seq").unwrap()).or_default() += 1;
        }
        numbers
    }
}

impl Wire for Collector<'_> {
    fn post(&self, path: &str, body: &[u8]) -> Result<Reply, String> {
        let text = gzip::unpack(body, 1 << 24).unwrap();
        if path != "/v1/logs" {
            return Ok(Reply {
                status: 404,
                retry_after: None,
            });
        }
        let records = read_logs(&text).unwrap();
        let status = (self.says)(self.asked.replace(self.asked.get() + 1), &records);
        if status == 200 {
            self.taken.borrow_mut().extend(records);
            self.at.borrow_mut().push(self.clock.now());
        }
        match status {
            0 => Err("refused".to_owned()),
            status => Ok(Reply {
                status,
                retry_after: None,
            }),
        }
    }
}

struct Home {
    _folder: tempfile::TempDir,
    journal: Journal,
    path: PathBuf,
}

fn home() -> Home {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    Home {
        journal: Journal::new(path.clone()),
        path,
        _folder: folder,
    }
}

const JUDGEMENT: &str = r#"{"verdict":"ask","layer":"analysis","rule":"sends","risk":70,"reason":"This would send.","effects":["send x.test"],"micros":900}"#;

fn write(home: &Home, commands: impl IntoIterator<Item = String>) {
    for command in commands {
        let input = Value::Object(vec![("command".to_owned(), Value::String(command))]);
        let call = Call {
            tool: "Bash".to_owned(),
            input,
            cwd: "/w".to_owned(),
            ..Call::default()
        };
        let judgement = json::read(JUDGEMENT.as_bytes()).unwrap();
        let judgement = read_judgement(&judgement).unwrap();
        home.journal.append(&Record::new(call, judgement)).unwrap();
    }
}

fn terms(records: usize) -> Terms {
    Terms {
        bounds: Bounds {
            records,
            bytes: 1 << 20,
        },
        ..Terms::default()
    }
}

fn ship(home: &Home, wire: &Collector<'_>, terms: Terms) -> belay_ship::Ended {
    let mut shipper = Shipper::new(&home.path, terms, wire).unwrap();
    let mut run = Run {
        time: wire.clock,
        pace: Pace {
            batches_per_minute: 6,
        },
        until: Duration::from_secs(1 << 30),
        backoff: &mut Backoff::default(),
    };
    run.ship(&mut shipper)
}

fn commands(count: usize) -> impl Iterator<Item = String> {
    (1..=count).map(|it| format!("make step-{it}"))
}

#[test]
fn everything_arrives_once_and_nothing_twice() {
    let (home, clock) = (home(), Clock::default());
    let collector = Collector::new(&clock, |_, _| 200);
    write(&home, commands(25));
    let ended = ship(&home, &collector, terms(10));
    assert_eq!((ended.records, ended.set_aside), (25, 0));
    write(&home, commands(3));
    assert_eq!(ship(&home, &collector, terms(10)).records, 3);
    assert_eq!(ship(&home, &collector, terms(10)).records, 0);
    assert_eq!(collector.numbers(), (1..=28).map(|it| (it, 1)).collect());
}

#[test]
fn an_answer_that_is_lost_sends_again_under_the_same_numbers() {
    let (home, clock) = (home(), Clock::default());
    write(&home, commands(20));
    let collector = Collector::new(&clock, |_, _| 200);
    ship(&home, &collector, terms(10));
    // The cursor is as it was before the last answer.
    let cursor = Outbox::of(&home.path).cursor_file();
    std::fs::remove_file(cursor).unwrap();
    ship(&home, &collector, terms(7));
    assert_eq!(collector.numbers(), (1..=20).map(|it| (it, 2)).collect());
}

#[test]
fn an_hour_without_a_collector_loses_nothing_and_then_the_pace_holds() {
    let (home, clock) = (home(), Clock::default());
    write(&home, commands(100));
    let back = Duration::from_secs(3600);
    let collector = Collector::new(&clock, |_, _| if clock.now() < back { 503 } else { 200 });
    let ended = ship(&home, &collector, terms(5));
    assert_eq!(ended.records, 100);
    let at = collector.at.borrow();
    assert!(at[0] >= back && at[0] < back + Duration::from_secs(300));
    // Six a minute, whatever is waiting.
    assert!(
        at.windows(2)
            .all(|it| it[1] - it[0] >= Duration::from_secs(10)),
        "{at:?}"
    );
    let attempts = collector.asked.get() - 20;
    assert!(
        (10..40).contains(&attempts),
        "{attempts} attempts in an hour"
    );
}

#[test]
fn one_record_that_nobody_takes_is_set_aside_and_named_in_the_trail() {
    let (home, clock) = (home(), Clock::default());
    let bad = |it: &Received| {
        it.text("process.command_line")
            .is_some_and(|it| it.contains("step-13"))
    };
    let collector = Collector::new(
        &clock,
        |_, records| if records.iter().any(bad) { 400 } else { 200 },
    );
    write(&home, commands(30));
    let ended = ship(&home, &collector, terms(30));
    assert_eq!((ended.records, ended.set_aside), (30, 1));
    let numbers = collector.numbers();
    let expected: BTreeMap<i64, usize> =
        (1..=31).filter(|it| *it != 13).map(|it| (it, 1)).collect();
    assert_eq!(numbers, expected);
    let taken = collector.taken.borrow();
    let gap = taken.iter().find(|it| it.event == "belay.gap").unwrap();
    assert_eq!(
        (gap.int("belay.gap.first"), gap.text("belay.gap.why")),
        (Some(13), Some("refused"))
    );
    assert_eq!(Outbox::of(&home.path).count_aside(), 1);
}

#[test]
fn a_token_that_is_refused_ends_the_run_and_moves_nothing() {
    let (home, clock) = (home(), Clock::default());
    let collector = Collector::new(&clock, |_, _| 401);
    write(&home, commands(3));
    let ended = ship(&home, &collector, terms(10));
    assert!(matches!(ended.halted, Some(Halt::Refused(401))));
    assert_eq!(
        Outbox::of(&home.path).cursor(),
        belay_ship::Cursor::default()
    );
}

#[test]
fn a_line_that_is_still_being_written_waits() {
    let (home, clock) = (home(), Clock::default());
    let collector = Collector::new(&clock, |_, _| 200);
    write(&home, commands(2));
    let day = std::fs::read_dir(&home.path)
        .unwrap()
        .flatten()
        .find(|it| it.path().extension().is_some())
        .unwrap();
    let whole = std::fs::read(day.path()).unwrap();
    for half in ["{\"v\":2,\"number\":3", "{\"v\":2,\"number\":3\n"] {
        std::fs::write(day.path(), [whole.as_slice(), half.as_bytes()].concat()).unwrap();
        ship(&home, &collector, terms(10));
        assert_eq!(
            collector.numbers(),
            BTreeMap::from([(1, 1), (2, 1)]),
            "{half}"
        );
    }
    std::fs::write(day.path(), &whole).unwrap();
    write(&home, commands(1));
    ship(&home, &collector, terms(10));
    assert_eq!(
        collector.numbers(),
        BTreeMap::from([(1, 1), (2, 1), (3, 1)])
    );
}

#[test]
fn a_file_that_was_replaced_begins_anew() {
    let (home, clock) = (home(), Clock::default());
    let collector = Collector::new(&clock, |_, _| 200);
    write(&home, commands(3));
    ship(&home, &collector, terms(10));
    let day = std::fs::read_dir(&home.path)
        .unwrap()
        .flatten()
        .find(|it| it.path().extension().is_some())
        .unwrap();
    std::fs::remove_file(day.path()).unwrap();
    write(&home, commands(5));
    ship(&home, &collector, terms(10));
    assert_eq!(collector.taken.borrow().len(), 8);
}

#[test]
fn days_that_do_not_fit_go_and_the_trail_says_which() {
    let (home, clock) = (home(), Clock::default());
    let collector = Collector::new(&clock, |_, _| 200);
    let day = |number: u64| Moment(1_790_000_000_000 + number * 86_400_000);
    for number in 0..40 {
        let outcome = Outcome {
            session: "s".to_owned(),
            call: format!("t{number}"),
            at: day(number / 10),
            what: "ran".to_owned(),
        };
        home.journal.append_outcome(&outcome).unwrap();
    }
    let terms = Terms {
        most_waiting: 3000,
        ..terms(100)
    };
    ship(&home, &collector, terms.clone());
    ship(&home, &collector, terms);
    let numbers = collector.numbers();
    let taken = collector.taken.borrow();
    let gaps: Vec<_> = taken.iter().filter(|it| it.event == "belay.gap").collect();
    let told: u64 = gaps
        .iter()
        .map(|it| {
            (it.int("belay.gap.last").unwrap() - it.int("belay.gap.first").unwrap() + 1) as u64
        })
        .sum();
    let last = *numbers.keys().last().unwrap() as u64;
    assert!(
        !gaps.is_empty() && told + numbers.len() as u64 == last,
        "{told} told, {numbers:?}"
    );
}

#[test]
fn secrets_never_reach_the_wire_though_the_journal_keeps_them() {
    let (mut home, clock) = (home(), Clock::default());
    home.journal = home.journal.with(belay_journal::Secrets::Kept);
    let secrets = [
        "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789",
        "AKIAIOSFODNN7EXAMPL3",
        "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIjKlMnOpQrStUvWxYz01",
        "xoxb-123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx",
    ];
    write(
        &home,
        secrets
            .iter()
            .map(|it| format!("curl -H 'Authorization: Bearer {it}' https://x.test")),
    );
    for (privacy, leaks) in [
        (Privacy::Effects, false),
        (Privacy::Redacted, false),
        (Privacy::Full, true),
    ] {
        let collector = Collector::new(&clock, |_, _| 200);
        let _ = std::fs::remove_file(Outbox::of(&home.path).cursor_file());
        ship(
            &home,
            &collector,
            Terms {
                privacy,
                ..terms(10)
            },
        );
        let sent = format!("{:?}", collector.taken.borrow());
        assert_eq!(
            secrets.iter().any(|it| sent.contains(it)),
            leaks,
            "{privacy:?}"
        );
        assert!(sent.contains(privacy.word()));
    }
}
