//! Builtins that change the shell itself or run what they are given.

use belay_model::{Carries, Effect, Place, TroubleKind, Verb};

use crate::effects::payloads::join;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Does what a builtin does; `None` when the name is not one of those that need care.
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        args: &[Arg],
        state: &mut State,
        input: &Stream,
    ) -> Option<Stream> {
        let rest = args.get(1..).unwrap_or_default();
        let span = args.first().map(|it| it.span).unwrap_or_default();
        match name {
            "cd" | "chdir" => self.cd(rest, state),
            "pushd" => {
                state.stack.push(state.cwd.clone());
                self.cd(rest, state);
            }
            "popd" => {
                state.previous = state.cwd.take();
                state.cwd = state.stack.pop().flatten();
            }
            "set" | "export" | "declare" | "typeset"
                if rest.iter().all(|it| it.text() == Some("-p")) =>
            {
                self.emit(Effect::of(Verb::Read, ["environment"]).spanning(span));
                return Some(Stream::labelled(Carries::SECRET));
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declare(name, rest, state)
            }
            "unset" => self.unset(rest, state),
            "set" => self.set_options(rest, state),
            "shift" => shift(rest, state),
            "eval" => return Some(self.eval_words(rest, state, input)),
            "source" | "." => return Some(self.source(rest, state, input)),
            "exec" => return Some(self.exec(rest, state, input)),
            "command" | "builtin" | "noglob" | "nocorrect" => {
                return self.passed_on(name, rest, state, input);
            }
            "trap" => self.trap(rest, state),
            "read" | "mapfile" | "readarray" => self.reads(name, rest, (state, input)),
            "let" => {
                for arg in rest {
                    self.evaluated(&arg.val, state, arg.span);
                }
            }
            "test" | "[" => self.test_words(rest, state),
            "printf"
                if rest
                    .first()
                    .and_then(Arg::text)
                    .is_some_and(|it| it.starts_with("-v")) =>
            {
                self.printf_into(rest, state)
            }
            "getopts" => {
                if let Some(name) = rest.get(1) {
                    self.forget(name, Val::segment(), state);
                }
            }
            "alias" => {
                if rest
                    .iter()
                    .any(|it| it.text().is_none_or(|text| text.contains('=')))
                {
                    self.trouble(
                        TroubleKind::Ambiguous,
                        "an alias changes how the rest is read",
                        span,
                    );
                }
            }
            "shopt" => {
                if rest
                    .iter()
                    .any(|it| it.text().is_none_or(|text| text == "expand_aliases"))
                {
                    self.trouble(
                        TroubleKind::Ambiguous,
                        "aliases change how the rest is read",
                        span,
                    );
                }
            }
            "enable" | "bind" | "complete" | "compgen" | "compopt" | "hash" | "fc" | "history" => {
                self.odd(name, rest, span)
            }
            "wait" => self.waits(rest, state),
            "exit" | "return" | "break" | "continue" | ":" | "true" | "false" | "jobs" | "fg"
            | "bg" | "disown" | "times" | "umask" | "ulimit" | "dirs" | "type" | "unalias"
            | "help" | "caller" | "suspend" | "logout" => {}
            _ => return None,
        }
        Some(Stream::nothing())
    }

    fn cd(&mut self, rest: &[Arg], state: &mut State) {
        let target = rest.iter().find(|it| {
            !it.text()
                .is_some_and(|text| matches!(text, "-P" | "-L" | "-e" | "-@" | "--" | "-n"))
        });
        let before = state.cwd.clone();
        match target {
            None => {
                let home = self.variable("HOME", state).unwrap_or_else(Val::unknown);
                self.enter(&home, state);
            }
            Some(arg) if arg.text() == Some("-") => {
                let back = state.previous.clone();
                state.previous = state.cwd.take();
                state.cwd = back;
            }
            Some(arg) => {
                if state.variables.contains_key("CDPATH")
                    && !arg.text().is_some_and(|it| it.starts_with(['/', '.']))
                {
                    self.trouble(
                        TroubleKind::Unknown,
                        "CDPATH decides where this leads",
                        arg.span,
                    );
                }
                self.enter(&arg.val, state);
            }
        }
        state.perhaps = if before == state.cwd { None } else { before };
    }

    fn declare(&mut self, name: &str, rest: &[Arg], state: &mut State) {
        let mut evaluates = false;
        for arg in rest {
            if let Some(flags) = arg.text().filter(|it| it.starts_with(['-', '+'])) {
                evaluates |= flags.contains('i') || flags.contains('n');
                continue;
            }
            self.array_text(arg, state);
            if self.assign_text(arg, state) {
                let value = arg
                    .text()
                    .and_then(|it| it.split_once('='))
                    .map(|(_, value)| Val::known(value));
                if evaluates && let Some(value) = value {
                    self.evaluated(&value, state, arg.span);
                }
            } else if arg.text().is_none() {
                self.trouble(
                    TroubleKind::Unknown,
                    format!("`{name}` of a variable that is not known"),
                    arg.span,
                );
            } else {
                self.named(&arg.val, state, arg.span);
            }
        }
    }

    fn unset(&mut self, rest: &[Arg], state: &mut State) {
        for arg in rest {
            match arg.text() {
                Some(name) if name.starts_with('-') => {}
                Some(name) => {
                    state.functions.remove(name);
                    state.arrays.remove(name);
                    state.variables.insert(name.to_owned(), None);
                    let name = Val::known(name);
                    self.named(&name, state, arg.span);
                }
                None => self.trouble(
                    TroubleKind::Unknown,
                    "a variable that is not known is unset",
                    arg.span,
                ),
            }
        }
    }

    fn set_options(&mut self, rest: &[Arg], state: &mut State) {
        let mut words = rest.iter();
        while let Some(arg) = words.next() {
            match arg.text() {
                Some("--") => {
                    state.positional = Some(words.map(|it| it.val.clone()).collect());
                    return;
                }
                Some("-o" | "+o") => {
                    let option = words.next().and_then(Arg::text);
                    state.stops_on_failure |= option == Some("errexit") && arg.text() == Some("-o");
                }
                Some(flags) if flags.starts_with('-') => {
                    state.stops_on_failure |= flags.contains('e');
                    if flags.ends_with('o') {
                        words.next();
                    }
                }
                Some(flags) if flags.starts_with('+') => {
                    state.stops_on_failure &= !flags.contains('e')
                }
                _ => {
                    let first = arg.val.clone();
                    state.positional = Some(
                        std::iter::once(first)
                            .chain(words.map(|it| it.val.clone()))
                            .collect(),
                    );
                    return;
                }
            }
        }
    }

    fn eval_words(&mut self, rest: &[Arg], state: &mut State, input: &Stream) -> Stream {
        let rest = after_dashes(rest);
        let span = rest.first().map(|it| it.span).unwrap_or_default();
        let code = join(rest);
        match code.text() {
            Some(text) => {
                let text = text.to_owned();
                self.nested_at(&text, span, state, input)
            }
            None => {
                let fetched = if code.carries.holds(Carries::FETCHED) {
                    Carries::FETCHED
                } else {
                    Carries::NOTHING
                };
                self.emit(
                    Effect::of(Verb::Eval, ["text"])
                        .carrying(fetched)
                        .spanning(span),
                );
                Stream::labelled(Carries::UNKNOWN)
            }
        }
    }

    fn source(&mut self, rest: &[Arg], state: &mut State, input: &Stream) -> Stream {
        let rest = after_dashes(rest);
        let Some(file) = rest.first().cloned() else {
            return Stream::nothing();
        };
        if file
            .text()
            .is_some_and(|it| matches!(it, "/dev/stdin" | "/dev/fd/0" | "-"))
        {
            return self.sourced_input(&file, state, input);
        }
        let note = self.note_of(&file.val, state);
        let mut carries = file.val.carries;
        carries = note.map_or(carries, |it| carries.and(it.carries));
        let fetched = if carries.holds(Carries::FETCHED) {
            Carries::FETCHED
        } else {
            Carries::NOTHING
        };
        let place = match file.text() {
            Some(text) if !text.contains('/') => {
                self.place(&Val::known(format!("./{text}")), state.cwd.as_deref())
            }
            Some(text) if text.starts_with("/dev/fd/") => Place::Exact(text.to_owned()),
            _ => self.place(&file.val, state.cwd.as_deref()),
        };
        if !file.text().is_some_and(|it| it.starts_with("/dev/fd/")) || fetched != Carries::NOTHING
        {
            self.emit(
                Effect::on(Verb::Run, place)
                    .carrying(fetched)
                    .spanning(file.span),
            );
        }
        match self.script(&file.val, true, state) {
            Some(text) if self.calls.len() < 16 => {
                self.calls.push(file.text().unwrap_or_default().to_owned());
                let output = self.nested_at(&text, file.span, state, input);
                self.calls.pop();
                output
            }
            _ if file.text().is_some_and(|it| it.starts_with("/dev/fd/")) => {
                self.emit(
                    Effect::of(Verb::Eval, ["input"])
                        .carrying(fetched)
                        .spanning(file.span),
                );
                Stream::labelled(Carries::UNKNOWN)
            }
            _ => Stream::labelled(Carries::UNKNOWN),
        }
    }

    fn sourced_input(&mut self, file: &Arg, state: &mut State, input: &Stream) -> Stream {
        if let Some(text) = input.text.as_ref().and_then(Val::text) {
            let text = text.to_owned();
            return self.nested_at(&text, file.span, state, &Stream::terminal());
        }
        let fetched = if input.carries.holds(Carries::FETCHED) {
            Carries::FETCHED
        } else {
            Carries::NOTHING
        };
        self.emit(
            Effect::of(Verb::Eval, ["input"])
                .carrying(fetched)
                .spanning(file.span),
        );
        Stream::labelled(Carries::UNKNOWN)
    }

    fn exec(&mut self, rest: &[Arg], state: &mut State, input: &Stream) -> Stream {
        let mut words = rest;
        while let Some((first, more)) = words.split_first() {
            match first.text() {
                Some("-a") => words = more.get(1..).unwrap_or_default(),
                Some("-c" | "-l" | "-cl" | "-lc" | "--") => words = more,
                _ => break,
            }
        }
        if words.is_empty() {
            return Stream::nothing();
        }
        self.command(words.to_vec(), state, input)
    }

    /// `command X` and `builtin X` run X; `command -v X` only looks.
    fn passed_on(
        &mut self,
        name: &str,
        rest: &[Arg],
        state: &mut State,
        input: &Stream,
    ) -> Option<Stream> {
        let mut words = rest;
        while let Some((first, more)) = words.split_first() {
            match first.text() {
                Some("-v" | "-V" | "-pv" | "-pV") if name == "command" => {
                    return Some(Stream::of(Val::unknown()));
                }
                Some("-p" | "--") => words = more,
                _ => break,
            }
        }
        let mut inner = state.clone();
        if let Some(first) = words.first().and_then(Arg::text) {
            inner.functions.remove(first);
        }
        let output = self.command(words.to_vec(), &mut inner, input);
        let functions = std::mem::take(&mut state.functions);
        *state = inner;
        state.functions.extend(functions.take());
        Some(output)
    }

    fn trap(&mut self, rest: &[Arg], state: &mut State) {
        let rest = after_dashes(rest);
        let [code, signals @ ..] = rest else { return };
        if signals.is_empty() || matches!(code.text(), Some("" | "-" | "-l" | "-p")) {
            return;
        }
        match code.text() {
            Some(text) => {
                let text = text.to_owned();
                let only_exit = signals.iter().all(|it| {
                    matches!(
                        it.text(),
                        Some("EXIT" | "0" | "INT" | "TERM" | "HUP" | "QUIT")
                    )
                });
                if !only_exit {
                    let mut apart = state.clone();
                    self.nested_at(&text, code.span, &mut apart, &Stream::terminal());
                }
                state.traps.push(text);
            }
            None => self.emit(Effect::of(Verb::Eval, ["text"]).spanning(code.span)),
        }
    }

    fn reads(&mut self, name: &str, rest: &[Arg], (state, input): (&mut State, &Stream)) {
        let val = match (&input.text, input.paths.as_slice()) {
            (Some(text), _)
                if text
                    .text()
                    .is_some_and(|it| !it.trim_end().contains(['\n', ' '])) =>
            {
                Val::known(text.text().unwrap_or_default().trim_end())
            }
            (_, [path]) => path.clone(),
            _ => Val::unknown().carrying(input.carries),
        };
        if let Some(text) = &input.text {
            self.armed(text, state);
        }
        let mut words = rest.iter();
        let mut named = false;
        while let Some(arg) = words.next() {
            match arg.text() {
                Some(flag) if flag.starts_with('-') && flag.len() > 1 => {
                    if flag.contains('C') && name != "read" {
                        self.trouble(
                            TroubleKind::Unknown,
                            "a callback runs for each line",
                            arg.span,
                        );
                    }
                    if flag.ends_with('a') && name == "read" {
                        continue;
                    }
                    if flag.ends_with(['d', 'i', 'n', 'N', 'p', 't', 'u', 'c', 's', 'O'])
                        && !flag.ends_with("rs")
                        && flag != "-s"
                        && flag != "-rs"
                    {
                        words.next();
                    }
                }
                _ => {
                    named = true;
                    if name == "read" {
                        self.forget(arg, val.clone(), state);
                    } else if let Some(array) = arg.text() {
                        state.arrays.insert(array.to_owned(), vec![val.clone()]);
                    }
                }
            }
        }
        if !named {
            let default = if name == "read" { "REPLY" } else { "MAPFILE" };
            state.set(default, val);
        }
    }

    /// Builtins that rarely stand in scripts and can run or change things.
    fn odd(&mut self, name: &str, rest: &[Arg], span: belay_model::Span) {
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
    }
}

fn shift(rest: &[Arg], state: &mut State) {
    let count: usize = rest
        .first()
        .and_then(Arg::text)
        .and_then(|it| it.parse().ok())
        .unwrap_or(1);
    if let Some(values) = &mut state.positional {
        values.drain(..count.min(values.len()));
    }
}

/// Drops a leading `--`.
fn after_dashes(args: &[Arg]) -> &[Arg] {
    match args.split_first() {
        Some((first, rest)) if first.text() == Some("--") => rest,
        _ => args,
    }
}
