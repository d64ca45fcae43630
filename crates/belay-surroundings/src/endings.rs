//! How the calls of a session ended, for those who notice that an agent runs against a wall.

use belay_model::Answer;

use crate::session::{Memory, Session, SessionError};

impl Session {
    /// Answers `Question::Endings`. A memory that cannot be read says nothing.
    pub(crate) fn endings(&self) -> Answer {
        let Some(memories) = self.memories() else {
            return Answer::Unknown;
        };
        let since = memories
            .iter()
            .rev()
            .take_while(|it| **it != Memory::Person);
        let mut ends: Vec<String> = since.filter_map(ending).collect();
        ends.reverse();
        Answer::Names(ends)
    }

    /// Remembers how a call ended: the effects it was denied for, or nothing when it was allowed. An
    /// allowed call is only worth a line when it ends a row of denials.
    ///
    /// # Errors
    /// When the memory cannot be written.
    pub fn remember_end(&self, denied_for: &[String]) -> Result<(), SessionError> {
        match denied_for.first() {
            Some(effect) => self.remember(&[Memory::Denied(effect.clone())]),
            None if self.ends_row() => self.remember(&[Memory::Allowed]),
            None => Ok(()),
        }
    }

    fn ends_row(&self) -> bool {
        let memories = self.memories().unwrap_or_default();
        let last = memories.iter().rev().find_map(|it| match it {
            Memory::Denied(_) => Some(true),
            Memory::Allowed | Memory::Person => Some(false),
            Memory::Began(_)
            | Memory::Remote { .. }
            | Memory::Host(_)
            | Memory::Own(_)
            | Memory::Worktree(_)
            | Memory::File { .. }
            | Memory::Manifest { .. }
            | Memory::Package(..)
            | Memory::Secret(_)
            | Memory::Spoken { .. }
            | Memory::Consent(_) => None,
        });
        last.unwrap_or(false)
    }
}

fn ending(memory: &Memory) -> Option<String> {
    match memory {
        Memory::Denied(effect) => Some(format!("denied {effect}")),
        Memory::Allowed => Some("allowed".to_owned()),
        Memory::Person
        | Memory::Began(_)
        | Memory::Remote { .. }
        | Memory::Host(_)
        | Memory::Own(_)
        | Memory::Worktree(_)
        | Memory::File { .. }
        | Memory::Manifest { .. }
        | Memory::Package(..)
        | Memory::Secret(_)
        | Memory::Spoken { .. }
        | Memory::Consent(_) => None,
    }
}
