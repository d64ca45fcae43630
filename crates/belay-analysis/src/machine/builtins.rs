//! Builtins that change the shell itself or run what they are given.

use belay_model::{Carries, Effect, Span, TroubleKind, Verb};

use crate::machine::compound::holds;
use crate::machine::options::Tri;
use crate::machine::state::{Ends, Shared, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::variable::Held;
use crate::machine::variables::Setting;
use crate::machine::walk::{Nested, Walker};
use crate::scene::Shell;

/// What became of a command that may be a builtin.
pub(crate) enum Handled {
    /// It was one.
    Done(Ends),
    /// It was none that needs care; the state is as it was.
    Not(State),
}

impl Walker<'_> {
    /// Does what a builtin does; gives the state back when the name is not one of those that need care.
    pub(crate) fn builtin(&mut self, name: &str, args: &[Arg], mut state: State) -> Handled {
        let rest = args.get(1..).unwrap_or_default();
        let span = args.first().map(|it| it.span).unwrap_or_default();
        Handled::Done(match name {
            ":" | "true" => Ends::Ok(state),
            "false" => Ends::Bad(state),
            "cd" | "chdir" => self.cd(rest, state),
            "pushd" | "popd" | "dirs" => self.folder_stack(name, rest, state),
            "set" | "export" | "declare" | "typeset" | "readonly" | "local"
                if rest.iter().all(|it| is_listing(name, it)) =>
            {
                self.all_variables(name, args, &mut state);
                Ends::Ok(state)
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declares(name, rest, &mut state);
                Ends::Either(state)
            }
            "unset" => {
                self.unset(rest, &mut state);
                Ends::Either(state)
            }
            "set" => {
                self.set_options(rest, &mut state);
                if self.scene.shell == Shell::Zsh {
                    // There `-f` is about set-up files.
                    state.options.noglob = state.options.noglob.or(Tri::No);
                }
                Ends::Either(state)
            }
            "shopt" => {
                self.shopt(rest, &mut state);
                Ends::Either(state)
            }
            "setopt" | "unsetopt" | "emulate" => {
                state.options = crate::machine::options::Options::anything();
                Ends::Either(state)
            }
            "shift" => self.shift(rest, state),
            "eval" => self.eval_words(rest, state),
            "source" | "." => self.source(rest, state),
            "exec" => self.exec(rest, state),
            "command" if self.scene.shell == Shell::Zsh => {
                // There it finds only programs.
                let before = state.clone();
                self.passed_on(name, rest, state).or(Ends::Bad(before))
            }
            "command" | "builtin" | "noglob" | "nocorrect" => self.passed_on(name, rest, state),
            "trap" => self.trap(rest, state),
            "read" => self.reads(rest, state),
            "mapfile" | "readarray" => self.maps(rest, state),
            "let" => self.lets(rest, state),
            "test" | "[" => self.tests(rest, state),
            "printf" if is_into(rest) => {
                self.counts_into(rest.get(2..).unwrap_or_default(), &mut state);
                self.printf_into(rest, &mut state);
                Ends::Either(state)
            }
            "pwd" if !rest.iter().all(|it| matches!(it.text(), Some("-L" | "-P"))) => {
                return Handled::Not(state);
            }
            "echo" | "printf" | "pwd" => {
                if name == "printf" {
                    self.counts_into(after_dashes(rest), &mut state);
                }
                self.prints(name, args, state)
            }
            "getopts" => self.gets_flags(rest, state, span),
            "alias" | "unalias" => self.alias(rest, state, span),
            "enable" | "bind" | "complete" | "compgen" | "compopt" | "hash" | "fc" | "history" => {
                if self.odd(name, rest, span) && name == "enable" {
                    // Which of the commands behind it do anything nobody knows.
                    state.haunted = true;
                }
                self.says(Carries::UNKNOWN, state)
            }
            "wait" => {
                self.waits(rest, &mut state);
                Ends::Either(state)
            }
            "exit" | "logout" => self.exit(rest, state),
            "return" => self.returns_with(rest, state),
            "break" | "continue" => self.leaves_round(name, rest, state),
            "jobs" => self.jobs_run(rest, state),
            "type" | "caller" | "help" => self.says(Carries::UNKNOWN, state),
            "times" | "umask" | "ulimit" | "fg" | "bg" | "disown" | "suspend" => {
                self.says(Carries::NOTHING, state)
            }
            _ => return Handled::Not(state),
        })
    }

    fn lets(&mut self, rest: &[Arg], mut state: State) -> Ends {
        let outer = std::mem::replace(&mut self.may_abort, false);
        let (mut answer, mut failed) = (Tri::Perhaps, None);
        for arg in rest {
            let before = state.clone();
            match arg.text() {
                Some(text) => {
                    let (tree, arith) = belay_shell::parse_arith(text.as_bytes());
                    answer = holds(&self.arith_of(&tree, arith, &mut state));
                }
                None => {
                    self.evaluated(&arg.val, &mut state, arg.span);
                    self.may_abort = true;
                }
            }
            // What is no number fails, perhaps after it set something, and nothing behind it is set.
            if std::mem::replace(&mut self.may_abort, false) {
                failed = State::either(failed, Some(before.or(state.clone())));
            }
        }
        self.may_abort = outer || failed.is_some();
        match failed {
            Some(failed) => Ends::of(Some(state.clone()), Some(failed.or(state))),
            None => Ends::by(answer, state),
        }
    }

    fn gets_flags(&mut self, rest: &[Arg], mut state: State, span: Span) -> Ends {
        let before = (self.scene.shell == Shell::Zsh).then(|| state.clone());
        if let Some(name) = rest.get(1) {
            self.forget(name, Val::glob("?"), &mut state);
        }
        // Behind the last flag zsh leaves the variable as it is.
        if let Some(before) = before {
            state = before.or(state);
        }
        self.assign(Setting::one("OPTIND", Val::digits()), &mut state, span);
        Ends::Either(state)
    }

    /// Ends as a builtin that prints something nobody knows.
    fn says(&mut self, carries: Carries, mut state: State) -> Ends {
        self.deliver(1, Stream::labelled(carries), &mut state);
        Ends::Either(state)
    }

    /// Shows all variables, or all that are exported.
    fn all_variables(&mut self, name: &str, args: &[Arg], state: &mut State) {
        let rest = args.get(1..).unwrap_or_default();
        let span = args.first().map(|it| it.span).unwrap_or_default();
        if name == "readonly" || name == "local" {
            return self.deliver(1, Stream::labelled(Carries::UNKNOWN), state);
        }
        let functions = rest
            .iter()
            .any(|it| it.text().is_some_and(|it| it.contains(['f', 'F'])));
        if functions {
            return self.deliver(1, Stream::labelled(Carries::UNKNOWN), state);
        }
        self.emit(Effect::of(Verb::Read, ["environment"]).spanning(span));
        self.deliver(1, Stream::labelled(Carries::SECRET), state);
    }

    fn set_options(&mut self, rest: &[Arg], state: &mut State) {
        let mut words = rest.iter();
        while let Some(arg) = words.next() {
            let Some(text) = arg.text().filter(|_| !arg.many) else {
                let more: Vec<Arg> = words.cloned().collect();
                return self.unknown_options(arg, &more, state);
            };
            let on = Tri::of(text.starts_with('-'));
            match text {
                "--" | "-" => {
                    let args: Vec<Arg> = words.cloned().collect();
                    // A dash alone leaves the words as they are, except in zsh.
                    let kept = text == "-" && args.is_empty() && self.scene.shell != Shell::Zsh;
                    if !kept {
                        state.positional = Shared::new(crate::machine::simple::given(&args));
                    }
                    return;
                }
                "-o" | "+o" => match words.next() {
                    Some(option) => self.option(option, on, state),
                    None => self.deliver(1, Stream::labelled(Carries::NOTHING), state),
                },
                flags if flags.starts_with(['-', '+']) => {
                    self.letters(flags, arg.span, state);
                    if flags.contains('o')
                        && let Some(option) = words.next()
                    {
                        self.option(option, on, state);
                    }
                }
                _ => {
                    let args: Vec<Arg> = std::iter::once(arg).chain(words).cloned().collect();
                    state.positional = Shared::new(crate::machine::simple::given(&args));
                    return;
                }
            }
        }
    }

    /// Options by their letters: `-eu`, `+f`.
    fn letters(&mut self, flags: &str, at: Span, state: &mut State) {
        let on = Tri::of(flags.starts_with('-'));
        for letter in flags.chars().skip(1) {
            if letter == 'k' && on.may() {
                self.keyword(at);
            }
            if letter == 'B' {
                state.options.unbraced = on.not();
            }
            if let Some(option) = state.options.lettered(letter) {
                *option = on;
            }
        }
    }

    /// Options or positional parameters that nobody knows.
    fn unknown_options(&mut self, first: &Arg, more: &[Arg], state: &mut State) {
        if first.val.text.may_begin_flag() {
            state.options = crate::machine::options::Options::anything();
        }
        let all = std::iter::once(first).chain(more).map(|it| it.val.clone());
        state.positional = Shared::new(Held::any(Val::any_of(all)));
    }

    fn option(&mut self, option: &Arg, on: Tri, state: &mut State) {
        match option.text() {
            Some(name) => {
                if name == "keyword" && on.may() {
                    self.keyword(option.span);
                }
                if name == "braceexpand" {
                    state.options.unbraced = on.not();
                }
                if let Some(it) = state.options.named(name) {
                    *it = on;
                }
            }
            None => state.options = crate::machine::options::Options::anything(),
        }
    }

    fn keyword(&mut self, at: Span) {
        self.trouble(
            TroubleKind::Unknown,
            "any word with `=` sets a variable from here on",
            at,
        );
    }

    fn shopt(&mut self, rest: &[Arg], state: &mut State) {
        let flag = |letter: char| {
            rest.iter()
                .filter_map(Arg::text)
                .any(|it| it.starts_with('-') && it.contains(letter))
        };
        let on = match (flag('s'), flag('u')) {
            (true, false) => Tri::Yes,
            (false, true) => Tri::No,
            _ => {
                return self.deliver(1, Stream::labelled(Carries::NOTHING), state);
            }
        };
        for arg in rest {
            if arg.text().is_some_and(|it| it.starts_with('-')) {
                continue;
            }
            if arg.text() == Some("extdebug") && on.may() {
                // Code that waits may keep any command from running.
                state.haunted = true;
            }
            if arg.text() == Some("expand_aliases") {
                self.trouble(
                    TroubleKind::Ambiguous,
                    "aliases change how the rest is read",
                    arg.span,
                );
            }
            self.option(arg, on, state);
        }
    }

    fn shift(&mut self, rest: &[Arg], mut state: State) -> Ends {
        let count = match rest.first() {
            None => Some(1),
            Some(arg) => arg.text().and_then(|it| it.parse::<usize>().ok()),
        };
        let shifted = match (&*state.positional, count) {
            (Held::List(vals), Some(count)) if count <= vals.len() => {
                Some(Held::List(vals.iter().skip(count).cloned().collect()))
            }
            // More than there are: nothing is shifted.
            (Held::List(_), Some(_)) => None,
            (Held::Any(it), Some(count)) if let Some(rest) = it.from(count) => {
                Some(Held::row(rest.to_vec()))
            }
            (held, _) => Some(Held::any(held.elements().values)),
        };
        let there = match &*state.positional {
            Held::List(vals) => vals.len(),
            Held::One(_) | Held::Any(_) => 0,
        };
        // A shell of POSIX ends where a special command cannot do what it is told.
        if self.scene.shell == Shell::Sh && count.is_none_or(|it| it > there) {
            self.fail_shell(state.clone());
        }
        match shifted {
            Some(held) => {
                state.positional = Shared::new(held);
                Ends::Either(state)
            }
            None => Ends::Bad(state),
        }
    }

    fn exec(&mut self, rest: &[Arg], state: State) -> Ends {
        let mut words = rest;
        while let Some((first, more)) = words.split_first() {
            match first.text() {
                Some("-a") => words = more.get(1..).unwrap_or_default(),
                Some("-c" | "-l" | "-cl" | "-lc" | "--") => words = more,
                _ => break,
            }
        }
        if words.is_empty() {
            return Ends::Ok(state);
        }
        let after = self.started(words.to_vec(), state).any();
        if let Some(state) = after {
            // The program may not be there: then the shell ends, or goes on where it was told to.
            self.fail_shell(state.clone());
            return Ends::Bad(state);
        }
        Ends::Never
    }

    /// `command X` and `builtin X` run X; `command -v X` only looks.
    fn passed_on(&mut self, name: &str, rest: &[Arg], state: State) -> Ends {
        let mut words = rest;
        while let Some((first, more)) = words.split_first() {
            match first.text() {
                Some("-v" | "-V" | "-pv" | "-pV") if name == "command" => {
                    return self.says(Carries::UNKNOWN, state);
                }
                Some("-p" | "--") => words = more,
                _ => break,
            }
        }
        if words.is_empty() {
            return Ends::Ok(state);
        }
        self.invoke_beyond(words.to_vec(), state)
    }

    fn alias(&mut self, rest: &[Arg], mut state: State, span: Span) -> Ends {
        let defines = |it: &Arg| it.text().is_none_or(|text| text.contains('='));
        if rest.iter().any(defines) {
            self.trouble(
                TroubleKind::Ambiguous,
                "an alias changes how the rest is read",
                span,
            );
            self.stands_for(rest, &state);
        } else {
            self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
        }
        Ends::Either(state)
    }

    /// Walks what aliases stand for: where they are used nobody knows, and what follows them.
    fn stands_for(&mut self, rest: &[Arg], state: &State) {
        for arg in rest {
            let Some((_, body)) = arg.text().and_then(|it| it.split_once('=')) else {
                continue;
            };
            let body = body.to_owned();
            let nested = Nested {
                text: &body,
                at: arg.span,
            };
            self.nested_at(nested, &mut state.clone(), &Stream::terminal());
        }
    }

    fn jobs_run(&mut self, rest: &[Arg], state: State) -> Ends {
        match rest.split_first() {
            Some((flag, words)) if flag.text() == Some("-x") => self.started(words.to_vec(), state),
            // A word that is not known may be the flag that runs the rest.
            Some((flag, words)) if flag.text().is_none() => {
                let ran = self.started(words.to_vec(), state.clone());
                ran.or(self.says(Carries::UNKNOWN, state))
            }
            _ => self.says(Carries::UNKNOWN, state),
        }
    }

    /// Builtins that rarely stand in scripts and can run or change things; tells whether one of them does.
    fn odd(&mut self, name: &str, rest: &[Arg], span: Span) -> bool {
        let number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        let mild = rest.iter().all(|it| {
            it.text().is_some_and(|text| match name {
                "history" => number(text),
                _ => matches!(text, "-r" | "-l" | "-p" | "-s" | "-d"),
            })
        });
        if !mild {
            let what = format!("`{name}` can run code or change what names mean");
            self.trouble(TroubleKind::Unknown, what, span);
        }
        if name == "history" {
            self.emit(Effect::of(Verb::Read, ["personal", "history"]).spanning(span));
        }
        !mild
    }
}

/// Tells whether `printf` writes into a variable.
fn is_into(rest: &[Arg]) -> bool {
    rest.first()
        .and_then(Arg::text)
        .is_some_and(|it| it.starts_with("-v"))
}

/// Tells whether a word of a declaration only asks for a list.
fn is_listing(name: &str, arg: &Arg) -> bool {
    arg.text().is_some_and(|it| match name {
        "set" => false,
        "export" | "readonly" => matches!(it, "-p" | "-f" | "-n" | "-a" | "-A"),
        _ => {
            it.len() > 1
                && it.starts_with(['-', '+'])
                && it.chars().skip(1).all(|c| c.is_ascii_alphabetic())
        }
    })
}

/// Drops a leading `--`.
pub(crate) fn after_dashes(args: &[Arg]) -> &[Arg] {
    match args.split_first() {
        Some((first, rest)) if first.text() == Some("--") => rest,
        _ => args,
    }
}
