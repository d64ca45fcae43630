//! What was met in several rounds or ways is told once.

use std::collections::HashSet;

use crate::scene::Analysis;

/// Among so few effects each is compared with each.
const FEW: usize = 8;

/// Drops effects and troubles that were told before, and moves the commands' marks along.
pub(crate) fn told_once(mut analysis: Analysis) -> Analysis {
    let few = |all: &[belay_model::Effect]| {
        all.len() <= FEW
            && (1..all.len()).all(|at| {
                let (before, rest) = all.split_at(at);
                rest.first().is_none_or(|it| !before.contains(it))
            })
    };
    if !few(&analysis.effects) {
        let mut seen = HashSet::with_capacity(analysis.effects.len());
        let fresh: Vec<bool> = analysis.effects.iter().map(|it| seen.insert(it)).collect();
        if fresh.iter().any(|it| !it) {
            let mut kept = 0;
            let mut marks = Vec::with_capacity(fresh.len() + 1);
            for is_new in &fresh {
                marks.push(kept);
                kept += usize::from(*is_new);
            }
            marks.push(kept);
            let mark = |at: usize| marks.get(at).copied().unwrap_or(kept);
            for invocation in &mut analysis.invocations {
                invocation.from = mark(invocation.from);
                invocation.to = mark(invocation.to);
            }
            let mut flags = fresh.into_iter();
            analysis.effects.retain(|_| flags.next().unwrap_or(true));
        }
    }
    analysis.troubles.dedup();
    analysis
}
