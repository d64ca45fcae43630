//! The names of commands: what another reader names must be in our tree.

use crate::{accepted::Accepted, texts, walk::Seen};
use belay_shell::{Dialect, TroubleKind, parse};
use std::collections::BTreeSet;

/// Returns the first words of our commands, where they are known; nothing when the text is rejected.
fn ours(text: &str) -> Option<BTreeSet<Vec<u8>>> {
    let tree = parse(text.as_bytes(), Dialect::Bash);
    let rejected = |kind| matches!(kind, TroubleKind::Syntax | TroubleKind::Limit);
    if tree.troubles().iter().any(|trouble| rejected(trouble.kind)) {
        return None;
    }
    let firsts = Seen::of(&tree).argvs.into_iter();
    Some(
        firsts
            .filter_map(|argv| argv.into_iter().next().flatten())
            .collect(),
    )
}

/// Tells whether a name is plain text: no quotes, expansions or patterns.
fn plain(name: &str) -> bool {
    !name.is_empty()
        && !name.contains([
            '\\', '\'', '"', '$', '`', '*', '?', '[', '{', '~', '(', '<', '>',
        ])
}

/// Compares the names that a peer sees with ours in every text of the repository.
pub fn compare(peer: &str, names: impl Fn(&str) -> Option<Vec<String>>) {
    let accepted = Accepted::of(peer);
    let (mut compared, mut refused, mut named, mut lost) = (0, 0, 0, Vec::new());
    for text in texts::all() {
        let Some(ours) = ours(&text) else { continue };
        let Some(theirs) = names(&text) else {
            refused += 1;
            continue;
        };
        compared += 1;
        for name in theirs.into_iter().filter(|name| plain(name)) {
            named += 1;
            if !ours.contains(name.as_bytes()) && !accepted.holds(&name, &text) {
                lost.push((name, text.clone()));
            }
        }
    }
    println!(
        "{peer}: {compared} texts compared, {refused} it cannot read, {named} names, {} not in our tree",
        lost.len()
    );
    crate::accepted::none_left(&lost);
    accepted.all_met();
}
