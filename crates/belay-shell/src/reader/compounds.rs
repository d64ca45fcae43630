//! Compound commands.

use super::lists::Reserved;
use super::rows::Row;
use super::words::Mode;
use super::{Read, Reader};
use crate::reader::arithmetic::ArithEnd;
use crate::tree::{
    Arith, Arm, Branch, Bytes, Case, Command, CommandKind, Dialect, For, ForArith, Id, List, Many,
    Pipe, Terminator, Word,
};

impl Reader<'_, '_> {
    /// Reads the compound command a reserved word begins; the word is behind.
    pub(crate) fn compound(&mut self, word: Reserved, start: usize) -> Read<Command> {
        let kind = match word {
            Reserved::If => self.if_command()?,
            Reserved::While => CommandKind::While(self.loop_command()?),
            Reserved::Until => CommandKind::Until(self.loop_command()?),
            Reserved::For => self.for_command()?,
            Reserved::Select => CommandKind::Select(self.for_words()?),
            Reserved::Case => self.case_command()?,
            Reserved::OpenBrace => self.group()?,
            Reserved::Test => self.test_command(start)?,
            Reserved::Function => return self.function(start),
            Reserved::Coproc => return self.coproc(start),
            Reserved::Bang
            | Reserved::Time
            | Reserved::Then
            | Reserved::Elif
            | Reserved::Else
            | Reserved::Fi
            | Reserved::Do
            | Reserved::Done
            | Reserved::Esac
            | Reserved::CloseBrace
            | Reserved::TestEnd
            | Reserved::In => return self.fail("unexpected reserved word"),
        };
        self.with_redirects(kind, start)
    }

    fn if_command(&mut self) -> Read<CommandKind> {
        let mut branches = Row::new();
        let mut otherwise = List::NONE;
        loop {
            let condition = self.list("`if` needs a condition")?;
            self.expect_reserved(Reserved::Then, "`then` is missing")?;
            let body = self.list("`then` needs a command")?;
            branches.push(self.cx, Branch { condition, body });
            if !self.eat_reserved(Reserved::Elif) {
                break;
            }
        }
        if self.eat_reserved(Reserved::Else) {
            otherwise = self.list("`else` needs a command")?;
        }
        self.expect_reserved(Reserved::Fi, "`fi` is missing")?;
        Ok(CommandKind::If {
            branches: branches.finish(self.cx),
            otherwise,
        })
    }

    fn loop_command(&mut self) -> Read<Id<Branch>> {
        let condition = self.list("a loop needs a condition")?;
        let body = self.do_done()?;
        self.cx.store.branches.push(Branch { condition, body });
        Ok(Id::new(self.cx.store.branches.len() - 1))
    }

    fn do_done(&mut self) -> Read<List> {
        self.expect_reserved(Reserved::Do, "`do` is missing")?;
        let body = self.list("`do` needs a command")?;
        self.expect_reserved(Reserved::Done, "`done` is missing")?;
        Ok(body)
    }

    /// Reads `do ... done` or the undocumented `{ ... }`.
    fn loop_body(&mut self) -> Read<List> {
        self.skip_lines()?;
        if !self.eat_reserved(Reserved::OpenBrace) {
            return self.do_done();
        }
        let body = self.list("`{` needs a command")?;
        self.expect_reserved(Reserved::CloseBrace, "`}` is missing")?;
        Ok(body)
    }

    fn group(&mut self) -> Read<CommandKind> {
        let list = self.list("`{` needs a command")?;
        self.expect_reserved(Reserved::CloseBrace, "`}` is missing")?;
        Ok(CommandKind::Group(list))
    }

    fn for_command(&mut self) -> Read<CommandKind> {
        self.skip_blanks();
        if self.cur() == Some(b'(') && self.peek() == Some(b'(') {
            return self.for_arith();
        }
        Ok(CommandKind::For(self.for_words()?))
    }

    fn for_arith(&mut self) -> Read<CommandKind> {
        self.bump();
        self.bump();
        let close = self.matching_parenthesis()?;
        if self.cx.limited {
            return Ok(CommandKind::Arith(Arith::NONE));
        }
        if self.after(close).0 != Some(b')') {
            return self.fail("`))` is missing");
        }
        let [init, condition, step] = self.within(close, Self::clauses)?;
        if !self.cx.limited {
            let (_, second) = self.after(close);
            self.go(second + 1);
        }
        self.skip_blanks();
        if self.cur() == Some(b';') && self.peek() != Some(b';') {
            self.bump();
        }
        let body = self.loop_body()?;
        self.cx.store.arith_fors.push(ForArith {
            init,
            condition,
            step,
            body,
        });
        Ok(CommandKind::ForArith(Id::new(
            self.cx.store.arith_fors.len() - 1,
        )))
    }

    /// Reads the three clauses of `for ((`.
    fn clauses(&mut self) -> Read<[Arith; 3]> {
        let init = self.arith(ArithEnd::Clause)?;
        self.expect(b';', "`;` is missing in `for ((`")?;
        let condition = self.arith(ArithEnd::Clause)?;
        self.expect(b';', "`;` is missing in `for ((`")?;
        let step = self.arith(ArithEnd::Clause)?;
        if self.cur().is_some() && !self.cx.limited {
            self.fail("too many clauses in `for ((`")
        } else {
            Ok([init, condition, step])
        }
    }

    /// Reads `NAME in ...; do ...; done`.
    fn for_words(&mut self) -> Read<Id<For>> {
        self.skip_blanks();
        let word = self.word(Mode::Plain)?;
        let name = self.word_bytes(&word);
        let mut items = None;
        self.skip_blanks();
        let mut separated = self.cur() == Some(b'\n');
        self.skip_lines()?;
        if self.eat_reserved(Reserved::In) {
            items = Some(self.for_items()?);
            separated = true;
        } else if self.cur() == Some(b';') && self.peek() != Some(b';') {
            self.bump();
            separated = true;
        }
        let body = if separated {
            self.loop_body()?
        } else {
            self.do_done()?
        };
        self.cx.store.fors.push(For { name, items, body });
        Ok(Id::new(self.cx.store.fors.len() - 1))
    }

    fn for_items(&mut self) -> Read<Many<Word>> {
        let mut row = Row::new();
        loop {
            self.skip_blanks();
            match self.cur() {
                None => break,
                Some(b'\n') => break,
                Some(b';') => {
                    self.bump();
                    break;
                }
                Some(b'<' | b'>') if self.peek() == Some(b'(') => {}
                Some(b'&' | b'|' | b'(' | b')' | b'<' | b'>') => {
                    return self.fail("unexpected token after `in`");
                }
                Some(_) => {}
            }
            let word = self.word(Mode::Word)?;
            row.push(self.cx, word);
        }
        Ok(row.finish(self.cx))
    }

    /// Returns the literal bytes of a word, or its source.
    pub(crate) fn word_bytes(&mut self, word: &Word) -> Bytes {
        let text = self.static_text(word);
        let from = self.cx.store.pool.len();
        self.cx.store.pool.extend_from_slice(&text);
        self.pooled(from)
    }

    fn case_command(&mut self) -> Read<CommandKind> {
        self.skip_blanks();
        let word = self.word(Mode::Plain)?;
        let subject = self.keep_word(word);
        self.skip_lines()?;
        self.expect_reserved(Reserved::In, "`in` is missing")?;
        let arms = self.deeper(Many::NONE, Self::arms)?;
        self.expect_reserved(Reserved::Esac, "`esac` is missing")?;
        self.cx.store.cases.push(Case { subject, arms });
        Ok(CommandKind::Case(Id::new(self.cx.store.cases.len() - 1)))
    }

    fn arms(&mut self) -> Read<Many<Arm>> {
        let mut row = Row::new();
        loop {
            self.skip_lines()?;
            if self.cur().is_none()
                || self
                    .reserved()
                    .is_some_and(|(word, _)| word == Reserved::Esac)
            {
                break;
            }
            let (arm, last) = self.arm()?;
            row.push(self.cx, arm);
            if last {
                break;
            }
        }
        self.skip_lines()?;
        Ok(row.finish(self.cx))
    }

    /// Reads one arm; true when no terminator follows, so that it is the last.
    fn arm(&mut self) -> Read<(Arm, bool)> {
        let start = self.at;
        if self.eat(b'(') {
            self.skip_blanks();
        }
        let patterns = self.patterns()?;
        let body = self.list_or_nothing()?;
        let mut terminator = Terminator::Break;
        let mut last = true;
        if self.eat(b';') {
            last = false;
            if self.eat(b'&') {
                terminator = Terminator::FallThrough;
            } else {
                self.expect(b';', "`;;` is missing")?;
                if self.eat(b'&') {
                    terminator = Terminator::TestNext;
                }
            }
        }
        Ok((
            Arm {
                span: self.since(start),
                patterns,
                body,
                terminator,
            },
            last,
        ))
    }

    fn patterns(&mut self) -> Read<Many<Word>> {
        let mut row = Row::new();
        loop {
            self.skip_blanks();
            let word = self.word(Mode::Plain)?;
            row.push(self.cx, word);
            self.skip_blanks();
            if self.cur() == Some(b'|') && self.peek() != Some(b'|') {
                self.bump();
                continue;
            }
            self.expect(b')', "`)` is missing after a pattern")?;
            return Ok(row.finish(self.cx));
        }
    }

    /// Reads `((...))` or `(...)`; bash decides by what follows the parenthesis that matches the second one.
    pub(crate) fn parentheses(&mut self) -> Read<CommandKind> {
        let start = self.at;
        self.bump();
        if self.cur() == Some(b'(') {
            let second = self.at;
            if second != start + 1 && self.cx.dialect == Dialect::Zsh {
                self.ambiguous(start, "`((` over two lines, which is a subshell in zsh");
            }
            self.bump();
            let close = self.matching_parenthesis()?;
            if self.cx.limited {
                return Ok(CommandKind::Arith(Arith::NONE));
            }
            if self.after(close).0 == Some(b')') {
                let arith = self.arith_until(close)?;
                self.eat(b')');
                self.eat(b')');
                if self.cx.dialect != Dialect::Sh || self.cx.limited {
                    return Ok(CommandKind::Arith(arith));
                }
                return self.arith_or_subshell(CommandKind::Arith(arith), start);
            }
            self.spend(close - second);
            if self.src.get(close + 1) == Some(&b'\n') {
                self.ambiguous(start, "`((` that bash refuses when a line ends after it");
            }
            self.go(second);
            return self.pushed_subshell(close);
        }
        let list = self.list("`(` needs a command")?;
        self.expect(b')', "`)` is missing")?;
        Ok(CommandKind::Subshell(list))
    }

    /// Reads the subshell that `((` turned out to be. Bash reads it from a copy of its text, and the bodies of
    /// here-documents from what comes after.
    fn pushed_subshell(&mut self, close: usize) -> Read<CommandKind> {
        let outer = std::mem::replace(&mut self.bodies_after, close);
        let list = self.list("`(` needs a command");
        self.bodies_after = outer;
        let list = list?;
        self.expect(b')', "`)` is missing")?;
        Ok(CommandKind::Subshell(list))
    }

    /// Adds the reading of a shell that does not know `((`.
    fn arith_or_subshell(&mut self, arith: CommandKind, start: usize) -> Read<CommandKind> {
        let end = self.at;
        let mark = self.mark();
        self.go(start);
        self.bump();
        self.spend(end.saturating_sub(start));
        let inner = self.list("`(` needs a command");
        let inner = inner.and_then(|list| self.expect(b')', "`)` is missing").map(|()| list));
        match inner {
            Ok(list) if self.at == end || self.cx.limited => {
                let span = self.span(start, end);
                for kind in [arith, CommandKind::Subshell(list)] {
                    self.cx.store.commands.push(Command {
                        span,
                        kind,
                        redirects: Many::NONE,
                        pipe: Pipe::None,
                    });
                }
                self.dialect(
                    start,
                    "`((` is arithmetic in bash and nested subshells in other shells",
                );
                Ok(CommandKind::Either(Many::new(
                    self.cx.store.commands.len() - 2,
                    2,
                )))
            }
            Ok(_) | Err(_) => {
                self.rewind(&mark);
                self.at = end;
                Ok(arith)
            }
        }
    }
}
