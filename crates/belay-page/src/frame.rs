//! What stands around every view: the head, the ways to the others, and the strip that says whether the gate bites.

use crate::html::{Html, el};

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/page.mjs");
const ICON: &str = include_str!("../assets/icon.svg");

/// One of the views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// What happens now.
    Now,
    /// One decision.
    Decision,
    /// The rules in force.
    Rules,
    /// What keeps being asked, and what was agreed to.
    Review,
    /// The course of things.
    Trends,
    /// All machines, where a receiver tells of them.
    Fleet,
}

impl View {
    const LISTED: [Self; 4] = [Self::Now, Self::Rules, Self::Review, Self::Trends];

    const fn name(self) -> &'static str {
        match self {
            Self::Now => "Now",
            Self::Decision => "Decision",
            Self::Rules => "Rules",
            Self::Review => "Review",
            Self::Trends => "Trends",
            Self::Fleet => "Fleet",
        }
    }

    const fn path(self) -> &'static str {
        match self {
            Self::Now => "/",
            Self::Decision => "/d",
            Self::Rules => "/rules",
            Self::Review => "/review",
            Self::Trends => "/trends",
            Self::Fleet => "/fleet",
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Now => "n",
            Self::Decision => "d",
            Self::Rules => "r",
            Self::Review => "v",
            Self::Trends => "t",
            Self::Fleet => "f",
        }
    }
}

/// Whether the gate bites.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    /// `auto`, `observe` or `off`, and what it means.
    pub mode: String,
    /// Which agents are registered, or that none is.
    pub hooks: String,
    /// Why nothing is stopped, where nothing is.
    pub off: Option<String>,
}

/// The frame of a view.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which view.
    pub view: View,
    /// What the strip says.
    pub strip: Strip,
    /// Whether there is a fleet to look at.
    pub fleet: Listed,
}

/// Whether a view that not everybody has is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// It is.
    Yes,
    /// Nobody set it up.
    #[default]
    No,
}

impl Frame {
    /// Puts a view into its frame.
    #[must_use]
    pub fn page(&self, inside: Html) -> String {
        let fleet = (self.fleet == Listed::Yes).then_some(View::Fleet);
        let ways = View::LISTED.into_iter().chain(fleet).map(|it| {
            let way = el("a").set("href", it.path()).set("data-key", it.key());
            match it == self.view {
                true => way.set("aria-current", "page").with(it.name()),
                false => way.with(it.name()),
            }
        });
        let mut body = el("body")
            .with(
                el("a")
                    .set("class", "skip")
                    .set("href", "#main")
                    .with("Skip to the content"),
            )
            .with(
                el("header")
                    .with(el("strong").with("belay"))
                    .with(el("nav").set("aria-label", "Views").all(ways))
                    .with(strip(&self.strip)),
            );
        if let Some(off) = off(&self.strip) {
            body = body.with(off);
        }
        let body = body
            .with(
                el("main")
                    .set("id", "main")
                    .set("tabindex", "-1")
                    .with(inside),
            )
            .with(help())
            .with(
                el("p")
                    .set("id", "say")
                    .set("class", "quiet")
                    .set("role", "status")
                    .with(""),
            );
        let head = head(self.view.name())
            .with(
                el("link")
                    .set("rel", "stylesheet")
                    .set("href", "/style.css"),
            )
            .with(el("link").set("rel", "icon").set("href", "/icon.svg"))
            .with(el("script").set("type", "module").set("src", "/page.mjs"));
        whole(head.into(), body.into())
    }
}

/// Returns the strip, and behind it why nothing is stopped, for who looks already.
#[must_use]
pub fn standing(now: &Strip) -> Html {
    let mut html = strip(now);
    off(now).into_iter().for_each(|it| html.push(it));
    html
}

fn off(strip: &Strip) -> Option<Html> {
    let why = strip.off.as_ref()?;
    let banner = el("p").set("class", "off").set("role", "alert");
    Some(banner.with("Protection is off: ").with(why).into())
}

fn strip(strip: &Strip) -> Html {
    el("p")
        .set("class", "strip")
        .with(el("span").with(&strip.mode))
        .with(el("span").with(&strip.hooks))
        .into()
}

fn help() -> Html {
    const KEYS: [(&str, &str); 10] = [
        ("j k", "next and previous row"),
        ("Enter", "open the row"),
        ("/", "to the filter"),
        ("r", "turn this call into a rule"),
        ("s", "save, where something can be saved"),
        ("a d", "allow once, or deny, the first waiting question"),
        ("p", "pause and resume the stream"),
        (
            "g n · g r · g v · g t · g f",
            "Now, Rules, Review, Trends, Fleet",
        ),
        ("Esc", "leave a field"),
        ("?", "this list"),
    ];
    let rows = KEYS.map(|(keys, what)| {
        el("div")
            .with(el("dt").with(el("kbd").with(keys)))
            .with(el("dd").with(what))
    });
    el("details")
        .set("id", "keys")
        .with(el("summary").with("Keys"))
        .with(el("dl").all(rows))
        .into()
}

fn head(title: &str) -> crate::html::El {
    el("head")
        .with(el("meta").set("charset", "utf-8"))
        .with(
            el("meta")
                .set("name", "viewport")
                .set("content", "width=device-width, initial-scale=1"),
        )
        .with(
            el("meta")
                .set("name", "referrer")
                .set("content", "same-origin"),
        )
        .with(el("title").with(title).with(" · belay"))
}

fn whole(head: Html, body: Html) -> String {
    let html: Html = el("html").set("lang", "en").with(head).with(body).into();
    format!("<!doctype html>\n{}", html.into_string())
}

/// Returns a page that needs nothing else: its style stands in it, and it has no script.
#[must_use]
pub fn self_contained(title: &str, inside: Html) -> String {
    let head = head(title).with(el("style").with(Html::asset(STYLE)));
    let body = el("body").with(el("main").set("id", "main").with(inside));
    whole(head.into(), body.into())
}

/// Returns the page for who has not entered: the script takes the token of the address, a person may type it.
#[must_use]
pub fn enter_page() -> String {
    let form = el("form")
        .set("method", "post")
        .set("action", "/enter")
        .set("id", "enter")
        .with(
            el("label")
                .set("for", "token")
                .with("The token that `belay ui` printed"),
        )
        .with(
            el("input")
                .set("id", "token")
                .set("name", "token")
                .set("autocomplete", "off"),
        )
        .with(el("button").with("Look"));
    let head = head("Enter")
        .with(
            el("link")
                .set("rel", "stylesheet")
                .set("href", "/style.css"),
        )
        .with(el("link").set("rel", "icon").set("href", "/icon.svg"))
        .with(el("script").set("type", "module").set("src", "/page.mjs"));
    let body = el("body").with(
        el("main")
            .set("id", "main")
            .with(el("h1").with("belay"))
            .with(el("p").with("Run `belay ui` in your terminal: it opens this page for you."))
            .with(form),
    );
    whole(head.into(), body.into())
}

/// Returns the page that says why there is none.
#[must_use]
pub fn fault_page(what: &str) -> String {
    let head = head("Not here").with(
        el("link")
            .set("rel", "stylesheet")
            .set("href", "/style.css"),
    );
    let main = el("main")
        .set("id", "main")
        .with(el("h1").with("Not here"))
        .with(el("p").with(what));
    let back = el("p").with(el("a").set("href", "/").with("Back to what happens now"));
    whole(head.into(), el("body").with(main.with(back)).into())
}

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// What it is.
    pub kind: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Returns the file of a path.
#[must_use]
pub fn asset(path: &str) -> Option<Asset> {
    let (kind, text) = match path {
        "/style.css" => ("text/css; charset=utf-8", STYLE),
        "/page.mjs" => ("text/javascript; charset=utf-8", SCRIPT),
        "/icon.svg" => ("image/svg+xml", ICON),
        _ => return None,
    };
    Some(Asset { kind, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_small_and_the_page_has_none_inside() {
        assert!(SCRIPT.len() <= 25_000, "{} bytes", SCRIPT.len());
        let frame = Frame {
            view: View::Now,
            strip: Strip::default(),
            fleet: Listed::No,
        };
        let page = frame.page(Html::new());
        assert_eq!(page.matches("<script").count(), 1);
        assert!(!page.contains("style=") && !page.contains("http"));
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
    }
}
