//! The store in PostgreSQL: its schema, its partitions, and how rows get in.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;

use belay_journal::calendar::Moment;
use belay_ship::otlp::Received;
use postgres::error::SqlState;
use postgres::{Client, NoTls};

use crate::rows::{Batch, machine};
use crate::served::Told;

/// The schema, a step at a time; a step that was released never changes.
const MIGRATIONS: [&str; 1] = [include_str!("../migrations/1.sql")];

const DAY: u64 = 86_400_000;
/// Days further from today than this have no partition of their own: a clock is wrong, most likely.
const DAYS_BACK: u64 = 400;
const DAYS_AHEAD: u64 = 2;

/// Why rows are not in the store.
#[derive(Debug)]
pub enum Fault {
    /// The rows themselves are at fault: nobody can store them.
    Rows(String),
    /// The store is away, or busy.
    Away(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(why) => write!(f, "the store rejects the rows: {why}"),
            Self::Away(why) => write!(f, "the store does not answer: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<postgres::Error> for Fault {
    fn from(why: postgres::Error) -> Self {
        let said = why
            .as_db_error()
            .map_or_else(|| why.to_string(), ToString::to_string);
        let class = why.code().map(|it| it.code().get(..2).unwrap_or_default());
        match class {
            // Data exceptions, constraints, and what a program limit forbids.
            Some("22" | "23" | "54") => Self::Rows(said),
            Some(_) | None => Self::Away(said),
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(why: std::io::Error) -> Self {
        Self::Away(why.to_string())
    }
}

/// A connection to the store.
pub struct Store {
    client: Client,
    days: BTreeSet<u64>,
}

const STAGES: &str = "SET synchronous_commit = on; \
    CREATE TEMP TABLE stage_decision (LIKE decision) ON COMMIT DELETE ROWS; \
    CREATE TEMP TABLE stage_follow (LIKE follow) ON COMMIT DELETE ROWS";

/// What takes the rows from where `COPY` put them. A row that is there already was sent again.
const TAKE_DECISIONS: &str =
    "INSERT INTO decision SELECT * FROM stage_decision ON CONFLICT DO NOTHING";
const TAKE_FOLLOWS: &str = "INSERT INTO follow SELECT * FROM stage_follow ON CONFLICT DO NOTHING";

const TELL: &str = "INSERT INTO machine AS m (machine, at, host, os, team, usr, version, mode, agents, hooked, proven, bundle, stage, unshipped, set_aside, passing, troubles) \
    VALUES ($1, to_timestamp($2::bigint / 1000.0), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) \
    ON CONFLICT (machine) DO UPDATE SET at = excluded.at, host = excluded.host, os = excluded.os, team = excluded.team, usr = excluded.usr, \
    version = excluded.version, mode = excluded.mode, agents = excluded.agents, hooked = excluded.hooked, proven = excluded.proven, \
    bundle = excluded.bundle, stage = excluded.stage, unshipped = excluded.unshipped, set_aside = excluded.set_aside, passing = excluded.passing, \
    troubles = excluded.troubles WHERE m.at <= excluded.at";

impl Store {
    /// Connects.
    ///
    /// # Errors
    /// Returns why not.
    pub fn connect(address: &str) -> Result<Self, Fault> {
        let mut client = Client::connect(address, NoTls)?;
        client.batch_execute(STAGES)?;
        Ok(Self {
            client,
            days: BTreeSet::new(),
        })
    }

    /// Brings the schema up to date, and returns how many steps that took.
    ///
    /// # Errors
    /// Returns why it is as it was.
    pub fn migrate(address: &str) -> Result<usize, Fault> {
        let mut client = Client::connect(address, NoTls)?;
        let mut all = client.transaction()?;
        all.batch_execute(
            "SELECT pg_advisory_xact_lock(7311); CREATE TABLE IF NOT EXISTS migration (step integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
        )?;
        let done: i64 = all.query_one("SELECT count(*) FROM migration", &[])?.get(0);
        let done = usize::try_from(done).unwrap_or(usize::MAX);
        let mut steps = 0;
        for (step, text) in (1_i32..).zip(MIGRATIONS).skip(done) {
            all.batch_execute(text)?;
            all.execute("INSERT INTO migration (step) VALUES ($1)", &[&step])?;
            steps += 1;
        }
        all.commit()?;
        Ok(steps)
    }

    /// Writes the rows of a batch; they are on the disk when this returns.
    ///
    /// # Errors
    /// Returns why none of them is in the store.
    pub fn write(&mut self, batch: &Batch) -> Result<(), Fault> {
        for day in &batch.days {
            self.make_day(*day)?;
        }
        let mut all = self.client.transaction()?;
        if !batch.decisions.is_empty() {
            let mut into = all.copy_in("COPY stage_decision FROM STDIN")?;
            into.write_all(batch.decisions.as_bytes())?;
            into.finish()?;
            all.batch_execute(TAKE_DECISIONS)?;
            let hours: Vec<i64> = batch
                .hours
                .iter()
                .filter_map(|it| i64::try_from(*it).ok())
                .collect();
            let due = "INSERT INTO rollup_due SELECT to_timestamp(it * 3600) FROM unnest($1::bigint[]) AS it";
            all.execute(due, &[&hours])?;
        }
        if !batch.follows.is_empty() {
            let mut into = all.copy_in("COPY stage_follow FROM STDIN")?;
            into.write_all(batch.follows.as_bytes())?;
            into.finish()?;
            all.batch_execute(TAKE_FOLLOWS)?;
        }
        Ok(all.commit()?)
    }

    /// Writes down how a machine fares; an older status never replaces a newer one.
    ///
    /// # Errors
    /// Returns why the last status stays.
    pub fn tell(&mut self, record: &Received, team: Option<&str>) -> Result<(), Fault> {
        let at = i64::try_from(record.at.0).unwrap_or(i64::MAX);
        let team = team
            .or_else(|| record.text("belay.team"))
            .unwrap_or_default();
        let texts = |key: &str| -> Vec<String> {
            let texts = record.texts(key).into_iter();
            texts.map(|it| it.replace('\0', "\u{fffd}")).collect()
        };
        self.client.execute(
            TELL,
            &[
                &machine(record),
                &at,
                &record.text("host.name"),
                &record.text("os.type"),
                &team,
                &record.text("user.name"),
                &record.text("service.version"),
                &record.text("belay.mode"),
                &texts("belay.agents"),
                &texts("belay.agents.hooked"),
                &texts("belay.agents.proven"),
                &record.int("belay.bundle.serial"),
                &record.text("belay.stage"),
                &record.int("belay.unshipped").unwrap_or(0),
                &record.int("belay.set_aside").unwrap_or(0),
                &record.flag("belay.passing").unwrap_or(false),
                &texts("belay.troubles"),
            ],
        )?;
        Ok(())
    }

    /// Writes down a bundle that is served.
    ///
    /// # Errors
    /// Returns why not.
    pub fn tell_bundle(&mut self, told: &Told) -> Result<(), Fault> {
        let Told {
            serial,
            hash,
            comment,
        } = told;
        let text = "INSERT INTO bundle (serial, sha256, comment) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.client.execute(text, &[serial, hash, comment])?;
        Ok(())
    }

    /// Sums up the hours that have new rows, and returns how many.
    ///
    /// # Errors
    /// Returns why the sums are as they were.
    pub fn roll_up(&mut self) -> Result<i32, Fault> {
        Ok(self.client.query_one("SELECT roll_up()", &[])?.get(0))
    }

    /// Returns the connection.
    pub const fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Makes the partitions of a day, where they are not there.
    fn make_day(&mut self, day: u64) -> Result<(), Fault> {
        let today = Moment::now().0 / DAY;
        let is_near = (today.saturating_sub(DAYS_BACK)..=today + DAYS_AHEAD).contains(&day);
        if !is_near || self.days.contains(&day) {
            return Ok(());
        }
        let date = |day: u64| Moment(day * DAY).date();
        let (from, to) = (date(day), date(day + 1));
        let name = from.replace('-', "");
        for table in ["decision", "follow"] {
            let made = self.client.batch_execute(&format!(
                "CREATE TABLE IF NOT EXISTS {table}_{name} PARTITION OF {table} FOR VALUES FROM ('{from} 00:00:00+00') TO ('{to} 00:00:00+00')"
            ));
            match made {
                Ok(()) => {}
                // Somebody else made it at the same time, or rows of that day came while it was far away: they stay where they are.
                Err(why) if is_there(&why) => {}
                Err(why) => return Err(why.into()),
            }
        }
        self.days.insert(day);
        Ok(())
    }
}

fn is_there(why: &postgres::Error) -> bool {
    let states = [
        SqlState::UNIQUE_VIOLATION,
        SqlState::DUPLICATE_TABLE,
        SqlState::DUPLICATE_OBJECT,
        SqlState::CHECK_VIOLATION,
    ];
    why.code().is_some_and(|it| states.contains(it))
}
