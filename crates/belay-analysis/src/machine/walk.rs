//! The walk: lists, pipelines and their streams.

use belay_model::{At, Effect, Span, Trouble, TroubleKind};
use belay_shell::{Command, Dialect, Entry, Joiner, List, Pipe, Tree};

use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Arg;
use crate::scene::{Analysis, Scene, Shell};

/// How deep texts may lie in texts (`bash -c`, scripts, functions).
const DEPTH: u32 = 24;

/// How many wrappers may stand in front of one command.
pub(crate) const WRAPPERS: u32 = 32;

/// How many commands loops and calls may add to those that are written.
const FUEL: u32 = 4000;

/// Says what a shell text would do.
#[must_use]
pub fn analyse(text: &str, scene: Scene<'_>) -> Analysis {
    let mut walker = Walker::new(scene);
    let mut state = walker.fresh();
    let shown = walker.text(text, &mut state, &Stream::terminal());
    walker.end(&mut state);
    walker.shown(&shown);
    walker.out
}

/// Says what a shell text would do that stands so deep in other texts.
pub(crate) fn analyse_at(text: &str, scene: Scene<'_>, depth: u32) -> Analysis {
    let mut walker = Walker::new(scene);
    walker.depth = depth;
    let mut state = walker.fresh();
    walker.nested(text, &mut state, &Stream::terminal());
    walker.end(&mut state);
    walker.out
}

/// Says what a command given as words would do.
#[must_use]
pub fn analyse_argv(words: &[String], scene: Scene<'_>) -> Analysis {
    let mut walker = Walker::new(scene);
    let mut state = walker.fresh();
    let args: Vec<Arg> = words
        .iter()
        .map(|it| Arg::known(it.clone(), Span::default()))
        .collect();
    let shown = walker.command(args, &mut state, &Stream::terminal());
    walker.end(&mut state);
    walker.shown(&shown);
    walker.out
}

/// Gathers effects on its way through texts.
pub(crate) struct Walker<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) out: Analysis,
    pub(crate) at: At,
    pub(crate) depth: u32,
    /// How many commands we are in: wrappers in wrappers.
    pub(crate) inside: u32,
    pub(crate) fuel: u32,
    /// Where in the outermost text nested texts stand.
    pub(crate) outer: Option<Span>,
    /// Functions and scripts we are in, so that cycles end.
    pub(crate) calls: Vec<String>,
    /// Whether the text being walked can be quoted by its spans.
    pub(crate) quotable: bool,
    /// How many process substitutions were met.
    pub(crate) pipes: u32,
    /// How many temporary names were made.
    pub(crate) names: std::cell::Cell<u32>,
    /// Where secrets of this call come from: names of variables; nothing for files.
    pub(crate) secrets: Vec<Option<String>>,
}

impl<'a> Walker<'a> {
    fn new(scene: Scene<'a>) -> Self {
        Self {
            scene,
            out: Analysis::default(),
            at: At::Here,
            depth: 0,
            inside: 0,
            fuel: FUEL,
            outer: None,
            calls: Vec::new(),
            quotable: true,
            pipes: 0,
            names: std::cell::Cell::new(0),
            secrets: Vec::new(),
        }
    }

    fn fresh(&self) -> State {
        let cwd = self.scene.frame.cwd;
        State {
            cwd: (!cwd.is_empty()).then(|| belay_places::Path::new(cwd).text().to_owned()),
            ..State::default()
        }
    }

    /// Says that a secret of the environment would be shown.
    fn shown(&mut self, output: &Stream) {
        let from_environment = self.secrets.iter().any(Option::is_some);
        if from_environment && output.carries.holds(belay_model::Carries::SECRET) {
            self.emit(
                Effect::of(belay_model::Verb::Read, ["environment"]).how(belay_model::How::Secret),
            );
        }
    }

    /// Runs what waits for the end of the shell.
    pub(crate) fn end(&mut self, state: &mut State) {
        for code in std::mem::take(&mut state.traps) {
            self.nested(&code, state, &Stream::terminal());
        }
    }

    pub(crate) fn trouble(&mut self, kind: TroubleKind, what: impl Into<String>, span: Span) {
        let span = self.outer.unwrap_or(span);
        self.out.troubles.push(Trouble::at(kind, what, span));
    }

    pub(crate) fn emit(&mut self, mut effect: Effect) {
        if let Some(outer) = self.outer {
            effect.span = outer;
        }
        if effect.at == At::Here {
            effect.at = self.at.clone();
        }
        if self.out.effects.last() != Some(&effect) {
            self.out.effects.push(effect);
        }
    }

    /// Walks a text in this shell; its spans are those of the text that holds it.
    pub(crate) fn nested(&mut self, text: &str, state: &mut State, input: &Stream) -> Stream {
        if self.depth >= DEPTH {
            self.trouble(
                TroubleKind::Limit,
                "texts lie too deep in texts",
                Span::default(),
            );
            return Stream::labelled(belay_model::Carries::UNKNOWN);
        }
        let outer = self.outer;
        self.outer = Some(outer.unwrap_or_default());
        self.depth += 1;
        let output = self.text(text, state, input);
        self.depth -= 1;
        self.outer = outer;
        output
    }

    /// Walks a text that stands at a place of the text that holds it.
    pub(crate) fn nested_at(
        &mut self,
        text: &str,
        span: Span,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let outer = self.outer;
        self.outer = Some(outer.unwrap_or(span));
        let output = self.nested(text, state, input);
        self.outer = outer;
        output
    }

    fn text(&mut self, text: &str, state: &mut State, input: &Stream) -> Stream {
        let dialect = match self.scene.shell {
            Shell::Bash => Dialect::Bash,
            Shell::Sh => Dialect::Sh,
            Shell::Zsh => Dialect::Zsh,
        };
        let tree = belay_shell::parse(text.as_bytes(), dialect);
        for trouble in tree.troubles() {
            let kind = match trouble.kind {
                belay_shell::TroubleKind::Syntax => TroubleKind::Syntax,
                belay_shell::TroubleKind::Limit => TroubleKind::Limit,
                belay_shell::TroubleKind::Ambiguous => TroubleKind::Ambiguous,
                belay_shell::TroubleKind::Invisible | belay_shell::TroubleKind::Dialect => {
                    TroubleKind::Unknown
                }
            };
            self.trouble(kind, trouble.what, span(trouble.span));
        }
        if dialect == Dialect::Bash && [">!", "${(", "=("].iter().any(|it| text.contains(it)) {
            self.other_shell(text);
        }
        self.list(&tree, tree.root(), state, input)
    }

    /// Looks whether zsh, which many people's agents use, would read the text differently.
    fn other_shell(&mut self, text: &str) {
        let tree = belay_shell::parse(text.as_bytes(), Dialect::Zsh);
        for trouble in tree.troubles() {
            if trouble.kind == belay_shell::TroubleKind::Dialect {
                self.trouble(TroubleKind::Ambiguous, trouble.what, span(trouble.span));
            }
        }
    }

    /// Walks a list in this shell.
    pub(crate) fn list(
        &mut self,
        tree: &Tree<'_>,
        list: List,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let entries = tree.many(list);
        let mut output = Stream::nothing();
        for (at, entry) in entries.iter().enumerate() {
            let said = if entry.joiner == Joiner::Background {
                let mut apart = state.clone();
                let said = self.pipeline(tree, entry, &mut apart, input);
                state.files = apart.files;
                said
            } else {
                self.pipeline(tree, entry, state, input)
            };
            let ends = matches!(entry.joiner, Joiner::Or)
                && entries.get(at + 1).is_some_and(|next| leaves(tree, next));
            if entry.joiner == Joiner::And || ends || state.stops_on_failure {
                state.perhaps = None;
            }
            output = output.then(said);
        }
        output
    }

    fn pipeline(
        &mut self,
        tree: &Tree<'_>,
        entry: &Entry,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let commands = tree.many(entry.commands);
        if let [command] = commands {
            return self.run(tree, command, state, input);
        }
        let mut flow = input.clone();
        for command in commands {
            let mut apart = state.clone();
            flow = self.run(tree, command, &mut apart, &flow);
            state.files = apart.files;
            if command.pipe == Pipe::None && matches!(self.scene.shell, Shell::Zsh) {
                state.variables = apart.variables;
            }
        }
        flow
    }

    /// Walks a list whose changes to the shell are lost.
    pub(crate) fn apart(
        &mut self,
        tree: &Tree<'_>,
        list: List,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let mut inner = state.clone();
        inner.traps.clear();
        let output = self.list(tree, list, &mut inner, input);
        self.end(&mut inner);
        state.files = inner.files;
        output
    }
}

/// Tells whether an entry of a list leaves the shell, as in `cd x || exit 1`.
fn leaves(tree: &Tree<'_>, entry: &Entry) -> bool {
    let [command] = tree.many(entry.commands) else {
        return false;
    };
    first_word(tree, command)
        .is_some_and(|it| matches!(it.as_str(), "exit" | "return" | "break" | "continue"))
}

/// Returns the first word of a simple command or of the last command in a group, when it is plain text.
fn first_word(tree: &Tree<'_>, command: &Command) -> Option<String> {
    match command.kind {
        belay_shell::CommandKind::Simple { words, .. } => {
            let word = tree.many(words).first()?;
            let value = tree.value(word);
            value
                .known()
                .map(|it| String::from_utf8_lossy(it).into_owned())
        }
        belay_shell::CommandKind::Group(list) => {
            let last = tree.many(list).last()?;
            first_word(tree, tree.many(last.commands).last()?)
        }
        _ => None,
    }
}

pub(crate) const fn span(span: belay_shell::Span) -> Span {
    Span::new(span.start, span.end)
}

/// Returns the text of bytes, with what is not UTF-8 replaced.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
