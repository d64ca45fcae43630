//! The commands of `psql`, `mysql` and `sqlite3` that stand among SQL.

use belay_model::Verb;

use super::tables::{self, has};
use super::tokens::{End, Token, statement, tokens};
use super::{Engine, statements};
use crate::Doing;

/// What a text begins with.
pub(super) enum Begun<'a> {
    Command { does: Vec<Doing>, after: &'a str },
    Statement { text: &'a str, after: &'a str },
}

/// Reads what a text begins with: `Some(None)` at its end, `None` when it cannot be read.
pub(super) fn next(engine: Engine, text: &str) -> Option<Option<Begun<'_>>> {
    let begun = text.trim_start();
    if begun.is_empty() {
        return Some(None);
    }
    if begun.starts_with('.') {
        return dotted(engine, text).map(Some);
    }
    if engine == Engine::MySql
        && let Some(after) = worded(text)
    {
        let does = Vec::new();
        return Some(Some(Begun::Command { does, after }));
    }
    // `sqlite3` skips such a line, other clients do not.
    if begun.starts_with('#') && engine != Engine::MySql {
        return None;
    }
    let (part, end, after) = statement(engine, text)?;
    if !tokens(engine, part)?.is_empty() {
        // Other commands leave the statement open, and what follows them still belongs to it.
        let ends = ["\\g", "\\gx", "\\G"];
        let word = after
            .split(|it: char| it.is_whitespace() || it == ';')
            .next();
        if end == End::Backslash && !word.is_some_and(|it| ends.contains(&it)) {
            return None;
        }
        return Some(Some(Begun::Statement { text: part, after }));
    }
    match end {
        End::Text => Some(None),
        End::Semicolon => Some(Some(Begun::Statement { text: part, after })),
        End::Backslash => {
            let (does, after) = backslash(engine, after)?;
            Some(Some(Begun::Command { does, after }))
        }
    }
}

fn queries() -> Vec<Doing> {
    vec![Doing::Other(Verb::Query, vec!["database"])]
}

/// A command of `psql` or `mysql`, which may stand in the middle of a line.
fn backslash(engine: Engine, text: &str) -> Option<(Vec<Doing>, &str)> {
    let inside = text.strip_prefix('\\')?;
    match engine {
        Engine::PostgreSql => {
            let end = inside.find('\n').unwrap_or(inside.len());
            let (line, after) = inside.split_at_checked(end)?;
            Some((psql(line)?, after))
        }
        Engine::MySql => {
            let (name, after) = inside.split_at_checked(1)?;
            has(tables::MYSQL_COMMANDS, name).then_some((Vec::new(), after))
        }
        Engine::Sqlite | Engine::DuckDb | Engine::Any => None,
    }
}

/// A command of `mysql` that is a word and has a line of its own, with nothing in it that ends a statement; returns what
/// stands behind it. Where the line is not one to the client, it begins a statement that fails.
fn worded(text: &str) -> Option<&str> {
    let begun = text.trim_start();
    let end = begun.find('\n').unwrap_or(begun.len());
    let (line, after) = begun.split_at_checked(end)?;
    let word = line.split_whitespace().next()?.to_ascii_lowercase();
    let alone = !line.contains([';', '\\']) && has(tables::MYSQL_WORDS, &word);
    alone.then_some(after)
}

/// A command of `psql` with its arguments, in which backticks run programs and a bar begins one.
fn psql(line: &str) -> Option<Vec<Doing>> {
    if line.contains(['`', '\\', '|', ':']) {
        return None;
    }
    let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let words: Vec<&str> = words.split_whitespace().collect();
    match name.trim_end_matches(';') {
        "copy" => copied(line.strip_prefix("copy")?),
        "g" | "gx" if !words.is_empty() => None,
        // More than a name would lead to another host.
        "c" | "connect" => {
            let plain = |it: &&str| {
                it.chars()
                    .all(|it| it.is_alphanumeric() || "_-".contains(it))
            };
            (words.len() <= 1 && words.iter().all(plain)).then(Vec::new)
        }
        "set" => words
            .first()
            .is_some_and(|it| has(tables::PSQL_VARIABLES, it))
            .then(Vec::new),
        it => has(tables::PSQL_COMMANDS, it).then(queries),
    }
}

/// `\copy`: the client itself reads or writes the file.
fn copied(words: &str) -> Option<Vec<Doing>> {
    let tokens = tokens(Engine::PostgreSql, words)?;
    let mut depth = 0_i32;
    let at = tokens.iter().position(|it| {
        match it {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth -= 1,
            Token::Word(_)
            | Token::Name(_)
            | Token::Text(_)
            | Token::Number(_)
            | Token::Mark(_) => {}
        }
        depth == 0 && matches!(it, Token::Word(it) if it == "to" || it == "from")
    })?;
    let (what, rest) = tokens.split_at_checked(at)?;
    let into = matches!(rest.first()?, Token::Word(it) if it == "from");
    let mut does = match what.first()? {
        Token::Mark('(') => statements::one(Engine::PostgreSql, what.get(1..what.len() - 1)?)?,
        _ if into => vec![Doing::Other(Verb::Change, vec!["database"])],
        Token::Word(_) | Token::Name(_) | Token::Text(_) | Token::Number(_) | Token::Mark(_) => {
            queries()
        }
    };
    match rest.get(1)? {
        Token::Text(Some(path)) if into => does.push(Doing::Read(path.clone())),
        Token::Text(Some(path)) => does.push(Doing::Write(Some(path.clone()))),
        Token::Word(it) if ["stdin", "stdout", "pstdin", "pstdout"].contains(&it.as_str()) => {}
        Token::Word(_) | Token::Name(_) | Token::Text(_) | Token::Number(_) | Token::Mark(_) => {
            return None;
        }
    }
    Some(does)
}

/// A command of `sqlite3` and `duckdb`, which has a line of its own and begins with it.
fn dotted(engine: Engine, text: &str) -> Option<Begun<'_>> {
    let begun = text.trim_start();
    let fresh = text.len() == begun.len() || text.get(..text.len() - begun.len())?.ends_with('\n');
    if !fresh || !matches!(engine, Engine::Sqlite | Engine::DuckDb) {
        return None;
    }
    let (line, after) = begun.split_once('\n').unwrap_or((begun, ""));
    let does = dot(line)?;
    Some(Begun::Command { does, after })
}

fn dot(line: &str) -> Option<Vec<Doing>> {
    if line.contains(['\\', '`', '|']) {
        return None;
    }
    let words: Vec<&str> = line
        .split_whitespace()
        .map(|it| it.trim_matches(['\'', '"']))
        .collect();
    let (name, words) = words.split_first()?;
    let operands: Vec<&str> = words
        .iter()
        .copied()
        .filter(|it| !it.starts_with('-'))
        .collect();
    let quoted_blank = line.contains(['\'', '"']) && operands.len() > 1;
    let write = |path: &str| Doing::Write(Some(path.to_owned()));
    match (*name, operands.as_slice()) {
        (".output", [] | ["stdout" | "off"]) => Some(Vec::new()),
        (".output" | ".once" | ".backup" | ".save", [path])
            if words.len() == 1 && !quoted_blank =>
        {
            Some(vec![write(path)])
        }
        (".open", [path]) if words.len() == 1 && !path.contains(':') => {
            Some(vec![Doing::Read((*path).to_owned()), write(path)])
        }
        (".import", [path, _])
            if !quoted_blank
                && words
                    .iter()
                    .all(|it| !it.starts_with('-') || matches!(*it, "--csv" | "-csv")) =>
        {
            let change = Doing::Other(Verb::Change, vec!["database"]);
            Some(vec![Doing::Read((*path).to_owned()), change])
        }
        (it, _) => has(tables::SQLITE_COMMANDS, it).then(queries),
    }
}
