//! Words, expanded: braces, parameters, substitutions, splitting, globs.

use belay_model::Carries;
use belay_shell::{Expansion, Many, ParamOp, Part, PartKind, Piece, Tree, Word};

use crate::machine::declared::Behind;
use crate::machine::elements::held_values;
use crate::machine::fields::{
    Bit, Splitting, assembled, chosen, finds_hidden, hidden, is_wild, product, searches_oddly,
    summed_up,
};
use crate::machine::options::Tri;
use crate::machine::params::Asked;
use crate::machine::patterns;
use crate::machine::state::State;
use crate::machine::substitutions::{Process, Substitution};
use crate::machine::value::{Arg, CHOICES, Val};
use crate::machine::walk::{Walker, lossy, span};
use crate::scene::Shell;

/// How many words braces may make before they are summed up.
const BRACES: u64 = 256;

impl Walker<'_> {
    /// Expands the words of a command: every way they may turn out.
    pub(crate) fn words(
        &mut self,
        tree: &Tree<'_>,
        words: Many<Word>,
        state: &mut State,
    ) -> Vec<Vec<Arg>> {
        self.arrays.clear();
        let mut ways: Vec<Vec<Arg>> = vec![Vec::with_capacity(words.len())];
        for word in tree.many(words) {
            if let belay_shell::Value::Static(bytes) = tree.value(word) {
                let arg = Arg::known(lossy(&bytes), span(word.span));
                if let Some((last, others)) = ways.split_last_mut() {
                    others.iter_mut().for_each(|it| it.push(arg.clone()));
                    last.push(arg);
                }
                continue;
            }
            let first = ways.iter().all(|it| is_before_operands(it));
            let mut next = self.expand_behind(
                Behind {
                    tree,
                    words,
                    ways: &ways,
                },
                word,
                state,
            );
            for arg in next.iter_mut().flatten() {
                // Behind the first operand a variable may be meant as a flag.
                arg.inherited &= first;
                arg.inherited |= self.finds_no_flag(arg, state);
            }
            ways = product(ways, next);
        }
        ways
    }

    /// Expands one word to the words it becomes, in every way it may turn out.
    pub(crate) fn expand(
        &mut self,
        tree: &Tree<'_>,
        word: &Word,
        state: &mut State,
    ) -> Vec<Vec<Arg>> {
        let at = span(word.span);
        self.forked = false;
        if let belay_shell::Value::Static(bytes) = tree.value(word) {
            let text = lossy(&bytes);
            let source = tree.source(word.span);
            let front = source.starts_with(b"''~") || source.starts_with(b"\"\"~");
            if front && self.scene.shell == Shell::Zsh {
                return vec![vec![Arg::one(self.tilde_after_braces(&text, state), at)]];
            }
            return vec![vec![Arg::known(text, at)]];
        }
        let count = tree.expansion_count(word);
        if count > BRACES {
            self.braces_walked(tree, word, state);
            return vec![vec![Arg::many(Val::unknown(), at)]];
        }
        if self.scene.shell == Shell::Zsh && has_modifier(tree, word) {
            let val = self.word(tree, word, state);
            return vec![vec![Arg::many(val, at)]];
        }
        let inherited = is_inherited(tree, word, state);
        let searches = is_searched(tree, word);
        let mut ways: Vec<Vec<Arg>> = vec![Vec::new()];
        for expansion in tree.expansions(word, BRACES) {
            let bits = self.bits(tree, &expansion, state);
            let next = self.fields(bits, state).into_iter().map(|fields| {
                let args = fields.into_iter().map(|(val, many)| Arg {
                    many: many || searches && val.is_search(),
                    val,
                    span: at,
                    inherited,
                });
                args.collect()
            });
            ways = product(ways, next.collect());
        }
        let unbraced = self.scene.shell == Shell::Sh || state.options.unbraced.may();
        if count > 1 && unbraced {
            // Where `sh` is not bash, and where bash is told so, braces are letters like others.
            let text = lossy(tree.source(word.span));
            let plain = !text.contains(['$', '`', '\'', '"', '\\', '*', '?', '[', '~']);
            let val = if plain {
                Val::known(text)
            } else {
                Val::unknown()
            };
            ways.push(vec![Arg::one(val, at)]);
        }
        self.forked = ways.len() > 1;
        ways
    }

    /// Walks what braces hold without making their product.
    fn braces_walked(&mut self, tree: &Tree<'_>, word: &Word, state: &mut State) {
        for part in tree.many(word.parts) {
            if let PartKind::Brace(words) = part.kind {
                for word in tree.many(words) {
                    self.braces_walked(tree, word, state);
                }
            } else {
                self.part(tree, part, state);
            }
        }
    }

    fn bits(&mut self, tree: &Tree<'_>, expansion: &Expansion<'_>, state: &mut State) -> Vec<Bit> {
        let mut bits = Vec::with_capacity(expansion.pieces.len());
        for piece in &expansion.pieces {
            match piece {
                Piece::Text(text) if bits.is_empty() && text.starts_with(b"~") => {
                    bits.push(Bit::fixed(self.tilde_after_braces(&lossy(text), state)));
                }
                Piece::Text(text) => bits.push(Bit::fixed(Val::known(lossy(text)))),
                Piece::Part(part) => {
                    let mut bit = self.bit(tree, part, state);
                    bit.any |= expansion.pieces.len() > 1 && self.is_found_list(tree, part, state);
                    if let PartKind::Tilde(user) = part.kind
                        && !bits.is_empty()
                        && self.scene.shell != Shell::Bash
                    {
                        // Behind an equals sign only bash looks for a home.
                        let word = Val::known(format!("~{}", lossy(tree.bytes(user))));
                        bit.vals = bit.vals.iter().map(|it| it.or(&word)).collect();
                    }
                    let tilde = |it: &&Val| it.text().is_some_and(|it| it.starts_with('~'));
                    let first = bit.vals.first().filter(tilde);
                    match first.and_then(Val::text) {
                        Some(text)
                            if self.is_front(&bits)
                                && !part.quoted
                                && matches!(part.kind, PartKind::Text(_)) =>
                        {
                            bits.push(Bit::fixed(self.tilde_after_braces(text, state)));
                        }
                        _ => bits.push(bit),
                    }
                }
            }
        }
        bits
    }

    /// Tells whether what follows may stand at the front of its word: zsh overlooks what is empty.
    fn is_front(&self, bits: &[Bit]) -> bool {
        let mut before = bits.iter().flat_map(|it| &it.vals);
        bits.is_empty() || self.scene.shell == Shell::Zsh && before.all(Val::may_be_empty)
    }

    /// Tells whether a part is a list with names that a search found: which of them stands at its ends is not known.
    fn is_found_list(&mut self, tree: &Tree<'_>, part: &Part, state: &State) -> bool {
        let PartKind::Param(id) = part.kind else {
            return false;
        };
        let list = self.list_of(tree, tree.one(id), state);
        let searched = |it: &Val| it.choices().iter().any(Val::is_search);
        list.is_some_and(|(held, _)| held_values(&held).iter().any(searched))
    }

    fn bit(&mut self, tree: &Tree<'_>, part: &Part, state: &mut State) -> Bit {
        let bit = self.bit_of(tree, part, state);
        if !keeps_quotes(tree, part) {
            return bit;
        }
        let splitting = self.splitting(state);
        if bit.vals.iter().all(|it| splitting.leaves(it)) {
            return bit;
        }
        // What stands in quotes behind `:-` is neither split nor searched for, all around it is.
        let carries = bit.vals.iter().map(|it| it.carries);
        let carries = carries.fold(Carries::UNKNOWN, Carries::and);
        Bit {
            vals: vec![Val::any(carries)],
            any: true,
            splits: true,
        }
    }

    fn bit_of(&mut self, tree: &Tree<'_>, part: &Part, state: &mut State) -> Bit {
        if let PartKind::Text(bytes) = part.kind {
            let text = lossy(tree.bytes(bytes));
            let wild = !part.quoted && !state.options.noglob.must() && is_wild(&text);
            // Most shells read two stars as one here, which finds links.
            let text = if wild {
                text.replace("**/", "**//")
            } else {
                text
            };
            let up = above(&text).filter(|_| wild && self.scene.shell == Shell::Sh);
            if let Some(up) = up {
                let here = Val::known(up.strip_suffix('.').unwrap_or(&up));
                return Bit::fixed(Val::glob(text).or(&Val::known(up)).or(&here));
            }
            if wild && searches_oddly(state) {
                return Bit {
                    vals: vec![Val::unknown()],
                    any: true,
                    splits: false,
                };
            }
            return Bit::fixed(match wild {
                true if finds_hidden(state) => {
                    Val::glob(text.clone()).or(&Val::glob(hidden(&text)))
                }
                true => Val::glob(text),
                false => Val::known(text),
            });
        }
        if let PartKind::Param(id) = part.kind
            && let Some(bit) = self.many_values(
                tree,
                Asked {
                    id,
                    quoted: part.quoted,
                },
                state,
            )
        {
            return bit;
        }
        let val = self.part(tree, part, state);
        let whole = self.scene.shell == Shell::Zsh && matches!(part.kind, PartKind::Param(_));
        if !part.quoted
            && !whole
            && let Some(line) = val.listed()
            && self.splitting(state).parts_lines()
        {
            return Bit {
                vals: vec![line],
                any: true,
                splits: false,
            };
        }
        if whole && state.options.strange.may() && !part.quoted {
            return Bit {
                vals: vec![Val::any(val.carries.and(Carries::UNKNOWN))],
                any: true,
                splits: true,
            };
        }
        if whole {
            // zsh does not split what a parameter gives; nothing is left of an empty one.
            let gone = !part.quoted && val.text() == Some("");
            return Bit {
                any: !part.quoted && !gone && val.may_be_empty(),
                vals: if gone { Vec::new() } else { vec![val] },
                splits: false,
            };
        }
        let fixed = matches!(
            part.kind,
            PartKind::Tilde(_) | PartKind::Process { .. } | PartKind::ExtGlob(_)
        );
        Bit {
            splits: !part.quoted && !fixed,
            ..Bit::fixed(val)
        }
    }

    fn splitting(&self, state: &State) -> Splitting {
        let ifs = self.lookup("IFS", state);
        let separators = match ifs.set {
            Tri::No => Some(" \t\n".to_owned()),
            Tri::Yes => ifs.held.first().text().map(str::to_owned),
            Tri::Perhaps => None,
        };
        Splitting {
            separators,
            globs: !state.options.noglob.must(),
            odd: searches_oddly(state) || finds_hidden(state),
            extended: state.options.extglob.may(),
        }
    }

    /// Puts the pieces of a word together, in every way they may turn out.
    fn fields(&mut self, bits: Vec<Bit>, state: &State) -> Vec<Vec<(Val, bool)>> {
        let mut count = 1_usize;
        for val in bits.iter().flat_map(|it| &it.vals) {
            count = count.saturating_mul(val.choices().len());
        }
        let ways = if count == 1 {
            vec![bits]
        } else if count <= CHOICES {
            chosen(bits)
        } else {
            vec![summed_up(bits)]
        };
        let splitting = self.splitting(state);
        ways.iter()
            .map(|bits| assembled(bits, &splitting))
            .collect()
    }

    /// Expands a word that is neither split nor globbed: a value, a subject, a target.
    pub(crate) fn word(&mut self, tree: &Tree<'_>, word: &Word, state: &mut State) -> Val {
        if let belay_shell::Value::Static(bytes) = tree.value(word) {
            return Val::known(lossy(&bytes));
        }
        let mut val = Val::known("");
        if self.scene.shell == Shell::Zsh && has_modifier(tree, word) {
            for part in tree.many(word.parts) {
                self.part(tree, part, state);
            }
            return Val::unknown();
        }
        for part in tree.many(word.parts) {
            val = val.then(&self.part(tree, part, state));
            val = self.held_short(val, word.span);
        }
        val
    }

    /// Gives up a computed text that grows too long.
    fn held_short(&mut self, val: Val, at: belay_shell::Span) -> Val {
        let long = |it: &str| it.len() > crate::machine::value::LONGEST;
        if !val.text().is_some_and(long) || self.memory.spend_long(&val) {
            return val;
        }
        self.limit("texts grow too long", span(at));
        Val::unknown().carrying(val.carries)
    }

    /// Expands a run of parts, as in a here-document.
    pub(crate) fn parts(&mut self, tree: &Tree<'_>, parts: Many<Part>, state: &mut State) -> Val {
        let mut text = String::new();
        let mut val: Option<Val> = None;
        for part in tree.many(parts) {
            let next = match (part.kind, &val) {
                (PartKind::Text(bytes), None) => {
                    text.push_str(&lossy(tree.bytes(bytes)));
                    continue;
                }
                _ => self.part(tree, part, state),
            };
            match (&mut val, next.text()) {
                (None, Some(known)) if next.carries == Carries::NOTHING => {
                    text.push_str(known);
                }
                _ => {
                    let before = val
                        .take()
                        .unwrap_or_else(|| Val::known(std::mem::take(&mut text)));
                    val = Some(self.held_short(before.then(&next), part.span));
                }
            }
        }
        val.unwrap_or_else(|| Val::known(text))
    }

    /// Expands one part to one value.
    pub(crate) fn part(&mut self, tree: &Tree<'_>, part: &Part, state: &mut State) -> Val {
        match part.kind {
            PartKind::Text(bytes) => Val::known(lossy(tree.bytes(bytes))),
            PartKind::Param(id) => self.param(tree, id, state),
            PartKind::Command { form, list } => {
                self.substitution(tree, Substitution { form, list }, state)
            }
            PartKind::Arith(arith) => self.arith(tree, arith, state),
            PartKind::Process { direction, list } => {
                self.process(tree, Process { direction, list }, state)
            }
            PartKind::Brace(words) => {
                for word in tree.many(words) {
                    self.word(tree, word, state);
                }
                Val::unknown()
            }
            PartKind::Sequence(_) => Val::unknown(),
            PartKind::Tilde(user) => self.tilde(&lossy(tree.bytes(user)), state),
            PartKind::ExtGlob(id) => {
                for word in tree.many(tree.one(id).alternatives) {
                    self.word(tree, word, state);
                }
                // It may name hidden files, and without a match it stands for itself.
                let source = lossy(tree.source(part.span));
                let hidden = source.contains("(.") || source.contains("|.");
                if hidden || source.contains(['/', '$', '`', '\'', '"', '\\']) {
                    Val::unknown()
                } else {
                    Val::glob("*")
                }
            }
            PartKind::Array(elements) => {
                self.array(tree, elements, state);
                Val::glob("(*)")
            }
            PartKind::Either(parts) => {
                for part in tree.many(parts) {
                    self.part(tree, part, state);
                }
                Val::unknown()
            }
        }
    }
}

/// Returns the folder above, where a pattern of names that begin with a dot finds it too, as in some shells it does.
fn above(pattern: &str) -> Option<String> {
    let (folder, last) = match pattern.rsplit_once('/') {
        Some((folder, last)) => (format!("{folder}/"), last),
        None => (String::new(), pattern),
    };
    let finds = last.starts_with('.') && patterns::matches(last, "..") != Some(false);
    finds.then(|| format!("{folder}.."))
}

/// Tells whether a part is a parameter out of quotes whose other word has some.
fn keeps_quotes(tree: &Tree<'_>, part: &Part) -> bool {
    let PartKind::Param(id) = part.kind else {
        return false;
    };
    let ParamOp::Fallback { word, .. } = tree.one(id).op else {
        return false;
    };
    let parts = tree.many(tree.one(word).parts);
    !part.quoted && parts.iter().any(|it| it.quoted)
}

/// Tells whether words are a command and flags.
fn is_before_operands(words: &[Arg]) -> bool {
    let flag = |it: &Arg| {
        it.text()
            .is_some_and(|it| it.len() > 1 && it.starts_with('-'))
    };
    words
        .split_first()
        .is_some_and(|(_, rest)| rest.iter().all(flag))
}

/// Tells whether zsh changes what a variable gives by letters behind a colon: `$x:h`.
fn has_modifier(tree: &Tree<'_>, word: &Word) -> bool {
    tree.many(word.parts).windows(2).any(|pair| match pair {
        [before, after] => match (before.kind, after.kind) {
            (PartKind::Param(_), PartKind::Text(bytes)) => {
                let text = tree.bytes(bytes);
                text.starts_with(b":") && text.get(1).is_some_and(u8::is_ascii_alphabetic)
            }
            _ => false,
        },
        _ => false,
    })
}

/// Tells whether a word is one variable that nothing in this call has set.
fn is_inherited(tree: &Tree<'_>, word: &Word, state: &State) -> bool {
    let [part] = tree.many(word.parts) else {
        return false;
    };
    let names = crate::machine::forks::plain_names(tree, word);
    part.quoted
        && state.options != crate::machine::options::Options::anything()
        && matches!(names.as_slice(), [name] if !state.variables.contains_key(name))
}

/// Tells whether a word holds a pattern as it is written: the shell looks for files by it.
fn is_searched(tree: &Tree<'_>, word: &Word) -> bool {
    let wild = |bytes| is_wild(&lossy(tree.bytes(bytes)));
    tree.many(word.parts).iter().any(|part| {
        matches!(part.kind, PartKind::ExtGlob(_))
            || matches!(part.kind, PartKind::Text(bytes) if !part.quoted && wild(bytes))
    })
}
