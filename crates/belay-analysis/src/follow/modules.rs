//! Modules that Python code loads: whose they are, and where they come from.

use belay_languages::{Doing, Language, Use};
use belay_model::{Answer, At, Carries, Effect, Question, Span, Verb};

use crate::effects::called::Script;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

/// A module that code loads.
pub(crate) struct Module<'a> {
    pub(crate) name: &'a str,
    /// Folders that the code itself looks for modules in.
    pub(crate) searched: &'a [String],
}

impl<'a> Module<'a> {
    pub(crate) const fn of(name: &'a str, searched: &'a [String]) -> Self {
        Self { name, searched }
    }
}

/// A package that code uses.
pub(crate) struct Package<'a> {
    pub(crate) name: &'a str,
    pub(crate) how: Use,
    /// Whether it is known to be somebody else's.
    pub(crate) stranger: bool,
    /// Folders that the code itself looks for modules in.
    pub(crate) searched: &'a [String],
}

/// A package of Node that code loads.
pub(crate) struct NodePackage<'a> {
    pub(crate) name: &'a str,
    pub(crate) how: Use,
}

impl Walker<'_> {
    /// A module is loaded: one that this call or session wrote or fetched is code like any other, and so is
    /// one that lies where we are when that is not the project.
    pub(crate) fn module(&mut self, module: &Module<'_>, span: Span, state: &mut State) {
        if self.at != At::Here {
            return;
        }
        let Module { name, searched } = *module;
        let below = |it: &String| {
            [
                format!("{it}/{name}.py"),
                format!("{it}/{name}/__init__.py"),
            ]
        };
        let here = [format!("{name}.py"), format!("{name}/__init__.py")];
        let told = self.python_path(state);
        let folders = searched.iter().chain(&told);
        for file in here.into_iter().chain(folders.flat_map(below)) {
            let file = Val::known(file);
            let new =
                self.note_of(&file, state).is_some() || !self.outside(&file, state).is_nothing();
            let foreign = !self.in_project(".", state) && self.stands(&file, state);
            // A tool that wrote into the folder under names of its own wrote no module that is not there.
            let written = || !self.is_not_there(&file, state) && self.was_written(&file, state);
            if new || foreign || written() {
                let by = [Arg::known(Language::Python.word(), span)];
                self.start_file(&Script::named(&file, &by), state, &Stream::nothing());
            }
        }
    }

    /// Returns the folders of the project that the environment adds to those where modules are looked for.
    fn python_path(&self, state: &State) -> Vec<String> {
        let told = state.variables.get("PYTHONPATH").map(|it| it.held.first());
        let text = told.as_ref().and_then(Val::text).unwrap_or_default();
        let folders = text.split(':').filter(|it| !it.is_empty());
        folders.map(str::to_owned).collect()
    }

    /// Returns the folders of the project among those that code looks for modules in.
    pub(crate) fn module_folders(&self, doings: &[Doing], state: &State) -> Vec<String> {
        let folder = |it: &Doing| {
            let Doing::Search(Some(folder)) = it else {
                return None;
            };
            self.of_code(Some(folder.clone())).text().map(str::to_owned)
        };
        let own = |it: &String| !it.split('/').any(|it| it == "..") && self.in_project(it, state);
        doings.iter().filter_map(folder).filter(own).collect()
    }

    /// Modules are looked for in another folder too: what lies there may run under any name.
    pub(crate) fn module_folder(&mut self, folder: Option<&Val>, span: Span, state: &State) {
        let Some(folder) = folder else {
            return self.unread_python(span);
        };
        let path = folder.text().unwrap_or_default();
        if folder.text().is_none() || !self.in_project(path, state) {
            let place = self.place(folder, state.cwd.as_deref());
            self.emit(Effect::on(Verb::Run, place).spanning(span));
        }
    }

    /// A package is used: the project's own and, where nothing acts, a declared one may be. Where nobody can look
    /// into the project, a name that no stranger has is the project's own.
    pub(crate) fn package(&mut self, package: &Package<'_>, span: Span, state: &State) {
        let Package {
            name,
            how,
            stranger,
            searched,
        } = *package;
        let unseen =
            || !stranger && self.in_project(".", state) && !self.stands(&Val::known("."), state);
        let usual = self.scene.knowledge.words_of("module-folders");
        let mut folders = usual.chain(searched.iter().map(String::as_str));
        let own = name == "." || folders.any(|it| self.holds_module(it, name, state)) || unseen();
        let declared = || {
            let spellings = [name.to_owned(), name.replace('_', "-")];
            let other = self.scene.knowledge.said("python-distributions", name);
            spellings
                .into_iter()
                .chain(other.map(str::to_owned))
                .any(|it| self.is_declared("pypi", it, state))
        };
        let fine = match how {
            Use::Imported => true,
            Use::Called => own || declared(),
            Use::Acted => own,
        };
        if !fine {
            self.unread_python(span);
        }
    }

    /// A package of Node is used: a declared one may be, where nothing acts.
    pub(crate) fn node_package(&mut self, package: &NodePackage<'_>, span: Span, state: &State) {
        let NodePackage { name, how } = *package;
        self.load_package(name, span, state);
        let unseen = || self.in_project(".", state) && !self.stands(&Val::known("."), state);
        let fine = match how {
            Use::Imported => true,
            Use::Called => self.is_declared("npm", name.to_owned(), state) || unseen(),
            Use::Acted => false,
        };
        if !fine {
            self.emit(Effect::of(Verb::Eval, ["javascript"]).spanning(span));
        }
    }

    /// Code that was not read.
    pub(crate) fn unread_python(&mut self, span: Span) {
        self.emit(Effect::of(Verb::Eval, [Language::Python.word()]).spanning(span));
    }

    /// Code that was not read, and may have come from a host.
    pub(crate) fn unread_python_fetched(&mut self, span: Span) {
        let effect = Effect::of(Verb::Eval, [Language::Python.word()]).carrying(Carries::FETCHED);
        self.emit(effect.spanning(span));
    }

    fn holds_module(&self, folder: &str, name: &str, state: &State) -> bool {
        let files = [format!("{folder}/{name}.py"), format!("{folder}/{name}")];
        let files = files.map(Val::known);
        let near = files.iter().any(|it| self.stands(it, state));
        near && self.in_project(folder, state)
            || self.scene.frame.roots.iter().any(|root| {
                let path = |end: &str| Val::known(format!("{root}/{folder}/{name}{end}"));
                self.stands(&path(".py"), state) || self.stands(&path(""), state)
            })
    }

    fn stands(&self, file: &Val, state: &State) -> bool {
        let path = file.text().and_then(|it| self.absolute(it, state));
        let kind = path.map(|it| self.scene.frame.world.ask(&Question::Kind(it)));
        self.at == At::Here && matches!(kind, Some(Answer::Name(_)))
    }

    fn is_declared(&self, registry: &str, name: String, state: &State) -> bool {
        let Some(cwd) = state.cwd.clone().filter(|_| self.at == At::Here) else {
            return false;
        };
        let question = Question::Declared(cwd, registry.to_owned(), name);
        self.scene.frame.world.ask(&question) == Answer::Yes
    }
}
