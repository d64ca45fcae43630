//! The words a program is given, and what `argparse` makes of them.
//!
//! INVARIANT: whatever a parser hands out is one of the words, a part of one, a default, or what a function made of
//! these. Which of them is only told apart by whether an argument begins with a dash.

use super::apply::Call;
use super::arguments::Arguments;
use super::handed::ARGV;
use super::heap::Fields;
use super::tables::{self, Place};
use super::value::{Atom, Rest, Site, Text, Value};
use super::walk::Walker;

/// What all parsers hand out.
const PARSED: Site = (usize::MAX - 2, 0);

/// Tells whether that is where all that parsers hand out lies.
pub(super) fn is_parsed(site: Site) -> bool {
    site == PARSED
}

/// What makes values of words.
const TYPES: Site = (usize::MAX - 3, 0);

/// What one argument of a parser takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    One,
    Many,
    Nothing,
}

impl Walker {
    /// Returns `sys.argv`.
    pub(super) fn program_words(&mut self) -> Value {
        let Some(given) = self.given.clone() else {
            // Of words that nobody knows only what the program adds to them can be told.
            let any = Value::of(Atom::Text(Text::begins("", Rest::Anything)));
            return self.many(ARGV, &any);
        };
        let words: Vec<Value> = given.words.iter().map(word).collect();
        if given.several {
            let any = words.iter().fold(Value::never(), |all, it| all.or(it));
            self.many(ARGV, &any)
        } else {
            self.list(ARGV, words)
        }
    }

    /// Tells whether the program made other words of those that it was given.
    fn changed_words(&self) -> bool {
        let Some(contents) = self.heap.get(&ARGV) else {
            return false;
        };
        let Some(given) = &self.given else {
            return true;
        };
        let words: Vec<Value> = given.words.iter().map(word).collect();
        let whole = if given.several {
            let any = words.iter().fold(Value::never(), |all, it| all.or(it));
            contents.items.is_none() && contents.rest == any
        } else {
            contents.items.as_ref() == Some(&words) && contents.rest == Value::never()
        };
        !whole || !contents.fields.is_empty()
    }

    /// Tells whether a list holds nothing but words that the program was given.
    fn holds_given(&self, site: Site) -> bool {
        let words = self.given.iter().flat_map(|it| &it.words).map(word);
        let any = words.fold(Value::never(), |all, it| all.or(&it));
        let held = self.contents(site).all(Fields::Values);
        held.atoms.iter().all(|it| any.atoms.contains(it))
    }

    /// Does what one member of a parser of words does.
    pub(super) fn parsed(&mut self, word: &str, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        match word {
            "parser" => self.parser(arguments),
            "parser-argument" => self.parser_argument(arguments),
            "parser-commands" => {
                if let Some(dest) = arguments.by_name("dest") {
                    let words = self.candidates(Dashes::Without);
                    self.keep_parsed(&dest, &words);
                }
                self.parser(arguments)
            }
            "parser-defaults" => {
                let parsed = Value::of(Atom::Table(PARSED));
                for (name, value) in &arguments.named {
                    self.pour_field(&parsed, name, value);
                }
                if let Some(more) = &arguments.more {
                    self.pour(&parsed, more);
                }
                Some(Value::inert())
            }
            "parse" => Some(self.parse(arguments)),
            "parse-known" => {
                let parsed = self.parse(arguments);
                let mut words = self.candidates(Dashes::With);
                if let Some(list) = arguments.get(Place::At(0, "args")) {
                    words.join(&self.elements(&list).or(&Value::inert()));
                }
                let (at, context) = self.site(arguments.at);
                let rest = self.many((at, context ^ 1), &words);
                Some(self.list((at, context), vec![parsed, rest]))
            }
            _ => None,
        }
    }

    /// Makes a parser, or a part of one.
    fn parser(&mut self, arguments: &Arguments) -> Option<Value> {
        // It may be told to read words from files, or to take others for flags.
        let odd = |(name, _): &(String, Value)| {
            matches!(
                name.as_str(),
                "fromfile_prefix_chars" | "prefix_chars" | "parser_class"
            )
        };
        if arguments.named.iter().any(odd) || arguments.more.is_some() {
            return Some(self.unread());
        }
        let parser = tables::object("argument_parser")?;
        Some(Value::of(Atom::Object(parser, Value::inert().into())))
    }

    /// One argument is declared: what it may come to be is kept under its name.
    fn parser_argument(&mut self, arguments: &Arguments) -> Option<Value> {
        if arguments.more.is_some() {
            return Some(self.unread());
        }
        let names: Vec<Option<&str>> = arguments.plain.iter().map(Value::whole).collect();
        let flag = names
            .iter()
            .any(|it| it.is_none_or(|it| it.starts_with('-')));
        let Some(takes) = taken(arguments) else {
            return Some(self.unread());
        };
        let mut value = match takes {
            Takes::Nothing => Value::inert(),
            Takes::One | Takes::Many if flag => self.taken_by(&names, takes),
            Takes::One | Takes::Many => self.candidates(Dashes::Without),
        };
        let default = arguments.by_name("default");
        if let Some(function) = arguments.by_name("type") {
            let texts = default.iter().filter(|it| it.whole().is_some());
            let words = texts.fold(value.clone(), |all, it| all.or(it));
            let types = Value::of(Atom::Table(TYPES));
            self.pour(&types, &function);
            value = self.made_of(&function, &words, arguments.at);
        }
        if takes == Takes::Many {
            value = self.many(self.site(arguments.at), &value);
        }
        // What nobody gives is `None`, and looks so where a text is made of it.
        value.join(&default.unwrap_or_else(|| Value::text("None")));
        if let Some(constant) = arguments.by_name("const") {
            value.join(&constant);
        }
        let name = arguments
            .by_name("dest")
            .unwrap_or_else(|| destination(&names));
        self.keep_parsed(&name, &value);
        Some(Value::inert())
    }

    /// Returns what a function makes of words.
    fn made_of(&mut self, function: &Value, words: &Value, at: usize) -> Value {
        let given = Arguments::of(vec![words.clone()], at);
        let made = self.call(function, &given);
        // What is no function that we know may hand on what it is given.
        if made.atoms.is_empty() {
            words.clone()
        } else {
            made
        }
    }

    fn keep_parsed(&mut self, name: &Value, value: &Value) {
        let parsed = Value::of(Atom::Table(PARSED));
        match name.whole() {
            Some(name) => self.pour_field(&parsed, name, value),
            None => self.pour(&parsed, value),
        }
    }

    /// The words are parsed: those of the program, or others.
    fn parse(&mut self, arguments: &Arguments) -> Value {
        let parsed = Value::of(Atom::Table(PARSED));
        let list = arguments.get(Place::At(0, "args"));
        // All of them, or those behind the first: in another order they mean something else.
        let behind = (ARGV.0, ARGV.1 ^ 1);
        let own = |it: &Value| {
            it.atoms == [Atom::List(ARGV)]
                || it.atoms == [Atom::List(behind)] && self.holds_given(behind)
        };
        let changed = self.changed_words().then(|| Value::of(Atom::List(ARGV)));
        if let Some(list) = list.filter(|it| !own(it)).or(changed) {
            let words = self.elements(&list).or(&Value::inert());
            let functions = self.contents(TYPES).all(Fields::Values);
            let made = self.call_back(&functions, &words, arguments.at);
            self.pour(&parsed, &words.or(&made));
        }
        // What an object of the program's own is filled with, it may do something with.
        if arguments.get(Place::At(1, "namespace")).is_some() {
            return self.unread();
        }
        parsed
    }

    /// Returns what a word may be that an argument takes.
    fn candidates(&mut self, dashes: Dashes) -> Value {
        if self.changed_words() {
            return self.contents(ARGV).all(Fields::Values).or(&Value::inert());
        }
        let Some(given) = self.given.clone() else {
            return Value::inert();
        };
        let mut all = Value::never();
        // Behind two dashes, and in words that look like no flag, a dash says nothing.
        let mut words = given.words.iter().skip(1);
        let open = |it: &str| it == "--" || it.ends_with(crate::WITHIN);
        let ends = words.any(|it| it.as_deref().is_none_or(open));
        for given in given.words.iter().skip(1) {
            let Some(text) = given.as_deref().filter(|it| it.starts_with('-')) else {
                all.join(&word(given));
                continue;
            };
            let plain = ends || text.contains(' ') || text.bytes().any(|it| it.is_ascii_digit());
            if plain || dashes == Dashes::With {
                all.join(&word(given));
            }
        }
        all
    }

    /// Returns what a word may be that a flag takes: what is glued to it, and what stands behind it.
    fn taken_by(&mut self, names: &[Option<&str>], takes: Takes) -> Value {
        let given = self.given.clone().filter(|it| !it.several);
        let (Some(given), Some(names)) =
            (given, names.iter().copied().collect::<Option<Vec<&str>>>())
        else {
            return self.candidates(Dashes::With).or(&Value::inert());
        };
        let mut all = Value::never();
        let mut open = false;
        for given in given.words.iter().skip(1) {
            let Some(text) = given.as_deref() else {
                // It may be the flag, or what it takes.
                open = true;
                all.join(&Value::inert());
                continue;
            };
            if open {
                all.join(&word(given));
            }
            if names.iter().any(|it| may_name(text, it)) {
                open = true;
                parts(text, &names).iter().for_each(|it| {
                    all.join(it);
                });
            } else if takes == Takes::One || text.starts_with('-') {
                open = false;
            }
        }
        all
    }
}

/// What of words that begin with a dash counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dashes {
    /// Nothing.
    Without,
    /// The words themselves.
    With,
}

/// Tells whether a word may be a flag, shortened, in a cluster, or with something glued to it.
fn may_name(word: &str, flag: &str) -> bool {
    let named = word.split_once('=').map_or(word, |it| it.0);
    let letter = flag.strip_prefix('-').filter(|it| it.chars().count() == 1);
    let cluster = word.starts_with('-') && !word.starts_with("--");
    flag.starts_with(named) || letter.is_some_and(|it| cluster && word.contains(it))
}

/// Returns what is glued to a flag: behind an equals sign, or behind its letter.
fn parts(text: &str, flags: &[&str]) -> Vec<Value> {
    let value = |it: &str| word(&Some(it.to_owned()));
    let mut found: Vec<Value> = Vec::new();
    found.extend(text.split_once('=').map(|(_, it)| value(it)));
    let letters = text.strip_prefix('-').filter(|it| !it.starts_with('-'));
    let flags = flags.iter().filter_map(|it| it.strip_prefix('-'));
    for flag in flags.filter(|it| it.chars().count() == 1) {
        let behind = letters.and_then(|it| it.split_once(flag)).map(|it| it.1);
        found.extend(behind.filter(|it| !it.is_empty()).map(value));
    }
    found
}

/// Returns how many words an argument takes; nothing where something of the program's own takes them.
fn taken(arguments: &Arguments) -> Option<Takes> {
    let count = arguments.by_name("nargs");
    let many = match count.as_ref().map(Value::whole) {
        None | Some(Some("?")) => Takes::One,
        // What is left over may begin with dashes.
        Some(Some("..." | "A...")) => return None,
        Some(Some(_)) => Takes::Many,
        Some(None) => {
            let plain = count.is_some_and(|it| it.is_plain());
            plain.then_some(Takes::Many)?
        }
    };
    let Some(action) = arguments.by_name("action") else {
        return Some(many);
    };
    match action.whole() {
        Some("store") => Some(many),
        Some("append" | "extend" | "append_const") => Some(Takes::Many),
        Some("store_true" | "store_false" | "store_const" | "count" | "help" | "version") => {
            Some(Takes::Nothing)
        }
        Some(_) => None,
        None => {
            let known = |it: &Atom| matches!(it, Atom::Member(member) if member.of() == "argparse");
            let known = !action.atoms.is_empty() && action.atoms.iter().all(known);
            known.then_some(Takes::Nothing)
        }
    }
}

/// Returns the name under which an argument is kept.
fn destination(names: &[Option<&str>]) -> Value {
    let Some(names) = names.iter().copied().collect::<Option<Vec<&str>>>() else {
        return Value::inert();
    };
    let long = names.iter().find(|it| it.starts_with("--"));
    match long.or(names.first()) {
        Some(name) => Value::text(name.trim_start_matches('-').replace('-', "_")),
        None => Value::inert(),
    }
}

/// Returns a word of the command line; of some only the folder is known.
fn word(word: &Option<String>) -> Value {
    let Some(word) = word else {
        return Value::inert();
    };
    match word.strip_suffix(crate::WITHIN) {
        Some(folder) => Value::of(Atom::Text(Text::begins(folder, Rest::Below))),
        None => Value::text(word),
    }
}
