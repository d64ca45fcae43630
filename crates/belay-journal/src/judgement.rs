//! A judgement as JSON: what `belay check --json` prints and the journal keeps.

use belay_model::{
    Judgement, Layer, Reason, Risk, Step, Trouble, TroubleKind, Value, Verdict, parse_effect,
};

use crate::{Members, number, text};

/// Returns the judgement as JSON. Spans stay behind: effects and troubles are their lines.
#[must_use]
pub fn judgement_to_json(judgement: &Judgement) -> Value {
    let reason = &judgement.reason;
    let effects: Vec<String> = judgement.effects.iter().map(ToString::to_string).collect();
    let troubles: Vec<String> = judgement.troubles.iter().map(ToString::to_string).collect();
    Members::default()
        .put(
            "id",
            judgement.id.as_deref().map_or(Value::Null, Value::from),
        )
        .text("verdict", judgement.verdict.word())
        .text("layer", judgement.layer.word())
        .put(
            "rule",
            reason.rule.as_deref().map_or(Value::Null, Value::from),
        )
        .put("risk", Value::Number(judgement.risk.number().to_string()))
        .text("reason", &reason.because)
        .maybe("instead", reason.instead.as_deref())
        .texts("effects", effects.iter().map(String::as_str))
        .texts("troubles", troubles.iter().map(String::as_str))
        .put(
            "trail",
            Value::Array(judgement.trail.iter().map(step).collect()),
        )
        .put("micros", Value::Number(judgement.micros.to_string()))
        .done()
}

fn step(step: &Step) -> Value {
    Members::default()
        .text("layer", step.layer.word())
        .text("said", &step.said)
        .done()
}

/// Reads a judgement back; nothing when the verdict or the layer is not there.
#[must_use]
pub fn read_judgement(value: &Value) -> Option<Judgement> {
    let list = |name: &str| value.get(name).and_then(Value::items).unwrap_or_default();
    Some(Judgement {
        id: text(value, "id"),
        verdict: Verdict::from_word(&text(value, "verdict")?)?,
        layer: Layer::from_word(&text(value, "layer")?)?,
        reason: Reason {
            because: text(value, "reason").unwrap_or_default(),
            instead: text(value, "instead"),
            rule: text(value, "rule"),
        },
        risk: Risk::new(number(value, "risk").unwrap_or_default()),
        effects: list("effects")
            .iter()
            .filter_map(|it| parse_effect(it.text()?).ok())
            .collect(),
        troubles: list("troubles")
            .iter()
            .filter_map(|it| trouble(it.text()?))
            .collect(),
        trail: list("trail").iter().filter_map(read_step).collect(),
        micros: number(value, "micros").unwrap_or_default(),
    })
}

fn read_step(value: &Value) -> Option<Step> {
    Some(Step {
        layer: Layer::from_word(&text(value, "layer")?)?,
        said: text(value, "said")?,
    })
}

fn trouble(line: &str) -> Option<Trouble> {
    const KINDS: [TroubleKind; 6] = [
        TroubleKind::Note,
        TroubleKind::Ambiguous,
        TroubleKind::Syntax,
        TroubleKind::Unknown,
        TroubleKind::Limit,
        TroubleKind::Failure,
    ];
    let (word, what) = line.split_once(": ")?;
    let kind = KINDS.into_iter().find(|it| it.word() == word)?;
    Some(Trouble::new(kind, what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn a_judgement_reads_back() {
        let text = r#"{"id":"a","verdict":"ask","layer":"analysis","rule":"delete-outside-project","risk":70,"reason":"would delete","instead":"do not","effects":["delete tree ./build"],"troubles":["unknown: `$X` is not known"],"trail":[{"layer":"allowlist","said":"not a tool that only looks"}],"micros":12}"#;
        let value = json::read(text.as_bytes()).unwrap();
        let judgement = read_judgement(&value).unwrap();
        assert_eq!(json::compact(&judgement_to_json(&judgement)), text);
    }

    #[test]
    fn a_verdict_is_needed() {
        let value = json::read(br#"{"verdict":"fine","layer":"analysis"}"#).unwrap();
        assert_eq!(read_judgement(&value), None);
    }
}
