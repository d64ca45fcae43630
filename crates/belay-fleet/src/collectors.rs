//! Others judge what we send: the official definition of OTLP reads it, and a real collector takes it.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use belay_ship::{Backoff, Pace, Reply, Run, Shipper, Terms, Wire, gzip};

use crate::machines::{Clock, journal_of};
use crate::options::Options;
use crate::parts::Stage;
use crate::wire::Http;
use crate::{Outcome, say};

const JUDGE: &str = "
import sys
from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
logs = json_format.Parse(open(sys.argv[1]).read(), ExportLogsServiceRequest())
records = logs.resource_logs[0].scope_logs[0].log_records
assert len(records) > 0 and all(it.event_name == 'belay.decision' and it.time_unix_nano > 10**18 for it in records)
assert all(any(a.key == 'log.record.uid' for a in it.attributes) for it in records)
metrics = json_format.Parse(open(sys.argv[2]).read(), ExportMetricsServiceRequest())
names = [it.name for it in metrics.resource_metrics[0].scope_metrics[0].metrics]
assert names[:2] == ['belay.decisions', 'belay.records.unshipped'], names
print(len(records))
";

/// Passes on to a collector what is sent, and keeps a copy.
struct Tap<'a> {
    to: &'a Http,
    folder: PathBuf,
}

impl Wire for Tap<'_> {
    fn post(&self, path: &str, body: &[u8]) -> Result<Reply, String> {
        let name = path.rsplit('/').next().unwrap_or_default();
        let plain = gzip::unpack(body, 1 << 26).map_err(|why| why.to_string())?;
        fs::write(self.folder.join(format!("{name}.json")), plain)
            .map_err(|why| why.to_string())?;
        self.to.post(path, body)
    }
}

/// Ships a journal to the collector, and lets the definition read what went over the wire.
pub fn run(stage: &Stage, options: &Options) -> Outcome {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|it| it.local_addr())
        .map_err(|why| why.to_string())?
        .port();
    let grpc = TcpListener::bind("127.0.0.1:0")
        .and_then(|it| it.local_addr())
        .map_err(|why| why.to_string())?
        .port();
    let agent = agent(options)?;
    let mut collector = Command::new(agent)
        .args(["start", "--exporter", "blackhole"])
        .args(["--otlp-http-endpoint", &format!("127.0.0.1:{port}")])
        .args(["--otlp-grpc-endpoint", &format!("127.0.0.1:{grpc}")])
        .current_dir(&stage.root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|why| format!("cannot start rotel: {why}"))?;
    let shipped = ship(stage, port);
    let _ = collector.kill();
    let _ = collector.wait();
    let shipped = shipped?;
    let judged = Command::new(options.cache.join("pypi/bin/python"))
        .args(["-c", JUDGE])
        .args([
            stage.root.join("logs.json"),
            stage.root.join("metrics.json"),
        ])
        .output()
        .map_err(|why| format!("cannot start Python: {why}"))?;
    if !judged.status.success() {
        return Err(format!(
            "opentelemetry-proto does not read it: {}",
            String::from_utf8_lossy(&judged.stderr)
        ));
    }
    say(&format!(
        "fleet: rotel took {shipped} records and the counts; opentelemetry-proto read {} of them",
        String::from_utf8_lossy(&judged.stdout).trim()
    ));
    Ok(())
}

/// Finds the collector that `scripts/install-fleet` brought.
pub fn agent(options: &Options) -> Outcome<PathBuf> {
    let agent = fs::read_dir(options.cache.join("pypi/lib"))
        .map_err(|why| format!("no collector: {why}\nhint: run scripts/install-fleet"))?;
    let mut agent = agent
        .flatten()
        .map(|it| it.path().join("site-packages/rotel/rotel-agent"));
    agent
        .find(|it| it.exists())
        .ok_or("there is no rotel\nhint: run scripts/install-fleet".to_owned())
}

fn ship(stage: &Stage, port: u16) -> Outcome<u64> {
    let http = Http {
        url: format!("http://127.0.0.1:{port}"),
        token: None,
    };
    let begun = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        if begun.elapsed() > Duration::from_secs(20) {
            return Err("rotel does not listen".to_owned());
        }
        thread::sleep(Duration::from_millis(50));
    }
    let tap = Tap {
        to: &http,
        folder: stage.root.clone(),
    };
    let folder = journal_of(&stage.root.join("machines"), 0);
    let copy = stage.root.join("copy");
    fs::create_dir_all(&copy).map_err(|why| why.to_string())?;
    for entry in fs::read_dir(folder)
        .map_err(|why| why.to_string())?
        .flatten()
    {
        if entry.path().is_file() {
            fs::copy(entry.path(), copy.join(entry.file_name())).map_err(|why| why.to_string())?;
        }
    }
    let mut shipper = Shipper::new(&copy, Terms::default(), &tap).map_err(|why| why.to_string())?;
    let mut run = Run {
        time: &Clock(Instant::now()),
        pace: Pace {
            batches_per_minute: 6000,
        },
        until: Duration::from_secs(20),
        backoff: &mut Backoff::default(),
    };
    let ended = run.ship(&mut shipper);
    shipper.tell_counts(Some(60));
    match ended.halted {
        None if ended.set_aside == 0 => Ok(ended.records),
        None => Err(format!("the collector refused {} records", ended.set_aside)),
        Some(why) => Err(why.to_string()),
    }
}
