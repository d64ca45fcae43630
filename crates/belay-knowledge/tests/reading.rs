//! Words are read as programs read them.
#![expect(clippy::panic, clippy::expect_used, reason = "a test may fail")]

use belay_knowledge::{Knowledge, Word, read};

const FILES: &[(&str, &str)] = &[
    ("commands/cp.toml", include_str!("files/cp.toml")),
    ("commands/rm.toml", include_str!("files/rm.toml")),
    ("commands/env.toml", include_str!("files/env.toml")),
    ("commands/find.toml", include_str!("files/find.toml")),
    ("commands/tar.toml", include_str!("files/tar.toml")),
    ("commands/dd.toml", include_str!("files/dd.toml")),
    ("commands/curl.toml", include_str!("files/curl.toml")),
    ("commands/ssh.toml", include_str!("files/ssh.toml")),
    ("commands/xargs.toml", include_str!("files/xargs.toml")),
    ("commands/terra.toml", include_str!("files/terra.toml")),
    ("commands/python.toml", include_str!("files/python.toml")),
    ("commands/git/git.toml", include_str!("files/git.toml")),
    ("commands/git/push.toml", include_str!("files/push.toml")),
    (
        "commands/git/config.toml",
        include_str!("files/config.toml"),
    ),
    ("commands/kubectl.toml", include_str!("files/kubectl.toml")),
    ("commands/yarn.toml", include_str!("files/yarn.toml")),
    ("variables/pager.toml", include_str!("files/pager.toml")),
];

fn knowledge() -> Knowledge {
    match Knowledge::load_texts(FILES) {
        Ok(knowledge) => knowledge,
        Err(error) => panic!("{error}"),
    }
}

/// Reads a line whose words are parted by blanks; `$x` is one unknown word, `$*` any number, `'a b'`
/// one word.
fn lines(line: &str) -> Vec<String> {
    let knowledge = knowledge();
    let mut texts: Vec<String> = Vec::new();
    let mut open = false;
    for word in line.split(' ') {
        match texts.last_mut() {
            Some(last) if open => {
                last.push(' ');
                last.push_str(word);
            }
            _ => texts.push(word.to_owned()),
        }
        open ^= word.matches('\'').count() % 2 == 1;
    }
    let texts: Vec<String> = texts.iter().map(|it| it.replace('\'', "")).collect();
    let words: Vec<Word<'_>> = texts
        .iter()
        .map(|it| match it.split_once('$') {
            Some(("", "*")) => Word::Unknown,
            Some((before, _)) => Word::Prefix(before),
            None if it.contains('*') => Word::Pattern(it),
            None => Word::Known(it),
        })
        .collect();
    let name = texts.first().expect("a name");
    let command = knowledge.find(name).expect("a known command");
    read(command, &words).lines(&words)
}

#[track_caller]
fn check(line: &str, expected: &[&str]) {
    assert_eq!(lines(line), expected, "{line}");
}

#[test]
fn operands_fill_slots() {
    check("cp a b", &["read a", "write b"]);
    check("cp a b c", &["read a", "read b", "write c"]);
    check("rm -- -r", &["delete -r"]);
    check("rm a -r", &["delete tree a"]);
    check("cp a", &["read a"]);
}
