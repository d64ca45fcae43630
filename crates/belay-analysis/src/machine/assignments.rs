//! Assignments as they are written, and what setting a variable does to later programs.

use belay_shell::{
    Assigned, Assignment, Element, Id, Many, Part, PartKind, Subscript, SubscriptKind, Tree, Word,
};

use crate::machine::above::Programs;
use crate::machine::constants::decimal;
use crate::machine::pairs::{Behind, Pairs};
use crate::machine::state::Ends;
use crate::machine::state::State;
use crate::machine::substitutions::Substitution;
use crate::machine::value::{Arg, Val};
use crate::machine::variable::{Elements, Held};
use crate::machine::variables::Setting;
use crate::machine::walk::{Walker, lossy, span};
use crate::scene::Shell;

/// An assignment, and what it gives.
pub(crate) struct Written<'a> {
    pub(crate) assignment: &'a Assignment,
    pub(crate) held: Held,
}

impl Walker<'_> {
    /// Walks a command that only assigns: it ends as its last substitution did.
    pub(crate) fn only_assigns(
        &mut self,
        tree: &Tree<'_>,
        assignments: Many<Assignment>,
        mut state: State,
    ) -> Ends {
        if let [assignment] = tree.many(assignments)
            && !assignment.append
            && let Some(substitution) = lone_substitution(tree, assignment)
        {
            let (ok, bad) = self.substituted(tree, substitution, &mut state);
            let mut set = |val: Option<Val>| {
                val.map(|val| {
                    let mut state = state.clone();
                    self.assign_written(
                        tree,
                        Written {
                            assignment,
                            held: Held::One(val),
                        },
                        &mut state,
                    );
                    state
                })
            };
            return Ends::of(set(ok), set(bad));
        }
        let before = self.substitutions;
        let stuck = tree.many(assignments).iter().any(|it| {
            let name = lossy(tree.bytes(it.name));
            state
                .variables
                .get(&name)
                .is_some_and(|it| it.ways.readonly.may())
        });
        self.assignments(tree, assignments, &mut state);
        if self.substitutions == before && !stuck {
            Ends::Ok(state)
        } else {
            Ends::Either(state)
        }
    }

    /// Evaluates assignments, one after the other, and makes them.
    pub(crate) fn assignments(
        &mut self,
        tree: &Tree<'_>,
        many: Many<Assignment>,
        state: &mut State,
    ) {
        for (at, assignment) in tree.many(many).iter().enumerate() {
            let outer = std::mem::replace(&mut self.may_abort, false);
            let before = (at > 0).then(|| state.clone());
            let held = self.value_of(tree, assignment, state);
            self.assign_written(tree, Written { assignment, held }, state);
            // Where this one fails, those before it are made all the same.
            match before {
                _ if !self.may_abort => {}
                Some(before) => {
                    self.leave_line(before.clone());
                    *state = before.or(std::mem::take(state));
                }
                // What its value set on the way stays set too.
                None => self.leave_line(state.clone()),
            }
            self.may_abort |= outer;
        }
    }

    /// Makes an assignment whose value was evaluated.
    pub(crate) fn assign_written(
        &mut self,
        tree: &Tree<'_>,
        written: Written<'_>,
        state: &mut State,
    ) {
        let Written { assignment, held } = written;
        let key = assignment.subscript.map(|subscript| {
            let name = lossy(tree.bytes(assignment.name));
            if self.has_keys(&name, state) {
                self.walk_key(tree, subscript, state);
                return self.key_of_texts(tree, subscript, state);
            }
            self.subscript(tree, subscript, state);
            // A reference may stand for what has texts for its keys.
            let name = &name;
            self.key_in(tree, Behind { name, subscript }, state)
        });
        // What is appended to a number is evaluated on its own.
        let setting = Setting {
            name: lossy(tree.bytes(assignment.name)),
            key,
            held,
            append: assignment.append,
        };
        // To a plain `sh` this is a command that nobody has.
        let strange = assignment.append && self.scene.shell == Shell::Sh;
        let before = strange.then(|| state.clone());
        self.assign(setting, state, span(assignment.span));
        if let Some(before) = before {
            *state = before.or(std::mem::take(state));
        }
    }

    /// Returns the key of a subscript, where it is plain.
    pub(crate) fn key(&self, tree: &Tree<'_>, id: Id<Subscript>, state: &State) -> Val {
        // zsh counts from one, unless it is told to count from zero.
        if self.scene.shell == Shell::Zsh {
            return Val::unknown();
        }
        match tree.one(id).kind {
            SubscriptKind::At | SubscriptKind::Star => Val::unknown(),
            SubscriptKind::Index(arith) => self
                .constant(tree, arith, state)
                .map_or_else(Val::unknown, |it| Val::known(it.to_string())),
        }
    }

    /// Evaluates the right side of an assignment.
    pub(crate) fn value_of(
        &mut self,
        tree: &Tree<'_>,
        assignment: &Assignment,
        state: &mut State,
    ) -> Held {
        match assignment.value {
            Assigned::Word(word) => Held::One(self.word(tree, tree.one(word), state)),
            Assigned::Array(elements) => {
                let name = lossy(tree.bytes(assignment.name));
                let keyed = self.lookup(&name, state).ways.keyed.may();
                self.keyed = self.has_keys(&name, state);
                let held = self.array(tree, elements, state);
                if keyed {
                    self.unexpanded(tree, elements, held)
                } else {
                    held
                }
            }
        }
    }

    /// Adds the words of an associative array as they are written: nothing in them is searched for or split, no brace and
    /// no tilde is expanded, and a list becomes one word.
    pub(crate) fn unexpanded(&self, tree: &Tree<'_>, elements: Many<Element>, held: Held) -> Held {
        if self.scene.shell != Shell::Bash {
            return held;
        }
        let literals = tree.many(elements).iter().filter_map(|element| {
            let word = tree.one(element.value);
            let parts = || tree.many(word.parts).iter().filter(|it| !it.quoted);
            let unfolds = |it: &Part| !it.quoted || is_list(tree, it);
            let splits = element.subscript.is_none()
                && tree
                    .many(word.parts)
                    .iter()
                    .any(|it| is_substituted(it.kind) && unfolds(it));
            if splits {
                return Some(Val::unknown());
            }
            let text = lossy(tree.source(word.span));
            let plain = !text.contains(['$', '`', '\'', '"', '\\']);
            let literal = if plain {
                Val::known(text)
            } else {
                Val::unknown()
            };
            parts().any(|it| expands(tree, it)).then_some(literal)
        });
        let literals: Vec<Val> = literals.collect();
        if literals.is_empty() {
            return held;
        }
        held.or(&Held::any(Val::any_of(literals)))
    }

    /// Evaluates the elements of an array.
    pub(crate) fn array(
        &mut self,
        tree: &Tree<'_>,
        elements: Many<Element>,
        state: &mut State,
    ) -> Held {
        let keyed = std::mem::take(&mut self.keyed);
        let mut values = Vec::new();
        let mut keys = Vec::new();
        // Whether elements without a subscript follow the others by number.
        let mut counted = false;
        let mut many = false;
        for element in tree.many(elements) {
            if let Some(subscript) = element.subscript {
                if keyed {
                    self.walk_key(tree, subscript, state);
                } else {
                    self.subscript(tree, subscript, state);
                }
                keys.push(if keyed {
                    text_key(tree, subscript)
                } else {
                    self.either_key(tree, subscript)
                });
                let value = tree.one(element.value);
                values.push(self.word(tree, value, state));
                if has_braces(tree, value) {
                    // They make several words of it, each with the subscript as a text.
                    counted = true;
                    values.push(Val::unknown());
                }
                continue;
            }
            counted = true;
            for list in self.expand(tree, tree.one(element.value), state) {
                many |= list.iter().any(|it| it.many && !it.is_pattern());
                values.extend(list.into_iter().map(|it| it.val));
            }
            many |= self.forked;
        }
        if keys.is_empty() && !many {
            return Held::row(values);
        }
        if counted {
            keys.push(Val::digits());
        }
        let apart = (!counted && self.scene.shell == Shell::Bash)
            .then(|| pairs(&keys, &values, keyed))
            .flatten();
        Held::Any(Box::new(match apart {
            Some(pairs) => Elements::paired(pairs),
            None => Elements::of(Val::any_of(keys), Val::any_of(values)),
        }))
    }

    /// Returns the key of an element, whether keys are texts or numbers.
    fn either_key(&self, tree: &Tree<'_>, id: Id<Subscript>) -> Val {
        match written_key(tree, id) {
            Some(digits) if digits.bytes().all(|it| it.is_ascii_digit()) => Val::known(digits),
            // Where keys are numbers, a name stands for what it holds.
            Some(text) => Val::known(text).or(&Val::number()),
            None => Val::unknown(),
        }
    }

    /// Says what setting a variable does to later programs.
    pub(crate) fn assigned(&mut self, name: &str, value: &Arg, state: &mut State) {
        let (val, at) = (&value.val, value.span);
        self.armed(val, state);
        if matches!(name, "PS4" | "PROMPT_COMMAND" | "PS1" | "PS0") {
            self.prompts(name, value, state);
        }
        let knowledge = self.scene.knowledge;
        let Some(variable) = knowledge.variable(name) else {
            return;
        };
        if variable.harmless(val.word())
            || name == "PATH" && self.known_programs(val, state)
            || self.usual(name, variable, val)
            || self.may_be_own(name, variable)
                && (self.own_folders(val, state) || self.adds_own(name, val, state))
        {
            return;
        }
        let args = [Arg::known(name, at), value.clone()];
        self.sets_up(variable, &args, state);
    }

    /// Tells whether each flag in a value is harmless where it is a list of flags, or the value is a folder of the
    /// user's home where tools are known to live.
    fn usual(&self, name: &str, variable: belay_knowledge::Variable<'_>, val: &Val) -> bool {
        use belay_knowledge::Word;
        let Some(text) = val.text() else { return false };
        let harmless = |text: &str| variable.harmless(Word::Known(text));
        if self.scene.knowledge.lists("flag-variables", name) {
            return text.split_ascii_whitespace().all(harmless);
        }
        let rest = text.strip_prefix(self.scene.frame.home());
        rest.is_some_and(|it| {
            matches!(it.as_bytes(), [] | [b'/', ..]) && harmless(&format!("~{it}"))
        })
    }

    /// Tells whether what lies in the project changes nothing where a variable names it.
    fn may_be_own(&self, name: &str, variable: belay_knowledge::Variable<'_>) -> bool {
        const OWN: belay_knowledge::Word<'_> = belay_knowledge::Word::Known("$project");
        self.scene.knowledge.lists("folder-variables", name) || variable.harmless(OWN)
    }

    /// Tells whether a value is what the variable held before this call and folders of the project: an empty name means the
    /// folder we are in.
    fn adds_own(&self, name: &str, val: &Val, state: &State) -> bool {
        let own = |folder: &str| self.own_folders(&Val::known(folder), state);
        let adds = |it: &Val| {
            let folders = it.beside_inherited(name);
            folders.is_some_and(|it| it.iter().all(|it| own(it)))
        };
        val.each().iter().all(adds) && own(".")
    }

    /// Tells whether a value lists only folders of the project, where nothing came from outside, now or before.
    fn own_folders(&self, val: &Val, state: &State) -> bool {
        let frame = self.scene.frame;
        let own = |folder: &str| {
            let Some(folder) = self.absolute(folder, state).filter(|_| !folder.is_empty()) else {
                return false;
            };
            let path = belay_places::Path::new(&folder);
            let own = belay_places::scope_of(&path, frame) == belay_model::Scope::Project
                || frame.roots.contains(&folder);
            own && !state.files.touches(&folder) && self.outside_below(&folder, state).is_empty()
        };
        let plain = |it: &str| !it.contains(['$', '~', '*', '?', '[']);
        val.text()
            .is_some_and(|it| plain(it) && it.split(':').all(own))
    }

    /// Tells whether a search path adds only folders that the agent may not write to, or that hold the
    /// project's own tools.
    fn known_programs(&self, val: &Val, state: &State) -> bool {
        let frame = self.scene.frame;
        let known = |folder: &str| {
            if folder == "$PATH" {
                return true;
            }
            let path = belay_places::Path::new(folder);
            let scope = belay_places::scope_of(&path, frame);
            let own = ["/node_modules/.bin", "/venv/bin", "/.venv/bin"];
            let tools = own.iter().any(|it| folder.ends_with(it))
                && scope == belay_model::Scope::Project
                && !state.files.touches(path.text());
            folder.starts_with('/')
                && (tools
                    || matches!(
                        scope,
                        belay_model::Scope::System | belay_model::Scope::Startup
                    ))
        };
        val.text().is_some_and(|it| it.split(':').all(known))
    }
}

/// Returns what each key is given, where all of them are known; the last counts.
fn pairs(keys: &[Val], values: &[Val], keyed: bool) -> Option<Pairs> {
    let mut pairs = Pairs {
        all: Vec::new(),
        closed: true,
    };
    for (key, val) in keys.iter().zip(values) {
        let key = key.text()?;
        if !keyed && decimal(key).is_none() {
            return None;
        }
        pairs.put(key.to_owned(), val.clone());
    }
    (pairs.closed && keys.len() == values.len()).then_some(pairs)
}

/// Returns the key of an element where keys are texts, for certain.
fn text_key(tree: &Tree<'_>, id: Id<Subscript>) -> Val {
    written_key(tree, id).map_or_else(Val::unknown, Val::known)
}

/// Returns a key as it is written, where nothing in it is expanded or quoted.
pub(crate) fn written_key(tree: &Tree<'_>, id: Id<Subscript>) -> Option<String> {
    let text = lossy(tree.source(tree.one(id).span));
    let text = text.trim_start_matches('[').trim_end_matches(']');
    is_plain_key(text).then(|| text.to_owned())
}

/// Tells whether a key means the same however it is written.
pub(crate) fn is_plain_key(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    !text.is_empty() && text.chars().all(plain)
}

/// Returns the substitution that is all there is on the right side of an assignment.
fn lone_substitution(tree: &Tree<'_>, assignment: &Assignment) -> Option<Substitution> {
    let Assigned::Word(word) = assignment.value else {
        return None;
    };
    match tree.many(tree.one(word).parts) {
        [
            Part {
                kind: PartKind::Command { form, list },
                ..
            },
        ] if assignment.subscript.is_none() => Some(Substitution {
            form: *form,
            list: *list,
        }),
        _ => None,
    }
}

/// Tells whether braces may make several words of one.
fn has_braces(tree: &Tree<'_>, word: &Word) -> bool {
    let braces = |it: &Part| {
        let made = matches!(it.kind, PartKind::Brace(_) | PartKind::Sequence(_));
        let text = |bytes| tree.bytes(bytes).contains(&b'{');
        made || matches!(it.kind, PartKind::Text(bytes) if text(bytes))
    };
    tree.many(word.parts)
        .iter()
        .any(|it| !it.quoted && braces(it))
}

/// Tells whether a part may stand for several words although it is quoted: `"${A[@]}"`, `"$@"`, `"${!R}"`.
fn is_list(tree: &Tree<'_>, part: &Part) -> bool {
    let text = tree.source(part.span);
    text.contains(&b'@') || text.contains(&b'!')
}

/// Tells whether a part of a word is replaced by a text that may be split.
const fn is_substituted(kind: PartKind) -> bool {
    match kind {
        PartKind::Param(_) | PartKind::Command { .. } | PartKind::Arith(_) => true,
        PartKind::Text(_)
        | PartKind::Process { .. }
        | PartKind::Brace(_)
        | PartKind::Sequence(_)
        | PartKind::Tilde(_)
        | PartKind::ExtGlob(_)
        | PartKind::Array(_)
        | PartKind::Either(_) => false,
    }
}

/// Tells whether a part of a word that is not quoted becomes something else, or several, without any substitution.
fn expands(tree: &Tree<'_>, part: &Part) -> bool {
    match part.kind {
        PartKind::Text(bytes) => lossy(tree.bytes(bytes)).contains(['~', '*', '?', '[', '{']),
        PartKind::Brace(_)
        | PartKind::Sequence(_)
        | PartKind::Tilde(_)
        | PartKind::ExtGlob(_)
        | PartKind::Array(_)
        | PartKind::Either(_) => true,
        PartKind::Param(_)
        | PartKind::Command { .. }
        | PartKind::Arith(_)
        | PartKind::Process { .. } => false,
    }
}
