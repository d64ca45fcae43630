//! Words, expanded: braces, parameters, substitutions, splitting, globs.

use belay_model::{Carries, TroubleKind};
use belay_shell::{
    CommandForm, Direction, Expansion, List, Many, Part, PartKind, Piece, Tree, Word,
};

use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val, escape};
use crate::machine::walk::{Walker, lossy, span};

/// How many words braces may make before they are summed up.
const BRACES: u64 = 256;

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
        self.current = Some(current.then(val));
    }

    fn cut(&mut self) {
        let many = std::mem::take(&mut self.many);
        self.done.extend(self.current.take().map(|it| (it, many)));
    }

    /// Adds an unquoted value, which the shell splits at blanks.
    fn split(&mut self, val: &Val) {
        let Text::Known(text) = &val.text else {
            self.many |= matches!(val.text, Text::Prefix { .. } | Text::Unknown { .. });
            return self.push(val);
        };
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n');
        if text.starts_with(blank) {
            self.cut();
        }
        let mut pieces = text.split(blank).filter(|it| !it.is_empty()).peekable();
        while let Some(piece) = pieces.next() {
            self.push(&unquoted(piece).carrying(val.carries));
            if pieces.peek().is_some() || text.ends_with(blank) {
                self.cut();
            }
        }
    }
}

/// Returns unquoted text: a glob when it has wildcards.
fn unquoted(text: &str) -> Val {
    if text.contains(['*', '?']) || text.contains('[') && text.contains(']') {
        Val::glob(text)
    } else {
        Val::known(text)
    }
}

impl Walker<'_> {
    /// Expands the words of a command.
    pub(crate) fn words(
        &mut self,
        tree: &Tree<'_>,
        words: Many<Word>,
        state: &mut State,
    ) -> Vec<Arg> {
        let mut args = Vec::with_capacity(words.len());
        for word in tree.many(words) {
            self.expand(tree, word, state, &mut args);
        }
        args
    }

    /// Expands one word to the words it becomes.
    pub(crate) fn expand(
        &mut self,
        tree: &Tree<'_>,
        word: &Word,
        state: &mut State,
        args: &mut Vec<Arg>,
    ) {
        let at = span(word.span);
        if let belay_shell::Value::Static(bytes) = tree.value(word) {
            return args.push(Arg::known(lossy(&bytes), at));
        }
        let count = tree.expansion_count(word);
        if count > BRACES {
            self.braces_walked(tree, word, state);
            return args.push(Arg::many(Val::unknown(), at));
        }
        for expansion in tree.expansions(word, BRACES) {
            let vals = self.fields(tree, &expansion, state);
            args.extend(vals.into_iter().map(|(val, many)| Arg {
                val,
                span: at,
                many,
            }));
        }
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

    fn fields(
        &mut self,
        tree: &Tree<'_>,
        expansion: &Expansion<'_>,
        state: &mut State,
    ) -> Vec<(Val, bool)> {
        let mut fields = Fields::default();
        for piece in &expansion.pieces {
            match piece {
                Piece::Text(text) => fields.push(&Val::known(lossy(text))),
                Piece::Part(part) => self.field(tree, part, state, &mut fields),
            }
        }
        fields.cut();
        fields.done
    }

    fn field(&mut self, tree: &Tree<'_>, part: &Part, state: &mut State, fields: &mut Fields) {
        if let PartKind::Text(bytes) = part.kind {
            let text = lossy(tree.bytes(bytes));
            return fields.push(&if part.quoted {
                Val::known(text)
            } else {
                unquoted(&text)
            });
        }
        if let PartKind::Param(id) = part.kind
            && let Some(list) = self.many_values(tree, id, state)
        {
            for (at, val) in list.iter().enumerate() {
                if at > 0 {
                    fields.cut();
                }
                if part.quoted {
                    fields.push(val)
                } else {
                    fields.split(val)
                }
            }
            return;
        }
        let val = self.part(tree, part, state);
        let fixed = matches!(
            part.kind,
            PartKind::Tilde(_) | PartKind::Process { .. } | PartKind::ExtGlob(_)
        );
        if part.quoted || fixed {
            fields.push(&val);
        } else if state.variables.contains_key("IFS") && !matches!(val.text, Text::Glob(_)) {
            fields.many = true;
            fields.push(&Val::unknown().carrying(val.carries));
        } else {
            fields.split(&val);
        }
    }

    /// Expands a word that is neither split nor globbed: a value, a subject, a target.
    pub(crate) fn word(&mut self, tree: &Tree<'_>, word: &Word, state: &mut State) -> Val {
        if let belay_shell::Value::Static(bytes) = tree.value(word) {
            return Val::known(lossy(&bytes));
        }
        let mut val = Val::known("");
        for part in tree.many(word.parts) {
            val = val.then(&self.part(tree, part, state));
        }
        val
    }

    /// Expands a run of parts, as in a here-document.
    pub(crate) fn parts(&mut self, tree: &Tree<'_>, parts: Many<Part>, state: &mut State) -> Val {
        let mut text = String::new();
        let mut val: Option<Val> = None;
        for part in tree.many(parts) {
            match (part.kind, &mut val) {
                (PartKind::Text(bytes), None) => text.push_str(&lossy(tree.bytes(bytes))),
                _ => {
                    let next = self.part(tree, part, state);
                    let before = val
                        .take()
                        .unwrap_or_else(|| Val::known(std::mem::take(&mut text)));
                    val = Some(before.then(&next));
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
            PartKind::Command { form, list } => self.substitution(tree, (form, list), state),
            PartKind::Arith(arith) => {
                self.arith(tree, arith, state);
                Val::segment()
            }
            PartKind::Process { direction, list } => self.process(tree, (direction, list), state),
            PartKind::Brace(words) => {
                for word in tree.many(words) {
                    self.word(tree, word, state);
                }
                Val::unknown()
            }
            PartKind::Sequence(_) => Val::segment(),
            PartKind::Tilde(user) => self.tilde(&lossy(tree.bytes(user)), state),
            PartKind::ExtGlob(id) => {
                for word in tree.many(tree.one(id).alternatives) {
                    self.word(tree, word, state);
                }
                Val::glob("*")
            }
            PartKind::Array(elements) => {
                for element in tree.many(elements) {
                    if let Some(subscript) = element.subscript {
                        self.subscript(tree, subscript, state);
                    }
                    self.word(tree, tree.one(element.value), state);
                }
                Val::unknown()
            }
            PartKind::Either(parts) => {
                for part in tree.many(parts) {
                    self.part(tree, part, state);
                }
                Val::unknown()
            }
        }
    }

    fn substitution(
        &mut self,
        tree: &Tree<'_>,
        (form, list): (CommandForm, List),
        state: &mut State,
    ) -> Val {
        let quotable = self.quotable;
        self.quotable &= form != CommandForm::Backtick;
        let output = match form {
            CommandForm::Dollar | CommandForm::Backtick => {
                self.apart(tree, list, state, &Stream::terminal())
            }
            CommandForm::Brace => self.list(tree, list, state, &Stream::terminal()),
        };
        self.quotable = quotable;
        output.captured()
    }

    fn process(
        &mut self,
        tree: &Tree<'_>,
        (direction, list): (Direction, List),
        state: &mut State,
    ) -> Val {
        match direction {
            Direction::Input => {
                let output = self.apart(tree, list, state, &Stream::terminal());
                self.pipes += 1;
                let path = format!("/dev/fd/{}", 1000 + self.pipes);
                let text = output.text.as_ref().and_then(Val::text).map(str::to_owned);
                let note = crate::machine::state::Note {
                    carries: output.carries,
                    text,
                    copied: false,
                };
                state.files.insert(path.clone(), note);
                Val::known(path).carrying(output.carries)
            }
            Direction::Output => {
                self.apart(tree, list, state, &Stream::labelled(Carries::UNKNOWN));
                Val::known("/dev/fd/62")
            }
        }
    }

    fn tilde(&mut self, user: &str, state: &State) -> Val {
        match user {
            "" => match state.variables.get("HOME") {
                Some(Some(home)) => home.clone(),
                Some(None) => Val::unknown(),
                None => Val::known(self.scene.frame.home()),
            },
            "+" => state.cwd.clone().map_or_else(Val::unknown, Val::known),
            "-" => state.previous.clone().map_or_else(Val::unknown, Val::known),
            "root" => Val::known("/root"),
            user if user
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')) =>
            {
                Val::known(format!("/home/{}", escape(user)))
            }
            _ => Val::unknown(),
        }
    }

    /// Walks a value that the shell evaluates as arithmetic although it was quoted.
    pub(crate) fn evaluated(&mut self, val: &Val, state: &mut State, at: belay_model::Span) {
        match &val.text {
            Text::Known(text) => {
                let text = text.clone();
                let (tree, arith) = belay_shell::parse_arith(text.as_bytes());
                self.arith_of(&tree, arith, state);
            }
            Text::Glob(text) if text == "*" => {}
            Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => {
                if val.carries.holds(Carries::UNKNOWN) || val.carries.holds(Carries::FETCHED) {
                    self.trouble(
                        TroubleKind::Unknown,
                        "arithmetic on a text that is not known",
                        at,
                    );
                }
            }
        }
    }

    /// Walks a value that names a variable, perhaps with a subscript.
    pub(crate) fn named(&mut self, val: &Val, state: &mut State, at: belay_model::Span) {
        let Some(text) = val.text().map(str::to_owned) else {
            return self.trouble(
                TroubleKind::Unknown,
                "a variable whose name is not known",
                at,
            );
        };
        let (tree, name) = belay_shell::parse_name(text.as_bytes());
        if let Some(subscript) = name.and_then(|it| it.subscript) {
            self.subscript(&tree, subscript, state);
        }
    }
}
