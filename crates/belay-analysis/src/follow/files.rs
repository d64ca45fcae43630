//! Scripts and tasks: what they hold is judged as if it were written in the call.

use belay_knowledge::Knowledge;
use belay_languages::Given;
use belay_model::{Answer, At, Carries, Effect, How, Question, Span, Verb};

use crate::effects::called::{Called, Script};
use crate::follow::built::Loaded;
use crate::follow::code::{Fed, given_after};
use crate::follow::doings::Done;
use crate::follow::language::{interpreter, is_shell, language_in, language_of};
use crate::follow::tasks::{OwnCode, Whose};
use crate::machine::flows::Flows;
use crate::machine::state::{Shared, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::variable::Held;
use crate::machine::walk::Nested;
use crate::machine::walk::Walker;
use crate::machine::zero::Zero;

/// What the session's memory says of a file that an earlier call wrote.
const WRITTEN: &str = "written";

/// A program that this session wrote.
enum Fresh {
    /// What it does.
    Read(Vec<belay_languages::Doing>),
    /// Its language, or a word for a text of none.
    Unread(String),
}

impl Fresh {
    /// A program in a language, and what it does where it was read.
    fn of(language: &str, doings: Option<Vec<belay_languages::Doing>>) -> Self {
        doings.map_or_else(|| Self::Unread(language.to_owned()), Self::Read)
    }

    /// Returns what a program does, or else its language.
    fn parted(this: Option<Self>) -> (Option<Vec<belay_languages::Doing>>, Option<String>) {
        match this {
            Some(Self::Read(doings)) => (Some(doings), None),
            Some(Self::Unread(language)) => (None, Some(language)),
            None => (None, None),
        }
    }
}

impl Walker<'_> {
    /// Runs a file: names it, and reads it when it is a script of the shell.
    pub(crate) fn start_file(
        &mut self,
        run: &Script<'_>,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        if let Some(output) = self.start_found(run, state, input) {
            return output;
        }
        let Script { file, args, shell } = *run;
        let span = args.first().map(|it| it.span).unwrap_or_default();
        if let Some(target) = self.linked_script(file, state) {
            return self.start_linked(run, &target, Fed { state, input });
        }
        let note = self.note_of(file, state);
        let carries = note.as_ref().map_or(Carries::NOTHING, |it| it.carries);
        let fetched = carries
            .and(file.carries)
            .only(Carries::OUTSIDE)
            .and(self.outside(file, state))
            .and(self.outside_in(file, state));
        self.run_entries(run, state);
        let place = self.place(file, state.cwd.as_deref());
        // What no line at its head gives to another program is run by the shell.
        let direct = args.first().is_some_and(|it| it.val == *file)
            && note
                .as_ref()
                .is_some_and(|it| it.text.as_deref().is_some_and(|it| !it.starts_with("#!")));
        let script = if shell || direct {
            self.text_in(file, state)
        } else {
            self.script(file, state)
        };
        let fresh = script.is_none().then(|| self.written(run, state));
        let (code, unread) = Fresh::parted(fresh.flatten());
        let read_whole = script.is_some() || code.is_some();
        if note.is_some_and(|it| it.copied && !it.is_read(read_whole)) && !self.is_shown(run) {
            self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span));
        }
        if !read_whole && fetched.is_nothing() && self.is_not_there(file, state) {
            // Whoever makes it before it runs, nobody has read it.
            let name = file.text().unwrap_or("?");
            self.emit(Effect::of(Verb::Unknown, ["script", name]).spanning(span));
        }
        if !read_whole || fetched != Carries::NOTHING || self.is_own(&place) {
            let built = fetched.is_nothing() && !self.is_own(&place) && self.was_built(file, state);
            let how = if built { How::Built } else { How::Plain };
            let effect = Effect::on(Verb::Run, place).how(how);
            self.emit(effect.carrying(fetched).spanning(span));
        }
        self.written_by_flags(run, state);
        let base = file.text().and_then(|it| it.rsplit('/').next());
        let knowledge = self.scene.knowledge;
        if let Some(command) = base.and_then(|it| knowledge.script(it)) {
            let state = &mut *state;
            self.manage(run, command, Fed { state, input });
        }
        match code {
            Some(doings) => self.done(Done { doings, span }, state, &mut Flows::default()),
            None if script.is_none() => self.project_code(run, state),
            None => {}
        }
        if let Some(language) = unread {
            self.emit(Effect::of(Verb::Eval, [language]).spanning(span));
        }
        let path = file.text().unwrap_or_default().to_owned();
        let language = language_of(&path, args, self.scene.knowledge);
        if let Some(language) = language.filter(|_| script.is_none()) {
            self.load_beside(language, run, state);
        }
        match script {
            Some(text) if !self.calls.contains(&path) => {
                self.calls.push(path);
                let output = self.start_text(run, &text, Fed { state, input });
                self.calls.pop();
                output
            }
            _ => Stream::labelled(Carries::UNKNOWN),
        }
    }

    /// Runs the text of a script in a process of its own.
    fn start_text(&mut self, run: &Script<'_>, text: &str, fed: Fed<'_>) -> Stream {
        let Script { file, args, shell } = *run;
        let Fed { state, input } = fed;
        let span = args.first().map(|it| it.span).unwrap_or_default();
        let mut child = reader_of(run, state);
        let output = if self.is_old(file, state) {
            let own = OwnCode {
                text,
                span,
                whose: Whose::Project,
            };
            self.own_code(&own, &mut child)
        } else {
            let program = match interpreter(text, self.scene.knowledge) {
                Some(it) if !shell => it,
                Some(_) | None => args.first().and_then(Arg::text).unwrap_or_default(),
            };
            let nested = Nested { text, at: span };
            let state = &mut child;
            self.nested_by(program, nested, Fed { state, input })
        };
        state.after_process(child);
        output
    }

    /// Returns the file that a link made in this call leads to, where nothing else can be meant and the call has not
    /// written it.
    fn linked_script(&self, file: &Val, state: &State) -> Option<String> {
        let path = self.absolute(file.text()?, state)?;
        let note = state.files.get(&path)?;
        if !note.linked || note.perhaps || self.calls.contains(&path) {
            return None;
        }
        // Where something lies already, no link may be made.
        let kind = self.scene.frame.world.ask(&Question::Kind(path.clone()));
        if matches!(kind, Answer::Name(_)) {
            return None;
        }
        let mut links = state.links.iter().filter(|it| it.from == path);
        let target = links.next()?.to.clone()?;
        (links.next().is_none() && !state.files.contains_key(&target)).then_some(target)
    }

    /// Runs what a link leads to; where the link could not be made, what lay there before.
    fn start_linked(&mut self, run: &Script<'_>, target: &str, fed: Fed<'_>) -> Stream {
        let Script { file, args, shell } = *run;
        let Fed { state, input } = fed;
        let path = file.text().and_then(|it| self.absolute(it, state));
        let place = self.place(file, state.cwd.as_deref());
        let span = args.first().map(|it| it.span).unwrap_or_default();
        let labels = self.outside(file, state);
        self.emit(Effect::on(Verb::Run, place).carrying(labels).spanning(span));
        self.calls.push(path.unwrap_or_default());
        let file = &Val::known(target);
        let output = self.start_file(&Script { file, args, shell }, state, input);
        self.calls.pop();
        output
    }

    /// A task outside the project is somebody else's code.
    fn foreign_task(&mut self, span: Span, state: &State) {
        use belay_model::Scope;
        let Some(cwd) = state.cwd.clone().filter(|_| self.at == At::Here) else {
            return;
        };
        let scope = belay_places::scope_of(&belay_places::Path::new(&cwd), self.scene.frame);
        if !matches!(
            scope,
            Scope::Project | Scope::ProjectRoot | Scope::ExecutionBearing
        ) {
            let place = self.place(&Val::known(cwd), None);
            self.emit(Effect::on(Verb::Run, place).spanning(span));
        }
    }

    /// Tells whether a script of the project was there before this session touched it.
    fn is_old(&self, file: &Val, state: &State) -> bool {
        let Some(path) = file.text().and_then(|it| self.absolute(it, state)) else {
            return false;
        };
        let place = self.place(file, state.cwd.as_deref());
        !state.files.contains_key(&path)
            && self.is_own(&place)
            && !matches!(
                self.scene.frame.world.ask(&Question::Provenance(path)),
                Answer::Name(_)
            )
    }

    /// Tells whether a program lies in the project.
    fn is_own(&self, place: &belay_model::Place) -> bool {
        let frame = self.scene.frame;
        let path = place
            .known()
            .and_then(|it| belay_places::absolute(it, frame.cwd, frame.home()));
        path.is_some_and(|it| belay_places::scope_of(&it, frame) == belay_model::Scope::Project)
    }

    /// A script that takes the words of a command we know: `manage.py` those of `django-admin`.
    fn manage(&mut self, run: &Script<'_>, name: &str, fed: Fed<'_>) {
        let Script { file, args, .. } = *run;
        let at = args.iter().position(|it| it.val == *file).unwrap_or(0);
        let mut words: Vec<Arg> = args.get(at..).unwrap_or_default().to_vec();
        if let Some(first) = words.first_mut() {
            *first = Arg::known(name, first.span);
        }
        if words.len() > 1 {
            self.command(words, fed.state, fed.input);
        }
    }

    /// Reads a program that this session wrote, in this call or earlier: its text is the session's own, and nobody
    /// has vouched for what cannot be read of it.
    fn written(&self, run: &Script<'_>, state: &State) -> Option<Fresh> {
        let (text, language) = self.written_text(run, state)?;
        let doings = match Self::given_to(run) {
            Some(given) => belay_languages::read_with(language, &text, given),
            None => belay_languages::read(language, &text),
        };
        Some(Fresh::of(language, doings))
    }

    /// Returns the words that a program is given, where it is plain which word names it.
    fn given_to(run: &Script<'_>) -> Option<Given> {
        let mut named = run
            .args
            .iter()
            .enumerate()
            .filter(|(_, it)| it.val == *run.file);
        let (index, _) = named.next()?;
        let name = run.file.text()?;
        named
            .next()
            .is_none()
            .then(|| given_after(Some(name), run.args, index))
    }

    /// Returns the text of a program that this session wrote, and its language.
    pub(super) fn written_text(&self, run: &Script<'_>, state: &State) -> Option<(String, &str)> {
        let file = run.file;
        let path = file.text().and_then(|it| self.absolute(it, state))?;
        let here = state.files.contains_key(&path);
        if self.at != At::Here || !here && !self.was_made(&path) {
            return None;
        }
        let text = self.text_in(file, state)?;
        let knowledge = self.scene.knowledge;
        let first = run.args.first();
        let by_itself = first.is_some_and(|it| it.val == *file) && !text.starts_with("#!");
        // What holds tasks is read where a task of it is run.
        let by = first.and_then(Arg::text).unwrap_or_default();
        if by_itself || knowledge.said("task-notations", base(by)).is_some() {
            return None;
        }
        let language = language_in(&text, run, knowledge).unwrap_or("text");
        Some((text, language))
    }

    /// Does what a file that this call wrote does where a tool loads it by itself. Tests and settings that cannot be
    /// read whole are searched for what they hand to a shell.
    pub(crate) fn load_file(&mut self, run: &Script<'_>, state: &mut State) {
        let span = run.args.first().map(|it| it.span).unwrap_or_default();
        let loaded = self.written_text(run, state);
        match loaded.map(|(text, language)| (text, language.to_owned())) {
            Some((text, language)) => {
                let language = language.as_str();
                let before = self.text_before(run, &text, state);
                let had = before.map(|text| {
                    let text = &text;
                    self.did_before(Loaded { text, language }, run, state)
                });
                let from = self.out.effects.len();
                let text = &text;
                self.load_text(Loaded { text, language }, run, state);
                if let Some(had) = had {
                    self.drop_what_it_did(from, &had);
                }
            }
            None => {
                let note = self.note_of(run.file, state);
                let read = self.text_in(run.file, state).is_some();
                if note.is_some_and(|it| it.copied && !it.is_read(read)) {
                    self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span));
                }
            }
        }
    }

    /// Tells whether the session wrote a file in an earlier call.
    pub(super) fn was_made(&self, path: &str) -> bool {
        let origin = Question::Provenance(path.to_owned());
        matches!(self.scene.frame.world.ask(&origin), Answer::Name(it) if it == WRITTEN)
    }

    /// Returns the labels of what lies in a folder that is run as a whole: its entry is one of its files.
    fn outside_in(&self, folder: &Val, state: &State) -> Carries {
        let path = folder.text().and_then(|it| self.absolute(it, state));
        let Some(path) = path else {
            return Carries::NOTHING;
        };
        let below = self.outside_below(&path, state).into_iter();
        below
            .filter(|(it, _)| *it != path && self.scene.knowledge.lists("folder-entries", base(it)))
            .fold(Carries::NOTHING, |sum, (_, labels)| sum.and(labels))
    }

    /// Tells whether a document is opened: what shows it runs none of it.
    fn is_shown(&self, run: &Script<'_>) -> bool {
        let knowledge = self.scene.knowledge;
        let by = run.args.first().and_then(Arg::text).unwrap_or_default();
        let name = base(run.file.text().unwrap_or_default());
        let ending = name.rsplit_once('.').map_or("", |it| it.1);
        knowledge.lists("opens-documents", base(by)) && knowledge.lists("document-endings", ending)
    }

    /// Runs what this session wrote of a folder that is run as a whole.
    fn run_entries(&mut self, run: &Script<'_>, state: &State) {
        let folder = run.file.text().and_then(|it| self.absolute(it, state));
        let Some(folder) = folder.filter(|_| self.at == At::Here) else {
            return;
        };
        let knowledge = self.scene.knowledge;
        let enters = |it: &String| {
            let inside = it.strip_prefix(&folder).and_then(|it| it.strip_prefix('/'));
            inside.is_some_and(|it| knowledge.lists("folder-entries", it))
        };
        let mut written = state.files.written_below(&folder);
        written.extend(state.files.unread_below(&folder));
        written.retain(enters);
        let made = match self
            .scene
            .frame
            .world
            .ask(&Question::Brought(folder.clone()))
        {
            Answer::Names(names) => names,
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Vec::new(),
        };
        let made = made.iter().filter_map(|it| it.strip_prefix("written "));
        let made = made.map(str::to_owned).filter(enters);
        written.extend(made);
        written.extend(self.entry_of(&folder, run, state));
        written.sort_unstable();
        written.dedup();
        for path in written {
            let file = &Val::known(path);
            let run = Script { file, ..*run };
            self.load_file(&run, &mut state.clone());
        }
    }

    /// Returns the text of a file, when it is a script of the shell that can be read.
    fn script(&self, file: &Val, state: &State) -> Option<String> {
        let path = self.absolute(file.text()?, state)?;
        let text = self.text_in(file, state)?;
        is_shell_script(&path, &text, self.scene.knowledge).then_some(text)
    }

    /// Runs a task of the project.
    pub(crate) fn start_task(
        &mut self,
        called: &Called<'_>,
        state: &mut State,
        flows: &mut Flows<'_>,
    ) {
        let Called {
            tool, name, span, ..
        } = *called;
        self.foreign_task(span, state);
        let fetched = if name.contains("://") {
            Carries::FETCHED
        } else {
            Carries::NOTHING
        };
        self.emit(
            Effect::of(Verb::Run, [tool, name])
                .how(How::Task)
                .carrying(fetched)
                .spanning(span),
        );
        if fetched == Carries::NOTHING && self.at == At::Here {
            self.load_outside(called, state);
            self.follow_task(called, state);
        }
        flows.output = Some(Stream::labelled(Carries::UNKNOWN));
        self.command_for_task(called, state, flows);
    }
}

/// Returns the shell that reads a script, before its first line.
fn reader_of(run: &Script<'_>, state: &State) -> State {
    let mut child = state.clone();
    child.become_process();
    child.zero = Some(Zero {
        val: called_as(run),
        script: child.functions.is_empty(),
    });
    child.positional = Shared::new(Held::anything());
    child
}

/// Returns what a script finds as `$0`: the word that named it, where no search for programs put a folder before it.
fn called_as(run: &Script<'_>) -> Val {
    let Script { file, args, shell } = *run;
    let named = args.iter().any(|it| it.val == *file && !it.many);
    let found = !shell && !file.text().is_some_and(|it| it.contains('/'));
    if named && !found {
        file.clone()
    } else {
        Val::unknown()
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Tells whether a file is a shell script, by its first line or its name.
fn is_shell_script(path: &str, text: &str, knowledge: &Knowledge) -> bool {
    if text.starts_with("#!") {
        return interpreter(text, knowledge).is_some_and(|it| is_shell(it, knowledge));
    }
    path.ends_with(".sh") || path.ends_with(".bash")
}
