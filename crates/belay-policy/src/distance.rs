//! How much counts of what the call does not do itself.

use belay_model::{Carries, Effect, Place, Risk, Scope, Verb, When};
use belay_places::Frame;

use crate::weigh::{Weighed, weigh};

/// Returns the effect as it counts for the call; `None` where it does not count.
///
/// What a call does counts. What it writes for others to run, and what the project's own programs
/// do, is ordinary work until it does something that work never needs.
#[must_use]
pub fn counted(effect: Effect, frame: &Frame<'_>) -> Option<Effect> {
    let now = |effect: Effect| Effect {
        when: When::Now,
        ..effect
    };
    match effect.when {
        When::Now => Some(effect),
        When::Later => (weigh(&effect, frame).risk > Risk::UNSURE).then(|| now(effect)),
        When::Own => weigh(&effect, frame).floor.then(|| now(effect)),
        When::Perhaps => is_harm(&effect, frame).then(|| {
            let does = now(effect).to_string();
            Effect::of(Verb::Configure, ["script".to_owned(), does])
        }),
    }
}

/// Tells whether no script would ever need to do that.
fn is_harm(effect: &Effect, frame: &Frame<'_>) -> bool {
    let fetched = effect.carries.holds(Carries::FETCHED)
        && matches!(effect.verb, Verb::Eval | Verb::Run | Verb::Install);
    let leaves = effect.carries.holds(Carries::SECRET)
        && matches!(effect.verb, Verb::Send | Verb::Fetch | Verb::Publish);
    if fetched || leaves {
        return true;
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
        check("own write ~/x", None);
        check("own delete tree ~", Some("delete tree ~"));
        check("perhaps write ~/.bashrc", None);
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
