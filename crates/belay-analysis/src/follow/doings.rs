//! What code inside a command does, done.

use belay_languages::{Doing, Language};
use belay_model::{Answer, At, Carries, Effect, How, Question, Scope, Span, Target, Verb};

use crate::effects::acts::Touched;
use crate::effects::called::Script;
use crate::follow::modules::{Module, NodePackage, Package};
use crate::follow::writes::Leaving;
use crate::machine::flows::Flows;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Nested;
use crate::machine::walk::Walker;

/// In so many folders code may be; past that nobody knows where it is.
const MOST_PLACES: usize = 8;

/// What code inside a command does.
#[derive(Clone)]
pub(crate) struct Done {
    pub(crate) doings: Vec<Doing>,
    /// Where the code stands.
    pub(crate) span: Span,
}

impl Walker<'_> {
    /// Returns a path that code names: a tilde is the home folder, for no program has a file of that name.
    pub(crate) fn of_code(&self, path: Option<String>) -> Val {
        let Some(path) = path else {
            return Val::unknown();
        };
        if let Some(known) = path.strip_suffix(belay_languages::ANYTHING) {
            return self.of_code(Some(known.to_owned())).then(&Val::unknown());
        }
        if let Some(folder) = path.strip_suffix(belay_languages::WITHIN) {
            let folder = self.of_code(Some(folder.to_owned()));
            return folder.then(&Val::glob("**"));
        }
        match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                Val::known(format!("{}{rest}", self.scene.frame.home()))
            }
            Some(_) | None => Val::known(path),
        }
    }

    /// Does what code inside a command does, in every folder it may be in.
    pub(crate) fn done(&mut self, done: Done, state: &mut State, flows: &mut Flows<'_>) {
        let folders: Vec<Option<String>> = done
            .doings
            .iter()
            .filter_map(|it| {
                let Doing::Folder(folder) = it else {
                    return None;
                };
                Some(folder.clone())
            })
            .collect();
        for place in self.places_of_code(folders, state) {
            let mut child = state.clone();
            child.found = None;
            child.cwd = place;
            self.done_here(done.clone(), &mut child, flows);
        }
        self.done_here(done, state, flows);
    }

    /// Returns the folders that code may come to, one from the other.
    fn places_of_code(&self, folders: Vec<Option<String>>, state: &State) -> Vec<Option<String>> {
        let mut places = Vec::new();
        let mut from = state.clone();
        from.found = None;
        for folder in folders {
            let folder = self.of_code(folder);
            for start in std::iter::once(state.cwd.clone()).chain(places.clone()) {
                from.cwd = start;
                let place = folder.text().and_then(|it| self.absolute(it, &from));
                if !places.contains(&place) && place != state.cwd {
                    places.push(place);
                }
            }
            if places.len() > MOST_PLACES {
                return vec![None];
            }
        }
        places
    }

    fn read_by_code(&mut self, path: String, span: Span, state: &State) -> Carries {
        // Nobody can tell whether what is read is secret.
        if path.starts_with(belay_languages::ANYTHING) {
            self.emit(Effect::of(Verb::Unknown, ["file"]).spanning(span));
        }
        let path = self.of_code(Some(path));
        // Code that reads a folder reads what is in it.
        let how = match self.holds_others(&path, state) {
            true => How::Tree,
            false => How::Plain,
        };
        self.read_place(&path, Touch::new(how, span), state)
    }

    /// Tells whether a path is that of a folder, as far as that is known here.
    fn holds_others(&self, path: &Val, state: &State) -> bool {
        let known = path.text().and_then(|it| self.absolute(it, state));
        let scope =
            known.map(|it| belay_places::scope_of(&belay_places::Path::new(&it), self.scene.frame));
        let is_top = matches!(
            scope,
            Some(Scope::Root | Scope::HomeRoot | Scope::ProjectRoot | Scope::TempRoot)
        );
        is_top || self.names_folder(path, state)
    }

    fn done_here(&mut self, done: Done, state: &mut State, flows: &mut Flows<'_>) {
        let Done { doings, span } = done;
        // What the command names beside the code, the code may read.
        let named = self.sources(&Val::known(""), flows.args, state);
        let fed = flows.input.carries.and(flows.carries).and(named);
        let leaving = Leaving {
            brought: self.brought_by_code(&doings, fed, state),
            span,
        };
        let searched = self.module_folders(&doings, state);
        for doing in loads_last(doings) {
            match doing {
                Doing::Read(path) => {
                    let carries = self.read_by_code(path, span, state);
                    flows.carries = flows.carries.and(carries);
                }
                Doing::Write(path) => self.wrote_by_code(path, leaving, state),
                Doing::Unpack(folder) => self.unpacked_by_code(folder, leaving, state),
                Doing::Spill(folder) => self.spilled_by_code(folder, leaving, state),
                Doing::Delete(path, tree) => {
                    let how = if tree { How::Tree } else { How::Plain };
                    let effect = Effect::on(Verb::Delete, belay_model::Place::Unknown).how(how);
                    let path = self.of_code(path);
                    self.change_place(&effect.spanning(span), &path, state);
                }
                Doing::Fetch(url) | Doing::Send(url) if url.is_none() => {
                    self.emit(
                        Effect::to(Verb::Send, Target::Host("?".to_owned()))
                            .carrying(Carries::UNKNOWN)
                            .spanning(span),
                    );
                }
                Doing::Fetch(url) => {
                    // What was read may stand in the part of an address that is not known.
                    let open = url.as_deref();
                    let open = open.is_some_and(|it| it.ends_with(belay_languages::ANYTHING));
                    let effect = if open && flows.carries != Carries::NOTHING {
                        sending(flows)
                    } else {
                        Effect::to(Verb::Fetch, Target::Host(String::new()))
                    };
                    let (effect, val) = (effect.spanning(span), &self.of_code(url));
                    self.on_host(Touched { effect, val }, state, flows);
                }
                Doing::Send(url) => {
                    let (effect, val) = (sending(flows).spanning(span), &self.of_code(url));
                    self.on_host(Touched { effect, val }, state, flows);
                }
                Doing::Run(Some(text)) => {
                    let mut child = state.clone();
                    let (text, at) = (text.as_str(), span);
                    let input = flows.input.clone();
                    let output = self.nested_at(Nested { text, at }, &mut child, &input);
                    flows.carries = flows.carries.and(output.carries);
                    state.after_process(child);
                }
                Doing::Variable(name) => self.looked_up(name, span, flows),
                Doing::Load(file) => self.loaded(&file, span, state),
                Doing::Import(name) => self.module(&Module::of(&name, &searched), span, state),
                Doing::Search(folder) => {
                    let folder = folder.map(|it| self.of_code(Some(it)));
                    self.module_folder(folder.as_ref(), span, state);
                }
                Doing::Folder(_) => {}
                Doing::Package {
                    name,
                    how,
                    stranger,
                } => {
                    let package = Package {
                        name: &name,
                        how,
                        stranger,
                        searched: &searched,
                    };
                    self.package(&package, span, state);
                }
                Doing::NodePackage { name, how } => {
                    self.node_package(&NodePackage { name: &name, how }, span, state);
                }
                Doing::Unread { fetched: false } => self.unread_python(span),
                Doing::Unread { fetched: true } => self.unread_python_fetched(span),
                Doing::Run(None) => self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span)),
                Doing::Secret(name) => {
                    flows.carries = flows.carries.and(Carries::SECRET);
                    let effect = Effect::of(Verb::Read, [name]).how(How::Secret);
                    self.emit(effect.spanning(span));
                }
                Doing::Other(verb, names) => {
                    if verb == Verb::Read {
                        flows.carries = flows.carries.and(Carries::SECRET);
                    }
                    let names = names.into_iter().map(str::to_owned).collect();
                    let names = self.own_database(names, flows.args, state);
                    self.emit(Effect::of(verb, names).spanning(span));
                }
            }
        }
    }

    /// A variable of the environment is read.
    fn looked_up(&mut self, name: String, span: Span, flows: &mut Flows<'_>) {
        let secret =
            belay_knowledge::variable(&name).is_some_and(belay_knowledge::Variable::secret);
        if secret {
            flows.carries = flows.carries.and(Carries::SECRET);
            self.secrets.push(Some(name));
        } else {
            let names = ["environment".to_owned(), name];
            self.emit(Effect::of(Verb::Probe, names).spanning(span));
        }
    }

    /// A module is loaded: its code runs, whatever ending its name leaves out.
    fn loaded(&mut self, file: &str, span: Span, state: &mut State) {
        let endings = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts"];
        let there = |name: &Val| {
            self.note_of(name, state).is_some()
                || !self.outside(name, state).is_nothing()
                || self.at == At::Here
                    && self
                        .absolute(name.text().unwrap_or_default(), state)
                        .is_some_and(|it| {
                            let text = self.scene.frame.world.ask(&Question::Text(it, 1));
                            matches!(text, Answer::Text(..))
                        })
        };
        let mut names = endings.iter().map(|it| Val::known(format!("{file}{it}")));
        let name = names.find(there).unwrap_or_else(|| Val::known(file));
        let by = [Arg::known(Language::JavaScript.word(), span)];
        self.start_file(&Script::named(&name, &by), state, &Stream::nothing());
    }
}

/// What code wrote by name, it may load: which of them comes first in a run is not known.
fn loads_last(doings: Vec<Doing>) -> impl Iterator<Item = Doing> {
    fn stem(path: &str) -> &str {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split('.').next().unwrap_or(name)
    }
    let mut written = Vec::new();
    for doing in &doings {
        if let Doing::Write(Some(path)) = doing {
            written.push(stem(path).to_owned());
        }
    }
    let own = |name: &str| written.iter().any(|it| it == stem(name));
    let loads = |it: &Doing| matches!(it, Doing::Import(name) | Doing::Load(name) if own(name));
    let (last, first): (Vec<Doing>, Vec<Doing>) = doings.into_iter().partition(loads);
    first.into_iter().chain(last)
}

/// What was read so far is given to an address.
fn sending(flows: &Flows<'_>) -> Effect {
    Effect::to(Verb::Send, Target::Host(String::new()))
        .carrying(flows.carries.and(flows.input.carries))
}
