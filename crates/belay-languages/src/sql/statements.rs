//! What one statement does.

use belay_model::Verb;

use super::Engine;
use super::calls::named;
use super::tables::{self, has};
use super::tokens::Token;
use crate::Doing;

fn database(verb: Verb) -> Doing {
    Doing::Other(verb, vec!["database"])
}

fn schema() -> Doing {
    Doing::Other(Verb::Change, vec!["schema"])
}

/// Reads one statement, without its semicolon; `None` when nobody knows what it does.
pub(super) fn one(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let Some(first) = word(tokens, 0) else {
        return match tokens.first() {
            None => Some(Vec::new()),
            Some(Token::Mark('(')) => query(engine, tokens),
            Some(_) => None,
        };
    };
    let rest = tokens.get(1..).unwrap_or_default();
    match first {
        "select" | "values" | "table" | "with" => query(engine, tokens),
        "from" | "summarize" | "pivot" | "unpivot" if engine == Engine::DuckDb => {
            query(engine, tokens)
        }
        "describe" | "desc" => query(engine, rest),
        "explain" => explained(engine, rest),
        "show" => shown(engine, rest),
        "help" if engine == Engine::MySql => Some(vec![database(Verb::Query)]),
        "pragma" => pragma(engine, rest),
        // `BEGIN NOT ATOMIC` of MariaDB begins a program.
        "begin" if word(rest, 0) == Some("not") => None,
        "begin" | "commit" | "rollback" | "end" | "abort" | "savepoint" | "release" => {
            is_short(rest).then(Vec::new)
        }
        "start" => (word(rest, 0) == Some("transaction")).then(Vec::new),
        "use" => is_short(rest).then(Vec::new),
        "set" => set(engine, rest),
        "reset" if engine == Engine::PostgreSql => is_short(rest).then(Vec::new),
        "insert" | "replace" | "upsert" | "merge" | "update" | "delete" => changed(engine, tokens),
        "vacuum" | "analyze" | "reindex" | "optimize" | "refresh" | "cluster" | "checkpoint" => {
            kept_up(tokens)
        }
        "copy" => copied(engine, tokens),
        "attach" if matches!(engine, Engine::Sqlite | Engine::DuckDb) => attached(rest),
        "detach" => is_short(rest).then(Vec::new),
        "truncate" => Some(vec![database(Verb::Destroy)]),
        "drop" => Some(vec![dropped(rest)]),
        "create" => created(engine, rest),
        "alter" => altered(rest),
        "comment" | "rename" | "grant" | "revoke" => Some(vec![schema()]),
        _ => None,
    }
}

fn word(tokens: &[Token], at: usize) -> Option<&str> {
    match tokens.get(at) {
        Some(Token::Word(it)) => Some(it),
        Some(Token::Name(_) | Token::Text(_) | Token::Number(_) | Token::Mark(_)) | None => None,
    }
}

fn words(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens
        .iter()
        .enumerate()
        .filter_map(|(at, _)| word(tokens, at))
}

fn holds(tokens: &[Token], text: &str) -> bool {
    words(tokens).any(|it| it == text)
}

/// Tells whether nothing but a few names is said.
fn is_short(tokens: &[Token]) -> bool {
    let plain = |it: &Token| matches!(it, Token::Word(_) | Token::Name(_) | Token::Mark(',' | '.'));
    tokens.len() <= 8 && tokens.iter().all(plain)
}

/// A query, with the changes that may stand inside it.
fn query(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let mut does = named(engine, tokens)?;
    let inner = changes(tokens);
    if inner.is_empty() && !writes_table(tokens)? {
        does.push(database(Verb::Query));
    }
    if writes_table(tokens)? && inner.is_empty() {
        does.push(schema());
    }
    does.extend(inner);
    Some(does)
}

/// Tells whether `SELECT ... INTO` makes a table; `None` when it writes a file or a variable.
fn writes_table(tokens: &[Token]) -> Option<bool> {
    let mut into = false;
    for (at, _) in tokens.iter().enumerate() {
        if word(tokens, at) != Some("into") {
            continue;
        }
        let after_change = at.checked_sub(1).and_then(|it| word(tokens, it));
        if matches!(
            after_change,
            Some("insert" | "replace" | "merge" | "ignore" | "or")
        ) {
            continue;
        }
        if matches!(word(tokens, at + 1), None | Some("outfile" | "dumpfile"))
            && !matches!(tokens.get(at + 1), Some(Token::Name(_)))
        {
            return None;
        }
        into = true;
    }
    Some(into)
}

/// Where a word begins a statement of its own inside another.
fn begins(tokens: &[Token], at: usize) -> bool {
    match at.checked_sub(1).and_then(|it| tokens.get(it)) {
        None => true,
        Some(Token::Mark(it)) => matches!(it, '(' | ')'),
        Some(Token::Word(it)) => matches!(
            it.as_str(),
            "explain" | "analyze" | "verbose" | "materialized"
        ),
        Some(Token::Name(_) | Token::Text(_) | Token::Number(_)) => false,
    }
}

/// Returns the changes of a statement and of those inside it.
fn changes(tokens: &[Token]) -> Vec<Doing> {
    let mut does = Vec::new();
    for (at, _) in tokens.iter().enumerate() {
        let Some(it) = word(tokens, at) else { continue };
        if !begins(tokens, at) || tokens.get(at + 1) == Some(&Token::Mark('(')) {
            continue;
        }
        match it {
            "insert" | "replace" | "merge" | "upsert" => does.push(database(Verb::Change)),
            "update" | "delete" => does.push(changed_rows(tokens.get(at..).unwrap_or_default())),
            _ => {}
        }
    }
    does
}

fn changed(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let mut does = named(engine, tokens)?;
    if holds(tokens, "outfile") || holds(tokens, "dumpfile") {
        return None;
    }
    does.extend(changes(tokens));
    Some(does)
}

/// `UPDATE` and `DELETE`: some rows, where a condition compares a column with something else.
fn changed_rows(tokens: &[Token]) -> Doing {
    let mut depth = 0_i32;
    let end = tokens.iter().position(|it| {
        match it {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth -= 1,
            Token::Word(_)
            | Token::Name(_)
            | Token::Text(_)
            | Token::Number(_)
            | Token::Mark(_) => {}
        }
        depth < 0
    });
    let own = tokens
        .get(..end.unwrap_or(tokens.len()))
        .unwrap_or_default();
    let condition = (0..own.len()).find(|at| word(own, *at) == Some("where"));
    let condition = condition
        .and_then(|at| own.get(at + 1..))
        .unwrap_or_default();
    if narrows(condition) {
        database(Verb::Change)
    } else {
        Doing::Other(Verb::Change, vec!["database", "all"])
    }
}

/// Tells whether a condition holds for some rows only, as far as its words say.
fn narrows(condition: &[Token]) -> bool {
    if condition.is_empty() {
        return false;
    }
    let mut from = 0;
    let ends = (0..=condition.len())
        .filter(|at| *at == condition.len() || word(condition, *at) == Some("or"));
    for end in ends {
        let branch = condition.get(from..end).unwrap_or_default();
        if !compares(branch) {
            return false;
        }
        from = end + 1;
    }
    true
}

/// Tells whether a column is compared with something that is not that column.
fn compares(branch: &[Token]) -> bool {
    const SIGNS: [char; 4] = ['=', '<', '>', '~'];
    let column = |it: Option<&Token>| {
        let fixed = ["true", "false", "null", "not", "and", "or"];
        matches!(it, Some(Token::Name(_)))
            || matches!(it, Some(Token::Word(it)) if !fixed.contains(&it.as_str()))
    };
    (0..branch.len()).any(|at| match branch.get(at) {
        Some(Token::Mark(it)) if SIGNS.contains(it) => {
            let (left, right) = (
                at.checked_sub(1).and_then(|it| branch.get(it)),
                branch.get(at + 1),
            );
            (column(left) || column(right) || left == Some(&Token::Mark(')'))) && left != right
        }
        Some(Token::Word(it)) => {
            let left = at.checked_sub(1).and_then(|it| branch.get(it));
            ["in", "like", "ilike", "between", "is"].contains(&it.as_str())
                && (column(left) || word(branch, at.saturating_sub(1)) == Some("not"))
                || it == "exists"
        }
        Some(Token::Name(_) | Token::Text(_) | Token::Number(_) | Token::Mark(_)) | None => false,
    })
}

fn explained(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let mut rest = tokens;
    let mut runs = false;
    loop {
        match rest.first() {
            Some(Token::Mark('('))
                if !matches!(word(rest, 1), Some("select" | "with" | "values" | "table")) =>
            {
                let end = rest.iter().position(|it| *it == Token::Mark(')'))?;
                runs |= words(rest.get(..end)?).any(|it| it == "analyze" || it == "analyse");
                rest = rest.get(end + 1..)?;
            }
            Some(Token::Word(it))
                if ["analyze", "analyse", "verbose", "query", "plan", "extended"]
                    .contains(&it.as_str()) =>
            {
                runs |= it == "analyze" || it == "analyse";
                rest = rest.get(1..)?;
            }
            Some(Token::Word(it)) if it == "format" => {
                rest = rest.get(
                    if rest.get(1) == Some(&Token::Mark('=')) {
                        3
                    } else {
                        2
                    }..,
                )?;
            }
            Some(_) | None => break,
        }
    }
    if runs {
        return one(engine, rest);
    }
    let mut does = named(engine, rest)?;
    does.push(database(Verb::Query));
    Some(does)
}

fn shown(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let first = word(tokens, 0);
    let fine = match engine {
        Engine::PostgreSql | Engine::DuckDb => is_short(tokens),
        Engine::MySql | Engine::Any | Engine::Sqlite => {
            first.is_some_and(|it| has(tables::SHOWN, it)) && word(tokens, 1) != Some("user")
        }
    };
    let mut does = named(engine, tokens)?;
    does.push(database(Verb::Query));
    fine.then_some(does)
}

fn pragma(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    if engine == Engine::DuckDb {
        let looks = [
            "database_size",
            "show_tables",
            "table_info",
            "storage_info",
            "version",
            "database_list",
        ];
        return word(tokens, 0)
            .filter(|it| looks.contains(it))
            .map(|_| vec![database(Verb::Query)]);
    }
    // `PRAGMA main.table_info(a)`.
    let at = if tokens.get(1) == Some(&Token::Mark('.')) {
        2
    } else {
        0
    };
    let name = word(tokens, at)?;
    let given = tokens.len() > at + 1;
    if has(tables::PRAGMAS, name) || has(tables::PRAGMAS_ALONE, name) && !given {
        return Some(vec![database(Verb::Query)]);
    }
    has(tables::PRAGMAS_ALONE, name).then(|| vec![database(Verb::Change)])
}

fn set(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let skipped = matches!(word(tokens, 0), Some("session" | "local"))
        && word(tokens, 1) != Some("authorization");
    let rest = tokens.get(usize::from(skipped)..)?;
    let list = match engine {
        Engine::PostgreSql => tables::POSTGRESQL_SETTINGS,
        Engine::MySql => tables::MYSQL_SETTINGS,
        Engine::DuckDb => tables::DUCKDB_SETTINGS,
        Engine::Sqlite | Engine::Any => return None,
    };
    named(engine, rest)?;
    // One setting in a statement: the list after a comma may hold another.
    let single = engine != Engine::MySql || !rest.contains(&Token::Mark(','));
    (single && has(list, word(rest, 0)?)).then(Vec::new)
}

/// Work on the tables themselves; a file that `VACUUM INTO` writes has a name.
fn kept_up(tokens: &[Token]) -> Option<Vec<Doing>> {
    let into = (0..tokens.len()).find(|at| word(tokens, *at) == Some("into"));
    let mut does = vec![database(Verb::Change)];
    if let Some(at) = into {
        match tokens.get(at + 1) {
            Some(Token::Text(Some(path))) if !path.starts_with("file:") => {
                does.push(Doing::Write(Some(path.clone())))
            }
            _ => return None,
        }
    }
    let others = ["delete", "update", "insert", "drop", "truncate", "select"];
    (!words(tokens).any(|it| others.contains(&it))).then_some(does)
}

fn copied(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    if holds(tokens, "program") {
        return None;
    }
    let to = (0..tokens.len())
        .rev()
        .find(|at| matches!(word(tokens, *at), Some("to" | "from")))?;
    let out = word(tokens, to) == Some("to");
    let mut does = named(engine, tokens.get(1..)?)?;
    match (tokens.get(to + 1)?, engine) {
        (Token::Word(it), _) if it == "stdout" && out => does.push(database(Verb::Query)),
        (Token::Word(it), _) if it == "stdin" && !out => does.push(database(Verb::Change)),
        (Token::Text(Some(path)), Engine::DuckDb) if out && path.contains("://") => {
            does.push(Doing::Send(Some(path.clone())))
        }
        (Token::Text(Some(path)), Engine::DuckDb) if out => {
            does.push(Doing::Write(Some(path.clone())))
        }
        (Token::Text(Some(path)), Engine::DuckDb) => {
            does.extend([Doing::Read(path.clone()), database(Verb::Change)]);
        }
        _ => return None,
    }
    does.extend(changes(tokens.get(1..)?));
    Some(does)
}

/// `ATTACH 'file' AS name`: the file is read, and made where it is not there.
fn attached(tokens: &[Token]) -> Option<Vec<Doing>> {
    let at = usize::from(word(tokens, 0) == Some("database"));
    match tokens.get(at)? {
        Token::Text(Some(path)) if path == ":memory:" => Some(Vec::new()),
        Token::Text(Some(path)) if !path.contains(':') => Some(vec![
            Doing::Read(path.clone()),
            Doing::Write(Some(path.clone())),
        ]),
        Token::Word(_) | Token::Name(_) | Token::Text(_) | Token::Number(_) | Token::Mark(_) => {
            None
        }
    }
}

fn dropped(tokens: &[Token]) -> Doing {
    let parts = [
        "index",
        "view",
        "trigger",
        "constraint",
        "sequence",
        "type",
        "materialized",
        "rule",
        "policy",
        "function",
        "procedure",
        "aggregate",
        "cast",
    ];
    match word(tokens, 0) {
        Some(it) if parts.contains(&it) => schema(),
        _ => database(Verb::Destroy),
    }
}

/// What may be made: things that hold data. Functions, users, servers and extensions are more.
fn created(engine: Engine, tokens: &[Token]) -> Option<Vec<Doing>> {
    let kinds = [
        "or",
        "replace",
        "temp",
        "temporary",
        "unlogged",
        "unique",
        "materialized",
        "recursive",
        "fulltext",
        "spatial",
        "local",
        "global",
    ];
    let at = tokens
        .iter()
        .position(|it| !matches!(it, Token::Word(it) if kinds.contains(&it.as_str())))?;
    let fine = match word(tokens, at)? {
        "table" | "index" | "view" | "sequence" | "schema" | "type" | "database" | "domain" => true,
        "trigger" => engine == Engine::Sqlite,
        "virtual" => words(tokens).any(|it| it.starts_with("fts")) && engine == Engine::Sqlite,
        _ => false,
    };
    if !fine {
        return None;
    }
    let mut does = vec![schema()];
    let query = (0..tokens.len())
        .find(|at| matches!(word(tokens, *at), Some("select" | "with")) && *at > 0);
    if let Some(query) = query {
        does.extend(named(engine, tokens.get(query..)?)?);
    }
    if engine == Engine::DuckDb {
        let from = tokens
            .iter()
            .position(|it| matches!(it, Token::Word(it) if it == "from"));
        does.extend(from.map_or(Some(Vec::new()), |it| named(engine, tokens.get(it..)?))?);
    }
    Some(does)
}

fn altered(tokens: &[Token]) -> Option<Vec<Doing>> {
    let kinds = [
        "table",
        "index",
        "view",
        "sequence",
        "schema",
        "type",
        "materialized",
        "column",
    ];
    let fine = word(tokens, 0).is_some_and(|it| kinds.contains(&it));
    fine.then(|| vec![schema()])
}
