//! The question that a person sees: its id, and the one command that ends exactly this question.

use belay_journal::Record;
use belay_model::{Judgement, Verdict};
use belay_settings::grants::Grant;

use crate::judging::Judging;

/// Returns the judgement with the words in which a person is asked. What is not a question stays as it is.
pub fn put(judging: &Judging, record: Record) -> Judgement {
    let id = record.short();
    let ends = record.judgement.verdict == Verdict::Ask && is_ended_by_allow(judging, &record);
    let mut judgement = record.judgement;
    if judgement.verdict != Verdict::Ask {
        return judgement;
    }
    let because = &judgement.reason.because;
    judgement.reason.because = match ends {
        true => format!(
            "belay asks ({id}): {because}\nnot asked again here: `belay allow {id}` in your own terminal"
        ),
        false => format!("belay asks ({id}): {because}"),
    };
    judgement
}

/// Tries what `belay allow ID` would grant: only what lets the very same call through is offered.
fn is_ended_by_allow(judging: &Judging, record: &Record) -> bool {
    let effects = &record.judgement.effects;
    let grant = Grant {
        id: String::new(),
        effects: effects.iter().map(ToString::to_string).collect(),
        judgement: None,
        folder: record.call.cwd.clone(),
        at: 0,
        until: 0,
        uses: None,
        session: None,
    };
    let exact = !effects.is_empty() && effects.iter().all(belay_settings::grants::is_exact);
    exact && judging.would_allow(&record.call, &[grant])
}
