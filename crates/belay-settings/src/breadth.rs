//! What is too broad to be allowed by its name.

use belay_knowledge::{OURS, Tool, ToolKind};

/// Tells whether calls of a tool can do anything: run commands and code, write files, start agents.
pub(crate) fn is_mighty(tool: &str) -> bool {
    match OURS.tool(tool).map(Tool::kind) {
        Some(
            ToolKind::Shell
            | ToolKind::ForeignShell
            | ToolKind::ShellInput
            | ToolKind::Code
            | ToolKind::Edit
            | ToolKind::Notebook
            | ToolKind::Patch
            | ToolKind::Agent,
        ) => true,
        Some(_) | None => false,
    }
}

/// The list of those that run whatever they are given.
const RUNS_ANYTHING: &str = "runs-anything";

/// Tells whether an allow of these words would allow any code.
pub(crate) fn is_too_broad(words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().filter(|it| *it != "*").collect();
    match words.as_slice() {
        [] => true,
        [program] => runs_anything(program),
        [program, flag] if flag.starts_with('-') => runs_anything(program),
        [program, sub] => has_running(program, sub),
        [_, _, _, ..] => false,
    }
}

fn runs_anything(program: &str) -> bool {
    let usual = OURS.same_program(program).unwrap_or(program);
    OURS.lists(RUNS_ANYTHING, usual)
}

/// Tells whether a sub-command, by any of its names, runs what it is given.
fn has_running(program: &str, sub: &str) -> bool {
    let usual = OURS.same_subcommand(program, &[sub]);
    let usual = usual.map_or_else(|| sub.to_owned(), |it| it.join(" "));
    OURS.lists(RUNS_ANYTHING, &format!("{program} {usual}"))
}

#[cfg(test)]
mod tests {
    use super::is_too_broad;

    #[test]
    fn what_runs_anything_is_too_broad_by_any_name() {
        for words in [
            "*",
            "python",
            "python3.12 *",
            "gawk",
            "sh -c",
            "npm run",
            "npm run-script *",
            "cargo r",
        ] {
            assert!(is_too_broad(words), "{words}");
        }
        for words in [
            "python manage.py",
            "npm run build",
            "cargo build *",
            "git status",
            "docker ps",
            "ls",
        ] {
            assert!(!is_too_broad(words), "{words}");
        }
    }
}
