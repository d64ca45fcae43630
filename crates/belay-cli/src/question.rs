//! The question that a person sees: its id, and the one command that ends exactly this question, or why there is none.

use belay_journal::Record;
use belay_model::{Judgement, Verdict};
use belay_settings::grants::Grant;

use crate::judging::Judging;

/// What ends a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A grant of its effects: they name all that is asked about.
    Grant,
    /// What a yes covers, for the session.
    Session,
    /// Nothing but an answer.
    Answer,
}

/// Returns the judgement with the words in which a person is asked. What is not a question stays as it is.
pub fn put(judging: &Judging, record: Record) -> Judgement {
    if record.judgement.verdict != Verdict::Ask {
        return record.judgement;
    }
    let id = record.short();
    let way = match end_of(judging, &record) {
        End::Grant => format!(
            "To stop this question in this folder, run `belay allow {id}` in your own terminal."
        ),
        End::Session => {
            format!(
                "To stop this question for this session, run `belay allow {id}` in your own terminal."
            )
        }
        End::Answer => format!(
            "belay asks this every time: {}.",
            why_each_time(&record.judgement)
        ),
    };
    let mut judgement = record.judgement;
    let because = &judgement.reason.because;
    judgement.reason.because = format!("belay asks ({id}): {because}\n{way}");
    judgement
}

/// Tries what `belay allow ID` would do: only what lets the very same call through, and no more, is offered.
pub fn end_of(judging: &Judging, record: &Record) -> End {
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
    if exact && judging.would_allow(&record.call, &[grant]) {
        End::Grant
    } else if judging.would_pass_after_yes(&record.call) {
        End::Session
    } else {
        End::Answer
    }
}

/// Says why nothing but an answer ends a question.
pub fn why_each_time(judgement: &Judgement) -> &'static str {
    let rule = judgement.reason.rule.as_deref().unwrap_or_default();
    autobelay::never_covered(rule).unwrap_or("a permission could not be limited to exactly this")
}
