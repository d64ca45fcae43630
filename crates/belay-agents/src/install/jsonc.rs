//! Edits JSON settings in place: order, spacing and comments stay.

use std::fmt;
use std::ops::Range;

use belay_journal::json;
use belay_model::Value;

/// Why a settings file cannot be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditError {
    /// It is not JSON, not even with comments; at which byte.
    NotJson(usize),
    /// Something on the way is not of the type it must have.
    OtherType,
    /// A member on the way is named twice.
    Twice,
}

type Edit<T> = Result<T, EditError>;

/// A value and where its text lies.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Plain,
    Array(Vec<Node>),
    Object(Vec<Member>),
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) start: usize,
    pub(crate) value: Node,
}

/// Reads JSON that may have comments and commas too many.
pub(crate) fn parse(text: &str) -> Edit<Node> {
    let mut reader = Reader { text, at: 0 };
    reader.space()?;
    let node = reader.value(64)?;
    reader.space()?;
    if reader.at == text.len() {
        Ok(node)
    } else {
        Err(EditError::NotJson(reader.at))
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    fn wrong<T>(&self) -> Edit<T> {
        Err(EditError::NotJson(self.at))
    }

    fn space(&mut self) -> Edit<()> {
        loop {
            let rest = self.rest();
            let gap = rest.len() - rest.trim_start().len();
            self.at += gap;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    return self.wrong();
                };
                self.at += end + 2;
            } else if gap == 0 {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Edit<Node> {
        if depth == 0 {
            return self.wrong();
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object(self.object(depth)?),
            Some(b'[') => Kind::Array(self.array(depth)?),
            Some(b'"') => {
                self.string()?;
                Kind::Plain
            }
            Some(_) => self.word()?,
            None => return self.wrong(),
        };
        Ok(Node {
            span: start..self.at,
            kind,
        })
    }

    fn word(&mut self) -> Edit<Kind> {
        let ends = |letter: char| ",]}/".contains(letter) || letter.is_whitespace();
        let rest = self.rest();
        let word = rest.split(ends).next().unwrap_or_default();
        if json::read(word.as_bytes()).is_err() {
            return self.wrong();
        }
        self.at += word.len();
        Ok(Kind::Plain)
    }

    fn string(&mut self) -> Edit<String> {
        let mut escaped = false;
        let end = self.rest().bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let Some(end) = end else { return self.wrong() };
        let quoted = self.rest().get(..end + 2).unwrap_or_default();
        match json::read(quoted.as_bytes()) {
            Ok(Value::String(text)) => {
                self.at += end + 2;
                Ok(text)
            }
            Ok(_) | Err(_) => self.wrong(),
        }
    }

    /// Steps over a closing bracket, or over the comma before the next item.
    fn closes(&mut self, bracket: u8, first: bool) -> Edit<bool> {
        self.space()?;
        if !first && self.peek() == Some(b',') {
            self.at += 1;
            self.space()?;
        } else if !first && self.peek() != Some(bracket) {
            return self.wrong();
        }
        let closes = self.peek() == Some(bracket);
        self.at += usize::from(closes);
        Ok(closes)
    }

    fn array(&mut self, depth: usize) -> Edit<Vec<Node>> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.closes(b']', items.is_empty())? {
            items.push(self.value(depth - 1)?);
        }
        Ok(items)
    }

    fn object(&mut self, depth: usize) -> Edit<Vec<Member>> {
        self.at += 1;
        let mut members = Vec::new();
        while !self.closes(b'}', members.is_empty())? {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.wrong();
            }
            let name = self.string()?;
            self.space()?;
            if self.peek() != Some(b':') {
                return self.wrong();
            }
            self.at += 1;
            self.space()?;
            let value = self.value(depth - 1)?;
            members.push(Member { name, start, value });
        }
        Ok(members)
    }
}

/// Returns the member of that name.
pub(crate) fn member<'a>(node: &'a Node, name: &str) -> Edit<Option<&'a Member>> {
    let Kind::Object(members) = &node.kind else {
        return Err(EditError::OtherType);
    };
    let mut named = members.iter().filter(|it| it.name == name);
    let found = named.next();
    if named.next().is_some() {
        return Err(EditError::Twice);
    }
    Ok(found)
}

/// Returns the items of the array at the path, and nothing where there is none.
pub(crate) fn items<'a>(root: &'a Node, path: &[&str]) -> Edit<&'a [Node]> {
    let mut node = root;
    for name in path {
        match member(node, name)? {
            Some(found) => node = &found.value,
            None => return Ok(&[]),
        }
    }
    match &node.kind {
        Kind::Array(items) => Ok(items),
        Kind::Plain | Kind::Object(_) => Err(EditError::OtherType),
    }
}

/// Where a new item goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// An item of a list, and where in it it goes.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) value: &'a Value,
    pub(crate) end: End,
}

/// Adds an item to the array at the path, making what is missing on the way.
pub(crate) fn add(text: &str, path: &[&str], item: Item<'_>) -> Edit<String> {
    let root = parse(text)?;
    let mut spot = Spot {
        text,
        node: &root,
        depth: 0,
    };
    for (at, name) in path.iter().enumerate() {
        match member(spot.node, name)? {
            Some(found) => spot.node = &found.value,
            None => {
                let value = nested(path.get(at + 1..).unwrap_or_default(), item.value);
                return Ok(spot.with_member(name, &value));
            }
        }
        spot.depth += 1;
    }
    spot.with_item(item)
}

/// Sets the member at the path, making what is missing on the way.
pub(crate) fn set_member(text: &str, path: &[&str], value: &Value) -> Edit<String> {
    let root = parse(text)?;
    let mut spot = Spot {
        text,
        node: &root,
        depth: 0,
    };
    for (depth, name) in path.iter().enumerate() {
        match member(spot.node, name)? {
            Some(found) => spot.node = &found.value,
            None => {
                let below = path.get(depth + 1..).unwrap_or_default();
                return Ok(spot.with_member(name, &within(below, value.clone())));
            }
        }
        spot.depth += 1;
    }
    let indent = Indent {
        unit: unit(text),
        depth: spot.depth,
    };
    let mut line = String::new();
    pretty(value, indent, &mut line);
    Ok(splice(text, spot.node.span.clone(), &line))
}

fn nested(path: &[&str], item: &Value) -> Value {
    within(path, Value::Array(vec![item.clone()]))
}

/// Puts a value into objects of these names.
fn within(path: &[&str], value: Value) -> Value {
    path.iter().rev().fold(value, |inner, name| {
        Value::Object(vec![((*name).to_owned(), inner)])
    })
}

/// A list or an object of the text, and how deep it lies.
struct Spot<'a> {
    text: &'a str,
    node: &'a Node,
    depth: usize,
}

impl Spot<'_> {
    fn inside(&self) -> Indent<'_> {
        Indent {
            unit: unit(self.text),
            depth: self.depth + 1,
        }
    }

    fn with_member(&self, name: &str, value: &Value) -> String {
        let mut line = String::new();
        json::write_string(name, &mut line);
        line.push_str(": ");
        pretty(value, self.inside(), &mut line);
        let last = match &self.node.kind {
            Kind::Object(members) => members.last().map(|it| it.value.span.end),
            Kind::Plain | Kind::Array(_) => None,
        };
        self.with_line(last, &line)
    }

    fn with_item(&self, item: Item<'_>) -> Edit<String> {
        let Kind::Array(items) = &self.node.kind else {
            return Err(EditError::OtherType);
        };
        let mut line = String::new();
        pretty(item.value, self.inside(), &mut line);
        Ok(match (item.end, items.first()) {
            (End::First, Some(first)) => {
                let gap = format!(",\n{}", self.inside());
                let start = first.span.start;
                splice(self.text, start..start, &(line + &gap))
            }
            (End::First, None) | (End::Last, _) => {
                let last = items.last().map(|it| it.span.end);
                self.with_line(last, &line)
            }
        })
    }

    /// Puts a line behind the last one in a bracket, or between two brackets that touch.
    fn with_line(&self, last: Option<usize>, line: &str) -> String {
        let inside = self.inside();
        match last {
            Some(last) => splice(self.text, last..last, &format!(",\n{inside}{line}")),
            None => {
                let span = self.node.span.start + 1..self.node.span.end - 1;
                let kept = self.text.get(span.clone()).unwrap_or_default().trim_end();
                let outside = inside.unit.repeat(self.depth);
                splice(
                    self.text,
                    span,
                    &format!("{kept}\n{inside}{line}\n{outside}"),
                )
            }
        }
    }
}

pub(crate) fn splice(text: &str, span: Range<usize>, new: &str) -> String {
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    [before, new, after].concat()
}

/// Takes out the items of the array at the path that are meant, and what then is empty on the way.
pub(crate) fn remove(text: &str, path: &[&str], meant: &dyn Fn(&str) -> bool) -> Edit<String> {
    let mut text = text.to_owned();
    loop {
        let root = parse(&text)?;
        let items = items(&root, path)?;
        let spans: Vec<_> = items.iter().map(|it| it.span.clone()).collect();
        let found = spans
            .iter()
            .position(|span| text.get(span.clone()).is_some_and(meant));
        let Some(at) = found else { return Ok(text) };
        if spans.len() == 1 && !path.is_empty() {
            return remove_member(&text, path);
        }
        text = cut(&text, &spans, at);
    }
}

/// Takes out the member at the path, and the objects that then are empty, but never the outermost.
pub(crate) fn remove_member(text: &str, path: &[&str]) -> Edit<String> {
    let Some((name, above)) = path.split_last() else {
        return Ok(text.to_owned());
    };
    let root = parse(text)?;
    let mut node = &root;
    for step in above {
        match member(node, step)? {
            Some(found) => node = &found.value,
            None => return Ok(text.to_owned()),
        }
    }
    let Kind::Object(members) = &node.kind else {
        return Err(EditError::OtherType);
    };
    if members.len() == 1 && !above.is_empty() {
        return remove_member(text, above);
    }
    let spans: Vec<_> = members
        .iter()
        .map(|it| it.start..it.value.span.end)
        .collect();
    match members.iter().position(|it| it.name == *name) {
        Some(_) if members.len() == 1 => {
            Ok(splice(text, node.span.start + 1..node.span.end - 1, ""))
        }
        Some(at) => Ok(cut(text, &spans, at)),
        None => Ok(text.to_owned()),
    }
}

/// Cuts one of several things out of its list, with the comma that parted it.
fn cut(text: &str, spans: &[Range<usize>], at: usize) -> String {
    let Some(span) = spans.get(at) else {
        return text.to_owned();
    };
    let before = at.checked_sub(1).and_then(|it| spans.get(it));
    let after = spans.get(at + 1);
    let gone = match (before, after) {
        (Some(before), _) => before.end..span.end,
        (None, Some(after)) => span.start..after.start,
        (None, None) => span.clone(),
    };
    splice(text, gone, "")
}

/// Returns what the file indents with.
fn unit(text: &str) -> &str {
    let indented = text.lines().skip(1).find_map(|line| {
        let gap = line.len() - line.trim_start().len();
        (gap > 0 && line.len() > gap).then(|| line.get(..gap).unwrap_or_default())
    });
    indented.unwrap_or("  ")
}

/// How far lines stand in.
#[derive(Clone, Copy)]
pub(crate) struct Indent<'a> {
    pub(crate) unit: &'a str,
    pub(crate) depth: usize,
}

impl Indent<'_> {
    const fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

impl fmt::Display for Indent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.unit.repeat(self.depth))
    }
}

/// Appends a value with one member or item per line.
pub(crate) fn pretty(value: &Value, indent: Indent<'_>, text: &mut String) {
    let line = |at: usize, indent: Indent<'_>| {
        let comma = if at > 0 { "," } else { "" };
        format!("{comma}\n{indent}")
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(&line(at, indent.deeper()));
                pretty(item, indent.deeper(), text);
            }
            text.push_str(&line(0, indent));
            text.push(']');
        }
        Value::Object(members) if !members.is_empty() => {
            text.push('{');
            for (at, (name, item)) in members.iter().enumerate() {
                text.push_str(&line(at, indent.deeper()));
                json::write_string(name, text);
                text.push_str(": ");
                pretty(item, indent.deeper(), text);
            }
            text.push_str(&line(0, indent));
            text.push('}');
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => json::write(value, text),
    }
}

#[cfg(test)]
mod tests {
    use super::{EditError, End, Item, add, remove};
    use belay_journal::json;
    use belay_model::Value;

    const PATH: [&str; 2] = ["hooks", "PreToolUse"];

    fn last(value: &Value) -> Item<'_> {
        Item {
            value,
            end: End::Last,
        }
    }

    fn added(text: &str) -> String {
        let item = json::read(br#"{"ours":1}"#).unwrap();
        add(text, &PATH, last(&item)).unwrap()
    }

    fn and_back(text: &str) {
        let there = added(text);
        assert_ne!(there, text);
        let back = remove(&there, &PATH, &|item| item.contains("ours")).unwrap();
        assert_eq!(back, text, "after {there}");
    }

    #[test]
    fn an_empty_object_gets_all() {
        assert_eq!(
            added("{}"),
            "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"ours\": 1\n      }\n    ]\n  }\n}"
        );
    }
    #[test]
    fn adding_and_removing_changes_nothing() {
        and_back("{}");
        and_back("{\"a\": 1}");
        and_back("{\n\t\"a\": 1, // why\n\t\"hooks\": {\"Stop\": []}\n}\n");
        and_back(
            "{\n  /* x */\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\"}, // theirs\n    ],\n  },\n}\n",
        );
        and_back("{\"hooks\":{\"PreToolUse\":[{\"a\":\"}\\\"]\"}]}}");
    }
    #[test]
    fn tabs_stay_tabs() {
        assert!(added("{\n\t\"a\": 1\n}").contains("\n\t\"hooks\": {\n\t\t\"PreToolUse\""));
    }
    #[test]
    fn comments_stay() {
        let text = "{\n  // one\n  \"hooks\": {} /* two */\n}";
        assert!(added(text).contains("// one") && added(text).contains("/* two */"));
    }
    #[test]
    fn other_types_are_refused() {
        let item = json::read(b"1").unwrap();
        let refused = |text| add(text, &PATH, last(&item)).unwrap_err();
        assert_eq!(refused("[]"), EditError::OtherType);
        assert_eq!(refused(r#"{"hooks":[]}"#), EditError::OtherType);
        assert_eq!(refused(r#"{"hooks":{},"hooks":{}}"#), EditError::Twice);
        assert_eq!(refused("{"), EditError::NotJson(1));
    }
    #[test]
    fn the_first_place_can_be_had() {
        let item = json::read(b"1").unwrap();
        let text = add(
            "{\"p\": [2]}",
            &["p"],
            Item {
                value: &item,
                end: End::First,
            },
        )
        .unwrap();
        assert_eq!(text, "{\"p\": [1,\n    2]}");
    }
}
