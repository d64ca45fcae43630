//! SQL: what each statement does to the database, by its words.

use belay_model::Verb;

use crate::Doing;

/// Reads SQL, with the commands of `psql` (`\d`) and `sqlite3` (`.tables`) among it.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    let mut doings = Vec::new();
    for statement in statements(code)? {
        doings.extend(one(&statement)?);
    }
    doings.dedup();
    Some(doings)
}

fn database(verb: Verb) -> Doing {
    Doing::Other(verb, vec!["database"])
}

/// Functions that reach outside the database.
const REACHING: [&str; 18] = [
    "LO_EXPORT",
    "LO_IMPORT",
    "PG_READ_FILE",
    "PG_READ_BINARY_FILE",
    "PG_LS_DIR",
    "PG_WRITE_FILE",
    "PG_TERMINATE_BACKEND",
    "PG_CANCEL_BACKEND",
    "PG_RELOAD_CONF",
    "DBLINK",
    "DBLINK_EXEC",
    "LOAD_EXTENSION",
    "WRITEFILE",
    "READFILE",
    "EDIT",
    "LOAD_FILE",
    "SYS_EXEC",
    "XP_CMDSHELL",
];

fn one(words: &[Word]) -> Option<Vec<Doing>> {
    let names: Vec<&str> = words.iter().map(|it| it.text.as_str()).collect();
    if words
        .iter()
        .any(|it| it.called && REACHING.contains(&it.text.as_str()))
    {
        return None;
    }
    let has = |word: &str| words.iter().any(|it| !it.quoted && it.text == word);
    Some(match names.first().copied() {
        None => Vec::new(),
        Some(first) if first.starts_with('\\') => backslash(first)?,
        Some(first) if first.starts_with('.') => dot(first)?,
        Some("SELECT" | "TABLE" | "VALUES") if has("OUTFILE") || has("DUMPFILE") => return None,
        Some("SELECT") if has("INTO") => vec![Doing::Other(Verb::Change, vec!["schema"])],
        Some("SELECT" | "TABLE" | "VALUES" | "SHOW" | "DESCRIBE" | "DESC" | "HELP") => {
            vec![database(Verb::Query)]
        }
        Some("PRAGMA") => vec![database(if names.contains(&"=") {
            Verb::Change
        } else {
            Verb::Query
        })],
        Some("EXPLAIN") if has("ANALYZE") => {
            return one(&after(
                words,
                &["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"],
            ));
        }
        Some("EXPLAIN") => vec![database(Verb::Query)],
        Some("WITH") => {
            let inner = ["INSERT", "UPDATE", "DELETE", "MERGE"];
            if inner.iter().any(|it| has(it)) {
                return one(&after(words, &inner));
            }
            if has("INTO") {
                vec![Doing::Other(Verb::Change, vec!["schema"])]
            } else {
                vec![database(Verb::Query)]
            }
        }
        Some(
            "BEGIN" | "COMMIT" | "ROLLBACK" | "START" | "END" | "SAVEPOINT" | "RELEASE" | "SET"
            | "USE" | "RESET",
        ) => Vec::new(),
        Some(
            "INSERT" | "REPLACE" | "UPSERT" | "MERGE" | "VACUUM" | "ANALYZE" | "REINDEX" | "LOCK"
            | "REFRESH" | "CLUSTER" | "NOTIFY",
        ) => vec![database(Verb::Change)],
        Some("UPDATE" | "DELETE") => vec![changed(words)],
        Some("COPY") => copied(&names)?,
        Some("DROP") => dropped(&names),
        Some("TRUNCATE" | "FLUSHALL" | "FLUSHDB") => vec![database(Verb::Destroy)],
        Some("CREATE" | "ALTER" | "COMMENT" | "RENAME" | "GRANT" | "REVOKE") => {
            vec![Doing::Other(Verb::Change, vec!["schema"])]
        }
        Some(_) => return None,
    })
}

fn after(words: &[Word], names: &[&str]) -> Vec<Word> {
    let at = words
        .iter()
        .position(|it| !it.quoted && names.contains(&it.text.as_str()))
        .unwrap_or(words.len());
    words.get(at..).unwrap_or_default().to_vec()
}

/// A change with a condition that holds for some rows only.
fn changed(words: &[Word]) -> Doing {
    let condition = after(words, &["WHERE"]);
    let texts: Vec<&str> = condition.iter().map(|it| it.text.as_str()).collect();
    let always = matches!(
        texts.get(1..),
        None | Some([] | ["TRUE"] | ["1"] | ["1", "=", "1"])
    );
    if always {
        Doing::Other(Verb::Change, vec!["database", "all"])
    } else {
        database(Verb::Change)
    }
}

fn copied(names: &[&str]) -> Option<Vec<Doing>> {
    if names.contains(&"PROGRAM") {
        return None;
    }
    if names.contains(&"STDOUT") {
        return Some(vec![database(Verb::Query)]);
    }
    (names.contains(&"STDIN")).then(|| vec![database(Verb::Change)])
}

fn dropped(names: &[&str]) -> Vec<Doing> {
    let whole = [
        "TABLE",
        "DATABASE",
        "SCHEMA",
        "OWNED",
        "TABLESPACE",
        "COLLECTION",
        "KEYSPACE",
    ];
    match names.get(1) {
        Some(what) if whole.contains(what) => vec![database(Verb::Destroy)],
        _ => vec![Doing::Other(Verb::Change, vec!["schema"])],
    }
}

/// Commands of `psql` that only look.
fn backslash(word: &str) -> Option<Vec<Doing>> {
    let name = word
        .trim_start_matches('\\')
        .trim_end_matches('+')
        .to_ascii_lowercase();
    let looks = name.starts_with('d') && name.len() <= 5
        || matches!(
            name.as_str(),
            "l" | "list"
                | "x"
                | "timing"
                | "q"
                | "conninfo"
                | "z"
                | "sf"
                | "sv"
                | "a"
                | "t"
                | "pset"
                | "echo"
                | "encoding"
                | "h"
                | "?"
                | "g"
                | "gx"
        );
    looks.then(|| vec![database(Verb::Query)])
}

/// Commands of `sqlite3` that only look.
fn dot(word: &str) -> Option<Vec<Doing>> {
    let looks = [
        ".TABLES",
        ".SCHEMA",
        ".INDEXES",
        ".INDICES",
        ".DATABASES",
        ".DBINFO",
        ".HEADERS",
        ".HEADER",
        ".MODE",
        ".WIDTH",
        ".TIMER",
        ".STATS",
        ".SHOW",
        ".DUMP",
        ".FULLSCHEMA",
        ".QUIT",
        ".EXIT",
        ".HELP",
        ".ECHO",
        ".NULLVALUE",
        ".SEPARATOR",
        ".EXPLAIN",
        ".LIMIT",
        ".VERSION",
    ];
    looks.contains(&word).then(|| vec![database(Verb::Query)])
}

#[derive(Clone, Debug, PartialEq)]
struct Word {
    text: String,
    quoted: bool,
    called: bool,
}

/// Parts SQL into statements of words in capitals; literals are one quoted word.
fn statements(code: &str) -> Option<Vec<Vec<Word>>> {
    let chars: Vec<char> = code.chars().collect();
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let rest = chars.get(at + 1..).unwrap_or_default();
        let fresh = all.last().is_none_or(Vec::is_empty);
        let (word, used) = match c {
            c if c.is_whitespace() => {
                if c == '\n' && meta(all.last()) {
                    all.push(Vec::new());
                }
                (None, 1)
            }
            '-' if rest.first() == Some(&'-') => {
                (None, 1 + rest.iter().take_while(|c| **c != '\n').count())
            }
            '/' if rest.first() == Some(&'*') => (None, comment(rest)? + 1),
            '\'' | '"' | '`' => (Some(quoted()), 1 + closed(rest, c)?),
            '$' if dollar(rest).is_some() => (Some(quoted()), 1 + dollar(rest)?),
            ';' => {
                all.push(Vec::new());
                (None, 1)
            }
            '\\' | '.' if fresh => {
                let more = rest
                    .iter()
                    .take_while(|c| !c.is_whitespace() && **c != ';')
                    .count();
                (Some(plain(chars.get(at..=at + more)?)), more + 1)
            }
            c if c.is_alphanumeric() || c == '_' => {
                let more = rest
                    .iter()
                    .take_while(|c| c.is_alphanumeric() || **c == '_')
                    .count();
                let mut word = plain(chars.get(at..=at + more)?);
                word.called = rest.get(more) == Some(&'(');
                (Some(word), more + 1)
            }
            c => (Some(plain(&[c])), 1),
        };
        if let Some(word) = word {
            all.last_mut()?.push(word);
        }
        at += used;
    }
    Some(all)
}

/// Tells whether a statement is a command of the client, which ends with its line.
fn meta(statement: Option<&Vec<Word>>) -> bool {
    statement
        .and_then(|it| it.first())
        .is_some_and(|it| it.text.starts_with(['\\', '.']))
}

fn plain(chars: &[char]) -> Word {
    Word {
        text: chars.iter().collect::<String>().to_uppercase(),
        quoted: false,
        called: false,
    }
}

fn quoted() -> Word {
    Word {
        text: "'".to_owned(),
        quoted: true,
        called: false,
    }
}

fn closed(rest: &[char], end: char) -> Option<usize> {
    let mut at = 0;
    loop {
        let c = *rest.get(at)?;
        at += 1;
        if c == end {
            if rest.get(at) == Some(&end) {
                at += 1;
            } else {
                return Some(at);
            }
        }
    }
}

fn comment(rest: &[char]) -> Option<usize> {
    let mut depth = 1;
    let mut at = 1;
    while depth > 0 {
        match (rest.get(at)?, rest.get(at + 1)) {
            ('*', Some('/')) => {
                depth -= 1;
                at += 2;
            }
            ('/', Some('*')) => {
                depth += 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    Some(at)
}

/// Returns the length of a dollar-quoted text after its first `$`.
fn dollar(rest: &[char]) -> Option<usize> {
    let tag = rest
        .iter()
        .take_while(|c| c.is_alphanumeric() || **c == '_')
        .count();
    if rest.get(tag) != Some(&'$') || rest.first().is_some_and(char::is_ascii_digit) {
        return None;
    }
    let close: Vec<char> = std::iter::once('$')
        .chain(rest.get(..=tag)?.iter().copied())
        .collect();
    let body = rest.get(tag + 1..)?;
    let at = body
        .windows(close.len())
        .position(|it| it == close.as_slice())?;
    Some(tag + 1 + at + close.len())
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::Doing;

    fn check(code: &str, expected: Option<&[&str]>) {
        let found = read(code).map(|it| {
            it.iter()
                .map(|doing| match doing {
                    Doing::Other(verb, names) => format!("{verb} {}", names.join(" ")),
                    other => format!("{other:?}"),
                })
                .collect::<Vec<_>>()
        });
        let expected =
            expected.map(|it| it.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn looking() {
        for code in [
            "SELECT * FROM a WHERE b = 'DROP TABLE x; --'",
            "select count(*) from t;",
            "\\dt",
            "\\d+ users",
            ".tables",
            "EXPLAIN SELECT 1",
            "with x as (select 1) select * from x",
            "SHOW TABLES",
            "PRAGMA table_info(a)",
            "/* drop */ select 1",
        ] {
            check(code, Some(&["query database"]));
        }
    }

    #[test]
    fn changing() {
        check("INSERT INTO a VALUES (1)", Some(&["change database"]));
        check("update a set b=1 where c=2", Some(&["change database"]));
        check("DELETE FROM a", Some(&["change database all"]));
        check("DELETE FROM a WHERE 1=1", Some(&["change database all"]));
        check("ALTER TABLE a ADD b int", Some(&["change schema"]));
        check("DROP TABLE a", Some(&["destroy database"]));
        check("drop/**/table a", Some(&["destroy database"]));
        check(
            "SELECT 1; TRUNCATE a",
            Some(&["query database", "destroy database"]),
        );
        check(
            "WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x",
            Some(&["change database all"]),
        );
        check("SELECT * INTO b FROM a", Some(&["change schema"]));
        check("DROP INDEX i", Some(&["change schema"]));
        check("BEGIN; COMMIT", Some(&[]));
    }

    #[test]
    fn unreadable() {
        for code in [
            "\\! rm -rf x",
            ".shell rm x",
            "COPY a TO PROGRAM 'sh'",
            "DO $$ begin end $$",
            "select 'a",
            "SELECT pg_read_file('/etc/passwd')",
            "CALL f()",
            "\\i x.sql",
            "SELECT 1 INTO OUTFILE '/x'",
        ] {
            check(code, None);
        }
    }
}
