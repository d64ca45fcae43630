//! Calls of functions.

use belay_model::{Carries, TroubleKind};

use crate::machine::simple::given;
use crate::machine::state::{Ends, Function, Shared, State};
use crate::machine::stream::Stream;
use crate::machine::value::Arg;
use crate::machine::walk::{Returned, Walker};

/// How often a function may stand among those that called it.
const RECURSIONS: usize = 2;

/// A function, by the name it is called by.
#[derive(Clone, Copy)]
pub(crate) struct Callee<'a> {
    pub(crate) name: &'a str,
    pub(crate) function: &'a Function,
}

/// One of the bodies that a function may have; `None` when it is not known.
#[derive(Clone, Copy)]
struct Body<'a> {
    name: &'a str,
    body: Option<&'a str>,
}

/// How a call ended: back at the caller, or out of the loops around it.
struct Back {
    ends: Ends,
    rounds: Option<State>,
}

impl Walker<'_> {
    /// Calls a function.
    pub(crate) fn call(&mut self, callee: Callee<'_>, args: &[Arg], mut state: State) -> Ends {
        let Callee { name, function } = callee;
        let at = args.first().map(|it| it.span).unwrap_or_default();
        let calls = self.calls.iter().filter(|it| *it == name).count();
        if calls > RECURSIONS || !self.fuel.may_repeat() {
            let why = if calls > RECURSIONS {
                format!("the function `{name}` calls itself")
            } else {
                "too many calls of functions".to_owned()
            };
            self.limit(&why, at);
            state.forget();
            self.walk_once(name, function, &state);
            return Ends::Either(state);
        }
        self.calls.push(name.to_owned());
        let rounds = std::mem::take(&mut self.rounds);
        let mut ends = Ends::Never;
        let mut left = None;
        for body in &function.bodies {
            let body = body.as_deref();
            let back = self.called(Body { name, body }, args, state.clone());
            ends = ends.or(back.ends);
            left = State::either(left, back.rounds);
        }
        self.rounds = rounds;
        self.calls.pop();
        if let Some(left) = left {
            self.leave_rounds(left);
        }
        ends
    }

    /// Walks a function that is no longer called, so that what is written in it still counts.
    fn walk_once(&mut self, name: &str, function: &Function, state: &State) {
        if !self.spent.insert(name.to_owned()) || self.calls.iter().any(|it| it == name) {
            return;
        }
        self.calls.push(name.to_owned());
        for body in function.bodies.iter().flatten() {
            self.in_text(body, self.outer, state.clone());
        }
        self.calls.pop();
    }

    fn called(&mut self, called: Body<'_>, args: &[Arg], mut state: State) -> Back {
        let Body { name, body } = called;
        let at = args.first().map(|it| it.span).unwrap_or_default();
        let Some(body) = body else {
            self.trouble(
                TroubleKind::Unknown,
                format!("the function `{name}` cannot be read"),
                at,
            );
            state.forget();
            self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
            return Back {
                ends: Ends::Either(state),
                rounds: None,
            };
        };
        let given = given(args.get(1..).unwrap_or_default());
        let positional = std::mem::replace(&mut state.positional, Shared::new(given));
        state.scopes.push(std::collections::BTreeMap::new());
        self.returns.push(Returned::default());
        let outer = self.outer.unwrap_or(at);
        let ends = self.in_text(body, Some(outer), state);
        let Returned { ok, bad, round } = self.returns.pop().unwrap_or_default();
        let back = |mut state: State| {
            self.leave_scope(&mut state);
            state.positional = positional.clone();
            state
        };
        let left = round.map(back);
        let ends = ends.or(Ends::of(ok, bad)).map(back);
        Back { ends, rounds: left }
    }
}
