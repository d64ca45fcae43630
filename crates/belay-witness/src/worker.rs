//! One worker: asks what its lines would do, runs them, and compares.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use belay_model::Verb;
use serde::{Deserialize, Serialize};

use crate::acts::Act;
use crate::cover::covers;
use crate::judge::{Said, judged};
use crate::known::Known;
use crate::lines::Line;
use crate::patience::End;
use crate::stage::{Outcome, Stage};
use crate::tally::Tally;
use crate::tools::Cache;

/// What a worker is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The tree of sources.
    pub root: PathBuf,
    /// The lines.
    pub lines: Vec<Line>,
    /// Whether examples that are stopped run too.
    pub stopped: bool,
    /// Whether each line is told with how it ended.
    pub ends: bool,
    /// How many seconds it may take; no line starts later.
    pub seconds: u64,
}

/// What a worker says, one on a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// An allowed line did something that was not said.
    Hole(Found),
    /// A stopped line ended well and did nothing.
    Friction(Found),
    /// How a line ended, in a word, and the line.
    Ended(String),
    /// How many lines more it has run.
    Ran(u64),
    /// What came of all.
    Figures(Tally),
}

/// A line worth a look.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The line.
    pub line: String,
    /// What it did.
    pub did: Vec<String>,
    /// What was said.
    pub said: Vec<String>,
    /// Why it was stopped.
    pub reason: String,
}

/// So many lines are asked about at once.
const BATCH: usize = 200;

/// So many acts of a line are shown.
const SHOWN: usize = 6;

/// Does the job that stands on standard input, saying on the way what it finds.
///
/// # Errors
/// When the stage cannot be used, or nobody listens.
pub fn work() -> Result<(), String> {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|why| why.to_string())?;
    let job: Job = serde_json::from_str(&text).map_err(|why| why.to_string())?;
    let end = Instant::now() + Duration::from_secs(job.seconds);
    let mut stage = Stage::new(Cache::of(&job.root))?;
    let known = Known::read()?;
    let mut tally = Tally::default();
    for lines in job.lines.chunks(BATCH) {
        if Instant::now() > end {
            break;
        }
        let said = judged(&mut stage, lines)?;
        let before = tally.run;
        for (line, said) in lines.iter().zip(&said) {
            tally.judged += 1;
            // What is stopped is run only where a person wrote it: there friction means something.
            if (said.allowed || line.example && job.stopped) && Instant::now() < end {
                let began = Instant::now();
                let outcome = stage.play(&line.text)?;
                tally.took(&line.program, began.elapsed());
                if job.ends {
                    say(&Message::Ended(format!("{:?}: {}", outcome.end, line.text)))?;
                }
                let tried = Tried {
                    line,
                    said,
                    outcome: &outcome,
                };
                tried.count(&known, &mut tally)?;
            }
        }
        say(&Message::Ran(tally.run - before))?;
    }
    say(&Message::Figures(tally))
}

/// A line, what was said of it, and what came of it.
struct Tried<'a> {
    line: &'a Line,
    said: &'a Said,
    outcome: &'a Outcome,
}

impl Tried<'_> {
    fn count(&self, known: &Known, tally: &mut Tally) -> Result<(), String> {
        let (line, said) = (&self.line.text, self.said);
        let program = &self.line.program;
        let acts: Vec<&Act> = self
            .outcome
            .acts
            .iter()
            .filter(|it| !known.holds(it, line, program))
            .collect();
        tally.run += 1;
        tally.cut += u64::from(self.outcome.end == End::Cut);
        let well = self.outcome.end == End::Well;
        if well {
            tally.programs.insert(program.clone());
        }
        if !said.allowed {
            let idle = well && acts.is_empty();
            tally.friction += u64::from(idle);
            return if idle {
                say(&Message::Friction(self.found(&[])))
            } else {
                Ok(())
            };
        }
        tally.allowed += 1;
        tally.acts += acts.len() as u64;
        tally.well += u64::from(well);
        tally.over += u64::from(well && acts.is_empty() && says_more(said));
        let holes: Vec<&Act> = acts
            .into_iter()
            .filter(|it| !covers(&said.effects, it))
            .collect();
        if holes.is_empty() {
            return Ok(());
        }
        tally.uncovered += 1;
        say(&Message::Hole(self.found(&holes)))
    }

    fn found(&self, did: &[&Act]) -> Found {
        Found {
            line: self.line.text.clone(),
            did: did.iter().take(SHOWN).map(ToString::to_string).collect(),
            said: self.said.shown.clone(),
            reason: self.said.reason.clone(),
        }
    }
}

/// Tells whether a line was said to do more than look.
fn says_more(said: &Said) -> bool {
    said.effects
        .iter()
        .any(|it| matches!(it.verb, Verb::Write | Verb::Delete | Verb::Move))
}

fn say(message: &Message) -> Result<(), String> {
    let line = serde_json::to_string(message).map_err(|why| why.to_string())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").map_err(|why| why.to_string())
}
