//! Simple commands: functions, builtins, programs.

use belay_model::{Carries, Effect, Verb};
use belay_shell::{Assignment, Many, Redirect, Tree, Word};

use crate::machine::above::{Program, Programs};
use crate::machine::builtins::Handled;
use crate::machine::calls::Callee;
use crate::machine::declared::assigns;
use crate::machine::descriptors::{Drank, End};
use crate::machine::forks::{forked, is_test, plain_names};
use crate::machine::options::Tri;
use crate::machine::posix::{is_special, outranks_functions};
use crate::machine::state::{Ends, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, CHOICES, Val};
use crate::machine::variable::Held;
use crate::machine::walk::Walker;

use crate::scene::{Invocation, Shell};

/// The longest path a system takes.
const LONGEST: usize = 4096;

/// Who runs a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// This shell: functions and builtins come first.
    Shell,
    /// This shell, told to look for no function.
    Beyond,
    /// A program: only other programs are found.
    Program,
}

/// Tells whether a builtin is also there as a program.
fn is_program_too(name: &str) -> bool {
    matches!(
        name,
        "echo" | "printf" | "pwd" | "test" | "[" | "true" | "false"
    )
}

/// Tells whether a builtin runs the command behind it as it would run without the builtin.
fn is_in_front(name: &str) -> bool {
    matches!(name, "command" | "builtin" | "noglob" | "nocorrect")
}

/// Tells whether bash may drop what stood before the command while it still runs: behind `builtin`, a list loses it after its
/// first command.
fn is_passed_on(args: &[Arg]) -> bool {
    args.first().and_then(Arg::text) == Some("builtin")
}

/// A simple command as it is written.
pub(crate) struct Simple {
    pub(crate) assignments: Many<Assignment>,
    pub(crate) words: Many<Word>,
    pub(crate) redirects: Many<Redirect>,
}

/// A simple command, and one of the ways in which its words may turn out.
struct Expanded<'a> {
    simple: &'a Simple,
    args: Vec<Arg>,
}

impl Walker<'_> {
    /// Walks a simple command.
    pub(crate) fn simple(&mut self, tree: &Tree<'_>, simple: &Simple, state: State) -> Ends {
        if !is_test(tree, simple.words) {
            let ends = self.simple_fork(tree, simple, state);
            return self.stops(ends);
        }
        let names: Vec<String> = tree
            .many(simple.words)
            .iter()
            .flat_map(|word| plain_names(tree, word))
            .collect();
        let mut ends = Ends::Never;
        for state in forked(state, &names) {
            let one = self.simple_fork(tree, simple, state);
            ends = ends.or(self.learns_from_words(tree, simple, one));
        }
        self.stops(ends)
    }

    /// Walks a simple command where its variables hold one of the values they may.
    fn simple_fork(&mut self, tree: &Tree<'_>, simple: &Simple, state: State) -> Ends {
        let before = (!is_static(tree, simple)).then(|| state.clone());
        let outer = std::mem::replace(&mut self.may_abort, false);
        let may_lack = |it: &&State| it.options.nounset.may() && !self.surely_set(tree, simple, it);
        if let Some(before) = before.as_ref().filter(may_lack) {
            self.fail_shell(before.clone());
        }
        let keyword = state.options.keyword.may() && has_keywords(tree, simple.words);
        let mut ends = self.simple_in(tree, simple, state);
        if keyword {
            ends = ends.map(|mut state| {
                state.forget_variables();
                state
            });
        }
        if let Some(before) = before
            && self.may_abort
        {
            let before = self.refused(before, None);
            self.leave_line(before.clone());
            ends = ends.or(Ends::Bad(before));
        }
        self.may_abort = outer;
        ends
    }

    /// Under `set -e` a failing command ends the shell.
    fn stops(&mut self, ends: Ends) -> Ends {
        if self.guarded > 0 {
            return ends;
        }
        if let Ends::Either(bad) | Ends::Bad(bad) = &ends
            && bad.options.errexit.may()
        {
            self.fail_shell(bad.clone());
        }
        if let Ends::Both(_, bad) = &ends
            && bad.options.errexit.may()
        {
            self.fail_shell(bad.clone());
        }
        match ends {
            Ends::Either(state) if state.options.errexit.must() => Ends::Ok(state),
            Ends::Bad(state) if state.options.errexit.must() => Ends::Never,
            Ends::Both(ok, bad) if bad.options.errexit.must() => Ends::Ok(ok),
            other @ (Ends::Either(_)
            | Ends::Ok(_)
            | Ends::Bad(_)
            | Ends::Both(..)
            | Ends::Never) => other,
        }
    }

    fn simple_in(&mut self, tree: &Tree<'_>, simple: &Simple, mut state: State) -> Ends {
        let mut ways = self.words(tree, simple.words, &mut state);
        if simple.redirects.is_empty() && ways.len() == 1 {
            let args = ways.pop().unwrap_or_default();
            return self.simple_once(tree, Expanded { simple, args }, state);
        }
        let before = state.clone();
        let made = self.redirects(tree, simple.redirects, &mut state);
        let led = made.may_fail.then(|| state.clone());
        let lasts = ways.iter().all(|it| is_bare_exec(it));
        self.fuel.repeats += u32::from(ways.len() > 1);
        let mut ends = Ends::Never;
        let mut apart = Tri::No;
        let count = ways.len();
        let assigns = ways.iter().any(Vec::is_empty);
        let special = |it: &Vec<Arg>| is_special(it.first().and_then(Arg::text));
        let ends_shell = self.scene.shell == Shell::Sh && ways.iter().any(special);
        for args in ways {
            ends = ends.or(self.simple_once(tree, Expanded { simple, args }, state.clone()));
            apart = apart.or(self.ran_apart);
        }
        self.fuel.repeats -= u32::from(count > 1);
        if !lasts {
            ends = ends.map(|mut state| {
                self.restore(&made, &mut state);
                state
            });
        }
        if apart.may() && made.expands {
            ends = ends.map(|state| before.beside(state));
        }
        if made.may_fail {
            let before = self.refused(before, led);
            if ends_shell {
                self.fail_shell(before.clone());
            }
            if assigns {
                ends = assigned_anyway(ends);
            }
            ends.or(Ends::Bad(before))
        } else {
            ends
        }
    }

    fn simple_once(&mut self, tree: &Tree<'_>, expanded: Expanded<'_>, mut state: State) -> Ends {
        let Expanded { simple, args } = expanded;
        if args.is_empty() {
            self.ran_apart = Tri::No;
            return self.only_assigns(tree, simple.assignments, state);
        }
        if simple.assignments.is_empty() {
            return self.invoke(args, state);
        }
        let told = self.out.effects.len();
        // In zsh the process that runs a program also expands what stands in front of it.
        let around = (self.scene.shell == Shell::Zsh).then(|| state.clone());
        let prefixes = self.prefixed(tree, simple.assignments, &mut state);
        let program = args.first().filter(|it| !it.many).and_then(Arg::text);
        self.forgive_flags(told, program, &state);
        let stays = self.keeps_prefix(&args, &state);
        self.lent.push(prefixes);
        if is_passed_on(&args) {
            state = self.left_behind(state);
        }
        let ends = self.invoke(args, state);
        let prefixes = self.lent.pop().unwrap_or_default();
        let ends = ends.map(|state| prefixes.taken_back(state, stays));
        match around.filter(|_| self.ran_apart.may()) {
            Some(around) => ends.map(|state| around.beside(state)),
            None => ends,
        }
    }

    /// Walks a command given as expanded words, in a process of its own; returns what it writes.
    pub(crate) fn command(&mut self, args: Vec<Arg>, state: &mut State, input: &Stream) -> Stream {
        self.fed(input, state, |walker, state| {
            let mut ends = Ends::Never;
            for way in ways_of(args) {
                ends = ends.or(walker.started(way, state.clone()));
            }
            ends
        })
    }

    /// Walks a command that a program starts: no function, and no builtin that only a shell has.
    pub(crate) fn started(&mut self, args: Vec<Arg>, state: State) -> Ends {
        self.invoked(args, By::Program, state)
    }

    /// Walks a command given as expanded words.
    pub(crate) fn invoke(&mut self, args: Vec<Arg>, state: State) -> Ends {
        self.invoked(args, By::Shell, state)
    }

    /// Walks a command given as expanded words that no function stands for: `command X`.
    pub(crate) fn invoke_beyond(&mut self, args: Vec<Arg>, state: State) -> Ends {
        self.invoked(args, By::Beyond, state)
    }

    fn invoked(&mut self, args: Vec<Arg>, by: By, state: State) -> Ends {
        let Some(first) = args.first() else {
            return Ends::Ok(state);
        };
        let at = first.span;
        if self.is_too_deep(&args) {
            return self.too_deep(args, state);
        }
        let Some(name) = first.text().filter(|_| !first.many).map(str::to_owned) else {
            return self.nameless(first.clone(), state);
        };
        let from = self.out.effects.len();
        let argv = args.iter().map(|it| it.text().map(str::to_owned)).collect();
        let count = args.len();
        let index = self.out.invocations.len();
        self.out.invocations.push(Invocation {
            argv,
            from,
            to: from,
            span: self.outer.unwrap_or(at),
            words: match self.outer {
                None => args.iter().map(|it| it.span).collect(),
                Some(_) => Vec::new(),
            },
            folder: state.cwd.clone().filter(|_| state.elsewhere.is_empty()),
            plain: state.leaves_alone(),
        });
        self.inside += 1;
        self.wrapped.words += count;
        let ends = match by {
            By::Shell => self.named_command(&name, args, state),
            By::Beyond => self.unnamed_by_function(&name, args, state),
            By::Program if is_program_too(&name) => self.unnamed_by_function(&name, args, state),
            By::Program => self.beside(&name, args, state),
        };
        self.inside -= 1;
        self.wrapped.words -= count;
        let to = self.out.effects.len();
        if let Some(it) = self.out.invocations.get_mut(index) {
            it.to = to;
        }
        ends
    }

    fn named_command(&mut self, name: &str, args: Vec<Arg>, mut state: State) -> Ends {
        let Some(function) = state.functions.get(name).cloned() else {
            return self.unnamed_by_function(name, args, state);
        };
        self.sets_arrays(&args, &mut state);
        let posix = self.scene.shell == Shell::Sh || state.options.posix.may();
        let otherwise = (function.perhaps || posix && outranks_functions(name))
            .then(|| self.unnamed_by_function(name, args.clone(), state.clone()));
        let ends = self.call(
            Callee {
                name,
                function: &function,
            },
            &args,
            state,
        );
        self.ran_apart = Tri::of(otherwise.is_some()).or(Tri::No);
        match otherwise {
            Some(other) => ends.or(other),
            None => ends,
        }
    }

    /// Walks a command that no function stands for.
    fn unnamed_by_function(&mut self, name: &str, args: Vec<Arg>, state: State) -> Ends {
        match self.builtin_of(name, &args, state) {
            Handled::Done(ends) => {
                let ends = self.fails_aloud(name, &args, ends);
                if !is_in_front(name) {
                    self.ran_apart = Tri::No;
                }
                ends
            }
            Handled::Not(state) => {
                let ends = self.external(name, args, state);
                self.ran_apart = Tri::Yes;
                ends
            }
        }
    }

    /// Walks a command that a program starts. Some systems have builtins as programs too: what they run counts, what they
    /// change is gone with them.
    fn beside(&mut self, name: &str, args: Vec<Arg>, state: State) -> Ends {
        let child = self.subshell(&state);
        let ends = self.in_shell(child, |walker, child| {
            walker.unnamed_by_function(name, args, child)
        });
        ends.map(|child| {
            let mut after = state.clone();
            after.after(child);
            after
        })
    }

    /// Runs a program.
    fn external(&mut self, name: &str, args: Vec<Arg>, mut state: State) -> Ends {
        let input = state.descriptors.input(0);
        self.drank = Drank::Part;
        let output = self.program(Program { name, args }, &mut state, &input);
        // Nothing is lost to whoever reads next where nothing was fed in, and then the state stays as it is.
        let fed = !matches!(state.descriptors.get(0), End::Terminal | End::Nothing);
        match self.drank {
            Drank::Nothing => {}
            Drank::Whole | Drank::Part if !fed => {}
            // Whoever writes to a pipe may be stopped in the middle.
            Drank::Whole if !matches!(state.descriptors.get(1), End::Out(_) | End::OneOf(_)) => {
                state.descriptors.take_line(0);
            }
            Drank::Whole | Drank::Part => state.descriptors.take(0),
        }
        if !self.fresh_links.is_empty() {
            for link in self.fresh_links.iter().filter(|it| it.sure) {
                state.files.link(&link.from);
            }
            state.links.append(&mut self.fresh_links);
        }
        self.deliver(1, output, &mut state);
        self.complains(&mut state);
        Ends::Either(state)
    }

    /// A command whose name is not known: it may change anything.
    fn nameless(&mut self, first: Arg, mut state: State) -> Ends {
        let labels = Carries::OUTSIDE.and(Carries::SECRET);
        let carries = first.val.carries.only(labels);
        if !carries.only(Carries::OUTSIDE).is_nothing() {
            self.emit(
                Effect::of(Verb::Eval, ["input"])
                    .carrying(carries)
                    .spanning(first.span),
            );
        }
        self.emit(Effect::of(Verb::Unknown, ["command", "?"]).spanning(first.span));
        self.ran_apart = Tri::Perhaps;
        state.forget();
        self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
        Ends::Either(state)
    }

    /// Changes the folder to a value.
    pub(crate) fn enter(&mut self, folder: &Val, state: &mut State) {
        let next = folder
            .text()
            .and_then(|it| self.absolute(it, state))
            .filter(|it| it.len() <= LONGEST);
        state.found = self.found_folder(folder, state).filter(|_| next.is_none());
        state.previous = state.cwd.take();
        state.cwd = next;
        state.elsewhere.clear();
        state.variables_moved();
    }
}

impl State {
    /// Returns the state after a command that may have run in a process of its own: what its redirections set is gone with
    /// it then. Where it did so the shells differ.
    fn beside(&self, child: Self) -> Self {
        let mut apart = self.clone();
        apart.after(child.clone());
        apart.or(child)
    }

    /// After a change of folder the shell sets these itself.
    pub(crate) fn variables_moved(&mut self) {
        for name in ["PWD", "OLDPWD"] {
            let Some(own) = self.variables.get_mut(name) else {
                continue;
            };
            if own.ways.readonly.may() {
                // What cannot be set stays, or it is set all the same.
                own.held = own.held.clone().or(&Held::anything());
            } else {
                self.variables.remove(name);
            }
        }
    }
}

/// Tells whether words behind a command's name look like assignments: under `set -k` that is what they are.
fn has_keywords(tree: &Tree<'_>, words: Many<Word>) -> bool {
    let mut words = tree.many(words).iter().skip(1);
    words.any(|it| assigns(tree, it))
}

/// Returns how a command ends that only assigns and whose redirection fails: it assigns all the same.
fn assigned_anyway(ends: Ends) -> Ends {
    let done = ends.look().0.cloned();
    ends.or(Ends::of(None, done))
}

/// Returns words as positional parameters.
pub(crate) fn given(args: &[Arg]) -> Held {
    let vals = args.iter().map(|it| it.val.clone());
    if args.iter().any(|it| it.many && !it.is_pattern()) {
        Held::any(Val::any_of(vals))
    } else {
        Held::row(vals.collect())
    }
}

/// Returns the words of a command once for each choice in them.
fn ways_of(args: Vec<Arg>) -> Vec<Vec<Arg>> {
    let count = args
        .iter()
        .fold(1_usize, |sum, it| sum.saturating_mul(it.val.each().len()));
    if count == 1 {
        return vec![args];
    }
    if count > CHOICES {
        let sum = |mut it: Arg| {
            it.val = it.val.summed_up();
            it
        };
        return vec![args.into_iter().map(sum).collect()];
    }
    let mut ways: Vec<Vec<Arg>> = vec![Vec::new()];
    for arg in args {
        let choices = arg.val.choices();
        ways = ways
            .iter()
            .flat_map(|way| {
                choices.iter().map(|choice| {
                    let mut way = way.clone();
                    way.push(Arg {
                        val: choice.clone(),
                        ..arg.clone()
                    });
                    way
                })
            })
            .collect();
    }
    ways
}

/// Tells whether nothing in a command is expanded.
fn is_static(tree: &Tree<'_>, simple: &Simple) -> bool {
    simple.assignments.is_empty()
        && simple.redirects.is_empty()
        && tree.many(simple.words).iter().all(|it| tree.is_static(it))
}

/// Tells whether words are `exec` without a command: its redirections last.
fn is_bare_exec(args: &[Arg]) -> bool {
    args.len() == 1 && args.first().and_then(Arg::text) == Some("exec")
}
