//! What a judgement leaves in the session's memory.

use belay_model::{
    Call, Carries, Effect, How, Judgement, Layer, Place, Reason, Target, Verb, Verdict,
};
use belay_settings::Settings;
use belay_surroundings::{Breaker, Breaking, Memory, Origin, Session, SessionError, World};

/// Raises a verdict where the session runs against a wall: then a person must look first.
pub fn after_denials(judgement: Judgement, session: &Session, settings: &Settings) -> Judgement {
    let looks = judgement.layer == Layer::Allowlist;
    if looks || judgement.verdict != Verdict::Allow {
        return judgement;
    }
    if let Some(effect) = released(&judgement, session) {
        return raised(
            judgement,
            format!("`{effect}` was denied before in this session"),
        );
    }
    let narrow = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
    let breaker = Breaker {
        in_a_row: narrow(settings.breaker.in_a_row),
        in_session: narrow(settings.breaker.in_a_session),
    };
    match breaker.look(session) {
        Breaking::Holds => judgement,
        Breaking::Tripped {
            in_a_row,
            in_session,
            ..
        } => {
            let because = format!(
                "{in_a_row} denials in a row, {in_session} in this session: a person should look before it goes on"
            );
            raised(judgement, because)
        }
    }
}

/// A model may not release what was denied before.
fn released(judgement: &Judgement, session: &Session) -> Option<String> {
    let effects = judgement
        .effects
        .iter()
        .filter(|_| judgement.layer == Layer::Classifier);
    effects
        .map(ToString::to_string)
        .find(|it| session.denials(it) > 0)
}

fn raised(mut judgement: Judgement, because: String) -> Judgement {
    judgement.verdict = Verdict::Ask;
    judgement.reason = Reason {
        because,
        instead: Some("tell the user what was refused and why it is needed".to_owned()),
        rule: Some("breaker".to_owned()),
    };
    judgement
}

/// Writes down what the call leaves behind when it runs, or that it was denied.
pub fn remember(world: &World, call: &Call, judgement: &Judgement) -> Result<(), SessionError> {
    let Some(session) = world.session() else {
        return Ok(());
    };
    if judgement.verdict == Verdict::Deny {
        let effects: Vec<String> = judgement.effects.iter().map(ToString::to_string).collect();
        return session.remember_end(&effects);
    }
    let writes = judgement
        .effects
        .iter()
        .filter(|it| it.verb == Verb::Write)
        .count();
    let content = whole_content(call).filter(|_| writes == 1);
    for effect in &judgement.effects {
        match effect.verb {
            Verb::Write => write(world, (call, effect), content)?,
            Verb::Read if effect.how == How::Secret => {
                session.remember(&[Memory::Secret(effect.to_string())])?;
            }
            Verb::Read
            | Verb::Delete
            | Verb::Move
            | Verb::Link
            | Verb::Mark
            | Verb::Run
            | Verb::Eval
            | Verb::Fetch
            | Verb::Send
            | Verb::Listen
            | Verb::Install
            | Verb::Publish
            | Verb::Rewrite
            | Verb::Discard
            | Verb::History
            | Verb::Escalate
            | Verb::Signal
            | Verb::Persist
            | Verb::Configure
            | Verb::Destroy
            | Verb::Change
            | Verb::Query
            | Verb::Bypass
            | Verb::Probe
            | Verb::Launch
            | Verb::Unknown => {}
        }
    }
    match judgement.verdict {
        Verdict::Allow => session.remember_end(&[]),
        Verdict::Ask | Verdict::Deny => Ok(()),
    }
}

fn write(
    world: &World,
    (call, effect): (&Call, &Effect),
    content: Option<&str>,
) -> Result<(), SessionError> {
    let Target::Place(Place::Exact(short)) = &effect.target else {
        return Ok(());
    };
    let home = call.home.as_deref().unwrap_or_default();
    let Some(path) = belay_places::absolute(short, &call.cwd, home) else {
        return Ok(());
    };
    let fetched = effect.carries.holds(Carries::FETCHED);
    let origin = if fetched {
        Origin::Fetched
    } else {
        Origin::Written
    };
    world.remember_file(path.text(), origin, content.map(str::as_bytes))
}

/// Returns the content a tool would put into the one file it writes.
fn whole_content(call: &Call) -> Option<&str> {
    let content = call
        .input
        .get("content")
        .or_else(|| call.input.get("file_text"))?;
    content
        .text()
        .filter(|_| call.input.get("command").is_none())
}
