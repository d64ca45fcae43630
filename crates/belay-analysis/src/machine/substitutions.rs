//! Substitutions: commands whose output takes their place, or that a file stands for.

use belay_model::Carries;
use belay_shell::{CommandForm, Direction, List, Tree};

use crate::machine::state::State;
use crate::machine::stream::Fed;
use crate::machine::stream::Stream;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// Commands whose output takes their place.
#[derive(Clone, Copy)]
pub(crate) struct Substitution {
    pub(crate) form: CommandForm,
    pub(crate) list: List,
}

/// Commands that a file stands for.
#[derive(Clone, Copy)]
pub(crate) struct Process {
    pub(crate) direction: Direction,
    pub(crate) list: List,
}

impl Walker<'_> {
    pub(crate) fn substitution(
        &mut self,
        tree: &Tree<'_>,
        substitution: Substitution,
        state: &mut State,
    ) -> Val {
        let Substitution { form, list } = substitution;
        let (ok, bad) = self.substituted(tree, Substitution { form, list }, state);
        match (ok, bad) {
            (Some(ok), Some(bad)) => ok.or(&bad),
            (Some(it), None) | (None, Some(it)) => it,
            (None, None) => Val::known(""),
        }
    }

    /// Runs a substitution; returns what it gives when it succeeds, and when it fails.
    pub(crate) fn substituted(
        &mut self,
        tree: &Tree<'_>,
        substitution: Substitution,
        state: &mut State,
    ) -> (Option<Val>, Option<Val>) {
        let Substitution { form, list } = substitution;
        let quotable = self.quotable;
        self.quotable &= form != CommandForm::Backtick;
        let out = match form {
            CommandForm::Dollar | CommandForm::Backtick => {
                match self.file_read(tree, list, state) {
                    // Where the file cannot be read nothing comes, and the command fails.
                    Some(stream) => (Some(stream.captured()), Some(Val::known(""))),
                    None => self.captured_apart(tree, list, state),
                }
            }
            CommandForm::Brace => {
                // Where the shell does not know this form, the line is given up.
                self.may_abort = true;
                let stream = self.captured(state, |walker, state| walker.list(tree, list, state));
                (Some(stream.captured()), None)
            }
        };
        self.quotable = quotable;
        out
    }

    /// Runs commands beside the one that a file of theirs is given to; they may go on behind it.
    pub(crate) fn process(&mut self, tree: &Tree<'_>, process: Process, state: &mut State) -> Val {
        let child = self.subshell(state);
        let beginning = self.beginning(&child);
        let val = self.process_file(tree, process, state);
        let entries = tree.many(process.list);
        if let (Some(first), Some(last)) = (entries.first(), entries.last())
            && self.quotable
            && self.acts_since(&beginning)
        {
            self.goes_on(tree, first.span.to(last.span), beginning);
        }
        val
    }

    fn process_file(&mut self, tree: &Tree<'_>, process: Process, state: &mut State) -> Val {
        let Process { direction, list } = process;
        self.pipes += 1;
        let path = format!("/dev/fd/{}", 1000 + self.pipes);
        if tree.many(list).is_empty() {
            // For nothing at all some shells make no file.
            return Val::known(path).or(&Val::known(""));
        }
        match direction {
            Direction::Input => {
                let output = match self.file_read(tree, list, state) {
                    Some(stream) => stream,
                    None => self.caught_apart(tree, list, state),
                };
                let carries = output.carries;
                let text = output.text.as_ref().and_then(Val::text).map(str::to_owned);
                let note = crate::machine::files::Note {
                    carries,
                    copied: text.is_none(),
                    text,
                    perhaps: false,
                    built: false,
                    linked: false,
                    number: None,
                    came: None,
                };
                if !output.paths.is_empty() {
                    self.listings.insert(path.clone(), output.paths);
                }
                state.files.insert(path.clone(), note);
                Val::known(path).carrying(carries)
            }
            Direction::Output => {
                let input = Stream::labelled(Carries::UNKNOWN);
                self.fed_apart(tree, Fed { list, input }, state);
                Val::known(path)
            }
        }
    }
}
