//! `belay fleet pull`: fetches the bundle; a call never does. Whatever comes, the bundle in force stays until a better one
//! proves itself.

use std::path::Path;
use std::thread;
use std::time::Duration;

use belay_bundle::{MOST_BYTES, Parcel};
use belay_classifier::{Fetch, Fetched, fetch};
use belay_journal::calendar::Moment;
use belay_settings::fleet::{self, Arrived, Cache, Refused};
use belay_settings::{Fault, Fleet, Places, SettingsError};
use clap::Args;
use nix::unistd::Uid;

use crate::config;
use crate::exit::Exit;
use crate::fleet::told;
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{Here, variable};

/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Arguments of `belay fleet pull`.
#[derive(Args)]
pub struct PullArgs {}

/// Fetches the bundle, and says what is in force then.
pub fn pull(_: &PullArgs, out: &mut Out) -> Result<Exit, Failure> {
    let here = Here::at(None)?;
    let loaded = here.settings();
    // A stored bundle that is broken is what this command mends.
    let broken = |it: &SettingsError| matches!(it.fault, Fault::BadBundle(_));
    if !loaded.errors.iter().all(broken) && config::complain(&loaded) != Exit::Done {
        return Ok(Exit::Failed);
    }
    let came = pulled(&loaded.settings.fleet, &here.places);
    if let Err(why) = &came {
        talk(harmless(&format!("error: {why}")));
    }
    for line in told(&here.settings().fleet) {
        out.line(harmless(&line))?;
    }
    Ok(match came {
        Ok(()) => Exit::Done,
        Err(_) => Exit::Failed,
    })
}

/// Asks for the bundle from time to time, for as long as the process lives. What goes wrong is kept for the doctor.
pub fn keep_fresh() {
    // Without the thread the bundle is as old as the last pull, which it says.
    let _ = thread::Builder::new().spawn(|| {
        loop {
            thread::sleep(round());
        }
    });
}

fn round() -> Duration {
    let Ok(here) = Here::at(Some(Path::new("/"))) else {
        return PATIENCE;
    };
    let fleet = here.settings().settings.fleet;
    if fleet.url.is_some() && !fleet.keys.is_empty() {
        let _ = pulled(&fleet, &here.places);
    }
    Duration::from_secs(fleet.refresh_seconds.max(1))
}

/// Fetches and keeps the bundle; what is wrong is kept, too.
fn pulled(fleet: &Fleet, places: &Places) -> Result<(), String> {
    let url = fleet.url.as_deref().filter(|_| !fleet.keys.is_empty());
    let url = url.ok_or(NOT_SET)?.trim_end_matches('/');
    let cache = Cache::of(places, Uid::effective().is_root()).ok_or(NO_STATE)?;
    let server = Server {
        url,
        token: fleet.token_env.as_deref().and_then(variable),
        cache,
    };
    let now = Moment::now().0 / 1000;
    server.asked(fleet, now).inspect_err(|why| {
        let why = why.lines().next().unwrap_or_default().to_owned();
        // Where nothing can be written, the error that follows says so.
        let _ = server.cache.refuse(Refused { why, at: now });
    })
}

const NOT_SET: &str = "the managed settings name no server or no key\nhint: set `url` and `keys` in `[fleet]` of /etc/belay/config.toml";
const NO_STATE: &str = "belay has no state folder\nhint: set `HOME` or `XDG_STATE_HOME`";

/// Who serves the bundle, and where it is kept.
struct Server<'a> {
    url: &'a str,
    token: Option<String>,
    cache: Cache,
}

impl Server<'_> {
    /// Asks for the signature first: it is short, and changes with the bundle and with everything that is said of it.
    fn asked(&self, fleet: &Fleet, now: u64) -> Result<(), String> {
        let keys = fleet::keys(fleet);
        let known = self.cache.pulled().unwrap_or_default();
        // What is not there any more must come whole.
        let there = self.cache.in_force(&keys).is_some();
        let etag = known.etag.filter(|_| there);
        let signature = self.get("/v1/bundle.minisig", etag.as_deref())?;
        if signature.status == 304 {
            return self.cache.renew(now).map_err(|it| it.to_string());
        }
        self.whole(&signature)?;
        let bundle = self.get("/v1/bundle", None)?;
        self.whole(&bundle)?;
        let arrived = Arrived {
            parcel: Parcel {
                bundle: &bundle.bytes,
                signature: &signature.bytes,
            },
            etag: signature.etag.as_deref(),
            now,
        };
        self.cache.receive(&keys, &arrived).map(drop)
    }

    fn whole(&self, fetched: &Fetched) -> Result<(), String> {
        let status = fetched.status;
        match status {
            200 => Ok(()),
            _ => Err(format!(
                "`{}` answered {status}\n{}",
                self.url,
                way_out(status)
            )),
        }
    }

    fn get(&self, path: &str, etag: Option<&str>) -> Result<Fetched, String> {
        let token = self.token.as_ref().map(|it| format!("Bearer {it}"));
        let token = token.map(|it| ("Authorization".to_owned(), it));
        let etag = etag.map(|it| ("If-None-Match".to_owned(), it.to_owned()));
        let headers: Vec<(String, String)> = token.into_iter().chain(etag).collect();
        let url = format!("{}{path}", self.url);
        fetch(&Fetch {
            method: "GET",
            url: &url,
            headers: &headers,
            body: None,
            patience: PATIENCE,
            // One byte more tells what is too large from what is not.
            most_bytes: MOST_BYTES as u64 + 1,
        })
        .map_err(|why| format!("no bundle from `{url}`: {why}"))
    }
}

const fn way_out(status: u16) -> &'static str {
    match status {
        401 | 403 => "hint: the server wants a token; `token_env` in `[fleet]` names its variable",
        404 => "hint: look at `url` in `[fleet]`",
        _ => "hint: try again later",
    }
}
