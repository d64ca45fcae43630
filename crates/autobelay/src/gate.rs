//! The flow.

use std::time::Instant;

use belay_knowledge::Knowledge;
use belay_model::{Call, Effect, Judgement, Layer, Opinion, Reason, Surroundings, Verdict};
use belay_policy::Weighed;
use belay_settings::grants::Grant;
use belay_settings::{Places, Settings};
use belay_surroundings::{Standpoint, World};
use belay_undo::Keeper;

use crate::case::{Answers, Attended, Case, Heard, Opening};
use crate::consent::{self, Supposing};
use crate::layers::{self, Settling};
use crate::lexicon::OurLexicon;
use crate::readings;
use crate::request::Request;
use crate::sight::Sight;
use crate::stand::Stand;
use crate::trail::{self, Settled, Trail};

/// What a model says of a call in the unsure band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It may run.
    Pass(String),
    /// It should not.
    Block(String),
    /// There is no answer: why, for a person.
    NoVerdict(String),
}

/// A model that can be asked.
pub trait Classify {
    /// Asks one question.
    fn classify(&self, call: &Call, sight: &Sight, settings: &Settings) -> Ruling;
}

/// A call and the world it would run in.
struct Scene<'a> {
    call: &'a Call,
    world: &'a dyn Surroundings,
}

/// Stands between what an agent wants to do and what happens.
pub struct Gate {
    settings: Settings,
    broken: Option<String>,
    places: Vec<String>,
    home: Option<String>,
    search_path: String,
    classifier: Option<Box<dyn Classify>>,
    keeper: Option<Box<dyn Keeper>>,
    knowledge: Knowledge,
}

impl Gate {
    /// Makes a gate with these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            broken: None,
            places: Vec::new(),
            home: None,
            search_path: String::new(),
            classifier: None,
            keeper: None,
            knowledge: Knowledge::ours(),
        }
    }

    /// Tells the gate that its settings could not be read as they were meant: nothing is allowed.
    #[must_use]
    pub fn broken(mut self, why: Option<String>) -> Self {
        self.broken = why;
        self
    }

    /// Names the places that belong to the gate itself: settings, journal, program.
    #[must_use]
    pub fn guarding(mut self, places: Vec<String>) -> Self {
        self.places = places;
        self
    }

    /// Names the user's home folder, for calls that do not, and where programs are looked for. The
    /// gate's usual places there are guarded, unless others were named before.
    #[must_use]
    pub fn at_home(mut self, home: Option<String>, search_path: String) -> Self {
        if self.places.is_empty() {
            self.places = usual_places(home.as_deref());
        }
        self.home = home;
        self.search_path = search_path;
        self
    }

    /// Lets a model decide what understanding leaves open.
    #[must_use]
    pub fn asking(mut self, classifier: Box<dyn Classify>) -> Self {
        self.classifier = Some(classifier);
        self
    }

    /// Lets what would be lost be kept first; without a keeper a person is asked.
    #[must_use]
    pub fn keeping(mut self, keeper: Box<dyn Keeper>) -> Self {
        self.keeper = Some(keeper);
        self
    }

    /// Adds what a user's own files say of commands and tools that we do not know.
    #[must_use]
    pub fn knowing(mut self, knowledge: Knowledge) -> Self {
        self.knowledge = knowledge;
        self
    }

    /// Returns the settings in force.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns what is known of the words that rules are made of, the user's own files included.
    #[must_use]
    pub const fn lexicon(&self) -> OurLexicon<'_> {
        OurLexicon::of(&self.knowledge)
    }

    /// Judges a call in the world as it is.
    #[must_use]
    pub fn judge(&self, call: &Call) -> Judgement {
        let world = World::new(Standpoint {
            cwd: call.cwd.clone(),
            home: call.home.clone().or_else(|| self.home.clone()),
            search_path: self.search_path.clone(),
            ..Standpoint::default()
        });
        self.judge_in(call, &world)
    }

    /// Judges a call in a given world.
    #[must_use]
    pub fn judge_in(&self, call: &Call, world: &dyn Surroundings) -> Judgement {
        self.judge_granted(call, world, &[])
    }

    /// Judges a call for which these grants count. One that a grant lets through names it as its rule: `grant g1`;
    /// whoever hands over spends it.
    #[must_use]
    pub fn judge_granted(
        &self,
        call: &Call,
        world: &dyn Surroundings,
        grants: &[Grant],
    ) -> Judgement {
        let start = Instant::now();
        let heard = Heard {
            grants,
            model: self.classifier.as_deref(),
            keeper: self.keeper.as_deref(),
            answers: Answers::Count,
        };
        let judge = |call: &Call| self.with_case(Scene { call, world }, heard, judged);
        let mut judgement = readings::strictest(call, &self.knowledge, &judge);
        judgement.micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        judgement
    }

    /// Judges a call for itself: no grant counts, no model is asked, and an ask stays an ask.
    pub(crate) fn judged_plainly(&self, call: &Call, world: &dyn Surroundings) -> Judgement {
        self.with_case(Scene { call, world }, Heard::NOBODY, |case| {
            case.attended = Attended::ByAPerson;
            judged(case)
        })
    }

    /// Returns what a person's yes to this call would let through later, as keys for the session's memory.
    #[must_use]
    pub fn taught_by_yes(&self, call: &Call, world: &dyn Surroundings) -> Vec<String> {
        self.with_case(Scene { call, world }, Heard::NOBODY, |case| {
            consent::taught(case)
        })
    }

    /// Tells whether the same call would pass if a person had said yes to it once in this session.
    #[must_use]
    pub fn is_covered_by_yes(&self, call: &Call, world: &dyn Surroundings) -> bool {
        let keys = self.taught_by_yes(call, world);
        let supposed = Supposing::new(world, &keys);
        !keys.is_empty() && self.judge_in(call, &supposed).verdict == Verdict::Allow
    }

    /// Tells whether a grant of the effects of this call lets through no more than what is asked about.
    #[must_use]
    pub fn is_narrow(&self, call: &Call, world: &dyn Surroundings) -> bool {
        self.with_case(Scene { call, world }, Heard::NOBODY, |case| {
            consent::is_narrow(case)
        })
    }

    /// Returns what would be seen of a call, for those who explain.
    #[must_use]
    pub fn look(&self, call: &Call, world: &dyn Surroundings) -> Sight {
        self.with_case(Scene { call, world }, Heard::NOBODY, |case| {
            case.sight();
            case.take_sight().unwrap_or_default()
        })
    }

    /// Returns what policy thinks of one effect where a call stands.
    #[must_use]
    pub fn weighed(&self, effect: &Effect, call: &Call, world: &dyn Surroundings) -> Weighed {
        self.with_case(Scene { call, world }, Heard::NOBODY, |case| {
            belay_policy::weigh(effect, &case.frame)
        })
    }

    fn with_case<'g, T>(
        &'g self,
        scene: Scene<'g>,
        heard: Heard<'g>,
        work: impl FnOnce(&mut Case<'_>) -> T,
    ) -> T {
        let Scene { call, world } = scene;
        let mut request = Request::of(call, &self.knowledge);
        let stand = self.stand(call, &request);
        let frame = stand.frame(world);
        request.review(&frame, &self.knowledge);
        let mut case = Case::open(Opening {
            call,
            request,
            stand: &stand,
            frame,
            settings: &self.settings,
            knowledge: &self.knowledge,
            heard,
            broken: self.broken.as_deref(),
        });
        work(&mut case)
    }

    fn stand(&self, call: &Call, request: &Request<'_>) -> Stand<'_> {
        let mut stand = Stand::new(call, &self.settings, &self.places);
        if stand.home.is_none()
            && !stand.cwd.starts_with("/home/")
            && !stand.cwd.starts_with("/Users/")
        {
            stand.home.clone_from(&self.home);
        }
        if let Some(cwd) = &request.cwd {
            let home = stand.home.as_deref().unwrap_or("/home/user");
            stand.cwd = match belay_places::absolute(cwd, &stand.cwd, home) {
                Some(path) => path.text().to_owned(),
                None => String::new(),
            };
        }
        stand
    }
}

/// Returns where settings, knowledge and state of the gate lie for who names no other places.
fn usual_places(home: Option<&str>) -> Vec<String> {
    let usual = Places::usual(&|name| match name {
        "HOME" => home.map(str::to_owned),
        _ => None,
    });
    let all = [usual.managed, usual.user, usual.state_dir, usual.knowledge];
    all.into_iter()
        .flatten()
        .filter_map(|it| it.into_os_string().into_string().ok())
        .collect()
}

/// The flow: the first layer that settles ends the walk; what it settled is raised where it must be.
fn judged(case: &mut Case<'_>) -> Judgement {
    let mut judgement = settled(case);
    for layer in layers::RAISING {
        if let Some(raised) = (layer.raise)(case, &judgement) {
            judgement = trail::raised(judgement, layer.layer, raised);
        }
    }
    judgement
}

fn settled(case: &mut Case<'_>) -> Judgement {
    let mut trail = Trail::new();
    for Settling { layer, weigh } in layers::SETTLING {
        match weigh(case) {
            Opinion::Settled(verdict, reason) => {
                let settled = Settled {
                    layer,
                    verdict,
                    reason,
                };
                return trail.settle(settled, case);
            }
            Opinion::Pass(why) => trail.pass(layer, why),
        }
    }
    // The last layer always settles; were it not so, nothing would be allowed.
    let nobody = Settled {
        layer: Layer::Fallback,
        verdict: Verdict::Deny,
        reason: Reason::new("no layer settled it"),
    };
    trail.settle(nobody, case)
}
