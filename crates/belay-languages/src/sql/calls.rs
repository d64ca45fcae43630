//! What a statement calls and names.

use super::Engine;
use super::tables::{self, has};
use super::tokens::Token;
use crate::Doing;
use crate::words::Words;

/// Returns what the functions and tables that a statement names do; `None` when one is not known.
pub(super) fn named(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let mut does = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let (Token::Word(name) | Token::Name(name)) = token else {
            // What one mode of MySQL takes for a text is the name of a function in another.
            if matches!(engine, Engine::MySql | Engine::Any)
                && matches!(token, Token::Text(_))
                && tokens.get(at + 1) == Some(&Token::Mark('('))
            {
                return None;
            }
            continue;
        };
        if has(tables::SECRETS, name) {
            does.push(Doing::Secret("database"));
        }
        if has(tables::FILES, name) {
            return None;
        }
        if tokens.get(at + 1) == Some(&Token::Mark('(')) {
            does.extend(called(engine, tokens, at)?);
        }
    }
    if engine == Engine::DuckDb {
        does.extend(scanned(tokens)?);
    }
    if matches!(engine, Engine::MySql | Engine::Any) && shows_users(tokens) {
        does.push(Doing::Secret("database"));
    }
    Some(does)
}

/// Tells whether all of a table of users is shown, or its column of hashes.
fn shows_users(tokens: &[Token]) -> bool {
    let name = |at: usize| match tokens.get(at) {
        Some(Token::Word(it) | Token::Name(it)) => it.as_str(),
        Some(Token::Text(_) | Token::Number(_) | Token::Mark(_)) | None => "",
    };
    let users = |at: usize| {
        let whole = format!("{}.{}", name(at), name(at + 2));
        tokens.get(at + 1) == Some(&Token::Mark('.')) && has(tables::USER_TABLES, &whole)
    };
    let hashes = |at: usize| {
        tokens.get(at) == Some(&Token::Mark('*')) || has(tables::HASH_COLUMNS, name(at))
    };
    (0..tokens.len()).any(users) && (0..tokens.len()).any(hashes)
}

/// A name with a parenthesis after it.
fn called(engine: Engine, tokens: &[Token], at: usize) -> Option<Vec<Doing>> {
    let (Token::Word(name) | Token::Name(name)) = tokens.get(at)? else {
        return None;
    };
    let before = at.checked_sub(1).and_then(|it| tokens.get(it));
    let is_word = matches!(tokens.get(at)?, Token::Word(_));
    if is_word && has(tables::WORDS, name) || lists_columns(tokens, at) {
        return Some(Vec::new());
    }
    // A function in a schema may be anybody's, save in the engine's own.
    if before == Some(&Token::Mark('.')) {
        let schema = at.checked_sub(2).and_then(|it| tokens.get(it));
        let own = matches!(schema, Some(Token::Word(it)) if it == "pg_catalog");
        if !own {
            return None;
        }
    }
    if engine == Engine::DuckDb && has(tables::DUCKDB_READS, name) {
        return texts_within(tokens.get(at + 1..)?)?
            .iter()
            .map(|it| scan(it))
            .collect();
    }
    let own: &[&Words] = match engine {
        Engine::PostgreSql => &[tables::POSTGRESQL_FUNCTIONS],
        Engine::MySql => &[tables::MYSQL_FUNCTIONS],
        Engine::Sqlite => &[tables::SQLITE_FUNCTIONS],
        Engine::DuckDb => &[tables::DUCKDB_FUNCTIONS],
        Engine::Any => &[
            tables::POSTGRESQL_FUNCTIONS,
            tables::MYSQL_FUNCTIONS,
            tables::SQLITE_FUNCTIONS,
        ],
    };
    let known = has(tables::EVERY_FUNCTIONS, name) || own.iter().any(|it| has(it, name));
    known.then(Vec::new)
}

/// Tells whether a name and its parenthesis are a table or an alias with its columns: `INTO a (b)`, `AS a (b)`, and
/// the head of `WITH a (b) AS`.
fn lists_columns(tokens: &[Token], at: usize) -> bool {
    let word = |at: Option<usize>, text: &str| matches!(at.and_then(|it| tokens.get(it)), Some(Token::Word(it)) if it == text);
    // The name may be in two or three parts.
    let mut start = at;
    while start >= 2
        && tokens.get(start - 1) == Some(&Token::Mark('.'))
        && matches!(tokens.get(start - 2), Some(Token::Word(_) | Token::Name(_)))
    {
        start -= 2;
    }
    let before = start.checked_sub(1);
    word(before, "into")
        || word(before, "as") && start == at
        || word(before, "with")
        || word(before, "recursive")
        || word(before, "references")
}

/// Tables of DuckDB that are files: a text or a name in quotes where a table is expected.
fn scanned(tokens: &[Token]) -> Option<Vec<Doing>> {
    let mut does = Vec::new();
    const BEFORE: [&str; 5] = ["from", "join", "summarize", "pivot", "unpivot"];
    // What is described may be a file.
    let mut expected = matches!(tokens.first(), Some(Token::Text(_) | Token::Name(_)));
    for token in tokens {
        match token {
            Token::Word(it) => expected = BEFORE.contains(&it.as_str()),
            Token::Mark(',') | Token::Mark('(') => {}
            Token::Text(Some(path)) if expected => does.push(scan(path)?),
            Token::Text(None) if expected => return None,
            Token::Name(path) if expected && path.contains(['.', '/']) => does.push(scan(path)?),
            Token::Text(_) | Token::Name(_) | Token::Number(_) | Token::Mark(_) => expected = false,
        }
    }
    Some(does)
}

fn scan(path: &str) -> Option<Doing> {
    if path.contains(['*', '?', '[', '{']) {
        let folder = path.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let folder = folder.rsplit_once('/').map_or("", |(it, _)| it);
        let folder = if folder.is_empty() && !path.starts_with('/') {
            "."
        } else {
            folder
        };
        return Some(Doing::Read(format!("{folder}/{}", crate::ANYTHING)));
    }
    Some(if path.contains("://") {
        Doing::Fetch(Some(path.to_owned()))
    } else {
        Doing::Read(path.to_owned())
    })
}

/// Returns the texts within a parenthesis; `None` when what is read is computed.
fn texts_within(tokens: &[Token]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut depth = 0_u32;
    for token in tokens {
        match token {
            // What a call inside gives is not known.
            Token::Mark('(') if depth > 0 => return None,
            Token::Mark('(' | '[') => depth += 1,
            Token::Mark(')' | ']') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (!texts.is_empty()).then_some(texts);
                }
            }
            // Named options: `header = true`.
            Token::Mark(',' | '=' | ':' | '{' | '}' | '>') | Token::Word(_) | Token::Number(_) => {}
            Token::Text(Some(it)) => texts.push(it.clone()),
            Token::Text(None) | Token::Name(_) | Token::Mark(_) => return None,
        }
    }
    None
}
