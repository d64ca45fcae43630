//! The interpreters themselves say what programs do: whatever they did, the judgement must have said.
//!
//! `witness/*` write programs from a seed and run them where every act is recorded. An act is covered by an effect of
//! the same verb whose target holds the path, or by one that says that the code was not read. Half of the programs
//! are harmless; how many of those pass without a question is printed, and must not fall.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and these run real interpreters"
)]

mod house;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use autobelay::{Call, Gate, Nowhere, Settings, Verdict};
use serde_json::Value as Json;

/// How many programs are tried of each language.
const PROGRAMS: &str = "2000";

/// One who runs programs and says what they did.
struct Witness {
    /// Who runs the script that writes the programs.
    by: &'static str,
    script: &'static str,
    /// What stands before a program in a call.
    head: &'static str,
    /// So many of a hundred harmless programs must pass.
    passing: usize,
}

impl Witness {
    /// Lets it write and run programs: by a seed, so many, in a folder.
    fn start(&self, words: &[&str; 3]) -> Child {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/witness");
        let script = format!("{folder}/{}", self.script);
        let mut command = Command::new(self.by);
        command.arg(script).args(words).stdout(Stdio::piped());
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.spawn().unwrap()
    }
}

/// A program, and what it did.
struct Tried {
    program: String,
    harmless: bool,
    /// Each a verb and what it was done to.
    acts: Vec<(String, String)>,
}

fn tried(line: &str) -> Tried {
    let json: Json = serde_json::from_str(line).unwrap();
    let text = |it: &Json| it.as_str().unwrap().to_owned();
    let acts = json.get("acts").and_then(Json::as_array).unwrap();
    let act = |it: &Json| (text(it.get(0).unwrap()), text(it.get(1).unwrap()));
    Tried {
        program: text(json.get("program").unwrap()),
        harmless: json.get("harmless") == Some(&Json::Bool(true)),
        acts: acts.iter().map(act).collect(),
    }
}

/// Where programs run.
struct Stage {
    app: String,
    home: String,
}

impl Stage {
    fn judged(&self, witness: &Witness, program: &str) -> (Verdict, Vec<String>) {
        let command = format!("{} <<'PROGRAM'\n{program}PROGRAM", witness.head);
        let call = Call {
            cwd: self.app.clone(),
            project_roots: vec![self.app.clone()],
            home: Some(self.home.clone()),
            ..house::call("Bash", house::object(&[("command", &command)]))
        };
        let judgement = Gate::new(Settings::default()).judge_in(&call, &Nowhere);
        let effects = judgement.effects.iter().map(ToString::to_string).collect();
        (judgement.verdict, effects)
    }

    /// Returns the place that an effect names, absolute.
    fn place(&self, target: &str) -> String {
        let target = target.trim_matches('\'');
        match (target.strip_prefix("./"), target.strip_prefix('~')) {
            (Some(rest), _) => format!("{}/{rest}", self.app),
            (None, Some(rest)) => format!("{}{rest}", self.home),
            (None, None) if target == "." => self.app.clone(),
            (None, None) => target.to_owned(),
        }
    }

    /// Tells whether an effect covers what a program did.
    fn covers(&self, effect: &str, verb: &str, path: &str) -> bool {
        let mut words = effect.split(' ');
        let said = words.next().unwrap_or_default();
        if matches!(said, "eval" | "unknown") {
            return true;
        }
        let fits = match verb {
            "write" => matches!(said, "write" | "move" | "link" | "mark" | "delete"),
            "delete" => matches!(said, "delete" | "move"),
            "read" => matches!(said, "read" | "move"),
            "send" => matches!(said, "send" | "fetch" | "listen"),
            "run" => said == "run",
            other => panic!("an act `{other}`"),
        };
        if verb == "send" || verb == "run" {
            return fits;
        }
        let rest: Vec<&str> = words.take_while(|it| *it != "carrying").collect();
        let (tree, target) = match rest.as_slice() {
            ["tree" | "names", target @ ..] => (true, target.join(" ")),
            [
                "append" | "executable" | "secret" | "built" | "all",
                target @ ..,
            ] => (false, target.join(" ")),
            target => (false, target.join(" ")),
        };
        let place = self.place(&target);
        let start = place.split(['*', '?']).next().unwrap_or_default();
        let open = start.len() < place.len();
        // Who makes a folder says so of the folder; who writes below it, of that.
        let around = verb == "write" && place.starts_with(&format!("{path}/"));
        fits && (place == path
            || around
            || (open && path.starts_with(start))
            || (tree && path.starts_with(&format!("{}/", place.trim_end_matches('/')))))
    }

    fn is_inside(&self, path: &str) -> bool {
        path.starts_with(&format!("{}/", self.app)) || path == self.app
    }
}

#[track_caller]
fn witnessed(witness: &Witness) {
    let seed = std::env::var("BELAY_SEED").unwrap_or_else(|_| "1".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().canonicalize().unwrap();
    let stage = Stage {
        app: format!("{}/app", scratch.display()),
        home: format!("{}/home", scratch.display()),
    };
    let programs = std::env::var("BELAY_PROGRAMS").unwrap_or_else(|_| PROGRAMS.to_owned());
    let mut running = witness.start(&[&seed, &programs, &scratch.to_string_lossy()]);
    let lines = BufReader::new(running.stdout.take().unwrap()).lines();
    let (mut harmless, mut passed, mut acts) = (0, 0, 0);
    let (mut holes, mut stopped) = (Vec::new(), Vec::new());
    for line in lines {
        let tried = tried(&line.unwrap());
        let (verdict, effects) = stage.judged(witness, &tried.program);
        acts += tried.acts.len();
        let missed = tried
            .acts
            .iter()
            .find(|(verb, path)| !effects.iter().any(|it| stage.covers(it, verb, path)));
        let left = tried.acts.iter().find(|(verb, path)| {
            matches!(verb.as_str(), "write" | "delete" | "run" | "send") && !stage.is_inside(path)
        });
        let allowed = verdict == Verdict::Allow;
        if let Some(act) = missed.or(left.filter(|_| allowed)) {
            holes.push(format!(
                "{act:?} was not said: {effects:?}\n{}",
                tried.program
            ));
        }
        if tried.harmless {
            harmless += 1;
            passed += usize::from(allowed);
            if !allowed {
                stopped.push(format!("{effects:?}\n{}", tried.program));
            }
        }
    }
    assert!(running.wait().unwrap().success());
    let share = passed * 1000 / harmless.max(1);
    // Shown by runs that pass, too.
    let _ = writeln!(
        std::io::stderr(),
        "{}: seed {seed}, {programs} programs, {acts} acts, {} holes; of {harmless} harmless programs {}.{} % pass",
        witness.script,
        holes.len(),
        share / 10,
        share % 10
    );
    if std::env::var("BELAY_STOPPED").is_ok() {
        eprintln!("{}", stopped.join("\n----\n"));
    }
    let first: Vec<&String> = holes.iter().take(12).collect();
    assert!(
        holes.is_empty(),
        "seed {seed}: {} holes\n{}",
        holes.len(),
        first
            .iter()
            .map(|it| it.as_str())
            .collect::<Vec<_>>()
            .join("\n----\n")
    );
    assert!(
        share >= witness.passing * 10,
        "only {share} of 1000 harmless programs pass"
    );
}

#[test]
fn python_says_what_programs_do() {
    witnessed(&Witness {
        by: "python3",
        script: "python.py",
        head: "python3 -",
        passing: 80,
    });
}

#[test]
fn node_says_what_programs_do() {
    witnessed(&Witness {
        by: "node",
        script: "node.js",
        head: "node -",
        passing: 88,
    });
}

/// How many programs the database is given.
const SCRIPTS: &str = "200";

/// What psql and its server change, in the database or around it, was not allowed.
#[test]
fn postgres_says_what_statements_do() {
    let found = || belay_needs::program("psql");
    let needed = belay_needs::Need::Databases.met("PostgreSQL", found);
    if needed.is_some() {
        changed(&Witness {
            by: "python3",
            script: "postgres.py",
            head: "psql app",
            passing: 80,
        });
    }
}

/// What MariaDB and its client change, in the database or around it, was not allowed.
#[test]
fn mariadb_says_what_statements_do() {
    let found = || belay_needs::program("mariadb-install-db");
    let needed = belay_needs::Need::Databases.met("MariaDB", found);
    if needed.is_some() {
        changed(&Witness {
            by: "python3",
            script: "mariadb.py",
            head: "mysql app",
            passing: 80,
        });
    }
}

/// Lets a database run programs: those that change something must not pass.
#[track_caller]
fn changed(witness: &Witness) {
    let stage = Stage {
        app: "/work/app".to_owned(),
        home: "/home/me".to_owned(),
    };
    let seed = std::env::var("BELAY_SEED").unwrap_or_else(|_| "1".to_owned());
    let programs = std::env::var("BELAY_PROGRAMS").unwrap_or_else(|_| SCRIPTS.to_owned());
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let mut running = witness.start(&[&seed, &programs, &folder.path().to_string_lossy()]);
    let lines = BufReader::new(running.stdout.take().unwrap()).lines();
    let (mut harmless, mut passed, mut changed) = (0, 0, 0);
    let (mut holes, mut stopped) = (Vec::new(), Vec::new());
    for line in lines {
        let json: Json = serde_json::from_str(&line.unwrap()).unwrap();
        let is = |name: &str| json.get(name) == Some(&Json::Bool(true));
        let program = json.get("program").and_then(Json::as_str).unwrap();
        let (verdict, effects) = stage.judged(witness, program);
        let allowed = verdict == Verdict::Allow;
        changed += usize::from(is("changed"));
        if is("changed") && allowed {
            holes.push(format!("{effects:?}\n{program}"));
        }
        if is("harmless") && !is("changed") {
            harmless += 1;
            passed += usize::from(allowed);
            if !allowed {
                stopped.push(format!("{effects:?}\n{program}"));
            }
        }
    }
    assert!(running.wait().unwrap().success());
    let share = passed * 1000 / std::cmp::max(harmless, 1);
    let _ = writeln!(
        std::io::stderr(),
        "{}: seed {seed}, {programs} programs, {changed} changed something, {} holes; of {harmless} harmless programs {}.{} % pass",
        witness.script,
        holes.len(),
        share / 10,
        share % 10
    );
    if std::env::var("BELAY_STOPPED").is_ok() {
        eprintln!("{}", stopped.join("\n----\n"));
    }
    assert!(holes.is_empty(), "seed {seed}:\n{}", holes.join("\n----\n"));
    assert!(share >= witness.passing * 10, "only {share} of 1000 pass");
}
