//! Operators of parameters: what `${x%y}`, `${x/y/z}`, `${x:-y}` and their kin make of a value.

use belay_shell::{Fallback, Param, ParamName, ParamOp, Replace, Tree, TrimEnd, Word};

use crate::machine::cuts::{cut, each, each_or, quoted, recased};
use crate::machine::names;
use crate::machine::names::{Trim, recased_names, trimmed};
use crate::machine::options::Tri;
use crate::machine::pairs::Behind;
use crate::machine::params::Found;
use crate::machine::patterns;
use crate::machine::patterns::New;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::variables::Setting;
use crate::machine::walk::{Walker, lossy, span};
use crate::scene::Shell;

/// A parameter where it is expanded.
#[derive(Clone, Copy)]
pub(crate) struct Expansion<'a> {
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) param: &'a Param,
}

impl Walker<'_> {
    pub(crate) fn changed(
        &mut self,
        expansion: Expansion<'_>,
        found: Found,
        state: &mut State,
    ) -> Val {
        let Expansion { tree, param } = expansion;
        self.strange_operator(param, state);
        match param.op {
            ParamOp::Fallback { .. } => self.fallback(expansion, found, state),
            ParamOp::Slice(id) => {
                let bounds = *tree.one(id);
                self.bounds(tree, bounds, state);
                let from = self.constant(tree, bounds.offset, state);
                let length = bounds.length.map(|it| self.constant(tree, it, state));
                each(&found.val, |text| cut(text, from, length))
            }
            // Of what is not set nothing comes.
            ParamOp::Transform(_) | ParamOp::Replace { .. } if found.set != Tri::Yes => {
                let val = self.altered(expansion, found.val, state);
                val.or(&Val::known(""))
            }
            ParamOp::None
            | ParamOp::Trim { .. }
            | ParamOp::Replace { .. }
            | ParamOp::Case { .. }
            | ParamOp::Transform(_)
            | ParamOp::Names(_)
            | ParamOp::Unknown(_) => self.altered(expansion, found.val, state),
        }
    }

    /// Returns a value as an operator leaves it.
    pub(crate) fn altered(&mut self, expansion: Expansion<'_>, val: Val, state: &mut State) -> Val {
        let tree = expansion.tree;
        match expansion.param.op {
            ParamOp::None | ParamOp::Fallback { .. } | ParamOp::Slice(_) => val,
            ParamOp::Trim {
                end,
                longest,
                pattern,
            } => {
                let pattern = self.pattern(tree, tree.one(pattern), state);
                let cut = |text: &str| {
                    let pattern = pattern.as_deref()?;
                    match end {
                        TrimEnd::Start => patterns::without_start(text, pattern, longest),
                        TrimEnd::End => patterns::without_end(text, pattern, longest),
                    }
                };
                each_or(&val, cut, |names| {
                    let pattern = pattern.as_deref()?;
                    let trim = Trim {
                        end,
                        longest,
                        pattern,
                    };
                    trimmed(names, trim)
                })
            }
            ParamOp::Replace { .. } => self.replaced(expansion, val, state),
            ParamOp::Case { to, all, pattern } => {
                let pattern = self.pattern(tree, tree.one(pattern), state);
                let every = pattern.is_some_and(|it| it.is_empty() || it == "?");
                let names = |it: &Val| recased_names(it, to).filter(|_| every && all);
                each_or(&val, |text| recased(text, to, all).filter(|_| every), names)
            }
            ParamOp::Transform(b'P') => {
                self.prompt(&val, state);
                Val::unknown().carrying(val.carries)
            }
            ParamOp::Transform(b'U') => each(&val, |it| recased(it, b'^', true)),
            ParamOp::Transform(b'L') => each(&val, |it| recased(it, b',', true)),
            ParamOp::Transform(b'E') => {
                each(&val, |it| (!it.contains('\\')).then(|| it.to_owned()))
            }
            ParamOp::Transform(b'Q') => each_or(&val, quoted, |it| Some(Val::any(it.carries))),
            ParamOp::Transform(_) | ParamOp::Names(_) => Val::unknown().carrying(val.carries),
            ParamOp::Unknown(word) => {
                self.word(tree, tree.one(word), state);
                Val::unknown().carrying(val.carries)
            }
        }
    }

    fn replaced(&mut self, expansion: Expansion<'_>, val: Val, state: &mut State) -> Val {
        let Expansion { tree, param } = expansion;
        let ParamOp::Replace { kind, words } = param.op else {
            return val;
        };
        let mut all = tree.many(words).iter();
        let pattern = match all.next() {
            Some(word) => self.pattern(tree, word, state),
            None => None,
        };
        let other = match all.next() {
            Some(word) => self.word(tree, word, state),
            None => Val::known(""),
        };
        let compat = state.options.compat.may() || state.variables.contains_key("BASH_COMPAT");
        let folds = state.options.nocasematch.may() || compat;
        let text = other.text().filter(|_| !folds).map(str::to_owned);
        // Newer shells put what was found in the place of `&`, where nobody told them not to.
        let found = pattern.as_deref().zip(text.as_deref());
        let found = found.filter(|(pattern, to)| to.contains('&') && is_plain(pattern, to));
        let refilled = found.map(|(pattern, to)| to.replace('&', pattern));
        let text = text.filter(|it| !it.contains('&') || refilled.is_some());
        let which = match kind {
            Replace::First => patterns::Which::First,
            Replace::All => patterns::Which::All,
            Replace::Start => patterns::Which::Start,
            Replace::End => patterns::Which::End,
        };
        let change = |before: &str| {
            let (pattern, text) = (pattern.as_deref()?, text.as_deref()?);
            patterns::replaced(before, pattern, New { to: text, which })
        };
        if let Some(to) = &refilled {
            let again = |before: &str| {
                let pattern = pattern.as_deref()?;
                patterns::replaced(before, pattern, New { to, which })
            };
            let lost = |it: &Val| Some(Val::unknown().carrying(it.carries));
            let either = each_or(&val, change, lost).or(&each_or(&val, again, lost));
            return either.carrying(other.carries);
        }
        // Where nothing is put in, a part of the shape is left; else it is no longer that shape.
        let only_cuts = text.as_deref() == Some("");
        each_or(&val, change, |names| {
            let new = pattern.as_deref().zip(text.as_deref());
            let new = new.and_then(|(pattern, to)| names::replaced(names, pattern, to));
            new.filter(|_| kind != Replace::Start)
                .or_else(|| (!only_cuts).then(|| Val::unknown().carrying(names.carries)))
        })
        .carrying(other.carries)
    }

    /// Returns a word as a pattern; `None` when it has forms we do not read.
    pub(crate) fn pattern(
        &mut self,
        tree: &Tree<'_>,
        word: &Word,
        state: &mut State,
    ) -> Option<String> {
        let mut out = String::new();
        let mut readable = true;
        for part in tree.many(word.parts) {
            let val = self.part(tree, part, state);
            let Some(text) = val.text() else {
                readable = false;
                continue;
            };
            if part.quoted {
                out.push_str(&patterns::escaped(text));
            } else {
                out.push_str(text);
            }
        }
        // What `^` means in brackets depends on who `sh` is.
        readable &= self.scene.shell != Shell::Sh || !out.contains("[^");
        readable.then_some(out)
    }

    fn fallback(&mut self, expansion: Expansion<'_>, found: Found, state: &mut State) -> Val {
        let Expansion { tree, param } = expansion;
        let ParamOp::Fallback { kind, word, colon } = param.op else {
            return found.val;
        };
        let lacks = |it: &Val| colon && it.text() == Some("");
        let choices = found.val.choices();
        let certain = !found.set.may() || choices.iter().all(&lacks);
        let needed = found.set != Tri::Yes || colon && choices.iter().any(Val::may_be_empty);
        let there: Vec<Val> = match found.set.may() {
            true => choices.into_iter().filter(|it| !lacks(it)).collect(),
            false => Vec::new(),
        };
        if kind == Fallback::Alternative {
            let other = match there.is_empty() {
                true => return Val::known(""),
                false => self.maybe_word(tree, word, state),
            };
            return if needed {
                other.or(&Val::known(""))
            } else {
                other
            };
        }
        if !needed {
            return found.val;
        }
        let other = if certain {
            self.other_word(tree, tree.one(word), state)
        } else {
            self.maybe_word(tree, word, state)
        };
        match kind {
            Fallback::Use | Fallback::Alternative => {}
            Fallback::Fail => {
                let leaving = state.clone();
                self.fail_shell(leaving);
                return if there.is_empty() {
                    Val::known("")
                } else {
                    Val::any_of(there)
                };
            }
            Fallback::Assign => {
                if let ParamName::Variable(name) = param.name {
                    let name = lossy(tree.bytes(name));
                    let before = state.clone();
                    let key = param.subscript.map(|subscript| {
                        let name = &name;
                        self.key_in(tree, Behind { name, subscript }, state)
                    });
                    let setting = Setting {
                        key,
                        ..Setting::one(name, other.clone())
                    };
                    self.assign(setting, state, span(tree.one(word).span));
                    if !certain {
                        *state = before.or(std::mem::take(state));
                    }
                }
            }
        }
        Val::any_of(there.into_iter().chain([other]))
    }
}

/// Tells whether a pattern finds nothing but itself, and neither it nor what takes its place is written with backslashes.
fn is_plain(pattern: &str, to: &str) -> bool {
    !pattern.is_empty()
        && !pattern.contains(['*', '?', '[', '\\', '(', '<', '&'])
        && !to.contains('\\')
}
