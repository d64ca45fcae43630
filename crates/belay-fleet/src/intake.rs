//! How many rows a second come in through the front door, beside what PostgreSQL takes by plain `COPY` in the same run.

use std::fs;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use belay_ship::otlp::{Resource, logs};
use belay_ship::{Privacy, Spool, Wire, event, gzip};

use crate::machines::journal_of;
use crate::options::Options;
use crate::parts::{Stage, TOKEN};
use crate::{Outcome, say};

const BATCH: usize = 512;
const CLIENTS: usize = 4;

/// Measures both.
pub fn run(stage: &mut Stage, options: &Options) -> Outcome {
    let requests = if options.long { 400 } else { 80 };
    let bodies = bodies(stage, requests)?;
    let rows = requests * BATCH;
    let before = count(stage)?;
    let begun = Instant::now();
    let next = AtomicUsize::new(0);
    let refused = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let wire = stage.http(Some(TOKEN));
                while let Some(body) = bodies.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !wire.post("/v1/logs", body).is_ok_and(|it| it.status == 200) {
                        refused.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let took = begun.elapsed().as_secs_f64();
    let stored = count(stage)? - before;
    if refused.into_inner() > 0 || stored != i64::try_from(rows).unwrap_or(0) {
        return Err(format!("{stored} of {rows} rows arrived"));
    }
    let plain = plain(stage)?;
    let own = rows as f64 / took;
    say(&format!(
        "fleet: intake {own:.0} rows/s over HTTP ({CLIENTS} clients, {BATCH} records a request, packed), plain COPY of the same rows {plain:.0} rows/s: {:.0} %",
        own / plain * 100.0
    ));
    Ok(())
}

fn count(stage: &Stage) -> Outcome<i64> {
    let row = stage
        .client()?
        .query_one("SELECT count(*) FROM decision", &[]);
    Ok(row.map_err(|why| why.to_string())?.get(0))
}

/// Requests of machines that nobody knows yet, made of a journal that is there.
fn bodies(stage: &Stage, count: usize) -> Outcome<Vec<Vec<u8>>> {
    let spool = Spool::of(&journal_of(&stage.root.join("machines"), 1));
    let day = spool.days().into_iter().next().ok_or("no journal")?;
    let text = fs::read(spool.file(&day)).map_err(|why| why.to_string())?;
    let records = text
        .split(|it| *it == b'\n')
        .filter_map(|it| event(it, Privacy::Redacted));
    let records: Vec<_> = records.collect();
    let body = |at: usize| {
        let mut all: Vec<_> = records.iter().cycle().take(BATCH).cloned().collect();
        for (number, record) in (1_i64..).zip(&mut all) {
            record.attributes.retain(|(key, _)| *key != "belay.seq");
            record.number("belay.seq", Some(number));
        }
        let from = Resource {
            machine: format!("intake-{at}"),
            ..Resource::default()
        };
        gzip::pack(logs(&from, &all).as_bytes())
    };
    Ok((0..count).map(body).collect())
}

fn plain(stage: &Stage) -> Outcome<f64> {
    let mut client = stage.client()?;
    let shown = |why: postgres::Error| why.to_string();
    let io = |why: std::io::Error| why.to_string();
    let mut text = Vec::new();
    let mut from = client
        .copy_out("COPY (SELECT * FROM decision WHERE machine LIKE 'intake-%') TO STDOUT")
        .map_err(shown)?;
    std::io::Read::read_to_end(&mut from, &mut text).map_err(io)?;
    drop(from);
    client
        .batch_execute("CREATE TABLE plain (LIKE decision)")
        .map_err(shown)?;
    let begun = Instant::now();
    let mut into = client.copy_in("COPY plain FROM STDIN").map_err(shown)?;
    into.write_all(&text).map_err(io)?;
    let rows = into.finish().map_err(shown)?;
    let took = begun.elapsed().as_secs_f64();
    client
        .batch_execute("DROP TABLE plain; DELETE FROM decision WHERE machine LIKE 'intake-%'")
        .map_err(shown)?;
    Ok(rows as f64 / took)
}
