//! Limits that a shell sets, descriptors that it closes, and environments that nobody expects.

use belay_oracle::dice::Dice;

/// A limit by its letter, and values around what the hook needs.
struct Limit {
    letter: char,
    least: u64,
    most: u64,
}

/// Every limit that a shell knows: memory, data, stack, cpu, files, size of files, processes, core, locked memory.
const LIMITS: [Limit; 9] = [
    limit('v', 2_000, 160_000),
    limit('d', 0, 60_000),
    limit('s', 8, 1_024),
    limit('t', 0, 1),
    limit('n', 3, 14),
    limit('f', 0, 40),
    limit('p', 0, 4),
    limit('c', 0, 1),
    limit('l', 0, 64),
];

const fn limit(letter: char, least: u64, most: u64) -> Limit {
    Limit {
        letter,
        least,
        most,
    }
}

/// Draws a limit, as shell text.
pub fn drawn(dice: &mut Dice) -> String {
    let Some(limit) = dice.pick(&LIMITS) else {
        return String::new();
    };
    let value = limit.least + dice.below(limit.most - limit.least + 1);
    // A shell that knows no such limit, or may not set it, goes on without.
    format!("ulimit -{} {value} 2>/dev/null || :;", limit.letter)
}

/// Draws some descriptors to be closed, or thrown away, as shell text.
pub fn closed(dice: &mut Dice) -> String {
    let mut text = String::new();
    for descriptor in ["<&-", ">&-", "2>&-"] {
        if dice.chance(50) {
            text = format!("{text} {descriptor}");
        }
    }
    if text.is_empty() {
        let thrown = [">/dev/full", ">/dev/null", "</dev/null", "2>/dev/full"];
        text = dice.pick(&thrown).copied().unwrap_or(">&-").to_owned();
    }
    text
}

/// Draws an environment of up to a megabyte and a half.
pub fn huge(dice: &mut Dice) -> Vec<(String, String)> {
    let length = 1 + dice.below(100_000);
    let many = 1_500_000 / (length + 10);
    let value = "x".repeat(usize::try_from(length).unwrap_or(1));
    let name = |at| format!("V{at}");
    (0..many.clamp(1, 15_000))
        .map(|at| (name(at), value.clone()))
        .collect()
}

/// Locales, time zones and terminals, with Turkish letters first: its `i` is not ours.
const LOCALES: [&str; 6] = [
    "LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr",
    "LC_ALL=tr_TR LC_CTYPE=tr_TR.ISO-8859-9",
    "LC_ALL=zh_CN.GB18030 TZ=Asia/Kathmandu",
    "LANG=nowhere TZ=:/nowhere COLUMNS=1",
    "LC_ALL=C TZ=XXX+167:59:59 TERM=dumb",
    "LC_NUMERIC=de_DE.UTF-8 LC_TIME=ar_SA TZ=",
];

/// Draws a locale, as an environment.
pub fn locale(dice: &mut Dice) -> Vec<(String, String)> {
    let text = dice.pick(&LOCALES).copied().unwrap_or_default();
    let pairs = text.split(' ').filter_map(|it| it.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
