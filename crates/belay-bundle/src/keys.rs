//! The keys that may sign, as a line of the managed settings writes each.

use minisign_verify::PublicKey;

use crate::time;

/// One public key of minisign, and how long it is accepted.
#[derive(Clone, Debug)]
pub struct Key {
    pub(crate) key: PublicKey,
    /// The last second at which a new bundle may come with it.
    pub not_after: Option<u64>,
}

impl Key {
    /// Reads a line: the key, then perhaps `not_after=` and a day or moment.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (key, not_after) = match line.split_once(' ') {
            Some((key, rest)) => (key, Some(time::parse(rest.strip_prefix("not_after=")?)?)),
            None => (line, None),
        };
        let key = PublicKey::from_base64(key).ok()?;
        Some(Self { key, not_after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_and_its_end() {
        let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
        assert_eq!(Key::parse(key).unwrap().not_after, None);
        let ends = Key::parse(&format!("{key} not_after=1970-01-02")).unwrap();
        assert_eq!(ends.not_after, Some(2 * 86_400 - 1));
        for wrong in [
            "",
            "RWQ",
            &format!("{key} "),
            &format!("{key} not_after=soon"),
            &format!("{key} until=2027-01-01"),
            &format!("{key}{key}"),
        ] {
            assert!(Key::parse(wrong).is_none(), "{wrong}");
        }
    }
}
