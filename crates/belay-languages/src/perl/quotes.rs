//! Texts, patterns and replacements: what stands between delimiters.

/// What is done with a text between delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nothing is looked for in it.
    Letters,
    /// Variables are put into it.
    Text,
    /// It is a pattern, into which variables are put.
    Pattern,
}

/// Returns where a delimited text ends: the place of the closing delimiter. Brackets nest.
pub(super) fn end_of(text: &[char], from: usize, open: char) -> Option<usize> {
    let close = partner(open);
    let mut depth = 0;
    let mut at = from;
    loop {
        match *text.get(at)? {
            '\\' => at += 1,
            c if c == close && depth == 0 => return Some(at),
            c if c == close => depth -= 1,
            c if c == open => depth += 1,
            _ => {}
        }
        at += 1;
    }
}

pub(super) const fn partner(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// Tells whether a text holds nothing that runs: no code in patterns, no expression in texts, plain variables only.
pub(super) fn is_plain(text: &[char], holds: Holds) -> bool {
    if holds == Holds::Letters {
        return true;
    }
    let mut at = 0;
    while let Some(c) = text.get(at) {
        let next = text.get(at + 1).copied();
        match (*c, next) {
            // `\Q$x\E` and the like are plain, and so is an escaped sign; `\N{...}` loads a module.
            ('\\', Some('N')) if text.get(at + 2) == Some(&'{') => return false,
            ('\\', _) => at += 1,
            ('$', _) => match variable(text.get(at + 1..).unwrap_or_default(), holds) {
                Some(length) => at += length,
                None => return false,
            },
            // Arrays may be looked up with code; an address is rarely written without a backslash.
            ('@', Some(next)) if is_array(next) => return false,
            ('(', Some('?')) if holds == Holds::Pattern => {
                let third = text.get(at + 2).copied();
                if matches!(third, Some('{' | '?' | 'p')) {
                    return false;
                }
            }
            // A verb such as `(*{ ... })` is code too.
            ('(', Some('*')) if holds == Holds::Pattern => return false,
            _ => {}
        }
        at += 1;
    }
    true
}

fn is_array(next: char) -> bool {
    next.is_alphanumeric() || matches!(next, '_' | '{' | '$' | ':' | '+' | '-' | '*' | '@')
}

/// Returns the length of a plain variable after its `$`; `None` when it is something else.
fn variable(rest: &[char], holds: Holds) -> Option<usize> {
    match rest.first() {
        // The end of a line, in a pattern.
        None | Some(')' | '|') if holds == Holds::Pattern => Some(0),
        Some('&' | '.' | ',' | '/' | '0') if holds == Holds::Text => followed(rest, 1),
        Some(c) if c.is_ascii_digit() => {
            let length = rest.iter().take_while(|c| c.is_ascii_digit()).count();
            followed(rest, length)
        }
        Some('{') => {
            let inner = rest.iter().skip(1).take_while(|c| is_word(**c)).count();
            let closed = rest.get(inner + 1) == Some(&'}');
            let named = inner > 0;
            (closed && named)
                .then_some(inner + 2)
                .and_then(|it| followed(rest, it))
        }
        Some(c) if is_word(*c) => {
            let length = rest.iter().take_while(|c| is_word(**c)).count();
            followed(rest, length)
        }
        _ => None,
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A subscript after a variable may hold code: only a number or a bare word is taken.
fn followed(rest: &[char], length: usize) -> Option<usize> {
    let after = rest.get(length..).unwrap_or_default();
    match after {
        ['[', inner @ ..] => {
            let sign = usize::from(inner.first() == Some(&'-'));
            let digits = inner
                .iter()
                .skip(sign)
                .take_while(|c| c.is_ascii_digit())
                .count();
            subscript(after, sign + digits, ']').filter(|_| digits > 0)
        }
        ['{', inner @ ..] => {
            let sign = usize::from(inner.first() == Some(&'$'));
            let letters = inner.iter().skip(sign).take_while(|c| is_word(**c)).count();
            subscript(after, sign + letters, '}').filter(|_| letters > 0)
        }
        ['-', '>', ..] | [':', ':', ..] => None,
        ['\'', c, ..] if is_word(*c) => None,
        _ => Some(0),
    }
    .map(|more| length + more)
}

/// Returns the length of a subscript, after which no other follows.
fn subscript(after: &[char], inner: usize, close: char) -> Option<usize> {
    let closed = after.get(inner + 1) == Some(&close);
    let ends = !matches!(after.get(inner + 2), Some('[' | '{' | '-'));
    (closed && ends).then_some(inner + 2)
}
