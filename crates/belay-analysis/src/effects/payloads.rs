//! Payloads: words that are a command of their own.

use belay_knowledge::Operands;
use belay_model::{Answer, At, Carries, Effect, Question, Verb};

use crate::effects::called::{Called, Follow, Script};
use crate::effects::sought::runs_there;
use crate::machine::flows::Flows;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, DIGITS, MARKED, PLAIN, PROCESS, Text, Val, escape};
use crate::machine::walk::Nested;
use crate::machine::walk::Walker;

/// Words of an invocation that are a command of their own.
pub(crate) struct Payload<'a> {
    /// The first word, and the one after the last.
    pub(crate) words: (usize, usize),
    /// What more operands it gets.
    pub(crate) operands: &'a Operands<'a>,
    /// Words before it that set variables for it.
    pub(crate) assignments: &'a [usize],
    /// The registry that its program is fetched from when the project does not have it.
    pub(crate) package: Option<&'a str>,
}

/// A command that a registry's package is to run.
struct Packaged<'a> {
    registry: &'a str,
    words: Vec<Arg>,
}

/// A command that runs on what a search finds.
struct Searched {
    words: Vec<Arg>,
    /// Where the search begins.
    folders: Vec<Val>,
    /// Whether it runs in the folder of what was found.
    there: bool,
    child: State,
}

impl Walker<'_> {
    pub(crate) fn payload(&mut self, load: &Payload<'_>, state: &mut State, flows: &mut Flows<'_>) {
        let args = flows.args;
        let Payload {
            words: (from, to),
            operands,
            assignments,
            package,
        } = *load;
        let mut words: Vec<Arg> = args.get(from..to).unwrap_or_default().to_vec();
        let span = words.first().map(|it| it.span).unwrap_or_default();
        let mut child = state.clone();
        child.functions.clear();
        if self.at != At::Here {
            child.lose_folder();
        }
        child.behind_program();
        for at in assignments {
            if let Some(arg) = args.get(*at) {
                self.give_text(arg, &mut child);
            }
        }
        let mut input = flows.input.clone();
        match operands {
            Operands::None => {}
            Operands::Input => {
                let before = args.get(..from).unwrap_or_default();
                words.extend(fed(flows.input, before, span));
                input = Stream::nothing();
            }
            Operands::Replacing(piece) => {
                let text = self.piece(*piece, args);
                let before = args.get(..from).unwrap_or_default();
                let vals = fed_lines(flows.input, before);
                replace(&mut words, text.text().unwrap_or("{}"), &one(vals));
                input = Stream::nothing();
            }
            Operands::Found(pieces) => {
                let flag = args.get(from.wrapping_sub(1)).and_then(Arg::text);
                let search = Searched {
                    words,
                    folders: pieces.iter().map(|it| self.piece(*it, args)).collect(),
                    there: flag.is_some_and(runs_there),
                    child,
                };
                return self.each_found(search, state, flows);
            }
        }
        let program = flows.path.first().copied().unwrap_or_default();
        let left = self.tells("leaves-running", program, args);
        let left = left.then(|| (words.clone(), self.beginning(&child), state.clone()));
        let output = match words.as_slice() {
            [flag, code, ..]
                if matches!(flag.text(), Some("-c" | "--command")) && code.text().is_some() =>
            {
                let text = code.text().unwrap_or_default().to_owned();
                self.nested_at(
                    Nested {
                        text: &text,
                        at: code.span,
                    },
                    &mut child,
                    &input,
                )
            }
            _ => match package {
                Some(registry) => self.packaged(Packaged { registry, words }, &mut child, &input),
                None => self.command(words, &mut child, &input),
            },
        };
        state.after_process(child);
        if let Some((words, beginning, before)) = left {
            self.left_running(words, beginning);
            *state = before.or(state.clone());
        }
        flows.output = Some(output);
    }

    /// Runs a command on what a search finds.
    fn each_found(&mut self, search: Searched, state: &mut State, flows: &mut Flows<'_>) {
        let Searched {
            words,
            folders,
            there,
            mut child,
        } = search;
        let args = flows.args;
        let found = self.found(flows, &folders, state);
        let rounds = if found.is_empty() {
            vec![Val::unknown()]
        } else {
            found
        };
        let input = flows.input.clone();
        let mut shown = Stream::nothing();
        if there {
            for (mut child, val) in self.beside_found(&folders, &rounds, &child) {
                let mut round = words.clone();
                replace(&mut round, "{}", &val);
                shown = shown.or(self.command(round, &mut child, &input));
                state.after_process(child);
            }
        } else {
            for val in &rounds {
                let mut round = words.clone();
                replace(&mut round, "{}", val);
                shown = shown.or(self.command(round, &mut child, &input));
            }
            state.after_process(child);
        }
        // What is run prints as well, as often as it runs: names of files are no more all there is.
        if !shown.is_silent() {
            let prints = |it: &Arg| {
                it.text()
                    .is_none_or(|it| it.starts_with("-print") || it == "-ls")
            };
            let any = || args.iter().skip(1).any(prints);
            let lists = *flows.lists.get_or_init(any);
            flows.output = Some(match shown.text {
                _ if lists => Stream::labelled(shown.carries.and(Carries::UNKNOWN)),
                Some(_) => Stream {
                    carries: shown.carries,
                    ..Stream::listing(vec![shown.any_line()])
                },
                None => shown,
            });
        }
    }

    /// Returns the state in each folder where something was found, and what it is called there.
    fn beside_found(&self, folders: &[Val], rounds: &[Val], child: &State) -> Vec<(State, Val)> {
        let mut all = Vec::new();
        for folder in folders {
            let start = folder.text().and_then(|it| self.absolute(it, child));
            let mut below = child.clone();
            below.lose_folder();
            below.found = start
                .as_ref()
                .map(|it| format!("{}/**", escape(it.trim_end_matches('/'))));
            let mut above = child.clone();
            above.lose_folder();
            above.cwd = start.and_then(|it| Some(it.rsplit_once('/')?.0.to_owned()));
            for val in rounds {
                // The folder where the search begins may be found itself.
                let there = if val == folder { &above } else { &below };
                all.push((there.clone(), name_of(val)));
            }
        }
        all
    }

    /// A task that is named without `run` may be no task but a program of the project: what is known of it counts too.
    pub(crate) fn installed(
        &mut self,
        called: &Called<'_>,
        state: &mut State,
        flows: &mut Flows<'_>,
    ) {
        let Called {
            tool, name, args, ..
        } = *called;
        if !self.scene.knowledge.is_package(tool, name) {
            return;
        }
        let Some(at) = args.iter().position(|it| it.text() == Some(name)) else {
            return;
        };
        let words = args.get(at..).unwrap_or_default().to_vec();
        let mut child = state.clone();
        let output = self.command(words, &mut child, flows.input);
        state.after_process(child);
        flows.output = Some(output);
    }

    /// Runs what a registry's package holds: the project's own tool, a package that is a command we know,
    /// or a stranger that may do anything, whatever command shares its name.
    fn packaged(&mut self, package: Packaged<'_>, state: &mut State, input: &Stream) -> Stream {
        let Packaged { registry, words } = package;
        let Some((name, span)) = words
            .first()
            .and_then(|it| Some((it.text()?.to_owned(), it.span)))
        else {
            return self.command(words, state, input);
        };
        let knowledge = self.scene.knowledge;
        let known = knowledge.find(&name).or_else(|| knowledge.builtin(&name));
        let own = self.own_program(registry, &name, state);
        match (own, known) {
            (Some(file), Some(_)) if registry == MODULE && self.is_fresh(&file, state) => {
                return self.run_file(&Script::named(&Val::known(file), &words), state, input);
            }
            (Some(file), None) => {
                return self.run_file(&Script::named(&Val::known(file), &words), state, input);
            }
            // A module is looked for among what is installed; nothing is fetched.
            // Whatever else is fetched is a stranger's, also where it is only asked for help.
            (None, known) if registry != MODULE && is_fetched(&name, known.is_some()) => {
                if !knowledge.is_package(registry, &name) {
                    self.emit(Effect::of(Verb::Unknown, ["command", &name]).spanning(span));
                }
            }
            // Another program's name says nothing of the module that shares it.
            (None, Some(_)) if registry == MODULE && knowledge.lists("modules-apart", &name) => {
                self.emit(Effect::of(Verb::Unknown, ["command", &name]).spanning(span));
                return Stream::labelled(Carries::UNKNOWN);
            }
            (Some(_) | None, _) => {}
        }
        self.command(words, state, input)
    }

    /// Tells whether this call wrote a file, or it came from outside.
    fn is_fresh(&self, file: &str, state: &State) -> bool {
        let file = Val::known(file);
        self.note_of(&file, state).is_some() || !self.outside(&file, state).is_nothing()
    }

    /// Returns the project's own file that a registry's name stands for: a command that is installed in it,
    /// or a module of its own.
    fn own_program(&self, registry: &str, name: &str, state: &State) -> Option<String> {
        let cwd = state.cwd.clone().filter(|_| self.at == At::Here)?;
        let world = self.scene.frame.world;
        if registry != MODULE {
            let question = Question::Declared(cwd, format!("{registry}-bin"), name.to_owned());
            let installed = world.ask(&question) == Answer::Yes;
            return installed.then(|| format!("./node_modules/.bin/{name}"));
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let path = name.replace('.', "/");
        if !name.chars().all(plain) || path.split('/').any(str::is_empty) {
            return None;
        }
        let places = ["", "src/"]
            .map(|folder| [".py", "/__main__.py"].map(|end| format!("./{folder}{path}{end}")));
        let is_file = |file: &String| {
            if self.is_fresh(file, state) {
                return true;
            }
            let question = Question::Kind(format!("{cwd}/{}", file.trim_start_matches("./")));
            matches!(world.ask(&question), Answer::Name(kind) if kind == "file" || kind == "executable")
        };
        places.into_iter().flatten().find(is_file)
    }
}

/// Tells whether a registry's package stands under a name: not a path, nor an address.
fn is_fetched(name: &str, known: bool) -> bool {
    known || name.starts_with('@') || !name.contains(['/', ':'])
}

/// The name under which modules of Python are looked for: in the project, and among what is installed.
const MODULE: &str = "module";

/// Tells whether operands are taken from standard input and parted at blanks and line ends: no flag says otherwise.
fn is_plain(flags: &[Arg]) -> bool {
    flags.iter().skip(1).all(|it| {
        it.text().is_some_and(|text| {
            let long = [
                "--arg-file",
                "--delimiter",
                "--null",
                "--eof",
                "--max-lines",
            ];
            let short = text.starts_with('-') && !text.starts_with("--");
            let otherwise = short && text.contains(['a', 'd', '0', 'E', 'e', 'L', 'l']);
            !otherwise && !is_one_of(text, &long)
        })
    })
}

/// Tells whether names that a program lists become operands whole: they come from standard input, and a line end or a NUL
/// parts them.
fn keeps_names(flags: &[Arg]) -> bool {
    let parts_lines = |it: &str| matches!(it, "\\n" | "\n" | "\\0" | "\\x00");
    let long = ["--arg-file", "--delimiter", "--colsep"];
    let mut flags = flags.iter().skip(1).map(Arg::text);
    while let Some(flag) = flags.next() {
        let Some(flag) = flag else { return false };
        let value = match (flag.strip_prefix("--delimiter="), letter_of(flag)) {
            (None, Some(("a" | "C", _))) => return false,
            (Some(value), _) => Some(value),
            (None, Some(("d", ""))) => flags.next().flatten(),
            (None, Some(("d", glued))) => Some(glued),
            (None, _) if is_one_of(flag, &long) => return false,
            (None, _) => continue,
        };
        if !value.is_some_and(parts_lines) {
            return false;
        }
    }
    true
}

/// Tells whether a word is one of these long flags, also where it is cut short.
fn is_one_of(flag: &str, long: &[&str]) -> bool {
    let name = flag.split('=').next().unwrap_or(flag);
    name.starts_with("--") && name.len() > 2 && long.iter().any(|it| it.starts_with(name))
}

/// Returns the letter of a short flag that takes a value, and what is glued to it.
fn letter_of(flag: &str) -> Option<(&str, &str)> {
    let letters = flag.strip_prefix('-').filter(|it| !it.starts_with('-'))?;
    let at = letters.find(|it| "adCEIJLPRSns".contains(it))?;
    letters.get(at..)?.split_at_checked(1)
}

/// Tells whether operands are given to several runs of a command, some to each.
fn is_by_turns(flags: &[Arg]) -> bool {
    let mut texts = flags.iter().skip(1).filter_map(Arg::text);
    texts.any(|text| {
        let long = text.starts_with("--max-args") || text.starts_with("--max-chars");
        let short = text.starts_with('-') && !text.starts_with("--");
        long || short && text.contains(['n', 's'])
    })
}

/// Returns what something that was found is called in its folder.
fn name_of(found: &Val) -> Val {
    let (Text::Known(text) | Text::Glob(text)) = &found.text else {
        return Val::unknown();
    };
    let name = text
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(text);
    match name {
        "**" | "." | ".." | "" => Val::glob("./*"),
        _ => Val::glob(format!("./{name}")),
    }
}

/// Returns the operands that come from a stream.
fn fed(input: &Stream, flags: &[Arg], span: belay_model::Span) -> Vec<Arg> {
    let quotes = |it: &str| it.contains(['\'', '"', '\\']);
    let known = input.text.as_ref().and_then(Val::text);
    let known = known.filter(|it| is_plain(flags) && !quotes(it));
    let words: Option<Vec<Val>> = match known {
        Some(text) => {
            let words = text.split_whitespace();
            Some(
                words
                    .map(|it| Val::known(it).carrying(input.carries))
                    .collect(),
            )
        }
        None => parted(input, flags),
    };
    if let Some(words) = words {
        if is_by_turns(flags) {
            return vec![Arg::many(Val::any_of(words), span)];
        }
        return words.into_iter().map(|it| Arg::one(it, span)).collect();
    }
    let vals = if !input.paths.is_empty() && keeps_names(flags) {
        input.paths.clone()
    } else if let Some(line) = plain_line(input).filter(|_| is_plain(flags)) {
        vec![line]
    } else {
        vec![Val::unknown().carrying(input.carries)]
    };
    vals.into_iter().map(|it| Arg::many(it, span)).collect()
}

/// Returns the operands that come from a stream, one for each line.
fn fed_lines(input: &Stream, flags: &[Arg]) -> Vec<Val> {
    let quotes = |it: &str| it.contains(['\'', '"', '\\']);
    let known = input.text.as_ref().and_then(Val::text);
    if let Some(text) = known.filter(|it| is_plain(flags) && !quotes(it)) {
        let lines = text
            .lines()
            .map(str::trim_start)
            .filter(|it| !it.is_empty());
        return lines
            .map(|it| Val::known(it).carrying(input.carries))
            .collect();
    }
    if let Some(words) = parted(input, flags) {
        return words;
    }
    if !input.paths.is_empty() && keeps_names(flags) {
        return input.paths.clone();
    }
    if let Some(line) = plain_line(input).filter(|_| is_plain(flags)) {
        return vec![line];
    }
    vec![Val::unknown().carrying(input.carries)]
}

/// Returns what the lines of a stream are like where each is one word that nobody takes apart: a number, a plain name.
fn plain_line(input: &Stream) -> Option<Val> {
    let lines = input.text.as_ref().map(|_| input.any_line())?;
    let plain = |it: &Val| match &it.text {
        Text::Glob(shape) => matches!(shape.as_str(), DIGITS | PROCESS | PLAIN | MARKED),
        Text::Known(text) => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
            text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(plain)
        }
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => false,
    };
    lines
        .each()
        .iter()
        .all(plain)
        .then(|| lines.carrying(input.carries))
}

/// Returns the texts of a stream that a NUL ends each, where that is how the operands are parted.
fn parted(input: &Stream, flags: &[Arg]) -> Option<Vec<Val>> {
    let null = |it: &Arg| matches!(it.text(), Some("-0" | "--null"));
    let others: Vec<Arg> = flags.iter().filter(|it| !null(it)).cloned().collect();
    let fits = others.len() < flags.len() && is_plain(&others) && !input.parted.is_empty();
    fits.then(|| input.parted.clone())
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
