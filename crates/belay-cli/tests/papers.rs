//! Every command in the README and the guide is run or looked up: none may name what does not exist.
//!
//! Blocks fenced with `console` are transcripts and run by `transcripts.rs`. What stands in other blocks and between backticks is looked up here:
//! sub-commands and flags of belay in its help, chores in `cargo xtask`, packages and tests on disk. What is neither is in `OTHERS`, by hand.

#![expect(clippy::unwrap_used, clippy::string_slice, reason = "a test")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Commands of other programs that pages show, by their first words; `cargo xtask package` runs the like of those for packages.
const OTHERS: [&str; 8] = [
    "BELAY_FROM=target/packages sh target/packages/install.sh",
    "cargo run -p belay-model-server",
    "cargo uninstall belay-cli",
    "echo '{",
    "npm install -g ./target/packages/",
    "pip install target/packages/autobelay-",
    "rm -r ~/.config/belay ",
    "sudo apt install ./target/packages/autobelay_",
];

#[test]
fn commands_of_the_pages_exist() {
    let mut wrong = Vec::new();
    let mut looked_up = 0;
    for page in pages() {
        let text = std::fs::read_to_string(format!("{ROOT}/{page}")).unwrap();
        for command in commands(&text) {
            looked_up += 1;
            if let Err(why) = look_up(&command) {
                wrong.push(format!("{page}: `{command}`: {why}"));
            }
        }
    }
    assert!(looked_up > 60, "only {looked_up} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_does_not_exist_is_found() {
    for line in [
        "belay frobnicate",
        "belay check --frob",
        "belay rules frob",
        "cargo xtask frob",
        "cargo xtask docs --frob",
        "cargo test -p frob",
        "cargo test -p belay-cli --test frob",
        "cargo install --path crates/frob",
        "frobnicate --all",
    ] {
        assert!(look_up(line).is_err(), "{line}");
    }
    let page = "```sh\nbelay a   # why\n$ belay b\n```\n`belay c` and `x` and `cargo d`\n```console\n$ belay e\n```\n";
    let found: Vec<String> = commands(page).into_iter().collect();
    assert_eq!(found, ["belay a", "belay b", "belay c", "cargo d"]);
}

/// Pages with transcripts that no test runs would be promises nobody keeps.
#[test]
fn every_transcript_of_the_pages_is_run() {
    // The team's page needs a database, and runs with the fleet's proof.
    let run = concat!(
        include_str!("transcripts.rs"),
        include_str!("../../belay-fleet/src/guide.rs")
    );
    for page in pages() {
        let text = std::fs::read_to_string(format!("{ROOT}/{page}")).unwrap();
        let named = run.contains(&*page);
        assert!(
            named || !text.contains("```console"),
            "{page} has a transcript that no test runs"
        );
    }
}

fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    for entry in std::fs::read_dir(format!("{ROOT}/docs/guide")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        pages.extend(name.ends_with(".md").then(|| format!("docs/guide/{name}")));
    }
    pages.sort();
    pages
}

/// Returns the commands of a page that no transcript runs: lines of `sh` blocks, lines behind `$ `, and code between backticks.
fn commands(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut fence: Option<&str> = None;
    for line in page.lines() {
        match (fence, line.strip_prefix("```")) {
            (None, Some(kind)) => fence = Some(kind),
            (Some(_), Some(_)) => fence = None,
            (Some("console"), None) => {}
            (Some("sh"), None) => {
                let line = line.strip_prefix("$ ").unwrap_or(line);
                found.insert(line.split(" #").next().unwrap().trim().to_owned());
            }
            (Some(_), None) => found.extend(line.strip_prefix("$ ").map(str::to_owned)),
            (None, None) => {
                let code = line.split('`').skip(1).step_by(2);
                let ours = |it: &&str| it.starts_with("belay ") || it.starts_with("cargo ");
                found.extend(code.filter(ours).map(str::to_owned));
            }
        }
    }
    found.remove("");
    found
}

fn look_up(command: &str) -> Result<(), String> {
    if OTHERS.iter().any(|it| command.starts_with(it)) {
        return Ok(());
    }
    let end = command
        .find([';', '|', '>', '<', '&', '…'])
        .unwrap_or(command.len());
    let words: Vec<&str> = command[..end].split_whitespace().collect();
    match words.as_slice() {
        ["belay", rest @ ..] => of_belay(rest),
        ["cargo", "xtask", rest @ ..] => of_house(rest),
        ["cargo", "test" | "bench", rest @ ..] => of_package(rest),
        ["cargo", "install", "--path", path] => there(&format!("{path}/Cargo.toml")),
        ["cargo", "build" | "install"] => Ok(()),
        _ => Err("neither ours nor in `OTHERS`".to_owned()),
    }
}

fn of_belay(words: &[&str]) -> Result<(), String> {
    let words: Vec<&str> = words.iter().copied().take_while(|it| *it != "--").collect();
    let plain = |it: &&&str| {
        it.bytes().all(|it| it.is_ascii_lowercase() || it == b'-') && !it.starts_with('-')
    };
    let named: Vec<&str> = words.iter().take_while(plain).copied().collect();
    let help = help(named.first().into_iter().copied().collect());
    let mut help = help.ok_or_else(|| format!("no sub-command `{}`", named.join(" ")))?;
    if let [one, two, ..] = named.as_slice() {
        match self::help(vec![one, two]) {
            Some(more) => help.push_str(&more),
            // A sub-command that has others takes no other word.
            None if help.contains("\nCommands:") => return Err(format!("no `{one} {two}`")),
            None => {}
        }
    }
    for word in words.iter().filter(|it| it.starts_with("--")) {
        let flag = word.split(['=', '[']).next().unwrap();
        if !help.contains(flag) {
            return Err(format!("no flag `{flag}`"));
        }
    }
    Ok(())
}

/// Returns the help of a sub-command, where there is one.
fn help(mut words: Vec<&str>) -> Option<String> {
    words.push("--help");
    let done = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args(words)
        .output()
        .unwrap();
    done.status
        .success()
        .then(|| String::from_utf8(done.stdout).unwrap())
}

fn of_house(words: &[&str]) -> Result<(), String> {
    let usage = std::fs::read_to_string(format!("{ROOT}/xtask/src/main.rs")).unwrap();
    let (_, usage) = usage.split_once("const USAGE").unwrap();
    for (at, word) in words.iter().enumerate() {
        let known = match at {
            0 => usage.contains(&format!("\n  {word} ")),
            _ if word.starts_with("--") => usage.contains(word),
            _ => true,
        };
        if !known {
            return Err(format!("`cargo xtask` has no `{word}`"));
        }
    }
    Ok(())
}

fn of_package(words: &[&str]) -> Result<(), String> {
    let after = |flag: &str| {
        let at = words.iter().position(|it| *it == flag)?;
        words.get(at + 1)
    };
    let Some(package) = after("-p") else {
        return Ok(());
    };
    there(&format!("crates/{package}/Cargo.toml"))?;
    match after("--test") {
        None => Ok(()),
        Some(test) => there(&format!("crates/{package}/tests/{test}.rs"))
            .or_else(|_| there(&format!("crates/{package}/tests/{test}/main.rs"))),
    }
}

fn there(path: &str) -> Result<(), String> {
    match Path::new(ROOT).join(path).exists() {
        true => Ok(()),
        false => Err(format!("there is no `{path}`")),
    }
}
