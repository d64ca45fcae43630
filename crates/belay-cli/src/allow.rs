//! `belay allow`: exact effects that a person grants for a while.

use autobelay::{Gate, key_told};
use belay_journal::Record;
use belay_journal::calendar::Moment;
use belay_model::{Call, Verb, Verdict, parse_effect};
use belay_settings::grants::{self, Grant, Wish};
use belay_surroundings::{Consent, Grant as SessionGrant, Memory, Session};

use crate::args::{AllowArgs, Standing};
use crate::grants::shown;
use crate::judging::{Judging, Recording};
use crate::learning;
use crate::out::{Failure, Out, harmless};
use crate::places::{Here, journal};
use crate::question::{self, End};
use crate::trust::{confirmed, now, state};

/// Grants exact effects for a while, or lists and takes back what was granted.
pub fn allow(args: &AllowArgs, out: &mut Out) -> Result<(), Failure> {
    let here = Here::at(args.folder.as_deref())?;
    let state = state(&here)?;
    if args.list {
        let all = grants::all(&state).map_err(Failure::said)?;
        if all.is_empty() {
            return out.line("nothing is granted");
        }
        for grant in all {
            out.line(told(&grant))?;
        }
        return Ok(());
    }
    if let Some(id) = &args.revoke {
        let was = grants::revoke(&state, id).map_err(Failure::said)?;
        return if was {
            out.line("grant revoked")
        } else {
            Err(Failure::said("there is no such grant"))
        };
    }
    let Asked { wish, leaves } = asked(args, &here)?;
    refuse_floor(&wish, &here)?;
    let effects = wish.effects.iter().cloned();
    let keys = leaves.iter().flat_map(|it| &it.grants);
    let keys = keys.map(|it| format!("{}, in its session", key_told(&it.key)));
    let lines: Vec<String> = effects.chain(keys).map(|it| format!("  {it}")).collect();
    out.line(harmless(&lines.join("\n")))?;
    out.flush()?;
    confirmed(
        args.yes,
        &format!("Allow exactly this in `{}`?", wish.folder),
    )?;
    for leave in leaves {
        let memories: Vec<Memory> = leave
            .grants
            .iter()
            .map(|it| Memory::Consent(Consent::Granted(it.clone())))
            .collect();
        leave.session.remember(&memories).map_err(Failure::said)?;
        for grant in &leave.grants {
            out.line(shown(grant))?;
        }
    }
    if wish.effects.is_empty() {
        return Ok(());
    }
    let grant = grants::grant(&state, &wish, now()).map_err(Failure::said)?;
    out.line(told(&grant))
}

/// What a person wants to let through: effects for a while, and what was asked in sessions.
struct Asked {
    wish: Wish,
    leaves: Vec<Leave>,
}

/// What a yes to one question lets through in its session.
struct Leave {
    session: Session,
    grants: Vec<SessionGrant>,
}

/// Says what an effect looks like, and where to find the one that was meant.
fn not_an_effect(line: &str, why: &dyn std::fmt::Display) -> Failure {
    let verbs: Vec<&str> = Verb::ALL.iter().map(|it| it.word()).collect();
    Failure::Said(format!(
        "`{line}` is not an effect: {why}\nhint: an effect is a verb and a target, as `belay check` shows them; verbs are `{}`",
        verbs.join("`, `")
    ))
}

/// Refuses what no grant lowers: a person who gave it would believe that it counts.
fn refuse_floor(wish: &Wish, here: &Here) -> Result<(), Failure> {
    let call = Call {
        cwd: wish.folder.clone(),
        project_roots: vec![here.project.clone()],
        home: here.home.clone(),
        ..Call::default()
    };
    let gate = Gate::new(here.settings().settings).at_home(here.home.clone(), String::new());
    for line in &wish.effects {
        let effect = parse_effect(line).map_err(|why| not_an_effect(line, &why))?;
        let weighed = gate.weighed(&effect, &call, &here.world());
        if weighed.floor {
            return Err(Failure::Said(format!(
                "`{line}` cannot be granted: {}\nhint: no grant covers this; do it yourself, outside the agent",
                weighed.because
            )));
        }
    }
    Ok(())
}

fn asked(args: &AllowArgs, here: &Here) -> Result<Asked, Failure> {
    // An effect has a verb and a target: a single word is the name of a question.
    let is_id = |it: &&String| !it.contains(' ');
    let effects = args.effects.iter().filter(|it| !is_id(it)).cloned();
    let mut wish = Wish {
        effects: effects.collect(),
        folder: here.cwd.clone(),
        seconds: args.lasting,
        uses: args.uses,
        session: args.session.clone(),
        ..Wish::default()
    };
    if let Some(id) = &args.record {
        wish_for(&mut wish, found(id, here)?);
    }
    let mut leaves = Vec::new();
    for id in args.effects.iter().filter(is_id) {
        let record = found(id, here)?;
        let standing = Standing {
            folder: args.folder.clone(),
            ..Standing::default()
        };
        let judging = Judging::open_static(&standing, Recording::NotKept)?;
        match question::end_of(&judging, &record) {
            End::Grant => wish_for(&mut wish, record),
            End::Session => leaves.push(leave(args, &judging, &record)?),
            End::Answer => return Err(each_time(id, &record)),
        }
    }
    Ok(Asked { wish, leaves })
}

fn found(id: &str, here: &Here) -> Result<Record, Failure> {
    let loaded = here.settings();
    let journal = journal(&loaded.settings, &here.places);
    let found = journal.and_then(|it| it.newest().find(|it| it.is_named(id)));
    found.ok_or_else(|| {
        Failure::Said(format!(
            "`{id}` is neither an effect nor the id of a question\nhint: `belay log` shows the ids"
        ))
    })
}

fn wish_for(wish: &mut Wish, record: Record) {
    let effects = record.judgement.effects.iter();
    wish.effects.extend(effects.map(ToString::to_string));
    wish.folder = record.call.cwd;
    wish.judgement = Some(record.id);
}

/// Lets through in its session what a yes to a question covers.
fn leave(args: &AllowArgs, judging: &Judging, record: &Record) -> Result<Leave, Failure> {
    if args.uses.is_some() || args.session.is_some() {
        return Err(Failure::said(
            "this question can only be settled for its own session, where uses are not counted\nhint: use `belay allow ID` alone, or `belay allow ID --for 30m`",
        ));
    }
    let session = judging.session(&record.call);
    let asked = session.and_then(|it| Some((it.asked(&record.id)?, it)));
    let (asked, session) = asked.ok_or_else(|| {
        Failure::said("the session that asked this has ended\nhint: it will be asked again under another id; `belay log` shows it")
    })?;
    let mut grants = learning::granted(&asked, &record.call);
    if let Some(seconds) = args.lasting {
        let until = now().saturating_add(seconds);
        grants
            .iter_mut()
            .for_each(|it| it.until = it.until.min(until));
    }
    Ok(Leave { session, grants })
}

/// Says that a question has no end but an answer.
fn each_time(id: &str, record: &Record) -> Failure {
    let why = match record.judgement.verdict {
        Verdict::Ask => question::why_each_time(&record.judgement),
        Verdict::Allow => "it was not asked about",
        Verdict::Deny => "it was denied, and an answer cannot change that",
    };
    Failure::Said(format!(
        "`{id}` cannot be allowed by its id: {why}\nhint: answer it in the agent; `belay why {id}` shows its effects, and `belay allow 'EFFECT'` grants one of them in this folder"
    ))
}

pub fn told(grant: &Grant) -> String {
    let uses = grant
        .uses
        .map_or(String::new(), |it| format!(", {it} more calls"));
    let session = grant
        .session
        .as_ref()
        .map_or(String::new(), |it| format!(", session {it}"));
    let until = Moment(grant.until.saturating_mul(1000)).stamp();
    harmless(&format!(
        "{}: {} in {} until {until}{uses}{session}",
        grant.id,
        grant.effects.join("; "),
        grant.folder
    ))
}

/// Reads a time such as `90s`, `30m`, `2h` or `1d`, in seconds.
pub fn seconds(text: &str) -> Result<u64, String> {
    let wrong = || "write a time such as 90s, 30m, 2h or 1d".to_owned();
    let at = text
        .find(|it: char| !it.is_ascii_digit())
        .ok_or_else(wrong)?;
    let (number, unit) = text.split_at_checked(at).ok_or_else(wrong)?;
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    number.checked_mul(unit).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(
            [seconds("90s"), seconds("30m"), seconds("2h"), seconds("1d")],
            [Ok(90), Ok(1800), Ok(7200), Ok(86_400)]
        );
        for text in ["", "5", "m", "1w", "-1m", "99999999999999999999d"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
