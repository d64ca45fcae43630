//! A message of every agent that must not run.

use std::path::Path;

use belay_agents::Agent;
use serde_json::{Value, json};

/// Denied for what it deletes, and unknown besides: nothing here may let it run.
pub const HARM: &str = "rm -rf ~ && frobnicate --all";

/// Returns the message with one member set.
pub fn with(mut message: Value, (name, value): (&str, Value)) -> Value {
    if let Value::Object(members) = &mut message {
        members.insert(name.to_owned(), value);
    }
    message
}

/// A message of each agent that carries the harm.
pub fn message(agent: Agent, project: &Path) -> Value {
    let claude = |tool: &str, event: &str| {
        json!({"session_id": "s", "transcript_path": "/nowhere", "cwd": project, "permission_mode": "default",
               "hook_event_name": event, "tool_name": tool, "tool_input": {"command": HARM, "description": "x"},
               "tool_use_id": "t"})
    };
    match agent {
        Agent::ClaudeCode => claude("Bash", "PreToolUse"),
        Agent::Codex => with(
            claude("Bash", "PreToolUse"),
            ("permission_mode", json!("bypassPermissions")),
        ),
        Agent::Gemini => claude("run_shell_command", "BeforeTool"),
        Agent::Qwen => claude("run_shell_command", "PreToolUse"),
        Agent::VsCode => claude("run_in_terminal", "PreToolUse"),
        Agent::Droid => claude("Execute", "PreToolUse"),
        Agent::Kiro => claude("execute_bash", "PreToolUse"),
        Agent::Copilot => {
            json!({"sessionId": "s", "timestamp": 1, "cwd": project, "toolName": "bash", "toolArgs": {"command": HARM}})
        }
        Agent::OpenCode => {
            json!({"event": "tool.execute.before", "tool": "bash", "args": {"command": HARM}, "directory": project,
                   "worktree": project, "sessionID": "s", "callID": "c"})
        }
        Agent::Cursor => {
            json!({"hook_event_name": "beforeShellExecution", "conversation_id": "c", "workspace_roots": [project],
                   "command": HARM, "cwd": project})
        }
        Agent::Windsurf => {
            json!({"agent_action_name": "pre_run_command", "trajectory_id": "t",
                   "tool_info": {"command_line": HARM, "cwd": project}})
        }
        Agent::Cline => {
            json!({"clineVersion": "3", "hookName": "PreToolUse", "timestamp": "1", "taskId": "t", "workspaceRoots": [project],
                   "preToolUse": {"toolName": "execute_command", "parameters": {"command": HARM}}})
        }
        Agent::Goose => {
            json!({"event": "PreToolUse", "session_id": "s", "tool_name": "developer__shell", "working_dir": project,
                   "tool_input": {"command": HARM}})
        }
        Agent::Amp => json!({"cmd": HARM}),
        Agent::Generic => {
            json!({"id": "1", "tool": "Bash", "input": {"command": HARM}, "cwd": project, "session": "s"})
        }
    }
}
