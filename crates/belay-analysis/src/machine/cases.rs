//! `case`: which arms a subject may lead to.

use belay_shell::{Arm, Case, Id, Terminator, Tree};

use crate::machine::forks::{forked, plain_names};
use crate::machine::learned::{About, about, literal};
use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::value::Val;
use crate::machine::walk::Walker;

/// What has become of a subject so far.
struct Matching {
    subject: Val,
    /// The parameter that the subject is.
    about: Option<About>,
    /// The state of those that no arm took yet.
    open: Option<State>,
    /// The state before any arm.
    before: State,
    /// The state of those that fell through from the arm before.
    falls: Option<State>,
    ends: Ends,
}

/// An arm, and the subject that it may take.
#[derive(Clone, Copy)]
struct Taking<'a> {
    arm: &'a Arm,
    subject: &'a Val,
}

/// An arm that may be entered, and the parameter that its `case` asks about.
#[derive(Clone, Copy)]
struct Entering<'a> {
    arm: &'a Arm,
    about: &'a About,
}

impl Walker<'_> {
    /// Walks a `case`, once for each text that the variables of its subject may hold.
    pub(crate) fn case(&mut self, tree: &Tree<'_>, id: Id<Case>, state: State) -> Ends {
        let names = plain_names(tree, tree.one(tree.one(id).subject));
        let mut ends = Ends::Never;
        for state in forked(state, &names) {
            ends = ends.or(self.case_of(tree, tree.one(id), state));
        }
        ends
    }

    fn case_of(&mut self, tree: &Tree<'_>, case: &Case, mut state: State) -> Ends {
        let subject = self.word(tree, tree.one(case.subject), &mut state);
        let mut matching = Matching {
            subject,
            about: about(tree, tree.one(case.subject), false),
            open: Some(state.clone()),
            before: state,
            falls: None,
            ends: Ends::Never,
        };
        for arm in tree.many(case.arms) {
            matching = self.arm(tree, arm, matching);
        }
        let Matching {
            open, falls, ends, ..
        } = matching;
        let ends = match falls {
            Some(state) => ends.or(Ends::Either(state)),
            None => ends,
        };
        match open {
            Some(state) => ends.or(Ends::Ok(state)),
            None => ends,
        }
    }

    fn arm(&mut self, tree: &Tree<'_>, arm: &Arm, mut matching: Matching) -> Matching {
        let open = matching.open.clone();
        let mut state = open.unwrap_or_else(|| matching.before.clone());
        let takes = self.takes(
            tree,
            Taking {
                arm,
                subject: &matching.subject,
            },
            &mut state,
        );
        matching.open = matching.open.map(|_| state.clone());
        let mut entered = matching.open.clone().filter(|_| takes.may());
        if let (Some(state), Some(about), Tri::Perhaps) = (&mut entered, &matching.about, takes) {
            self.learns_arm(tree, Entering { arm, about }, state);
        }
        if takes.must() {
            matching.open = None;
        }
        let Some(entered) = State::either(entered, matching.falls.take()) else {
            // Nothing comes here, but what is written here counts.
            self.unreached(tree, arm.body, state);
            return matching;
        };
        let ends = self.list(tree, arm.body, entered);
        match arm.terminator {
            Terminator::Break => matching.ends = matching.ends.or(ends),
            Terminator::FallThrough => matching.falls = ends.any(),
            Terminator::TestNext => {
                if let Some(after) = ends.any() {
                    matching.open = State::either(matching.open, Some(after.clone()));
                    matching.ends = matching.ends.or(Ends::Either(after));
                }
            }
        }
        matching
    }

    /// Narrows the subject to the texts that an arm is for.
    fn learns_arm(&self, tree: &Tree<'_>, entering: Entering<'_>, state: &mut State) {
        let texts = tree.many(entering.arm.patterns).iter();
        let texts: Option<Vec<Val>> = texts.map(|it| literal(tree, it).map(Val::known)).collect();
        if let Some(texts) = texts.filter(|it| !it.is_empty() && self.is_exact(state)) {
            self.learns(entering.about, Val::any_of(texts), state);
        }
    }

    /// Tells whether one of an arm's patterns matches the subject.
    fn takes(&mut self, tree: &Tree<'_>, taking: Taking<'_>, state: &mut State) -> Tri {
        let Taking { arm, subject } = taking;
        let mut sum = Tri::No;
        for pattern in tree.many(arm.patterns) {
            let pattern = self.pattern(tree, pattern, state);
            let takes = self.fits(pattern.as_deref(), subject, state);
            sum = match (sum, takes) {
                (Tri::Yes, _) | (_, Tri::Yes) => Tri::Yes,
                (Tri::No, Tri::No) => Tri::No,
                (Tri::No | Tri::Perhaps, Tri::No | Tri::Perhaps) => Tri::Perhaps,
            };
        }
        sum
    }
}
