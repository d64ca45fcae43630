//! SQLite itself says what a program does: whatever it asks its authorizer for, the reader must have said.

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and this one runs a real database"
)]

use std::io::Write as _;
use std::process::{Command, Stdio};

use belay_languages::{Doing, read};
use belay_model::Verb;

const PROGRAMS: usize = 2_000;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let high = usize::try_from(self.0 >> 33).unwrap();
        high % sides
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.get(self.roll(of.len())).unwrap()
    }

    fn maybe(&mut self, text: &'static str) -> &'static str {
        if self.roll(4) == 0 { text } else { "" }
    }

    fn blank(&mut self) -> &'static str {
        let of = [" ", "  ", "\n", " /* x */ ", "/**/", " -- y\n", "\t"];
        of.get(self.roll(of.len() * 3)).unwrap_or(&" ")
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.roll(3) == 0 {
            return self
                .one(&[
                    "1",
                    "id",
                    "b",
                    "'x'",
                    "'it''s'",
                    "\"b\"",
                    "[c]",
                    "`id`",
                    "NULL",
                    "'DROP TABLE a; --'",
                    "x'00'",
                    "?",
                    "$$",
                    "'\\'",
                ])
                .to_owned();
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.roll(7) {
            0 => format!("{left} || {right}"),
            1 => format!("({left})"),
            2 => format!("(SELECT {left} FROM t)"),
            3 => format!("CASE WHEN {left} THEN {right} ELSE 0 END"),
            4 => format!("CAST({left} AS varchar(10))"),
            _ => {
                let name = self.one(&[
                    "lower",
                    "length",
                    "count",
                    "abs",
                    "max",
                    "load_extension",
                    "hex",
                    "\"upper\"",
                    "[lower]",
                    "randomblob",
                    "fts3_tokenizer",
                    "printf",
                    "writefile",
                    "date",
                    "replace",
                    "edit",
                    "zeroblob",
                    "total_changes",
                    "sqlite_version",
                ]);
                format!("{name}{}({left})", self.blank())
            }
        }
    }

    fn select(&mut self) -> String {
        let (what, test) = (self.expression(2), self.expression(1));
        let from = self.one(&[
            "a",
            "t",
            "v",
            "a, t",
            "a JOIN t ON a.id = t.id",
            "(SELECT 1 AS id, 2 AS b, 3 AS c)",
            "pragma_table_info('a')",
            "\"a\"",
            "[a]",
        ]);
        let end = self.maybe(" ORDER BY id LIMIT 1");
        format!("SELECT{}{what} FROM {from} WHERE {test}{end}", self.blank())
    }

    fn statement(&mut self) -> String {
        let value = self.expression(1);
        let select = self.select();
        match self.roll(24) {
            0..=6 => select,
            7 => format!("WITH w AS ({select}) SELECT * FROM w"),
            8 => "WITH w AS (SELECT 1) DELETE FROM a".to_owned(),
            9 => format!("INSERT INTO a (id){}VALUES ({value})", self.blank()),
            10 => format!("INSERT INTO a SELECT id, x, {value} FROM t"),
            11 => format!("UPDATE a SET b = {value} WHERE id = 1"),
            12 => format!(
                "DELETE{}FROM a{}",
                self.blank(),
                self.maybe(" WHERE id = 1")
            ),
            13 => format!(
                "{}{}TABLE n (x)",
                self.one(&["CREATE", "create", "CREATE TEMP"]),
                self.blank()
            ),
            14 => format!("DROP{}TABLE a", self.blank()),
            15 => format!(
                "PRAGMA {}",
                self.one(&[
                    "table_info(a)",
                    "user_version = 3",
                    "user_version",
                    "journal_mode(MEMORY)",
                    "foreign_keys=ON",
                    "writable_schema=1"
                ])
            ),
            16 => "ATTACH ':memory:' AS m".to_owned(),
            17 => "ATTACH 'other.db' AS o".to_owned(),
            18 => format!("EXPLAIN {select}"),
            19 => format!("CREATE VIEW w AS {select}"),
            20 => "ALTER TABLE a RENAME TO z".to_owned(),
            21 => self
                .one(&[
                    "BEGIN",
                    "COMMIT",
                    "SAVEPOINT s",
                    "VACUUM",
                    "ANALYZE",
                    "REINDEX",
                ])
                .to_owned(),
            22 => format!("REPLACE INTO a VALUES ({value}, 1, 2)"),
            _ => "CREATE TRIGGER g AFTER INSERT ON a BEGIN DELETE FROM t; END".to_owned(),
        }
    }

    fn program(&mut self) -> String {
        let count = 1 + self.roll(3);
        let all: Vec<String> = (0..count).map(|_| self.statement()).collect();
        all.join(self.one(&[";", "; ", ";\n", ";\n\n"]))
    }
}

/// Tells whether something that was said covers an act.
fn covers(doings: &[Doing], act: &str) -> bool {
    let has = |wanted: &str| {
        doings.iter().any(|it| match it {
            Doing::Other(verb, names) => format!("{verb} {}", names.join(" ")).starts_with(wanted),
            _ => false,
        })
    };
    let files = doings
        .iter()
        .any(|it| matches!(it, Doing::Read(_) | Doing::Write(_)));
    let (kind, name) = act.split_once(' ').unwrap_or((act, ""));
    match kind {
        "insert" | "update" | "delete" => has("change") || has("destroy"),
        "attach" | "detach" => files || has("change"),
        "pragma" if name == "set" => has("change"),
        "pragma" => has("query") || has("change"),
        "function" => ![
            "load_extension",
            "writefile",
            "readfile",
            "edit",
            "fts3_tokenizer",
        ]
        .contains(&name),
        kind if kind.starts_with("drop") => has("destroy") || has("change schema"),
        "analyze" | "reindex" => has("change"),
        _ => has("change schema") || has("destroy"),
    }
}

#[test]
fn sqlite_does_nothing_that_was_not_said() {
    let seed: u64 = std::env::var("BELAY_SEED").map_or(1, |it| it.parse().unwrap());
    let mut dice = Dice(seed);
    let programs: Vec<String> = (0..PROGRAMS).map(|_| dice.program()).collect();
    let folder = std::env::temp_dir().join(format!("belay-sqlite-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut python = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sqlite.py"))
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = programs.join("\u{1e}");
    python
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = String::from_utf8(python.wait_with_output().unwrap().stdout).unwrap();
    drop(std::fs::remove_dir_all(&folder));
    let lines: Vec<&str> = output.split('\n').collect();
    let (mut unread, mut calm, mut allowed) = (0, 0, 0);
    for (program, line) in programs.iter().zip(&lines) {
        let acts: Vec<&str> = line.split(';').filter(|it| !it.is_empty()).collect();
        let looks = acts
            .iter()
            .all(|it| it.starts_with("function") || *it == "pragma");
        calm += usize::from(looks);
        let Some(doings) = read("sqlite", program) else {
            unread += 1;
            continue;
        };
        for act in acts {
            assert!(
                covers(&doings, act),
                "seed {seed}: `{act}` was not said: {doings:?}\n{program}"
            );
        }
        let only = doings
            .iter()
            .all(|it| matches!(it, Doing::Other(Verb::Query, _)));
        allowed += usize::from(looks && only);
    }
    assert!(
        lines.len() > PROGRAMS,
        "python3 answered {} lines",
        lines.len()
    );
    println!(
        "{PROGRAMS} programs, {unread} not read; {calm} only look, {allowed} of them are said to"
    );
    // Programs that call what is not there fail before they act: they look calm and are rightly not read.
    assert!(allowed * 4 > calm, "{allowed} of {calm}");
}
