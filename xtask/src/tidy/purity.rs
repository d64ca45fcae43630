//! Pure rooms ask nothing of the world; clippy enforces it with one list, copied into each.

use std::path::Path;

use crate::Outcome;
use crate::run::root;

/// Rooms whose answers must be replayable.
const PURE: [&str; 9] = [
    "belay-model",
    "belay-secrets",
    "belay-shell",
    "belay-knowledge",
    "belay-places",
    "belay-policy",
    "belay-languages",
    "belay-analysis",
    "belay-page",
];

/// What their `clippy.toml` holds after the lines of the root's.
const FORBIDDEN: &str = include_str!("pure.clippy.toml");

/// Lists pure rooms whose `clippy.toml` is not the root's plus the list.
pub fn faults() -> Outcome<Vec<String>> {
    let base = crate::run::read("clippy.toml")?;
    let expected = format!("{base}\n{FORBIDDEN}");
    let rooms = PURE
        .iter()
        .map(|it| root().join("crates").join(it))
        .filter(|it| it.is_dir());
    Ok(rooms.filter_map(|room| fault(&room, &expected)).collect())
}

fn fault(room: &Path, expected: &str) -> Option<String> {
    let path = room.join("clippy.toml");
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let shown = path
        .strip_prefix(root())
        .unwrap_or(&path)
        .display()
        .to_string();
    (found != expected)
        .then(|| format!("{shown}: is not clippy.toml followed by xtask/src/tidy/pure.clippy.toml"))
}
