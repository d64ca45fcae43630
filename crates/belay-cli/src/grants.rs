//! `belay grants`: what a person agreed to, by answering or by `belay allow`, and what ends it.

use std::path::Path;

use autobelay::key_told;
use belay_journal::calendar::Moment;
use belay_journal::json;
use belay_model::Value;
use belay_page::Agreed;
use belay_settings::grants;
use belay_surroundings::{Consent, Grant, Memory, Session};
use clap::Args;

use crate::allow::told;
use crate::out::{Failure, Out, harmless};
use crate::places::Here;
use crate::trust::{now, state};

/// Arguments of `belay grants`.
#[derive(Args)]
pub struct GrantsArgs {
    /// End this one.
    #[arg(long, value_name = "ID", conflicts_with = "end_all")]
    pub end: Option<String>,
    /// End all of them.
    #[arg(long)]
    pub end_all: bool,
    /// Print one JSON object for each.
    #[arg(long, conflicts_with_all = ["end", "end_all"])]
    pub json: bool,
}

/// Shows what was granted, or ends it.
pub fn grants(args: &GrantsArgs, out: &mut Out) -> Result<(), Failure> {
    let here = Here::at(None)?;
    let state = state(&here)?;
    match (&args.end, args.end_all) {
        (Some(id), _) => end(&state, |it| it == id, out),
        (None, true) => end(&state, |_| true, out),
        (None, false) if args.json => as_json(out),
        (None, false) => list(&state, out),
    }
}

/// Returns what holds now, for the page.
pub fn agreed() -> Result<Vec<Agreed>, Failure> {
    let state = state(&Here::at(None)?)?;
    let mut agreed = Vec::new();
    for session in Session::all(&state) {
        agreed.extend(session.grants(now()).iter().map(|it| Agreed {
            what: shown(it),
            id: Some(it.id.clone()),
        }));
        agreed.extend(session.limits().iter().map(|it| Agreed {
            what: forbidden(it),
            id: None,
        }));
    }
    for grant in grants::all(&state).map_err(Failure::said)? {
        agreed.push(Agreed {
            what: told(&grant),
            id: Some(grant.id.clone()),
        });
    }
    Ok(agreed)
}

/// Ends one grant by its name; returns how many that were.
pub fn end_one(id: &str) -> Result<usize, Failure> {
    let state = state(&Here::at(None)?)?;
    ended(&state, |it| it == id)
}

/// Prints what holds as JSON lines: what it is, and by which name it can be ended.
fn as_json(out: &mut Out) -> Result<(), Failure> {
    for it in agreed()? {
        let id = it.id.map_or(Value::Null, Value::from);
        let members = [("id", id), ("what", Value::from(it.what))];
        let members = members.map(|(name, value)| (name.to_owned(), value));
        out.line(json::compact(&Value::Object(members.to_vec())))?;
    }
    Ok(())
}

fn list(state: &Path, out: &mut Out) -> Result<(), Failure> {
    let mut none = true;
    for session in Session::all(state) {
        for grant in session.grants(now()) {
            none = false;
            out.line(shown(&grant))?;
        }
        for limit in session.limits() {
            none = false;
            out.line(forbidden(&limit))?;
        }
    }
    for grant in grants::all(state).map_err(Failure::said)? {
        none = false;
        out.line(told(&grant))?;
    }
    if none {
        out.line("no grants")?;
    }
    Ok(())
}

fn forbidden(limit: &str) -> String {
    let mut parts = limit.split('\u{1f}').skip(1);
    let mut part = || parts.next().unwrap_or_default();
    let (class, target, sentence) = (part(), part(), part());
    let what = [class, target].join(" ");
    harmless(&format!(
        "no {}: you wrote \u{201c}{sentence}\u{201d}",
        what.trim()
    ))
}

/// Writes for a person what a yes lets through in a session.
pub fn shown(grant: &Grant) -> String {
    let until = Moment(grant.until.saturating_mul(1000)).stamp();
    harmless(&format!(
        "{}: {} in {} until {until}, you said yes to {}",
        grant.id,
        key_told(&grant.key),
        grant.root,
        grant.record
    ))
}

fn ended(state: &Path, is_meant: impl Fn(&str) -> bool) -> Result<usize, Failure> {
    let mut ended = 0_usize;
    for session in Session::all(state) {
        let meant = session
            .grants(now())
            .into_iter()
            .filter(|it| is_meant(&it.id));
        let memories: Vec<Memory> = meant
            .map(|it| Memory::Consent(Consent::Ended(it.id)))
            .collect();
        ended += memories.len();
        session.remember(&memories).map_err(Failure::said)?;
    }
    for grant in grants::all(state).map_err(Failure::said)? {
        if is_meant(&grant.id) && grants::revoke(state, &grant.id).map_err(Failure::said)? {
            ended += 1;
        }
    }
    Ok(ended)
}

fn end(state: &Path, is_meant: impl Fn(&str) -> bool, out: &mut Out) -> Result<(), Failure> {
    match ended(state, is_meant)? {
        0 => Err(Failure::said(
            "there is no such grant\nhint: `belay grants` lists them",
        )),
        1 => out.line("1 grant ended"),
        many => out.line(format_args!("{many} grants revoked")),
    }
}
