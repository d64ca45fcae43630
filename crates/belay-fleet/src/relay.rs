//! Machines ship through a collector that is ended without a word. It says yes before anything is on a disk, so what it held is lost;
//! the trail must say exactly what.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use belay_journal::{Journal, Secrets};
use belay_ship::Outbox;

use crate::checks::{Links, links};
use crate::collectors::agent;
use crate::machines::{journal_of, record};
use crate::options::{Dice, Options};
use crate::parts::{Stage, TOKEN};
use crate::{Outcome, say};

/// So many machines, each with so many records.
const MACHINES: usize = 40;
const RECORDS: usize = 250;
/// So often the collector is ended.
const KILLS: usize = 8;
/// Nothing may take longer.
const PATIENCE: Duration = Duration::from_secs(600);

/// A collector that passes on what it takes; it ends when dropped.
struct Relay {
    program: PathBuf,
    ports: [u16; 2],
    to: String,
    child: Option<Child>,
}

impl Relay {
    fn new(stage: &Stage, options: &Options) -> Outcome<Self> {
        let free = || {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
            port.map(|it| it.port()).map_err(|why| why.to_string())
        };
        Ok(Self {
            program: agent(options)?,
            ports: [free()?, free()?],
            to: stage.url(),
            child: None,
        })
    }

    fn rise(&mut self) -> Outcome {
        let [http, grpc] = self.ports;
        let child = Command::new(&self.program)
            .args(["start", "--exporter", "otlp"])
            .args(["--otlp-exporter-endpoint", &self.to])
            .args(["--otlp-exporter-protocol", "http"])
            .args(["--otlp-exporter-custom-headers"])
            .arg(format!("Authorization=Bearer {TOKEN}"))
            .args(["--otlp-http-endpoint", &format!("127.0.0.1:{http}")])
            .args(["--otlp-grpc-endpoint", &format!("127.0.0.1:{grpc}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.map_err(|why| format!("cannot start rotel: {why}"))?);
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", http)).is_err() {
            if begun.elapsed() > Duration::from_secs(20) {
                return Err("rotel does not listen".to_owned());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What became of the records.
#[derive(Default)]
struct Tally {
    written: usize,
    lost: usize,
    holes: i64,
}

/// Lets machines ship through the collector while it is killed, and holds the store against the journals.
pub fn run(stage: &mut Stage, options: &Options) -> Outcome {
    let folder = stage.root.join("relayed");
    let mut relay = Relay::new(stage, options)?;
    relay.rise()?;
    let begun = Instant::now();
    let mut dice = Dice::new(options.seed ^ 0x0c01);
    let mut shipper = machines(&folder, &relay, RECORDS)?;
    let mut killed = 0;
    while ended(&mut shipper)?.is_none() {
        if begun.elapsed() > PATIENCE {
            let _ = shipper.kill();
            return Err("the machines do not come to an end behind a collector".to_owned());
        }
        thread::sleep(Duration::from_millis(100 + dice.below(700)));
        if killed < KILLS {
            relay.kill();
            thread::sleep(Duration::from_millis(dice.below(200)));
            relay.rise()?;
            killed += 1;
        }
    }
    // One record more from each, in peace: what is missing before it is a hole.
    for machine in 0..MACHINES {
        let journal = Journal::new(journal_of(&folder, machine)).with(Secrets::Kept);
        let one_more = record(machine, RECORDS as u64)?;
        journal.append(&one_more).map_err(|why| why.to_string())?;
    }
    let mut shipper = machines(&folder, &relay, RECORDS + 1)?;
    while ended(&mut shipper)?.is_none() {
        thread::sleep(Duration::from_millis(50));
    }
    settled(stage)?;
    let tally = tallied(stage, &folder)?;
    say(&format!(
        "fleet: behind rotel, which was killed {killed} times: {} records written, {} lost with what it held in memory, and the view `holes` names exactly {}",
        tally.written, tally.lost, tally.holes
    ));
    Ok(())
}

fn machines(folder: &std::path::Path, relay: &Relay, records: usize) -> Outcome<Child> {
    let own = std::env::current_exe().map_err(|why| why.to_string())?;
    let url = format!("http://127.0.0.1:{}", relay.ports[0]);
    let child = Command::new(own)
        .arg("machines")
        .arg(folder)
        .args([&url, "0", &MACHINES.to_string(), &records.to_string(), "7"])
        .stdin(Stdio::null())
        .spawn();
    child.map_err(|why| format!("cannot start machines: {why}"))
}

fn ended(child: &mut Child) -> Outcome<Option<()>> {
    match child.try_wait().map_err(|why| why.to_string())? {
        None => Ok(None),
        Some(status) if status.success() => Ok(Some(())),
        Some(status) => Err(format!("machines ended with {status}")),
    }
}

/// Waits until nothing comes any more.
fn settled(stage: &Stage) -> Outcome {
    let mut client = stage.client()?;
    let mut last = -1;
    for _ in 0..60 {
        let count = client.query_one("SELECT count(*) FROM decision", &[]);
        let count: i64 = count.map_err(|why| why.to_string())?.get(0);
        if count == last {
            return Ok(());
        }
        last = count;
        thread::sleep(Duration::from_secs(2));
    }
    Err("rows keep coming".to_owned())
}

/// Holds the store against the journals: nothing that was not written, nothing twice, and every loss in the view `holes`.
fn tallied(stage: &Stage, folder: &std::path::Path) -> Outcome<Tally> {
    let mut client = stage.client()?;
    let mut tally = Tally::default();
    for entry in fs::read_dir(folder)
        .map_err(|why| why.to_string())?
        .flatten()
    {
        let journal = entry.path().join("journal");
        let machine = Outbox::of(&journal).machine();
        let machine = machine.map_err(|why| why.to_string())?;
        let written = links(&journal)?;
        let rows = "SELECT seq, coalesce(chain, '') FROM decision WHERE machine = $1";
        let rows = client
            .query(rows, &[&machine])
            .map_err(|why| why.to_string())?;
        let stored: Links = rows.iter().map(|it| (it.get(0), it.get(1))).collect();
        let strange = stored
            .iter()
            .find(|(at, link)| written.get(at) != Some(link));
        if strange.is_some() || stored.len() != rows.len() {
            return Err(format!(
                "{machine}: the store has what nobody wrote, or has it twice: {strange:?}"
            ));
        }
        let holes =
            "SELECT coalesce(sum(last - first + 1), 0)::bigint FROM holes WHERE machine = $1";
        let holes = client.query_one(holes, &[&machine]);
        let holes: i64 = holes.map_err(|why| why.to_string())?.get(0);
        let lost = written.len() - stored.len();
        if usize::try_from(holes).ok() != Some(lost) {
            return Err(format!(
                "{machine}: {lost} are lost, and `holes` names {holes}"
            ));
        }
        tally.written += written.len();
        tally.lost += lost;
        tally.holes += holes;
    }
    Ok(tally)
}
