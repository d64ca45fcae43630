//! `[[ ... ]]`: what it asks one after the other, and what holds behind each answer.

use belay_shell::{BinaryTest, Many, TestItem, TestKind, Tree, Word};

use crate::machine::forks::{forked, plain_names};
use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::tested::{compared, is_something};
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::variables::is_name;
use crate::machine::walk::{Walker, span};
use crate::scene::Shell;

/// So many items are read as they hang together.
const ITEMS: usize = 64;

/// What stands between two parts.
#[derive(Clone, Copy)]
enum Joint {
    And,
    Or,
}

impl Joint {
    const fn is(self, kind: TestKind) -> bool {
        match self {
            Self::And => matches!(kind, TestKind::And),
            Self::Or => matches!(kind, TestKind::Or),
        }
    }
}

/// Items with something between them, or an item alone.
enum Parts<'a> {
    /// `A && B` or `A || B`.
    Two(Joint, [&'a [TestItem]; 2]),
    Not(&'a [TestItem]),
    Inside(&'a [TestItem]),
    One(&'a TestItem),
    Odd,
}

impl Walker<'_> {
    /// Walks a test.
    pub(crate) fn test(&mut self, tree: &Tree<'_>, items: Many<TestItem>, state: State) -> Ends {
        let items = tree.many(items);
        if items.len() <= ITEMS {
            return self.test_part(tree, items, state);
        }
        self.test_items(tree, items, state)
    }

    /// Walks a part of a test on what the part before it left.
    fn test_part(&mut self, tree: &Tree<'_>, items: &[TestItem], state: State) -> Ends {
        match parts(items) {
            Parts::Two(joiner, [left, right]) => {
                let (ok, bad) = self.test_part(tree, left, state).parts();
                let (goes_on, settled) = match joiner {
                    Joint::And => (ok, Ends::of(None, bad)),
                    Joint::Or => (bad, Ends::of(ok, None)),
                };
                match goes_on {
                    Some(state) => self.test_part(tree, right, state).or(settled),
                    None => {
                        // Nothing comes here, but what is written here counts.
                        if let (Some(state), _) | (None, Some(state)) = settled.look() {
                            self.test_part(tree, right, state.clone());
                        }
                        settled
                    }
                }
            }
            Parts::Not(rest) => self.test_part(tree, rest, state).inverted(),
            Parts::Inside(inner) => self.test_part(tree, inner, state),
            Parts::One(item) => self.test_item(tree, item, state),
            Parts::Odd => self.test_items(tree, items, state),
        }
    }

    /// Walks items of which nobody knows how they hang together: each may be asked or not.
    fn test_items(&mut self, tree: &Tree<'_>, items: &[TestItem], mut state: State) -> Ends {
        for item in items {
            let before = state.clone();
            if let Some(after) = self.test_item(tree, item, state).any() {
                state = before.or(after);
            } else {
                state = before;
            }
        }
        Ends::Either(state)
    }

    /// Walks one item, once for each text of a variable that it looks at, so that its answer narrows it.
    fn test_item(&mut self, tree: &Tree<'_>, item: &TestItem, state: State) -> Ends {
        let names: Vec<String> = words_of(tree, item.kind)
            .iter()
            .flat_map(|it| plain_names(tree, it))
            .collect();
        let mut ends = Ends::Never;
        for mut state in forked(state, &names) {
            let answer = self.answer(tree, item, &mut state);
            let one = Ends::by(answer, state);
            ends = ends.or(self.learns_from_item(tree, item, one));
        }
        ends
    }

    /// Expands what an item asks about, and answers it where that is known.
    fn answer(&mut self, tree: &Tree<'_>, item: &TestItem, state: &mut State) -> Tri {
        let words = words_of(tree, item.kind);
        if let (
            TestKind::Binary {
                operator: operator @ (BinaryTest::Equal | BinaryTest::Unequal),
                ..
            },
            [subject, pattern],
        ) = (item.kind, words)
        {
            let subject = self.word(tree, subject, state);
            let pattern = self.pattern(tree, pattern, state);
            let takes = self.fits(pattern.as_deref(), &subject, state);
            return match operator == BinaryTest::Equal {
                true => takes,
                false => takes.not(),
            };
        }
        let operands: Vec<Val> = words.iter().map(|it| self.word(tree, it, state)).collect();
        for operand in &operands {
            if item.kind.evaluates() {
                self.evaluated(operand, state, span(item.span));
            } else if item.kind.names_variable() {
                self.named(operand, state, span(item.span));
            }
        }
        match (item.kind, operands.as_slice()) {
            (TestKind::Word(_) | TestKind::Unary { letter: b'n', .. }, [val]) => is_something(val),
            (TestKind::Unary { letter: b'z', .. }, [val]) => is_something(val).not(),
            (TestKind::Unary { letter: b'v', .. }, [val]) => self.names_what_is_set(val, state),
            (
                TestKind::Binary {
                    operator: BinaryTest::Number([one, two]),
                    ..
                },
                [a, b],
            ) => match (a.text(), b.text()) {
                (Some(a), Some(b)) => {
                    compared(&format!("-{}{}", char::from(one), char::from(two)), a, b)
                }
                _ => Tri::Perhaps,
            },
            _ => Tri::Perhaps,
        }
    }

    /// Tells whether a text is one that a pattern matches.
    pub(crate) fn fits(&self, pattern: Option<&str>, subject: &Val, state: &State) -> Tri {
        match (pattern, subject.text()) {
            (Some("*"), _) => Tri::Yes,
            (Some(pattern), Some(text))
                if self.is_exact(state) && !crate::machine::cuts::is_made_up(text) =>
            {
                crate::machine::patterns::matches(pattern, text).map_or(Tri::Perhaps, Tri::of)
            }
            (Some(_) | None, _) => Tri::Perhaps,
        }
    }

    /// Tells whether a variable is set that a text names.
    fn names_what_is_set(&self, val: &Val, state: &State) -> Tri {
        let Some(name) = val.text().filter(|it| is_name(it)) else {
            return Tri::Perhaps;
        };
        let variable = self.lookup(name, state);
        let odd = variable.ways.reference.may() || state.is_stirred(name);
        match variable.held {
            Held::One(_) if !odd && self.scene.shell == Shell::Bash => variable.set,
            Held::One(_) | Held::List(_) | Held::Any(_) => Tri::Perhaps,
        }
    }
}

/// Returns the words of an item.
fn words_of<'a>(tree: &'a Tree<'_>, kind: TestKind) -> &'a [Word] {
    match kind {
        TestKind::Open | TestKind::Close | TestKind::Not | TestKind::And | TestKind::Or => &[],
        TestKind::Word(word) | TestKind::Unary { operand: word, .. } => {
            std::slice::from_ref(tree.one(word))
        }
        TestKind::Binary { operands, .. } => tree.many(operands),
    }
}

/// Reads how items hang together: `||` binds less than `&&`, and that less than `!`.
fn parts(items: &[TestItem]) -> Parts<'_> {
    if let Some(parts) = parted(items, Joint::Or).or_else(|| parted(items, Joint::And)) {
        return parts;
    }
    match items {
        [item] if !words_are_missing(item.kind) => Parts::One(item),
        [first, rest @ ..] if matches!(first.kind, TestKind::Not) => Parts::Not(rest),
        [first, inner @ .., last]
            if matches!((first.kind, last.kind), (TestKind::Open, TestKind::Close)) =>
        {
            Parts::Inside(inner)
        }
        _ => Parts::Odd,
    }
}

fn parted(items: &[TestItem], joint: Joint) -> Option<Parts<'_>> {
    let mut open = 0_u32;
    for (at, item) in items.iter().enumerate() {
        match item.kind {
            TestKind::Open => open += 1,
            TestKind::Close => open = open.saturating_sub(1),
            kind if open == 0 && joint.is(kind) => {
                let (left, right) = items.split_at_checked(at)?;
                let right = right.get(1..)?;
                return Some(Parts::Two(joint, [left, right]));
            }
            TestKind::Not
            | TestKind::And
            | TestKind::Or
            | TestKind::Word(_)
            | TestKind::Unary { .. }
            | TestKind::Binary { .. } => {}
        }
    }
    None
}

/// Tells whether an item asks nothing itself.
const fn words_are_missing(kind: TestKind) -> bool {
    matches!(
        kind,
        TestKind::Open | TestKind::Close | TestKind::Not | TestKind::And | TestKind::Or
    )
}
