//! The breaker: an agent that keeps running into refusals is stopped until a person looks.

use belay_model::{Answer, Judgement, Layer, Question, Reason, Risk, Surroundings, Verdict};

use super::Raised;
use crate::case::Case;

/// Raises what would be allowed in a session that runs against a wall. Looking is always allowed.
pub(crate) fn raise(case: &Case<'_>, so_far: &Judgement) -> Option<Raised> {
    if so_far.verdict != Verdict::Allow || so_far.layer == Layer::Allowlist {
        return None;
    }
    let ends = Endings::of(case.frame.world)?;
    let because = match denied_before(&ends, so_far) {
        Some(effect) => format!("`{effect}` was already denied in this session."),
        None => {
            let limits = &case.settings.breaker;
            ends.tripped(limits.in_a_row, limits.in_a_session)?
        }
    };
    Some(Raised {
        verdict: Verdict::Ask,
        layer: Layer::Breaker,
        reason: Reason {
            because,
            instead: Some("tell the user what was refused and why it is needed".to_owned()),
            rule: Some("breaker".to_owned()),
        },
        risk: Risk::NONE,
    })
}

/// A model may not release what was denied before.
fn denied_before(ends: &Endings, so_far: &Judgement) -> Option<String> {
    let effects = so_far.effects.iter().map(ToString::to_string);
    let mut released = effects.filter(|_| so_far.layer == Layer::Classifier);
    released.find(|it| {
        ends.0
            .iter()
            .any(|end| end.strip_prefix("denied ") == Some(it))
    })
}

/// How the calls of a session ended since a person last spoke.
struct Endings(Vec<String>);

impl Endings {
    fn of(world: &dyn Surroundings) -> Option<Self> {
        match world.ask(&Question::Endings) {
            Answer::Names(ends) => Some(Self(ends)),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        }
    }

    /// Says so when there were too many denials, in a row or in all.
    fn tripped(&self, in_a_row: u64, in_session: u64) -> Option<String> {
        let denied = |it: &&String| *it != "allowed";
        let row = self.0.iter().rev().take_while(denied).count() as u64;
        let all = self.0.iter().filter(denied).count() as u64;
        (row >= in_a_row || all >= in_session).then(|| {
            format!(
                "{row} calls in a row were denied, {all} in this session: a person should look before this goes on."
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Endings;

    /// One letter for each end: `d` denied, `a` allowed. Trips after 3 in a row or 5 in all.
    fn tripped(ends: &str) -> bool {
        let ends = ends.chars().map(|it| match it {
            'a' => "allowed".to_owned(),
            effect => format!("denied {effect}"),
        });
        Endings(ends.collect()).tripped(3, 5).is_some()
    }

    #[test]
    fn too_many_denials_trip() {
        for (ends, trips) in [
            ("", false),
            ("aaa", false),
            ("dd", false),
            ("ded", true),
            ("ddadd", false),
            ("eadaeaea", false),
            ("eadaeaeae", true),
        ] {
            assert_eq!(tripped(ends), trips, "{ends}");
        }
    }
}
