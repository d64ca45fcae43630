//! Words the house does not use for its types and files.

use super::source::File;

const TYPE_ENDINGS: [&str; 6] = ["Manager", "Handler", "Helper", "Util", "Info", "Data"];
const FILE_NAMES: [&str; 6] = ["common", "misc", "util", "utils", "helper", "helpers"];

/// Lists types and files that say nothing by their name.
pub fn faults(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files {
        if path_parts(&file.path).any(|part| FILE_NAMES.contains(&part)) {
            faults.push(format!(
                "{}: a file is named after what it is for",
                file.path
            ));
        }
        let named = file.lines.iter().filter_map(|line| type_name(line));
        for name in named.filter(|name| TYPE_ENDINGS.iter().any(|it| name.ends_with(it))) {
            faults.push(format!(
                "{}: `{name}` says nothing by its ending",
                file.path
            ));
        }
    }
    faults
}

fn path_parts(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '.'])
}

fn type_name(line: &str) -> Option<&str> {
    let words: Vec<&str> = line
        .split(|it: char| !(it.is_alphanumeric() || it == '_'))
        .filter(|it| !it.is_empty())
        .collect();
    let at = words
        .iter()
        .position(|it| ["struct", "enum", "trait", "type"].contains(it))?;
    let only_visibility = words
        .iter()
        .take(at)
        .all(|it| ["pub", "crate", "super"].contains(it));
    if only_visibility {
        words.get(at + 1).copied()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_is_found() {
        let lines = vec!["pub(crate) struct HookHandler {".to_owned()];
        let file = File {
            path: "crates/a/src/common.rs".to_owned(),
            lines,
        };
        assert_eq!(faults(&[file]).len(), 2);
    }
}
