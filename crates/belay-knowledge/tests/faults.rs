//! Faulty files are refused with a place and the way out.
#![expect(clippy::panic, reason = "a test may fail")]

use belay_knowledge::Knowledge;

/// Checks the first line of every fault of a command's file, with its place.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let examples = "\n[examples]\n\"x\" = []\n\"x -a\" = []\n\"x b\" = []\n";
    let text = if text.contains("[examples]") {
        text.to_owned()
    } else {
        format!("{text}{examples}")
    };
    let found: Vec<String> = match Knowledge::load_texts(&[("commands/x.toml", &text)]) {
        Ok(_) => Vec::new(),
        Err(belay_knowledge::LoadError::Faulty(faults)) => faults
            .iter()
            .map(|it| format!("{}:{} {}", it.line, it.column, it.what))
            .collect(),
        Err(error) => panic!("{error}"),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_good_file_has_none() {
    check(
        "about = 'X.'\nusage = 'x [PATH...]'\neffects = ['read PATH']",
        &[],
    );
}

#[test]
fn keys_are_known() {
    check("about = 'X.'\neffect = []", &["2:1 unknown key `effect`"]);
    check(
        "about = 'X.'\nflags.'-a' = { alos = [] }",
        &["2:16 unknown key `alos`"],
    );
    check(
        "about = 'X.'\ndialect = 'gun'",
        &["2:11 unknown dialect `gun`"],
    );
    check("", &["1:1 no `about`"]);
    check(
        "about = ",
        &["1:9 string values must be quoted, expected literal string"],
    );
}

#[test]
fn slots_can_be_filled() {
    check(
        "about = 'X.'\neffects = ['read PATH']",
        &["2:12 nothing fills slot `PATH` of `read PATH`"],
    );
    check(
        "about = 'X.'\noutput = 'paths PATH'",
        &["2:10 `PATH` is not a slot here"],
    );
    check(
        "about = 'X.'\nusage = 'x A A'",
        &["2:9 slot `A` stands twice in a usage"],
    );
}

#[test]
fn effects_have_verbs() {
    check(
        "about = 'X.'\neffects = ['raed ./a']",
        &["2:12 `raed` is not a verb"],
    );
    check(
        "about = 'X.'\neffects = ['read']",
        &["2:12 `read` has no target"],
    );
    check(
        "about = 'X.'\neffects = ['read ./a with gold X']",
        &["2:12 `gold` does not belong in `read ./a with gold X`"],
    );
}

#[test]
fn flags_are_listed_once() {
    check(
        "about = 'X.'\ninert = '-a, -a --all'",
        &["2:9 flag `-a` is listed twice"],
    );
    check(
        "about = 'X.'\ninert = '-a=X -b=Y'",
        &["2:9 spellings of `-a=X -b=Y` take different values"],
    );
    check(
        "about = 'X.'\ninert = '-a, all'",
        &["2:9 `all` is not a flag"],
    );
}

#[test]
fn lowering_needs_witnesses() {
    let file = "about = 'X.'\neffects = ['write ./a']\n[flags]\n'-n' = { spares = [] }\n'-f' = 'delete ./a'\n[examples]\n";
    check(
        &format!("{file}'x -n' = []\n'x -f' = []\n'x' = []"),
        &["4:1 `-n` lowers but lacks an example beside a flag that does more"],
    );
    check(
        &format!("{file}'x -nf' = []\n'x -f' = []\n'x' = []"),
        &["4:1 `-n` lowers but lacks an example of it alone"],
    );
    check(&format!("{file}'x -nf' = []\n'x -n' = []\n'x' = []"), &[]);
}

#[test]
fn examples_are_enough_and_in_the_notation() {
    check(
        "about = 'X.'\n[examples]\n'x' = []",
        &["1:1 1 examples of at least 3"],
    );
    check(
        "about = 'X.'\n[examples]\n'x' = ['frob ./a']\n'x a' = []\n'x b' = []",
        &["3:8 `frob` is not a verb"],
    );
}

#[test]
fn a_fault_ends_with_the_way_out() {
    let error = match Knowledge::load_texts(&[("commands/x.toml", "effect = []")]) {
        Ok(_) => panic!("accepted"),
        Err(error) => error.to_string(),
    };
    let first = error.split("\n\n").next().unwrap_or("");
    assert!(
        first.starts_with("error: unknown key `effect`\n  --> commands/x.toml:1:1\nhint: keys are"),
        "{first}"
    );
    assert!(first.ends_with("did you mean `effects`?"), "{first}");
}

#[test]
fn texts_have_a_length() {
    let long = "y".repeat(256);
    check(
        &format!("about = 'X.'\nusage = 'x [P]'\ndefaults = {{ P = '{long}' }}"),
        &[&format!(
            "1:1 a text of 256 bytes, longer than 255: `{long}`"
        )],
    );
}

#[test]
fn a_flag_that_was_examined_has_a_reason() {
    check(
        "about = 'X.'\nexamined = { '--output=F' = '' }",
        &["2:14 no reason for `--output=F`"],
    );
    check(
        "about = 'X.'\nexamined = { '--output=F' = 'names a format' }",
        &[],
    );
}

#[test]
fn reading_instead_of_more_needs_witnesses() {
    check(
        "about = 'X.'\nusage = 'x [PATH]'\neffects = ['write PATH']\nflags = { '-n' = { instead = ['read PATH'] } }",
        &["4:11 `-n` lowers but lacks an example of it alone"],
    );
}
