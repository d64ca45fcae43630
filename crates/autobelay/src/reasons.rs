//! Reasons that a person and an agent can act on.

use belay_model::{How, Reason, Target, Trouble, Verb};

use crate::sight::{Finding, Sight};

/// Says why, from what was seen: the effect that weighs most, or the trouble.
pub(crate) fn seen(sight: &Sight) -> Reason {
    let trouble = sight.troubles.iter().max_by_key(|it| it.kind.risk());
    match (sight.worst(), trouble) {
        (Some(finding), Some(trouble)) if trouble.kind.risk() > finding.weighed.risk => {
            troubled(trouble)
        }
        (Some(finding), _) => found(finding),
        (None, Some(trouble)) => troubled(trouble),
        (None, None) => Reason::new("nothing would happen"),
    }
}

/// Says which rule or grant of a person lets a call through.
pub(crate) fn lowered(rule: &str) -> Reason {
    let because = match rule.split_once(' ') {
        Some(("grant", grant)) => format!("a person granted it for a while: {grant}"),
        Some(("answer", yes)) => format!("the user said yes to this before in this session: {yes}"),
        Some(("words", sentence)) => format!("the user wrote: \u{201c}{sentence}\u{201d}"),
        Some(_) | None => format!("the rule `{rule}` allows it"),
    };
    Reason {
        because,
        instead: None,
        rule: Some(rule.to_owned()),
    }
}

/// Says that a soft rule stops a call.
pub(crate) fn soft(rule: &str) -> Reason {
    Reason {
        because: format!("the rule `{rule}` stops it unless the user asked for it"),
        instead: Some("ask the user".to_owned()),
        rule: Some(format!("soft_deny: {rule}")),
    }
}

fn found(finding: &Finding) -> Reason {
    let scope = finding
        .weighed
        .scope
        .map_or(String::new(), |it| format!(" ({it})"));
    let unknown = finding.effect.verb == Verb::Unknown;
    let would = if unknown { "" } else { "would " };
    // A colon behind a secret's name would make our words look like its value, and redacting would take them out.
    let names = matches!(finding.effect.target, Target::Names(_)) && scope.is_empty();
    let joint = if names && finding.effect.how == How::Secret {
        ";"
    } else {
        ":"
    };
    Reason {
        because: format!(
            "{would}{}{scope}{joint} {}",
            finding.effect, finding.weighed.because
        ),
        instead: finding.weighed.instead.map(str::to_owned),
        rule: Some(finding.weighed.rule.to_owned()),
    }
}

fn troubled(trouble: &Trouble) -> Reason {
    Reason {
        because: format!("could not be understood: {}", trouble.what),
        instead: Some("write it in a simpler way, as separate commands".to_owned()),
        rule: Some(format!("trouble-{}", trouble.kind.word())),
    }
}
