//! The program's own answers to shell commands, in one go.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::run::{build, root, target};

/// What the program said of a command.
pub struct Judged {
    /// `allow`, `ask` or `deny`.
    pub verdict: String,
    /// What the command would do.
    pub effects: Vec<String>,
}

/// Asks the program about commands, in the project `/work/app`, without a model and without a world.
pub fn judged<'a>(commands: impl Iterator<Item = &'a str>) -> Outcome<Vec<Judged>> {
    let lines: Vec<String> = commands
        .map(|it| {
            serde_json::json!({
                "tool": "Bash",
                "input": { "command": it },
                "cwd": "/work/app",
                "project_root": "/work/app",
                "home": "/home/me",
            })
            .to_string()
                + "\n"
        })
        .collect();
    let wanted = lines.len();
    let mut child = Command::new(belay()?)
        .args(["check", "--jsonl", "--static"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| format!("cannot start belay: {why}"))?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let writer = std::thread::spawn(move || {
        lines
            .iter()
            .try_for_each(|line| stdin.write_all(line.as_bytes()))
    });
    let done = child.wait_with_output().map_err(|why| why.to_string())?;
    writer
        .join()
        .map_err(|_| "the writer failed")?
        .map_err(|why| why.to_string())?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let all: Vec<Judged> = text.lines().filter_map(answer).collect();
    if all.len() == wanted {
        Ok(all)
    } else {
        Err(format!("{} answers to {wanted} calls", all.len()))
    }
}

fn answer(line: &str) -> Option<Judged> {
    let json: serde_json::Value = serde_json::from_str(line).ok()?;
    let effects = json.get("effects")?.as_array()?;
    Some(Judged {
        verdict: json.get("verdict")?.as_str()?.to_owned(),
        effects: effects
            .iter()
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect(),
    })
}

/// Builds the program and returns where it is.
pub fn belay() -> Outcome<String> {
    build(&["belay-cli"])?;
    Ok(target().join("debug/belay").display().to_string())
}
