//! The checks of the fuzzer on texts that are changed byte by byte, without any tool: the same on every run, unless
//! `BELAY_SEED` says otherwise; `BELAY_ROUNDS=20` tries twenty times as many.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test, which says how much it tried"
)]

#[path = "../../../fuzz/fuzz_targets/targets.rs"]
mod targets;

use std::time::{Duration, Instant};

use targets::{LANGUAGES, TARGETS};

/// No text is longer.
const MOST_BYTES: usize = 4_000;

/// No text may take longer, on a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(10);

struct Dice(u64);

impl Dice {
    fn seeded() -> Self {
        let seed: u64 = std::env::var("BELAY_SEED").map_or(1, |it| it.parse().unwrap());
        Self(0x2545_f491_4f6c_dd1d_u64.wrapping_mul(seed.wrapping_mul(2) | 1))
    }

    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below.max(1) as u64).unwrap()
    }
}

/// Pieces that mean something somewhere.
const TOKENS: [&str; 24] = [
    "\\u0000", "\u{feff}", "\u{202e}", "\"", "\\", "{", "}", "[[", "]]", "null", "-1", "1e999",
    "$(", "`", "<<E\n", "'", "\n", "\r\n", "\0", "*** ", "@@", "../", "=\"", ",",
];

fn change(text: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let at = dice.roll(text.len() + 1);
    let end = (at + 1 + dice.roll(12)).min(text.len());
    match dice.roll(7) {
        0 if at < text.len() => text[at] = dice.roll(256) as u8,
        1 if at < text.len() => text[at] ^= 1 << dice.roll(8),
        2 => drop(text.drain(at..end)),
        3 => {
            let copied = text[at..end].to_vec();
            text.splice(at..at, copied);
        }
        4 => {
            let other = &others[dice.roll(others.len())];
            let from = dice.roll(other.len() + 1);
            let other = &other[from..(from + dice.roll(80)).min(other.len())];
            text.splice(at..at, other.iter().copied());
        }
        5 => text.truncate(at),
        _ => drop(text.splice(at..at, TOKENS[dice.roll(TOKENS.len())].bytes())),
    }
    text.truncate(MOST_BYTES);
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|it| std::fs::read(it).unwrap()).collect()
}

/// Reads every text as it is, then so many that are changed.
fn holds(name: &str, rounds: usize) {
    let times: usize = std::env::var("BELAY_ROUNDS").map_or(1, |it| it.parse().unwrap());
    let rounds = rounds * times;
    let check = TARGETS.iter().find(|it| it.name == name).unwrap().check;
    let seeds = seeds(name);
    assert!(seeds.len() >= 4, "{name} has few texts");
    let mut dice = Dice::seeded();
    let changed = (0..rounds).map(|_| {
        let mut text = seeds[dice.roll(seeds.len())].clone();
        (0..=dice.roll(6)).for_each(|_| change(&mut text, &seeds, &mut dice));
        text
    });
    let begun = Instant::now();
    for text in seeds.iter().cloned().chain(changed) {
        let started = Instant::now();
        let result = std::panic::catch_unwind(|| check(&text));
        let shown = String::from_utf8_lossy(&text);
        assert!(result.is_ok(), "{name} fails: {shown:?}");
        assert!(started.elapsed() < PATIENCE, "{name} is slow: {shown:?}");
    }
    let millis = begun.elapsed().as_millis();
    eprintln!(
        "{name}: {} texts, {rounds} of them changed, {millis} ms",
        rounds + seeds.len()
    );
}

#[test]
fn shell_text_is_walked() {
    holds("machine", 2_000);
}

#[test]
fn any_json_is_judged_or_refused() {
    holds("check", 6_000);
}

#[test]
fn what_agents_send_is_read() {
    holds("agents", 3_000);
}

#[test]
fn patches_are_read() {
    holds("patches", 1_500);
}

#[test]
fn settings_lift_no_floor() {
    holds("settings", 800);
}

#[test]
fn rules_lift_no_floor() {
    holds("rules", 2_000);
}

#[test]
fn code_of_each_language_is_read() {
    for word in LANGUAGES {
        assert!(
            belay_languages::Language::from_word(word).is_some(),
            "{word}"
        );
    }
    holds("languages", 12_000);
}

#[test]
fn transcripts_are_read() {
    holds("transcripts", 1_000);
}

#[test]
fn journals_are_read() {
    holds("journal", 800);
}

#[test]
fn replies_of_providers_are_read() {
    holds("replies", 10_000);
}
