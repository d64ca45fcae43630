//! One decision, on one screen: what was said, why, by which rule, and what was looked at.

use belay_journal::{Record, subject};
use belay_model::Verdict;

use crate::html::{Html, el};
use crate::views::{table, verdict, wide};

/// Part of the command, and what it would do.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Where it begins, in bytes of the command.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The effect.
    pub effect: String,
    /// Where that lies.
    pub scope: String,
    /// The rule that weighed it.
    pub rule: String,
    /// What it weighs.
    pub risk: String,
}

/// How often the same call came before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Same {
    /// Allowed.
    pub allow: usize,
    /// Asked.
    pub ask: usize,
    /// Denied.
    pub deny: usize,
}

/// What the view shows.
#[derive(Clone, Debug)]
pub struct DecisionView {
    /// The record.
    pub record: Record,
    /// Where its rule stands: a file and a line, or that it is built in.
    pub origin: Option<String>,
    /// What its parts would do.
    pub marks: Vec<Mark>,
    /// What the user answered, and what became of it.
    pub later: Vec<String>,
    /// The same call before.
    pub same: Same,
    /// What a person could do, a command each.
    pub ways: Vec<String>,
    /// A rule that would settle this, as settings.
    pub rule: Option<String>,
}

/// Renders the view.
#[must_use]
pub fn decision(view: &DecisionView) -> Html {
    let record = &view.record;
    let judgement = &record.judgement;
    let mut html = Html::new();
    html.push(
        el("h1")
            .with(verdict(judgement.verdict))
            .with(": ")
            .with(&judgement.reason.because),
    );
    html.push(facts(view));
    html.push(command(view));
    if !view.marks.is_empty() {
        html.push(effects(view));
    }
    if let Some(rule) = &view.rule {
        let link = el("a")
            .set("id", "rule")
            .set("href", format!("/rules?from={}", record.id))
            .with("Turn this into a rule (r)");
        html.push(el("p").with(link).with(" ").with(el("code").with(rule)));
    }
    html.push(list("What you can do", &view.ways));
    html.push(looked(record));
    html.push(trail(record));
    html
}

fn facts(view: &DecisionView) -> Html {
    let record = &view.record;
    let (call, judgement) = (&record.call, &record.judgement);
    let rule = judgement
        .reason
        .rule
        .as_deref()
        .map(|rule| match &view.origin {
            Some(origin) => format!("{rule}, {origin}"),
            None => rule.to_owned(),
        });
    let told = match record.enforced {
        true => "",
        false => ", only observed",
    };
    let Same { allow, ask, deny } = view.same;
    let same = match judgement.verdict {
        _ if allow + ask + deny == 0 => "never before".to_owned(),
        Verdict::Allow | Verdict::Ask | Verdict::Deny => {
            format!("{allow} × allowed, {ask} × asked, {deny} × denied")
        }
    };
    let model = record.model.as_ref().map(belay_journal::json::compact);
    let rows = [
        ("rule", rule),
        ("instead", judgement.reason.instead.clone()),
        ("risk", Some(judgement.risk.to_string())),
        (
            "layer",
            Some(format!(
                "{}, {} µs",
                judgement.layer.word(),
                judgement.micros
            )),
        ),
        (
            "agent",
            Some(format!(
                "{} · {}",
                call.agent.as_deref().unwrap_or("-"),
                call.tool
            )),
        ),
        ("where", Some(call.cwd.clone())),
        ("session", call.session.clone()),
        ("when", Some(format!("{}{told}", record.at.stamp()))),
        ("this call", Some(same)),
        ("model", model),
        (
            "record",
            Some(format!("{} ({})", record.short(), record.id)),
        ),
    ];
    let later = view.later.iter().map(|it| ("later", Some(it.clone())));
    let rows = rows.into_iter().chain(later).filter_map(|(name, value)| {
        Some(
            el("div")
                .with(el("dt").with(name))
                .with(el("dd").with(value?)),
        )
    });
    el("dl").set("class", "facts").all(rows).into()
}

/// Underlines the parts that count, in place; where two overlap, the first is underlined.
fn command(view: &DecisionView) -> Html {
    let text = subject(&view.record.call);
    let mut marks: Vec<&Mark> = view.marks.iter().collect();
    marks.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
    let mut pre = el("pre").set("class", "command");
    let mut at = 0;
    for mark in marks {
        let (Some(before), Some(part)) = (text.get(at..mark.start), text.get(mark.start..mark.end))
        else {
            continue;
        };
        if part.is_empty() {
            continue;
        }
        let said = format!("{}: {}", mark.effect, mark.risk);
        pre = pre
            .with(before)
            .with(el("mark").set("title", said).with(part));
        at = mark.end;
    }
    pre.with(text.get(at..).unwrap_or_default()).into()
}

fn effects(view: &DecisionView) -> Html {
    let text = subject(&view.record.call);
    let rows = view.marks.iter().map(|it| {
        let part = text.get(it.start..it.end).unwrap_or_default();
        let cells = [part, &it.effect, &it.scope, &it.rule, &it.risk];
        el("tr").all(cells.map(|cell| el("td").with(el("code").with(cell))))
    });
    let columns = ["part", "would", "in", "rule", "risk"];
    let table = table("Effects, as belay weighs them today", &columns);
    wide("Effects", table.with(el("tbody").all(rows))).into()
}

fn list(name: &str, items: &[String]) -> Html {
    if items.is_empty() {
        return Html::new();
    }
    let items = items.iter().map(|it| el("li").with(el("code").with(it)));
    el("section")
        .with(el("h2").with(name))
        .with(el("ul").all(items))
        .into()
}

fn looked(record: &Record) -> Html {
    let pairs = record
        .answers
        .chunks(2)
        .map(|it| it.join(" → ").replace('\t', " "));
    let items: Vec<Html> = pairs
        .map(|it| el("li").with(el("code").with(it)).into())
        .collect();
    let name = format!("What was looked at ({})", items.len());
    el("details")
        .with(el("summary").with(name))
        .with(el("ul").all(items))
        .into()
}

fn trail(record: &Record) -> Html {
    let steps = record.judgement.trail.iter();
    let steps = steps.map(|it| {
        el("li")
            .with(el("strong").with(it.layer.word()))
            .with(": ")
            .with(&it.said)
    });
    let troubles = record.judgement.troubles.iter();
    let troubles = troubles.map(|it| el("li").with(it.to_string()));
    el("details")
        .with(el("summary").with("What each layer said"))
        .with(el("ol").all(steps))
        .with(el("ul").all(troubles))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_underlined_in_place() {
        let line = br#"{"v":2,"kind":"call","id":"1","at":"2026-03-02T10:00:00.000Z","mode":"auto","call":{"tool":"Bash","input":{"command":"rm <a>; ls"},"cwd":"/w"},"judgement":{"id":null,"verdict":"ask","layer":"analysis","rule":"x","risk":70,"reason":"why","effects":[],"troubles":[],"trail":[],"micros":1},"answers":[]}"#;
        let mark = |start, end| Mark {
            start,
            end,
            effect: "delete ./a".to_owned(),
            scope: "project".to_owned(),
            rule: "delete".to_owned(),
            risk: "high".to_owned(),
        };
        let view = DecisionView {
            record: Record::read(line).unwrap(),
            origin: Some("config.toml:3".to_owned()),
            marks: vec![mark(0, 6), mark(3, 6), mark(90, 99)],
            later: Vec::new(),
            same: Same::default(),
            ways: Vec::new(),
            rule: None,
        };
        let html = decision(&view).into_string();
        assert!(
            html.contains("<mark title=\"delete ./a: high\">rm &lt;a&gt;</mark>; ls</pre>"),
            "{html}"
        );
        assert!(html.contains("x, config.toml:3"));
    }
}
