//! Who may come in: tokens, of which the file holds hashes only.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The tokens of a file: a hash on each line, and the team it stands for; or `reader` and a hash.
#[derive(Clone, Debug)]
pub struct Tokens {
    file: PathBuf,
}

/// The word before the hash of a token that may look at the fleet.
pub const READER: &str = "reader";

/// Whom a token belongs to, and so what it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// A machine: it sends its records and fetches the bundle.
    Machine {
        /// The team; where the line names none, a machine may say its own.
        team: Option<String>,
    },
    /// A person who looks: nothing else.
    Reader,
}

impl Tokens {
    /// Uses a file, read for every question: a token that is taken out is out at once.
    pub fn of(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
        }
    }

    /// Returns whom a header `authorization` belongs to; nobody where the file cannot be read.
    pub fn bearer(&self, header: Option<&str>) -> Option<Bearer> {
        let token = header?.strip_prefix("Bearer ")?;
        let text = std::fs::read_to_string(&self.file).ok()?;
        find(&text, token)
    }
}

/// Looks at every line, whichever fits, so that the time taken says nothing.
fn find(text: &str, token: &str) -> Option<Bearer> {
    let own = hash(token);
    let mut found = None;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let second = words.next();
        let (known, bearer) = match first {
            READER => (second.unwrap_or_default(), Bearer::Reader),
            known => {
                let team = second.map(str::to_owned);
                (known, Bearer::Machine { team })
            }
        };
        if is_same(known, &own) {
            found = Some(bearer);
        }
    }
    found
}

fn is_same(known: &str, own: &str) -> bool {
    let differing = known
        .bytes()
        .zip(own.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    known.len() == own.len() && differing == 0
}

/// Returns what the file holds of a token.
pub fn hash(token: &str) -> String {
    let bytes = Sha256::digest(token.as_bytes());
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_by_its_hash_and_names_its_team() {
        let (one, two) = (hash("one"), hash("two"));
        let text = format!("# tokens\n{one} core\n{two}\n");
        let of = |team: Option<&str>| {
            let team = team.map(str::to_owned);
            Some(Bearer::Machine { team })
        };
        assert_eq!(find(&text, "one"), of(Some("core")));
        assert_eq!(find(&text, "two"), of(None));
        assert_eq!(find(&text, "three"), None);
        assert_eq!(find(&text, ""), None);
    }

    #[test]
    fn who_reads_is_no_machine_and_the_other_way_round() {
        let (one, two) = (hash("one"), hash("two"));
        let text = format!("{READER} {one}\n{two} {READER}\n");
        assert_eq!(find(&text, "one"), Some(Bearer::Reader));
        let team = Some(READER.to_owned());
        assert_eq!(find(&text, "two"), Some(Bearer::Machine { team }));
        for wrong in ["", READER, &one] {
            assert_eq!(find(&text, wrong), None, "{wrong}");
        }
        assert_eq!(find(&format!("{READER}\n"), ""), None);
    }

    #[test]
    fn nobody_comes_in_without_a_file_or_with_a_hash() {
        let tokens = Tokens::of(Path::new("/nowhere"));
        assert_eq!(tokens.bearer(Some("Bearer one")), None);
        let text = format!("{}\n", hash("one"));
        assert_eq!(find(&text, &hash("one")), None);
    }
}
