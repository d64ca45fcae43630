//! The views.

pub mod decision;
pub mod fleet;
pub mod now;
pub mod replayed;
pub mod review;
pub mod rules;
pub mod trends;

use belay_model::Verdict;

use crate::html::{El, Html, el};

/// Shows a verdict by its word and a shape; colour only repeats it.
pub fn verdict(verdict: Verdict) -> El {
    let (class, shape) = match verdict {
        Verdict::Allow => ("allow", "●"),
        Verdict::Ask => ("ask", "▲"),
        Verdict::Deny => ("deny", "■"),
    };
    el("span")
        .set("class", format!("verdict {class}"))
        .with(el("span").set("aria-hidden", "true").with(shape))
        .with(" ")
        .with(verdict.word())
}

/// Makes a table with a caption and the names of its columns.
pub fn table(caption: &str, columns: &[&str]) -> El {
    let names = columns
        .iter()
        .map(|it| el("th").set("scope", "col").with(*it));
    el("table")
        .with(el("caption").with(caption))
        .with(el("thead").with(el("tr").all(names)))
}

/// Puts a table where it may be wider than the screen.
pub fn wide(name: &str, table: impl Into<Html>) -> El {
    el("div")
        .set("class", "wide")
        .set("role", "region")
        .set("aria-label", name)
        .set("tabindex", "0")
        .with(table.into())
}

/// Cuts a text to a width, on one line.
pub fn short(text: &str, width: usize) -> String {
    let line = text.replace('\n', " ⏎ ");
    match line.chars().count() > width {
        true => format!("{}…", line.chars().take(width - 1).collect::<String>()),
        false => line,
    }
}
