//! What a person agreed to in a session, and the questions that wait for proof of an answer.
//!
//! INVARIANT: a grant counts for one agent, one session and one project, until it ends, is taken back or
//! the session is taken up again; a memory that cannot be read grants nothing.

use belay_model::Answer;

use crate::session::{Memory, Session};

/// What a person was asked, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consent {
    /// The session was begun or taken up again: what was granted before counts no more.
    Renewed,
    /// A person was asked.
    Asked(Pending),
    /// A call that was asked about ran.
    Ran {
        /// The agent's own name of the call.
        call: String,
        /// The hash of tool and input as they ran.
        input: String,
    },
    /// It is known what became of the question about this call.
    Settled(String),
    /// A person said yes.
    Granted(Grant),
    /// A person said no to a call with this tool and input.
    Refused(String),
    /// A person took a grant back, by its name.
    Ended(String),
}

impl Consent {
    pub(crate) fn words(&self) -> Vec<String> {
        let words: Vec<&str> = match self {
            Self::Renewed => vec!["renewed"],
            Self::Asked(asked) => return asked.words(),
            Self::Ran { call, input } => vec!["ran", call, input],
            Self::Settled(call) => vec!["settled", call],
            Self::Granted(grant) => return grant.words(),
            Self::Refused(input) => vec!["refused", input],
            Self::Ended(id) => vec!["ended", id],
        };
        ["consent"]
            .into_iter()
            .chain(words)
            .map(str::to_owned)
            .collect()
    }

    pub(crate) fn read(words: &[&str]) -> Option<Self> {
        let owned = |it: &str| it.to_owned();
        Some(match words {
            ["renewed"] => Self::Renewed,
            ["asked", rest @ ..] => Self::Asked(Pending::read(rest)?),
            ["ran", call, input] => Self::Ran {
                call: owned(call),
                input: owned(input),
            },
            ["settled", call] => Self::Settled(owned(call)),
            ["granted", rest @ ..] => Self::Granted(Grant::read(rest)?),
            ["refused", input] => Self::Refused(owned(input)),
            ["ended", id] => Self::Ended(owned(id)),
            _ => return None,
        })
    }
}

/// A question that was put to a person, and what a yes would let through later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The agent's own name of the call.
    pub call: String,
    /// The hash of tool and input as they were judged.
    pub input: String,
    /// The record of the question.
    pub record: String,
    /// What a yes covers: a key for each effect.
    pub keys: Vec<String>,
}

impl Pending {
    fn words(&self) -> Vec<String> {
        let words = ["consent", "asked", &self.call, &self.input, &self.record];
        let mut words: Vec<String> = words.map(str::to_owned).to_vec();
        words.extend(self.keys.iter().cloned());
        words
    }

    fn read(words: &[&str]) -> Option<Self> {
        let [call, input, record, keys @ ..] = words else {
            return None;
        };
        Some(Self {
            call: (*call).to_owned(),
            input: (*input).to_owned(),
            record: (*record).to_owned(),
            keys: keys.iter().map(|it| (*it).to_owned()).collect(),
        })
    }
}

/// What a person's yes lets through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Its name.
    pub id: String,
    /// The agent it counts for.
    pub agent: String,
    /// The project it counts in.
    pub root: String,
    /// When it ends, in seconds since 1970.
    pub until: u64,
    /// The record of the question that was answered.
    pub record: String,
    /// What it covers.
    pub key: String,
}

impl Grant {
    fn words(&self) -> Vec<String> {
        let until = self.until.to_string();
        let words = [
            "consent",
            "granted",
            &self.id,
            &self.agent,
            &self.root,
            &until,
            &self.record,
            &self.key,
        ];
        words.map(str::to_owned).to_vec()
    }

    fn read(words: &[&str]) -> Option<Self> {
        let [id, agent, root, until, record, key] = words else {
            return None;
        };
        Some(Self {
            id: (*id).to_owned(),
            agent: (*agent).to_owned(),
            root: (*root).to_owned(),
            until: until.parse().ok()?,
            record: (*record).to_owned(),
            key: (*key).to_owned(),
        })
    }
}

impl Session {
    /// Answers `Question::Consent`.
    pub(crate) fn consent(&self, agent: &str, root: &str, now: u64) -> Answer {
        if self.memories().is_none() {
            return Answer::Unknown;
        }
        let ours = |it: &Grant| it.agent == agent && it.root == root;
        let granted = self.grants(now).into_iter().filter(ours);
        let yes = granted.map(|it| format!("yes {} {}", it.id, it.key));
        let no = self.refusals().into_iter().map(|it| format!("no {it}"));
        Answer::Names(yes.chain(no).collect())
    }

    /// Returns the grants that count at that moment, in seconds since 1970.
    #[must_use]
    pub fn grants(&self, now: u64) -> Vec<Grant> {
        let mut live: Vec<Grant> = Vec::new();
        for consent in self.consents() {
            match consent {
                Consent::Renewed => live.clear(),
                Consent::Granted(grant) => {
                    live.retain(|it| it.key != grant.key);
                    live.extend((now < grant.until).then(|| grant.clone()));
                }
                Consent::Ended(id) => live.retain(|it| it.id != *id),
                Consent::Asked(_)
                | Consent::Ran { .. }
                | Consent::Settled(_)
                | Consent::Refused(_) => {}
            }
        }
        live
    }

    /// Returns the question of a record, if it was put since the session was begun or taken up again.
    #[must_use]
    pub fn asked(&self, record: &str) -> Option<Pending> {
        let since = self.consents().rev();
        let since = since.take_while(|it| **it != Consent::Renewed);
        let mut asked = since.filter_map(|it| match it {
            Consent::Asked(asked) => Some(asked),
            Consent::Renewed
            | Consent::Ran { .. }
            | Consent::Settled(_)
            | Consent::Granted(_)
            | Consent::Refused(_)
            | Consent::Ended(_) => None,
        });
        asked.find(|it| it.record == record).cloned()
    }

    fn consents(&self) -> impl DoubleEndedIterator<Item = &Consent> {
        let memories = self.memories().unwrap_or_default();
        memories.iter().filter_map(of_consent)
    }

    /// Returns the calls that a person refused since they last spoke.
    fn refusals(&self) -> Vec<String> {
        let memories = self.memories().unwrap_or_default().iter().rev();
        let since = memories
            .take_while(|it| !matches!(it, Memory::Person | Memory::Consent(Consent::Renewed)));
        let refused = since.filter_map(of_consent).filter_map(|it| match it {
            Consent::Refused(input) => Some(input.clone()),
            Consent::Renewed
            | Consent::Asked(_)
            | Consent::Ran { .. }
            | Consent::Settled(_)
            | Consent::Granted(_)
            | Consent::Ended(_) => None,
        });
        refused.collect()
    }

    /// Returns the newest questions of which it is not known what became of them, with the hash of what
    /// ran then, newest first.
    #[must_use]
    pub fn pending(&self, most: usize) -> Vec<(Pending, Option<String>)> {
        let mut found: Vec<(Pending, Option<String>)> = Vec::new();
        for consent in self.consents() {
            match consent {
                Consent::Renewed => found.clear(),
                Consent::Asked(asked) => found.push((asked.clone(), None)),
                Consent::Ran { call, input } => found
                    .iter_mut()
                    .filter(|(it, _)| it.call == *call)
                    .for_each(|(_, ran)| *ran = Some(input.clone())),
                Consent::Settled(call) => found.retain(|(it, _)| it.call != *call),
                Consent::Granted(_) | Consent::Refused(_) | Consent::Ended(_) => {}
            }
        }
        found.reverse();
        found.truncate(most);
        found
    }
}

const fn of_consent(memory: &Memory) -> Option<&Consent> {
    match memory {
        Memory::Consent(consent) => Some(consent),
        Memory::Began(_)
        | Memory::Spoken { .. }
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
        | Memory::Person => None,
    }
}
