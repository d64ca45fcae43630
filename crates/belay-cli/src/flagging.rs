//! `belay flags`: the feature flags that are kept, and asking for them anew.
//!
//! INVARIANT: only `refresh` opens a connection, and whatever goes wrong with it, the last good flags
//! stay as they are.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use belay_classifier::{Fetch, fetch};
use belay_journal::{calendar::Moment, json};
use belay_model::Value;
use belay_settings::flags::{self, Asker, Cached, Laid, Reply};
use belay_settings::{FlagProvider, Flags, Loaded, Places};
use clap::{Args, Subcommand};

use crate::config;
use crate::exit::Exit;
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{Here, variable};

/// How long a server of flags may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Arguments of `belay flags`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct FlagsArgs {
    /// Something other than listing.
    #[command(subcommand)]
    pub job: Option<FlagsJob>,
    /// Use this folder instead of the current one.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What else can be done with flags.
#[derive(Subcommand)]
pub enum FlagsJob {
    /// Ask the server in `[flags]` and keep its answer; when it has none, the last good one stays.
    Refresh,
}

/// Lists the flags fetched last, or fetches them again.
pub fn flags(args: &FlagsArgs, out: &mut Out) -> Result<Exit, Failure> {
    let here = Here::at(args.folder.as_deref())?;
    let loaded = here.settings();
    if config::complain(&loaded) != Exit::Done {
        return Ok(Exit::Failed);
    }
    match args.job {
        Some(FlagsJob::Refresh) => refreshed(&here.places, &loaded, out),
        None if loaded.settings.flags.provider == FlagProvider::None => {
            out.line("no flags: `provider` in `[flags]` is \"none\"")?;
            Ok(Exit::Done)
        }
        None => {
            let listing = Listing::of(&here.places, &loaded)?;
            if !args.json {
                return list(&listing, out);
            }
            out.line(json::compact(&to_json(&listing)))?;
            Ok(Exit::Done)
        }
    }
}

fn refreshed(places: &Places, loaded: &Loaded, out: &mut Out) -> Result<Exit, Failure> {
    let flags = &loaded.settings.flags;
    let state = state(places)?;
    let known = flags::kept(state).map_err(Failure::said)?;
    match refresh(flags, state) {
        Ok(cached) => {
            let changed = known.is_none_or(|it| it.values != cached.values);
            let word = if changed { "new" } else { "the same" };
            let ours = flags::laid(&loaded.settings, &cached).len();
            out.line(format_args!(
                "{word}: {} flags, {ours} of them for belay",
                cached.values.len()
            ))?;
            for note in &cached.notes {
                talk(harmless(&format!("note: {note}")));
            }
            Ok(Exit::Done)
        }
        Err(why) => {
            talk(harmless(&format!("error: {why}")));
            talk(match known.filter(|it| it.is_of(flags)) {
                Some(known) if known.is_fresh(flags, now()) => {
                    let until = known.at.saturating_add(flags.stale_seconds);
                    format!(
                        "the flags of {} are used until {}",
                        stamp(known.at),
                        stamp(until)
                    )
                }
                Some(known) => format!(
                    "the flags of {} are too old; belay uses the settings",
                    stamp(known.at)
                ),
                None => "no flags fetched yet; belay uses the settings".to_owned(),
            });
            Ok(Exit::Failed)
        }
    }
}

/// Asks for the flags and keeps them. Also for whoever asks from time to time.
///
/// # Errors
/// Says why there are no new flags; the kept ones are as they were.
pub fn refresh(flags: &Flags, state: &Path) -> Result<Cached, String> {
    let known = flags::kept(state).ok().flatten();
    let asker = asker(flags, state)?;
    let request = flags::request(flags, &asker, known.as_ref()).map_err(|why| {
        format!("{why}\nhint: `belay config --default` shows `[flags]` with an example")
    })?;
    let fetched = fetch(&Fetch {
        method: request.method,
        url: &request.url,
        headers: &request.headers,
        body: request.body.as_deref().map(str::as_bytes),
        patience: PATIENCE,
        most_bytes: flags::MOST_BYTES as u64,
    })
    .map_err(|why| {
        format!(
            "no flags from `{}`: {why}",
            flags.url.as_deref().unwrap_or_default()
        )
    })?;
    let reply = Reply {
        status: fetched.status,
        etag: fetched.etag,
        body: String::from_utf8_lossy(&fetched.bytes).into_owned(),
    };
    let received = flags::receive(
        flags::Round {
            flags,
            asker: &asker,
            known: known.as_ref(),
            now: now(),
        },
        &reply,
    );
    let cached = received.map_err(|why| way_out(&why, flags))?;
    flags::keep(state, &cached).map_err(|why| why.to_string())?;
    Ok(cached)
}

/// Asks for the flags from time to time, for as long as the process lives. What goes wrong is left to
/// `belay flags refresh` to say: the last good flags stay.
pub fn keep_fresh() {
    // Without the thread the flags are as old as the last refresh, which they say.
    let _ = thread::Builder::new().spawn(|| {
        loop {
            thread::sleep(round());
        }
    });
}

/// Asks once, if the settings say so, and returns how long to wait.
fn round() -> Duration {
    let Ok(here) = Here::at(Some(Path::new("/"))) else {
        return PATIENCE;
    };
    let loaded = here.settings();
    let flags = &loaded.settings.flags;
    if let (Some(state), false) = (&here.places.state_dir, loaded.broken)
        && flags.provider != FlagProvider::None
    {
        let _ = refresh(flags, state);
    }
    Duration::from_secs(flags.refresh_seconds.max(1))
}

fn way_out(why: &flags::FlagError, flags: &Flags) -> String {
    let hint = match why {
        flags::FlagError::Status(401 | 403) => match &flags.key_env {
            Some(name) => format!("the server rejects the key in `{name}`"),
            None => "name the variable with the key in `key_env` of `[flags]`".to_owned(),
        },
        flags::FlagError::Status(404) => "look at `url` in `[flags]`".to_owned(),
        flags::FlagError::Status(_) => "try again later".to_owned(),
        flags::FlagError::NotSet | flags::FlagError::TooLarge | flags::FlagError::Malformed(_) => {
            format!(
                "is `url` the address of an {} server?",
                flags.provider.word()
            )
        }
    };
    format!("{why}\nhint: {hint}")
}

/// Who asks: a name made for this machine, what it is, and what the settings add.
fn asker(flags: &Flags, state: &Path) -> Result<Asker, String> {
    let random = || {
        let half = || RandomState::new().hash_one(std::process::id());
        format!("{:016x}{:016x}", half(), half())
    };
    let id = flags::asker_id(state, &random).map_err(|why| why.to_string())?;
    let given = [
        ("os", std::env::consts::OS),
        ("arch", std::env::consts::ARCH),
        ("version", env!("CARGO_PKG_VERSION")),
    ];
    let given = given.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let added = flags.attributes.iter().filter_map(|it| {
        let (name, value) = it.text.split_once('=')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    });
    Ok(Asker {
        id,
        attributes: given.into_iter().chain(added).collect(),
        key: flags.key_env.as_deref().and_then(variable),
    })
}

/// The flags that are kept, and what became of them.
struct Listing<'a> {
    flags: &'a Flags,
    kept: Option<Cached>,
    laid: Vec<Laid>,
}

impl<'a> Listing<'a> {
    fn of(places: &Places, loaded: &'a Loaded) -> Result<Self, Failure> {
        let flags = &loaded.settings.flags;
        let kept = flags::kept(state(places)?).map_err(Failure::said)?;
        let kept = kept.filter(|it| it.is_of(flags));
        let laid = kept
            .as_ref()
            .map(|it| flags::laid(&loaded.settings, it))
            .unwrap_or_default();
        Ok(Self { flags, kept, laid })
    }
}

fn list(listing: &Listing<'_>, out: &mut Out) -> Result<Exit, Failure> {
    let Listing { flags, kept, laid } = listing;
    let Some(kept) = kept else {
        out.line("no flags fetched yet\nhint: run `belay flags refresh`")?;
        return Ok(Exit::Done);
    };
    let until = stamp(kept.at.saturating_add(flags.stale_seconds));
    let fresh = if kept.is_fresh(flags, now()) {
        format!("used until {until}")
    } else {
        format!("too old since {until}: belay uses the settings")
    };
    out.line(format_args!(
        "# {} {} of {}, {fresh}",
        kept.provider,
        kept.url,
        stamp(kept.at)
    ))?;
    for flag in laid {
        let refused = flag
            .refused
            .as_ref()
            .map_or(String::new(), |why| format!("  # refused: {why}"));
        out.line(harmless(&format!(
            "{} = {}{refused}",
            flag.name, flag.value
        )))?;
    }
    for note in &kept.notes {
        out.line(harmless(&format!("# {note}")))?;
    }
    let others = kept.values.len().saturating_sub(laid.len());
    if others > 0 {
        out.line(format_args!("# {others} more that are not for belay"))?;
    }
    Ok(Exit::Done)
}

fn to_json(listing: &Listing<'_>) -> Value {
    let Listing { flags, kept, laid } = listing;
    let row = |it: &Laid| {
        let mut members = vec![
            ("name".to_owned(), Value::from(it.name.as_str())),
            (
                "value".to_owned(),
                json::read(it.value.as_bytes()).unwrap_or_default(),
            ),
        ];
        if let Some(why) = &it.refused {
            members.push(("refused".to_owned(), Value::from(why.as_str())));
        }
        Value::Object(members)
    };
    let mut members = vec![
        ("provider".to_owned(), Value::from(flags.provider.word())),
        (
            "flags".to_owned(),
            Value::Array(laid.iter().map(row).collect()),
        ),
    ];
    if let Some(kept) = kept {
        let notes = kept.notes.iter().map(|it| Value::from(it.as_str()));
        members.extend([
            ("at".to_owned(), Value::from(stamp(kept.at).as_str())),
            ("fresh".to_owned(), Value::Bool(kept.is_fresh(flags, now()))),
            ("notes".to_owned(), Value::Array(notes.collect())),
        ]);
    }
    Value::Object(members)
}

fn state(places: &Places) -> Result<&Path, Failure> {
    places.state_dir.as_deref().ok_or_else(|| {
        Failure::said("belay has no state folder\nhint: set `HOME` or `XDG_STATE_HOME`")
    })
}

fn stamp(seconds: u64) -> String {
    Moment(seconds.saturating_mul(1000)).stamp()
}

fn now() -> u64 {
    Moment::now().0 / 1000
}
