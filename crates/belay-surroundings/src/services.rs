//! The services of the project's own compose file.

use std::path::{Path, PathBuf};

use belay_knowledge::OURS;

use crate::look::{self, Gap};

/// The file of variables that is read beside them: it may name another file or another project.
const VARIABLES: &str = ".env";
/// So many folders upwards are looked into.
const FOLDERS: usize = 16;
/// Contexts that lead to this machine.
const LOCAL: [&str; 3] = ["", "default", "desktop-linux"];

/// Tells whether a variable leads container tools to another machine, another file or another project.
#[must_use]
pub(crate) fn steers_services(name: &str) -> bool {
    OURS.lists("service-variables", name)
}

/// Returns the names of files that say which services there are, and of what is laid over them.
fn files() -> impl Iterator<Item = &'static str> {
    let files = OURS.all_said("task-files", "compose");
    files.chain(OURS.words_of("service-files"))
}

/// Tells whether a folder's services are the project's own: of files that the session did not write, on this machine.
pub fn are_own(
    folder: &Path,
    home: Option<&Path>,
    ours: &dyn Fn(&Path) -> bool,
) -> Result<bool, Gap> {
    for folder in folder.ancestors().take(FOLDERS) {
        let paths: Vec<PathBuf> = files().map(|it| folder.join(it)).collect();
        let mut there = paths.iter().filter(|it| it.symlink_metadata().is_ok());
        if there.clone().next().is_some() {
            let variables = folder.join(VARIABLES);
            let written = there.any(|it| !look::is_file(it) || ours(it)) || ours(&variables);
            return Ok(!written && leads_here(home)?);
        }
        if folder.join(".git").symlink_metadata().is_ok() {
            break;
        }
    }
    Ok(false)
}

/// Tells whether a compose file puts the port of a database there, and nothing else at that port.
pub fn publishes_database(folder: &Path, port: u16) -> Result<bool, Gap> {
    let mut published = Vec::new();
    for folder in crate::databases::upwards(folder) {
        for name in files() {
            match look::text(&folder.join(name)) {
                Ok(text) => published.extend(publishers(&text, port)),
                Err(Gap::Absent) => {}
                Err(Gap::Closed) => return Err(Gap::Closed),
            }
        }
        if !published.is_empty() {
            break;
        }
    }
    Ok(!published.is_empty() && published.iter().all(|it| OURS.lists("databases", it)))
}

/// Returns the images of the services that are reached at a port; an unnamed one for what cannot be read.
fn publishers(text: &str, port: u16) -> Vec<String> {
    let mut images = Vec::new();
    let (mut image, mut indent) = (String::new(), None);
    let lines = text.lines().map(|it| it.split(" #").next().unwrap_or(it));
    for line in lines.skip_while(|it| it.trim_end() != "services:").skip(1) {
        let depth = line.len() - line.trim_start().len();
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if depth <= *indent.get_or_insert(depth) {
            image.clear();
        }
        if let Some(name) = line.strip_prefix("image:") {
            let name = name.trim().trim_matches(['"', '\'']);
            let name = name.rsplit('/').next().unwrap_or_default();
            image = name.split([':', '@']).next().unwrap_or_default().to_owned();
        }
        let words = line.split(|it: char| !it.is_ascii_digit() && it != ':' && it != '.');
        let reached = |it: &str| {
            let mut parts = it.rsplit(':');
            let inside = parts.next().is_some_and(|it| !it.is_empty());
            inside && parts.next().is_some_and(|it| it.parse() == Ok(port))
        };
        if words.into_iter().any(reached) {
            images.push(image.clone());
        }
    }
    images
}

/// Tells whether the user's settings lead container tools to this machine.
fn leads_here(home: Option<&Path>) -> Result<bool, Gap> {
    let Some(home) = home else {
        return Ok(false);
    };
    let text = match look::text(&home.join(".docker/config.json")) {
        Ok(text) => text,
        Err(Gap::Absent) => return Ok(true),
        Err(Gap::Closed) => return Err(Gap::Closed),
    };
    let Some((_, rest)) = text.split_once("\"currentContext\"") else {
        return Ok(true);
    };
    let mut parts = rest.splitn(3, '"');
    let colon = parts.next().is_some_and(|it| it.trim() == ":");
    Ok(colon && parts.next().is_some_and(|it| LOCAL.contains(&it)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::are_own;

    fn check(files: &[(&str, &str)], written: Option<&str>, expected: bool) {
        let room = tempfile::tempdir().unwrap();
        let folder = room.path().join("code/shop");
        fs::create_dir_all(folder.join(".git")).unwrap();
        for (name, text) in files {
            let path = room.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let written = written.map(|it| room.path().join(it));
        let ours = |it: &Path| Some(it) == written.as_deref();
        let own = are_own(&folder, Some(room.path()), &ours).ok();
        assert_eq!(own, Some(expected), "{files:?} {written:?}");
    }

    #[test]
    fn services_of_the_projects_own_file() {
        let file = ("code/shop/compose.yaml", "services: {}");
        check(&[], None, false);
        check(&[file], None, true);
        check(&[("code/compose.yaml", "services: {}")], None, false);
        check(&[file], Some("code/shop/compose.yaml"), false);
        check(
            &[file, ("code/shop/.env", "A=1")],
            Some("code/shop/.env"),
            false,
        );
    }

    #[test]
    fn a_context_may_lead_elsewhere() {
        let file = ("code/shop/compose.yaml", "services: {}");
        for (text, own) in [
            ("{}", true),
            ("{\"currentContext\": \"default\"}", true),
            ("{\"currentContext\":\"prod\"}", false),
            ("{\"currentContext\"", false),
        ] {
            check(&[file, (".docker/config.json", text)], None, own);
        }
    }
}
