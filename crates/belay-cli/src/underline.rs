//! Text with parts of it underlined in place and labelled.

use belay_model::Span;

/// Part of a text and what to say of it.
pub struct Mark {
    /// Which part.
    pub span: Span,
    /// What to say.
    pub label: String,
}

/// Returns the lines of the text, each followed by the marks that begin on it.
pub fn underlined(text: &str, marks: &[Mark]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        lines.push(shown(line));
        let here = |mark: &&Mark| {
            let at = mark.span.start as usize;
            (start..=end).contains(&at)
        };
        for mark in marks.iter().filter(here) {
            lines.push(under(line, start, mark));
        }
        start = end + 1;
    }
    lines
}

/// Underlines one mark; what reaches past the line is shown by `…`.
fn under(line: &str, start: usize, mark: &Mark) -> String {
    let from = (mark.span.start as usize)
        .saturating_sub(start)
        .min(line.len());
    let to = (mark.span.end as usize).saturating_sub(start).max(from);
    let width = |part: Option<&str>| shown(part.unwrap_or_default()).chars().count();
    let begin = line.floor_char_boundary(from);
    let before = width(line.get(..begin));
    let below = width(line.get(begin..line.ceil_char_boundary(to.min(line.len())))).max(1);
    let rest = if to > line.len() { "…" } else { "" };
    format!(
        "{}{}{rest} {}",
        " ".repeat(before),
        "^".repeat(below),
        mark.label
    )
}

/// Returns a line as the terminal may have it: a tab is as wide as it looks here.
fn shown(line: &str) -> String {
    crate::out::harmless(&line.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, marks: &[(u32, u32, &str)], expected: &str) {
        let mark = |(start, end, label): &(u32, u32, &str)| Mark {
            span: Span::new(*start, *end),
            label: (*label).to_owned(),
        };
        let marks: Vec<Mark> = marks.iter().map(mark).collect();
        assert_eq!(underlined(text, &marks).join("\n"), expected);
    }

    #[test]
    fn marks_stand_under_their_part() {
        check(
            "rm a; ls",
            &[(0, 4, "delete ./a"), (6, 8, "read .")],
            "rm a; ls\n^^^^ delete ./a\n      ^^ read .",
        );
    }

    #[test]
    fn a_mark_stands_under_its_own_line() {
        check(
            "a\n\tb é\nc",
            &[(3, 6, "x"), (8, 9, "y")],
            "a\n    b é\n    ^^^ x\nc\n^ y",
        );
    }

    #[test]
    fn a_mark_over_lines_says_so() {
        check("a <<E\nb\nE", &[(2, 9, "x")], "a <<E\n  ^^^… x\nb\nE");
    }

    #[test]
    fn a_mark_outside_does_no_harm() {
        check("ab", &[(1, 900, "x"), (70, 80, "y")], "ab\n ^… x");
    }
}
