//! Compound commands: branches, loops, functions.

use std::rc::Rc;

use belay_model::TroubleKind;
use belay_shell::{
    Branch, Case, Command, CommandKind, Coproc, For, Function as Defined, Id, List, Many,
    Terminator, TestItem, TestKind, Tree,
};

use crate::machine::options::Tri;
use crate::machine::state::{Ends, Function, State, Trap};
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::variables::Setting;
use crate::machine::walk::{Round, Walker, lossy, span};

/// How many items of a loop are walked one by one.
const ITEMS: usize = 64;

/// After so many rounds that bring something new a loop is summed up.
const ROUNDS: u32 = 3;

/// So many functions are known one by one.
const FUNCTIONS: usize = 512;

/// Which ways out of a condition lead into the body of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum While {
    Succeeds,
    Fails,
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
        if command.redirects.is_empty() {
            return self.compound(tree, command, state);
        }
        let before = state.clone();
        let made = self.redirects(tree, command.redirects, &mut state);
        let ends = self.compound(tree, command, state);
        let ends = ends.map(|mut state| {
            self.restore(&made, &mut state);
            state
        });
        if made.may_fail {
            ends.or(Ends::Bad(before))
        } else {
            ends
        }
    }

    fn compound(&mut self, tree: &Tree<'_>, command: &Command, mut state: State) -> Ends {
        match command.kind {
            CommandKind::Simple { .. } => Ends::Ok(state),
            CommandKind::Subshell(list) => self.apart(tree, list, state),
            CommandKind::Group(list) => self.list(tree, list, state),
            CommandKind::If {
                branches,
                otherwise,
            } => self.branches(tree, (branches, otherwise), state),
            CommandKind::While(branch) => self.repeat(tree, (branch, While::Succeeds), state),
            CommandKind::Until(branch) => self.repeat(tree, (branch, While::Fails), state),
            CommandKind::For(id) => self.for_each(tree, id, state),
            CommandKind::Select(id) => self.select(tree, id, state),
            CommandKind::ForArith(id) => {
                let it = tree.one(id);
                self.arith(tree, it.init, &mut state);
                self.arith(tree, it.condition, &mut state);
                self.looped(state, |walker, mut state| {
                    walker.arith(tree, it.condition, &mut state);
                    let left = state.clone();
                    let body = walker.round(|walker| walker.list(tree, it.body, state));
                    let body = body.map(|mut state| {
                        walker.arith(tree, it.step, &mut state);
                        state
                    });
                    (Some(left), body)
                })
            }
            CommandKind::Case(id) => self.case(tree, id, state),
            CommandKind::Test(items) => self.test(tree, items, state),
            CommandKind::Arith(arith) => {
                self.arith(tree, arith, &mut state);
                Ends::Either(state)
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
        let exported = state.functions.get(name).is_some_and(|it| it.exported);
        let function = Function {
            bodies: vec![source],
            perhaps: false,
            exported,
        };
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

    fn branches(
        &mut self,
        tree: &Tree<'_>,
        (branches, otherwise): (Many<Branch>, List),
        state: State,
    ) -> Ends {
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
    fn unreached(&mut self, tree: &Tree<'_>, list: List, state: State) {
        self.guard(true, |walker| walker.list(tree, list, state));
    }

    fn repeat(
        &mut self,
        tree: &Tree<'_>,
        (branch, goes_on): (Id<Branch>, While),
        state: State,
    ) -> Ends {
        let branch = tree.one(branch);
        self.looped(state, |walker, state| {
            let condition = walker.guard(true, |walker| walker.list(tree, branch.condition, state));
            let (ok, bad) = condition.parts();
            let (enters, leaves) = match goes_on {
                While::Succeeds => (ok, bad),
                While::Fails => (bad, ok),
            };
            let body = match (enters, &leaves) {
                (Some(state), _) => walker.round(|walker| walker.list(tree, branch.body, state)),
                (None, Some(state)) => {
                    walker.unreached(tree, branch.body, state.clone());
                    Ends::Never
                }
                (None, None) => Ends::Never,
            };
            (leaves, body)
        })
    }

    /// Walks one round of a loop, with those that go on to the next.
    fn round(&mut self, body: impl FnOnce(&mut Self) -> Ends) -> Ends {
        let ends = body(self);
        match self.rounds.last_mut().and_then(|it| it.continued.take()) {
            Some(state) => ends.or(Ends::Either(state)),
            None => ends,
        }
    }

    /// Walks a loop until another round brings nothing new. A round returns the state that leaves the loop, and how its body ended.
    fn looped(
        &mut self,
        state: State,
        mut round: impl FnMut(&mut Self, State) -> (Option<State>, Ends),
    ) -> Ends {
        self.rounds.push(Round::default());
        let mut head = state;
        let mut left: Option<State> = None;
        let mut count = 0;
        loop {
            let (leaves, body) = round(self, head.clone());
            left = State::either(left, leaves);
            let Some(after) = body.any() else { break };
            let mut next = head.clone().or(after);
            if next == head {
                break;
            }
            if !self.fuel.may_repeat() {
                next.forget();
                left = State::either(left, Some(next));
                break;
            }
            if count == 0 {
                self.fuel.repeats += 1;
            }
            count += 1;
            if count >= ROUNDS {
                next = next.widened(&head);
            }
            if count > ROUNDS * 4 {
                next.forget();
                left = State::either(left, Some(next));
                break;
            }
            head = next;
        }
        self.fuel.repeats -= u32::from(count > 0);
        let broken = self.rounds.pop().and_then(|it| it.broken);
        match State::either(left, broken) {
            Some(state) => Ends::Either(state),
            None => Ends::Never,
        }
    }

    fn for_each(&mut self, tree: &Tree<'_>, id: Id<For>, mut state: State) -> Ends {
        let it = tree.one(id);
        let name = lossy(tree.bytes(it.name));
        let at = it.items.map_or_else(belay_model::Span::default, |words| {
            tree.many(words)
                .first()
                .map_or_else(belay_model::Span::default, |word| span(word.span))
        });
        let (items, any) = self.items(tree, it, &mut state);
        for item in &items {
            self.armed(item, &mut state);
        }
        let few = items.len() <= ITEMS && (items.len() <= 1 || self.fuel.may_repeat());
        if !any && few {
            return self.one_by_one(tree, (it, name, at), (items, state));
        }
        let val = if items.len() > crate::machine::value::CHOICES {
            summary(&items)
        } else {
            Val::any_of(items)
        };
        self.looped(state, |walker, state| {
            let mut inner = state.clone();
            walker.assign(Setting::one(name.clone(), val.clone()), &mut inner, at);
            let body = walker.round(|walker| walker.list(tree, it.body, inner));
            (Some(state), body)
        })
    }

    /// Returns what a loop goes through, and whether there may be any number of it.
    fn items(&mut self, tree: &Tree<'_>, it: &For, state: &mut State) -> (Vec<Val>, bool) {
        let Some(words) = it.items else {
            return match &*state.positional {
                Held::One(val) => (vec![val.clone()], false),
                Held::List(vals) => (vals.clone(), false),
                Held::Any(it) => (vec![it.values.clone()], true),
            };
        };
        let ways = self.words(tree, words, state);
        if let [args] = ways.as_slice() {
            let any = args.iter().any(|it| it.many || it.is_pattern());
            return (args.iter().map(|it| it.val.clone()).collect(), any);
        }
        let all = ways.into_iter().flatten().map(|it| it.val);
        (all.collect(), true)
    }

    fn one_by_one(
        &mut self,
        tree: &Tree<'_>,
        (it, name, at): (&For, String, belay_model::Span),
        (items, state): (Vec<Val>, State),
    ) -> Ends {
        self.rounds.push(Round::default());
        let repeats = u32::from(items.len() > 1);
        self.fuel.repeats += repeats;
        let mut left = Some(state);
        let mut walked = false;
        for item in items {
            let Some(mut state) = left.take() else { break };
            self.assign(Setting::one(name.clone(), item), &mut state, at);
            let body = self.round(|walker| walker.list(tree, it.body, state));
            walked = true;
            left = body.any();
        }
        self.fuel.repeats -= repeats;
        let broken = self.rounds.pop().and_then(|it| it.broken);
        match (State::either(left, broken), walked) {
            (Some(state), true) => Ends::Either(state),
            (Some(state), false) => Ends::Ok(state),
            (None, _) => Ends::Never,
        }
    }

    fn select(&mut self, tree: &Tree<'_>, id: Id<For>, mut state: State) -> Ends {
        let it = tree.one(id);
        let name = lossy(tree.bytes(it.name));
        let (items, _) = self.items(tree, it, &mut state);
        let val = Val::any_of(items).or(&Val::known(""));
        let at = belay_model::Span::default();
        self.looped(state, |walker, state| {
            let mut inner = state.clone();
            walker.assign(Setting::one("REPLY", Val::unknown()), &mut inner, at);
            walker.assign(Setting::one(name.clone(), val.clone()), &mut inner, at);
            let body = walker.round(|walker| walker.list(tree, it.body, inner));
            (Some(state), body)
        })
    }

    fn case(&mut self, tree: &Tree<'_>, id: Id<Case>, mut state: State) -> Ends {
        let case = tree.one(id);
        self.word(tree, tree.one(case.subject), &mut state);
        let mut out = Ends::Never;
        let mut falls: Option<State> = None;
        let mut catches_all = false;
        for arm in tree.many(case.arms) {
            for pattern in tree.many(arm.patterns) {
                let val = self.word(tree, pattern, &mut state);
                catches_all |=
                    val.text() == Some("*") && tree.many(pattern.parts).iter().all(|it| !it.quoted);
            }
            let entered = State::either(Some(state.clone()), falls.take());
            let Some(entered) = entered else { continue };
            let ends = self.list(tree, arm.body, entered);
            match arm.terminator {
                Terminator::Break => out = out.or(ends),
                Terminator::FallThrough => falls = ends.any(),
                Terminator::TestNext => {
                    let after = ends.any();
                    if let Some(after) = after {
                        state = state.or(after.clone());
                        out = out.or(Ends::Either(after));
                    }
                }
            }
        }
        if let Some(state) = falls {
            out = out.or(Ends::Either(state));
        }
        if catches_all {
            out
        } else {
            out.or(Ends::Ok(state))
        }
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
                    names.extend(crate::machine::simple::plain_names(tree, tree.one(word)));
                }
                TestKind::Binary { operands, .. } => {
                    for word in tree.many(operands) {
                        names.extend(crate::machine::simple::plain_names(tree, word));
                    }
                }
                TestKind::Open | TestKind::Close | TestKind::Not | TestKind::And | TestKind::Or => {
                }
            }
        }
        crate::machine::simple::forked(state, &names)
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

/// Returns what all of many values have in common.
fn summary(items: &[Val]) -> Val {
    let carries = items
        .iter()
        .fold(belay_model::Carries::NOTHING, |sum, it| sum.and(it.carries));
    let plain = |it: &Val| {
        it.text().is_some_and(|text| {
            text.starts_with(|c: char| c.is_ascii_alphanumeric())
                && text
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
                && text != ".."
        })
    };
    if items.iter().all(plain) {
        return Val::name().carrying(carries);
    }
    Val::any_of(items.iter().cloned()).summed_up()
}
