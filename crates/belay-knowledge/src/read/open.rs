//! Flags that no file lists, of commands whose other flags do nothing.

use crate::OURS;

/// Tells whether the name of a flag that nobody listed speaks of running or writing: then it is not inert,
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

#[cfg(test)]
mod tests {
    use super::speaks_of_acting;

    #[test]
    fn names_say_what_they_do() {
        assert!(speaks_of_acting("--output-file"));
        assert!(speaks_of_acting("--exec"));
        assert!(speaks_of_acting("--post_script"));
        assert!(!speaks_of_acting("--output"));
        assert!(!speaks_of_acting("--file"));
        assert!(!speaks_of_acting("--limit"));
        assert!(!speaks_of_acting("-e"));
    }
}
