//! A gate for this process: settings loaded, surroundings at hand, records written.

use std::path::{Path, PathBuf};

use autobelay::{Gate, OurLexicon, Sight};
use belay_journal::{Journal, Record, Shadow, calendar};
use belay_model::{Call, Judgement, Surroundings, Trouble, TroubleKind, Verdict};
use belay_settings::fleet;
use belay_settings::grants::{self, Grant};
use belay_settings::{Bundles, Loaded, Mode, Settings, SettingsError, Source, StoreError};
use belay_surroundings::{Memory, Recorder, Session, World};

use crate::anchor;
use crate::args::Standing;
use crate::config;
use crate::exit::Exit;
use crate::keeping::{Asked, user};
use crate::learning::Provable;
use crate::memory;
use crate::model::{LastHeard, Model, account_to_json};
use crate::out::Failure;
use crate::places::{self, Here, standpoint, switched_off_by, variable};
use crate::undo;

/// Everything needed to judge calls, opened once.
pub struct Judging {
    here: Here,
    gate: Gate,
    headless: bool,
    record: Recording,
    granted: Granted,
    hash: Option<String>,
    heard: LastHeard,
    notes: Vec<Trouble>,
    provable: Provable,
}

/// Where we stand, and the settings that were found there.
struct Found {
    here: Here,
    loaded: Loaded,
}

/// Whether what a person granted counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Granted {
    /// As for an agent's call.
    Counts,
    /// What must come out the same every time.
    Ignored,
}

/// Whether answers are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// Every answer is in the journal, and the session's memory, before it leaves.
    Kept,
    /// Somebody only wants to know.
    NotKept,
}

impl Judging {
    /// Opens a gate for the command line; broken settings are an error, said.
    pub fn open(standing: &Standing, record: Recording) -> Result<Self, Failure> {
        let judging = Self::open_static(standing, record)?;
        Ok(if standing.without_model {
            judging
        } else {
            judging.asking()
        })
    }

    /// Opens a gate that never asks a model: for what must come out the same every time.
    pub fn open_static(standing: &Standing, record: Recording) -> Result<Self, Failure> {
        let here = from(standing)?;
        let loaded = here.proven();
        Self::opened(standing, Found { here, loaded }, record)
    }

    /// Opens a gate that leaves the fleet's bundle out of account.
    pub fn open_without_bundle(standing: &Standing) -> Result<Self, Failure> {
        let mut here = from(standing)?;
        here.places.bundles = Bundles::LeftOut;
        let loaded = here.settings();
        Self::opened(standing, Found { here, loaded }, Recording::NotKept)
    }

    /// Opens a gate for who proves the examples of the settings himself: the user's, or a file's.
    pub fn open_unproven(standing: &Standing, file: Option<&Path>) -> Result<Self, Failure> {
        let mut here = from(standing)?;
        if let Some(file) = file {
            here.places.user = Some(file.to_owned());
            here.places.user_named = true;
        }
        let loaded = here.settings();
        Self::opened(standing, Found { here, loaded }, Recording::NotKept)
    }

    /// Lets what a person granted count, as it does for an agent's call.
    pub const fn counting_grants(mut self) -> Self {
        self.granted = Granted::Counts;
        self
    }

    fn opened(standing: &Standing, found: Found, record: Recording) -> Result<Self, Failure> {
        let Found { here, mut loaded } = found;
        let examples = loaded.errors.iter().all(SettingsError::is_example);
        if config::complain(&loaded) != Exit::Done && !examples {
            return Err(Failure::said(
                "belay cannot judge while the settings have errors",
            ));
        }
        if let Some(folder) = &standing.dump {
            loaded.settings.classifier.dump_dir = Some(folder.display().to_string());
        }
        Ok(Self::new(here, loaded, record).headless_if(standing.headless))
    }

    /// Opens a gate for one call of an agent.
    pub fn for_agent(call: &Call) -> Result<Self, String> {
        let here = Here::of(call);
        let loaded = here.proven();
        if let Some(error) = loaded.errors.iter().find(|it| !it.is_example()) {
            return Err(on_one_line(error));
        }
        let judging = Self::new(here, loaded, Recording::Kept);
        Ok(judging.asking().counting_grants())
    }

    /// Adds what the records shall say besides.
    pub fn noting(mut self, notes: Vec<Trouble>) -> Self {
        self.notes.extend(notes);
        self
    }

    fn live_grants(&self, call: &Call) -> Result<Vec<Grant>, StoreError> {
        match (&self.here.places.state_dir, self.granted) {
            (Some(state), Granted::Counts) => grants::live(state, &moment(call)),
            (None, Granted::Counts) | (_, Granted::Ignored) => Ok(Vec::new()),
        }
    }

    /// Uses up the grants that let a call through; one that is gone by now lets nothing through.
    fn spend(&self, call: &Call, judgement: &Judgement) -> Result<(), Failure> {
        let rule = judgement.reason.rule.as_deref().unwrap_or_default();
        let state = self
            .here
            .places
            .state_dir
            .as_ref()
            .filter(|_| rule.starts_with("grant "));
        let Some(state) = state else { return Ok(()) };
        for grant in self.live_grants(call).map_err(Failure::said)? {
            let named = judgement.effects.iter().any(|it| grant.names(it));
            if named && !grants::spend(state, &grant.id, &moment(call)).map_err(Failure::said)? {
                return Err(Failure::said("another call just used up this grant"));
            }
        }
        Ok(())
    }

    fn new(here: Here, loaded: Loaded, record: Recording) -> Self {
        let wishes = switched_off_by(&loaded).into_iter();
        let fleet = loaded.fleet.troubles.iter().cloned();
        let notes = wishes
            .chain(fleet)
            .map(|it| Trouble::new(TroubleKind::Note, it))
            .collect();
        let keeper = undo::keeper(&loaded.settings, &here, record);
        let mut gate =
            raw(loaded.settings, &here, &loaded.files).broken(loaded.errors.first().map(placed));
        if let Some(keeper) = keeper {
            gate = gate.keeping(keeper);
        }
        Self {
            here,
            gate,
            headless: false,
            record,
            granted: Granted::Ignored,
            hash: loaded.hash,
            heard: LastHeard::default(),
            notes,
            provable: Provable::No,
        }
    }

    /// Lets the model of the settings decide what understanding leaves open.
    fn asking(mut self) -> Self {
        if let Some(model) = self.model() {
            self.heard = model.heard();
            self.gate = self.gate.asking(Box::new(model));
        }
        self
    }

    /// Returns the model that the settings name.
    pub fn model(&self) -> Option<Model> {
        Model::of(self.settings(), &self.here.places)
    }

    const fn headless_if(mut self, headless: bool) -> Self {
        self.headless = headless;
        self
    }

    /// Makes a gate that stands where this one stands, with other settings.
    pub fn gate_with(&self, settings: Settings) -> Gate {
        raw(Box::new(settings), &self.here, &[])
    }

    /// Returns what is known of the words that rules are made of.
    pub fn lexicon(&self) -> OurLexicon<'_> {
        self.gate.lexicon()
    }

    /// Returns the settings in force.
    pub const fn settings(&self) -> &Settings {
        self.gate.settings()
    }

    /// Returns the folder for what we remember.
    pub fn state(&self) -> Option<&Path> {
        self.here.places.state_dir.as_deref()
    }

    /// Returns how the gate is set.
    pub const fn mode(&self) -> Mode {
        self.settings().mode
    }

    /// Tells whether nobody can be asked.
    pub const fn headless(&self) -> bool {
        self.headless
    }

    /// Fills in what a call left open: where we are, whose home, which project.
    pub fn completed(&self, mut call: Call) -> Call {
        if call.cwd.is_empty() {
            call.cwd.clone_from(&self.here.cwd);
        }
        if call.project_roots.is_empty() {
            let inside = std::path::Path::new(&call.cwd).starts_with(&self.here.project);
            let root = if inside {
                &self.here.project
            } else {
                &call.cwd
            };
            call.project_roots = vec![root.clone()];
        }
        call.home = call.home.or_else(|| self.here.home.clone());
        call.headless |= self.headless;
        call
    }

    /// Judges a call; where answers are kept, record and memory are written before it returns.
    pub fn judge(&self, call: &Call) -> Result<Judgement, Failure> {
        match self.record {
            Recording::Kept => Ok(self.judge_and_keep(call, &Asked::ONCE)?.judgement),
            Recording::NotKept => {
                let grants = self.live_grants(call).map_err(Failure::said)?;
                Ok(self.gate.judge_granted(call, &self.world(call), &grants))
            }
        }
    }

    /// Tells whether these grants would let a call through, and no more than it; nobody is asked and nothing
    /// is kept.
    pub fn would_allow(&self, call: &Call, grants: &[Grant]) -> bool {
        let settings = self.settings().clone();
        let gate = self.gate_with(settings);
        // A look at a whole tree is long: what was asked is not asked twice.
        let world = Recorder::new(self.world(call));
        let found = gate.judge_granted(call, &world, grants);
        found.verdict == Verdict::Allow && gate.is_narrow(call, &world)
    }

    /// Tells whether the same call would pass in its session once a person said yes to it; nobody is asked.
    pub fn would_pass_after_yes(&self, call: &Call) -> bool {
        let gate = self.gate_with(self.settings().clone());
        gate.is_covered_by_yes(call, &Recorder::new(self.world(call)))
    }

    /// Returns what rule sets of the fleet that are only observed would have said.
    fn shadowed(
        &self,
        call: &Call,
        world: &dyn Surroundings,
        judgement: &Judgement,
    ) -> Option<Shadow> {
        let shadow = self.gate.shadow(call, world, judgement)?;
        let sets = &self.settings().staged.observed;
        Some(Shadow::beside(judgement, &shadow, sets))
    }

    /// Judges a call of a record in the world of then; what was kept then could be kept again.
    pub fn judge_again(&self, record: &Record, world: &dyn Surroundings) -> Judgement {
        self.judge_again_by(self.settings(), record, world)
    }

    /// Judges a call of a record in the world of then, by other settings.
    pub fn judge_again_by(
        &self,
        settings: &Settings,
        record: &Record,
        world: &dyn Surroundings,
    ) -> Judgement {
        let gate = self.gate_with(settings.clone());
        let then = undo::Then::of(record);
        gate.keeping(Box::new(then)).judge_in(&record.call, world)
    }

    /// Returns what is seen of a call.
    pub fn look(&self, call: &Call) -> Sight {
        self.gate.look(call, &self.world(call))
    }

    /// Returns what is seen of a call in a given world.
    pub fn look_in(&self, call: &Call, world: &dyn Surroundings) -> Sight {
        self.gate.look(call, world)
    }

    /// Judges a call of an agent: record and memory are written before it returns.
    pub fn judge_and_keep(&self, call: &Call, asked: &Asked<'_>) -> Result<Record, Failure> {
        // One world for all of it: the session's memory is read once.
        let world = self.world(call);
        world
            .begin_session(&call.project_roots)
            .map_err(Failure::said)?;
        let recorder = Recorder::new(&world);
        let grants = self.live_grants(call).map_err(Failure::said)?;
        let mut judgement = self.gate.judge_granted(call, &recorder, &grants);
        self.spend(call, &judgement)?;
        judgement.troubles.extend(anchor::planted_notes());
        judgement.troubles.extend(self.notes.iter().cloned());
        let mut record = Record::new(call.clone(), judgement.clone());
        self.mode().word().clone_into(&mut record.mode);
        record.machine = fleet::machine();
        record.shadow = self.shadowed(call, &recorder, &record.judgement);
        record.user = user();
        record.enforced = self.mode() == Mode::Auto && !(asked.is_held_back)(&judgement);
        let hash = self.hash.as_deref().unwrap_or("default");
        record.settings = Some(hash.to_owned());
        record.policy = Some(autobelay::tables());
        if let Some(outcome) = self.heard.take() {
            record.model = Some(account_to_json(&outcome.account));
            record.rung = Some(outcome.rung);
        }
        let enforced = judgement.verdict == Verdict::Ask && self.mode() == Mode::Auto;
        let question = match enforced {
            true => self.asked(call, &record.id, &recorder),
            false => Vec::new(),
        };
        record.answers = recorder.into_record().to_lines();
        match self.kept_before(&record, asked.again) {
            Some(before) => record.id = before,
            None => self.journal()?.append(&record).map_err(Failure::said)?,
        }
        memory::remember(&world, call, &judgement).map_err(Failure::said)?;
        if let Some(session) = world.session() {
            session.remember(&question).map_err(Failure::said)?;
        }
        Ok(record)
    }

    /// Remembers what is known as a session begins.
    pub fn begin(&self, call: &Call) -> Result<(), Failure> {
        self.world(call)
            .begin_session(&call.project_roots)
            .map_err(Failure::said)
    }

    /// Remembers that a person spoke: denials before count no more.
    pub fn person_spoke(&self, call: &Call) -> Result<(), Failure> {
        match self.session(call) {
            Some(session) => session.remember(&[Memory::Person]).map_err(Failure::said),
            None => Ok(()),
        }
    }

    /// Says whether a person's answer to what is asked now could be proved later.
    pub const fn learning(mut self, provable: Provable) -> Self {
        self.provable = provable;
        self
    }

    /// Tells whether a person's answer to what is asked now could be proved later.
    pub(crate) const fn provable(&self) -> Provable {
        self.provable
    }

    /// Returns the gate.
    pub const fn gate(&self) -> &Gate {
        &self.gate
    }

    pub(crate) fn session(&self, call: &Call) -> Option<Session> {
        let state = self.here.places.state_dir.as_ref()?;
        Some(Session::open(state, call.session.as_ref()?))
    }

    pub(crate) fn world(&self, call: &Call) -> World {
        // What programs read of the home folder, they find by the environment.
        let home = call.env_home.as_ref().or(call.home.as_ref());
        let home = home.or(self.here.home.as_ref()).map(String::as_str);
        let from = standpoint(&call.cwd, home);
        match self.session(call) {
            Some(session) => World::with_session(from, session),
            None => World::new(from),
        }
    }

    /// Returns the journal of these settings.
    pub fn journal(&self) -> Result<Journal, Failure> {
        places::journal(self.settings(), &self.here.places).ok_or_else(|| {
            Failure::said(
                "there is no folder for the journal\nhint: set `HOME`, or `[journal] dir`",
            )
        })
    }
}

fn raw(settings: Box<Settings>, here: &Here, files: &[(Source, PathBuf)]) -> Gate {
    // A file that is refused says nothing: what it speaks of stays unknown.
    let knowledge = here.knowledge().unwrap_or_default();
    let search_path = variable("PATH").unwrap_or_default();
    Gate::new(settings)
        .knowing(knowledge)
        .guarding(here.ours(files))
        .at_home(here.home.clone(), search_path)
}

fn from(standing: &Standing) -> Result<Here, Failure> {
    let mut here = Here::at(standing.folder.as_deref())?;
    here.places.overrides.clone_from(&standing.overrides);
    Ok(here)
}

/// Returns an error with its place, without the hint: it is part of a reason.
fn placed(error: &SettingsError) -> String {
    let at = &error.origin;
    format!("{error} ({}:{}:{})", at.file, at.line, at.column)
}

fn on_one_line(error: &SettingsError) -> String {
    error.render().trim_end().replace('\n', " ")
}

/// When and where a call happens, for grants.
fn moment(call: &Call) -> grants::Moment<'_> {
    grants::Moment {
        now: calendar::Moment::now().0 / 1000,
        folder: &call.cwd,
        session: call.session.as_deref(),
    }
}
