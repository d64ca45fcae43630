//! Functions, coprocesses and `!(`.

use super::commands::Simple;
use super::words::Mode;
use super::{Read, Reader, Stop};
use crate::tree::{Command, CommandKind, Coproc, Function, Id, Many, PartKind, Pipe, Word};

impl Reader<'_, '_> {
    /// Reads `()` and a body after a first word.
    pub(crate) fn function_or_error(&mut self, parts: Simple) -> Read<Command> {
        let single =
            parts.words.len() == 1 && parts.assignments.len() == 0 && parts.redirects.len() == 0;
        if !single {
            return self.fail("unexpected `(`");
        }
        self.bump();
        self.skip_blanks();
        if !self.eat(b')') && !self.cx.limited {
            return self.unexpected();
        }
        let words = parts.words.finish(self.cx);
        let Some(name) = words.ids().next() else {
            return self.fail("unexpected `(`");
        };
        let name = self.plain_name(name, parts.start)?;
        self.function_body(name, parts.start)
    }

    /// Returns the name of a function as it is written: bash expands neither braces nor a tilde in it.
    fn plain_name(&mut self, name: Id<Word>, start: usize) -> Read<Id<Word>> {
        let Some(word) = self.cx.store.words.get(name.index as usize).copied() else {
            return Ok(name);
        };
        let braces = word.parts.ids().any(|id| {
            let part = self.cx.store.parts.get(id.index as usize);
            part.is_some_and(|part| {
                matches!(
                    part.kind,
                    PartKind::Brace(_) | PartKind::Sequence(_) | PartKind::Tilde(_)
                )
            })
        });
        if !braces || self.cx.limited {
            return Ok(name);
        }
        let end = self.at;
        self.go(start);
        self.skip_blanks();
        let word = self.word(Mode::FunctionName)?;
        self.spend(self.at.saturating_sub(start));
        if !self.cx.limited {
            self.at = end;
        }
        Ok(self.keep_word(word))
    }

    pub(crate) fn function_body(&mut self, name: Id<Word>, start: usize) -> Read<Command> {
        self.skip_lines()?;
        let body = self.deeper(None, |reader| reader.compound_only().map(Some))?;
        let Some(body) = body else {
            return self.empty_command(start);
        };
        let body = self.keep_command(body);
        self.cx.store.functions.push(Function { name, body });
        let kind = CommandKind::Function(Id::new(self.cx.store.functions.len() - 1));
        Ok(Command {
            span: self.since(start),
            kind,
            redirects: Many::NONE,
            pipe: Pipe::None,
        })
    }

    /// Returns a command without content, where a limit cut it off.
    pub(crate) fn empty_command(&mut self, start: usize) -> Read<Command> {
        let kind = CommandKind::Simple {
            assignments: Many::NONE,
            words: Many::NONE,
        };
        Ok(Command {
            span: self.since(start),
            kind,
            redirects: Many::NONE,
            pipe: Pipe::None,
        })
    }

    /// Reads a compound command; a simple one is an error.
    pub(crate) fn compound_only(&mut self) -> Read<Command> {
        let start = self.at;
        if self.cur() == Some(b'(') {
            let kind = self.parentheses()?;
            return self.with_redirects(kind, start);
        }
        match self.reserved() {
            Some((word, end)) if word.begins_compound() => {
                self.go(end);
                self.compound(word, start)
            }
            Some(_) | None if self.cx.limited => self.empty_command(start),
            Some(_) | None => self.unexpected(),
        }
    }

    /// Reads `function NAME`; the word `function` is behind.
    pub(crate) fn function(&mut self, start: usize) -> Read<Command> {
        self.skip_blanks();
        let word = self.word(Mode::FunctionName)?;
        let name = self.keep_word(word);
        self.skip_blanks();
        if self.cur() == Some(b'(') {
            let mark = self.mark();
            self.bump();
            self.skip_blanks();
            if !self.eat(b')') {
                self.rewind(&mark);
            }
        }
        self.function_body(name, start)
    }

    /// Reads `coproc`; the word itself is behind.
    pub(crate) fn coproc(&mut self, start: usize) -> Read<Command> {
        self.skip_blanks();
        let mut name = None;
        if !self.compound_follows() && !self.assignment_follows() {
            let mark = self.mark();
            let word = self.word(Mode::Word).ok();
            self.skip_blanks();
            match word {
                Some(word) if self.compound_follows() => name = Some(self.keep_word(word)),
                Some(_) if self.reserved().is_some() => return self.unexpected(),
                Some(_) | None => self.rewind(&mark),
            }
        }
        self.declares = true;
        let body = self.deeper(None, |reader| reader.command().map(Some));
        self.declares = false;
        let Some(body) = body? else {
            return self.empty_command(start);
        };
        let body = self.keep_command(body);
        self.cx.store.coprocs.push(Coproc { name, body });
        let kind = CommandKind::Coproc(Id::new(self.cx.store.coprocs.len() - 1));
        Ok(Command {
            span: self.since(start),
            kind,
            redirects: Many::NONE,
            pipe: Pipe::None,
        })
    }

    pub(crate) fn assignment_follows(&self) -> bool {
        let next = self.name_end(self.at).map(|end| self.after(end - 1).0);
        matches!(next, Some(Some(b'=' | b'+' | b'[')))
    }

    pub(crate) fn compound_follows(&self) -> bool {
        self.cur() == Some(b'(')
            || self
                .reserved()
                .is_some_and(|(word, _)| word.begins_compound())
    }

    /// Reads `!(`, which is a pattern with extglob and a negated subshell without.
    pub(crate) fn bang_paren(&mut self) -> Read<Command> {
        let start = self.at;
        let before = self.mark();
        let pattern = self.simple(start);
        let end = self.at;
        let Ok(pattern) = pattern else {
            self.rewind(&before);
            return self.negated_subshell(start);
        };
        if self.cx.limited {
            return Ok(pattern);
        }
        let between = self.mark();
        let waiting = self.cx.pending.clone();
        self.cx.pending.retain(|doc| before.knows(doc));
        self.early = before.early();
        self.go(start);
        let subshell = self.negated_subshell(start);
        self.spend(end.saturating_sub(start));
        self.skip_blanks();
        let complete = subshell.is_ok() && self.cur().is_none_or(|byte| b"\n;&|)".contains(&byte));
        self.ambiguous(
            start,
            "`!(` is a pattern with extglob and a negated subshell without",
        );
        match subshell {
            Ok(subshell) if complete && (self.at == end || self.cx.limited) => {
                self.cx.store.commands.extend([pattern, subshell]);
                let readings = Many::new(self.cx.store.commands.len() - 2, 2);
                let kind = CommandKind::Either(readings);
                Ok(Command {
                    span: pattern.span,
                    kind,
                    redirects: Many::NONE,
                    pipe: Pipe::None,
                })
            }
            Ok(subshell) if complete && !self.cx.extglob => Ok(subshell),
            Err(stop @ Stop::NextLine { .. }) if !self.cx.extglob => Err(stop),
            Ok(_) | Err(_) => {
                self.rewind(&between);
                self.at = end;
                self.cx.pending = waiting;
                self.ambiguous(
                    start,
                    "`!(` is a pattern with extglob and a negated subshell without",
                );
                Ok(pattern)
            }
        }
    }

    pub(crate) fn negated_subshell(&mut self, start: usize) -> Read<Command> {
        self.bump();
        let kind = self.parentheses()?;
        self.with_redirects(kind, start)
    }
}
