//! The walk: texts, lists, chains and pipelines, and what each way through them leaves behind.

use std::collections::{BTreeMap, BTreeSet};

use belay_model::{At, Carries, Effect, Span, Trouble, TroubleKind};
use belay_shell::{Dialect, List, Tree};

use crate::machine::budget::{Addressed, Fuel, Memory};
use crate::machine::descriptors::Drank;
use crate::machine::haunts::Sets;
use crate::machine::jobs::Job;
use crate::machine::links::Linked;
use crate::machine::options::Tri;
use crate::machine::prefixes::Prefixes;
use crate::machine::state::{Core, Ends, State};
use crate::machine::stream::{Fed, Stream};
use crate::machine::value::{Arg, Val};
use crate::machine::variable::Held;
use crate::machine::wrapped::Wrapped;
use crate::scene::{Analysis, Scene, Shell};

/// How deep texts may lie in texts (`bash -c`, scripts, functions).
const DEPTH: u32 = 24;

/// How many wrappers may stand in front of one command.
pub(crate) const WRAPPERS: u32 = 32;

/// Says what a shell text would do.
#[must_use]
pub fn analyse(text: &str, scene: Scene<'_>) -> Analysis {
    analyse_at(text, scene, 0)
}

/// Says what a shell text would do that stands so deep in other texts.
pub(crate) fn analyse_at(text: &str, scene: Scene<'_>, depth: u32) -> Analysis {
    let mut walker = Walker::new(scene, text.len());
    walker.depth = depth;
    let state = walker.fresh();
    let ends = walker.in_shell(state, |walker, state| walker.text(text, state));
    walker.finish(ends)
}

/// Says what a command given as words would do.
#[must_use]
pub fn analyse_argv(words: &[String], scene: Scene<'_>) -> Analysis {
    let mut walker = Walker::new(scene, 0);
    let state = walker.fresh();
    let args: Vec<Arg> = words
        .iter()
        .map(|it| Arg::known(it.clone(), Span::default()))
        .collect();
    let ends = walker.in_shell(state, |walker, state| walker.invoke(args, state));
    walker.finish(ends)
}

/// States that left a function or a sourced file by `return`.
#[derive(Default)]
pub(crate) struct Returned {
    pub(crate) ok: Option<State>,
    pub(crate) bad: Option<State>,
    /// What left the loops around the call as well.
    pub(crate) round: Option<State>,
}

/// States that left a shell, or a line of it.
#[derive(Default)]
pub(crate) struct Left {
    pub(crate) shell: Option<State>,
    /// Those that left the shell while nothing waited for its end: what is set to wait later never sees them.
    pub(crate) bare: Option<State>,
    pub(crate) line: Option<State>,
    /// How the shell stood since something waits for its end or for a signal, but for its variables.
    pub(crate) stood: Option<State>,
    /// How many texts surround the shell.
    pub(crate) texts: u32,
}

/// States that left a round of a loop early.
#[derive(Default)]
pub(crate) struct Round {
    pub(crate) broken: Option<State>,
    pub(crate) continued: Option<State>,
}

/// A text that a command runs in a shell of its own, and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Nested<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: Span,
}

/// Gathers effects on its way through texts.
pub(crate) struct Walker<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) out: Analysis,
    pub(crate) at: At,
    pub(crate) depth: u32,
    /// How many commands we are in: wrappers in wrappers.
    pub(crate) inside: u32,
    pub(crate) wrapped: Wrapped,
    pub(crate) fuel: Fuel,
    pub(crate) memory: Memory,
    /// Where in the outermost text nested texts stand.
    pub(crate) outer: Option<Span>,
    /// Functions and scripts we are in, so that cycles end.
    pub(crate) calls: Vec<String>,
    /// Whether the text being walked can be quoted by its spans.
    pub(crate) quotable: bool,
    /// How many process substitutions were met.
    pub(crate) pipes: u32,
    /// How many substitutions were run: an assignment has the status of its last one.
    pub(crate) substitutions: u32,
    /// How many temporary names were made.
    pub(crate) names: std::cell::Cell<u32>,
    /// Which commands told git of an address, as far as that was looked up.
    pub(crate) addressed: std::cell::RefCell<Addressed>,
    /// Where secrets of this call come from: names of variables; nothing for files.
    pub(crate) secrets: Vec<Option<String>>,
    /// Texts that this call wrote into files.
    pub(crate) wrote: Vec<String>,
    /// States that left the shell or a line of it, one slot for each shell we are in.
    pub(crate) exits: Vec<Left>,
    /// How many texts we are in.
    pub(crate) texts: u32,
    /// Whether an expansion of the present command may fail, so that it does not run.
    pub(crate) may_abort: bool,
    /// States that left a function or a sourced file.
    pub(crate) returns: Vec<Returned>,
    /// States that left rounds of the loops we are in.
    pub(crate) rounds: Vec<Round>,
    /// What was set in front of the commands we are in, for them alone.
    pub(crate) lent: Vec<Prefixes>,
    /// How many conditions we are in, where `set -e` is ignored.
    pub(crate) guarded: u32,
    /// What variables held since code waits for a signal.
    pub(crate) ever: BTreeMap<String, Held>,
    /// The variables that are set that are no function's own, where somebody asks.
    pub(crate) sets: Option<Sets>,
    /// Labels of what reaches the terminal.
    pub(crate) showing: Carries,
    /// Functions that were walked once after the budget was spent.
    pub(crate) spent: BTreeSet<String>,
    /// Whether there were more variables than are kept.
    pub(crate) crowded: bool,
    /// Whether the last command ran in a process of its own, which made its redirections too.
    pub(crate) ran_apart: Tri,
    /// Links that the present command makes.
    pub(crate) fresh_links: Vec<Linked>,
    /// What process substitutions list, by the name they go by.
    pub(crate) listings: BTreeMap<String, Vec<Val>>,
    /// Arrays in the words of the declaration that is walked, by where they stand.
    pub(crate) arrays: Vec<(Span, Held)>,
    /// Whether arithmetic reads what a variable of the environment may name.
    pub(crate) guessing: bool,
    /// Whether the array that is walked next has texts for its keys, for certain.
    pub(crate) keyed: bool,
    /// Whether the last word expanded may turn out in several ways.
    pub(crate) forked: bool,
    /// How much of its input the last program may have read.
    pub(crate) drank: Drank,
    /// How often an effect was told.
    pub(crate) told: u64,
    /// Commands in the background, whose work may be done later.
    pub(crate) jobs: Vec<Job>,
    /// The state in which the shell, a function or a loop was left last.
    pub(crate) left_at: Option<State>,
}

impl<'a> Walker<'a> {
    fn new(scene: Scene<'a>, length: usize) -> Self {
        Self {
            scene,
            out: Analysis::default(),
            at: At::Here,
            depth: 0,
            inside: 0,
            wrapped: Wrapped::default(),
            fuel: Fuel::default(),
            memory: Memory::of(length),
            outer: None,
            calls: Vec::new(),
            quotable: true,
            pipes: 0,
            substitutions: 0,
            names: std::cell::Cell::new(0),
            addressed: std::cell::RefCell::default(),
            secrets: Vec::new(),
            wrote: Vec::new(),
            exits: Vec::new(),
            texts: 0,
            may_abort: false,
            returns: Vec::new(),
            rounds: Vec::new(),
            guarded: 0,
            ever: BTreeMap::new(),
            sets: None,
            showing: Carries::NOTHING,
            spent: BTreeSet::new(),
            crowded: false,
            ran_apart: Tri::No,
            fresh_links: Vec::new(),
            listings: BTreeMap::new(),
            arrays: Vec::new(),
            guessing: false,
            keyed: false,
            forked: false,
            drank: Drank::Part,
            told: 0,
            jobs: Vec::new(),
            left_at: None,
            lent: Vec::new(),
        }
    }

    pub(crate) fn fresh(&self) -> State {
        let cwd = self.scene.frame.cwd;
        State::of(Core {
            cwd: (!cwd.is_empty()).then(|| belay_places::Path::new(cwd).into_text()),
            stack: crate::machine::state::Shared::new(Some(Vec::new())),
            ..Core::default()
        })
    }

    /// Does what waits for the end, and hands over what was gathered.
    fn finish(mut self, ends: Ends) -> Analysis {
        if let Some(state) = ends.any() {
            self.jobs_later(&state);
        }
        let from_environment = self.secrets.iter().any(Option::is_some);
        if from_environment && self.showing.holds(Carries::SECRET) {
            let read = Effect::of(belay_model::Verb::Read, ["environment"]);
            self.emit(read.how(belay_model::How::Secret));
        }
        self.run_unread();
        crate::machine::once::told_once(self.out)
    }

    pub(crate) fn trouble(&mut self, kind: TroubleKind, what: impl Into<String>, span: Span) {
        let span = self.outer.unwrap_or(span);
        self.out.troubles.push(Trouble::at(kind, what, span));
    }

    /// Says that something is too much to be followed.
    pub(crate) fn limit(&mut self, what: &str, span: Span) {
        self.trouble(TroubleKind::Limit, what, span);
    }

    pub(crate) fn emit(&mut self, mut effect: Effect) {
        if let Some(outer) = self.outer {
            effect.span = outer;
        }
        if effect.at == At::Here {
            effect.at = self.at.clone();
        }
        effect.carries = effect.carries.without(Carries::LETTERS);
        self.told += 1;
        if self.out.effects.last() != Some(&effect) {
            self.out.effects.push(effect);
        }
    }

    /// Runs something in a shell of its own: `exit` ends it, and what waits for its end runs.
    pub(crate) fn in_shell(
        &mut self,
        state: State,
        body: impl FnOnce(&mut Self, State) -> Ends,
    ) -> Ends {
        self.exits.push(Left {
            texts: self.texts,
            ..Left::default()
        });
        let rounds = std::mem::take(&mut self.rounds);
        let returns = std::mem::take(&mut self.returns);
        let ends = body(self, state);
        self.rounds = rounds;
        self.returns = returns;
        let left = self.exits.pop().unwrap_or_default();
        let ends = match State::either(left.shell, left.line) {
            Some(state) => ends.or(Ends::Either(state)),
            None => ends,
        };
        let stood = left.stood;
        let ends = ends.map(|state| self.traps(state, stood.as_ref()));
        match left.bare {
            Some(state) => ends.or(Ends::Either(state)),
            None => ends,
        }
    }

    /// Walks a text in a shell of its own; its spans are those of the text that holds it.
    pub(crate) fn nested(&mut self, text: &str, state: &mut State, input: &Stream) -> Stream {
        let at = self.outer.unwrap_or_default();
        self.nested_in(Nested { text, at }, state, input)
    }

    /// Walks a text in a shell of its own that stands at a place of the text that holds it.
    pub(crate) fn nested_at(
        &mut self,
        nested: Nested<'_>,
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let at = self.outer.unwrap_or(nested.at);
        self.nested_in(Nested { at, ..nested }, state, input)
    }

    fn nested_in(&mut self, nested: Nested<'_>, state: &mut State, input: &Stream) -> Stream {
        let Nested { text, at } = nested;
        let guarded = std::mem::take(&mut self.guarded);
        let output = self.fed(input, state, |walker, state| {
            walker.in_shell(state, |walker, state| walker.in_text(text, Some(at), state))
        });
        self.guarded = guarded;
        output
    }

    /// Walks a text in this shell.
    pub(crate) fn in_text(&mut self, text: &str, outer: Option<Span>, state: State) -> Ends {
        if self.depth >= DEPTH {
            self.limit("texts lie too deep in texts", outer.unwrap_or_default());
            let mut state = state;
            state.forget();
            return Ends::Either(state);
        }
        let before = self.outer;
        self.outer = Some(before.or(outer).unwrap_or_default());
        self.depth += 1;
        self.fuel.repeats += 1;
        let quotable = std::mem::replace(&mut self.quotable, true);
        let ends = self.text(text, state);
        self.quotable = quotable;
        self.fuel.repeats -= 1;
        self.depth -= 1;
        self.outer = before;
        ends
    }

    /// Runs something with this input and returns what it wrote to standard output.
    pub(crate) fn fed(
        &mut self,
        input: &Stream,
        state: &mut State,
        body: impl FnOnce(&mut Self, State) -> Ends,
    ) -> Stream {
        let before = state.descriptors.clone();
        let source = state.descriptors.source(input.clone());
        state.descriptors.lead(0, source);
        let output = self.captured(state, body);
        state.descriptors.restore(&before, &[0]);
        output
    }

    /// Runs something and returns what it wrote to standard output.
    pub(crate) fn captured(
        &mut self,
        state: &mut State,
        body: impl FnOnce(&mut Self, State) -> Ends,
    ) -> Stream {
        let before = state.descriptors.clone();
        let mut inner = state.clone();
        let end = inner.descriptors.catch();
        inner.descriptors.lead(1, end);
        match body(self, inner).any() {
            Some(mut after) => {
                let output = after.descriptors.caught();
                after.descriptors.restore(&before, &[1]);
                *state = after;
                output
            }
            None => Stream::nothing(),
        }
    }

    /// Runs a list in a shell of its own, and returns what it wrote when it succeeded and when it failed.
    pub(crate) fn captured_apart(
        &mut self,
        tree: &Tree<'_>,
        list: List,
        state: &mut State,
    ) -> (Option<Val>, Option<Val>) {
        self.substitutions += 1;
        let mut child = self.subshell(state);
        if self.scene.shell == Shell::Bash {
            child.options.drop_errexit();
        }
        let end = child.descriptors.catch();
        child.descriptors.lead(1, end);
        let ends = self.in_shell(child, |walker, child| walker.list(tree, list, child));
        let (mut ok, mut bad) = ends.parts();
        let caught =
            |it: &mut Option<State>| it.as_mut().map(|it| it.descriptors.caught().captured());
        let values = (caught(&mut ok), caught(&mut bad));
        if let Some(child) = State::either(ok, bad) {
            state.after(child);
        }
        values
    }

    /// Runs a list in a shell of its own and returns what it wrote.
    pub(crate) fn caught_apart(
        &mut self,
        tree: &Tree<'_>,
        list: List,
        state: &mut State,
    ) -> Stream {
        let mut child = self.subshell(state);
        let end = child.descriptors.catch();
        child.descriptors.lead(1, end);
        let ends = self.in_shell(child, |walker, child| walker.list(tree, list, child));
        let Some(mut child) = ends.any() else {
            return Stream::nothing();
        };
        let output = child.descriptors.caught();
        state.after(child);
        output
    }

    /// Runs a list in a shell of its own that reads this.
    pub(crate) fn fed_apart(&mut self, tree: &Tree<'_>, fed: Fed, state: &mut State) {
        let Fed { list, input } = fed;
        let mut child = self.subshell(state);
        let source = child.descriptors.source(input);
        child.descriptors.lead(0, source);
        let ends = self.in_shell(child, |walker, child| walker.list(tree, list, child));
        if let Some(child) = ends.any() {
            state.after(child);
        }
    }

    /// Returns the state of a shell that this one starts: it waits for nothing.
    pub(crate) fn subshell(&self, state: &State) -> State {
        let mut child = state.clone();
        if !child.traps.is_empty() {
            child.traps = crate::machine::state::Shared::default();
        }
        child
    }

    pub(crate) fn text(&mut self, text: &str, state: State) -> Ends {
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
        let odd = text.contains(['!', '(']);
        if dialect == Dialect::Bash && odd && [">!", "${(", "=("].iter().any(|it| text.contains(it))
        {
            self.other_shell(text);
        }
        self.texts += 1;
        let ends = self.list(&tree, tree.root(), state);
        self.texts -= 1;
        ends
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

    /// Walks a list whose changes to the shell are lost.
    pub(crate) fn apart(&mut self, tree: &Tree<'_>, list: List, state: State) -> Ends {
        let child = self.subshell(&state);
        let ends = self.in_shell(child, |walker, child| walker.list(tree, list, child));
        ends.map(|child| {
            let mut after = state.clone();
            after.after(child);
            after
        })
    }
}

pub(crate) const fn span(span: belay_shell::Span) -> Span {
    Span::new(span.start, span.end)
}

/// Returns the text of bytes, with what is not UTF-8 replaced.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}
