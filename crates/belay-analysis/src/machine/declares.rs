//! `declare`, `export`, `local`, `readonly`: attributes, and values along with them.

use belay_model::{Carries, TroubleKind};

use crate::machine::options::Tri;
use crate::machine::state::{Shared, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::variable::{Held, Variable};
use crate::machine::walk::Walker;
use crate::scene::Shell;

/// What the flags of a declaration say.
#[derive(Default)]
struct Declared {
    /// Attributes given and taken, by letter.
    letters: Vec<(char, Tri)>,
    functions: bool,
    global: bool,
    arrays: bool,
    /// Whether what becomes local keeps its value.
    inherits: bool,
    /// Arrays that stand in its words.
    elements: Vec<(belay_model::Span, Held)>,
}

/// A builtin that declares, and how.
#[derive(Clone, Copy)]
struct Declaring<'a> {
    by: &'a str,
    declared: &'a Declared,
}

impl Walker<'_> {
    pub(crate) fn declares(&mut self, name: &str, rest: &[Arg], state: &mut State) {
        if name == "local" && state.scopes.is_empty() && self.scene.shell == Shell::Bash {
            // Outside a function it fails.
            return;
        }
        let mut declared = Declared {
            elements: std::mem::take(&mut self.arrays),
            ..Declared::default()
        };
        match name {
            "export" => declared.letters.push(('x', Tri::Yes)),
            "readonly" => declared.letters.push(('r', Tri::Yes)),
            _ => {}
        }
        let shows = |it: &Arg| {
            it.text()
                .is_some_and(|it| it.starts_with('-') && it.contains('p'))
        };
        if rest.iter().any(shows) {
            let labels = rest
                .iter()
                .filter_map(Arg::text)
                .fold(Carries::UNKNOWN, |sum, it| {
                    sum.and(self.lookup(it, state).held.carries())
                });
            return self.deliver(1, Stream::labelled(labels), state);
        }
        for arg in rest {
            if name == "local" && arg.text() == Some("-") {
                self.local_options(state);
                continue;
            }
            if let Some(flags) = arg
                .text()
                .filter(|it| it.len() > 1 && it.starts_with(['-', '+']))
            {
                declared.flags(name, flags);
                continue;
            }
            if declared.functions {
                self.exports_function(arg, &declared, state);
                continue;
            }
            self.declare_one(
                Declaring {
                    by: name,
                    declared: &declared,
                },
                arg,
                state,
            );
        }
    }

    fn exports_function(&self, arg: &Arg, declared: &Declared, state: &mut State) {
        let letters = &declared.letters;
        let on = |wanted| letters.iter().any(|it| it.0 == wanted && it.1.may());
        let named = |name: &str| arg.text().is_none_or(|it| it == name);
        for (name, function) in state.functions.iter_mut() {
            function.exported |= on('x') && named(name);
            function.readonly |= on('r') && named(name);
        }
    }

    fn declare_one(&mut self, declaring: Declaring<'_>, arg: &Arg, state: &mut State) {
        let Declaring { by, declared } = declaring;
        self.array_text(arg, state);
        let written = match &arg.val.text {
            Text::Known(text) | Text::Prefix { known: text, .. } | Text::Glob(text) => {
                text.split(['=']).next().unwrap_or_default().to_owned()
            }
            Text::Unknown { .. } | Text::OneOf(_) => {
                self.trouble(
                    TroubleKind::Unknown,
                    format!("`{by}` of a variable that is not known"),
                    arg.span,
                );
                return state.forget_variables();
            }
        };
        let target = written.trim_end_matches('+');
        let Some((name, _)) = self.target_of(target, state, arg.span) else {
            return if arg.text().is_some() {
                self.named(&arg.val, state, arg.span)
            } else {
                self.any_variable(state, arg.span)
            };
        };
        let makes_local = matches!(by, "local" | "declare" | "typeset")
            && !declared.global
            && !state.scopes.is_empty();
        let reference = self.lookup(&name, state).ways.reference;
        if reference.may() && !declared.is_about_reference() {
            // What is said of a reference is said of what it stands for.
            return self.any_variable(state, arg.span);
        }
        let older = declared.inherits.then(|| self.lookup(&name, state));
        if makes_local && !self.make_local(&name, state) {
            // One that is not kept is anything, as every variable is that nobody knows.
            return self.crowd(arg.span);
        }
        if let (Some(older), Some(own)) = (older, state.variables.get_mut(&name)) {
            *own = own.clone().or(&older);
        }
        let before = self.lookup(&name, state);
        let written = match &arg.val.text {
            Text::Known(text) | Text::Glob(text) => Some(text.as_str()),
            Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
        };
        let whole_array = written
            .and_then(|it| it.split_once('='))
            .is_some_and(|(_, value)| value.trim_start().starts_with('('));
        self.attribute(&name, declared, state);
        let valued = match &arg.val.text {
            Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => {
                text.contains('=')
            }
            Text::Unknown { .. } | Text::OneOf(_) => false,
        };
        if valued {
            let stuck = before.ways.readonly.must();
            let seized = !stuck && declared.seal(&name, state);
            let array = whole_array.then(|| declared.elements_of(arg));
            self.declare_value(arg, array, state);
            if declared.global {
                self.reaches_hidden(&name, before, state);
            }
            if seized && let Some(variable) = state.variables.get_mut(&name) {
                variable.ways.readonly = Tri::Yes;
            }
        }
    }

    /// Sets what functions hid, not what they see: `declare -g` means the outermost.
    fn reaches_hidden(&self, name: &str, before: Variable, state: &mut State) {
        let Some(now) = state.variables.get(name).cloned() else {
            return;
        };
        let mut scopes = std::mem::take(&mut state.scopes).take();
        let mut hidden = false;
        for shadowed in scopes.iter_mut().filter_map(|it| it.get_mut(name)) {
            let older = shadowed.before.take();
            let older = older.unwrap_or_else(|| self.inherited(name, state));
            shadowed.before = Some(older.or(&now));
            hidden = true;
        }
        state.scopes = Shared::new(scopes);
        if hidden || now.ways.lent.may() {
            state.variables.insert(name.to_owned(), before.or(&now));
        }
    }

    fn declare_value(&mut self, arg: &Arg, array: Option<Held>, state: &mut State) {
        let Some(mut setting) = self.setting_of(arg, state) else {
            return;
        };
        // Behind a key a tilde may be expanded too.
        let tilde = |it: &str| it.contains('~');
        if setting.key.is_some()
            && let Held::One(val) = &mut setting.held
            && val.text().is_none_or(tilde)
        {
            *val = val.or(&Val::unknown());
        }
        if let Some(array) = array {
            setting.held = match setting.held.first().text() {
                Some("()") => Held::List(Vec::new()),
                _ => array,
            };
        }
        if let Held::One(val) = &setting.held
            && self.lookup(&setting.name, state).ways.reference.may()
        {
            // A reference is given its name, not what it stands for.
            let val = val.clone();
            self.named_if_subscript(&val, state, arg);
            if let Some(variable) = state.variables.get_mut(&setting.name) {
                variable.held = Held::One(val);
                variable.set = Tri::Yes;
            }
            return;
        }
        self.assign(setting, state, arg.span);
    }

    fn named_if_subscript(&mut self, val: &Val, state: &mut State, arg: &Arg) {
        if val.text().is_some_and(|it| it.contains('[')) {
            self.named(val, state, arg.span);
        }
    }

    /// Gives a variable attributes, and makes it known if it is not yet.
    fn attribute(&mut self, name: &str, declared: &Declared, state: &mut State) {
        let mut variable = self.lookup(name, state);
        for (letter, on) in &declared.letters {
            // `readonly` is set after the value.
            if let Some(way) = variable.ways.lettered(*letter) {
                *way = *on;
            }
        }
        variable.ways.one_case();
        if declared.arrays && matches!(variable.held, Held::One(_)) && !variable.set.may() {
            variable.held = Held::List(Vec::new());
        }
        /// Beyond so many nobody keeps track of what is special about which.
        const SPECIAL: usize = 512;
        if state.variables.len() >= SPECIAL {
            self.limit("too many variables", belay_model::Span::default());
            return state.forget();
        }
        variable.ways = variable.ways.touched();
        let own = state.scopes.last().is_some_and(|it| it.contains_key(name));
        if !own && (declared.arrays || !declared.letters.is_empty()) {
            self.sets_otherwise();
        }
        state.variables.insert(name.to_owned(), variable);
        let behaves = |it: &(char, Tri)| !matches!(it.0, 'x' | 'r');
        if !state.traps.is_empty() && declared.letters.iter().any(behaves) {
            self.haunts_again(belay_model::Span::default(), state);
        }
    }
}

impl Declared {
    fn flags(&mut self, by: &str, flags: &str) {
        let on = Tri::of(flags.starts_with('-'));
        for letter in flags.chars().skip(1) {
            match (by, letter) {
                ("export", 'n') => self.letters.push(('x', Tri::No)),
                (_, 'f' | 'F') => self.functions = true,
                (_, 'g') => self.global = true,
                (_, 'I') => self.inherits = true,
                (_, 'a') => self.arrays = true,
                (_, letter) => {
                    self.arrays |= letter == 'A';
                    self.letters.push((letter, on));
                }
            }
        }
    }

    /// Tells whether it makes references, or what they stand for their own.
    fn is_about_reference(&self) -> bool {
        self.letters.iter().any(|it| it.0 == 'n')
    }

    /// Returns the elements that stand in one of its words.
    fn elements_of(&self, arg: &Arg) -> Held {
        let mut found = self.elements.iter().filter(|it| it.0 == arg.span);
        match (found.next(), found.next()) {
            (Some((_, held)), None) => held.clone(),
            _ => Held::anything(),
        }
    }

    /// Lifts `readonly` while the value that comes with it is set.
    fn seal(&self, name: &str, state: &mut State) -> bool {
        let sealed = self
            .letters
            .iter()
            .any(|(letter, on)| *letter == 'r' && on.must());
        if sealed && let Some(variable) = state.variables.get_mut(name) {
            variable.ways.readonly = Tri::No;
        }
        sealed
    }
}
