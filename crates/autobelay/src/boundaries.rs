//! Layer 1: hard rules. They may only raise.

use std::cell::OnceCell;

use belay_model::{Call, Effect, Place, Reason, Scope, Verdict};
use belay_places::{Frame, Path, absolute};
use belay_settings::exact::reach;
use belay_settings::glob::Glob;
use belay_settings::{
    CallView, CommandView, EffectView, Hit, Line, Reach, RuleText, Settings, Source, compile,
};

use crate::lexicon::OurLexicon;
use crate::sight::{Finding, Sight};
use crate::stand::Stand;

/// What rules are matched against: effects with their scopes and paths, commands, the call.
pub(crate) struct View<'a> {
    pub(crate) call: CallView<'a>,
    sight: &'a Sight,
    frame: &'a Frame<'a>,
    /// Scopes and paths of each effect, looked up when the first rule asks.
    reaches: OnceCell<Vec<(Vec<Scope>, Vec<String>)>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(
        (call, stand): (&'a Call, &'a Stand),
        sight: &'a Sight,
        frame: &'a Frame<'a>,
    ) -> Self {
        Self {
            call: CallView {
                tool: &call.tool,
                agent: call.agent.as_deref(),
                bases: &stand.bases,
            },
            sight,
            frame,
            reaches: OnceCell::new(),
        }
    }

    pub(crate) fn effects(&self) -> impl Iterator<Item = EffectView<'_>> {
        let findings = &self.sight.findings;
        let reaches = self
            .reaches
            .get_or_init(|| findings.iter().map(|it| reaches(it, self.frame)).collect());
        findings
            .iter()
            .zip(reaches)
            .map(|(finding, (scopes, paths))| EffectView {
                effect: &finding.effect,
                scopes,
                paths,
            })
    }

    /// Tells whether a line of `[rules]` speaks of the call.
    pub(crate) fn suspects(&self, rule: &RuleText) -> Hit {
        let rule = compile(&rule.text, &OurLexicon);
        if rule.is_prose() {
            return Hit::No;
        }
        let all: Vec<_> = self.sight.effects();
        let commands = self.sight.invocations.iter().map(|it| {
            let view = CommandView {
                argv: it.argv.clone(),
                effects: all.get(it.from..it.to).unwrap_or_default(),
            };
            rule.suspects(&view, &OurLexicon)
        });
        let views: Vec<_> = self.effects().collect();
        commands
            .chain([rule.suspects_effects(&views)])
            .max()
            .unwrap_or(Hit::No)
    }

    /// Tells whether a list of paths names all that an effect touches.
    pub(crate) fn covers(&self, list: &[Line], effect: &EffectView<'_>) -> bool {
        let globs = list.iter().filter_map(|it| Glob::new(&it.text).ok());
        let globs: Vec<Glob> = globs.collect();
        reach(&globs, effect, self.call.bases) == Reach::Covers
    }

    /// Tells how far a list of paths reaches over any effect of the call.
    pub(crate) fn reach(&self, list: &[Line]) -> Reach {
        let globs: Vec<Glob> = list
            .iter()
            .filter_map(|it| Glob::new(&it.text).ok())
            .collect();
        self.effects()
            .map(|it| reach(&globs, &it, self.call.bases))
            .max()
            .unwrap_or(Reach::Misses)
    }
}

/// Returns the scopes an effect may lie in and the paths it may mean.
fn reaches(finding: &Finding, frame: &Frame<'_>) -> (Vec<Scope>, Vec<String>) {
    let place = finding.effect.place();
    let scopes = match place {
        Some(place) => scopes(&finding.effect, place, frame),
        None => finding.weighed.scope.into_iter().collect(),
    };
    let path = place
        .and_then(|it| it.known())
        .and_then(|it| absolute(it, frame.cwd, frame.home()));
    let paths = path.map_or_else(Vec::new, |path| spellings(&path, frame));
    (scopes, paths)
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
    let question = belay_model::Question::Resolve(path.text().to_owned());
    if let belay_model::Answer::Path(real) | belay_model::Answer::Missing(real) =
        frame.world.ask(&question)
        && real != path.text()
    {
        all.push(real);
    }
    all
}

/// Tells whether there are hard rules at all.
pub(crate) fn exist(settings: &Settings) -> bool {
    !settings.rules.hard_deny.is_empty()
        || settings.exact.iter().any(|it| it.verdict != Verdict::Allow)
        || !settings.paths.deny.is_empty()
        || !settings.paths.ask.is_empty()
        || settings
            .tools
            .iter()
            .any(|it| it.origin.source == Source::Project)
}

/// Returns the strictest hard rule that speaks of the call.
pub(crate) fn raise(settings: &Settings, view: &View<'_>) -> Option<(Verdict, Reason)> {
    let mut said: Option<(Verdict, Reason)> = None;
    let mut say = |verdict: Verdict, reason: Reason| {
        if said.as_ref().is_none_or(|(before, _)| *before < verdict) {
            said = Some((verdict, reason));
        }
    };
    for rule in &settings.rules.hard_deny {
        match view.suspects(rule) {
            Hit::No => {}
            Hit::Maybe => say(
                Verdict::Ask,
                because(
                    format!("the rule `{}` may speak of it", rule.text),
                    &format!("hard_deny: {}", rule.text),
                ),
            ),
            Hit::Yes => say(
                Verdict::Deny,
                because(
                    format!("the rule `{}` forbids it", rule.text),
                    &format!("hard_deny: {}", rule.text),
                ),
            ),
        }
    }
    for rule in settings
        .exact
        .iter()
        .filter(|it| it.verdict != Verdict::Allow && it.speaks_of(&view.call))
    {
        if exact_speaks(rule, view) {
            let text = rule
                .because
                .clone()
                .unwrap_or_else(|| format!("the rule `{}` says so", rule.name()));
            let mut reason = because(text, &rule.name());
            reason.instead.clone_from(&rule.instead);
            say(rule.verdict, reason);
        }
    }
    if let Some(line) = settings.raised_tool(view.call.tool) {
        let text = format!(
            "the project gives the tool `{}` the risk {}",
            line.tool, line.risk
        );
        let rule = format!("tools.{}", line.tool);
        say(
            settings.thresholds.band(line.risk).verdict(),
            because(text, &rule),
        );
    }
    let lists = [
        (&settings.paths.deny, Verdict::Deny),
        (&settings.paths.ask, Verdict::Ask),
    ];
    for (list, verdict) in lists {
        for line in list {
            match view.reach(std::slice::from_ref(line)) {
                Reach::Misses => {}
                Reach::Unclear => say(
                    Verdict::Ask,
                    because(
                        format!(
                            "a path that is not known may be one of `{}` in `[paths]`",
                            line.text
                        ),
                        &format!("paths.{verdict}: {}", line.text),
                    ),
                ),
                Reach::Touches | Reach::Covers => say(
                    verdict,
                    because(
                        format!("it touches `{}`, a path in `[paths] {verdict}`", line.text),
                        &format!("paths.{verdict}: {}", line.text),
                    ),
                ),
            }
        }
    }
    said
}

/// Tells whether an exact rule that raises speaks of the call.
fn exact_speaks(rule: &belay_settings::ExactRule, view: &View<'_>) -> bool {
    let commands = rule.command.is_empty()
        || rule.command.iter().any(|text| {
            let line = RuleText {
                text: text.clone(),
                ..RuleText::default()
            };
            view.suspects(&line) != Hit::No
        });
    commands && (!rule.looks_at_effects() || view.effects().any(|it| rule.meets(&it, &view.call)))
}

fn because(text: String, rule: &str) -> Reason {
    Reason {
        because: text,
        instead: None,
        rule: Some(rule.to_owned()),
    }
}
