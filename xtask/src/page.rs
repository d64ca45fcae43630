//! `cargo xtask page`: the page in a real browser, the types of its script, and the recipes of the guide.

use std::process::Command;

use crate::Outcome;
use crate::run::{build, must, root};

/// How much is proved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// What fits into every run.
    Short,
    /// Five minutes of calls and a million records.
    Long,
}

/// How `tsc` reads the page's script: as strictly as it can, and nothing is written.
const TYPES: [&str; 9] = [
    "--noEmit",
    "--allowJs",
    "--checkJs",
    "--strict",
    "--target",
    "es2022",
    "--lib",
    "es2023,dom,dom.iterable",
    "crates/belay-page/assets/page.mjs",
];

/// Installs what is needed, and proves the page.
pub fn run(length: Length) -> Outcome {
    in_root("bash", &["scripts/install-page"])?;
    let types: Vec<&str> = std::iter::once(".cache/browser/node_modules/typescript/bin/tsc")
        .chain(TYPES)
        .collect();
    in_root("node", &types)?;
    build(&["belay-cli"])?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let belay = target.join("debug/belay");
    let belay = belay.to_string_lossy();
    in_root("python3", &["tests/page/recipes.py", &belay])?;
    let mut words = vec!["tests/page/prove.mjs", &*belay];
    if length == Length::Long {
        words.push("--long");
    }
    in_root("node", &words)
}

fn in_root(program: &str, words: &[&str]) -> Outcome {
    must(Command::new(program).args(words).current_dir(root()))
}
