//! Makes a program with a hole smaller while the hole stays.
//!
//! First commands of the tree go, or make way for what is inside them; then lines, then words.

use belay_shell::{Command, Dialect, Entry};

/// How many tries one program is worth.
const TRIES: usize = 600;

/// Deletes as much as it can as long as the text stays interesting.
pub fn shrink(text: &str, mut interesting: impl FnMut(&str) -> bool) -> String {
    let mut search = Search {
        best: text.to_owned(),
        tries: TRIES,
        interesting: &mut interesting,
    };
    loop {
        let before = search.best.len();
        search.commands();
        search.pieces(&['\n']);
        search.pieces(&[' ', '\n']);
        if search.best.len() == before || search.tries == 0 {
            return search.best;
        }
    }
}

struct Search<'a> {
    best: String,
    tries: usize,
    interesting: &'a mut dyn FnMut(&str) -> bool,
}

impl Search<'_> {
    /// Takes a smaller text if it is still interesting.
    fn try_text(&mut self, text: String) -> bool {
        if self.tries == 0 || text.len() >= self.best.len() {
            return false;
        }
        self.tries -= 1;
        let good = (self.interesting)(&text);
        if good {
            self.best = text;
        }
        good
    }

    /// Replaces commands by nothing or by a command inside them, the largest first, until no more can go.
    fn commands(&mut self) {
        loop {
            let cuts = cuts(&self.best);
            let smaller = cuts.into_iter().any(|(cut, kept)| {
                let text = replaced(&self.best, &cut, &kept);
                text.is_some_and(|it| self.try_text(it))
            });
            if !smaller {
                return;
            }
        }
    }

    /// Deletes runs of pieces that end with a separator, long runs first.
    fn pieces(&mut self, separators: &[char]) {
        let parted = |text: &str| -> Vec<String> {
            text.split_inclusive(separators)
                .map(str::to_owned)
                .collect()
        };
        let mut pieces = parted(&self.best);
        let mut size = pieces.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < pieces.len() && self.tries > 0 {
                let end = (at + size).min(pieces.len());
                let mut left = pieces.clone();
                left.drain(at..end);
                if self.try_text(left.concat()) {
                    pieces = left;
                } else {
                    at += size;
                }
            }
            size /= 2;
        }
    }
}

type Range = std::ops::Range<usize>;

/// Returns what may go from a text, and what may stay of it instead: the largest first.
fn cuts(text: &str) -> Vec<(Range, Range)> {
    let tree = belay_shell::parse(text.as_bytes(), Dialect::Bash);
    let commands = tree.every::<Command>().iter().map(|it| it.span.range());
    let entries = tree.every::<Entry>().iter().map(|it| it.span.range());
    let spans: Vec<Range> = commands.chain(entries).collect();
    let mut cuts: Vec<(Range, Range)> = Vec::new();
    for outer in &spans {
        cuts.push((outer.clone(), 0..0));
        let inside = |it: &&Range| it.start >= outer.start && it.end <= outer.end && *it != outer;
        for inner in spans.iter().filter(inside) {
            cuts.push((outer.clone(), inner.clone()));
        }
    }
    cuts.sort_by_key(|(cut, kept)| std::cmp::Reverse(cut.len().saturating_sub(kept.len())));
    cuts
}

/// Returns the text with one part replaced by another; a part that goes leaves no separator behind.
fn replaced(text: &str, cut: &Range, kept: &Range) -> Option<String> {
    let (before, after) = (text.get(..cut.start)?, text.get(cut.end..)?);
    let kept = text.get(kept.clone())?;
    if !kept.is_empty() {
        return Some(format!("{before}{kept}{after}"));
    }
    let after = after.trim_start_matches([' ', ';', '&', '|']);
    Some(format!("{before}{}", after.trim_start_matches('\n')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_stays() {
        let text = "a b c\nif d; then\nx && y needle || e\nfi\nf";
        let small = shrink(text, |it| it.contains("needle"));
        assert_eq!(small.trim(), "needle");
    }
}
