//! Reads the words of a program one after the other, and knows whether a value or an operator comes next.

use super::quotes::{Holds, end_of, is_plain, partner};
use crate::Doing;

pub(super) struct Reader {
    text: Vec<char>,
    at: usize,
    /// Brackets that wait for their partners, and whether they are subscripts.
    open: Vec<(char, bool)>,
    /// Whether a value stands before this place, so that an operator comes next.
    value: bool,
    /// Whether a statement begins here.
    starts: bool,
    /// Where the last variable ended: a bracket there is a subscript.
    variable: usize,
}

/// Words that compute, and words that steer.
const WORDS: &str = " print printf say if unless else elsif while until for foreach next last redo and or not xor eq ne lt gt le \
    ge cmp x my our local join split lc uc lcfirst ucfirst length sprintf sort reverse grep map keys values exists defined \
    delete push pop shift unshift splice scalar abs int sqrt hex oct ord chr index rindex substr chomp chop sum max min first \
    uniq undef pos quotemeta return exit die warn STDOUT STDERR END ";

/// Words after which a slash always begins a pattern.
const BEFORE_PATTERN: &str =
    " split and or not xor if unless elsif while until print say grep map return ";

/// Modules that compute.
const MODULES: [&str; 7] = [
    "strict",
    "warnings",
    "utf8",
    "feature",
    "List::Util",
    "Data::Dumper",
    "JSON::PP",
];

impl Reader {
    pub(super) fn new(code: &str) -> Self {
        Self {
            text: code.chars().collect(),
            at: 0,
            open: Vec::new(),
            value: false,
            starts: true,
            variable: usize::MAX,
        }
    }

    pub(super) fn program(mut self) -> Option<Vec<Doing>> {
        if has_code(&self.text) || self.peek(0) == Some('=') {
            return None;
        }
        while self.at < self.text.len() {
            self.one()?;
        }
        self.open.is_empty().then(Vec::new)
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn skip(&mut self, takes: impl Fn(char) -> bool) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|c| takes(**c)).count();
        self.at += count;
        count
    }

    /// The next character that is not blank, from a number of characters ahead.
    fn after_blanks(&self, ahead: usize) -> Option<char> {
        let rest = self.text.get(self.at + ahead..).unwrap_or_default();
        rest.iter().find(|c| !c.is_ascii_whitespace()).copied()
    }

    fn one(&mut self) -> Option<()> {
        let c = self.peek(0)?;
        match c {
            '\n' if self.peek(1) == Some('=') => return None,
            c if c.is_ascii_whitespace() => {
                self.at += 1;
                return Some(());
            }
            '#' => {
                self.skip(|c| c != '\n');
                return Some(());
            }
            ';' => {
                self.at += 1;
                self.value = false;
                self.starts = true;
                return Some(());
            }
            '{' | '(' | '[' => self.opened(c),
            '}' | ')' | ']' => return self.closed(c),
            '$' | '@' | '%' if !self.value => self.variable(c)?,
            '"' => self.quoted(Holds::Text)?,
            '\'' => self.quoted(Holds::Letters)?,
            '/' if !self.value => self.pattern()?,
            c if c.is_ascii_digit() => self.number()?,
            c if c.is_ascii_alphabetic() || c == '_' => self.word()?,
            _ => self.operator()?,
        }
        self.starts = false;
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        self.skip(|c| c.is_ascii_digit() || c == '_');
        if self.peek(0) == Some('.') && self.peek(1).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
            self.skip(|c| c.is_ascii_digit());
        }
        self.value = true;
        let apart = !self.peek(0).is_some_and(is_word);
        apart.then_some(())
    }

    /// An opening bracket: of a block, of a list, or of a subscript.
    fn opened(&mut self, c: char) {
        let subscript = c != '(' && self.variable == self.at;
        self.at += 1;
        self.open.push((c, subscript));
        self.value = false;
    }

    fn closed(&mut self, c: char) -> Option<()> {
        let (open, subscript) = self.open.pop()?;
        self.at += 1;
        self.value = c != '}' || subscript;
        self.starts = !self.value;
        if subscript {
            self.variable = self.at;
        }
        // A slash after a block divides or begins a pattern, and only the block's meaning tells which.
        let unclear = matches!(
            self.after_blanks(0),
            Some('/' | '?' | '<' | '%' | '&' | '*')
        );
        (partner(open) == c && !(self.starts && unclear)).then_some(())
    }

    /// `$x`, `$1`, `$_`, `$.`, `@F`, `$#F`, `%h`: names only.
    fn variable(&mut self, sigil: char) -> Option<()> {
        self.at += 1;
        if sigil == '$' && self.peek(0) == Some('#') {
            self.at += 1;
        }
        match self.peek(0)? {
            c if is_word(c) => {
                let start = self.at;
                self.skip(is_word);
                let name: String = self.text.get(start..self.at)?.iter().collect();
                // A name with a package, or the old spelling of one; and names that steer the interpreter.
                let package = self.peek(0) == Some(':') && self.peek(1) == Some(':');
                let steers = matches!(
                    name.as_str(),
                    "ARGV" | "ARGVOUT" | "ENV" | "INC" | "SIG" | "ISA" | "STDIN"
                );
                if package || steers || self.peek(0) == Some('\'') {
                    return None;
                }
            }
            // `$\` and `$,` are what `print` puts between and after; `$/` what ends a line.
            '.' | '&' | ',' | '/' | '\\' | '!' | '|' | '+' if sigil == '$' => self.at += 1,
            _ => return None,
        }
        // A call through a variable.
        if self.peek(0) == Some('-') && self.peek(1) == Some('>') {
            return None;
        }
        self.value = true;
        self.variable = self.at;
        Some(())
    }

    fn quoted(&mut self, holds: Holds) -> Option<()> {
        let open = self.peek(0)?;
        self.at += 1;
        self.delimited(open, holds)?;
        self.value = true;
        Some(())
    }

    /// Reads to the end of a delimited text, its opening delimiter already taken.
    fn delimited(&mut self, open: char, holds: Holds) -> Option<()> {
        let end = end_of(&self.text, self.at, open)?;
        let inner = self.text.get(self.at..end)?;
        let holds = if open == '\'' { Holds::Letters } else { holds };
        if !is_plain(inner, holds) {
            return None;
        }
        self.at = end + 1;
        Some(())
    }

    /// Reads the flags of a pattern, a substitution or a translation; those that run code are not read.
    fn flags(&mut self, known: &str) -> Option<()> {
        let start = self.at;
        self.skip(is_word);
        let flags = self.text.get(start..self.at)?;
        self.value = true;
        flags.iter().all(|c| known.contains(*c)).then_some(())
    }

    fn pattern(&mut self) -> Option<()> {
        self.at += 1;
        self.delimited('/', Holds::Pattern)?;
        self.flags(PATTERN)
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        self.skip(|c| is_word(c) || c == ':');
        let word: String = self.text.get(start..self.at)?.iter().collect();
        let next = self.after_blanks(0);
        let blanks = self
            .text
            .get(self.at..)?
            .iter()
            .take_while(|c| c.is_ascii_whitespace());
        let arrow = next == Some('=') && self.peek(blanks.count() + 1) == Some('>');
        let key = self.open.last() == Some(&('{', true))
            && self.text.get(start.wrapping_sub(1)) == Some(&'{')
            && self.peek(0) == Some('}');
        // A bare word before `=>` or alone in a subscript is a text.
        if arrow || key {
            self.value = true;
            return is_name(&word).then_some(());
        }
        match word.as_str() {
            "s" if !self.value => self.substitute(),
            "tr" | "y" if !self.value => self.translate(),
            "m" | "qr" if !self.value => self.matched(),
            "q" | "qw" | "qq" if !self.value => {
                let open = self.delimiter()?;
                let holds = if word == "qq" {
                    Holds::Text
                } else {
                    Holds::Letters
                };
                self.delimited(open, holds)?;
                self.value = true;
                Some(())
            }
            "use" if self.starts => self.used(),
            word => self.known_word(word, next),
        }
    }

    fn known_word(&mut self, word: &str, next: Option<char>) -> Option<()> {
        let among = |list: &str| list.split_ascii_whitespace().any(|it| it == word);
        let calls = matches!(word, "Dumper" | "encode_json" | "decode_json");
        let joins = matches!(word, "x" | "eq" | "ne" | "lt" | "gt" | "le" | "ge" | "cmp");
        if !calls && !among(WORDS) || joins && !self.value {
            return None;
        }
        self.value = false;
        // `print {expression}` names a handle by code; a slash after other words may divide.
        let handle = matches!(word, "print" | "printf" | "say" | "exec") && next == Some('{');
        let slash = next == Some('/') && !among(BEFORE_PATTERN);
        (!handle && !slash && !self.unclear_handle()).then_some(())
    }

    /// Tells whether a variable follows that may be a handle, as in `print $x /a/`: what follows it is
    /// guessed by Perl from blanks.
    fn unclear_handle(&self) -> bool {
        let mut rest = self
            .text
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .copied()
            .peekable();
        while rest
            .next_if(|c| c.is_ascii_whitespace() || *c == '(')
            .is_some()
        {}
        if rest.next() != Some('$') {
            return false;
        }
        while rest.next_if(|c| is_word(*c)).is_some() {}
        let blank = rest.peek().is_some_and(char::is_ascii_whitespace);
        while rest.next_if(char::is_ascii_whitespace).is_some() {}
        blank && matches!(rest.next(), Some('/' | '<' | '?' | '%' | '&' | '*'))
    }

    fn delimiter(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        let rare = matches!(c, '\\' | ',' | ';' | '=' | '_' | ')' | ']' | '}' | '>');
        let comment = c == '#'
            && !self
                .text
                .get(self.at.wrapping_sub(1))
                .is_some_and(|c| is_word(*c));
        self.at += 1;
        (c.is_ascii_punctuation() && !rare && !comment).then_some(c)
    }

    /// `s/a/b/g`, `s{a}{b}`
    fn substitute(&mut self) -> Option<()> {
        let open = self.delimiter()?;
        self.delimited(open, Holds::Pattern)?;
        let second = self.second(open)?;
        self.delimited(second, Holds::Text)?;
        self.flags(PATTERN)
    }

    fn translate(&mut self) -> Option<()> {
        let open = self.delimiter()?;
        self.delimited(open, Holds::Letters)?;
        let second = self.second(open)?;
        self.delimited(second, Holds::Letters)?;
        self.flags("cdsr")
    }

    /// The delimiter of the second part: brackets open anew.
    fn second(&mut self, open: char) -> Option<char> {
        if partner(open) == open {
            return Some(open);
        }
        self.skip(|c| matches!(c, ' ' | '\t'));
        self.delimiter()
    }

    fn matched(&mut self) -> Option<()> {
        let open = self.delimiter()?;
        // `?` matches once only, in a way of its own.
        if open == '?' {
            return None;
        }
        self.delimited(open, Holds::Pattern)?;
        self.flags(PATTERN)
    }

    /// `use Module qw(names);`
    fn used(&mut self) -> Option<()> {
        self.skip(|c| c == ' ');
        let start = self.at;
        self.skip(|c| is_word(c) || c == ':');
        let module: String = self.text.get(start..self.at)?.iter().collect();
        if !MODULES.contains(&module.as_str()) {
            return None;
        }
        self.skip(|c| c == ' ');
        let from = self.at;
        self.skip(|c| c != ';');
        let list: String = self.text.get(from..self.at)?.iter().collect();
        let list = list.trim();
        let inner = list
            .strip_prefix("qw(")
            .and_then(|it| it.strip_suffix(')'))
            .or_else(|| list.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')))
            .or_else(|| list.strip_prefix('"').and_then(|it| it.strip_suffix('"')));
        let names = |it: &str| it.chars().all(|c| is_word(c) || matches!(c, ' ' | ':'));
        (list.is_empty() || inner.is_some_and(names)).then_some(())
    }

    fn operator(&mut self) -> Option<()> {
        let c = self.peek(0)?;
        let next = self.peek(1);
        let length = match (c, next, self.value) {
            // `++` and `--` leave a value a value.
            ('+', Some('+'), _) | ('-', Some('-'), _) => {
                self.at += 2;
                return Some(());
            }
            // Here-documents and arrows are not read.
            ('<', Some('<'), _) | ('-', Some('>'), _) | ('*', Some('*'), _) => return None,
            ('&', Some('&'), true) | ('/', Some('/'), true) => 2,
            ('<' | '?' | '%' | '*' | '/', _, true) => 1,
            // A test of a file, or the minus of a word.
            ('-', Some(next), false) if next.is_ascii_alphabetic() => return None,
            (':' | ',' | '=' | '!' | '~' | '>' | '+' | '-' | '.' | '|' | '^', _, _) => 1,
            _ => return None,
        };
        self.at += length;
        self.value = false;
        Some(())
    }
}

/// Flags of patterns and substitutions that run nothing.
const PATTERN: &str = "gimsxorcnaul";

/// Tells whether a pattern anywhere holds code.
fn has_code(text: &[char]) -> bool {
    text.windows(3)
        .any(|it| matches!(it, ['(', '?', '{' | '?' | 'p'] | ['(', '*', _]))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_name(word: &str) -> bool {
    word.chars().all(is_word)
}
