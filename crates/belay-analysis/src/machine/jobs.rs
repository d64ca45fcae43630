//! Commands in the background: they run on a copy of the shell, now or later.

use belay_model::{At, Span, Verb};
use belay_shell::{Entry, Tree};

use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::stream::Stream;
use crate::machine::walk::Nested;
use crate::machine::walk::{Walker, lossy, span};

/// So many commands in the background are looked at a second time.
const JOBS: usize = 64;

/// A command in the background.
pub(crate) struct Job {
    text: String,
    outer: Span,
    begun: Begun,
}

/// How a command in the background began.
struct Begun {
    state: State,
    /// Whether files that others write may change what it does.
    reads: bool,
}

impl Walker<'_> {
    /// Walks a chain that runs beside what follows.
    pub(crate) fn background(
        &mut self,
        tree: &Tree<'_>,
        chain: &[Entry],
        mut state: State,
    ) -> Ends {
        let mut child = self.subshell(&state);
        child
            .descriptors
            .lead(0, crate::machine::descriptors::End::Nothing);
        let begun_in = child.clone();
        let from = self.out.effects.len();
        let ends = self.in_shell(child, |walker, child| walker.chain(tree, chain, child));
        let reads = |it: &belay_model::Effect| {
            matches!(it.verb, Verb::Run | Verb::Eval | Verb::Read | Verb::Unknown)
        };
        let told = self.out.effects.get(from..).unwrap_or_default();
        if !told.is_empty() {
            let begun = Begun {
                state: begun_in,
                reads: told.iter().any(reads),
            };
            self.later(tree, chain, begun);
        }
        if let Some(child) = ends.any() {
            // It may not have come to anything yet.
            let before = state.clone();
            state.after(child);
            state = before.or(state);
        }
        state.has_job = Tri::Yes;
        Ends::Ok(state)
    }

    /// Keeps a job, to look at it again when all files are known that it may meet.
    fn later(&mut self, tree: &Tree<'_>, chain: &[Entry], begun: Begun) {
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
            return;
        };
        if self.at != At::Here || self.fuel.repeats > 8 {
            return;
        }
        let whole = first.span.to(last.span);
        let text = lossy(tree.source(whole));
        if !self.quotable || self.jobs.len() >= JOBS {
            if self.jobs.len() <= JOBS {
                self.limit("too many commands in the background", span(whole));
            }
            return;
        }
        self.jobs.push(Job {
            text,
            outer: self.outer.unwrap_or_else(|| span(whole)),
            begun,
        });
    }

    /// Looks at jobs again, with what the rest of the text wrote.
    pub(crate) fn jobs_later(&mut self, end: &State) {
        for mut job in std::mem::take(&mut self.jobs) {
            let Begun { state, reads } = &mut job.begun;
            // What only changes places is led elsewhere by links alone.
            let written = *reads && state.files != end.files;
            if !written && state.leads_like(end) {
                continue;
            }
            state.led_too(end);
            state.files = state.files.clone().or(end.files.clone());
            self.fuel.repeats += 1;
            self.nested_at(
                Nested {
                    text: &job.text,
                    at: job.outer,
                },
                state,
                &Stream::nothing(),
            );
            self.fuel.repeats -= 1;
        }
        self.jobs.clear();
    }
}
