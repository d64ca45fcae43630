//! Tests that are no longer run.

use super::Piece;

/// Words that switch a test off.
const SKIPS: [&str; 18] = [
    ".skip(",
    "xit(",
    "xdescribe(",
    "xtest(",
    "it.only(",
    "describe.only(",
    "test.only(",
    "@pytest.mark.skip",
    "@unittest.skip",
    "pytest.skip(",
    "#[ignore",
    "@Disabled",
    "@Ignore",
    "t.Skip(",
    "t.SkipNow(",
    "@skip",
    "skipTest(",
    "markTestSkipped(",
];

/// Tells whether a file holds tests.
pub(super) fn is_test(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    ["test", "spec"].iter().any(|it| path.contains(it))
}

/// Finds tests that are switched off.
pub(super) fn skips(text: &str, found: &mut Vec<Piece>) {
    let signs = [
        "kip",
        "xit(",
        "xdescribe(",
        "xtest(",
        ".only(",
        "gnore",
        "isabled",
    ];
    if !signs.iter().any(|it| text.contains(it)) {
        return;
    }
    for line in text
        .lines()
        .filter(|line| SKIPS.iter().any(|it| line.contains(it)))
    {
        found.push(Piece::Skip(line.trim().to_owned()));
    }
}
