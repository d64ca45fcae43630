//! The person's own rules on commands: Codex reads them from files in a small language of calls.
//!
//! INVARIANT: what is not one of the plain calls known here speaks of every command, if it may say anything but allow.

use std::fs;
use std::path::{Path, PathBuf};

/// No file of rules is longer.
const MOST_BYTES: u64 = 1 << 20;

/// So many spellings of one rule are told apart; one with more speaks of every command.
const MOST_SPELLINGS: usize = 64;

/// A rule that speaks of every command, in the form of [`crate::HostRules`].
const EVERY: &str = "Bash";

/// Returns the rules in these folders that want a question or forbid, as rules on commands.
pub(super) fn in_folders(folders: &[PathBuf]) -> Vec<String> {
    let files = folders
        .iter()
        .flat_map(|it| fs::read_dir(it).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> = files.map(|it| it.path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "rules"));
    files.sort_unstable();
    files.iter().flat_map(|it| in_file(it)).collect()
}

fn in_file(path: &Path) -> Vec<String> {
    let readable = fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= MOST_BYTES);
    let text = readable.then(|| fs::read_to_string(path).ok()).flatten();
    text.map_or_else(|| vec![EVERY.to_owned()], |it| in_text(&it))
}

/// Returns the rules of one file.
fn in_text(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let may_forbid = tokens.iter().any(is_strict);
    if !may_forbid && tokens.iter().all(|it| *it != Token::Broken) {
        return Vec::new();
    }
    match calls(&tokens) {
        Some(calls) => calls.into_iter().flatten().collect(),
        None => vec![EVERY.to_owned()],
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Text(String),
    Mark(char),
    Broken,
}

fn is_strict(token: &Token) -> bool {
    matches!(token, Token::Text(it) if it == "prompt" || it == "forbidden")
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '#' => while letters.next_if(|it| *it != '\n').is_some() {},
            '"' | '\'' => {
                let mut inside = String::new();
                loop {
                    match letters.next() {
                        Some(it) if it == letter => break tokens.push(Token::Text(inside)),
                        // An escape or a text of several lines is nothing plain.
                        Some('\\' | '\n') | None => break tokens.push(Token::Broken),
                        Some(it) => inside.push(it),
                    }
                }
            }
            it if it.is_whitespace() => {}
            it if it.is_alphanumeric() || it == '_' => {
                let mut name = String::from(it);
                while let Some(it) = letters.next_if(|it| it.is_alphanumeric() || *it == '_') {
                    name.push(it);
                }
                tokens.push(Token::Name(name));
            }
            it => tokens.push(Token::Mark(it)),
        }
    }
    tokens
}

/// Reads a file that is nothing but calls; `None` when it is something else.
fn calls(tokens: &[Token]) -> Option<Vec<Vec<String>>> {
    let mut rest = tokens;
    let mut found = Vec::new();
    while let Some((first, after)) = rest.split_first() {
        let (Token::Name(name), [Token::Mark('('), inside @ ..]) = (first, after) else {
            return None;
        };
        let end = closing(inside)?;
        let arguments = inside.get(..end)?;
        match name.as_str() {
            "prefix_rule" => found.push(rule(arguments)),
            "host_executable" | "network_rule" => {}
            _ => return None,
        }
        rest = inside.get(end + 1..)?;
    }
    Some(found)
}

/// Returns where the bracket closes that was open before the first token.
fn closing(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Broken => return None,
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') if depth == 0 => return Some(at),
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(_) | Token::Name(_) | Token::Text(_) => {}
        }
    }
    None
}

/// Returns what one rule speaks of; nothing where it allows.
fn rule(arguments: &[Token]) -> Vec<String> {
    if !arguments.iter().any(is_strict) {
        return Vec::new();
    }
    pattern(arguments)
        .and_then(|it| spellings(&it))
        .unwrap_or_else(|| vec![EVERY.to_owned()])
}

/// Returns the words of `pattern = [...]`, each with its spellings.
fn pattern(arguments: &[Token]) -> Option<Vec<Vec<String>>> {
    let begin = [
        Token::Name("pattern".to_owned()),
        Token::Mark('='),
        Token::Mark('['),
    ];
    let at = arguments.windows(3).position(|it| *it == begin)?;
    let mut rest = arguments.get(at + 3..)?;
    let mut words = Vec::new();
    loop {
        match rest {
            [Token::Mark(']'), ..] => return Some(words),
            [Token::Mark(','), after @ ..] => rest = after,
            [Token::Text(word), after @ ..] => {
                words.push(vec![word.clone()]);
                rest = after;
            }
            [Token::Mark('['), after @ ..] => {
                let end = after.iter().position(|it| *it == Token::Mark(']'))?;
                let text = |it: &Token| match it {
                    Token::Text(word) => Some(Some(word.clone())),
                    Token::Mark(',') => Some(None),
                    Token::Name(_) | Token::Mark(_) | Token::Broken => None,
                };
                let several: Option<Vec<_>> = after.get(..end)?.iter().map(text).collect();
                words.push(several?.into_iter().flatten().collect());
                rest = after.get(end + 1..)?;
            }
            _ => return None,
        }
    }
}

fn spellings(words: &[Vec<String>]) -> Option<Vec<String>> {
    let mut lines = vec![String::new()];
    for word in words {
        let longer = |line: &String| -> Vec<String> {
            let blank = if line.is_empty() { "" } else { " " };
            word.iter().map(|it| format!("{line}{blank}{it}")).collect()
        };
        lines = lines.iter().flat_map(longer).collect();
        if lines.len() > MOST_SPELLINGS {
            return None;
        }
    }
    Some(lines.iter().map(|it| format!("Bash({it}:*)")).collect())
}

#[cfg(test)]
mod tests {
    use super::in_text;

    fn check(text: &str, wanted: &[&str]) {
        assert_eq!(in_text(text), wanted, "{text}");
    }

    #[test]
    fn plain_rules() {
        check(
            r#"prefix_rule(pattern = ["git", "push"], decision = "prompt")"#,
            &["Bash(git push:*)"],
        );
        check(
            "# why\nprefix_rule(\n  pattern=['gh', ['pr', 'issue'], 'close'],\n  decision='forbidden', justification=\"no\",\n)\n",
            &["Bash(gh pr close:*)", "Bash(gh issue close:*)"],
        );
        check(r#"prefix_rule(pattern=["ls"], decision="allow")"#, &[]);
        check(
            r#"prefix_rule(pattern=["ls"]) prefix_rule(pattern=["rm"], decision="prompt", match=[["rm", "a"]])"#,
            &["Bash(rm:*)"],
        );
        check("", &[]);
    }

    #[test]
    fn what_is_not_plain_speaks_of_every_command() {
        for text in [
            r#"x = ["rm"]
prefix_rule(pattern=x, decision="prompt")"#,
            r#"[prefix_rule(pattern=[it], decision="prompt") for it in ["rm", "mv"]]"#,
            r#"prefix_rule(["rm"], "prompt")"#,
            r#"prefix_rule(pattern=["rm" + "x"], decision="forbidden")"#,
            r#"prefix_rule(pattern=["r\u006d"], decision="prompt")"#,
            r#"prefix_rule(pattern=["rm"], decision="prompt""#,
        ] {
            check(text, &["Bash"]);
        }
    }
}
