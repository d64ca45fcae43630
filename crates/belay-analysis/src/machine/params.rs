//! Parameters: what variables hold, and what is done to it.

use belay_model::{Carries, TroubleKind};
use belay_shell::{Fallback, Id, Param, ParamName, ParamOp, SubscriptKind, Tree};

use crate::machine::state::State;
use crate::machine::value::{Text, Val};
use crate::machine::walk::{Walker, lossy};

impl Walker<'_> {
    /// Returns the values of `$@` and `${array[@]}`, which become words of their own.
    pub(crate) fn many_values(
        &mut self,
        tree: &Tree<'_>,
        id: Id<Param>,
        state: &mut State,
    ) -> Option<Vec<Val>> {
        let param = tree.one(id);
        if param.length || param.indirect || !matches!(param.op, ParamOp::None) {
            return None;
        }
        match param.name {
            ParamName::Special(b'@' | b'*') => state.positional.clone(),
            ParamName::Variable(name) => {
                let subscript = tree.one(param.subscript?);
                matches!(subscript.kind, SubscriptKind::At | SubscriptKind::Star)
                    .then(|| state.arrays.get(&lossy(tree.bytes(name))).cloned())
                    .flatten()
            }
            ParamName::Positional(_) | ParamName::Special(_) | ParamName::Bad => None,
        }
    }

    /// Expands a parameter to one value.
    pub(crate) fn param(&mut self, tree: &Tree<'_>, id: Id<Param>, state: &mut State) -> Val {
        let param = tree.one(id);
        if let Some(subscript) = param.subscript {
            self.subscript(tree, subscript, state);
        }
        let val = self.plain(tree, param, state);
        if param.indirect {
            self.operands(tree, param, state);
            return self.indirect(val, state);
        }
        if param.length {
            return Val::segment();
        }
        self.changed(tree, param, val, state)
    }

    fn indirect(&mut self, name: Option<Val>, state: &mut State) -> Val {
        let named = name.as_ref().and_then(Val::text);
        match named.and_then(|it| state.variables.get(it).cloned()) {
            Some(Some(val)) => val,
            _ => {
                let carries = name.map_or(Carries::UNKNOWN, |it| it.carries);
                self.trouble(
                    TroubleKind::Unknown,
                    "a variable named by another",
                    belay_model::Span::default(),
                );
                Val::unknown().carrying(carries)
            }
        }
    }

    /// Returns what the parameter holds; `None` when it is known to be unset.
    fn plain(&mut self, tree: &Tree<'_>, param: &Param, state: &State) -> Option<Val> {
        match param.name {
            ParamName::Variable(name) => {
                let name = lossy(tree.bytes(name));
                if let Some(values) = state.arrays.get(&name) {
                    let many = param.subscript.is_some();
                    return Some(if many {
                        one_of(values)
                    } else {
                        values.first().cloned()?
                    });
                }
                let val = self.variable(&name, state);
                if val
                    .as_ref()
                    .is_some_and(|it| it.carries.holds(Carries::SECRET))
                    && !state.variables.contains_key(&name)
                {
                    self.secrets.push(Some(name));
                }
                val
            }
            ParamName::Positional(digits) => {
                let at: usize = lossy(tree.bytes(digits)).parse().ok()?;
                if at == 0 {
                    return Some(state.zero.clone().unwrap_or_else(|| Val::known("bash")));
                }
                match &state.positional {
                    Some(values) => values.get(at - 1).cloned(),
                    None => Some(Val::unknown()),
                }
            }
            ParamName::Special(b'@' | b'*') => match &state.positional {
                Some(values) => Some(joined(values)),
                None => Some(Val::unknown()),
            },
            ParamName::Special(b'!') => Some(Val::known("$!")),
            ParamName::Special(_) => Some(Val::segment()),
            ParamName::Bad => Some(Val::unknown()),
        }
    }

    /// Returns what a variable holds; `None` when it is known to be unset.
    pub(crate) fn variable(&self, name: &str, state: &State) -> Option<Val> {
        if let Some(val) = state.variables.get(name) {
            return val.clone();
        }
        let frame = self.scene.frame;
        Some(match name {
            "HOME" => Val::known(frame.home()),
            "PWD" => state.cwd.clone().map_or_else(Val::unknown, Val::known),
            "OLDPWD" => state.previous.clone().map_or_else(Val::unknown, Val::known),
            "TMPDIR" => Val::known(frame.temps.first().map_or("/tmp", String::as_str)),
            "PATH" => Val::known("$PATH"),
            "IFS" => Val::known(" \t\n"),
            "USER" | "LOGNAME" | "UID" | "EUID" | "PPID" | "RANDOM" | "SRANDOM" | "SECONDS"
            | "LINENO" | "BASHPID" | "EPOCHSECONDS" | "HOSTNAME" | "HOSTTYPE" | "OSTYPE"
            | "MACHTYPE" | "SHLVL" | "COLUMNS" | "LINES" | "OPTIND" | "BASH_VERSION"
            | "FUNCNAME" => Val::segment(),
            name => {
                let secret =
                    belay_knowledge::variable(name).is_some_and(belay_knowledge::Variable::secret);
                let label = if secret {
                    Carries::SECRET
                } else {
                    Carries::UNKNOWN
                };
                Val {
                    text: Text::Unknown {
                        empty: String::new(),
                    },
                    carries: label,
                }
            }
        })
    }

    /// Walks the operands of a parameter whose value does not depend on them.
    fn operands(&mut self, tree: &Tree<'_>, param: &Param, state: &mut State) {
        self.changed(tree, param, None, state);
    }

    fn changed(
        &mut self,
        tree: &Tree<'_>,
        param: &Param,
        val: Option<Val>,
        state: &mut State,
    ) -> Val {
        let unset = val.is_none();
        let val = val.unwrap_or_else(|| Val::known(""));
        match param.op {
            ParamOp::None => val,
            ParamOp::Fallback { kind, word, colon } => {
                let other = self.word(tree, tree.one(word), state);
                let empty = unset || colon && val.text() == Some("");
                self.fallback(tree, (param, kind), (val, other, empty), state)
            }
            ParamOp::Trim { pattern, .. } => {
                self.word(tree, tree.one(pattern), state);
                part_of(&val)
            }
            ParamOp::Replace { words, .. } => {
                let mut carries = val.carries;
                for word in tree.many(words) {
                    carries = carries.and(self.word(tree, word, state).carries);
                }
                Val::unknown().carrying(carries)
            }
            ParamOp::Case { pattern, .. } => {
                self.word(tree, tree.one(pattern), state);
                part_of(&val)
            }
            ParamOp::Slice(id) => {
                let bounds = *tree.one(id);
                self.arith(tree, bounds.offset, state);
                if let Some(length) = bounds.length {
                    self.arith(tree, length, state);
                }
                part_of(&val)
            }
            ParamOp::Transform(b'P') => {
                self.prompt(&val, state);
                Val::unknown().carrying(val.carries)
            }
            ParamOp::Transform(_) | ParamOp::Names(_) => Val::unknown().carrying(val.carries),
            ParamOp::Unknown(word) => {
                self.word(tree, tree.one(word), state);
                Val::unknown().carrying(val.carries)
            }
        }
    }

    /// `${x@P}` runs what it finds in the value.
    fn prompt(&mut self, val: &Val, state: &mut State) {
        match val.text() {
            Some(text) if !text.contains(['$', '`', '\\']) => {}
            Some(text) => {
                let text = format!(": \"{}\"", text.replace('"', "\\\""));
                let mut apart = state.clone();
                self.nested(
                    &text,
                    &mut apart,
                    &crate::machine::stream::Stream::terminal(),
                );
            }
            None => self.trouble(
                TroubleKind::Unknown,
                "a prompt whose text is not known is expanded",
                belay_model::Span::default(),
            ),
        }
    }

    fn fallback(
        &mut self,
        tree: &Tree<'_>,
        (param, kind): (&Param, Fallback),
        (val, other, empty): (Val, Val, bool),
        state: &mut State,
    ) -> Val {
        let known = val.text().is_some() || empty;
        if kind == Fallback::Assign {
            self.armed(&other, state);
        }
        match kind {
            Fallback::Use | Fallback::Fail if empty => other,
            Fallback::Assign if empty => {
                if let ParamName::Variable(name) = param.name {
                    let name = lossy(tree.bytes(name));
                    self.assigned(&name, &other, state, belay_model::Span::default());
                    state.set(&name, other.clone());
                }
                other
            }
            Fallback::Alternative if empty => Val::known(""),
            Fallback::Alternative if known => other,
            Fallback::Alternative => Val::unknown().carrying(other.carries),
            Fallback::Use | Fallback::Fail | Fallback::Assign if known => val,
            Fallback::Use | Fallback::Fail | Fallback::Assign => val.or(&other),
        }
    }
}

/// Returns a value that is some part of another: as unknown, but a name stays a name.
fn part_of(val: &Val) -> Val {
    match &val.text {
        Text::Known(text) if text.is_empty() => val.clone(),
        Text::Known(text) if !text.contains(['/', '.', ' ', '-']) => {
            Val::segment().carrying(val.carries)
        }
        Text::Glob(text) if text == "*" => val.clone(),
        Text::Known(_) | Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => {
            Val::unknown().carrying(val.carries)
        }
    }
}

fn one_of(values: &[Val]) -> Val {
    let mut all = values.iter();
    let first = all.next().cloned().unwrap_or_else(|| Val::known(""));
    all.fold(first, |sum, it| sum.or(it))
}

fn joined(values: &[Val]) -> Val {
    let mut all = values.iter();
    let first = all.next().cloned().unwrap_or_else(|| Val::known(""));
    all.fold(first, |sum, it| sum.then(&Val::known(" ")).then(it))
}
