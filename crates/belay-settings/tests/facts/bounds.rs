//! Files that are no settings, or too much of them: refused in bounded time, and nothing allowed.

use std::path::Path;
use std::time::{Duration, Instant};

use belay_settings::{Fault, Loaded, Places, load};

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn user(&self) -> std::path::PathBuf {
        self.0.path().join("config.toml")
    }

    fn load(&self) -> Loaded {
        let places = Places {
            user: Some(self.user()),
            project_root: Some(self.0.path().to_owned()),
            ..Places::default()
        };
        let start = Instant::now();
        let loaded = load(&places, &|_: &Path| None);
        assert!(start.elapsed() < Duration::from_secs(5));
        loaded
    }

    fn with(text: impl AsRef<[u8]>) -> Loaded {
        let desk = Self::new();
        std::fs::write(desk.user(), text).unwrap();
        desk.load()
    }
}

fn broken(loaded: &Loaded) -> &Fault {
    assert!(loaded.broken);
    &loaded.errors[0].fault
}

#[test]
fn no_file_is_no_mistake() {
    let loaded = Desk::new().load();
    assert!(!loaded.broken && loaded.files.is_empty());
}

#[test]
fn a_named_file_must_be_there() {
    let desk = Desk::new();
    let variable = |name: &str| {
        let path = desk.user().display().to_string();
        (name == "BELAY_CONFIG").then_some(path)
    };
    let places = Places {
        managed: None,
        ..Places::usual(&variable)
    };
    assert!(load(&places, &|_: &Path| None).broken);
}

#[test]
fn a_million_lines() {
    let lines = "  \"npm test\",\n".repeat(1_000_000);
    let loaded = Desk::with(format!("[rules]\nallow = [\n{lines}]\n"));
    assert!(matches!(broken(&loaded), Fault::TooLarge { .. }));
    assert!(loaded.settings.rules.allow.is_empty());
}

#[test]
fn as_many_lines_as_fit() {
    let lines = "\"a\",\n".repeat(200_000);
    let loaded = Desk::with(format!("[rules]\nallow = [\n{lines}]\n"));
    assert!(matches!(broken(&loaded), Fault::TooMany { .. }));
    assert!(loaded.settings.rules.allow.is_empty());
}

#[test]
fn a_small_mistake_on_each_of_many_lines() {
    let loaded = Desk::with(
        (0..60_000)
            .map(|it| format!("k{it} = 1\n"))
            .collect::<String>(),
    );
    assert!(loaded.broken);
    assert!(loaded.errors.len() <= 100, "{}", loaded.errors.len());
}

#[test]
fn deep_nesting() {
    let loaded = Desk::with(format!(
        "x = {}1{}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    ));
    assert!(loaded.broken);
}

#[test]
fn one_long_line() {
    let loaded = Desk::with(format!("[rules]\nallow = [\"{}\"]", "a".repeat(10_000)));
    assert!(matches!(broken(&loaded), Fault::TooLong { .. }));
}

#[test]
fn no_text() {
    assert_eq!(broken(&Desk::with(b"mode = \"\xff\"")), &Fault::NotText);
    assert!(Desk::with(b"mode = \"a\0\"").broken);
}

#[test]
fn no_file() {
    let desk = Desk::new();
    std::fs::create_dir(desk.user()).unwrap();
    assert_eq!(broken(&desk.load()), &Fault::NotAFile);
}

#[cfg(unix)]
#[test]
fn a_device_and_a_link_to_nowhere() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    symlink("/dev/zero", desk.user()).unwrap();
    assert_eq!(broken(&desk.load()), &Fault::NotAFile);
    let desk = Desk::new();
    symlink("/nowhere/at/all", desk.user()).unwrap();
    assert!(matches!(broken(&desk.load()), Fault::Unreadable(_)));
}

#[test]
fn a_broken_project_is_broken() {
    let desk = Desk::new();
    std::fs::write(desk.0.path().join(".belay.toml"), "[rules\n").unwrap();
    assert!(desk.load().broken);
    std::fs::write(desk.0.path().join(".belay.toml"), "#".repeat(70_000)).unwrap();
    assert!(desk.load().broken);
}

/// Every mistake about a whole file, as a person reads it.
#[cfg(unix)]
#[test]
fn whole_files_are_told() {
    use expect_test::expect;
    use std::os::unix::fs::symlink;
    let told = |prepare: &dyn Fn(&Path)| {
        let desk = Desk::new();
        prepare(&desk.user());
        let folder = desk.0.path().display().to_string();
        desk.load().errors[0].render().replace(&folder, "")
    };
    let text = [
        told(&|path| std::fs::create_dir(path).unwrap()),
        told(&|path| symlink("/nowhere", path).unwrap()),
        told(&|path| std::fs::write(path, b"\xff").unwrap()),
        told(&|path| std::fs::write(path, "#".repeat(2 << 20)).unwrap()),
        told(&|path| {
            std::fs::write(
                path,
                format!("[rules]\nallow = [{}]", "\"a\",".repeat(3000)),
            )
            .unwrap()
        }),
        told(&|path| {
            std::fs::write(path, format!("[rules]\nallow = [\"{}\"]", "a".repeat(5000))).unwrap()
        }),
    ];
    expect![[r#"
        error: the settings are not an ordinary file
          --> /config.toml
        hint: put an ordinary file in its place, or remove it
        error: cannot read settings: No such file or directory (os error 2)
          --> /config.toml
        hint: make the file readable, or remove it
        error: the settings are not UTF-8 text
          --> /config.toml
        hint: save the file as UTF-8
        error: the settings are larger than 1048576 bytes
          --> /config.toml
        hint: keep only settings in it
        error: `rules.allow` has more than 2000 items
          --> /config.toml:2:9
        hint: join lines with `*`, or remove those that are not needed
        error: `rules.allow` is longer than 4096 bytes
          --> /config.toml:2:10
        hint: write it shorter
    "#]]
    .assert_eq(&text.concat());
}

#[test]
fn a_project_is_told_what_has_no_say() {
    use expect_test::expect;
    let desk = Desk::new();
    let text = "mode = \"off\"\n[classifier]\nbase_url = \"https://evil.test\"\n";
    std::fs::write(desk.0.path().join(".belay.toml"), text).unwrap();
    let loaded = desk.load();
    assert!(!loaded.broken);
    let folder = desk.0.path().display().to_string();
    let told: String = loaded
        .ignored
        .iter()
        .map(|it| it.render().replace(&folder, ""))
        .collect();
    expect![[r#"
        error: `mode` is never read from a project's file
          --> /.belay.toml:1:1
        hint: move it to your own settings; `belay config` shows where they are
        error: `classifier.base_url` is never read from a project's file
          --> /.belay.toml:3:1
        hint: move it to your own settings; `belay config` shows where they are
    "#]]
    .assert_eq(&told);
}
