//! Members of a tool's input that its knowledge does not list.

use belay_knowledge::Tool;
use belay_model::Value;

/// Returns the first member that is not listed and could name a command, a path, a folder or
/// contents. `strictly` counts a bare word too.
pub(crate) fn first(tool: Tool<'_>, input: &Value, strictly: bool) -> Option<String> {
    Search { tool, strictly }.below(input, "")
}

struct Search<'k> {
    tool: Tool<'k>,
    strictly: bool,
}

impl Search<'_> {
    fn below(&self, value: &Value, prefix: &str) -> Option<String> {
        let members = value.members().unwrap_or_default();
        members.iter().find_map(|(name, inner)| {
            let path = format!("{prefix}{name}");
            self.member(&path, inner)
        })
    }

    fn member(&self, path: &str, value: &Value) -> Option<String> {
        if let Value::Object(_) = value
            && self.tool.lists_below(&format!("{path}."))
        {
            return self.below(value, &format!("{path}."));
        }
        let each = format!("{path}[].");
        if let Value::Array(items) = value
            && self.tool.lists_below(&each)
        {
            let listed = self.tool.lists(path);
            let stray = |it: &Value| match it {
                Value::Object(_) => self.below(it, &each),
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_) => (!listed && self.matters(it)).then(|| path.to_owned()),
            };
            return items.iter().find_map(stray);
        }
        let stray = !self.tool.lists(path) && self.matters(value);
        stray.then(|| path.to_owned())
    }

    /// Tells whether a value could name something that counts. Numbers and single words do not.
    fn matters(&self, value: &Value) -> bool {
        let word = |text: &str| {
            let plain = |it: u8| it.is_ascii_alphanumeric() || b"-_".contains(&it);
            text.len() <= 40 && text.bytes().all(plain)
        };
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
            Value::String(text) => !text.is_empty() && (self.strictly || !word(text)),
            Value::Array(items) => items.iter().any(|it| self.matters(it)),
            Value::Object(members) => members.iter().any(|(_, it)| self.matters(it)),
        }
    }
}
