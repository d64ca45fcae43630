//! Compound commands: branches, loops, functions.

use std::rc::Rc;

use belay_model::TroubleKind;
use belay_shell::{
    Branch, Command, CommandKind, Coproc, Function as Defined, List, Many, TestItem, TestKind, Tree,
};

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
        if state.haunted {
            state.forget();
        }
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
            ends.or(Ends::Bad(before))
        } else {
            ends
        }
    }

    /// Walks a loop that counts.
    fn count(&mut self, tree: &Tree<'_>, it: &belay_shell::ForArith, mut state: State) -> Ends {
        // What is no number ends the loop where it stands.
        let mut failed = self.counted(tree, it.init, &mut state);
        failed = State::either(failed, self.counted(tree, it.condition, &mut state));
        let ends = self.looped(state, |walker, mut state| {
            let early = walker.counted(tree, it.condition, &mut state);
            let left = state.clone();
            let body = walker.round(|walker| walker.list(tree, it.body, state));
            let mut late = None;
            let body = body.map(|mut state| {
                let before = walker.counted(tree, it.step, &mut state);
                late = State::either(late.take(), before);
                state
            });
            (State::either(State::either(early, late), Some(left)), body)
        });
        match failed {
            Some(state) => ends.or(Ends::Bad(state)),
            None => ends,
        }
    }

    /// Evaluates what is counted; returns the state before it where that may fail.
    fn counted(
        &mut self,
        tree: &Tree<'_>,
        arith: belay_shell::Arith,
        state: &mut State,
    ) -> Option<State> {
        let before = state.clone();
        let outer = std::mem::replace(&mut self.may_abort, false);
        self.arith(tree, arith, state);
        let fails = self.may_abort;
        self.may_abort |= outer;
        fails.then_some(before)
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
                // What is no number fails, and nothing is set.
                match self.counted(tree, arith, &mut state) {
                    Some(before) => Ends::of(Some(state.clone()), Some(before.or(state))),
                    None => Ends::Either(state),
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
            let after = self.in_text(code, Some(at), forgotten.clone()).any();
            if let Some(after) = after.filter(|it| *it != forgotten) {
                self.haunt(&after, state);
            }
            state.traps.push(Trap {
                code: Rc::clone(code),
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
        let ends = self.in_shell(child, |walker, child| walker.run(tree, body, child));
        if let Some(child) = ends.any() {
            let before = state.clone();
            state.after(child);
            state = before.or(state);
        }
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

    fn test(&mut self, tree: &Tree<'_>, items: Many<TestItem>, state: State) -> Ends {
        let mut ends = Ends::Never;
        for mut state in self.forks(tree, items, state) {
            let mut known = Vec::new();
            for item in tree.many(items) {
                let operands: Vec<Val> = match item.kind {
                    TestKind::Open
                    | TestKind::Close
                    | TestKind::Not
                    | TestKind::And
                    | TestKind::Or => Vec::new(),
                    TestKind::Word(word) | TestKind::Unary { operand: word, .. } => {
                        vec![self.word(tree, tree.one(word), &mut state)]
                    }
                    TestKind::Binary { operands, .. } => tree
                        .many(operands)
                        .iter()
                        .map(|it| self.word(tree, it, &mut state))
                        .collect(),
                };
                for operand in &operands {
                    if item.kind.evaluates() {
                        self.evaluated(operand, &mut state, span(item.span));
                    } else if item.kind.names_variable() {
                        self.named(operand, &mut state, span(item.span));
                    }
                }
                known.push(decided(item.kind, &operands));
            }
            let verdict = match known.as_slice() {
                [one] => *one,
                _ => Tri::Perhaps,
            };
            ends = ends.or(match verdict {
                Tri::Yes => Ends::Ok(state),
                Tri::No => Ends::Bad(state),
                Tri::Perhaps => Ends::Either(state),
            });
        }
        ends
    }

    /// Returns the state once for each text of a variable that a test looks at, so that its answer narrows it.
    fn forks(&self, tree: &Tree<'_>, items: Many<TestItem>, state: State) -> Vec<State> {
        let mut names = Vec::new();
        for item in tree.many(items) {
            match item.kind {
                TestKind::Word(word) | TestKind::Unary { operand: word, .. } => {
                    names.extend(crate::machine::forks::plain_names(tree, tree.one(word)));
                }
                TestKind::Binary { operands, .. } => {
                    for word in tree.many(operands) {
                        names.extend(crate::machine::forks::plain_names(tree, word));
                    }
                }
                TestKind::Open | TestKind::Close | TestKind::Not | TestKind::And | TestKind::Or => {
                }
            }
        }
        crate::machine::forks::forked(state, &names)
    }
}

/// Tells what a test answers, where its operands are known.
fn decided(kind: TestKind, operands: &[Val]) -> Tri {
    let text = |at: usize| operands.get(at).and_then(Val::text);
    match (kind, text(0), text(1)) {
        (TestKind::Word(_), Some(it), _) => Tri::of(!it.is_empty()),
        (TestKind::Unary { letter: b'z', .. }, Some(it), _) => Tri::of(it.is_empty()),
        (TestKind::Unary { letter: b'n', .. }, Some(it), _) => Tri::of(!it.is_empty()),
        _ => Tri::Perhaps,
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
