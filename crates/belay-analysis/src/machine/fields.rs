//! Fields: what the pieces of a word become when the shell splits them and looks for files.

use belay_model::Carries;

use crate::machine::state::State;
use crate::machine::value::{Arg, DIGITS, NUMBER, PLAIN, Text, Val};

/// So many ways the words of one command may turn out.
const WAYS: usize = 16;

/// A piece of a word, expanded.
pub(crate) struct Bit {
    /// What it holds: one value, or several that become words of their own.
    pub(crate) vals: Vec<Val>,
    /// Whether there may be any number of them.
    pub(crate) any: bool,
    /// Whether the shell splits it at blanks and looks for files.
    pub(crate) splits: bool,
}

impl Bit {
    /// One value that stays one.
    pub(crate) fn fixed(val: Val) -> Self {
        Self {
            vals: vec![val],
            any: false,
            splits: false,
        }
    }
}

/// The fields a word is split into.
#[derive(Default)]
struct Fields {
    done: Vec<(Val, bool)>,
    current: Option<Val>,
    many: bool,
}

impl Fields {
    fn push(&mut self, val: &Val) {
        let current = self.current.take().unwrap_or_else(|| Val::known(""));
        let searches = current.is_search() || val.is_search();
        let sum = current.then(val);
        // A search of which too little is known may still find any number of files.
        self.many |= searches && !matches!(sum.text, Text::Glob(_));
        self.current = Some(sum);
    }

    fn cut(&mut self) {
        let many = std::mem::take(&mut self.many);
        self.done.extend(self.current.take().map(|it| (it, many)));
    }

    /// Adds an unquoted value, which the shell splits.
    fn split(&mut self, val: &Val, splitting: &Splitting) {
        let text = match &val.text {
            Text::Known(text) => text,
            Text::Glob(shape) => return self.split_shape(shape, val, splitting),
            Text::Prefix { .. } | Text::Unknown { .. } => {
                self.many = true;
                // A part of a list of folders is another list.
                return self.push(&val.clone().taken_apart());
            }
            Text::OneOf(_) => return self.push(val),
        };
        let Some(separators) = &splitting.separators else {
            self.many = true;
            return self.push(&Val::unknown().carrying(val.carries));
        };
        let mut rest = text.as_str();
        let is_blank = |c: char| separators.contains(c) && matches!(c, ' ' | '\t' | '\n');
        let is_mark = |c: char| separators.contains(c) && !matches!(c, ' ' | '\t' | '\n');
        if rest.starts_with(is_blank) {
            self.cut();
        }
        rest = rest.trim_start_matches(is_blank);
        while !rest.is_empty() {
            let end = rest.find(|c| separators.contains(c)).unwrap_or(rest.len());
            let (piece, more) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let before = more.len();
            let found = splitting.piece(piece).carrying(val.carries);
            self.many |= !matches!(found.text, Text::Known(_) | Text::Glob(_));
            self.push(&found);
            let mut after = more.trim_start_matches(is_blank);
            if after.starts_with(is_mark) {
                let mut letters = after.chars();
                letters.next();
                after = letters.as_str().trim_start_matches(is_blank);
            }
            if after.len() < before {
                self.cut();
            }
            rest = after;
        }
    }
}

impl Fields {
    /// Adds an unquoted shape: what was written beside what is unknown in it is split, and searched for.
    fn split_shape(&mut self, shape: &str, val: &Val, splitting: &Splitting) {
        let is_separator = |c: char| matches!(&splitting.separators, Some(it) if it.contains(c));
        if !splitting.keeps(shape) || shape.contains("[[]") {
            self.many = true;
            return self.push(&Val::unknown().carrying(val.carries));
        }
        let written = ["[*]", "[?]"].iter().any(|it| shape.contains(it));
        if !shape.contains(is_separator) && !written {
            return self.push(val);
        }
        let wild = shape.replace("[*]", "*").replace("[?]", "?");
        if !splitting.globs || splitting.odd || has_in_brackets(&wild, is_separator) {
            self.many = true;
            return self.push(&Val::unknown().carrying(val.carries));
        }
        let mut pieces = wild.split(is_separator).peekable();
        while let Some(piece) = pieces.next() {
            if !piece.is_empty() {
                self.push(&splitting.piece(piece).carrying(val.carries));
            }
            if pieces.peek().is_some() {
                self.cut();
            }
        }
    }
}

/// Tells whether such a letter stands in brackets.
fn has_in_brackets(text: &str, is: impl Fn(char) -> bool) -> bool {
    let mut inside = false;
    text.chars().any(|c| {
        inside = match c {
            '[' => true,
            ']' => false,
            _ => inside,
        };
        inside && is(c)
    })
}

/// How the shell splits what was not quoted.
pub(crate) struct Splitting {
    /// The letters at which it splits; `None` when not known.
    pub(crate) separators: Option<String>,
    pub(crate) globs: bool,
    /// Whether searches find what their patterns do not say.
    pub(crate) odd: bool,
    /// Whether patterns may have alternatives.
    pub(crate) extended: bool,
}

impl Splitting {
    /// Returns unquoted text: a glob when it has wildcards.
    fn piece(&self, text: &str) -> Val {
        if self.globs && self.extended && has_alternatives(text) {
            return Val::unknown();
        }
        if self.globs && is_wild(text) {
            if self.odd {
                return Val::unknown();
            }
            Val::glob(text)
        } else {
            Val::known(text)
        }
    }

    /// Tells whether a value is one word and the same, whether it stands in quotes or not.
    pub(crate) fn leaves(&self, val: &Val) -> bool {
        let Some(separators) = &self.separators else {
            return false;
        };
        let whole = |it: &str| !it.is_empty() && !it.contains(|c| separators.contains(c));
        let known = |it: &Val| it.text().is_some_and(|it| whole(it) && !is_wild(it));
        val.choices().iter().all(known)
    }

    /// Tells whether a list is split at the ends of its lines, and a name in it nowhere but at blanks.
    pub(crate) fn parts_lines(&self) -> bool {
        let blank = |it: &String| it.contains('\n') && it.chars().all(char::is_whitespace);
        self.separators.as_ref().is_some_and(blank)
    }

    /// Tells whether no text of a shape is split.
    fn keeps(&self, shape: &str) -> bool {
        let Some(separators) = &self.separators else {
            return false;
        };
        let plain = matches!(shape, DIGITS | PLAIN | NUMBER);
        separators
            .chars()
            .all(|c| c.is_whitespace() || plain && !c.is_alphanumeric() && c != '_' && c != '-')
    }
}

/// Returns a pattern for the hidden files that a star finds when it is told to.
pub(crate) fn hidden(text: &str) -> String {
    let parts = text.split('/').map(|it| {
        if it.starts_with(['*', '?', '[']) {
            format!(".{it}")
        } else {
            it.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Tells whether a star may find hidden files: it was told so, or there are names that it must not find.
pub(crate) fn finds_hidden(state: &State) -> bool {
    let ignores = state.variables.get("GLOBIGNORE");
    state.options.dotglob.may() || ignores.is_some_and(|it| it.set.may())
}

/// Tells whether searches for files may find what their patterns do not say.
pub(crate) fn searches_oddly(state: &State) -> bool {
    state.options.nocaseglob.may() || state.options.strange.may()
}

/// Tells whether a text is a pattern with alternatives where the shell was told to read them.
fn has_alternatives(text: &str) -> bool {
    ["?(", "*(", "+(", "@(", "!("]
        .iter()
        .any(|it| text.contains(it))
}

pub(crate) fn is_wild(text: &str) -> bool {
    text.contains(['*', '?']) || text.contains('[') && text.contains(']')
}

/// Returns every way the words before and the words after may stand together.
pub(crate) fn product(ways: Vec<Vec<Arg>>, mut next: Vec<Vec<Arg>>) -> Vec<Vec<Arg>> {
    if let [one] = next.as_mut_slice() {
        let one = std::mem::take(one);
        let mut ways = ways;
        if let Some((last, others)) = ways.split_last_mut() {
            for way in others {
                way.extend(one.iter().cloned());
            }
            last.extend(one);
        }
        return ways;
    }
    if ways.len() * next.len() > WAYS {
        let sum = Val::any_of(next.iter().flatten().map(|it| it.val.clone())).summed_up();
        let at = next.iter().flatten().next().map(|it| it.span);
        let arg = Arg::many(sum, at.unwrap_or_default());
        // The first of them stays whole for a while: what it does counts, however many others there are.
        let first = ways
            .first()
            .zip(next.first())
            .map(|(a, b)| [a.as_slice(), b].concat());
        let whole = first.filter(|_| ways.len() < 2 * WAYS);
        let others = product(ways, vec![vec![arg]]);
        return whole.into_iter().chain(others).collect();
    }
    let pair = |way: &Vec<Arg>| {
        let way = way.clone();
        let all: Vec<Vec<Arg>> = next
            .iter()
            .map(|more| way.iter().chain(more).cloned().collect())
            .collect();
        all
    };
    ways.iter().flat_map(pair).collect()
}

/// Returns the pieces of a word once for each choice in them.
pub(crate) fn chosen(bits: Vec<Bit>) -> Vec<Vec<Bit>> {
    let mut ways: Vec<Vec<Bit>> = vec![Vec::new()];
    for bit in bits {
        let mut lists: Vec<Vec<Val>> = vec![Vec::new()];
        for val in &bit.vals {
            let choices = val.choices();
            lists = lists
                .iter()
                .flat_map(|list| {
                    choices.iter().map(move |choice| {
                        let mut list = list.clone();
                        list.push(choice.clone());
                        list
                    })
                })
                .collect();
        }
        ways = ways
            .iter()
            .flat_map(|way| {
                lists.iter().map(|vals| {
                    let mut way: Vec<Bit> = way.iter().map(Bit::copied).collect();
                    way.push(Bit {
                        vals: vals.clone(),
                        any: bit.any,
                        splits: bit.splits,
                    });
                    way
                })
            })
            .collect();
    }
    ways
}

pub(crate) fn summed_up(bits: Vec<Bit>) -> Vec<Bit> {
    let sum = |bit: Bit| Bit {
        vals: bit.vals.into_iter().map(Val::summed_up).collect(),
        ..bit
    };
    bits.into_iter().map(sum).collect()
}

impl Bit {
    fn copied(&self) -> Self {
        Self {
            vals: self.vals.clone(),
            any: self.any,
            splits: self.splits,
        }
    }
}

/// Puts pieces without choices together.
pub(crate) fn assembled(bits: &[Bit], splitting: &Splitting) -> Vec<(Val, bool)> {
    let mut fields = Fields::default();
    let alone = bits.len() == 1;
    for bit in bits {
        if bit.any && !alone {
            // Of none, what stands before and after it is one word.
            let carries = bit
                .vals
                .iter()
                .fold(Carries::NOTHING, |sum, it| sum.and(it.carries));
            fields.push(&Val::any(carries.and(Carries::UNKNOWN)));
            fields.many = true;
            continue;
        }
        for (at, val) in bit.vals.iter().enumerate() {
            if at > 0 {
                fields.cut();
            }
            if bit.splits {
                fields.split(val, splitting);
            } else {
                fields.push(val);
            }
            fields.many |= bit.any;
        }
    }
    fields.cut();
    fields.done
}
