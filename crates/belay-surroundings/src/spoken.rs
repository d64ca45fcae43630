//! What was said in a session, prompt by prompt. INVARIANT: what lets something through counts for its own
//! prompt; what forbids counts until later words let the same class of acts through.

use belay_model::Answer;

use crate::session::{Memory, Session};

/// Parts what was said: kind, class, target, sentence.
const PART: char = '\u{1f}';

impl Session {
    /// Tells whether it is known what was said in a prompt.
    #[must_use]
    pub fn has_heard(&self, prompt: &str) -> bool {
        self.spoken().any(|(it, _)| it == prompt)
    }

    /// Returns what was said, as far as it counts for a call of that prompt, and whose words they are.
    pub(crate) fn words(&self, prompt: &str) -> Answer {
        if self.memories().is_none() {
            return Answer::Unknown;
        }
        let mut live: Vec<&str> = Vec::new();
        for (of, said) in self.spoken() {
            for line in said {
                let (kind, class) = head(line);
                if kind == "grant" {
                    live.retain(|it| head(it) != ("limit", class));
                }
                if kind == "limit" || of == prompt {
                    live.push(line);
                }
            }
        }
        Answer::Names(live.into_iter().map(str::to_owned).collect())
    }

    /// Returns what still forbids, for people to read.
    #[must_use]
    pub fn limits(&self) -> Vec<String> {
        match self.words("") {
            Answer::Names(lines) => lines,
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Vec::new(),
        }
    }

    fn spoken(&self) -> impl Iterator<Item = (&str, &[String])> {
        let memories = self.memories().unwrap_or_default();
        memories.iter().filter_map(|it| match it {
            Memory::Spoken { prompt, said } => Some((prompt.as_str(), said.as_slice())),
            Memory::Began(_)
            | Memory::Remote { .. }
            | Memory::Host(_)
            | Memory::Own(_)
            | Memory::Worktree(_)
            | Memory::File { .. }
            | Memory::Manifest { .. }
            | Memory::Package(..)
            | Memory::Secret(_)
            | Memory::Denied(_)
            | Memory::Allowed
            | Memory::Person
            | Memory::Consent(_) => None,
        })
    }
}

fn head(line: &str) -> (&str, &str) {
    let mut parts = line.split(PART);
    (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    )
}
