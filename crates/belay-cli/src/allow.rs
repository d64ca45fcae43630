//! `belay allow`: exact effects that a person grants for a while.

use autobelay::Gate;
use belay_journal::calendar::Moment;
use belay_model::{Call, Verb, parse_effect};
use belay_settings::grants::{self, Grant, Wish};

use crate::args::AllowArgs;
use crate::out::{Failure, Out, harmless};
use crate::places::{Here, journal};
use crate::trust::{confirmed, now, state};

/// Grants exact effects for a while, or lists and takes back what was granted.
pub fn allow(args: &AllowArgs, out: &mut Out) -> Result<(), Failure> {
    let here = Here::at(args.folder.as_deref())?;
    let state = state(&here)?;
    if args.list {
        for grant in grants::all(&state).map_err(Failure::said)? {
            out.line(told(&grant))?;
        }
        return Ok(());
    }
    if let Some(id) = &args.revoke {
        let was = grants::revoke(&state, id).map_err(Failure::said)?;
        return out.line(if was {
            "grant taken back"
        } else {
            "there is no such grant"
        });
    }
    let wish = wish(args, &here)?;
    refuse_floor(&wish, &here)?;
    let lines: Vec<String> = wish.effects.iter().map(|it| format!("  {it}")).collect();
    out.line(harmless(&lines.join("\n")))?;
    out.flush()?;
    confirmed(
        args.yes,
        &format!("allow exactly this in `{}`?", wish.folder),
    )?;
    let grant = grants::grant(&state, &wish, now()).map_err(Failure::said)?;
    out.line(told(&grant))
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
                "`{line}` cannot be granted: {}\nhint: nothing lowers the floor; do it yourself, outside the agent",
                weighed.because
            )));
        }
    }
    Ok(())
}

fn wish(args: &AllowArgs, here: &Here) -> Result<Wish, Failure> {
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
    for id in args.effects.iter().filter(is_id).chain(&args.record) {
        let loaded = here.settings();
        let journal = journal(&loaded.settings, &here.places);
        let found = journal.and_then(|it| it.newest().find(|it| it.is_named(id)));
        let record = found.ok_or_else(|| Failure::Said(format!(
                "`{id}` is neither an effect nor the id of a question\nhint: `belay log` shows the ids"
            )))?;
        wish.effects
            .extend(record.judgement.effects.iter().map(ToString::to_string));
        wish.folder = record.call.cwd;
        wish.judgement = Some(record.id);
    }
    Ok(wish)
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
