//! What must hold in the end.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::Value;
use belay_ship::otlp::{LogRecord, Resource, logs};
use belay_ship::{Outbox, Reply, Spool, Wire, gzip};

use crate::machines::SECRETS;
use crate::parts::Stage;
use crate::{Outcome, say};

/// Numbers and links of a machine.
pub type Links = BTreeMap<i64, String>;

/// Whoever has no token gets nothing, and nothing of theirs is stored.
pub fn strangers(stage: &Stage) -> Outcome {
    let mut record = LogRecord::new("belay.status", 9);
    record.text("belay.mode", "auto");
    let from = Resource {
        machine: "stranger".to_owned(),
        ..Resource::default()
    };
    let body = gzip::pack(logs(&from, &[record]).as_bytes());
    for token in [
        None,
        Some(""),
        Some("wrong"),
        Some("fleet-token-of-the-proo"),
    ] {
        let stranger = stage.http(token);
        let reply = stranger.post("/v1/logs", &body)?;
        let fetched = stranger.get("/v1/bundle")?;
        if !matches!(reply, Reply { status: 401, .. }) || fetched != (401, b"{}".to_vec()) {
            return Err(format!(
                "a stranger with {token:?} was told {reply:?} and {fetched:?}"
            ));
        }
    }
    for path in LOOKS {
        // A machine's token sends and fetches; it does not look at others.
        let looked = stage.http(Some(crate::parts::TOKEN)).get(path)?;
        if looked.0 != 403 {
            return Err(format!("a machine's token was told {looked:?} at {path}"));
        }
        let stranger = stage.http(None).get(path)?;
        if stranger.0 != 401 {
            return Err(format!("a stranger was told {stranger:?} at {path}"));
        }
    }
    if stage.http(Some(crate::parts::TOKEN)).get("/v1/bundle")?.1 != b"a bundle" {
        return Err("the bundle is not served to those who may have it".to_owned());
    }
    let count: i64 = stage
        .client()?
        .query_one("SELECT count(*) FROM machine", &[])
        .map_err(|why| why.to_string())?
        .get(0);
    match count {
        0 => {
            say("fleet: strangers got nothing, and nothing of theirs was stored");
            Ok(())
        }
        _ => Err("something of a stranger was stored".to_owned()),
    }
}

/// Where a reader looks.
const LOOKS: [&str; 4] = [
    "/v1/fleet/machines",
    "/v1/fleet/teams",
    "/v1/fleet/trends",
    "/v1/fleet/gaps",
];

/// Who may look sees what the store holds, as bounded JSON, and may do nothing else.
pub fn readers(stage: &Stage) -> Outcome {
    let reader = stage.http(Some(crate::parts::READER));
    let told = |path: &str| -> Outcome<Value> {
        match reader.get(path)? {
            (200, bytes) => json::read(&bytes).map_err(|why| format!("{path}: {why}")),
            other => Err(format!("a reader was told {other:?} at {path}")),
        }
    };
    let mut client = stage.client()?;
    let mut count = |text: &str| -> Outcome<i64> {
        let row = client.query_one(text, &[]);
        Ok(row.map_err(|why| why.to_string())?.get(0))
    };
    let calls = count("SELECT count(*) FROM decision WHERE at > now() - interval '29 days'")?;
    for path in ["/v1/fleet/teams", "/v1/fleet/trends"] {
        let told = told(path)?;
        let rows = told.get("rows").and_then(Value::items).unwrap_or_default();
        let sum: i64 = rows.iter().map(|it| number(it, "calls")).sum();
        if sum != calls {
            return Err(format!("{path} counts {sum} of {calls} calls"));
        }
    }
    let gaps = number(&told("/v1/fleet/gaps")?, "all");
    let told = told("/v1/fleet/machines")?;
    let rows = told.get("rows").and_then(Value::items).unwrap_or_default();
    let machines = count("SELECT count(*) FROM machine")?;
    if gaps != 0 || number(&told, "all") != machines || rows.len() > 500 {
        return Err(format!(
            "{gaps} gaps; machines: {} of {machines}",
            rows.len()
        ));
    }
    let posts = reader.post("/v1/logs", &gzip::pack(b"{}"))?.status;
    let bundle = reader.get("/v1/bundle")?.0;
    match (posts, bundle) {
        (403, 403) => {
            say(&format!(
                "fleet: a reader saw {calls} calls by team and by day, and could do nothing else"
            ));
            Ok(())
        }
        other => Err(format!("a reader was told {other:?}")),
    }
}

fn number(row: &Value, name: &str) -> i64 {
    match row.get(name) {
        Some(Value::Number(number)) => number.parse().unwrap_or(-1),
        _ => -1,
    }
}

/// Every numbered line of every journal is in the store once, with its link, and nothing is missing.
pub fn everything_once(stage: &mut Stage) -> Outcome {
    let mut client = stage.client()?;
    let mut stored: BTreeMap<String, Links> = BTreeMap::new();
    let text = "SELECT machine, seq, coalesce(chain, '') FROM decision";
    let mut rows = 0;
    for row in client.query(text, &[]).map_err(|why| why.to_string())? {
        let (machine, number, link): (String, i64, String) = (row.get(0), row.get(1), row.get(2));
        rows += 1;
        if stored
            .entry(machine.clone())
            .or_default()
            .insert(number, link)
            .is_some()
        {
            return Err(format!("{machine} has {number} twice in the store"));
        }
    }
    let mut machines = 0;
    for journal in journals(&stage.root.join("machines"))? {
        let machine = Outbox::of(&journal)
            .machine()
            .map_err(|why| why.to_string())?;
        let written = links(&journal)?;
        let stored = stored.get(&machine).cloned().unwrap_or_default();
        if written != stored {
            let missing = written.keys().find(|it| !stored.contains_key(it));
            return Err(format!(
                "{machine}: {} written, {} stored, the first missing is {missing:?}",
                written.len(),
                stored.len()
            ));
        }
        machines += 1;
    }
    let holes: i64 = client
        .query_one("SELECT count(*) FROM holes", &[])
        .map_err(|why| why.to_string())?
        .get(0);
    client
        .execute("SELECT roll_up()", &[])
        .map_err(|why| why.to_string())?;
    let summed: i64 = client
        .query_one("SELECT coalesce(sum(calls), 0)::bigint FROM rollup", &[])
        .map_err(|why| why.to_string())?
        .get(0);
    if holes != 0 || summed != rows {
        return Err(format!(
            "{holes} holes; the hours sum up to {summed} of {rows} rows"
        ));
    }
    say(&format!(
        "fleet: {rows} records of {machines} machines are in the store exactly once, with their links; 0 holes; the hours sum up to the same"
    ));
    Ok(())
}

fn journals(root: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(root).map_err(|why| why.to_string())?.flatten();
    Ok(entries.map(|it| it.path().join("journal")).collect())
}

/// Returns the numbers and links that a journal holds.
pub fn links(journal: &Path) -> Outcome<Links> {
    let spool = Spool::of(journal);
    let mut links = Links::new();
    for day in spool.days() {
        let text = fs::read(spool.file(&day)).map_err(|why| why.to_string())?;
        for line in text.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
            let value = json::read(line).map_err(|why| why.to_string())?;
            let link = value.get("chain").and_then(Value::text).unwrap_or_default();
            let number = match value.get("number") {
                Some(Value::Number(number)) => number.parse().ok(),
                _ => None,
            };
            let number = number.ok_or("a line without a number")?;
            links.insert(number, link.to_owned());
        }
    }
    Ok(links)
}

/// The journals keep secrets; the store has none.
pub fn no_secret(stage: &mut Stage) -> Outcome {
    let mut client = stage.client()?;
    let mut kept = false;
    for journal in journals(&stage.root.join("machines"))?.iter().take(40) {
        let spool = Spool::of(journal);
        for day in spool.days() {
            let text = fs::read_to_string(spool.file(&day)).map_err(|why| why.to_string())?;
            kept |= SECRETS.iter().any(|it| text.contains(it));
        }
    }
    for secret in SECRETS {
        let found: i64 = client
            .query_one(
                "SELECT count(*) FROM decision AS it WHERE strpos(it::text, $1) > 0",
                &[&secret],
            )
            .map_err(|why| why.to_string())?
            .get(0);
        if found > 0 || !kept {
            return Err(format!(
                "{found} rows hold a secret; journals hold some: {kept}"
            ));
        }
    }
    say("fleet: no secret of the journals is in the store");
    Ok(())
}
