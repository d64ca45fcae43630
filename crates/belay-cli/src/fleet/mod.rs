//! `belay fleet`: one signed policy for many machines.

mod build;
mod diff;
mod pull;
mod ship;
mod sign;
mod status;
mod teach;
mod verify;

use belay_bundle::{day, stamp};
use belay_settings::fleet::{SetHere, Standing};
use clap::{Args, Subcommand};

use crate::exit::Exit;
use crate::fleet::build::BuildArgs;
use crate::fleet::diff::DiffArgs;
use crate::fleet::pull::PullArgs;
use crate::fleet::ship::ShipArgs;
use crate::fleet::sign::SignArgs;
use crate::fleet::status::StatusArgs;
use crate::fleet::verify::VerifyArgs;
use crate::out::{Failure, Out};

pub use pull::keep_fresh;
pub use ship::keep_shipping;

/// Arguments of `belay fleet`.
#[derive(Args)]
pub struct FleetArgs {
    /// What to do.
    #[command(subcommand)]
    pub job: FleetJob,
}

/// What can be done for a fleet.
#[derive(Subcommand)]
pub enum FleetJob {
    /// Make a bundle from a folder: `bundle.toml` lists the rule sets, and each has its settings in `NAME.toml` and its knowledge
    /// files in `NAME.knowledge`.
    Build(BuildArgs),
    /// Sign a bundle with the program minisign; serial number, expiry and stages are signed with it.
    Sign(SignArgs),
    /// Check a bundle against its signature and the keys in the managed settings.
    Verify(VerifyArgs),
    /// Fetch the bundle from the server in `[fleet]`; if it is refused, the one before stays in force.
    Pull(PullArgs),
    /// List the recorded calls that would get a different verdict under another bundle.
    Diff(DiffArgs),
    /// Send the records of the journal to the collector in `[ship]`, from where the last run ended.
    Ship(ShipArgs),
    /// Show how this machine fares, as the collector is told every hour.
    Status(StatusArgs),
}

/// Does one job.
pub fn fleet(args: &FleetArgs, out: &mut Out) -> Result<Exit, Failure> {
    match &args.job {
        FleetJob::Build(args) => build::build(args, out),
        FleetJob::Sign(args) => sign::sign(args, out),
        FleetJob::Verify(args) => verify::verify(args, out),
        FleetJob::Pull(args) => pull::pull(args, out),
        FleetJob::Diff(args) => diff::diff(args, out),
        FleetJob::Ship(args) => ship::ship(args, out),
        FleetJob::Status(args) => status::status(args, out),
    }
}

/// Returns what is known of the fleet's policy here, a line each: the bundle, its rule sets, what is wrong.
pub fn told(standing: &Standing) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(bundle) = &standing.bundle {
        let fetched = bundle
            .at
            .map_or_else(String::new, |it| format!(", fetched {}", stamp(it)));
        let until = day(bundle.not_after);
        lines.push(format!(
            "bundle {} {}{fetched}, valid until {until}",
            bundle.name, bundle.serial
        ));
        lines.extend(bundle.sets.iter().map(set_told));
    }
    let troubles = standing.troubles.iter();
    lines.extend(troubles.map(|it| format!("trouble: {it}")));
    lines
}

fn set_told(set: &SetHere) -> String {
    let here = match set.applies {
        true => "applies here",
        false => "does not apply here",
    };
    let (stage, percent) = (set.stage, set.percent);
    let taught = files(set.knowledge);
    format!("  {}: {stage} {percent} %, {here}{taught}", set.name)
}

/// Counts knowledge files, behind what else is said of a rule set or a bundle.
fn files(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", 1 knowledge file".to_owned(),
        many => format!(", {many} knowledge files"),
    }
}
