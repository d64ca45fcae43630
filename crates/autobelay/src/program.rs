//! Calls that are programs: an agent's code mode runs JavaScript that calls the agent's other tools.
//!
//! INVARIANT: the program may do what the strictest of its calls may. A program that is not read whole, or in which
//! one call prepares what another runs, is judged as code nobody has read.

use belay_knowledge::{Knowledge, Part, ToolKind};
use belay_model::{Call, Judgement, Value};

use crate::reasons;

/// Members that hold the program.
const CODE: [&str; 2] = ["input", "code"];

/// Returns the calls that a program would make; `None` for a call that is no program, or one that cannot be read.
pub(crate) fn calls_of(call: &Call, knowledge: &Knowledge) -> Option<Vec<Call>> {
    // Most calls hold no program: this is asked first, because it is the quickest question.
    let code = call
        .input
        .text()
        .or_else(|| CODE.iter().find_map(|it| call.input.get(it)?.text()))?;
    let tool = knowledge.tool(&call.tool)?;
    let kind = tool.kind();
    let runs = matches!(kind, ToolKind::Shell | ToolKind::Code);
    let codex = call.agent.as_deref().is_none_or(|it| it == "codex");
    let has_command = kind == ToolKind::Shell && !tool.get(Part::Command, &call.input).is_empty();
    if !runs || !codex || has_command {
        return None;
    }
    let found = belay_analysis::read_tool_calls(code)?;
    if found.is_empty() || found.iter().any(|it| it.name == call.tool) {
        return None;
    }
    let mut calls: Vec<Call> = found
        .into_iter()
        .map(|it| Call {
            tool: it.name,
            input: it.input,
            ..call.clone()
        })
        .collect();
    let kinds = |it: &Call| knowledge.tool(&it.tool).map(|it| it.kind());
    let writes = |it: &Call| {
        matches!(
            kinds(it),
            Some(ToolKind::Patch | ToolKind::Edit | ToolKind::Notebook | ToolKind::Move)
        )
    };
    let shells: Vec<&Call> = calls
        .iter()
        .filter(|it| kinds(it) == Some(ToolKind::Shell))
        .collect();
    if !shells.is_empty() && calls.iter().any(writes) {
        return None;
    }
    let together = joined(&shells, knowledge);
    calls.extend(together);
    Some(calls)
}

/// Several commands are also judged as one text: the second may run what the first has made.
fn joined(shells: &[&Call], knowledge: &Knowledge) -> Option<Call> {
    let [first, _, ..] = shells else {
        return None;
    };
    let tool = knowledge.tool(&first.tool)?;
    let mut texts = Vec::new();
    for shell in shells {
        texts.push(tool.get(Part::Command, &shell.input).first()?.text()?);
    }
    let name = tool
        .members(Part::Command)
        .find(|it| first.input.get(it).is_some())?;
    let line = Value::String(texts.join("\n"));
    let members = first.input.members()?.iter().map(|(member, value)| {
        let value = if member == name {
            line.clone()
        } else {
            value.clone()
        };
        (member.clone(), value)
    });
    Some(Call {
        input: Value::Object(members.collect()),
        ..(*first).clone()
    })
}

/// Judges the calls of a program: the strictest stands for all.
pub(crate) fn judged(calls: &[Call], judge: &dyn Fn(&Call) -> Judgement) -> Option<Judgement> {
    let mut strictest: Option<Judgement> = None;
    for call in calls {
        let mut there = judge(call);
        let note = format!(" (in `tools.{}`)", call.tool);
        reasons::note(&mut there.reason.because, &note);
        strictest = Some(match strictest {
            Some(before) if before.verdict >= there.verdict => with_effects(before, &there),
            Some(before) => with_effects(there, &before),
            None => there,
        });
    }
    strictest
}

fn with_effects(mut judgement: Judgement, other: &Judgement) -> Judgement {
    for effect in &other.effects {
        if !judgement.effects.contains(effect) {
            judgement.effects.push(effect.clone());
        }
    }
    judgement.risk = judgement.risk.max(other.risk);
    judgement
}
