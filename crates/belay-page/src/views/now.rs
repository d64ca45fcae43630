//! Now: what waits for a person, and the stream of verdicts.

use belay_journal::{Record, subject};

use crate::filter::Filter;
use crate::html::{Html, el};
use crate::views::{short, table, verdict};

/// What the view shows.
#[derive(Clone, Debug, Default)]
pub struct NowView {
    /// The newest records, newest first.
    pub records: Vec<Record>,
    /// The filter, as it was typed.
    pub filter: String,
    /// What is wrong with it.
    pub wrong: Option<String>,
    /// The number before which older ones are.
    pub older: Option<u64>,
    /// Whether these are older ones: nothing is added to them.
    pub is_old: bool,
    /// The last number there is: the stream goes on after it.
    pub last: u64,
    /// Questions that wait.
    pub pending: Vec<Pending>,
}

/// A question that waits for an answer here.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The record of the question.
    pub record: Record,
    /// How many seconds are left.
    pub seconds: u64,
    /// Belongs to this showing of this question: an answer must bring it back.
    pub nonce: String,
}

/// Renders the view.
#[must_use]
pub fn now(view: &NowView) -> Html {
    let mut html: Html = el("h1").with("Now").into();
    let waiting = el("section")
        .set("id", "pending")
        .set("aria-label", "Questions waiting for you")
        .set("aria-live", "assertive")
        .all(view.pending.iter().map(card));
    html.push(waiting);
    html.push(filter(view));
    html.push(stream(view));
    if let Some(older) = view.older {
        let address = format!("/?q={}&before={older}", encoded(&view.filter));
        html.push(
            el("p").with(
                el("a")
                    .set("href", address)
                    .set("rel", "next")
                    .with("Older"),
            ),
        );
    }
    html
}

fn filter(view: &NowView) -> Html {
    let mut field = el("input")
        .set("id", "q")
        .set("name", "q")
        .set("type", "search")
        .set("autocomplete", "off")
        .set("spellcheck", "false")
        .set("placeholder", "verdict:ask -tool:Read words")
        .set("value", &view.filter);
    let mut wrong = Html::new();
    if let Some(why) = &view.wrong {
        field = field
            .set("aria-invalid", "true")
            .set("aria-describedby", "wrong");
        wrong = el("p")
            .set("id", "wrong")
            .set("class", "deny")
            .with(why)
            .into();
    }
    let labelled = el("div")
        .with(
            el("label")
                .set("for", "q")
                .with("Filter: verdict, agent, tool, project, session, rule, layer, or words"),
        )
        .with(field);
    let hold = el("button")
        .set("type", "button")
        .set("id", "hold")
        .flag("hidden")
        .with("Pause the stream");
    let form = el("form")
        .set("role", "search")
        .set("action", "/")
        .set("id", "filter")
        .with(labelled)
        .with(el("button").with("Show"))
        .with(hold);
    let mut html: Html = form.into();
    html.push(wrong);
    html
}

fn stream(view: &NowView) -> Html {
    let live = view.wrong.is_none() && !view.is_old;
    let rows = view.records.iter().map(live_row);
    let body = el("tbody").set("id", "rows").all(rows);
    let columns = ["time", "verdict", "agent", "project", "call", "why"];
    let mut table = table("Calls, the newest first", &columns)
        .set("class", "stream")
        .with(body);
    if live {
        table = table
            .set("id", "stream")
            .set("data-after", view.last.to_string());
    }
    match view.records.is_empty() {
        true => {
            let mut html: Html = table.into();
            html.push(
                el("p")
                    .set("class", "quiet")
                    .set("id", "none")
                    .with("Nothing here yet."),
            );
            html
        }
        false => table.into(),
    }
}

/// Renders one row of the stream.
#[must_use]
pub fn live_row(record: &Record) -> Html {
    let call = &record.call;
    let project = call.project_roots.first().unwrap_or(&call.cwd);
    let folder = project.rsplit('/').next().unwrap_or_default();
    let stamp = record.at.stamp();
    let time = stamp.get(11..19).unwrap_or_default();
    let said = format!("{}: {}", call.tool, short(&subject(call), 160));
    let name = el("a")
        .set("href", format!("/d/{}", record.id))
        .with(el("code").with(said));
    el("tr")
        .set("data-id", &record.id)
        .with(
            el("td")
                .set("class", "when")
                .with(el("time").set("datetime", &stamp).with(time)),
        )
        .with(el("td").with(verdict(record.judgement.verdict)))
        .with(
            el("td")
                .set("class", "who")
                .with(call.agent.as_deref().unwrap_or("-")),
        )
        .with(el("td").set("title", project).with(folder))
        .with(el("th").set("scope", "row").with(name))
        .with(
            el("td")
                .set("class", "why")
                .with(short(&record.judgement.reason.because, 140)),
        )
        .into()
}

/// Renders a question that waits.
#[must_use]
pub fn card(pending: &Pending) -> Html {
    let record = &pending.record;
    let call = &record.call;
    let who = format!(
        "{} asks in {}",
        call.agent.as_deref().unwrap_or("an agent"),
        call.project_roots.first().unwrap_or(&call.cwd)
    );
    let left = el("span").set("data-left", pending.seconds.to_string());
    let buttons = el("p")
        .with(el("button").set("data-answer", "no").with("Deny (d)"))
        .with(" ")
        .with(
            el("button")
                .set("data-answer", "yes")
                .with("Allow once (a)"),
        )
        .with(" ")
        .with(
            // In a tab of its own: who leaves the stream no longer waits for the question.
            el("a")
                .set("href", format!("/d/{}", record.id))
                .set("target", "_blank")
                .set("rel", "noopener")
                .with("Why (opens a tab)"),
        );
    el("article")
        .set("class", "card")
        .set("data-pending", &record.id)
        .set("data-nonce", &pending.nonce)
        .set("tabindex", "-1")
        .with(el("h2").with(who))
        .with(el("pre").with(subject(call)))
        .with(el("p").with(&record.judgement.reason.because))
        .with(el("p").set("class", "quiet").with("Allow lets exactly this call run, once, and makes no rule. Without an answer the agent asks you itself, in ").with(left.with(pending.seconds.to_string())).with(" s."))
        .with(buttons)
        .into()
}

/// Encodes a text for the query of an address.
fn encoded(text: &str) -> String {
    let byte = |it: u8| match it {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(it).to_string(),
        it => format!("%{it:02X}"),
    };
    text.bytes().map(byte).collect()
}

impl NowView {
    /// Reads the filter of the view; one that is wrong wants nothing and is said to be.
    pub fn filtered(text: &str) -> (Self, Option<Filter>) {
        let parsed = Filter::parse(text);
        let view = Self {
            filter: text.to_owned(),
            wrong: parsed.as_ref().err().cloned(),
            ..Self::default()
        };
        (view, parsed.ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = r#"{"v":2,"number":7,"kind":"call","id":"1","at":"2026-03-02T10:00:00.000Z","mode":"auto","call":{"tool":"<i>","input":{"command":"echo '<script>alert(1)</script>' \u001b[2J\u202egnp"},"cwd":"/work/\"><b>","agent":"<u>"},"judgement":{"id":null,"verdict":"ask","layer":"analysis","rule":"x","risk":70,"reason":"<img src=x>","effects":[],"troubles":[],"trail":[],"micros":1},"answers":[]}"#;

    #[test]
    fn a_hostile_call_is_text_everywhere() {
        let record = Record::read(HOSTILE.as_bytes()).unwrap();
        let pending = Pending {
            record: record.clone(),
            seconds: 9,
            nonce: "n".to_owned(),
        };
        let view = NowView {
            records: vec![record],
            filter: "\"><script>".to_owned(),
            wrong: Some("<s>".to_owned()),
            older: Some(7),
            pending: vec![pending],
            ..NowView::default()
        };
        let html = now(&view).into_string();
        for markup in [
            "<script", "<img", "<i>", "<u>", "<b>", "<s>", "\u{1b}", "\u{202e}",
        ] {
            assert!(!html.contains(markup), "{markup}: {html}");
        }
        assert!(html.contains("U+202E"));
    }
}
