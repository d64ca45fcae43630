//! `belay trust` and `belay allow`: what only a person may give.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use belay_journal::calendar::Moment;
use belay_settings::grants::{self, Grant, Wish};
use belay_settings::trust::{self, Change, Subject};

use crate::args::{AllowArgs, TrustArgs};
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{Here, journal, remote_of};

/// Shows the loosening lines of the project's settings and accepts them, once a person says yes.
pub fn trust(args: &TrustArgs, out: &mut Out) -> Result<(), Failure> {
    let here = Here::at(args.folder.as_deref())?;
    let state = state(&here)?;
    if args.list {
        return list_trusted(&state, out);
    }
    let root = Path::new(&here.project);
    if args.revoke {
        let was = trust::revoke(&state, root).map_err(Failure::said)?;
        return out.line(if was {
            "trust taken back"
        } else {
            "nothing was trusted here"
        });
    }
    let loaded = here.settings();
    if loaded.waiting.is_empty() {
        return out.line("no line of the project's settings waits for trust");
    }
    let subject = Subject {
        root: root.to_owned(),
        remote: remote_of(root, &here.world()),
        lines: trust::lines(&loaded.waiting),
    };
    for change in trust::changes(&state, &subject) {
        out.line(harmless(&match change {
            Change::Kept(line) => format!("  {line}"),
            Change::Added(line) => format!("+ {line}"),
            Change::Removed(line) => format!("- {line}"),
        }))?;
    }
    out.flush()?;
    confirmed(
        args.yes,
        &format!("let `{}` loosen the gate by these lines?", here.project),
    )?;
    trust::accept(&state, &subject, now()).map_err(Failure::said)?;
    out.line("trusted, until one of these lines changes")
}

fn list_trusted(state: &Path, out: &mut Out) -> Result<(), Failure> {
    for accepted in trust::accepted(state).map_err(Failure::said)? {
        out.line(format_args!(
            "{}  {}",
            Moment(accepted.at * 1000).date(),
            accepted.root.display()
        ))?;
        for line in accepted.lines {
            out.line(harmless(&format!("  {line}")))?;
        }
    }
    Ok(())
}

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

fn wish(args: &AllowArgs, here: &Here) -> Result<Wish, Failure> {
    let mut wish = Wish {
        effects: args.effects.clone(),
        folder: here.cwd.clone(),
        seconds: args.lasting,
        uses: args.uses,
        session: args.session.clone(),
        ..Wish::default()
    };
    if let Some(id) = &args.record {
        let loaded = here.settings();
        let journal = journal(&loaded.settings, &here.places);
        let found = journal.and_then(|it| it.newest().find(|it| it.id.starts_with(id.as_str())));
        let record = found.ok_or_else(|| Failure::Said(format!("no record is named `{id}`")))?;
        wish.effects
            .extend(record.judgement.effects.iter().map(ToString::to_string));
        wish.folder = record.call.cwd;
        wish.judgement = Some(record.id);
    }
    Ok(wish)
}

fn told(grant: &Grant) -> String {
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

/// Asks the person at the terminal; without a terminal only `--yes` is a yes.
pub fn confirmed(yes: bool, question: &str) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    let mut stdin = io::stdin().lock();
    if !stdin.is_terminal() {
        return Err(Failure::said(
            "nobody is at the terminal to say yes\nhint: --yes says it for you",
        ));
    }
    talk(format_args!("{question} [y/N]"));
    let mut answer = String::new();
    stdin.read_line(&mut answer)?;
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Failure::said("nothing was changed")),
    }
}

fn state(here: &Here) -> Result<PathBuf, Failure> {
    let state = here.places.state_dir.clone();
    state.ok_or_else(|| {
        Failure::said("there is no folder of ours\nhint: set `HOME` or `XDG_STATE_HOME`")
    })
}

fn now() -> u64 {
    Moment::now().0 / 1000
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
