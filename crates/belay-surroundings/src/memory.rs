//! What a session remembers, each thing as one line.

use crate::consent::Consent;
use crate::line::{join, split_text};
use crate::session::{Before, Origin};

/// One thing worth remembering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The session began, at that time in seconds since 1970; what follows in the same breath was known then.
    Began(Option<u64>),
    /// A remote that was there when the session began.
    Remote {
        /// The repository's shared folder.
        repository: String,
        /// The remote's name.
        name: String,
        /// All its URLs.
        urls: Vec<String>,
    },
    /// A host that was known when the session began.
    Host(String),
    /// A repository, by its shared folder, in which somebody had committed on this machine when the session began.
    Own(String),
    /// The top of a working tree that was linked to the repository when the session began.
    Worktree(String),
    /// A file or tree that the agent made or changed.
    File {
        /// Where, links followed.
        path: String,
        /// How it came to be.
        origin: Origin,
        /// What was there before.
        before: Before,
        /// The hash of its contents, where they are known.
        hash: Option<String>,
    },
    /// What a manifest said before this session first wrote it.
    Manifest {
        /// Where, links followed.
        path: String,
        /// Its text; nothing where there was none.
        text: String,
    },
    /// A package that was installed by its name, and nobody had to be asked (ecosystem, name).
    Package(String, String),
    /// A secret that the agent read.
    Secret(String),
    /// A call was denied, for this effect.
    Denied(String),
    /// A call was allowed.
    Allowed,
    /// A person answered; denials before count no more.
    Person,
    /// What was said in a prompt, by the agent's name of it: a line for each grant and limit.
    Spoken {
        /// The prompt.
        prompt: String,
        /// What was said, as `Question::Words` answers.
        said: Vec<String>,
    },
    /// What a person was asked, and what they agreed to.
    Consent(Consent),
}

impl Memory {
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Began(None) => join(&["began"]),
            Self::Began(Some(at)) => join(&["began", &at.to_string()]),
            Self::Remote {
                repository,
                name,
                urls,
            } => {
                let mut words = vec!["remote", repository, name];
                words.extend(urls.iter().map(String::as_str));
                join(&words)
            }
            Self::Host(host) => join(&["host", host]),
            Self::Own(repository) => join(&["own", repository]),
            Self::Worktree(top) => join(&["worktree", top]),
            Self::File {
                path,
                origin,
                before,
                hash,
            } => join(&[
                "file",
                path,
                origin.word(),
                before.word(),
                hash.as_deref().unwrap_or("-"),
            ]),
            Self::Manifest { path, text } => join(&["manifest", path, text]),
            Self::Package(ecosystem, name) => join(&["package", ecosystem, name]),
            Self::Secret(name) => join(&["secret", name]),
            Self::Denied(effect) => join(&["denied", effect]),
            Self::Allowed => join(&["allowed"]),
            Self::Person => join(&["person"]),
            Self::Spoken { prompt, said } => {
                let mut words = vec!["spoken", prompt];
                words.extend(said.iter().map(String::as_str));
                join(&words)
            }
            Self::Consent(consent) => join(&consent.words()),
        }
    }

    pub(crate) fn parse(line: &str) -> Option<Self> {
        let words = split_text(line)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Some(match words.as_slice() {
            ["began"] => Self::Began(None),
            ["began", at] => Self::Began(Some(at.parse().ok()?)),
            ["remote", repository, name, urls @ ..] => Self::Remote {
                repository: (*repository).to_owned(),
                name: (*name).to_owned(),
                urls: urls.iter().map(|it| (*it).to_owned()).collect(),
            },
            ["host", host] => Self::Host((*host).to_owned()),
            ["own", repository] => Self::Own((*repository).to_owned()),
            ["worktree", top] => Self::Worktree((*top).to_owned()),
            ["file", path, origin, before, hash] => Self::File {
                path: (*path).to_owned(),
                origin: Origin::from_word(origin),
                before: Before::from_word(before),
                hash: (*hash != "-").then(|| (*hash).to_owned()),
            },
            ["manifest", path, text] => Self::Manifest {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            },
            ["package", ecosystem, name] => {
                Self::Package((*ecosystem).to_owned(), (*name).to_owned())
            }
            ["secret", name] => Self::Secret((*name).to_owned()),
            ["denied", effect] => Self::Denied((*effect).to_owned()),
            ["allowed"] => Self::Allowed,
            ["person"] => Self::Person,
            ["spoken", prompt, said @ ..] => Self::Spoken {
                prompt: (*prompt).to_owned(),
                said: said.iter().map(|it| (*it).to_owned()).collect(),
            },
            ["consent", rest @ ..] => Self::Consent(Consent::read(rest)?),
            _ => return None,
        })
    }
}
