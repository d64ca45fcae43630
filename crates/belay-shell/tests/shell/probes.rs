//! What bash runs must be in the tree.

use crate::attacks::ATTACKS;
use crate::corners::{combinations, corners, damaged, damaged_of, rounds, surrounded};
use crate::{oracle, walk::Seen};
use belay_shell::{Dialect, parse};

fn seen(text: &[u8]) -> bool {
    let seen = std::panic::catch_unwind(|| Seen::of(&parse(text, Dialect::Bash)).runs("PWN"));
    seen.unwrap_or_else(|_| panic!("reading panics: {:?}", String::from_utf8_lossy(text)))
}

/// Compares many scripts with bash and returns those that ran what the tree does not show.
fn lost(texts: Vec<String>) -> (usize, Vec<String>) {
    let Some(bash) = oracle::bash() else {
        return (0, Vec::new());
    };
    let unseen: Vec<String> = texts
        .into_iter()
        .filter(|text| !seen(text.as_bytes()))
        .collect();
    let halves: Vec<&[String]> = unseen.chunks(unseen.len().div_ceil(2).max(1)).collect();
    let lost = std::thread::scope(|scope| {
        let workers: Vec<_> = halves
            .into_iter()
            .map(|half| {
                scope.spawn(|| {
                    half.iter()
                        .filter(|text| oracle::runs(&bash, text.as_bytes()))
                        .cloned()
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    (unseen.len(), lost)
}

/// Tells whether the tree says that it may not show everything.
fn troubled(text: &str) -> bool {
    !parse(text.as_bytes(), Dialect::Bash).troubles().is_empty()
}

/// INVARIANT: nothing may be lost in silence, whatever is rolled; the usual rolls lose nothing at all.
fn nothing_is_lost(what: &str, texts: Vec<String>) {
    let lost = nothing_is_lost_in_silence(what, texts);
    if std::env::var_os("BELAY_SEED").is_none() && std::env::var_os("BELAY_PROBES").is_none() {
        assert!(lost.is_empty(), "run by bash, not in the tree: {lost:#?}");
    } else {
        println!("lost with a trouble: {lost:#?}");
    }
}

/// Returns what bash ran and the tree does not show, but has a trouble for.
fn nothing_is_lost_in_silence(what: &str, texts: Vec<String>) -> Vec<String> {
    let count = texts.len();
    let (unseen, lost) = lost(texts);
    let silent: Vec<&String> = lost.iter().filter(|text| !troubled(text)).collect();
    println!(
        "{count} {what}, {unseen} not shown by the tree, {} lost, {} of them without a trouble",
        lost.len(),
        silent.len()
    );
    assert!(
        silent.is_empty(),
        "run by bash, not in the tree: {silent:#?}"
    );
    lost
}

#[test]
fn every_corner_is_seen() {
    nothing_is_lost("corners", corners());
}

#[test]
fn every_attack_is_seen() {
    nothing_is_lost(
        "attacks",
        ATTACKS.iter().map(|&text| text.to_owned()).collect(),
    );
}

#[test]
fn attacks_inside_corners_are_seen() {
    nothing_is_lost("attacks in corners", surrounded(ATTACKS, rounds(1200)));
}

/// Bash keeps a substitution as text that it writes itself and reads again: what it writes may mean something else.
#[test]
fn everything_inside_a_substitution_is_seen() {
    let mut texts = corners();
    texts.extend(ATTACKS.iter().map(|&text| text.to_owned()));
    texts.extend(
        [
            ">o coproc PWN",
            ">o ! PWN",
            ">o time PWN",
            "{fd}>o [[ $(PWN) ]]",
        ]
        .map(str::to_owned),
    );
    let inside = |text: &String| {
        [": $(@\n)", "x=\"$(@)\"", ": <(@\n)"].map(|place| place.replace('@', text))
    };
    nothing_is_lost_in_silence(
        "texts in substitutions",
        texts.iter().flat_map(inside).collect(),
    );
}

#[test]
fn damaged_attacks_are_seen() {
    nothing_is_lost("damaged attacks", damaged_of(ATTACKS, rounds(1200)));
}

#[test]
fn corners_inside_corners_are_seen() {
    nothing_is_lost("combinations", combinations(rounds(1500)));
}

#[test]
fn damaged_corners_are_seen() {
    nothing_is_lost("damaged scripts", damaged(rounds(1500)));
}

/// What `((` hides when it turns out to be a subshell, bash reads from a copy of the text, and here-documents in it from
/// what comes after: not always read as bash does, but never in silence.
#[test]
fn here_documents_in_double_parentheses_are_troubles() {
    let places = [
        "((@) )",
        "((@)\n)",
        "(( @ ) ; : )",
        "( ((@) ) )",
        ": $((@) )",
        ": \"$((@) )\"",
        "if ((@) ); then :; fi",
        "(\\\n(@) )",
        "((@\\\n) )",
    ];
    let inner = corners()
        .into_iter()
        .filter(|text| text.contains("<<") && !text.contains("<<<"));
    let texts: Vec<String> = inner
        .flat_map(|inner| places.map(|place| place.replace('@', &inner)))
        .collect();
    nothing_is_lost_in_silence("here-documents in `((`", texts);
    let bodies = [
        "((: <<E\nPWN) )\nE",
        "((: <<E\\\n\nPWN) )",
        "((:\\\n <<E\nPWN) )",
    ];
    for text in bodies {
        assert!(troubled(text), "{text:?}");
    }
}
