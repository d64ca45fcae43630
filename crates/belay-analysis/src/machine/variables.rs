//! Variables: the one way to read one, and the one way to set one.

use std::collections::BTreeMap;

use belay_model::{Carries, Span, TroubleKind};

use crate::machine::assignments::is_plain_key;
use crate::machine::elements::Put;
use crate::machine::elements::{
    appended, cased, element, held_values, is_volatile, paired, summed, whole, with,
};
use crate::machine::options::Tri;
use crate::machine::processes::Processes;
use crate::machine::state::{Shadowed, Shared, State};
use crate::machine::value::{Arg, Text, Val};
use crate::machine::variable::Ways;
use crate::machine::variable::{Elements, Held, Variable};
use crate::machine::walk::Walker;
use crate::scene::Shell;

/// So many variables are known one by one.
pub(crate) const VARIABLES: usize = 160;

/// How many references may lead to references.
const REFERENCES: u32 = 8;

/// What is set: a variable, or one element of an array.
pub(crate) struct Setting {
    pub(crate) name: String,
    /// The key of the element, when only one is set; a shape when it is not known.
    pub(crate) key: Option<Val>,
    pub(crate) held: Held,
    pub(crate) append: bool,
}

impl Setting {
    /// Sets a variable to one text.
    pub(crate) fn one(name: impl Into<String>, val: Val) -> Self {
        Self {
            name: name.into(),
            key: None,
            held: Held::One(val),
            append: false,
        }
    }
}

/// What a variable is given, and where the text says so.
struct Given {
    held: Held,
    at: Span,
}

impl Walker<'_> {
    /// Returns what a variable is, as it was set in this call or as the shell came with it.
    pub(crate) fn lookup(&self, name: &str, state: &State) -> Variable {
        let own = state.variables.get(name).cloned();
        if is_volatile(name) {
            let now = self.volatile(name, state);
            return match own {
                // A plain `sh` sets few of them itself.
                None if self.scene.shell == Shell::Sh => Variable {
                    set: Tri::Perhaps,
                    ..Variable::of(now.or(&Held::One(self.foreign(name))))
                },
                Some(it) => Variable {
                    held: it.held.or(&now),
                    ..it
                },
                None => Variable::of(now),
            };
        }
        own.unwrap_or_else(|| self.inherited(name, state))
    }

    /// Returns what a variable holds; `None` when it is known to be unset.
    pub(crate) fn variable(&self, name: &str, state: &State) -> Option<Val> {
        let found = self.lookup(name, state);
        found.set.may().then(|| found.held.first())
    }

    /// Returns what the shell came with: the environment's, or its own.
    pub(crate) fn inherited(&self, name: &str, state: &State) -> Variable {
        let frame = self.scene.frame;
        let folder = |it: &Option<String>| it.clone().map_or_else(Val::unknown, Val::known);
        let (val, set) = match name {
            "HOME" => (Val::known(frame.home()), Tri::Yes),
            "PWD" => (state.here(), Tri::Yes),
            "OLDPWD" => (folder(&state.previous), Tri::Perhaps),
            "PATH" => (Val::known("$PATH"), Tri::Yes),
            "IFS" => (Val::known(" \t\n"), Tri::Yes),
            "UID" | "EUID" | "PPID" => {
                let mut own = Variable::of(Held::One(Val::digits()));
                // Bash lets nobody set them; others do.
                own.ways.readonly = Tri::Perhaps;
                // A plain `sh` may know the parent alone.
                if self.scene.shell == Shell::Sh && name != "PPID" {
                    own.set = Tri::Perhaps;
                }
                return own;
            }
            "OPTIND" => (Val::digits(), Tri::Yes),
            "SHLVL" | "COLUMNS" | "LINES" => (Val::digits(), Tri::Perhaps),
            "USER" | "LOGNAME" | "HOSTNAME" | "HOSTTYPE" | "OSTYPE" | "MACHTYPE"
            | "BASH_VERSION" => (Val::name(), Tri::Perhaps),
            name if state.clouded => {
                let carries = self.foreign(name).carries;
                return Variable {
                    set: Tri::Perhaps,
                    ..Variable::of(Held::any(Val::any(carries)))
                };
            }
            name => match state.learned.get(name) {
                Some((val, set)) => (val.clone(), *set),
                None => (self.foreign(name), Tri::Perhaps),
            },
        };
        Variable {
            set,
            ..Variable::of(Held::One(val))
        }
    }

    /// A variable of the environment: nothing, or anything.
    fn foreign(&self, name: &str) -> Val {
        let secret = belay_knowledge::variable(name).is_some_and(belay_knowledge::Variable::secret);
        let mut val = Val::any(if secret {
            Carries::SECRET
        } else {
            Carries::UNKNOWN
        });
        if self.scene.knowledge.lists("folder-variables", name) {
            val.processes = Some(Box::new(Processes::inherited(name)));
        }
        val
    }

    /// Sets a variable: the one way for everything that assigns.
    pub(crate) fn assign(&mut self, setting: Setting, state: &mut State, at: Span) {
        let Some(setting) = self.dereferenced(setting, state, at) else {
            return;
        };
        let name = setting.name.clone();
        let before = self.lookup(&name, state);
        // Whoever sets what cannot be set gives up the line.
        self.may_abort |= before.ways.readonly.may();
        if before.ways.readonly.must() {
            return;
        }
        // Counted from the end of an array, there may be no such element.
        let counts = |it: &Val| it.text().is_none_or(|it| it.starts_with('-'));
        self.may_abort |= !before.ways.keyed.must() && setting.key.as_ref().is_some_and(counts);
        // No key is the empty text.
        let lacks = |it: &Val| it.may_be_empty();
        self.may_abort |= before.ways.keyed.may() && setting.key.as_ref().is_some_and(lacks);
        let held = self.limited(setting.held, at);
        let held = self.shaped(Given { held, at }, before.ways, state);
        let held = paired(held, before.ways);
        if !state.scopes.last().is_some_and(|it| it.contains_key(&name)) {
            let text = match &held {
                Held::One(val) if setting.key.is_none() => Some(val),
                Held::One(_) | Held::List(_) | Held::Any(_) => None,
            };
            match text {
                Some(_) if setting.append => self.sets_text(&name, &Val::unknown()),
                Some(val) => self.sets_text(&name, val),
                None => self.sets_otherwise(),
            }
        }
        for val in held_values(&held) {
            self.assigned(&name, &Arg::one(val, at), state);
        }
        let held = match setting.key {
            Some(key) => element(
                &before,
                &key,
                Put {
                    held,
                    append: setting.append,
                },
            ),
            None if setting.append => appended(&before, held),
            // In zsh a text takes the place of an array.
            None if self.scene.shell == Shell::Zsh => held,
            None => whole(&before, held),
        };
        let held = if before.ways.readonly.may() {
            held.or(&before.held)
        } else {
            held
        };
        self.remember(&name, &held, state);
        let variable = Variable {
            held,
            set: Tri::Yes,
            ways: before.ways.touched(),
        };
        let full = state.variables.len() >= VARIABLES && !state.variables.contains_key(&name);
        // One that is not kept is anything, as every variable is that nobody knows.
        if full && !is_relied_on(&name) {
            state.learned = Shared::default();
            return self.crowd(at);
        }
        if name == "DIRSTACK" {
            state.stack = Shared::new(None);
        }
        state.variables.insert(name.clone(), variable);
        self.parts_otherwise(&name, state);
    }

    /// Looks again at code that waits where texts are split otherwise from now on.
    fn parts_otherwise(&mut self, name: &str, state: &mut State) {
        if name == "IFS" && !state.traps.is_empty() {
            self.haunts_again(Span::default(), state);
        }
    }

    /// Follows references to the variable that is meant; `None` when nobody knows which.
    fn dereferenced(
        &mut self,
        mut setting: Setting,
        state: &mut State,
        at: Span,
    ) -> Option<Setting> {
        for _ in 0..REFERENCES {
            let Some(variable) = state.variables.get(&setting.name) else {
                return Some(setting);
            };
            if !variable.ways.reference.may() {
                return Some(setting);
            }
            let target = variable.held.first();
            let must = variable.ways.reference.must();
            match target.text() {
                Some("") if must => return Some(setting),
                Some(name) if must && is_name(name) => setting.name = name.to_owned(),
                _ => {
                    self.any_variable(state, at);
                    return None;
                }
            }
        }
        self.any_variable(state, at);
        None
    }

    /// Somebody sets a variable that nobody can name: any may have changed.
    pub(crate) fn any_variable(&mut self, state: &mut State, at: Span) {
        self.sets_otherwise();
        self.trouble(
            TroubleKind::Unknown,
            "a variable whose name is not known is set",
            at,
        );
        state.forget_variables();
    }

    /// Holds computed texts to a length, so that no text makes another grow without end.
    fn limited(&mut self, held: Held, at: Span) -> Held {
        let size: usize = held_values(&held)
            .iter()
            .filter_map(Val::text)
            .map(str::len)
            .sum();
        if self.memory.spend(size) {
            return held;
        }
        self.limit("texts grow too long", at);
        match held {
            Held::One(val) => Held::One(Val::unknown().carrying(val.carries)),
            Held::List(_) | Held::Any(_) => Held::anything(),
        }
    }

    /// Changes a value as the variable's attributes say.
    fn shaped(&mut self, given: Given, ways: Ways, state: &mut State) -> Held {
        let Given { held, at } = given;
        if !ways.may_change() {
            return held;
        }
        let mut change = |val: &Val| {
            let mut out = val.clone();
            if ways.integer.may() {
                let outer = std::mem::replace(&mut self.may_abort, false);
                self.evaluated(val, state, at);
                if self.may_abort {
                    // What is no number is not set: the variable keeps what it held.
                    self.leave_line(state.clone());
                }
                self.may_abort |= outer;
                out = with(ways.integer, out, summed);
            }
            out = with(ways.lower, out, |it| cased(it, str::to_lowercase));
            out = with(ways.capital, out, |it| Val::unknown().carrying(it.carries));
            with(ways.upper, out, |it| cased(it, str::to_uppercase))
        };
        match &held {
            Held::One(val) => Held::One(change(val)),
            Held::List(vals) => Held::List(vals.iter().map(&mut change).collect()),
            Held::Any(it) => Held::Any(Box::new(Elements::of(it.keys.clone(), change(&it.values)))),
        }
    }

    /// Keeps what a variable held since code waits for a signal that may come at any moment.
    fn remember(&mut self, name: &str, held: &Held, state: &State) {
        if state.traps.is_empty() {
            return;
        }
        let ever = match self.ever.remove(name) {
            Some(before) => before.or(held),
            None => held.clone(),
        };
        self.ever.insert(name.to_owned(), ever);
    }

    /// Takes a variable away, where it can be.
    pub(crate) fn unset_variable(&mut self, name: &str, state: &mut State) {
        let before = self.lookup(name, state);
        let lent = before.ways.lent.may();
        let gone = if before.ways.reference.may() {
            self.any_variable(state, Span::default());
            return;
        } else if before.ways.readonly.must() {
            return;
        } else if before.ways.readonly.may() {
            before.or(&Variable::unset())
        } else {
            Variable::unset()
        };
        // What was set for a command alone hides another.
        let gone = if lent { Variable::lost() } else { gone };
        // Whoever unsets what a function hid shows what was there before, or nothing.
        let gone = match self.shadowed(name, state) {
            Some(older) => gone.or(&older),
            None => gone,
        };
        self.remember(name, &gone.held.clone(), state);
        if !state.scopes.last().is_some_and(|it| it.contains_key(name)) {
            self.sets_otherwise();
        }
        state.variables.insert(name.to_owned(), gone);
        self.parts_otherwise(name, state);
        expose(name, state);
    }

    fn shadowed(&self, name: &str, state: &State) -> Option<Variable> {
        let mut found: Option<Variable> = None;
        for scope in state.scopes.iter() {
            if let Some(shadowed) = scope.get(name) {
                let older = match &shadowed.before {
                    Some(it) => it.clone(),
                    None => self.inherited(name, state),
                };
                found = Some(match found {
                    Some(before) => before.or(&older),
                    None => older,
                });
            }
        }
        found
    }

    /// Sets a variable from a text such as `NAME=value`, as `export`, `env` and `sudo` take it.
    pub(crate) fn assign_text(&mut self, arg: &Arg, state: &mut State) -> bool {
        let Some(setting) = self.setting_of(arg, state) else {
            return self.assign_odd(arg, state);
        };
        self.assign(setting, state, arg.span);
        true
    }

    /// Sets what no shell takes for a variable but child processes get: `BASH_FUNC_ls%%=...`.
    pub(crate) fn assign_odd(&mut self, arg: &Arg, state: &mut State) -> bool {
        let Some((name, value)) = arg.text().and_then(|it| it.split_once('=')) else {
            return false;
        };
        let (name, value) = (name.to_owned(), Val::known(value));
        self.assigned(&name, &Arg::one(value.clone(), arg.span), state);
        !name.is_empty()
    }

    /// Reads `NAME=value`, `NAME+=value` or `NAME[key]=value`.
    pub(crate) fn setting_of(&mut self, arg: &Arg, state: &mut State) -> Option<Setting> {
        let (name, val) = match &arg.val.text {
            Text::Known(text) | Text::Prefix { known: text, .. } | Text::Glob(text) => {
                let (name, _) = text.split_once('=')?;
                (name.to_owned(), arg.val.from(name.len() + 1))
            }
            Text::Unknown { .. } | Text::OneOf(_) => return None,
        };
        let val = val.unsearched();
        let (name, append) = match name.strip_suffix('+') {
            Some(name) => (name.to_owned(), true),
            None => (name, false),
        };
        let (name, key) = self.target_of(&name, state, arg.span)?;
        Some(Setting {
            name,
            key,
            held: Held::One(val),
            append,
        })
    }

    /// Reads the name of a variable, perhaps with a key.
    pub(crate) fn target_of(
        &mut self,
        text: &str,
        state: &mut State,
        at: Span,
    ) -> Option<(String, Option<Val>)> {
        if is_name(text) {
            return Some((text.to_owned(), None));
        }
        let (name, rest) = text.split_once('[')?;
        let key = rest.strip_suffix(']')?;
        if !is_name(name) {
            return None;
        }
        self.named(&Val::known(text), state, at);
        let digits = key.chars().all(|c| c.is_ascii_digit()) && !key.is_empty();
        let plain = digits || self.has_keys(name, state) && is_plain_key(key);
        let key = if plain {
            Val::known(key)
        } else {
            Val::unknown()
        };
        Some((name.to_owned(), Some(key)))
    }

    /// Sets the variable that a word names: what `read`, `printf -v` and their like do.
    pub(crate) fn assign_named(&mut self, arg: &Arg, held: Held, state: &mut State) {
        let Some(text) = arg.text().map(str::to_owned) else {
            return self.any_variable(state, arg.span);
        };
        match self.target_of(&text, state, arg.span) {
            Some((name, key)) => {
                let setting = Setting {
                    name,
                    key,
                    held,
                    append: false,
                };
                self.assign(setting, state, arg.span);
            }
            None => self.named(&arg.val, state, arg.span),
        }
    }

    /// Forgets a variable that something else sets.
    pub(crate) fn forget(&mut self, arg: &Arg, val: Val, state: &mut State) {
        self.assign_named(arg, Held::One(val), state);
    }
}

/// Says that a variable which a caller made its own is gone: whoever sets the name now may set what the caller hid.
fn expose(name: &str, state: &mut State) {
    let Some((own, callers)) = state.scopes.split_last() else {
        return;
    };
    let hidden = |it: &BTreeMap<String, Shadowed>| it.get(name).is_some_and(|it| it.certain);
    if own.contains_key(name) || !callers.iter().any(hidden) {
        return;
    }
    for scope in state.scopes.iter_mut() {
        if let Some(shadowed) = scope.get_mut(name) {
            shadowed.certain = false;
        }
    }
}

/// Tells whether a variable has a value that is taken for granted until it is set.
pub(crate) fn is_relied_on(name: &str) -> bool {
    matches!(
        name,
        "HOME" | "PWD" | "OLDPWD" | "PATH" | "IFS" | "CDPATH" | "GLOBIGNORE"
    )
}

pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
