//! Compound commands: branches, loops, functions.

use belay_model::TroubleKind;
use belay_shell::{
    Branch, Case, Command, CommandKind, For, Id, List, Many, Terminator, TestItem, TestKind, Tree,
};

use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::{Walker, lossy, span};

/// How many items of a loop are walked one by one.
const ROUNDS: usize = 64;

impl Walker<'_> {
    /// Walks one command of a pipeline.
    pub(crate) fn run(
        &mut self,
        tree: &Tree<'_>,
        command: &Command,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        if let CommandKind::Simple { assignments, words } = command.kind {
            return self.simple(tree, (command, assignments, words), state, input);
        }
        let (input, outlets) = self.redirects(tree, command.redirects, state, input);
        let output = self.compound(tree, command, state, &input);
        self.pour(&outlets, output, state)
    }

    fn compound(
        &mut self,
        tree: &Tree<'_>,
        command: &Command,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        match command.kind {
            CommandKind::Simple { .. } => Stream::nothing(),
            CommandKind::Subshell(list) => self.apart(tree, list, state, input),
            CommandKind::Group(list) => self.list(tree, list, state, input),
            CommandKind::If {
                branches,
                otherwise,
            } => self.branches(tree, (branches, otherwise), state, input),
            CommandKind::While(branch) | CommandKind::Until(branch) => {
                self.repeat(tree, branch, state, input)
            }
            CommandKind::For(id) | CommandKind::Select(id) => self.for_each(tree, id, state, input),
            CommandKind::ForArith(id) => {
                let it = tree.one(id);
                for arith in [it.init, it.condition, it.step] {
                    self.arith(tree, arith, state);
                }
                self.rounds(tree, it.body, state, input)
            }
            CommandKind::Case(id) => self.case(tree, id, state, input),
            CommandKind::Test(items) => {
                self.test(tree, items, state);
                Stream::nothing()
            }
            CommandKind::Arith(arith) => {
                self.arith(tree, arith, state);
                Stream::nothing()
            }
            CommandKind::Function(id) => {
                let function = tree.one(id);
                let name = self.word(tree, tree.one(function.name), state);
                let body = tree.one(function.body);
                let source = self.quotable.then(|| lossy(tree.source(body.span)));
                if let Some(name) = name.text() {
                    state.functions.insert(name.to_owned(), source);
                } else {
                    self.trouble(
                        TroubleKind::Unknown,
                        "a function whose name is not known",
                        span(command.span),
                    );
                }
                Stream::nothing()
            }
            CommandKind::Coproc(id) => {
                let coproc = tree.one(id);
                if let Some(name) = coproc.name {
                    self.word(tree, tree.one(name), state);
                }
                let mut inner = state.clone();
                self.run(tree, tree.one(coproc.body), &mut inner, &Stream::terminal());
                Stream::nothing()
            }
            CommandKind::Either(commands) => {
                let mut output = Stream::nothing();
                for command in tree.many(commands) {
                    let mut inner = state.clone();
                    output = output.then(self.run(tree, command, &mut inner, input));
                }
                output
            }
        }
    }

    fn branches(
        &mut self,
        tree: &Tree<'_>,
        (branches, otherwise): (Many<Branch>, List),
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let mut output = Stream::nothing();
        let mut after: Option<State> = None;
        for branch in tree.many(branches) {
            self.list(tree, branch.condition, state, input);
            let mut taken = state.clone();
            output = output.then(self.list(tree, branch.body, &mut taken, input));
            after = Some(match after {
                Some(before) => before.or(taken),
                None => taken,
            });
        }
        output = output.then(self.list(tree, otherwise, state, input));
        if let Some(after) = after {
            *state = std::mem::take(state).or(after);
        }
        known_only_alone(output)
    }

    fn repeat(
        &mut self,
        tree: &Tree<'_>,
        branch: Id<Branch>,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let branch = tree.one(branch);
        let before = state.clone();
        self.list(tree, branch.condition, state, input);
        let output = self.list(tree, branch.body, state, input);
        if settles(&before, state) {
            return known_only_alone(output);
        }
        *state = before.or(std::mem::take(state));
        self.list(tree, branch.condition, state, input);
        known_only_alone(output.then(self.list(tree, branch.body, state, input)))
    }

    /// Walks a loop body whose variables may change from round to round.
    fn rounds(&mut self, tree: &Tree<'_>, body: List, state: &mut State, input: &Stream) -> Stream {
        let before = state.clone();
        let output = self.list(tree, body, state, input);
        if settles(&before, state) {
            return known_only_alone(output);
        }
        *state = before.or(std::mem::take(state));
        known_only_alone(output.then(self.list(tree, body, state, input)))
    }

    fn for_each(
        &mut self,
        tree: &Tree<'_>,
        id: Id<For>,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let it = tree.one(id);
        let name = lossy(tree.bytes(it.name));
        let items: Vec<Val> = match it.items {
            Some(words) => self
                .words(tree, words, state)
                .into_iter()
                .map(|arg| arg.val)
                .collect(),
            None => state
                .positional
                .clone()
                .unwrap_or_else(|| vec![Val::unknown()]),
        };
        for item in &items {
            self.armed(item, state);
        }
        let one_by_one =
            items.len() <= ROUNDS && self.fuel as usize > items.len() * tree.many(it.body).len();
        if !one_by_one {
            state.set(&name, summary(&items));
            return self.rounds(tree, it.body, state, input);
        }
        let mut output = Stream::nothing();
        for item in items {
            self.fuel = self
                .fuel
                .saturating_sub(u32::try_from(it.body.len()).unwrap_or(u32::MAX));
            state.set(&name, item);
            output = output.then(self.list(tree, it.body, state, input));
        }
        output
    }

    fn case(&mut self, tree: &Tree<'_>, id: Id<Case>, state: &mut State, input: &Stream) -> Stream {
        let case = tree.one(id);
        self.word(tree, tree.one(case.subject), state);
        let mut output = Stream::nothing();
        let mut after = state.clone();
        let mut falls: Option<State> = None;
        for arm in tree.many(case.arms) {
            for pattern in tree.many(arm.patterns) {
                self.word(tree, pattern, state);
            }
            let mut taken = match falls.take() {
                Some(before) => state.clone().or(before),
                None => state.clone(),
            };
            output = output.then(self.list(tree, arm.body, &mut taken, input));
            if matches!(arm.terminator, Terminator::FallThrough) {
                falls = Some(taken.clone());
            }
            after = after.or(taken);
        }
        *state = after;
        known_only_alone(output)
    }

    fn test(&mut self, tree: &Tree<'_>, items: Many<TestItem>, state: &mut State) {
        for item in tree.many(items) {
            let operands: Vec<Val> = match item.kind {
                TestKind::Open | TestKind::Close | TestKind::Not | TestKind::And | TestKind::Or => {
                    Vec::new()
                }
                TestKind::Word(word) | TestKind::Unary { operand: word, .. } => {
                    vec![self.word(tree, tree.one(word), state)]
                }
                TestKind::Binary { operands, .. } => tree
                    .many(operands)
                    .iter()
                    .map(|it| self.word(tree, it, state))
                    .collect(),
            };
            for operand in operands {
                if item.kind.evaluates() {
                    self.evaluated(&operand, state, span(item.span));
                } else if item.kind.names_variable() {
                    self.named(&operand, state, span(item.span));
                }
            }
        }
    }

    /// Calls a function.
    pub(crate) fn call(
        &mut self,
        (name, body): (&str, Option<String>),
        args: &[Arg],
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let at = args.first().map(|it| it.span).unwrap_or_default();
        let Some(body) = body else {
            self.trouble(
                TroubleKind::Unknown,
                format!("the function `{name}` cannot be read"),
                at,
            );
            return Stream::labelled(belay_model::Carries::UNKNOWN);
        };
        if self.calls.iter().any(|it| it == name) || self.fuel == 0 {
            if self.fuel == 0 {
                self.trouble(TroubleKind::Limit, "too many calls of functions", at);
            } else {
                self.trouble(
                    TroubleKind::Unknown,
                    format!("the function `{name}` calls itself"),
                    at,
                );
            }
            return Stream::labelled(belay_model::Carries::UNKNOWN);
        }
        self.fuel -= 1;
        self.calls.push(name.to_owned());
        let positional = args.iter().skip(1).map(|it| it.val.clone()).collect();
        let before = state.positional.replace(positional);
        let output = self.nested_at(&body, at, state, input);
        state.positional = before;
        self.calls.pop();
        output
    }
}

/// Tells whether a second round of a loop would see nothing new.
fn settles(before: &State, after: &State) -> bool {
    before.variables == after.variables
        && before.cwd == after.cwd
        && before.functions.len() == after.functions.len()
}

/// The output of one way among several is not known as a text.
fn known_only_alone(output: Stream) -> Stream {
    let silent = output.text.as_ref().is_some_and(|it| it.text() == Some(""));
    if silent {
        return output;
    }
    Stream {
        text: None,
        carries: output.carries,
        paths: output.paths,
    }
}

/// Returns what all of many values have in common.
fn summary(items: &[Val]) -> Val {
    let mut all = items.iter();
    let Some(first) = all.next() else {
        return Val::known("");
    };
    let carries = items
        .iter()
        .fold(first.carries, |sum, it| sum.and(it.carries));
    let plain = |it: &Val| {
        it.text().is_some_and(|text| {
            text.contains(char::is_alphanumeric) && !text.contains(['/', '-', '~'])
        })
    };
    if items.iter().all(plain) {
        return Val::glob("[[:word:]]*").carrying(carries);
    }
    Val::unknown().carrying(carries)
}
