//! Connecting and disconnecting, on real files in an empty home.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use belay_agents::Agent;
use belay_agents::install::{
    Bar, Consent, Door, InstallError, Plan, Reach, Stance, Wish, apply, diff, install,
    registered_port, uninstall,
};
use belay_journal::json;
use tempfile::TempDir;

struct House(TempDir);

impl House {
    fn new() -> Self {
        let house = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(house.home()).unwrap();
        fs::create_dir_all(house.project()).unwrap();
        house
    }

    fn home(&self) -> PathBuf {
        self.0.path().join("home")
    }

    fn project(&self) -> PathBuf {
        self.0.path().join("project")
    }

    fn with<T>(&self, agent: Agent, reach: Reach, then: impl Fn(&Wish<'_>) -> T) -> T {
        then(&Wish {
            agent,
            reach,
            stance: Stance::Gate,
            belay: Path::new("/opt/bin/belay"),
            home: &self.home(),
            settings: None,
            state: None,
            project: &self.project(),
            env: &|_| None,
            trust: Consent::Given,
            door: None,
            bar: Bar::Untouched,
        })
    }

    fn install(&self, agent: Agent) -> Plan {
        let plan = self.with(agent, Reach::User, install).unwrap();
        apply(&plan).unwrap();
        plan
    }

    fn uninstall(&self, agent: Agent) {
        apply(&self.with(agent, Reach::User, uninstall).unwrap()).unwrap();
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Every file with what is in it.
    fn files(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.home(), self.project()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.insert(path.clone(), fs::read_to_string(path).unwrap());
                }
            }
        }
        found
    }
}

fn agents() -> impl Iterator<Item = Agent> {
    Agent::ALL
        .iter()
        .copied()
        .filter(|it| *it != Agent::Generic)
}

#[test]
fn every_agent_is_connected_once_and_gone_without_a_trace() {
    for agent in agents() {
        let house = House::new();
        house.install(agent);
        let there = house.files();
        assert!(!there.is_empty(), "{agent}");
        let text: String = there.values().cloned().collect();
        assert!(text.contains("/opt/bin/belay"), "{agent}: {text}");
        let again = house.with(agent, Reach::User, install).unwrap();
        assert!(again.changes.is_empty(), "{agent}: {again:?}");
        house.uninstall(agent);
        assert!(house.files().is_empty(), "{agent}: {:?}", house.files());
    }
}

#[test]
fn every_project_can_be_connected_but_amps() {
    for agent in agents() {
        let house = House::new();
        match house.with(agent, Reach::Project, install) {
            Ok(plan) => apply(&plan).unwrap(),
            Err(InstallError::NoSuchReach(Agent::Amp)) => continue,
            Err(error) => panic!("{agent}: {error}"),
        }
        let plan = house.with(agent, Reach::Project, uninstall).unwrap();
        apply(&plan).unwrap();
        assert!(house.files().is_empty(), "{agent}: {:?}", house.files());
    }
}

const THEIRS: &str = "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": []}\n    ]\n  }\n}";

#[test]
fn foreign_settings_and_comments_stay() {
    let house = House::new();
    let path = house.write(".claude/settings.json", THEIRS);
    house.install(Agent::ClaudeCode);
    let now = fs::read_to_string(&path).unwrap();
    assert!(now.contains("// mine") && now.contains(r#"{"matcher": "Bash", "hooks": []}"#));
    assert!(now.contains("|| { echo 'belay: refused' >&2; exit 2; }"));
    assert!(now.contains(r#""onFailure": "block""#));
    house.uninstall(Agent::ClaudeCode);
    assert_eq!(house.files().into_values().collect::<Vec<_>>(), [THEIRS]);
}

#[test]
fn changes_made_since_stay() {
    let house = House::new();
    let path = house.write(".claude/settings.json", THEIRS);
    house.install(Agent::ClaudeCode);
    let now = fs::read_to_string(&path).unwrap();
    fs::write(&path, now.replace("opus", "sonnet")).unwrap();
    house.uninstall(Agent::ClaudeCode);
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        THEIRS.replace("opus", "sonnet")
    );
}

#[test]
fn another_path_of_ours_is_replaced() {
    let house = House::new();
    house.install(Agent::Gemini);
    let path = house.home().join(".gemini/settings.json");
    let now = fs::read_to_string(&path).unwrap();
    fs::write(&path, now.replace("/opt/bin/", "/old/")).unwrap();
    house.install(Agent::Gemini);
    assert_eq!(fs::read_to_string(&path).unwrap(), now);
}

#[test]
fn codex_pins_stand_beside_foreign_settings() {
    let house = House::new();
    let theirs = "# mine\nmodel = \"x\" # why\n\n[hooks.state.\"other:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:1\"\n";
    let path = house.write(".codex/config.toml", theirs);
    house.install(Agent::Codex);
    let now = fs::read_to_string(&path).unwrap();
    assert!(now.starts_with("# mine\nmodel = \"x\" # why\n"), "{now}");
    assert_eq!(now.matches("trusted_hash = \"sha256:").count(), 3, "{now}");
    house.uninstall(Agent::Codex);
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
}

#[test]
fn codex_is_not_trusted_without_consent() {
    let house = House::new();
    let plan = house.with(Agent::Codex, Reach::User, |wish| {
        install(&Wish {
            trust: Consent::Missing,
            ..*wish
        })
    });
    let plan = plan.unwrap();
    assert_eq!(plan.changes.len(), 1);
    assert!(plan.notes.iter().any(|it| it.contains("/hooks")));
}

#[test]
fn broken_settings_are_left_alone() {
    let house = House::new();
    let path = house.write(".claude/settings.json", "{\"a\": ");
    let error = house.with(Agent::ClaudeCode, Reach::User, install);
    let error = error.unwrap_err().to_string();
    assert_eq!(error, format!("`{}` is not JSON at byte 6", path.display()));
}

#[test]
fn a_foreign_file_is_not_overwritten() {
    let house = House::new();
    house.write("Documents/Cline/Hooks/PreToolUse", "#!/bin/sh\nexit 0\n");
    let error = house.with(Agent::Cline, Reach::User, install).unwrap_err();
    assert!(matches!(error, InstallError::Foreign(_)), "{error}");
}

#[test]
fn a_path_with_a_quote_is_refused() {
    let house = House::new();
    for odd in ["/it's/belay", "belay"] {
        let plan = house.with(Agent::ClaudeCode, Reach::User, |wish| {
            install(&Wish {
                belay: Path::new(odd),
                ..*wish
            })
        });
        assert!(matches!(plan, Err(InstallError::OddPath(_))), "{odd}");
    }
}

#[test]
fn links_are_followed_and_modes_kept() {
    let house = House::new();
    let real = house.write("dotfiles/claude.json", "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    fs::create_dir_all(house.home().join(".claude")).unwrap();
    let link = house.home().join(".claude/settings.json");
    symlink(&real, &link).unwrap();
    house.install(Agent::ClaudeCode);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("belay"));
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o600
    );
    house.uninstall(Agent::ClaudeCode);
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
}

#[test]
fn a_file_that_changed_since_the_plan_is_not_written() {
    let house = House::new();
    let path = house.write(".claude/settings.json", "{}");
    let plan = house.with(Agent::ClaudeCode, Reach::User, install).unwrap();
    fs::write(&path, "{\"new\": 1}").unwrap();
    assert!(matches!(apply(&plan), Err(InstallError::Changed(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"new\": 1}");
}

#[test]
fn what_cannot_be_written_changes_nothing() {
    let house = House::new();
    house.write(".codex/config.toml", "model = \"x\"\n");
    let before = house.files();
    let mut plan = house.with(Agent::Codex, Reach::User, install).unwrap();
    // A folder where a file should go.
    plan.changes.last_mut().unwrap().path = house.home().join(".codex/config.toml/below");
    assert!(apply(&plan).is_err());
    let mut after = house.files();
    after.retain(|path, _| !path.to_str().unwrap().ends_with("belay-backup"));
    assert_eq!(after, before);
}

#[test]
fn observing_never_interferes() {
    let house = House::new();
    let plan = house.with(Agent::ClaudeCode, Reach::User, |wish| {
        install(&Wish {
            stance: Stance::Observe,
            ..*wish
        })
    });
    let text = plan.unwrap().changes.remove(0).after.unwrap();
    assert!(text.contains("|| true") && !text.contains("onFailure") && !text.contains("exit 2"));
}

fn through_the_door(wish: &Wish<'_>) -> Plan {
    let door = Door {
        port: 4711,
        token: "secret",
    };
    let wish = Wish {
        door: Some(door),
        ..*wish
    };
    let plan = install(&wish).unwrap();
    apply(&plan).unwrap();
    assert!(install(&wish).unwrap().changes.is_empty());
    plan
}

#[test]
fn claude_code_can_ask_the_daemon() {
    let house = House::new();
    let path = house.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
    house.install(Agent::ClaudeCode);
    assert_eq!(
        house.with(Agent::ClaudeCode, Reach::User, registered_port),
        None
    );
    house.with(Agent::ClaudeCode, Reach::User, through_the_door);
    assert_eq!(
        house.with(Agent::ClaudeCode, Reach::User, registered_port),
        Some(4711)
    );
    let text = fs::read_to_string(&path).unwrap();
    let url = "\"http://127.0.0.1:4711/belay/hook/claude-code\"";
    assert_eq!(text.matches(url).count(), 2, "{text}");
    assert_eq!(
        text.matches("\"onFailure\": \"block\"").count(),
        2,
        "{text}"
    );
    assert!(text.contains("serve --background --http=4711 --home '"));
    assert!(text.contains(" >&2; '/opt/bin/belay' hook"));
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    house.install(Agent::ClaudeCode);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("http"), "{text}");
    house.uninstall(Agent::ClaudeCode);
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\"model\": \"opus\"}\n"
    );
}

#[test]
fn other_agents_cannot_ask_the_daemon() {
    let house = House::new();
    let plan = house.with(Agent::Codex, Reach::User, |wish| {
        let door = Some(Door { port: 1, token: "" });
        install(&Wish { door, ..*wish })
    });
    assert!(matches!(plan, Err(InstallError::NoDoor(_))));
}

#[test]
fn a_home_that_no_header_carries_is_not_sent_to_the_daemon() {
    let house = House::new();
    let plan = |home: &str| {
        house.with(Agent::ClaudeCode, Reach::User, |wish| {
            let door = Some(Door { port: 1, token: "" });
            let home = Path::new(home);
            install(&Wish {
                door,
                home,
                ..*wish
            })
            .map(drop)
        })
    };
    assert!(plan("/home/j\u{fc}rgen").is_ok());
    let far = plan("/home/\u{5f20}");
    assert!(matches!(far, Err(InstallError::FarHome(_))), "{far:?}");
}

/// A file of hooks that is shaped like settings is read by nobody, without a word.
#[test]
fn droid_is_told_in_both_of_its_files() {
    let house = House::new();
    house.install(Agent::Droid);
    let read = |name: &str| {
        let text = fs::read(house.home().join(".factory").join(name)).unwrap();
        json::read(&text).unwrap()
    };
    assert!(read("hooks.json").get("PreToolUse").is_some());
    assert!(
        read("settings.json")
            .get("hooks")
            .unwrap()
            .get("PreToolUse")
            .is_some()
    );
}

fn with_bar<T>(house: &House, then: impl Fn(&Wish<'_>) -> T) -> T {
    house.with(Agent::ClaudeCode, Reach::User, |wish| {
        then(&Wish {
            bar: Bar::Shown,
            ..*wish
        })
    })
}

#[test]
fn the_bar_comes_and_goes_without_a_trace() {
    let uninstall_of = |house: &House| house.uninstall(Agent::ClaudeCode);
    for before in ["{}", "{\"model\": \"x\"}\n", "{\n\t// why\n\t\"a\": 1\n}"] {
        let house = House::new();
        let path = house.write(".claude/settings.json", before);
        apply(&with_bar(&house, install).unwrap()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let line = "'/opt/bin/belay' statusline --home";
        assert!(text.contains("statusLine") && text.contains(line), "{text}");
        let again = with_bar(&house, install).unwrap();
        assert!(again.changes.is_empty(), "{again:?}");
        uninstall_of(&house);
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        // Changed by others in between: only what is ours goes.
        apply(&with_bar(&house, install).unwrap()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen('{', "{\"since\": 2,", 1)).unwrap();
        uninstall_of(&house);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("since") && !text.contains("belay"), "{text}");
    }
}

#[test]
fn a_bar_of_the_users_own_stays() {
    let house = House::new();
    let theirs = "{\"statusLine\": {\"type\": \"command\", \"command\": \"mine\"}}";
    let path = house.write(".claude/settings.json", theirs);
    apply(&with_bar(&house, install).unwrap()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("mine") && !text.contains("belay' statusline"),
        "{text}"
    );
    house.uninstall(Agent::ClaudeCode);
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
    let codex = house.with(Agent::Codex, Reach::User, |wish| {
        install(&Wish {
            bar: Bar::Shown,
            ..*wish
        })
    });
    assert!(matches!(codex, Err(InstallError::NoBar(Agent::Codex))));
}

/// Only where the host has settings that nobody below can switch off.
#[test]
fn four_agents_can_be_managed() {
    let house = House::new();
    let able = agents().filter(|it| house.with(*it, Reach::Managed, install).is_ok());
    let able: Vec<&str> = able.map(|it| it.word()).collect();
    assert_eq!(able, ["claude-code", "codex", "gemini", "copilot"]);
}

#[test]
fn the_change_is_shown() {
    let house = House::new();
    house.write(".gemini/settings.json", "{\n  \"a\": 1\n}\n");
    let plan = house.with(Agent::Gemini, Reach::User, install).unwrap();
    let shown = diff(plan.changes.first().unwrap());
    assert!(
        shown.contains("\n-  \"a\": 1\n+  \"a\": 1,\n+  \"hooks\": {\n"),
        "{shown}"
    );
}

#[test]
fn what_is_written_is_json() {
    for agent in agents() {
        let house = House::new();
        for change in house.install(agent).changes {
            let name = change.path.to_str().unwrap();
            if name.ends_with(".json") {
                json::read(change.after.unwrap().as_bytes()).unwrap();
            }
        }
    }
}
