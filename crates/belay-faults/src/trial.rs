//! One trial: a home, a call, an accident, and what the agent would have done.

use std::time::Duration;

use belay_journal::Journal;
use belay_oracle::dice::Dice;
use serde_json::Value;

use crate::calls::{Call, Kind};
use crate::corrupt::{misdate, spoil};
use crate::disk::{Disk, Wrong};
use crate::faults::Fault;
use crate::home::{Ground, SESSION, WORK, model_settings};
use crate::hook::{Answer, Blow, Outcome, Start};
use crate::inspect::{Answered, Before};
use crate::model::Model;
use crate::{daemon, limits};

/// A trial that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Its number in the run.
    pub number: u64,
    /// What goes wrong.
    pub fault: Fault,
    /// How many hooks are a crowd, in the first round; later ones are smaller.
    pub crowd: usize,
}

/// What came of a trial.
#[derive(Debug, Default)]
pub struct Report {
    /// What each hook answered.
    pub outcomes: Vec<Outcome>,
    /// What must not be, for a person.
    pub wrong: Vec<String>,
}

/// A call that was answered, or not.
struct Asked {
    call: Call,
    answer: Answer,
}

/// What is done to a home, and has an end.
struct Harm {
    start: Start,
    disk: Option<Disk>,
    model: Option<Model>,
    told: String,
}

/// A hook is killed within so many microseconds of its start.
const WITHIN: u64 = 24_000;

/// A model that nobody plays: what was said before is all there is.
const NOBODY: &str = "http://127.0.0.1:9";

/// How patient a hook is that may wait for what never comes.
const IMPATIENT: &str = "700";

/// The most hooks of a later crowd.
const FEW: u64 = 49;

/// One trial in so many is followed by a harmful call with nothing going wrong any more.
const FOLLOWED: u64 = 3;

impl Trial {
    /// Plays the trial in a fresh home.
    ///
    /// # Errors
    /// When it cannot be played: then nothing was proved.
    pub fn play(&self, ground: &Ground, dice: &mut Dice) -> Result<Report, String> {
        ground.fresh()?;
        let harm = self.harm(ground, dice)?;
        let before = Before::of(ground.state().join("journal"));
        let asked = self.ask(ground, &harm, dice)?;
        if let Some(disk) = &harm.disk {
            disk.mend();
        }
        let mut wrong: Vec<String> = asked
            .iter()
            .filter_map(|it| self.mistaken(it, &harm))
            .collect();
        let answers: Vec<Answered<'_>> = asked.iter().map(Answered::from).collect();
        let silent = answers.iter().filter(|it| !it.outcome.is_answered());
        // Without a home of its own the gate writes to that of the user database, which is not looked at.
        let elsewhere = self.fault == Fault::NothingNamed;
        if !elsewhere {
            wrong.extend(before.faults(&answers, silent.count()));
        }
        if self.fault == Fault::Index {
            wrong.extend(miscounted(ground)?);
        }
        for it in asked.iter().filter(|_| !elsewhere) {
            wrong.extend(not_given_back(ground, it)?);
        }
        if dice.below(FOLLOWED) == 0 {
            wrong.extend(self.followed(ground, dice)?);
        }
        let told = |it: String| format!("{} ({}): {it}", self.fault.named(), harm.told);
        Ok(Report {
            outcomes: asked.iter().map(|it| it.answer.outcome).collect(),
            wrong: wrong.into_iter().map(told).collect(),
        })
    }

    /// Lets something go wrong.
    fn harm(&self, ground: &Ground, dice: &mut Dice) -> Result<Harm, String> {
        let mut harm = Harm {
            start: ground.start(),
            disk: None,
            model: None,
            told: String::new(),
        };
        let state = ground.state();
        match self.fault {
            Fault::Nothing | Fault::Crowd | Fault::DaemonKilled | Fault::CutMessage => {}
            Fault::Killed => harm.start.blow = Some(blow(dice, false)),
            Fault::AllKilled => harm.start.blow = Some(blow(dice, true)),
            Fault::ClosedPipe => harm.start.deaf = true,
            Fault::ClosedDescriptors => harm.start.around = limits::closed(dice),
            Fault::FullDisk => harm.disk = Some(Disk::over(&state, Wrong::Full, dice)?),
            Fault::ReadOnlyDisk => harm.disk = Some(Disk::over(&state, Wrong::ReadOnly, dice)?),
            Fault::NoInodes => harm.disk = Some(Disk::over(&state, Wrong::NoInodes, dice)?),
            Fault::NoHome => harm.without("HOME"),
            Fault::NoPath => harm.without("PATH"),
            Fault::NothingNamed => {
                harm.start.env.clear();
                harm.start.home = None;
            }
            Fault::HugeEnvironment => harm.start.env.extend(limits::huge(dice)),
            Fault::OtherTimes => harm.told = misdate(&state, dice),
            Fault::Locale => harm.start.env.extend(limits::locale(dice)),
            Fault::Limit => harm.start.before = limits::drawn(dice),
            Fault::Model => {
                let model = Model::drawn(dice)?;
                let soon = "[deadline]\ntotal_ms = 1200\n";
                let more = if model.is_well { "" } else { soon };
                ground.write_settings(&model_settings(&model.url, more))?;
                harm.told = model.named.clone();
                harm.model = Some(model);
            }
            Fault::Settings => harm.spoiled(spoil(&ground.settings(), dice)),
            Fault::Memory => harm.spoiled(spoil(&state.join("sessions"), dice)),
            Fault::Journal => harm.spoiled(spoil(&journal_of(ground), dice)),
            Fault::Index => {
                let index = journal_of(ground).with_extension("index");
                // A journal this small has none of its own.
                let made = std::fs::write(&index, [b"belayix1".as_slice(), &[7; 400]].concat());
                made.map_err(|why| why.to_string())?;
                harm.spoiled(spoil(&index, dice));
            }
            Fault::Cache => {
                ground.write_settings(&model_settings(NOBODY, ""))?;
                harm.spoiled(spoil(&state.join("classifier"), dice));
            }
            Fault::Flags => harm.spoiled(spoil(&state.join("flags.json"), dice)),
            Fault::Undo => harm.spoiled(spoil(&state.join("undo"), dice)),
            Fault::Anything => harm.spoiled(spoil(&state, dice)),
        }
        if harm.told.is_empty() {
            let start = &harm.start;
            harm.told = format!("{}{} {:?}", start.before, start.around, start.blow);
        }
        Ok(harm)
    }

    /// Asks about one call, or many at once.
    fn ask(&self, ground: &Ground, harm: &Harm, dice: &mut Dice) -> Result<Vec<Asked>, String> {
        if self.fault == Fault::Crowd {
            return self.crowd(ground, harm, dice);
        }
        let call = self.call(dice);
        if self.fault == Fault::DaemonKilled {
            let answer = daemon::asked(ground, &call, dice)?;
            return Ok(vec![Asked { call, answer }]);
        }
        let mut message = ground.message(&call, SESSION);
        if self.fault == Fault::CutMessage {
            let length = dice.below(message.len() as u64);
            message.truncate(usize::try_from(length).unwrap_or(0));
        }
        let running = harm.start.hears(&message, ground.folder(), "trial")?;
        let answer = running.ended()?;
        Ok(vec![Asked { call, answer }])
    }

    fn crowd(&self, ground: &Ground, harm: &Harm, dice: &mut Dice) -> Result<Vec<Asked>, String> {
        let mut running = Vec::new();
        let size = match usize::try_from(self.number).is_ok_and(|it| it < Fault::ALL.len()) {
            true => self.crowd,
            false => 2 + usize::try_from(dice.below(FEW)).unwrap_or(0),
        };
        for at in 0..size {
            let id = format!("t{}-{at}", self.number);
            let call = match dice.chance(50) {
                true => Call::harmful(id.clone(), dice),
                false => Call::harmless(id.clone(), dice),
            };
            let session = format!("crowd-{}", dice.below(4));
            let message = ground.message(&call, &session);
            running.push((harm.start.hears(&message, ground.folder(), &id)?, call));
        }
        let mut asked = Vec::new();
        for (it, call) in running {
            let answer = it.ended()?;
            asked.push(Asked { call, answer });
        }
        for it in &asked {
            for end in ["in", "out", "err"] {
                let _ = std::fs::remove_file(ground.folder().join(format!("{}.{end}", it.call.id)));
            }
        }
        Ok(asked)
    }

    fn call(&self, dice: &mut Dice) -> Call {
        let id = format!("t{}", self.number);
        let by_model = [Fault::Model, Fault::Cache].contains(&self.fault);
        let by_keeping = [Fault::Undo, Fault::FullDisk, Fault::NoInodes].contains(&self.fault);
        if by_model && dice.chance(70) {
            return Call::unsure(id);
        }
        if by_keeping && dice.chance(40) {
            return Call::shell(id, Kind::Losing, crate::calls::LOSING);
        }
        Call::drawn(id, dice)
    }

    /// Says why an answer must not be.
    fn mistaken(&self, asked: &Asked, harm: &Harm) -> Option<String> {
        let Asked { call, answer } = asked;
        let well = harm.model.as_ref().is_some_and(|it| it.is_well);
        let why = match (answer.outcome, call.kind) {
            (Outcome::Open, _) => "an agent would run it",
            (Outcome::Allow, Kind::Harmful) => "it does harm and is allowed",
            (Outcome::Allow, Kind::Unsure) if !well => "no model allowed it",
            (Outcome::Allow, Kind::Harmless | Kind::Losing | Kind::Unsure) => return None,
            (Outcome::Ask | Outcome::Deny | Outcome::Refused | Outcome::Gone, _) => {
                return self.spoils_the_quiet(asked);
            }
        };
        Some(format!("{why}: {}: {answer:?}", call.told()))
    }

    /// Where nothing goes wrong, harmless calls are allowed: else the trials would show nothing.
    fn spoils_the_quiet(&self, asked: &Asked) -> Option<String> {
        let Asked { call, answer } = asked;
        let harmless = matches!(call.kind, Kind::Harmless | Kind::Losing);
        (self.fault == Fault::Nothing && harmless)
            .then(|| format!("it is not allowed: {}: {answer:?}", call.told()))
    }

    /// Asks about a harmful call with nothing going wrong any more: an accident does not linger as an allow.
    fn followed(&self, ground: &Ground, dice: &mut Dice) -> Result<Option<String>, String> {
        let call = Call::harmful(format!("t{}-after", self.number), dice);
        let mut start = ground.start();
        start.impatient();
        let message = ground.message(&call, SESSION);
        let answer = start.hears(&message, ground.folder(), "after")?.ended()?;
        Ok(matches!(answer.outcome, Outcome::Allow | Outcome::Open)
            .then(|| format!("afterwards: {}: {answer:?}", call.told())))
    }
}

impl<'a> From<&'a Asked> for Answered<'a> {
    fn from(asked: &'a Asked) -> Self {
        Self {
            id: &asked.call.id,
            outcome: asked.answer.outcome,
        }
    }
}

impl Harm {
    fn without(&mut self, name: &str) {
        self.start.env.retain(|(it, _)| it != name);
    }

    /// A file that was spoiled may be one that never ends.
    fn spoiled(&mut self, how: String) {
        self.told = how;
        self.start.impatient();
    }
}

impl Start {
    /// Lets the hook give up early.
    fn impatient(&mut self) {
        let patience = ("BELAY_TEST_DEADLINE_MS".to_owned(), IMPATIENT.to_owned());
        self.env.push(patience);
    }
}

fn blow(dice: &mut Dice, with_shell: bool) -> Blow {
    Blow {
        after: Duration::from_micros(dice.below(WITHIN)),
        with_shell,
    }
}

/// Returns the newest file of the journal.
fn journal_of(ground: &Ground) -> std::path::PathBuf {
    let folder = ground.state().join("journal");
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .map(|it| it.path())
        .filter(|it| it.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    found.sort();
    found.pop().unwrap_or(folder)
}

/// Says when a call was allowed because its loss can be undone, and it cannot.
fn not_given_back(ground: &Ground, asked: &Asked) -> Result<Option<String>, String> {
    let Asked { call, answer } = asked;
    if call.kind != Kind::Losing || answer.outcome != Outcome::Allow {
        return Ok(None);
    }
    let kept = answer.stdout.split_once("belay undo ");
    let id: String = kept.map_or_else(String::new, |(_, rest)| {
        rest.chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect()
    });
    ground.shell(crate::calls::LOSING)?;
    let (_, said) = ground.belay(&["undo", &id])?;
    let back = std::fs::read_to_string(ground.project().join("a.rs")).unwrap_or_default();
    Ok((back != WORK)
        .then(|| format!("what was kept as `{id}` is not given back: {said} {answer:?}")))
}

/// Says when readers count other records than there are.
fn miscounted(ground: &Ground) -> Result<Option<String>, String> {
    let records = Journal::new(ground.state().join("journal"))
        .newest()
        .count() as u64;
    let (_, said) = ground.belay(&["stats", "--json"])?;
    let stats: Value = serde_json::from_str(&said).unwrap_or_default();
    let of = |verdict: &str| {
        stats
            .pointer(&format!("/all/{verdict}"))
            .and_then(Value::as_u64)
    };
    let counted: u64 = ["allow", "ask", "deny"].into_iter().filter_map(of).sum();
    Ok((counted != records).then(|| format!("{counted} of {records} records are counted: {said}")))
}
