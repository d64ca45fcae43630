//! Edits, reviewed by what they add: scripts that run by themselves, sources of code, keys, names that shadow others.
//!
//! INVARIANT: a pure function of path, text and surroundings. Only what the file did not hold before counts, and
//! writing is not running: text that somebody may run later weighs only where no work would ever need it.

mod keys;
mod kinds;
mod packages;
mod scripts;
mod shadows;
mod skips;

use std::collections::HashSet;

use belay_model::{Answer, At, Carries, Effect, How, Place, Question, Scope, Target, Verb, When};

use crate::machine::above::Reviews;
use crate::machine::stream::Stream;
use crate::machine::walk::Walker;
use crate::scene::{Analysis, Scene};
use kinds::Kind;

/// How many bytes of the file as it was are read.
const BEFORE: u32 = 1024 * 1024;

/// What a call writes into a file.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// The file, absolute.
    pub path: &'a str,
    /// The text that is written: all of it, or the parts that are new.
    pub texts: Vec<&'a str>,
}

/// What an edit adds.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// What follows from it.
    pub effects: Vec<Effect>,
    /// Whether the file was there and everything in it that can run or govern was looked at.
    pub whole: bool,
}

/// Something an edit may add.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    /// Shell text that runs by itself.
    Runs(String),
    /// Shell text that somebody may run.
    May(String),
    /// A package from outside the registry: its ecosystem and where it comes from.
    Package(&'static str, String),
    /// Another registry.
    Registry(String),
    /// A setting that gives others more than they had: what it steers, and its name.
    Setting(&'static str, &'static str),
    /// A test that is no longer run.
    Skip(String),
    /// A key or token.
    Key(String),
}

/// Says what an edit adds.
#[must_use]
pub fn review(change: &Change<'_>, scene: Scene<'_>) -> Review {
    review_at(change, scene, 0)
}

/// Says what an edit adds that stands so deep in other texts.
pub(crate) fn review_at(change: &Change<'_>, scene: Scene<'_>, depth: u32) -> Review {
    let kind = Kind::of(change.path);
    let mut review = Review::default();
    let mut added = pieces(kind, change);
    let reads_whole = kind.is_some_and(Kind::is_read_whole);
    if reads_whole || !added.is_empty() {
        let before = before(change.path, scene);
        // A file that is new is for a person to look at, however plain it is.
        review.whole = reads_whole && before.is_some();
        let old = Change {
            path: change.path,
            texts: before.as_deref().into_iter().collect(),
        };
        // There is no cap on what is added: a thousand harmless lines must not hide one. What stands twice counts once.
        let mut known: HashSet<Piece> = pieces(kind, &old).into_iter().collect();
        added.retain(|it| known.insert(it.clone()));
    }
    let reviewer = Reviewer { scene, depth, kind };
    for piece in &added {
        reviewer.effects(piece, change.path, &mut review);
    }
    if let Some(name) = shadows::shadowed(change.path, scene) {
        review
            .effects
            .push(Effect::of(Verb::Configure, ["module", name]));
    }
    review
}

fn before(path: &str, scene: Scene<'_>) -> Option<String> {
    match scene
        .frame
        .world
        .ask(&Question::Text(path.to_owned(), BEFORE))
    {
        Answer::Text(bytes, true) => String::from_utf8(bytes).ok(),
        Answer::Unknown
        | Answer::Yes
        | Answer::No
        | Answer::Path(_)
        | Answer::Missing(_)
        | Answer::Name(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => None,
    }
}

/// Returns what a text holds that counts in a file of that kind.
fn pieces(kind: Option<Kind>, change: &Change<'_>) -> Vec<Piece> {
    let mut found = Vec::new();
    for text in &change.texts {
        match kind {
            Some(Kind::Package(manifest)) => packages::pieces(manifest, text, &mut found),
            Some(Kind::Registries) => packages::registries(text, &mut found),
            Some(Kind::Workflow) => scripts::workflow(text, &mut found),
            Some(Kind::Hook) => found.push(Piece::Runs((*text).to_owned())),
            Some(Kind::Recipes) => scripts::recipes(text, &mut found),
            Some(Kind::Image) => scripts::image(text, &mut found),
            Some(Kind::Shell) => found.push(Piece::May((*text).to_owned())),
            Some(Kind::Attributes) => scripts::attributes(text, &mut found),
            Some(Kind::Program) => found.push(Piece::Setting("environment", "program")),
            None => {}
        }
        if keys::may_be_kept(change.path) {
            keys::keys(text, &mut found);
        }
        if skips::is_test(change.path) {
            skips::skips(text, &mut found);
        }
    }
    found
}

struct Reviewer<'a> {
    scene: Scene<'a>,
    depth: u32,
    kind: Option<Kind>,
}

impl Reviewer<'_> {
    fn effects(&self, piece: &Piece, path: &str, review: &mut Review) {
        let effects = &mut review.effects;
        match piece {
            Piece::Runs(text) => self.runs(text, review),
            Piece::May(text) => effects.extend(self.may(text)),
            Piece::Package(ecosystem, from) => effects.push(Effect::of(
                Verb::Install,
                [(*ecosystem).to_owned(), "foreign".to_owned(), from.clone()],
            )),
            Piece::Registry(url) => {
                let host = belay_places::host_of(url);
                effects.push(Effect::of(Verb::Configure, ["registry".to_owned(), host]));
            }
            Piece::Setting(what, name) => {
                effects.push(Effect::of(Verb::Configure, [*what, *name]));
            }
            Piece::Skip(_) => {
                let effect = Effect::of(Verb::Bypass, ["tests"]);
                if !effects.contains(&effect) {
                    effects.push(effect);
                }
            }
            Piece::Key(_) => {
                let frame = self.scene.frame;
                let short = belay_places::shorten(path, frame.cwd, frame.home());
                if self.is_kept(path) {
                    effects.push(Effect::on(Verb::Write, Place::Exact(short)).how(How::Secret));
                }
            }
        }
    }

    /// Tells whether a file would become part of the repository.
    fn is_kept(&self, path: &str) -> bool {
        let frame = self.scene.frame;
        let standing = frame.world.ask(&Question::Standing(path.to_owned()));
        let ignored = matches!(standing, Answer::Standing(belay_model::Standing::Ignored));
        !ignored && !belay_places::is_secret(&belay_places::Path::new(path), frame)
    }

    fn analysed(&self, text: &str) -> Analysis {
        crate::machine::walk::analyse_at(text, self.scene, self.depth + 4)
    }

    /// What runs by itself is for a person to look at, besides what it does.
    fn runs(&self, text: &str, review: &mut Review) {
        let effects = self.analysed(text).effects.into_iter();
        review.effects.extend(effects.map(|it| {
            let when = it.when.max(When::Later);
            it.when(when)
        }));
        review
            .effects
            .push(Effect::of(Verb::Configure, ["lifecycle"]));
    }

    /// What somebody may run. What comes from hosts that everybody's scripts use is said to, and an image has its
    /// own files.
    fn may(&self, text: &str) -> Vec<Effect> {
        let effects = self.analysed(text).effects;
        let mut fetches = effects.iter().filter(|it| it.verb == Verb::Fetch);
        let of_strangers = !fetches.all(|it| self.is_known_host(it));
        let placed = effects.into_iter().map(|mut effect| {
            if !of_strangers && effect.carries.holds(Carries::FETCHED) {
                effect.carries = effect
                    .carries
                    .without(Carries::FETCHED)
                    .and(Carries::OFFERED);
            }
            if self.kind == Some(Kind::Image) && effect.at == At::Here {
                effect.at = At::Elsewhere("image".to_owned(), "built".to_owned());
            }
            effect.when(When::Perhaps)
        });
        placed.collect()
    }

    fn is_known_host(&self, effect: &Effect) -> bool {
        match &effect.target {
            Target::Host(host) => {
                let scope = belay_places::host_scope(host, self.scene.frame);
                matches!(scope, Scope::KnownHost | Scope::LocalHost)
                    || self.scene.knowledge.lists("installer-hosts", host)
            }
            Target::Place(_) | Target::Names(_) => false,
        }
    }
}

impl Reviews for Walker<'_> {
    fn reviewed(&mut self, path: &str, output: &Stream) {
        let Some(text) = output
            .text
            .as_ref()
            .and_then(crate::machine::value::Val::text)
        else {
            return;
        };
        let change = Change {
            path,
            texts: vec![text],
        };
        for effect in review_at(&change, self.scene, self.depth + 1).effects {
            self.emit(effect);
        }
    }
}
