//! Members that import modules, run code or unpack archives, by what they are given.

use super::apply::Call;
use super::tables::Place;
use super::value::{Atom, Value};
use super::walk::Walker;
use crate::Doing;

/// Settings of `unittest.main` that load nothing.
const CALM_SETTINGS: [&str; 6] = [
    "buffer",
    "catchbreak",
    "exit",
    "failfast",
    "verbosity",
    "warnings",
];

impl Walker {
    /// Does what one member does that loads something.
    pub(super) fn loaded(&mut self, word: &str, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let first = arguments.get(Place::At(0, "")).unwrap_or_default();
        Some(match word {
            "help" => {
                for atom in &arguments.all().atoms {
                    match atom {
                        Atom::Text(text) => self.imports_named(text.whole()),
                        Atom::Anything | Atom::Inert => self.imports_named(None),
                        Atom::Path(_)
                        | Atom::List(_)
                        | Atom::Table(_)
                        | Atom::Module(_)
                        | Atom::Member(_)
                        | Atom::Object(..)
                        | Atom::Method(..)
                        | Atom::Function(_)
                        | Atom::Bound(..)
                        | Atom::Class(_)
                        | Atom::Instance(..)
                        | Atom::Package(_) => {}
                    }
                }
                Value::inert()
            }
            "import-above" => {
                let name = arguments.get(Place::At(0, "name")).unwrap_or_default();
                match name.whole() {
                    Some(name) if !name.contains('.') => {}
                    Some(name) => {
                        let name = name.to_owned();
                        self.imports_named(name.rsplit_once('.').map(|it| it.0));
                    }
                    None => {
                        self.unread();
                    }
                }
                Value::inert()
            }
            "tests" => self.tests(call),
            "test-runner" => {
                let words = self.exactly(&first);
                let alone = arguments.each().count() == usize::from(words.is_some());
                match words {
                    _ if !alone => return Some(self.unread()),
                    Some(words) => self.runs_words(call.member.of(), &words),
                    None => self.runs_words(call.member.of(), &[]),
                }
                Value::inert()
            }
            "unpickled" => {
                let pickled = arguments.get(Place::At(2, "allow_pickle"));
                let mapped = arguments.get(Place::At(1, "mmap_mode"));
                let refused = |it: &Value| it.whole() == Some("False");
                let looks = |it: &Value| matches!(it.whole(), Some("None" | "r" | "c"));
                if !pickled.as_ref().is_none_or(refused) || !mapped.as_ref().is_none_or(looks) {
                    self.unread();
                }
                return None;
            }
            "code-texts" => {
                for value in arguments.each() {
                    let all = self.blend(&[value]);
                    let texts = all.atoms.iter().filter(|it| matches!(it, Atom::Text(_)));
                    for text in texts {
                        self.evaluated(&Value::of(text.clone()));
                    }
                }
                return None;
            }
            "settings-file" => {
                let path = arguments.get(Place::At(0, "dotenv_path"));
                for text in path.unwrap_or_else(|| Value::text(".env")).texts() {
                    self.does(Doing::Read(text.shown()));
                }
                Value::inert()
            }
            word => self.unarchived(word, call),
        })
    }

    /// Unpacks an archive.
    fn unarchived(&mut self, word: &str, call: &Call<'_>) -> Value {
        let arguments = call.arguments;
        match word {
            "untar" | "untar-one" => {
                let at = if word == "untar" { 0 } else { 1 };
                let folder = arguments.get(Place::At(at, "path"));
                self.unpack_filtered(folder, call);
            }
            "unarchive" => {
                let name = arguments.get(Place::At(0, "filename")).unwrap_or_default();
                let folder = arguments.get(Place::At(1, "extract_dir"));
                let zipped = |it: &str| it.ends_with(".zip");
                let kind = arguments.get(Place::At(2, "format"));
                let zip = match &kind {
                    Some(kind) => kind.whole() == Some("zip"),
                    None => name.texts().iter().all(|it| it.whole().is_some_and(zipped)),
                };
                if zip {
                    self.unpacked(folder);
                } else {
                    self.unpack_filtered(folder, call);
                }
            }
            _ => return self.unread(),
        }
        Value::inert()
    }

    /// Imports a module for its name's sake; nothing is known of one whose name is not.
    fn imports_named(&mut self, name: Option<&str>) {
        let plain = |it: &&str| {
            let letter = |it: char| it.is_alphanumeric() || it == '_' || it == '.';
            // `help("modules")` imports whatever it finds.
            !it.is_empty() && it.chars().all(letter) && !it.starts_with("modules")
        };
        match name.filter(plain) {
            Some(name) => {
                self.module(name);
            }
            None => {
                self.unread();
            }
        }
    }

    /// `unittest.main`: runs the tests of this program, or those it is told.
    fn tests(&mut self, call: &Call<'_>) -> Value {
        let arguments = call.arguments;
        let mut known = arguments.plain.is_empty() && arguments.more.is_none();
        for (name, value) in &arguments.named {
            let own_name = name == "argv" && self.exactly(value).is_some_and(|it| it.len() == 1);
            known &= own_name || CALM_SETTINGS.contains(&name.as_str());
        }
        if known { Value::inert() } else { self.unread() }
    }

    /// Unpacks an archive whose names may lead anywhere, unless a filter keeps them in.
    fn unpack_filtered(&mut self, folder: Option<Value>, call: &Call<'_>) {
        let filter = call.arguments.by_name("filter");
        let kept = filter.is_some_and(|it| it.whole() == Some("data"));
        if kept {
            self.unpacked(folder);
        } else {
            let folders = folder.unwrap_or_else(|| Value::text("."));
            for text in folders.texts() {
                self.does(Doing::Spill(super::apply::known(text.shown())));
            }
        }
    }

    /// Copies a value; an object of one's own may say by a function how it is made anew.
    pub(super) fn copied(&mut self, value: &Value, at: usize) -> Value {
        for atom in &value.atoms {
            let Atom::Instance(id, site) = atom else {
                continue;
            };
            for name in ["__reduce__", "__reduce_ex__", "__copy__", "__deepcopy__"] {
                let method = self.of_instance(*id, *site, name);
                let made = self.call_back(&method, &Value::inert(), at);
                let functions = self.blend(&[&made]);
                self.call_back(&functions, &functions.clone().or(&Value::inert()), at);
            }
        }
        value.clone()
    }

    /// Changes lists and tables it is given: each may then hold whatever stands beside it.
    pub(super) fn mixed(&mut self, arguments: &super::arguments::Arguments) -> Value {
        let values: Vec<&Value> = arguments.each().collect();
        let all = self.blend(&values);
        let foreign = |it: &Atom| matches!(it, Atom::Object(..)) && !super::calls::is_file(it);
        if values.iter().any(|it| it.atoms.iter().any(foreign)) {
            return self.unread();
        }
        for value in &values {
            self.pour(value, &all);
        }
        all
    }

    fn runs_words(&mut self, program: &str, words: &[Value]) {
        let mut all = vec![Value::text(program)];
        all.extend_from_slice(words);
        let commands = self.words(&all, false);
        self.run(commands, "");
    }
}
