//! The walk: what names stand for at each point of a program, and what it does on its way.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::tables;
use super::tree::Block;
use super::value::{Atom, Labels, Own, Site, Value};
use crate::{Doing, Use};

/// So much is walked; of more, nobody knows.
const STEPS: usize = 20_000;

/// So deep calls and values may nest.
const DEEPEST: usize = 120;

/// So often a loop is walked until nothing new is found.
const ROUNDS: usize = 8;

/// The program's own scope.
pub(super) const MODULE: usize = 0;

/// Ways of which one is taken.
pub(super) type Ways<'w, W> = Vec<Box<dyn FnOnce(&mut W) + 'w>>;

/// What names stand for in one scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) scope: usize,
    pub(super) names: BTreeMap<String, Value>,
    /// Names that belong to a scope around this one.
    pub(super) outer: Vec<String>,
}

/// What a list, table or object holds, whenever it is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contents {
    /// Its items in order, while nobody has changed their number.
    pub(super) items: Option<Vec<Value>>,
    pub(super) fields: BTreeMap<String, Value>,
    pub(super) rest: Value,
}

/// A class of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnClass {
    pub(super) at: usize,
    pub(super) fields: BTreeMap<String, Value>,
    pub(super) bases: Vec<usize>,
    /// Whether a class of others stands above it, which may call all its methods.
    pub(super) foreign: bool,
}

/// What changed on a way through the program.
#[derive(Default)]
struct Log {
    /// What stood where something was bound, in order.
    undo: Vec<(usize, String, Option<Value>)>,
    /// All that was bound.
    seen: BTreeMap<(usize, String), Value>,
}

/// What names of frames stood for at the end of a way.
type Ends = BTreeMap<(usize, String), Option<Value>>;

/// A call that happens at some later time.
#[derive(Clone, PartialEq)]
pub(super) struct Later {
    pub(super) own: Own,
    pub(super) arguments: super::arguments::Arguments,
}

#[derive(Default)]
pub(super) struct Walker {
    pub(super) out: Vec<Doing>,
    pub(super) frames: Vec<Frame>,
    /// Everything that a name of a scope ever stood for.
    ever: HashMap<usize, BTreeMap<String, Value>>,
    /// Which scope lies around which.
    pub(super) around: HashMap<usize, usize>,
    pub(super) heap: HashMap<Site, Contents>,
    pub(super) classes: Vec<OwnClass>,
    /// Names the calls we are in.
    pub(super) context: u64,
    /// Counts what changed in the heap and in what names ever stood for.
    pub(super) version: usize,
    pub(super) returns: Vec<Value>,
    pub(super) calling: Vec<super::functions::Calling>,
    pub(super) packages: BTreeMap<String, Use>,
    pub(super) imports: Vec<String>,
    /// Packages all of whose names were taken at once.
    pub(super) stars: Vec<String>,
    pub(super) exports: Vec<(String, Value)>,
    pub(super) later: Vec<Later>,
    /// The functions of the program, and where those stand whose bodies were walked.
    pub(super) defined: Vec<Own>,
    pub(super) walked: HashSet<usize>,
    /// Whether what runs now may run at any later time.
    pub(super) late: bool,
    pub(super) fetched: bool,
    /// The words the program is given, where they are known.
    pub(super) given: Option<crate::Given>,
    /// Everything that was ever raised.
    pub(super) raised: Value,
    /// Scopes of classes: what is bound in them is seen by no function in them.
    pub(super) bodies: Vec<usize>,
    /// What is being called because it was handed on.
    pub(super) handed_on: Vec<Atom>,
    /// Whether the value of a line is shown, as at a prompt.
    pub(super) prompt: bool,
    /// Whether somebody else may call what the program defines.
    pub(super) loaded: bool,
    logs: Vec<Log>,
    steps: usize,
    depth: usize,
}

/// Tells whether something goes to a folder that is named from where it is, and lies above.
fn goes_up(doing: &Doing) -> bool {
    let Doing::Folder(Some(path)) = doing else {
        return false;
    };
    !path.starts_with(['/', '~']) && path.split('/').any(|it| it == "..")
}

impl Walker {
    pub(super) fn new() -> Self {
        Self {
            frames: vec![Frame::default()],
            returns: vec![Value::never()],
            ..Self::default()
        }
    }

    /// Walks a program, and then what it left for later.
    pub(super) fn program(&mut self, block: &Block) {
        self.block(block);
        self.late = true;
        let mut done = Vec::new();
        for _ in 0..ROUNDS {
            let version = self.version;
            self.lend();
            let waiting = self.later.clone();
            for later in &waiting {
                self.invoke(&later.own, &later.arguments);
            }
            if version == self.version && done == self.later {
                return self.uncalled();
            }
            done = waiting;
        }
        self.unread();
    }

    /// Lets whoever loads the program call all that it defines by now.
    fn lend(&mut self) {
        if !self.loaded {
            return;
        }
        let values = self.ever.values().flat_map(BTreeMap::values);
        let owns = values.flat_map(|it| &it.atoms).filter_map(|it| match it {
            Atom::Function(own) => Some(own.clone()),
            Atom::Anything
            | Atom::Inert
            | Atom::Text(_)
            | Atom::Path(_)
            | Atom::List(_)
            | Atom::Table(_)
            | Atom::Module(_)
            | Atom::Member(_)
            | Atom::Object(..)
            | Atom::Method(..)
            | Atom::Bound(..)
            | Atom::Class(_)
            | Atom::Instance(..)
            | Atom::Package(_) => None,
        });
        let owns: Vec<Own> = owns.collect();
        for own in owns {
            self.escape(&own, &[]);
        }
    }

    /// Notes that something could not be read.
    pub(super) fn unread(&mut self) -> Value {
        self.does(Doing::Unread { fetched: false });
        Value::anything()
    }

    pub(super) fn does(&mut self, doing: Doing) {
        if !self.out.contains(&doing) {
            self.out.push(doing);
        } else if goes_up(&doing) {
            // Once more leads further up.
            self.does(Doing::Folder(None));
        }
    }

    /// Counts a step; tells whether there are any left.
    pub(super) fn steps(&mut self) -> bool {
        self.steps += 1;
        if self.steps == STEPS {
            self.unread();
        }
        self.steps < STEPS
    }

    /// Tells whether enough steps are left to look at what nobody called.
    pub(super) fn has_time(&self) -> bool {
        self.steps < STEPS / 2
    }

    /// Does something one level deeper; nobody knows what lies too deep.
    pub(super) fn deeper(&mut self, walk: impl FnOnce(&mut Self) -> Value) -> Value {
        if self.depth >= DEEPEST {
            return self.unread();
        }
        self.depth += 1;
        let value = walk(self);
        self.depth -= 1;
        value
    }

    /// Returns the place of something made here.
    pub(super) fn site(&self, at: usize) -> Site {
        (at, self.context)
    }

    /// Returns the name of the calls we are in with one more.
    pub(super) fn entered(&self, at: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.context, at).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns what a name stands for.
    pub(super) fn lookup(&mut self, name: &str) -> Value {
        if name.starts_with("__") && tables::leads(name) {
            return self.unread();
        }
        let Some(frame) = self.frames.last() else {
            return Value::anything();
        };
        let here = frame
            .names
            .get(name)
            .filter(|_| !frame.outer.iter().any(|it| it == name));
        if let Some(value) = here {
            return value.clone();
        }
        let mut scope = frame.scope;
        while scope != MODULE {
            scope = self.around.get(&scope).copied().unwrap_or(MODULE);
            if scope != MODULE
                && !self.bodies.contains(&scope)
                && let Some(value) = self.ever(scope, name)
            {
                return value.clone();
            }
        }
        let global = if self.late {
            self.ever(MODULE, name)
        } else {
            self.frames.first().and_then(|it| it.names.get(name))
        };
        match (global, builtin(name)) {
            (Some(value), Some(other)) if self.late => value.clone().or(&other),
            (Some(value), _) => value.clone(),
            (None, Some(value)) => value,
            (None, None) => self.magic(name),
        }
    }

    /// Names that Python gives itself, and those nobody bound.
    fn magic(&mut self, name: &str) -> Value {
        match name {
            "__name__" => Value::text("__main__"),
            "__file__" | "__doc__" | "__debug__" => Value::inert(),
            _ if self.stars.is_empty() => Value::anything(),
            // A package may have taken in the library, and gives it on.
            _ if tables::is_library(name) || tables::leads(name) => self.unread(),
            _ => {
                let stars = self.stars.clone();
                let members = stars.iter().map(|it| self.of_package(it, name));
                members.fold(Value::never(), |all, it| all.or(&it))
            }
        }
    }

    /// Returns everything that a name of a scope ever stood for.
    pub(super) fn ever(&self, scope: usize, name: &str) -> Option<&Value> {
        self.ever.get(&scope)?.get(name)
    }

    /// Adds to everything that a name of a scope ever stood for.
    pub(super) fn remember(&mut self, scope: usize, name: &str, value: &Value) {
        let names = self.ever.entry(scope).or_default();
        let news = match names.get_mut(name) {
            Some(ever) => ever.join(value),
            None => names.insert(name.to_owned(), value.clone()).is_none(),
        };
        self.version += usize::from(news);
    }

    /// Sets or forgets a name of a frame, so that it can be taken back.
    pub(super) fn set(&mut self, at: usize, name: &str, new: Option<Value>) {
        let Some(frame) = self.frames.get_mut(at) else {
            return;
        };
        if let (Some(log), Some(new)) = (self.logs.last_mut(), &new) {
            let seen = log.seen.entry((at, name.to_owned())).or_default();
            seen.join(new);
        }
        let old = match new {
            Some(new) => frame.names.insert(name.to_owned(), new),
            None => frame.names.remove(name),
        };
        if let Some(log) = self.logs.last_mut() {
            log.undo.push((at, name.to_owned(), old));
        }
    }

    /// Adds to what a name of a frame stands for.
    fn join_at(&mut self, at: usize, name: &str, value: &Value) {
        let now = self.frames.get(at).and_then(|it| it.names.get(name));
        let joined = now.cloned().unwrap_or_default().or(value);
        self.set(at, name, Some(joined));
    }

    /// Binds a name.
    pub(super) fn bind(&mut self, name: &str, value: Value) {
        let last = self.frames.len().saturating_sub(1);
        let Some(frame) = self.frames.get(last) else {
            return;
        };
        let mut scope = frame.scope;
        if !frame.outer.iter().any(|it| it == name) {
            self.remember(scope, name, &value);
            return self.set(last, name, Some(value));
        }
        while scope != MODULE {
            scope = self.around.get(&scope).copied().unwrap_or(MODULE);
            self.remember(scope, name, &value);
        }
        self.join_around(last, name, &value);
    }

    /// Adds to what a name stands for in the frames around one, and in the program's own.
    fn join_around(&mut self, last: usize, name: &str, value: &Value) {
        for at in 0..last {
            let bound = self
                .frames
                .get(at)
                .is_some_and(|it| it.names.contains_key(name));
            if at == 0 || bound {
                self.join_at(at, name, value);
            }
        }
    }

    /// Adds to what a name may stand for.
    pub(super) fn join_name(&mut self, name: &str, value: &Value) {
        let mut now = self.lookup(name);
        if !now.join(value) {
            return;
        }
        let last = self.frames.len().saturating_sub(1);
        let local = self
            .frames
            .get(last)
            .is_some_and(|it| it.names.contains_key(name));
        if local || last == 0 {
            return self.bind(name, now);
        }
        let scopes: Vec<usize> = self.frames.iter().map(|it| it.scope).collect();
        for scope in scopes {
            self.remember(scope, name, &now);
        }
        self.join_around(last, name, &now);
    }

    /// Walks something and takes back what it bound; returns what its names stood for in the end, and all they stood for.
    fn apart(&mut self, walk: impl FnOnce(&mut Self)) -> (Ends, BTreeMap<(usize, String), Value>) {
        let depth = self.frames.len();
        self.logs.push(Log::default());
        walk(self);
        let Log { undo, mut seen } = self.logs.pop().unwrap_or_default();
        let mut ends = Ends::new();
        for (at, name, old) in undo.into_iter().rev().filter(|it| it.0 < depth) {
            let Some(frame) = self.frames.get_mut(at) else {
                continue;
            };
            let end = match old {
                Some(old) => frame.names.insert(name.clone(), old),
                None => frame.names.remove(&name),
            };
            ends.entry((at, name)).or_insert(end);
        }
        seen.retain(|(at, _), _| *at < depth);
        if let Some(log) = self.logs.last_mut() {
            for (key, value) in &seen {
                log.seen.entry(key.clone()).or_default().join(value);
            }
        }
        (ends, seen)
    }

    /// Returns what a name of a frame stands for; one that nobody bound may be Python's own.
    fn before(&self, at: usize, name: &str) -> Option<Value> {
        let bound = self
            .frames
            .get(at)
            .and_then(|it| it.names.get(name))
            .cloned();
        bound.or_else(|| if at == 0 { builtin(name) } else { None })
    }

    /// Walks one of several ways, each from the same state; afterwards any of them may have been taken.
    pub(super) fn ways(&mut self, ways: Ways<'_, Self>) {
        let ends: Vec<Ends> = ways.into_iter().map(|way| self.apart(way).0).collect();
        let mut keys: Vec<(usize, String)> =
            ends.iter().flat_map(|it| it.keys().cloned()).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let before = self.before(key.0, &key.1);
            let mut joined: Option<Value> = None;
            for end in &ends {
                let value = end.get(&key).cloned().unwrap_or_else(|| before.clone());
                if let Some(value) = value {
                    joined = Some(joined.map_or(value.clone(), |it| it.or(&value)));
                }
            }
            self.set(key.0, &key.1, joined);
        }
    }

    /// Walks something that may stop anywhere, or happen again; afterwards any binding of it may hold.
    pub(super) fn perhaps(&mut self, walk: impl FnOnce(&mut Self)) -> bool {
        let (_, seen) = self.apart(walk);
        let mut news = false;
        for (key, value) in seen {
            let before = self.before(key.0, &key.1);
            let mut now = before.clone().unwrap_or_default();
            if now.join(&value) || before.is_none() {
                news = true;
                self.set(key.0, &key.1, Some(now));
            }
        }
        news
    }

    /// Walks a loop until nothing new is found.
    pub(super) fn looped(&mut self, walk: &mut dyn FnMut(&mut Self)) {
        for round in 0..ROUNDS {
            let version = self.version;
            let news = self.perhaps(|it| walk(it));
            if !news && version == self.version {
                return;
            }
            if round >= 2 {
                self.widen();
            }
        }
        self.unread();
    }

    /// Forgets which texts grow, so that a loop comes to an end.
    fn widen(&mut self) {
        let names = self.frames.iter_mut().flat_map(|it| it.names.values_mut());
        let held = self.heap.values_mut().map(|it| &mut it.rest);
        let ever = self.ever.values_mut().flat_map(|it| it.values_mut());
        let all = names.chain(held).chain(ever);
        all.filter(|it| it.atoms.len() > 2).for_each(Value::widen);
    }

    /// Shows values to whoever reads the output.
    pub(super) fn show(&mut self, values: &[&Value]) {
        let mut all = self.blend(values);
        let whole = |it: &Atom| matches!(it, Atom::Object(thing, _) if thing.name == "environ");
        all.labels.environment |= all.atoms.iter().any(whole);
        self.shown(&all.labels);
    }

    /// Shows what flowed into a value to whoever reads the output.
    pub(super) fn shown(&mut self, labels: &Labels) {
        for name in &labels.variables {
            self.does(Doing::Variable(name.clone()));
        }
        if labels.environment {
            self.does(Doing::Other(belay_model::Verb::Read, vec!["environment"]));
        }
    }
}

/// Returns the meaning of a name that Python always knows.
pub(super) fn builtin(name: &str) -> Option<Value> {
    let member = tables::module("builtins")?.member(name)?;
    Some(Value::of(Atom::Member(member)))
}
