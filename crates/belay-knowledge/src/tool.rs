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
        let members = input.members().unwrap_or_default();
        // Most paths that the file lists begin with a letter that no member of this input begins with.
        let bit = |name: &[u8]| 1_u64 << (name.first().copied().unwrap_or(0) & 63);
        let first = |sum, (name, _): &(String, Value)| sum | bit(name.as_bytes());
        let begin = members.iter().fold(0, first);
        if begin != 0 {
            for path in self.named(part).filter(|it| bit(it) & begin != 0) {
                dig(input, path, &mut out);
            }
        }
        out
    }

    /// Returns the members that play a part, as the file spells them.
    pub fn members(self, part: Part) -> impl Iterator<Item = &'k str> {
        self.named(part)
            .filter_map(|name| std::str::from_utf8(name).ok())
    }

    /// Tells whether a member of that name plays a part.
    #[must_use]
    pub fn is_member(self, part: Part, name: &str) -> bool {
        self.named(part).any(|it| it == name.as_bytes())
    }

    /// Tells whether a member, by its path in the input, has a part or lies in one that has.
    #[must_use]
    pub fn lists(self, path: &str) -> bool {
        self.listed()
            .filter_map(|name| name.strip_prefix(path.as_bytes()))
            .any(|rest| rest.is_empty() || rest == b"[]")
    }

    /// Tells whether members below this path have parts.
    #[must_use]
    pub fn lists_below(self, path: &str) -> bool {
        self.listed().any(|name| name.starts_with(path.as_bytes()))
    }

    /// Returns the paths of the members that play a part. Every call asks for several parts, and a tool of the shell lists
    /// dozens of members: those of one part stand together.
    fn named(self, part: Part) -> impl Iterator<Item = &'k [u8]> {
        let number = part as u8;
        let list = self.blob.list(self.at + tool::PARTS, tool::PART);
        let (mut from, mut to) = (0, list.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            if self.blob.byte(list.at(middle)) < number {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        let all = self.blob.items(list).skip(from);
        all.take_while(move |it| it.first() == Some(&number))
            .map(move |it| self.path_in(it))
    }

    /// Returns the paths of all members that play a part.
    fn listed(self) -> impl Iterator<Item = &'k [u8]> {
        let known = |it: &&[u8]| it.first().is_some_and(|it| usize::from(*it) < PARTS.len());
        self.entries().filter(known).map(move |it| self.path_in(it))
    }

    /// Returns the entries as they are packed, sorted by the number of the part, which comes first; then the path.
    fn entries(self) -> impl Iterator<Item = &'k [u8]> {
        let list = self.blob.list(self.at + tool::PARTS, tool::PART);
        self.blob.items(list)
    }

    fn path_in(self, entry: &[u8]) -> &'k [u8] {
        let packed = entry.get(1..).and_then(|it| it.first_chunk::<4>());
        let packed = packed.map_or(0, |it| u32::from_le_bytes(*it));
        self.blob.packed(packed)
    }
}

/// Follows a member's path: `file_path`, `edits[].path`, `ws.url`.
fn dig<'v>(value: &'v Value, path: &[u8], into: &mut Vec<&'v Value>) {
    let members = value.members().unwrap_or_default();
    // Most names that the file lists are not in the input, which has few members.
    let first = path.first();
    let begins = |key: &[u8]| key.first() == first && path.starts_with(key);
    if !members.iter().any(|(key, _)| begins(key.as_bytes())) {
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

#[cfg(test)]
mod tests {
    use crate::kinds::PARTS;

    #[test]
    fn parts_are_packed_by_their_numbers() {
        for (at, (word, part)) in PARTS.iter().enumerate() {
            assert_eq!(at, *part as usize, "{word}");
        }
    }
}
