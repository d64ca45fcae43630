//! Whether an act was said: some effect of the line contains it.

use belay_model::{At, Effect, How, Place, Target, Verb};
use belay_oracle::acts::Act as Done;
use belay_oracle::cover::{absolute, contains};
use belay_oracle::world::PROJECT;

use crate::acts::Act;

/// Tells whether the effects of a line cover an act.
#[must_use]
pub fn covers(effects: &[Effect], act: &Act) -> bool {
    effects
        .iter()
        .any(|it| is_opaque(it) || covers_one(it, act) || covers_below(effects, it, act))
}

/// What copies or unpacks is said to write a folder, and fills it; where the names in it are said, only those.
fn covers_below(effects: &[Effect], effect: &Effect, act: &Act) -> bool {
    let Act::Write(path) = act else { return false };
    let Some(folder) = written(effect) else {
        return false;
    };
    let below = |it: &str| {
        let rest = it.strip_prefix(&folder);
        rest.is_some_and(|it| it.starts_with('/'))
    };
    let named = |it: &Effect| written(it).is_some_and(|it| below(&it));
    is_work(&folder) && below(path) && !effects.iter().any(named)
}

/// Returns the one place that an effect writes.
fn written(effect: &Effect) -> Option<String> {
    let Target::Place(Place::Exact(known)) = &effect.target else {
        return None;
    };
    let known = absolute(known);
    let here = effect.verb == Verb::Write && effect.at == At::Here;
    here.then(|| known.trim_end_matches('/').to_owned())
}

/// Tells whether an effect stands for code that does what it does: the project's own, or code that was read by itself.
const fn is_opaque(effect: &Effect) -> bool {
    matches!(
        effect.verb,
        Verb::Eval | Verb::Run | Verb::Unknown | Verb::Launch
    )
}

fn covers_one(effect: &Effect, act: &Act) -> bool {
    match act {
        Act::Write(path) => {
            let verbs = [Verb::Write, Verb::Move, Verb::Link, Verb::Mark];
            is_on(effect, path, &verbs)
                || is_drawn(effect, path)
                || leads_to(effect, path)
                || is_in_project(effect, path)
                || is_its_tree(effect, path)
        }
        Act::Delete(path) => {
            let verbs = [Verb::Delete, Verb::Move, Verb::Discard];
            is_on(effect, path, &verbs) || is_rewritten(effect, path) || is_in_project(effect, path)
        }
        Act::Read(path) => effect.how != How::Names && is_on(effect, path, &[Verb::Read]),
        Act::Run(_) => false,
        Act::Connect(_) => reaches_out(effect),
        Act::Listen(_) => effect.verb == Verb::Listen,
    }
}

fn is_on(effect: &Effect, path: &str, verbs: &[Verb]) -> bool {
    verbs.contains(&effect.verb)
        && contains(
            effect,
            &Done {
                verb: effect.verb,
                tag: None,
                path: path.to_owned(),
            },
        )
}

/// A new name is drawn by chance where a template says `XXX`, with any ending; in a folder, where that is named.
fn is_drawn(effect: &Effect, path: &str) -> bool {
    if effect.how != How::Append {
        return false;
    }
    let Some(known) = written(effect) else {
        return false;
    };
    let in_folder = path.strip_prefix(&format!("{known}/tmp."));
    let by_template = known
        .split_once("XXX")
        .and_then(|(before, _)| path.strip_prefix(before));
    let rest = in_folder.or(by_template);
    rest.is_some_and(|it| !it.contains('/'))
}

/// A tree that is written may lose files, and a file that is written is lost when that fails.
fn is_rewritten(effect: &Effect, path: &str) -> bool {
    let one = matches!(&effect.target, Target::Place(Place::Exact(it)) if absolute(it) == path);
    (one || effect.how == How::Tree) && is_on(effect, path, &[Verb::Write])
}

/// A folder may be made on the way to what is written.
fn leads_to(effect: &Effect, path: &str) -> bool {
    let Target::Place(Place::Exact(known) | Place::Pattern(known) | Place::Under(known)) =
        &effect.target
    else {
        return false;
    };
    effect.at == At::Here
        && matches!(effect.verb, Verb::Write | Verb::Move | Verb::Link)
        && absolute(known).starts_with(&format!("{path}/"))
}

/// What writes the project's folder, as formatters are said to, writes files of the project.
fn is_its_tree(effect: &Effect, path: &str) -> bool {
    let root = matches!(&effect.target, Target::Place(Place::Exact(it)) if absolute(it) == PROJECT);
    root && effect.verb == Verb::Write && is_work(path)
}

fn is_work(path: &str) -> bool {
    let inside = path
        .strip_prefix(PROJECT)
        .and_then(|it| it.strip_prefix('/'));
    inside.is_some_and(|it| !it.starts_with(".git/"))
}

/// What changes a repository, or installs what the project needs, changes files of the project.
fn is_in_project(effect: &Effect, path: &str) -> bool {
    let inside = path.starts_with(&format!("{PROJECT}/"));
    inside
        && matches!(
            effect.verb,
            Verb::Install
                | Verb::Change
                | Verb::History
                | Verb::Discard
                | Verb::Configure
                | Verb::Destroy
                | Verb::Publish
                | Verb::Rewrite
        )
        && !matches!(effect.target, Target::Place(_))
}

fn reaches_out(effect: &Effect) -> bool {
    match effect.verb {
        Verb::Fetch
        | Verb::Send
        | Verb::Listen
        | Verb::Install
        | Verb::Publish
        | Verb::Rewrite
        | Verb::Destroy
        | Verb::Change
        | Verb::Query => true,
        // Who looks at this machine calls nobody.
        Verb::Probe => {
            let here = |it: &String| ["system", "program", "environment"].contains(&it.as_str());
            !effect.names().first().is_some_and(here)
        }
        Verb::Read
        | Verb::Write
        | Verb::Delete
        | Verb::Move
        | Verb::Link
        | Verb::Mark
        | Verb::Run
        | Verb::Eval
        | Verb::Discard
        | Verb::History
        | Verb::Escalate
        | Verb::Signal
        | Verb::Persist
        | Verb::Configure
        | Verb::Bypass
        | Verb::Launch
        | Verb::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(said: &[&str], act: &Act) -> bool {
        let effects: Vec<Effect> = said
            .iter()
            .filter_map(|it| belay_model::parse_effect(it).ok())
            .collect();
        covers(&effects, act)
    }

    #[test]
    fn an_act_is_covered_by_its_own_effect() {
        let write = |path: &str| Act::Write(format!("/home/dev/{path}"));
        assert!(covered(&["write ./a"], &write("p/a")));
        assert!(!covered(&["write ./a"], &write("p/b")));
        assert!(!covered(&["read ./a"], &write("p/a")));
        assert!(covered(&["write ./d/e/f"], &write("p/d/e")));
        assert!(covered(&["write ."], &write("p/d/e")));
        assert!(!covered(&["write ."], &write("p/.git/config")));
        assert!(covered(&["change repository"], &write("p/.git/HEAD")));
        assert!(!covered(&["change repository"], &write("x")));
        assert!(covered(&["unknown flag --x"], &write("x")));
        assert!(covered(
            &["probe network"],
            &Act::Connect("192.0.2.1:53".to_owned())
        ));
        assert!(!covered(
            &["probe system"],
            &Act::Connect("192.0.2.1:53".to_owned())
        ));
        assert!(covered(&["write ./d"], &write("p/d/e")));
        assert!(!covered(&["write ./d", "write ./d/f"], &write("p/d/e")));
        assert!(covered(&["write ./d", "write ./d/f"], &write("p/d/f/e")));
        assert!(!covered(&["write ~/d"], &write("d/e")));
        assert!(covered(&["write append ./x.XXXX"], &write("p/x.1a2b")));
        assert!(covered(&["write append ./d"], &write("p/d/tmp.1a2b")));
        assert!(!covered(&["write ./x.XXXX"], &write("p/x.1a2b")));
        assert!(!covered(&["read ."], &Act::Listen("0.0.0.0:80".to_owned())));
    }
}
