//! Claude Code. Both `PreToolUse` and `PermissionRequest` are answered, so that an allow really
//! removes the prompt.

use std::path::{Path, PathBuf};

use belay_model::{Call, Judgement, Verdict};

use crate::agents::claude_shape;
use crate::answer::{Answer, attended};
use crate::reading::{Env, Wire};
use crate::wording::said;
use crate::{Asked, Event, Heard, HostRules, ReadError};

/// Tools that exist to talk to the person: an allow of ours would speak in their place.
const FOR_THE_PERSON: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let nobody = wire.peek("permission_mode") == Some("dontAsk")
        || wire.env("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some("sdk-cli");
    let told = wire.env("CLAUDE_PROJECT_DIR");
    let kept = || match (wire.peek("transcript_path"), wire.peek("cwd")) {
        (Some(transcript), Some(cwd)) => project_of(transcript, cwd),
        (Some(_) | None, _) => None,
    };
    let project = told.or_else(kept);
    let mut heard = claude_shape::read(&mut wire, project)?;
    if let Heard::Judge(asked) = &mut heard {
        asked.call.headless = nobody;
        let plans = config_of(&asked.call).map(|it| it.join("plans"));
        let plans = plans.and_then(|it| it.to_str().map(str::to_owned));
        // Plans are the agent's own papers, wherever the project is.
        asked.call.project_roots.extend(plans);
    }
    Ok(heard)
}

/// Returns the agent's own folder, in which it keeps the conversation.
fn config_of(call: &Call) -> Option<PathBuf> {
    let mut above = Path::new(call.transcript_path.as_ref()?).ancestors();
    let projects = above.find(|it| it.file_name().is_some_and(|name| name == "projects"))?;
    let config = projects.parent().filter(|it| it.parent().is_some())?;
    Some(config.to_owned())
}

/// Finds the rules in all files that Claude Code reads: those of the machine, the user and the
/// project, wherever its folder may have been moved.
pub(crate) fn rules(call: &Call, env: Env<'_>) -> HostRules {
    const MANAGED: [&str; 2] = [
        "/etc/claude-code",
        "/Library/Application Support/ClaudeCode",
    ];
    let mut files = Vec::new();
    for folder in MANAGED.map(Path::new) {
        files.push(folder.join("managed-settings.json"));
        let more = std::fs::read_dir(folder.join("managed-settings.d"));
        files.extend(more.into_iter().flatten().flatten().map(|it| it.path()));
    }
    let at_home = call.home.as_ref().map(|it| Path::new(it).join(".claude"));
    let there = call
        .env_home
        .as_ref()
        .map(|it| Path::new(it).join(".claude"));
    let moved = env("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let folders = [at_home, there, moved, config_of(call)];
    let mut folders: Vec<PathBuf> = folders.into_iter().flatten().collect();
    let around = call.project_roots.iter().chain([&call.cwd]);
    folders.extend(around.map(|it| Path::new(it).join(".claude")));
    folders.sort_unstable();
    folders.dedup();
    for folder in folders.iter().filter(|it| it.is_absolute()) {
        files.push(folder.join("settings.json"));
        files.push(folder.join("settings.local.json"));
    }
    HostRules::read(&files)
}

/// Finds the folder a session was started in: the agent keeps its conversation in
/// `projects/<that folder with dashes>/`. Where the working folder has left it, there is none, and
/// nothing lies inside the project.
fn project_of(transcript: &str, cwd: &str) -> Option<String> {
    let mut parts = transcript.rsplit('/').skip(1);
    let (name, above) = (parts.next()?, parts.next()?);
    if above != "projects" {
        return None;
    }
    let dashed = |folder: &str| -> String {
        let dash = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        folder.chars().map(dash).collect()
    };
    let ends = cwd
        .char_indices()
        .filter(|(_, it)| *it == '/')
        .map(|(at, _)| at);
    let folders = ends.skip(1).chain([cwd.len()]);
    let mut folders = folders.filter_map(|end| cwd.get(..end));
    let found = folders.find(|it| dashed(it) == name);
    Some(found.unwrap_or_default().to_owned())
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    if said.verdict != Verdict::Deny && FOR_THE_PERSON.contains(&asked.call.tool.as_str()) {
        return Answer::silent();
    }
    match asked.event {
        Event::BeforeTool => claude_shape::before_tool(&said),
        Event::Approval => claude_shape::approval(&said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(transcript: &str, cwd: &str) -> Option<String> {
        project_of(transcript, cwd)
    }

    #[test]
    fn the_project_is_where_the_session_began() {
        let kept = "/h/.claude/projects/-home-me-my-app/1.jsonl";
        assert_eq!(
            check(kept, "/home/me/my_app/src").as_deref(),
            Some("/home/me/my_app")
        );
        assert_eq!(
            check(kept, "/home/me/my-app").as_deref(),
            Some("/home/me/my-app")
        );
        assert_eq!(check(kept, "/etc").as_deref(), Some(""));
        assert_eq!(check("/nowhere.jsonl", "/etc"), None);
    }
}
