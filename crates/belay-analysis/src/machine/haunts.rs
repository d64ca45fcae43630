//! Code that may run at any moment: what waits for a signal, and prompts. What it changes all commands find changed.

use std::collections::BTreeMap;

use belay_model::Span;

use crate::machine::state::{Ends, Shared, State};
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::variables::is_relied_on;
use crate::machine::walk::{Left, Returned, Round, Walker};

/// A folder that nobody is in: whoever leaves it is seen to.
const NOWHERE: &str = "/\u{1}";

/// The variables that code sets.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    texts: BTreeMap<String, Val>,
    /// Whether more than texts were set: one that nobody can name, attributes, or it was taken away.
    any: bool,
}

/// What code changes that may run at any moment.
enum Stirs {
    Nothing,
    /// These variables, and nothing else.
    Variables(BTreeMap<String, Val>),
    /// Anything.
    All,
}

impl Walker<'_> {
    /// Says that a variable was set to a text.
    pub(crate) fn sets_text(&mut self, name: &str, val: &Val) {
        if let Some(sets) = &mut self.sets {
            let both = sets
                .texts
                .get(name)
                .map_or_else(|| val.clone(), |it| it.or(val));
            sets.texts.insert(name.to_owned(), both);
        }
    }

    /// Says that something else was done to a variable than setting it to a text.
    pub(crate) fn sets_otherwise(&mut self) {
        if let Some(sets) = &mut self.sets {
            sets.any = true;
        }
    }

    /// Says that code may run between any two commands from here on. What it does is said elsewhere.
    pub(crate) fn haunts(&mut self, text: &str, at: Span, state: &mut State) {
        let (stirs, after) = self.stirs(text, at, state);
        match stirs {
            Stirs::Nothing => return,
            Stirs::Variables(texts) => state.stir(&texts),
            Stirs::All => state.haunted = true,
        }
        if let Some(after) = after {
            self.leaves_waiting(&after, state);
        }
    }

    /// Looks again at code that waits: a function that it may call means something else.
    pub(crate) fn haunts_again(&mut self, at: Span, state: &mut State) {
        if state.haunted {
            return;
        }
        for trap in state.traps.clone().take() {
            if let Some(code) = trap.code.filter(|_| !trap.at_end) {
                self.haunts(&code, at, state);
            }
        }
    }

    /// Makes known what code leaves for later: what it sets is among what is forgotten, and what waits, waits.
    fn leaves_waiting(&self, after: &State, state: &mut State) {
        for trap in after.traps.iter() {
            if !state.traps.contains(trap) {
                state.traps.push(trap.clone());
            }
        }
        for (name, function) in after.functions.iter() {
            if !state.functions.contains_key(name) {
                let mut function = function.clone();
                function.perhaps = true;
                state.functions.insert(name.clone(), function);
            }
        }
        for name in after.variables.keys() {
            let own = self.inherited(name, state);
            let unknown = matches!(&own.held, Held::One(it) if it.text == Val::unknown().text);
            // What is unknown in any case needs not be kept.
            if !unknown && !state.variables.contains_key(name) {
                state.variables.insert(name.clone(), own);
            }
        }
    }

    /// Returns what code changes wherever it runs, and what it leaves.
    fn stirs(&mut self, text: &str, at: Span, state: &State) -> (Stirs, Option<State>) {
        let later = at_any_moment(state);
        let said = (self.out.effects.len(), self.out.troubles.len());
        let outer = self.sets.replace(Sets::default());
        let (after, jumps) = self.goes_on_after(text, at, later.clone());
        let sets = std::mem::replace(&mut self.sets, outer).unwrap_or_default();
        self.out.effects.truncate(said.0);
        self.out.troubles.truncate(said.1);
        let Some(mut after) = after else {
            let stirs = if jumps { Stirs::All } else { Stirs::Nothing };
            return (stirs, None);
        };
        let left = after.clone();
        let mut texts = sets.texts;
        for (name, variable) in after.variables.iter() {
            if later.variables.get(name) != Some(variable) {
                texts.entry(name.clone()).or_insert_with(Val::unknown);
            }
        }
        for val in texts.values_mut() {
            let here = |it: &Val| it.text().is_some_and(|it| it.contains(NOWHERE));
            if val.choices().iter().any(here) {
                *val = Val::unknown();
            }
        }
        let other = texts.keys().any(|it| is_relied_on(it));
        after.variables = later.variables.clone();
        after.learned = later.learned.clone();
        let stirs = match (
            jumps || other || sets.any || after != later,
            texts.is_empty(),
        ) {
            (true, _) => Stirs::All,
            (false, false) => Stirs::Variables(texts),
            (false, true) => Stirs::Nothing,
        };
        (stirs, Some(left))
    }

    /// Walks code apart; returns the state with which the shell goes on, and whether it may leave a function or a loop.
    fn goes_on_after(&mut self, text: &str, at: Span, state: State) -> (Option<State>, bool) {
        self.exits.push(Left {
            texts: self.texts,
            ..Left::default()
        });
        let rounds = std::mem::replace(&mut self.rounds, vec![Round::default()]);
        let returns = std::mem::replace(&mut self.returns, vec![Returned::default()]);
        let lent = std::mem::take(&mut self.lent);
        let ends: Ends = self.in_text(text, Some(at), state);
        self.lent = lent;
        let left = self.exits.pop().unwrap_or_default();
        let round = std::mem::replace(&mut self.rounds, rounds).pop();
        let back = std::mem::replace(&mut self.returns, returns).pop();
        let leaves = round.is_some_and(|it| it.broken.is_some() || it.continued.is_some());
        let returned = back.is_some_and(|it| it.ok.is_some() || it.bad.is_some());
        (State::either(ends.any(), left.line), leaves || returned)
    }
}

/// Returns a state that stands for that of any later moment, as far as code may tell.
fn at_any_moment(state: &State) -> State {
    let mut later = state.clone();
    // Where texts are split otherwise, or a variable behaves otherwise, all is looked at again.
    for (name, variable) in later.variables.iter_mut() {
        if name != "IFS" {
            variable.lose_text();
        }
    }
    later.learned = Shared::default();
    later.scopes = Shared::default();
    later.traps = Shared::default();
    later.positional = Shared::new(Held::anything());
    later.files.anything();
    later.lose_folder();
    later.cwd = Some(NOWHERE.to_owned());
    later.previous = None;
    later.stack = Shared::new(Some(vec!["/".to_owned()]));
    later
}

impl State {
    /// Says that these variables may be set to these texts between any two commands.
    pub(crate) fn stir(&mut self, texts: &BTreeMap<String, Val>) {
        for (name, val) in texts {
            match self.stirred.iter_mut().find(|it| it.0 == *name) {
                Some(stirred) => stirred.1 = stirred.1.or(val),
                None => self.stirred.push((name.clone(), val.clone())),
            }
        }
    }

    /// Tells whether a variable may be set between any two commands.
    pub(crate) fn is_stirred(&self, name: &str) -> bool {
        self.haunted || self.stirred.iter().any(|it| it.0 == name)
    }

    /// Forgets what may have changed since the last command.
    pub(crate) fn changes_by_itself(&mut self) {
        if self.haunted {
            return self.forget();
        }
        if self.stirred.is_empty() {
            return;
        }
        let stands_for_another = |name: &String| {
            let own = self.variables.get(name);
            own.is_some_and(|it| it.ways.reference.may())
        };
        if self.stirred.iter().any(|it| stands_for_another(&it.0)) {
            self.haunted = true;
            return self.forget();
        }
        for (name, val) in self.stirred.clone().take() {
            // One that is not there is anything already.
            if let Some(variable) = self.variables.get_mut(&name) {
                variable.blur(&val);
            }
            self.forget_hidden(&name);
        }
    }
}
