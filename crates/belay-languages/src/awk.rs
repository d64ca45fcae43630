//! awk programs: they compute, unless they redirect, pipe, call `system` or load something.

use belay_model::Verb;

use crate::Doing;

/// Reads an awk program.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    let tokens = tokens(code)?;
    let mut doings = Vec::new();
    let mut printing = false;
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        match token {
            Token::Name(name) => match name.as_str() {
                "print" | "printf" => {
                    printing = true;
                    depth = 0;
                }
                "system" => {
                    doings.push(Doing::Run(called(tokens.get(at + 1..).unwrap_or_default())))
                }
                "getline" => {}
                "ENVIRON" | "PROCINFO" => {
                    doings.push(Doing::Other(Verb::Read, vec!["environment"]))
                }
                _ => {}
            },
            Token::Mark('(' | '[') => depth += 1,
            Token::Mark(')' | ']') => depth -= 1,
            Token::Mark(';' | '\n' | '}' | '{') => printing = false,
            Token::Mark('@') => return None,
            Token::Greater if printing && depth <= 0 => doings.push(Doing::Write(target(
                tokens.get(at + 1..).unwrap_or_default(),
            ))),
            Token::Pipe if printing && depth <= 0 => {
                doings.push(Doing::Run(target(tokens.get(at + 1..).unwrap_or_default())))
            }
            Token::Pipe => doings.push(Doing::Run(before(&tokens, at))),
            Token::Less
                if at > 0
                    && matches!(tokens.get(at - 1), Some(Token::Name(name)) if name == "getline") =>
            {
                doings.push(read_from(next));
            }
            Token::Less
                if at > 1
                    && matches!(tokens.get(at - 2), Some(Token::Name(name)) if name == "getline") =>
            {
                doings.push(read_from(next));
            }
            Token::Greater
            | Token::Less
            | Token::Mark(_)
            | Token::Text(_)
            | Token::Number
            | Token::Regex
            | Token::Other => {}
        }
    }
    Some(doings)
}

fn read_from(next: Option<&Token>) -> Doing {
    match next {
        Some(Token::Text(file)) => Doing::Read(file.clone()),
        _ => Doing::Run(None),
    }
}

/// Returns the one string after a redirection, when nothing is joined to it.
fn target(rest: &[Token]) -> Option<String> {
    match rest {
        [Token::Text(text)] => Some(text.clone()),
        [Token::Text(text), Token::Mark(';' | '\n' | '}'), ..] => Some(text.clone()),
        _ => None,
    }
}

/// Returns the one string in the parentheses of a call.
fn called(rest: &[Token]) -> Option<String> {
    match rest {
        [Token::Mark('('), Token::Text(text), Token::Mark(')'), ..] => Some(text.clone()),
        _ => None,
    }
}

/// Returns the one string in front of `| getline`.
fn before(tokens: &[Token], at: usize) -> Option<String> {
    let text = match tokens.get(at.checked_sub(1)?)? {
        Token::Text(text) => text.clone(),
        _ => return None,
    };
    let alone = match at.checked_sub(2).and_then(|it| tokens.get(it)) {
        None => true,
        Some(token) => matches!(token, Token::Mark('(' | '{' | ';' | '\n')),
    };
    alone.then_some(text)
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Text(String),
    Number,
    Regex,
    Greater,
    Less,
    Pipe,
    Mark(char),
    Other,
}

fn tokens(code: &str) -> Option<Vec<Token>> {
    let chars: Vec<char> = code.chars().collect();
    let mut out: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let rest = chars.get(at + 1..).unwrap_or_default();
        let (token, used) = match c {
            ' ' | '\t' | '\r' => (None, 1),
            '\\' if rest.first() == Some(&'\n') => (None, 2),
            '#' => (None, 1 + rest.iter().take_while(|c| **c != '\n').count()),
            '"' => {
                let (text, used) = string(rest)?;
                (Some(Token::Text(text)), used + 1)
            }
            '/' if !after_value(out.last()) => (Some(Token::Regex), 1 + regex(rest)?),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let more = rest
                    .iter()
                    .take_while(|c| c.is_ascii_alphanumeric() || **c == '_')
                    .count();
                let name: String = chars
                    .get(at..=at + more)
                    .unwrap_or_default()
                    .iter()
                    .collect();
                (Some(Token::Name(name)), more + 1)
            }
            c if c.is_ascii_digit() => {
                let more = rest
                    .iter()
                    .take_while(|c| c.is_ascii_alphanumeric() || **c == '.')
                    .count();
                (Some(Token::Number), more + 1)
            }
            '>' if rest.first() == Some(&'=') => (Some(Token::Other), 2),
            '>' if rest.first() == Some(&'>') => (Some(Token::Greater), 2),
            '>' => (Some(Token::Greater), 1),
            '<' if rest.first() == Some(&'=') => (Some(Token::Other), 2),
            '<' => (Some(Token::Less), 1),
            '|' if rest.first() == Some(&'|') => (Some(Token::Other), 2),
            '|' if rest.first() == Some(&'&') => return None,
            '|' => (Some(Token::Pipe), 1),
            '(' | ')' | '[' | ']' | '{' | '}' | ';' | '\n' | '@' => (Some(Token::Mark(c)), 1),
            _ => (Some(Token::Other), 1),
        };
        out.extend(token);
        at += used;
    }
    Some(out)
}

/// Tells whether a slash here divides rather than opens a regular expression.
fn after_value(last: Option<&Token>) -> bool {
    match last {
        Some(Token::Name(name)) => !matches!(
            name.as_str(),
            "print" | "printf" | "return" | "in" | "getline"
        ),
        Some(Token::Number | Token::Text(_) | Token::Mark(')' | ']')) => true,
        Some(
            Token::Regex
            | Token::Greater
            | Token::Less
            | Token::Pipe
            | Token::Mark(_)
            | Token::Other,
        )
        | None => false,
    }
}

fn string(rest: &[char]) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut at = 0;
    loop {
        match rest.get(at)? {
            '"' => return Some((text, at + 1)),
            '\\' => {
                text.push('\\');
                text.push(*rest.get(at + 1)?);
                at += 2;
            }
            '\n' => return None,
            c => {
                text.push(*c);
                at += 1;
            }
        }
    }
}

fn regex(rest: &[char]) -> Option<usize> {
    let mut at = 0;
    let mut class = false;
    loop {
        match rest.get(at)? {
            '/' if !class => return Some(at + 1),
            '\\' => at += 2,
            '[' => {
                class = true;
                at += 1;
                if matches!(rest.get(at), Some('^')) {
                    at += 1;
                }
                if matches!(rest.get(at), Some(']')) {
                    at += 1;
                }
            }
            ']' => {
                class = false;
                at += 1;
            }
            '\n' => return None,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::Doing;

    #[test]
    fn harmless_programs() {
        for code in [
            "{print $1}",
            "NR==1,NR==5",
            "$3 > 100 {print $1, $2}",
            "BEGIN{FS=\",\"} /foo|bar/ {n++} END{print n/2}",
            "{ if ($1 > max) max = $1 } END { print max }",
            "{printf \"%s > %s\\n\", $1, $2}",
            "{print ($1 > $2)}",
            "length($0) > 80",
            "!seen[$0]++",
            "/a[/]b/",
            "{ a[$1] = a[$1] \" | \" $2 }",
            "$1 || $2 {print}",
        ] {
            assert_eq!(read(code), Some(Vec::new()), "{code}");
        }
    }

    #[test]
    fn what_writes_and_runs() {
        let text = |it: &str| Some(it.to_owned());
        for (code, doing) in [
            (
                "{print > \"/etc/passwd\"}",
                Doing::Write(text("/etc/passwd")),
            ),
            ("{print $1 >> \"out\"}", Doing::Write(text("out"))),
            ("{print > $2}", Doing::Write(None)),
            ("{print > \"a\" $2}", Doing::Write(None)),
            ("BEGIN{system(\"rm -rf x\")}", Doing::Run(text("rm -rf x"))),
            ("{system($0)}", Doing::Run(None)),
            ("{print | \"sh\"}", Doing::Run(text("sh"))),
            ("BEGIN{\"id\" | getline x}", Doing::Run(text("id"))),
            ("{cmd | getline x}", Doing::Run(None)),
            (
                "BEGIN{while ((getline line < \"/etc/shadow\") > 0) print line}",
                Doing::Read("/etc/shadow".to_owned()),
            ),
        ] {
            assert!(
                read(code).is_some_and(|it| it.contains(&doing)),
                "{code}: {:?}",
                read(code)
            );
        }
    }

    #[test]
    fn what_cannot_be_read() {
        for code in [
            "@load \"filefuncs\"",
            "BEGIN{f=\"system\"; @f(\"x\")}",
            "{print |& \"x\"}",
            "{print \"a}",
        ] {
            assert_eq!(read(code), None, "{code}");
        }
    }
}
