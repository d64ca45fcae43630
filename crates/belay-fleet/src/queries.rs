//! What a board asks for, on a million rows over thirty days.

use std::time::Instant;

use crate::parts::Stage;
use crate::{Outcome, say};

/// No query of a board may take longer, in milliseconds.
const MOST: f64 = 150.0;

const FILL: &str = "
INSERT INTO decision (at, machine, seq, verdict, enforced, team, agent, session, tool, layer, rule, risk, micros, mode, policy, privacy, command, reason, effects)
SELECT now() - (n % 2592000) * interval '1 second', 'board-' || n % 2000, n, CASE WHEN n % 40 = 0 THEN 2 WHEN n % 10 = 1 THEN 1 ELSE 0 END, true,
  'team-' || n % 20, (ARRAY['claude-code','codex','gemini-cli'])[1 + n % 3], 's' || n % 5000, 'Bash', 'analysis', 'rule-' || n % 60, n % 100, 300 + n % 900, 'auto', 'p', 'redacted',
  'cargo test -p part-' || n % 50 || ' -- case_' || n, 'This would run the tests of part ' || n % 50, ARRAY['run ./target/debug/deps', 'write tree ./target']
FROM generate_series(1, 1000000) AS n";

/// The board's queries; the first reads the sums of hours.
const QUERIES: [(&str, &str); 3] = [
    (
        "24 h by hour and verdict",
        "SELECT hour, verdict, sum(calls) FROM rollup WHERE hour > now() - interval '24 hours' GROUP BY 1, 2 ORDER BY 1, 2",
    ),
    (
        "7 d top rules, machines",
        "SELECT rule, count(*), count(DISTINCT machine) FROM decision WHERE at > now() - interval '7 days' AND verdict > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT 20",
    ),
    (
        "last 50 denials of a team",
        "SELECT at, machine, agent, rule, command, reason FROM decision WHERE team = 'team-0' AND verdict = 2 ORDER BY at DESC LIMIT 50",
    ),
];

/// Fills the store and asks.
pub fn run(stage: &mut Stage) -> Outcome {
    let mut client = stage.client()?;
    let shown = |why: postgres::Error| {
        let said = why.as_db_error().map(|it| it.message().to_owned());
        said.unwrap_or_else(|| why.to_string())
    };
    for day in 0..32 {
        let partition = format!(
            "DO $$ DECLARE d date := current_date - {day} + 1; BEGIN EXECUTE format('CREATE TABLE IF NOT EXISTS decision_%s PARTITION OF decision FOR VALUES FROM (%L) TO (%L)', to_char(d, 'YYYYMMDD'), d || ' 00:00:00+00', d + 1 || ' 00:00:00+00'); END $$"
        );
        client.batch_execute(&partition).map_err(shown)?;
    }
    client.batch_execute(FILL).map_err(shown)?;
    // One by one: a server cleans up only outside a transaction.
    for step in [
        "INSERT INTO rollup_due SELECT DISTINCT date_trunc('hour', at) FROM decision ON CONFLICT DO NOTHING",
        "SELECT roll_up()",
        "VACUUM ANALYZE decision",
        "ANALYZE rollup",
    ] {
        client.batch_execute(step).map_err(shown)?;
    }
    let mut late = Vec::new();
    for (name, text) in QUERIES {
        let mut best = f64::MAX;
        for _ in 0..5 {
            let begun = Instant::now();
            client.query(text, &[]).map_err(shown)?;
            best = best.min(begun.elapsed().as_secs_f64() * 1000.0);
        }
        say(&format!("fleet: {name}: {best:.1} ms on a million rows"));
        if best > MOST {
            late.push(name);
        }
    }
    match late.is_empty() {
        true => Ok(()),
        false => Err(format!("slower than {MOST} ms: {late:?}")),
    }
}
