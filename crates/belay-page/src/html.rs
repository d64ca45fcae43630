//! HTML that cannot be broken: names are ours, and every text is escaped on its way in.
//!
//! INVARIANT: a text of a call never becomes markup. Names of elements and attributes are written in this program; what
//! comes from elsewhere goes through [`Html::text`] or [`El::set`], which escape it and show what steers as what it is.

use std::fmt::Write;

/// Markup that is whole and safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Begins with nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(String::new())
    }

    /// Returns a text, escaped. Control characters and marks that turn the direction of writing are shown by name.
    #[must_use]
    pub fn text(text: &str) -> Self {
        let mut html = Self::new();
        html.push_text(text);
        html
    }

    /// Adds a text, escaped.
    pub fn push_text(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '\n' | '\t' => self.0.push(letter),
                letter if steers(letter) => {
                    let code = u32::from(letter);
                    let _ = write!(self.0, "<span class=\"steers\">U+{code:04X}</span>");
                }
                letter => self.0.push(letter),
            }
        }
    }

    /// Adds markup.
    pub fn push(&mut self, more: impl Into<Self>) {
        self.0.push_str(&more.into().0);
    }

    /// Returns the markup.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Takes an asset of ours as it is.
    pub(crate) fn asset(text: &'static str) -> Self {
        Self(text.to_owned())
    }
}

impl From<&str> for Html {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<&String> for Html {
    fn from(text: &String) -> Self {
        Self::text(text)
    }
}

impl From<String> for Html {
    fn from(text: String) -> Self {
        Self::text(&text)
    }
}

impl From<El> for Html {
    fn from(el: El) -> Self {
        el.done()
    }
}

impl<T: Into<Self>> FromIterator<T> for Html {
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Self {
        let mut all = Self::new();
        parts.into_iter().for_each(|it| all.push(it));
        all
    }
}

/// Tells whether a letter steers what is shown instead of being shown: it would hide or turn what a person reads.
#[must_use]
pub fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// An element on its way.
#[derive(Clone, Debug)]
pub struct El {
    name: &'static str,
    open: String,
    inside: Html,
}

/// Begins an element.
#[must_use]
pub fn el(name: &'static str) -> El {
    El {
        name,
        open: format!("<{name}"),
        inside: Html::new(),
    }
}

impl El {
    /// Sets an attribute; its value is escaped.
    #[must_use]
    pub fn set(mut self, name: &'static str, value: impl AsRef<str>) -> Self {
        let _ = write!(self.open, " {name}=\"");
        for letter in value.as_ref().chars() {
            match letter {
                '&' => self.open.push_str("&amp;"),
                '<' => self.open.push_str("&lt;"),
                '>' => self.open.push_str("&gt;"),
                '"' => self.open.push_str("&quot;"),
                '\'' => self.open.push_str("&#39;"),
                '\n' => self.open.push_str("&#10;"),
                letter if steers(letter) => self.open.push('\u{fffd}'),
                letter => self.open.push(letter),
            }
        }
        self.open.push('"');
        self
    }

    /// Sets an attribute that has no value.
    #[must_use]
    pub fn flag(mut self, name: &'static str) -> Self {
        let _ = write!(self.open, " {name}");
        self
    }

    /// Adds what stands inside; texts are escaped.
    #[must_use]
    pub fn with(mut self, inside: impl Into<Html>) -> Self {
        self.inside.push(inside);
        self
    }

    /// Adds several.
    #[must_use]
    pub fn all<T: Into<Html>>(mut self, inside: impl IntoIterator<Item = T>) -> Self {
        inside.into_iter().for_each(|it| self.inside.push(it));
        self
    }

    fn done(self) -> Html {
        const VOID: [&str; 5] = ["br", "hr", "input", "link", "meta"];
        let Self { name, open, inside } = self;
        if VOID.contains(&name) {
            return Html(format!("{open}>"));
        }
        Html(format!("{open}>{}</{name}>", inside.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: impl Into<Html>, expected: &str) {
        assert_eq!(html.into().into_string(), expected);
    }

    #[test]
    fn markup_in_a_text_is_text() {
        check(
            el("b").with("<script>alert('1')</script>&amp;"),
            "<b>&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;</b>",
        );
    }

    #[test]
    fn an_attribute_cannot_be_left() {
        check(
            el("a").set("title", "\"><img src=x onerror='x'>"),
            "<a title=\"&quot;&gt;&lt;img src=x onerror=&#39;x&#39;&gt;\"></a>",
        );
    }

    #[test]
    fn what_steers_is_shown() {
        check(
            "a\u{1b}[31m\u{202e}b\u{200b}",
            "a<span class=\"steers\">U+001B</span>[31m<span class=\"steers\">U+202E</span>b<span class=\"steers\">U+200B</span>",
        );
        for hidden in [
            '\u{34f}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{ffa0}',
            '\u{e0100}',
        ] {
            assert!(steers(hidden), "U+{:04X}", u32::from(hidden));
        }
        check(
            el("i").set("title", "\u{202e}x"),
            "<i title=\"\u{fffd}x\"></i>",
        );
    }

    #[test]
    fn elements_without_an_inside_end_at_once() {
        check(el("input").set("name", "x"), "<input name=\"x\">");
    }
}
