//! Members of a tool's input that its knowledge does not list.

use std::borrow::Cow;

use belay_knowledge::{Tool, ToolKind};
use belay_model::Value;

/// Names, without case and marks, that say of a member that it is to be run; longer names may end so.
const TO_RUN: [&str; 8] = [
    "cmd",
    "cmdline",
    "code",
    "command",
    "commandline",
    "javascript",
    "script",
    "shell",
];

/// Which members that are not listed count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Those whose name says that they are to be run.
    WhatIsToRun,
    /// Also those whose value could name a command, a path, a folder or contents.
    WhatCouldName,
    /// Also a bare word.
    EveryText,
}

/// Tells whether a member's name says that it is to be run.
pub(crate) fn is_to_run(name: &str) -> bool {
    let letters = name.chars().filter(|it| it.is_ascii_alphanumeric());
    let name: String = letters.map(|it| it.to_ascii_lowercase()).collect();
    TO_RUN.iter().any(|it| name.ends_with(it))
}

/// Returns the first member that is not listed and counts.
pub(crate) fn first(tool: Tool<'_>, input: &Value, counts: Counts) -> Option<String> {
    Search { tool, counts }.below(input, "")
}

struct Search<'k> {
    tool: Tool<'k>,
    counts: Counts,
}

impl Search<'_> {
    fn below(&self, value: &Value, prefix: &str) -> Option<String> {
        let members = value.members().unwrap_or_default();
        members.iter().find_map(|(name, inner)| {
            let path = match prefix {
                "" => Cow::Borrowed(name.as_str()),
                prefix => Cow::Owned(format!("{prefix}{name}")),
            };
            self.member(&path, inner)
        })
    }

    /// An editor's `command` says what it shall do, and editors run nothing.
    fn counts_of(&self, path: &str) -> Counts {
        match self.tool.kind() == ToolKind::Edit {
            true => self.counts,
            false => self.counts.of(path),
        }
    }

    fn member(&self, path: &str, value: &Value) -> Option<String> {
        if let Value::Object(_) = value
            && self.tool.lists_below(&format!("{path}."))
        {
            return self.below(value, &format!("{path}."));
        }
        if let Value::Array(items) = value
            && let each = format!("{path}[].")
            && self.tool.lists_below(&each)
        {
            let listed = self.tool.lists(path);
            let stray = |it: &Value| match it {
                Value::Object(_) => self.below(it, &each),
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_) => {
                    (!listed && self.counts_of(path).matter(it)).then(|| path.to_owned())
                }
            };
            return items.iter().find_map(stray);
        }
        let stray = !self.tool.lists(path) && self.counts_of(path).matter(value);
        stray.then(|| path.to_owned())
    }
}

impl Counts {
    /// Returns what counts below a member of this path: where it is to be run, every text.
    fn of(self, path: &str) -> Self {
        match is_to_run(path.rsplit('.').next().unwrap_or(path)) {
            true => Self::EveryText,
            false => self,
        }
    }

    /// Tells whether a value counts. Numbers never do.
    fn matter(self, value: &Value) -> bool {
        let word = |text: &str| {
            let plain = |it: u8| it.is_ascii_alphanumeric() || b"-_".contains(&it);
            text.len() <= 40 && text.bytes().all(plain)
        };
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
            Value::String(text) => match self {
                Self::WhatIsToRun => false,
                Self::WhatCouldName => !text.is_empty() && !word(text),
                Self::EveryText => !text.is_empty(),
            },
            Value::Array(items) => items.iter().any(|it| self.matter(it)),
            Value::Object(members) => {
                let inner = |(name, it): &(String, Value)| self.of(name).matter(it);
                members.iter().any(inner)
            }
        }
    }
}
