//! Keys and tokens in a text.

use super::Piece;

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
    let real = belay_secrets::tokens(text).filter(|it| it.real);
    let shown = real.filter_map(|it| text.get(it.place));
    found.extend(shown.map(|it| Piece::Key(it.to_owned())));
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
