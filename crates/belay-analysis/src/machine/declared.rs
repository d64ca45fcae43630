//! The words of a declaration: behind `declare` and its kin `NAME=value` is neither split nor searched for files.

use belay_shell::{Many, Part, PartKind, Tree, Word};

use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::variable::Held;
use crate::machine::variables::{Setting, is_name};
use crate::machine::walk::{Walker, lossy, span};
use crate::scene::Shell;

/// The words of a command, and the ways in which those so far turned out.
#[derive(Clone, Copy)]
pub(crate) struct Behind<'a> {
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) words: Many<Word>,
    pub(crate) ways: &'a [Vec<Arg>],
}

impl Behind<'_> {
    /// Tells whether a word before it may say that keys are texts.
    fn flags_keys(&self) -> bool {
        let mut words = self.ways.iter().flatten();
        words.any(|it| {
            it.text()
                .is_none_or(|it| it.starts_with('-') && it.contains('A'))
        })
    }
}

impl Walker<'_> {
    /// Expands one word of a command whose words before it turned out in these ways.
    pub(crate) fn expand_behind(
        &mut self,
        behind: Behind<'_>,
        word: &Word,
        state: &mut State,
    ) -> Vec<Vec<Arg>> {
        let outer = std::mem::replace(&mut self.may_abort, false);
        let next = self.expand_next(behind, word, state);
        if self.may_abort {
            // Where this word fails, what those before it set stays set.
            self.leave_line(state.clone());
        }
        self.may_abort |= outer;
        next
    }

    fn expand_next(&mut self, behind: Behind<'_>, word: &Word, state: &mut State) -> Vec<Vec<Arg>> {
        let Behind { tree, words, ways } = behind;
        let whole = if assigns(tree, word) {
            self.declares_whole(tree, words, ways)
        } else {
            Tri::No
        };
        match whole {
            Tri::No => self.expand(tree, word, state),
            Tri::Yes => self.expand_whole(behind, word, state),
            Tri::Perhaps => {
                // Either way what stands in it is expanded once.
                let mut other = state.clone();
                let mut all = self.expand(tree, word, state);
                all.extend(self.expand_whole(behind, word, &mut other));
                *state = other.or(std::mem::take(state));
                all
            }
        }
    }

    /// Expands a word to one text, in every way it may turn out.
    fn expand_whole(
        &mut self,
        behind: Behind<'_>,
        word: &Word,
        state: &mut State,
    ) -> Vec<Vec<Arg>> {
        let parts = behind.tree.many(word.parts).iter();
        let arrays = parts.filter(|it| matches!(it.kind, PartKind::Array(_)));
        let before = (arrays.count() > 0).then(|| state.clone());
        self.keyed = self.surely_keyed(behind, word, state);
        let val = self.word(behind.tree, word, state);
        self.keyed = false;
        if let Some(before) = before {
            self.declared_array(behind, word, before);
        }
        let one = |it| vec![Arg::one(it, span(word.span))];
        val.choices().into_iter().map(one).collect()
    }

    /// Keeps what an array holds that is declared with its elements.
    fn declared_array(&mut self, behind: Behind<'_>, word: &Word, before: State) {
        let tree = behind.tree;
        let [name, array] = tree.many(word.parts) else {
            return;
        };
        let PartKind::Array(elements) = array.kind else {
            return;
        };
        self.keyed = self.surely_keyed(behind, word, &before);
        let keyed = behind.flags_keys() || self.is_keyed(tree, name, &before);
        // Its words were walked already, with all that they do: what they hold is seen from where they began.
        let mut apart = before;
        let mut held = self.array(tree, elements, &mut apart);
        if keyed {
            held = self.unexpanded(tree, elements, held);
        }
        self.arrays.push((span(word.span), held));
    }

    /// Sets the arrays that stand in the words of a declaration: bash does so before it asks who declares.
    pub(crate) fn sets_arrays(&mut self, args: &[Arg], state: &mut State) {
        for (at, _) in std::mem::take(&mut self.arrays) {
            let word = args.iter().find(|it| it.span == at).map(|it| &it.val.text);
            let written = match word {
                Some(Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. }) => {
                    text
                }
                Some(Text::Unknown { .. } | Text::OneOf(_)) | None => {
                    self.any_variable(state, at);
                    continue;
                }
            };
            let name = written.split(['=', '+']).next().unwrap_or_default();
            let before = state.clone();
            let setting = Setting {
                held: Held::anything(),
                ..Setting::one(name, Val::unknown())
            };
            self.assign(setting, state, at);
            *state = before.or(std::mem::take(state));
        }
    }

    /// Tells whether the keys of the array that a word declares are texts, for certain: it is told so, and was no array with
    /// numbers for its keys before, which it would stay.
    fn surely_keyed(&self, behind: Behind<'_>, word: &Word, state: &State) -> bool {
        let [name, array] = behind.tree.many(word.parts) else {
            return false;
        };
        let (PartKind::Text(bytes), PartKind::Array(_)) = (name.kind, array.kind) else {
            return false;
        };
        let text = lossy(behind.tree.bytes(bytes));
        let variable = self.lookup(text.trim_end_matches(['=', '+']), state);
        let fresh = matches!(variable.held, Held::One(_)) && !variable.ways.reference.may();
        let said = |it: &Arg| {
            it.text()
                .is_some_and(|it| it.starts_with('-') && it.contains('A'))
        };
        let always = |it: &Vec<Arg>| it.iter().any(said);
        let told = behind.ways.iter().all(always) && !behind.ways.is_empty();
        self.scene.shell == Shell::Bash && told && fresh
    }

    /// Tells whether the variable that a word declares may have texts for its keys already.
    fn is_keyed(&self, tree: &Tree<'_>, name: &Part, state: &State) -> bool {
        let PartKind::Text(bytes) = name.kind else {
            return true;
        };
        let text = lossy(tree.bytes(bytes));
        let name = text.trim_end_matches(['=', '+']);
        self.lookup(name, state).ways.keyed.may()
    }

    /// Tells whether a command is a declaration. Shells look at its name before anything is expanded.
    fn declares_whole(&self, tree: &Tree<'_>, words: Many<Word>, ways: &[Vec<Arg>]) -> Tri {
        let named = |it: &Vec<Arg>| it.iter().take(2).filter_map(Arg::text).any(is_declaration);
        if !ways.iter().any(named) {
            return Tri::No;
        }
        let first = tree.many(words).first();
        let literal = first.is_some_and(|it| {
            matches!(tree.many(it.parts), [part] if !part.quoted)
                && tree
                    .value(it)
                    .known()
                    .is_some_and(|it| is_declaration(&lossy(it)))
        });
        if literal && self.scene.shell != Shell::Sh {
            Tri::Yes
        } else {
            Tri::Perhaps
        }
    }
}

fn is_declaration(name: &str) -> bool {
    matches!(
        name,
        "declare" | "typeset" | "local" | "export" | "readonly"
    )
}

/// Tells whether a word is written as an assignment; one with braces becomes several words first.
pub(crate) fn assigns(tree: &Tree<'_>, word: &Word) -> bool {
    let parts = tree.many(word.parts);
    let braces = |kind| matches!(kind, PartKind::Brace(_) | PartKind::Sequence(_));
    let Some(first) = parts.first().filter(|it| !it.quoted) else {
        return false;
    };
    let PartKind::Text(bytes) = first.kind else {
        return false;
    };
    let text = lossy(tree.bytes(bytes));
    let name = text.split_once('=').map(|(name, _)| name);
    name.is_some_and(|it| is_name(it.trim_end_matches('+')))
        && !parts.iter().any(|it| braces(it.kind))
}
