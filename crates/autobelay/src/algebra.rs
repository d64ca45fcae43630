//! Risk, bands, soft rules, grants: from what was seen to a verdict.

use belay_analysis::Invocation;
use belay_knowledge::{Knowledge, Tool, ToolKind};
use belay_model::{Band, Effect, Risk, Verb, Verdict};
use belay_settings::grants::Grant;
use belay_settings::{CommandView, Compiled, ExactRule, Hit, Settings, compile};

use crate::boundaries::View;
use crate::lexicon::OurLexicon;
use crate::sight::{Finding, Sight};

/// What understanding and rules leave of a call.
pub(crate) struct Standing {
    /// The risk, rules counted in.
    pub(crate) risk: Risk,
    /// The band it falls in.
    pub(crate) band: Band,
    /// A `soft_deny` that matched: only a model may release the call to its own verdict.
    pub(crate) soft_deny: Option<String>,
    /// What lowered the risk, if anything did.
    pub(crate) lowered_by: Option<String>,
}

/// Weighs a sight under the user's rules.
pub(crate) fn stand(
    (settings, grants, knowledge): (&Settings, &[Grant], &Knowledge),
    (sight, view): (&Sight, &View<'_>),
    base: Risk,
) -> Standing {
    let mut risk = sight.risk().max(base);
    let mut lowered_by = None;
    if !sight.has_floor() {
        let named = Naming {
            settings,
            grants,
            sight,
            view,
        };
        if let Some(by) = named.whole() {
            risk = by.leaves(base);
            lowered_by = Some(by.name());
        } else if settings.thresholds.band(risk) < Band::Deny
            && settings.thresholds.band(risk) > Band::Clear
            && let Some(rule) = covered(settings, sight, knowledge)
        {
            risk = Risk::NONE;
            lowered_by = Some(rule);
        }
    }
    let soft = settings
        .rules
        .soft_deny
        .iter()
        .find(|it| view.suspects(it) != Hit::No);
    Standing {
        risk,
        band: settings.thresholds.band(risk),
        soft_deny: soft.map(|it| it.text.clone()),
        lowered_by,
    }
}

/// What names an effect exactly.
enum By {
    Rule(String),
    Grant(String),
    /// A line of `[paths] allow`.
    Path,
}

impl By {
    fn name(&self) -> String {
        match self {
            Self::Rule(name) => name.clone(),
            Self::Grant(id) => format!("grant {id}"),
            Self::Path => "paths.allow".to_owned(),
        }
    }

    /// Returns the risk that is left: a path says nothing of the tool.
    const fn leaves(&self, base: Risk) -> Risk {
        match self {
            Self::Rule(_) | Self::Grant(_) => Risk::NONE,
            Self::Path => base,
        }
    }
}

/// Exact allows, grants and allowed paths against what was seen.
struct Naming<'a> {
    settings: &'a Settings,
    grants: &'a [Grant],
    sight: &'a Sight,
    view: &'a View<'a>,
}

impl Naming<'_> {
    /// Returns what lowers the call: everything that weighs in it must be named. An exact allow or a
    /// person's grant lowers also a deny; a path does not.
    fn whole(&self) -> Option<By> {
        let troubles = &self.sight.troubles;
        if troubles.iter().any(|it| it.kind.risk() >= Risk::UNSURE) {
            return None;
        }
        let allows =
            |it: &&ExactRule| it.verdict == Verdict::Allow && it.speaks_of(&self.view.call);
        let allows: Vec<&ExactRule> = self.settings.exact.iter().filter(allows).collect();
        if let Some(rule) = allows.iter().find(|it| self.names_tool(it)) {
            return Some(By::Rule(rule.name()));
        }
        let mut by = None;
        for (at, finding) in self.sight.findings.iter().enumerate() {
            if self.settings.thresholds.band(finding.weighed.risk) > Band::Clear {
                by = Some(self.names_effect(at, finding, &allows)?);
            }
        }
        by
    }

    /// A rule that names a tool, and nothing in its input, speaks of all of it; but what a shell runs
    /// is never exact by the shell's name.
    fn names_tool(&self, rule: &ExactRule) -> bool {
        let kind = belay_knowledge::tool(self.view.call.tool).map(Tool::kind);
        let shell = matches!(
            kind,
            Some(ToolKind::Shell | ToolKind::ShellInput | ToolKind::ForeignShell | ToolKind::Code)
        );
        let bare = rule.command.is_empty() && !rule.looks_at_effects();
        !rule.tool.is_empty() && bare && !shell && !self.sight.runs_code()
    }

    fn names_effect(&self, at: usize, finding: &Finding, allows: &[&ExactRule]) -> Option<By> {
        let effect = self.view.effects().nth(at)?;
        let rule = allows.iter().find(|rule| {
            let named = !rule.command.is_empty() || rule.looks_at_effects();
            named && self.names_command(rule, at) && rule.meets(&effect, &self.view.call)
        });
        if let Some(rule) = rule {
            return Some(By::Rule(rule.name()));
        }
        if let Some(grant) = self.grants.iter().find(|it| it.names(&finding.effect)) {
            return Some(By::Grant(grant.id.clone()));
        }
        let milder = self.settings.thresholds.band(finding.weighed.risk) < Band::Deny;
        let paths = &self.settings.paths.allow;
        (milder && self.view.covers(paths, &effect)).then_some(By::Path)
    }

    /// Tells whether the command that brings an effect about is one of the rule's; a command inside
    /// another comes later and speaks for itself.
    fn names_command(&self, rule: &ExactRule, at: usize) -> bool {
        if rule.command.is_empty() {
            return true;
        }
        let inside = |it: &&Invocation| (it.from..it.to).contains(&at);
        let Some(invocation) = self.sight.invocations.iter().rfind(inside) else {
            return false;
        };
        let effects = self.sight.effects();
        let view = CommandView {
            argv: invocation.argv.clone(),
            effects: effects
                .get(invocation.from..invocation.to)
                .unwrap_or_default(),
        };
        rule.names(&view, &OurLexicon) == Hit::Yes
    }
}

/// What a line of `allow` means to let through: `git push origin topic` is no leave to delete `topic`,
/// though `git push origin topic --delete` begins with the same words.
enum Meant {
    Anything,
    Verbs(Vec<Verb>),
}

impl Meant {
    fn by(rule: &Compiled, effects: &[Effect], knowledge: &Knowledge) -> Self {
        if rule.is_open() || rule.names_effects(effects) {
            return Self::Anything;
        }
        let own = crate::sight::of_line(rule.text(), knowledge);
        let unfinished = |it: &Effect| {
            it.verb == Verb::Unknown && it.names().first().is_some_and(|it| it == "subcommand")
        };
        // The beginning of a command does nothing by itself: what follows is meant.
        if own.is_empty() || own.iter().any(unfinished) {
            return Self::Anything;
        }
        Self::Verbs(own.iter().map(|it| it.verb).collect())
    }

    fn holds(&self, effect: &Effect) -> bool {
        match self {
            Self::Anything => true,
            Self::Verbs(verbs) => verbs.contains(&effect.verb),
        }
    }
}

/// A line of `allow` lowers unsure and ask when every command is covered or harmless.
fn covered(settings: &Settings, sight: &Sight, knowledge: &Knowledge) -> Option<String> {
    if sight
        .troubles
        .iter()
        .any(|it| it.kind.risk() >= Risk::UNSURE)
        || sight.invocations.is_empty()
    {
        return None;
    }
    let rules: Vec<_> = settings
        .rules
        .allow
        .iter()
        .map(|it| compile(&it.text, &OurLexicon))
        .filter(|it| !it.is_prose())
        .collect();
    let effects = sight.effects();
    let mut by = None;
    let mut settled = vec![false; sight.findings.len()];
    for invocation in &sight.invocations {
        let view = CommandView {
            argv: invocation.argv.clone(),
            effects: effects
                .get(invocation.from..invocation.to)
                .unwrap_or_default(),
        };
        // A command inside another comes later and has its own say over its effects.
        let rule = rules.iter().find(|it| it.covers(&view, &OurLexicon));
        let meant = rule.map(|it| Meant::by(it, view.effects, knowledge));
        let places = settled.iter_mut().zip(&sight.findings);
        for (it, finding) in places.take(invocation.to).skip(invocation.from) {
            *it = meant.as_ref().is_some_and(|it| it.holds(&finding.effect));
        }
        by = rule.map(|it| it.text().to_owned()).or(by);
    }
    let harmless = |at: usize| {
        sight
            .findings
            .get(at)
            .is_some_and(|it| settings.thresholds.band(it.weighed.risk) == Band::Clear)
    };
    let all = settled
        .iter()
        .enumerate()
        .all(|(at, done)| *done || harmless(at));
    if all { by } else { None }
}
