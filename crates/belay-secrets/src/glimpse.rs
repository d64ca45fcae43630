//! A glimpse of a text: which pairs of letters it has, so that most of what it cannot hold need not be searched for.

/// So many kinds of letters are told apart; letters that differ only in case are one kind.
const LETTERS: usize = 32;

/// The pairs of neighbouring letters in a text, whatever their case: for each kind of letter, those that follow it.
pub(crate) struct Glimpse {
    length: usize,
    pairs: [u32; LETTERS],
}

impl Glimpse {
    pub(crate) fn of(text: &str) -> Self {
        let mut pairs = [0; LETTERS];
        let mut bytes = text.bytes();
        let mut before = kind(bytes.next().unwrap_or_default());
        for byte in bytes {
            let after = kind(byte);
            if let Some(pairs) = pairs.get_mut(before) {
                *pairs |= 1 << after;
            }
            before = after;
        }
        Self {
            length: text.len(),
            pairs,
        }
    }

    /// Tells whether the text may hold another, in any case; where it says no, it does not.
    pub(crate) fn may_hold(&self, other: &str) -> bool {
        let has = |pair: &[u8]| match pair {
            [before, after] => self
                .pairs
                .get(kind(*before))
                .is_some_and(|it| it >> kind(*after) & 1 == 1),
            _ => true,
        };
        other.len() <= self.length && other.as_bytes().windows(2).all(has)
    }
}

const fn kind(byte: u8) -> usize {
    byte as usize % LETTERS
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
