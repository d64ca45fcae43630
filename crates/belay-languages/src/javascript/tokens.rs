//! JavaScript's words. A text whose words depend on what only a parser of the whole language could tell is not read.

/// One word, and whether a line ended before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) newline: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name(String),
    Text(String),
    Number(String),
    Regex,
    Mark(&'static str),
    /// The backquote that opens a template, and the one that closes it.
    Template,
    /// Text between the code of a template; `${` and `}` stand around the code as marks.
    Piece(String),
    Close,
}

/// The words of a program, and for every opening mark the place of its partner.
pub(super) struct Words {
    pub(super) tokens: Vec<Token>,
    pub(super) partners: Vec<usize>,
}

const MARKS: [&str; 57] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**", "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%",
    "&", "|", "^", "!", "~", "?", ":", "=", ".",
];

/// Words after which a slash begins a regular expression.
const BEFORE_REGEX: [&str; 13] = [
    "return",
    "typeof",
    "case",
    "in",
    "do",
    "else",
    "void",
    "delete",
    "throw",
    "new",
    "instanceof",
    "default",
    "extends",
];

pub(super) fn words(code: &str) -> Option<Words> {
    let mut reader = Reader {
        chars: code.chars().collect(),
        at: 0,
        tokens: Vec::new(),
        partners: Vec::new(),
        open: Vec::new(),
        newline: true,
    };
    while reader.at < reader.chars.len() {
        reader.one()?;
    }
    reader.open.is_empty().then_some(Words {
        tokens: reader.tokens,
        partners: reader.partners,
    })
}

/// An opening mark that waits for its partner.
struct Open {
    at: usize,
    mark: &'static str,
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    tokens: Vec<Token>,
    partners: Vec<usize>,
    open: Vec<Open>,
    newline: bool,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn starts(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(ahead, c)| self.peek(ahead) == Some(c))
    }

    fn push(&mut self, kind: Kind) {
        self.tokens.push(Token {
            kind,
            newline: self.newline,
        });
        self.partners.push(0);
        self.newline = false;
    }

    fn one(&mut self) -> Option<()> {
        let c = self.peek(0)?;
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => {
                self.newline = true;
                self.at += 1;
            }
            ' ' | '\t' | '\u{b}' | '\u{c}' => self.at += 1,
            '/' if self.peek(1) == Some('/') => self.line_comment(),
            '/' if self.peek(1) == Some('*') => self.comment()?,
            // Comments as in HTML are comments in some programs and not in others.
            '<' if self.starts("<!--") => return None,
            '-' if self.newline && self.starts("-->") => return None,
            '/' if self.regex_may_begin()? => self.regex()?,
            '"' | '\'' => self.string(c)?,
            '`' => {
                self.at += 1;
                self.push(Kind::Template);
                self.piece()?;
            }
            c if c.is_ascii_alphabetic() || matches!(c, '_' | '$') => self.name(),
            '#' if self
                .peek(1)
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_') =>
            {
                self.name()
            }
            c if c.is_ascii_digit() => self.number(),
            '.' if self.peek(1).is_some_and(|c| c.is_ascii_digit()) => self.number(),
            _ => self.mark()?,
        }
        Some(())
    }

    fn line_comment(&mut self) {
        let ends = |c: &char| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        let rest = self.chars.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
    }

    fn comment(&mut self) -> Option<()> {
        self.at += 2;
        loop {
            match self.peek(0)? {
                '*' if self.peek(1) == Some('/') => {
                    self.at += 2;
                    return Some(());
                }
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => self.newline = true,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Tells whether a slash begins a regular expression; `None` where that cannot be told from the words before.
    fn regex_may_begin(&self) -> Option<bool> {
        let Some(last) = self.tokens.last() else {
            return Some(true);
        };
        let member = self.tokens.len() > 1
            && matches!(
                self.tokens.get(self.tokens.len() - 2).map(|it| &it.kind),
                Some(Kind::Mark("." | "?."))
            );
        match &last.kind {
            Kind::Name(_) if member => Some(false),
            Kind::Name(name) if BEFORE_REGEX.contains(&name.as_str()) => Some(true),
            Kind::Name(name) => match name.as_str() {
                "of" | "await" | "yield" | "let" | "async" | "static" => None,
                _ => Some(false),
            },
            Kind::Text(_) | Kind::Number(_) | Kind::Regex | Kind::Close => Some(false),
            Kind::Mark(")") => self.after_parenthesis(),
            Kind::Mark("]") => Some(false),
            Kind::Mark("}" | "++" | "--") => None,
            Kind::Mark(_) | Kind::Template | Kind::Piece(_) => Some(true),
        }
    }

    fn after_parenthesis(&self) -> Option<bool> {
        let open = *self.partners.last()?;
        Some(self.heads(open))
    }

    /// Tells whether a parenthesis belongs to `if`, `while` or `for`.
    fn heads(&self, open: usize) -> bool {
        let word = |back: usize| match open.checked_sub(back).and_then(|it| self.tokens.get(it)) {
            Some(Token {
                kind: Kind::Name(name),
                ..
            }) => Some(name.as_str()),
            _ => None,
        };
        let dotted = |back: usize| {
            let before = open.checked_sub(back).and_then(|it| self.tokens.get(it));
            matches!(before.map(|it| &it.kind), Some(Kind::Mark("." | "?.")))
        };
        match word(1) {
            Some("if" | "while" | "for" | "with") => !dotted(2),
            Some("await") => word(2) == Some("for") && !dotted(3),
            _ => false,
        }
    }

    fn regex(&mut self) -> Option<()> {
        self.at += 1;
        let mut class = false;
        loop {
            match self.peek(0)? {
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => return None,
                '\\' => {
                    if matches!(self.peek(1)?, '\n' | '\r' | '\u{2028}' | '\u{2029}') {
                        return None;
                    }
                    self.at += 1;
                }
                '[' => class = true,
                ']' => class = false,
                '/' if !class => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        while self.peek(0).is_some_and(|c| c.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        self.push(Kind::Regex);
        Some(())
    }

    fn string(&mut self, quote: char) -> Option<()> {
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek(0)? {
                c if c == quote => {
                    self.at += 1;
                    self.push(Kind::Text(text));
                    return Some(());
                }
                '\\' => self.escape(&mut text)?,
                '\n' | '\r' => return None,
                c => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
    }

    /// Reads the text of a template up to its end or to code in it.
    fn piece(&mut self) -> Option<()> {
        let mut text = String::new();
        loop {
            match self.peek(0)? {
                '`' => {
                    self.at += 1;
                    self.push(Kind::Piece(text));
                    self.push(Kind::Close);
                    return Some(());
                }
                '$' if self.peek(1) == Some('{') => {
                    self.at += 2;
                    self.push(Kind::Piece(text));
                    self.opened("${");
                    return Some(());
                }
                '\\' => self.escape(&mut text)?,
                c => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
    }

    /// Reads a backslash and what it stands for.
    fn escape(&mut self, text: &mut String) -> Option<()> {
        let next = self.peek(1)?;
        self.at += 2;
        match next {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'v' => text.push('\u{b}'),
            '0' if !self.peek(0).is_some_and(|c| c.is_ascii_digit()) => text.push('\0'),
            '0'..='9' => return None,
            'x' => text.push(self.hex(2)?),
            'u' if self.peek(0) == Some('{') => {
                self.at += 1;
                let rest = self.chars.get(self.at..)?;
                let count = rest.iter().take(9).position(|c| *c == '}')?;
                text.push(self.hex(count)?);
                self.at += 1;
            }
            'u' => text.push(self.hex(4)?),
            '\r' => {
                if self.peek(0) == Some('\n') {
                    self.at += 1;
                }
            }
            '\n' | '\u{2028}' | '\u{2029}' => {}
            other => text.push(other),
        }
        Some(())
    }

    fn hex(&mut self, count: usize) -> Option<char> {
        let digits: String = self.chars.get(self.at..self.at + count)?.iter().collect();
        self.at += count;
        let all = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit());
        char::from_u32(u32::from_str_radix(&digits, 16).ok().filter(|_| all)?)
    }

    fn name(&mut self) {
        let start = self.at;
        self.at += 1;
        while self
            .peek(0)
            .is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
        {
            self.at += 1;
        }
        let name = self.chars.get(start..self.at).unwrap_or_default();
        self.push(Kind::Name(name.iter().collect()));
    }

    fn number(&mut self) {
        let start = self.at;
        let digits = |reader: &mut Self| {
            while reader
                .peek(0)
                .is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
            {
                reader.at += 1;
            }
        };
        digits(self);
        let based = self
            .chars
            .get(start + 1)
            .is_some_and(|c| c.is_ascii_alphabetic());
        if self.peek(0) == Some('.') && !based {
            self.at += 1;
            digits(self);
        }
        let last = self.chars.get(self.at - 1);
        if matches!(last, Some('e' | 'E')) && !based && matches!(self.peek(0), Some('+' | '-')) {
            self.at += 1;
            digits(self);
        }
        let number = self.chars.get(start..self.at).unwrap_or_default();
        self.push(Kind::Number(number.iter().collect()));
    }

    fn mark(&mut self) -> Option<()> {
        let c = self.peek(0)?;
        let optional = self.starts("?.") && self.peek(2).is_some_and(|c| c.is_ascii_digit());
        let mark = if optional {
            "?"
        } else {
            MARKS
                .iter()
                .find(|it| it.starts_with(c) && self.starts(it))?
        };
        self.at += mark.chars().count();
        match mark {
            "(" | "[" | "{" => self.opened(mark),
            ")" | "]" | "}" => self.closed(mark)?,
            mark => self.push(Kind::Mark(mark)),
        }
        Some(())
    }

    fn opened(&mut self, mark: &'static str) {
        let at = self.tokens.len();
        self.push(Kind::Mark(mark));
        self.open.push(Open { at, mark });
    }

    fn closed(&mut self, mark: &'static str) -> Option<()> {
        let open = self.open.pop()?;
        let fits = matches!(
            (open.mark, mark),
            ("(", ")") | ("[", "]") | ("{", "}") | ("${", "}")
        );
        let at = self.tokens.len();
        self.push(Kind::Mark(mark));
        *self.partners.get_mut(open.at)? = at;
        *self.partners.get_mut(at)? = open.at;
        if open.mark == "${" {
            self.piece()?;
        }
        fits.then_some(())
    }
}
