//! Scripts and tasks: what they hold is judged as if it were written in the call.

use belay_model::{Answer, At, Carries, Effect, How, Question, Span, Verb};

use crate::acts::Flows;
use crate::state::State;
use crate::stream::Stream;
use crate::value::{Arg, Val};
use crate::walk::Walker;

/// How many bytes of a script are read.
const SCRIPT: u32 = 256 * 1024;

impl Walker<'_> {
    /// Runs a file: names it, and reads it when it is a script of the shell.
    pub(crate) fn run_file(
        &mut self,
        (file, shell): (&Val, bool),
        args: &[Arg],
        state: &mut State,
        input: &Stream,
    ) -> Stream {
        let span = args.first().map(|it| it.span).unwrap_or_default();
        let note = self.note_of(file, state);
        let mut carries = note.as_ref().map_or(Carries::NOTHING, |it| it.carries);
        if file.carries.holds(Carries::FETCHED) || self.was_fetched(file, state) {
            carries = carries.and(Carries::FETCHED);
        }
        let fetched = if carries.holds(Carries::FETCHED) {
            Carries::FETCHED
        } else {
            Carries::NOTHING
        };
        let place = self.place(file, state.cwd.as_deref());
        self.emit(
            Effect::on(Verb::Run, place)
                .how(How::Plain)
                .carrying(fetched)
                .spanning(span),
        );
        if let Some(text) = self.script(file, shell, state) {
            let mut child = state.clone();
            child.positional = None;
            let path = file.text().unwrap_or_default().to_owned();
            if !self.calls.contains(&path) {
                self.calls.push(path);
                let output = self.nested_at(&text, span, &mut child, input);
                self.calls.pop();
                state.files = child.files;
                return output;
            }
        }
        Stream::labelled(Carries::UNKNOWN)
    }

    fn was_fetched(&self, file: &Val, state: &State) -> bool {
        let Some(path) = file.text().and_then(|it| self.absolute(it, state)) else {
            return false;
        };
        matches!(self.scene.frame.world.ask(&Question::Provenance(path)), Answer::Name(it) if it == "fetched")
    }

    /// Returns the text of a file, when it is a script of the shell that can be read.
    pub(crate) fn script(&self, file: &Val, shell: bool, state: &State) -> Option<String> {
        if self.at != At::Here {
            return None;
        }
        let path = self.absolute(file.text()?, state)?;
        let text = match state.files.get(&path) {
            Some(note) => note.text.clone()?,
            None => match self
                .scene
                .frame
                .world
                .ask(&Question::Text(path.clone(), SCRIPT))
            {
                Answer::Text(bytes, true) => String::from_utf8(bytes).ok()?,
                _ => return None,
            },
        };
        (shell || is_shell(&path, &text)).then_some(text)
    }

    /// Runs a task of the project.
    pub(crate) fn task(
        &mut self,
        (tool, name): (&str, &Val),
        span: Span,
        (_, flows): (&mut State, &mut Flows<'_>),
    ) {
        let name = name.text().unwrap_or("?").to_owned();
        self.emit(
            Effect::of(Verb::Run, [tool.to_owned(), name])
                .how(How::Task)
                .spanning(span),
        );
        flows.output = Some(Stream::labelled(Carries::UNKNOWN));
    }
}

/// Tells whether a file is a shell script, by its first line or its name.
fn is_shell(path: &str, text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    if let Some(program) = first.strip_prefix("#!") {
        let words = program
            .split_whitespace()
            .map(|it| it.rsplit('/').next().unwrap_or(it));
        return words
            .filter(|it| *it != "env" && !it.starts_with('-'))
            .take(1)
            .any(|it| matches!(it, "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash"));
    }
    path.ends_with(".sh") || path.ends_with(".bash")
}
