//! Real bash as the witness of the generator: what is written anew does what the plain line does.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use belay_attack::line::{Line, Scene};
use belay_attack::spelling::{Bar, Spelling, all};
use belay_needs::{Need, program};
use belay_oracle::dice::Dice;

/// Lines of a program that says with which words it was started.
const LINES: [&str; 6] = [
    "stub",
    "stub one two",
    "stub -rf ./a/b --long=x",
    "stub 'two words' \"a\\\"b\" c\\ d 'it'\\''s'",
    "stub one 'semi;colon' '$HOME' '*' ''",
    "stub push origin :main @{u}",
];

/// Spellings that no machine without a person, a terminal or another user can try.
const UNTRIED: [&str; 5] = ["sudo", "doas", "su", "watch", "busybox"];

/// Those that only hold for programs of the system.
const OF_THE_SYSTEM: [&str; 2] = ["command with the usual path", "program by its path"];

struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    /// Makes a folder with the program and some files.
    fn new() -> Self {
        let stage = Self {
            // Lines name it without quotes, so no blank may stand in its path.
            folder: tempfile::tempdir_in("/tmp").unwrap(),
        };
        let stub = stage.path().join("bin/stub");
        fs::create_dir_all(stage.path().join("bin")).unwrap();
        fs::write(
            &stub,
            "#!/bin/bash\nprintf '%q ' \"$@\" >> \"$BELAY_SAID\"\necho >> \"$BELAY_SAID\"\n",
        )
        .unwrap();
        // A login shell would forget where the program is.
        let bin = stage.path().join("bin");
        fs::write(
            stage.path().join(".profile"),
            format!("PATH={}:$PATH\n", bin.display()),
        )
        .unwrap();
        fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).unwrap();
        stage
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a text with bash; nobody can be asked, and it ends in time.
    fn run(&self, text: &str) {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("timeout")
            .args(["20", "bash", "-c", text])
            .current_dir(self.path())
            .env(
                "PATH",
                format!("{}:{path}", self.path().join("bin").display()),
            )
            .env("BELAY_SAID", self.path().join("said"))
            .env("HOME", self.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
    }

    /// Returns with which words the program was started.
    fn said(&self, text: &str) -> String {
        let file = self.path().join("said");
        let _ = fs::remove_file(&file);
        self.run(text);
        // What runs beside bash may end after it.
        for _ in 0..20 {
            if let Ok(said) = fs::read_to_string(&file)
                && said.ends_with('\n')
            {
                return said;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        String::new()
    }

    /// Runs a text among fresh files, and returns what is there then.
    fn left(&self, text: &str) -> Vec<String> {
        let work = self.path().join("work");
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(work.join("a/b")).unwrap();
        fs::create_dir_all(work.join("c")).unwrap();
        for file in ["a/b/f", "c/g", "h"] {
            fs::write(work.join(file), "x\n").unwrap();
        }
        self.run(&format!("cd work && {{ {text}\n}}"));
        let mut left = Vec::new();
        let mut todo = vec![work];
        while let Some(folder) = todo.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                // Some spellings leave their own script behind.
                if path.ends_with("belay-attack.sh") {
                    continue;
                }
                let mode = fs::symlink_metadata(&path).unwrap().permissions().mode();
                left.push(format!("{} {mode:o}", path.display()));
                if path.is_dir() {
                    todo.push(path);
                }
            }
        }
        left.sort();
        left
    }
}

fn tried() -> Vec<Spelling> {
    let keeps = |it: &Spelling| it.bar != Bar::NotAllow && !UNTRIED.contains(&it.name);
    all().into_iter().filter(keeps).collect()
}

#[test]
fn a_program_is_started_with_the_words_of_the_plain_line() {
    for name in [
        "bash", "dash", "zsh", "python3", "perl", "ruby", "node", "awk", "xxd", "rev", "script",
    ] {
        if Need::Shells.met(name, || program(name)).is_none() {
            return;
        }
    }
    let stage = Stage::new();
    let scene = Scene {
        cwd: stage.path().display().to_string(),
        home: stage.path().display().to_string(),
    };
    let mut wrong = Vec::new();
    let plain: Vec<String> = LINES.iter().map(|it| stage.said(it)).collect();
    for (at, spelling) in tried()
        .iter()
        .enumerate()
        .filter(|it| !OF_THE_SYSTEM.contains(&it.1.name))
    {
        // Two lines each: starting so many shells takes its time.
        for which in [at % LINES.len(), (at / 7 + 3) % LINES.len()] {
            let line = LINES[which];
            let mut dice = Dice::part(1, (at * 10 + which) as u64);
            let Some(fresh) = spelling.write(&Line::new(line, &scene), &mut dice) else {
                continue;
            };
            let (plain, other) = (&plain[which], &stage.said(&fresh));
            if plain.is_empty() || plain != other {
                wrong.push(format!("{}: {plain:?} {other:?}\n{fresh}", spelling.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn two_spellings_upon_each_other_start_it_with_the_same_words() {
    let stage = Stage::new();
    let scene = Scene {
        cwd: stage.path().display().to_string(),
        home: stage.path().display().to_string(),
    };
    let spellings: Vec<Spelling> = tried()
        .into_iter()
        .filter(|it| !OF_THE_SYSTEM.contains(&it.name))
        .collect();
    let plain: Vec<String> = LINES.iter().map(|it| stage.said(it)).collect();
    let mut dice = Dice::new(7);
    let mut wrong = Vec::new();
    for at in 0..120 {
        let which = at % LINES.len();
        let mut text = LINES[which].to_owned();
        let mut names = Vec::new();
        for _ in 0..2 {
            let spelling = dice.pick(&spellings).unwrap();
            if let Some(fresh) = spelling.write(&Line::new(&text, &scene), &mut dice) {
                text = fresh;
                names.push(spelling.name);
            }
        }
        let (plain, other) = (&plain[which], &stage.said(&text));
        if plain != other {
            wrong.push(format!("{names:?}: {plain:?} {other:?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lines of real programs, in a folder with the files `a/b/f`, `c/g` and `h`.
const REAL: [&str; 9] = [
    "rm -rf a",
    "rm -r -f ./a/b h",
    "rm --recursive --force a c/g",
    "cp -r a d",
    "cp -a -v ./a/b c/x",
    "mv -f -v c/g a/b/g",
    "mkdir -p -v x/y",
    "chmod -R -v 700 a",
    "rm -rf ~/work/a",
];

#[test]
fn real_programs_leave_what_the_plain_line_leaves() {
    let stage = Stage::new();
    let scene = Scene {
        cwd: stage.path().join("work").display().to_string(),
        home: stage.path().display().to_string(),
    };
    let untouched = stage.left(":");
    let mut wrong = Vec::new();
    // An eighth of all, another each time the table grows: the other test runs them all.
    for (at, spelling) in tried().iter().enumerate() {
        for (which, line) in REAL.iter().enumerate() {
            let about = [
                "flags", "path", "slash", "folder", "there", "home", "end of", "in again",
            ];
            if !about.iter().any(|it| spelling.name.contains(it)) && !(at + which).is_multiple_of(8)
            {
                continue;
            }
            let mut dice = Dice::part(3, (at * 10 + which) as u64);
            let Some(fresh) = spelling.write(&Line::new(line, &scene), &mut dice) else {
                continue;
            };
            if OF_THE_SYSTEM.contains(&spelling.name) && !program_is_there(&fresh) {
                continue;
            }
            let (plain, other) = (stage.left(line), stage.left(&fresh));
            if plain == untouched || plain != other {
                wrong.push(format!("{}: {line}\n{fresh}", spelling.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn program_is_there(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default().replace('\'', "");
    Path::new(&first).exists()
}
