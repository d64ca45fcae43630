//! What comes of asking.

use std::path::PathBuf;

use crate::Fault;

/// What a model says of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It may run: why.
    Pass(String),
    /// It should not: why.
    Block(String),
    /// There is no verdict: what each who was asked failed with.
    NoVerdict(Vec<(String, Fault)>),
}

impl Answer {
    /// Returns why there is no verdict, in one line; nothing when there is one.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let Self::NoVerdict(faults) = self else {
            return None;
        };
        let said: Vec<String> = faults
            .iter()
            .map(|(who, fault)| match who.as_str() {
                "" => fault.to_string(),
                who => format!("{who}: {fault}"),
            })
            .collect();
        let helps = faults.iter().any(|(_, it)| it.may_pass());
        let hint = if helps { "; trying again may help" } else { "" };
        Some(format!("{}{hint}", said.join("; ")))
    }
}

/// What asking took.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Account {
    /// Who gave the verdict: `anthropic claude-haiku-4-5-20251001`.
    pub by: Option<String>,
    /// How many requests were made.
    pub requests: u64,
    /// Tokens read, as the providers count them; where they did not, the most it can be.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Dollars, as far as prices are known.
    pub usd: Option<f64>,
    /// Milliseconds, everything included.
    pub millis: u64,
    /// The files with full requests and replies.
    pub dumps: Vec<PathBuf>,
}

/// An answer, where on the ladder it came from, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// The rung: `cache`, `provider`, `fallback 1` ..., `none`.
    pub rung: String,
    /// What it took.
    pub account: Account,
}
