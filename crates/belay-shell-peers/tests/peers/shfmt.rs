//! Whole argument lists, compared with shfmt's tree of the same text (a Debian package, installed by CI).

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use crate::{accepted::Accepted, texts, walk::Seen};
use belay_shell::{Dialect, TroubleKind, parse};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// The words of one command; `None` for what only a run can tell.
type Argv = Vec<Option<Vec<u8>>>;

fn shfmt(text: &str) -> Option<Value> {
    let mut child = Command::new("shfmt")
        .args(["-ln=bash", "--to-json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).is_ok());
    let output = child.wait_with_output().ok()?;
    writer.join().unwrap();
    let success = output.status.success();
    success.then(|| serde_json::from_slice(&output.stdout).unwrap())
}

/// Gathers the words of every simple command in shfmt's tree.
fn gather(node: &Value, argvs: &mut Vec<Argv>) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| gather(item, argvs)),
        Value::Object(fields) => {
            if fields.get("Type").and_then(Value::as_str) == Some("CallExpr")
                && let Some(words) = fields.get("Args").and_then(Value::as_array)
            {
                argvs.push(words.iter().map(word).collect());
            }
            fields.values().for_each(|field| gather(field, argvs));
        }
        _ => {}
    }
}

fn word(node: &Value) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for part in node["Parts"].as_array()? {
        match part["Type"].as_str()? {
            "Lit" => {
                let value = part["Value"].as_str().unwrap_or_default();
                // Patterns, braces and tildes are not expanded by shfmt.
                if value.contains(['*', '?', '[', '{', '~']) {
                    return None;
                }
                unescape(value, None, &mut text);
            }
            "SglQuoted" if part["Dollar"] != Value::Bool(true) => {
                text.extend(part["Value"].as_str().unwrap_or_default().bytes())
            }
            "DblQuoted" => {
                for inner in part["Parts"].as_array().into_iter().flatten() {
                    if inner["Type"] != "Lit" {
                        return None;
                    }
                    let value = inner["Value"].as_str().unwrap_or_default();
                    unescape(value, Some("$`\"\\\n"), &mut text);
                }
            }
            _ => return None,
        }
    }
    Some(text)
}

/// Removes backslashes, all of them or only those before certain characters.
fn unescape(value: &str, before: Option<&str>, text: &mut Vec<u8>) {
    let mut signs = value.chars().peekable();
    while let Some(sign) = signs.next() {
        let next = signs.peek().copied();
        let removed = sign == '\\'
            && next.is_some_and(|next| before.is_none_or(|before| before.contains(next)));
        let kept = if removed { signs.next() } else { Some(sign) };
        if let Some(kept) = kept.filter(|&kept| !(removed && kept == '\n')) {
            text.extend(kept.encode_utf8(&mut [0; 4]).bytes());
        }
    }
}

fn same(theirs: &Argv, ours: &Argv) -> bool {
    theirs.len() == ours.len()
        && theirs
            .iter()
            .zip(ours)
            .all(|(theirs, ours)| theirs.is_none() || theirs == ours)
}

/// Returns our words, or nothing when the text is rejected.
fn ours(text: &str) -> Option<Vec<Argv>> {
    let tree = parse(text.as_bytes(), Dialect::Bash);
    let rejected = |kind| matches!(kind, TroubleKind::Syntax | TroubleKind::Limit);
    let read = !tree.troubles().iter().any(|trouble| rejected(trouble.kind));
    read.then(|| Seen::of(&tree).unexpanded)
}

fn show(argv: &Argv) -> String {
    let words = argv.iter().map(|word| match word {
        Some(word) => String::from_utf8_lossy(word).into_owned(),
        None => "…".to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Texts in groups that one process can read: alone where one could swallow the next.
fn groups() -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    for text in texts::all() {
        let alone = text.contains("<<") || text.ends_with('\\') || text.contains("PWN");
        match groups.last_mut() {
            Some(group)
                if !alone
                    && group.len() < 60
                    && !group[0].contains("PWN")
                    && !group[0].contains("<<") =>
            {
                group.push(text)
            }
            _ => groups.push(vec![text]),
        }
    }
    groups
}

#[derive(Default)]
struct Found {
    compared: usize,
    refused: usize,
    argvs: usize,
    words: usize,
    lost: Vec<(String, String)>,
}

fn compare(group: &[String], accepted: &Accepted, found: &mut Found) {
    let read: Vec<(&String, Vec<Argv>)> = group
        .iter()
        .filter_map(|text| ours(text).map(|ours| (text, ours)))
        .collect();
    if read.is_empty() {
        return;
    }
    let joined: Vec<&str> = read.iter().map(|(text, _)| text.as_str()).collect();
    let joined = joined.join("\n");
    let Some(tree) = shfmt(&joined) else {
        if read.len() == 1 {
            found.refused += 1;
            return;
        }
        return group
            .chunks(group.len().div_ceil(8))
            .for_each(|part| compare(part, accepted, found));
    };
    let mut theirs = Vec::new();
    gather(&tree, &mut theirs);
    // Those with most known words choose first among ours.
    theirs.sort_by_key(|argv: &Argv| argv.iter().filter(|word| word.is_none()).count());
    let alone = read.len() == 1;
    let (texts, argvs) = (read.len(), theirs.len());
    let words: usize = theirs
        .iter()
        .map(|argv| argv.iter().flatten().count())
        .sum();
    let mut left: Vec<Argv> = read.into_iter().flat_map(|(_, ours)| ours).collect();
    theirs.retain(|argv| {
        let at = left.iter().position(|ours| same(argv, ours));
        at.map(|at| left.swap_remove(at)).is_none()
    });
    if !theirs.is_empty() && !alone {
        return group
            .chunks(1)
            .for_each(|part| compare(part, accepted, found));
    }
    found.compared += texts;
    found.argvs += argvs;
    found.words += words;
    theirs.retain(|argv| !accepted.holds(&show(argv), &joined));
    found
        .lost
        .extend(theirs.iter().map(|argv| (show(argv), joined.clone())));
}

#[test]
fn every_argument_list_of_shfmt_is_in_the_tree() {
    if belay_needs::Need::Shells
        .met("shfmt", || shfmt("true"))
        .is_none()
    {
        return;
    }
    let accepted = Accepted::of("shfmt");
    let mut found = Found::default();
    for group in groups() {
        compare(&group, &accepted, &mut found);
    }
    println!(
        "shfmt: {} texts compared, {} it cannot read, {} argument lists with {} known words, {} not in our tree",
        found.compared,
        found.refused,
        found.argvs,
        found.words,
        found.lost.len()
    );
    crate::accepted::none_left(&found.lost);
    accepted.all_met();
}
