//! Flags that no file lists, of commands whose other flags do nothing.

/// Last words of names that speak of running or writing.
const ACTS: [&str; 17] = [
    "cmd", "command", "download", "dump", "eval", "exec", "execute", "fix", "hook", "out",
    "outdir", "outfile", "plugin", "save", "script", "upload", "write",
];

/// Words before `file` or `dir` that make it one that is written.
const WRITTEN: [&str; 8] = [
    "download", "dump", "export", "log", "out", "output", "save", "write",
];

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
        && (ACTS.contains(&last) || holder && before.is_some_and(|it| WRITTEN.contains(&it)))
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
