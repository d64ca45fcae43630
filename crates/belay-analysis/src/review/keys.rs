//! Keys and tokens in a text.

use super::Piece;

/// What a token begins with, and the least number of letters that follow.
const TOKENS: [(&str, usize); 22] = [
    ("AKIA", 16),
    ("ASIA", 16),
    ("ghp_", 36),
    ("gho_", 36),
    ("ghs_", 36),
    ("ghu_", 36),
    ("ghr_", 36),
    ("github_pat_", 50),
    ("glpat-", 20),
    ("sk-ant-", 40),
    ("sk-proj-", 40),
    ("sk_live_", 24),
    ("rk_live_", 24),
    ("xoxb-", 24),
    ("xoxp-", 24),
    ("AIza", 35),
    ("npm_", 36),
    ("pypi-AgE", 50),
    ("hf_", 34),
    ("dop_v1_", 64),
    ("shpat_", 32),
    ("SG.", 60),
];

/// Tells whether a file of that name would hold keys for good; tests, examples and documents hold made-up ones.
pub(super) fn may_be_kept(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let parts = [
        "test", "spec", "fixture", "example", "sample", "mock", "snapshot", "/docs/", "testdata",
        "__",
    ];
    !parts.iter().any(|it| path.contains(it)) && !path.ends_with(".md") && !path.ends_with(".lock")
}

/// Finds keys and tokens.
pub(super) fn keys(text: &str, found: &mut Vec<Piece>) {
    if text.contains("-----BEGIN ") && is_private(text) {
        found.push(Piece::Key("private key".to_owned()));
    }
    for (start, least) in TOKENS {
        let mut rest = text;
        while let Some(at) = rest.find(start) {
            let (before, from) = rest.split_at(at);
            let body = from.get(start.len()..).unwrap_or_default();
            let length = body
                .find(|it: char| !(it.is_ascii_alphanumeric() || "_-.".contains(it)))
                .unwrap_or(body.len());
            let token = body.get(..length).unwrap_or_default();
            let apart = before
                .chars()
                .next_back()
                .is_none_or(|it| !it.is_ascii_alphanumeric());
            if apart && length >= least && is_real(token) {
                found.push(Piece::Key(format!("{start}{token}")));
            }
            rest = body.get(length..).unwrap_or_default();
        }
    }
}

/// Tells whether a block of a private key has a body.
fn is_private(text: &str) -> bool {
    text.split("-----BEGIN ").skip(1).any(|it| {
        let head = it.split("-----").next().unwrap_or_default();
        let body = it.split("-----").nth(1).unwrap_or_default();
        head.ends_with("PRIVATE KEY") && body.trim().len() >= 64 && is_real(body.trim())
    })
}

/// Tells whether a text is not one that stands for a token: few different letters, or a word that says so.
fn is_real(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    let stands = [
        "example",
        "xxxx",
        "your",
        "placeholder",
        "dummy",
        "redacted",
        "....",
        "0000000",
        "1234567890",
    ];
    let mut letters: Vec<u8> = token.bytes().collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len() >= 8 && !stands.iter().any(|it| lower.contains(it))
}
