//! What tokens cost.

use crate::plan::{Endpoint, Prices};
use crate::wire::Usage;

/// Dollars for a million tokens, read and written, by the beginning of the model's name.
const KNOWN: [(&str, f64, f64); 9] = [
    ("claude-haiku-4-5", 1.0, 5.0),
    ("claude-sonnet-4", 3.0, 15.0),
    ("gemini-2.5-flash-lite", 0.1, 0.4),
    ("gemini-2.5-flash", 0.3, 2.5),
    ("gpt-4.1-mini", 0.4, 1.6),
    ("gpt-4.1-nano", 0.1, 0.4),
    ("gpt-4.1", 2.0, 8.0),
    ("gpt-4o-mini", 0.15, 0.6),
    ("gpt-4o", 2.5, 10.0),
];

/// Returns the cost in dollars; nothing when the price is not known.
pub(crate) fn cost(endpoint: &Endpoint, own: Prices, usage: Usage) -> Option<f64> {
    let (input, output) = price(endpoint, own)?;
    let dollars = (usage.input as f64).mul_add(input, usage.output as f64 * output);
    Some(dollars / 1e6)
}

fn price(endpoint: &Endpoint, own: Prices) -> Option<(f64, f64)> {
    if endpoint.is_local() && own.input.is_none() {
        return Some((0.0, 0.0));
    }
    let model = endpoint.model().ok()?;
    let known = KNOWN.iter().find(|(name, ..)| model.starts_with(name));
    let known = known.map(|(_, input, output)| (*input, *output));
    known.or_else(|| Some((own.input?, own.output?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Provider;

    #[test]
    fn a_question_costs_about_a_tenth_of_a_cent() {
        let usage = Usage {
            input: 2000,
            output: 100,
        };
        let endpoint = Endpoint::new(Provider::Anthropic);
        let dollars = cost(&endpoint, Prices::default(), usage).unwrap();
        assert!((dollars - 0.0025).abs() < 1e-9, "{dollars}");
    }
}
