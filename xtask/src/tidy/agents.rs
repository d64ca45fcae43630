//! What is peculiar to an agent stands in its own file: no other file names one.

use super::source::File;

/// Where each agent has its file.
const HOME: &str = "crates/belay-agents/src/adapters/";
/// Files that may name an agent, each with the reason.
const MAY_NAME: [(&str, &str); 2] = [
    (
        "crates/belay-agents/src/mcp.rs",
        "only one agent asks through a permission-prompt tool",
    ),
    (
        "crates/belay-e2e/src/client.rs",
        "lists the clients that the tests really run",
    ),
];

/// Lists lines that name an agent outside its own file, and reasons that no longer hold.
pub fn faults(files: &[File]) -> Vec<String> {
    let mut faults: Vec<String> = Vec::new();
    for file in files.iter().filter(|it| !it.path.starts_with(HOME)) {
        let mut named = file.lines.iter().filter(|it| names_agent(it)).peekable();
        let excused = MAY_NAME.iter().any(|(path, _)| *path == file.path);
        match (excused, named.peek()) {
            (true, None) => faults.push(format!(
                "{}: names no agent any more; take it off the list in `tidy/agents.rs`",
                file.path
            )),
            (true, Some(_)) | (false, None) => {}
            (false, Some(_)) => faults.extend(named.map(|line| {
                let line = line.trim();
                format!("{}: `{line}` belongs to the agent's own file", file.path)
            })),
        }
    }
    faults
}

/// Tells whether code on a line names a variant of `Agent`; what a comment says is free.
fn names_agent(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    code.match_indices("Agent::").any(|(at, found)| {
        let before = code.get(..at).unwrap_or_default();
        let mut after = code.get(at + found.len()..).unwrap_or_default().chars();
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        // `ALL` and the functions are not variants.
        let is_variant = after.next().is_some_and(char::is_uppercase)
            && after.next().is_some_and(char::is_lowercase);
        !before.ends_with(is_part) && is_variant
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, line: &str, wrong: usize) {
        let file = File {
            path: path.to_owned(),
            lines: vec![line.to_owned()],
        };
        assert_eq!(faults(&[file]).len(), wrong, "{path}: {line}");
    }

    #[test]
    fn only_its_own_file_names_an_agent() {
        let elsewhere = "crates/belay-agents/src/doctor/mod.rs";
        check(elsewhere, "        Agent::Codex => None,", 1);
        check(elsewhere, "    if agent == Agent::Amp {", 1);
        check(elsewhere, "    for agent in Agent::ALL {", 0);
        check(elsewhere, "    Agent::from_word(word)", 0);
        check(elsewhere, "    // as for Agent::Codex", 0);
        check(elsewhere, "    UserAgent::Codex", 0);
        check(&format!("{HOME}codex/trust.rs"), "is_ours(Agent::Codex)", 0);
        check(
            "crates/belay-agents/src/mcp.rs",
            "const AGENT: Agent = Agent::ClaudeCode;",
            0,
        );
        check("crates/belay-agents/src/mcp.rs", "", 1);
    }
}
