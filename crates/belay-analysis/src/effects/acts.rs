//! What knowledge says a command does, as effects on what its words stand for.

use belay_knowledge::{Act, Deed, Flow, Piece, What};
use belay_model::{At, Carries, Effect, How, Span, Target, Verb};

use crate::effects::arrivals::{Arrival, packed};
use crate::effects::called::{Called, Code, Follow, Script};
use crate::effects::hosts::{keep, remote_host};
use crate::effects::payloads::Payload;
use crate::effects::signals::{found_nobody, own_job};
use crate::machine::flows::Flows;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::{Nested, Walker};

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
    pub(crate) fn act(&mut self, act: &Act<'_>, state: &mut State, flows: &mut Flows<'_>) {
        let args = flows.args;
        let before = self.at.clone();
        if let Some((way, name)) = &act.at
            && self.at == At::Here
        {
            let name = self.piece(*name, args).text().unwrap_or("?").to_owned();
            let name = if *way == "ssh" {
                belay_places::host_of(&name)
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
                each,
            } => {
                let targets = target.chunks(if *each { 1 } else { target.len().max(1) });
                for target in targets {
                    let stated = Stated {
                        verb: *verb,
                        how: *how,
                        target,
                        with,
                        remote: *remote,
                        span,
                    };
                    self.effect(&stated, state, flows);
                }
            }
            What::RunWords {
                from,
                to,
                operands,
                package,
                assignments,
            } => {
                let load = Payload {
                    words: (*from, *to),
                    operands,
                    assignments,
                    package: *package,
                };
                self.payload(&load, state, flows);
            }
            What::RunFile { file, shell } => {
                let file = self.piece(*file, args);
                if file.text() == Some("-") && flows.reads_code {
                    // What reads its input is judged by what comes in.
                } else if file.text() == Some("-") {
                    let effect = Effect::of(Verb::Eval, ["input"]).spanning(span);
                    self.emit(effect.carrying(keep(flows.input.carries)));
                } else {
                    let script = Script {
                        file: &file,
                        args,
                        shell: *shell,
                    };
                    let output = self.run_file(&script, state, flows.input);
                    flows.output = Some(output);
                }
            }
            What::Task { tool, name } => {
                let name = self.piece(*name, args);
                let called = Called {
                    tool,
                    name: name.text().unwrap_or("?"),
                    args,
                    span,
                };
                self.run_task(&called, state, flows);
                if act.cause == 0 {
                    self.installed(&called, state, flows);
                }
            }
            What::Eval { language, source } => {
                let code = Code {
                    language,
                    source,
                    span,
                };
                self.eval(&code, state, flows);
            }
            What::Cd(_) => {}
        }
        self.at = before;
    }

    fn effect(&mut self, stated: &Stated<'_>, state: &mut State, flows: &mut Flows<'_>) {
        let Stated {
            verb,
            how,
            target,
            with,
            ..
        } = *stated;
        let args = flows.args;
        let carries = self.flowing(with, state, flows);
        let own = self.cloned(with, args, state);
        let carries = own.map_or(carries, |own| carries.without(Carries::FOREIGN).and(own));
        // Its target comes below.
        let effect = Effect::to(verb, Target::Names(Vec::new()))
            .how(how)
            .carrying(carries)
            .spanning(stated.span);
        if let [piece] = target
            && takes_place(verb, how, *piece)
        {
            let span = span_of(*piece, args).unwrap_or(stated.span);
            let effect = effect.spanning(span);
            for val in self.names_of(stated, state, flows) {
                let touched = Touched {
                    effect: effect.clone(),
                    val: &val,
                };
                self.secret_there(&touched, stated, flows);
                match remote_host(&val).filter(|_| stated.remote) {
                    Some(host) => self.on_host(touched.at_host(&Val::known(host)), state, flows),
                    None => self.on_place(touched, state, flows),
                }
            }
            return;
        }
        if let ([piece], Verb::Fetch | Verb::Send) = (target, verb) {
            let val = &self.at_port(self.piece(*piece, args), stated, args);
            return self.on_host(Touched { effect, val }, state, flows);
        }
        let Some(Named { names, labels }) = self.about(verb, target, args) else {
            return;
        };
        let labels = if verb == Verb::Install {
            keep(labels)
        } else if matches!(verb, Verb::Publish | Verb::Change) {
            keep(spoken(args)).and(self.committed(verb))
        } else {
            Carries::NOTHING
        };
        if how == How::Secret {
            flows.carries = flows.carries.and(Carries::SECRET);
        }
        if verb == Verb::Read && names.first().is_some_and(|it| it == "environment") {
            if names.get(1).is_some_and(|it| is_plain_variable(it)) {
                return self.emit(Effect {
                    verb: Verb::Probe,
                    target: Target::Names(names),
                    ..effect
                });
            }
            flows.carries = flows.carries.and(Carries::SECRET);
        }
        if verb == Verb::Change && names.first().is_some_and(|it| it == "repository") {
            self.elsewhere_changed(stated.span, state);
            let arrival = Arrival {
                how: How::Tree,
                carries: Carries::FOREIGN,
                span: stated.span,
                args,
                flows,
            };
            self.foreign_ref(arrival, state);
        }
        if verb == Verb::Probe && names.first().is_some_and(|it| it == "forge") {
            // What a forge says, others wrote.
            flows.carries = flows.carries.and(Carries::FETCHED);
        }
        let reads = verb == Verb::Read && names.first().is_some_and(|it| it == "repository");
        if reads && self.names_foreign(args, state) {
            flows.carries = flows.carries.and(Carries::FOREIGN);
        }
        let names = if flows.deeds.has(Deed::Pushes) {
            self.pushed(names, target, state)
        } else {
            {
                let names = self.own_database(self.own_services(names, args, state), args, state);
                let names = self.declared_in(verb, names, state);
                self.in_its_tree(verb, names, state)
            }
        };
        let effect = Effect {
            target: Target::Names(names),
            ..effect
        };
        self.contact_new(&effect, state, flows);
        self.emit(own_job(effect.clone()).carrying(labels));
        self.signal_group(&effect, args);
        self.follow_names(&effect, args, state);
        self.set_to_run(&effect, state);
    }

    /// Walks the command that a setting nobody knows more of plainly is: what runs it, and whether, is not known.
    fn set_to_run(&mut self, effect: &Effect, state: &State) {
        let Target::Names(names) = &effect.target else {
            return;
        };
        let knowledge = self.scene.knowledge;
        for (key, value) in names.iter().filter_map(|it| it.split_once('=')) {
            let key = key.to_ascii_lowercase();
            // One word alone would only be said twice.
            let several = value.contains(' ')
                && (key.ends_with("command") || knowledge.lists("git-programs", &key));
            let runs = key == "exec" || several;
            let code = value.strip_prefix('!').or(runs.then_some(value));
            if let Some(text) = code.filter(|_| effect.verb == Verb::Unknown) {
                let nested = Nested {
                    text,
                    at: effect.span,
                };
                self.nested_at(nested, &mut state.clone(), &Stream::terminal());
            }
        }
    }

    /// Returns what an effect on named things is about; `None` where it is about nothing.
    fn about(&self, verb: Verb, target: &[Piece<'_>], args: &[Arg]) -> Option<Named> {
        let vals: Vec<Val> = target.iter().map(|it| self.piece(*it, args)).collect();
        let labels = vals
            .iter()
            .fold(Carries::NOTHING, |sum, it| sum.and(it.carries));
        let names: Vec<String> = vals.iter().map(name_of).collect();
        if verb != Verb::Signal {
            return Some(Named { names, labels });
        }
        if names.last().is_some_and(|it| it == "group") && found_nobody(args) {
            return None;
        }
        // Numbers that a program found for a port or a pattern stand for those.
        let names = match vals.last().and_then(Val::numbers) {
            Some(found) => vec![found.by.to_owned(), found.which.clone()],
            None => names,
        };
        Some(Named { names, labels })
    }

    /// Follows what an effect on named things starts besides.
    fn follow_names(&mut self, effect: &Effect, args: &[Arg], state: &State) {
        if self.at != At::Here {
            return;
        }
        let called = |tool| Called {
            tool,
            name: "",
            args,
            span: effect.span,
        };
        match (effect.verb, effect.names()) {
            (Verb::Install, [tool, what]) if what == "declared" => {
                self.loads(&called(tool), state);
                self.follow_install(&called(tool), state);
            }
            (Verb::Run, [what]) if what == "services" => {
                self.loads(&called("compose"), state);
                self.follow_services(&called("compose"), state);
            }
            (Verb::Change, [what, made]) if what == "image" && made == "built" => {
                self.loads(&called("image"), state);
            }
            _ => {}
        }
    }

    fn on_place(&mut self, touched: Touched<'_>, state: &mut State, flows: &mut Flows<'_>) {
        let Touched { effect, val } = touched;
        let args = flows.args;
        if effect.verb == Verb::Read && flows.deeds.has(Deed::Builds) {
            self.build(&Script::named(val, args), state, flows.input);
        }
        match effect.verb {
            Verb::Read if val.text() == Some("-") => {
                flows.carries = flows.carries.and(flows.input.carries)
            }
            Verb::Read => {
                let mut carries = self.read_place(val, Touch::new(effect.how, effect.span), state);
                if flows.deeds.has(Deed::Unpacks) {
                    carries = if effect.how == How::Tree {
                        packed(carries)
                    } else if self.is_stranger(val, state) {
                        carries.and(Carries::FOREIGN)
                    } else {
                        carries
                    };
                }
                flows.carries = flows.carries.and(carries);
            }
            Verb::Write if val.text() == Some("-") => {}
            Verb::Write => {
                let arrival = Arrival {
                    how: effect.how,
                    carries: effect.carries,
                    span: effect.span,
                    args,
                    flows,
                };
                self.write_arrival(val, arrival, state);
            }
            Verb::Delete if effect.how == How::Tree && flows.deeds.has(Deed::Seeks) => {
                self.delete_found(&Touched { effect, val }, state, flows);
            }
            Verb::Move => {
                if flows.deeds.has(Deed::Unpacks) {
                    self.expanded(val, state);
                }
                self.moved(Touched { effect, val }, args, state);
            }
            Verb::Link => {
                self.links_to(Touched { effect, val }, state, flows);
            }
            Verb::Delete => {
                self.change_place(&effect, val, state);
                self.moved_before(&effect, val, state);
            }
            Verb::Discard if self.names_ref(val, state, flows) => {}
            Verb::Discard if is_pathspec(val) => {
                let names = self.in_its_tree(Verb::Discard, vec!["working-tree".to_owned()], state);
                self.emit(Effect {
                    target: Target::Names(names),
                    ..effect
                });
            }
            Verb::Discard => {
                self.change_place(&effect, val, state);
                let arrival = Arrival {
                    how: How::Plain,
                    carries: Carries::FOREIGN,
                    span: effect.span,
                    args,
                    flows,
                };
                self.restored(val, arrival, state);
            }
            Verb::Mark
            | Verb::Run
            | Verb::Eval
            | Verb::Fetch
            | Verb::Send
            | Verb::Listen
            | Verb::Install
            | Verb::Publish
            | Verb::Rewrite
            | Verb::History
            | Verb::Escalate
            | Verb::Signal
            | Verb::Persist
            | Verb::Configure
            | Verb::Destroy
            | Verb::Change
            | Verb::Query
            | Verb::Bypass
            | Verb::Probe
            | Verb::Launch
            | Verb::Unknown => self.change_place(&effect, val, state),
        }
    }
}

/// Tells whether a variable is known by its name, and holds no secret.
fn is_plain_variable(name: &str) -> bool {
    let secret = belay_knowledge::variable(name).is_some_and(belay_knowledge::Variable::secret);
    name != "?" && !secret
}

/// Tells whether git reads a path as a pattern of its own: it may name any tracked file.
fn is_pathspec(val: &Val) -> bool {
    val.text()
        .is_some_and(|it| it.starts_with(':') || it.contains(['*', '?', '[']))
}

/// What an effect is about that is on no place, and the labels of these words.
struct Named {
    names: Vec<String>,
    labels: Carries,
}

/// An effect as knowledge states it, its words not yet looked up.
pub(crate) struct Stated<'a> {
    pub(crate) verb: Verb,
    pub(crate) how: How,
    pub(crate) target: &'a [Piece<'a>],
    /// What flows into it.
    pub(crate) with: &'a [Flow<'a>],
    /// Whether its target may lie on another machine: `host:path`.
    pub(crate) remote: bool,
    pub(crate) span: Span,
}

/// An effect on what a word stands for.
pub(crate) struct Touched<'a> {
    pub(crate) effect: Effect,
    pub(crate) val: &'a Val,
}

impl Touched<'_> {
    /// The same on a host: what is read there is fetched, what is written is sent.
    fn at_host(self, host: &Val) -> Touched<'_> {
        let verb = if self.effect.verb == Verb::Read {
            Verb::Fetch
        } else {
            Verb::Send
        };
        Touched {
            effect: Effect {
                verb,
                ..self.effect
            },
            val: host,
        }
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
        Text::Glob(text) if text.starts_with('[') && text.ends_with('*') => "?".to_owned(),
        Text::Known(text) | Text::Glob(text) => text.clone(),
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => "?".to_owned(),
    }
}
