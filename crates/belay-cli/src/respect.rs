//! Respect for the agent's own boundaries: its permission mode, and the person's rules in its settings.
//!
//! INVARIANT: nothing here lets anything run. It only takes back an allow that would speak in the
//! person's place; a deny stands.

use autobelay::{Knowledge, ToolKind};
use belay_agents::{Agent, Asked, Env, HostMode, Lines, host_rules};
use belay_model::{Call, Judgement, Trouble, TroubleKind, Verdict};

use crate::judging::Judging;

/// Whose boundaries are respected, and where its settings are looked for.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// The agent.
    pub agent: Agent,
    /// What it has in its environment.
    pub env: Env<'a>,
}

/// What the agent's own boundaries say of one call.
pub struct Bounds {
    mode: Option<String>,
    rule: Option<String>,
}

impl Bounds {
    /// Looks at the agent's mode and at its settings.
    pub fn of(host: Host<'_>, asked: &Asked, judging: &Judging) -> Self {
        let mode = match &asked.host {
            HostMode::Ordinary => None,
            HostMode::LooksOnly(mode) => Some(mode.clone()),
        };
        Self {
            mode,
            rule: rule_on(host, &asked.call, judging),
        }
    }

    /// Says for the record what was respected.
    pub fn notes(&self) -> Vec<Trouble> {
        let note = |what| Trouble::new(TroubleKind::Note, what);
        let mode = self.mode.as_ref().map(|mode| {
            note(format!(
                "the agent is in `{mode}` mode, so belay allows nothing that changes anything"
            ))
        });
        let rule = self.rule.as_ref().map(|rule| {
            note(format!(
                "the agent's own settings have the rule {rule}, so belay does not allow this"
            ))
        });
        mode.into_iter().chain(rule).collect()
    }

    /// Tells whether a verdict must not be said: it would lift a boundary of the agent's own.
    pub fn hold_back(&self, call: &Call, judgement: &Judgement) -> bool {
        let lifts = self.rule.is_some() || (self.mode.is_some() && !only_looks(call, judgement));
        judgement.verdict == Verdict::Allow && lifts
    }
}

/// Returns the person's own rule that may apply to a call.
pub fn rule_on(host: Host<'_>, call: &Call, judging: &Judging) -> Option<String> {
    let rules = host_rules(host.agent, call, host.env);
    if rules.is_empty() {
        return None;
    }
    let lines = || lines(judging, call);
    rules.on(call, &lines).map(str::to_owned)
}

/// Returns the lines that a call would run, wrappers removed.
fn lines(judging: &Judging, call: &Call) -> Lines {
    let sight = judging.look(call);
    let unread = |it: &Trouble| it.kind != TroubleKind::Note;
    if sight.troubles.iter().any(unread) {
        return Lines::Unknown;
    }
    let line = |argv: &Vec<Option<String>>| -> Option<String> {
        let words: Option<Vec<&str>> = argv.iter().map(Option::as_deref).collect();
        words.map(|it| it.join(" "))
    };
    let lines: Option<Vec<String>> = sight.invocations.iter().map(|it| line(&it.argv)).collect();
    lines.map_or(Lines::Unknown, Lines::Known)
}

/// Tells whether a call provably changes nothing: a tool that we know, all of whose effects look.
fn only_looks(call: &Call, judgement: &Judgement) -> bool {
    let knowledge = Knowledge::ours();
    let Some(tool) = knowledge.tool(&call.tool) else {
        return false;
    };
    let seen = match tool.kind() {
        ToolKind::Look
        | ToolKind::Plan
        | ToolKind::WebSearch
        | ToolKind::ReadFile
        | ToolKind::Search
        | ToolKind::List
        | ToolKind::Fetch
        | ToolKind::Shell => true,
        ToolKind::ShellStop
        | ToolKind::Edit
        | ToolKind::Notebook
        | ToolKind::Delete
        | ToolKind::Move
        | ToolKind::Patch
        | ToolKind::ShellInput
        | ToolKind::ForeignShell
        | ToolKind::Code
        | ToolKind::Agent
        | ToolKind::Mcp
        | ToolKind::Browser
        | ToolKind::Change
        | ToolKind::Query
        | ToolKind::Other => false,
    };
    let read = |it: &Trouble| it.kind == TroubleKind::Note;
    seen && judgement.effects.iter().all(|it| it.verb.only_looks())
        && judgement.troubles.iter().all(read)
}
