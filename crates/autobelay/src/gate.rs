//! The flow.

use std::time::Instant;

use belay_knowledge::{Knowledge, ToolKind};
use belay_model::{Band, Call, Judgement, Layer, Reason, Risk, Scope, Surroundings, Verdict};
use belay_places::Frame;
use belay_settings::Settings;
use belay_settings::grants::Grant;
use belay_surroundings::{Standpoint, World};

use crate::boundaries::{self, View};
use crate::request::Request;
use crate::sight::Sight;
use crate::stand::Stand;
use crate::trail::{self, Trail};
use crate::{algebra, credentials, edits, reasons};

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

/// Stands between what an agent wants to do and what happens.
pub struct Gate {
    settings: Settings,
    broken: Option<String>,
    places: Vec<String>,
    home: Option<String>,
    search_path: String,
    classifier: Option<Box<dyn Classify>>,
    grants: Vec<Grant>,
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
            grants: Vec::new(),
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

    /// Names the user's home folder, for calls that do not, and where programs are looked for.
    #[must_use]
    pub fn at_home(mut self, home: Option<String>, search_path: String) -> Self {
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

    /// Hands over what a person granted and what counts for the calls to come. A call that a grant
    /// lets through names it as its rule: `grant g1`; whoever hands over spends it.
    #[must_use]
    pub fn granting(mut self, grants: Vec<Grant>) -> Self {
        self.grants = grants;
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
        self.judge_granted(call, world, &self.grants)
    }

    /// Judges a call for which these grants count.
    #[must_use]
    pub fn judge_granted(
        &self,
        call: &Call,
        world: &dyn Surroundings,
        grants: &[Grant],
    ) -> Judgement {
        let start = Instant::now();
        let mut judgement = self.walk(call, (world, grants));
        if call.headless || self.settings.headless {
            judgement = unattended(judgement);
        }
        judgement.micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        judgement
    }

    /// Judges a call for itself: no grant counts, and an ask stays an ask.
    pub(crate) fn judged_plainly(&self, call: &Call, world: &dyn Surroundings) -> Judgement {
        self.walk(call, (world, &[]))
    }

    /// Returns what would be seen of a call, for those who explain.
    #[must_use]
    pub fn look(&self, call: &Call, world: &dyn Surroundings) -> Sight {
        let mut request = Request::of(call, &self.knowledge);
        let stand = self.stand(call, &request);
        let frame = stand.frame(world);
        request.review(&frame, &self.knowledge);
        self.sight(&request, &frame)
    }

    fn sight(&self, request: &Request<'_>, frame: &Frame<'_>) -> Sight {
        Sight::of(request, frame, &self.knowledge)
    }

    fn stand(&self, call: &Call, request: &Request<'_>) -> Stand {
        let mut stand = Stand::new(call, &self.settings, &self.places);
        if stand.home.is_none()
            && !stand.cwd.starts_with("/home/")
            && !stand.cwd.starts_with("/Users/")
        {
            stand.home.clone_from(&self.home);
        }
        if let Some(cwd) = &request.cwd {
            stand.cwd = match belay_places::absolute(
                cwd,
                &stand.cwd,
                stand.home.as_deref().unwrap_or("/home/user"),
            ) {
                Some(path) => path.text().to_owned(),
                None => String::new(),
            };
        }
        stand
    }

    fn walk(&self, call: &Call, (world, grants): (&dyn Surroundings, &[Grant])) -> Judgement {
        let mut request = Request::of(call, &self.knowledge);
        let stand = self.stand(call, &request);
        let frame = stand.frame(world);
        request.review(&frame, &self.knowledge);
        let mut trail = Trail::new(call);
        let mut seen: Option<Sight> = None;
        let raised = if boundaries::exist(&self.settings) {
            let sight = seen.insert(self.sight(&request, &frame));
            boundaries::raise(&self.settings, &View::new((call, &stand), sight, &frame))
        } else {
            None
        };
        let asks = match raised {
            Some((Verdict::Deny, reason)) => {
                let said = (Verdict::Deny, Risk::CRITICAL, reason);
                return trail.settle(Layer::Boundaries, said, seen);
            }
            Some((Verdict::Ask | Verdict::Allow, reason)) => Some(reason),
            None => self.broken.as_ref().map(|why| {
                Reason::new(format!(
                    "the settings have a mistake, so nothing is allowed: {why}"
                ))
            }),
        };
        trail.pass(
            Layer::Boundaries,
            match &asks {
                Some(_) => "at least ask",
                None => "no hard rule speaks of it",
            },
        );
        let judgement = self.settled((call, &request, grants), (&stand, &frame), seen, trail);
        match asks {
            // A hard rule may only raise: what is denied without it stays denied.
            Some(reason) => trail::raised(judgement, reason),
            None => judgement,
        }
    }

    /// Layers 2 to 6.
    fn settled(
        &self,
        (call, request, grants): (&Call, &Request<'_>, &[Grant]),
        (stand, frame): (&Stand, &Frame<'_>),
        seen: Option<Sight>,
        mut trail: Trail,
    ) -> Judgement {
        match self.listed(call, request, frame) {
            Ok(reason) => {
                return trail.settle(Layer::Allowlist, (Verdict::Allow, Risk::NONE, reason), seen);
            }
            Err(why) => trail.pass(Layer::Allowlist, &why),
        }
        match self.edited(request, frame) {
            Ok(reason) => {
                return trail.settle(
                    Layer::Edits,
                    (Verdict::Allow, Risk::LOW, reason),
                    Some(self.sight(request, frame)),
                );
            }
            Err(why) => trail.pass(Layer::Edits, &why),
        }
        let sight = match seen {
            Some(sight) => sight,
            None => self.sight(request, frame),
        };
        self.weighed((call, request, grants), (stand, frame), sight, trail)
    }

    /// Layer 2: tools that only look.
    fn listed(
        &self,
        call: &Call,
        request: &Request<'_>,
        frame: &Frame<'_>,
    ) -> Result<Reason, String> {
        let list = &self.settings.allowlist;
        if list.tools.iter().any(|it| it.text == call.tool) {
            return Ok(Reason::new("the user's allowlist names this tool"));
        }
        if !request.troubles.is_empty() {
            return Err("the call could not be read".to_owned());
        }
        if !list.builtin {
            return Err("the built-in allowlist is switched off".to_owned());
        }
        match request.kind {
            Some(ToolKind::Look | ToolKind::Plan | ToolKind::WebSearch | ToolKind::ShellStop) => {
                Ok(Reason::new("this tool only looks"))
            }
            Some(ToolKind::Agent) if request.effects.is_empty() => {
                Ok(Reason::new("calls of a sub-agent are judged one by one"))
            }
            Some(ToolKind::ShellInput) if request.risk == Risk::NONE => {
                Ok(Reason::new("nothing is typed"))
            }
            Some(ToolKind::ReadFile | ToolKind::Search) => {
                if list.guard_credentials {
                    credentials::unguarded(request, frame)?;
                }
                Ok(Reason::new("this tool only looks"))
            }
            Some(kind) => Err(format!("{kind:?} is not a tool that only looks").to_lowercase()),
            None => Err("nobody knows this tool".to_owned()),
        }
    }

    /// Layer 3: edits inside the project.
    fn edited(&self, request: &Request<'_>, frame: &Frame<'_>) -> Result<Reason, String> {
        if !request.troubles.is_empty() {
            return Err("the call could not be read".to_owned());
        }
        match request.kind {
            Some(ToolKind::Edit | ToolKind::Notebook | ToolKind::Patch) => {
                edits::inside(request, frame)?;
                Ok(Reason::new("an edit inside the project"))
            }
            Some(_) | None => Err("not an edit".to_owned()),
        }
    }

    /// Layers 4 to 6: what was seen, the user's rules, the model, and in the end a person.
    fn weighed(
        &self,
        (call, request, grants): (&Call, &Request<'_>, &[Grant]),
        (stand, frame): (&Stand, &Frame<'_>),
        sight: Sight,
        mut trail: Trail,
    ) -> Judgement {
        let base = self
            .base(call, request)
            .max(fetch_risk(call, request, frame));
        let view = View::new((call, stand), &sight, frame);
        let standing = algebra::stand(
            (&self.settings, grants, &self.knowledge),
            (&sight, &view),
            base,
        );
        let mut reason = reasons::seen(&sight);
        if base > sight.risk() && standing.lowered_by.is_none() {
            reason = Reason::new(format!(
                "the tool `{}` changes something nobody here can see",
                call.tool
            ));
        }
        if let Some(rule) = &standing.lowered_by {
            reason = reasons::lowered(rule);
        }
        let risk = standing.risk;
        if sight.has_floor() {
            return trail.settle(Layer::Analysis, (Verdict::Deny, risk, reason), Some(sight));
        }
        if let Some(rule) = standing.soft_deny {
            return self.soft(rule, (call, standing.band, risk), reason, (sight, trail));
        }
        match standing.band {
            Band::Clear => {
                trail.settle(Layer::Analysis, (Verdict::Allow, risk, reason), Some(sight))
            }
            Band::Deny => trail.settle(Layer::Analysis, (Verdict::Deny, risk, reason), Some(sight)),
            Band::Ask => trail.settle(Layer::Analysis, (Verdict::Ask, risk, reason), Some(sight)),
            Band::Unsure => {
                trail.pass(Layer::Analysis, &reason.because);
                self.asked(call, (reason, risk), sight, trail)
            }
        }
    }

    /// The risk of the tool itself.
    fn base(&self, call: &Call, request: &Request<'_>) -> Risk {
        let seen_whole = matches!(
            request.kind,
            Some(
                ToolKind::Shell
                    | ToolKind::Edit
                    | ToolKind::Delete
                    | ToolKind::Patch
                    | ToolKind::Notebook
                    | ToolKind::ReadFile
                    | ToolKind::Search
                    | ToolKind::Fetch
            )
        );
        let usual = if seen_whole { Risk::NONE } else { request.risk };
        self.settings.tool_risk(&call.tool, usual)
    }

    /// Layer 5 in the unsure band.
    fn asked(
        &self,
        call: &Call,
        (reason, risk): (Reason, Risk),
        sight: Sight,
        mut trail: Trail,
    ) -> Judgement {
        let Some(classifier) = &self.classifier else {
            trail.pass(Layer::Classifier, "no model is set up");
            return trail.settle(Layer::Fallback, (Verdict::Ask, risk, reason), Some(sight));
        };
        match classifier.classify(call, &sight, &self.settings) {
            Ruling::Pass(why) => trail.settle(
                Layer::Classifier,
                (Verdict::Allow, risk, Reason::new(why)),
                Some(sight),
            ),
            Ruling::Block(why) => {
                let verdict = self.settings.classifier.block_means.verdict();
                let mut blocked = Reason::new(why);
                blocked.instead = reason.instead;
                trail.settle(Layer::Classifier, (verdict, risk, blocked), Some(sight))
            }
            Ruling::NoVerdict(why) => {
                trail.pass(Layer::Classifier, &why);
                let verdict = self.settings.classifier.on_error.verdict();
                let mut failed = reason;
                failed.because = format!("{} (no verdict: {why})", failed.because);
                trail.settle(Layer::Fallback, (verdict, risk, failed), Some(sight))
            }
        }
    }

    /// A soft rule: only a model may release the call, and only to its own verdict.
    fn soft(
        &self,
        rule: String,
        (call, band, risk): (&Call, Band, Risk),
        reason: Reason,
        (sight, mut trail): (Sight, Trail),
    ) -> Judgement {
        let denied = Reason {
            because: format!("the rule `{rule}` stops it unless the user asked for it"),
            instead: Some("ask the user".to_owned()),
            rule: Some(format!("soft_deny: {rule}")),
        };
        let Some(classifier) = &self.classifier else {
            return trail.settle(Layer::Analysis, (Verdict::Deny, risk, denied), Some(sight));
        };
        match classifier.classify(call, &sight, &self.settings) {
            Ruling::Pass(why) => {
                trail.pass(Layer::Classifier, &why);
                trail.settle(
                    Layer::Classifier,
                    (released(band), risk, reason),
                    Some(sight),
                )
            }
            Ruling::Block(why) => trail.settle(
                Layer::Classifier,
                (Verdict::Deny, risk, Reason::new(why)),
                Some(sight),
            ),
            Ruling::NoVerdict(why) => {
                trail.pass(Layer::Classifier, &why);
                trail.settle(Layer::Fallback, (Verdict::Deny, risk, denied), Some(sight))
            }
        }
    }
}

/// The verdict a call has without the soft rule, once the model has spoken for it.
const fn released(band: Band) -> Verdict {
    match band {
        Band::Clear | Band::Unsure => Verdict::Allow,
        Band::Ask => Verdict::Ask,
        Band::Deny => Verdict::Deny,
    }
}

/// A page on a private network is for the user to name.
fn fetch_risk(call: &Call, request: &Request<'_>, frame: &Frame<'_>) -> Risk {
    if request.kind != Some(ToolKind::Fetch) {
        return Risk::NONE;
    }
    let named = |host: &str| {
        call.transcript.iter().any(|turn| match turn {
            belay_model::Turn::User(text) => text.contains(host),
            belay_model::Turn::Action(_) => false,
        })
    };
    let private = |effect: &belay_model::Effect| match &effect.target {
        belay_model::Target::Host(host) => {
            belay_places::host_scope(host, frame) == Scope::PrivateHost && !named(host)
        }
        belay_model::Target::Place(_) | belay_model::Target::Names(_) => false,
    };
    if request.effects.iter().any(private) {
        Risk::HIGH
    } else {
        Risk::NONE
    }
}

/// Nobody can be asked: ask becomes deny, with the same reason.
fn unattended(mut judgement: Judgement) -> Judgement {
    if judgement.verdict == Verdict::Ask {
        judgement.verdict = judgement.verdict.unattended();
        judgement
            .reason
            .because
            .push_str(" (nobody is there to ask)");
    }
    judgement
}
