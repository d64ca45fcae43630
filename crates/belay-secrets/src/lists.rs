//! The lists of `policy/secrets.toml`.

/// How tokens of one issuer look.
pub(crate) struct Form {
    pub(crate) begin: &'static str,
    /// How many characters follow at least.
    pub(crate) least: usize,
    /// How many the issuer really gives.
    pub(crate) real: usize,
}

/// Flags that carry a secret.
pub(crate) struct Flag {
    pub(crate) programs: &'static [&'static str],
    pub(crate) flags: &'static [&'static str],
    /// In the same word.
    pub(crate) glued: bool,
    /// In the next word.
    pub(crate) next: bool,
    /// Only what follows this letter.
    pub(crate) part: Option<char>,
    /// Only after this word.
    pub(crate) with: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/secrets.rs"));

/// Tells whether a sorted list holds a word.
pub(crate) fn holds(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}
