//! The folder that a command is told to run in: which members of an input each host heeds. What a host
//! ignores, we ignore; of hosts that were not run nothing is known, and the gate reads the call both ways.

use belay_model::{Call, Value};

use crate::Agent;

/// Members that some host heeds.
const FOLDERS: [&str; 7] = [
    "cwd",
    "Cwd",
    "workdir",
    "working_directory",
    "dir_path",
    "directory",
    "cd",
];

/// Members that hold what a shell runs.
const COMMANDS: [&str; 3] = ["command", "cmd", "script"];

/// Moves the folder that a host heeds into the call, and takes out those that it ignores.
pub(crate) fn settle(agent: Agent, call: &mut Call) {
    let Some(heeded) = agent.adapter().heeded_folders() else {
        return;
    };
    let Value::Object(members) = &mut call.input else {
        return;
    };
    let runs = |(name, _): &(String, Value)| COMMANDS.contains(&name.as_str());
    if !members.iter().any(runs) {
        return;
    }
    let plain = |folder: &str| !folder.is_empty() && !folder.starts_with('~');
    let named = members.iter().find(|(it, _)| heeded.contains(&it.as_str()));
    let folder = named.and_then(|(_, it)| it.text()).filter(|it| plain(it));
    let moved = folder.map(|folder| match folder.starts_with('/') {
        true => folder.to_owned(),
        false => format!("{}/{folder}", call.cwd),
    });
    // One that cannot be followed stays, and is read both ways.
    let stays = |name: &str| heeded.contains(&name) && moved.is_none();
    members.retain(|(name, _)| !FOLDERS.contains(&name.as_str()) || stays(name));
    if let Some(moved) = moved {
        call.cwd = moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(agent: Agent, input: &str, wanted: (&str, &str)) {
        let mut call = Call {
            input: belay_journal::json::read(input.as_bytes()).unwrap_or_default(),
            cwd: "/p".to_owned(),
            ..Call::default()
        };
        settle(agent, &mut call);
        let left = belay_journal::json::compact(&call.input);
        assert_eq!(
            (call.cwd.as_str(), left.as_str()),
            wanted,
            "{agent} {input}"
        );
    }

    #[test]
    fn a_folder_counts_where_the_host_heeds_it() {
        let rm = |folder: &str| format!(r#"{{"command":"rm x","{folder}":"/tmp/x"}}"#);
        let left = r#"{"command":"rm x"}"#;
        check(Agent::Gemini, &rm("cwd"), ("/p", left));
        check(Agent::Gemini, &rm("dir_path"), ("/tmp/x", left));
        check(Agent::Copilot, &rm("cwd"), ("/p", left));
        check(Agent::ClaudeCode, &rm("workdir"), ("/p", left));
        check(Agent::OpenCode, &rm("workdir"), ("/tmp/x", left));
        check(
            Agent::Qwen,
            r#"{"command":"ls","directory":"sub"}"#,
            ("/p/sub", r#"{"command":"ls"}"#),
        );
        check(Agent::Cursor, &rm("cwd"), ("/p", &rm("cwd")));
        // Of a search it is the place to search.
        let search = r#"{"pattern":"x","dir_path":"/tmp"}"#;
        check(Agent::Gemini, search, ("/p", search));
        let odd = r#"{"command":"ls","dir_path":"~/x"}"#;
        check(Agent::Gemini, odd, ("/p", odd));
    }
}
