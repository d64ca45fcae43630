//! Long texts do the same again and again: what was walked in the same state is not walked twice.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use belay_model::{Effect, Span};
use belay_shell::{Entry, Joiner, List, Tree};

use crate::machine::state::{Ends, State};
use crate::machine::walk::Walker;

/// Lists that have no more parts are walked part by part, so that each is told with its place.
const MANY: usize = 256;

/// So many parts of a list are remembered.
const KEPT: usize = 256;

/// The longest part that is remembered, in bytes.
const LONGEST: usize = 1024;

/// Parts of one list that were walked. Within it nothing differs between two walks but the state and what was told before:
/// a command may mean something else once another one ran.
#[derive(Default)]
pub(crate) struct Again<'t> {
    known: HashMap<&'t [u8], Known>,
    told: Told,
}

/// The different things that were told so far, wherever they stand.
#[derive(Default)]
struct Told {
    seen: HashSet<u64>,
    effects: usize,
    invocations: usize,
}

impl Told {
    /// Returns how many there are.
    fn count(&mut self, walker: &Walker<'_>) -> usize {
        let (effects, invocations) = (&walker.out.effects, &walker.out.invocations);
        for effect in effects.get(self.effects..).unwrap_or_default() {
            let anywhere = Effect {
                span: Span::default(),
                ..effect.clone()
            };
            self.seen.insert(hash(&anywhere));
        }
        for invocation in invocations.get(self.invocations..).unwrap_or_default() {
            self.seen.insert(hash(&invocation.argv));
        }
        (self.effects, self.invocations) = (effects.len(), invocations.len());
        self.seen.len() + walker.secrets.len()
    }
}

fn hash(it: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    it.hash(&mut hasher);
    hasher.finish()
}

/// A part of a list: what `&&` and `||` join.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a, 't> {
    pub(crate) tree: &'a Tree<'t>,
    pub(crate) chain: &'a [Entry],
}

/// What a part of a list was walked with, and what it left.
struct Known {
    before: State,
    /// How many different things were told before.
    told: usize,
    ends: Ends,
}

impl<'t> Again<'t> {
    /// Begins to remember the parts of a list, if there are many.
    pub(crate) fn of(tree: &Tree<'t>, list: List) -> Option<Box<Self>> {
        (tree.many(list).len() > MANY).then(Box::default)
    }
}

impl<'t> Part<'_, 't> {
    /// Returns the text of a part that says all of it. What a here-document holds stands elsewhere, and a job goes on.
    fn text(&self) -> Option<&'t [u8]> {
        let Self { tree, chain } = self;
        let (first, last) = (chain.first()?, chain.last()?);
        let alone = last.joiner != Joiner::Background;
        let (from, to) = (first.span.start as usize, last.span.end as usize);
        let text = tree.text().get(from..to).filter(|_| alone)?;
        let elsewhere = text.windows(2).any(|it| it == b"<<");
        (text.len() <= LONGEST && !elsewhere).then_some(text)
    }
}

impl Walker<'_> {
    /// Walks a part of a list, unless it was walked in the same state before: all that it does is told then.
    pub(crate) fn chain_once<'t>(
        &mut self,
        part: Part<'_, 't>,
        state: State,
        again: &mut Again<'t>,
    ) -> Ends {
        let Part { tree, chain } = part;
        let Some(text) = part.text().filter(|_| self.is_quiet(&state)) else {
            return self.chain(tree, chain, state);
        };
        let told = again.told.count(self);
        if let Some(known) = again.known.get(text)
            && known.told == told
            && known.before.is_like(&state)
        {
            return known.ends.clone();
        }
        let before = state.clone();
        let ends = self.chain(tree, chain, state);
        let lasts = !matches!(ends, Ends::Never) && self.is_quiet(&before);
        if lasts && (again.known.len() < KEPT || again.known.contains_key(text)) {
            let known = Known {
                before,
                told,
                ends: ends.clone(),
            };
            again.known.insert(text, known);
        }
        ends
    }

    /// Tells whether nothing waits beside what is walked: no job, no trap, no line that was given up.
    fn is_quiet(&self, state: &State) -> bool {
        let given_up = self.exits.last().is_some_and(|it| it.line.is_some());
        let stirs = state.haunted || !state.stirred.is_empty();
        self.jobs.is_empty() && !given_up && !stirs && state.traps.is_empty()
    }
}
