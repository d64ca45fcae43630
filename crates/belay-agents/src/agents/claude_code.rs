//! Claude Code. Both `PreToolUse` and `PermissionRequest` are answered, so that an allow really
//! removes the prompt.

use belay_model::{Judgement, Verdict};

use crate::agents::claude_shape;
use crate::answer::{Answer, attended};
use crate::reading::{Env, Wire};
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

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
    }
    Ok(heard)
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
