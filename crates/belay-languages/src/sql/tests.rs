#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use super::{Engine, read};
use crate::Doing;

const ENGINES: [Engine; 5] = [
    Engine::PostgreSql,
    Engine::MySql,
    Engine::Sqlite,
    Engine::DuckDb,
    Engine::Any,
];

fn shown(engine: Engine, code: &str) -> Option<Vec<String>> {
    let doings = read(engine, code)?;
    let line = |doing: &Doing| match doing {
        Doing::Other(verb, names) => format!("{verb} {}", names.join(" ")),
        Doing::Read(path) => format!("read {path}"),
        Doing::Write(path) => format!("write {}", path.as_deref().unwrap_or("?")),
        Doing::Fetch(url) => format!("fetch {}", url.as_deref().unwrap_or("?")),
        Doing::Secret(name) => format!("read secret {name}"),
        other => format!("{other:?}"),
    };
    Some(doings.iter().map(line).collect())
}

fn check(engine: Engine, code: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(shown(engine, code), Some(expected), "{engine:?}: {code}");
}

fn unread(engine: Engine, codes: &[&str]) {
    for code in codes {
        assert_eq!(shown(engine, code), None, "{engine:?}: {code}");
    }
}

#[test]
fn every_engine_looks() {
    for code in [
        "SELECT * FROM a WHERE b = 'DROP TABLE x; --'",
        "select count(*) from t;",
        "SELECT a.b, c FROM d.e AS a JOIN f ON a.x = f.x WHERE y IN (SELECT z FROM w) ORDER BY lower(c) LIMIT 10",
        "EXPLAIN SELECT 1",
        "with x as (select 1) select * from x",
        "WITH x (a) AS (SELECT 1) SELECT a FROM x",
        "/* drop */ select 1",
        "SELECT CAST(a AS varchar(10)), sum(b) OVER (PARTITION BY c) FROM t -- a note",
        "SELECT updated_at, \"delete\" FROM t",
        "VALUES (1), (2)",
    ] {
        for engine in ENGINES {
            check(engine, code, &["query database"]);
        }
    }
}

#[test]
fn every_engine_changes() {
    for engine in ENGINES {
        for (code, does) in [
            ("INSERT INTO a VALUES (1)", "change database"),
            ("INSERT INTO a (b, c) VALUES (1, now())", "change database"),
            ("update a set b=1 where c=2", "change database"),
            ("DELETE FROM a WHERE id IN (1, 2)", "change database"),
            ("DELETE FROM a", "change database all"),
            ("DELETE FROM a WHERE 1=1", "change database all"),
            ("DELETE FROM a WHERE id = id", "change database all"),
            ("DELETE FROM a WHERE id = 1 OR true", "change database all"),
            ("ALTER TABLE a ADD b int", "change schema"),
            ("CREATE TABLE a (b varchar(3) PRIMARY KEY)", "change schema"),
            ("DROP TABLE a", "destroy database"),
            ("drop/**/table a", "destroy database"),
            ("SELECT * INTO b FROM a", "change schema"),
            ("DROP INDEX i", "change schema"),
            (
                "WITH x AS (DELETE FROM a RETURNING id) SELECT * FROM x",
                "change database all",
            ),
            ("WITH x AS (SELECT 1) DELETE FROM a", "change database all"),
        ] {
            check(engine, code, &[does]);
        }
        check(engine, "BEGIN; COMMIT", &[]);
        check(
            engine,
            "SELECT 1; TRUNCATE a",
            &["query database", "destroy database"],
        );
    }
}

#[test]
fn nobody_reads_these() {
    for engine in ENGINES {
        unread(
            engine,
            &[
                "DO $$ begin end $$",
                "select 'a",
                "CALL f()",
                "SELECT pg_read_file('/etc/passwd')",
                "SELECT load_extension('x')",
                "SELECT \"pg_read_file\"  ('/etc/passwd')",
                "SELECT lo_import ('/x')",
                "SELECT evil.lower('x')",
                "SELECT 1 INTO OUTFILE '/x'",
                "SELECT 1 /* a /* b */ */",
                "SELECT 1 /*! INTO OUTFILE '/x' */",
                "CREATE FUNCTION f() RETURNS int AS 'x' LANGUAGE c",
                "CREATE USER a",
                "ALTER SYSTEM SET archive_command = 'rm'",
                "ALTER USER a PASSWORD 'b'",
                "SET GLOBAL general_log = 1",
                "LOAD DATA INFILE 'x' INTO TABLE a",
                "COPY a TO PROGRAM 'sh'",
                "ANALYZE DELETE FROM a",
                "\\! rm -rf x",
                "SELECT 1 \\! rm",
                "EXECUTE x",
                "KILL 3",
            ],
        );
    }
}

#[test]
fn postgresql() {
    use Engine::PostgreSql;
    for code in [
        "\\dt",
        "\\d+ users",
        "\\x\n\\l",
        "SELECT 1 \\gx",
        "select a::text, '12:30' from b",
        "SELECT pg_size_pretty(pg_total_relation_size('a'))",
        "SELECT $$it's$$, $1",
        "SHOW search_path",
        "COPY (SELECT 1) TO STDOUT WITH CSV",
        "SELECT E'a\\'b'",
    ] {
        let last = shown(PostgreSql, code).and_then(|it| it.last().cloned());
        assert_eq!(last.as_deref(), Some("query database"), "{code}");
    }
    check(PostgreSql, "SET statement_timeout = 0; RESET ALL", &[]);
    check(PostgreSql, "\\set ON_ERROR_STOP on\n\\c app", &[]);
    check(
        PostgreSql,
        "\\copy a to 'out.csv' csv",
        &["query database", "write out.csv"],
    );
    check(
        PostgreSql,
        "\\copy a from 'in.csv'",
        &["change database", "read in.csv"],
    );
    check(
        PostgreSql,
        "EXPLAIN (ANALYZE, BUFFERS) DELETE FROM a",
        &["change database all"],
    );
    check(
        PostgreSql,
        "SELECT rolname, rolpassword FROM pg_authid",
        &["read secret database", "query database"],
    );
    unread(
        PostgreSql,
        &[
            "\\g |sh",
            "\\x `id`",
            "SELECT 1 \\g |sh",
            "SELECT 1 \\o x",
            "SELECT 'x' \\gexec",
            "EXPLAIN \\x\nANALYZE DELETE FROM a",
            "\\copy a to program 'sh'",
            "\\i x.sql",
            "\\c - - evil.test",
            "\\set PROMPT1 '%`id`'",
            "SELECT '\\' || evil() || '",
            "SELECT :x",
            "SELECT :'x'",
            "SELECT U&'\\0041'",
            "SELECT setval('s', 1)",
            "SELECT query_to_xml('DROP TABLE a', true, true, '')",
            "SELECT pg_terminate_backend(1)",
            "SET ROLE admin",
            "SET SESSION AUTHORIZATION a",
            "COPY a TO '/tmp/x'",
            ".tables",
        ],
    );
}

#[test]
fn mysql() {
    use Engine::MySql;
    for code in [
        "SHOW TABLES",
        "SHOW CREATE TABLE a\\G",
        "DESC a",
        "SELECT \"it's\"",
        "select 1 # x",
        "SELECT `a` FROM `b`.`c`",
    ] {
        check(MySql, code, &["query database"]);
    }
    check(MySql, "SET NAMES utf8mb4; USE app", &[]);
    check(MySql, "use app\nSELECT 1;", &["query database"]);
    check(
        MySql,
        "status\nhelp\nDELETE FROM u;",
        &["change database all"],
    );
    unread(
        MySql,
        &[
            "/*!50000DROP*/ TABLE users",
            "SELECT 1 --1\n; DROP TABLE a",
            "SELECT \"\\\" , evil() , \"",
            "RESET MASTER",
            "SET PASSWORD FOR root='x'",
            "SET sql_mode='ANSI_QUOTES'",
            "SET NAMES utf8, GLOBAL x = 1",
            "system rm x",
            "source x.sql",
            "delimiter //",
            "\\T /x",
            "SHOW CREATE USER root",
            "SELECT LOAD_FILE('/etc/passwd')",
            "SELECT $$ , evil() , $$",
            "START REPLICA",
        ],
    );
}

#[test]
fn sqlite() {
    use Engine::Sqlite;
    for code in [
        ".tables",
        ".schema a",
        "PRAGMA table_info(a)",
        "SELECT [a b] FROM c",
        ".headers on\n.mode column\nSELECT 1",
    ] {
        check(Sqlite, code, &["query database"]);
    }
    check(Sqlite, "PRAGMA journal_mode = WAL", &["change database"]);
    check(Sqlite, "ATTACH 'b.db' AS b", &["read b.db", "write b.db"]);
    check(
        Sqlite,
        ".output x.txt\n.dump",
        &["write x.txt", "query database"],
    );
    check(
        Sqlite,
        "VACUUM INTO 'b.db'",
        &["change database", "write b.db"],
    );
    unread(
        Sqlite,
        &[
            ".shell rm x",
            ".sh rm",
            ".once |sh",
            ".output |sh",
            ".import '|sh' a",
            ".load x",
            ".read x.sql",
            ".cd /",
            ".open file:/x?mode=ro",
            " .tables ; DROP TABLE a",
            "SELECT writefile('/x', 'y')",
            "SELECT * FROM fsdir('/home')",
            "SELECT data FROM fsdir WHERE path='/home'",
            "SELECT ['] , load_extension('x') , [']",
            "SELECT edit('x')",
            "ATTACH 'file:/x' AS b",
            "PRAGMA temp_store_directory = '/x'",
            "CREATE VIRTUAL TABLE a USING csv(filename='/x')",
        ],
    );
}

#[test]
fn duckdb() {
    use Engine::DuckDb;
    check(
        DuckDb,
        "FROM 'a.csv' SELECT b",
        &["read a.csv", "query database"],
    );
    check(
        DuckDb,
        "SELECT * FROM read_csv('a.csv', header = true)",
        &["read a.csv", "query database"],
    );
    check(
        DuckDb,
        "SELECT * FROM 'https://evil.test/a.csv'",
        &["fetch https://evil.test/a.csv", "query database"],
    );
    check(
        DuckDb,
        "COPY a TO 'b.parquet' (FORMAT parquet)",
        &["write b.parquet"],
    );
    check(DuckDb, "DESCRIBE SELECT 1", &["query database"]);
    unread(
        DuckDb,
        &[
            "INSTALL httpfs",
            "LOAD httpfs",
            "SELECT * FROM read_text(getenv('HOME') || '/x')",
            "SELECT * FROM read_csv(concat('/etc/', 'passwd'))",
            "SELECT getenv('TOKEN')",
            "SET extension_directory = '/x'",
            ".shell ls",
        ],
    );
}
