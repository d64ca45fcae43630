//! `belay fleet ship`: sends the journal to whoever collects the records of many machines.
//!
//! INVARIANT: no hook comes here. What cannot be sent waits in the journal, however long, and the calls of today do not.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use belay_classifier::{Fetch, fetch};
use belay_journal::calendar::Moment;
use belay_settings::{Settings, ShipPrivacy};
use belay_ship::otlp::Resource;
use belay_ship::{
    Backoff, Ended, Halt, Outbox, Pace, Privacy, Reply, Run, Shipper, Terms, Time, Wire,
};
use clap::Args;
use nix::unistd::{Uid, User};

use crate::config;
use crate::exit::Exit;
use crate::fleet::status::{gathered, is_due, note_told};
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{self, Here, variable};

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often the daemon looks for new records.
const EVERY: Duration = Duration::from_secs(5);
/// How long the daemon stays with one run: settings may change meanwhile.
const ONE_RUN: Duration = Duration::from_secs(60);

/// Arguments of `belay fleet ship`.
#[derive(Args)]
pub struct ShipArgs {
    /// Send what is there and the machine's status, then end: for jobs of CI. Without it, go on until stopped.
    #[arg(long)]
    pub once: bool,
    /// Give up after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "once")]
    pub within: u64,
}

/// Ships.
pub fn ship(args: &ShipArgs, out: &mut Out) -> Result<Exit, Failure> {
    let here = Here::at(None)?;
    let loaded = here.settings();
    if config::complain(&loaded) != Exit::Done {
        return Ok(Exit::Failed);
    }
    let ship = &loaded.settings.ship;
    if ship.url.is_none() {
        return Err(Failure::said(
            "the settings name no collector\nhint: set `url` in `[ship]`",
        ));
    }
    if !args.once {
        let mut backoff = Backoff::default();
        loop {
            thread::sleep(round(&mut backoff));
        }
    }
    let within = Duration::from_secs(args.within);
    match once(&here, within, &mut Backoff::default()).map_err(Failure::said)? {
        Some(ended) => tell(&ended, out),
        None => Err(Failure::said(
            "another process is sending this journal\nhint: `belay serve` does so by itself",
        )),
    }
}

fn tell(ended: &Ended, out: &mut Out) -> Result<Exit, Failure> {
    out.line(format_args!("{} sent", counted(ended.records)))?;
    if ended.set_aside > 0 {
        let refused = counted(ended.set_aside);
        talk(format_args!("{refused} refused and set aside"));
    }
    let Some(halt) = &ended.halted else {
        return Ok(Exit::Done);
    };
    talk(harmless(&format!("error: {halt}")));
    talk(match halt {
        Halt::Refused(401 | 403) => {
            "hint: `token_env` in `[ship]` names the variable with the token"
        }
        Halt::Refused(_) => "hint: is `url` in `[ship]` the address of a collector?",
        Halt::Later(..) | Halt::Disk(_) => "hint: nothing is lost; the next run goes on from there",
    });
    Ok(Exit::Failed)
}

fn counted(records: u64) -> String {
    match records {
        1 => "1 record".to_owned(),
        many => format!("{many} records"),
    }
}

/// Ships for as long as the process lives. What goes wrong is left to `belay fleet status` to say.
pub fn keep_shipping() {
    // Without the thread the records wait, which the status says.
    let _ = thread::Builder::new().spawn(|| {
        let mut backoff = Backoff::default();
        // Machines that start together do not all come at once.
        thread::sleep(Duration::from_millis(chance(5000)));
        loop {
            thread::sleep(round(&mut backoff));
        }
    });
}

/// Ships once, if the settings say so, and returns how long to wait.
fn round(backoff: &mut Backoff) -> Duration {
    let Ok(here) = Here::at(Some(Path::new("/"))) else {
        return ONE_RUN;
    };
    let ended = match once(&here, ONE_RUN, backoff) {
        Ok(ended) => ended,
        Err(_) => return ONE_RUN,
    };
    let halted = ended.and_then(|it| it.halted);
    match halted {
        None => EVERY,
        Some(Halt::Later(_, asked)) => backoff.failed(asked, &mut chance),
        Some(Halt::Refused(_) | Halt::Disk(_)) => backoff.failed(Some(ONE_RUN), &mut chance),
    }
}

/// Ships what is there; nothing where somebody else does, or nobody collects.
fn once(here: &Here, within: Duration, backoff: &mut Backoff) -> Result<Option<Ended>, String> {
    let loaded = here.settings();
    let settings = &loaded.settings;
    let journal = places::journal(settings, &here.places);
    let journal = journal.ok_or("there is no journal")?;
    let Some(url) = settings.ship.url.as_deref() else {
        return Ok(None);
    };
    let outbox = Outbox::of(journal.folder());
    let Some(_seat) = outbox.take().map_err(|why| why.to_string())? else {
        return Ok(None);
    };
    let wire = Collector {
        url: url.trim_end_matches('/').to_owned(),
        token: settings.ship.token_env.as_deref().and_then(variable),
    };
    let shipper = Shipper::new(journal.folder(), terms(settings), &wire);
    let mut shipper = shipper.map_err(|why| why.to_string())?;
    let clock = Clock(Instant::now());
    let mut run = Run {
        time: &clock,
        pace: Pace {
            batches_per_minute: settings.ship.batches_per_minute,
        },
        until: within,
        backoff,
    };
    let mut ended = run.ship(&mut shipper);
    if ended.halted.is_none() && is_due(&outbox) {
        let status = gathered(here, &loaded);
        shipper.tell_counts(status.bundle_age);
        match shipper.tell(&status) {
            Ok(()) => note_told(&outbox),
            Err(why) => ended.halted = Some(why),
        }
    } else {
        shipper.tell_counts(None);
    }
    Ok(Some(ended))
}

fn terms(settings: &Settings) -> Terms {
    let ship = &settings.ship;
    let privacy = match ship.privacy {
        ShipPrivacy::Effects => Privacy::Effects,
        ShipPrivacy::Redacted => Privacy::Redacted,
        ShipPrivacy::Full => Privacy::Full,
    };
    let user = User::from_uid(Uid::effective()).ok().flatten();
    Terms {
        privacy,
        most_waiting: ship.max_waiting_bytes,
        from: Resource {
            machine: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            team: settings.fleet.team.clone(),
            user: user.map(|it| it.name).filter(|_| ship.names),
        },
        ..Terms::default()
    }
}

/// The collector, over the one client we have.
struct Collector {
    url: String,
    token: Option<String>,
}

impl Wire for Collector {
    fn post(&self, path: &str, body: &[u8]) -> Result<Reply, String> {
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut headers = vec![
            named("content-type", "application/json"),
            named("content-encoding", "gzip"),
        ];
        let token = self.token.iter();
        headers.extend(token.map(|it| named("authorization", &format!("Bearer {it}"))));
        let fetched = fetch(&Fetch {
            method: "POST",
            url: &format!("{}{path}", self.url),
            headers: &headers,
            body: Some(body),
            patience: PATIENCE,
            most_bytes: 1 << 20,
        });
        let fetched = fetched.map_err(|why| why.to_string())?;
        Ok(Reply {
            status: fetched.status,
            retry_after: fetched.retry_after,
        })
    }
}

struct Clock(Instant);

impl Time for Clock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn sleep(&self, time: Duration) {
        thread::sleep(time);
    }

    fn dice(&self, below: u64) -> u64 {
        chance(below)
    }
}

fn chance(below: u64) -> u64 {
    RandomState::new().hash_one(Moment::now().0) % below.max(1)
}
