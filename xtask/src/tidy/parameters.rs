//! How many parameters functions have: three, or a struct whose name says what belongs together. A tuple is
//! a struct without a name.

use super::rooms::ROOMS;
use super::source::File;

/// So many functions may have more than three parameters, their tuples opened.
const MOST_LONG: usize = 0;
/// So many parameters may be tuples.
const MOST_TUPLES: usize = 0;

/// What is counted in the rooms that ship.
#[derive(Default)]
struct Tally {
    long: usize,
    tuples: usize,
}

/// Says when there are more than there were.
pub fn faults(files: &[File]) -> Vec<String> {
    let mut tally = Tally::default();
    for file in files.iter().filter(|it| ships(&it.path)) {
        let code = file
            .lines
            .iter()
            .filter(|it| !it.trim_start().starts_with("//"));
        let code: Vec<&str> = code.map(String::as_str).collect();
        tally.add(&code.join("\n"));
    }
    let counts = [
        (
            "functions with more than three parameters",
            tally.long,
            MOST_LONG,
        ),
        ("parameters that are tuples", tally.tuples, MOST_TUPLES),
    ];
    let more = counts.iter().filter(|(_, now, most)| now > most);
    more.map(|(what, now, most)| {
        format!("{now} {what}, more than {most}: give what belongs together a name")
    })
    .collect()
}

fn ships(path: &str) -> bool {
    let room = path.strip_prefix("crates/").unwrap_or_default();
    let room = room.split('/').next().unwrap_or_default();
    ROOMS.contains(&room) && path.contains("/src/")
}

impl Tally {
    fn add(&mut self, code: &str) {
        for (at, _) in code.match_indices("fn ") {
            let before = code.get(..at).and_then(|it| it.chars().next_back());
            if before.is_some_and(|it| it.is_alphanumeric() || it == '_') {
                continue;
            }
            let Some(list) = list_after(code.get(at + 3..).unwrap_or_default()) else {
                continue;
            };
            let all = parted(list).into_iter().filter(|it| !is_self(it));
            let widths: Vec<usize> = all.map(width).collect();
            self.tuples += widths.iter().filter(|it| **it > 1).count();
            self.long += usize::from(widths.iter().sum::<usize>() > 3);
        }
    }
}

/// Returns what stands between the parentheses after a function's name and its generics.
fn list_after(text: &str) -> Option<&str> {
    let name = text.find(|it: char| !it.is_alphanumeric() && it != '_')?;
    let rest = text.get(name..)?;
    let rest = if rest.starts_with('<') {
        rest.get(closing(rest)? + 1..)?
    } else {
        rest
    };
    let end = rest.starts_with('(').then(|| closing(rest))??;
    (name > 0).then(|| rest.get(1..end))?
}

/// Returns where what opens at the beginning is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        depth += turn(before, letter);
        if depth == 0 {
            return Some(at);
        }
        before = letter;
    }
    None
}

fn turn(before: char, letter: char) -> i32 {
    match letter {
        '(' | '[' | '{' | '<' => 1,
        ')' | ']' | '}' => -1,
        // An arrow closes nothing.
        '>' if before != '-' => -1,
        _ => 0,
    }
}

/// Parts a list at its own commas.
fn parted(list: &str) -> Vec<&str> {
    let (mut found, mut depth, mut from, mut before) = (Vec::new(), 0, 0, ' ');
    for (at, letter) in list.char_indices() {
        depth += turn(before, letter);
        before = letter;
        if letter == ',' && depth == 0 {
            found.extend(list.get(from..at));
            from = at + 1;
        }
    }
    found.extend(list.get(from..));
    let trimmed = found.into_iter().map(str::trim);
    trimmed.filter(|it| !it.is_empty()).collect()
}

fn is_self(parameter: &str) -> bool {
    let name = parameter.split(':').next().unwrap_or_default();
    name.split([' ', '&']).any(|it| it == "self")
}

/// Returns how many things a parameter brings: those of its pattern, or of its type.
fn width(parameter: &str) -> usize {
    let (pattern, kind) = match parameter.starts_with(['(', '&']) {
        true => (parameter, ""),
        false => parameter.split_once(':').unwrap_or((parameter, "")),
    };
    opened(pattern).max(opened(kind))
}

/// Counts what stands in a tuple, also behind a reference; anything else is one thing.
fn opened(text: &str) -> usize {
    let mut rest = text.trim_start_matches([' ', '&']);
    if rest.starts_with('\'') {
        rest = rest.split_once(' ').map_or("", |it| it.1);
    }
    let rest = rest.trim_start_matches("mut ").trim_start();
    if !rest.starts_with('(') {
        return 1;
    }
    let end = closing(rest).unwrap_or(rest.len());
    parted(rest.get(1..end).unwrap_or_default()).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, long: usize, tuples: usize) {
        let mut tally = Tally::default();
        tally.add(code);
        assert_eq!((tally.long, tally.tuples), (long, tuples), "{code}");
    }

    #[test]
    fn parameters_are_counted_with_tuples_opened() {
        check("fn a(x: u8, y: u8, z: u8) {}", 0, 0);
        check("fn a(&mut self, x: u8, y: u8, z: u8) {}", 0, 0);
        check(
            "fn a<'a, T: Fn(u8) -> u8>(x: &'a T, y: u8, z: u8, w: u8) {}",
            1,
            0,
        );
        check("fn a((x, y): (u8, u8), z: HashMap<u8, u8>, w: u8) {}", 1, 1);
        check("fn a(x: (u8, u8), y: &'a mut (u8, u8)) {}", 1, 2);
        check("fn a(&(x, y): &(u8, u8), z: &[(u8, u8)]) {}", 0, 1);
        check("let f: fn(u8, u8, u8, u8) = x;", 0, 0);
    }
}
