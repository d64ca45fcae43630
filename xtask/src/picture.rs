//! The picture of a run in the README, drawn from a transcript that is run as a test: one for light pages, one for dark ones.

use crate::Outcome;
use crate::run::read;

/// Where the transcript is.
const TRANSCRIPT: &str = "tests/cli/first-look.md";
/// The height of a line, and the width of a hundred letters of the font.
const LINE: usize = 20;
const HUNDRED_LETTERS: usize = 843;
/// The space around the text.
const EDGE: usize = 24;

/// The colours of one picture.
struct Palette {
    back: &'static str,
    plain: &'static str,
    dim: &'static str,
    allow: &'static str,
    ask: &'static str,
    deny: &'static str,
}

const LIGHT: Palette = Palette {
    back: "#f6f8fa",
    plain: "#1f2328",
    dim: "#59636e",
    allow: "#1a7f37",
    ask: "#9a6700",
    deny: "#d1242f",
};

const DARK: Palette = Palette {
    back: "#161b22",
    plain: "#e6edf3",
    dim: "#8d96a0",
    allow: "#3fb950",
    ask: "#d29922",
    deny: "#f85149",
};

/// Returns both pictures with their paths.
pub fn all() -> Outcome<[(&'static str, String); 2]> {
    let text = read(TRANSCRIPT)?;
    let lines = transcript(&text)?;
    Ok([
        ("docs/images/run-light.svg", drawn(&lines, &LIGHT)),
        ("docs/images/run-dark.svg", drawn(&lines, &DARK)),
    ])
}

/// Returns the lines of the first transcript of a page, without exit codes: a blank line before every command but the first.
fn transcript(page: &str) -> Outcome<Vec<&str>> {
    let block = page
        .split_once("```console\n")
        .and_then(|(_, rest)| rest.split_once("\n```"));
    let (block, _) = block.ok_or_else(|| format!("`{TRANSCRIPT}` has no transcript"))?;
    let mut lines = Vec::new();
    for line in block.lines().filter(|it| !it.starts_with("[exit ")) {
        if line.starts_with("$ ") && !lines.is_empty() {
            lines.push("");
        }
        lines.push(line);
    }
    Ok(lines)
}

fn drawn(lines: &[&str], palette: &Palette) -> String {
    let longest = lines.iter().map(|it| it.chars().count()).max();
    let width = longest.unwrap_or_default() * HUNDRED_LETTERS / 100 + 2 * EDGE;
    let height = lines.len() * LINE + 2 * EDGE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{}\"/>\n<g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" font-size=\"14\" xml:space=\"preserve\">\n",
        palette.back
    );
    for (at, line) in lines.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
        let y = EDGE + at * LINE + 14;
        svg.push_str(&format!(
            "<text x=\"{EDGE}\" y=\"{y}\">{}</text>\n",
            spans(line, palette)
        ));
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Colours a line: the verdict, the command, and the details beneath.
fn spans(line: &str, palette: &Palette) -> String {
    let span = |colour: &str, weight: &str, text: &str| {
        format!("<tspan fill=\"{colour}\"{weight}>{}</tspan>", escaped(text))
    };
    let bold = " font-weight=\"bold\"";
    let verdicts = [
        ("allow", palette.allow),
        ("ask", palette.ask),
        ("deny", palette.deny),
    ];
    for (word, colour) in verdicts {
        if let Some(rest) = line.strip_prefix(word).filter(|it| it.starts_with(": ")) {
            return span(colour, bold, word) + &span(palette.plain, "", rest);
        }
    }
    match line.strip_prefix("$ ") {
        Some(command) => span(palette.dim, "", "$ ") + &span(palette.plain, bold, command),
        None if line.starts_with(' ') => span(palette.dim, "", line),
        None => span(palette.plain, "", line),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_holds_every_line() {
        let page = "x\n```console\n$ a && b\nask: c <d>\n  e\n[exit 10]\n$ f\nallow: g\n```\n";
        let lines = transcript(page).unwrap();
        assert_eq!(
            lines,
            ["$ a && b", "ask: c <d>", "  e", "", "$ f", "allow: g"]
        );
        let svg = drawn(&lines, &DARK);
        assert!(
            svg.contains("a &amp;&amp; b") && svg.contains(": c &lt;d&gt;"),
            "{svg}"
        );
        assert_eq!(svg.matches("<text").count(), 5);
    }

    #[test]
    fn a_page_without_a_transcript_is_an_error() {
        assert!(transcript("nothing").is_err());
    }
}
