//! Files that are not what they were.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use belay_oracle::dice::Dice;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

/// Spoils one of the files below a place, which may itself be a file. Returns what was done, for a person.
pub fn spoil(place: &Path, dice: &mut Dice) -> String {
    let mut files = below(place);
    files.sort();
    let Some(path) = dice.pick(&files).cloned() else {
        return format!("nothing at {}", place.display());
    };
    let how = one(&path, dice);
    format!("{how}: {}", path.display())
}

fn one(path: &Path, dice: &mut Dice) -> &'static str {
    let bytes = fs::read(path).unwrap_or_default();
    let length = bytes.len() as u64;
    let kept = |count: u64| {
        bytes
            .iter()
            .copied()
            .take(usize::try_from(count).unwrap_or(0))
    };
    let noise = |dice: &mut Dice, count: u64| -> Vec<u8> {
        (0..count).map(|_| dice.below(256) as u8).collect()
    };
    match dice.below(11) {
        0 => written(path, &[], "emptied"),
        1 => written(path, &noise(dice, 300), "noise"),
        2 => written(path, &kept(dice.below(length)).collect::<Vec<_>>(), "cut"),
        3 => {
            let cut: Vec<u8> = kept(dice.below(length)).chain(noise(dice, 40)).collect();
            written(path, &cut, "cut, then noise")
        }
        4 => {
            let zeroes: Vec<u8> = bytes.iter().copied().chain([0; 4096]).collect();
            written(path, &zeroes, "zeroes behind it")
        }
        5 | 6 => {
            let mut flipped = bytes.clone();
            for _ in 0..=dice.below(4) {
                let at = usize::try_from(dice.below(length)).unwrap_or(0);
                if let Some(byte) = flipped.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            written(path, &flipped, "bits flipped")
        }
        7 => replaced(path, |it| fs::create_dir(it), "a folder in its place"),
        8 => replaced(path, |it| symlink("/dev/zero", it), "a link without end"),
        9 => replaced(path, |it| symlink(it, it), "a link to itself"),
        _ => replaced(
            path,
            |it| Ok(mkfifo(it, Mode::S_IRWXU)?),
            "a pipe in its place",
        ),
    }
}

fn written(path: &Path, bytes: &[u8], how: &'static str) -> &'static str {
    let _ = fs::write(path, bytes);
    how
}

fn replaced(
    path: &Path,
    with: impl Fn(&Path) -> std::io::Result<()>,
    how: &'static str,
) -> &'static str {
    let _ = fs::remove_file(path);
    let _ = with(path);
    how
}

/// Sets the clock of all files below a place to another time: far ahead, far behind, or a day off. Returns which.
pub fn misdate(place: &Path, dice: &mut Dice) -> String {
    let day = Duration::from_secs(86_400);
    let now = SystemTime::now();
    let times = [
        ("at the beginning of time", SystemTime::UNIX_EPOCH),
        ("in a hundred years", now + day * 36_500),
        ("tomorrow", now + day),
        ("yesterday", now.checked_sub(day).unwrap_or(now)),
    ];
    let Some((named, time)) = dice.pick(&times).copied() else {
        return String::new();
    };
    for path in below(place) {
        let opened = File::options().append(true).open(&path);
        let _ = opened.and_then(|it| it.set_times(FileTimes::new().set_modified(time)));
    }
    let ahead = place.join("journal/2199-01-01.jsonl");
    if dice.chance(50) {
        let _ = fs::write(
            ahead,
            "{\"v\":2,\"number\":4000000000,\"kind\":\"answer\"}\n",
        );
        return format!("written {named}, and a journal of the year 2199");
    }
    format!("written {named}")
}

/// Returns all plain files below a place.
fn below(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_owned()];
    }
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.flat_map(|it| below(&it.path())).collect()
}
