//! Loops: round after round, until another brings nothing new.

use belay_shell::{Branch, For, Id, Tree};

use crate::machine::state::{Ends, State};
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::variables::Setting;
use crate::machine::walk::{Round, Walker, lossy, span};

/// How many items of a loop are walked one by one.
const ITEMS: usize = 64;

/// After so many rounds that bring something new a loop is summed up.
const ROUNDS: u32 = 3;

/// Which ways out of a condition lead into the body of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum While {
    Succeeds,
    Fails,
}

/// A loop that goes on while its condition ends in a certain way.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    pub(crate) branch: Id<Branch>,
    pub(crate) goes_on: While,
}

/// A loop over so few items that each is walked on its own.
struct Few<'a> {
    it: &'a For,
    name: String,
    at: belay_model::Span,
    items: Vec<Val>,
}

impl Walker<'_> {
    pub(crate) fn repeat(&mut self, tree: &Tree<'_>, rounds: Rounds, state: State) -> Ends {
        let Rounds { branch, goes_on } = rounds;
        let branch = tree.one(branch);
        let mut walked = false;
        self.looped(state, |walker, state| {
            let condition = walker.guard(true, |walker| walker.list(tree, branch.condition, state));
            let (ok, bad) = condition.parts();
            let (enters, leaves) = match goes_on {
                While::Succeeds => (ok, bad),
                While::Fails => (bad, ok),
            };
            let body = match (enters, &leaves) {
                (Some(state), _) => {
                    walked = true;
                    walker.round(|walker| walker.list(tree, branch.body, state))
                }
                (None, Some(state)) if !walked => {
                    walker.unreached(tree, branch.body, state.clone());
                    Ends::Never
                }
                (None, Some(_) | None) => Ends::Never,
            };
            (leaves, body)
        })
    }

    /// Walks one round of a loop, with those that go on to the next.
    pub(crate) fn round(&mut self, body: impl FnOnce(&mut Self) -> Ends) -> Ends {
        let ends = body(self);
        match self.rounds.last_mut().and_then(|it| it.continued.take()) {
            Some(state) => ends.or(Ends::Either(state)),
            None => ends,
        }
    }

    /// Walks a loop until another round brings nothing new. A round returns the state that leaves the loop, and how its body ended.
    pub(crate) fn looped(
        &mut self,
        state: State,
        mut round: impl FnMut(&mut Self, State) -> (Option<State>, Ends),
    ) -> Ends {
        self.rounds.push(Round::default());
        let mut head = state;
        let mut left: Option<State> = None;
        let (mut count, mut rounds, began) = (0, 0, self.fuel.left());
        loop {
            let (leaves, body) = round(self, head.clone());
            let all_go_on = leaves.is_none();
            left = State::either(left, leaves);
            let Some(after) = body.any() else { break };
            // Where every run goes on, the next round begins with what this one left, and with nothing else.
            let apart = all_go_on && count == 0 && rounds < ITEMS && self.fuel.is_short(began);
            let mut next = if apart { after } else { head.clone().or(after) };
            if next == head {
                break;
            }
            if !self.fuel.may_repeat() {
                next.forget();
                left = State::either(left, Some(next));
                break;
            }
            if rounds == 0 {
                self.fuel.repeats += 1;
            }
            rounds += 1;
            count += u32::from(!apart);
            if count >= ROUNDS {
                next = next.widened(&head);
            }
            if count > ROUNDS * 4 {
                // Values may pass from one variable to the next for as many rounds as there are variables.
                next.forget();
                let (leaves, body) = round(self, next.clone());
                let after = State::either(leaves, body.any()).map(|mut it| {
                    it.forget();
                    it
                });
                left = State::either(State::either(left, after), Some(next));
                break;
            }
            head = next;
        }
        self.fuel.repeats -= u32::from(rounds > 0);
        let broken = self.rounds.pop().and_then(|it| it.broken);
        match State::either(left, broken) {
            Some(state) => Ends::Either(state),
            None => Ends::Never,
        }
    }

    pub(crate) fn for_each(&mut self, tree: &Tree<'_>, id: Id<For>, mut state: State) -> Ends {
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
            return self.one_by_one(
                tree,
                Few {
                    it,
                    name,
                    at,
                    items,
                },
                state,
            );
        }
        let val = if items.len() > crate::machine::value::CHOICES {
            summary(&items)
        } else {
            Val::any_of(items)
        };
        self.looped(state, |walker, state| {
            let mut inner = state.clone();
            walker.next_item(Setting::one(name.clone(), val.clone()), &mut inner, at);
            let body = walker.round(|walker| walker.list(tree, it.body, inner));
            (Some(state), body)
        })
    }

    /// Gives the variable of a loop its next item: of a reference, what it stands for from now on.
    fn next_item(&mut self, setting: Setting, state: &mut State, at: belay_model::Span) {
        let found = state.variables.get_mut(&setting.name);
        match found.filter(|it| it.ways.reference.may()) {
            Some(variable) if variable.ways.reference.must() => variable.held = setting.held,
            Some(_) => self.any_variable(state, at),
            None => self.assign(setting, state, at),
        }
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

    fn one_by_one(&mut self, tree: &Tree<'_>, few: Few<'_>, state: State) -> Ends {
        let Few {
            it,
            name,
            at,
            items,
        } = few;
        self.rounds.push(Round::default());
        let repeats = u32::from(items.len() > 1);
        self.fuel.repeats += repeats;
        let mut left = Some(state);
        let mut walked = false;
        for item in items {
            let Some(mut state) = left.take() else { break };
            self.next_item(Setting::one(name.clone(), item), &mut state, at);
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

    pub(crate) fn select(&mut self, tree: &Tree<'_>, id: Id<For>, mut state: State) -> Ends {
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
