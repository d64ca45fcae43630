//! The one line that stands for an effect everywhere, printed and parsed back.

use std::fmt;

use crate::{At, Carries, Effect, How, Place, Target, Verb, When};

/// Why a line is not an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// The line is empty.
    Empty,
    /// The first word is not a verb.
    NotAVerb(String),
    /// A quote is not closed.
    OpenQuote,
    /// There is no target.
    NoTarget(Verb),
    /// A word after `carrying` or `on` is wrong or missing.
    BadTail(String),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("an effect needs a verb and a target"),
            Self::NotAVerb(word) => write!(f, "`{word}` is not a verb"),
            Self::OpenQuote => f.write_str("a quote is not closed"),
            Self::NoTarget(verb) => write!(f, "`{verb}` needs a target"),
            Self::BadTail(word) => write!(f, "`{word}` does not belong here"),
        }
    }
}

impl std::error::Error for NotationError {}

/// Writes one word, quoted where blanks, quotes or the given characters would confuse a reader.
pub(crate) fn write_word(f: &mut fmt::Formatter<'_>, word: &str, also: &[char]) -> fmt::Result {
    let odd = |c: char| {
        c.is_whitespace() || c.is_control() || c == '\'' || c == '\\' || also.contains(&c)
    };
    if !word.is_empty() && !word.contains(odd) {
        return f.write_str(word);
    }
    f.write_str("'")?;
    for c in word.chars() {
        match c {
            '\'' => f.write_str("\\'")?,
            '\\' => f.write_str("\\\\")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("'")
}

pub(crate) fn write_effect(f: &mut fmt::Formatter<'_>, effect: &Effect) -> fmt::Result {
    if effect.when != When::Now {
        write!(f, "{} ", effect.when.word())?;
    }
    f.write_str(effect.verb.word())?;
    if effect.how != How::Plain {
        write!(f, " {}", effect.how.word())?;
    }
    f.write_str(" ")?;
    match &effect.target {
        Target::Place(place) => write!(f, "{place}")?,
        Target::Host(host) => write_word(f, host, &[])?,
        Target::Names(names) => {
            for (at, name) in names.iter().enumerate() {
                if at > 0 {
                    f.write_str(" ")?;
                }
                write_name(f, name, at == 0 && effect.how == How::Plain)?;
            }
        }
    }
    if let At::Elsewhere(way, name) = &effect.at {
        write!(f, " on {way} ")?;
        write_name(f, name, false)?;
    }
    if !effect.carries.is_nothing() {
        f.write_str(" carrying")?;
        for word in effect.carries.words() {
            write!(f, " {word}")?;
        }
    }
    Ok(())
}

/// Writes a name; one that reads as a tail word, or right after the verb as a modifier, is quoted.
fn write_name(f: &mut fmt::Formatter<'_>, name: &str, first: bool) -> fmt::Result {
    let confusing = is_tail(name) || first && How::from_word(name).is_some();
    if confusing && !name.is_empty() {
        return write!(f, "'{name}'");
    }
    write_word(f, name, &[])
}

struct Token {
    text: String,
    quoted: bool,
    /// How much of the text the last quote closed over.
    quoted_to: usize,
}

fn tokens(line: &str) -> Result<Vec<Token>, NotationError> {
    let mut out = Vec::new();
    let mut chars = line.chars().peekable();
    loop {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        let Some(_) = chars.peek() else {
            return Ok(out);
        };
        let mut token = Token {
            text: String::new(),
            quoted: false,
            quoted_to: 0,
        };
        while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
            if c == '\'' {
                token.quoted = true;
                quoted(&mut chars, &mut token.text)?;
                token.quoted_to = token.text.len();
            } else {
                token.text.push(c);
            }
        }
        out.push(token);
    }
}

fn quoted(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    into: &mut String,
) -> Result<(), NotationError> {
    loop {
        match chars.next() {
            None => return Err(NotationError::OpenQuote),
            Some('\'') => return Ok(()),
            Some('\\') => match chars.next() {
                Some('u') => into.push(escape(chars)?),
                Some(c) => into.push(c),
                None => return Err(NotationError::OpenQuote),
            },
            Some(c) => into.push(c),
        }
    }
}

fn escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<char, NotationError> {
    let mut digits = String::new();
    if chars.next() != Some('{') {
        return Err(NotationError::OpenQuote);
    }
    for c in chars.by_ref() {
        if c == '}' {
            break;
        }
        digits.push(c);
    }
    u32::from_str_radix(&digits, 16)
        .ok()
        .and_then(char::from_u32)
        .ok_or(NotationError::OpenQuote)
}

/// Reads an effect from its line.
///
/// # Errors
/// When the line has no verb, no target, or a tail that does not belong.
pub fn parse_effect(line: &str) -> Result<Effect, NotationError> {
    let mut tokens = tokens(line)?.into_iter().peekable();
    let when = tokens
        .next_if(|it| !it.quoted && When::from_word(&it.text).is_some())
        .and_then(|it| When::from_word(&it.text))
        .unwrap_or(When::Now);
    let first = tokens.next().ok_or(NotationError::Empty)?;
    let verb = Verb::from_word(&first.text).ok_or(NotationError::NotAVerb(first.text))?;
    let how = tokens
        .next_if(|it| !it.quoted && How::from_word(&it.text).is_some())
        .and_then(|it| How::from_word(&it.text))
        .unwrap_or(How::Plain);
    let mut words = Vec::new();
    while let Some(token) = tokens.next_if(|it| it.quoted || !is_tail(&it.text)) {
        words.push(token);
    }
    let mut effect = Effect::to(verb, target(verb, words)?).how(how).when(when);
    read_tail(&mut effect, tokens)?;
    Ok(effect)
}

fn is_tail(word: &str) -> bool {
    word == "on" || word == "carrying"
}

fn read_tail(
    effect: &mut Effect,
    mut tokens: impl Iterator<Item = Token>,
) -> Result<(), NotationError> {
    let Some(first) = tokens.next() else {
        return Ok(());
    };
    let bad = || NotationError::BadTail(first.text.clone());
    if first.text == "on" {
        let way = tokens.next().ok_or_else(bad)?;
        let name = tokens.next().ok_or_else(bad)?;
        effect.at = At::Elsewhere(way.text, name.text);
        return read_tail(effect, tokens);
    }
    for token in tokens {
        let label = Carries::from_word(&token.text).ok_or(NotationError::BadTail(token.text))?;
        effect.carries = effect.carries.and(label);
    }
    Ok(())
}

fn target(verb: Verb, words: Vec<Token>) -> Result<Target, NotationError> {
    let mut words = words.into_iter().peekable();
    let Some(first) = words.next() else {
        return Err(NotationError::NoTarget(verb));
    };
    if words.peek().is_none() {
        if matches!(verb, Verb::Fetch | Verb::Send) {
            return Ok(Target::Host(first.text));
        }
        if takes_places(verb) && reads_as_path(&first.text) {
            return Ok(Target::Place(place(first)));
        }
    }
    let rest = words.map(|it| it.text);
    Ok(Target::Names(
        std::iter::once(first.text).chain(rest).collect(),
    ))
}

const fn takes_places(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::Read | Verb::Write | Verb::Delete | Verb::Move | Verb::Link | Verb::Mark | Verb::Run
    )
}

fn reads_as_path(word: &str) -> bool {
    word == "."
        || word == "?"
        || word.starts_with("./")
        || word.starts_with('~')
        || word.starts_with('/')
}

fn place(token: Token) -> Place {
    if token.text == "?" && !token.quoted {
        return Place::Unknown;
    }
    if let Some(prefix) = token.text.strip_suffix("/?")
        && token.quoted_to <= prefix.len()
    {
        let prefix = if prefix.is_empty() { "/" } else { prefix };
        return Place::Under(prefix.to_owned());
    }
    if !token.quoted && token.text.contains(['*', '?', '[']) {
        return Place::Pattern(token.text);
    }
    Place::Exact(token.text)
}

#[cfg(test)]
mod tests {
    use super::parse_effect;
    use crate::{Effect, How, Place, Verb};

    fn round(line: &str) {
        let effect = parse_effect(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(effect.to_string(), line);
        assert_eq!(parse_effect(&effect.to_string()), Ok(effect));
    }

    #[test]
    fn lines_print_and_parse_back() {
        for line in [
            "read ./src",
            "read secret ~/.aws/credentials",
            "write ./a",
            "write tree ./out",
            "delete tree ./build",
            "delete ./*.o",
            "delete './a*'",
            "delete tree ./build/?",
            "delete ?",
            "run ./script.sh",
            "run task npm build",
            "eval python",
            "eval input",
            "fetch example.com",
            "send evil.test carrying secret content",
            "listen 3000",
            "install npm left-pad",
            "publish origin feature-x",
            "discard working-tree",
            "configure git core.hooksPath",
            "delete tree /srv/x on ssh web1",
            "unknown command frob",
            "unknown flag --x",
            "delete './a b'",
            "signal name 'on'",
            "mark executable ./x",
            "read names ~/.ssh",
            "later write ./x",
            "own delete tree ~",
            "perhaps send evil.test carrying secret",
        ] {
            round(line);
        }
    }

    #[test]
    fn odd_names_survive() {
        for name in ["./a'b", "./a\\b", "./a\nb", "./on", "./*", "./x/?"] {
            let effect = Effect::on(Verb::Delete, Place::Exact(name.to_owned())).how(How::Tree);
            let line = effect.to_string();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(parse_effect(&line), Ok(effect), "{line}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [
            "",
            "frob ./x",
            "delete",
            "delete './x",
            "send a carrying gold",
        ] {
            assert!(parse_effect(line).is_err(), "{line}");
        }
    }
}
