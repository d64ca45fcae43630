//! What real shells did, kept: once they have run, an analysis that changed is judged by it again without them.
//!
//! What a shell does with a program does not depend on what the analysis says of it. The first line of a file says which programs
//! they were, each other line what one of them did in all its worlds.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Shell;
use crate::acts::Act;
use crate::cover::Cover;
use crate::predict::predict;
use crate::worker::{Hole, Job, said_of, writer};

/// Which programs were run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    shell: String,
    seed: u64,
    about: String,
    worlds: u64,
    /// What programs and stubs were made from: with another, the same seed means other programs.
    from: u64,
}

impl Head {
    fn of(job: &Job, shell: Shell) -> Self {
        let mut from = DefaultHasher::new();
        crate::worker::GRAMMAR.hash(&mut from);
        include_str!("../stage/stubs.bash").hash(&mut from);
        Self {
            shell: shell.word().to_owned(),
            seed: job.seed,
            about: job.about.clone(),
            worlds: job.worlds,
            from: from.finish(),
        }
    }
}

/// What one program did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Deed {
    /// Which program of the run.
    pub index: u64,
    /// What it did in all its worlds.
    pub acts: Vec<String>,
}

/// A file that is written while programs run.
#[derive(Debug)]
pub struct Scribe {
    file: BufWriter<File>,
}

impl Scribe {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(path: &Path, job: &Job, shell: Shell) -> Result<Self, String> {
        let file = File::create(path).map_err(|why| told(path, &why))?;
        let mut scribe = Self {
            file: BufWriter::new(file),
        };
        scribe.line(&Head::of(job, shell))?;
        Ok(scribe)
    }

    /// Writes down what a program did.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note(&mut self, deed: &Deed) -> Result<(), String> {
        self.line(deed)
    }

    fn line(&mut self, what: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string(what).map_err(|why| why.to_string())?;
        writeln!(self.file, "{text}").map_err(|why| format!("cannot keep what was done: {why}"))
    }
}

/// What came of judging a file again.
#[derive(Debug, Default)]
pub struct Judged {
    /// How many programs it tells of.
    pub programs: u64,
    /// How many of them acted.
    pub acted: u64,
    /// Those that did what is not said now.
    pub holes: Vec<Hole>,
}

impl std::fmt::Display for Judged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            programs,
            acted,
            holes,
        } = self;
        write!(
            f,
            "{programs} programs were run before ({acted} acted)\nuncovered: {} of {programs}",
            holes.len()
        )
    }
}

/// Judges a file by what the analysis says today.
///
/// # Errors
/// When the file cannot be read, or the programs of its run would be others today.
pub fn judge(path: &Path) -> Result<(Judged, u64), String> {
    let file = File::open(path).map_err(|why| told(path, &why))?;
    let mut lines = BufReader::new(file).lines();
    let first = lines.next().and_then(Result::ok).unwrap_or_default();
    let head: Head = serde_json::from_str(&first).map_err(|why| told(path, &why))?;
    let shell = Shell::from_word(&head.shell).ok_or("the file names no shell")?;
    let job = Job::of(head.seed, head.worlds, &head.about);
    if Head::of(&job, shell) != head {
        return Err(format!(
            "`{}` was made with another grammar or other stubs: its programs would be others today; run them anew",
            path.display()
        ));
    }
    // The last line is cut off where the run was.
    let deeds: Vec<Deed> = lines
        .map_while(Result::ok)
        .map_while(|it| serde_json::from_str(&it).ok())
        .collect();
    Ok((judge_all(&deeds, &job, shell)?, head.seed))
}

fn judge_all(deeds: &[Deed], job: &Job, shell: Shell) -> Result<Judged, String> {
    crate::predict::check()?;
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let share = deeds.len().div_ceil(cores).max(1);
    let mut judged = Judged::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = deeds
            .chunks(share)
            .map(|some| scope.spawn(|| judge_some(some, job, shell)))
            .collect();
        for thread in threads {
            let part = thread.join().map_err(|_| "a thread failed")??;
            judged.programs += part.programs;
            judged.acted += part.acted;
            judged.holes.extend(part.holes);
        }
        Ok(judged)
    })
}

fn judge_some(deeds: &[Deed], job: &Job, shell: Shell) -> Result<Judged, String> {
    let write = writer(job.clone(), shell)?;
    let mut judged = Judged::default();
    for deed in deeds {
        let acts: Result<Vec<Act>, String> = deed.acts.iter().map(|it| it.parse()).collect();
        let acts = acts?;
        judged.programs += 1;
        judged.acted += u64::from(!acts.is_empty());
        if acts.is_empty() {
            continue;
        }
        let text = write(deed.index);
        let said = predict(&text, shell);
        let cover = Cover::new(&text, shell, &said);
        let done: Vec<String> = acts
            .iter()
            .filter(|it| !cover.holds(it))
            .map(ToString::to_string)
            .collect();
        if !done.is_empty() {
            judged.holes.push(Hole {
                index: deed.index,
                shell: shell.word().to_owned(),
                world: "one of those it was run in".to_owned(),
                done,
                said: said_of(&text, &said),
                program: text.clone(),
            });
        }
    }
    Ok(judged)
}

fn told(path: &Path, why: &dyn std::fmt::Display) -> String {
    format!("cannot use `{}`: {why}", path.display())
}
