//! Python's tokens: names, strings, numbers, marks, and the lines and blocks they stand in.
//!
//! What the language itself would refuse, and what only some versions read in one way, is `None`.

use super::strings;

/// How many tokens of one program are read.
const MOST: usize = 200_000;

/// How deep blocks and brackets may nest.
const DEEPEST: usize = 60;

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    /// A string, in pieces where some of it is computed.
    Text(Vec<Piece>),
    /// A string of bytes.
    Bytes(Vec<Piece>),
    /// A number, with its value where it is a small whole one.
    Number(Option<i64>),
    Mark(&'static str),
    /// The end of a logical line.
    Newline,
    Indent,
    Dedent,
}

/// Part of a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Known(String),
    /// A character whose name only Python knows.
    Unknown,
    /// The code in braces, and the format after it.
    Code(Vec<Token>, Vec<Piece>),
}

const MARKS: [&str; 49] = [
    "**=", "//=", ">>=", "<<=", "...", "!=", "->", ":=", "==", "<=", ">=", "**", "//", ">>", "<<",
    "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", "(", ")", "[", "]", "{", "}", ",", ":",
    ".", ";", "@", "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "!", "?",
];

/// Splits a program into tokens; `None` when Python would not, or might do it in another way.
pub(super) fn tokens(code: &str) -> Option<Vec<Token>> {
    if other_encoding(code) {
        return None;
    }
    let code = code.strip_prefix('\u{feff}').unwrap_or(code);
    let mut reader = Reader::new(code.chars().collect());
    reader.line()?;
    while reader.at < reader.chars.len() {
        reader.one()?;
        if reader.out.len() > MOST {
            return None;
        }
    }
    reader.finish()
}

/// Tells whether a program says in a comment that its bytes are not UTF-8.
fn other_encoding(code: &str) -> bool {
    let lines = code.split(['\n', '\r']).take(3);
    let mut comments = lines.filter(|it| it.trim_start().starts_with('#'));
    comments.any(|it| {
        let Some((_, after)) = it.split_once("coding") else {
            return false;
        };
        let name = after.trim_start_matches([':', '=', ' ', '\t']);
        after.starts_with([':', '=']) && !name.to_ascii_lowercase().starts_with("utf-8")
    })
}

pub(super) struct Reader {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) out: Vec<Token>,
    /// The brackets that are open.
    open: Vec<char>,
    /// Columns of the blocks we are in: with tabs to eight, and with tabs as one.
    blocks: Vec<(usize, usize)>,
    /// How deep strings stand in strings.
    pub(super) nested: usize,
}

impl Reader {
    pub(super) fn new(chars: Vec<char>) -> Self {
        Self {
            chars,
            at: 0,
            out: Vec::new(),
            open: Vec::new(),
            blocks: vec![(0, 0)],
            nested: 0,
        }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Tells whether a bracket is open.
    pub(super) fn in_brackets(&self) -> bool {
        !self.open.is_empty()
    }

    fn finish(mut self) -> Option<Vec<Token>> {
        if self.in_brackets() {
            return None;
        }
        self.end_line();
        while self.blocks.len() > 1 {
            self.blocks.pop();
            self.out.push(Token::Dedent);
        }
        Some(self.out)
    }

    /// Ends a logical line, unless there is nothing on it.
    fn end_line(&mut self) {
        let empty = matches!(
            self.out.last(),
            None | Some(Token::Newline | Token::Indent | Token::Dedent)
        );
        if !empty {
            self.out.push(Token::Newline);
        }
    }

    /// Reads the blanks in front of a line, and the blocks they begin and end.
    fn line(&mut self) -> Option<()> {
        loop {
            let (mut wide, mut narrow) = (0, 0);
            while let Some(c) = self.peek(0) {
                match c {
                    ' ' => (wide, narrow) = (wide + 1, narrow + 1),
                    '\t' => (wide, narrow) = ((wide / 8 + 1) * 8, narrow + 1),
                    '\u{c}' => (wide, narrow) = (0, 0),
                    _ => break,
                }
                self.at += 1;
            }
            match self.peek(0) {
                None => return Some(()),
                Some('#') => self.comment(),
                Some('\n' | '\r') => {}
                // A line that begins with a joined line takes its blanks from both: rare, and told apart by few.
                Some('\\') => return None,
                Some(_) => return self.block(wide, narrow),
            }
            if let Some('\n' | '\r') = self.peek(0) {
                self.at += 1;
            }
        }
    }

    fn block(&mut self, wide: usize, narrow: usize) -> Option<()> {
        let (now, now_narrow) = self.blocks.last().copied()?;
        if wide == now {
            return (narrow == now_narrow).then_some(());
        }
        if wide > now {
            self.blocks.push((wide, narrow));
            self.out.push(Token::Indent);
            return (narrow > now_narrow && self.blocks.len() <= DEEPEST).then_some(());
        }
        while self.blocks.last().is_some_and(|it| it.0 > wide) {
            self.blocks.pop();
            self.out.push(Token::Dedent);
        }
        (self.blocks.last() == Some(&(wide, narrow))).then_some(())
    }

    fn comment(&mut self) {
        while self.peek(0).is_some_and(|it| it != '\n' && it != '\r') {
            self.at += 1;
        }
    }

    /// Reads one token.
    pub(super) fn one(&mut self) -> Option<()> {
        let c = self.peek(0)?;
        match c {
            '\n' | '\r' => {
                self.at += 1;
                if !self.in_brackets() {
                    self.end_line();
                    self.line()?;
                }
            }
            ' ' | '\t' | '\u{c}' => self.at += 1,
            '\\' => self.joined()?,
            '#' => self.comment(),
            '"' | '\'' => strings::string(self, "")?,
            c if c.is_alphabetic() || c == '_' => self.name()?,
            c if c.is_ascii_digit() => self.number()?,
            '.' if self.peek(1).is_some_and(|it| it.is_ascii_digit()) => self.number()?,
            _ => self.mark()?,
        }
        Some(())
    }

    /// A backslash joins this line and the next.
    fn joined(&mut self) -> Option<()> {
        let ends = match (self.peek(1)?, self.peek(2)) {
            ('\r', Some('\n')) => 3,
            ('\n' | '\r', _) => 2,
            _ => return None,
        };
        self.at += ends;
        self.peek(0).map(|_| ())
    }

    fn mark(&mut self) -> Option<()> {
        let starts = |mark: &&&str| {
            let mut letters = mark.chars().enumerate();
            letters.all(|(ahead, it)| self.peek(ahead) == Some(it))
        };
        let mark = *MARKS.iter().find(starts)?;
        match mark {
            "(" | "[" | "{" => self.open.push(mark.chars().next()?),
            ")" | "]" | "}" => {
                let open = self.open.pop()?;
                if !matches!((open, mark), ('(', ")") | ('[', "]") | ('{', "}")) {
                    return None;
                }
            }
            "!" | "?" => return None,
            _ => {}
        }
        if self.open.len() > DEEPEST {
            return None;
        }
        self.at += mark.len();
        self.out.push(Token::Mark(mark));
        Some(())
    }

    fn name(&mut self) -> Option<()> {
        let mut name = String::new();
        while let Some(c) = self.peek(0).filter(|it| it.is_alphanumeric() || *it == '_') {
            name.push(c);
            self.at += 1;
        }
        let prefix = name.to_ascii_lowercase();
        let prefixes = ["r", "b", "u", "f", "rb", "br", "fr", "rf", "t", "rt", "tr"];
        if matches!(self.peek(0), Some('"' | '\'')) && prefixes.contains(&prefix.as_str()) {
            return strings::string(self, &prefix);
        }
        // Python folds letters that look alike into one name.
        if !name.is_ascii() {
            return None;
        }
        self.out.push(Token::Name(name));
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let mut text = String::new();
        while let Some(c) = self.peek(0) {
            let exponent = matches!(c, '+' | '-')
                && text.ends_with(['e', 'E'])
                && !text.starts_with("0x")
                && !text.starts_with("0X");
            if !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || exponent) {
                break;
            }
            text.push(c);
            self.at += 1;
        }
        self.out.push(Token::Number(value_of(&text)?));
        Some(())
    }
}

/// Returns a number's value; nothing when it is no small whole one, `None` when a word is glued to it.
fn value_of(text: &str) -> Option<Option<i64>> {
    let plain = text.replace('_', "").to_ascii_lowercase();
    let whole = match plain.get(..2) {
        Some("0x") => i64::from_str_radix(plain.get(2..)?, 16).ok(),
        Some("0o") => i64::from_str_radix(plain.get(2..)?, 8).ok(),
        Some("0b") => i64::from_str_radix(plain.get(2..)?, 2).ok(),
        _ => plain.parse().ok(),
    };
    if whole.is_some() {
        return Some(whole);
    }
    let digits = plain.trim_end_matches('j');
    let float =
        digits.parse::<f64>().is_ok() || digits.trim_end_matches('.').parse::<f64>().is_ok();
    float.then_some(None)
}
