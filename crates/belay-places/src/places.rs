//! In which scope a path lies.

use std::iter::zip;

use belay_model::{Answer, Effect, How, Place, Question, Scope, Verb};

use crate::frame::home_like;
use crate::glob::{matches_name, matches_parts, matches_path};
use crate::lists::{ARTEFACT, PLACE_KEYS, PLACE_STARTS, PLACES, SECRET, WORKFLOW, WORKFLOWS};
use crate::meets::{is_glob, names_meet};
use crate::parts::{Parts, ending, suffixes};
use crate::paths::{components, is_within, normal};
use crate::regions::{real, real_roots, region_of, usable_roots};
use crate::{Frame, Path, absolute};

/// What a glob of `policy/places.toml` is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Home,
    Root,
    Anywhere,
}

/// One glob of `policy/places.toml`.
#[derive(Debug)]
pub(crate) struct PathGlob {
    pub(crate) anchor: Anchor,
    pub(crate) takes_back: bool,
    pub(crate) parts: &'static [&'static str],
    /// How many parts stand before the first `**`.
    pub(crate) depth: usize,
    /// Whether everything below what it names is meant too: its last part is `**`.
    pub(crate) folder: bool,
}

/// A part of a glob by which it is found; an index by keys is sorted by the names they stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) glob: u16,
    pub(crate) part: u16,
}

/// The globs of one scope, with an index by their last plain component.
#[derive(Debug)]
pub(crate) struct PlaceSet {
    pub(crate) scope: Scope,
    pub(crate) globs: &'static [PathGlob],
    pub(crate) keyed: &'static [Key],
    pub(crate) loose: &'static [usize],
    /// The globs that a folder may lie above, by its name.
    pub(crate) above: &'static [Key],
    /// Those that a folder of any name may lie above.
    pub(crate) above_loose: &'static [usize],
}

impl PathGlob {
    /// Returns the parts before the first `**`.
    fn plain(&self) -> &'static [&'static str] {
        self.parts.get(..self.depth).unwrap_or_default()
    }

    fn matches(&self, path: &Parts<'_>) -> bool {
        match self.anchor {
            Anchor::Root => matches_parts(self.parts, &path.all),
            Anchor::Home => path
                .home
                .and_then(|at| path.all.get(at..))
                .is_some_and(|rest| matches_parts(self.parts, rest)),
            Anchor::Anywhere if self.plain().len() == self.parts.len() => {
                ending(&path.all, self.parts.len())
                    .is_some_and(|rest| matches_parts(self.parts, rest))
            }
            Anchor::Anywhere => suffixes(&path.all).any(|rest| matches_parts(self.parts, rest)),
        }
    }

    /// Tells whether the path is a folder above what the glob names.
    fn lies_below(&self, path: &Parts<'_>) -> bool {
        let leads = |rest: &[&str]| {
            !rest.is_empty()
                && rest.len() < self.parts.len()
                && rest
                    .iter()
                    .zip(self.parts)
                    .all(|(name, part)| *part != "**" && matches_name(part, name))
        };
        match self.anchor {
            Anchor::Root => leads(&path.all),
            Anchor::Home => path
                .home
                .and_then(|at| path.all.get(at..))
                .is_some_and(leads),
            Anchor::Anywhere if self.parts.len() > 1 => suffixes(&path.all).any(leads),
            Anchor::Anywhere => false,
        }
    }

    /// Tells whether a folder that the given glob matches may hold something this glob names.
    fn lies_below_glob(&self, glob: &Parts<'_>) -> bool {
        let leads = |rest: &[&str]| {
            rest.len() < self.plain().len()
                && zip(rest, self.plain()).all(|(theirs, ours)| names_meet(theirs, ours))
        };
        match self.anchor {
            Anchor::Root => leads(&glob.all),
            Anchor::Home => glob
                .home
                .and_then(|at| glob.all.get(at..))
                .is_some_and(|rest| !rest.is_empty() && leads(rest)),
            Anchor::Anywhere => false,
        }
    }

    /// Tells whether one file that this glob names may bear a name that the given one matches.
    fn may_be_named(&self, theirs: &str) -> bool {
        // A star of ours stands for no ending: `credentials*` is no `*.txt`.
        let own = self.plain().last().filter(|_| !self.folder);
        own.is_some_and(|ours| names_meet(theirs, &ours.replace('*', "x")))
    }

    /// Tells whether something the given glob matches may be something this glob names.
    fn meets(&self, glob: &Parts<'_>) -> bool {
        let meet = |rest: &[&str]| {
            (rest.len() == self.plain().len() || self.folder && rest.len() > self.plain().len())
                && zip(rest, self.plain()).all(|(theirs, ours)| names_meet(theirs, ours))
                && zip(rest, self.plain())
                    .any(|(theirs, ours)| theirs.starts_with('.') || theirs == ours)
        };
        match self.anchor {
            Anchor::Root => meet(&glob.all),
            Anchor::Home => glob
                .home
                .and_then(|at| glob.all.get(at..))
                .is_some_and(meet),
            Anchor::Anywhere if self.folder => suffixes(&glob.all).any(meet),
            Anchor::Anywhere => ending(&glob.all, self.plain().len()).is_some_and(meet),
        }
    }
}

impl PlaceSet {
    /// Returns the globs that add to the set.
    fn named(&self) -> impl Iterator<Item = &'static PathGlob> {
        self.globs.iter().filter(|it| !it.takes_back)
    }

    /// Returns the name that a key stands for.
    fn name_of(&self, key: Key) -> &'static str {
        let glob = self.globs.get(usize::from(key.glob));
        let name = glob.and_then(|it| it.parts.get(usize::from(key.part)));
        name.copied().unwrap_or_default()
    }

    /// Returns the globs that an index names under a name.
    fn under(&self, keys: &'static [Key], name: &str) -> impl Iterator<Item = usize> {
        let from = keys.partition_point(|it| self.name_of(*it) < name);
        let rest = keys.get(from..).unwrap_or_default();
        let count = rest.partition_point(|it| self.name_of(*it) == name);
        rest.iter().take(count).map(|it| usize::from(it.glob))
    }

    /// Tells whether the path is a folder above what the set names.
    fn lies_below(&self, path: &Parts<'_>) -> bool {
        let Some(name) = path.all.last() else {
            return false;
        };
        let keyed = self.under(self.above, name);
        let mut globs = keyed.chain(self.above_loose.iter().copied());
        globs.any(|at| self.globs.get(at).is_some_and(|it| it.lies_below(path)))
    }

    fn holds(&self, path: &Parts<'_>) -> bool {
        let mut found = false;
        let parts = path.all.iter();
        let keyed = parts.flat_map(|part| self.under(self.keyed, part));
        for at in keyed.chain(self.loose.iter().copied()) {
            let Some(glob) = self.globs.get(at) else {
                continue;
            };
            if glob.matches(path) {
                if glob.takes_back {
                    return false;
                }
                found = true;
            }
        }
        found
    }
}

/// Returns the name that a key of a set stands for.
fn name_of((set, key): (usize, Key)) -> &'static str {
    let set = PLACES.get(set);
    set.map(|it| it.name_of(key)).unwrap_or_default()
}

/// Returns the sets whose names the path bears, first to last.
fn named(path: &Parts<'_>) -> impl Iterator<Item = Scope> {
    let (mut yes, mut no) = (0_u32, 0_u32);
    let mut note = |set: usize, glob: &PathGlob| {
        if glob.matches(path) {
            if glob.takes_back {
                no |= 1 << set;
            } else {
                yes |= 1 << set;
            }
        }
    };
    for part in &path.all {
        // Where names of the same first letter stand; most parts of a path share it with few.
        let first = usize::from(part.as_bytes().first().copied().unwrap_or_default());
        let bounds = (PLACE_STARTS.get(first), PLACE_STARTS.get(first + 1));
        let alike = match bounds {
            (Some(from), Some(to)) => PLACE_KEYS.get(usize::from(*from)..usize::from(*to)),
            (None, _) | (_, None) => None,
        };
        let alike = alike.unwrap_or_default();
        let from = alike.partition_point(|it| name_of(*it) < *part);
        let rest = alike.get(from..).unwrap_or_default();
        for (set, key) in rest.iter().take_while(|it| name_of(**it) == *part) {
            let globs = PLACES.get(*set).map(|it| it.globs);
            if let Some(glob) = globs.and_then(|it| it.get(usize::from(key.glob))) {
                note(*set, glob);
            }
        }
    }
    for (set, places) in PLACES.iter().enumerate() {
        for glob in places.loose.iter().filter_map(|at| places.globs.get(*at)) {
            note(set, glob);
        }
    }
    let hit = yes & !no;
    PLACES
        .iter()
        .enumerate()
        .filter(move |(set, _)| hit & (1 << set) != 0)
        .map(|(_, it)| it.scope)
}

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
    scope_in(region_of(path, frame), path, frame)
}

/// Returns the scope of one absolute path that lies in a region, as it is written.
fn scope_in(region: Scope, path: &Path, frame: &Frame<'_>) -> Scope {
    if frame.gate.iter().any(|it| path.is_within(it)) {
        return Scope::Gate;
    }
    let parts = Parts::new(path, frame);
    for scope in named(&parts) {
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

fn exact(effect: &Effect, path: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    let region = region_of(path, frame);
    let mut scopes = vec![scope_in(region, path, frame)];
    let mut led = None;
    match frame
        .world
        .ask(&Question::Resolve(path.walked().to_owned()))
    {
        Answer::Path(real) | Answer::Missing(real) if real == path.text() => {
            match hidden_behind_links(path, region, frame) {
                // The project by its real name.
                Some(scope) if scope != Scope::HomeRoot => scopes = vec![scope],
                scope => scopes.extend(scope),
            }
        }
        Answer::Path(real) | Answer::Missing(real) => {
            let real = Path::new(&real);
            let scope = named_behind_links(&real, frame);
            scopes.push(scope.unwrap_or_else(|| scope_of(&real, frame)));
            led = Some(real);
        }
        // It leads out of a link, and nobody knows where to.
        _ if path.walked() != path.text() => scopes.push(Scope::Unknown),
        Answer::Unknown
        | Answer::Yes
        | Answer::No
        | Answer::Name(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => {}
    }
    if takes_trees(effect) {
        scopes.extend(held_below(effect, path, frame));
        if let Some(real) = led {
            scopes.extend(held_below(effect, &real, frame));
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
    for (root, led) in real_roots(frame) {
        if let Some(named) = renamed(real, &led, &root) {
            return Some(scope_of(&named, frame));
        }
    }
    let home = self::real(frame.home(), frame);
    if is_within(&home, real.text()) {
        return Some(Scope::HomeRoot);
    }
    renamed(real, &home, frame.home()).map(|named| scope_of(&named, frame))
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
fn held_below(effect: &Effect, path: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    if effect.verb == Verb::Read {
        return secrets_below(path, frame);
    }
    let gate = |it: &String| is_within(&normal(it), path.text());
    let mut scopes = Vec::new();
    if frame.gate.iter().any(gate) {
        scopes.push(Scope::Gate);
    }
    if matches!(region_of(path, frame), Scope::Temp | Scope::TempRoot) {
        return scopes;
    }
    let parts = Parts::new(path, frame);
    let holds = |set: &&PlaceSet| set.lies_below(&parts);
    scopes.extend(PLACES.iter().filter(holds).map(|set| set.scope));
    scopes
}

/// Returns the scopes of secrets whose contents a folder may hold. A home holds them all, whoever's it is.
fn secrets_below(path: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    let text = path.text();
    let someone = format!("{text}/someone");
    // A pattern comes without the case of its letters.
    let home = normal(frame.home()).to_lowercase();
    let homes = is_within(&home, &text.to_lowercase())
        || home_like(text).is_some_and(|it| it == text)
        || home_like(&someone).is_some_and(|it| it == someone);
    let parts = Parts::new(path, frame);
    let holds = |set: &&PlaceSet| homes || set.lies_below(&parts);
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
    if climbs {
        // A `..` behind a glob: as many folders up as the glob is deep, which may be none.
        let shallow: Vec<&str> = rest.iter().copied().filter(|it| *it != "**").collect();
        let shallow = Path::new(&format!("{folder}/{}", shallow.join("/")));
        scopes.extend(matched(effect, &shallow, frame));
        scopes.push(Scope::Unknown);
    }
    scopes
}

/// Tells whether nothing in a part of a glob narrows it: no letter, and no mark such as that of `*~`.
fn matches_nearly_all(part: &str) -> bool {
    let marked = |c: char| !part.contains('[') && "~#_-+@%=".contains(c);
    !part.contains(|c: char| c.is_alphanumeric() || marked(c))
}

/// Returns the scopes of what a glob may match, as it is written.
fn matched(effect: &Effect, glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
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
    if effect.verb == Verb::Read {
        scopes.extend(secrets_matched(effect, glob, frame));
    } else if !matches!(scopes.first(), Some(Scope::Temp)) {
        let parts = Parts::new(glob, frame);
        let met = |set: &&PlaceSet| set.named().any(|it| it.meets(&parts));
        scopes.extend(PLACES.iter().filter(met).map(|set| set.scope));
    }
    scopes
}

/// Returns the scopes of secrets among what a glob may match, where contents are read.
fn secrets_matched(effect: &Effect, glob: &Path, frame: &Frame<'_>) -> Vec<Scope> {
    if effect.how == How::Names {
        return Vec::new();
    }
    let parts = Parts::new(glob, frame);
    let deep = parts.all.iter().position(|it| *it == "**");
    let Some(deep) = deep else {
        let tree = effect.how == How::Tree;
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
    let below = secrets_below(&folder, frame);
    let Some(name) = name else {
        return below;
    };
    // Of files with such a name anywhere below, those that are secrets by their own name.
    let named = |scope: &Scope| {
        let secret = (*scope == Scope::Credentials).then_some(&SECRET);
        let sets = secret_sets().filter(|it| it.scope == *scope);
        let mut sets = sets.chain(secret);
        sets.any(|set| set.named().any(|it| it.may_be_named(name)))
    };
    below.into_iter().filter(named).collect()
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
        let text = include_str!("../../../policy/places.toml");
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
