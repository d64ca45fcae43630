//! A line for a shell, as far as a spelling must understand it: the words of a simple command, or only a text.

use belay_oracle::dice::Dice;

/// Where a line would run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The working folder, absolute; empty where it is not known.
    pub cwd: String,
    /// The home folder, absolute; empty where it is not known.
    pub home: String,
}

/// A line for a shell.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its words, where it is one simple command and nothing else.
    pub words: Option<Vec<Word>>,
    /// Where it would run.
    pub scene: &'a Scene,
}

/// A word of a simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// As it is written.
    pub raw: String,
    /// What it means; none where the shell expands something in it.
    pub value: Option<String>,
}

impl Word {
    /// Returns what it means, where no quote is needed to say so.
    #[must_use]
    pub fn bare(&self) -> Option<&str> {
        self.value.as_deref().filter(|it| is_bare(it))
    }
}

/// Words that the shell itself understands at the head of a command; what starts a program cannot start these.
const SHELLS_OWN: &str = " ! { } [[ (( if then else elif fi for do done while until case esac select function time coproc . : [ alias bg bind break \
    builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts \
    hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend \
    test times trap true type typeset ulimit umask unalias unset wait setopt unsetopt autoload zmodload emulate print noglob nocorrect ";

/// Commands whose whole effect is on the shell they run in: in a child they do less.
const LASTING: &str = " alias bind builtin cd complete coproc declare disown dirs enable exec exit export fc fg bg getopts hash history jobs let local logout \
    mapfile popd pushd read readarray readonly return set setopt shift shopt source . suspend trap typeset ulimit umask unalias unset unsetopt wait \
    break continue autoload zmodload emulate kill ";

impl<'a> Line<'a> {
    /// Reads a line.
    #[must_use]
    pub fn new(text: &'a str, scene: &'a Scene) -> Self {
        let words = words(text);
        Self { text, words, scene }
    }

    /// Returns its words when another program could start it: it is one simple command, and no command of the shell's own.
    #[must_use]
    pub fn program(&self) -> Option<&[Word]> {
        let words = self.words.as_deref()?;
        let first = words.first()?.value.as_deref()?;
        let starts = !first.is_empty() && !first.contains('=') && !holds(SHELLS_OWN, first);
        starts.then_some(words)
    }

    /// Tells whether it does in a child of the shell what it does in the shell itself.
    #[must_use]
    pub fn suits_a_child(&self) -> bool {
        let apart = |c: char| c.is_whitespace() || ";&|(){}`".contains(c);
        let lasting = |word: &str| {
            holds(LASTING, word)
                || word.contains("()")
                || word.split_once('=').is_some_and(|it| is_name(it.0))
        };
        !self.text.split(apart).any(lasting)
            && !self.text.contains("()")
            && !speaks_of_its_shell(self.text)
    }

    /// Tells whether the text ends where it ends: nothing is left open that what follows would belong to.
    #[must_use]
    pub fn ends(&self) -> bool {
        let text = self.text.trim_end();
        self.words.is_some()
            || (!text.is_empty()
                && !text.contains(['\n', '#', '\\'])
                && !text.contains("<<")
                && !text.ends_with(['&', ';', '|']))
    }
}

fn holds(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|it| it == word)
}

/// Tells whether a text asks for the words or the number of the shell that reads it: another has others.
fn speaks_of_its_shell(text: &str) -> bool {
    let asks = |it: &str| it.starts_with(|c: char| c.is_ascii_digit() || "$@*#!?-{".contains(c));
    text.split('$').skip(1).any(asks)
}

fn is_name(text: &str) -> bool {
    let text = text.trim_end_matches('+');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Tells whether a value is a word that means itself wherever it stands.
#[must_use]
pub fn is_bare(value: &str) -> bool {
    !value.is_empty()
        && value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_./:@%+,-=".contains(c))
}

/// Returns the words of a text that is one simple command: no operator, no substitution, no comment.
fn words(text: &str) -> Option<Vec<Word>> {
    let mut reader = Reader::default();
    let mut letters = text.trim().chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            ' ' | '\t' => reader.end(),
            '\'' => reader.until_quote(&mut letters)?,
            '"' => reader.until_double(&mut letters)?,
            '\\' => {
                let c = letters.next().filter(|it| *it != '\n')?;
                reader.raw.push('\\');
                reader.take(c);
            }
            '|' | ';' | '&' | '(' | ')' | '<' | '>' | '`' | '\n' => return None,
            '#' if !reader.open => return None,
            '$' => {
                if letters.peek().is_some_and(|it| "({'\"[".contains(*it)) {
                    return None;
                }
                reader.expands();
                reader.take(c);
            }
            '*' | '?' | '[' | ']' | '{' | '}' => {
                reader.expands();
                reader.take(c);
            }
            '~' if !reader.open || reader.raw.ends_with(['=', ':']) => {
                reader.expands();
                reader.take(c);
            }
            c => reader.take(c),
        }
    }
    reader.end();
    (!reader.done.is_empty()).then_some(reader.done)
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    done: Vec<Word>,
    open: bool,
    raw: String,
    value: String,
    opaque: bool,
}

type Letters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

impl Reader {
    fn end(&mut self) {
        if self.open {
            let value = std::mem::take(&mut self.value);
            self.done.push(Word {
                raw: std::mem::take(&mut self.raw),
                value: (!self.opaque).then_some(value),
            });
        }
        (self.open, self.opaque) = (false, false);
    }

    const fn expands(&mut self) {
        self.opaque = true;
    }

    fn take(&mut self, c: char) {
        self.open = true;
        self.raw.push(c);
        self.value.push(c);
    }

    fn until_quote(&mut self, letters: &mut Letters<'_>) -> Option<()> {
        self.open = true;
        self.raw.push('\'');
        loop {
            match letters.next()? {
                '\'' => break,
                c => self.take(c),
            }
        }
        self.raw.push('\'');
        Some(())
    }

    fn until_double(&mut self, letters: &mut Letters<'_>) -> Option<()> {
        self.open = true;
        self.raw.push('"');
        loop {
            match letters.next()? {
                '"' => break,
                '`' => return None,
                '$' => {
                    if letters.peek().is_some_and(|it| "({[".contains(*it)) {
                        return None;
                    }
                    self.expands();
                    self.take('$');
                }
                '\\' => {
                    let c = letters.next()?;
                    self.raw.push('\\');
                    if !"\"\\$`".contains(c) {
                        self.value.push('\\');
                    }
                    self.take(c);
                }
                c => self.take(c),
            }
        }
        self.raw.push('"');
        Some(())
    }
}

/// Returns what may end a here-document that holds a line: no line of it.
#[must_use]
pub fn ending(line: &Line<'_>) -> String {
    let inner = line.text.matches("BELAY_END").count();
    format!("BELAY_END{inner}")
}

/// Joins words as they are written.
#[must_use]
pub fn joined(words: &[Word]) -> String {
    let raw: Vec<&str> = words.iter().map(|it| it.raw.as_str()).collect();
    raw.join(" ")
}

/// Returns a text in single quotes.
#[must_use]
pub fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns a text in double quotes.
#[must_use]
pub fn double(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if "\"\\$`".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// Returns a text in `$'...'`.
#[must_use]
pub fn ansi(text: &str) -> String {
    let mut out = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// Returns a text in quotes of some kind.
pub fn quoted(text: &str, dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => double(text),
        1 => ansi(text),
        _ => single(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_where_nothing_else_stands() {
        let read = |text: &str| -> Option<Vec<Option<String>>> {
            Some(words(text)?.into_iter().map(|it| it.value).collect())
        };
        let known = |all: &[&str]| Some(all.iter().map(|it| Some((*it).to_owned())).collect());
        assert_eq!(
            read("rm -rf 'a b' c\\ d \"e\""),
            known(&["rm", "-rf", "a b", "c d", "e"])
        );
        assert_eq!(read("rm ~/x"), Some(vec![Some("rm".to_owned()), None]));
        for text in ["a | b", "a; b", "a > b", "a $(b)", "a # b", "a\nb", "a 'b"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
