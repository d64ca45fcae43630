//! What setting a variable does.

use belay_model::{Span, TroubleKind};
use belay_shell::{Assigned, Assignment, Many, Tree};

use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::{Walker, lossy, span};

impl Walker<'_> {
    /// Evaluates assignments and returns their names and values; nothing is set yet.
    pub(crate) fn assignments(
        &mut self,
        tree: &Tree<'_>,
        many: Many<Assignment>,
        state: &mut State,
    ) -> Vec<(String, Vec<Val>, bool)> {
        let mut out = Vec::with_capacity(many.len());
        for assignment in tree.many(many) {
            let name = lossy(tree.bytes(assignment.name));
            if let Some(subscript) = assignment.subscript {
                self.subscript(tree, subscript, state);
            }
            let element = assignment.subscript.is_some();
            let (values, array) = match assignment.value {
                Assigned::Word(word) => {
                    let val = self.word(tree, tree.one(word), state);
                    // What is appended to a number is evaluated on its own.
                    self.armed(&val, state);
                    (vec![self.appended(&name, val, assignment, state)], false)
                }
                Assigned::Array(elements) => {
                    let mut values = Vec::new();
                    for element in tree.many(elements) {
                        if let Some(subscript) = element.subscript {
                            self.subscript(tree, subscript, state);
                        }
                        let mut args = Vec::new();
                        self.expand(tree, tree.one(element.value), state, &mut args);
                        values.extend(args.into_iter().map(|it| it.val));
                    }
                    (values, true)
                }
            };
            for val in &values {
                self.assigned(&name, val, state, span(assignment.span));
            }
            if element {
                out.push((name, vec![Val::unknown()], true));
            } else {
                out.push((name, values, array));
            }
        }
        out
    }

    fn appended(&self, name: &str, val: Val, assignment: &Assignment, state: &State) -> Val {
        if !assignment.append {
            return val;
        }
        self.variable(name, state)
            .unwrap_or_else(|| Val::known(""))
            .then(&val)
    }

    /// Says what setting a variable does to later programs.
    pub(crate) fn assigned(&mut self, name: &str, val: &Val, state: &mut State, at: Span) {
        self.armed(val, state);
        if let Text::Known(text) = &val.text
            && matches!(name, "PS4" | "PROMPT_COMMAND" | "PS1" | "PS0")
            && text.contains(['$', '`'])
        {
            let text = text.clone();
            let mut apart = state.clone();
            self.nested_at(
                &text,
                at,
                &mut apart,
                &crate::machine::stream::Stream::terminal(),
            );
        }
        let Some(variable) = belay_knowledge::variable(name) else {
            return;
        };
        if variable.harmless(val.word()) || name == "PATH" && self.known_programs(val) {
            return;
        }
        let args = [Arg::known(name, at), Arg::one(val.clone(), at)];
        for act in variable.acts() {
            self.act(
                &act,
                &args,
                state,
                &mut crate::effects::acts::Flows::default(),
            );
        }
    }

    /// Tells whether a search path adds only folders that the agent may not write to, or that hold the
    /// project's own tools.
    fn known_programs(&self, val: &Val) -> bool {
        let frame = self.scene.frame;
        let known = |folder: &str| {
            if folder == "$PATH"
                || folder.ends_with("node_modules/.bin")
                || folder.ends_with("venv/bin")
            {
                return true;
            }
            let scope = belay_places::scope_of(&belay_places::Path::new(folder), frame);
            folder.starts_with('/')
                && matches!(
                    scope,
                    belay_model::Scope::System | belay_model::Scope::Startup
                )
        };
        val.text().is_some_and(|it| it.split(':').all(known))
    }

    /// Sets what [`Self::assignments`] returned.
    pub(crate) fn set(&mut self, assigned: Vec<(String, Vec<Val>, bool)>, state: &mut State) {
        for (name, values, array) in assigned {
            if array {
                state.variables.remove(&name);
                state.arrays.insert(name, values);
            } else if let Some(val) = values.into_iter().next() {
                state.set(&name, val);
            }
        }
    }

    /// Sets a variable from a text such as `NAME=value`, as `export`, `env` and `sudo` take it.
    pub(crate) fn assign_text(&mut self, arg: &Arg, state: &mut State) -> bool {
        let (name, val) = match &arg.val.text {
            Text::Known(text) | Text::Prefix { known: text, .. } | Text::Glob(text) => {
                match text.split_once('=') {
                    Some((name, _)) => (name.to_owned(), arg.val.from(name.len() + 1)),
                    None => return false,
                }
            }
            Text::Unknown { .. } => return false,
        };
        let name = name.strip_suffix('+').unwrap_or(&name).to_owned();
        if name.contains('[') {
            self.named(&Val::known(name.clone()), state, arg.span);
        } else if !is_name(&name) {
            return false;
        }
        let val = match val.text {
            Text::Glob(text) => Val {
                text: Text::Known(text),
                carries: val.carries,
            },
            _ => val,
        };
        self.assigned(&name, &val, state, arg.span);
        state.set(&name, val);
        true
    }

    /// Forgets a variable that something else sets.
    pub(crate) fn forget(&mut self, arg: &Arg, val: Val, state: &mut State) {
        match arg.text() {
            Some(name) if is_name(name) => {
                let name = name.to_owned();
                self.assigned(&name, &val, state, arg.span);
                state.set(&name, val);
            }
            Some(_) => self.named(&arg.val, state, arg.span),
            None => self.trouble(
                TroubleKind::Unknown,
                "a variable whose name is not known is set",
                arg.span,
            ),
        }
    }
}

pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
