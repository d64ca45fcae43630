//! Simple commands, assignments, functions, coprocesses.

use super::chars::{ends_word, is_letter, is_name};
use super::lists::Reserved;
use super::rows::Row;
use super::words::Mode;
use super::{Read, Reader, Stop};
use crate::tree::{
    Assigned, Assignment, Command, CommandKind, Dialect, Element, Id, Many, Part, PartKind, Pipe,
    Redirect, Subscript, Word,
};

/// What a simple command is made of while it is read.
pub(crate) struct Simple {
    pub(crate) start: usize,
    pub(crate) assignments: Row<Assignment>,
    pub(crate) words: Row<Word>,
    pub(crate) redirects: Row<Redirect>,
    /// Whether the first word is one whose arguments may be `NAME=(...)`.
    declares: bool,
    /// A redirection came after an assignment: bash then takes no word for a declaration.
    broken: bool,
}

impl Reader<'_, '_> {
    /// Tells whether the text is for zsh.
    pub(crate) fn zsh(&self) -> bool {
        self.cx.dialect == Dialect::Zsh
    }

    /// Reads one command with its redirections.
    pub(crate) fn command(&mut self) -> Read<Command> {
        let start = self.at;
        if let Some((word, end)) = self.reserved() {
            if word == Reserved::Bang && self.src.get(end) == Some(&b'(') {
                return self.bang_paren();
            }
            if word != Reserved::Time {
                self.go(end);
                return self.compound(word, start);
            }
            if self.zsh() {
                self.dialect(
                    start,
                    "`time` is a keyword in the middle of a pipeline in zsh",
                );
            }
        }
        if self.cur() == Some(b'(') {
            let kind = self.parentheses()?;
            return self.with_redirects(kind, start);
        }
        self.simple(start)
    }

    /// Reads the redirections after a compound command.
    pub(crate) fn with_redirects(&mut self, kind: CommandKind, start: usize) -> Read<Command> {
        let mut end = self.at;
        let mut redirects = Row::new();
        loop {
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(self.cx, redirect),
                None => break,
            }
            end = self.at;
        }
        let redirects = redirects.finish(self.cx);
        Ok(Command {
            span: self.span(start, end),
            kind,
            redirects,
            pipe: Pipe::None,
        })
    }

    /// Reads words, assignments and redirections.
    pub(crate) fn simple(&mut self, start: usize) -> Read<Command> {
        let mut parts = Simple {
            start,
            assignments: Row::new(),
            words: Row::new(),
            redirects: Row::new(),
            declares: std::mem::take(&mut self.declares),
            broken: false,
        };
        let mut end = self.at;
        loop {
            self.skip_blanks();
            let Some(byte) = self.cur() else { break };
            let more = match byte {
                b'\n' | b';' | b'|' | b')' => break,
                b'(' => return self.function_or_error(parts),
                b'&' if self.peek() != Some(b'>') => break,
                b'<' | b'>' if self.peek() == Some(b'(') => None,
                b'&' | b'<' | b'>' | b'{' | b'0'..=b'9' => self.redirect()?,
                _ => None,
            };
            match more {
                Some(redirect) => {
                    parts.broken |= parts.assignments.len() > 0;
                    parts.redirects.push(self.cx, redirect);
                }
                None => self.assignment_or_word(&mut parts)?,
            }
            end = self.at;
        }
        self.finish_simple(parts, end)
    }

    fn finish_simple(&mut self, parts: Simple, end: usize) -> Read<Command> {
        let early = parts.redirects.len() > 0 && parts.assignments.len() == 0;
        let kind = CommandKind::Simple {
            assignments: parts.assignments.finish(self.cx),
            words: parts.words.finish(self.cx),
        };
        let redirects = parts.redirects.finish(self.cx);
        if end == parts.start && !self.cx.limited {
            return self.fail("a command is missing");
        }
        self.note_shell_state(&kind);
        if early {
            self.check_reserved(&kind, parts.start);
        }
        Ok(Command {
            span: self.span(parts.start, end),
            kind,
            redirects,
            pipe: Pipe::None,
        })
    }

    /// Notes a reserved word after a redirection. It is an ordinary one, but bash keeps a substitution as text that it
    /// writes itself, with the redirection at the end, and there the word is reserved.
    fn check_reserved(&mut self, kind: &CommandKind, start: usize) {
        let CommandKind::Simple { words, .. } = kind else {
            return;
        };
        let first = words.ids().next();
        let word = first.and_then(|id| self.cx.store.words.get(id.index as usize).copied());
        let Some(word) = word else { return };
        let quoted = word.parts.ids().any(|id| {
            let part = self.cx.store.parts.get(id.index as usize);
            part.is_some_and(|part| part.quoted)
        });
        if !quoted && Reserved::find(&self.static_text(&word)).is_some() {
            self.ambiguous(start, "a reserved word after a redirection");
        }
    }

    fn assignment_or_word(&mut self, parts: &mut Simple) -> Read<()> {
        if parts.words.len() == 0 {
            match self.assignment()? {
                Prefix::Assignment(assignment) => {
                    parts.assignments.push(self.cx, assignment);
                    return Ok(());
                }
                Prefix::Word(word) => {
                    parts.words.push(self.cx, word);
                    return Ok(());
                }
                Prefix::Neither => {}
            }
        }
        let mode = if parts.declares {
            Mode::Declared
        } else {
            Mode::Word
        };
        let word = self.word(mode)?;
        if parts.words.len() == 0 {
            parts.declares |= !parts.broken && self.is_declaration(&word);
            self.check_command_word(&word);
        }
        parts.words.push(self.cx, word);
        Ok(())
    }

    /// Tells whether the arguments of a command may be `NAME=(...)`; bash looks at the word before quotes go.
    fn is_declaration(&self, word: &Word) -> bool {
        let plain = word
            .parts
            .ids()
            .next()
            .and_then(|id| self.cx.store.parts.get(id.index as usize));
        let Some(Part {
            kind: PartKind::Text(bytes),
            quoted: false,
            ..
        }) = plain
        else {
            return false;
        };
        let names: [&[u8]; 8] = [
            b"declare",
            b"typeset",
            b"local",
            b"export",
            b"readonly",
            b"alias",
            b"eval",
            b"let",
        ];
        word.parts.len() == 1 && names.contains(&self.bytes_of(*bytes))
    }

    /// Reads `NAME=`, `NAME+=` or `NAME[...]=` and what follows, or a word that only begins like one.
    pub(crate) fn assignment(&mut self) -> Read<Prefix> {
        let start = self.at;
        let Some(name_end) = self.name_end(start) else {
            return Ok(Prefix::Neither);
        };
        let (next, _) = self.after(name_end - 1);
        match next {
            Some(b'=') => {}
            Some(b'+') if self.after(self.after(name_end - 1).1).0 == Some(b'=') => {}
            Some(b'[') => return self.element_assignment(start, name_end),
            _ => return Ok(Prefix::Neither),
        }
        self.go(name_end);
        let append = self.eat(b'+');
        self.bump();
        let name = self.literal(start, name_end, 0);
        self.assigned(
            start,
            Target {
                name,
                subscript: None,
                append,
            },
        )
        .map(Prefix::Assignment)
    }

    /// Returns where the name that begins at a place ends, if there is one.
    pub(crate) fn name_end(&self, start: usize) -> Option<usize> {
        if !is_letter(*self.src.get(start)?) {
            return None;
        }
        let mut at = start;
        loop {
            let (next, place) = self.after(at);
            if !next.is_some_and(is_name) {
                return Some(at + 1);
            }
            at = place;
        }
    }

    /// Reads `NAME[...]` where bash takes everything up to the bracket, and then `=` or the rest of a word.
    fn element_assignment(&mut self, start: usize, name_end: usize) -> Read<Prefix> {
        self.go(name_end);
        let subscript = self.subscript()?;
        let append = self.cur() == Some(b'+') && self.peek() == Some(b'=');
        if append {
            self.bump();
        }
        if self.eat(b'=') {
            let name = self.literal(start, name_end, 0);
            return self
                .assigned(
                    start,
                    Target {
                        name,
                        subscript: Some(subscript),
                        append,
                    },
                )
                .map(Prefix::Assignment);
        }
        self.bracket_word(start, subscript).map(Prefix::Word)
    }

    /// Reads the right side of an assignment.
    fn assigned(&mut self, start: usize, target: Target) -> Read<Assignment> {
        let value = if self.cur() == Some(b'(') {
            self.array_value()?
        } else {
            let word = self.word_or_empty(Mode::Value)?;
            Assigned::Word(self.keep_word(word))
        };
        let Target {
            name,
            subscript,
            append,
        } = target;
        Ok(Assignment {
            span: self.since(start),
            name,
            subscript,
            append,
            value,
        })
    }

    /// Reads `( ... )`; when a word goes on directly behind it, the whole is one word to bash.
    fn array_value(&mut self) -> Read<Assigned> {
        let start = self.at;
        self.bump();
        let elements = self.array()?;
        if ends_word(self.cur()) {
            return Ok(Assigned::Array(elements));
        }
        if self.zsh() {
            self.dialect(
                start,
                "what follows an array directly is a word of its own in zsh",
            );
        }
        let mut parts = Row::new();
        let span = self.since(start);
        parts.push(
            self.cx,
            Part {
                span,
                kind: PartKind::Array(elements),
                quoted: false,
            },
        );
        let word = self.word_rest(start, parts, Mode::Value)?;
        Ok(Assigned::Word(self.keep_word(word)))
    }

    /// Reads the elements of `( ... )`, the opening parenthesis is behind.
    pub(crate) fn array(&mut self) -> Read<Many<Element>> {
        self.deeper(Many::NONE, |reader| {
            let mut row = Row::new();
            loop {
                reader.skip_lines()?;
                match reader.cur() {
                    Some(b')') => break,
                    None if reader.cx.limited => break,
                    None => return reader.fail("an array is not closed"),
                    Some(_) => {
                        let element = reader.element()?;
                        row.push(reader.cx, element);
                    }
                }
            }
            reader.bump();
            Ok(row.finish(reader.cx))
        })
    }

    fn element(&mut self) -> Read<Element> {
        let start = self.at;
        if self.cur() != Some(b'[') {
            if matches!(self.cur(), Some(b'(' | b';' | b'&' | b'|'))
                || matches!(self.cur(), Some(b'<' | b'>')) && self.peek() != Some(b'(')
            {
                let _: Read<()> = self.fail("unexpected token in an array");
                let in_parentheses = self.in_parentheses;
                return Err(Stop::NextLine { in_parentheses });
            }
            let word = self.word(Mode::Word)?;
            let value = self.keep_word(word);
            return Ok(Element {
                span: self.since(start),
                subscript: None,
                append: false,
                value,
            });
        }
        let subscript = self.subscript()?;
        let append = self.cur() == Some(b'+') && self.peek() == Some(b'=');
        if append {
            self.bump();
        }
        if self.eat(b'=') {
            let word = self.word_or_empty(Mode::Value)?;
            let value = self.keep_word(word);
            return Ok(Element {
                span: self.since(start),
                subscript: Some(subscript),
                append,
                value,
            });
        }
        let word = self.bracket_word(start, subscript)?;
        let value = self.keep_word(word);
        Ok(Element {
            span: self.since(start),
            subscript: None,
            append: false,
            value,
        })
    }

    /// Puts a word into the tree on its own.
    pub(crate) fn keep_word(&mut self, word: Word) -> Id<Word> {
        self.cx.store.words.push(word);
        Id::new(self.cx.store.words.len() - 1)
    }

    /// Puts a command into the tree on its own.
    pub(crate) fn keep_command(&mut self, command: Command) -> Id<Command> {
        self.cx.store.commands.push(command);
        Id::new(self.cx.store.commands.len() - 1)
    }
}

/// What an assignment assigns to.
struct Target {
    name: crate::tree::Bytes,
    subscript: Option<Id<Subscript>>,
    append: bool,
}

/// What was found where an assignment could stand.
pub(crate) enum Prefix {
    Assignment(Assignment),
    Word(Word),
    Neither,
}
