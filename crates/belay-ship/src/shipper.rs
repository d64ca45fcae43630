//! One batch after the other from the journal to the wire.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use belay_journal::calendar::Moment;
use belay_journal::{Gap, Journal};

use crate::batch::Bounds;
use crate::cursor::{Cursor, hash_of};
use crate::event::{Privacy, event};
use crate::metrics::{Counts, Gauges};
use crate::otlp::{self, LOGS, LogRecord, METRICS, Resource};
use crate::outbox::Outbox;
use crate::spool::{Line, Spool};
use crate::{gzip, status::Status};

/// The network, as much of it as is needed here.
pub trait Wire {
    /// Posts a body packed with gzip to a path of the collector.
    ///
    /// # Errors
    /// Says why nobody answered.
    fn post(&self, path: &str, body: &[u8]) -> Result<Reply, String>;
}

/// What a collector answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// How long it asks us to wait.
    pub retry_after: Option<Duration>,
}

/// What holds for everything that is shipped.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// How much of a record leaves the machine.
    pub privacy: Privacy,
    /// The most that one request holds.
    pub bounds: Bounds,
    /// The most bytes that may wait; then whole days are dropped, and the trail says so. 0 is no bound.
    pub most_waiting: u64,
    /// Who sends; the machine is filled in.
    pub from: Resource,
}

/// What one step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shipped {
    /// So many records arrived.
    pub records: u64,
    /// So many were set aside.
    pub set_aside: u64,
    /// Whether more may be waiting.
    pub more: bool,
}

/// Why nothing more is shipped for now; the cursor stands after the last record that arrived.
#[derive(Debug)]
pub enum Halt {
    /// The collector is away or busy.
    Later(String, Option<Duration>),
    /// The collector does not want us.
    Refused(u16),
    /// The disk does not do what it should.
    Disk(io::Error),
}

impl From<io::Error> for Halt {
    fn from(why: io::Error) -> Self {
        Self::Disk(why)
    }
}

impl std::fmt::Display for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Later(why, _) => write!(f, "the collector does not answer: {why}"),
            Self::Refused(status @ (401 | 403)) => {
                write!(f, "the collector rejects the token (status {status})")
            }
            Self::Refused(status) => write!(f, "the collector answers with status {status}"),
            Self::Disk(why) => write!(f, "cannot read the journal or write beside it: {why}"),
        }
    }
}

/// Ships a journal.
pub struct Shipper<'a> {
    folder: PathBuf,
    spool: Spool,
    outbox: Outbox,
    cursor: Cursor,
    terms: Terms,
    wire: &'a dyn Wire,
    counts: Counts,
    metrics: Metrics,
}

/// Whether the collector takes metrics.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Metrics {
    Taken,
    Refused,
}

/// A line and what it says.
struct Ready {
    line: Line,
    record: Option<LogRecord>,
}

impl<'a> Shipper<'a> {
    /// Ships a journal over a wire, from where it stood.
    ///
    /// # Errors
    /// Returns why the journal's folder cannot be used.
    pub fn new(journal: &Path, mut terms: Terms, wire: &'a dyn Wire) -> io::Result<Self> {
        let outbox = Outbox::of(journal);
        let spool = Spool::of(journal);
        terms.from.machine = outbox.machine()?;
        Ok(Self {
            folder: journal.to_owned(),
            cursor: spool.checked(&outbox.cursor()),
            spool,
            outbox,
            terms,
            wire,
            counts: Counts::default(),
            metrics: Metrics::Taken,
        })
    }

    /// Returns how many records wait, by their numbers.
    #[must_use]
    pub fn unshipped(&self) -> u64 {
        let last = Journal::new(self.folder.clone()).last_number();
        last.unwrap_or(0).saturating_sub(self.cursor.number)
    }

    /// Ships one batch.
    ///
    /// # Errors
    /// Returns why nothing more is shipped for now.
    pub fn step(&mut self) -> Result<Shipped, Halt> {
        self.make_room()?;
        let lines = self.spool.after(&self.cursor, self.terms.bounds)?;
        let more = lines.len() >= self.terms.bounds.records
            || lines.iter().map(|it| it.bytes.len()).sum::<usize>() >= self.terms.bounds.bytes;
        let privacy = self.terms.privacy;
        let ready = |line: Line| Ready {
            record: event(&line.bytes, privacy),
            line,
        };
        let lines: Vec<Ready> = lines.into_iter().map(ready).collect();
        let mut shipped = Shipped {
            more,
            ..Shipped::default()
        };
        if !lines.is_empty() {
            self.send(&lines, &mut shipped)?;
        }
        Ok(shipped)
    }

    /// Sends lines; what is refused is halved, down to the one that nobody takes.
    fn send(&mut self, lines: &[Ready], shipped: &mut Shipped) -> Result<(), Halt> {
        let records: Vec<LogRecord> = lines.iter().filter_map(|it| it.record.clone()).collect();
        // Lines that say nothing to others are passed over with those that do.
        let status = match records.is_empty() {
            true => 200,
            false => self.post(LOGS, &otlp::logs(&self.terms.from, &records))?,
        };
        match status {
            200..=299 => {
                shipped.records += records.len() as u64;
                records.iter().for_each(|it| self.counts.add(it));
                self.advance(lines)
            }
            400 | 413 | 422 => match lines {
                [] => Ok(()),
                [one] => {
                    shipped.set_aside += 1;
                    self.give_up(one, status)
                }
                many => {
                    let (first, second) = many.split_at(many.len() / 2);
                    self.send(first, shipped)?;
                    self.send(second, shipped)
                }
            },
            status => Err(Halt::Refused(status)),
        }
    }

    fn post(&self, path: &str, body: &str) -> Result<u16, Halt> {
        let reply = self.wire.post(path, &gzip::pack(body.as_bytes()));
        let reply = reply.map_err(|why| Halt::Later(why, None))?;
        match reply.status {
            408 | 429 | 500 | 502 | 503 | 504 => {
                let why = format!("status {}", reply.status);
                Err(Halt::Later(why, reply.retry_after))
            }
            status => Ok(status),
        }
    }

    fn advance(&mut self, lines: &[Ready]) -> Result<(), Halt> {
        let Some(last) = lines.last() else {
            return Ok(());
        };
        let numbers = lines
            .iter()
            .filter_map(|it| it.record.as_ref()?.int("belay.seq"));
        let number = numbers.filter_map(|it| u64::try_from(it).ok()).max();
        self.cursor = Cursor {
            day: last.line.day.clone(),
            offset: last.line.end,
            hash: hash_of(&last.line.bytes),
            number: number.unwrap_or(0).max(self.cursor.number),
        };
        Ok(self.outbox.remember(&self.cursor)?)
    }

    /// Sets aside a line that nobody takes; that it is missing is a line of the journal, and is shipped in its turn.
    fn give_up(&mut self, one: &Ready, status: u16) -> Result<(), Halt> {
        let why = format!("status {status}");
        self.outbox.set_aside(&one.line.bytes, &why)?;
        let number = one.record.as_ref().and_then(|it| it.int("belay.seq"));
        if let Some(number) = number.and_then(|it| u64::try_from(it).ok()) {
            self.tell_gap(number, number, "refused")?;
        }
        self.advance(std::slice::from_ref(one))
    }

    fn tell_gap(&self, first: u64, last: u64, why: &str) -> Result<(), Halt> {
        let gap = Gap {
            at: Moment::now(),
            first,
            last,
            why: why.to_owned(),
        };
        let journal = Journal::new(self.folder.clone());
        journal
            .append_gap(&gap)
            .map_err(|why| Halt::Disk(why.source))
    }

    /// Drops whole days, the oldest first and never the newest, where more waits than may; the trail says so before they go.
    fn make_room(&mut self) -> Result<(), Halt> {
        let most = self.terms.most_waiting;
        if most == 0 {
            return Ok(());
        }
        let mut left = self.spool.left(&self.cursor);
        let mut waiting: u64 = left.iter().map(|it| it.1).sum();
        while waiting > most && left.len() > 1 {
            let (day, bytes) = left.remove(0);
            let next = left.first().map(|it| it.0.clone()).unwrap_or_default();
            let last = self.number_before(&next);
            if last > self.cursor.number {
                self.tell_gap(self.cursor.number + 1, last, "disk")?;
            }
            self.cursor = Cursor {
                day: next,
                offset: 0,
                hash: "-".to_owned(),
                number: last.max(self.cursor.number),
            };
            self.outbox.remember(&self.cursor)?;
            std::fs::remove_file(self.spool.file(&day))?;
            waiting -= bytes;
        }
        Ok(())
    }

    /// Returns the number right before a day's first line.
    fn number_before(&self, day: &str) -> u64 {
        let start = Cursor {
            day: day.to_owned(),
            ..Cursor::default()
        };
        let one = Bounds {
            records: 1,
            bytes: 1,
        };
        let first = self.spool.after(&start, one).unwrap_or_default();
        let number = first
            .first()
            .and_then(|it| event(&it.bytes, Privacy::Full)?.int("belay.seq"));
        number.map_or(0, |it| u64::try_from(it).unwrap_or(1).saturating_sub(1))
    }

    /// Says how the machine fares.
    ///
    /// # Errors
    /// Returns why it did not arrive.
    pub fn tell(&self, status: &Status) -> Result<(), Halt> {
        let body = otlp::logs(&self.terms.from, &[status.record()]);
        match self.post(LOGS, &body)? {
            200..=299 => Ok(()),
            status => Err(Halt::Refused(status)),
        }
    }

    /// Sends the counts of what arrived. They are for alerts; where they do not arrive, the trail still counts right.
    pub fn tell_counts(&mut self, bundle_age: Option<u64>) {
        if self.metrics == Metrics::Refused || self.counts.is_empty() {
            return;
        }
        let gauges = Gauges {
            unshipped: self.unshipped(),
            bundle_age,
        };
        let now = Moment::now();
        let body = self.counts.request(&self.terms.from, gauges, now);
        match self.post(METRICS, &body) {
            Ok(200..=299) => self.counts.sent(now),
            Ok(_) => self.metrics = Metrics::Refused,
            Err(_) => {}
        }
    }
}
