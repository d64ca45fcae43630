//! How much counts of what the call does not do itself.

use belay_model::{At, Carries, Effect, Place, Risk, Scope, Target, Verb, When};
use belay_places::{Frame, absolute, host_scope, scope_of};

use crate::weigh::{Weighed, weigh};

/// Returns the effect as it counts for the call; `None` where it does not count.
///
/// What a call does counts, and what a task of the project does that is understood: the rest of it may run, for
/// it is the project's. What a call writes for others to run, and what the project's own programs do, is ordinary
/// work until it does something that work never needs.
#[must_use]
pub fn counted(effect: Effect, frame: &Frame<'_>) -> Option<Effect> {
    let inside = in_own_room(&effect);
    let now = |effect: Effect| Effect {
        when: When::Now,
        at: if inside { At::Here } else { effect.at },
        ..effect
    };
    match effect.when {
        When::Now => Some(effect),
        When::Task if inside => {
            let does = matches!(effect.verb, Verb::Eval | Verb::Run | Verb::Send);
            let counts = does && (brings_code(&effect) || leaks(&effect));
            counts.then(|| now(effect))
        }
        When::Task => is_understood(&effect, frame).then(|| now(effect)),
        When::Later => (weigh(&effect, frame).risk > Risk::UNSURE).then(|| now(effect)),
        When::Own => {
            let counts = is_understood(&effect, frame) && weigh(&effect, frame).floor;
            counts.then(|| now(effect))
        }
        When::Perhaps => is_harm(&effect, frame).then(|| {
            let does = now(effect).to_string();
            Effect::of(Verb::Configure, ["script".to_owned(), does])
        }),
    }
}

/// Tells whether an effect of the project's own code is one that was understood.
fn is_understood(effect: &Effect, frame: &Frame<'_>) -> bool {
    match effect.verb {
        Verb::Unknown => false,
        // The project's own hooks, set up by its own tools; what they hold is reviewed when it is written.
        Verb::Configure if effect.names() == ["git", "hooks"] => false,
        Verb::Eval => comes_from_outside(effect),
        // Nothing of the project lies among temporary files.
        Verb::Run => comes_from_outside(effect) || is_temporary(effect, frame),
        Verb::Read
        | Verb::Write
        | Verb::Delete
        | Verb::Move
        | Verb::Link
        | Verb::Mark
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
        | Verb::Probe
        | Verb::Bypass
        | Verb::Launch => match effect.place() {
            Some(Place::Unknown | Place::Under(_)) => false,
            Some(Place::Exact(_) | Place::Pattern(_)) | None => true,
        },
    }
}

fn comes_from_outside(effect: &Effect) -> bool {
    !effect.carries.only(Carries::OUTSIDE).is_nothing()
}

fn is_temporary(effect: &Effect, frame: &Frame<'_>) -> bool {
    let known = effect.place().and_then(|it| it.known());
    let path = known.and_then(|it| absolute(it, frame.cwd, frame.home()));
    path.is_some_and(|it| scope_of(&it, frame) == Scope::Temp)
}

/// Tells whether no script would ever need to do that.
fn is_harm(effect: &Effect, frame: &Frame<'_>) -> bool {
    if brings_code(effect) || leaks(effect) && !is_known_host(effect, frame) {
        return true;
    }
    if in_own_room(effect) {
        return false;
    }
    let Weighed { floor, scope, .. } = weigh(effect, frame);
    let root = match effect.place() {
        Some(Place::Exact(path)) => path == "~" || path == "/",
        Some(Place::Pattern(path)) => path.starts_with("~/"),
        Some(Place::Under(_) | Place::Unknown) | None => false,
    };
    let governs = matches!(scope, Some(Scope::Gate | Scope::AgentConfig));
    let roots = matches!(scope, Some(Scope::Root | Scope::HomeRoot));
    let ends = match effect.names() {
        [first, ..] => {
            matches!(effect.verb, Verb::Destroy | Verb::Launch)
                || effect.verb == Verb::Configure && (first == "gate" || first == "agent")
        }
        [] => false,
    };
    floor && (governs || roots && root && effect.verb == Verb::Delete || ends)
}

/// Tells whether something happens in an image or a container of the project, which have their own files.
fn in_own_room(effect: &Effect) -> bool {
    match &effect.at {
        At::Elsewhere(way, _) => way == "image" || way == "composed",
        At::Here => false,
    }
}

fn brings_code(effect: &Effect) -> bool {
    effect.carries.holds(Carries::FETCHED)
        && matches!(effect.verb, Verb::Eval | Verb::Run | Verb::Install)
}

fn leaks(effect: &Effect) -> bool {
    effect.carries.holds(Carries::SECRET)
        && matches!(effect.verb, Verb::Send | Verb::Fetch | Verb::Publish)
}

fn is_known_host(effect: &Effect, frame: &Frame<'_>) -> bool {
    match &effect.target {
        Target::Host(host) => {
            let scope = host_scope(host, frame);
            matches!(scope, Scope::KnownHost | Scope::LocalHost)
        }
        Target::Place(_) | Target::Names(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use belay_model::{Nowhere, parse_effect};
    use belay_places::Frame;

    use super::counted;

    fn check(line: &str, expected: Option<&str>) {
        let frame = Frame {
            cwd: "/home/me/app",
            home: Some("/home/me"),
            roots: &["/home/me/app".to_owned()],
            temps: &[],
            hosts: &[],
            gate: &[],
            protected: &[],
            world: &Nowhere,
        };
        let found = counted(parse_effect(line).unwrap(), &frame).map(|it| it.to_string());
        assert_eq!(found.as_deref(), expected, "{line}");
    }

    #[test]
    fn the_further_the_less_counts() {
        check("write ./x", Some("write ./x"));
        check("later write ./x", None);
        check("later write ~/x", Some("write ~/x"));
        check("task write ~/x", Some("write ~/x"));
        check("task unknown command frob", None);
        check("task run ./x", None);
        check("task run /tmp/x", Some("run /tmp/x"));
        check("task delete tree ?", None);
        check("task write ~/x on composed started", None);
        check(
            "task eval input on composed started carrying fetched",
            Some("eval input carrying fetched"),
        );
        check("own unknown command frob", None);
        check("own write ~/x", None);
        check("own delete tree ~", Some("delete tree ~"));
        check("perhaps write ~/.bashrc", None);
        check("perhaps delete tree ~ on image built", None);
        check("perhaps send github.com carrying secret", None);
        check(
            "perhaps delete tree ~",
            Some("configure script 'delete tree ~'"),
        );
        check(
            "perhaps eval input carrying fetched",
            Some("configure script 'eval input carrying fetched'"),
        );
    }
}
