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
        head.ends_with("PRIVATE KEY")
            && body.trim().len() >= 64
            && belay_secrets::is_real(body.trim())
    })
}
