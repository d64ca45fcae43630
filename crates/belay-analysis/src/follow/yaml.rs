//! A reader for the plain part of YAML: what workflows, task files and compose files are written in.
//!
//! INVARIANT: bounded by its text and a depth; a text that is written otherwise is `None`, not a guess.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Yaml {
    /// Text, numbers and words.
    Text(String),
    /// Items in their order.
    List(Vec<Yaml>),
    /// Names and values in their order.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// Returns the value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.entries()
            .iter()
            .find(|(it, _)| it == name)
            .map(|(_, value)| value)
    }

    /// Returns the text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Returns the items; a single value is its own only item.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            Self::Text(text) if text.is_empty() => &[],
            Self::Text(_) | Self::Map(_) => std::slice::from_ref(self),
        }
    }

    /// Returns the names and values; none of anything but a map.
    pub(crate) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            Self::Text(_) | Self::List(_) => &[],
        }
    }
}

/// How deep values lie in values.
const DEPTH: usize = 40;

/// Reads a text; `None` when it is not plain.
pub(crate) fn read(text: &str) -> Option<Yaml> {
    let mut lines = Lines {
        lines: Vec::new(),
        at: 0,
        depth: 0,
    };
    for line in text.lines() {
        let body = line.trim_start_matches(' ');
        if matches!(line.trim_end(), "---" | "...") || line.starts_with('%') {
            continue;
        }
        lines.lines.push((line.len() - body.len(), body.trim_end()));
    }
    let value = lines.block(0)?;
    lines.skip_blank();
    (lines.at == lines.lines.len()).then_some(value)
}

/// Lines with their indents, and where we are in them.
struct Lines<'a> {
    lines: Vec<(usize, &'a str)>,
    at: usize,
    depth: usize,
}

impl<'a> Lines<'a> {
    fn skip_blank(&mut self) {
        while self
            .lines
            .get(self.at)
            .is_some_and(|(_, body)| body.is_empty() || body.starts_with('#'))
        {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<(usize, &'a str)> {
        self.skip_blank();
        self.lines.get(self.at).copied()
    }

    /// Reads the value that stands on lines indented at least so far.
    fn block(&mut self, least: usize) -> Option<Yaml> {
        let Some((indent, body)) = self.peek().filter(|(indent, _)| *indent >= least) else {
            return Some(Yaml::Text(String::new()));
        };
        if self.depth >= DEPTH || body.starts_with('\t') {
            return None;
        }
        self.depth += 1;
        let value = if is_item(body) {
            self.list(indent)
        } else if key_of(body).is_some() {
            self.map(indent)
        } else {
            self.at += 1;
            self.value(body, indent.saturating_sub(1))
        };
        self.depth -= 1;
        value
    }

    fn list(&mut self, indent: usize) -> Option<Yaml> {
        let mut items = Vec::new();
        while let Some((_, body)) = self
            .peek()
            .filter(|(at, body)| *at == indent && is_item(body))
        {
            let rest = body.get(1..).unwrap_or_default();
            let inner = rest.trim_start();
            if inner.is_empty() || inner.starts_with('#') {
                self.at += 1;
                items.push(self.block(indent + 1)?);
            } else if key_of(inner).is_some() || is_item(inner) {
                // The rest of the line is the first line of the item.
                let deeper = indent + body.len() - inner.len();
                *self.lines.get_mut(self.at)? = (deeper, inner);
                items.push(self.block(deeper)?);
            } else {
                self.at += 1;
                items.push(self.value(inner, indent)?);
            }
        }
        Some(Yaml::List(items))
    }

    fn map(&mut self, indent: usize) -> Option<Yaml> {
        let mut entries = Vec::new();
        while let Some((at, body)) = self.peek() {
            if at < indent || at == indent && is_item(body) {
                break;
            }
            let (key, rest) = key_of(body).filter(|_| at == indent)?;
            self.at += 1;
            let rest = unanchored(rest);
            let value = if rest.is_empty() || rest.starts_with('#') {
                // A list may stand as far left as the name it belongs to.
                let same = self
                    .peek()
                    .is_some_and(|(at, body)| at == indent && is_item(body));
                self.block(if same { indent } else { indent + 1 })?
            } else {
                self.value(rest, indent)?
            };
            entries.push((key, value));
        }
        Some(Yaml::Map(entries))
    }

    /// Reads a value that begins on the line before the present one.
    fn value(&mut self, rest: &str, indent: usize) -> Option<Yaml> {
        let rest = unanchored(rest);
        match rest.chars().next() {
            Some(style @ ('|' | '>')) => Some(Yaml::Text(self.literal(style, indent))),
            Some('[' | '{') => {
                let text = self.gathered(rest, indent, is_balanced);
                let (value, left) = flow(&text, 0)?;
                let left = left.trim_start();
                (left.is_empty() || left.starts_with('#')).then_some(value)
            }
            Some(quote @ ('"' | '\'')) => {
                let text = self.gathered(rest, indent, |it| quoted(it, quote).is_some());
                let (value, left) = quoted(&text, quote)?;
                let left = left.trim_start();
                (left.is_empty() || left.starts_with('#')).then_some(Yaml::Text(value))
            }
            _ => {
                let text = self.gathered(uncommented(rest), indent, |_| false);
                Some(Yaml::Text(text))
            }
        }
    }

    /// Adds the lines that go on with a value until it is complete.
    fn gathered(&mut self, first: &str, indent: usize, done: impl Fn(&str) -> bool) -> String {
        let mut text = first.to_owned();
        while !done(&text) {
            let goes_on = |(at, body): &&(usize, &str)| {
                !body.is_empty()
                    && (*at > indent
                        || first.starts_with(['[', '{']) && body.starts_with([']', '}']))
            };
            let Some((_, body)) = self.lines.get(self.at).filter(goes_on) else {
                break;
            };
            text.push(' ');
            text.push_str(uncommented(body));
            self.at += 1;
        }
        text
    }

    /// Reads a literal text: all lines that are indented further.
    fn literal(&mut self, style: char, indent: usize) -> String {
        let mut text = String::new();
        let mut first = None;
        while let Some((at, body)) = self.lines.get(self.at).copied() {
            if !body.is_empty() && at <= indent {
                break;
            }
            let first = if body.is_empty() {
                0
            } else {
                *first.get_or_insert(at)
            };
            text.push_str(&" ".repeat(at.saturating_sub(first).min(200)));
            text.push_str(body);
            text.push(if style == '|' || body.is_empty() {
                '\n'
            } else {
                ' '
            });
            self.at += 1;
        }
        text
    }
}

fn is_item(body: &str) -> bool {
    body == "-" || body.starts_with("- ")
}

/// Returns the name at the beginning of a line and what follows its colon.
fn key_of(body: &str) -> Option<(String, &str)> {
    let (name, rest) = match body.chars().next()? {
        quote @ ('"' | '\'') => quoted(body, quote)?,
        '[' | '{' | '#' | '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' => return None,
        _ => {
            let end = body
                .find(": ")
                .or_else(|| body.strip_suffix(':').map(str::len))?;
            if body.get(..end)?.contains(" #") {
                return None;
            }
            (body.get(..end)?.trim_end().to_owned(), body.get(end..)?)
        }
    };
    Some((name, rest.trim_start().strip_prefix(':')?.trim_start()))
}

/// Takes an anchor or a tag from the front of a value.
fn unanchored(rest: &str) -> &str {
    if rest.starts_with(['&', '!']) {
        return rest
            .split_once(' ')
            .map_or("", |(_, rest)| rest.trim_start());
    }
    rest
}

/// Takes a comment from the end of a plain text.
fn uncommented(text: &str) -> &str {
    text.split(" #").next().unwrap_or(text).trim_end()
}

/// Reads a quoted text; returns what follows it.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut letters = text.strip_prefix(quote)?.chars();
    while let Some(letter) = letters.next() {
        if letter == quote {
            if quote == '\'' && letters.as_str().starts_with('\'') {
                letters.next();
                out.push('\'');
                continue;
            }
            return Some((out, letters.as_str()));
        }
        if letter == '\\' && quote == '"' {
            match letters.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                other => out.push(other),
            }
        } else {
            out.push(letter);
        }
    }
    None
}

/// Tells whether all brackets of a text are closed, quotes aside.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    let mut within = None;
    for letter in text.chars() {
        match (within, letter) {
            (Some(quote), _) if quote == letter => within = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => within = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, _) => {}
        }
    }
    depth <= 0
}

/// Reads a value written in brackets; returns what follows it.
fn flow(text: &str, depth: usize) -> Option<(Yaml, &str)> {
    if depth > DEPTH {
        return None;
    }
    let text = text.trim_start();
    match text.chars().next()? {
        '[' => flow_list(text, depth),
        '{' => flow_map(text, depth),
        quote @ ('"' | '\'') => quoted(text, quote).map(|(text, rest)| (Yaml::Text(text), rest)),
        _ => {
            let end = text.find([',', ']', '}']).unwrap_or(text.len());
            Some((
                Yaml::Text(text.get(..end)?.trim().to_owned()),
                text.get(end..)?,
            ))
        }
    }
}

fn flow_list(text: &str, depth: usize) -> Option<(Yaml, &str)> {
    let mut items = Vec::new();
    let mut rest = text.get(1..)?.trim_start();
    loop {
        if let Some(left) = rest.strip_prefix(']') {
            return Some((Yaml::List(items), left));
        }
        let (item, left) = flow(rest, depth + 1)?;
        items.push(item);
        rest = left.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        if rest.is_empty() {
            return None;
        }
    }
}

fn flow_map(text: &str, depth: usize) -> Option<(Yaml, &str)> {
    let mut entries = Vec::new();
    let mut rest = text.get(1..)?.trim_start();
    loop {
        if let Some(left) = rest.strip_prefix('}') {
            return Some((Yaml::Map(entries), left));
        }
        let (name, left) = match rest.chars().next()? {
            quote @ ('"' | '\'') => quoted(rest, quote)?,
            _ => {
                let end = rest.find([':', ',', '}'])?;
                (rest.get(..end)?.trim().to_owned(), rest.get(end..)?)
            }
        };
        let left = left.trim_start();
        let (value, left) = match left.strip_prefix(':') {
            Some(left) => flow(left, depth + 1)?,
            None => (Yaml::Text(String::new()), left),
        };
        entries.push((name, value));
        rest = left.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        if rest.is_empty() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Yaml, read};

    /// Writes a value on one line.
    fn shown(value: &Yaml) -> String {
        match value {
            Yaml::Text(text) => format!("{text:?}"),
            Yaml::List(items) => format!(
                "[{}]",
                items.iter().map(shown).collect::<Vec<_>>().join(", ")
            ),
            Yaml::Map(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(name, it)| format!("{name}: {}", shown(it)))
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    fn check(text: &str, expected: &str) {
        let found = read(text).as_ref().map(shown);
        assert_eq!(found.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn maps_and_lists() {
        check(
            "a: 1\nb:\n  c: 'it''s'\n  d: \"x\\ny\" # no\n",
            r#"{a: "1", b: {c: "it's", d: "x\ny"}}"#,
        );
        check(
            "a:\n- x\n- y: 1\n  z: 2\nb: ''\n",
            r#"{a: ["x", {y: "1", z: "2"}], b: ""}"#,
        );
        check("- - a\n  - b\n-\n  c: d\n", r#"[["a", "b"], {c: "d"}]"#);
    }
    #[test]
    fn values_in_brackets() {
        check(
            "on: [push, 'a,b']\nx: {a: 1, b: [c, d]}\ny: [\n  1,\n  2\n]\n",
            r#"{on: ["push", "a,b"], x: {a: "1", b: ["c", "d"]}, y: ["1", "2"]}"#,
        );
    }
    #[test]
    fn literal_texts() {
        check(
            "run: |\n  a\n    b\n\n  c\nnext: >-\n  x\n  y\n",
            r#"{run: "a\n  b\n\nc\n", next: "x y "}"#,
        );
        check(
            "- run: |\n    a\n  name: x\n",
            r#"[{run: "a\n", name: "x"}]"#,
        );
    }
    #[test]
    fn comments_anchors_and_long_lines() {
        check(
            "# top\n---\na: &x 1 # one\nb: *x\nc: one\n  two\nurl: http://x/#y\n",
            r#"{a: "1", b: "*x", c: "one two", url: "http://x/#y"}"#,
        );
    }
    #[test]
    fn what_is_not_plain_is_none() {
        check("a: [1, 2", "none");
        check("a: 'x", "none");
        check("a:\n   b: 2\n  c: 3", "none");
    }
    #[test]
    fn depth_is_bounded() {
        let deep: String = (0..200)
            .map(|it| format!("{}a:\n", " ".repeat(it)))
            .collect();
        check(&deep, "none");
        check(&"[".repeat(5000), "none");
    }
}
