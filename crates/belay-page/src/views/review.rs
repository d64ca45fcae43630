//! Review: what keeps being asked, what a narrow rule would settle, and what was agreed to.

use crate::html::{Html, el};
use crate::views::{short, table, wide};

/// Questions that were alike.
#[derive(Clone, Debug)]
pub struct Group {
    /// What was asked.
    pub what: String,
    /// How often.
    pub times: u64,
    /// In how many projects.
    pub projects: usize,
    /// The newest of them.
    pub newest: String,
}

/// A rule that would settle questions.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Its settings.
    pub toml: String,
    /// What it settles, and what else would change.
    pub told: Vec<String>,
}

/// Something that was agreed to, or forbidden by words.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// What.
    pub what: String,
    /// The name that ends it, where it can be ended.
    pub id: Option<String>,
}

/// What the view shows.
#[derive(Clone, Debug, Default)]
pub struct ReviewView {
    /// Questions, the most frequent first.
    pub groups: Vec<Group>,
    /// Rules that would settle some of them.
    pub proposals: Vec<Proposal>,
    /// What holds now.
    pub agreed: Vec<Agreed>,
}

/// Renders the view.
#[must_use]
pub fn review(view: &ReviewView) -> Html {
    let mut html: Html = el("h1").with("Review").into();
    html.push(groups(&view.groups));
    html.push(el("h2").with("Rules that would settle some of them"));
    if view.proposals.is_empty() {
        html.push(
            el("p")
                .set("class", "quiet")
                .with("Nothing was asked three times that a narrow rule could settle."),
        );
    }
    for it in &view.proposals {
        let told = it.told.iter().map(|it| el("li").with(it));
        html.push(
            el("section")
                .with(el("ul").all(told))
                .with(el("pre").with(&it.toml))
                .with(el("p").with(el("a").set("href", "/rules#edit").with("To the rules"))),
        );
    }
    html.push(el("h2").with("In force now: grants, words and limits"));
    if view.agreed.is_empty() {
        html.push(
            el("p")
                .set("class", "quiet")
                .with("Nothing is granted, and nothing was forbidden by words."),
        );
    }
    let items = view.agreed.iter().map(|it| {
        let item = el("li").with(&it.what);
        match &it.id {
            Some(id) => item.with(" ").with(
                el("button")
                    .set("data-end", id)
                    .set("aria-label", format!("End {id}"))
                    .flag("disabled")
                    .with("End"),
            ),
            None => item,
        }
    });
    html.push(el("ul").all(items));
    html
}

fn groups(groups: &[Group]) -> Html {
    if groups.is_empty() {
        return el("p")
            .set("class", "quiet")
            .with("No question was repeated in the last 30 days.")
            .into();
    }
    let rows = groups.iter().map(|it| {
        let link = el("a")
            .set("href", format!("/d/{}", it.newest))
            .with(el("code").with(short(&it.what, 160)));
        el("tr")
            .with(
                el("td")
                    .set("class", "number")
                    .with(format!("{} ×", it.times)),
            )
            .with(
                el("td")
                    .set("class", "number")
                    .with(it.projects.to_string()),
            )
            .with(el("th").set("scope", "row").with(link))
    });
    let table = table(
        "Questions of the last 30 days, the most frequent first",
        &["asked", "projects", "would"],
    );
    wide("Questions", table.with(el("tbody").all(rows))).into()
}
