//! What the world says of files, folders, links and commands.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use belay_model::{Answer, Question, Surroundings};
use belay_surroundings::{Standpoint, World};
use tempfile::TempDir;

use crate::sandbox::Sandbox;

struct Disk {
    _keep: TempDir,
    root: PathBuf,
}

impl Disk {
    fn new() -> Self {
        let keep = TempDir::new().unwrap();
        let root = keep.path().canonicalize().unwrap();
        Self { _keep: keep, root }
    }

    fn file(self, name: &str, text: &str) -> Self {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn link(self, name: &str, target: &str) -> Self {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target.replace("ROOT", self.root.to_str().unwrap()), path).unwrap();
        self
    }

    fn mode(self, name: &str, mode: u32) -> Self {
        fs::set_permissions(self.root.join(name), fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    fn at(&self, name: &str) -> String {
        self.root.join(name).to_str().unwrap().to_owned()
    }

    fn world(&self) -> World {
        World::new(Standpoint {
            cwd: self.at("").trim_end_matches('/').to_owned(),
            search_path: format!("{}:{}:rel", self.at("bin"), self.at("usr")),
            ..Standpoint::default()
        })
    }

    fn ask(&self, question: fn(String) -> Question, name: &str) -> Answer {
        self.world().ask(&question(self.at(name)))
    }

    fn leads(&self, name: &str, target: &str) {
        assert_eq!(
            self.ask(Question::Resolve, name),
            Answer::Path(self.at(target))
        );
    }

    fn leads_nowhere(&self, name: &str, target: &str) {
        assert_eq!(
            self.ask(Question::Resolve, name),
            Answer::Missing(self.at(target))
        );
    }

    fn text(&self, name: &str, limit: u32) -> Answer {
        self.world().ask(&Question::Text(self.at(name), limit))
    }
}

#[test]
fn a_plain_path_leads_to_itself() {
    Disk::new().file("a/b", "").leads("a/b", "a/b")
}
#[test]
fn a_last_link_is_followed() {
    Disk::new().file("a", "").link("l", "a").leads("l", "a")
}
#[test]
fn a_first_link_is_followed() {
    Disk::new()
        .file("d/a", "")
        .link("l", "d")
        .leads("l/a", "d/a")
}
#[test]
fn a_middle_link_is_followed() {
    Disk::new()
        .file("d/e/a", "")
        .link("d/l", "e")
        .leads("d/l/a", "d/e/a")
}
#[test]
fn an_absolute_link_is_followed() {
    Disk::new()
        .file("d/a", "")
        .link("l", "ROOT/d")
        .leads("l/a", "d/a")
}
#[test]
fn a_link_up_is_followed() {
    Disk::new()
        .file("a", "")
        .link("d/e/l", "../../a")
        .leads("d/e/l", "a")
}
#[test]
fn links_to_links_are_followed() {
    Disk::new()
        .file("a", "")
        .link("l", "a")
        .link("m", "l")
        .leads("m", "a")
}
#[test]
fn up_after_a_link_is_where_the_link_led() {
    Disk::new()
        .file("d/e/x", "")
        .file("d/y", "")
        .link("l", "d/e")
        .link("m", "l/../y")
        .leads("m", "d/y")
}
#[test]
fn a_missing_last_part_keeps_its_name() {
    Disk::new()
        .file("d/a", "")
        .link("l", "d")
        .leads_nowhere("l/new", "d/new")
}
#[test]
fn missing_parts_keep_their_names() {
    Disk::new()
        .file("d/a", "")
        .link("l", "d")
        .leads_nowhere("l/x/y", "d/x/y")
}
#[test]
fn a_dangling_link_leads_to_what_it_names() {
    Disk::new().link("l", "gone/a").leads_nowhere("l", "gone/a")
}
#[test]
fn a_dangling_link_in_the_middle_goes_on() {
    Disk::new().link("l", "gone").leads_nowhere("l/a", "gone/a")
}
#[test]
fn a_loop_is_unknown() {
    assert_eq!(
        Disk::new()
            .link("a", "b")
            .link("b", "a")
            .ask(Question::Resolve, "a"),
        Answer::Unknown
    );
}
#[test]
fn a_growing_loop_is_unknown() {
    assert_eq!(
        Disk::new().link("a", "a/a/a/a").ask(Question::Resolve, "a"),
        Answer::Unknown
    );
}
#[test]
fn a_path_below_a_file_is_missing() {
    Disk::new().file("a", "").leads_nowhere("a/b", "a/b")
}
#[test]
fn a_relative_path_is_unknown() {
    assert_eq!(
        World::default().ask(&Question::Resolve("a".to_owned())),
        Answer::Unknown
    );
}
#[test]
fn a_path_with_nul_is_unknown() {
    assert_eq!(
        World::default().ask(&Question::Kind("/a\0b".to_owned())),
        Answer::Unknown
    );
}
#[test]
fn links_of_other_processes_are_unknown() {
    assert_eq!(
        World::default().ask(&Question::Resolve("/proc/self/cwd/x".to_owned())),
        Answer::Unknown
    );
}

#[test]
fn text_is_whole_when_it_fits() {
    assert_eq!(
        Disk::new().file("a", "abc").text("a", 3),
        Answer::Text(b"abc".to_vec(), true)
    );
}
#[test]
fn text_is_cut_when_it_does_not() {
    assert_eq!(
        Disk::new().file("a", "abcd").text("a", 3),
        Answer::Text(b"abc".to_vec(), false)
    );
}
#[test]
fn text_is_read_through_links() {
    assert_eq!(
        Disk::new().file("a", "x").link("l", "a").text("l", 9),
        Answer::Text(b"x".to_vec(), true)
    );
}
#[test]
fn no_text_of_a_folder() {
    assert_eq!(Disk::new().file("d/a", "").text("d", 9), Answer::Unknown);
}
#[test]
fn missing_text_is_missing() {
    let disk = Disk::new();
    assert_eq!(disk.text("a", 9), Answer::Missing(disk.at("a")));
}
#[test]
fn no_text_of_devices() {
    for device in ["/dev/zero", "/dev/tty", "/proc/kmsg", "/proc/self/environ"] {
        assert_eq!(
            World::default().ask(&Question::Text(device.to_owned(), 10)),
            Answer::Unknown,
            "{device}"
        );
    }
}
#[test]
fn a_pipe_is_not_waited_for() {
    let disk = Disk::new();
    let made = std::process::Command::new("mkfifo")
        .arg(disk.at("p"))
        .status()
        .unwrap();
    assert!(made.success());
    assert_eq!(disk.text("p", 10), Answer::Unknown);
    assert_eq!(
        disk.ask(Question::Kind, "p"),
        Answer::Name("other".to_owned())
    );
}
#[test]
fn a_link_to_a_device_is_not_opened() {
    assert_eq!(
        Disk::new().link("l", "/dev/zero").text("l", 10),
        Answer::Unknown
    );
}

#[test]
fn kinds_are_told_apart() {
    let disk = Disk::new()
        .file("d/a", "")
        .link("l", "d")
        .file("x", "")
        .mode("x", 0o755);
    let kind = |name| disk.ask(Question::Kind, name);
    let name = |it: &str| Answer::Name(it.to_owned());
    assert_eq!(
        [kind("d"), kind("d/a"), kind("l"), kind("x")],
        [
            name("folder"),
            name("file"),
            name("link"),
            name("executable")
        ]
    );
}

#[test]
fn entries_come_in_order_and_bounded() {
    let disk = Disk::new().file("d/b", "").file("d/c", "").file("d/a", "");
    let entries = |limit| disk.world().ask(&Question::Entries(disk.at("d"), limit));
    assert_eq!(
        entries(2),
        Answer::Names(vec!["a".to_owned(), "b".to_owned()])
    );
    assert_eq!(entries(0), Answer::Names(vec![]));
}

#[test]
fn links_that_a_pattern_meets_lead_on() {
    let disk = Disk::new()
        .file("p/a/up/x", "")
        .file("p/b/x", "")
        .file("q/x", "")
        .link("p/l", "../q")
        .link("p/b/f", "../../q/x")
        .link("p/b/in", "../a");
    let led = |pattern: &str| {
        let Answer::Names(names) = disk.ask(Question::Links, pattern) else {
            panic!("nobody knows where `{pattern}` leads");
        };
        names
    };
    let at = |it: &[&str]| it.iter().map(|it| disk.at(it)).collect::<Vec<String>>();
    assert_eq!(led("p/*/x"), at(&["q/x"]));
    assert_eq!(led("p/l*"), at(&["q"]));
    assert_eq!(led("p/*/f"), at(&["q/f", "q/x"]));
    assert_eq!(led("p/*/in/up/x"), at(&["p/a/up/x", "q/in/up/x"]));
    assert_eq!(led("p/**"), at(&["q/**", "q/x/**"]));
    assert_eq!(led("p/a*/x"), at(&[]));
    // In what is no folder lies nothing.
    assert_eq!(led("p/b/*/x"), at(&["p/a/x"]));
    // Who follows no link still finds it.
    assert_eq!(led("p/***"), at(&["p/a", "q", "q/x"]));
    assert_eq!(led("p/***/f"), at(&["q/x"]));
    assert_eq!(led("p/***/x"), at(&[]));
    assert_eq!(led("p/a/**"), at(&[]));
}

#[test]
fn the_first_program_on_the_path_counts() {
    let disk = Disk::new()
        .file("bin/tool", "")
        .file("usr/tool", "")
        .mode("usr/tool", 0o755)
        .file("rel/tool", "")
        .mode("rel/tool", 0o755);
    assert_eq!(
        disk.world().ask(&Question::Program("tool".to_owned())),
        Answer::Path(disk.at("usr/tool"))
    );
}
#[test]
fn a_relative_part_of_the_path_means_the_working_folder() {
    let disk = Disk::new().file("rel/tool", "").mode("rel/tool", 0o755);
    assert_eq!(
        disk.world().ask(&Question::Program("tool".to_owned())),
        Answer::Path(disk.at("rel/tool"))
    );
}
#[test]
fn a_program_nobody_has_is_missing() {
    assert_eq!(
        Disk::new()
            .world()
            .ask(&Question::Program("tool".to_owned())),
        Answer::Missing("tool".to_owned())
    );
}

#[test]
fn what_cannot_be_read_is_unknown() {
    belay_needs::as_ordinary_user("disk::what_cannot_be_read_is_unknown", || {
        let disk = Disk::new().file("d/a", "x").mode("d", 0o000);
        assert_eq!(disk.text("d/a", 9), Answer::Unknown);
        assert_eq!(disk.ask(Question::Resolve, "d/a"), Answer::Unknown);
        assert_eq!(
            disk.ask(|it| Question::Entries(it, 9), "d"),
            Answer::Unknown
        );
        drop(disk.mode("d", 0o755));
    });
}

#[test]
fn a_project_makes_the_programs_that_its_manifests_name() {
    let sandbox = Sandbox::new().sh(
        "printf '{\"name\": \"a\", \"dependencies\": {\"dep\": \"1\"}, \"bin\": {\"ctl\": \"./cli.js\"}}' > package.json
        mkdir -p crates/tool cmd/served packages/web sub
        printf '[package]\\nname = \"tool\"\\n[[bin]]\\nname = \"tl\"\\n[dependencies]\\nserde = \"1\"\\n' > crates/tool/Cargo.toml
        printf '[project]\\nname = \"x\"\\n[project.scripts]\\nrunner = \"a:main\"\\n' > pyproject.toml
        echo 'module a' > go.mod; echo 'package main' > cmd/served/main.go",
    );
    for (name, answer) in [
        ("ctl", "yes"),
        ("tool", "yes"),
        ("tl", "yes"),
        ("runner", "yes"),
        ("served", "yes"),
        ("dep", "no"),
        ("serde", "no"),
        ("a", "no"),
        ("name", "no"),
        ("other", "no"),
        ("../cmd/served", "no"),
    ] {
        assert_eq!(sandbox.ask_of(Question::OwnProgram, name), answer, "{name}");
    }
}
