//! What a receiver tells of all machines, for the page of who may look.
//!
//! INVARIANT: the receiver is asked only where `[page]` names it, with the reader's token; its answers are bounded, and whatever is
//! wrong with them is said on the page.

use std::time::Duration;

use belay_classifier::{Fetch, fetch};
use belay_journal::json;
use belay_model::Value;
use belay_page::{DayRow, FleetView, GapRow, Listed, Looked, MachineRow, TeamRow};
use belay_settings::Page;

use crate::places::{Here, variable};

/// How long each answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most bytes of an answer: 500 rows have room.
const MOST_BYTES: u64 = 4 << 20;

/// What the page says where nobody set it up.
pub const NOT_SET: &str =
    "The settings name no receiver: set `fleet_url` and `fleet_token_env` in `[page]`.";

/// Tells whether the settings name a receiver.
pub fn is_set() -> Listed {
    match settings().and_then(|it| it.fleet_url) {
        Some(_) => Listed::Yes,
        None => Listed::No,
    }
}

fn settings() -> Option<Page> {
    Some(Here::at(None).ok()?.settings().settings.page)
}

/// Asks the receiver that the settings name.
pub fn looked() -> Option<FleetView> {
    let page = settings()?;
    let url = page.fleet_url?.trim_end_matches('/').to_owned();
    let asking = Asking {
        token: token(page.fleet_token_env.as_deref()),
        url,
    };
    Some(FleetView {
        machines: asking.rows("machines", machine),
        teams: asking.rows("teams", team),
        days: asking.rows("trends", day),
        gaps: asking.rows("gaps", gap),
        source: asking.url,
    })
}

fn token(name: Option<&str>) -> Result<String, String> {
    let name = name.ok_or("`fleet_token_env` in `[page]` names no variable")?;
    variable(name).ok_or_else(|| {
        format!("`{name}` is not set for the daemon; set it, then run `belay serve --stop` and `belay ui`")
    })
}

/// A receiver, and the token for it.
struct Asking {
    url: String,
    token: Result<String, String>,
}

impl Asking {
    fn rows<T>(&self, what: &str, row: fn(&Value) -> T) -> Looked<T> {
        let told = self.told(what).map(|told| {
            let rows = told.get("rows").and_then(Value::items).unwrap_or_default();
            let rows: Vec<T> = rows.iter().map(row).collect();
            let all = number(&told, "all").max(rows.len() as u64);
            Looked::Rows { rows, all }
        });
        told.unwrap_or_else(Looked::Nothing)
    }

    fn told(&self, what: &str) -> Result<Value, String> {
        let token = self.token.clone()?;
        let headers = [("Authorization".to_owned(), format!("Bearer {token}"))];
        let fetched = fetch(&Fetch {
            method: "GET",
            url: &format!("{}/v1/fleet/{what}", self.url),
            headers: &headers,
            body: None,
            patience: PATIENCE,
            most_bytes: MOST_BYTES,
        });
        let fetched = fetched.map_err(|why| why.to_string())?;
        match fetched.status {
            200 => json::read(&fetched.bytes).map_err(|why| format!("its answer is {why}")),
            401 => Err("it does not know the token".to_owned()),
            403 => Err(
                "the token is not a reader's; `belay-receiver token --reader` makes one".to_owned(),
            ),
            503 => Err("its database does not answer in time".to_owned()),
            status => Err(format!("it answered {status}")),
        }
    }
}

fn text(row: &Value, name: &str) -> String {
    let text = row.get(name).and_then(Value::text);
    text.unwrap_or_default().to_owned()
}

fn number(row: &Value, name: &str) -> u64 {
    match row.get(name) {
        Some(Value::Number(text)) => text.parse().unwrap_or(0),
        _ => 0,
    }
}

fn machine(row: &Value) -> MachineRow {
    let why = row.get("why").and_then(Value::items).unwrap_or_default();
    MachineRow {
        machine: text(row, "machine"),
        host: text(row, "host"),
        team: text(row, "team"),
        version: text(row, "version"),
        bundle: text(row, "serial"),
        waiting: number(row, "waiting"),
        told: text(row, "told"),
        why: why
            .iter()
            .filter_map(Value::text)
            .map(str::to_owned)
            .collect(),
    }
}

fn team(row: &Value) -> TeamRow {
    TeamRow {
        team: text(row, "team"),
        machines: number(row, "machines"),
        calls: number(row, "calls"),
        asks: number(row, "asks"),
        denies: number(row, "denies"),
    }
}

fn day(row: &Value) -> DayRow {
    DayRow {
        day: text(row, "day"),
        calls: number(row, "calls"),
        asks: number(row, "asks"),
        denies: number(row, "denies"),
    }
}

fn gap(row: &Value) -> GapRow {
    GapRow {
        machine: text(row, "machine"),
        host: text(row, "host"),
        team: text(row, "team"),
        first: number(row, "first"),
        last: number(row, "until"),
        why: text(row, "why"),
    }
}
