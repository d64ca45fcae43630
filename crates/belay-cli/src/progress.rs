//! A bar on stderr for work that takes longer than a moment, where a person looks at it.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Nobody needs a bar before.
const MOMENT: Duration = Duration::from_secs(1);

/// How often it moves.
const OFTEN: Duration = Duration::from_millis(100);

const WIDTH: usize = 30;

/// How far the work is.
pub struct Progress {
    all: Option<usize>,
    done: usize,
    next: Instant,
    seen: bool,
    shown: bool,
}

impl Progress {
    /// Begins work of so many steps.
    pub fn of(all: usize) -> Self {
        Self::begun(Some(all))
    }

    /// Begins work of which nobody knows yet how many steps it has.
    pub fn counting() -> Self {
        Self::begun(None)
    }

    fn begun(all: Option<usize>) -> Self {
        Self {
            all,
            done: 0,
            next: Instant::now() + MOMENT,
            seen: std::io::stderr().is_terminal(),
            shown: false,
        }
    }

    /// Says that one more step is done.
    pub fn step(&mut self) {
        self.done += 1;
        if !self.seen || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + OFTEN;
        self.shown = true;
        let text = match self.all {
            Some(all) => bar(self.done, all),
            None => format!("{} done", self.done),
        };
        say(&format!("\r{text}"));
    }

    /// Takes the bar away, so that something else may be said.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            say("\r\u{1b}[K");
        }
    }
}

/// A bar that cannot be written is none.
fn say(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

fn bar(done: usize, all: usize) -> String {
    let full = (done * WIDTH / all.max(1)).min(WIDTH);
    let (full, rest) = ("█".repeat(full), "░".repeat(WIDTH - full));
    format!("{full}{rest} {done} of {all}")
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn a_bar_is_as_long_as_the_work() {
        assert!(bar(0, 10).starts_with(&"░".repeat(30)));
        assert!(bar(5, 10).starts_with(&"█".repeat(15)));
        assert!(bar(10, 10).ends_with("█ 10 of 10"));
        assert!(bar(1, 0).ends_with("1 of 0"));
    }
}
