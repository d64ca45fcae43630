//! `belay undo`: gives back what was kept; and who keeps it before a call runs.

use std::path::PathBuf;
use std::time::Duration;

use belay_agents::doctor::Finding;
use belay_journal::calendar::Moment;
use belay_journal::{Record, json};
use belay_model::Value;
use belay_settings::{Mode, Settings};
use belay_undo::{Change, Deed, Head, Keeper, Keeping, Limits, Measure, Report, Store, Undo, Wish};
use clap::Args;

use crate::exit::Exit;
use crate::judging::Recording;
use crate::out::{Failure, Out, harmless, one_line};
use crate::places::Here;
use crate::trust::state;

/// Arguments of `belay undo`.
#[derive(Args)]
pub struct UndoArgs {
    /// What was kept, by its name; and one path, to restore no more than that.
    #[arg(value_name = "ID [PATH]", num_args = 0..=2)]
    pub words: Vec<String>,
    /// List what is kept: when, before which command, and how much.
    #[arg(long, conflicts_with_all = ["words", "dry_run", "into"])]
    pub list: bool,
    /// Take what was kept last.
    #[arg(long, conflicts_with = "list")]
    pub last: bool,
    /// Show what would be restored, and do nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Restore into this folder instead of where it was.
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Returns who keeps what a call would lose: nobody where the settings say so, one who only measures where nothing
/// is recorded or we only watch.
pub fn keeper(settings: &Settings, here: &Here, record: Recording) -> Option<Box<dyn Keeper>> {
    let state = here.places.state_dir.as_ref()?;
    if !settings.undo.keep {
        return None;
    }
    let limits = limits(settings);
    match (record, settings.mode) {
        (Recording::Kept, Mode::Auto) => Some(Box::new(Store::below(state, limits))),
        (Recording::Kept, Mode::Observe | Mode::Off) | (Recording::NotKept, _) => {
            Some(Box::new(Measure(limits)))
        }
    }
}

fn limits(settings: &Settings) -> Limits {
    let undo = &settings.undo;
    Limits {
        max_bytes: undo.max_bytes,
        max_files: undo.max_files,
        time: Duration::from_millis(undo.max_ms),
        keep_days: undo.keep_days,
        max_total: undo.max_total_bytes,
    }
}

/// Says for the doctor whether there is room, and how files are kept.
pub fn examined(here: &Here) -> Finding {
    let settings = here.settings().settings;
    let Some(state) = here
        .places
        .state_dir
        .as_ref()
        .filter(|_| settings.undo.keep)
    else {
        return Finding::note("belay asks before work is lost; it does not keep a copy first");
    };
    match Store::below(state, limits(&settings)).room() {
        Ok(room) if room.free < settings.undo.max_bytes => Finding::note(format!(
            "belay keeps work before it is lost only while there is room: {} MB are free",
            room.free >> 20
        )),
        Ok(room) => Finding::good(match room.shares {
            true => {
                "belay keeps work before it is lost; this disk shares blocks, so copies cost nothing"
            }
            false => "belay keeps work before it is lost, by copying it",
        }),
        Err(why) => Finding::note(format!("belay cannot keep work before it is lost: {why}")),
    }
}

/// Knows of a record whether something was kept then.
pub struct Then(Keeping);

impl Then {
    /// Remembers what a record says.
    pub fn of(record: &Record) -> Self {
        let rule = record.judgement.reason.rule.as_deref().unwrap_or_default();
        Self(match rule.split_whitespace().next() {
            Some("kept") => Keeping::CouldBe,
            Some(_) | None => Keeping::Nothing,
        })
    }
}

impl Keeper for Then {
    fn keep(&self, _: &Wish<'_>) -> Keeping {
        self.0.clone()
    }

    fn is_there(&self, _: &[PathBuf]) -> bool {
        self.0 == Keeping::CouldBe
    }
}

/// Lists what is kept, or gives it back.
pub fn undo(args: &UndoArgs, out: &mut Out) -> Result<Exit, Failure> {
    let here = Here::at(None)?;
    let settings = here.settings().settings;
    let store = Store::below(&state(&here)?, limits(&settings));
    if args.list {
        return list(&store, args, out).map(|()| Exit::Done);
    }
    let wanted = wanted(&store, args)?;
    let report = store.undo(&wanted).map_err(Failure::said)?;
    if wanted.only.is_some() && report.changes.is_empty() {
        return Err(Failure::said(format_args!(
            "`{}` holds no such path\nhint: `belay undo {} --dry-run` shows what it holds",
            wanted.id, wanted.id
        )));
    }
    match args.json {
        true => out.line(json::compact(&report_to_json(&wanted, &report)))?,
        false => show(&wanted, &report, out)?,
    }
    let left = |it: &Change| matches!(it.deed, Deed::Left(_));
    Ok(match report.changes.iter().any(left) {
        true => Exit::Failed,
        false => Exit::Done,
    })
}

fn wanted(store: &Store, args: &UndoArgs) -> Result<Undo, Failure> {
    let (id, only) = match (args.last, args.words.as_slice()) {
        (true, []) => (newest(store)?, None),
        (true, [path]) => (newest(store)?, Some(path)),
        (false, [id]) => (id.clone(), None),
        (false, [id, path]) => (id.clone(), Some(path)),
        _ => {
            return Err(Failure::Usage(
                "name what shall be restored\nhint: `belay undo --list` shows what is kept; `belay undo --last` restores the newest".to_owned(),
            ));
        }
    };
    Ok(Undo {
        id,
        only: only.map(PathBuf::from),
        into: args.into.clone(),
        only_shown: args.dry_run,
    })
}

fn newest(store: &Store) -> Result<String, Failure> {
    let newest = store.list().into_iter().next();
    newest
        .map(|it| it.id)
        .ok_or_else(|| Failure::said("nothing is kept"))
}

fn list(store: &Store, args: &UndoArgs, out: &mut Out) -> Result<(), Failure> {
    let all = store.list();
    if args.json {
        return all
            .iter()
            .try_for_each(|it| out.line(json::compact(&it.to_json())));
    }
    if all.is_empty() {
        return out.line("nothing is kept");
    }
    all.iter().try_for_each(|it| out.line(listed(it)))
}

fn listed(head: &Head) -> String {
    let stamp = Moment(head.when).stamp().replace('T', " ");
    let time = stamp.get(..16).unwrap_or(&stamp);
    let who = head.told.agent.as_deref().unwrap_or("-");
    let session = head.told.session.as_deref().map_or(String::new(), |it| {
        format!(" {}", it.get(..8).unwrap_or(it))
    });
    harmless(&format!(
        "{} {time} {who}{session} {} in {}: {}",
        head.id,
        amount(head),
        head.root.display(),
        one_line(&head.told.command, 72)
    ))
}

fn amount(head: &Head) -> String {
    let things = match head.count {
        1 => "1 file".to_owned(),
        many => format!("{many} files"),
    };
    let size = match head.bytes {
        bytes if bytes < 10 << 10 => format!("{bytes} B"),
        bytes if bytes < 10 << 20 => format!("{} kB", bytes >> 10),
        bytes => format!("{} MB", bytes >> 20),
    };
    format!("{things}, {size},")
}

fn show(wanted: &Undo, report: &Report, out: &mut Out) -> Result<(), Failure> {
    let would = if wanted.only_shown { "would be " } else { "" };
    let mut same = 0_usize;
    for change in &report.changes {
        let path = change.path.display();
        let line = match &change.deed {
            Deed::Same => {
                same += 1;
                continue;
            }
            Deed::Made => format!("{path}: {would}restored"),
            Deed::Replaced => format!("{path}: {would}restored over what is newer"),
            Deed::Removed => format!("{path}: {would}removed, it was not there before"),
            Deed::Left(why) => format!("{path}: not restored: {why}"),
        };
        out.line(harmless(&line))?;
    }
    let done = report.changes.len() - same;
    let verb = if wanted.only_shown {
        "would change"
    } else {
        "changed"
    };
    let root = report.root.display();
    out.line(harmless(&format!(
        "{done} {verb} in {root}, {same} as they were"
    )))?;
    match &report.newer {
        Some(id) => out.line(format_args!(
            "what was newer is kept as {id}: belay undo {id}"
        )),
        None => Ok(()),
    }
}

fn report_to_json(wanted: &Undo, report: &Report) -> Value {
    let change = |it: &Change| {
        let (deed, why) = match &it.deed {
            Deed::Same => ("same", None),
            Deed::Made => ("made", None),
            Deed::Replaced => ("replaced", None),
            Deed::Removed => ("removed", None),
            Deed::Left(why) => ("left", Some(why.as_str())),
        };
        let mut members = vec![
            (
                "path".to_owned(),
                it.path.to_string_lossy().into_owned().into(),
            ),
            ("deed".to_owned(), deed.into()),
        ];
        members.extend(why.map(|it| ("why".to_owned(), it.into())));
        Value::Object(members)
    };
    let changes = report.changes.iter().map(change).collect();
    let newer = report.newer.as_deref().map_or(Value::Null, Value::from);
    let members = [
        ("id", wanted.id.as_str().into()),
        ("root", report.root.display().to_string().into()),
        ("done", Value::Bool(!wanted.only_shown)),
        ("newer", newer),
        ("changes", Value::Array(changes)),
    ];
    let members = members.map(|(name, it)| (name.to_owned(), it));
    Value::Object(members.to_vec())
}
