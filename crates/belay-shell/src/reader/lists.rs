//! Lists and pipelines.

use super::rows::Row;
use super::words::Mode;
use super::{Read, Reader, Stop};
use crate::tree::{Command, Entry, Joiner, List, Many, Pipe, Timed};

/// A word that is reserved in command position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reserved {
    Bang,
    Time,
    If,
    Then,
    Elif,
    Else,
    Fi,
    For,
    While,
    Until,
    Do,
    Done,
    Case,
    Esac,
    Select,
    Function,
    Coproc,
    OpenBrace,
    CloseBrace,
    Test,
    TestEnd,
    In,
}

impl Reserved {
    pub(crate) fn find(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"!" => Self::Bang,
            b"time" => Self::Time,
            b"if" => Self::If,
            b"then" => Self::Then,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"fi" => Self::Fi,
            b"for" => Self::For,
            b"while" => Self::While,
            b"until" => Self::Until,
            b"do" => Self::Do,
            b"done" => Self::Done,
            b"case" => Self::Case,
            b"esac" => Self::Esac,
            b"select" => Self::Select,
            b"function" => Self::Function,
            b"coproc" => Self::Coproc,
            b"{" => Self::OpenBrace,
            b"}" => Self::CloseBrace,
            b"[[" => Self::Test,
            b"]]" => Self::TestEnd,
            b"in" => Self::In,
            _ => return None,
        })
    }

    /// Tells whether the word begins a compound command.
    pub(crate) fn begins_compound(self) -> bool {
        use Reserved::*;
        match self {
            If | For | While | Until | Case | Select | OpenBrace | Test => true,
            Then | Elif | Else | Fi | Do | Done | Esac | CloseBrace | Bang | Time | Function
            | Coproc | TestEnd | In => false,
        }
    }

    /// Tells whether the word ends a list.
    fn closes(self) -> bool {
        use Reserved::*;
        match self {
            Then | Elif | Else | Fi | Do | Done | Esac | CloseBrace => true,
            Bang | Time | If | For | While | Until | Case | Select | Function | Coproc
            | OpenBrace | Test | TestEnd | In => false,
        }
    }
}

impl Reader<'_, '_> {
    /// Returns the reserved word under the cursor and where it ends.
    pub(crate) fn reserved(&self) -> Option<(Reserved, usize)> {
        if !matches!(
            self.cur(),
            Some(b'!' | b'[' | b']' | b'a'..=b'z' | b'{' | b'}')
        ) {
            return None;
        }
        let mut word = [0u8; 8];
        let mut length = 0;
        let mut at = self.at;
        let mut next = self.cur();
        while let Some(byte @ (b'!' | b'[' | b']' | b'a'..=b'z' | b'{' | b'}')) = next {
            *word.get_mut(length)? = byte;
            length += 1;
            (next, at) = self.after(at);
        }
        // A process substitution goes on with the word.
        let process = matches!(next, Some(b'<' | b'>')) && self.after(at).0 == Some(b'(');
        if process || !super::chars::ends_word(next) {
            return None;
        }
        Some((Reserved::find(word.get(..length)?)?, at))
    }

    /// Moves past a reserved word that must be there.
    pub(crate) fn expect_reserved(&mut self, wanted: Reserved, what: &'static str) -> Read<()> {
        match self.reserved() {
            Some((found, end)) if found == wanted => {
                self.go(end);
                Ok(())
            }
            _ if self.cx.limited => Ok(()),
            _ => self.fail(what),
        }
    }

    /// Moves past a reserved word if it is there.
    pub(crate) fn eat_reserved(&mut self, wanted: Reserved) -> bool {
        match self.reserved() {
            Some((found, end)) if found == wanted => {
                self.go(end);
                true
            }
            _ => false,
        }
    }

    /// Moves past spaces, tabs and a comment.
    #[inline]
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.cur() {
            self.bump();
        }
        if self.cur() == Some(b'#') {
            let rest = self.src.get(self.at..).unwrap_or_default();
            self.at += rest
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len());
        }
    }

    /// Moves past blanks, comments and line ends, reading pending here-documents.
    pub(crate) fn skip_lines(&mut self) -> Read<()> {
        loop {
            self.skip_blanks();
            if self.loose && matches!(self.cur(), Some(b';' | b'&' | b'|')) {
                self.loose = false;
                while matches!(self.cur(), Some(b';' | b'&' | b'|')) {
                    self.bump();
                }
                continue;
            }
            self.skip_stray();
            if self.cur() != Some(b'\n') {
                return Ok(());
            }
            self.line_end()?;
        }
    }

    /// Moves past semicolons that end nothing: zsh takes them where a command may stand.
    fn skip_stray(&mut self) {
        while self.zsh()
            && self.cur() == Some(b';')
            && !matches!(self.peek(), Some(b';' | b'&' | b'|'))
        {
            self.bump();
            self.skip_blanks();
        }
    }

    /// Moves past a line end and the here-documents that begin after it.
    pub(crate) fn line_end(&mut self) -> Read<()> {
        self.at += 1;
        if self.cx.pending.len() > self.pending_base {
            if self.at <= self.bodies_after {
                self.ambiguous(self.at - 1, "a here-document inside `((`");
                self.go(self.at);
                return Ok(());
            }
            self.read_heredocs()?;
        }
        self.go(self.at);
        Ok(())
    }

    /// Reads a whole source. What stands in complete lines before an error is kept, because bash runs it.
    pub(crate) fn script(&mut self) -> List {
        let mut row = Row::new();
        loop {
            let (kept, mark) = (row.len(), self.mark());
            match self.script_line(&mut row) {
                Ok(true) => self.cx.extglob |= self.cx.extglob_next,
                Ok(false) => break,
                Err(stop) => {
                    row.cut(self.cx, kept);
                    let list = row.finish(self.cx);
                    self.reset(&mark);
                    let Stop::NextLine { in_parentheses } = stop else {
                        self.at = self.src.len();
                        return list;
                    };
                    self.stray_parenthesis |= in_parentheses;
                    row = Row::again(self.cx, list);
                    self.next_line();
                }
            }
        }
        row.finish(self.cx)
    }

    /// Moves to the start of the next line.
    fn next_line(&mut self) {
        let rest = self.src.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(rest.len(), |length| length + 1);
        self.go(self.at + length);
    }

    /// Reads one line, which may hold several commands; false at the end of the text.
    fn script_line(&mut self, row: &mut Row<Entry>) -> Read<bool> {
        self.skip_lines()?;
        if self.cur().is_none() {
            return Ok(false);
        }
        if self.stray_parenthesis && self.eat(b')') {
            return Ok(true);
        }
        self.commands_of_line(row)?;
        if self.stray_parenthesis && self.eat(b')') {
            return Ok(true);
        }
        if self.cur() == Some(b'\n') {
            row.last(self.cx, |entry| {
                if entry.joiner == Joiner::End {
                    entry.joiner = Joiner::Newline;
                }
            });
            self.line_end()?;
            return Ok(true);
        }
        if self.cur().is_some() {
            self.unexpected()
        } else {
            Ok(false)
        }
    }

    /// Reads commands up to a line end or to what ends the list, which is not consumed.
    fn commands_of_line(&mut self, row: &mut Row<Entry>) -> Read<()> {
        loop {
            let mut entry = self.pipeline()?;
            self.skip_blanks();
            entry.joiner = self.joiner()?;
            row.push(self.cx, entry);
            match entry.joiner {
                Joiner::And | Joiner::Or => self.skip_lines()?,
                Joiner::Semicolon | Joiner::Background => {
                    self.skip_blanks();
                    self.skip_stray();
                    if self.cur() == Some(b'\n') || self.list_ends() {
                        return Ok(());
                    }
                }
                Joiner::Newline | Joiner::End => return Ok(()),
            }
        }
    }

    /// Notes a token that does not belong here. Bash reads the whole token first, and an error inside an array has
    /// other consequences.
    pub(crate) fn unexpected<T>(&mut self) -> Read<T> {
        let mark = self.mark();
        let token = self
            .assignment()
            .and_then(|_| self.word(Mode::Word).map(drop));
        match token {
            Err(stop @ Stop::NextLine { .. }) => Err(stop),
            Ok(()) | Err(Stop::Reject) => {
                self.rewind(&mark);
                self.fail("unexpected token")
            }
        }
    }

    /// Moves past what joins a pipeline to the next; a line end is left for the caller.
    fn joiner(&mut self) -> Read<Joiner> {
        let joiner = match (self.cur(), self.cur().and(self.peek())) {
            (Some(b'&'), Some(b'&')) => Joiner::And,
            (Some(b'|'), Some(b'|')) => Joiner::Or,
            (Some(b';'), Some(b';' | b'&')) => return Ok(Joiner::End),
            (Some(b';'), _) => Joiner::Semicolon,
            (Some(b'&'), _) => Joiner::Background,
            _ => return Ok(Joiner::End),
        };
        self.bump();
        if matches!(joiner, Joiner::And | Joiner::Or) {
            self.bump();
        }
        if joiner == Joiner::Background && matches!(self.cur(), Some(b'|' | b'!')) && self.zsh() {
            self.dialect(self.at, "`&|` and `&!` detach a job in zsh");
            self.bump();
        }
        Ok(joiner)
    }

    /// Tells whether the list ends here.
    fn list_ends(&self) -> bool {
        match self.cur() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.peek(), Some(b';' | b'&')),
            Some(b'}') if self.cx.depth == self.cx.brace_depth => true,
            Some(b'}' | b'a'..=b'z') => self.reserved().is_some_and(|(word, _)| word.closes()),
            Some(_) => false,
        }
    }

    /// Reads a list inside a construct; it must hold a command, but in zsh.
    pub(crate) fn list(&mut self, what: &'static str) -> Read<List> {
        let list = self.deeper(List::NONE, Self::list_or_nothing)?;
        if list.is_empty() && !self.cx.limited && !self.zsh() {
            self.fail(what)
        } else {
            Ok(list)
        }
    }

    /// Reads a list inside a construct that may be empty.
    pub(crate) fn list_or_nothing(&mut self) -> Read<List> {
        let mut row = Row::new();
        loop {
            self.skip_lines()?;
            if self.list_ends() {
                break;
            }
            self.commands_of_line(&mut row)?;
            if self.cur() != Some(b'\n') {
                break;
            }
            row.last(self.cx, |entry| {
                if entry.joiner == Joiner::End {
                    entry.joiner = Joiner::Newline;
                }
            });
        }
        row.last(self.cx, |entry| {
            if entry.joiner == Joiner::Newline {
                entry.joiner = Joiner::End;
            }
        });
        if self.list_ends() {
            Ok(row.finish(self.cx))
        } else {
            self.unexpected()
        }
    }

    fn pipeline(&mut self) -> Read<Entry> {
        let start = self.at;
        let mut entry = Entry {
            span: self.since(start),
            commands: Many::NONE,
            joiner: Joiner::End,
            negated: false,
            timed: Timed::No,
        };
        while self.prefix(&mut entry) {
            self.skip_blanks();
        }
        let prefixed = self.at != start;
        if !(prefixed && self.pipeline_may_be_empty()) {
            entry.commands = self.pipeline_commands()?;
        }
        let end = self.cx.store.commands.get(
            entry
                .commands
                .ids()
                .last()
                .map_or(usize::MAX, |id| id.index as usize),
        );
        entry.span = end.map_or_else(
            || self.since(start),
            |last| self.span(start, start).to(last.span),
        );
        Ok(entry)
    }

    /// Moves past `!` or `time`.
    fn prefix(&mut self, entry: &mut Entry) -> bool {
        match self.reserved() {
            Some((Reserved::Bang, end)) if self.src.get(end) != Some(&b'(') => {
                entry.negated = !entry.negated;
                self.go(end);
                true
            }
            Some((Reserved::Time, end)) => {
                self.go(end);
                entry.timed = self.time_options();
                true
            }
            Some(_) | None => false,
        }
    }

    fn time_options(&mut self) -> Timed {
        let mut timed = Timed::Yes;
        while matches!(self.cur(), Some(b' ' | b'\t')) {
            self.bump();
        }
        if self.option(b'p') {
            timed = Timed::Posix;
            while matches!(self.cur(), Some(b' ' | b'\t')) {
                self.bump();
            }
        }
        self.option(b'-');
        timed
    }

    /// Moves past a dash and a byte that stand alone.
    fn option(&mut self, byte: u8) -> bool {
        if self.cur() != Some(b'-')
            || self.peek() != Some(byte)
            || !super::chars::ends_word(self.peek2())
        {
            return false;
        }
        self.bump();
        self.bump();
        true
    }

    fn pipeline_may_be_empty(&self) -> bool {
        match self.cur() {
            None | Some(b'\n' | b';') => true,
            Some(b')') => self.in_parentheses,
            Some(_) => false,
        }
    }

    fn pipeline_commands(&mut self) -> Read<Many<Command>> {
        let mut row = Row::new();
        loop {
            let mut command = self.command()?;
            self.skip_blanks();
            command.pipe = match (self.cur(), self.cur().and(self.peek())) {
                (Some(b'|'), Some(b'|')) => Pipe::None,
                (Some(b'|'), Some(b'&')) => Pipe::Both,
                (Some(b'|'), _) => Pipe::Output,
                _ => Pipe::None,
            };
            row.push(self.cx, command);
            if command.pipe == Pipe::None {
                return Ok(row.finish(self.cx));
            }
            self.bump();
            if command.pipe == Pipe::Both {
                self.bump();
            }
            self.skip_lines()?;
        }
    }
}
