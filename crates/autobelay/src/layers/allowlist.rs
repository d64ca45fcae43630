//! Layer 2: tools that only look.

use belay_knowledge::ToolKind;
use belay_model::{Opinion, Reason, Risk, Scope, Verdict};

use crate::case::Case;

/// Lets through what only looks, unless it looks at secrets.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    match listed(case) {
        Ok(because) => Opinion::Settled(Verdict::Allow, Reason::new(because)),
        Err(why) => Opinion::Pass(Some(why)),
    }
}

fn listed(case: &Case<'_>) -> Result<&'static str, String> {
    let list = &case.settings.allowlist;
    let request = &case.request;
    if list.tools.iter().any(|it| it.text == case.call.tool) {
        return Ok("The user's allowlist names this tool.");
    }
    if !request.troubles.is_empty() {
        return Err("the call could not be read".to_owned());
    }
    if !list.builtin {
        return Err("the built-in allowlist is switched off".to_owned());
    }
    match request.kind {
        Some(ToolKind::Look) if !request.effects.is_empty() => {
            Err("what it sees is written into a file".to_owned())
        }
        Some(ToolKind::Look | ToolKind::Plan | ToolKind::WebSearch | ToolKind::ShellStop) => {
            Ok("This tool only looks.")
        }
        Some(ToolKind::Agent) if request.effects.is_empty() => {
            Ok("The calls of a sub-agent are judged one by one.")
        }
        Some(ToolKind::ShellInput) if request.risk == Risk::NONE => {
            Ok("Nothing is typed, or only an interrupt.")
        }
        Some(ToolKind::List) => Ok("This tool only lists names."),
        Some(ToolKind::ReadFile | ToolKind::Search) => {
            if list.guard_credentials {
                unguarded(case)?;
            }
            Ok("This tool only looks.")
        }
        Some(kind) => Err([kind.word(), " is not a tool that only looks"].concat()),
        None => Err("belay does not know this tool".to_owned()),
    }
}

/// Tells whether none of the files the call reads holds credentials.
fn unguarded(case: &Case<'_>) -> Result<(), String> {
    let frame = &case.frame;
    for effect in &case.request.effects {
        let Some(place) = effect.place() else {
            continue;
        };
        let Some(text) = place.known() else {
            continue;
        };
        if belay_places::absolute(text, frame.cwd, frame.home()).is_none() && is_foreign(text) {
            return Err(format!("belay cannot tell where `{text}` is"));
        }
        let scopes = belay_places::scopes_of(effect, place, frame);
        let secret =
            |it: &Scope| matches!(it, Scope::Credentials | Scope::Personal | Scope::Device);
        if scopes.iter().any(secret) {
            return Err(format!("`{text}` holds secrets"));
        }
    }
    Ok(())
}

/// Tells whether a text is no plain path: relative ones are not known either while the folder is not.
fn is_foreign(text: &str) -> bool {
    text.is_empty() || text.contains([':', '%', '\\', '\0'])
}
