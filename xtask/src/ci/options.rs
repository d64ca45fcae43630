//! What may be said behind `cargo xtask ci`.

use belay_needs::{Need, SKIP};

use crate::Outcome;

/// How to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether what takes long runs too.
    pub long: bool,
    /// Whether to run in this very folder.
    pub here: bool,
    /// Steps and needs that are left out.
    pub skip: Vec<String>,
    /// Steps that run; none: all.
    pub only: Vec<String>,
}

impl Options {
    /// Reads the words; every step goes by one of `names`.
    pub fn read(words: &[&str], names: &[&str]) -> Outcome<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = |next: Option<&&str>| match next {
                Some(it) => known(it, names).map(|()| (*it).to_owned()),
                None => Err(format!("`{word}` wants a name")),
            };
            match *word {
                "--long" => options.long = true,
                "--here" => options.here = true,
                "--skip" => options.skip.push(value(words.next())?),
                "--only" => options.only.push(value(words.next())?),
                other => return Err(format!("unknown option `{other}`\n{USAGE}")),
            }
        }
        Ok(options)
    }

    /// Tells whether a step runs.
    pub fn runs(&self, name: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|it| it == name);
        !named(&self.skip) && (self.only.is_empty() || named(&self.only))
    }

    /// Returns the needs that are left out, as tests read them: ours, and those the environment names already.
    pub fn needs(&self) -> String {
        let mut words: Vec<String> = std::env::var(SKIP).into_iter().collect();
        let ours = self.skip.iter().filter(|it| need(it));
        words.extend(ours.cloned());
        words.join(",")
    }
}

const USAGE: &str =
    "usage: cargo xtask ci [--long] [--here] [--skip STEP-OR-NEED]... [--only STEP]...";

fn need(word: &str) -> bool {
    Need::ALL.iter().any(|it| it.word() == word)
}

fn known(word: &str, names: &[&str]) -> Outcome {
    if names.contains(&word) || need(word) {
        return Ok(());
    }
    let needs = Need::ALL.map(Need::word).join(", ");
    Err(format!(
        "`{word}` is no step and no need\nhint: steps are {}; needs are {needs}",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_names_a_step_or_a_need() {
        let read = |words: &[&str]| Options::read(words, &["format", "tests"]);
        let options = read(&["--skip", "format", "--skip", "clients"]).expect("both are known");
        assert!(!options.runs("format") && options.runs("tests"));
        assert!(options.needs().ends_with("clients"));
        assert!(read(&["--skip", "frobnicate"]).is_err());
        assert!(read(&["--skip"]).is_err());
        assert!(read(&["--skipp"]).is_err());
    }

    #[test]
    fn only_what_is_named_runs() {
        let options = Options::read(&["--only", "tests"], &["format", "tests"]).expect("known");
        assert!(options.runs("tests") && !options.runs("format"));
    }
}
