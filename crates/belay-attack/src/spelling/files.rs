//! Other ways to name the same file to a tool that edits, writes or reads it.

use autobelay::Value;

use super::Form::Path;
use super::{Needs, Spelling, spelling, transparent};
use crate::line::Scene;

#[rustfmt::skip]
pub const ALL: [Spelling; 5] = [
    transparent("file: dots", Needs::Nothing, Path(|path, _| Some(path.replacen('/', "/./", 1)))),
    transparent("file: doubled slash", Needs::Nothing, Path(|path, _| match path.strip_prefix('/') {
        Some(rest) => Some(format!("/{}", rest.replacen('/', "//", 1))),
        None => Some(path.replacen('/', "//", 1)),
    })),
    spelling("file: out and in again", Needs::Nothing, Path(|path, scene| {
        let folder = scene.cwd.rsplit('/').next().filter(|it| !it.is_empty())?;
        match path.starts_with('/') {
            true => Some(format!("/usr/..{path}")),
            false => Some(format!("../{folder}/{path}")),
        }
    })),
    transparent("file: from the root", Needs::Nothing, Path(|path, scene| {
        let relative = !path.starts_with(['/', '~']) && !scene.cwd.is_empty();
        relative.then(|| format!("{}/{path}", scene.cwd))
    })),
    transparent("file: from here", Needs::Nothing, Path(|path, scene| {
        let inside = path.strip_prefix(scene.cwd.as_str())?.strip_prefix('/')?;
        (!scene.cwd.is_empty() && !inside.is_empty()).then(|| inside.to_owned())
    })),
];

/// Members of inputs that name the file a tool is about.
const MEMBERS: [&str; 8] = [
    "file_path",
    "path",
    "filePath",
    "target_file",
    "absolute_path",
    "notebook_path",
    "file",
    "filename",
];

/// How a patch names a file.
const MARKS: [&str; 4] = [
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// Writes the files that an input names anew; none where it names none.
pub fn write(
    input: &Value,
    scene: &Scene,
    form: fn(&str, &Scene) -> Option<String>,
) -> Option<Value> {
    let Value::Object(members) = input else {
        return None;
    };
    let mut changed = false;
    let mut out = Vec::new();
    for (name, value) in members {
        let fresh = match value.text() {
            Some(path) if MEMBERS.contains(&name.as_str()) && is_plain(path) => form(path, scene),
            Some(text) if text.contains("*** Begin Patch") => Some(patched(text, scene, form)),
            Some(_) | None => None,
        };
        let fresh = fresh.filter(|it| Some(it.as_str()) != value.text());
        changed |= fresh.is_some();
        out.push((
            name.clone(),
            fresh.map_or_else(|| value.clone(), |it| Value::from(it.as_str())),
        ));
    }
    changed.then_some(Value::Object(out))
}

fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && path
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c))
}

fn patched(text: &str, scene: &Scene, form: fn(&str, &Scene) -> Option<String>) -> String {
    let lines = text.lines().map(|line| {
        let mark = MARKS.iter().find(|it| line.starts_with(**it));
        let fresh = mark.and_then(|mark| {
            let path = line.strip_prefix(mark).filter(|it| is_plain(it))?;
            Some(format!("{mark}{}", form(path, scene)?))
        });
        fresh.unwrap_or_else(|| line.to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}
