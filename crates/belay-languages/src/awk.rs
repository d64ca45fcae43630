//! awk programs: they compute, unless they redirect, pipe, call `system` or load something.

use belay_model::Verb;

use crate::Doing;

/// Reads an awk program.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    let tokens = tokens(code)?;
    let mut doings = Vec::new();
    let mut printing = false;
    let mut getting = false;
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
                "getline" => getting = true,
                "ENVIRON" => doings.push(environment(tokens.get(at + 1..).unwrap_or_default())),
                "PROCINFO" => doings.push(Doing::Other(Verb::Read, vec!["environment"])),
                // Through these a program changes what it reads, and reaches any variable by a text.
                "ARGV" | "ARGC" | "SYMTAB" | "FUNCTAB" => return None,
                _ => {}
            },
            Token::Mark('(' | '[') => depth += 1,
            Token::Mark(')' | ']') => depth -= 1,
            // A statement goes on after some line ends, so they end nothing here.
            Token::Mark(';' | '}' | '{') => (printing, getting) = (false, false),
            Token::Mark('@') => return None,
            Token::Greater if printing && depth <= 0 => doings.push(Doing::Write(target(
                tokens.get(at + 1..).unwrap_or_default(),
            ))),
            Token::Pipe if printing && depth <= 0 => {
                doings.push(Doing::Run(target(tokens.get(at + 1..).unwrap_or_default())))
            }
            Token::Pipe => doings.push(Doing::Run(before(&tokens, at))),
            Token::Less if getting => {
                doings.push(read_from(next));
                getting = false;
            }
            Token::Greater
            | Token::Less
            | Token::Mark(_)
            | Token::Text(_)
            | Token::Number
            | Token::Regex
            | Token::Step
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

/// `ENVIRON["NAME"]` is one variable; anything else may be all of them.
fn environment(rest: &[Token]) -> Doing {
    match rest {
        [Token::Mark('['), Token::Text(name), Token::Mark(']'), ..] => {
            Doing::Variable(name.clone())
        }
        _ => Doing::Other(Verb::Read, vec!["environment"]),
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
    let Token::Text(text) = tokens.get(at.checked_sub(1)?)? else {
        return None;
    };
    let alone = match at.checked_sub(2).and_then(|it| tokens.get(it)) {
        None => true,
        Some(token) => matches!(token, Token::Mark('(' | '{' | ';' | '\n')),
    };
    alone.then(|| text.clone())
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
    /// `++` and `--`.
    Step,
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
            '/' if !after_value(&out)? => (Some(Token::Regex), 1 + regex(rest)?),
            '+' | '-' if rest.first() == Some(&c) => (Some(Token::Step), 2),
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

/// Tells whether a slash here divides rather than opens a regular expression; `None` where one cannot tell.
fn after_value(before: &[Token]) -> Option<bool> {
    let (last, before) = match before.split_last() {
        Some(it) => it,
        None => return Some(false),
    };
    match last {
        Token::Name(name) => match name.as_str() {
            "print" | "printf" => Some(false),
            "return" | "in" | "getline" | "else" | "do" | "case" | "delete" | "exit" => None,
            _ => Some(true),
        },
        Token::Number | Token::Text(_) | Token::Mark(')' | ']') => Some(true),
        // After a value it counts that value up, before one it is the beginning of another.
        Token::Step => after_value(before)?.then_some(true),
        Token::Regex => None,
        Token::Greater | Token::Less | Token::Pipe | Token::Mark(_) | Token::Other => Some(false),
    }
}

/// Reads a string with its escapes, as all awks read them.
fn string(rest: &[char]) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut at = 0;
    loop {
        match rest.get(at)? {
            '"' => return Some((text, at + 1)),
            '\\' => {
                let (escaped, used) = escape(rest.get(at + 1..)?)?;
                text.extend(escaped);
                at += 1 + used;
            }
            '\n' => return None,
            c => {
                text.push(*c);
                at += 1;
            }
        }
    }
}

/// Reads what follows a backslash: the character it stands for, and its length.
fn escape(rest: &[char]) -> Option<(Option<char>, usize)> {
    let first = *rest.first()?;
    let plain = |it: char| Some((Some(it), 1));
    match first {
        'n' => plain('\n'),
        't' => plain('\t'),
        'r' => plain('\r'),
        'a' => plain('\u{7}'),
        'b' => plain('\u{8}'),
        'f' => plain('\u{c}'),
        'v' => plain('\u{b}'),
        '"' | '\\' | '/' => plain(first),
        '\n' => Some((None, 1)),
        '0'..='7' => {
            let digits: Vec<u32> = rest.iter().take(3).map_while(|it| it.to_digit(8)).collect();
            let code = digits.iter().fold(0, |sum, it| sum * 8 + it);
            let known = char::from_u32(code).filter(char::is_ascii)?;
            Some((Some(known), digits.len()))
        }
        // How many digits follow differs from awk to awk.
        'x' | 'u' => None,
        // Some keep the backslash and some do not; in a text that names nothing both are fine.
        other if other.is_ascii_punctuation() => plain(other),
        _ => None,
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
            "{ n++; print n / 2 }",
            "{ print i++ / 2, j / 3 }",
            "BEGIN { printf \"%s\\t%d\\n\", a, b }",
            "{ gsub(\"\\.\", \"\"); print }",
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
            (
                "BEGIN{getline a[1] < \"/etc/shadow\"}",
                Doing::Read("/etc/shadow".to_owned()),
            ),
            (
                "BEGIN{print \"rm -rf ~\",\n\"\" | \"sh\"}",
                Doing::Run(text("sh")),
            ),
            (
                "BEGIN{print \"evil\" > \"..\\057..\\057x\"}",
                Doing::Write(text("../../x")),
            ),
            (
                "BEGIN{n=1; m=n++ / 2; system(\"rm x\"); k=n / 1}",
                Doing::Run(text("rm x")),
            ),
            (
                "BEGIN{print ENVIRON[\"HOME\"]}",
                Doing::Variable("HOME".to_owned()),
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
            "BEGIN{ARGV[1]=\"/etc/shadow\"; ARGC=2}{print}",
            "BEGIN{print SYMTAB[\"x\"]}",
            "BEGIN{print > \"\\x2fetc\"}",
        ] {
            assert_eq!(read(code), None, "{code}");
        }
    }
}
