//! sed scripts: addresses and one-letter commands, of which a few write, read or run.

use crate::Doing;

/// Reads a sed script.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    let mut reader = Reader {
        text: code.chars().collect(),
        at: 0,
        doings: Vec::new(),
        open: 0,
    };
    // What is refused is refused before anything runs; only files that stand before it were opened to be written.
    if let Read::Refused = reader.script()? {
        return Some(reader.doings);
    }
    (reader.open == 0).then_some(reader.doings)
}

/// What became of a script.
enum Read {
    Whole,
    /// It is no script: sed says so, and ends.
    Refused,
}

struct Reader {
    text: Vec<char>,
    at: usize,
    doings: Vec<Doing>,
    open: u32,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn skip(&mut self, skips: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&skips) {
            self.at += 1;
        }
    }

    fn script(&mut self) -> Option<Read> {
        loop {
            self.skip(|c| c.is_whitespace() || c == ';');
            if self.peek().is_none() {
                return Some(Read::Whole);
            }
            if self.peek() == Some(',') {
                return Some(Read::Refused);
            }
            if self.address()? {
                self.skip(blank);
                if self.peek() == Some(',') {
                    self.at += 1;
                    self.skip(blank);
                    if matches!(self.peek(), Some('+' | '~')) {
                        self.at += 1;
                    }
                    if !self.address()? {
                        let command = self.peek().is_none_or(|it| it.is_ascii_lowercase());
                        return command.then_some(Read::Refused);
                    }
                }
            }
            self.skip(|c| blank(c) || c == '!');
            self.command()?;
        }
    }

    /// Reads one address; tells whether there was one.
    fn address(&mut self) -> Option<bool> {
        match self.peek() {
            Some('$') => self.at += 1,
            Some(c) if c.is_ascii_digit() => {
                self.skip(|c| c.is_ascii_digit());
                if self.peek() == Some('~') {
                    self.at += 1;
                    self.skip(|c| c.is_ascii_digit());
                }
            }
            Some('/') => {
                self.at += 1;
                self.until('/')?;
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            Some('\\') => {
                self.at += 1;
                let end = self.next()?;
                self.until(end)?;
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            _ => return Some(false),
        }
        Some(true)
    }

    /// Reads up to a delimiter that is neither escaped nor in brackets.
    fn until(&mut self, end: char) -> Option<()> {
        if end == '\n' || end == '\\' {
            return None;
        }
        loop {
            match self.next()? {
                c if c == end => return Some(()),
                '\\' => {
                    self.next()?;
                }
                '[' => self.brackets(),
                _ => {}
            }
        }
    }

    /// Skips a bracket expression if it is closed in its line; the delimiter may stand in it.
    fn brackets(&mut self) {
        let start = self.at;
        if self.peek() == Some('^') {
            self.at += 1;
        }
        if self.peek() == Some(']') {
            self.at += 1;
        }
        while let Some(c) = self.next() {
            match c {
                ']' => return,
                '[' if matches!(self.peek(), Some(':' | '.' | '=')) => {
                    self.at += 1;
                }
                '\n' => break,
                _ => {}
            }
        }
        self.at = start;
    }

    /// Reads to the end of the line: a file name or a label.
    fn line(&mut self) -> String {
        self.skip(blank);
        let start = self.at;
        self.skip(|c| c != '\n');
        self.text
            .get(start..self.at)
            .unwrap_or_default()
            .iter()
            .collect()
    }

    fn command(&mut self) -> Option<()> {
        match self.next()? {
            '{' => self.open += 1,
            '}' => {
                self.open = self.open.checked_sub(1)?;
                self.end();
            }
            '#' => self.skip(|c| c != '\n'),
            '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => {
                self.ended()?
            }
            'l' | 'q' | 'Q' | 'L' => {
                self.skip(blank);
                self.skip(|c| c.is_ascii_digit());
                self.ended()?;
            }
            'a' | 'i' | 'c' => self.added(),
            // A blank ends a label, and something may stand behind it.
            ':' | 'b' | 't' | 'T' | 'v' => {
                self.skip(blank);
                self.skip(|c| !c.is_whitespace() && c != ';' && c != '}');
                self.ended()?;
            }
            'r' | 'R' => {
                let file = self.line();
                self.doings.push(Doing::Read(file));
            }
            'w' | 'W' => {
                let file = self.line();
                self.doings.push(Doing::Write(Some(file)));
            }
            'e' => {
                let command = self.line();
                self.doings
                    .push(Doing::Run((!command.is_empty()).then_some(command)));
            }
            's' => self.substitute()?,
            'y' => {
                // Brackets mean nothing here.
                let end = self.next().filter(|it| !matches!(it, '\n' | '\\'))?;
                self.replacement(end)?;
                self.replacement(end)?;
                self.ended()?;
            }
            _ => return None,
        }
        Some(())
    }

    fn substitute(&mut self) -> Option<()> {
        let end = self.next()?;
        self.until(end)?;
        self.replacement(end)?;
        loop {
            match self.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => self.at += 1,
                Some('e') => {
                    self.at += 1;
                    self.doings.push(Doing::Run(None));
                }
                Some('w') => {
                    self.at += 1;
                    let file = self.line();
                    self.doings.push(Doing::Write(Some(file)));
                    return Some(());
                }
                _ => return self.ended(),
            }
        }
    }

    fn replacement(&mut self, end: char) -> Option<()> {
        loop {
            match self.next()? {
                c if c == end => return Some(()),
                '\\' => {
                    self.next()?;
                }
                _ => {}
            }
        }
    }

    /// Reads the text of `a`, `i`, `c`: to the end of the line, lines that end in a backslash go on.
    fn added(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    self.next();
                }
                '\n' => return,
                _ => {}
            }
        }
    }

    /// A command must end here.
    fn ended(&mut self) -> Option<()> {
        self.skip(blank);
        match self.peek() {
            None | Some('\n' | ';' | '}' | '#') => Some(()),
            Some('\r') if self.text.get(self.at + 1).is_none_or(|c| *c == '\n') => Some(()),
            Some(_) => None,
        }
    }

    fn end(&mut self) {
        self.skip(blank);
    }
}

const fn blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::Doing;

    #[test]
    fn harmless_scripts() {
        for code in [
            "1,5p",
            "s/a/b/g",
            "s|a/b|c|",
            "/x/d",
            "$!N;s/\\n/ /",
            "1~2p",
            "/a/,/b/{s/x/y/;p}",
            "s/[/]/x/",
            "s/[^]/]/x/",
            "y/abc/xyz/",
            "1i\\\nhello",
            "$a text; w /etc/passwd",
            ":a;N;$!ba;s/\\n/ /g",
            "\\,x,d",
            "s/a/b/;s/c/d/ # w x",
            "10q",
            "/foo/!d",
            "0,/re/s//x/",
            "2,+3d",
            "",
        ] {
            assert_eq!(read(code), Some(Vec::new()), "{code}");
        }
    }

    #[test]
    fn what_writes_reads_and_runs() {
        let write = |it: &str| Doing::Write(Some(it.to_owned()));
        for (code, doing) in [
            ("w /etc/passwd", write("/etc/passwd")),
            ("s/a/b/w out", write("out")),
            ("/x/{p;w f}", write("f}")),
            ("r /etc/shadow", Doing::Read("/etc/shadow".to_owned())),
            ("1e rm -rf x", Doing::Run(Some("rm -rf x".to_owned()))),
            ("e", Doing::Run(None)),
            ("s/a/b/e", Doing::Run(None)),
            ("s/a/b/gew x", Doing::Run(None)),
            (
                "y/[/x/;e touch x #]/y/",
                Doing::Run(Some("touch x #]/y/".to_owned())),
            ),
        ] {
            let found = read(code);
            let found = found.or_else(|| read(&format!("{code}\n}}")));
            assert!(found.is_some_and(|it| it.contains(&doing)), "{code}");
        }
    }

    #[test]
    fn what_is_not_sed_is_not_read() {
        for code in [
            "s/a/b",
            "k",
            "{p",
            "p}",
            "s\\a\\b\\",
            "s/a/b/k",
            ":a e rm -rf ~",
            "b e rm",
        ] {
            assert_eq!(read(code), None, "{code}");
        }
    }

    #[test]
    fn what_sed_refuses_does_nothing_more() {
        assert_eq!(read("1,p"), Some(Vec::new()));
        assert_eq!(read(",5p;e rm x"), Some(Vec::new()));
        assert_eq!(
            read("w out\n,p"),
            Some(vec![Doing::Write(Some("out".to_owned()))])
        );
    }
}
