//! What lowers a call: exact rules, paths and lines of `allow` that a person wrote, and what a person
//! granted. INVARIANT: all that weighs in the call must be named, and a floor is never lowered.

use belay_analysis::Invocation;
use belay_knowledge::{Knowledge, Tool, ToolKind};
use belay_model::{Band, Effect, Risk, Verb, Verdict};
use belay_settings::grants::Grant;
use belay_settings::{CommandView, Compiled, ExactRule, Hit, compile};

use crate::case::{Agreed, Case};
use crate::consent;
use crate::sight::{Finding, Sight};
use crate::spoken;

/// A risk that was lowered, and by what.
pub(crate) struct Lowered {
    pub(crate) risk: Risk,
    pub(crate) by: String,
}

/// Returns what the user's own rules leave of a call.
pub(crate) fn by_rules(case: &Case<'_>, base: Risk) -> Option<Lowered> {
    let sight = case.sight();
    if sight.has_floor() {
        return None;
    }
    let rules = Naming {
        case,
        grants: &[],
        answers: &[],
        words: Words::DoNot,
    };
    if let Some(by) = rules.whole() {
        return Some(by.lowers(base));
    }
    match case.settings.thresholds.band(sight.risk().max(base)) {
        Band::Clear | Band::Deny => None,
        Band::Unsure | Band::Ask => covered(case).map(|by| Lowered {
            risk: Risk::NONE,
            by,
        }),
    }
}

/// Returns what grants, together with rules, leave of a call.
pub(crate) fn by_grants(case: &Case<'_>, base: Risk) -> Option<Lowered> {
    if case.sight().has_floor() {
        return None;
    }
    let named = Naming {
        case,
        grants: case.heard.grants,
        answers: &case.answered().yes,
        words: Words::Count,
    };
    named.whole().map(|by| by.lowers(base))
}

/// What names an effect exactly.
enum By {
    Rule(String),
    Grant(String),
    /// What a person said yes to in this session.
    Answer(String),
    /// What a person wrote.
    Word(String),
    /// A line of `[paths] allow`.
    Path,
}

impl By {
    /// Returns the risk that is left: a path says nothing of the tool.
    fn lowers(self, base: Risk) -> Lowered {
        let (risk, by) = match self {
            Self::Rule(name) => (Risk::NONE, name),
            Self::Grant(id) => (Risk::NONE, format!("grant {id}")),
            Self::Answer(id) => (base, format!("answer {id}")),
            Self::Word(sentence) => (base, format!("words {sentence}")),
            Self::Path => (base, "paths.allow".to_owned()),
        };
        Lowered { risk, by }
    }
}

/// Exact allows, grants and allowed paths against what was seen.
struct Naming<'a> {
    case: &'a Case<'a>,
    grants: &'a [Grant],
    answers: &'a [Agreed],
    words: Words,
}

/// Whether what a person wrote counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Count,
    DoNot,
}

impl Naming<'_> {
    /// Returns what lowers the call: everything that weighs in it must be named. An exact allow or a
    /// person's grant lowers also a deny; a path does not.
    fn whole(&self) -> Option<By> {
        let sight = self.case.sight();
        if is_troubled(sight) {
            return None;
        }
        let call = self.case.call_view();
        let allows = |it: &&ExactRule| it.verdict == Verdict::Allow && it.speaks_of(&call);
        let exact = &self.case.settings.exact;
        let allows: Vec<&ExactRule> = exact.iter().filter(allows).collect();
        if let Some(rule) = allows.iter().find(|it| self.names_tool(it)) {
            return Some(By::Rule(rule.name()));
        }
        // Where nobody named anything, no effect is looked at: looking costs.
        let paths = &self.case.settings.paths.allow;
        let silent = allows.is_empty() && self.grants.is_empty() && self.answers.is_empty();
        if silent && paths.is_empty() && self.words == Words::DoNot {
            return None;
        }
        let mut by = None;
        for (at, finding) in sight.findings.iter().enumerate() {
            if self.case.settings.thresholds.band(finding.weighed.risk) > Band::Clear {
                by = Some(self.names_effect(at, finding, &allows)?);
            }
        }
        by
    }

    /// A rule that names a tool, and nothing in its input, speaks of all of it; but what a shell runs
    /// is never exact by the shell's name.
    fn names_tool(&self, rule: &ExactRule) -> bool {
        let kind = belay_knowledge::tool(&self.case.call.tool).map(Tool::kind);
        let shell = matches!(
            kind,
            Some(ToolKind::Shell | ToolKind::ShellInput | ToolKind::ForeignShell | ToolKind::Code)
        );
        let bare = rule.command.is_empty() && !rule.looks_at_effects();
        !rule.tool.is_empty() && bare && !shell && !self.case.sight().runs_code()
    }

    fn names_effect(&self, at: usize, finding: &Finding, allows: &[&ExactRule]) -> Option<By> {
        let effect = self.case.effects().nth(at)?;
        let call = self.case.call_view();
        let rule = allows.iter().find(|rule| {
            let named = !rule.command.is_empty() || rule.looks_at_effects();
            named && self.names_command(rule, at) && rule.meets(&effect, &call)
        });
        if let Some(rule) = rule {
            return Some(By::Rule(rule.name()));
        }
        if let Some(grant) = self.grants.iter().find(|it| it.names(&finding.effect)) {
            return Some(By::Grant(grant.id.clone()));
        }
        if let Some(id) = self.answered(at, finding) {
            return Some(By::Answer(id));
        }
        if self.words == Words::Count
            && let Some(sentence) = spoken::lets(self.case, at, finding)
        {
            return Some(By::Word(sentence));
        }
        let milder = self.case.settings.thresholds.band(finding.weighed.risk) < Band::Deny;
        let paths = &self.case.settings.paths.allow;
        (milder && self.case.covers(paths, &effect)).then_some(By::Path)
    }

    /// Returns the yes of a person that covers an effect; sub-agents may use those that only look.
    fn answered(&self, at: usize, finding: &Finding) -> Option<String> {
        if self.answers.is_empty() {
            return None;
        }
        let key = consent::key(self.case, at, finding)?;
        let usable = key.looks || !self.case.call.sub_agent;
        let found = self
            .answers
            .iter()
            .find(|it| it.key == key.text && usable)?;
        Some(found.id.clone())
    }

    /// Tells whether the command that brings an effect about is one of the rule's; a command inside
    /// another comes later and speaks for itself.
    fn names_command(&self, rule: &ExactRule, at: usize) -> bool {
        if rule.command.is_empty() {
            return true;
        }
        let inside = |it: &&Invocation| (it.from..it.to).contains(&at);
        let sight = self.case.sight();
        let Some(invocation) = sight.invocations.iter().rfind(inside) else {
            return false;
        };
        let effects = sight.effects();
        let view = CommandView {
            argv: invocation.argv.clone(),
            effects: effects
                .get(invocation.from..invocation.to)
                .unwrap_or_default(),
        };
        rule.names(&view, &self.case.lexicon()) == Hit::Yes
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
fn covered(case: &Case<'_>) -> Option<String> {
    let (settings, sight) = (case.settings, case.sight());
    if is_troubled(sight) || sight.invocations.is_empty() {
        return None;
    }
    let lexicon = case.lexicon();
    let rules: Vec<_> = settings
        .rules
        .allow
        .iter()
        .map(|it| compile(&it.text, &lexicon))
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
        let rule = rules.iter().find(|it| it.covers(&view, &lexicon));
        let meant = rule.map(|it| Meant::by(it, view.effects, case.knowledge));
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

/// What could not be read or known is named by nobody.
fn is_troubled(sight: &Sight) -> bool {
    let mut troubles = sight.troubles.iter();
    troubles.any(|it| it.kind.risk() >= Risk::UNSURE)
}
