//! The checks of the fuzzer on text that is changed byte by byte: the same on every run, and without any tool.

use crate::checks::check;
use crate::corners::{Dice, TOKENS, corners, rounds, seeds};

const MOST_BYTES: usize = 300;

/// Changes a text in one place.
fn change(text: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let at = dice.roll(text.len() + 1);
    let end = (at + 1 + dice.roll(8)).min(text.len());
    match dice.roll(7) {
        0 if at < text.len() => text[at] = dice.roll(256) as u8,
        1 if at < text.len() => text[at] ^= 1 << dice.roll(8),
        2 => drop(text.drain(at..end)),
        3 => drop(text.splice(at..at, TOKENS[dice.roll(TOKENS.len())].bytes())),
        4 => {
            let copied = text[at..end].to_vec();
            text.splice(at..at, copied);
        }
        5 => {
            let other = &others[dice.roll(others.len())];
            let from = dice.roll(other.len() + 1);
            let other = &other[from..(from + dice.roll(40)).min(other.len())];
            text.splice(at..at, other.iter().copied());
        }
        _ => text.insert(at, b"'\"`$(){}[]<>|&;\n\\ #!=*?@~"[dice.roll(25)]),
    }
    text.truncate(MOST_BYTES);
}

/// What a fuzzer once found stays in the corpus, and is read here without one.
#[test]
fn every_text_of_the_corpus_is_read_and_printed() {
    for text in seeds() {
        check(&text);
    }
}

#[test]
fn changed_bytes_are_read_and_printed() {
    let mut texts = seeds();
    texts.extend(corners().into_iter().map(String::into_bytes));
    let mut dice = Dice::new(3);
    let count = rounds(12_000);
    let mut failing: Vec<String> = Vec::new();
    for _ in 0..count {
        let mut text = texts[dice.roll(texts.len())].clone();
        text.truncate(MOST_BYTES);
        for _ in 0..=dice.roll(5) {
            change(&mut text, &texts, &mut dice);
        }
        let result = std::panic::catch_unwind(|| check(&text));
        if result.is_err() {
            failing.push(String::from_utf8_lossy(&text).into_owned());
        }
    }
    // The usual texts hold to none. Of texts rolled afresh a few odd ones may not come back as they were printed, which
    // costs no safety; they are shown, to be mended.
    let spared = if std::env::var_os("BELAY_SEED").is_some() {
        3
    } else {
        0
    };
    assert!(failing.len() <= spared, "fails: {failing:#?}");
    if !failing.is_empty() {
        println!("not as printed: {failing:#?}");
    }
    println!("{count} texts changed, read in three dialects, printed and read again");
}
