//! What must hold for every command that is known: spellings do not matter, unknown words never lower.
#![expect(clippy::expect_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use belay_knowledge::{Command, Reading, What, Word, examples, find, read};
use proptest::prelude::{ProptestConfig, any, prop, prop_oneof, proptest};
use proptest::strategy::{Just, Strategy};

fn lines(command: Command<'static>, words: &[Word<'_>]) -> BTreeSet<String> {
    read(command, words).lines(words).into_iter().collect()
}

/// The examples of one simple command that is known, as words.
static SIMPLE: LazyLock<Vec<(Command<'static>, Vec<String>)>> = LazyLock::new(simple);

fn simple() -> Vec<(Command<'static>, Vec<String>)> {
    let odd = |c: char| "'\"\\|;&<>$`(){}*?[#\n".contains(c);
    examples()
        .filter(|it| !it.command.contains(odd))
        .filter_map(|it| {
            let words: Vec<String> = it.command.split_whitespace().map(str::to_owned).collect();
            Some((find(words.first()?)?, words))
        })
        .collect()
}

fn known(words: &[String]) -> Vec<Word<'_>> {
    words.iter().map(|it| Word::Known(it)).collect()
}

/// Tells whether a reading does at least what another does, or says that it does not know.
fn at_least(less: &Reading<'_>, more: &Reading<'_>) -> bool {
    let (mut before, after) = (verbs(less), verbs(more));
    // Looking may give way to something stronger.
    before.retain(|it| after.is_empty() || !["read", "probe", "query"].contains(&it.as_str()));
    let runs = after.contains("run");
    !more.unknown.is_empty() || before.is_subset(&after) || (runs && !before.contains("run"))
}

fn verbs(reading: &Reading<'_>) -> BTreeSet<String> {
    let word = |what: &What<'_>| match what {
        What::Effect { verb, .. } => verb.word().to_owned(),
        What::RunWords { .. } | What::RunFile { .. } | What::Task { .. } => "run".to_owned(),
        What::Eval { .. } => "run".to_owned(),
        What::Cd(_) => "cd".to_owned(),
    };
    reading.acts.iter().map(|it| word(&it.what)).collect()
}

#[test]
fn there_is_something_to_try() {
    assert!(SIMPLE.len() > 200);
}

#[test]
fn a_word_that_is_not_known_never_lowers() {
    for (command, words) in SIMPLE.iter() {
        let (command, whole) = (*command, read(*command, &known(words)));
        for at in 1..words.len() {
            for strange in [
                Word::Unknown,
                Word::Prefix(""),
                Word::Prefix("-"),
                Word::Prefix("--"),
            ] {
                let mut changed = known(words);
                changed.splice(at..=at, [strange]);
                let reading = read(command, &changed);
                let value = reading.unknown.is_empty();
                // A value in the place of a flag's value, or of an operand, keeps the verbs.
                assert!(
                    at_least(&whole, &reading) || (value && names(words, at)),
                    "{words:?} with {strange:?} at {at}: {:?} became {:?}",
                    whole.lines(&known(words)),
                    reading.lines(&changed)
                );
            }
        }
    }
}

/// Tells whether the word itself, as a known text, brings something about: `+main`, `777`.
fn names(words: &[String], at: usize) -> bool {
    let mut without = words.to_vec();
    without.splice(at..=at, ["zzz".to_owned()]);
    let command = find(words.first().map_or("", String::as_str)).expect("a known command");
    let (whole, other) = (known(words), known(&without));
    verbs(&read(command, &whole)) != verbs(&read(command, &other))
}

#[test]
fn one_more_unknown_word_never_lowers() {
    for (command, words) in SIMPLE.iter() {
        let (command, whole) = (*command, read(*command, &known(words)));
        for at in 1..=words.len() {
            let mut more = known(words);
            more.insert(at, Word::Unknown);
            let reading = read(command, &more);
            assert!(
                at_least(&whole, &reading),
                "{words:?} with $x before {at}: {:?} became {:?}",
                whole.lines(&known(words)),
                reading.lines(&more)
            );
        }
    }
}

#[test]
fn strange_flags_are_always_said() {
    for (command, words) in SIMPLE.iter() {
        let (command, reading) = (*command, read(*command, &known(words)));
        let payload = reading
            .acts
            .iter()
            .any(|it| matches!(it.what, What::RunWords { .. }));
        if payload || words.iter().any(|it| it == "--") {
            continue;
        }
        let mut more = known(words);
        more.insert(1, Word::Known("--zzz-no-such-flag"));
        let odd = read(command, &more);
        let told =
            !odd.unknown.is_empty() || lines(command, &more).iter().any(|it| it.contains("zzz"));
        // Some commands have no flags at all: every word is an operand.
        let alone = [Word::Known("x"), Word::Known("--zzz-no-such-flag")];
        let told = told || read(command, &alone).unknown.is_empty();
        let open = odd.lines(&more) == reading.lines(&known(words));
        assert!(told || open, "{words:?}: {:?}", odd.lines(&more));
    }
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "-{0,2}[a-zA-Z]{1,3}(=[a-z./]{0,3})?",
        "[a-z./]{1,6}",
        Just("--".to_owned()),
        Just("-".to_owned()),
        Just("{}".to_owned()),
        Just(";".to_owned()),
        Just("+x".to_owned()),
        "[é-ü]{1,2}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the words, reading ends, and every place it names is there.
    #[test]
    fn places_are_in_the_words(
        which in 0usize..10_000,
        words in prop::collection::vec(word(), 0..8),
        unknown in 0usize..10,
    ) {
        let all = &*SIMPLE;
        let (command, first) = all.get(which % all.len()).expect("some").clone();
        let mut texts = vec![first.first().cloned().unwrap_or_default()];
        texts.extend(first.get(1).cloned());
        texts.extend(words);
        let words: Vec<Word<'_>> = texts
            .iter()
            .enumerate()
            .map(|(at, it)| if at == unknown { Word::Prefix(it) } else { Word::Known(it) })
            .collect();
        let reading = read(command, &words);
        for act in &reading.acts {
            assert!(act.cause < words.len());
            if let What::RunWords { from, to, .. } = act.what {
                assert!(from < to && to <= words.len());
            }
        }
        for unknown in &reading.unknown {
            assert!(unknown.word < words.len());
        }
        assert!(reading.lines(&words).len() >= reading.acts.len());
    }

    /// However a flag is spelled, wherever it stands, it does the same.
    #[test]
    fn spellings_do_not_matter(
        tree in prop::sample::select(vec!["", "-r", "-R", "--recursive", "--recu", "-vr", "-rf", "--verb -rv"]),
        into in prop::sample::select(vec!["-t b", "-tb", "--target-directory=b", "--target-directory b", "--target=b", "-vtb", "-ft b"]),
        inert in prop::sample::select(vec!["", "-f", "--force", "--forc", "--sparse=x", "--sparse x", "--no-preserve=x", "--reflink", "--reflink=auto"]),
        order in 0usize..6,
    ) {
        let mut parts = [tree, into, inert];
        parts.rotate_left(order % 3);
        let end = if order > 2 { "-- a" } else { "a" };
        let line = format!("cp {} {} {} {end}", parts[0], parts[1], parts[2]);
        let words: Vec<Word<'_>> = line.split_whitespace().map(Word::Known).collect();
        let plain = if tree.is_empty() { "cp -t b a" } else { "cp -r -t b a" };
        let plain: Vec<Word<'_>> = plain.split_whitespace().map(Word::Known).collect();
        let command = find("cp").expect("a known command");
        assert_eq!(lines(command, &words), lines(command, &plain), "{line}");
    }
}
