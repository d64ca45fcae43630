//! Goes through the pieces of a program: every name must be known, and what holds a value is not called.

use std::collections::BTreeSet;

use super::tokens::Token;
use super::{Tongue, lists};
use crate::Doing;
use crate::words::Words;

/// What is known of the words of a language.
struct Known {
    keywords: &'static Words,
    words: &'static Words,
    /// `Thing.call`.
    calls: Option<&'static Words>,
    /// Those that read the file whose name is given first.
    files: Option<&'static Words>,
    /// What texts, numbers and collections are asked.
    members: Option<&'static Words>,
    /// Names of arguments.
    labels: Option<&'static Words>,
}

const fn known(tongue: Tongue) -> Known {
    match tongue {
        Tongue::Lua => Known {
            keywords: lists::LUA_KEYWORDS,
            words: lists::LUA_WORDS,
            calls: Some(lists::LUA_CALLS),
            files: None,
            members: Some(lists::LUA_MEMBERS),
            labels: None,
        },
        Tongue::Mongo => Known {
            keywords: lists::MONGO_KEYWORDS,
            words: lists::MONGO_WORDS,
            calls: Some(lists::MONGO_CALLS),
            files: None,
            members: Some(lists::MONGO_MEMBERS),
            labels: None,
        },
        Tongue::Php => Known {
            keywords: lists::PHP_KEYWORDS,
            words: lists::PHP_WORDS,
            calls: None,
            files: Some(lists::PHP_FILES),
            members: None,
            labels: None,
        },
        Tongue::R => Known {
            keywords: lists::R_KEYWORDS,
            words: lists::R_WORDS,
            calls: None,
            files: Some(lists::R_FILES),
            members: None,
            labels: Some(lists::R_LABELS),
        },
        Tongue::Ruby => Known {
            keywords: lists::RUBY_KEYWORDS,
            words: lists::RUBY_WORDS,
            calls: Some(lists::RUBY_CALLS),
            files: Some(lists::RUBY_FILES),
            members: Some(lists::RUBY_MEMBERS),
            labels: Some(lists::RUBY_LABELS),
        },
    }
}

/// Goes through a program.
pub(crate) struct Checker {
    tongue: Tongue,
    known: Known,
    variables: BTreeSet<String>,
    /// The names that are set in each block of Ruby we are in.
    blocks: Vec<Vec<String>>,
    /// How many round brackets are open.
    depth: usize,
    doings: Vec<Doing>,
}

fn has(list: Option<&'static Words>, word: &str) -> bool {
    list.is_some_and(|it| it.has(word))
}

impl Checker {
    pub(crate) const fn new(tongue: Tongue) -> Self {
        Self {
            tongue,
            known: known(tongue),
            variables: BTreeSet::new(),
            blocks: Vec::new(),
            depth: 0,
            doings: Vec::new(),
        }
    }

    /// Returns what a program does, or nothing when a piece of it is not known.
    pub(crate) fn program(mut self, tokens: &[Token]) -> Option<Vec<Doing>> {
        // Which `end` is that of a block nobody can tell where others stand beside it.
        let word = |them: &[&str]| {
            let is = |it: &Token| matches!(it, Token::Word(it) if them.contains(&it.as_str()));
            tokens.iter().any(is)
        };
        let others = ["if", "unless", "while", "until", "case", "begin", "for"];
        if self.tongue == Tongue::Ruby && word(&["do"]) && word(&others) {
            return None;
        }
        self.all(tokens)?;
        Some(self.doings)
    }

    fn all(&mut self, tokens: &[Token]) -> Option<()> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let (before, after) = tokens.split_at_checked(at)?;
            let after = after.get(1..).unwrap_or_default();
            at += 1;
            let called = after.first().is_some_and(|it| it.is('('));
            // What a key is must be plain to see.
            let key = self.tongue == Tongue::Mongo && after.first().is_some_and(|it| it.is(':'));
            match token {
                Token::Text(None) | Token::Mark(']') if key => return None,
                Token::Word(word) => at += self.word(word, before, after)?,
                Token::Inner(inner) => self.all(inner)?,
                Token::Variable(_) | Token::Text(_) | Token::Plain if called => return None,
                Token::Variable(_) | Token::Text(_) | Token::Plain => {}
                Token::Mark('(') => self.depth += 1,
                Token::Mark(')') => {
                    self.depth = self.depth.checked_sub(1)?;
                    if called || matches!(after.first(), Some(Token::Text(_))) {
                        return None;
                    }
                }
                Token::Mark(']' | '}') if called => return None,
                Token::Mark('{') => self.blocks.push(Vec::new()),
                Token::Mark('}') => self.leave(),
                Token::Mark('|') => at += self.parameters(before, after)?,
                Token::Mark(_) => {}
            }
        }
        Some(())
    }

    /// The names between the bars of a block are variables; returns how many pieces they take.
    fn parameters(&mut self, before: &[Token], after: &[Token]) -> Option<usize> {
        let opens = match before.last() {
            Some(Token::Mark('{')) => true,
            Some(Token::Word(word)) => word == "do",
            Some(
                Token::Mark(_)
                | Token::Variable(_)
                | Token::Text(_)
                | Token::Plain
                | Token::Inner(_),
            )
            | None => false,
        };
        if self.tongue != Tongue::Ruby || !opens {
            return Some(0);
        }
        let count = self.names(after);
        after
            .get(count)
            .is_some_and(|it| it.is('|'))
            .then_some(count + 1)
    }

    /// Makes variables of names with commas between them; returns how many pieces they are.
    fn names(&mut self, after: &[Token]) -> usize {
        let mut count = 0;
        while let Some(Token::Word(name)) = after.get(count) {
            if self.known.keywords.has(name) {
                break;
            }
            self.set(name);
            count += 1;
            if !after.get(count).is_some_and(|it| it.is(',')) {
                break;
            }
            count += 1;
        }
        count
    }

    /// Makes a variable of a name, as long as the innermost block lasts.
    fn set(&mut self, name: &str) {
        if self.variables.insert(name.to_owned())
            && let Some(block) = self.blocks.last_mut()
        {
            block.push(name.to_owned());
        }
    }

    /// Leaves a block of Ruby: its own names mean something else from here on.
    fn leave(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            self.variables.remove(&name);
        }
    }

    /// Checks a word; returns how many of the pieces behind it were read with it.
    fn word(&mut self, word: &str, before: &[Token], after: &[Token]) -> Option<usize> {
        let next = after.first();
        if self.tongue == Tongue::Mongo {
            return self.asked(word, before, after);
        }
        match before {
            // What an object holds; what is called may be anything.
            [.., Token::Mark('-'), Token::Mark('>')] if self.tongue == Tongue::Php => {
                let behind = after.iter().find(|it| !it.is('\n') && !it.is('\r'));
                return (!behind.is_some_and(|it| it.is('('))).then_some(0);
            }
            [.., Token::Word(of), Token::Mark('.')] if !self.variables.contains(of) => {
                // A name behind a dot may be that of a method as well as that of a thing.
                if !is_member(before) {
                    let name = format!("{of}.{word}");
                    return self.call(&name, after);
                }
                return self.member(word);
            }
            [.., Token::Mark('.')] if self.tongue == Tongue::Ruby => return self.member(word),
            [.., Token::Mark('.')] => {
                // A field of a table, which may hold anything that can be called.
                let calls = matches!(next, Some(Token::Mark('(' | '{') | Token::Text(_)));
                return (self.tongue == Tongue::Lua && !calls).then_some(0);
            }
            [.., Token::Mark(':')] if self.tongue == Tongue::Lua => return self.member(word),
            [.., Token::Mark('$')] => {
                return (!matches!(next, Some(Token::Mark('(')))).then_some(0);
            }
            _ => {}
        }
        if self.known.keywords.has(word) {
            match word {
                "do" => self.blocks.push(Vec::new()),
                "end" => self.leave(),
                _ => {}
            }
            return Some(self.declared(word, after));
        }
        if self.tongue == Tongue::Ruby && next.is_some_and(|it| it.is(':')) {
            return has(self.known.labels, word).then_some(0);
        }
        if self.variables.contains(word) {
            return self.value(next).then_some(0);
        }
        if word == "require" && self.tongue == Tongue::Ruby {
            return match next {
                Some(Token::Text(Some(name))) => lists::RUBY_REQUIRES.has(name).then_some(0),
                _ => None,
            };
        }
        if self.known.words.has(word) {
            return Some(0);
        }
        if has(self.known.files, word) {
            return self.file(after);
        }
        let begins_call = matches!(after, [Token::Mark('.'), ..]) && self.tongue != Tongue::R;
        if begins_call && self.is_thing(word) {
            return Some(0);
        }
        self.assigned(word, after).then_some(0)
    }

    /// Checks a word that is typed to MongoDB: collections and fields have any name, what is called is known.
    fn asked(&self, word: &str, before: &[Token], after: &[Token]) -> Option<usize> {
        let next = after.first();
        let called = next.is_some_and(|it| it.is('('));
        let fine = match before {
            [.., Token::Mark('.'), Token::Mark('.')] => false,
            [.., Token::Word(of), Token::Mark('.')] if called => {
                has(self.known.calls, &format!("{of}.{word}")) || has(self.known.members, word)
            }
            [.., Token::Mark('.')] if called => has(self.known.members, word),
            // A method that is not called may be called by somebody else.
            [.., Token::Mark('.')] => next.is_some_and(|it| it.is('.')) || word == "length",
            [.., Token::Word(of)] if of == "use" => true,
            _ if word == "use" => matches!(after, [Token::Word(_)] | [Token::Word(_), ..]),
            _ if next.is_some_and(|it| it.is(':')) && !word.starts_with('$') => true,
            _ => self.known.keywords.has(word) || self.known.words.has(word),
        };
        fine.then_some(0)
    }

    /// Tells whether a name is that of a thing some of whose calls are known.
    fn is_thing(&self, word: &str) -> bool {
        let begins = |list: Option<&'static Words>| {
            list.is_some_and(|it| it.any(|call| call.split('.').next() == Some(word)))
        };
        begins(self.known.calls) || begins(self.known.files)
    }

    fn member(&self, word: &str) -> Option<usize> {
        has(self.known.members, word).then_some(0)
    }

    fn call(&mut self, name: &str, after: &[Token]) -> Option<usize> {
        if has(self.known.files, name) {
            return self.file(after);
        }
        has(self.known.calls, name).then_some(0)
    }

    /// Reads the name of a file, which must be plain.
    fn file(&mut self, after: &[Token]) -> Option<usize> {
        let [
            Token::Mark('('),
            Token::Text(Some(name)),
            Token::Mark(')' | ','),
            ..,
        ] = after
        else {
            return None;
        };
        if name != "php://stdin" {
            if name.is_empty() || name.contains("://") || name.starts_with('|') {
                return None;
            }
            self.doings.push(Doing::Read(name.clone()));
        }
        Some(0)
    }

    /// Keeps the names that a keyword declares; they are read with it.
    fn declared(&mut self, word: &str, after: &[Token]) -> usize {
        let declares = match self.tongue {
            Tongue::Lua => matches!(word, "local" | "for"),
            Tongue::Ruby => word == "for",
            Tongue::Mongo | Tongue::Php | Tongue::R => false,
        };
        if declares { self.names(after) } else { 0 }
    }

    /// Tells whether a variable is used as a value: nothing stands behind it that it could be given.
    fn value(&self, next: Option<&Token>) -> bool {
        match next {
            None | Some(Token::Inner(_)) => true,
            Some(Token::Mark(mark)) => !matches!(mark, '(' | '{'),
            Some(Token::Word(word)) => self.known.keywords.has(word),
            Some(Token::Text(_) | Token::Plain | Token::Variable(_)) => false,
        }
    }

    /// A name that is set becomes a variable.
    fn assigned(&mut self, word: &str, after: &[Token]) -> bool {
        let sets = match after {
            [Token::Mark('='), Token::Mark('=' | '>'), ..] => false,
            [Token::Mark('='), ..] => true,
            [Token::Mark('<'), Token::Mark('-'), ..] => self.tongue == Tongue::R,
            _ => false,
        };
        if !sets || matches!(self.tongue, Tongue::Mongo | Tongue::Php) {
            return false;
        }
        if self.tongue == Tongue::R && self.depth > 0 {
            return has(self.known.labels, word);
        }
        self.set(word);
        true
    }
}

/// Tells whether the name before a dot stands behind a dot itself.
fn is_member(before: &[Token]) -> bool {
    matches!(
        before,
        [.., Token::Mark('.'), Token::Word(_), Token::Mark('.')]
    )
}
