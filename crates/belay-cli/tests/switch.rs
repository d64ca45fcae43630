//! `belay auto`: the quick switch, as the hook and the status line see it.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

struct House(tempfile::TempDir);

impl House {
    fn new() -> Self {
        let house = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        for name in ["home/app/.git", "home/app/sub", "home/other/.git"] {
            std::fs::create_dir_all(house.at(name)).unwrap();
        }
        house
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str], project: &str, input: &str) -> String {
        let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
            .args(words)
            .current_dir(self.at(project))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    fn auto(&self, words: &[&str]) -> String {
        let words: Vec<&str> = ["auto"].iter().chain(words).copied().collect();
        self.run(&words, "home/app", "")
    }

    /// Returns what the hook says of a call that is denied: `deny` or `silent`, and how many records were added.
    fn hook(&self, project: &str) -> (&'static str, usize) {
        let before = self.records();
        let call = json!({"session_id": "s", "transcript_path": "/nowhere", "cwd": self.at(project),
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": "rm -rf ~"}, "tool_use_id": "t"});
        let home = self.at("home").display().to_string();
        let words = ["hook", "claude-code", "--home", &home];
        let said = self.run(&words, project, &call.to_string());
        let word = match said.is_empty() {
            true => "silent",
            false => {
                assert!(said.contains("\"deny\""), "{said}");
                "deny"
            }
        };
        (word, self.records() - before)
    }

    fn records(&self) -> usize {
        let folder = self.at("home/.local/state/belay/journal");
        let days = std::fs::read_dir(folder).into_iter().flatten();
        let text = |it: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(it.unwrap().path()).unwrap()
        };
        days.map(|it| text(it).lines().count()).sum()
    }

    fn bar(&self, project: &str) -> String {
        let home = self.at("home").display().to_string();
        let about = json!({"cwd": self.at(project), "session_id": "none"}).to_string();
        let said = self.run(&["statusline", "--home", &home], project, &about);
        said.split(':').next().unwrap().to_owned()
    }
}

const JUDGED: (&str, usize) = ("deny", 1);
const WATCHED: (&str, usize) = ("silent", 1);
const ASLEEP: (&str, usize) = ("silent", 0);

#[test]
fn it_holds_everywhere() {
    let house = House::new();
    assert_eq!(house.hook("home/app"), JUDGED);
    for (word, seen, bar) in [
        ("off", ASLEEP, "belay off"),
        ("observe", WATCHED, "belay observe"),
        ("on", JUDGED, "belay auto"),
    ] {
        house.auto(&[word]);
        for project in ["home/app", "home/other"] {
            assert_eq!(house.hook(project), seen, "{word} {project}");
            assert_eq!(house.bar(project), bar, "{project}");
        }
    }
}

#[test]
fn here_it_holds_in_this_project_only() {
    let house = House::new();
    house.auto(&["off", "--here"]);
    assert_eq!(house.hook("home/app"), ASLEEP);
    assert_eq!(house.hook("home/app/sub"), ASLEEP);
    assert_eq!(house.hook("home/other"), JUDGED);
    assert_eq!(house.bar("home/app"), "belay off");
    assert_eq!(house.bar("home/other"), "belay auto");
    house.auto(&["observe"]);
    assert_eq!(house.hook("home/app"), WATCHED);
    house.auto(&["on", "--here"]);
    assert_eq!(house.hook("home/app"), JUDGED);
    assert_eq!(house.hook("home/other"), WATCHED);
}

#[test]
fn it_ends_by_itself() {
    let house = House::new();
    let said = house.auto(&["off", "--for", "2s"]);
    assert!(said.contains("more seconds"), "{said}");
    assert_eq!(house.hook("home/app"), ASLEEP);
    std::thread::sleep(Duration::from_millis(3100));
    assert_eq!(house.hook("home/app"), JUDGED);
    assert!(house.auto(&[]).starts_with("auto: every call is judged"));
    assert_eq!(house.auto(&["off", "--for", "soon"]), "");
    assert_eq!(house.hook("home/app"), JUDGED);
}

/// An agent does not turn it, and neither does a repository.
#[test]
fn only_a_person_turns_it() {
    let house = House::new();
    let state = house.at("home/.local/state/belay/switch.json");
    for command in [
        "belay auto off".to_owned(),
        "belay auto observe --here --for 1h".to_owned(),
        format!("echo '[{{\"mode\":\"off\"}}]' > '{}'", state.display()),
    ] {
        let call = json!({"session_id": command, "transcript_path": "/nowhere", "cwd": house.at("home/app"),
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_use_id": "t"});
        let home = house.at("home").display().to_string();
        let words = ["hook", "claude-code", "--home", &home];
        let said = house.run(&words, "home/app", &call.to_string());
        assert!(said.contains("\"deny\""), "{command}: {said}");
    }
    let planted = house.at("home/app/.local/state/belay");
    std::fs::create_dir_all(&planted).unwrap();
    std::fs::write(planted.join("switch.json"), "[{\"mode\":\"off\"}]").unwrap();
    assert_eq!(house.hook("home/app"), JUDGED);
}
