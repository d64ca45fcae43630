//! Edits JSON settings in place: order, spacing and comments stay.

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

/// Adds an item to the array at the path, making what is missing on the way.
pub(crate) fn add(text: &str, path: &[&str], item: (&Value, End)) -> Edit<String> {
    let root = parse(text)?;
    let mut node = &root;
    let mut depth = 0;
    for (at, name) in path.iter().enumerate() {
        match member(node, name)? {
            Some(found) => node = &found.value,
            None => {
                let value = nested(path.get(at + 1..).unwrap_or_default(), item.0);
                return Ok(add_member(text, node, (name, &value, depth)));
            }
        }
        depth += 1;
    }
    let Kind::Array(items) = &node.kind else {
        return Err(EditError::OtherType);
    };
    Ok(add_item(text, (node, items), (item, depth)))
}

/// Sets a member of the top object, unless it is there already.
pub(crate) fn default_member(text: &str, name: &str, value: &Value) -> Edit<String> {
    let root = parse(text)?;
    Ok(match member(&root, name)? {
        Some(_) => text.to_owned(),
        None => add_member(text, &root, (name, value, 0)),
    })
}

fn nested(path: &[&str], item: &Value) -> Value {
    path.iter()
        .rev()
        .fold(Value::Array(vec![item.clone()]), |inner, name| {
            Value::Object(vec![((*name).to_owned(), inner)])
        })
}

fn add_member(text: &str, node: &Node, (name, value, depth): (&str, &Value, usize)) -> String {
    let unit = unit(text);
    let mut line = String::new();
    json::write_string(name, &mut line);
    line.push_str(": ");
    pretty(value, (unit, depth + 1), &mut line);
    let last = match &node.kind {
        Kind::Object(members) => members.last().map(|it| it.value.span.end),
        Kind::Plain | Kind::Array(_) => None,
    };
    insert(text, node, (last, &line, depth))
}

fn add_item(
    text: &str,
    (node, items): (&Node, &[Node]),
    ((value, end), depth): ((&Value, End), usize),
) -> String {
    let unit = unit(text);
    let mut line = String::new();
    pretty(value, (unit, depth + 1), &mut line);
    match (end, items.first()) {
        (End::First, Some(first)) => {
            let gap = format!(",\n{}", unit.repeat(depth + 1));
            splice(text, first.span.start..first.span.start, &(line + &gap))
        }
        (End::First, None) | (End::Last, _) => {
            let last = items.last().map(|it| it.span.end);
            insert(text, node, (last, &line, depth))
        }
    }
}

/// Puts a line behind the last one in a bracket, or between two brackets that touch.
fn insert(text: &str, node: &Node, (last, line, depth): (Option<usize>, &str, usize)) -> String {
    let unit = unit(text);
    match last {
        Some(last) => splice(
            text,
            last..last,
            &format!(",\n{}{line}", unit.repeat(depth + 1)),
        ),
        None => {
            let inside = node.span.start + 1..node.span.end - 1;
            let kept = text.get(inside.clone()).unwrap_or_default().trim_end();
            let new = format!(
                "{kept}\n{}{line}\n{}",
                unit.repeat(depth + 1),
                unit.repeat(depth)
            );
            splice(text, inside, &new)
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
fn remove_member(text: &str, path: &[&str]) -> Edit<String> {
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

/// Appends a value with one member or item per line.
pub(crate) fn pretty(value: &Value, (unit, depth): (&str, usize), text: &mut String) {
    let below = |text: &mut String| {
        text.push('\n');
        text.push_str(&unit.repeat(depth + 1));
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                below(text);
                pretty(item, (unit, depth + 1), text);
            }
            text.push('\n');
            text.push_str(&unit.repeat(depth));
            text.push(']');
        }
        Value::Object(members) if !members.is_empty() => {
            text.push('{');
            for (at, (name, item)) in members.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                below(text);
                json::write_string(name, text);
                text.push_str(": ");
                pretty(item, (unit, depth + 1), text);
            }
            text.push('\n');
            text.push_str(&unit.repeat(depth));
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
    use super::{EditError, End, add, remove};
    use belay_journal::json;

    const PATH: [&str; 2] = ["hooks", "PreToolUse"];

    fn added(text: &str) -> String {
        let item = json::read(br#"{"ours":1}"#).unwrap();
        add(text, &PATH, (&item, End::Last)).unwrap()
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
        let refused = |text| add(text, &PATH, (&item, End::Last)).unwrap_err();
        assert_eq!(refused("[]"), EditError::OtherType);
        assert_eq!(refused(r#"{"hooks":[]}"#), EditError::OtherType);
        assert_eq!(refused(r#"{"hooks":{},"hooks":{}}"#), EditError::Twice);
        assert_eq!(refused("{"), EditError::NotJson(1));
    }
    #[test]
    fn the_first_place_can_be_had() {
        let item = json::read(b"1").unwrap();
        let text = add("{\"p\": [2]}", &["p"], (&item, End::First)).unwrap();
        assert_eq!(text, "{\"p\": [1,\n    2]}");
    }
}
