//! `belay auto on|off|observe`: a quick switch over the mode of the settings, for a while or for good,
//! everywhere or in one project. It lies in our own folder, which no agent may write.

use std::fs;
use std::path::{Path, PathBuf};

use belay_journal::{calendar::Moment, json};
use belay_model::Value;
use belay_settings::{Loaded, Mode, Source};
use belay_store::Lasts;
use clap::{Args, ValueEnum};

use crate::out::{Failure, Out};
use crate::places::Here;

/// Arguments of `belay auto`.
#[derive(Args)]
pub struct AutoArgs {
    /// What the gate shall do; without it, say what it does.
    pub position: Option<Position>,
    /// Only in this project.
    #[arg(long)]
    pub here: bool,
    /// How long: 90s, 30m, 2h, 1d; then the settings count again.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::allow::seconds)]
    pub lasting: Option<u64>,
    /// The project's folder.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Where the switch can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Position {
    /// Judge every call.
    On,
    /// Judge nothing.
    Off,
    /// Judge and record, but stop nothing.
    Observe,
}

impl Position {
    const fn mode(self) -> Mode {
        match self {
            Self::On => Mode::Auto,
            Self::Off => Mode::Off,
            Self::Observe => Mode::Observe,
        }
    }
}

/// One turn of the switch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Turn {
    mode: Mode,
    /// The project it holds in; everywhere without one.
    folder: Option<String>,
    /// The second at which it ends.
    until: Option<u64>,
}

/// Turns the switch, or says where it stands.
pub fn auto(args: &AutoArgs, out: &mut Out) -> Result<(), Failure> {
    let here = Here::at(args.folder.as_deref())?;
    let state = here.places.state_dir.clone();
    let state = state.ok_or_else(|| Failure::said("there is no folder for the switch"))?;
    if let Some(position) = args.position {
        let folder = args.here.then(|| here.project.clone());
        let mut turns = read(&state);
        // Turning it everywhere ends what was said for single projects.
        turns.retain(|it| folder.is_some() && it.folder != folder);
        turns.push(Turn {
            mode: position.mode(),
            folder,
            until: args.lasting.map(|it| now() + it),
        });
        write(&state, &turns)?;
    }
    let loaded = here.settings();
    let means = match loaded.settings.mode {
        Mode::Auto => "every call is judged",
        Mode::Observe => "calls are judged and recorded, but nothing is stopped",
        Mode::Off => "nothing is judged or stopped",
    };
    let word = loaded.settings.mode.word();
    out.line(format_args!(
        "{word}: {means}, in {}{}",
        here.project,
        rest(&here)
    ))
}

/// Says how long the present position holds.
fn rest(here: &Here) -> String {
    let turn = here
        .places
        .state_dir
        .as_deref()
        .and_then(|it| turned(it, &here.project));
    match turn.and_then(|it| it.until) {
        Some(until) => format!(", for {} more seconds", until.saturating_sub(now())),
        None => String::new(),
    }
}

/// Lets the switch count. Where the machine's owner has settings, it can only tighten.
pub fn apply(state: Option<&Path>, project: &str, loaded: &mut Loaded) {
    let Some(turn) = state.and_then(|it| turned(it, project)) else {
        return;
    };
    let strictness = |mode: Mode| match mode {
        Mode::Off => 0,
        Mode::Observe => 1,
        Mode::Auto => 2,
    };
    let managed = loaded.files.iter().any(|(it, _)| *it == Source::Managed);
    if !managed || strictness(turn.mode) >= strictness(loaded.settings.mode) {
        loaded.settings.mode = turn.mode;
    }
}

/// Returns the switch as it stands in a project, as the file of a state folder in which it stands so everywhere.
pub fn copied(here: &Here) -> Option<(&'static str, Vec<u8>)> {
    let turn = turned(here.places.state_dir.as_deref()?, &here.project)?;
    let everywhere = Turn {
        folder: None,
        ..turn
    };
    Some((FILE, shown(&[everywhere]).into_bytes()))
}

/// Returns the turn that holds in a project: the nearest folder's, else the one for everywhere.
fn turned(state: &Path, project: &str) -> Option<Turn> {
    let time = now();
    let holds = |it: &Turn| {
        let inside = |folder: &String| Path::new(project).starts_with(folder);
        it.until.is_none_or(|until| until > time) && it.folder.as_ref().is_none_or(inside)
    };
    let turns = read(state).into_iter().filter(holds);
    turns.max_by_key(|it| it.folder.as_ref().map_or(0, |folder| folder.len() + 1))
}

/// Where the switch is kept in the state folder.
const FILE: &str = "switch.json";

fn file(state: &Path) -> PathBuf {
    state.join(FILE)
}

/// Reads the turns; a file that says nothing clear says nothing.
fn read(state: &Path) -> Vec<Turn> {
    let Ok(bytes) = fs::read(file(state)) else {
        return Vec::new();
    };
    let list = json::read(&bytes).unwrap_or_default();
    let turn = |it: &Value| {
        let number = |name| match it.get(name) {
            Some(Value::Number(text)) => text.parse().ok(),
            Some(_) | None => None,
        };
        Some(Turn {
            mode: Mode::from_word(it.get("mode")?.text()?)?,
            folder: it.get("folder").and_then(Value::text).map(str::to_owned),
            until: number("until"),
        })
    };
    list.items()
        .unwrap_or_default()
        .iter()
        .filter_map(turn)
        .collect()
}

fn write(state: &Path, turns: &[Turn]) -> Result<(), Failure> {
    belay_store::make_folder(state)?;
    let text = shown(turns);
    belay_store::replace(&file(state), text.as_bytes(), Lasts::ThroughCrashes)?;
    Ok(())
}

fn shown(turns: &[Turn]) -> String {
    let turn = |it: &Turn| {
        let mut members = vec![("mode".to_owned(), Value::from(it.mode.word()))];
        members.extend(
            it.folder
                .as_deref()
                .map(|it| ("folder".to_owned(), it.into())),
        );
        let until = it.until.map(|it| Value::Number(it.to_string()));
        members.extend(until.map(|it| ("until".to_owned(), it)));
        Value::Object(members)
    };
    json::compact(&Value::Array(turns.iter().map(turn).collect()))
}

fn now() -> u64 {
    Moment::now().0 / 1000
}
