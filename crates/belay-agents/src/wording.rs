use belay_model::{Judgement, Verdict};

/// The longest text given to an agent, in bytes; some spill longer ones into files.
const LONGEST: usize = 4_000;

/// What an agent is able to do with a verdict, at the moment it asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Able {
    /// It can let run, ask a person and refuse.
    All,
    /// It cannot ask a person: an ask is a refusal.
    NotAsk,
}

/// A verdict in the form an agent can carry out, and the words that go with it.
pub(crate) struct Said {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
}

/// Puts a judgement into words: what was stopped and why, then what to do instead.
pub(crate) fn said(judgement: &Judgement, able: Able) -> Said {
    let verdict = match able {
        Able::All => judgement.verdict,
        Able::NotAsk => judgement.verdict.unattended(),
    };
    let because = match judgement.reason.because.trim() {
        "" => "No reason was given.",
        because => because,
    };
    let mut reason = String::with_capacity(because.len() + 64);
    if verdict == Verdict::Deny {
        reason.push_str("Denied by belay. ");
    }
    reason.push_str(because);
    if verdict != judgement.verdict {
        reason.push_str(" A person must approve this, and nobody can be asked here.");
    }
    if let Some(instead) = &judgement.reason.instead {
        reason.push_str("\nInstead, ");
        reason.push_str(instead);
        if !instead.ends_with(['.', '!', '?']) {
            reason.push('.');
        }
    }
    Said {
        verdict,
        reason: shortened(belay_journal::redact(&reason).into_owned()),
    }
}

/// Cuts a text that is too long, at a whole character.
pub(crate) fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        let cut = (0..=LONGEST)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or_default();
        text.truncate(cut);
        text.push('…');
    }
    text
}
