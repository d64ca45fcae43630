//! Lines of prose that no layer can decide by itself, and the calls they may speak of.

use belay_model::Reason;
use belay_settings::{Concern, RuleText, compile};

use crate::case::Case;

/// Returns why a call that understanding would allow goes to the model, where there is one: a line
/// of prose may speak of it.
pub(crate) fn doubt(case: &Case<'_>) -> Option<Reason> {
    case.heard.model?;
    let rule = concerning(case)?;
    let mut reason = Reason::new(format!("The rule `{}` may apply to this.", rule.text));
    reason.rule = Some(format!("prose: {}", rule.text));
    Some(reason)
}

/// Returns the first line of prose that may speak of what was seen.
fn concerning<'c>(case: &'c Case<'_>) -> Option<&'c RuleText> {
    let rules = &case.settings.rules;
    let lines = rules.hard_deny.iter().chain(&rules.soft_deny);
    let mut prose = lines
        .filter(|it| it.for_model && compile(&it.text, &case.lexicon()).is_prose())
        .peekable();
    prose.peek()?;
    let sight = case.sight();
    let effects: Vec<_> = sight.findings.iter().map(|it| &it.effect).collect();
    let argv = sight.invocations.iter().flat_map(|it| &it.argv);
    let words: Vec<&str> = argv.filter_map(Option::as_deref).collect();
    prose.find(|it| Concern::of(&it.text).meets(&effects, &words))
}
