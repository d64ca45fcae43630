//! Layer 7: where a person would be asked only because work would be lost, it is kept and the call may run.
//!
//! INVARIANT: nothing else is lowered: one effect that asks for another reason, one place that is not known, or
//! anything that may happen between now and the loss leaves the question as it was.

use belay_model::{Band, Opinion, Reason, Verdict};
use belay_undo::{Keeping, Told, Wish};

use super::analysis;
use crate::case::Case;
use crate::losses::{self, OurSieve};
use crate::prose;
use crate::sight::Finding;

/// Tells whether all that is asked about is work that would be lost.
pub(super) fn may_speak(case: &Case<'_>) -> bool {
    let Some(open) = case.open.as_ref().filter(|_| case.heard.keeper.is_some()) else {
        return false;
    };
    let clear = |risk| case.settings.thresholds.band(risk) == Band::Clear;
    let fine = |it: &Finding| clear(it.weighed.risk) || it.weighed.kept && !it.weighed.floor;
    let sight = case.sight();
    matches!(open.band, Band::Unsure | Band::Ask)
        && open.soft_deny.is_none()
        && case.at_least_ask.is_none()
        && case.broken.is_none()
        && clear(analysis::base(case))
        && sight.troubles.iter().all(|it| clear(it.kind.risk()))
        && sight.findings.iter().all(fine)
        && prose::doubt(case).is_none()
}

/// Keeps what would be lost and lets the call through, or leaves the question and says why.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    if !may_speak(case) {
        return Opinion::Pass(None);
    }
    let (Some(keeper), Some(open)) = (case.heard.keeper, &case.open) else {
        return Opinion::Pass(None);
    };
    let reason = open.reason.clone();
    let roots = losses::roots(case);
    if !keeper.is_there(&roots) {
        return Opinion::Settled(Verdict::Ask, reason);
    }
    let losses = match losses::of(case) {
        Ok(losses) => losses,
        Err(why) => return not_kept(reason, &why),
    };
    let kept = keeper.keep(&Wish {
        told: told(case),
        roots: &roots,
        home: case.frame.home,
        losses: &losses,
        sieve: &OurSieve(&case.frame),
    });
    match kept {
        Keeping::Kept(id) => Opinion::Settled(Verdict::Allow, kept_as(&reason, &id)),
        Keeping::CouldBe => Opinion::Settled(Verdict::Allow, would_be_kept(&reason)),
        Keeping::Nothing => Opinion::Settled(Verdict::Ask, reason),
        Keeping::Not(why) => not_kept(reason, &why),
    }
}

fn kept_as(reason: &Reason, id: &str) -> Reason {
    Reason {
        because: format!(
            "{} It is kept as {id} first; to bring it back: belay undo {id}",
            reason.because
        ),
        instead: None,
        rule: Some(format!("kept {id}")),
    }
}

fn would_be_kept(reason: &Reason) -> Reason {
    Reason {
        because: format!("{} It would be kept first.", reason.because),
        instead: None,
        rule: Some("kept".to_owned()),
    }
}

fn not_kept(reason: Reason, why: &str) -> Opinion {
    let because = format!("{} It cannot be kept first: {why}.", reason.because);
    Opinion::Settled(Verdict::Ask, Reason { because, ..reason })
}

fn told(case: &Case<'_>) -> Told {
    let lost = case.sight().findings.iter().filter(|it| it.weighed.kept);
    Told {
        call: case.call.id.clone(),
        session: case.call.session.clone(),
        agent: case.call.agent.clone(),
        command: losses::subject(case),
        cwd: case.stand.cwd.clone(),
        effects: lost.map(|it| it.effect.to_string()).collect(),
    }
}
