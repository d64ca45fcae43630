//! The crates that are published: each holds all it reads, so that it builds outside of this tree.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Proof;
use crate::run::{cargo, output, root, target};
use crate::{Outcome, metadata};

/// Packs every crate that is published. With the long proof cargo builds each from what was packed.
pub fn pack(proof: Proof) -> Outcome {
    let names = metadata::published()?;
    let mut command = cargo(&["package", "--offline", "--allow-dirty", "--quiet"]);
    for name in &names {
        command.args(["--package", name]);
    }
    if proof == Proof::Short {
        command.arg("--no-verify");
    }
    // Tests stay at home, of which cargo warns a hundred times.
    output(&mut command)?;
    for name in &names {
        whole(name)?;
    }
    eprintln!("package: {} crates", names.len());
    Ok(())
}

/// Data that a crate takes from outside of its folder by a link, and licences.
fn whole(name: &str) -> Outcome {
    let version = metadata::line(&crate::run::read("Cargo.toml")?, "version")?;
    let packed = target()
        .join("package")
        .join(format!("{name}-{version}.crate"));
    let listed = output(Command::new("tar").arg("-tzf").arg(&packed))?;
    let prefix = format!("{name}-{version}/");
    let held: BTreeSet<&str> = listed
        .lines()
        .filter_map(|it| it.strip_prefix(&prefix))
        .collect();
    let folder = root().join("crates").join(name);
    let mut wanted: Vec<PathBuf> = ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]
        .map(PathBuf::from)
        .to_vec();
    let manifest = crate::run::read(&format!("crates/{name}/Cargo.toml"))?;
    for path in metadata::list(&manifest, "include")? {
        gather(
            &folder,
            Path::new(path.trim_start_matches('/')),
            &mut wanted,
        );
    }
    let missing = wanted
        .iter()
        .find(|it| !held.contains(it.to_string_lossy().as_ref()));
    match missing {
        None => Ok(()),
        Some(path) => Err(format!("the crate `{name}` lacks `{}`", path.display())),
    }
}

/// Lists all files at or below a path.
fn gather(folder: &Path, path: &Path, into: &mut Vec<PathBuf>) {
    let full = folder.join(path);
    if full.is_file() {
        into.push(path.to_owned());
    }
    for entry in std::fs::read_dir(&full).into_iter().flatten().flatten() {
        gather(folder, &path.join(entry.file_name()), into);
    }
}
