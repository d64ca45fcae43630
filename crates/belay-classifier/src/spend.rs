//! How much was spent today and in this session, shared by all processes.

use serde_json::{Value as Json, json};

use crate::Fault;
use crate::clock::now;
use crate::plan::Limits;
use crate::store::Folder;

const FILE: &str = "spend.json";
const DAY: u64 = 86_400_000;

/// Sessions are forgotten after so many days.
const LONGEST_SESSION: u64 = 7;

/// The purse of one question.
pub(crate) struct Purse<'a> {
    pub(crate) folder: Option<&'a Folder>,
    pub(crate) limits: Limits,
    pub(crate) session: Option<&'a str>,
}

impl Purse<'_> {
    /// Sets money aside before it is spent, so that several processes cannot overdraw together.
    pub(crate) fn reserve(&self, cost: Option<f64>) -> Result<f64, Fault> {
        let limits = self.limits;
        if limits.day.is_none() && limits.session.is_none() {
            return Ok(0.0);
        }
        let unknown = "a spend limit is set but the price is unknown; set `[classifier] price_input_usd` and `[classifier] price_output_usd`";
        let cost = cost.ok_or_else(|| Fault::Spent(unknown.to_owned()))?;
        let shared = "a spend limit needs a state folder";
        let folder = self.folder.ok_or_else(|| Fault::Spent(shared.to_owned()))?;
        let reserve = |sums: &mut Json| {
            turn_day(sums);
            let today = number(sums.get("today"));
            let session = number(self.session.and_then(|it| sums.pointer(&pointer(it))));
            if limits.day.is_some_and(|it| today + cost > it) {
                return Err(Fault::Spent(format!(
                    "the day's limit is reached: ${today:.4} spent"
                )));
            }
            if limits.session.is_some_and(|it| session + cost > it) {
                return Err(Fault::Spent(format!(
                    "the session's limit is reached: ${session:.4} spent"
                )));
            }
            self.add(sums, cost);
            Ok(cost)
        };
        folder.change(FILE, reserve)?
    }

    /// Replaces what was set aside by what it came to.
    pub(crate) fn settle(&self, reserved: f64, cost: Option<f64>) {
        let counts = self.limits.day.is_some() || self.limits.session.is_some();
        if let (Some(folder), Some(cost), true) = (self.folder, cost, counts) {
            let _ = folder.change(FILE, |sums| self.add(sums, cost - reserved));
        }
    }

    fn add(&self, sums: &mut Json, dollars: f64) {
        let today = (number(sums.get("today")) + dollars).max(0.0);
        let session = self.session.map(|name| {
            let before = number(sums.pointer(&pointer(name)));
            (name, (before + dollars).max(0.0))
        });
        let Some(all) = sums.as_object_mut() else {
            return;
        };
        all.insert("today".to_owned(), json!(today));
        if let Some((name, dollars)) = session {
            let sessions = all.entry("sessions").or_insert_with(|| json!({}));
            if let Some(sessions) = sessions.as_object_mut() {
                sessions.insert(
                    name.to_owned(),
                    json!({ "usd": dollars, "day": now() / DAY }),
                );
            }
        }
    }
}

fn pointer(session: &str) -> String {
    let name = session.replace('~', "~0").replace('/', "~1");
    format!("/sessions/{name}/usd")
}

fn number(value: Option<&Json>) -> f64 {
    value.and_then(Json::as_f64).unwrap_or_default()
}

/// Begins a new day with an empty sum, and forgets old sessions.
fn turn_day(sums: &mut Json) {
    let day = now() / DAY;
    let same = sums.get("day").and_then(Json::as_u64) == Some(day);
    let Some(all) = sums.as_object_mut() else {
        return;
    };
    if same {
        return;
    }
    all.insert("day".to_owned(), json!(day));
    all.insert("today".to_owned(), json!(0.0));
    if let Some(sessions) = all.get_mut("sessions").and_then(Json::as_object_mut) {
        sessions.retain(|_, it| {
            let last = it.get("day").and_then(Json::as_u64).unwrap_or_default();
            day.saturating_sub(last) <= LONGEST_SESSION
        });
    }
}
