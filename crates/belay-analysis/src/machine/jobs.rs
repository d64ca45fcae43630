//! Commands in the background: they run on a copy of the shell, now or later.

use belay_model::{At, Span, Verb};
use belay_shell::{Entry, Tree};

use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::stream::Stream;
use crate::machine::value::Arg;
use crate::machine::walk::Nested;
use crate::machine::walk::{Walker, lossy, span};

/// So many commands in the background are looked at a second time.
const JOBS: usize = 64;

/// A command in the background.
pub(crate) struct Job {
    work: Work,
    outer: Span,
    begun: Begun,
}

/// What runs in the background.
enum Work {
    /// A text of the shell.
    Text(String),
    /// A command that a program starts and leaves behind.
    Words(Vec<Arg>),
}

/// How a command began that runs beside the shell.
pub(crate) struct Beginning {
    state: State,
    /// How many effects there were.
    from: usize,
    /// How often one was told, a second time too.
    told: u64,
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
        let beginning = self.beginning(&child);
        let ends = self.in_shell(child, |walker, child| walker.chain(tree, chain, child));
        if let (Some(first), Some(last)) = (chain.first(), chain.last()) {
            self.goes_on(tree, first.span.to(last.span), beginning);
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

    /// Says how a command begins that will run beside the shell.
    pub(crate) fn beginning(&self, child: &State) -> Beginning {
        Beginning {
            state: child.clone(),
            from: self.out.effects.len(),
            told: self.told,
        }
    }

    /// Tells whether it did more than look.
    pub(crate) fn acts_since(&self, beginning: &Beginning) -> bool {
        let told = self.out.effects.get(beginning.from..).unwrap_or_default();
        let acts = |it: &belay_model::Effect| !matches!(it.verb, Verb::Read | Verb::Probe);
        told.is_empty() && beginning.told != self.told || told.iter().any(acts)
    }

    /// Keeps a job, to look at it again when all files are known that it may meet.
    pub(crate) fn goes_on(
        &mut self,
        tree: &Tree<'_>,
        whole: belay_shell::Span,
        beginning: Beginning,
    ) {
        let work = Work::Text(lossy(tree.source(whole)));
        self.keep_job(work, span(whole), beginning);
    }

    /// Keeps a command that a program starts and leaves to itself.
    pub(crate) fn left_running(&mut self, words: Vec<Arg>, beginning: Beginning) {
        let at = words.first().map(|it| it.span).unwrap_or_default();
        self.keep_job(Work::Words(words), at, beginning);
    }

    fn keep_job(&mut self, work: Work, at: Span, beginning: Beginning) {
        let Beginning { state, from, told } = beginning;
        // What was told just before is not told again, but it is done.
        let silent = told == self.told;
        let reads = |it: &belay_model::Effect| {
            matches!(it.verb, Verb::Run | Verb::Eval | Verb::Read | Verb::Unknown)
        };
        let told = self.out.effects.get(from..).unwrap_or_default();
        if silent || self.at != At::Here || self.fuel.repeats > 8 {
            return;
        }
        let begun = Begun {
            state,
            reads: told.is_empty() || told.iter().any(reads),
        };
        let cannot_be_read = !self.quotable && matches!(work, Work::Text(_));
        if cannot_be_read || self.jobs.len() >= JOBS {
            if self.jobs.len() <= JOBS {
                self.limit("too many commands in the background", at);
            }
            return;
        }
        self.jobs.push(Job {
            work,
            outer: self.outer.unwrap_or(at),
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
            match &job.work {
                Work::Text(text) => {
                    let at = job.outer;
                    self.nested_at(Nested { text, at }, state, &Stream::nothing());
                }
                Work::Words(words) => {
                    self.command(words.clone(), state, &Stream::nothing());
                }
            }
            self.fuel.repeats -= 1;
        }
        self.jobs.clear();
    }
}
