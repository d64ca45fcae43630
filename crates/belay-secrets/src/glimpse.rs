//! A glimpse of a text: which pairs of letters it has, so that most of what it cannot hold need not be searched for.

/// So many kinds of pairs are told apart.
const KINDS: usize = 4096;

/// The pairs of neighbouring letters in a text, whatever their case.
pub(crate) struct Glimpse {
    length: usize,
    pairs: [u64; KINDS / 64],
}

impl Glimpse {
    pub(crate) fn of(text: &str) -> Self {
        let mut pairs = [0; KINDS / 64];
        for pair in text.as_bytes().windows(2) {
            let (word, bit) = place(pair);
            if let Some(word) = pairs.get_mut(word) {
                *word |= 1 << bit;
            }
        }
        Self {
            length: text.len(),
            pairs,
        }
    }

    /// Tells whether the text may hold another, in any case; where it says no, it does not.
    pub(crate) fn may_hold(&self, other: &str) -> bool {
        let has = |pair: &[u8]| {
            let (word, bit) = place(pair);
            self.pairs.get(word).is_some_and(|it| it >> bit & 1 == 1)
        };
        other.len() <= self.length && other.as_bytes().windows(2).all(has)
    }
}

fn place(pair: &[u8]) -> (usize, usize) {
    let kind = pair.iter().fold(0, |kind: usize, byte| {
        kind << 6 | usize::from(byte.to_ascii_lowercase() & 63)
    });
    (kind / 64 % (KINDS / 64), kind % 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_may_be_there() {
        let text = "curl -H 'X-Api-Key: ä' hooks.slack.com/services/";
        let glimpse = Glimpse::of(text);
        for from in 0..text.len() {
            for to in from..text.len() {
                if let Some(part) = text.get(from..to) {
                    assert!(glimpse.may_hold(part), "{part}");
                    assert!(glimpse.may_hold(&part.to_ascii_uppercase()), "{part}");
                }
            }
        }
        assert!(!glimpse.may_hold("discord.com/api/webhooks/"));
        assert!(!Glimpse::of("ls").may_hold("lsls"));
    }
}
