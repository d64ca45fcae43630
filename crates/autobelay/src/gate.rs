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
use crate::known::Known;
use crate::layers::{self, Settling};
use crate::lexicon::OurLexicon;
use crate::readings;
use crate::request::Request;
use crate::sight::Sight;
use crate::staged::{self, Supposed};
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

/// A call, the world it would run in, and the settings and the knowledge it is judged by.
#[derive(Clone, Copy)]
struct Scene<'a> {
    call: &'a Call,
    world: &'a dyn Surroundings,
    settings: &'a Settings,
    knowledge: &'a Knowledge,
}

/// A call that was judged, in which world, and what counted for it.
#[derive(Clone, Copy)]
struct Judged<'a> {
    scene: Scene<'a>,
    grants: &'a [Grant],
    judgement: &'a Judgement,
}

/// Other settings, and what is known under them.
#[derive(Clone, Copy)]
struct Turning<'a> {
    settings: &'a Settings,
    knowledge: &'a Knowledge,
}

/// Stands between what an agent wants to do and what happens.
pub struct Gate {
    settings: Box<Settings>,
    broken: Option<String>,
    places: Vec<String>,
    home: Option<String>,
    search_path: String,
    classifier: Option<Box<dyn Classify>>,
    keeper: Option<Box<dyn Keeper>>,
    known: Known,
}

impl Gate {
    /// Makes a gate with these settings.
    #[must_use]
    pub fn new(settings: impl Into<Box<Settings>>) -> Self {
        let settings = settings.into();
        Self {
            known: Known::of(Knowledge::ours(), &settings),
            settings,
            broken: None,
            places: Vec::new(),
            home: None,
            search_path: String::new(),
            classifier: None,
            keeper: None,
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
        self.known = Known::of(knowledge, &self.settings);
        self
    }

    /// Returns the settings in force.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns what is known of the words that rules are made of, a fleet's and the user's own files included.
    #[must_use]
    pub fn lexicon(&self) -> OurLexicon<'_> {
        OurLexicon::of(self.known.in_force())
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
        let scene = self.scene(call, world);
        let mut judgement = self.read(scene, heard);
        if let Some(settings) = &self.settings.staged.ask {
            let so_far = Judged {
                scene,
                grants,
                judgement: &judgement,
            };
            let knowledge = self.known.asking();
            if let Some(said) = self.turned(
                so_far,
                Turning {
                    settings,
                    knowledge,
                },
            ) {
                let attended = Attended::of(call, &self.settings);
                judgement = staged::asked(judgement, said, attended);
            }
        }
        judgement.micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        judgement
    }

    /// Returns what the rule sets that are only observed would have made of a judgement; none where there are none.
    #[must_use]
    pub fn shadow(
        &self,
        call: &Call,
        world: &dyn Surroundings,
        judgement: &Judgement,
    ) -> Option<Judgement> {
        let settings = self.settings.staged.observe.as_deref()?;
        let judged = Judged {
            scene: self.scene(call, world),
            grants: &[],
            judgement,
        };
        let knowledge = self.known.observing();
        let turned = self.turned(
            judged,
            Turning {
                settings,
                knowledge,
            },
        );
        Some(turned.unwrap_or_else(|| judgement.clone()))
    }

    /// Returns what a call gets under other settings, where it is not what it gets under these. Nobody is asked, so where the
    /// verdicts differ, what these settings say without a model and without keeping anything is what the other is held against.
    fn turned(&self, judged: Judged<'_>, turning: Turning<'_>) -> Option<Judgement> {
        let Turning {
            settings,
            knowledge,
        } = turning;
        let Judged {
            scene,
            grants,
            judgement,
        } = judged;
        let supposed = Supposed::of(judgement);
        let heard = Heard {
            grants,
            model: None,
            keeper: Some(&supposed),
            answers: Answers::Count,
        };
        let there = Scene {
            settings,
            knowledge,
            ..scene
        };
        let said = self.read(there, heard);
        if said.verdict == judgement.verdict {
            return None;
        }
        let here = self.read(scene, heard);
        (here.verdict != said.verdict).then_some(said)
    }

    /// Judges a call by all that is known; where a fleet's files were heard that may not loosen, without them too, and the
    /// stricter judgement stands.
    fn read(&self, scene: Scene<'_>, heard: Heard<'_>) -> Judgement {
        let taught = self.readings(scene, heard);
        let Some(knowledge) = self.known.without(scene.knowledge, scene.settings) else {
            return taught;
        };
        let supposed = Supposed::of(&taught);
        let heard = Heard {
            keeper: heard.keeper.map(|_| &supposed as &dyn Keeper),
            ..heard
        };
        let plain = self.readings(Scene { knowledge, ..scene }, heard);
        match plain.verdict > taught.verdict {
            true => plain,
            false => taught,
        }
    }

    /// Judges every reading of a call.
    fn readings(&self, scene: Scene<'_>, heard: Heard<'_>) -> Judgement {
        let judge = |call: &Call| self.with_case(Scene { call, ..scene }, heard, judged);
        readings::strictest(scene.call, scene.knowledge, &judge)
    }

    fn scene<'a>(&'a self, call: &'a Call, world: &'a dyn Surroundings) -> Scene<'a> {
        Scene {
            call,
            world,
            settings: &self.settings,
            knowledge: self.known.in_force(),
        }
    }

    /// Returns the scenes that a judgement looks at: with what a fleet says of commands and, where that may not loosen, without.
    fn scenes<'a>(&'a self, call: &'a Call, world: &'a dyn Surroundings) -> Vec<Scene<'a>> {
        let scene = self.scene(call, world);
        let both = self.known.both(&self.settings).into_iter();
        both.map(|knowledge| Scene { knowledge, ..scene }).collect()
    }

    /// Judges a call for itself: no grant counts, no model is asked, and an ask stays an ask.
    pub(crate) fn judged_plainly(&self, call: &Call, world: &dyn Surroundings) -> Judgement {
        self.with_case(self.scene(call, world), Heard::NOBODY, |case| {
            case.attended = Attended::ByAPerson;
            judged(case)
        })
    }

    /// Returns what a person's yes to this call would let through later, as keys for the session's memory.
    #[must_use]
    pub fn taught_by_yes(&self, call: &Call, world: &dyn Surroundings) -> Vec<String> {
        let scenes = self.scenes(call, world).into_iter();
        let taught = |case: &mut Case<'_>| consent::taught(case);
        let mut keys: Vec<String> = scenes
            .flat_map(|it| self.with_case(it, Heard::NOBODY, taught))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys
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
        let is_narrow = |case: &mut Case<'_>| consent::is_narrow(case);
        let mut scenes = self.scenes(call, world).into_iter();
        scenes.all(|it| self.with_case(it, Heard::NOBODY, is_narrow))
    }

    /// Returns what would be seen of a call, for those who explain.
    #[must_use]
    pub fn look(&self, call: &Call, world: &dyn Surroundings) -> Sight {
        self.with_case(self.scene(call, world), Heard::NOBODY, |case| {
            case.sight();
            case.take_sight().unwrap_or_default()
        })
    }

    /// Returns what policy thinks of one effect where a call stands.
    #[must_use]
    pub fn weighed(&self, effect: &Effect, call: &Call, world: &dyn Surroundings) -> Weighed {
        self.with_case(self.scene(call, world), Heard::NOBODY, |case| {
            belay_policy::weigh(effect, &case.frame)
        })
    }

    fn with_case<'g, T>(
        &'g self,
        scene: Scene<'g>,
        heard: Heard<'g>,
        work: impl FnOnce(&mut Case<'_>) -> T,
    ) -> T {
        let Scene {
            call,
            world,
            settings,
            knowledge,
        } = scene;
        let mut request = Request::of(call, knowledge);
        let stand = self.stand(scene, &request);
        let frame = stand.frame(world);
        request.review(&frame, knowledge);
        let mut case = Case::open(Opening {
            call,
            request,
            stand: &stand,
            frame,
            settings,
            knowledge,
            heard,
            broken: self.broken.as_deref(),
        });
        work(&mut case)
    }

    fn stand<'a>(&'a self, scene: Scene<'a>, request: &Request<'_>) -> Stand<'a> {
        let mut stand = Stand::new(scene.call, scene.settings, &self.places);
        stand.with_worktrees(scene.world);
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
        reason: Reason::new("No layer decided this."),
    };
    trail.settle(nobody, case)
}
