//! Cuts a program into words, texts, numbers and marks.

use super::Tongue;

/// A piece of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, or a keyword.
    Word(String),
    /// A variable that is marked as one: `$x` of PHP, `@x` of Ruby.
    Variable(String),
    /// A text; what it is, where nothing in it is computed or escaped.
    Text(Option<String>),
    /// A number, or a symbol of Ruby.
    Plain,
    /// A mark; a new line is one too.
    Mark(char),
    /// What stands inside a text and is computed.
    Inner(Vec<Token>),
}

impl Token {
    /// Tells whether it is a mark.
    pub(crate) fn is(&self, mark: char) -> bool {
        *self == Self::Mark(mark)
    }

    /// Tells whether a value ends here for sure.
    fn ends_value(&self) -> bool {
        match self {
            Self::Plain | Self::Text(_) => true,
            Self::Mark(mark) => matches!(mark, ')' | ']'),
            Self::Word(_) | Self::Variable(_) | Self::Inner(_) => false,
        }
    }
}

/// Cuts a program.
pub(crate) struct Reader<'a> {
    tongue: Tongue,
    rest: &'a str,
    tokens: Vec<Token>,
}

impl<'a> Reader<'a> {
    /// Begins with a program.
    pub(crate) const fn new(tongue: Tongue, code: &'a str) -> Self {
        Self {
            tongue,
            rest: code,
            tokens: Vec::new(),
        }
    }

    /// Cuts it whole, or not at all.
    pub(crate) fn all(mut self) -> Option<Vec<Token>> {
        // What stands between such lines is no code, and quotes in it are none.
        let odd = |it: &str| it.starts_with("=begin") || it.starts_with("__END__");
        if self.tongue == Tongue::Ruby && self.rest.lines().any(odd) {
            return None;
        }
        loop {
            let before = self.rest;
            self.rest = before.trim_start_matches([' ', '\t']);
            let spaced = before.len() != self.rest.len();
            let Some(first) = self.rest.chars().next() else {
                return Some(self.tokens);
            };
            self.one(first, spaced)?;
        }
    }

    fn one(&mut self, first: char, spaced: bool) -> Option<()> {
        match first {
            '"' | '\'' => self.text(first),
            '0'..='9' => {
                self.number();
                Some(())
            }
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '$' | '@' => self.variable(first),
            _ => self.mark(first, spaced),
        }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn second(&self) -> Option<char> {
        self.rest.chars().nth(1)
    }

    /// How many bytes of the rest belong to a name.
    fn name(&self, text: &str) -> usize {
        let dots = self.tongue == Tongue::R;
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || dots && c == '.';
        text.find(|c| !part(c)).unwrap_or(text.len())
    }

    fn number(&mut self) {
        let digits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let whole = self.rest.find(|c| !digits(c)).unwrap_or(self.rest.len());
        self.take(whole);
        let fraction = self.rest.strip_prefix('.').unwrap_or_default();
        if fraction.starts_with(|c: char| c.is_ascii_digit()) {
            let end = fraction.find(|c| !digits(c)).unwrap_or(fraction.len());
            self.take(1 + end);
        }
        self.tokens.push(Token::Plain);
    }

    fn word(&mut self) -> Option<()> {
        let mut end = self.name(self.rest);
        let after = self.rest.get(end..)?;
        if self.tongue == Tongue::Ruby && after.starts_with('?') && !after.starts_with("?:") {
            end += 1;
        }
        let word = self.take(end).to_owned();
        // A letter before a quote may change what the text means.
        if self.rest.starts_with(['"', '\'']) && word.len() == 1 {
            return None;
        }
        self.tokens.push(Token::Word(word));
        Some(())
    }

    fn variable(&mut self, first: char) -> Option<()> {
        let name = self.name(self.rest.get(1..)?);
        match (self.tongue, first) {
            (_, _) if name == 0 => None,
            (Tongue::Php, '$') => {
                let name = self.take(1 + name).to_owned();
                // Those that begin so hold the environment.
                if name.starts_with("$_") || name == "$GLOBALS" {
                    return None;
                }
                self.tokens.push(Token::Variable(name));
                Some(())
            }
            (Tongue::Ruby, '$') => {
                let word = self.take(1 + name);
                matches!(word, "$stdin" | "$stdout" | "$stderr").then_some(())?;
                self.tokens.push(Token::Word(word.to_owned()));
                Some(())
            }
            (Tongue::Mongo, '$') => {
                let word = self.take(1 + name).to_owned();
                self.tokens.push(Token::Word(word));
                Some(())
            }
            (Tongue::Ruby, '@') => {
                let name = self.take(1 + name).to_owned();
                self.tokens.push(Token::Variable(name));
                Some(())
            }
            (Tongue::R, '$') => {
                self.take(1);
                self.tokens.push(Token::Mark('$'));
                Some(())
            }
            (Tongue::Lua | Tongue::Mongo | Tongue::Php | Tongue::R | Tongue::Ruby, _) => None,
        }
    }

    /// Reads a text up to its other quote.
    fn text(&mut self, quote: char) -> Option<()> {
        self.take(1);
        let mut escaped = false;
        let end = self.rest.find(|c: char| {
            let ends = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        let inside = self.take(end);
        self.take(1);
        if quote == '"' {
            self.computed(inside)?;
        }
        let literal = (!inside.contains(['\\', '#', '$', '{'])).then(|| inside.to_owned());
        self.tokens.push(Token::Text(literal));
        Some(())
    }

    /// Reads what is computed inside a text.
    fn computed(&mut self, inside: &str) -> Option<()> {
        match self.tongue {
            Tongue::Lua | Tongue::Mongo | Tongue::R => Some(()),
            Tongue::Php => {
                let plain = inside.replace("\\$", "");
                let named = |(at, _): (usize, &str)| {
                    let after = plain.get(at + 1..).unwrap_or_default();
                    let rest = after.get(self.name(after)..).unwrap_or_default();
                    let whole = !rest.starts_with('[') && !rest.starts_with("->");
                    // Two or more in one place are no name, and neither is a brace.
                    !after.starts_with(['{', '$', '_']) && !after.starts_with("GLOBALS") && whole
                };
                (!plain.contains("{$") && plain.match_indices('$').all(named)).then_some(())
            }
            Tongue::Ruby => {
                let mut rest = inside;
                while let Some((_, from)) = rest.split_once('#') {
                    rest = from;
                    if from.starts_with(['$', '@']) {
                        return None;
                    }
                    if let Some(code) = from.strip_prefix('{') {
                        let (code, after) = code.split_once('}')?;
                        if code.contains(['"', '\'', '{', '\\', '`']) {
                            return None;
                        }
                        let tokens = Reader::new(self.tongue, code).all()?;
                        self.tokens.push(Token::Inner(tokens));
                        rest = after;
                    }
                }
                Some(())
            }
        }
    }

    fn mark(&mut self, first: char, spaced: bool) -> Option<()> {
        let second = self.second();
        let value = self.tokens.last().is_some_and(Token::ends_value);
        let fine = match (self.tongue, first) {
            // What is set there may be a method under another's name.
            (Tongue::Mongo, '=') => false,
            (_, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '=' | '+' | '*' | '!' | '|') => {
                !(self.tongue == Tongue::Lua && first == '[' && matches!(second, Some('[' | '=')))
            }
            (_, '\n' | '\r' | '>' | '.') => true,
            (Tongue::Lua, '-') => second != Some('-'),
            (_, '-') => true,
            (Tongue::R, '<') => second != Some('<'),
            (_, '<') => !matches!(second, Some('<' | '?')),
            (Tongue::Mongo | Tongue::Ruby, '/') => value,
            (Tongue::Php, '/') => !matches!(second, Some('/' | '*')),
            (Tongue::Lua | Tongue::R, '/') => true,
            (Tongue::Ruby, '%') => value && spaced && second == Some(' '),
            (Tongue::Lua | Tongue::Php | Tongue::R, '%') => true,
            (Tongue::Ruby, '&') => return self.ampersand(second),
            (Tongue::Mongo | Tongue::Php | Tongue::R, '&') => true,
            (Tongue::Ruby, ':') => return self.colon(second),
            (Tongue::Lua | Tongue::Mongo | Tongue::Php | Tongue::R, ':') => second != Some(':'),
            (Tongue::Php, '?') => second != Some('>'),
            (Tongue::Lua, '#' | '~' | '^') | (Tongue::R, '^' | '~') => true,
            (Tongue::Lua | Tongue::Mongo | Tongue::Php | Tongue::R | Tongue::Ruby, _) => false,
        };
        fine.then(|| {
            self.take(first.len_utf8());
            self.tokens.push(Token::Mark(first));
        })
    }

    /// `&&`, `&.` and `&:name`.
    fn ampersand(&mut self, second: Option<char>) -> Option<()> {
        match second? {
            '&' => {
                self.take(2);
                self.tokens.push(Token::Mark('&'));
            }
            '.' => {
                self.take(2);
                self.tokens.push(Token::Mark('.'));
            }
            ':' => {
                // The method that this names is called.
                self.take(2);
                let end = self.name(self.rest);
                let name = self.take(end).to_owned();
                let call = vec![Token::Mark('.'), Token::Word(name)];
                self.tokens.push(Token::Inner(call));
            }
            _ => return None,
        }
        Some(())
    }

    /// A symbol, or what stands behind the name of a member.
    fn colon(&mut self, second: Option<char>) -> Option<()> {
        let name = self.rest.get(1..).map_or(0, |it| self.name(it));
        if name > 0 {
            self.take(1 + name);
            self.tokens.push(Token::Plain);
            return Some(());
        }
        (second == Some(' ')).then(|| {
            self.take(1);
            self.tokens.push(Token::Mark(':'));
        })
    }
}
