//! How long a line may take: what it waits and what it computes count, not what others keep the machine busy with.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

/// How a line ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// By itself, without a complaint.
    Well,
    /// By itself, with a complaint.
    #[default]
    Badly,
    /// By us: it took too long.
    Cut,
}

/// How long a line may do nothing but wait.
const WAITS: Duration = Duration::from_secs(2);
/// How long it may compute, in hundredths of a second.
const COMPUTES: u64 = 400;
/// How long it may take in all.
const LONGEST: Duration = Duration::from_secs(40);
/// How often it is looked at, first and later.
const QUICK: Duration = Duration::from_millis(3);
const SLOW: Duration = Duration::from_millis(50);

/// Waits for a line to end.
pub fn waited(child: &mut Child) -> End {
    let began = Instant::now();
    let mut idle = Duration::ZERO;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return End::Well,
            Ok(Some(_)) | Err(_) => return End::Badly,
            Ok(None) => {}
        }
        let spent = began.elapsed();
        if spent < Duration::from_millis(300) {
            std::thread::sleep(QUICK);
            continue;
        }
        let (busy, computed) = load();
        idle = if busy { idle } else { idle + SLOW };
        if idle > WAITS || computed > COMPUTES || spent > LONGEST {
            return End::Cut;
        }
        std::thread::sleep(SLOW);
    }
}

/// Tells whether some process of the stage computes or would like to, and how much all computed, in hundredths of a second.
fn load() -> (bool, u64) {
    let mut all = (false, 0);
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes {
        let name = process.file_name();
        let name = name.to_string_lossy();
        // The first process is the worker itself.
        if name == "1" || !name.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let text = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        if let Some((state, computed)) = process_of(&text) {
            all.0 |= matches!(state, 'R' | 'D');
            all.1 += computed;
        }
    }
    all
}

/// Reads a process's state and how long it and its ended children computed.
fn process_of(stat: &str) -> Option<(char, u64)> {
    // The name stands in brackets and may hold anything.
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?.chars().next()?;
    let times = words.skip(10).take(4);
    Some((state, times.filter_map(|it| it.parse::<u64>().ok()).sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read() {
        let stat = "12 (a) b) R 1 1 1 0 -1 4194560 100 0 0 0 7 5 3 1 20 0 1 0 1 1 1";
        assert_eq!(process_of(stat), Some(('R', 16)));
        assert_eq!(process_of("x"), None);
    }
}
