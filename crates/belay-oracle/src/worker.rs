//! One worker: writes programs, runs each in several worlds, and asks whether all they did was said.

use std::collections::BTreeSet;
use std::io::Write;

use belay_model::{Effect, Place, Target, TroubleKind, Verb};
use serde::{Deserialize, Serialize};

use crate::Shell;
use crate::acts::Act;
use crate::causes::cause;
use crate::cover::{Cover, absolute};
use crate::dice::Dice;
use crate::grammar::{Grammar, Style};
use crate::predict::{Prediction, predict};
use crate::shrink::shrink;
use crate::stage::Stage;
use crate::tally::Tally;
use crate::testimony::Deed;
use crate::world::{PROJECT, World};

/// What a worker is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The seed of the run.
    pub seed: u64,
    /// The first program.
    pub from: u64,
    /// The program after the last.
    pub to: u64,
    /// How many workers there are: each takes every so many programs.
    pub step: u64,
    /// In how many worlds each program is run.
    pub worlds: u64,
    /// How many holes are made small at most.
    pub shrunk: u64,
    /// How many harmless programs that are not allowed are made small, to see why.
    pub causes: u64,
    /// Whether each kind of doubt about harmless programs is counted.
    pub why: bool,
    /// Whether programs are played both ways, to see that the fast way does what the plain way does.
    pub twice: bool,
    /// The rule that every program is about; empty for programs about anything.
    pub about: String,
    /// Whether what each program did is told.
    pub testify: bool,
}

impl Job {
    /// Returns a job over those programs, none of them yet.
    #[must_use]
    pub fn of(seed: u64, worlds: u64, about: &str) -> Self {
        Self {
            seed,
            from: 0,
            to: 0,
            step: 1,
            worlds,
            shrunk: 0,
            causes: 0,
            why: false,
            twice: false,
            about: about.to_owned(),
            testify: false,
        }
    }
}

/// What a worker says, one on a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// A program did something that was not said.
    Hole(Box<Hole>),
    /// What a program did.
    Deed(Deed),
    /// Why a harmless program is not allowed.
    Cause(String),
    /// How many programs more it has tried.
    Tried(u64),
    /// What came of all.
    Figures(Tally),
}

/// A program that did something that was not said.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Hole {
    /// Which program of the run.
    pub index: u64,
    /// Which shell ran it.
    pub shell: String,
    /// The program, as small as it was made.
    pub program: String,
    /// The world it ran in.
    pub world: String,
    /// What it did and was not said.
    pub done: Vec<String>,
    /// What was said.
    pub said: Vec<String>,
}

/// After so many programs a worker says how far it is.
const STRETCH: u64 = 1000;

/// One harmless program of so many is tried in hostile worlds too.
const SAMPLE: u64 = 8;

/// The text programs are written from.
pub(crate) const GRAMMAR: &str = include_str!("../grammar/shell.grammar");

/// Does a job, saying on the way what it finds.
///
/// # Errors
/// When the stage cannot be used or nobody listens.
pub fn work(job: Job, shell: Shell) -> Result<(), String> {
    crate::predict::check()?;
    let Job { from, to, step, .. } = job;
    let mut worker = Worker {
        stage: Stage::new()?,
        grammar: Grammar::read(GRAMMAR)?,
        shell,
        job,
        tally: Tally::default(),
    };
    let mut index = from;
    let mut tried = 0;
    while index < to {
        if let Some(hole) = worker.program(index) {
            say(&Message::Hole(Box::new(hole)))?;
        }
        index += step;
        tried += 1;
        if tried % STRETCH == 0 {
            say(&Message::Tried(STRETCH))?;
        }
    }
    say(&Message::Figures(worker.tally))
}

fn say(message: &Message) -> Result<(), String> {
    let line = serde_json::to_string(message).map_err(|why| why.to_string())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").map_err(|why| why.to_string())
}

/// Returns the program of that number.
#[must_use]
pub fn write_program(grammar: &Grammar, shell: Shell, (seed, index): (u64, u64)) -> String {
    let mut dice = Dice::part(seed, index);
    let style = Style {
        shell,
        wild: dice.chance(50),
    };
    grammar.write(style, &mut dice)
}

/// Returns the program of that number which is about a rule: what it needs, that rule, and what is done then.
fn write_about(grammar: &Grammar, shell: Shell, (job, index): (&Job, u64)) -> String {
    let mut dice = Dice::part(job.seed, index);
    let style = Style {
        shell,
        wild: dice.chance(50),
    };
    grammar.write_rules(&["known", &job.about, "leaf"], style, &mut dice)
}

fn write(grammar: &Grammar, shell: Shell, (job, index): (&Job, u64)) -> String {
    if job.about.is_empty() {
        write_program(grammar, shell, (job.seed, index))
    } else {
        write_about(grammar, shell, (job, index))
    }
}

/// Returns who writes the programs of a job.
pub(crate) fn writer(job: Job, shell: Shell) -> Result<impl Fn(u64) -> String, String> {
    let grammar = Grammar::read(GRAMMAR)?;
    Ok(move |index| write(&grammar, shell, (&job, index)))
}

/// Returns the first program of a job.
///
/// # Errors
/// When the grammar cannot be read.
pub fn first_program(job: &Job, shell: Shell) -> Result<String, String> {
    writer(job.clone(), shell).map(|write| write(job.from))
}

struct Worker {
    stage: Stage,
    grammar: Grammar,
    shell: Shell,
    job: Job,
    tally: Tally,
}

impl Worker {
    fn program(&mut self, index: u64) -> Option<Hole> {
        let text = write(&self.grammar, self.shell, (&self.job, index));
        let said = predict(&text, self.shell);
        let cover = Cover::new(&text, self.shell, &said);
        let mut dice = Dice::part(self.job.seed, index ^ (1 << 63));
        let mut all: Vec<Act> = Vec::new();
        let mut worlds = Vec::new();
        let mut hole = None;
        for _ in 0..self.job.worlds {
            let world = World::of(&mut dice);
            let acts = self.stage.play(&text, self.shell, &world);
            if self.job.twice && self.stage.play_plainly(&text, self.shell, &world) != acts {
                return Some(self.difference(index, &text, &world));
            }
            self.tally.worlds += 1;
            if hole.is_none() && acts.iter().any(|it| !cover.holds(it)) {
                hole = Some(world.clone());
            }
            all.extend(acts);
            worlds.push(world);
        }
        self.testify(index, &all);
        if self.count(&said, all) == Fate::Harmless
            && (index.is_multiple_of(SAMPLE) || self.job.causes > 0)
        {
            self.try_hard(&text, &said, worlds);
        }
        let world = hole?;
        self.tally.holes += 1;
        let text = if self.tally.holes <= self.job.shrunk {
            shrink(&text, |it| !self.uncovered(it, &world).is_empty())
        } else {
            text.clone()
        };
        Some(self.hole(index, &text, &world))
    }

    fn testify(&self, index: u64, all: &[Act]) {
        if !self.job.testify {
            return;
        }
        let acts: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
        let acts = acts.into_iter().collect();
        let _ = say(&Message::Deed(Deed { index, acts }));
    }

    /// Returns what a text does in a world without being said.
    fn uncovered(&mut self, text: &str, world: &World) -> Vec<Act> {
        let acts = self.stage.play(text, self.shell, world);
        let said = predict(text, self.shell);
        let cover = Cover::new(text, self.shell, &said);
        acts.into_iter().filter(|it| !cover.holds(it)).collect()
    }

    fn hole(&mut self, index: u64, text: &str, world: &World) -> Hole {
        let said = predict(text, self.shell);
        Hole {
            index,
            shell: self.shell.word().to_owned(),
            program: text.to_owned(),
            world: world.to_string(),
            done: self
                .uncovered(text, world)
                .iter()
                .map(ToString::to_string)
                .collect(),
            said: said_of(text, &said),
        }
    }

    /// Says that a program does something else when it is played the fast way.
    fn difference(&mut self, index: u64, text: &str, world: &World) -> Hole {
        let mut shown = |plain: bool| {
            let acts = if plain {
                self.stage.play_plainly(text, self.shell, world)
            } else {
                self.stage.play(text, self.shell, world)
            };
            acts.iter().map(ToString::to_string).collect()
        };
        Hole {
            index,
            shell: self.shell.word().to_owned(),
            program: text.to_owned(),
            world: world.to_string(),
            done: shown(false),
            said: shown(true),
        }
    }

    /// Tries a harmless program in hostile worlds too.
    fn try_hard(&mut self, text: &str, said: &Prediction, mut worlds: Vec<World>) {
        worlds.splice(0..0, crate::hostile::worlds());
        if !self.is_harmless(text, &worlds) {
            return;
        }
        self.tally.proved += 1;
        if is_allowed(said) {
            self.tally.granted += 1;
        } else if self.tally.explained < self.job.causes {
            self.tally.explained += 1;
            self.explain(text, &worlds);
        }
    }

    /// Says why a harmless program is not allowed, by what is left of it when nothing more can go.
    fn explain(&mut self, text: &str, worlds: &[World]) {
        let doubts = doubts(&predict(text, self.shell));
        let untagged = untagged(text);
        let small = shrink(text, |it| {
            let left = self::doubts(&predict(it, self.shell));
            let told = !left.is_empty() && left.is_subset(&doubts);
            told && self::untagged(it) <= untagged && self.is_harmless(it, worlds)
        });
        let _ = say(&Message::Cause(cause(&small)));
    }

    /// Tells whether a program acts, and never outside the project.
    fn is_harmless(&mut self, text: &str, worlds: &[World]) -> bool {
        let mut acted = false;
        for world in worlds {
            let acts = self.stage.play(text, self.shell, world);
            if acts.iter().any(|it| !is_inside(&it.path)) {
                return false;
            }
            acted |= !acts.is_empty();
        }
        acted
    }

    fn count(&mut self, said: &Prediction, mut acts: Vec<Act>) -> Fate {
        acts.sort();
        acts.dedup();
        self.tally.programs += 1;
        self.tally.acts += acts.len() as u64;
        if acts.is_empty() {
            return Fate::Counted;
        }
        self.tally.acting += 1;
        let sure = is_sure(said);
        self.tally.exact += u64::from(sure);
        if !acts.iter().all(|it| is_inside(&it.path)) {
            return Fate::Counted;
        }
        self.tally.harmless += 1;
        self.tally.allowed += u64::from(is_allowed(said));
        if self.job.why && !is_allowed(said) {
            let kinds: Vec<String> = doubts(said).into_iter().collect();
            let _ = say(&Message::Cause(format!("why: {}", kinds.join(", "))));
        }
        Fate::Harmless
    }
}

/// Returns what was said of a text, each with where it stands.
pub(crate) fn said_of(text: &str, said: &Prediction) -> Vec<String> {
    let effects = said.effects.iter().map(|it| {
        let text = text.get(it.span.start as usize..it.span.end as usize);
        format!("{it}  (at `{}`)", text.unwrap_or_default())
    });
    let troubles = said.troubles.iter().map(ToString::to_string);
    effects.chain(troubles).collect()
}

/// What became of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Counted,
    /// It acted, and never outside the project.
    Harmless,
}

/// Tells whether a program is said to stay inside the project, without any doubt.
fn is_allowed(said: &Prediction) -> bool {
    said.effects.iter().all(stays_inside) && troubles_nobody(said)
}

/// Counts calls of stubs without a number: what those do is not recorded, so that nobody can call it harmless.
fn untagged(text: &str) -> usize {
    let words: Vec<&str> = text.split([' ', '\n', ';', '(', '\'', '"']).collect();
    let stub = |it: &str| matches!(it, "rid" | "put" | "show" | "run");
    let tagged = |it: &str| it.starts_with(|c: char| c.is_ascii_digit());
    let lacks = |pair: &&[&str]| matches!(pair, [a, b] if stub(a) && !tagged(b));
    words.windows(2).filter(lacks).count()
}

/// Returns the kinds of doubts about a program.
fn doubts(said: &Prediction) -> BTreeSet<String> {
    let outside = said.effects.iter().filter(|it| !stays_inside(it));
    let effects = outside.map(|it| match &it.target {
        Target::Place(Place::Exact(_) | Place::Pattern(_)) => format!("{} elsewhere", it.verb),
        Target::Place(Place::Under(_) | Place::Unknown) => format!("{} anywhere", it.verb),
        Target::Host(_) | Target::Names(_) => it.to_string(),
    });
    let troubles = said.troubles.iter();
    let troubles = troubles.filter(|it| it.kind != TroubleKind::Note);
    effects.chain(troubles.map(ToString::to_string)).collect()
}

fn troubles_nobody(said: &Prediction) -> bool {
    said.troubles.iter().all(|it| it.kind == TroubleKind::Note)
}

/// Tells whether every target is known and nothing was doubted.
fn is_sure(said: &Prediction) -> bool {
    let vague = |it: &Effect| {
        let place = matches!(&it.target, Target::Place(Place::Unknown | Place::Under(_)));
        place || matches!(it.verb, Verb::Unknown | Verb::Eval | Verb::Run)
    };
    troubles_nobody(said) && !said.effects.iter().any(vague)
}

fn is_inside(path: &str) -> bool {
    let rest = path.strip_prefix(PROJECT);
    rest.is_some_and(|it| it.starts_with('/'))
}

/// Tells whether an effect touches nothing but what is below the project's folder.
fn stays_inside(effect: &Effect) -> bool {
    match (&effect.target, effect.verb) {
        (_, Verb::Unknown | Verb::Eval | Verb::Run) => false,
        (_, Verb::Read | Verb::Probe) => true,
        (Target::Place(place), _) => place.known().is_some_and(|it| is_inside(&absolute(it))),
        (Target::Host(_) | Target::Names(_), _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_written_for_every_shell() {
        let grammar = Grammar::read(GRAMMAR).unwrap();
        for shell in [Shell::Bash, Shell::Sh, Shell::Zsh] {
            let texts: Vec<String> = (0..50)
                .map(|it| write_program(&grammar, shell, (1, it)))
                .collect();
            assert!(texts.iter().all(|it| it.lines().count() > 2));
            let again = write_program(&grammar, shell, (1, 0));
            assert_eq!(texts.first(), Some(&again));
        }
    }
}
