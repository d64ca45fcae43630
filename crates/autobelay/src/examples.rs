//! The examples of `[[rule]]` tables, judged where nothing is known of the world, so that they hold or
//! fail for the settings alone.

use belay_model::{Call, Nowhere, Value};
use belay_settings::{ExactRule, Example, Fault, SettingsError};

use crate::Gate;

/// The most examples that are judged; settings with more are refused.
pub const MOST_EXAMPLES: usize = 2000;

impl Gate {
    /// Judges the examples of rules, and returns an error for each that gets another verdict than it
    /// claims. No model is asked and no grant counts.
    #[must_use]
    pub fn failing_examples(&self, wanted: &dyn Fn(&ExactRule) -> bool) -> Vec<SettingsError> {
        let rules = self.settings().exact.iter().filter(|it| wanted(it));
        let examples: Vec<(&ExactRule, &Example)> = rules
            .flat_map(|rule| rule.examples.iter().map(move |it| (rule, it)))
            .collect();
        if let Some((_, first)) = examples.get(MOST_EXAMPLES) {
            let fault = Fault::TooMany {
                key: "examples".to_owned(),
                most: MOST_EXAMPLES,
            };
            return vec![SettingsError::at(fault, first.line.origin.clone())];
        }
        examples
            .into_iter()
            .filter_map(|(rule, example)| self.failing(rule, example))
            .collect()
    }

    fn failing(&self, rule: &ExactRule, example: &Example) -> Option<SettingsError> {
        let input = vec![(
            "command".to_owned(),
            Value::from(example.line.text.as_str()),
        )];
        // A rule of one project is tried there.
        let project = rule.project.first().map(|it| match it.strip_prefix('~') {
            Some(rest) => format!("/home/user{rest}"),
            None => it.clone(),
        });
        let project = project.unwrap_or_else(|| "/home/user/project".to_owned());
        let call = Call {
            tool: "Bash".to_owned(),
            input: Value::Object(input),
            cwd: project.clone(),
            project_roots: vec![project],
            home: Some("/home/user".to_owned()),
            agent: rule.agent.first().filter(|it| !it.contains('*')).cloned(),
            ..Call::default()
        };
        let found = self.judged_plainly(&call, &Nowhere);
        if found.verdict == example.verdict {
            return None;
        }
        let fault = Fault::Example {
            rule: rule.name(),
            line: example.line.text.clone(),
            verdicts: (example.verdict, found.verdict),
            because: found.reason.because,
        };
        Some(SettingsError::at(fault, example.line.origin.clone()))
    }
}

/// Tells whether there is anything to judge.
#[must_use]
pub fn has_examples(rules: &[ExactRule]) -> bool {
    rules.iter().any(|it| !it.examples.is_empty())
}
