//! What knowledge says a command does, as effects on what its words stand for.

use belay_knowledge::{Act, Flow, Operands, Piece, Reading, Source, What};
use belay_languages::Doing;
use belay_model::{At, Carries, Effect, How, Span, Target, Verb};

use crate::state::{Note, State};
use crate::stream::Stream;
use crate::value::{Arg, Text, Val};
use crate::walk::Walker;

/// What moves through one invocation.
pub(crate) struct Flows<'a> {
    /// Standard input.
    pub(crate) input: &'a Stream,
    /// Labels of what was read so far.
    pub(crate) carries: Carries,
    /// What a payload said.
    pub(crate) output: Option<Stream>,
    /// The command and its sub-commands.
    path: Vec<String>,
}

static TERMINAL: Stream = Stream {
    text: None,
    carries: Carries::NOTHING,
    paths: Vec::new(),
};

impl Default for Flows<'_> {
    fn default() -> Self {
        Self {
            input: &TERMINAL,
            carries: Carries::NOTHING,
            output: None,
            path: Vec::new(),
        }
    }
}

impl<'a> Flows<'a> {
    pub(crate) fn new(input: &'a Stream, reading: &Reading<'_>) -> Self {
        Self {
            input,
            path: reading.path.iter().map(|it| (*it).to_owned()).collect(),
            ..Self::default()
        }
    }
}

impl Walker<'_> {
    /// Returns what a piece of the knowledge stands for.
    pub(crate) fn piece(&self, piece: Piece<'_>, args: &[Arg]) -> Val {
        match piece {
            Piece::Text("?") => Val::unknown(),
            Piece::Text(text) => match text.strip_suffix("/?") {
                Some(folder) => Val::known(format!("{folder}/")).then(&Val::unknown()),
                None => Val::known(text),
            },
            Piece::Word { index, from } => args
                .get(index)
                .map_or_else(Val::unknown, |it| it.val.from(from)),
        }
    }

    /// Does one act.
    pub(crate) fn act(
        &mut self,
        act: &Act<'_>,
        args: &[Arg],
        state: &mut State,
        flows: &mut Flows<'_>,
    ) {
        let before = self.at.clone();
        if let Some((way, name)) = &act.at
            && self.at == At::Here
        {
            let name = self.piece(*name, args).text().unwrap_or("?").to_owned();
            let name = if *way == "ssh" {
                belay_policy::host_of(&name)
            } else {
                name
            };
            self.at = At::Elsewhere((*way).to_owned(), name);
        }
        let span = args
            .get(act.cause)
            .or_else(|| args.first())
            .map(|it| it.span)
            .unwrap_or_default();
        match &act.what {
            What::Effect {
                verb,
                how,
                target,
                with,
                remote,
            } => {
                let spot = Spot {
                    span,
                    remote: *remote,
                    args,
                };
                self.effect((*verb, *how, target), (with, spot), args, (state, flows));
            }
            What::RunWords {
                from,
                to,
                operands,
                assignments,
            } => {
                self.payload((*from, *to), (operands, assignments), args, (state, flows));
            }
            What::RunFile { file, shell } => {
                let file = self.piece(*file, args);
                let output = self.run_file((&file, *shell), args, state, flows.input);
                flows.output = Some(output);
            }
            What::Task { tool, name } => {
                let name = self.piece(*name, args);
                self.task((tool, &name), span, (state, flows));
            }
            What::Eval { language, source } => {
                self.eval(language, source, args, (state, flows, span))
            }
            What::Cd(_) => {}
        }
        self.at = before;
    }

    fn effect(
        &mut self,
        (verb, how, target): (Verb, How, &[Piece<'_>]),
        (with, spot): (&[Flow<'_>], Spot<'_>),
        args: &[Arg],
        (state, flows): (&mut State, &mut Flows<'_>),
    ) {
        let carries = self.flowing(with, args, state, flows);
        let effect = Effect::of(verb, [""])
            .how(how)
            .carrying(carries)
            .spanning(spot.span);
        if let [piece] = target
            && takes_place(verb, how, *piece)
        {
            let val = self.piece(*piece, args);
            let span = span_of(*piece, args).unwrap_or(spot.span);
            return self.on_place(effect.spanning(span), &val, spot, (state, flows));
        }
        if let ([piece], Verb::Fetch | Verb::Send) = (target, verb) {
            let val = self.piece(*piece, args);
            return self.on_host(effect, &val, (state, flows));
        }
        let mut labels = Carries::NOTHING;
        let names: Vec<String> = target
            .iter()
            .map(|piece| {
                let val = self.piece(*piece, args);
                labels = labels.and(val.carries);
                name_of(&val)
            })
            .collect();
        let labels = match verb {
            Verb::Install => keep(labels),
            Verb::Publish | Verb::Change => keep(spoken(args)),
            _ => Carries::NOTHING,
        };
        if how == How::Secret {
            flows.carries = flows.carries.and(Carries::SECRET);
        }
        if verb == Verb::Read && names.first().is_some_and(|it| it == "environment") {
            let plain = |name: &String| {
                name != "?"
                    && !belay_knowledge::variable(name)
                        .is_some_and(belay_knowledge::Variable::secret)
            };
            if names.get(1).is_some_and(plain) {
                return self.emit(Effect {
                    verb: Verb::Probe,
                    target: Target::Names(names),
                    ..effect
                });
            }
            flows.carries = flows.carries.and(Carries::SECRET);
        }
        if verb == Verb::Change && names.first().is_some_and(|it| it == "repository") {
            self.elsewhere_changed(spot.span, state);
        }
        let effect = Effect {
            target: Target::Names(names),
            ..effect
        };
        self.emit(own_job(effect).carrying(labels));
    }

    fn on_place(
        &mut self,
        effect: Effect,
        val: &Val,
        spot: Spot<'_>,
        (state, flows): (&mut State, &mut Flows<'_>),
    ) {
        if spot.remote
            && let Some(host) = remote_host(val)
        {
            return self.on_host(
                Effect {
                    verb: if effect.verb == Verb::Read {
                        Verb::Fetch
                    } else {
                        Verb::Send
                    },
                    ..effect
                },
                &Val::known(host),
                (state, flows),
            );
        }
        match effect.verb {
            Verb::Read if val.text() == Some("-") => {
                flows.carries = flows.carries.and(flows.input.carries)
            }
            Verb::Read => {
                let carries = self.read_place(val, effect.how, effect.span, state);
                flows.carries = flows.carries.and(carries);
            }
            Verb::Write if val.text() == Some("-") => {}
            Verb::Write => {
                let carries = effect.carries;
                self.write_place(val, (effect.how, carries), effect.span, state);
                self.note(
                    val,
                    Note {
                        carries: carries.and(flows.carries),
                        text: None,
                    },
                    state,
                );
            }
            Verb::Delete
                if effect.how == How::Tree && flows.path.first().is_some_and(|it| it == "find") =>
            {
                for found in self.found(&flows.path, std::slice::from_ref(val), spot.args) {
                    self.change_place(&effect, &found, state);
                }
            }
            Verb::Move => self.moved(effect, val, (spot.args, state)),
            Verb::Link => {
                let val = linked(val, spot.args);
                self.change_place(&effect, &val, state);
            }
            Verb::Delete => {
                self.change_place(&effect, val, state);
                self.moved_before(&effect, val, state);
            }
            Verb::Discard if self.names_ref(&flows.path, val, (spot.args, state)) => {}
            _ => self.change_place(&effect, val, state),
        }
    }

    /// Takes a thing from its place; into a sink it is gone.
    fn moved(&mut self, effect: Effect, val: &Val, (args, state): (&[Arg], &mut State)) {
        let Some(to) = args.last().map(|it| it.val.clone()) else {
            return;
        };
        let verb = if crate::redirects::is_sink(&to) {
            Verb::Delete
        } else {
            Verb::Move
        };
        let effect = Effect { verb, ..effect };
        self.change_place(&effect, val, state);
        if let Some(to) = to.text().and_then(|it| self.absolute(it, state)) {
            state.moved.push((val.clone(), to));
        }
    }

    /// What was moved into a folder that is deleted now is deleted with it.
    fn moved_before(&mut self, effect: &Effect, val: &Val, state: &State) {
        let Some(path) = val.text().and_then(|it| self.absolute(it, state)) else {
            return;
        };
        for (source, to) in state.moved.clone() {
            if belay_policy::Path::new(&to).is_within(&path) {
                self.change_place(&effect.clone().how(How::Tree), &source, state);
            }
        }
    }

    fn on_host(&mut self, effect: Effect, val: &Val, (state, flows): (&mut State, &mut Flows<'_>)) {
        if let Some(path) = val.text().and_then(|it| it.strip_prefix("file://")) {
            let path = Val::known(path);
            let carries = self.read_place(&path, How::Plain, effect.span, state);
            flows.carries = flows.carries.and(carries);
            return;
        }
        let host = match &val.text {
            Text::Known(text) => belay_policy::host_of(text),
            Text::Glob(text) | Text::Prefix { known: text, .. } => host_in(text),
            Text::Unknown { .. } => "?".to_owned(),
        };
        if effect.verb == Verb::Fetch {
            flows.carries = flows.carries.and(Carries::FETCHED);
        }
        let mut carries = effect.carries.and(keep(val.carries));
        if carries.holds(Carries::SECRET) && self.issued(&host) {
            carries = carries.without(Carries::SECRET);
        }
        let target = Target::Host(host);
        self.emit(Effect {
            target,
            carries,
            how: How::Plain,
            ..effect
        });
    }

    /// A repository outside the project is another project.
    fn elsewhere_changed(&mut self, span: Span, state: &State) {
        let frame = self.scene.frame;
        let scope = match (&state.cwd, &self.at) {
            (_, At::Elsewhere(..)) => return,
            (Some(cwd), At::Here) => belay_policy::scope_of(&belay_policy::Path::new(cwd), frame),
            (None, At::Here) => belay_model::Scope::Unknown,
        };
        let own = matches!(
            scope,
            belay_model::Scope::Project
                | belay_model::Scope::ProjectRoot
                | belay_model::Scope::Temp
                | belay_model::Scope::ExecutionBearing
        );
        if !own {
            let here = Val::known(state.cwd.clone().unwrap_or_default());
            let here = if state.cwd.is_some() {
                here
            } else {
                Val::unknown()
            };
            self.write_place(&here, (How::Tree, Carries::NOTHING), span, state);
        }
    }

    /// Tells whether all secrets of this call are variables named after the host's owner: a key goes
    /// to those who issued it.
    fn issued(&self, host: &str) -> bool {
        let by = |name: &str| {
            let owner = name.split('_').next().unwrap_or(name).to_ascii_lowercase();
            let owner = match owner.as_str() {
                "gh" => "github",
                "hf" => "huggingface",
                "google" | "gemini" | "gcp" => "googleapis",
                "claude" => "anthropic",
                owner => owner,
            };
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
            let mut labels = name.rsplit('.').skip(1);
            owner.len() > 2 && labels.next() == Some(owner)
        };
        !self.secrets.is_empty() && self.secrets.iter().all(|it| it.as_deref().is_some_and(by))
    }

    /// Returns the labels of what flows into an effect.
    fn flowing(
        &mut self,
        with: &[Flow<'_>],
        args: &[Arg],
        state: &mut State,
        flows: &Flows<'_>,
    ) -> Carries {
        let mut sum = Carries::NOTHING;
        for flow in with {
            let labels = match flow {
                Flow::Text(piece) => self.piece(*piece, args).carries,
                Flow::Content(piece) => {
                    let val = self.piece(*piece, args);
                    self.content_labels(&val, args, state, flows)
                }
                Flow::Body(piece) => {
                    let val = self.piece(*piece, args);
                    match starts_with(&val, '@') {
                        true => self.content_labels(&val.from(1), args, state, flows),
                        false => val.carries,
                    }
                }
                Flow::Form(piece) => {
                    let val = self.piece(*piece, args);
                    match form_file(&val) {
                        Some(at) => self.content_labels(&val.from(at), args, state, flows),
                        None => val.carries,
                    }
                }
                Flow::Input => flows.input.carries,
                Flow::Fetched => Carries::FETCHED,
            };
            sum = sum.and(labels);
        }
        sum
    }

    fn content_labels(
        &mut self,
        val: &Val,
        args: &[Arg],
        state: &State,
        flows: &Flows<'_>,
    ) -> Carries {
        if val.text() == Some("-") {
            return flows.input.carries;
        }
        if remote_host(val).is_some() {
            return Carries::FETCHED;
        }
        let span = args.first().map(|it| it.span).unwrap_or_default();
        self.read_place(val, How::Plain, span, state)
            .and(Carries::CONTENT)
    }

    fn payload(
        &mut self,
        (from, to): (usize, usize),
        (operands, assignments): (&Operands<'_>, &[usize]),
        args: &[Arg],
        (state, flows): (&mut State, &mut Flows<'_>),
    ) {
        let mut words: Vec<Arg> = args.get(from..to).unwrap_or_default().to_vec();
        let span = words.first().map(|it| it.span).unwrap_or_default();
        let mut child = state.clone();
        child.functions.clear();
        if self.at != At::Here {
            child.cwd = None;
        }
        for at in assignments {
            if let Some(arg) = args.get(*at) {
                self.assign_text(arg, &mut child);
            }
        }
        let mut input = flows.input.clone();
        match operands {
            Operands::None => {}
            Operands::Input => {
                words.extend(fed(flows.input).into_iter().map(|val| Arg::many(val, span)));
                input = Stream::nothing();
            }
            Operands::Replacing(piece) => {
                let text = self.piece(*piece, args);
                let vals = fed(flows.input);
                replace(&mut words, text.text().unwrap_or("{}"), &one(vals));
                input = Stream::nothing();
            }
            Operands::Found(pieces) => {
                let paths: Vec<Val> = pieces.iter().map(|it| self.piece(*it, args)).collect();
                let found = self.found(&flows.path, &paths, args);
                let rounds: Vec<Val> = if found.is_empty() {
                    vec![Val::unknown()]
                } else {
                    found
                };
                for val in &rounds {
                    let mut round = words.clone();
                    replace(&mut round, "{}", val);
                    self.command(round, &mut child, &input);
                }
                state.files = child.files;
                return;
            }
        }
        let output = match words.as_slice() {
            [flag, code, ..]
                if matches!(flag.text(), Some("-c" | "--command")) && code.text().is_some() =>
            {
                let text = code.text().unwrap_or_default().to_owned();
                self.nested_at(&text, code.span, &mut child, &input)
            }
            _ => self.command(words, &mut child, &input),
        };
        state.files = child.files;
        flows.output = Some(output);
    }

    fn eval(
        &mut self,
        language: &str,
        source: &Source<'_>,
        args: &[Arg],
        (state, flows, span): (&mut State, &mut Flows<'_>, Span),
    ) {
        let (code, from_input) = match source {
            Source::Text(piece) => (self.piece(*piece, args), false),
            Source::Words(from, to) => (join(args.get(*from..*to).unwrap_or_default()), false),
            Source::Input => match &flows.input.text {
                Some(text) => (text.clone(), true),
                None => (
                    Val {
                        text: Text::Unknown {
                            empty: String::new(),
                        },
                        carries: flows.input.carries,
                    },
                    true,
                ),
            },
        };
        let fetched = keep(code.carries);
        if fetched.holds(Carries::FETCHED) {
            self.emit(
                Effect::of(Verb::Eval, language_name(language, from_input))
                    .carrying(fetched)
                    .spanning(span),
            );
        }
        match (language, code.text()) {
            ("shell", Some(text)) => {
                let text = text.to_owned();
                let mut child = state.clone();
                child.positional = None;
                if let Source::Text(Piece::Word { index, .. }) = source
                    && flows.path.len() == 1
                    && matches!(
                        flows.path.first().map(String::as_str),
                        Some("bash" | "sh" | "zsh" | "dash" | "ksh")
                    )
                {
                    let mut given = args.iter().skip(index + 1).map(|it| it.val.clone());
                    child.zero = given.next();
                    child.positional = Some(given.collect());
                }
                if self.at != At::Here {
                    child.cwd = None;
                }
                let inner = if from_input {
                    Stream::terminal()
                } else {
                    flows.input.clone()
                };
                child.traps.clear();
                let output = self.nested_at(&text, span, &mut child, &inner);
                self.end(&mut child);
                state.files = child.files;
                flows.output = Some(output);
            }
            (language, text) => {
                let read = text.and_then(|it| belay_languages::read(language, it));
                match read {
                    Some(doings) => self.done(doings, span, (state, flows)),
                    None => {
                        let effect = Effect::of(Verb::Eval, language_name(language, from_input));
                        self.emit(effect.carrying(fetched).spanning(span));
                    }
                }
            }
        }
    }

    /// Does what code inside a command does.
    pub(crate) fn done(
        &mut self,
        doings: Vec<Doing>,
        span: Span,
        (state, flows): (&mut State, &mut Flows<'_>),
    ) {
        for doing in doings {
            match doing {
                Doing::Read(path) => {
                    let carries = self.read_place(&Val::known(path), How::Plain, span, state);
                    flows.carries = flows.carries.and(carries);
                }
                Doing::Write(path) => {
                    let path = path.map_or_else(Val::unknown, Val::known);
                    self.write_place(&path, (How::Plain, Carries::NOTHING), span, state);
                }
                Doing::Delete(path, tree) => {
                    let path = path.map_or_else(Val::unknown, Val::known);
                    let how = if tree { How::Tree } else { How::Plain };
                    let effect = Effect::on(Verb::Delete, belay_model::Place::Unknown).how(how);
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
                    let effect =
                        Effect::to(Verb::Fetch, Target::Host(String::new())).spanning(span);
                    self.on_host(effect, &Val::known(url.unwrap_or_default()), (state, flows));
                }
                Doing::Send(url) => {
                    let effect = Effect::to(Verb::Send, Target::Host(String::new())).spanning(span);
                    self.on_host(effect, &Val::known(url.unwrap_or_default()), (state, flows));
                }
                Doing::Run(Some(text)) => {
                    let mut child = state.clone();
                    self.nested_at(&text, span, &mut child, &Stream::terminal());
                    state.files = child.files;
                }
                Doing::Run(None) => self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span)),
                Doing::Other(verb, names) => {
                    if verb == Verb::Read {
                        flows.carries = flows.carries.and(Carries::SECRET);
                    }
                    self.emit(Effect::of(verb, names).spanning(span));
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Spot<'a> {
    span: Span,
    remote: bool,
    args: &'a [Arg],
}

/// Names code by its language, and by standard input where it comes from there.
fn language_name(language: &str, from_input: bool) -> Vec<&str> {
    match (language, from_input) {
        ("shell", true) => vec!["input"],
        ("shell", false) => vec!["text"],
        ("terminal", _) => vec!["input", "terminal"],
        (language, true) => vec!["input", language],
        (language, false) => vec![language],
    }
}

/// Of the labels of code or a host's name, those that matter to what is done with it.
fn keep(labels: Carries) -> Carries {
    let mut kept = Carries::NOTHING;
    for label in [Carries::FETCHED, Carries::SECRET] {
        if labels.holds(label) {
            kept = kept.and(label);
        }
    }
    kept
}

/// Returns what a symbolic link leads to: its text is read from the link's own folder.
fn linked(val: &Val, args: &[Arg]) -> Val {
    let symbolic = args.iter().filter_map(Arg::text).any(|it| {
        it == "--symbolic" || it.starts_with('-') && !it.starts_with("--") && it.contains('s')
    });
    let relative = val.text().is_some_and(|it| !it.starts_with('/'));
    let folder = args
        .last()
        .and_then(Arg::text)
        .and_then(|it| it.rsplit_once('/'))
        .map(|(folder, _)| folder);
    match (symbolic && relative, folder) {
        (true, Some(folder)) => Val::known(format!("{folder}/")).then(val),
        _ => val.clone(),
    }
}

/// Returns the labels of all words of an invocation.
pub(crate) fn spoken(args: &[Arg]) -> Carries {
    args.iter()
        .fold(Carries::NOTHING, |sum, it| sum.and(it.val.carries))
}

/// Tells whether a single piece after a verb is a path.
fn takes_place(verb: Verb, how: How, piece: Piece<'_>) -> bool {
    let paths = matches!(
        verb,
        Verb::Read
            | Verb::Write
            | Verb::Delete
            | Verb::Move
            | Verb::Link
            | Verb::Mark
            | Verb::Discard
            | Verb::Run
    );
    let named = matches!(how, How::Secret | How::Task);
    match piece {
        Piece::Word { .. } => paths && !named,
        Piece::Text(text) => {
            paths && (text == "." || text.starts_with(['/', '~']) || text.starts_with("./"))
        }
    }
}

fn span_of(piece: Piece<'_>, args: &[Arg]) -> Option<Span> {
    match piece {
        Piece::Word { index, .. } => args.get(index).map(|it| it.span),
        Piece::Text(_) => None,
    }
}

/// Returns a value as a name; `?` when it is not known.
fn name_of(val: &Val) -> String {
    match &val.text {
        Text::Known(text) | Text::Glob(text) => text.clone(),
        Text::Prefix { .. } | Text::Unknown { .. } => "?".to_owned(),
    }
}

/// Signals to a process that this call started are signals to a job.
fn own_job(effect: Effect) -> Effect {
    if effect.verb != Verb::Signal {
        return effect;
    }
    match effect.names() {
        [_, name] if name == "$!" || name.starts_with('%') => {
            let name = name.clone();
            Effect {
                target: Target::Names(vec!["job".to_owned(), name]),
                ..effect
            }
        }
        _ => effect,
    }
}

fn starts_with(val: &Val, c: char) -> bool {
    match &val.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => {
            text.starts_with(c)
        }
        Text::Unknown { .. } => false,
    }
}

/// Returns where the file name begins in a form field such as `name=@file`.
fn form_file(val: &Val) -> Option<usize> {
    let text = match &val.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => text,
        Text::Unknown { .. } => return None,
    };
    let at = text.find('=')? + 1;
    text.get(at..)?.starts_with(['@', '<']).then_some(at + 1)
}

/// Returns the host of `host:path`; a path with a slash before the colon is a local one.
fn remote_host(val: &Val) -> Option<String> {
    let text = match &val.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => text,
        Text::Unknown { .. } => return None,
    };
    if text.contains("://") {
        return Some(text.clone());
    }
    let (host, _) = text.split_once(':')?;
    (!host.is_empty() && !host.contains('/')).then(|| host.to_owned())
}

/// Returns the host in a text of which only the beginning is known.
fn host_in(text: &str) -> String {
    let whole = text
        .split_once("://")
        .is_some_and(|(_, rest)| rest.contains(['/', '?']));
    if whole {
        belay_policy::host_of(text)
    } else {
        "?".to_owned()
    }
}

/// Returns the operands that come from a stream.
fn fed(input: &Stream) -> Vec<Val> {
    if let Some(text) = input.text.as_ref().and_then(Val::text) {
        let carries = input.carries;
        return text
            .split_whitespace()
            .map(|it| Val::known(it).carrying(carries))
            .collect();
    }
    if !input.paths.is_empty() {
        return input.paths.clone();
    }
    vec![Val::unknown().carrying(input.carries)]
}

fn one(vals: Vec<Val>) -> Val {
    let mut all = vals.into_iter();
    let first = all.next().unwrap_or_else(|| Val::known(""));
    all.fold(first, |sum, it| sum.or(&it))
}

/// Puts a value wherever a text stands in words.
fn replace(words: &mut [Arg], text: &str, val: &Val) {
    for word in words {
        let Some(known) = word.text() else { continue };
        if text.is_empty() || !known.contains(text) {
            continue;
        }
        let mut pieces = known.split(text);
        let first = Val::known(pieces.next().unwrap_or_default());
        word.val = pieces.fold(first, |sum, piece| sum.then(val).then(&Val::known(piece)));
    }
}

/// Joins words with blanks, as `ssh` and `eval` do.
pub(crate) fn join(args: &[Arg]) -> Val {
    let mut all = args.iter().map(|it| &it.val);
    let first = all.next().cloned().unwrap_or_else(|| Val::known(""));
    all.fold(first, |sum, it| sum.then(&Val::known(" ")).then(it))
}
