//! One call on its way through the layers, and what rules are matched against.

use std::cell::OnceCell;

use belay_knowledge::Knowledge;
use belay_model::{Answer, Band, Call, Effect, Place, Question, Reason, Risk, Scope, Surroundings};
use belay_places::{Frame, Path, absolute};
use belay_settings::exact::reach;
use belay_settings::glob::Glob;
use belay_settings::grants::Grant;
use belay_settings::{
    CallView, CommandView, EffectView, Hit, Line, Reach, RuleText, Settings, compile,
};

use belay_undo::Keeper;

use crate::gate::Classify;
use crate::lexicon::OurLexicon;
use crate::request::Request;
use crate::sight::{Finding, Sight};
use crate::spoken::{self, Spoken};
use crate::stand::Stand;

/// What a call asks for, where it stands, who may speak of it, and what the layers found so far.
pub(crate) struct Case<'a> {
    pub(crate) call: &'a Call,
    pub(crate) request: Request<'a>,
    pub(crate) stand: &'a Stand<'a>,
    pub(crate) frame: Frame<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) knowledge: &'a Knowledge,
    /// Who is heard beside the rules.
    pub(crate) heard: Heard<'a>,
    /// Why the settings cannot be trusted, where they cannot.
    pub(crate) broken: Option<&'a str>,
    /// Whether somebody can be asked.
    pub(crate) attended: Attended,
    /// Boundaries' own demand: whatever else is said, a person must be asked.
    pub(crate) at_least_ask: Option<Reason>,
    /// What analysis left open, for the layers after it.
    pub(crate) open: Option<Open>,
    sight: OnceCell<Sight>,
    /// Scopes and paths of each effect, looked up when the first rule asks.
    reached: OnceCell<Vec<Reached>>,
    /// What a person answered in this session, asked when a question would be raised.
    answered: OnceCell<Answered>,
    /// What a person said in this session, asked when it may matter.
    spoken: OnceCell<Vec<Spoken>>,
}

/// What a person answered to questions in this session.
#[derive(Default)]
pub(crate) struct Answered {
    /// What a yes lets through.
    pub(crate) yes: Vec<Agreed>,
    /// Calls that were refused, by their fingerprints.
    pub(crate) no: Vec<String>,
}

/// One yes.
pub(crate) struct Agreed {
    /// Its name.
    pub(crate) id: String,
    /// What it covers.
    pub(crate) key: String,
}

/// Who is heard beside the rules.
#[derive(Clone, Copy)]
pub(crate) struct Heard<'a> {
    /// What a person granted and what counts for this call.
    pub(crate) grants: &'a [Grant],
    /// The model that may decide what is left open.
    pub(crate) model: Option<&'a dyn Classify>,
    /// Who keeps what would be lost.
    pub(crate) keeper: Option<&'a dyn Keeper>,
    /// Whether what a person answered in this session counts.
    pub(crate) answers: Answers,
}

/// Whether what a person answered in this session counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// It does.
    Count,
    /// The call is looked at for itself.
    DoNot,
}

impl Heard<'_> {
    /// Rules alone.
    pub(crate) const NOBODY: Self = Self {
        grants: &[],
        model: None,
        keeper: None,
        answers: Answers::DoNot,
    };
}

/// Whether somebody can be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attended {
    /// A person is there.
    ByAPerson,
    /// Nobody is: an ask is a deny.
    ByNobody,
}

impl Attended {
    /// Tells whether somebody can be asked about a call.
    pub(crate) const fn of(call: &Call, settings: &Settings) -> Self {
        match call.headless || settings.headless {
            true => Self::ByNobody,
            false => Self::ByAPerson,
        }
    }
}

/// What is still open after analysis.
pub(crate) struct Open {
    /// The risk, rules counted in.
    pub(crate) risk: Risk,
    /// The band it falls in.
    pub(crate) band: Band,
    /// Why.
    pub(crate) reason: Reason,
    /// A `soft_deny` that matched: only a model may release the call to its own verdict.
    pub(crate) soft_deny: Option<String>,
    /// Why a model that was asked gave no verdict.
    pub(crate) no_verdict: Option<String>,
}

/// Where an effect reaches.
struct Reached {
    scopes: Vec<Scope>,
    paths: Vec<String>,
}

/// What a case is opened with.
pub(crate) struct Opening<'a> {
    pub(crate) call: &'a Call,
    pub(crate) request: Request<'a>,
    pub(crate) stand: &'a Stand<'a>,
    pub(crate) frame: Frame<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) knowledge: &'a Knowledge,
    pub(crate) heard: Heard<'a>,
    pub(crate) broken: Option<&'a str>,
}

impl<'a> Case<'a> {
    /// Opens a case of which nothing is said yet.
    pub(crate) fn open(with: Opening<'a>) -> Self {
        Self {
            call: with.call,
            request: with.request,
            stand: with.stand,
            frame: with.frame,
            settings: with.settings,
            knowledge: with.knowledge,
            heard: with.heard,
            broken: with.broken,
            attended: Attended::of(with.call, with.settings),
            at_least_ask: None,
            open: None,
            sight: OnceCell::new(),
            reached: OnceCell::new(),
            answered: OnceCell::new(),
            spoken: OnceCell::new(),
        }
    }

    /// Returns what is seen of the call; looks when first asked.
    pub(crate) fn sight(&self) -> &Sight {
        self.sight.get_or_init(|| {
            let sight = Sight::of(&self.request, &self.frame, self.knowledge);
            sight.weighed_in(self.settings.profile)
        })
    }

    /// Hands out what was seen, if anybody looked; the case is settled then.
    pub(crate) fn take_sight(&mut self) -> Option<Sight> {
        self.sight.take()
    }

    /// Returns what a person answered in this session; asks when first wanted.
    pub(crate) fn answered(&self) -> &Answered {
        self.answered.get_or_init(|| match self.heard.answers {
            Answers::Count => answered(self.call, self.frame.world),
            Answers::DoNot => Answered::default(),
        })
    }

    /// Returns what a person said in this session; asks when first wanted.
    pub(crate) fn spoken(&self) -> &[Spoken] {
        self.spoken.get_or_init(|| match self.heard.answers {
            Answers::Count => spoken::heard(self),
            Answers::DoNot => Vec::new(),
        })
    }

    /// Returns what is known of the words that rules are made of.
    pub(crate) const fn lexicon(&self) -> OurLexicon<'a> {
        OurLexicon::of(self.knowledge)
    }

    /// Returns the risk that the case stands at.
    pub(crate) fn risk(&self) -> Risk {
        self.open.as_ref().map_or(Risk::NONE, |it| it.risk)
    }

    /// Returns the call as exact rules see it.
    pub(crate) fn call_view(&self) -> CallView<'_> {
        CallView {
            tool: &self.call.tool,
            agent: self.call.agent.as_deref(),
            bases: &self.stand.bases,
        }
    }

    /// Returns the effects as rules see them.
    pub(crate) fn effects(&self) -> impl Iterator<Item = EffectView<'_>> {
        let findings = &self.sight().findings;
        let reached = self.reached.get_or_init(|| {
            let all = findings.iter();
            all.map(|it| reached(it, &self.frame)).collect()
        });
        let both = findings.iter().zip(reached);
        both.map(|(finding, reached)| EffectView {
            effect: &finding.effect,
            scopes: &reached.scopes,
            paths: &reached.paths,
        })
    }

    /// Tells whether a line of `[rules]` speaks of the call.
    pub(crate) fn suspects(&self, rule: &RuleText) -> Hit {
        let lexicon = self.lexicon();
        let rule = compile(&rule.text, &lexicon);
        if rule.is_prose() {
            return Hit::No;
        }
        let sight = self.sight();
        let all: Vec<_> = sight.effects();
        let commands = sight.invocations.iter().map(|it| {
            let view = CommandView {
                argv: it.argv.clone(),
                effects: all.get(it.from..it.to).unwrap_or_default(),
            };
            rule.suspects(&view, &lexicon)
        });
        let views: Vec<_> = self.effects().collect();
        commands
            .chain([rule.suspects_effects(&views)])
            .max()
            .unwrap_or(Hit::No)
    }

    /// Tells whether a list of paths names all that an effect touches.
    pub(crate) fn covers(&self, list: &[Line], effect: &EffectView<'_>) -> bool {
        reach(&globs(list), effect, &self.stand.bases) == Reach::Covers
    }

    /// Tells how far a list of paths reaches over any effect of the call.
    pub(crate) fn reach(&self, list: &[Line]) -> Reach {
        let globs = globs(list);
        self.effects()
            .map(|it| reach(&globs, &it, &self.stand.bases))
            .max()
            .unwrap_or(Reach::Misses)
    }
}

/// Asks the session what a person answered; where there is no session nobody did.
fn answered(call: &Call, world: &dyn Surroundings) -> Answered {
    let mut found = Answered::default();
    let (Some(agent), Some(root)) = (&call.agent, call.project_roots.first()) else {
        return found;
    };
    let question = Question::Consent(agent.clone(), root.clone());
    if let (Some(_), Answer::Names(lines)) = (&call.session, world.ask(&question)) {
        for line in lines {
            match line.split_once(' ') {
                Some(("yes", rest)) => found.yes.extend(rest.split_once(' ').map(|(id, key)| {
                    let (id, key) = (id.to_owned(), key.to_owned());
                    Agreed { id, key }
                })),
                Some(("no", call)) => found.no.push(call.to_owned()),
                Some(_) | None => {}
            }
        }
    }
    found
}

fn globs(list: &[Line]) -> Vec<Glob> {
    let globs = list.iter().filter_map(|it| Glob::new(&it.text).ok());
    globs.collect()
}

/// Returns the scopes an effect may lie in and the paths it may mean.
fn reached(finding: &Finding, frame: &Frame<'_>) -> Reached {
    let place = finding.effect.place();
    let scopes = match place {
        Some(place) => scopes(&finding.effect, place, frame),
        None => finding.weighed.scope.into_iter().collect(),
    };
    let path = place
        .and_then(|it| it.known())
        .and_then(|it| absolute(it, frame.cwd, frame.home()));
    let paths = path.map_or_else(Vec::new, |path| spellings(&path, frame));
    Reached { scopes, paths }
}

/// Returns the scopes of a target. A place that is protected keeps the scope it has without that, so
/// that a rule on the one does not lose it to the other.
fn scopes(effect: &Effect, place: &Place, frame: &Frame<'_>) -> Vec<Scope> {
    let mut scopes = belay_places::scopes_of(effect, place, frame);
    if !frame.protected.is_empty() {
        let plain = Frame {
            protected: &[],
            ..*frame
        };
        scopes.extend(belay_places::scopes_of(effect, place, &plain));
        scopes.sort_unstable();
        scopes.dedup();
    }
    scopes
}

fn spellings(path: &Path, frame: &Frame<'_>) -> Vec<String> {
    let mut all = vec![path.text().to_owned()];
    let question = Question::Resolve(path.text().to_owned());
    if let Answer::Path(real) | Answer::Missing(real) = frame.world.ask(&question)
        && real != path.text()
    {
        all.push(real);
    }
    all
}
