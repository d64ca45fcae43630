//! Texts that this shell runs as code: `eval` and `source`.

use std::collections::BTreeMap;

use belay_model::{Carries, Effect, Place, Verb};

use crate::machine::builtins::after_dashes;
use crate::machine::state::{Ends, Shadowed, Shared, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val, join};
use crate::machine::variable::{Held, Variable};
use crate::machine::variables::{Setting, is_name};
use crate::machine::walk::{Returned, Walker};

/// Files of tools that people source everywhere: they add to search paths and define functions of their own.
const SET_UP: [&str; 8] = [
    "bin/activate",
    "nvm.sh",
    ".cargo/env",
    "conda.sh",
    "asdf.sh",
    "sdkman-init.sh",
    "/etc/profile",
    ".bashrc",
];

/// Tells whether a file is one whose habits are known: it sets up an environment.
fn is_set_up(path: &str) -> bool {
    SET_UP.iter().any(|it| path.ends_with(it))
}

impl Walker<'_> {
    pub(crate) fn eval_words(&mut self, rest: &[Arg], state: State) -> Ends {
        let rest = after_dashes(rest);
        let span = rest.first().map(|it| it.span).unwrap_or_default();
        let many = rest.iter().any(|it| it.many || it.is_pattern());
        let code = if many {
            Val::unknown().carrying(join(rest).carries)
        } else {
            join(rest)
        };
        let mut ends = Ends::Never;
        for choice in code.choices() {
            ends = ends.or(match choice.text() {
                Some(text) => self.in_text(text, Some(span), state.clone()),
                None => self.unread(&Arg::one(choice.clone(), span), ["text"], state.clone()),
            });
        }
        ends
    }

    /// Runs code that nobody can read.
    fn unread<const N: usize>(&mut self, arg: &Arg, names: [&str; N], mut state: State) -> Ends {
        let (code, span) = (&arg.val, arg.span);
        let fetched = fetched(code.carries);
        self.emit(
            Effect::of(Verb::Eval, names)
                .carrying(fetched)
                .spanning(span),
        );
        state.forget();
        self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
        Ends::Either(state)
    }

    pub(crate) fn source(&mut self, rest: &[Arg], mut state: State) -> Ends {
        let rest = after_dashes(rest);
        let Some((file, given)) = rest.split_first() else {
            return Ends::Bad(state);
        };
        let positional = state.positional.clone();
        if !given.is_empty() {
            state.positional = Shared::new(crate::machine::simple::given(given));
        }
        self.returns.push(Returned::default());
        let ends = self.sourced(file, state);
        let Returned { ok, bad, round } = self.returns.pop().unwrap_or_default();
        if let Some(state) = round {
            self.leave_rounds(state);
        }
        let ends = ends.or(Ends::of(ok, bad));
        if given.is_empty() {
            return ends;
        }
        ends.map(|mut state| {
            let mut older = positional.clone();
            // Outside functions what the file set itself stays.
            if state.scopes.is_empty() && state.positional != older {
                older = Shared::new(older.take().or(&state.positional));
            }
            state.positional = older;
            state
        })
    }

    fn sourced(&mut self, file: &Arg, mut state: State) -> Ends {
        if let Some(zero) = &mut state.zero {
            zero.script = false;
        }
        if let Some(number) = self.descriptor_of(&file.val) {
            let input = state.descriptors.input(number);
            let text = input
                .text
                .clone()
                .unwrap_or_else(|| Val::any(input.carries));
            // Of a pipe nothing is left to read; a file begins anew.
            state.descriptors.spoil(number);
            return self.sourced_text(&text, file, state);
        }
        let note = self.note_of(&file.val, &state);
        let carries = note
            .as_ref()
            .map_or(file.val.carries, |it| file.val.carries.and(it.carries));
        let own = file.text().is_some_and(|it| it.starts_with("/dev/fd/"));
        let fetched = fetched(carries.and(self.outside(&file.val, &state)));
        let place = match file.text() {
            Some(text) if !text.contains('/') => {
                self.place(&Val::known(format!("./{text}")), state.cwd.as_deref())
            }
            Some(text) if own => Place::Exact(text.to_owned()),
            _ => self.place(&file.val, state.cwd.as_deref()),
        };
        let name = file.text().unwrap_or_default();
        let missing = !own && !is_set_up(name) && self.is_not_there(&file.val, &state);
        if !own || fetched != Carries::NOTHING {
            self.emit(
                Effect::on(Verb::Run, place)
                    .carrying(fetched)
                    .spanning(file.span),
            );
        }
        let path = file.text().unwrap_or_default().to_owned();
        let again = self.calls.iter().filter(|it| **it == path).count() > 2;
        match self.text_in(&file.val, &state) {
            Some(text) if !again => {
                // Where it may be another text, what that one does is not known, and this one counts all the same.
                let perhaps = file.many || note.as_ref().is_some_and(|it| it.perhaps);
                let otherwise = perhaps.then(|| state.clone());
                let installed = is_set_up(&path) && self.is_as_installed(&file.val, &text, &state);
                let before = self.out.effects.len();
                self.calls.push(path);
                let ends = self.in_text(&text, Some(file.span), state);
                self.calls.pop();
                if installed {
                    self.forgive_activation(before);
                }
                let ends = self.settings_from(&text, file, ends);
                match otherwise {
                    Some(state) => ends.or(self.set_up("", state)),
                    None => ends,
                }
            }
            _ if own => self.unread(&Arg::one(Val::any(carries), file.span), ["input"], state),
            _ if note.is_some() => {
                if note.is_some_and(|it| it.copied && it.text.is_none()) {
                    self.emit(Effect::of(Verb::Eval, ["text"]).spanning(file.span));
                }
                self.set_up("", state)
            }
            _ => {
                if missing {
                    // Whoever makes it before it is read, nobody has read it.
                    let effect = Effect::of(Verb::Unknown, ["script", &path]);
                    self.emit(effect.spanning(file.span));
                }
                self.set_up(&path, state)
            }
        }
    }

    /// What a file of secrets sets came out of that file, and leaves with the address that it stands in.
    fn settings_from(&mut self, text: &str, file: &Arg, ends: Ends) -> Ends {
        let frame = self.scene.frame;
        let secret = |path: String| belay_places::is_secret(&belay_places::Path::new(&path), frame);
        let name = |line: &str| {
            let line = line.trim_start();
            let line = line.strip_prefix("export ").unwrap_or(line);
            let (name, _) = line.split_once('=')?;
            is_name(name).then(|| name.to_owned())
        };
        ends.map(|mut state| {
            let path = file.text().and_then(|it| self.absolute(it, &state));
            if path.is_some_and(secret) {
                for name in text.lines().filter_map(name) {
                    let value = self.variable(&name, &state).unwrap_or_else(Val::unknown);
                    let setting = Setting::one(name, value.carrying(Carries::CONTENT));
                    self.assign(setting, &mut state, file.span);
                }
            }
            state
        })
    }

    fn sourced_text(&mut self, text: &Val, file: &Arg, state: State) -> Ends {
        let mut ends = Ends::Never;
        for choice in text.choices() {
            ends = ends.or(match choice.text() {
                Some(text) => self.in_text(text, Some(file.span), state.clone()),
                None => self.unread(
                    &Arg::one(choice.clone(), file.span),
                    ["input"],
                    state.clone(),
                ),
            });
        }
        ends
    }

    /// A file that cannot be read is sourced: it may change anything, unless it is one whose habits are known.
    fn set_up(&mut self, path: &str, mut state: State) -> Ends {
        if is_set_up(path) {
            return Ends::Either(state);
        }
        state.forget();
        self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
        Ends::Either(state)
    }

    fn descriptor_of(&self, file: &Val) -> Option<u32> {
        match file.text()? {
            "/dev/stdin" | "-" => Some(0),
            other => {
                let number = other.strip_prefix("/dev/fd/")?.parse::<u32>().ok()?;
                (number < 1000).then_some(number)
            }
        }
    }
}

/// Shows a child what a function hid behind a variable that it may not have set.
fn bare(variables: &mut BTreeMap<String, Variable>, name: &str, shadowed: &Shadowed) {
    use crate::machine::options::Tri;
    let own = variables.get(name);
    if own.is_some_and(|it| it.set == Tri::Yes) {
        return;
    }
    let hidden = match &shadowed.before {
        Some(it) => it.held.first(),
        None => Val::unknown(),
    };
    let held = own.map_or_else(|| hidden.clone(), |it| it.held.first().or(&hidden));
    let variable = Variable {
        set: Tri::Perhaps,
        ..Variable::of(Held::One(held))
    };
    variables.insert(name.to_owned(), variable);
}

/// Keeps the labels of what came from outside.
fn fetched(carries: Carries) -> Carries {
    carries.only(Carries::OUTSIDE)
}

impl State {
    /// Says that a program stands between this shell and what it starts, and may keep variables from it.
    pub(crate) fn behind_program(&mut self) {
        use crate::machine::options::Tri;
        if self.variables.values().any(|it| it.ways.exported.must()) {
            for variable in self.variables.values_mut() {
                variable.ways.exported = variable.ways.exported.or(Tri::No);
            }
        }
    }

    /// Turns this into the state of a shell that starts as a process: only what is exported reaches it.
    pub(crate) fn become_process(&mut self) {
        use crate::machine::options::{Options, Tri};
        for function in std::mem::take(&mut self.functions).take() {
            if function.1.exported {
                let mut own = function.1;
                own.perhaps = true;
                own.readonly = false;
                self.functions.insert(function.0, own);
            }
        }
        let mut variables = std::mem::take(&mut self.variables).take();
        for (name, shadowed) in self.scopes.iter().flatten() {
            bare(&mut variables, name, shadowed);
        }
        variables.remove("IFS");
        variables.retain(|_, it| it.ways.exported.may());
        for variable in variables.values_mut() {
            // No child gets an array.
            if !variable.ways.exported.must() || !matches!(variable.held, Held::One(_)) {
                let unset = Held::One(Val::known(""));
                variable.held = Held::One(variable.held.first()).or(&unset);
                variable.set = Tri::Perhaps;
            }
            variable.ways.readonly = Tri::No;
            variable.ways.integer = Tri::No;
            variable.ways.reference = Tri::No;
        }
        self.variables = Shared::new(variables);
        self.learned = Shared::default();
        self.previous = None;
        self.zero = None;
        self.scopes = Shared::default();
        self.traps = Shared::default();
        self.options = Options::default();
        self.stack = Shared::new(Some(Vec::new()));
        self.haunted = false;
        self.stirred = Shared::default();
        self.has_job = Tri::No;
        self.clouded = false;
    }
}
