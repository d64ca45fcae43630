//! Reasons that a person and an agent can act on: whole sentences, and what to do in the call's place.

use belay_model::{Band, Effect, Reason, Risk, Target, Trouble, Verb};
use belay_policy::{Story, capitalised, in_words};

use crate::sight::{Finding, Sight};

/// How many further effects a reason names.
const FURTHER: usize = 2;

/// Says why, from what was seen: the effect that weighs most, or the trouble. What is allowed is told by its rule alone,
/// because almost every call is and few of their reasons are ever read.
pub(crate) fn seen(sight: &Sight, band: Band) -> Reason {
    let trouble = sight.troubles.iter().max_by_key(|it| it.kind.risk());
    match (sight.worst(), trouble) {
        (Some(finding), Some(trouble)) if trouble.kind.risk() > finding.weighed.risk => {
            troubled(trouble)
        }
        (Some(finding), _) if band == Band::Clear => {
            told(finding, capitalised(&finding.weighed.because))
        }
        (Some(finding), _) => told(finding, sentences(finding, sight)),
        (None, Some(trouble)) => troubled(trouble),
        (None, None) => Reason::new("This does nothing."),
    }
}

/// Says which rule or grant of a person lets a call through.
pub(crate) fn lowered(rule: &str) -> Reason {
    let because = match rule.split_once(' ') {
        Some(("grant", grant)) => format!("The user granted this for a while ({grant})."),
        Some(("answer", yes)) => {
            format!("The user already said yes to this in this session ({yes}).")
        }
        Some(("words", sentence)) => format!("The user wrote: \u{201c}{sentence}\u{201d}"),
        Some(_) | None => format!("The rule `{rule}` allows this."),
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
        because: format!("The rule `{rule}` forbids this unless the user asked for it."),
        instead: Some("ask the user".to_owned()),
        rule: Some(format!("soft_deny: {rule}")),
    }
}

/// Adds a note to the last sentence of a reason.
pub(crate) fn note(because: &mut String, note: &str) {
    let ended = because.ends_with('.');
    if ended {
        because.pop();
    }
    because.push_str(note);
    if ended {
        because.push('.');
    }
}

fn told(finding: &Finding, because: String) -> Reason {
    Reason {
        because,
        instead: finding.weighed.instead.map(str::to_owned),
        rule: Some(finding.weighed.rule.to_owned()),
    }
}

/// Tells what the worst effect and its like would do and why that matters, then what else would be asked about.
fn sentences(worst: &Finding, sight: &Sight) -> String {
    let sources: Vec<&str> = sight.findings.iter().filter_map(source).collect();
    let is_like = |it: &&Finding| {
        let (one, other) = (&it.effect, &worst.effect);
        it.weighed.because == worst.weighed.because && one.when == other.when && one.at == other.at
    };
    let mut alike = vec![&worst.effect];
    let rest = sight.findings.iter().filter(is_like).map(|it| &it.effect);
    alike.extend(rest.filter(|it| !std::ptr::eq(*it, &raw const worst.effect)));
    let mut text = Story {
        effects: &alike,
        because: &worst.weighed.because,
        sources: &sources,
    }
    .sentence();
    let carried = !worst.effect.carries.is_nothing();
    let further = sight.findings.iter().filter(|it| {
        let told = carried && source(it).is_some() || it.effect.target == worst.effect.target;
        !is_like(it) && !told && it.weighed.risk >= Risk::UNSURE && it.effect.verb != Verb::Unknown
    });
    let further: Vec<&Effect> = further.map(|it| &it.effect).collect();
    if let Some(shown) = further
        .get(..further.len().min(FURTHER))
        .filter(|it| !it.is_empty())
    {
        text.push_str(" It would also ");
        text.push_str(&in_words(shown));
        let more = further.len().saturating_sub(FURTHER);
        if more > 0 {
            text.push_str(&format!(", and {more} more"));
        }
        text.push('.');
    }
    text
}

/// Returns the host that something is fetched from.
fn source(finding: &Finding) -> Option<&str> {
    match &finding.effect.target {
        Target::Host(host) if finding.effect.verb == Verb::Fetch && host != "?" => Some(host),
        Target::Host(_) | Target::Place(_) | Target::Names(_) => None,
    }
}

fn troubled(trouble: &Trouble) -> Reason {
    Reason {
        because: format!("belay cannot read all of this: {}.", trouble.what),
        instead: Some("write it in a simpler way, as separate commands".to_owned()),
        rule: Some(format!("trouble-{}", trouble.kind.word())),
    }
}
