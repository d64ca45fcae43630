//! Which files a patch names.

use belay_model::Verb;

/// A file that a patch touches, and what is done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) path: String,
    pub(crate) verb: Verb,
    /// The lines that it gains.
    pub(crate) added: String,
}

/// Returns every file a patch touches; `None` when it names none that can be read.
pub(crate) fn touched(patch: &str) -> Option<Vec<Touched>> {
    let mut out: Vec<Touched> = Vec::new();
    let mut before: Option<&str> = None;
    for line in patch.lines() {
        let trimmed = line.trim_end();
        let found = if let Some(path) = trimmed.strip_prefix("*** Add File: ") {
            Some((path, Verb::Write))
        } else if let Some(path) = trimmed.strip_prefix("*** Update File: ") {
            Some((path, Verb::Write))
        } else if let Some(path) = trimmed.strip_prefix("*** Delete File: ") {
            Some((path, Verb::Delete))
        } else if let Some(path) = trimmed.strip_prefix("*** Move to: ") {
            Some((path, Verb::Write))
        } else if let Some(path) = trimmed.strip_prefix("--- ") {
            before = Some(side(path));
            None
        } else if let Some(path) = trimmed.strip_prefix("+++ ") {
            match (side(path), before.take()) {
                ("/dev/null", Some(old)) => Some((old, Verb::Delete)),
                (new, _) => Some((new, Verb::Write)),
            }
        } else {
            trimmed
                .strip_prefix("rename to ")
                .map(|path| (path, Verb::Write))
        };
        if let Some((path, verb)) = found {
            out.push(Touched {
                path: path.trim().to_owned(),
                verb,
                added: String::new(),
            });
        } else if let (Some(line), Some(last)) = (line.strip_prefix('+'), out.last_mut()) {
            last.added.push_str(line);
            last.added.push('\n');
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Takes the time stamp and the `a/` or `b/` from one side of a unified diff.
fn side(text: &str) -> &str {
    let path = text.split('\t').next().unwrap_or(text).trim();
    path.strip_prefix("a/")
        .or_else(|| path.strip_prefix("b/"))
        .unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::touched;

    fn check(patch: &str, expected: &[&str]) {
        let found = touched(patch).unwrap_or_default();
        let lines: Vec<String> = found
            .iter()
            .map(|it| format!("{} {}", it.verb, it.path))
            .collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn every_path_counts() {
        check(
            "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** Delete File: d\n*** End Patch",
            &["write a", "write b", "write c", "delete d"],
        );
        check("--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@", &["write x.rs"]);
        check("--- a/x.rs\n+++ /dev/null\n", &["delete x.rs"]);
        assert_eq!(touched("nothing here"), None);
    }
}
