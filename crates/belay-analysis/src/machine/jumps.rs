//! Ways out: `exit`, `return`, `break`, `continue`, and code that waits for a signal.

use std::collections::VecDeque;
use std::rc::Rc;

use belay_model::{Carries, Effect, Verb};

use crate::machine::builtins::after_dashes;
use crate::machine::state::{Ends, State, Trap};
use crate::machine::stream::Stream;
use crate::machine::value::Arg;
use crate::machine::walk::{Left, Walker};
use crate::scene::Shell;

/// So many pieces of code may wait for a signal.
const TRAPS: usize = 64;

/// When code waits for a signal: whether for the end of the shell alone.
#[derive(Clone, Copy)]
struct Waits {
    at_end: bool,
    /// Whether something outside must send it, so that nobody waits for it.
    mild: bool,
    /// Whether it may run while the shell goes on.
    stirs: bool,
}

impl Walker<'_> {
    /// Leaves the shell because of an error. That may end functions first: what waits for the end of the shell then
    /// sees what they hid.
    pub(crate) fn fail_shell(&mut self, state: State) {
        if !state.traps.is_empty()
            && let Some(outside) = self.outside_functions(&state)
        {
            self.leave_shell(outside);
        }
        self.leave_shell(state);
    }

    /// Returns a state as it is outside the functions that run.
    fn outside_functions(&self, state: &State) -> Option<State> {
        let mut outside = state.clone();
        while !outside.scopes.is_empty() {
            self.leave_scope(&mut outside);
        }
        (!state.scopes.is_empty()).then_some(outside)
    }

    /// Leaves the shell with a state.
    pub(crate) fn leave_shell(&mut self, state: State) {
        let state = self.left_behind(state);
        if let Some(left) = self.exits.last_mut() {
            let slot = if state.traps.is_empty() {
                &mut left.bare
            } else {
                &mut left.shell
            };
            *slot = State::either(slot.take(), Some(state));
        }
    }

    /// Leaves the line with a state: an expansion failed, and the shell goes on with the next line.
    pub(crate) fn leave_line(&mut self, state: State) {
        let state = self.left_behind(state);
        let state = State::either(self.outside_functions(&state), Some(state));
        if let Some(left) = self.exits.last_mut() {
            left.line = State::either(left.line.take(), state);
        }
    }

    pub(crate) fn exit(&mut self, rest: &[Arg], state: State) -> Ends {
        let too_many = after_dashes(rest).len() > 1 || rest.iter().any(|it| it.many);
        // Under `set -k` bash ends functions first, as it does after an error; zsh always does.
        if too_many || state.options.keyword.may() || self.scene.shell == Shell::Zsh {
            self.fail_shell(state.clone());
        } else {
            self.leave_shell(state.clone());
        }
        self.left_at = Some(state.clone());
        // The shell complains and goes on, or gives up the line.
        if too_many {
            self.leave_line(state.clone());
            Ends::Either(state)
        } else {
            Ends::Never
        }
    }

    pub(crate) fn returns_with(&mut self, rest: &[Arg], state: State) -> Ends {
        let state = self.left_behind(state);
        self.left_at = Some(state.clone());
        let Some(slot) = self.returns.last_mut() else {
            return Ends::Either(state);
        };
        let status = match after_dashes(rest) {
            [] => None,
            [one] if !one.many => one.text().and_then(|it| it.parse::<u8>().ok()),
            _ => None,
        };
        let (ok, bad) = match status {
            Some(0) => (Some(state), None),
            Some(_) => (None, Some(state)),
            None => (Some(state.clone()), Some(state)),
        };
        slot.ok = State::either(slot.ok.take(), ok);
        slot.bad = State::either(slot.bad.take(), bad);
        Ends::Never
    }

    pub(crate) fn leaves_round(&mut self, name: &str, rest: &[Arg], state: State) -> Ends {
        let rest = after_dashes(rest);
        let count = match rest {
            [] => Some(1),
            [one] if !one.many => one.text().and_then(|it| it.parse::<usize>().ok()),
            _ => None,
        };
        let depth = self.rounds.len();
        let state = self.left_behind(state);
        self.left_at = Some(state.clone());
        if self.scene.shell == Shell::Zsh
            && count.is_none_or(|it| it > depth)
            && let Some(slot) = self.returns.last_mut()
        {
            // In zsh it leaves the loops around a call too.
            slot.round = State::either(slot.round.take(), Some(state.clone()));
        }
        if depth == 0 {
            // Outside a loop it does nothing; in a shell inside one it may end that shell.
            self.leave_shell(state.clone());
            return Ends::Either(state);
        }
        let (from, to) = match count {
            Some(0) | None => (0, depth),
            Some(count) => {
                let at = depth.saturating_sub(count);
                (at, at + 1)
            }
        };
        for round in self.rounds.iter_mut().take(to).skip(from) {
            let slot = if name == "break" {
                &mut round.broken
            } else {
                &mut round.continued
            };
            *slot = State::either(slot.take(), Some(state.clone()));
        }
        match count {
            Some(1..) => Ends::Never,
            Some(0) | None => Ends::Either(state),
        }
    }

    /// Leaves the loops around a call with a state: nobody asks which of them, and in which way.
    pub(crate) fn leave_rounds(&mut self, state: State) {
        let state = self.left_behind(state);
        for round in &mut self.rounds {
            for slot in [&mut round.broken, &mut round.continued] {
                *slot = State::either(slot.take(), Some(state.clone()));
            }
        }
        if let Some(slot) = self.returns.last_mut() {
            slot.round = State::either(slot.round.take(), Some(state.clone()));
        }
    }

    pub(crate) fn trap(&mut self, rest: &[Arg], mut state: State) -> Ends {
        let rest = after_dashes(rest);
        let Some((code, signals)) = rest.split_first() else {
            self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
            return Ends::Ok(state);
        };
        if matches!(code.text(), Some("-l" | "-p")) {
            self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
            return Ends::Ok(state);
        }
        let known = signals.iter().all(|it| it.text().is_some());
        let at_end = known
            && signals
                .iter()
                .all(|it| matches!(it.text(), Some("EXIT" | "exit" | "0")));
        // In zsh the end of a function is such an end too, and what waits for that of the shell still does.
        let of_function = self.scene.shell == Shell::Zsh && !state.scopes.is_empty();
        if at_end && !signals.is_empty() && !of_function {
            state.traps.retain(|it| !it.at_end);
        }
        if signals.is_empty() || matches!(code.text(), Some("" | "-")) {
            return Ends::Either(state);
        }
        let mild = known
            && !of_function
            && signals.iter().all(|it| {
                it.text().is_some_and(|it| {
                    let name = it.trim_start_matches("SIG");
                    matches!(name, "EXIT" | "0" | "INT" | "TERM" | "HUP" | "QUIT")
                })
            });
        let waits = Waits {
            at_end,
            mild,
            stirs: !at_end || of_function,
        };
        self.waits_with(code, waits, &mut state);
        Ends::Either(state)
    }

    /// Remembers how the shell stands while something waits for its end or for a signal: that may come now.
    pub(crate) fn waits_as(&mut self, state: &State) {
        if state.traps.is_empty() {
            return;
        }
        let Some(left) = self.exits.last_mut() else {
            return;
        };
        match &mut left.stood {
            Some(stood) => stood.stood_like(state),
            None => left.stood = Some(state.clone()),
        }
    }

    /// Runs what waits for the end of the shell, and what that leaves for the end in its turn.
    pub(crate) fn traps(&mut self, mut state: State, stood: Option<&State>) -> State {
        if state.traps.is_empty() {
            return state;
        }
        if let Some(stood) = stood {
            state.stood_like(stood);
        }
        for (name, held) in self.ever.clone() {
            if let Some(variable) = state.variables.get_mut(&name) {
                variable.held = variable.held.clone().or(&held);
            }
        }
        self.exits.push(Left::default());
        let mut waiting = VecDeque::from(std::mem::take(&mut state.traps).take());
        let mut ran: Vec<Trap> = Vec::new();
        while let Some(trap) = waiting.pop_front() {
            if ran.contains(&trap) {
                continue;
            }
            if ran.len() >= TRAPS {
                let at = self.outer.unwrap_or_default();
                self.limit("too much code waits for a signal", at);
                break;
            }
            let before = state.clone();
            if let Some(code) = &trap.code {
                let ends = self.in_text(code, self.outer, before.clone());
                state = State::either(ends.any(), Some(before)).unwrap_or_default();
            } else {
                state.forget();
            }
            ran.push(trap);
            waiting.extend(std::mem::take(&mut state.traps).take());
        }
        self.exits.pop();
        state
    }

    /// Keeps code for the end of the shell or for a signal.
    fn waits_with(&mut self, code: &Arg, waits: Waits, state: &mut State) {
        let Waits { at_end, mild, .. } = waits;
        for choice in code.val.choices() {
            let Some(text) = choice.text() else {
                self.emit(Effect::of(Verb::Eval, ["text"]).spanning(code.span));
                if waits.stirs {
                    state.haunted = true;
                    state.forget();
                }
                state.traps.push(Trap { code: None, at_end });
                continue;
            };
            if state.traps.len() >= TRAPS {
                self.limit("too much code waits for a signal", code.span);
                self.in_text(text, Some(code.span), state.clone());
                continue;
            }
            if !mild {
                self.in_text(text, Some(code.span), state.clone());
            }
            if waits.stirs {
                self.haunts(text, code.span, state);
            }
            state.traps.push(Trap {
                code: Some(Rc::from(text)),
                at_end,
            });
        }
    }
}
