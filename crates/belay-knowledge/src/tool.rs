use belay_model::{Risk, Value};

use crate::blob::Blob;
use crate::kinds::{KINDS, PARTS, Part, ToolKind};
use crate::layout::tool;

/// What is known of an agent's tool.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'k> {
    pub(crate) blob: Blob<'k>,
    pub(crate) at: usize,
}

impl<'k> Tool<'k> {
    /// Returns one sentence on the tool and its like.
    #[must_use]
    pub fn about(self) -> &'k str {
        self.blob.text(self.at + tool::ABOUT)
    }

    /// Returns what kind of tool it is.
    #[must_use]
    pub fn kind(self) -> ToolKind {
        let number = usize::from(self.blob.byte(self.at + tool::KIND));
        KINDS
            .get(number)
            .map_or(ToolKind::Other, |(_, kind, _)| *kind)
    }

    /// Returns the least risk of a call of it.
    #[must_use]
    pub fn risk(self) -> Risk {
        Risk::new(self.blob.byte(self.at + tool::RISK))
    }

    /// Returns the values in the tool's input that play a part, in the order of the file: all
    /// spellings that the input has. An argv is one array.
    #[must_use]
    pub fn get(self, part: Part, input: &Value) -> Vec<&Value> {
        let mut out = Vec::new();
        let Some(wanted) = PARTS.iter().position(|(_, it)| *it == part) else {
            return out;
        };
        for entry in self.blob.list(self.at + tool::PARTS, tool::PART).iter() {
            if usize::from(self.blob.byte(entry)) == wanted {
                dig(input, self.blob.text_bytes(entry + 1), &mut out);
            }
        }
        out
    }

    /// Returns the members that play a part, as the file spells them.
    pub fn members(self, part: Part) -> impl Iterator<Item = &'k str> {
        self.parts()
            .filter(move |(it, _)| *it == part)
            .filter_map(|(_, name)| std::str::from_utf8(name).ok())
    }

    /// Tells whether a member of that name plays a part.
    #[must_use]
    pub fn is_member(self, part: Part, name: &str) -> bool {
        let wanted = PARTS.iter().position(|(_, it)| *it == part);
        let entries = self.blob.list(self.at + tool::PARTS, tool::PART);
        entries.iter().any(|entry| {
            Some(usize::from(self.blob.byte(entry))) == wanted
                && self.blob.text_bytes(entry + 1) == name.as_bytes()
        })
    }

    /// Tells whether a member, by its path in the input, has a part or lies in one that has.
    #[must_use]
    pub fn lists(self, path: &str) -> bool {
        self.parts()
            .filter_map(|(_, name)| name.strip_prefix(path.as_bytes()))
            .any(|rest| rest.is_empty() || rest == b"[]")
    }

    /// Tells whether members below this path have parts.
    #[must_use]
    pub fn lists_below(self, path: &str) -> bool {
        self.parts()
            .any(|(_, name)| name.starts_with(path.as_bytes()))
    }

    fn parts(self) -> impl Iterator<Item = (Part, &'k [u8])> {
        let entries = self.blob.list(self.at + tool::PARTS, tool::PART);
        let read = move |entry| {
            let number = usize::from(self.blob.byte(entry));
            let (_, part) = PARTS.get(number)?;
            Some((*part, self.blob.text_bytes(entry + 1)))
        };
        entries.iter().filter_map(read)
    }
}

/// Follows a member's path: `file_path`, `edits[].path`, `ws.url`.
fn dig<'v>(value: &'v Value, path: &[u8], into: &mut Vec<&'v Value>) {
    let members = value.members().unwrap_or_default();
    // Most names that the file lists are not in the input, which has few members.
    if !members
        .iter()
        .any(|(key, _)| path.starts_with(key.as_bytes()))
    {
        return;
    }
    let (name, rest) = match path.iter().position(|it| *it == b'.') {
        Some(at) => (path.get(..at).unwrap_or(path), path.get(at + 1..)),
        None => (path, None),
    };
    let (name, each) = name
        .strip_suffix(b"[]")
        .map_or((name, false), |it| (it, true));
    // Readers differ on which of two members of one name counts, so all do.
    for (_, inner) in members.iter().filter(|(key, _)| key.as_bytes() == name) {
        let items = match inner.items() {
            Some(items) if each => items,
            Some(_) | None => std::slice::from_ref(inner),
        };
        for item in items {
            match rest {
                Some(rest) => dig(item, rest, into),
                None if *item == Value::Null => {}
                None => into.push(item),
            }
        }
    }
}

impl ToolKind {
    /// Returns the word of the kind.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = KINDS.iter().find(|(_, kind, _)| *kind == self);
        found.map_or("other", |(word, ..)| *word)
    }
}
