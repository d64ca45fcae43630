//! Programs: the system's, the project's own, and strangers; what knowledge reads in their words becomes effects.

use belay_knowledge::{Deed, Output, Reading, Unknown, UnknownKind, Variable, What};
use belay_model::{Answer, At, Carries, Effect, Question, Target, Verb};

use crate::effects::acts::spoken;
use crate::effects::called::{Follow, Script};
use crate::effects::outputs::Around;
use crate::effects::repository::USES;
use crate::machine::above::{Program, Programs};
use crate::machine::descriptors::Drank;
use crate::machine::flows::Flows;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, PLAIN, Val};
use crate::machine::walk::Walker;

impl Programs for Walker<'_> {
    fn program(&mut self, program: Program<'_>, state: &mut State, input: &Stream) -> Stream {
        let visit = page_in(&program.args);
        let before = self.out.effects.len();
        let output = self.known_or_not(program, state, input);
        if let Some(visit) = visit {
            self.visited(visit, before);
        }
        output
    }

    fn sets_up(&mut self, variable: Variable, args: &[Arg], state: &mut State) {
        for act in variable.acts() {
            let mut flows = Flows {
                args,
                ..Flows::default()
            };
            self.act(&act, state, &mut flows);
        }
    }
}

impl Walker<'_> {
    fn known_or_not(&mut self, program: Program<'_>, state: &mut State, input: &Stream) -> Stream {
        let Program { name, args } = program;
        let knowledge = self.scene.knowledge;
        // `/./usr//bin/rm` is `/usr/bin/rm`; where `..` leads, links say.
        let plain = (name.starts_with('/') && !name.contains("/.."))
            .then(|| belay_places::Path::new(name).into_text());
        let name = plain.as_deref().unwrap_or(name);
        let mut base = name;
        if let Some((folder, last)) = name.rsplit_once('/')
            && !is_scoped_package(name)
        {
            base = last;
            let known = knowledge.lists("program-folders", folder)
                || self.is_tool(name, state)
                || self.leads_to_tool(name, state);
            if !known {
                let output = self.run_file(&Script::named(&Val::known(name), &args), state, input);
                self.drank = Drank::Part;
                if knowledge.find(base).is_none() && knowledge.alias(base).next().is_none() {
                    return output;
                }
            }
        }
        let stands: Vec<&str> = knowledge.alias(base).collect();
        // A name that stands for another such name is nobody's: names could go round in a circle.
        if let Some(first) = stands.first()
            && knowledge.alias(first).next().is_none()
        {
            let args = spelled_out(&stands, args);
            return self.known_or_not(Program { name: first, args }, state, input);
        }
        let known = knowledge.builtin(base).or_else(|| knowledge.find(base));
        let known = known.filter(|_| self.is_the_bound(base, name));
        let Some(command) = known else {
            self.stranger(base, &args, state);
            return Stream::labelled(Carries::UNKNOWN.and(input.carries));
        };
        if self.only_helps(base, &args) {
            let span = args.first().map(|it| it.span).unwrap_or_default();
            self.emit(Effect::of(Verb::Probe, ["program", base]).spanning(span));
            return Stream::labelled(input.carries);
        }
        let words: Vec<_> = args.iter().map(Arg::word).collect();
        let reading = belay_knowledge::read(command, &words);
        drop(words);
        let flows = Flows::new(input, &reading, &args);
        self.reading(&reading, state, flows)
    }

    /// Whoever is handed the address of the gate's own page, and does what nobody knows or sends to a port that nobody knows, goes there.
    fn visited(&mut self, visit: Effect, before: usize) {
        let strange = |it: &Effect| {
            matches!(
                it.verb,
                Verb::Unknown
                    | Verb::Eval
                    | Verb::Run
                    | Verb::Listen
                    | Verb::Install
                    | Verb::Probe
                    | Verb::Send
            )
        };
        let since = self.out.effects.get(before..).unwrap_or_default();
        if since.iter().any(strange) {
            self.emit(visit);
        }
    }

    /// Tells whether a program is asked for help, or its version, alone, and is one that was seen to do just that.
    fn only_helps(&self, name: &str, args: &[Arg]) -> bool {
        let [_, only] = args else { return false };
        let asked = only.text().and_then(|it| it.strip_prefix("--"));
        let honours = |word: &str| {
            let said = self.scene.knowledge.said("honours-help", name);
            said.is_some_and(|it| it.split(' ').any(|it| it == word))
        };
        !only.many && asked.is_some_and(honours)
    }

    /// Tells whether a program is the one that its file was drafted from; most files speak of any of their name.
    fn is_the_bound(&self, base: &str, name: &str) -> bool {
        let Some(bound) = self.scene.knowledge.bound_to(base) else {
            return true;
        };
        let world = self.scene.frame.world;
        let found = match name.contains('/') {
            true => Answer::Path(name.to_owned()),
            false => world.ask(&Question::Program(name.to_owned())),
        };
        let Answer::Path(path) = found else {
            return false;
        };
        self.at == At::Here && world.ask(&Question::Resolve(path)) == Answer::Path(bound.to_owned())
    }

    /// Tells whether a program is one that the project makes, and what runs under its name did not come from outside.
    pub(crate) fn makes(&self, name: &str, state: &State) -> bool {
        let Some(folder) = state.cwd.clone().filter(|_| self.at == At::Here) else {
            return false;
        };
        let world = self.scene.frame.world;
        if world.ask(&Question::OwnProgram(folder, name.to_owned())) != Answer::Yes {
            return false;
        }
        match world.ask(&Question::Program(name.to_owned())) {
            // A manifest vouches for no program of the system that happens to bear the name.
            Answer::Path(path) => {
                let own = self.is_in_project(&path) || self.is_tool(&path, state);
                own && self.outside(&Val::known(path), state).is_nothing()
            }
            Answer::Missing(_) => true,
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => false,
        }
    }

    /// Tells whether a path, its links followed, lies in the project.
    fn is_in_project(&self, path: &str) -> bool {
        let frame = self.scene.frame;
        let question = Question::Resolve(path.to_owned());
        let Answer::Path(real) = frame.world.ask(&question) else {
            return false;
        };
        let real = belay_places::Path::new(&real);
        frame.roots.iter().any(|root| real.is_within(root))
    }

    /// Returns the folder that a program goes to: `..` behind a link leads above what that leads to.
    fn led(&self, folder: Val, state: &State) -> Val {
        let frame = self.scene.frame;
        let climbs = |it: &&str| it.split('/').any(|it| it == "..");
        let path = folder.text().filter(climbs).and_then(|it| {
            let cwd = state.cwd.as_deref().unwrap_or_default();
            belay_places::written(it, cwd, frame.home())
        });
        let path = path.map(|it| it.settled(frame.world));
        let Some(path) = path.filter(|it| it.walked() != it.text()) else {
            return folder;
        };
        match frame
            .world
            .ask(&Question::Resolve(path.walked().to_owned()))
        {
            Answer::Path(real) | Answer::Missing(real) => Val::known(real),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Val::unknown(),
        }
    }

    /// Turns what knowledge read into effects.
    fn reading(
        &mut self,
        reading: &Reading<'_>,
        state: &mut State,
        mut flows: Flows<'_>,
    ) -> Stream {
        let (args, input) = (flows.args, flows.input);
        let mut apart;
        let cds = reading.acts.iter().any(|it| matches!(it.what, What::Cd(_)));
        let inner = if cds {
            apart = state.clone();
            for act in &reading.acts {
                if let What::Cd(piece) = &act.what {
                    let folder = self.led(self.piece(*piece, args), &apart);
                    self.enter(&folder, &mut apart);
                }
            }
            &mut apart
        } else {
            &mut *state
        };
        if USES.iter().any(|it| reading.deeds.has(*it)) && self.at == At::Here {
            let span = args.first().map(|it| it.span).unwrap_or_default();
            self.repository_settings(reading.deeds, span, inner);
        }
        flows.pieces = self.pieces(&reading.acts, args);
        for act in &reading.acts {
            self.act(act, inner, &mut flows);
        }
        self.links_of_commits(reading, args, inner);
        let files = cds.then(|| std::mem::take(&mut inner.files));
        if reading.acts.is_empty() && reading.unknown.is_empty() && lacks_code(reading, args) {
            self.emit(
                Effect::of(Verb::Eval, ["input"])
                    .spanning(args.first().map(|it| it.span).unwrap_or_default()),
            );
        }
        for unknown in &reading.unknown {
            self.unknown(unknown, args);
        }
        self.shown(reading, args);
        let worth = input.text.is_some() || input.first.is_some() || !input.paths.is_empty();
        self.drank = if worth {
            self.drank_of(reading, args)
        } else {
            Drank::Part
        };
        let output = self.output(reading, state, flows);
        if let Some(files) = files {
            state.files = files;
        }
        output
    }

    /// Returns how much a program may take from standard input: nothing where it reads files and all of them are named.
    fn drank_of(&self, reading: &Reading<'_>, args: &[Arg]) -> Drank {
        let name = reading.name();
        let named = |it: &Arg| match it.text() {
            Some("-" | "--stdin") => false,
            Some(text) => !text.ends_with("=-") && !text.contains("/dev/"),
            None => !it.many && !it.val.text.may_begin_flag(),
        };
        if !self.scene.knowledge.lists("leaves-input", &name) {
            return Drank::Part;
        }
        let said = self.scene.knowledge.said("leaves-input", &name);
        let understood = reading.unknown.is_empty();
        // Who asks before it does something waits for the answer.
        let asks = said == Some("asks")
            && args.iter().skip(1).any(|it| {
                it.text()
                    .is_some_and(|it| it.starts_with('-') && it.contains(['i', 'I']))
            });
        let leaves = !reading.reads_input
            && !asks
            && understood
            && args.len() > 1
            && args.iter().skip(1).all(named);
        if leaves {
            Drank::Nothing
        } else if understood && said == Some("all") {
            Drank::Whole
        } else {
            Drank::Part
        }
    }

    fn unknown(&mut self, unknown: &Unknown, args: &[Arg]) {
        let (kind, part) = (unknown.kind, unknown.part);
        let Some(arg) = args.get(unknown.word) else {
            return;
        };
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

    fn output(&mut self, reading: &Reading<'_>, state: &State, flows: Flows<'_>) -> Stream {
        let args = flows.args;
        if let Some(stream) = flows.output {
            return stream;
        }
        let around = Around {
            args,
            state,
            input: flows.input,
        };
        self.note_filter(reading, &around);
        let prints = reading.prints.as_ref();
        let known = self.known_output(prints, &around);
        if let Some(stream) = known.or_else(|| self.marked(reading, &around)) {
            return stream;
        }
        let mut carries = flows.carries;
        if reading.acts.is_empty() {
            carries = carries.and(spoken(args));
            // What a program prints of its own words may be code: `date '+a[$(rm x)]'` in arithmetic.
            if args.iter().skip(1).any(may_be_code) {
                carries = carries.and(Carries::UNKNOWN);
            }
        }
        if reading.reads_input {
            carries = carries.and(flows.input.carries);
            if reading.deeds.has(Deed::Builds) {
                let script = Val::known("-");
                let named = Script::named(&script, args);
                self.build(&named, &mut state.clone(), flows.input);
            }
        }
        // What it was given may stand in what it prints, and arithmetic would evaluate that.
        let inert = args.iter().all(|it| it.text().is_some_and(is_inert));
        if !inert {
            carries = carries.and(Carries::UNKNOWN);
        }
        match &reading.output {
            Output::Lines if reading.reads_input && reading.acts.is_empty() => Stream {
                paths: flows.input.paths.clone(),
                first: flows.input.first.clone(),
                ..Stream::labelled(carries)
            },
            Output::Line if reading.reads_input && reading.acts.is_empty() => {
                flows.input.one_line(carries)
            }
            // What only passes on what it is given prints nothing that was not in it.
            Output::Content | Output::Lines | Output::Line if reading.reads_input => {
                Stream::labelled(carries)
            }
            Output::Content | Output::Lines | Output::Line => {
                Stream::labelled(carries.and(Carries::LETTERS))
            }
            Output::Facts if !inert => Stream::labelled(Carries::UNKNOWN),
            Output::Facts => Stream::labelled(Carries::NOTHING),
            Output::Nothing => Stream::nothing(),
            Output::Names => Stream::listing(vec![Val::name()]),
            Output::Ids => Stream::listing(vec![Val::glob(PLAIN)]),
            Output::Refs => Stream::listing(vec![Val::branch(), Val::branch()]),
            Output::Entries => Stream {
                first: Some(Val::name()),
                ..Stream::labelled(carries)
            },
            Output::Paths(pieces) => {
                let paths = self.listed(reading, pieces, &around);
                if reading.reads_input && !flows.input.paths.is_empty() {
                    return Stream::listing(flows.input.paths.clone());
                }
                Stream::listing(paths)
            }
        }
    }
}

/// Tells whether a word holds what arithmetic would evaluate.
fn may_be_code(arg: &Arg) -> bool {
    arg.text()
        .is_some_and(|it| it.contains(['[', '`']) || it.contains("$("))
}

/// Tells whether a name is that of a package such as `@scope/name`, not a path.
fn is_scoped_package(name: &str) -> bool {
    name.starts_with('@') && name.matches('/').count() == 1
}

/// Puts the words that a name stands for in its place.
fn spelled_out(stands: &[&str], mut args: Vec<Arg>) -> Vec<Arg> {
    let span = args.first().map(|it| it.span).unwrap_or_default();
    let words = stands.iter().map(|it| Arg::known(*it, span));
    args.splice(..args.len().min(1), words);
    args
}

/// Tells whether a shell was told to run a code that is missing.
fn lacks_code(reading: &Reading<'_>, args: &[Arg]) -> bool {
    let last = args.last().and_then(Arg::text).unwrap_or_default();
    reading.deeds.has(Deed::Shell)
        && last.starts_with('-')
        && !last.starts_with("--")
        && last.ends_with('c')
}

/// Tells whether arithmetic would run nothing in a text.
fn is_inert(text: &str) -> bool {
    !text.contains(['[', '`'])
}

/// Returns a visit to the gate's own page, where one of the words names it.
fn page_in(args: &[Arg]) -> Option<Effect> {
    args.iter().find_map(|it| {
        let page = belay_places::page_in(it.text()?)?;
        Some(Effect::to(Verb::Fetch, Target::Host(page)).spanning(it.span))
    })
}
