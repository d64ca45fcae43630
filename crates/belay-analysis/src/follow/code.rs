//! Code inside commands.

use belay_knowledge::{Act, Piece, Source, What};
use belay_languages::{Doing, Given, Language};
use belay_model::{At, Carries, Effect, How, Span, Verb};

use crate::effects::called::Code;
use crate::effects::hosts::keep;
use crate::follow::doings::Done;
use crate::follow::language::is_shell;
use crate::follow::{perl, samples};
use crate::machine::elements::is_volatile;
use crate::machine::flows::{Flows, Pieces};
use crate::machine::options::Tri;
use crate::machine::simple::given;
use crate::machine::state::{Shared, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val, join};
use crate::machine::variable::Held;
use crate::machine::walk::Nested;
use crate::machine::walk::Walker;
use crate::machine::zero::Zero;
use crate::scene::Shell;

/// Code of a shell that runs in one of its own.
struct ShellCode<'a> {
    text: &'a str,
    source: &'a Source<'a>,
    from_input: bool,
    span: Span,
}

/// The state in which a text is walked, and what it reads.
pub(crate) struct Fed<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) input: &'a Stream,
}

impl Walker<'_> {
    pub(crate) fn start_code(&mut self, code: &Code<'_>, state: &mut State, flows: &mut Flows<'_>) {
        let Code {
            language,
            source,
            span,
        } = *code;
        let args = flows.args;
        let (code, from_input) = self.code_of(source, flows);
        // What files are looked for by is no code with numbers in it.
        let searches = matches!(source, Source::Text(Piece::Word { index, .. }) if args.get(*index).is_none_or(|it| it.many));
        let (language, code) = match language.strip_suffix("-file") {
            Some(language) => (language, self.code_in(&code, state)),
            None => (language, code),
        };
        let tongue = Language::from_word(language);
        let code = match (tongue, std::mem::take(&mut flows.pieces)) {
            (Some(Language::Python), Pieces::Joined(text)) => {
                flows.pieces = Pieces::Read;
                Val::known(text).carrying(code.carries)
            }
            (Some(Language::Python), Pieces::Read) => {
                flows.pieces = Pieces::Read;
                return;
            }
            _ => code,
        };
        let fetched = keep(code.carries);
        if !fetched.only(Carries::OUTSIDE).is_nothing() {
            self.emit(
                Effect::of(Verb::Eval, language_name(language, from_input))
                    .carrying(fetched)
                    .spanning(span),
            );
        }
        match (language, code.text()) {
            ("shell", Some(text)) => {
                let text = text.to_owned();
                let shell = ShellCode {
                    text: &text,
                    source,
                    from_input,
                    span,
                };
                self.eval_shell(&shell, state, flows);
            }
            (language, text) => {
                let whole = tongue != Some(Language::Perl) || perl::is_one_program(source, args);
                let read = text
                    .filter(|_| whole)
                    .and_then(|it| match (tongue, source) {
                        (Some(Language::Python), Source::Text(Piece::Word { index, .. })) => {
                            let given = given_after(Some("-c"), args, *index);
                            belay_languages::read_with(language, it, given)
                        }
                        (Some(Language::JavaScript), Source::Text(Piece::Word { index, .. })) => {
                            let given = given_after(None, args, *index);
                            belay_languages::read_with(language, it, given)
                        }
                        (Some(_), Source::Input) => match fed_by(args) {
                            Some(index) => {
                                let given = given_after(Some("-"), args, index);
                                belay_languages::read_with(language, it, given)
                            }
                            None => belay_languages::read(language, it),
                        },
                        _ if self.only_shows(language, it) => Some(Vec::new()),
                        _ => belay_languages::read(language, it),
                    })
                    .or_else(|| samples::read(tongue.filter(|_| !searches)?, &code));
                match read {
                    Some(doings) => {
                        self.done(Done { doings, span }, state, flows);
                        if let Some(output) = &mut flows.output {
                            output.carries = output.carries.and(flows.carries);
                        }
                    }
                    None => {
                        if tongue == Some(Language::Python) && self.at == At::Here {
                            self.imported(text.unwrap_or_default(), span, state);
                        }
                        let effect = Effect::of(Verb::Eval, language_name(language, from_input));
                        self.emit(effect.carrying(fetched).spanning(span));
                        self.supposed(language, &Arg::one(code.clone(), span), state);
                    }
                }
            }
        }
    }

    /// Tells whether an order to a debugger is one that only shows where a program stands, or lets it go on.
    fn only_shows(&self, language: &str, order: &str) -> bool {
        self.scene.knowledge.said("orders", order) == Some(language)
    }

    /// Walks what code that was not read does perhaps: each text that it may be, and what it plainly hands to a shell.
    fn supposed(&mut self, language: &str, code: &Arg, state: &State) {
        let at = code.span;
        for choice in code.val.choices() {
            let Some(text) = choice.text() else { continue };
            let texts = match language {
                "shell" => vec![text.to_owned()],
                _ => belay_languages::handed(text),
            };
            for text in texts {
                let mut child = state.clone();
                child.become_process();
                let nested = Nested { text: &text, at };
                self.nested_at(nested, &mut child, &Stream::terminal());
            }
        }
    }

    /// Returns the code that a file holds.
    fn code_in(&self, file: &Val, state: &State) -> Val {
        let noted = self.note_of(file, state).map(|it| it.carries);
        let carries = noted.unwrap_or_default().and(self.outside(file, state));
        let text = self.text_in(file, state);
        text.map_or_else(Val::unknown, Val::known).carrying(carries)
    }

    /// Returns code as it is given, and whether it comes from standard input.
    fn code_of(&self, source: &Source<'_>, flows: &Flows<'_>) -> (Val, bool) {
        let args = flows.args;
        match source {
            Source::Text(piece) => (self.piece(*piece, args), false),
            Source::Words(from, to) => (join(args.get(*from..*to).unwrap_or_default()), false),
            Source::Input => match &flows.input.text {
                Some(text) => (text.clone(), true),
                None => (Val::any(flows.input.carries), true),
            },
        }
    }

    /// Runs code in a shell of its own.
    fn eval_shell(&mut self, shell: &ShellCode<'_>, state: &mut State, flows: &mut Flows<'_>) {
        let args = flows.args;
        let mut child = state.clone();
        child.become_process();
        child.positional = Shared::new(if shell.from_input {
            Held::anything()
        } else {
            Held::List(Vec::new())
        });
        if let Source::Text(Piece::Word { index, .. }) = shell.source
            && let [program] = flows.path
            && is_shell(program, self.scene.knowledge)
        {
            let words = args.get(index + 1..).unwrap_or_default();
            let whole = |it: &Arg| {
                if it.many {
                    Val::unknown()
                } else {
                    it.val.clone()
                }
            };
            child.zero = words.first().map(whole).map(Zero::given);
            // Where the first may be several, the others may be any of them.
            let several = words.first().is_some_and(|it| it.many);
            let named = usize::from(!several);
            child.positional = Shared::new(given(words.get(named..).unwrap_or_default()));
        }
        if self.at != At::Here {
            child.lose_folder();
        }
        let inner = if shell.from_input {
            Stream::terminal()
        } else {
            flows.input.clone()
        };
        let nested = Nested {
            text: shell.text,
            at: shell.span,
        };
        let name = args.first().and_then(Arg::text).unwrap_or_default();
        let output = self.nested_by(
            name,
            nested,
            Fed {
                state: &mut child,
                input: &inner,
            },
        );
        state.after_process(child);
        flows.output = Some(output);
    }

    /// Walks a text as the shell of a name reads it. Of `sh` nobody knows which shell it is.
    pub(crate) fn nested_by(&mut self, program: &str, nested: Nested<'_>, fed: Fed<'_>) -> Stream {
        let Fed { state, input } = fed;
        let name = program.rsplit('/').next().unwrap_or_default();
        let knowledge = self.scene.knowledge;
        if knowledge.lists("zsh-shells", name) {
            return self.reading_as(Shell::Zsh, |it| it.nested_at(nested, state, input));
        }
        if knowledge.lists("brace-shells", name) {
            return self.reading_as(Shell::Bash, |it| it.nested_at(nested, state, input));
        }
        state.options.echoes_escapes = Tri::Perhaps;
        state.options.unbraced = Tri::Perhaps;
        if !reads_otherwise(nested.text) {
            return self.reading_as(Shell::Bash, |it| it.nested_at(nested, state, input));
        }
        let mut other = state.clone();
        let plain = self.reading_as(Shell::Sh, |it| it.nested_at(nested, &mut other, input));
        let usual = self.reading_as(Shell::Bash, |it| it.nested_at(nested, state, input));
        *state = std::mem::take(state).or(other);
        usual.or(plain)
    }

    /// Does something while texts are read as a shell reads them.
    fn reading_as<T>(&mut self, shell: Shell, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.scene.shell, shell);
        let out = body(self);
        self.scene.shell = before;
        out
    }

    /// Returns the program that several words make up: a preparation, and what is measured.
    pub(crate) fn joined_pieces(&self, acts: &[Act<'_>], args: &[Arg]) -> Pieces {
        let words = |it: &Act<'_>| match &it.what {
            What::Eval { language, source } if is_python(language) => match source {
                Source::Text(Piece::Word { index, .. }) => Some(*index),
                Source::Words(from, _) => Some(*from),
                Source::Text(_) | Source::Input => None,
            },
            What::Effect { .. }
            | What::RunWords { .. }
            | What::RunFile { .. }
            | What::Task { .. }
            | What::Eval { .. }
            | What::Cd(_) => None,
        };
        let mut pieces: Vec<(usize, Option<String>)> = Vec::new();
        for act in acts {
            if let (Some(index), What::Eval { source, .. }) = (words(act), &act.what) {
                let code = match source {
                    Source::Text(piece) => self.piece(*piece, args),
                    Source::Words(from, to) => join(args.get(*from..*to).unwrap_or_default()),
                    Source::Input => Val::unknown(),
                };
                pieces.push((index, code.text().map(str::to_owned)));
            }
        }
        pieces.sort();
        let texts: Option<Vec<String>> = pieces.into_iter().map(|(_, it)| it).collect();
        match texts {
            Some(texts) if texts.len() > 1 => Pieces::Joined(texts.join("\n")),
            Some(_) | None => Pieces::Apart,
        }
    }
}

/// Returns the words that a program is given behind the word that names it.
pub(super) fn given_after(name: Option<&str>, args: &[Arg], index: usize) -> Given {
    let words = || args.iter().skip(index + 1);
    let given = words().map(|it| it.val.text().map(str::to_owned).or_else(|| within(it)));
    Given {
        words: name
            .map(|it| Some(it.to_owned()))
            .into_iter()
            .chain(given)
            .collect(),
        several: words().any(|it| it.many || it.val.is_search()),
    }
}

/// Returns where a word stands that says that the program comes in by itself; nothing where there may be several.
fn fed_by(args: &[Arg]) -> Option<usize> {
    let mut dashes = args
        .iter()
        .enumerate()
        .filter(|(_, it)| it.text() == Some("-"));
    let (index, _) = dashes.next()?;
    dashes.next().is_none().then_some(index)
}

/// Returns one word of which only the folder is known, and that nothing in it leads out of there.
fn within(word: &Arg) -> Option<String> {
    let Text::Glob(glob) = &word.val.text else {
        return None;
    };
    let begun = glob.find(['*', '?', '['])?;
    let known = glob.get(..begun).filter(|it| !it.contains('\\'))?;
    let folder = known
        .rfind('/')
        .map_or("", |at| known.get(..=at).unwrap_or_default());
    let upwards = |it: &str| it.starts_with('.') && it != ".";
    let level = !glob.split('/').any(upwards);
    level.then(|| format!("{folder}{}", belay_languages::WITHIN))
}

fn is_python(language: &str) -> bool {
    Language::from_word(language) == Some(Language::Python)
}

/// Returns what a question to a database does, whatever the database; `None` when it cannot be read, or when it
/// reaches beyond the database.
#[must_use]
pub fn sql_effects(text: &str) -> Option<Vec<Effect>> {
    let effect = |it: Doing| match it {
        Doing::Other(verb, names) => Some(Effect::of(verb, names)),
        Doing::Secret(name) => Some(Effect::of(Verb::Read, [name]).how(How::Secret)),
        Doing::Read(_)
        | Doing::Write(_)
        | Doing::Unpack(_)
        | Doing::Spill(_)
        | Doing::Delete(..)
        | Doing::Fetch(_)
        | Doing::Send(_)
        | Doing::Variable(_)
        | Doing::Load(_)
        | Doing::Run(_)
        | Doing::Import(_)
        | Doing::Search(_)
        | Doing::Folder(_)
        | Doing::Package { .. }
        | Doing::NodePackage { .. }
        | Doing::Unread { .. } => None,
    };
    let doings = belay_languages::read("sql", text)?;
    doings.into_iter().map(effect).collect()
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

/// Tells whether a text means something else to a plain `sh`: braces and `$'...'` are no more than letters there, `&>`
/// is two things, `((` opens two shells, `.*` finds the folder above, and much that others know it lacks.
fn reads_otherwise(text: &str) -> bool {
    let braces = text.contains('{') && (text.contains(',') || text.contains(".."));
    let numbers = text.match_indices("((").any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        !before.ends_with('$') && !before.ends_with("for ")
    });
    let marks = [
        "~+", "~-", "~0", "~1", "~2", ".*", ".?", "$'", "&>", "[[", "=", "${", "<<<", "<(", ">(",
        "|&", ": ", " -v",
    ];
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_'));
    braces || numbers || marks.iter().any(|it| text.contains(it)) || words.any(is_of_some_shells)
}

/// Tells whether a word is a command or a variable that plain shells lack, or a command that ends them where it fails.
fn is_of_some_shells(word: &str) -> bool {
    let set_by_bash = is_volatile(word) || word.starts_with("BASH");
    set_by_bash
        || matches!(
            word,
            "." | "UID" | "EUID" | "SHLVL" | "HOSTNAME" | "HOSTTYPE" | "OSTYPE" | "MACHTYPE"
        )
        || matches!(
            word,
            "shift" | "set" | "export" | "readonly" | "unset" | "exec" | "eval" | "source"
        )
        || matches!(
            word,
            "declare"
                | "typeset"
                | "let"
                | "read"
                | "mapfile"
                | "readarray"
                | "pushd"
                | "popd"
                | "shopt"
        )
}
