//! Parameters: what variables hold, and what is done to it.

use belay_model::Carries;
use belay_shell::{Fallback, Id, Param, ParamName, ParamOp, SubscriptKind, Tree, Word};

use crate::machine::cuts::Slice;
use crate::machine::cuts::{cut, each, found_element, keys, sliced, unsplit, with_zero};
use crate::machine::fields::Bit;
use crate::machine::operators::Expansion;
use crate::machine::options::Tri;
use crate::machine::pairs::Behind;
use crate::machine::processes::Processes;
use crate::machine::state::State;
use crate::machine::value::{PLAIN, Val};
use crate::machine::variable::{Held, Variable};
use crate::machine::variables::Setting;
use crate::machine::walk::{Walker, lossy};
use crate::scene::Shell;

/// A parameter's value, and whether it is set.
pub(crate) struct Found {
    pub(crate) val: Val,
    pub(crate) set: Tri,
}

/// A parameter, and whether it stands in quotes.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) id: Id<Param>,
    pub(crate) quoted: bool,
}

impl Walker<'_> {
    /// Returns the words that `$@`, `$*` and `${array[@]}` become.
    pub(crate) fn many_values(
        &mut self,
        tree: &Tree<'_>,
        asked: Asked,
        state: &mut State,
    ) -> Option<Bit> {
        let Asked { id, quoted } = asked;
        let param = tree.one(id);
        if param.length {
            return None;
        }
        self.set_always(tree, param, state);
        let (held, star) = self.list_of(tree, param, state)?;
        if quoted && star {
            return Some(Bit::fixed(self.altered_join(
                Expansion { tree, param },
                held,
                state,
            )));
        }
        let held = self.altered_list(Expansion { tree, param }, held, state);
        let (vals, any) = match held {
            Held::One(val) => (vec![val], false),
            Held::List(vals) => (vals, false),
            Held::Any(it) if it.row.is_empty() => (vec![it.values], true),
            Held::Any(it) => (it.row, false),
        };
        if self.scene.shell == Shell::Zsh && !quoted {
            return Some(unsplit(vals, any));
        }
        Some(Bit {
            vals,
            any,
            splits: !quoted,
        })
    }

    /// Returns what an array gives that is used by its name alone, where that means all of it.
    fn whole_array(&mut self, name: &str, state: &State) -> Option<(Held, bool)> {
        if self.scene.shell != Shell::Zsh {
            return None;
        }
        let variable = self.read_variable(name, state);
        let is_array = !matches!(variable.held, Held::One(_)) && variable.set.may();
        is_array.then_some((variable.held, true))
    }

    /// Returns what a list parameter holds, and whether it is the kind that becomes one word in quotes.
    pub(crate) fn list_of(
        &mut self,
        tree: &Tree<'_>,
        param: &Param,
        state: &State,
    ) -> Option<(Held, bool)> {
        match param.name {
            ParamName::Special(b'@') => Some(((*state.positional).clone(), false)),
            ParamName::Special(b'*') => Some(((*state.positional).clone(), true)),
            ParamName::Variable(name) => {
                let Some(subscript) = param.subscript else {
                    return self.whole_array(&lossy(tree.bytes(name)), state);
                };
                let star = match tree.one(subscript).kind {
                    SubscriptKind::At => false,
                    SubscriptKind::Star => true,
                    SubscriptKind::Index(_) => return None,
                };
                let variable = self.read_variable(&lossy(tree.bytes(name)), state);
                let held = match variable.held {
                    Held::One(_) if !variable.set.may() => Held::List(Vec::new()),
                    held @ Held::One(_)
                        if matches!(param.op, ParamOp::Slice(_)) && !param.indirect =>
                    {
                        held
                    }
                    Held::One(val) if variable.set.must() => Held::List(vec![val]),
                    Held::One(val) => Held::any(val),
                    held @ (Held::List(_) | Held::Any(_)) => held,
                };
                let held = if param.indirect { keys(&held) } else { held };
                Some((held, star))
            }
            ParamName::Positional(_) | ParamName::Special(_) | ParamName::Bad => None,
        }
    }

    /// Reads a variable through references.
    pub(crate) fn read_variable(&mut self, name: &str, state: &State) -> Variable {
        let mut name = name.to_owned();
        for _ in 0..8 {
            let variable = self.lookup(&name, state);
            if !variable.ways.reference.may() {
                let secret = variable.held.carries().holds(Carries::SECRET);
                if secret && !state.variables.contains_key(&name) {
                    self.secrets.push(Some(name));
                }
                return variable;
            }
            match variable.held.first().text() {
                Some(target)
                    if variable.ways.reference.must()
                        && crate::machine::variables::is_name(target) =>
                {
                    name = target.to_owned();
                }
                _ => break,
            }
        }
        Variable {
            set: Tri::Perhaps,
            ..Variable::of(Held::anything())
        }
    }

    /// Joins a list to one word, with the first letter of IFS between.
    fn joined(&self, held: &Held, state: &State) -> Val {
        let ifs = self.lookup("IFS", state);
        let between = match (ifs.set, ifs.held.first().text()) {
            (Tri::No, _) => Val::known(" "),
            (Tri::Yes, Some(text)) if text.is_ascii() => {
                Val::known(text.chars().take(1).collect::<String>())
            }
            _ => Val::unknown(),
        };
        joined_by(held, &between)
    }

    /// Returns a list as one word: changed, then joined; zsh may join first.
    fn altered_join(&mut self, expansion: Expansion<'_>, held: Held, state: &mut State) -> Val {
        let Expansion { tree, param } = expansion;
        let first = match self.scene.shell {
            Shell::Zsh if !matches!(param.op, ParamOp::None) => {
                let whole = Held::One(self.joined(&held, state));
                Some(self.altered_list(Expansion { tree, param }, whole, state))
            }
            Shell::Bash | Shell::Sh | Shell::Zsh => None,
        };
        let held = self.altered_list(Expansion { tree, param }, held, state);
        let val = self.joined(&held, state);
        match first {
            Some(first) => val.or(&self.joined(&first, state)),
            None => val,
        }
    }

    fn altered_list(&mut self, expansion: Expansion<'_>, held: Held, state: &mut State) -> Held {
        let Expansion { tree, param } = expansion;
        self.strange_operator(param, state);
        match param.op {
            ParamOp::None => held,
            ParamOp::Slice(id) => {
                let bounds = *tree.one(id);
                self.bounds(tree, bounds, state);
                let positional = matches!(param.name, ParamName::Special(_));
                let from = self.constant(tree, bounds.offset, state);
                let length = bounds.length.map(|it| self.constant(tree, it, state));
                // Of what is no array its letters are meant.
                match held {
                    Held::One(val) if !positional => {
                        Held::any(each(&val, |text| cut(text, from, length)))
                    }
                    held @ Held::Any(_) if positional && from.is_some_and(|it| it > 0) => {
                        sliced(held, Slice { from, length })
                    }
                    held @ (Held::One(_) | Held::List(_) | Held::Any(_)) => {
                        let held = match positional {
                            true => with_zero(held, self.zero(state)),
                            false => held,
                        };
                        sliced(held, Slice { from, length })
                    }
                }
            }
            ParamOp::Fallback { kind, word, .. } => {
                let other = self.maybe_word(tree, word, state);
                match (&held, kind) {
                    (Held::List(vals), Fallback::Use | Fallback::Fail | Fallback::Assign)
                        if vals.iter().any(|it| !it.may_be_empty()) =>
                    {
                        held
                    }
                    _ => Held::any(held.elements().values.or(&other)),
                }
            }
            ParamOp::Trim { .. }
            | ParamOp::Replace { .. }
            | ParamOp::Case { .. }
            | ParamOp::Transform(_)
            | ParamOp::Names(_)
            | ParamOp::Unknown(_) => match held {
                Held::One(val) => Held::One(self.altered(expansion, val, state)),
                Held::List(vals) => Held::List(
                    vals.into_iter()
                        .map(|it| self.altered(expansion, it, state))
                        .collect(),
                ),
                Held::Any(it) => Held::any(self.altered(expansion, it.values, state)),
            },
        }
    }

    /// Walks what stands in the brackets of a parameter.
    fn walk_subscript(&mut self, tree: &Tree<'_>, param: &Param, state: &mut State) {
        let Some(subscript) = param.subscript else {
            return;
        };
        match param.name {
            ParamName::Variable(name) if self.has_keys(&lossy(tree.bytes(name)), state) => {
                self.walk_key(tree, subscript, state);
            }
            ParamName::Variable(_)
            | ParamName::Positional(_)
            | ParamName::Special(_)
            | ParamName::Bad => {
                let before = param.length.then(|| state.clone());
                self.subscript(tree, subscript, state);
                // Of what is not set nothing is counted.
                if let Some(before) = before {
                    *state = before.or(std::mem::take(state));
                }
            }
        }
    }

    /// Expands a parameter to one value.
    pub(crate) fn param(&mut self, tree: &Tree<'_>, id: Id<Param>, state: &mut State) -> Val {
        let param = tree.one(id);
        self.walk_subscript(tree, param, state);
        // Whoever counts what is not set gives up the line under `set -u`.
        self.may_abort |= param.length && state.options.nounset.may();
        self.set_always(tree, param, state);
        if let Some((held, star)) = self.list_of(tree, param, state) {
            if param.length {
                return self.count_of(&held);
            }
            if star || self.scene.shell != Shell::Bash {
                return self.altered_join(Expansion { tree, param }, held, state);
            }
            // Where one word is meant, bash puts blanks between the words of `@`, whatever IFS is.
            let words = self.altered_list(Expansion { tree, param }, held, state);
            return self
                .joined(&words, state)
                .or(&joined_by(&words, &Val::known(" ")));
        }
        if matches!(param.op, ParamOp::Names(_)) {
            return Val::unknown();
        }
        let found = self.plain(tree, param, state);
        let found = if param.indirect {
            let named = self.stood_for(tree, param, state);
            let mut found = self.indirect(found, state);
            if let Some(name) = named {
                found.val = found.val.or(&name);
            }
            found
        } else {
            found
        };
        if param.length {
            return found.length();
        }
        self.changed(Expansion { tree, param }, found, state)
    }

    /// In zsh `${x::=word}` sets a variable, whatever it held.
    fn set_always(&mut self, tree: &Tree<'_>, param: &Param, state: &mut State) {
        let (ParamName::Variable(name), ParamOp::Slice(bounds)) = (param.name, param.op) else {
            return;
        };
        // It is read as a part that begins nowhere.
        let nowhere = tree.many(tree.one(bounds).offset).is_empty();
        if self.scene.shell == Shell::Zsh && nowhere {
            let setting = Setting::one(lossy(tree.bytes(name)), Val::unknown());
            self.assign(setting, state, belay_model::Span::default());
        }
    }

    /// Returns what the parameter holds.
    fn plain(&mut self, tree: &Tree<'_>, param: &Param, state: &State) -> Found {
        let always = |val: Val| Found { val, set: Tri::Yes };
        match param.name {
            ParamName::Variable(name) => {
                let variable = self.read_variable(&lossy(tree.bytes(name)), state);
                let Some(subscript) = param.subscript else {
                    // Of an array the first element counts.
                    let set = match &variable.held {
                        Held::One(_) => variable.set,
                        Held::List(vals) if vals.is_empty() => Tri::No,
                        Held::List(_) => variable.set,
                        Held::Any(_) => variable.set.or(Tri::No),
                    };
                    return Found {
                        val: variable.held.first(),
                        set,
                    };
                };
                let name = &lossy(tree.bytes(name));
                let key = self.key_in(tree, Behind { name, subscript }, state);
                found_element(&variable, &key)
            }
            ParamName::Positional(digits) => {
                let Ok(at) = lossy(tree.bytes(digits)).parse::<usize>() else {
                    return always(Val::unknown());
                };
                if at == 0 {
                    return always(self.zero(state));
                }
                match &*state.positional {
                    Held::List(vals) => match vals.get(at - 1) {
                        Some(val) => always(val.clone()),
                        None => Found {
                            val: Val::known(""),
                            set: Tri::No,
                        },
                    },
                    Held::One(val) => always(val.clone()),
                    Held::Any(it)
                        if let Some([val, ..]) = it.from(at - 1)
                            && val.is_one_word() =>
                    {
                        always(val.clone())
                    }
                    Held::Any(it) => Found {
                        val: it.values.or(&Val::known("")),
                        set: Tri::Perhaps,
                    },
                }
            }
            ParamName::Special(b'!') => {
                let job = Val::number_of(Processes::last_job());
                // Without one, zsh says zero.
                let none = match self.scene.shell {
                    Shell::Zsh => Val::known("0"),
                    Shell::Bash | Shell::Sh => Val::known(""),
                };
                always(match state.has_job {
                    Tri::Yes => job,
                    Tri::No | Tri::Perhaps => job.or(&none),
                })
            }
            ParamName::Special(b'-') => {
                let letters = Val::glob("[[:alpha:]]*");
                always(match self.scene.shell {
                    Shell::Bash => letters,
                    Shell::Sh => letters.or(&Val::known("")),
                    Shell::Zsh => Val::glob(PLAIN),
                })
            }
            ParamName::Special(b'#') => always(self.count_of(&state.positional)),
            ParamName::Special(_) => always(Val::digits()),
            ParamName::Bad => always(Val::unknown()),
        }
    }

    /// Expands the other word of a parameter. In an assignment a tilde behind a colon in it is expanded, elsewhere it is
    /// not.
    pub(crate) fn other_word(&mut self, tree: &Tree<'_>, word: &Word, state: &mut State) -> Val {
        let val = self.word(tree, word, state);
        let tilde = tree.source(word.span).windows(2).any(|it| it == b":~");
        if tilde { Val::unknown() } else { val }
    }

    /// Expands a word that may not be needed: what it changes may not have happened.
    pub(crate) fn maybe_word(&mut self, tree: &Tree<'_>, word: Id<Word>, state: &mut State) -> Val {
        let word = tree.one(word);
        if let belay_shell::Value::Static(_) = tree.value(word) {
            return self.other_word(tree, word, state);
        }
        let before = state.clone();
        let val = self.other_word(tree, word, state);
        *state = before.or(std::mem::take(state));
        val
    }
}

/// Joins a list to one word, with something between.
fn joined_by(held: &Held, between: &Val) -> Val {
    match held {
        Held::One(val) => val.clone(),
        Held::List(vals) => {
            let mut all = vals.iter();
            let first = all.next().cloned().unwrap_or_else(|| Val::known(""));
            all.fold(first, |sum, it| sum.then(between).then(it))
        }
        Held::Any(it) => Val::unknown().carrying(it.values.carries),
    }
}
