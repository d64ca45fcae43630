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

/// Finds keys and tokens, in one pass over the text.
pub(super) fn keys(text: &str, found: &mut Vec<Piece>) {
    if text.contains("-----BEGIN ") && is_private(text) {
        found.push(Piece::Key("private key".to_owned()));
    }
    let parts = |it: &u8| !(it.is_ascii_alphanumeric() || b"_-.".contains(it));
    for word in text
        .as_bytes()
        .split(parts)
        .filter(|it| it.len() >= SHORTEST)
    {
        let word = std::str::from_utf8(word).unwrap_or_default();
        let word = word.trim_start_matches(['-', '_', '.']);
        let of = |(start, least): &(&str, usize)| {
            let rest = word.strip_prefix(start)?;
            (rest.len() >= *least && is_real(rest)).then_some(())
        };
        if TOKENS.iter().find_map(of).is_some() {
            found.push(Piece::Key(word.to_owned()));
        }
    }
}

/// No token is shorter.
const SHORTEST: usize = 20;

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
