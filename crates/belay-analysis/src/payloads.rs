//! Payloads: words that are a command of their own.

use belay_knowledge::Operands;
use belay_model::At;

use crate::acts::Flows;
use crate::state::State;
use crate::stream::Stream;
use crate::value::{Arg, Val};
use crate::walk::Walker;

impl Walker<'_> {
    pub(crate) fn payload(
        &mut self,
        (from, to): (usize, usize),
        (operands, assignments): (&Operands<'_>, &[usize]),
        args: &[Arg],
        (state, flows): (&mut State, &mut Flows<'_>),
    ) {
        let mut words: Vec<Arg> = args.get(from..to).unwrap_or_default().to_vec();
        let span = words.first().map(|it| it.span).unwrap_or_default();
        let mut child = state.clone();
        child.functions.clear();
        if self.at != At::Here {
            child.cwd = None;
        }
        for at in assignments {
            if let Some(arg) = args.get(*at) {
                self.assign_text(arg, &mut child);
            }
        }
        let mut input = flows.input.clone();
        match operands {
            Operands::None => {}
            Operands::Input => {
                words.extend(fed(flows.input).into_iter().map(|val| Arg::many(val, span)));
                input = Stream::nothing();
            }
            Operands::Replacing(piece) => {
                let text = self.piece(*piece, args);
                let vals = fed(flows.input);
                replace(&mut words, text.text().unwrap_or("{}"), &one(vals));
                input = Stream::nothing();
            }
            Operands::Found(pieces) => {
                let paths: Vec<Val> = pieces.iter().map(|it| self.piece(*it, args)).collect();
                let found = self.found(&flows.path, &paths, args);
                let rounds: Vec<Val> = if found.is_empty() {
                    vec![Val::unknown()]
                } else {
                    found
                };
                for val in &rounds {
                    let mut round = words.clone();
                    replace(&mut round, "{}", val);
                    self.command(round, &mut child, &input);
                }
                state.files = child.files;
                return;
            }
        }
        let output = match words.as_slice() {
            [flag, code, ..]
                if matches!(flag.text(), Some("-c" | "--command")) && code.text().is_some() =>
            {
                let text = code.text().unwrap_or_default().to_owned();
                self.nested_at(&text, code.span, &mut child, &input)
            }
            _ => self.command(words, &mut child, &input),
        };
        state.files = child.files;
        flows.output = Some(output);
    }
}

/// Returns the operands that come from a stream.
fn fed(input: &Stream) -> Vec<Val> {
    if let Some(text) = input.text.as_ref().and_then(Val::text) {
        let carries = input.carries;
        return text
            .split_whitespace()
            .map(|it| Val::known(it).carrying(carries))
            .collect();
    }
    if !input.paths.is_empty() {
        return input.paths.clone();
    }
    vec![Val::unknown().carrying(input.carries)]
}

fn one(vals: Vec<Val>) -> Val {
    let mut all = vals.into_iter();
    let first = all.next().unwrap_or_else(|| Val::known(""));
    all.fold(first, |sum, it| sum.or(&it))
}

/// Puts a value wherever a text stands in words.
fn replace(words: &mut [Arg], text: &str, val: &Val) {
    for word in words {
        let Some(known) = word.text() else { continue };
        if text.is_empty() || !known.contains(text) {
            continue;
        }
        let mut pieces = known.split(text);
        let first = Val::known(pieces.next().unwrap_or_default());
        word.val = pieces.fold(first, |sum, piece| sum.then(val).then(&Val::known(piece)));
    }
}

/// Joins words with blanks, as `ssh` and `eval` do.
pub(crate) fn join(args: &[Arg]) -> Val {
    let mut all = args.iter().map(|it| &it.val);
    let first = all.next().cloned().unwrap_or_else(|| Val::known(""));
    all.fold(first, |sum, it| sum.then(&Val::known(" ")).then(it))
}
