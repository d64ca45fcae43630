//! The Rust files of the house.

use std::fs;
use std::path::Path;

use crate::Outcome;
use crate::run::root;

/// One source file that is not itself a test.
pub struct File {
    /// Its path below the root.
    pub path: String,
    /// Its lines before the tests.
    pub lines: Vec<String>,
}

/// Reads every file below `crates/*/src`, `crates/*/build.rs` and `xtask/src`.
pub fn files() -> Outcome<Vec<File>> {
    let mut found = Vec::new();
    walk(&root().join("crates"), &mut found)?;
    walk(&root().join("xtask/src"), &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<File>) -> Outcome {
    let fault = |why| format!("cannot read `{}`: {why}", folder.display());
    for entry in fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_symlink() {
            // Data of the house, linked into a crate so that it is packed with it.
            continue;
        }
        if path.is_dir() && !["tests", "target", "benches", "examples"].contains(&name.as_str()) {
            walk(&path, found)?;
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(file(&path)?);
        }
    }
    Ok(())
}

fn file(path: &Path) -> Outcome<File> {
    let text = fs::read_to_string(path)
        .map_err(|why| format!("cannot read `{}`: {why}", path.display()))?;
    let short = path.strip_prefix(root()).unwrap_or(path);
    let lines = text
        .lines()
        .take_while(|it| *it != "#[cfg(test)]")
        .map(str::to_owned);
    Ok(File {
        path: short.display().to_string(),
        lines: lines.collect(),
    })
}
