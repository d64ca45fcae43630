//! Real processes of this machine: those the session started in the project, and others.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use belay_model::{Answer, Question, Surroundings};
use belay_surroundings::{Memory, Session, Standpoint, World};

use crate::sandbox::Sandbox;

/// A program that sleeps, under a name that nothing else on the machine has.
struct Sleeper(Child);

impl Sleeper {
    fn start(name: &str, folder: &str) -> Self {
        let mut command = Command::new("sleep");
        command.arg0(name).arg("600").current_dir(folder);
        let command = command.stdin(Stdio::null()).stdout(Stdio::null());
        Self(command.spawn().unwrap())
    }

    fn number(&self) -> String {
        self.0.id().to_string()
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a time that lies so many seconds after now.
fn now(later: i64) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    now.as_secs().saturating_add_signed(later)
}

fn asked(sandbox: &Sandbox, began: u64, by: &str, which: &str) -> Answer {
    let session = Session::open(sandbox.at("../state").as_ref(), &format!("s{began}"));
    session.remember(&[Memory::Began(Some(began))]).unwrap();
    let from = Standpoint {
        cwd: sandbox.at("."),
        ..Standpoint::default()
    };
    World::with_session(from, session).ask(&Question::OwnProcesses(
        sandbox.at("."),
        by.to_owned(),
        which.to_owned(),
    ))
}

#[test]
fn what_the_session_started_in_the_project_is_its_own() {
    let sandbox = Sandbox::new();
    let name = format!("belay-sleeper-{}", std::process::id());
    let own = Sleeper::start(&name, &sandbox.at("."));
    for (by, which) in [
        ("pid", own.number()),
        ("pattern", name.clone()),
        ("pattern", format!("{name}.*600")),
        ("name", name.clone()),
        ("pattern", format!("{name}-nobody-has")),
        ("pid", "4194999".to_owned()),
    ] {
        assert_eq!(
            asked(&sandbox, now(-60), by, &which),
            Answer::Yes,
            "{which}"
        );
    }
    // Begun before the session, it is somebody else's.
    assert_eq!(asked(&sandbox, now(60), "pid", &own.number()), Answer::No);
    // Elsewhere, so is what the session started.
    let elsewhere = Sleeper::start(&name, "/");
    assert_eq!(
        asked(&sandbox, now(-60), "pid", &elsewhere.number()),
        Answer::No
    );
    assert_eq!(asked(&sandbox, now(-60), "pattern", &name), Answer::No);
}

#[test]
fn what_people_keep_running_and_our_own_ancestors_are_not() {
    let sandbox = Sandbox::new();
    let editor = Sleeper::start("nvim", &sandbox.at("."));
    let us = std::process::id().to_string();
    for (by, which) in [
        ("pid", editor.number()),
        ("pid", us),
        ("pattern", "firefox".to_owned()),
        ("pattern", "/usr/bin/code --x".to_owned()),
        ("name", "claude".to_owned()),
        ("pattern", "e".to_owned()),
        ("pattern", "[a-z]+".to_owned()),
        ("pattern", "(x|.)".to_owned()),
    ] {
        assert_eq!(asked(&sandbox, now(-60), by, &which), Answer::No, "{which}");
    }
    for (by, which) in [
        ("pid", "1"),
        ("pid", "-5"),
        ("pid", "x"),
        ("port", "/srv"),
        ("group", "7"),
    ] {
        assert_eq!(
            asked(&sandbox, now(-60), by, which),
            Answer::Unknown,
            "{which}"
        );
    }
}

#[test]
fn a_port_means_whoever_has_it_open() {
    let sandbox = Sandbox::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // This test itself listens, and it is its own ancestor.
    let which = format!("{port}/tcp");
    assert_eq!(asked(&sandbox, now(-60), "port", &which), Answer::No);
    assert_eq!(asked(&sandbox, now(-60), "port", "1/tcp"), Answer::Yes);
}
