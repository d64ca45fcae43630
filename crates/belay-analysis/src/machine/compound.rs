//! Compound commands: branches, loops, functions.

use std::rc::Rc;

use belay_model::TroubleKind;
use belay_shell::{Branch, Command, CommandKind, Coproc, Function as Defined, List, Many, Tree};

use crate::machine::loops::Rounds;
use crate::machine::loops::While;
use crate::machine::options::Tri;
use crate::machine::state::{Ends, Function, State, Trap};
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::variables::Setting;
use crate::machine::walk::{Walker, lossy, span};

/// So many functions are known one by one.
const FUNCTIONS: usize = 512;

/// The branches of an `if`.
#[derive(Clone, Copy)]
struct Choice {
    branches: Many<Branch>,
    otherwise: List,
}

impl Walker<'_> {
    /// Walks one command of a pipeline.
    pub(crate) fn run(&mut self, tree: &Tree<'_>, command: &Command, mut state: State) -> Ends {
        if self.fuel.burns_out() {
            self.limit("too much is walked again", span(command.span));
            state.forget();
        }
        state.changes_by_itself();
        self.waits_as(&state);
        if state.options.stops.may() {
            self.leave_shell(state.clone());
        }
        self.traced(&mut state);
        let simple = matches!(command.kind, CommandKind::Simple { .. });
        if !state.elsewhere.is_empty() && (simple || !command.redirects.is_empty()) {
            return state.by_folder().into_iter().fold(Ends::Never, |ends, it| {
                ends.or(self.run_here(tree, command, it))
            });
        }
        self.run_here(tree, command, state)
    }

    fn run_here(&mut self, tree: &Tree<'_>, command: &Command, mut state: State) -> Ends {
        if let CommandKind::Simple { assignments, words } = command.kind {
            let simple = crate::machine::simple::Simple {
                assignments,
                words,
                redirects: command.redirects,
            };
            return self.simple(tree, &simple, state);
        }
        let before = state.clone();
        let outer = std::mem::replace(&mut self.may_abort, false);
        let made = self.redirects(tree, command.redirects, &mut state);
        let led = made.may_fail.then(|| state.clone());
        let mut ends = self.compound(tree, command, state);
        if !command.redirects.is_empty() {
            ends = ends.map(|mut state| {
                self.restore(&made, &mut state);
                state
            });
        }
        if made.expands && matches!(command.kind, CommandKind::Subshell(_)) {
            // Its shell makes them, and what they set is gone with it.
            ends = ends.map(|child| {
                let mut after = before.clone();
                after.after(child);
                after
            });
        }
        // Where a word of its own cannot be expanded, nothing of it runs.
        if std::mem::replace(&mut self.may_abort, outer) {
            self.leave_line(before.clone());
            ends = ends.or(Ends::Bad(before.clone()));
        }
        if made.may_fail {
            ends.or(Ends::Bad(self.refused(before, led)))
        } else {
            ends
        }
    }

    /// Walks a loop that counts.
    fn count(&mut self, tree: &Tree<'_>, it: &belay_shell::ForArith, mut state: State) -> Ends {
        // What is no number ends the loop where it stands.
        let (failed, _) = self.counted(tree, it.init, &mut state);
        let endless = tree.many(it.condition).is_empty();
        let mut walked = false;
        let ends = self.looped(state, |walker, mut state| {
            let (early, value) = walker.counted(tree, it.condition, &mut state);
            let holds = if endless { Tri::Yes } else { holds(&value) };
            let mut left = State::either(early, holds.not().may().then(|| state.clone()));
            let body = if holds.may() {
                walked = true;
                walker.round(|walker| walker.list(tree, it.body, state))
            } else {
                if !walked {
                    walker.unreached(tree, it.body, state);
                }
                Ends::Never
            };
            let body = body.map(|mut state| {
                let (before, _) = walker.counted(tree, it.step, &mut state);
                left = State::either(left.take(), before);
                state
            });
            (left, body)
        });
        match failed {
            Some(state) => ends.or(Ends::Bad(state)),
            None => ends,
        }
    }

    /// Evaluates what is counted; returns the state before it where that may fail, and what it gives.
    fn counted(
        &mut self,
        tree: &Tree<'_>,
        arith: belay_shell::Arith,
        state: &mut State,
    ) -> (Option<State>, Val) {
        let before = state.clone();
        let outer = std::mem::replace(&mut self.may_abort, false);
        let value = self.arith(tree, arith, state);
        let fails = self.may_abort;
        self.may_abort |= outer;
        (fails.then_some(before), value)
    }

    fn compound(&mut self, tree: &Tree<'_>, command: &Command, mut state: State) -> Ends {
        match command.kind {
            CommandKind::Simple { .. } => Ends::Ok(state),
            CommandKind::Subshell(list) => self.apart(tree, list, state),
            CommandKind::Group(list) => self.list(tree, list, state),
            CommandKind::If {
                branches,
                otherwise,
            } => self.branches(
                tree,
                Choice {
                    branches,
                    otherwise,
                },
                state,
            ),
            CommandKind::While(branch) => self.repeat(
                tree,
                Rounds {
                    branch,
                    goes_on: While::Succeeds,
                },
                state,
            ),
            CommandKind::Until(branch) => self.repeat(
                tree,
                Rounds {
                    branch,
                    goes_on: While::Fails,
                },
                state,
            ),
            CommandKind::For(id) => self.for_each(tree, id, state),
            CommandKind::Select(id) => self.select(tree, id, state),
            CommandKind::ForArith(id) => self.count(tree, tree.one(id), state),
            CommandKind::Case(id) => self.case(tree, id, state),
            CommandKind::Test(items) => self.test(tree, items, state),
            CommandKind::Arith(arith) => {
                let (failed, value) = self.counted(tree, arith, &mut state);
                match failed {
                    // What is no number fails, and nothing is set.
                    Some(before) => Ends::of(Some(state.clone()), Some(before.or(state))),
                    None => Ends::by(holds(&value), state),
                }
            }
            CommandKind::Function(id) => {
                self.define(tree, tree.one(id), &mut state);
                Ends::Ok(state)
            }
            CommandKind::Coproc(id) => self.coproc(tree, tree.one(id), state),
            CommandKind::Either(commands) => tree
                .many(commands)
                .iter()
                .fold(Ends::Never, |ends, command| {
                    ends.or(self.run(tree, command, state.clone()))
                }),
        }
    }

    /// Defines a function.
    fn define(&mut self, tree: &Tree<'_>, function: &Defined, state: &mut State) {
        let name = self.word(tree, tree.one(function.name), state);
        let body = tree.one(function.body);
        let at = span(body.span);
        let source: Option<Rc<str>> = self
            .quotable
            .then(|| Rc::from(lossy(tree.source(body.span))));
        let Some(name) = name.text() else {
            self.trouble(
                TroubleKind::Unknown,
                "a function whose name is not known",
                at,
            );
            return state.forget();
        };
        if let Some(code) = &source
            && runs_by_itself(name)
        {
            // Where and on what it runs nobody can tell, and what it changes all others find changed.
            let mut forgotten = state.clone();
            forgotten.forget();
            self.in_text(code, Some(at), forgotten);
            self.haunts(code, at, state);
            state.traps.push(Trap {
                code: Some(Rc::clone(code)),
                at_end: false,
            });
        }
        if state.functions.len() >= FUNCTIONS && !state.functions.contains_key(name) {
            self.limit("too many functions", at);
            self.in_text(&source.unwrap_or_default(), Some(at), state.clone());
            return;
        }
        let older = state.functions.get(name);
        let mut function = Function {
            bodies: vec![source],
            perhaps: false,
            exported: older.is_some_and(|it| it.exported),
            readonly: older.is_some_and(|it| it.readonly),
        };
        // Whoever defines what cannot be defined again keeps what was there.
        if let Some(older) = older.filter(|it| it.readonly) {
            function.add(&older.bodies);
        }
        state.functions.insert(name.to_owned(), function);
        self.haunts_again(at, state);
    }

    /// Starts a command beside this shell, with pipes to and from it.
    fn coproc(&mut self, tree: &Tree<'_>, coproc: &Coproc, mut state: State) -> Ends {
        let name = match coproc.name {
            Some(name) => self.word(tree, tree.one(name), &mut state),
            None => Val::known("COPROC"),
        };
        let at = span(tree.one(coproc.body).span);
        let name = name.text().unwrap_or("COPROC").to_owned();
        let mut child = self.subshell(&state);
        let unknown = crate::machine::descriptors::End::Unknown;
        child.descriptors.lead(0, unknown);
        let body = tree.one(coproc.body);
        let beginning = self.beginning(&child);
        let ends = self.in_shell(child, |walker, child| walker.run(tree, body, child));
        self.goes_on(tree, body.span, beginning);
        if let Some(child) = ends.any() {
            let before = state.clone();
            state.after(child);
            state = before.or(state);
        }
        // Once it has ended both are unset, whatever they hold by then.
        let both = [name.clone(), format!("{name}_PID")];
        state.stir(&both.map(|it| (it, Val::known(""))).into());
        let numbers = Held::List(vec![Val::digits(), Val::digits()]);
        let setting = Setting {
            held: numbers,
            ..Setting::one(name.clone(), Val::digits())
        };
        self.assign(setting, &mut state, at);
        let process = Setting::one(format!("{name}_PID"), Val::digits());
        self.assign(process, &mut state, at);
        Ends::Either(state)
    }

    fn branches(&mut self, tree: &Tree<'_>, choice: Choice, state: State) -> Ends {
        let Choice {
            branches,
            otherwise,
        } = choice;
        let mut out = Ends::Never;
        let begun = state.clone();
        let mut last: Option<State> = None;
        let mut left = Some(state);
        for branch in tree.many(branches) {
            let state = match left.take() {
                Some(state) => state,
                None => {
                    let state = last.clone().unwrap_or_else(|| begun.clone());
                    self.unreached(tree, branch.condition, state.clone());
                    self.unreached(tree, branch.body, state);
                    continue;
                }
            };
            let condition = self.guard(true, |walker| walker.list(tree, branch.condition, state));
            let (ok, bad) = condition.parts();
            match (ok, &bad) {
                (Some(state), _) => out = out.or(self.list(tree, branch.body, state)),
                (None, Some(state)) => self.unreached(tree, branch.body, state.clone()),
                (None, None) => {}
            }
            last = bad.clone().or(last);
            left = bad;
        }
        match (left, last) {
            (Some(state), _) => out.or(self.list(tree, otherwise, state)),
            (None, last) => {
                self.unreached(tree, otherwise, last.unwrap_or(begun));
                out
            }
        }
    }

    /// Walks what nothing comes to: what is written there counts, what it leaves behind does not.
    pub(crate) fn unreached(&mut self, tree: &Tree<'_>, list: List, state: State) {
        self.guard(true, |walker| walker.list(tree, list, state));
    }
}

/// Tells whether a number that arithmetic gave counts as true.
pub(crate) fn holds(value: &Val) -> Tri {
    match value.text() {
        Some(text) => Tri::of(text != "0"),
        None => Tri::Perhaps,
    }
}

/// Tells whether some shell calls a function of this name by itself.
fn runs_by_itself(name: &str) -> bool {
    matches!(
        name,
        "chpwd"
            | "precmd"
            | "preexec"
            | "periodic"
            | "zshexit"
            | "zshaddhistory"
            | "command_not_found_handle"
            | "command_not_found_handler"
    ) || name.strip_prefix("TRAP").is_some_and(|it| {
        !it.is_empty()
            && it
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
    })
}
