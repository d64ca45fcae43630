//! What holds for every text.

use crate::{corners, walk::Seen};
use belay_shell::{
    CommandKind, Dialect, TroubleKind, Value, Word, parse, parse_arith, parse_name, print,
};
use proptest::prelude::*;

/// Pieces from which awkward text is made.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => proptest::sample::select(corners::TOKENS).prop_map(|token| token.as_bytes().to_vec()),
        2 => "[a-z0-9 =]{1,4}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 1..3),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn untroubled(text: &[u8]) -> bool {
    crate::checks::reads_back(&parse(text, Dialect::Bash))
}

/// Tells whether there is an error; where parentheses in a pattern match, and so whether it has two readings, is
/// spelling.
fn rejected(text: &[u8]) -> bool {
    let tree = parse(text, Dialect::Bash);
    let mut found = tree.troubles().iter();
    found.any(|trouble| trouble.kind != TroubleKind::Ambiguous)
}

fn shape(text: &[u8]) -> String {
    crate::shape::shape(&parse(text, Dialect::Bash))
}

/// Returns what is known of the first word of a command that is only words.
fn first_value(text: &[u8]) -> Option<Vec<u8>> {
    let tree = parse(text, Dialect::Bash);
    let entry = tree.many(tree.root()).first()?;
    let CommandKind::Simple { words, .. } = tree.many(entry.commands).first()?.kind else {
        return None;
    };
    match tree.value(tree.many(words).first()?) {
        Value::Static(bytes) => Some(bytes.into_owned()),
        Value::Pattern(_) | Value::Several | Value::Partly(_) | Value::Dynamic => None,
    }
}

/// One byte spelled in one of many ways.
fn spelled(byte: u8, way: u8) -> Vec<u8> {
    match way % 7 {
        0 => vec![byte],
        1 => vec![b'\\', byte],
        2 => vec![b'\'', byte, b'\''],
        3 => vec![b'"', byte, b'"'],
        4 => format!("$'\\x{byte:02x}'").into_bytes(),
        5 => [b"\\\n".as_slice(), &[byte]].concat(),
        _ => vec![byte, b'\'', b'\''],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics_and_spans_lie_inside(text in soup()) {
        for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
            let tree = parse(&text, dialect);
            let seen = Seen::of(&tree);
            for (outer, inner) in seen.spans {
                prop_assert!(outer.start <= inner.start && inner.end <= outer.end, "{outer:?} {inner:?} in {:?}", String::from_utf8_lossy(&text));
                prop_assert!(outer.end as usize <= text.len());
            }
            for trouble in tree.troubles() {
                prop_assert!(trouble.span.start <= trouble.span.end && trouble.span.end as usize <= text.len());
            }
            let _ = print(&tree);
            for word in tree.every::<Word>() {
                let _ = tree.expansions(word, 3).count();
            }
        }
        let _ = parse_arith(&text);
        let _ = parse_name(&text);
    }

    #[test]
    fn the_parts_of_a_word_tile_it(text in soup()) {
        let tree = parse(&text, Dialect::Bash);
        for entry in tree.many(tree.root()) {
            for command in tree.many(entry.commands) {
                let CommandKind::Simple { words, .. } = command.kind else { continue };
                let mut end = 0;
                for word in tree.many(words) {
                    prop_assert!(word.span.start >= end, "words overlap in {:?}", String::from_utf8_lossy(&text));
                    end = word.span.end;
                }
            }
        }
    }

    #[test]
    fn spellings_of_a_word_have_one_value(word in "[a-z]{1,8}", ways in proptest::collection::vec(any::<u8>(), 8)) {
        let text: Vec<u8> = word.bytes().zip(&ways).flat_map(|(byte, &way)| spelled(byte, way)).collect();
        let text = [text, b" x".to_vec()].concat();
        let reserved = ["if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "in", "for", "while", "until", "time", "select", "coproc", "function"];
        prop_assume!(!reserved.contains(&word.as_str()));
        prop_assert_eq!(first_value(&text), Some(word.into_bytes()), "{}", String::from_utf8_lossy(&text));
    }

    #[test]
    fn printing_reads_back(text in soup()) {
        prop_assume!(untroubled(&text));
        let printed = print(&parse(&text, Dialect::Bash));
        prop_assert_eq!(shape(&text), shape(&printed), "{:?} printed as {:?}", String::from_utf8_lossy(&text), String::from_utf8_lossy(&printed));
        let again = print(&parse(&printed, Dialect::Bash));
        prop_assert_eq!(String::from_utf8_lossy(&printed), String::from_utf8_lossy(&again));
    }
}

/// Texts of the repository: corners, corners in corners, and what the fuzzer starts from.
fn texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = corners::corners()
        .into_iter()
        .map(String::into_bytes)
        .collect();
    texts.extend(
        corners::combinations(corners::rounds(3000))
            .into_iter()
            .map(String::into_bytes),
    );
    texts.extend(
        corners::damaged(corners::rounds(3000))
            .into_iter()
            .map(String::into_bytes),
    );
    texts.extend(corners::seeds());
    texts
}

#[test]
fn corners_read_back_when_printed() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for text in texts().iter().filter(|text| untroubled(text)) {
        let printed = print(&parse(text, Dialect::Bash));
        let again = print(&parse(&printed, Dialect::Bash));
        compared += 1;
        if shape(text) != shape(&printed) || printed != again || rejected(&printed) {
            let show = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            wrong.push([show(text), show(&printed), shape(text), shape(&printed)]);
        }
    }
    println!(
        "{compared} texts printed and read back, {} wrong",
        wrong.len()
    );
    wrong.truncate(12);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
