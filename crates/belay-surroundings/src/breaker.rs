//! Notices that an agent keeps running into refusals, and hands over to a person.

use crate::session::{Memory, Session};

/// After how many denials a person must look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breaker {
    /// Denials one after the other.
    pub in_a_row: u32,
    /// Denials in the whole session.
    pub in_session: u32,
}

impl Default for Breaker {
    fn default() -> Self {
        Self {
            in_a_row: 3,
            in_session: 20,
        }
    }
}

/// What the breaker says of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breaking {
    /// Go on.
    Holds,
    /// A person must look.
    Tripped {
        /// Denials one after the other.
        in_a_row: u32,
        /// Denials in the session since a person last answered.
        in_session: u32,
        /// The effect that was denied most often, and how often.
        most: Option<(String, u32)>,
    },
}

impl Breaker {
    /// Looks at a session so far. Only denials count: an error of ours leaves no memory, and a memory
    /// that cannot be read trips nothing.
    #[must_use]
    pub fn look(self, session: &Session) -> Breaking {
        self.weigh(session.memories().unwrap_or_default())
    }

    fn weigh(self, memories: &[Memory]) -> Breaking {
        let mut in_a_row = 0;
        let mut effects: Vec<(String, u32)> = Vec::new();
        for memory in memories {
            match memory {
                Memory::Denied(effect) => {
                    in_a_row += 1;
                    match effects.iter_mut().find(|(known, _)| known == effect) {
                        Some((_, count)) => *count += 1,
                        None => effects.push((effect.clone(), 1)),
                    }
                }
                Memory::Allowed => in_a_row = 0,
                Memory::Person => {
                    in_a_row = 0;
                    effects.clear();
                }
                Memory::Began
                | Memory::Remote { .. }
                | Memory::Host(_)
                | Memory::File { .. }
                | Memory::Secret(_) => {}
            }
        }
        let in_session = effects.iter().map(|(_, count)| count).sum();
        if in_a_row >= self.in_a_row || in_session >= self.in_session {
            let most = effects.into_iter().max_by_key(|(_, count)| *count);
            Breaking::Tripped {
                in_a_row,
                in_session,
                most,
            }
        } else {
            Breaking::Holds
        }
    }
}

impl Session {
    /// Returns how often this effect was denied since a person last answered.
    #[must_use]
    pub fn denials(&self, effect: &str) -> usize {
        let memories = self.memories().unwrap_or_default();
        let since = memories
            .iter()
            .rev()
            .take_while(|it| **it != Memory::Person);
        since
            .filter(|it| matches!(it, Memory::Denied(known) if known == effect))
            .count()
    }

    /// Remembers how a call ended: the effects it was denied for, or nothing when it was allowed. An
    /// allowed call is only worth a line when it ends a row of denials.
    ///
    /// # Errors
    /// When the memory cannot be written.
    pub fn remember_end(&self, denied_for: &[String]) -> Result<(), crate::SessionError> {
        let memories = self.memories().unwrap_or_default();
        match denied_for.first() {
            Some(effect) => self.remember(&[Memory::Denied(effect.clone())]),
            None if ends_row(memories) => self.remember(&[Memory::Allowed]),
            None => Ok(()),
        }
    }
}

fn ends_row(memories: &[Memory]) -> bool {
    let last = memories.iter().rev().find_map(|it| match it {
        Memory::Denied(_) => Some(true),
        Memory::Allowed | Memory::Person => Some(false),
        Memory::Began
        | Memory::Remote { .. }
        | Memory::Host(_)
        | Memory::File { .. }
        | Memory::Secret(_) => None,
    });
    last.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Breaker = Breaker {
        in_a_row: 3,
        in_session: 5,
    };

    /// One letter for each end: `d` and `e` denied for two effects, `a` allowed, `p` a person.
    fn tripped(ends: &str) -> Option<(u32, u32, String)> {
        let memories: Vec<Memory> = ends
            .chars()
            .map(|it| match it {
                'a' => Memory::Allowed,
                'p' => Memory::Person,
                's' => Memory::Secret(String::new()),
                effect => Memory::Denied(effect.to_string()),
            })
            .collect();
        match ROW.weigh(&memories) {
            Breaking::Holds => None,
            Breaking::Tripped {
                in_a_row,
                in_session,
                most,
            } => Some((in_a_row, in_session, most.unwrap().0)),
        }
    }

    #[test]
    fn a_quiet_session_goes_on() {
        assert_eq!(tripped("aaa"), None)
    }
    #[test]
    fn two_in_a_row_go_on() {
        assert_eq!(tripped("dd"), None)
    }
    #[test]
    fn three_in_a_row_trip() {
        assert_eq!(tripped("ded"), Some((3, 3, "d".to_owned())))
    }
    #[test]
    fn an_allowed_call_ends_the_row() {
        assert_eq!(tripped("ddadd"), None)
    }
    #[test]
    fn other_memories_do_not_end_the_row() {
        assert_eq!(tripped("ddsd"), Some((3, 3, "d".to_owned())))
    }
    #[test]
    fn many_in_a_session_trip() {
        assert_eq!(tripped("eadaeaeae"), Some((1, 5, "e".to_owned())))
    }
    #[test]
    fn a_person_resets() {
        assert_eq!(tripped("ddddpdd"), None)
    }
}
