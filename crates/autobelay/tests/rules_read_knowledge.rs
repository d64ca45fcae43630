//! A user's rule means a command, however it is named, spelled or wrapped: properties over all that
//! knowledge says of names, flags and wrappers.

use autobelay::{Gate, Judgement, Nowhere, OurLexicon, Verdict};
use belay_knowledge::{others, outlines};
use belay_settings::{Source, compile, load_texts};

mod house;

fn judged(rule: &str, command: &str) -> Judgement {
    let text = format!("[rules]\nhard_deny = [{}]", toml::Value::from(rule));
    let loaded = load_texts(&[(Source::User, "config.toml", &text)]);
    assert!(!loaded.broken, "{:?}", loaded.errors);
    let call = house::call("Bash", house::object(&[("command", command)]));
    Gate::new(loaded.settings).judge_in(&call, &Nowhere)
}

fn denies(rule: &str, command: &str) -> bool {
    let found = judged(rule, command);
    found.verdict == Verdict::Deny
        && found.reason.rule.as_deref() == Some(format!("hard_deny: {rule}").as_str())
}

/// A name of a pattern: `python3*` stands for `python3`.
fn concrete(name: &str) -> String {
    name.replace('*', "")
}

fn is_prose(rule: &str) -> bool {
    compile(rule, &OurLexicon::default()).is_prose()
}

fn check(failures: &[String], tried: usize, least: usize) {
    assert!(tried >= least, "only {tried} were tried");
    assert!(
        failures.is_empty(),
        "{} of {tried}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn every_other_name_of_a_denied_command_is_denied() {
    let mut failures = Vec::new();
    let mut tried = 0;
    for other in others() {
        let pair = [concrete(&other.usual), concrete(&other.name)];
        let [usual, name] = &pair;
        for (rule, command) in [(usual, name), (name, usual)] {
            // `time` is a word of the shell.
            if is_prose(rule) || command == "time" {
                continue;
            }
            tried += 1;
            if !denies(rule, command) {
                failures.push(format!("`{rule}` does not deny `{command}`"));
            }
        }
    }
    check(&failures, tried, 800);
}

#[test]
fn every_spelling_of_a_denied_flag_is_denied() {
    let mut failures = Vec::new();
    let mut tried = 0;
    // `time` is a word of the shell, which reads what follows it.
    let commands = outlines().into_iter().filter(|it| it.path != ["time"]);
    for outline in commands {
        let path = concrete(&outline.path.join(" "));
        for flag in outline.flags.iter().filter(|it| it.len() > 1) {
            let both = |it| {
                flag.first()
                    .into_iter()
                    .flat_map(move |first| [(first, it), (it, first)])
            };
            for (one, other) in flag.iter().flat_map(both) {
                let value = match one.takes {
                    Some(0) => "",
                    Some(1) => " v1",
                    Some(_) | None => continue,
                };
                // `--[no-]x` is one entry with two meanings.
                if one.text.starts_with("--no-") != other.text.starts_with("--no-") {
                    continue;
                }
                let rule = format!("{path} {}{value}", one.text);
                if is_prose(&rule) {
                    continue;
                }
                tried += 1;
                let command = format!("{path} '{}'{value}", other.text);
                if !denies(&rule, &command) {
                    failures.push(format!("`{rule}` does not deny `{command}`"));
                }
            }
        }
    }
    check(&failures, tried, 5000);
}

/// What stands before the payload of a wrapper, for each slot of its usage.
fn filler(slot: &str) -> &'static str {
    match slot {
        "DURATION" | "SECONDS" | "NUMBER" | "N" | "PRIORITY" | "PID" | "FD" | "MASK" | "CPUS" => {
            "5"
        }
        "HOST" | "USER_HOST" | "TARGET" => "box.test",
        "DIR" | "ROOT" | "NEWROOT" => ".",
        "--" => "--",
        _ => "x",
    }
}

/// Here the word after them is no command of this machine: an image or a package decides what it means.
const ELSEWHERE: [&str; 4] = [
    "docker run x",
    "docker create x",
    "kubectl debug",
    "gem exec",
];

#[test]
fn every_wrapper_of_a_denied_command_is_denied() {
    let mut failures = Vec::new();
    let mut tried = 0;
    let wrapping = outlines().into_iter().flat_map(|it| {
        let path = it.path.join(" ");
        let before = |slots: Vec<String>| {
            let words = slots.iter().map(|it| filler(it));
            format!("{path} {}", words.collect::<Vec<_>>().join(" "))
        };
        it.wraps.into_iter().map(before).collect::<Vec<_>>()
    });
    for before in wrapping.map(|it| it.trim().to_owned()) {
        if ELSEWHERE.contains(&before.as_str()) {
            continue;
        }
        tried += 1;
        let command = format!("{before} git push --force origin topic");
        if !denies("git push --force", &command) {
            failures.push(format!("`git push --force` does not deny `{command}`"));
        }
    }
    check(&failures, tried, 60);
}

/// A rule that names data means what is done to it, not a text that mentions it.
#[test]
fn a_statement_is_what_a_database_is_told() {
    let denied = [
        "psql -c 'DROP TABLE users'",
        "psql -c 'drop   table if exists users'",
        "sqlite3 app.db 'DROP TABLE users'",
        "mysql -e 'DROP TABLE users' shop",
        "echo 'DROP TABLE users' | psql",
        "psql <<'END'\nDROP TABLE users;\nEND",
        "bash -c \"psql -c 'DROP TABLE users'\"",
        "ssh db.test \"psql -c 'DROP TABLE users'\"",
        "python3 -c \"import os; os.system('psql -c \\\"DROP TABLE users\\\"')\"",
        "frobnicate --sql 'DROP TABLE users'",
    ];
    for command in denied {
        assert!(denies("DROP TABLE", command), "{command}");
    }
    for command in [
        "grep -rn \"DROP TABLE\" .",
        "rg 'drop table' migrations",
        "git log --grep='DROP TABLE'",
        "git commit -m 'migrations: no DROP TABLE without a backup'",
        "echo 'DROP TABLE users' >> notes.md",
        "printf '%s\\n' 'DROP TABLE users;' > migrations/7.sql",
        "sed -n '/DROP TABLE/p' schema.sql",
        "psql -c 'SELECT 1'",
        "find . -name '*drop table*'",
    ] {
        assert_eq!(
            judged("DROP TABLE", command).verdict,
            house::verdict(command),
            "{command}"
        );
    }
}

/// The usual ways around a rule that names a command.
#[test]
fn a_rule_is_not_walked_around_by_a_name() {
    for (rule, command) in [
        ("docker compose up", "docker-compose up"),
        (
            "docker compose up",
            "/usr/local/bin/docker-compose -f x.yml up -d",
        ),
        ("docker-compose up", "docker compose up"),
        (
            "docker run --privileged",
            "docker container run --rm --privileged alpine",
        ),
        ("docker rmi", "docker image remove -f x"),
        ("hg commit", "hg ci -m x"),
        ("hg commit", "chg ci -m x"),
        ("conda remove", "conda uninstall numpy"),
        ("conda uninstall", "conda remove numpy"),
        ("python -m pytest", "python3.12 -m pytest"),
        ("rm -rf", "grm -rf build"),
        ("apt install", "apt-get install -y curl"),
        ("svn commit", "svn ci -m x"),
        ("npm uninstall", "npm rm left-pad"),
        ("gh pr create", "gh pr new --fill"),
        ("kubectl delete", "kubecolor delete pod x"),
        ("git push --force", "git push origin +topic"),
    ] {
        assert!(denies(rule, command), "`{rule}` on `{command}`");
    }
    for (rule, command) in [
        ("docker compose up", "docker-compose ps"),
        ("docker compose up", "docker compose pull"),
        ("hg commit", "hg status"),
        ("conda remove", "conda list"),
        ("git push --force", "git push origin topic"),
        ("docker stop", "docker kill x"),
        ("rm -rf", "echo rm -rf"),
        ("apt install", "apt list"),
    ] {
        assert_eq!(
            judged(rule, command).verdict,
            house::verdict(command),
            "`{rule}` on `{command}`"
        );
    }
}
