//! What may stand where a phrase names a target. INVARIANT: one word, as it was typed; nothing is corrected.

/// A place for a target in a phrase.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    Branch,
    Package,
    Port,
    Address,
    Machine,
    Path,
}

/// Words that stand for something else, or for no package and no branch at all.
const NOUNS: [&str; 24] = [
    "it",
    "this",
    "that",
    "them",
    "everything",
    "all",
    "dependencies",
    "deps",
    "packages",
    "modules",
    "instructions",
    "requirements",
    "script",
    "scripts",
    "the",
    "a",
    "an",
    "something",
    "anything",
    "github",
    "origin",
    "remote",
    "upstream",
    "hooks",
];

impl Slot {
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "BRANCH" | "origin/BRANCH" => Self::Branch,
            "PACKAGE" => Self::Package,
            "PORT" => Self::Port,
            "URL" => Self::Address,
            "HOST" => Self::Machine,
            "PATH" => Self::Path,
            _ => return None,
        })
    }

    /// Returns the target that a word names, as policy compares it.
    pub(crate) fn take(self, word: &str) -> Option<String> {
        let known = !NOUNS.contains(&word.to_lowercase().as_str());
        match self {
            Self::Branch => {
                let branch = word.strip_prefix("origin/").unwrap_or(word);
                (known && is_made_of(branch, "._/-")).then(|| branch.to_owned())
            }
            Self::Package => (known && is_made_of(word, "@._/-")).then(|| word.to_owned()),
            Self::Port => {
                let port: u16 = word.parse().ok()?;
                (port > 0).then(|| format!("{port}/tcp"))
            }
            Self::Address => address(word),
            Self::Machine => {
                let named =
                    word.contains(['.', '@', '-']) || word.ends_with(|c: char| c.is_ascii_digit());
                (named && is_made_of(word, "@._-")).then(|| word.to_owned())
            }
            Self::Path => {
                let path = word.trim_end_matches('/').trim_start_matches("./");
                let named = word.contains('/') || (path.contains('.') && !path.ends_with('.'));
                let plain = !word.contains("://")
                    && !word.contains("..")
                    && is_made_of(path, "._/-@~+[]()");
                (named && plain && !path.is_empty()).then(|| path.to_owned())
            }
        }
    }
}

fn is_made_of(word: &str, marks: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || marks.contains(it))
}

/// Returns the host of an address, with its port; one that carries a name or a password names none.
fn address(word: &str) -> Option<String> {
    let rest = word
        .strip_prefix("https://")
        .or_else(|| word.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = host.contains('.')
        && host
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || ".-:".contains(it));
    plain.then(|| host.to_ascii_lowercase())
}
