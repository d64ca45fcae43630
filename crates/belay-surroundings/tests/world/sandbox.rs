//! A folder with a home and a repository in it, in which git itself works.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use belay_model::{Answer, Question, Standing, Surroundings};
use belay_surroundings::{Session, Standpoint, World, answer_line};
use tempfile::TempDir;

/// `home` and `r`, the repository, lie side by side.
pub struct Sandbox {
    _keep: TempDir,
    root: PathBuf,
    session: Option<String>,
}

impl Sandbox {
    /// A repository with one commit: `a` and `d/b` tracked, `*.o` and `out/` ignored.
    pub fn new() -> Self {
        Self::empty().sh("echo one > a; mkdir d; echo two > d/b; printf '*.o\\nout/\\n' > .gitignore; git add .; git commit -qm one")
    }

    /// A repository without a commit.
    pub fn empty() -> Self {
        let keep = TempDir::new().unwrap();
        let root = keep.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("home")).unwrap();
        fs::create_dir_all(root.join("r")).unwrap();
        let sandbox = Self {
            _keep: keep,
            root,
            session: None,
        };
        sandbox.sh("git config --global user.email a@b.test; git config --global user.name a; git init -q -b main .")
    }

    /// Runs a shell script in the repository.
    #[track_caller]
    pub fn sh(self, script: &str) -> Self {
        let output = self.run(script);
        assert!(
            output.status.success(),
            "{script}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        self
    }

    /// Returns what a shell script prints.
    #[track_caller]
    pub fn prints(&self, script: &str) -> String {
        let output = self.run(script);
        assert!(
            output.status.success(),
            "{script}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns what a shell script prints, trimmed; nothing when it fails.
    pub fn run_or_nothing(&self, script: &str) -> String {
        let output = self.run(script);
        let text = String::from_utf8(output.stdout).unwrap();
        if output.status.success() {
            text.trim().to_owned()
        } else {
            String::new()
        }
    }

    fn run(&self, script: &str) -> Output {
        Command::new("sh")
            .args(["-ec", script])
            .current_dir(self.root.join("r"))
            .env("HOME", self.root.join("home"))
            .env("ROOT", &self.root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", "protocol.file.allow")
            .env("GIT_CONFIG_VALUE_0", "always")
            .env_remove("XDG_CONFIG_HOME")
            .output()
            .unwrap()
    }

    /// Lets the world remember a session.
    pub fn session(mut self, id: &str) -> Self {
        self.session = Some(id.to_owned());
        self
    }

    /// Returns an absolute path: in the repository, or with `../` beside it.
    pub fn at(&self, name: &str) -> String {
        let path = match name.strip_prefix("../") {
            Some(beside) => self.root.join(beside),
            None if name == "." => self.root.join("r"),
            None => self.root.join("r").join(name),
        };
        path.to_str().unwrap().to_owned()
    }

    /// Returns the world, seen anew.
    pub fn world(&self) -> World {
        let from = Standpoint {
            cwd: self.at("."),
            home: Some(self.at("../home")),
            system_config: vec![self.at("../system")],
            ..Standpoint::default()
        };
        match &self.session {
            Some(id) => {
                World::with_session(from, Session::open(self.root.join("state").as_path(), id))
            }
            None => World::new(from),
        }
    }

    /// Asks about a path.
    pub fn ask(&self, question: fn(String) -> Question, name: &str) -> String {
        shown(&self.world().ask(&question(self.at(name))), self)
    }

    /// Asks about a name in the repository.
    pub fn ask_of(&self, question: fn(String, String) -> Question, name: &str) -> String {
        shown(
            &self.world().ask(&question(self.at("."), name.to_owned())),
            self,
        )
    }

    /// Checks what deleting a path would lose.
    #[track_caller]
    pub fn standing(&self, name: &str, expected: &str) {
        assert_eq!(self.ask(Question::Standing, name), expected);
    }
}

/// Shows an answer in one line, without ages and with `ROOT` for the sandbox.
///
/// Names of files are sorted: two files written one after the other are of one age or not, as the clock ticks.
pub fn shown(answer: &Answer, sandbox: &Sandbox) -> String {
    let line = match answer {
        Answer::Standing(Standing::Lost {
            count,
            what,
            names,
            newest: _,
        }) => {
            let mut names = names.clone();
            if what.ends_with("files") {
                names.sort_unstable();
            }
            format!("lost {count} {what}: {}", names.join(" "))
        }
        other => answer_line(other).replace("standing\t", ""),
    };
    line.replace(sandbox.root.to_str().unwrap(), "ROOT")
        .replace('\t', " ")
}
