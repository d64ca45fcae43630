//! The past as it would be judged today: the plots of the trends, and the calls whose verdict is another.

use belay_journal::Sums;
use belay_model::Verdict;

use crate::html::{Html, el};
use crate::views::trends::trends;
use crate::views::{short, table, verdict, wide};

/// No more calls are listed.
const MOST: usize = 500;

/// A call whose verdict is another today.
#[derive(Clone, Debug)]
pub struct Turned {
    /// When it was judged.
    pub at: String,
    /// What it was.
    pub what: String,
    /// What was said then.
    pub then: Verdict,
    /// What is said now.
    pub now: Verdict,
    /// Why.
    pub because: String,
}

/// Renders it; the sums are those of today's verdicts.
#[must_use]
pub fn replayed(sums: &Sums, turned: &[Turned]) -> Html {
    let calls = sums.all.calls();
    let since = format!(
        "{calls} past calls, each with the verdict it would get today; {} of them got a different one then.",
        turned.len()
    );
    let mut html = trends(sums, &since);
    if turned.is_empty() {
        return html;
    }
    let rows = turned.iter().take(MOST).map(|it| {
        el("tr")
            .with(el("td").set("class", "when").with(&it.at))
            .with(el("td").with(verdict(it.then)))
            .with(el("td").with(verdict(it.now)))
            .with(el("td").with(el("code").with(short(&it.what, 200))))
            .with(el("td").set("class", "why").with(short(&it.because, 200)))
    });
    let columns = ["when", "then", "today", "call", "why today"];
    let caption = match turned.len() > MOST {
        true => "The first 500 calls with a different verdict today",
        false => "Calls with a different verdict today",
    };
    let table = table(caption, &columns).with(el("tbody").all(rows));
    html.push(wide(caption, table));
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_listed_as_text() {
        let turned = Turned {
            at: "2026-03-02 10:00".to_owned(),
            what: "echo <script>".to_owned(),
            then: Verdict::Ask,
            now: Verdict::Deny,
            because: "<b>".to_owned(),
        };
        let mut sums = Sums::default();
        sums.all.deny = 1;
        let html = replayed(&sums, &[turned]).into_string();
        assert!(html.contains("echo &lt;script&gt;") && !html.contains("<b>"));
        assert!(html.contains("1 of them got a different one then"));
    }
}
