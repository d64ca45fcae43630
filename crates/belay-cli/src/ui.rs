//! `belay ui`: opens the page of the daemon, which is started where it does not run.

use std::io::{IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use belay_store::Lasts;
use clap::{Args, ValueEnum};

use crate::anchor::AnchorArgs;
use crate::exit::Exit;
use crate::out::{Failure, Out};
use crate::serve::{self, DaemonDir, ServeArgs};

/// How long the daemon may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Arguments of `belay ui`.
#[derive(Args)]
pub struct UiArgs {
    /// Only print the address; it opens the page once, within five minutes.
    #[arg(long)]
    pub print: bool,
    /// Show the code that lets the page change something: type it there. For people at a terminal.
    #[arg(long, conflicts_with = "print")]
    pub code: bool,
    /// Whether questions wait for an answer at the page, while it is open, before the agent asks; off by default.
    #[arg(long, value_name = "on|off", conflicts_with_all = ["print", "code"])]
    pub answers: Option<Switch>,
    #[command(flatten)]
    pub anchor: AnchorArgs,
}

/// A switch.
#[derive(Clone, Copy, ValueEnum)]
pub enum Switch {
    /// They wait.
    On,
    /// They do not.
    Off,
}

/// Opens the page, or shows the code that unlocks it.
pub fn ui(args: &UiArgs, out: &mut Out) -> Result<Exit, Failure> {
    args.anchor.drop_anchor();
    let opens = !args.print && !args.code && args.answers.is_none();
    if opens && !std::io::stdout().is_terminal() {
        return Err(Failure::said(
            "the page is opened from a terminal\nhint: run it in your own terminal",
        ));
    }
    let dir = DaemonDir::open()?;
    if let Some(switch) = args.answers {
        return turn(&dir, switch, out);
    }
    if args.code {
        if !std::io::stdout().is_terminal() {
            return Err(Failure::said(
                "the code is shown at a terminal only\nhint: run `belay ui --code` in your own terminal",
            ));
        }
        let code = asked(&dir, "/belay/ui/code")?;
        let (first, second) = code.split_at_checked(4).unwrap_or((&code, ""));
        out.line(format_args!("{first} {second}"))?;
        out.line("type it on the page within three minutes; who has it may change your rules there for 12 hours")?;
        return Ok(Exit::Done);
    }
    if dir.connect().is_none() {
        serve::serve(&ServeArgs::in_background(args.anchor.clone()), out)?;
    }
    let address = asked(&dir, "/belay/ui")?;
    out.line(&address)?;
    out.flush()?;
    if !args.print {
        open(&address);
    }
    Ok(Exit::Done)
}

/// Turns the switch that lets questions wait.
fn turn(dir: &DaemonDir, switch: Switch, out: &mut Out) -> Result<Exit, Failure> {
    let file = dir.socket().with_file_name("answers");
    match switch {
        Switch::On => {
            belay_store::replace(&file, b"on\n", Lasts::ThroughCrashes)?;
            out.line("while the page is open, questions of Claude Code wait there for up to 30 seconds; then it asks as usual")?;
        }
        Switch::Off => {
            let _ = std::fs::remove_file(&file);
            out.line("questions are put by the agent alone")?;
        }
    }
    Ok(Exit::Done)
}

/// Asks the daemon over its private socket.
fn asked(dir: &DaemonDir, path: &str) -> Result<String, Failure> {
    let mut daemon = dir.connect().ok_or_else(|| {
        Failure::said("the daemon does not run\nhint: `belay ui` starts it and opens the page")
    })?;
    daemon.set_read_timeout(Some(PATIENCE))?;
    let head = format!("POST {path} HTTP/1.1\r\ncontent-length: 0\r\n\r\n");
    daemon.write_all(head.as_bytes())?;
    let mut text = String::new();
    daemon.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    match head.starts_with("HTTP/1.1 200 ") {
        true => Ok(body.trim().to_owned()),
        false => Err(Failure::Said(format!(
            "the daemon says: {}\nhint: `belay serve --stop`, then `belay ui` again",
            body.trim()
        ))),
    }
}

/// Lets the desktop open the address; where there is none, it was printed.
fn open(address: &str) {
    let opener = match cfg!(target_os = "macos") {
        true => "/usr/bin/open",
        false => "/usr/bin/xdg-open",
    };
    let _ = Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}
