//! The programs that a project makes, by its own manifests. A manifest that cannot be read, or that the
//! session wrote, names none.

use std::path::{Path, PathBuf};

use crate::look::{self, Gap};

/// How many folders up a manifest may lie.
const FOLDERS: usize = 8;

/// So many parts of a project are looked through.
const PARTS: usize = 200;

/// Folders whose folders are parts of a project, each with a manifest of its own.
const HOLDERS: [&str; 3] = ["crates", "packages", "apps"];

/// Tells whether the project of a folder makes a program of that name.
pub fn makes(folder: &Path, name: &str, ours: &dyn Fn(&Path) -> bool) -> Result<bool, Gap> {
    for folder in folder.ancestors().take(FOLDERS) {
        if part_makes(folder, name, ours) {
            return Ok(true);
        }
        if folder.join(".git").symlink_metadata().is_ok() {
            let mut parts = parts(folder)?.into_iter();
            return Ok(parts.any(|it| part_makes(&it, name, ours)));
        }
    }
    Ok(false)
}

fn parts(folder: &Path) -> Result<Vec<PathBuf>, Gap> {
    let mut parts = Vec::new();
    for holder in HOLDERS.map(|it| folder.join(it)) {
        let names = match look::names(&holder) {
            Ok(names) => names,
            Err(Gap::Absent) => continue,
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        parts.extend(names.iter().map(|it| holder.join(it)));
    }
    parts.truncate(PARTS);
    Ok(parts)
}

fn part_makes(folder: &Path, name: &str, ours: &dyn Fn(&Path) -> bool) -> bool {
    let says = |file: &str, read: fn(&str, &str) -> bool| {
        let path = folder.join(file);
        look::text(&path).is_ok_and(|text| read(&text, name)) && !ours(&path)
    };
    says("package.json", of_package)
        || says("Cargo.toml", of_crate)
        || says("pyproject.toml", of_python)
        || (look::is_file(&folder.join("go.mod")) && of_go(folder, name, ours))
}

/// `"bin": {"NAME": ...}`.
fn of_package(text: &str, name: &str) -> bool {
    crate::declared::json_names(text, &["bin"], name)
}

/// `name = "NAME"` in `[[bin]]`, or in `[package]`.
fn of_crate(text: &str, name: &str) -> bool {
    in_tables(text, &["[[bin]]", "[package]"], |key, value| {
        key == "name" && value == name
    })
}

/// `NAME = "module:function"` in the table of scripts.
fn of_python(text: &str, name: &str) -> bool {
    let tables = ["[project.scripts]", "[tool.poetry.scripts]"];
    in_tables(text, &tables, |key, _| key == name)
}

/// A folder `cmd/NAME` with code that the session did not write.
fn of_go(folder: &Path, name: &str, ours: &dyn Fn(&Path) -> bool) -> bool {
    let main = folder.join("cmd").join(name).join("main.go");
    !name.contains('/') && look::is_file(&main) && !ours(&main)
}

fn in_tables(text: &str, tables: &[&str], fits: impl Fn(&str, &str) -> bool) -> bool {
    let mut inside = false;
    text.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            inside = tables.contains(&line);
            return false;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| inside) else {
            return false;
        };
        let bare = |it: &str| it.trim().trim_matches(['"', '\'']).to_owned();
        fits(&bare(key), &bare(value))
    })
}
