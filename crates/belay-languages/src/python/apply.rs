//! What members of the library and of known packages do, step by step.

use super::arguments::Arguments;
use super::driven::Hands;
use super::functions::is_callable;
use super::heap::named_variable;
use super::servers::IN_MEMORY;
use super::tables::{self, Member, Place, Step};
use super::texts;
use super::value::{Atom, Labels, Rest, Text, Value};
use super::walk::Walker;
use crate::Doing;

/// A question to a database like any other.
const QUESTION: &str = "SELECT 1";

/// A call of a member.
pub(super) struct Call<'a> {
    pub(super) member: &'static Member,
    /// The object whose member it is.
    pub(super) holder: Option<&'a Atom>,
    pub(super) arguments: &'a Arguments,
}

impl Call<'_> {
    /// Returns what stands in a place; nothing when it was left out.
    pub(super) fn get(&self, place: Place) -> Option<Value> {
        if let Place::Myself = place {
            self.holder.map(|it| Value::of(it.clone()))
        } else {
            self.arguments.get(place)
        }
    }

    fn paths(&self, place: Place) -> Vec<Text> {
        self.get(place).map(|it| it.texts()).unwrap_or_default()
    }

    /// Returns an address, behind the one that a session was made with.
    fn based(&self, url: Text) -> Text {
        let below = url.known.starts_with('/') && !url.known.starts_with("//");
        if let Some(Atom::Object(thing, subject)) = self.holder
            && thing.name == "based_session"
            && let Some(base) = subject.whole().filter(|_| below)
        {
            return Text::exact(base.trim_end_matches('/')).then(&url);
        }
        url
    }
}

impl Walker {
    /// Does what a member does, and returns what it may return.
    pub(super) fn apply(
        &mut self,
        member: &'static Member,
        holder: Option<&Atom>,
        arguments: &Arguments,
    ) -> Value {
        if !self.steps() {
            return Value::anything();
        }
        if let Some(thing) = tables::package(member.of()) {
            self.uses(thing.name, crate::Use::Imported);
        }
        let call = Call {
            member,
            holder,
            arguments,
        };
        let mut result = None;
        for step in member.steps() {
            let found = self.step(*step, &call);
            result = found.or(result);
        }
        self.result(&call, result)
    }

    /// Returns what a call returns, and calls what it was given where it may.
    fn result(&mut self, call: &Call<'_>, result: Option<Value>) -> Value {
        let steps = call.member.steps();
        let values: Vec<&Value> = call.arguments.each().collect();
        let mut all = self.blend(&values);
        if let Some(Atom::Object(_, subject)) = call.holder {
            all.labels.add(&subject.labels);
        }
        let quiet = steps.contains(&Step::Quiet)
            || steps
                .iter()
                .any(|it| matches!(it, Step::Special(word) if !calls_on(word)));
        let given = all.clone().or(&Value::inert());
        for value in values.into_iter().filter(|_| !quiet) {
            // One by one: next to something of which nothing is known, a function is still a function.
            let value = self.blend(&[value]);
            if value.atoms.iter().any(is_callable) {
                self.call_back(&value, &given, call.arguments.at);
            }
        }
        if !quiet {
            self.driven(&all, Hands::Library);
        }
        if !quiet && all.atoms.iter().any(|it| matches!(it, Atom::Module(_))) {
            self.unread();
        }
        if steps.contains(&Step::Drops) {
            all.labels = Labels::default();
        }
        match result {
            Some(value) if steps.contains(&Step::Drops) => value,
            Some(value) => value.labelled(&all.labels),
            None if steps.contains(&Step::Quiet) => {
                Value::inert().labelled(&all.labels).telling(&all)
            }
            None => self.holding(&all, call.arguments.at),
        }
    }

    /// Does one step; returns what the call returns, where the step says so.
    fn step(&mut self, step: Step, call: &Call<'_>) -> Option<Value> {
        match step {
            Step::Read(place) => {
                let remote = tables::package(call.member.of()).is_some();
                self.each(call.paths(place), |it| {
                    // Packages that read files mostly read addresses too.
                    if remote && it.contains("://") {
                        Doing::Fetch(known(it))
                    } else {
                        Doing::Read(it)
                    }
                });
            }
            Step::Write(place) => self.written(call, place),
            Step::Drives(place) => {
                let given = call.get(place).unwrap_or_default();
                self.driven(&given, Hands::Library);
            }
            Step::Unpack(place) => self.unpacked(call.get(place)),
            Step::Delete(place) => {
                self.each(call.paths(place), |it| Doing::Delete(known(it), false))
            }
            Step::DeleteTree(place) => {
                self.each(call.paths(place), |it| Doing::Delete(known(it), true))
            }
            Step::Open(place, mode) => self.opened(call, place, mode),
            Step::Fetch(place) => {
                self.fetched = true;
                self.each(call.paths(place), |it| Doing::Fetch(known(it)));
            }
            Step::Send(place) => {
                let values: Vec<&Value> = call.arguments.each().collect();
                self.show(&values);
                let urls = call.paths(place);
                let urls = urls.into_iter().map(|it| call.based(it)).collect();
                self.each(urls, |it| Doing::Send(known(it)));
            }
            Step::Personal => self.does(Doing::Other(belay_model::Verb::Read, vec!["personal"])),
            Step::Shows => {
                let values: Vec<&Value> = call.arguments.each().collect();
                self.show(&values);
            }
            Step::Unread => {
                self.unread();
            }
            Step::Search(place) => {
                if let Some(value) = call.get(place) {
                    self.search(&value);
                }
            }
            Step::Sets(name, value) => {
                let name = call.get(name).and_then(|it| it.whole().map(str::to_owned));
                let value = call.get(value).unwrap_or_default();
                self.export(name, &value);
            }
            Step::Folder(place) => {
                self.each(call.paths(place), |it| Doing::Folder(known(it)));
            }
            Step::Shell(_) | Step::Program | Step::Words => return self.program_step(step, call),
            Step::Sql(place) => self.queried(call, place),
            Step::Python(place) => {
                if call.member.of() == "builtins" && call.arguments.each().count() > 1 {
                    self.unread();
                }
                if let Some(code) = call.get(place) {
                    self.evaluated(&code);
                }
                return Some(Value::anything());
            }
            Step::Quiet | Step::Drops | Step::Keeps => {}
            other @ (Step::Variable(_)
            | Step::Object(_)
            | Step::Alias(_)
            | Step::Same(_)
            | Step::SamePath(_)
            | Step::Join
            | Step::Path(_)
            | Step::Below(_)
            | Step::Names(_)
            | Step::Walk(_)
            | Step::Text(_)
            | Step::Parent(_)
            | Step::Last(_)
            | Step::Package
            | Step::Special(_)) => return self.returns(other, call),
        }
        None
    }

    /// Writes a file; packages that write files mostly send them to addresses too.
    fn written(&mut self, call: &Call<'_>, place: Place) {
        let remote = tables::package(call.member.of()).is_some();
        let (sent, kept): (Vec<Text>, Vec<Text>) = call
            .paths(place)
            .into_iter()
            .partition(|it| remote && it.known.contains("://"));
        if !sent.is_empty() {
            let values: Vec<&Value> = call.arguments.each().collect();
            self.show(&values);
        }
        self.each(sent, |it| Doing::Send(known(it)));
        self.each(kept, |it| Doing::Write(known(it)));
    }

    pub(super) fn unpacked(&mut self, folder: Option<Value>) {
        match folder {
            Some(folder) => self.each(folder.texts(), |it| Doing::Unpack(known(it))),
            None => self.does(Doing::Unpack(known(".".to_owned()))),
        }
    }

    fn each(&mut self, texts: Vec<Text>, make: impl Fn(String) -> Doing) {
        for text in texts {
            self.does(make(text.shown()));
        }
    }

    /// Steps that say what is returned.
    fn returns(&mut self, step: Step, call: &Call<'_>) -> Option<Value> {
        let texts = |place: Place| call.paths(place);
        let path = |text: Text| Value::of(Atom::Path(text));
        let plain = |text: Text| Value::of(Atom::Text(text));
        Some(match step {
            Step::Object(name) => {
                let subject = call
                    .arguments
                    .plain
                    .first()
                    .or_else(|| call.arguments.named.first().map(|it| &it.1));
                let subject = match (subject, call.holder) {
                    (Some(value), _) => Value {
                        atoms: value.atoms.clone(),
                        labels: Labels::default(),
                    },
                    (None, Some(Atom::Object(_, subject))) => (**subject).clone(),
                    (None, Some(Atom::Path(text))) => path(text.clone()),
                    (None, _) => Value::inert(),
                };
                Value::of(Atom::Object(tables::object(name)?, subject.into()))
            }
            Step::Same(place) => {
                let value = call.get(place).unwrap_or_else(Value::inert);
                texts::as_text(&value)
            }
            Step::SamePath(place) => one_of(texts(place), path),
            Step::Path(place) => {
                if let Place::All = place {
                    self.path_of(call.arguments)
                } else {
                    one_of(texts(place), path)
                }
            }
            Step::Text(place) => one_of(texts(place), plain),
            Step::Join => {
                let joined = self.path_of(call.arguments);
                texts::as_text(&joined)
            }
            Step::Parent(place) => one_of(texts(place).iter().map(Text::parent).collect(), plain),
            Step::Last(place) => one_of(texts(place).iter().map(Text::last).collect(), plain),
            Step::Below(place) => {
                let folders = texts(place)
                    .into_iter()
                    .map(|it| it.within(&Text::begins("", Rest::Below)));
                let below = one_of(folders.collect(), path);
                self.many(self.site(call.arguments.at), &below)
            }
            Step::Names(_) => {
                let name = plain(Text::begins("", Rest::Below));
                self.many(self.site(call.arguments.at), &name)
            }
            Step::Walk(place) => self.walked(texts(place), call.arguments.at),
            Step::Variable(place) => self.looked_up(call.get(place)),
            Step::Package => Value::of(Atom::Package(format!("{}.()", call.member.of()).into())),
            Step::Special(word) => return self.special(word, call),
            Step::Read(_)
            | Step::Write(_)
            | Step::Drives(_)
            | Step::Unpack(_)
            | Step::Delete(_)
            | Step::DeleteTree(_)
            | Step::Open(..)
            | Step::Shell(_)
            | Step::Program
            | Step::Words
            | Step::Sql(_)
            | Step::Python(_)
            | Step::Fetch(_)
            | Step::Send(_)
            | Step::Shows
            | Step::Quiet
            | Step::Drops
            | Step::Unread
            | Step::Personal
            | Step::Search(_)
            | Step::Sets(..)
            | Step::Folder(_)
            | Step::Keeps
            | Step::Alias(_) => return None,
        })
    }

    /// A folder's tree: folders, and the names in them.
    fn walked(&mut self, folders: Vec<Text>, at: usize) -> Value {
        let mut roots = Value::never();
        for folder in folders {
            roots.join(&Value::of(Atom::Text(folder.clone())));
            roots.join(&Value::of(Atom::Text(
                folder.within(&Text::begins("", Rest::Below)),
            )));
        }
        let (at, context) = self.site(at);
        let name = Value::of(Atom::Text(Text::begins("", Rest::Below)));
        let names = self.many((at, context ^ 64), &name);
        let three = self.list((at, context ^ 128), vec![roots, names.clone(), names]);
        self.many((at, context), &three)
    }

    /// Parts of a path put together.
    pub(super) fn path_of(&mut self, arguments: &Arguments) -> Value {
        let mut parts = arguments.plain.iter();
        let mut whole = match parts.next() {
            Some(first) => one_of(first.texts(), |it| Value::of(Atom::Path(it))),
            None => Value::of(Atom::Path(Text::exact("."))),
        };
        for part in parts {
            whole = super::expressions::within(&whole, part);
        }
        if arguments.more.is_some() {
            whole = super::expressions::within(&whole, &Value::inert());
        }
        whole.labelled(&arguments.labels())
    }

    fn looked_up(&mut self, name: Option<Value>) -> Value {
        match name.as_ref().and_then(Value::whole) {
            Some(name) => named_variable(name),
            None => {
                let mut value = Value::inert();
                value.labels.environment = true;
                value
            }
        }
    }

    fn opened(&mut self, call: &Call<'_>, place: Place, mode: Place) {
        let mode = call.get(mode);
        let writes = match &mode {
            None => false,
            Some(mode) => mode.texts().iter().any(|it| {
                it.whole()
                    .is_none_or(|it| it.contains(['w', 'a', 'x', '+', 'c', 'n']))
            }),
        };
        // An opener of one's own decides what is opened.
        if call.arguments.by_name("opener").is_some() {
            self.unread();
        }
        let paths = call.paths(place);
        if writes {
            self.each(paths, |it| Doing::Write(known(it)));
        } else {
            self.each(paths, Doing::Read);
        }
    }

    /// Asks a database in a file, or changes it.
    fn queried(&mut self, call: &Call<'_>, place: Place) {
        let files = call.paths(Place::Myself);
        let gone = |it: &Text| it.whole().is_some_and(|it| IN_MEMORY.contains(&it));
        let in_memory = !files.is_empty() && files.iter().all(gone);
        for text in call.get(place).unwrap_or_else(Value::inert).texts() {
            // A single statement that begins as a question is one, whatever follows.
            let single = call.member.of() == "database" && call.member.name() == "execute";
            let asks = single && text.rest == Rest::Anything && begins_a_question(&text.known);
            let whole = if asks { Some(QUESTION) } else { text.whole() };
            match whole.and_then(|it| crate::read("sql", it)) {
                Some(doings) => {
                    let looks =
                        |it: &Doing| matches!(it, Doing::Other(belay_model::Verb::Query, _));
                    if !doings.iter().all(looks) {
                        let files = files.iter().filter(|it| !gone(it));
                        self.each(files.cloned().collect(), |it| Doing::Write(known(it)));
                    }
                    let kept = |it: &Doing| !in_memory || !changes_a_database(it);
                    let doings = doings.into_iter().filter(kept);
                    doings.for_each(|it| self.does(it));
                }
                None => {
                    self.unread();
                }
            }
        }
    }

    /// Code in a text: read like the program itself.
    pub(super) fn evaluated(&mut self, code: &Value) {
        let fetched = self.fetched;
        for text in code.texts() {
            let block = text.whole().and_then(super::tree_of);
            match block {
                Some(block) => {
                    self.perhaps(|it| it.block(&block));
                }
                None => self.does(Doing::Unread { fetched }),
            }
        }
    }
}

/// Tells whether a member that needs code of its own may call the functions it is given, and that code does not.
fn calls_on(word: &str) -> bool {
    matches!(
        word,
        "value"
            | "table"
            | "url"
            | "database"
            | "server"
            | "browser"
            | "safe-loader"
            | "backend"
            | "unpickled"
            | "code-texts"
    )
}

/// Tells whether something is done to a database, and to nothing besides it.
fn changes_a_database(doing: &Doing) -> bool {
    let Doing::Other(verb, words) = doing else {
        return false;
    };
    let changes = matches!(verb, belay_model::Verb::Change | belay_model::Verb::Destroy);
    changes && matches!(words.as_slice(), ["schema" | "database", ..])
}

/// Tells whether SQLite, which takes one statement at a time, could only look, however this text goes on.
fn begins_a_question(text: &str) -> bool {
    let text = text.trim_start().to_ascii_lowercase();
    text.starts_with("select ") || text.starts_with("pragma table_info(")
}

/// Returns a path as others take it: nothing when nothing of it is known.
pub(super) fn known(text: String) -> Option<String> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(crate::ANYTHING), None) => None,
        _ => Some(text),
    }
}

fn one_of(texts: Vec<Text>, make: impl Fn(Text) -> Value) -> Value {
    let mut all = Value::never();
    for text in texts {
        all.join(&make(text));
    }
    all
}
