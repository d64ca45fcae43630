//! `belay trust`: a project's own lines that loosen, accepted by a person.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use belay_journal::calendar::Moment;
use belay_settings::trust::{self, Change, Subject};

use crate::args::TrustArgs;
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{Here, remote_of};

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
        return if was {
            out.line("trust revoked")
        } else {
            Err(Failure::said("nothing was trusted here"))
        };
    }
    let loaded = here.settings();
    if loaded.waiting.is_empty() {
        return out.line("no line of the project's settings is waiting for trust");
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
        &format!("Let `{}` loosen belay with these lines?", here.project),
    )?;
    trust::accept(&state, &subject, now()).map_err(Failure::said)?;
    out.line("trusted until one of these lines changes")
}

fn list_trusted(state: &Path, out: &mut Out) -> Result<(), Failure> {
    let all = trust::accepted(state).map_err(Failure::said)?;
    if all.is_empty() {
        return out.line("nothing is trusted");
    }
    for accepted in all {
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

/// Asks the person at the terminal; without a terminal only `--yes` is a yes.
pub fn confirmed(yes: bool, question: &str) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    let mut stdin = io::stdin().lock();
    if !stdin.is_terminal() {
        return Err(Failure::said(
            "this needs a person at the terminal\nhint: run it in your own terminal, or pass --yes",
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

/// Returns the folder for what we remember.
pub fn state(here: &Here) -> Result<PathBuf, Failure> {
    let state = here.places.state_dir.clone();
    state.ok_or_else(|| {
        Failure::said("belay has no state folder\nhint: set `HOME` or `XDG_STATE_HOME`")
    })
}

/// Returns the time in seconds since 1970.
pub fn now() -> u64 {
    Moment::now().0 / 1000
}
