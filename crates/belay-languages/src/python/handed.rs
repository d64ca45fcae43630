//! Members that hand on what they are given, or choose by it what they do.

use super::apply::{Call, known};
use super::arguments::Arguments;
use super::tables::{self, Place};
use super::value::{Atom, Rest, Site, Text, Value};
use super::walk::Walker;
use crate::Doing;

/// The place of the words that the program is given.
pub(super) const ARGV: Site = (usize::MAX - 1, 0);

impl Walker {
    /// Does what one member does that no table can say.
    pub(super) fn handed(&mut self, word: &str, first: &Value, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let at = arguments.at;
        Some(match word {
            "copied" => self.copied(first, at),
            "mixed" => self.mixed(arguments),
            "passed" => {
                let functions = arguments.all();
                let mut inner = Value::never();
                for value in &arguments.plain {
                    let elements = self.elements(value);
                    inner.join(&elements);
                }
                self.call_back(&functions, &inner, at);
                self.many(self.site(at), &inner)
            }
            "submit" => {
                let mut given = arguments.clone();
                if !given.plain.is_empty() {
                    given.plain.remove(0);
                }
                let value = self.call(first, &given);
                self.many(self.site(at), &value).or(&value)
            }
            "thread" => {
                let target = arguments.get(Place::At(1, "target")).unwrap_or_default();
                let list = arguments.get(Place::At(3, "args")).unwrap_or_default();
                let given = match self.exactly(&list) {
                    Some(items) => Arguments::of(items, at),
                    None if list.atoms.is_empty() => Arguments::of(Vec::new(), at),
                    None => Arguments {
                        more: Some(self.elements(&list)),
                        at,
                        ..Arguments::default()
                    },
                };
                self.call(&target, &given);
                Value::inert()
            }
            "argv" => self.program_words(),
            "passed-through" => self.awaited(arguments),
            "chain" => {
                let mut inner = Value::never();
                for value in arguments.plain.iter().chain(&arguments.more) {
                    let elements = self.elements(value);
                    inner.join(&elements);
                }
                self.many(self.site(at), &inner)
            }
            "flat" => {
                let lists = self.elements(first);
                let inner = self.elements(&lists);
                self.many(self.site(at), &inner)
            }
            word if word.starts_with("parse") => return self.parsed(word, call),
            word => return self.handed_file(word, first, call),
        })
    }

    /// Does what one member does that names files, hosts or modules.
    fn handed_file(&mut self, word: &str, first: &Value, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let at = arguments.at;
        Some(match word {
            "scandir" => self.entries(first, at),
            "relative" => {
                let below = |it: Text| {
                    Value::of(Atom::Path(match it.rest {
                        Rest::Below => Text::begins("", Rest::Below),
                        Rest::Nothing | Rest::Anything => Text::begins("", Rest::Anything),
                    }))
                };
                let texts = call.get(Place::Myself).unwrap_or_default().texts();
                texts
                    .into_iter()
                    .fold(Value::never(), |all, it| all.or(&below(it)))
            }
            "interpreter" => Value::text("/usr/bin/python3"),
            "temporary" => self.made_temporary(call),
            "temporary-file" => self.temporary_file(call),
            "temporary-pair" => {
                let path = self.made_temporary(call);
                self.list(self.site(at), vec![Value::inert(), path])
            }
            "operands" => {
                self.operands(call);
                Value::inert()
            }
            "import" => match first.whole() {
                Some(name) if !name.starts_with('.') => {
                    let name = name.to_owned();
                    self.module(&name)
                }
                _ => self.unread(),
            },
            "database" => {
                self.database(first);
                return None;
            }
            "url" => self.url(first, arguments),
            "based" => based(arguments)?,
            "timed" => {
                let (code, setup) = (Place::At(0, "stmt"), Place::At(1, "setup"));
                for value in [arguments.get(code), arguments.get(setup)]
                    .into_iter()
                    .flatten()
                {
                    if value.atoms.iter().all(|it| matches!(it, Atom::Text(_))) {
                        self.evaluated(&value);
                    } else {
                        self.call(&value, &Arguments::of(Vec::new(), at));
                    }
                }
                Value::inert()
            }
            "server" => {
                self.server(call);
                return None;
            }
            "browser" => {
                self.browser(arguments);
                return None;
            }
            "patched" => {
                self.patched(call);
                Value::inert()
            }
            // A name with a scheme is that of a module which is loaded.
            "backend" => {
                let name = arguments.get(Place::At(0, "backend")).unwrap_or_default();
                let whole = name.whole().filter(|it| !it.contains(':'));
                if whole.is_none() {
                    self.unread();
                }
                Value::inert()
            }
            "safe-loader" => {
                let loader = arguments.get(Place::At(1, "Loader")).unwrap_or_default();
                let safe = |it: &Atom| matches!(it, Atom::Member(member) if matches!(member.name(), "SafeLoader" | "CSafeLoader"));
                if loader.atoms.is_empty() || !loader.atoms.iter().all(safe) {
                    self.unread();
                }
                Value::inert()
            }
            word => return self.probed(word, first, call),
        })
    }

    /// Reads the files it is given, or those that the program is given, and may write them again.
    fn operands(&mut self, call: &Call<'_>) {
        let files = call.arguments.get(Place::At(0, "files"));
        let files = files.filter(|it| it.whole() != Some("None"));
        let named = files.is_some();
        let mut texts = Vec::new();
        for atom in files.iter().flat_map(|it| &it.atoms) {
            let file = Value::of(atom.clone());
            let several = matches!(atom, Atom::List(_) | Atom::Table(_));
            let named = if several { self.elements(&file) } else { file };
            texts.extend(named.texts());
        }
        if !named {
            self.program_words();
            let mut words = self.contents(ARGV);
            // The first is the program itself.
            if let Some(items) = words.items.as_mut().filter(|it| !it.is_empty()) {
                items.remove(0);
            }
            let given = Text::begins("", Rest::Anything);
            let words = words.all(super::heap::Fields::Values).texts();
            texts.extend(words.into_iter().filter(|it| *it != given));
        }
        let arguments = call.arguments;
        let writes = named || arguments.plain.len() > 1 || arguments.by_name("inplace").is_some();
        for text in texts {
            self.does(Doing::Read(text.shown()));
            if writes {
                self.does(Doing::Write(known(text.shown())));
            }
        }
    }

    /// `asyncio`: what is waited for comes back.
    fn awaited(&mut self, arguments: &Arguments) -> Value {
        let all = arguments.all();
        let functions = self.blend(&[&all]);
        self.call_back(
            &functions,
            &functions.clone().or(&Value::inert()),
            arguments.at,
        );
        let list = self.many(self.site(arguments.at), &all);
        all.or(&list).or(&Value::inert())
    }

    /// The things in a folder, each with its path.
    fn entries(&mut self, folder: &Value, at: usize) -> Value {
        let folder = if folder.atoms.is_empty() {
            Value::text(".")
        } else {
            folder.clone()
        };
        let name = Value::of(Atom::Text(Text::begins("", Rest::Below)));
        let path = super::expressions::within(&folder, &name);
        let entry = tables::object("entry").map_or_else(Value::anything, |it| {
            Value::of(Atom::Object(it, path.into()))
        });
        self.many(self.site(at), &entry)
    }

    /// A database in a file, in memory, or behind an address of its own.
    fn database(&mut self, first: &Value) {
        for text in first.texts() {
            match text.whole() {
                Some(":memory:" | "") => {}
                Some(uri) if uri.starts_with("file:") => {
                    let path = uri
                        .trim_start_matches("file:")
                        .split('?')
                        .next()
                        .unwrap_or_default();
                    let path = if path.contains('%') {
                        crate::ANYTHING.to_string()
                    } else {
                        path.to_owned()
                    };
                    self.does(Doing::Read(path));
                }
                _ => self.does(Doing::Read(text.shown())),
            }
        }
    }

    /// Gets something from an address; with data of any kind it is sent there.
    fn url(&mut self, first: &Value, arguments: &Arguments) -> Value {
        self.fetched = true;
        let named = |(name, _): &(String, Value)| {
            !matches!(
                name.as_str(),
                "timeout"
                    | "verify"
                    | "allow_redirects"
                    | "follow_redirects"
                    | "url"
                    | "context"
                    | "stream"
            )
        };
        let plain = arguments.plain.len() <= 1 && arguments.more.is_none();
        let labelled = !arguments.labels().is_empty();
        let request = first.atoms.iter().any(|it| matches!(it, Atom::Object(..)));
        let first = if first.atoms.is_empty() {
            arguments.by_name("url").unwrap_or_default()
        } else {
            first.clone()
        };
        let sends = !plain || labelled || request || arguments.named.iter().any(named);
        if sends {
            let values: Vec<&Value> = arguments.each().collect();
            self.show(&values);
        }
        for text in first.texts() {
            let url = known(text.shown());
            self.does(if sends {
                Doing::Send(url)
            } else {
                Doing::Fetch(url)
            });
        }
        Value::inert()
    }
}

/// Returns a session whose addresses stand behind one address; nothing of one that is made in another way.
fn based(arguments: &Arguments) -> Option<Value> {
    let harmless = |(name, _): &(String, Value)| {
        matches!(
            name.as_str(),
            "base_url" | "follow_redirects" | "headers" | "timeout" | "verify"
        )
    };
    let base = arguments.by_name("base_url")?;
    let simple = arguments.plain.is_empty() && arguments.more.is_none();
    if !simple || !arguments.named.iter().all(harmless) {
        return None;
    }
    let session = tables::object("based_session")?;
    Some(Value::of(Atom::Object(session, base.into())))
}
