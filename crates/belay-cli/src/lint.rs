//! `belay rules lint`: rules that are hardly meant.

use belay_settings::lint::lint;
use clap::Args;

use crate::args::Standing;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless};

/// Arguments of `belay rules lint`.
#[derive(Args)]
pub struct LintArgs {
    /// From where.
    #[command(flatten)]
    pub standing: Standing,
}

/// Lists odd lines of the settings; ends with 1 when there are any.
pub fn lint_rules(args: &LintArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_static(&args.standing, Recording::NotKept)?;
    let found = lint(judging.settings(), &judging.lexicon());
    for finding in &found {
        out.line(harmless(&format!("{finding}\n  --> {}", finding.origin)))?;
    }
    if found.is_empty() {
        out.line("every rule counts")?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Failed)
}
