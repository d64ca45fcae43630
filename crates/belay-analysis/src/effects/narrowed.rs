//! What filters leave of the environment: names and counts, or variables that hold no secret.

use belay_knowledge::{Act, Output, Print, Reading, Source, What};
use belay_languages::Language;
use belay_model::{How, Verb};

use crate::effects::outputs::Around;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

/// A name of so many letters is no word that stands in values.
const LONG: usize = 6;

/// Tells whether an act reads the environment.
fn reads_variables(act: &Act<'_>) -> bool {
    let What::Effect { verb, target, .. } = &act.what else {
        return false;
    };
    let first = target.first().and_then(|it| it.fixed());
    *verb == Verb::Read && first == Some("environment")
}

/// Tells whether an act shows what a container was given.
fn describes_container(act: &Act<'_>) -> bool {
    let What::Effect {
        verb, target, how, ..
    } = &act.what
    else {
        return false;
    };
    let first = target.first().and_then(|it| it.fixed());
    *verb == Verb::Read && *how == How::Secret && first == Some("container")
}

impl Walker<'_> {
    /// Notes what a program does to the lines that come in.
    pub(crate) fn note_filter(&mut self, reading: &Reading<'_>, around: &Around<'_>) {
        let said = around.args.iter().all(|it| it.text().is_some());
        let name = reading.path.first().copied().unwrap_or_default();
        let lists = said
            && reading.acts.iter().any(reads_variables)
            && self.scene.knowledge.lists("prints-variables", name)
            || said && reading.acts.iter().any(describes_container);
        let picks = said
            && reading
                .acts
                .iter()
                .any(|it| self.picks_fields(it, around.args));
        let filters = said && reading.reads_input && reading.acts.is_empty();
        let counts = matches!(reading.output, Output::Facts | Output::Nothing);
        let lines = matches!(reading.output, Output::Lines | Output::Line);
        let hides = picks || filters && (counts || self.hides_values(reading, around.args));
        let counted = &mut self.fuel.filters;
        counted.ran += 1;
        counted.listed += usize::from(lists);
        counted.passed += usize::from(filters && lines);
        counted.hid += usize::from(hides);
    }

    /// Tells whether a program takes fields by their paths, none of which leads to variables: `.[0].State.Status`.
    fn picks_fields(&self, act: &Act<'_>, args: &[Arg]) -> bool {
        let What::Eval {
            language,
            source: Source::Text(piece),
        } = &act.what
        else {
            return false;
        };
        let code = self.piece(*piece, args);
        let takes = Language::from_word(language) == Some(Language::Jq);
        let Some(code) = code.text().filter(|_| takes) else {
            return false;
        };
        let holds = |name: &str| self.scene.knowledge.lists("holds-variables", name);
        let steps: Vec<&str> = code.split('|').map(str::trim).collect();
        let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '[' | ']' | '_');
        let paths = steps
            .iter()
            .all(|it| it.starts_with('.') && it.chars().all(plain));
        let mut names = steps.iter().flat_map(|it| it.split(['.', '[', ']']));
        let is_name = |it: &&str| it.starts_with(|it: char| it.is_ascii_alphabetic());
        let last = names.rfind(is_name);
        paths && last.is_some_and(|it| !holds(it))
    }

    /// Tells whether a filter lets only names of variables through, or variables that hold no secret.
    fn hides_values(&self, reading: &Reading<'_>, args: &[Arg]) -> bool {
        let Some(prints) = &reading.prints else {
            return false;
        };
        let vals = |pieces: &[belay_knowledge::Piece<'_>]| -> Vec<Val> {
            pieces.iter().map(|it| self.piece(*it, args)).collect()
        };
        let (of, with) = (vals(&prints.of), vals(&prints.with));
        match (prints.form, of.as_slice(), with.as_slice()) {
            (Print::FirstFields, [list], [separator]) => {
                list.text() == Some("1") && separator.text() == Some("=")
            }
            (Print::Matching, [pattern], _) => pattern
                .text()
                .is_some_and(|it| self.is_plain(it) || self.is_plain_in_any_case(it)),
            _ => false,
        }
    }

    /// Tells whether lines that match a pattern are those of variables that hold no secret: `^PATH=`, `^(A|B)=`, or the
    /// name of one that is known, which no other is likely to have in it.
    fn is_plain(&self, pattern: &str) -> bool {
        let (bare, ends) = match pattern.strip_suffix('=') {
            Some(bare) => (bare, true),
            None => (pattern, false),
        };
        let (bare, begins) = match bare.strip_prefix('^') {
            Some(bare) => (bare, true),
            None => (bare, false),
        };
        let group = bare.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        // Outside a group, what stands before and behind belongs to the first and the last name alone.
        let names: Vec<&str> = match group {
            Some(group) => group.split('|').collect(),
            None => vec![bare],
        };
        let knowledge = self.scene.knowledge;
        let is_name = |it: &str| {
            !it.is_empty()
                && it
                    .bytes()
                    .all(|it| it.is_ascii_alphanumeric() || it == b'_')
        };
        names.into_iter().all(|it| {
            let secret = knowledge.variable(it).is_some_and(|it| it.secret());
            let whole = begins && ends && !secret && !belay_secrets::is_secret_name(it);
            is_name(it) && (whole || knowledge.lists("plain-variables", it))
        })
    }

    /// Tells whether a pattern is a plain variable's name in small letters. Short ones are words that values hold too
    /// (`postgres://user:...`, `search_path`).
    fn is_plain_in_any_case(&self, pattern: &str) -> bool {
        let upper = pattern.to_ascii_uppercase();
        upper.len() >= LONG && self.scene.knowledge.lists("plain-variables", &upper)
    }
}
