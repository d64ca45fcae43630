//! Simple commands: functions, builtins, programs.

use belay_knowledge::{Output, Reading, UnknownKind, What};
use belay_model::{Answer, At, Carries, Effect, Question, Scope, Span, Verb};
use belay_shell::{Assignment, Command, Many, Tree, Word};

use crate::effects::acts::{Flows, spoken};
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;
use crate::scene::Invocation;

/// The longest path a system takes.
const LONGEST: usize = 4096;

/// Folders whose programs are the system's.
const PROGRAMS: [&str; 11] = [
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/opt/homebrew/sbin",
    "/opt/local/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/run/current-system/sw/bin",
];

impl Walker<'_> {
    /// Walks a simple command.
    pub(crate) fn simple(
        &mut self,
        tree: &Tree<'_>,
        (command, assignments, words): (&Command, Many<Assignment>, Many<Word>),
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let args = self.words(tree, words, state);
        let assigned = self.assignments(tree, assignments, state);
        let (input, outlets) = self.redirects(tree, command.redirects, state, input);
        if args.is_empty() {
            self.set(assigned, state);
            return self.pour(&outlets, Stream::nothing(), state);
        }
        let before: Vec<_> = assigned
            .iter()
            .map(|(name, ..)| (name.clone(), state.variables.get(name).cloned()))
            .collect();
        self.set(assigned, state);
        let output = self.command(args, state, &input);
        for (name, val) in before {
            match val {
                Some(val) => state.variables.insert(name, val),
                None => state.variables.remove(&name),
            };
        }
        self.pour(&outlets, output, state)
    }

    /// Walks a command given as expanded words.
    pub(crate) fn command(&mut self, args: Vec<Arg>, state: &mut State, input: &Stream) -> Stream {
        let Some(first) = args.first() else {
            return Stream::nothing();
        };
        if self.inside >= crate::machine::walk::WRAPPERS {
            let span = first.span;
            self.trouble(
                belay_model::TroubleKind::Limit,
                "too many commands in front of a command",
                span,
            );
            return Stream::labelled(Carries::UNKNOWN);
        }
        let from = self.out.effects.len();
        let span = self.outer.unwrap_or(first.span);
        let Some(name) = first.text().map(str::to_owned) else {
            return self.nameless(first.clone());
        };
        let argv = args.iter().map(|it| it.text().map(str::to_owned)).collect();
        let at = self.out.invocations.len();
        self.out.invocations.push(Invocation {
            argv,
            from,
            to: from,
            span,
        });
        self.inside += 1;
        let output = self.named_command(&name, args, state, input);
        self.inside -= 1;
        let to = self.out.effects.len();
        if let Some(it) = self.out.invocations.get_mut(at) {
            it.to = to;
        }
        output
    }

    fn named_command(
        &mut self,
        name: &str,
        args: Vec<Arg>,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        if let Some(body) = state.functions.get(name).cloned() {
            return self.call((name, body), &args, state, input);
        }
        if let Some(output) = self.builtin(name, &args, state, input) {
            return output;
        }
        self.program(name, args, state, input)
    }

    /// A command whose name is not known.
    fn nameless(&mut self, first: Arg) -> Stream {
        let mut carries = Carries::NOTHING;
        for label in [Carries::FETCHED, Carries::SECRET] {
            if first.val.carries.holds(label) {
                carries = carries.and(label);
            }
        }
        if carries.holds(Carries::FETCHED) {
            self.emit(
                Effect::of(Verb::Eval, ["input"])
                    .carrying(carries)
                    .spanning(first.span),
            );
        }
        self.emit(Effect::of(Verb::Unknown, ["command", "?"]).spanning(first.span));
        Stream::labelled(Carries::UNKNOWN)
    }

    /// A program of the system, of the project, or one nobody knows.
    fn program(&mut self, name: &str, args: Vec<Arg>, state: &mut State, input: &Stream) -> Stream {
        let span = args.first().map(|it| it.span).unwrap_or_default();
        let knowledge = self.scene.knowledge;
        let mut base = name;
        if let Some((folder, last)) = name.rsplit_once('/')
            && !is_scoped_package(name)
        {
            base = last;
            if !PROGRAMS.contains(&folder) {
                let output = self.run_file((&Val::known(name), false), &args, state, input);
                if knowledge.find(base).is_none() && knowledge.alias(base).next().is_none() {
                    return output;
                }
            }
        }
        let stands: Vec<&str> = knowledge.alias(base).collect();
        // A name that stands for another such name is nobody's: names could go round in a circle.
        if let Some((first, more)) = stands.split_first()
            && knowledge.alias(first).next().is_none()
        {
            return self.program(first, spelled_out((first, more), args), state, input);
        }
        let known = belay_knowledge::builtin(base).or_else(|| knowledge.find(base));
        let Some(command) = known else {
            self.stranger(base, &args, span);
            return Stream::labelled(Carries::UNKNOWN.and(input.carries));
        };
        let words: Vec<_> = args.iter().map(Arg::word).collect();
        let reading = belay_knowledge::read(command, &words);
        self.reading(&reading, &args, state, input)
    }

    /// A command nobody taught us: looking is fine, anything else is unknown.
    fn stranger(&mut self, name: &str, args: &[Arg], span: Span) {
        let looks =
            self.at == At::Here && name.is_ascii() && only_looks(args) && self.lives_outside(name);
        let effect = if looks {
            Effect::of(Verb::Probe, ["program", name])
        } else {
            Effect::of(Verb::Unknown, ["command", name])
        };
        self.emit(effect.spanning(span));
    }

    /// Tells whether a command comes from neither the project nor a temporary folder.
    fn lives_outside(&self, name: &str) -> bool {
        let frame = self.scene.frame;
        match frame.world.ask(&Question::Program(name.to_owned())) {
            Answer::Path(path) => {
                let scope = belay_policy::scope_of(&belay_policy::Path::new(&path), frame);
                !matches!(
                    scope,
                    Scope::Project
                        | Scope::ProjectRoot
                        | Scope::Temp
                        | Scope::TempRoot
                        | Scope::ExecutionBearing
                )
            }
            Answer::Missing(_) | Answer::Unknown => true,
            _ => false,
        }
    }

    /// Turns what knowledge read into effects.
    fn reading(
        &mut self,
        reading: &Reading<'_>,
        args: &[Arg],
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let mut apart;
        let cds = reading.acts.iter().any(|it| matches!(it.what, What::Cd(_)));
        let mut flows = Flows::new(input, reading);
        let inner = if cds {
            apart = state.clone();
            for act in &reading.acts {
                if let What::Cd(piece) = &act.what {
                    let folder = self.piece(*piece, args);
                    self.enter(&folder, &mut apart);
                }
            }
            &mut apart
        } else {
            &mut *state
        };
        if let ["git", sub, ..] = reading.path.as_slice()
            && self.at == At::Here
        {
            let span = args.first().map(|it| it.span).unwrap_or_default();
            self.repository_settings(sub, span, inner);
        }
        for act in &reading.acts {
            self.act(act, args, inner, &mut flows);
        }
        let files = cds.then(|| std::mem::take(&mut inner.files));
        if reading.acts.is_empty() && reading.unknown.is_empty() && lacks_code(&reading.path, args)
        {
            self.emit(
                Effect::of(Verb::Eval, ["input"])
                    .spanning(args.first().map(|it| it.span).unwrap_or_default()),
            );
        }
        for unknown in &reading.unknown {
            self.unknown(unknown.kind, (unknown.word, unknown.part), args);
        }
        let output = self.output(reading, args, state, flows);
        if let Some(files) = files {
            state.files = files;
        }
        output
    }

    fn unknown(&mut self, kind: UnknownKind, (word, part): (usize, (usize, usize)), args: &[Arg]) {
        let Some(arg) = args.get(word) else { return };
        let text = arg
            .text()
            .and_then(|it| it.get(part.0..part.1))
            .unwrap_or("?");
        let text = if kind == UnknownKind::Flag && !text.starts_with(['-', '+', '?']) {
            format!("-{text}")
        } else {
            text.to_owned()
        };
        self.emit(Effect::of(Verb::Unknown, [kind.word().to_owned(), text]).spanning(arg.span));
    }

    fn output(
        &mut self,
        reading: &Reading<'_>,
        args: &[Arg],
        state: &State,
        flows: Flows<'_>,
    ) -> Stream {
        if let Some(stream) = flows.output {
            return stream;
        }
        if let Some(stream) = self.known_output(&reading.path, args, state, flows.input) {
            return stream;
        }
        let mut carries = flows.carries;
        if reading.acts.is_empty() {
            carries = carries.and(spoken(args));
        }
        if reading.reads_input {
            carries = carries.and(flows.input.carries);
        }
        match &reading.output {
            Output::Lines if reading.reads_input && reading.acts.is_empty() => Stream {
                paths: flows.input.paths.clone(),
                ..Stream::labelled(carries)
            },
            Output::Content | Output::Lines => Stream::labelled(carries),
            Output::Facts => Stream::labelled(Carries::NOTHING),
            Output::Nothing => Stream::nothing(),
            Output::Names => Stream::listing(vec![Val::name()]),
            Output::Paths(pieces) => {
                let paths = self.listed(&reading.path, pieces, args);
                if reading.reads_input && !flows.input.paths.is_empty() {
                    return Stream::listing(flows.input.paths.clone());
                }
                Stream::listing(paths)
            }
        }
    }

    /// Changes the folder to a value.
    pub(crate) fn enter(&mut self, folder: &Val, state: &mut State) {
        let next = folder
            .text()
            .and_then(|it| self.absolute(it, state))
            .filter(|it| it.len() <= LONGEST);
        state.previous = state.cwd.take();
        state.cwd = next;
    }
}

/// Tells whether a name is that of a package such as `@scope/name`, not a path.
fn is_scoped_package(name: &str) -> bool {
    name.starts_with('@') && name.matches('/').count() == 1
}

/// Puts the words that a name stands for in its place.
fn spelled_out((first, more): (&str, &[&str]), mut args: Vec<Arg>) -> Vec<Arg> {
    let span = args.first().map(|it| it.span).unwrap_or_default();
    let words = std::iter::once(first).chain(more.iter().copied());
    args.splice(..args.len().min(1), words.map(|it| Arg::known(it, span)));
    args
}

/// Tells whether a shell was told to run a code that is missing.
fn lacks_code(path: &[&str], args: &[Arg]) -> bool {
    let shell = matches!(path, ["bash" | "sh" | "zsh" | "dash" | "ksh"]);
    let last = args.last().and_then(Arg::text).unwrap_or_default();
    shell && last.starts_with('-') && !last.starts_with("--") && last.ends_with('c')
}

/// Tells whether words of a stranger only look: help, version, or a reading verb.
fn only_looks(args: &[Arg]) -> bool {
    let mut words = args.iter().skip(1).map(Arg::text);
    let Some(Some(first)) = words.next() else {
        return false;
    };
    let helps = |it: &str| {
        matches!(
            it,
            "--help" | "--version" | "-V" | "-h" | "help" | "version"
        )
    };
    if args.len() == 2 && helps(first) {
        return true;
    }
    let last = args.last().and_then(Arg::text);
    if last.is_some_and(|it| it == "--help") {
        return true;
    }
    let looks = [
        "list", "ls", "show", "get", "status", "search", "info", "describe", "whoami",
    ];
    looks.contains(&first) && words.all(|it| it.is_some_and(is_mild))
}

/// Tells whether a word after a reading verb names something rather than a file to write.
fn is_mild(word: &str) -> bool {
    let long = word
        .trim_start_matches('-')
        .split('=')
        .next()
        .unwrap_or_default();
    let writes = [
        "o", "out", "output", "exec", "file", "write", "save", "delete", "force", "f",
    ];
    !(word.starts_with('-') && writes.contains(&long))
}
