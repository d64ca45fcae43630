//! Trends: the course of verdicts, questions, time and money.

use belay_journal::{DaySum, Named, Sums, Tally};

use crate::chart::{Plot, Series};
use crate::html::{Html, el};
use crate::views::{short, table, wide};

/// No more names are listed of one kind.
const MOST: usize = 20;

/// Up to so many hours the plot of verdicts has one bar for each hour.
const HOURS: usize = 72;

/// Renders the view.
#[must_use]
pub fn trends(sums: &Sums, since: &str) -> Html {
    let mut html: Html = el("h1").with("Trends").into();
    html.push(el("p").set("class", "quiet").with(since));
    if sums.all.calls() == 0 {
        html.push(el("p").with("No calls yet."));
        return html;
    }
    html.push(figures(sums));
    html.push(el("div").set("class", "plots").all(plots(sums)));
    let parts = [
        ("By agent", &sums.agents),
        ("By project", &sums.projects),
        ("Questions and denials by rule", &sums.rules),
        ("By layer", &sums.layers),
        ("By tool", &sums.tools),
    ];
    for (caption, named) in parts {
        html.push(by_name(caption, named));
    }
    html.push(by_day(&sums.days));
    html
}

/// Writes tenths as `3.5`.
#[must_use]
pub fn in_tenths(tenths: u64) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn dollars(millionths: u64) -> String {
    format!(
        "${}.{:04}",
        millionths / 1_000_000,
        millionths % 1_000_000 / 100
    )
}

fn figures(sums: &Sums) -> Html {
    let all = &sums.all;
    let figures = [
        ("calls", all.calls().to_string()),
        ("allowed", format!("{} %", in_tenths(all.allowed()))),
        ("questions", all.questions.to_string()),
        (
            "questions per 100 calls",
            in_tenths(all.questions_per_100()),
        ),
        (
            "questions per session",
            in_tenths(sums.questions_per_session()),
        ),
        ("of them repeated", all.repeats.to_string()),
        ("answers", format!("{} yes, {} no", sums.yes, sums.no)),
        (
            "median time of a verdict",
            format!("{} µs", sums.micros.half),
        ),
        ("99 of 100 within", format!("{} µs", sums.micros.late)),
        ("a model was asked", format!("{} ×", all.modelled)),
        (
            "tokens",
            format!("{} + {}", all.input_tokens, all.output_tokens),
        ),
        ("money", dollars(all.micro_dollars)),
    ];
    let figures = figures.map(|(name, value)| {
        el("div")
            .with(el("dt").with(name))
            .with(el("dd").with(value))
    });
    el("dl").set("class", "figures").all(figures).into()
}

fn plots(sums: &Sums) -> Vec<Html> {
    let by_hour = sums.hours.len() <= HOURS && sums.days.len() <= 3;
    let (labels, tallies): (Vec<String>, Vec<Tally>) = match by_hour {
        true => sums
            .hours
            .iter()
            .map(|it| (hour(&it.from.stamp()), it.tally))
            .unzip(),
        false => sums
            .days
            .iter()
            .map(|it| (it.date.clone(), it.tally))
            .unzip(),
    };
    let verdicts = Plot {
        title: if by_hour {
            "Verdicts by hour"
        } else {
            "Verdicts by day"
        },
        labels: labels.clone(),
        series: vec![
            Series {
                name: "allowed",
                class: "allow",
                values: tallies.iter().map(|it| it.allow).collect(),
            },
            Series {
                name: "asked",
                class: "ask",
                values: tallies.iter().map(|it| it.ask).collect(),
            },
            Series {
                name: "denied",
                class: "deny",
                values: tallies.iter().map(|it| it.deny).collect(),
            },
        ],
        per: 1,
        unit: "",
    };
    let questions = Plot {
        title: "Questions per 100 calls",
        labels,
        series: vec![Series {
            name: "questions",
            class: "ask",
            values: tallies.iter().map(Tally::questions_per_100).collect(),
        }],
        per: 10,
        unit: "",
    };
    let days: Vec<String> = sums.days.iter().map(|it| it.date.clone()).collect();
    let time = Plot {
        title: "Time to a verdict",
        labels: days.clone(),
        series: vec![
            Series {
                name: "half",
                class: "first",
                values: sums.days.iter().map(|it| it.micros.half).collect(),
            },
            Series {
                name: "99 of 100",
                class: "second",
                values: sums.days.iter().map(|it| it.micros.late).collect(),
            },
        ],
        per: 1000,
        unit: " ms",
    };
    let money = Plot {
        title: "Cost of models",
        labels: days,
        series: vec![Series {
            name: "dollars",
            class: "first",
            values: sums
                .days
                .iter()
                .map(|it| it.tally.micro_dollars / 100)
                .collect(),
        }],
        per: 10_000,
        unit: " $",
    };
    vec![
        verdicts.bars(),
        questions.lines(),
        time.lines(),
        money.bars(),
    ]
}

fn hour(stamp: &str) -> String {
    stamp.get(5..13).unwrap_or(stamp).replace('T', " ") + " h"
}

const COLUMNS: [&str; 8] = [
    "name",
    "calls",
    "allowed",
    "asked",
    "denied",
    "questions per 100",
    "tokens",
    "money",
];

fn by_name(caption: &str, named: &[Named]) -> Html {
    if named.is_empty() {
        return Html::new();
    }
    let rows = named.iter().take(MOST).map(|it| row(&it.name, &it.tally));
    let more = match named.len().saturating_sub(MOST) {
        0 => Html::new(),
        more => el("p")
            .set("class", "quiet")
            .with(format!("and {more} more"))
            .into(),
    };
    let mut html: Html = wide(
        caption,
        table(caption, &COLUMNS).with(el("tbody").all(rows)),
    )
    .into();
    html.push(more);
    html
}

fn by_day(days: &[DaySum]) -> Html {
    let rows = days
        .iter()
        .rev()
        .take(31)
        .map(|it| row(&it.date, &it.tally));
    wide(
        "By day",
        table("By day", &COLUMNS).with(el("tbody").all(rows)),
    )
    .into()
}

fn row(name: &str, tally: &Tally) -> Html {
    let cells = [
        tally.calls().to_string(),
        tally.allow.to_string(),
        tally.ask.to_string(),
        tally.deny.to_string(),
        in_tenths(tally.questions_per_100()),
        (tally.input_tokens + tally.output_tokens).to_string(),
        dollars(tally.micro_dollars),
    ];
    el("tr")
        .with(
            el("th")
                .set("scope", "row")
                .set("title", name)
                .with(short(name, 60)),
        )
        .all(cells.map(|it| el("td").set("class", "number").with(it)))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_text() {
        let named = Named {
            name: "<b>\u{202e}".to_owned(),
            tally: Tally {
                ask: 2,
                questions: 2,
                ..Tally::default()
            },
        };
        let sums = Sums {
            all: named.tally,
            rules: vec![named],
            ..Sums::default()
        };
        let html = trends(&sums, "in the last 30 days").into_string();
        assert!(
            html.contains("&lt;b&gt;<span class=\"steers\">U+202E</span>"),
            "{html}"
        );
        assert!(!html.contains("<b>"));
    }

    #[test]
    fn nothing_yet_is_said() {
        assert!(
            trends(&Sums::default(), "")
                .into_string()
                .contains("No calls yet.")
        );
    }
}
