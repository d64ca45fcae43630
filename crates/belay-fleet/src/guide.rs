//! `docs/guide/team.md`, run as it is read: commands after `$ `, what they print, `[exit N]` where they do not end with 0.
//! `UPDATE_EXPECT=1 cargo xtask fleet` writes what is printed now.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::options::Options;
use crate::parts::Stage;
use crate::{Outcome, say};

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/team.md");

/// Where the guide is played.
struct Place {
    folder: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Place {
    fn make(stage: &Stage, options: &Options) -> Outcome<Self> {
        let folder = stage.root.join("guide");
        fs::create_dir_all(&folder).map_err(|why| why.to_string())?;
        let made = stage.client()?.batch_execute("CREATE DATABASE guide");
        made.map_err(|why| why.to_string())?;
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let port = port.map_err(|why| why.to_string())?.port();
        let database = stage
            .postgres
            .address()
            .replace("dbname=postgres", "dbname=guide");
        let path = format!(
            "{}:/usr/local/bin:/usr/bin:/bin",
            options.programs.display()
        );
        let home = folder.display().to_string();
        let managed = folder.join("managed.toml").display().to_string();
        Ok(Self {
            folder,
            variables: vec![
                ("PATH", path),
                ("HOME", home),
                ("PORT", port.to_string()),
                ("DATABASE", database),
                // The settings of the machine's owner: only a build for tests takes another file for them.
                ("BELAY_TEST_MANAGED", managed.clone()),
                ("MANAGED", managed),
                ("FLEET_TOKEN", "a-long-random-text".to_owned()),
                ("READER_TOKEN", "another-long-random-text".to_owned()),
            ],
        })
    }

    /// Runs a command and returns what it printed, as the guide shows it.
    fn run(&self, command: &str) -> Outcome<String> {
        let variables = self.variables.iter().map(|(name, it)| (*name, it.as_str()));
        let done = Command::new("bash")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(&self.folder)
            .env_clear()
            .envs(variables)
            .stdin(Stdio::null())
            .output()
            .map_err(|why| format!("cannot start bash: {why}"))?;
        let mut text = String::from_utf8_lossy(&done.stdout).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        match done.status.code() {
            Some(0) => {}
            code => text.push_str(&format!("[exit {}]\n", code.unwrap_or(-1))),
        }
        Ok(text)
    }
}

/// Plays the guide.
pub fn run(stage: &Stage, options: &Options) -> Outcome {
    let text = fs::read_to_string(GUIDE).map_err(|why| format!("no guide: {why}"))?;
    let place = Place::make(stage, options)?;
    let mut fresh = String::new();
    let (mut inside, mut commands) = (false, 0);
    for line in text.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (_, _) if line.starts_with("```") => {
                inside = line == "```console";
                fresh.push_str(&format!("{line}\n"));
            }
            (true, Some(command)) => {
                commands += 1;
                fresh.push_str(&format!("{line}\n{}", place.run(command)?));
            }
            // What was printed then.
            (true, None) => {}
            (false, _) => fresh.push_str(&format!("{line}\n")),
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(GUIDE, &fresh).map_err(|why| why.to_string())?;
    } else if let Some((old, new)) = text
        .lines()
        .zip(fresh.lines())
        .find(|(old, new)| old != new)
    {
        return Err(format!("docs/guide/team.md says `{old}`, it is `{new}`"));
    }
    say(&format!(
        "fleet: the guide's {commands} commands print what it says"
    ));
    Ok(())
}
