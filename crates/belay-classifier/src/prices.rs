//! What tokens cost.

use crate::plan::{Endpoint, Prices};
use crate::wire::{self, Usage};

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
    let known = wire::price(model).map(|it| (it.input, it.output));
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
        let endpoint = Endpoint::new(Provider::named("anthropic").unwrap());
        let dollars = cost(&endpoint, Prices::default(), usage).unwrap();
        assert!((dollars - 0.0025).abs() < 1e-9, "{dollars}");
    }
}
