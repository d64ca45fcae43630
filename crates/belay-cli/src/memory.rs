//! What a judgement leaves in the session's memory.

use belay_model::{Call, Carries, Effect, How, Judgement, Place, Target, Verb, Verdict};
use belay_surroundings::{Memory, Origin, SessionError, World};

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
            Verb::Write if is_filled_by_a_build(effect, judgement) => {}
            Verb::Write => {
                let writing = Writing {
                    call,
                    effect,
                    content,
                };
                manifests(world, &writing, judgement)?;
                written(world, &writing)?;
            }
            Verb::Install => installed(world, effect, judgement.verdict)?,
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

/// Tells whether this says of a folder only that the build, which is an effect of the same word, fills it.
fn is_filled_by_a_build(effect: &Effect, judgement: &Judgement) -> bool {
    let builds = |it: &Effect| {
        let same = it.target == effect.target && it.span == effect.span;
        it.verb == Verb::Write && it.how == How::Built && same && it.carries == effect.carries
    };
    effect.how == How::Tree && judgement.effects.iter().any(builds)
}

/// A file that a call writes, with the whole of what it writes where the call says so.
struct Writing<'a> {
    call: &'a Call,
    effect: &'a Effect,
    content: Option<&'a str>,
}

fn written(world: &World, writing: &Writing<'_>) -> Result<(), SessionError> {
    let Writing {
        call,
        effect,
        content,
    } = writing;
    let Target::Place(Place::Exact(short)) = &effect.target else {
        return Ok(());
    };
    let home = call.home.as_deref().unwrap_or_default();
    let Some(path) = belay_places::absolute(short, &call.cwd, home) else {
        return Ok(());
    };
    let origin = if effect.carries.holds(Carries::FETCHED) {
        Origin::Fetched
    } else if effect.carries.holds(Carries::FOREIGN) {
        Origin::Foreign
    } else if effect.how == How::Built {
        Origin::Built
    } else {
        Origin::Written
    };
    world.remember_file(path.text(), origin, content.map(str::as_bytes))
}

/// Remembers what manifests say that the call is about to write; what an installer writes, its own question was about.
fn manifests(
    world: &World,
    writing: &Writing<'_>,
    judgement: &Judgement,
) -> Result<(), SessionError> {
    let Writing { call, effect, .. } = writing;
    let home = call.home.as_deref().unwrap_or_default();
    let installs = judgement
        .effects
        .iter()
        .filter(|it| it.verb == Verb::Install);
    let ecosystems = installs.filter_map(|it| it.names().first());
    let ecosystems: Vec<&str> = ecosystems.map(String::as_str).collect();
    let places: Vec<String> = match &effect.target {
        Target::Place(Place::Exact(short)) => {
            let path = belay_places::absolute(short, &call.cwd, home);
            path.map(|it| it.text().to_owned()).into_iter().collect()
        }
        Target::Place(Place::Pattern(_) | Place::Under(_) | Place::Unknown) => {
            let roots = call.project_roots.iter();
            roots.chain([&call.cwd]).cloned().collect()
        }
        Target::Host(_) | Target::Names(_) => Vec::new(),
    };
    for place in &places {
        world.remember_manifests(place, &ecosystems)?;
    }
    Ok(())
}

/// Remembers a package that is installed by its name without a question.
fn installed(world: &World, effect: &Effect, verdict: Verdict) -> Result<(), SessionError> {
    let ([ecosystem, name], Verdict::Allow, Some(session)) =
        (effect.names(), verdict, world.session())
    else {
        return Ok(());
    };
    if matches!(name.as_str(), "declared" | "added" | "foreign" | "?") {
        return Ok(());
    }
    session.remember(&[Memory::Package(ecosystem.clone(), name.clone())])
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
