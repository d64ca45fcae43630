//! Simple commands: functions, builtins, programs.

use belay_model::{Carries, Effect, Verb};
use belay_shell::{Assignment, Command, Many, Tree, Word};

use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;
use crate::scene::Invocation;

/// The longest path a system takes.
const LONGEST: usize = 4096;

impl Walker<'_> {
    /// Walks a simple command.
    pub(crate) fn simple(
        &mut self,
        tree: &Tree<'_>,
        (command, assignments, words): (&Command, Many<Assignment>, Many<Word>),
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let args = self.words(tree, words, state);
        let assigned = self.assignments(tree, assignments, state);
        let (input, outlets) = self.redirects(tree, command.redirects, state, input);
        if args.is_empty() {
            self.set(assigned, state);
            return self.pour(&outlets, Stream::nothing(), state);
        }
        let before: Vec<_> = assigned
            .iter()
            .map(|(name, ..)| (name.clone(), state.variables.get(name).cloned()))
            .collect();
        self.set(assigned, state);
        let output = self.command(args, state, &input);
        for (name, val) in before {
            match val {
                Some(val) => state.variables.insert(name, val),
                None => state.variables.remove(&name),
            };
        }
        self.pour(&outlets, output, state)
    }

    /// Walks a command given as expanded words.
    pub(crate) fn command(&mut self, args: Vec<Arg>, state: &mut State, input: &Stream) -> Stream {
        let Some(first) = args.first() else {
            return Stream::nothing();
        };
        if self.inside >= crate::machine::walk::WRAPPERS {
            let span = first.span;
            self.trouble(
                belay_model::TroubleKind::Limit,
                "too many commands in front of a command",
                span,
            );
            return Stream::labelled(Carries::UNKNOWN);
        }
        let from = self.out.effects.len();
        let span = self.outer.unwrap_or(first.span);
        let Some(name) = first.text().map(str::to_owned) else {
            return self.nameless(first.clone());
        };
        let argv = args.iter().map(|it| it.text().map(str::to_owned)).collect();
        let at = self.out.invocations.len();
        self.out.invocations.push(Invocation {
            argv,
            from,
            to: from,
            span,
        });
        self.inside += 1;
        let output = self.named_command(&name, args, state, input);
        self.inside -= 1;
        let to = self.out.effects.len();
        if let Some(it) = self.out.invocations.get_mut(at) {
            it.to = to;
        }
        output
    }

    fn named_command(
        &mut self,
        name: &str,
        args: Vec<Arg>,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        if let Some(body) = state.functions.get(name).cloned() {
            return self.call((name, body), &args, state, input);
        }
        if let Some(output) = self.builtin(name, &args, state, input) {
            return output;
        }
        self.program(name, args, state, input)
    }

    /// A command whose name is not known.
    fn nameless(&mut self, first: Arg) -> Stream {
        let mut carries = Carries::NOTHING;
        for label in [Carries::FETCHED, Carries::SECRET] {
            if first.val.carries.holds(label) {
                carries = carries.and(label);
            }
        }
        if carries.holds(Carries::FETCHED) {
            self.emit(
                Effect::of(Verb::Eval, ["input"])
                    .carrying(carries)
                    .spanning(first.span),
            );
        }
        self.emit(Effect::of(Verb::Unknown, ["command", "?"]).spanning(first.span));
        Stream::labelled(Carries::UNKNOWN)
    }

    /// Changes the folder to a value.
    pub(crate) fn enter(&mut self, folder: &Val, state: &mut State) {
        let next = folder
            .text()
            .and_then(|it| self.absolute(it, state))
            .filter(|it| it.len() <= LONGEST);
        state.previous = state.cwd.take();
        state.cwd = next;
    }
}
