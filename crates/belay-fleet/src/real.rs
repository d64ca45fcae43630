//! The same with the program itself: `belay fleet ship --once`, as a job of CI runs it, killed and run again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use belay_journal::Journal;

use crate::machines::record;
use crate::options::{Dice, Options};
use crate::parts::{Stage, TOKEN};
use crate::{Outcome, say};

const MACHINES: usize = 3;
const RECORDS: u64 = 1500;
const VARIABLE: &str = "FLEET_TOKEN";

/// One home with the program.
struct Home {
    folder: PathBuf,
    belay: PathBuf,
}

impl Home {
    fn make(stage: &Stage, options: &Options, at: usize) -> Outcome<Self> {
        let folder = stage.root.join(format!("machines/real{at}"));
        let settings = folder.join(".config/belay");
        let io = |why: std::io::Error| why.to_string();
        fs::create_dir_all(&settings).map_err(io)?;
        let journal = folder.join("journal");
        let text = format!(
            "[journal]\ndir = \"{}\"\n[ship]\nurl = \"{}\"\ntoken_env = \"{VARIABLE}\"\nbatches_per_minute = 6000\n",
            journal.display(),
            stage.url()
        );
        fs::write(settings.join("config.toml"), text).map_err(io)?;
        let journal = Journal::new(journal);
        for number in 0..RECORDS {
            let record = record(100_000 + at, number)?;
            journal.append(&record).map_err(|why| why.to_string())?;
        }
        Ok(Self {
            folder,
            belay: options.programs.join("belay"),
        })
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.belay);
        command
            .args(words)
            .current_dir(&self.folder)
            .env_clear()
            .env("HOME", &self.folder)
            .env("PATH", "/usr/bin:/bin")
            .env("CI", "1")
            .env(VARIABLE, TOKEN);
        command
    }

    fn run(&self, words: &[&str]) -> Outcome<Output> {
        let done = self.command(words).output();
        done.map_err(|why| format!("cannot start `{}`: {why}", self.belay.display()))
    }
}

/// Ships some journals with the program.
pub fn run(stage: &mut Stage, options: &Options) -> Outcome {
    let mut dice = Dice::new(options.seed ^ 77);
    let mut killed = 0;
    for at in 0..MACHINES {
        let home = Home::make(stage, options, at)?;
        let judged = home.run(&["check", "--record", "--", "git push --force origin main"])?;
        if judged.status.code() != Some(20) {
            return Err(format!("the program does not judge: {}", said(&judged)));
        }
        let stranger = home
            .command(&["fleet", "ship", "--once"])
            .env(VARIABLE, "wrong")
            .output();
        let stranger = stranger.map_err(|why| why.to_string())?;
        if stranger.status.code() != Some(1) || !said(&stranger).contains("rejects the token") {
            return Err(format!("a wrong token is not named: {}", said(&stranger)));
        }
        for _ in 0..2 {
            let child = home
                .command(&["fleet", "ship", "--once"])
                .stdout(Stdio::null())
                .spawn();
            let mut child = child.map_err(|why| why.to_string())?;
            thread::sleep(Duration::from_millis(20 + dice.below(120)));
            killed += usize::from(child.try_wait().is_ok_and(|it| it.is_none()));
            let _ = child.kill();
            let _ = child.wait();
        }
        let shipped = home.run(&["fleet", "ship", "--once"])?;
        if !shipped.status.success() {
            return Err(format!("the program does not ship: {}", said(&shipped)));
        }
        told(stage, &home.folder)?;
    }
    say(&format!(
        "fleet: {MACHINES} homes shipped by `belay fleet ship --once`, killed {killed} times on the way; their status is told"
    ));
    Ok(())
}

fn said(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// The machine's status is there, and says that nothing protects it.
fn told(stage: &Stage, home: &Path) -> Outcome {
    let name =
        fs::read_to_string(home.join("journal/fleet/machine")).map_err(|why| why.to_string())?;
    let text = "SELECT why[1], (SELECT unshipped FROM machine WHERE machine = $1) FROM unprotected WHERE machine = $1";
    let row = stage.client()?.query_one(text, &[&name]);
    let row = row.map_err(|why| format!("no status of {name}: {why}"))?;
    let (why, waiting): (String, i64) = (row.get(0), row.get(1));
    match (why.as_str(), waiting) {
        ("no agent found", 0) => Ok(()),
        other => Err(format!("{name} is told to fare so: {other:?}")),
    }
}
