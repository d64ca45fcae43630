//! What connects us is not for agents to change: every file that `belay install` writes, for every agent, whatever
//! tool would write it.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;
use std::process::Command;

use belay_agents::Agent;
use belay_agents::install::{Bar, Consent, Reach, Stance, Wish, install};
use serde_json::json;

const DENY: i32 = 20;

struct House(tempfile::TempDir);

impl House {
    fn check(&self, words: &[&str]) -> Option<i32> {
        let done = Command::new(env!("CARGO_BIN_EXE_belay"))
            .args(["check", "--static"])
            .args(words)
            .env_clear()
            .env("HOME", self.0.path())
            .current_dir(self.0.path().join("project"))
            .output();
        done.unwrap().status.code()
    }

    fn files(&self, agent: Agent, reach: Reach) -> Vec<String> {
        let project = self.0.path().join("project");
        let plan = install(&Wish {
            agent,
            reach,
            stance: Stance::Gate,
            belay: Path::new("/opt/bin/belay"),
            home: self.0.path(),
            settings: None,
            state: None,
            project: &project,
            env: &|_| None,
            trust: Consent::Given,
            door: None,
            bar: Bar::Untouched,
        });
        let changes = plan.map(|it| it.changes).unwrap_or_default();
        let path = changes.iter().map(|it| it.path.display().to_string());
        path.collect()
    }
}

#[test]
fn agents_do_not_write_what_connects_us() {
    let house = House(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    std::fs::create_dir_all(house.0.path().join("project/.git")).unwrap();
    let mut seen = 0;
    for agent in Agent::ALL {
        for reach in [Reach::User, Reach::Project, Reach::Managed] {
            for file in house.files(*agent, reach) {
                seen += 1;
                let write = json!({"file_path": file, "content": "{}"}).to_string();
                assert_eq!(
                    house.check(&["--tool", "Write", "--input", &write]),
                    Some(DENY),
                    "write {file}"
                );
                for command in [
                    format!("echo > '{file}'"),
                    format!("rm -f '{file}'"),
                    format!("sed -i s/a/b/ '{file}'"),
                ] {
                    assert_eq!(house.check(&["--", &command]), Some(DENY), "{command}");
                }
            }
        }
    }
    assert!(seen > 25, "{seen}");
    for command in [
        "belay uninstall claude-code",
        "belay serve --stop",
        "belay install --observe codex",
    ] {
        assert_eq!(house.check(&["--", command]), Some(DENY), "{command}");
    }
}
