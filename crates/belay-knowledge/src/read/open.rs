//! Flags that no file lists, of commands whose other flags do nothing.

use crate::OURS;

/// Tells whether the name of a flag that nobody listed speaks of running, writing or another server: then it is not inert,
/// even where all others are.
pub(super) fn speaks_of_acting(flag: &str) -> bool {
    let name = flag.trim_start_matches('-');
    let mut words = name.rsplit(['-', '_', '.']);
    let (Some(last), before) = (words.next(), words.next()) else {
        return false;
    };
    let holder = matches!(last, "file" | "dir" | "path" | "directory");
    name.len() > 1
        && (OURS.lists("acting-names", last)
            || holder && before.is_some_and(|it| OURS.lists("written-holders", it)))
}

/// Tells whether a word stands for what a file holds, in the way of clients that read values from files.
pub(super) fn names_file(word: &str) -> bool {
    let is_place = |it: &str| it.starts_with(['/', '~', '.']);
    word.starts_with("file://")
        || word.starts_with("fileb://")
        || word.strip_prefix('@').is_some_and(is_place)
}

#[cfg(test)]
mod tests {
    use super::{names_file, speaks_of_acting};

    #[test]
    fn values_that_files_hold() {
        assert!(names_file("file:///home/me/.aws/credentials"));
        assert!(names_file("fileb://key.pem"));
        assert!(names_file("@~/.ssh/id_rsa"));
        assert!(!names_file("@types/node"));
        assert!(!names_file("Name=a,Values=b"));
    }

    #[test]
    fn names_say_what_they_do() {
        assert!(speaks_of_acting("--output-file"));
        assert!(speaks_of_acting("--exec"));
        assert!(speaks_of_acting("--post_script"));
        assert!(speaks_of_acting("--api-url"));
        assert!(!speaks_of_acting("--output"));
        assert!(!speaks_of_acting("--file"));
        assert!(!speaks_of_acting("--limit"));
        assert!(!speaks_of_acting("-e"));
    }
}
