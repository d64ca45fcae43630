//! Rules: what is in force, what it did lately, and the user's own file with what a change would have changed.

use belay_model::Verdict;

use crate::html::{Html, el};
use crate::views::{short, table, verdict, wide};

/// One rule in force.
#[derive(Clone, Debug)]
pub struct RuleRow {
    /// What kind: a list of the settings, an exact rule, a grant.
    pub kind: String,
    /// Its name or text.
    pub name: String,
    /// How it was understood.
    pub text: String,
    /// Where it stands.
    pub origin: String,
    /// How often it spoke lately.
    pub used: usize,
    /// When it spoke last.
    pub last: Option<String>,
    /// What is odd about it: shadowed, doubled, too broad.
    pub odd: Vec<String>,
}

/// What the view shows.
#[derive(Clone, Debug, Default)]
pub struct RulesView {
    /// The rules in force.
    pub rules: Vec<RuleRow>,
    /// The user's file.
    pub path: String,
    /// What stands in it, or what somebody proposes.
    pub text: String,
    /// A hash of what stands in it: a change must be of this.
    pub of: String,
    /// What is proposed in the text, if something is.
    pub proposed: Option<Proposed>,
}

/// A rule for a call, added to the text.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// The call's project.
    pub project: String,
    /// Whether the rule holds everywhere, or in that project only.
    pub everywhere: bool,
    /// The record of the call.
    pub from: String,
}

/// Renders the view.
#[must_use]
pub fn rules(view: &RulesView) -> Html {
    let mut html: Html = el("h1").with("Rules").into();
    html.push(editor(view));
    let rows = view.rules.iter().map(row);
    let columns = ["kind", "rule", "spoke lately", "last", "stands in"];
    let table = table("Rules in force", &columns).with(el("tbody").all(rows));
    html.push(wide("Rules in force", table));
    html
}

fn row(rule: &RuleRow) -> Html {
    let odd = rule
        .odd
        .iter()
        .map(|it| el("div").set("class", "ask").with("▲ ").with(it));
    el("tr")
        .with(el("td").with(&rule.kind))
        .with(
            el("th")
                .set("scope", "row")
                .with(el("code").with(short(&rule.name, 120)))
                .with(el("div").set("class", "quiet").with(short(&rule.text, 200)))
                .all(odd),
        )
        .with(el("td").set("class", "number").with(rule.used.to_string()))
        .with(
            el("td")
                .set("class", "when")
                .with(rule.last.as_deref().unwrap_or("-")),
        )
        .with(el("td").with(&rule.origin))
        .into()
}

fn editor(view: &RulesView) -> Html {
    let mut section = el("section")
        .set("id", "edit")
        .set("aria-label", "Your own rules");
    if let Some(proposed) = &view.proposed {
        section = section
            .with(el("p").with(
                "A rule for this call is added. Look at what it would have changed, then save it.",
            ))
            .with(reach(proposed));
    }
    let text = el("textarea")
        .set("id", "text")
        .set("name", "text")
        .set("spellcheck", "false")
        .set("data-of", &view.of)
        .with(format!("\n{}", view.text));
    section
        .with(
            el("label")
                .set("for", "text")
                .with(format!("Your own settings: {}", view.path)),
        )
        .with(text)
        .with(
            el("p")
                .with(
                    el("button")
                        .set("type", "button")
                        .set("id", "try")
                        .with("What would change (t)"),
                )
                .with(" ")
                .with(
                    el("button")
                        .set("type", "button")
                        .set("id", "save")
                        .flag("disabled")
                        .with("Save (s)"),
                ),
        )
        .with(
            el("div")
                .set("id", "changes")
                .set("aria-live", "polite")
                .with(""),
        )
        .into()
}

/// Says how far the rule reaches, and offers the other reach.
fn reach(proposed: &Proposed) -> Html {
    let Proposed {
        project,
        everywhere,
        from,
    } = proposed;
    let (now, other, way) = match everywhere {
        true => (
            "It applies in every project. ".to_owned(),
            format!("Only in {project}"),
            format!("/rules?from={from}"),
        ),
        false => (
            format!("It applies only in {project}. "),
            "In every project".to_owned(),
            format!("/rules?from={from}&reach=everywhere"),
        ),
    };
    el("p")
        .set("id", "reach")
        .with(now)
        .with(el("a").set("href", way).with(other))
        .into()
}

/// What a change of the settings would have changed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// How many calls of the last 30 days were judged anew.
    pub calls: usize,
    /// Whether there were more than were judged.
    pub is_part: bool,
    /// What would be another verdict, the first ones.
    pub changed: Vec<Changed>,
    /// How many changed from one verdict to another.
    pub counts: Vec<(Verdict, Verdict, usize)>,
    /// What is odd about the rules.
    pub odd: Vec<String>,
    /// The lines that change in the file.
    pub diff: Vec<String>,
    /// Why it cannot be saved.
    pub refused: Option<String>,
}

/// A call that would be judged otherwise.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Its record.
    pub id: String,
    /// What it is.
    pub what: String,
    /// What was said.
    pub was: Verdict,
    /// What would be said.
    pub is: Verdict,
}

/// Renders what a change would have changed.
#[must_use]
pub fn changes(changes: &Changes) -> Html {
    let mut html = Html::new();
    if let Some(why) = &changes.refused {
        html.push(
            el("p")
                .set("class", "deny")
                .with("This cannot be saved: ")
                .with(why),
        );
        return html;
    }
    let part = if changes.is_part { "newest " } else { "" };
    let counts = changes
        .counts
        .iter()
        .map(|(was, is, times)| format!("{times} from {} to {}", was.word(), is.word()));
    let counts: Vec<String> = counts.collect();
    let said = match counts.is_empty() {
        true => "none would be judged differently".to_owned(),
        false => format!("judged differently: {}", counts.join(", ")),
    };
    html.push(el("p").set("id", "counted").with(format!(
        "Of the {}{} calls of the last 30 days, {said}.",
        part, changes.calls
    )));
    let shown = changes.changed.iter().map(|it| {
        el("tr")
            .with(el("td").with(verdict(it.was)))
            .with(el("td").with(verdict(it.is)))
            .with(
                el("th").set("scope", "row").with(
                    el("a")
                        .set("href", format!("/d/{}", it.id))
                        .with(el("code").with(short(&it.what, 140))),
                ),
            )
    });
    if !changes.changed.is_empty() {
        let table = table(
            "Calls that would be judged differently",
            &["was", "would be", "call"],
        );
        html.push(wide("Changed calls", table.with(el("tbody").all(shown))));
    }
    html.push(
        el("ul").all(
            changes
                .odd
                .iter()
                .map(|it| el("li").set("class", "ask").with("▲ ").with(it)),
        ),
    );
    html.push(el("pre").set("aria-label", "Lines that change").with(
        match changes.diff.is_empty() {
            true => "Nothing changes in the file.".to_owned(),
            false => changes.diff.join("\n"),
        },
    ));
    html
}
