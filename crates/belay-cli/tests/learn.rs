//! `belay learn` at a real terminal: a person says yes, a program says what it is, and nothing counts before it is read.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

const HELP: &str = "\
frob frobs things.

Commands:
  list   Lists them

Options:
  -o, --out <FILE>  Where to
      --json        As JSON
";

/// A home with a program that nobody described, and a project.
struct Play(tempfile::TempDir);

impl Play {
    fn new() -> Self {
        let play = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        for folder in ["app/bin", "app/.git", "home/bin"] {
            fs::create_dir_all(play.0.path().join(folder)).unwrap();
        }
        fs::write(play.path("app/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        play.program("home/bin/frob", HELP);
        play
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a program that leaves a trace of how it was started, and says its help.
    fn program(&self, name: &str, help: &str) {
        let trace = self.path("trace");
        let text = format!(
            "#!/bin/sh\n{{ echo \"$*\"; pwd; ls -A; /usr/bin/env; }} >> '{}'\ncat <<'E'\n{help}E\n",
            trace.display()
        );
        fs::write(self.path(name), text).unwrap();
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), mode).unwrap();
    }

    fn belay(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        let path = format!(
            "{}:{}:/usr/bin:/bin",
            self.path("app/bin").display(),
            self.path("home/bin").display()
        );
        command
            .args(words)
            .current_dir(self.path("app"))
            .env_clear()
            .env("PATH", path)
            .env("MY_TOKEN", "hidden")
            .env("HOME", self.path("home"));
        command
    }

    /// Runs it where nobody is at a terminal.
    fn alone(&self, words: &[&str]) -> Output {
        self.belay(words).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs it at a terminal at which these keys are typed; returns what was to be seen, and how it ended.
    fn typed(&self, words: &[&str], keys: &str) -> (String, i32) {
        let terminal = nix::pty::openpty(None, None).unwrap();
        let end = |it: &std::os::fd::OwnedFd| Stdio::from(it.try_clone().unwrap());
        let mut child = self
            .belay(words)
            .stdin(end(&terminal.slave))
            .stdout(end(&terminal.slave))
            .stderr(end(&terminal.slave))
            .spawn()
            .unwrap();
        drop(terminal.slave);
        let mut master = File::from(terminal.master);
        let mut reader = master.try_clone().unwrap();
        master.write_all(keys.as_bytes()).unwrap();
        let seen = thread::spawn(move || {
            let mut seen = Vec::new();
            // The terminal breaks off when its last user has gone.
            let _ = reader.read_to_end(&mut seen);
            String::from_utf8_lossy(&seen).into_owned()
        });
        let code = child.wait().unwrap().code().unwrap();
        (seen.join().unwrap(), code)
    }

    fn draft(&self) -> PathBuf {
        self.path("home/.config/belay/knowledge/commands/frob.toml")
    }

    /// The exit code and the effects of a command.
    fn judged(&self, command: &str) -> (i32, String) {
        let output = self.alone(&["check", "--json", "--static", "--", command]);
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let effects = said.get("effects").unwrap().to_string();
        (output.status.code().unwrap(), effects)
    }

    fn was_run(&self) -> bool {
        self.path("trace").exists()
    }
}

#[test]
fn a_draft_lets_nothing_through_until_it_is_read() {
    let play = Play::new();
    let (seen, code) = play.typed(&["learn", "frob"], "y\ny\n");
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("+ unread"), "{seen}");
    assert!(
        seen.contains("2 flags and 1 sub-commands, all unread"),
        "{seen}"
    );
    let trace = fs::read_to_string(play.path("trace")).unwrap();
    let mut lines = trace.lines();
    assert_eq!(lines.next(), Some("--help"));
    assert!(lines.next().unwrap().contains("belay-learn-"), "{trace}");
    for hidden in ["MY_TOKEN", "HOME=", "PATH=/work", "app/bin"] {
        assert!(!trace.contains(hidden), "{trace}");
    }
    let draft = fs::read_to_string(play.draft()).unwrap();
    assert!(draft.contains("--json,"), "{draft}");
    let (code, effects) = play.judged("frob --json");
    assert_eq!(code, 10);
    assert_eq!(effects, r#"["unknown command frob","unknown flag --json"]"#);
    assert_eq!(play.judged("frob list").0, 10);

    let read = draft
        .replace(
            "effects = [\"unknown command frob\"]\nunread",
            "effects = []\nunread",
        )
        .replace(
            "unread  = \"\"\"\n--json, ",
            "inert   = \"--json\"\nunread  = \"\"\"\n",
        )
        .replace("= [\"unknown command frob\"]\n\"", "= []\n\"")
        .replace("x y\" = [\"unknown command frob\"]", "x y\" = []");
    fs::write(play.draft(), read).unwrap();
    let file = play.draft();
    let lint = play.alone(&["knowledge", "lint", file.to_str().unwrap()]);
    let said = String::from_utf8(lint.stdout).unwrap();
    assert_eq!(lint.status.code(), Some(0), "{said}");
    assert!(said.contains("unread: -o --out=VALUE"), "{said}");
    assert_eq!(play.judged("frob --json").0, 0);
    assert_eq!(play.judged("frob --out x").0, 10);
    assert_eq!(play.judged("bin/frob --json").0, 10);

    // Another program of the name, before it on the search path or in its place, is a stranger.
    play.program("app/bin/frob", HELP);
    assert_eq!(play.judged("frob --json").0, 10);
    fs::remove_file(play.path("app/bin/frob")).unwrap();
    assert_eq!(play.judged("frob --json").0, 0);
    play.program("home/bin/frob", "another");
    assert_eq!(play.judged("frob --json").0, 10);
    let lint = play.alone(&["knowledge", "lint", file.to_str().unwrap()]);
    let said = String::from_utf8(lint.stdout).unwrap();
    assert!(
        said.contains("is not the program this draft was made from"),
        "{said}"
    );
}

#[test]
fn without_a_yes_nothing_is_run_and_nothing_written() {
    let play = Play::new();
    let alone = play.alone(&["learn", "frob"]);
    assert_eq!(alone.status.code(), Some(1));
    let said = String::from_utf8(alone.stderr).unwrap();
    assert!(said.contains("needs a person at the terminal"), "{said}");
    let (_, code) = play.typed(&["learn", "frob"], "n\n");
    assert_eq!(code, 1);
    assert!(!play.was_run());
    let (_, code) = play.typed(&["learn", "frob"], "y\nn\n");
    assert_eq!(code, 1);
    assert!(play.was_run());
    assert!(!play.draft().exists());
    let (seen, code) = play.typed(&["learn", "--print", "frob"], "y\n");
    assert_eq!(code, 0, "{seen}");
    assert!(!play.draft().exists());
    assert_eq!(
        play.alone(&["learn", "--yes", "frob"]).status.code(),
        Some(64)
    );
}

#[test]
fn nothing_is_learned_of_the_project_or_of_what_is_known() {
    let play = Play::new();
    play.program("app/bin/own", HELP);
    for (name, why) in [
        ("own", "is in the project"),
        ("rm", "already knows"),
        ("docker-compose", "already knows"),
        ("nowhere-to-be-found", "is not in PATH"),
        ("../bin/frob", "not the name of a program"),
    ] {
        let (seen, code) = play.typed(&["learn", name], "y\ny\n");
        assert_ne!(code, 0, "{name}");
        assert!(seen.contains(why), "{name}: {seen}");
    }
    assert!(!play.was_run());
}

#[test]
fn an_agent_cannot_learn() {
    let play = Play::new();
    for line in [
        "belay learn frob",
        "yes | belay learn frob",
        "script -qc 'belay learn frob' /dev/null",
    ] {
        assert_ne!(play.judged(line).0, 0, "{line}");
    }
    assert_eq!(play.judged("belay learn frob").0, 20);
}

#[test]
fn a_faulty_file_is_told_with_its_place() {
    let play = Play::new();
    let file = play.path("frob.toml");
    let lint = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = play.alone(&["knowledge", "lint", file.to_str().unwrap()]);
        let said = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), said)
    };
    let head = "about = \"Frobs.\"\nusage = \"frob [WORD...]\"\neffects = []\n";
    let examples = "[examples]\n\"frob\" = []\n\"frob a\" = []\n\"frob b\" = []\n";
    assert_eq!(lint(&format!("{head}{examples}")).0, 0);
    let (code, said) = lint(&format!("{head}frobs = 1\n{examples}"));
    assert_eq!(code, 1);
    assert!(said.contains("unknown key `frobs`"), "{said}");
    let (code, said) = lint(&format!("{head}{examples}\"frob c\" = [\"write ./c\"]\n"));
    assert_eq!(code, 1);
    assert!(said.contains("the example says `write ./c`"), "{said}");
    let (code, said) = lint(&format!("{head}inert = \"--exec=X\"\n{examples}"));
    assert_eq!(code, 0);
    assert!(said.contains("its name says otherwise"), "{said}");
    fs::write(play.path("rm.toml"), format!("{head}{examples}")).unwrap();
    let ours = play.path("rm.toml");
    let output = play.alone(&["knowledge", "lint", ours.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
}
