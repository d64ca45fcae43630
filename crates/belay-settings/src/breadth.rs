//! What is too broad to be allowed by its name.

/// Programs that run whatever they are given: a prefix of them allows everything. Sorted.
const RUNNERS: &[&str] = &[
    "awk",
    "bash",
    "bun",
    "bunx",
    "command",
    "deno",
    "doas",
    "docker",
    "env",
    "eval",
    "exec",
    "find",
    "fish",
    "kubectl",
    "lua",
    "nice",
    "node",
    "nohup",
    "npx",
    "parallel",
    "perl",
    "php",
    "pipx",
    "pnpx",
    "podman",
    "powershell",
    "pwsh",
    "python",
    "python2",
    "python3",
    "ruby",
    "sed",
    "sh",
    "source",
    "ssh",
    "sudo",
    "time",
    "timeout",
    "tmux",
    "tsx",
    "uvx",
    "watch",
    "xargs",
    "zsh",
];
/// Sub-commands that run whatever they are given.
const RUNNING: &[(&str, &str)] = &[
    ("bun", "run"),
    ("bun", "x"),
    ("cargo", "run"),
    ("docker", "exec"),
    ("docker", "run"),
    ("go", "run"),
    ("kubectl", "exec"),
    ("npm", "exec"),
    ("npm", "run"),
    ("pnpm", "dlx"),
    ("pnpm", "exec"),
    ("pnpm", "run"),
    ("poetry", "run"),
    ("uv", "run"),
    ("yarn", "dlx"),
    ("yarn", "run"),
];
/// Tools whose calls can do anything.
pub(crate) const MIGHTY: &[&str] = &[
    "Agent",
    "Bash",
    "Edit",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "PowerShell",
    "Task",
    "Write",
    "replace",
    "run_shell_command",
    "write_file",
];

/// Tells whether an allow of these words would allow any code.
pub(crate) fn is_too_broad(words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().filter(|it| *it != "*").collect();
    match words.as_slice() {
        [] => true,
        [program] => RUNNERS.binary_search(program).is_ok(),
        [program, flag] if flag.starts_with('-') => RUNNERS.binary_search(program).is_ok(),
        [program, sub] => RUNNING.contains(&(program, sub)),
        [_, _, _, ..] => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        assert!(super::RUNNERS.is_sorted());
    }
}
