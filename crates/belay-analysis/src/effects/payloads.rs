//! Payloads: words that are a command of their own.

use belay_knowledge::Operands;
use belay_model::{Answer, At, Effect, Question, Verb};

use crate::effects::acts::Flows;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
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

impl Walker<'_> {
    pub(crate) fn payload(
        &mut self,
        load: &Payload<'_>,
        args: &[Arg],
        (state, flows): (&mut State, &mut Flows<'_>),
    ) {
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
                let found = self.found(flows, &paths, args);
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
            _ => match package {
                Some(registry) => self.packaged(registry, words, (&mut child, &input)),
                None => self.command(words, &mut child, &input),
            },
        };
        state.files = child.files;
        flows.output = Some(output);
    }

    /// Runs what a registry's package holds: the project's own tool, a package that is a command we know,
    /// or a stranger that may do anything, whatever command shares its name.
    fn packaged(
        &mut self,
        registry: &str,
        words: Vec<Arg>,
        (state, input): (&mut State, &Stream),
    ) -> Stream {
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
            (Some(file), None) => {
                return self.run_file((&Val::known(file), false), &words, state, input);
            }
            // A module is looked for among what is installed; nothing is fetched.
            (None, Some(_)) if registry != MODULE && !knowledge.is_package(registry, &name) => {
                self.emit(Effect::of(Verb::Unknown, ["command", &name]).spanning(span));
            }
            (Some(_) | None, _) => {}
        }
        self.command(words, state, input)
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
            let question = Question::Kind(format!("{cwd}/{}", file.trim_start_matches("./")));
            matches!(world.ask(&question), Answer::Name(kind) if kind == "file" || kind == "executable")
        };
        places.into_iter().flatten().find(is_file)
    }
}

/// The name under which modules of Python are looked for: in the project, and among what is installed.
const MODULE: &str = "module";

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
