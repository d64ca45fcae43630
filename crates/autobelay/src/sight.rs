//! What is seen of a call: its effects, weighed.

use belay_analysis::{Analysis, Invocation, Looked, Scene, Shell};
use belay_knowledge::Knowledge;
use belay_model::{Effect, Nowhere, Place, Risk, Target, Trouble, Verb};
use belay_places::Frame;
use belay_policy::{Weighed, counted, risk_in, weigh, weigh_among};
use belay_settings::Profile;

use crate::request::{Command, Request};

/// One effect and what policy thinks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The effect.
    pub effect: Effect,
    /// What policy thinks of it.
    pub weighed: Weighed,
}

/// Everything that is known of a call.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// The effects, weighed, in the order in which they were met.
    pub findings: Vec<Finding>,
    /// What could not be read or known.
    pub troubles: Vec<Trouble>,
    /// The commands that would run, wrappers removed.
    pub invocations: Vec<Invocation>,
}

impl Sight {
    pub(crate) fn of(request: &Request<'_>, frame: &Frame<'_>, knowledge: &Knowledge) -> Self {
        let mut sight = Self {
            troubles: request.troubles.clone(),
            ..Self::default()
        };
        for effect in &request.effects {
            let nothing = Looked::default();
            sight.found(shortened(effect.clone(), frame), &nothing, frame);
        }
        for command in &request.commands {
            let scene = Scene {
                frame,
                shell: Shell::Bash,
                knowledge,
            };
            let analysis = match command {
                Command::Text(text) => belay_analysis::analyse(text, scene),
                Command::Words(words) => belay_analysis::analyse_argv(words, scene),
            };
            sight.join(analysis, frame);
        }
        sight
    }

    /// Looks at a text for the shell alone.
    pub(crate) fn of_text(text: &str, frame: &Frame<'_>, knowledge: &Knowledge) -> Self {
        let scene = Scene {
            frame,
            shell: Shell::Bash,
            knowledge,
        };
        let mut sight = Self::default();
        sight.join(belay_analysis::analyse(text, scene), frame);
        sight
    }

    fn join(&mut self, analysis: Analysis, frame: &Frame<'_>) {
        // Where each effect of the analysis went: those that do not count leave no trace.
        let mut places = Vec::with_capacity(analysis.effects.len() + 1);
        places.push(self.findings.len());
        self.findings.reserve(analysis.effects.len());
        for effect in analysis.effects {
            if let Some(effect) = counted(effect, frame) {
                self.found(effect, &analysis.looked, frame);
            }
            places.push(self.findings.len());
        }
        let place = |at: usize| places.get(at).copied().unwrap_or_default();
        self.troubles.extend(analysis.troubles);
        let mut invocations = analysis.invocations;
        for it in &mut invocations {
            it.from = place(it.from);
            it.to = place(it.to);
        }
        if self.invocations.is_empty() {
            self.invocations = invocations;
        } else {
            self.invocations.append(&mut invocations);
        }
    }

    fn found(&mut self, effect: Effect, looked: &Looked, frame: &Frame<'_>) {
        // Long scripts do the same again and again.
        let mut before = self.findings.iter().rev().take(2);
        let same = before.find(|it| is_same(&it.effect, &effect));
        let weighed = match (same, looked.scopes(&effect)) {
            (Some(it), _) => it.weighed.clone(),
            (None, Some(scopes)) => weigh_among(&effect, scopes, frame),
            (None, None) => weigh(&effect, frame),
        };
        self.findings.push(Finding { effect, weighed });
    }

    /// Weighs as a profile does: floors and what is denied stay as they are.
    pub(crate) fn weighed_in(mut self, profile: Profile) -> Self {
        for finding in &mut self.findings {
            let weighed = &mut finding.weighed;
            let settled = weighed.floor || weighed.risk >= Risk::CRITICAL;
            if let Some(risk) = risk_in(profile.word(), weighed.rule).filter(|_| !settled) {
                weighed.risk = risk;
            }
        }
        self
    }

    /// Returns the greatest risk of all effects and troubles.
    #[must_use]
    pub fn risk(&self) -> Risk {
        let effects = self.findings.iter().map(|it| it.weighed.risk);
        let troubles = self.troubles.iter().map(|it| it.kind.risk());
        effects.chain(troubles).max().unwrap_or(Risk::NONE)
    }

    /// Tells whether commands or code would run.
    pub(crate) fn runs_code(&self) -> bool {
        let code = |it: &Finding| matches!(it.effect.verb, Verb::Eval | Verb::Run | Verb::Launch);
        !self.invocations.is_empty() || self.findings.iter().any(code)
    }

    /// Returns the effect that weighs most, floors first.
    #[must_use]
    pub fn worst(&self) -> Option<&Finding> {
        let mut worst: Option<&Finding> = None;
        for finding in &self.findings {
            let weight = |it: &Finding| (it.weighed.floor, it.weighed.risk, says_more(it));
            if worst.is_none_or(|it| weight(it) < weight(finding)) {
                worst = Some(finding);
            }
        }
        worst
    }

    /// Tells whether an effect stands under the floor that nothing lowers.
    #[must_use]
    pub fn has_floor(&self) -> bool {
        self.findings.iter().any(|it| it.weighed.floor)
    }

    pub(crate) fn effects(&self) -> Vec<Effect> {
        self.findings.iter().map(|it| it.effect.clone()).collect()
    }
}

/// Of effects that weigh the same, that which says more of what becomes of the world is told: what is changed
/// before what is only looked at, and what is done with other rights before the rights.
const fn says_more(finding: &Finding) -> bool {
    let verb = finding.effect.verb;
    !verb.only_looks() && !matches!(verb, Verb::Escalate)
}

/// Tells whether two effects are the same but for where they stand in the text.
fn is_same(one: &Effect, other: &Effect) -> bool {
    one.verb == other.verb
        && one.how == other.how
        && one.carries == other.carries
        && one.target == other.target
        && one.at == other.at
        && one.when == other.when
}

/// Writes the path of a tool's input in short form.
fn shortened(effect: Effect, frame: &Frame<'_>) -> Effect {
    let (path, kind): (&str, fn(String) -> Place) = match &effect.target {
        Target::Place(Place::Exact(path)) => (path, Place::Exact),
        Target::Place(Place::Pattern(path)) => (path, Place::Pattern),
        Target::Place(Place::Under(_) | Place::Unknown) | Target::Host(_) | Target::Names(_) => {
            return effect;
        }
    };
    let place = match belay_places::absolute(path, frame.cwd, frame.home()) {
        Some(path) => {
            let path = path.settled(frame.world);
            kind(belay_places::shorten(
                path.walked(),
                frame.cwd,
                frame.home(),
            ))
        }
        None => Place::Unknown,
    };
    Effect {
        target: Target::Place(place),
        ..effect
    }
}

/// Returns what a line would do for itself, where nothing is known of the world.
pub(crate) fn of_line(text: &str, knowledge: &Knowledge) -> Vec<Effect> {
    nowhere(knowledge, |scene| belay_analysis::analyse(text, scene))
}

/// Returns what a command of these words would do for itself, where nothing is known of the world.
pub(crate) fn of_words(words: &[&str], knowledge: &Knowledge) -> Vec<Effect> {
    let words: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
    nowhere(knowledge, |scene| {
        belay_analysis::analyse_argv(&words, scene)
    })
}

fn nowhere(knowledge: &Knowledge, analyse: impl FnOnce(Scene<'_>) -> Analysis) -> Vec<Effect> {
    let roots = ["/home/user/project".to_owned()];
    let frame = Frame {
        cwd: "/home/user/project",
        home: Some("/home/user"),
        roots: &roots,
        temps: &[],
        hosts: &[],
        gate: &[],
        protected: &[],
        world: &Nowhere,
    };
    let scene = Scene {
        frame: &frame,
        shell: Shell::Bash,
        knowledge,
    };
    analyse(scene).effects
}
