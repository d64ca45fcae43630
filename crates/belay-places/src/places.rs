//! In which scope a path lies.

use std::borrow::Cow;

use belay_model::{Answer, Effect, How, Place, Question, Scope, Verb};

use crate::frame::home_like;
use crate::glob::matches_path;
use crate::homes::{Whose, may_hold_homes, seen_from_home};
use crate::lists::{ARTEFACT, PLACES, SECRET, WORKFLOW, WORKFLOWS};
use crate::meets::is_glob;
use crate::parts::Parts;
use crate::paths::{components, is_within, lowered, normal};
use crate::regions::{leads_to, real, real_roots, region_of, usable_roots};
use crate::sets::{PathGlob, PlaceSet, named};
use crate::{Frame, Path, absolute};

/// Tells whether a file of that name holds secret values, wherever it lies.
#[must_use]
pub fn is_secret(path: &Path, frame: &Frame<'_>) -> bool {
    SECRET.holds(&Parts::new(path, frame))
}

/// Tells whether a forge runs what is in a file of that path.
#[must_use]
pub fn is_workflow(path: &Path) -> bool {
    WORKFLOW.holds(&Parts {
        all: path.parts(),
        home: None,
    })
}

/// Returns the files and folders of a project that a forge runs, from its top.
pub fn workflows() -> impl Iterator<Item = &'static str> {
    WORKFLOWS.iter().copied()
}

/// Tells whether the path, below the project, is one that programs make and can make again.
#[must_use]
pub fn is_artefact(path: &Path, frame: &Frame<'_>) -> bool {
    let Some(root) = usable_roots(frame).find(|root| path.is_within(root)) else {
        return false;
    };
    let inside = Path::new(path.text().get(root.len()..).unwrap_or("/"));
    ARTEFACT.holds(&Parts {
        all: inside.parts(),
        home: None,
    })
}

/// Returns the scope of one absolute path, as it is written.
#[must_use]
pub fn scope_of(path: &Path, frame: &Frame<'_>) -> Scope {
    scope_at(&Spot::of(path, frame), frame)
}

/// A path with what is asked of it more than once: its parts, and the region it lies in.
pub(crate) struct Spot<'a> {
    path: &'a Path,
    parts: Parts<'a>,
    region: Scope,
}

impl<'a> Spot<'a> {
    pub(crate) fn of(path: &'a Path, frame: &Frame<'_>) -> Self {
        Self {
            path,
            parts: Parts::new(path, frame),
            region: region_of(path, frame),
        }
    }
}

/// Returns the scope of a spot, as it is written.
fn scope_at(spot: &Spot<'_>, frame: &Frame<'_>) -> Scope {
    let Spot {
        path,
        parts,
        region,
    } = spot;
    let region = *region;
    if frame.gate.iter().any(|it| path.is_within(it)) {
        return Scope::Gate;
    }
    for scope in named(parts) {
        let in_temp = matches!(region, Scope::Temp | Scope::TempRoot);
        if !(in_temp && matches!(scope, Scope::VcsInternal | Scope::ExecutionBearing)) {
            return scope;
        }
    }
    // Elsewhere every place is stricter already, and a root must stay one.
    let mild = matches!(region, Scope::Project | Scope::Temp);
    let protects = |glob: &String| matches_path(glob, path.text());
    if mild && frame.protected.iter().any(protects) {
        return Scope::ExecutionBearing;
    }
    region
}

/// Returns every scope the target of an effect may lie in: as written and with links followed,
/// for globs what they may reach, for trees what they hold.
#[must_use]
pub fn scopes_of(effect: &Effect, place: &Place, frame: &Frame<'_>) -> Vec<Scope> {
    let path = |text: &str| {
        let path = absolute(text, frame.cwd, frame.home())?;
        Some(path.settled(frame.world))
    };
    let mut scopes = match place {
        Place::Unknown => Vec::new(),
        Place::Under(text) => path(text).map_or_else(Vec::new, |path| {
            let mut scopes = exact(effect, &path, frame);
            scopes.push(Scope::Unknown);
            scopes
        }),
        Place::Exact(text) => path(text).map_or_else(Vec::new, |it| exact(effect, &it, frame)),
        Place::Pattern(text) => path(text).map_or_else(Vec::new, |it| pattern(effect, &it, frame)),
    };
    if scopes.is_empty() {
        scopes.push(Scope::Unknown);
    }
    scopes
}

/// What is asked of a place that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Every scope that it may lie in, as [`scopes_of`] says them.
    pub scopes: Vec<Scope>,
    /// Whether a file of its name holds secret values, as [`is_secret`] says it.
    pub secret: bool,
}

/// Returns the scopes that what is read may lie in, and whether its name is that of a secret; nothing where its path cannot be
/// known.
#[must_use]
pub fn reached(read: &Effect, place: &Place, frame: &Frame<'_>) -> Option<Reached> {
    let path = absolute(place.known()?, frame.cwd, frame.home())?;
    match place {
        Place::Exact(_) => {
            let path = path.settled(frame.world);
            let spot = Spot::of(&path, frame);
            Some(Reached {
                secret: SECRET.holds(&spot.parts),
                scopes: exact_at(read, &spot, frame),
            })
        }
        Place::Pattern(_) | Place::Under(_) | Place::Unknown => Some(Reached {
            secret: is_secret(&path, frame),
            scopes: scopes_of(read, place, frame),
        }),
    }
}

fn exact(effect: &Effect, path: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    exact_at(effect, &Spot::of(path, frame), frame)
}

fn exact_at(effect: &Effect, spot: &Spot<'_>, frame: &Frame<'_>) -> Vec<Scope> {
    let path = spot.path;
    let mut scopes = vec![scope_at(spot, frame)];
    let mut led = None;
    match leads_to(effect, path, frame) {
        Some(real) if real == path.text() => {
            match hidden_behind_links(path, spot.region, frame) {
                // The project by its real name.
                Some(scope) if scope != Scope::HomeRoot => scopes = vec![scope],
                scope => scopes.extend(scope),
            }
        }
        Some(real) => {
            let real = Path::new(&real);
            let scope = named_behind_links(&real, frame);
            scopes.push(scope.unwrap_or_else(|| scope_of(&real, frame)));
            led = Some(real);
        }
        // It leads out of a link, and nobody knows where to.
        None if path.walked() != path.text() => scopes.push(Scope::Unknown),
        None => {}
    }
    if takes_trees(effect) {
        scopes.extend(held_below(effect, spot, frame));
        if let Some(real) = led {
            scopes.extend(held_below(effect, &Spot::of(&real, frame), frame));
        }
    }
    scopes
}

/// Returns the scope of a place that is no link, where home or project lie behind links and it is in them.
fn hidden_behind_links(path: &Path, region: Scope, frame: &Frame<'_>) -> Option<Scope> {
    let outside = matches!(
        region,
        Scope::Other | Scope::System | Scope::Temp | Scope::Root
    );
    outside.then(|| named_behind_links(path, frame)).flatten()
}

/// Returns the scope of a real place in home or project by the name that they go by. Both may lie behind links: what
/// is in them counts as if it were named so.
fn named_behind_links(real: &Path, frame: &Frame<'_>) -> Option<Scope> {
    let named = named_path_behind_links(real, frame);
    if named.is_none() && is_within(&self::real(frame.home(), frame), real.text()) {
        return Some(Scope::HomeRoot);
    }
    named.map(|named| scope_of(&named, frame))
}

/// Returns a real place in home or project by the name that they go by.
fn named_path_behind_links(real: &Path, frame: &Frame<'_>) -> Option<Path> {
    let mut roots = real_roots(frame);
    let named = roots.find_map(|(root, led)| renamed(real, &led, &root));
    let home = || renamed(real, &self::real(frame.home(), frame), frame.home());
    named.or_else(home)
}

/// Returns a path below one folder as if that had another name.
fn renamed(path: &Path, folder: &str, name: &str) -> Option<Path> {
    let rest = path
        .is_within(folder)
        .then(|| path.text().get(folder.len()..))??;
    Some(Path::new(&format!("{name}/{rest}")))
}

/// Tells whether the effect may reach what lies below its target: what is written to a folder's name
/// is put into it or takes its place. What is only added (a new folder, a line) is not.
fn takes_trees(effect: &Effect) -> bool {
    let whole = effect.verb == Verb::Write && effect.how != How::Append;
    whole || effect.how == How::Tree || matches!(effect.verb, Verb::Move | Verb::Link)
}

/// Returns the protected scopes that lie below a folder.
fn held_below(effect: &Effect, spot: &Spot<'_>, frame: &Frame<'_>) -> Vec<Scope> {
    if effect.verb == Verb::Read {
        return secrets_below(spot, frame);
    }
    let gate = |it: &String| is_within(&normal(it), spot.path.text());
    let mut scopes = Vec::new();
    if frame.gate.iter().any(gate) {
        scopes.push(Scope::Gate);
    }
    if matches!(spot.region, Scope::Temp | Scope::TempRoot) {
        return scopes;
    }
    let holds = |set: &&'static PlaceSet| set.lies_below(&spot.parts);
    scopes.extend(PLACES.iter().filter(holds).map(|set| set.scope));
    scopes
}

/// Returns the scopes of secrets whose contents a folder may hold. A home holds them all, whoever's it is.
pub(crate) fn secrets_below(spot: &Spot<'_>, frame: &Frame<'_>) -> Vec<Scope> {
    let text = spot.path.text();
    let is_home = |text: &str| home_like(text).is_some_and(|it| it == text);
    // A pattern comes without the case of its letters.
    let home = normal(frame.home());
    let homes = is_within(&lowered(&home), &lowered(text))
        || is_home(text)
        || is_home(&[text, "/someone"].concat())
        || may_hold_homes(spot.path, frame);
    let holds = |set: &&'static PlaceSet| homes || set.lies_below(&spot.parts);
    secret_sets().filter(holds).map(|set| set.scope).collect()
}

/// Returns the sets whose contents are not for everybody's eyes.
fn secret_sets() -> impl Iterator<Item = &'static PlaceSet> {
    PLACES
        .iter()
        .filter(|set| matches!(set.scope, Scope::Credentials | Scope::Personal))
}

/// Returns the scopes of what a glob may match: in the folder as it is written, and where that leads.
fn pattern(effect: &Effect, glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    let mut scopes = matched(effect, glob, frame);
    let parts: Vec<&str> = components(glob.walked()).collect();
    let first = parts.iter().position(|it| is_glob(it));
    let (folder, rest) = parts.split_at(first.unwrap_or(parts.len()));
    let folder = format!("/{}", folder.join("/"));
    let climbs = rest.contains(&"..");
    if let Answer::Path(real) | Answer::Missing(real) =
        frame.world.ask(&Question::Resolve(folder.clone()))
        && real != folder
    {
        let led = Path::new(&format!("{real}/{}", rest.join("/")));
        scopes.extend(matched(effect, &led, frame));
    }
    scopes.extend(links_met(effect, glob, frame));
    if climbs {
        // A `..` behind a glob: as many folders up as the glob is deep, which may be none.
        let shallow: Vec<&str> = rest.iter().copied().filter(|it| *it != "**").collect();
        let shallow = Path::new(&format!("{folder}/{}", shallow.join("/")));
        scopes.extend(matched(effect, &shallow, frame));
        scopes.push(Scope::Unknown);
    }
    scopes
}

/// Returns the scopes of where links lead that a glob meets. Who takes away a link leaves what it leads to: there only the
/// folders on the way count, where stars of one name each find them.
fn links_met(effect: &Effect, glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    if effect.verb == Verb::Read && effect.how == How::Names {
        return Vec::new();
    }
    let written = glob.walked();
    let (met, last) = match written.rsplit_once('/') {
        Some((folder, last)) if matches!(effect.verb, Verb::Delete | Verb::Move) => {
            if !is_glob(folder) || folder.contains("**") {
                return Vec::new();
            }
            (folder, Some(last))
        }
        Some(_) | None => (written, None),
    };
    // Only who reads trees with all that links in them lead to follows those below a star for folders.
    let follows = effect.verb == Verb::Read && effect.how == How::Tree;
    if !follows && met.ends_with("/**/**") {
        return Vec::new();
    }
    let question = Question::Links(match follows {
        true => met.to_owned(),
        false => unfollowed(met),
    });
    let led = match frame.world.ask(&question) {
        Answer::Names(led) => led,
        // There is too much to look at: one of them may lead anywhere.
        Answer::No => return vec![Scope::Unknown],
        Answer::Unknown
        | Answer::Yes
        | Answer::Path(_)
        | Answer::Missing(_)
        | Answer::Name(_)
        | Answer::Text(..)
        | Answer::Standing(_) => return Vec::new(),
    };
    let mut scopes = Vec::new();
    for real in led {
        let real = match last {
            Some(last) => Path::joined(&real, last),
            None => Path::new(&real),
        };
        let path = named_path_behind_links(&real, frame).unwrap_or(real);
        scopes.extend(match is_glob(path.text()) {
            true => matched(effect, &path, frame),
            false => exact(effect, &path, frame),
        });
    }
    scopes
}

/// Writes a glob so that it follows only links that it names.
#[must_use]
pub fn unfollowed(glob: &str) -> String {
    let parts = glob.split('/');
    let parts = parts.map(|it| if it == "**" { "***" } else { it });
    parts.collect::<Vec<_>>().join("/")
}

/// Tells whether nothing in a part of a glob narrows it: no letter, and no mark such as that of `*~`.
fn matches_nearly_all(part: &str) -> bool {
    let marked = |c: char| !part.contains('[') && "~#_-+@%=".contains(c);
    !part.contains(|c: char| c.is_alphanumeric() || marked(c))
}

/// Returns the scopes of what a glob may match, as it is written, and below the homes that its wildcards may mean.
fn matched(effect: &Effect, glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    let mut scopes = matched_as_written(effect, glob, frame);
    if effect.verb == Verb::Read && effect.how == How::Names {
        return scopes;
    }
    let whose = match effect.verb == Verb::Read {
        true => Whose::Anybodys,
        false => Whose::Own,
    };
    for led in seen_from_home(glob, whose, frame) {
        scopes.extend(matched_as_written(effect, &led, frame));
    }
    scopes
}

/// Returns the scopes of what a glob may match, as it is written.
fn matched_as_written(effect: &Effect, glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    let parts: Vec<&str> = components(glob.text()).collect();
    let first = parts
        .iter()
        .position(|it| is_glob(it))
        .unwrap_or(parts.len());
    let (folder, rest) = parts.split_at(first);
    let folder = Path::new(&format!("/{}", folder.join("/")));
    let mut scopes = vec![scope_of(glob, frame)];
    if rest.iter().all(|it| matches_nearly_all(it)) {
        let scope = scope_of(&folder, frame);
        if matches!(
            scope,
            Scope::Root | Scope::HomeRoot | Scope::ProjectRoot | Scope::TempRoot
        ) {
            scopes.push(scope);
        }
    }
    if takes_trees(effect) {
        scopes.extend(roots_matched(glob, frame));
    }
    if let Some(path) = only_match(glob) {
        scopes.extend(exact(effect, &path, frame));
    }
    if effect.verb == Verb::Read {
        scopes.extend(secrets_matched(effect, glob, frame));
    } else if !matches!(scopes.first(), Some(Scope::Temp)) {
        let parts = Parts::new(glob, frame);
        let met = |set: &&PlaceSet| set.named().any(|it| it.meets(&parts));
        scopes.extend(PLACES.iter().filter(met).map(|set| set.scope));
    }
    scopes
}

/// Returns the scopes of homes and projects, and of folders that hold them, among what a glob may match.
fn roots_matched(glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    let roots = usable_roots(frame).chain([Cow::Borrowed(frame.home())]);
    let mut scopes = Vec::new();
    for root in roots {
        let above = root.match_indices('/').map(|(at, _)| at).skip(1);
        let folders = above.chain([root.len()]).filter_map(|to| root.get(..to));
        let met = folders.filter(|it| matches_path(glob.text(), it));
        scopes.extend(met.map(|it| scope_of(&Path::new(it), frame)));
    }
    scopes
}

/// Returns the one path that a glob matches whose wildcards are classes of one letter each.
fn only_match(glob: &Path) -> Option<Path> {
    let is_plain = |it: &str| !it.contains(['*', '?', '\\']);
    let mut text = String::new();
    let mut rest = glob.text();
    while let Some((before, class)) = rest.split_once('[') {
        let (letter, after) = class.split_once(']')?;
        let one = letter.chars().count() == 1 && !letter.contains(['!', '^', '/']);
        text.push_str(before);
        text.push_str(letter);
        rest = Some(after).filter(|_| one && is_plain(before))?;
    }
    text.push_str(rest);
    is_plain(rest).then(|| Path::new(&text))
}

/// Returns the scopes of secrets among what a glob may match, where contents are read.
pub(crate) fn secrets_matched(effect: &Effect, glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    if effect.how == How::Names {
        return Vec::new();
    }
    let parts = Parts::new(glob, frame);
    let deep = parts.all.iter().position(|it| *it == "**");
    let Some(deep) = deep else {
        let tree = effect.how == How::Tree;
        if tree && may_hold_homes(glob, frame) {
            return secret_sets().map(|set| set.scope).collect();
        }
        let met = |set: &&PlaceSet| {
            let taken_back = set
                .globs
                .iter()
                .any(|it| it.takes_back && it.matches(&parts));
            let reaches = |it: &PathGlob| it.meets(&parts) || tree && it.lies_below_glob(&parts);
            !taken_back && set.named().any(reaches)
        };
        return secret_sets().filter(met).map(|set| set.scope).collect();
    };
    let (folder, names) = parts.all.split_at(deep);
    let folder = Path::new(&format!("/{}", folder.join("/")));
    let name = names.last().filter(|it| it.contains(char::is_alphanumeric));
    let below = secrets_below(&Spot::of(&folder, frame), frame);
    let Some(name) = name else {
        return below;
    };
    // The folder that is taken whole may lie right there.
    let mut whole = Vec::new();
    if effect.how == How::Tree {
        let near: Vec<&str> = names.iter().copied().filter(|it| *it != "**").collect();
        let near = Path::joined(folder.text(), &near.join("/"));
        whole = secrets_below(&Spot::of(&near, frame), frame);
        whole.extend(secrets_matched(effect, &near, frame));
    }
    // Of files with such a name anywhere below, those that are secrets by their own name.
    let named = |scope: &Scope| {
        let secret = (*scope == Scope::Credentials).then_some(&SECRET);
        let sets = secret_sets().filter(|it| it.scope == *scope);
        let mut sets = sets.chain(secret);
        let tree = effect.how == How::Tree;
        let bears = |it: &PathGlob| it.may_be_named(name) || tree && it.may_lie_in(name);
        sets.any(|set| set.named().any(bears))
    };
    whole.extend(below.into_iter().filter(named));
    whole
}

#[cfg(test)]
mod tests {
    use belay_model::{Nowhere, Scope, parse_effect};

    use super::{is_artefact, is_secret, scope_of, scopes_of};
    use crate::{Frame, Path};

    fn with<T>(look: impl FnOnce(&Frame<'_>) -> T) -> T {
        look(&Frame {
            cwd: "/work/app",
            home: Some("/home/me"),
            roots: &["/work/app".to_owned()],
            temps: &[],
            hosts: &[],
            gate: &[],
            protected: &[],
            world: &Nowhere,
        })
    }

    fn scope(path: &str) -> Scope {
        with(|frame| scope_of(&Path::new(path), frame))
    }

    #[test]
    fn regions() {
        for (path, expected) in [
            ("/", Scope::Root),
            ("/etc", Scope::Root),
            ("/home", Scope::HomeRoot),
            ("/home/me", Scope::HomeRoot),
            ("/home/other", Scope::HomeRoot),
            ("/home/other/x", Scope::System),
            ("/home/me/x", Scope::Home),
            ("/work", Scope::HomeRoot),
            ("/work/app", Scope::ProjectRoot),
            ("/work/app/x", Scope::Project),
            ("/work/app-evil/x", Scope::Other),
            ("/tmp", Scope::TempRoot),
            ("/tmp/x", Scope::Temp),
            ("/dev/sda", Scope::Device),
            ("/dev/null", Scope::Sink),
            ("/usr/bin/x", Scope::System),
            ("/srv/x", Scope::Other),
            ("/tmp/clone/.git", Scope::Temp),
        ] {
            assert_eq!(scope(path), expected, "{path}");
        }
    }

    #[test]
    fn data_examples_hold() {
        let text = include_str!("../policy/places.toml");
        let table: toml::Table = text.parse().unwrap();
        let list = |value: &toml::Value, side: &str| -> Vec<String> {
            let side = &value["examples"][side];
            side.as_array()
                .unwrap()
                .iter()
                .map(|it| it.as_str().unwrap().to_owned())
                .collect()
        };
        for place in table["place"].as_array().unwrap() {
            let word = place["scope"].as_str().unwrap();
            for path in list(place, "yes") {
                assert_eq!(scope(&path).word(), word, "{path}");
            }
            for path in list(place, "no") {
                assert_ne!(scope(&path).word(), word, "{path}");
            }
        }
        for (name, test) in [
            ("secret", is_secret as fn(&Path, &Frame<'_>) -> bool),
            ("artefact", is_artefact as fn(&Path, &Frame<'_>) -> bool),
        ] {
            for path in list(&table[name], "yes") {
                assert!(with(|frame| test(&Path::new(&path), frame)), "{path}");
            }
            for path in list(&table[name], "no") {
                assert!(!with(|frame| test(&Path::new(&path), frame)), "{path}");
            }
        }
    }

    #[test]
    fn globs_and_trees_reach_what_they_hold() {
        for (line, expected) in [
            ("delete tree ~/*", Scope::HomeRoot),
            ("delete tree ./*", Scope::ProjectRoot),
            ("delete tree ./.*", Scope::VcsInternal),
            ("delete tree ./.g*", Scope::VcsInternal),
            ("delete tree /*", Scope::Root),
            ("delete tree ./.claude", Scope::AgentConfig),
            ("write ./.vscode", Scope::ExecutionBearing),
            ("write ./.github", Scope::ExecutionBearing),
            ("write tree ./.claude", Scope::AgentConfig),
            ("delete tree ~/.config", Scope::Gate),
            ("delete tree ~/?", Scope::HomeRoot),
            ("delete ~/.ssh/*", Scope::Credentials),
            ("delete tree /tmp/*", Scope::TempRoot),
            ("read tree ~", Scope::Credentials),
            ("read tree /", Scope::Credentials),
            ("read tree /home", Scope::Personal),
            ("read tree ~/.config", Scope::Credentials),
            ("read tree /etc", Scope::Credentials),
            ("read ~/.*/*", Scope::Credentials),
            ("read ~/.s?h/id_*", Scope::Credentials),
            ("read ~/.config/*/*", Scope::Credentials),
            ("read tree ~/.c*", Scope::Credentials),
            ("read ~/**", Scope::Credentials),
            ("read ~/**/*.yml", Scope::Credentials),
            ("read ~/**/*.pem", Scope::Credentials),
            ("read ~/**/.bash_history", Scope::Personal),
            ("delete tree /tmp/**/../../home/me", Scope::HomeRoot),
            ("read /*/*/.aws/credentials", Scope::Credentials),
            ("read /*/.ssh/*", Scope::Credentials),
            ("read tree /home/*", Scope::Credentials),
            ("read tree /home/[[:word:]]*", Scope::Personal),
            ("read tree /**/.ssh", Scope::Credentials),
            ("delete tree /home/[[:word:]]*", Scope::HomeRoot),
            ("delete /h*/m?/notes.txt", Scope::Home),
            ("delete /**/*.txt", Scope::Home),
        ] {
            let effect = parse_effect(line).unwrap();
            let scopes = with(|frame| scopes_of(&effect, effect.place().unwrap(), frame));
            assert!(scopes.contains(&expected), "{line}: {scopes:?}");
        }
        for line in [
            "read tree ~/notes",
            "read ~/*.txt",
            "read ~/**/*.txt",
            "read ~/.ssh/*.pub",
            "read tree ~/.config/nvim",
            "read tree /usr/include",
            "read tree .",
            "read ./**/*.yml",
            "read tree /work/*",
            "read tree /**/node_modules",
            "read /*/os-release",
            "read names /home/*",
        ] {
            let effect = parse_effect(line).unwrap();
            let scopes = with(|frame| scopes_of(&effect, effect.place().unwrap(), frame));
            let secret = |it: &Scope| matches!(it, Scope::Credentials | Scope::Personal);
            assert!(!scopes.iter().any(secret), "{line}: {scopes:?}");
        }
        for line in [
            "delete ./*.o",
            "delete tree ./src",
            "delete tree /tmp/x/*",
            "write append ./.vscode",
            "write ./.github/README.md",
            "write ./src",
        ] {
            let effect = parse_effect(line).unwrap();
            let scopes = with(|frame| scopes_of(&effect, effect.place().unwrap(), frame));
            assert!(
                scopes
                    .iter()
                    .all(|it| matches!(it, Scope::Project | Scope::Temp)),
                "{line}: {scopes:?}"
            );
        }
    }
}
