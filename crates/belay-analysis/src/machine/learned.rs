//! What the answer of a test says about the parameter that it asked about.

use belay_shell::{
    BinaryTest, Many, ParamName, ParamOp, PartKind, TestItem, TestKind, Tree, Value, Word,
};

use crate::machine::elements::is_volatile;
use crate::machine::options::Tri;
use crate::machine::simple::Simple;
use crate::machine::state::{Ends, State};
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::variables::is_relied_on;
use crate::machine::walk::{Walker, lossy};
use crate::scene::Shell;

/// The longest text that is learned.
const LONGEST: usize = 256;

/// So many variables of the environment are learned about.
const LEARNED: usize = 16;

/// A parameter that a word stands for, and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum About {
    Variable(String),
    /// `$1` is 1.
    Positional(usize),
}

/// What a test asks: whether a parameter is a text.
struct Question {
    about: About,
    text: String,
    /// Whether it holds where it is that text, not where it is another.
    equal: bool,
}

impl Question {
    fn inverted(self) -> Self {
        let equal = !self.equal;
        Self { equal, ..self }
    }
}

impl Walker<'_> {
    /// Tells apart what a variable holds where `[ ... ]` held, and where it did not.
    pub(crate) fn learns_from_words(&self, tree: &Tree<'_>, simple: &Simple, ends: Ends) -> Ends {
        let Ends::Either(state) = &ends else {
            return ends;
        };
        let plain = simple.assignments.is_empty() && simple.redirects.is_empty();
        let shadowed = state.functions.contains_key("[") || state.functions.contains_key("test");
        if !plain || shadowed || state.options.keyword.may() {
            return ends;
        }
        // A plain `sh` that lacks an operator fails, whatever it was asked.
        let lacks = |it: &Word| tree.value(it).known() == Some(b"==");
        let lacking = self.scene.shell == Shell::Sh && tree.many(simple.words).iter().any(lacks);
        match question(tree, simple.words).filter(|_| !lacking) {
            Some(question) => self.parted(question, ends),
            None => ends,
        }
    }

    /// Tells apart what a variable holds where an item of `[[ ... ]]` held, and where it did not.
    pub(crate) fn learns_from_item(&self, tree: &Tree<'_>, item: &TestItem, ends: Ends) -> Ends {
        match question_of(tree, item).filter(|_| self.matches_exactly(&ends)) {
            Some(question) => self.parted(question, ends),
            None => ends,
        }
    }

    fn matches_exactly(&self, ends: &Ends) -> bool {
        let (ok, _) = ends.look();
        ok.is_some_and(|it| self.is_exact(it))
    }

    /// Tells whether patterns mean the letters that they are written with.
    pub(crate) fn is_exact(&self, state: &State) -> bool {
        state.options.nocasematch == Tri::No && self.scene.shell != Shell::Zsh
    }

    fn parted(&self, question: Question, ends: Ends) -> Ends {
        let Ends::Either(other) = ends else {
            return ends;
        };
        let mut same = other.clone();
        if !self.learns(&question.about, Val::known(question.text), &mut same) {
            return Ends::Either(other);
        }
        match question.equal {
            true => Ends::Both(same, other),
            false => Ends::Both(other, same),
        }
    }

    /// Narrows a parameter to what a test found it to be; tells whether that says anything new.
    pub(crate) fn learns(&self, about: &About, val: Val, state: &mut State) -> bool {
        match about {
            About::Variable(name) => self.learns_variable(name, val, state),
            About::Positional(at) => {
                let Some(at) = at.checked_sub(1) else {
                    return false;
                };
                match &*state.positional {
                    Held::List(vals) if vals.get(at).is_some_and(is_open) => {}
                    Held::One(_) | Held::List(_) | Held::Any(_) => return false,
                }
                if let Held::List(vals) = &mut *state.positional
                    && let Some(old) = vals.get_mut(at)
                {
                    *old = val.carrying(old.carries);
                }
                true
            }
        }
    }

    fn learns_variable(&self, name: &str, val: Val, state: &mut State) -> bool {
        if is_relied_on(name) || is_volatile(name) || state.is_stirred(name) || state.clouded {
            return false;
        }
        let found = self.lookup(name, state);
        let Held::One(old) = &found.held else {
            return false;
        };
        if !is_open(old) || found.ways.reference.may() {
            return false;
        }
        let val = val.carrying(old.carries);
        let set = match val.may_be_empty() {
            true => found.set,
            false => Tri::Yes,
        };
        if state.variables.contains_key(name)
            && let Some(own) = state.variables.get_mut(name)
        {
            (own.held, own.set) = (Held::One(val), set);
            return true;
        }
        let room = state.learned.len() < LEARNED;
        if room {
            state.learned.insert(name.to_owned(), (val, set));
        }
        room
    }
}

/// Tells whether a text is not known, whatever is known about it.
fn is_open(val: &Val) -> bool {
    val.text().is_none()
}

/// Reads what `[ ... ]` or `test ...` asks, where it asks one thing about one parameter in quotes.
fn question(tree: &Tree<'_>, words: Many<Word>) -> Option<Question> {
    let (first, rest) = tree.many(words).split_first()?;
    let known = |it: &Word| tree.value(it).known().map(<[u8]>::to_vec);
    let rest = match known(first)?.as_slice() {
        b"[" => {
            let (last, rest) = rest.split_last()?;
            (known(last)? == b"]").then_some(rest)?
        }
        _ => rest,
    };
    asked(tree, rest)
}

fn asked(tree: &Tree<'_>, words: &[Word]) -> Option<Question> {
    let is = |it: &Word, text: &[u8]| tree.value(it).known() == Some(text);
    let nothing = |it: &Word, equal| {
        let text = String::new();
        let about = about(tree, it, true)?;
        Some(Question { about, text, equal })
    };
    match words {
        [one] => nothing(one, false),
        [not, one] if is(not, b"!") => nothing(one, true),
        [flag, one] if is(flag, b"-z") => nothing(one, true),
        [flag, one] if is(flag, b"-n") => nothing(one, false),
        [a, operator, b] if is(operator, b"=") || is(operator, b"==") => compared(tree, [a, b]),
        [a, operator, b] if is(operator, b"!=") => compared(tree, [a, b]).map(Question::inverted),
        [not, rest @ ..] if is(not, b"!") && rest.len() < 4 => {
            asked(tree, rest).map(Question::inverted)
        }
        _ => None,
    }
}

/// Reads what is asked where one side is a parameter in quotes, and the other a text.
fn compared(tree: &Tree<'_>, [a, b]: [&Word; 2]) -> Option<Question> {
    let (about, text) = match (about(tree, a, true), about(tree, b, true)) {
        (Some(about), None) => (about, literal(tree, b)?),
        (None, Some(about)) => (about, literal(tree, a)?),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    let equal = true;
    Some(Question { about, text, equal })
}

/// Reads what an item of `[[ ... ]]` asks, where it asks one thing about one parameter.
fn question_of(tree: &Tree<'_>, item: &TestItem) -> Option<Question> {
    let (about, text, equal) = match item.kind {
        TestKind::Word(word) => (about(tree, tree.one(word), false)?, String::new(), false),
        TestKind::Unary {
            letter: letter @ (b'z' | b'n'),
            operand,
        } => {
            let about = about(tree, tree.one(operand), false)?;
            (about, String::new(), letter == b'z')
        }
        TestKind::Binary {
            operator: operator @ (BinaryTest::Equal | BinaryTest::Unequal),
            operands,
        } => match tree.many(operands) {
            [a, b] => {
                let about = about(tree, a, false)?;
                (about, literal(tree, b)?, operator == BinaryTest::Equal)
            }
            _ => return None,
        },
        TestKind::Open
        | TestKind::Close
        | TestKind::Not
        | TestKind::And
        | TestKind::Or
        | TestKind::Unary { .. }
        | TestKind::Binary { .. } => return None,
    };
    Some(Question { about, text, equal })
}

/// Returns the parameter that a word stands for. Out of quotes it may be split, where words are.
pub(crate) fn about(tree: &Tree<'_>, word: &Word, splits: bool) -> Option<About> {
    let [part] = tree.many(word.parts) else {
        return None;
    };
    let PartKind::Param(id) = part.kind else {
        return None;
    };
    let param = tree.one(id);
    let plain = param.subscript.is_none() && !param.indirect && !param.length;
    if !plain || splits && !part.quoted || !matches!(param.op, ParamOp::None) {
        return None;
    }
    match param.name {
        ParamName::Variable(name) => Some(About::Variable(lossy(tree.bytes(name)))),
        ParamName::Positional(digits) => {
            let at = lossy(tree.bytes(digits)).parse::<usize>().ok()?;
            Some(About::Positional(at))
        }
        ParamName::Special(_) | ParamName::Bad => None,
    }
}

/// Returns the text of a word that means nothing but its letters, wherever it stands.
pub(crate) fn literal(tree: &Tree<'_>, word: &Word) -> Option<String> {
    let Value::Static(bytes) = tree.value(word) else {
        return None;
    };
    let text = std::str::from_utf8(&bytes).ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || " _-./:,=%".contains(c);
    (text.len() <= LONGEST && text.chars().all(plain)).then(|| text.to_owned())
}
