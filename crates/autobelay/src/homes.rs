//! Two folders that `~` may mean: the user's, and the one that the environment of a call names.

use belay_model::{Call, Judgement};

/// Judges a call for each home folder it may mean; the stricter verdict stands.
pub(crate) fn in_either(call: &Call, judge: &dyn Fn(&Call) -> Judgement) -> Judgement {
    let judgement = judge(call);
    let Some(other) = &call.env_home else {
        return judgement;
    };
    let mut there = judge(&Call {
        home: Some(other.clone()),
        env_home: None,
        ..call.clone()
    });
    if there.verdict <= judgement.verdict {
        return judgement;
    }
    let note = format!(" (`HOME` is `{other}` here)");
    there.reason.because.push_str(&note);
    there
}
