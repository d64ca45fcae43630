//! Fleet: machines, teams, days and gaps, as the receiver tells of them.

use crate::chart::{Plot, Series};
use crate::html::{El, Html, el};
use crate::views::{short, table, wide};

/// Rows that the receiver told of, or why there are none.
#[derive(Clone, Debug)]
pub enum Looked<T> {
    /// The first rows, and how many there are.
    Rows {
        /// Those that were told.
        rows: Vec<T>,
        /// How many there are.
        all: u64,
    },
    /// Why nothing is known.
    Nothing(String),
}

/// A machine.
#[derive(Clone, Debug, Default)]
pub struct MachineRow {
    /// Its name in the trail.
    pub machine: String,
    /// Its own name, where it tells it.
    pub host: String,
    /// Its team.
    pub team: String,
    /// The version of belay there.
    pub version: String,
    /// The serial number of its bundle.
    pub bundle: String,
    /// How many records wait there.
    pub waiting: u64,
    /// When it last told how it fares.
    pub told: String,
    /// Why it is not protected; nothing where it is.
    pub why: Vec<String>,
}

/// What the calls of a team came to.
#[derive(Clone, Debug, Default)]
pub struct TeamRow {
    /// Its name.
    pub team: String,
    /// How many machines it has.
    pub machines: u64,
    /// All calls.
    pub calls: u64,
    /// Those that were asked about.
    pub asks: u64,
    /// Those that were denied.
    pub denies: u64,
}

/// What the calls of a day came to.
#[derive(Clone, Debug, Default)]
pub struct DayRow {
    /// The day.
    pub day: String,
    /// All calls.
    pub calls: u64,
    /// Those that were asked about.
    pub asks: u64,
    /// Those that were denied.
    pub denies: u64,
}

/// Numbers that are missing in the trail of a machine.
#[derive(Clone, Debug, Default)]
pub struct GapRow {
    /// The machine.
    pub machine: String,
    /// Its own name, where it tells it.
    pub host: String,
    /// Its team.
    pub team: String,
    /// The first number.
    pub first: u64,
    /// The last number.
    pub last: u64,
    /// `missing`, or why the machine itself left them out.
    pub why: String,
}

/// What the view shows.
#[derive(Clone, Debug)]
pub struct FleetView {
    /// Who was asked.
    pub source: String,
    /// The machines, those that are not protected first.
    pub machines: Looked<MachineRow>,
    /// The teams.
    pub teams: Looked<TeamRow>,
    /// The days.
    pub days: Looked<DayRow>,
    /// The gaps.
    pub gaps: Looked<GapRow>,
}

/// Renders the view.
#[must_use]
pub fn fleet(view: &FleetView) -> Html {
    let mut html: Html = el("h1").with("Fleet").into();
    let source = format!("As {} tells it; the last 30 days.", view.source);
    html.push(el("p").set("class", "quiet").with(source));
    html.push(part("Machines", &view.machines, machines));
    html.push(part("Teams", &view.teams, teams));
    html.push(part("Trends", &view.days, trends));
    html.push(part("Gaps", &view.gaps, gaps));
    html
}

/// Renders one part: its rows, or why there are none.
fn part<T>(name: &str, looked: &Looked<T>, show: fn(&[T]) -> Html) -> Html {
    let mut html: Html = el("h2").with(name).into();
    match looked {
        Looked::Nothing(why) => html.push(
            el("p")
                .set("class", "off")
                .set("role", "alert")
                .with("The receiver does not tell: ")
                .with(why),
        ),
        Looked::Rows { rows, all } => {
            html.push(show(rows));
            let more = all.saturating_sub(rows.len() as u64);
            if more > 0 {
                html.push(quiet(&format!("and {more} more")));
            }
        }
    }
    html
}

fn quiet(text: &str) -> El {
    el("p").set("class", "quiet").with(text)
}

fn machines(rows: &[MachineRow]) -> Html {
    if rows.is_empty() {
        return quiet("No machine has told how it fares yet.").into();
    }
    let bare = rows.iter().filter(|it| !it.why.is_empty()).count();
    let said = match bare {
        0 => "Every machine listed is protected.".to_owned(),
        1 => "1 machine is not protected.".to_owned(),
        many => format!("{many} machines are not protected."),
    };
    let cells = rows.iter().map(|it| {
        let standing = match it.why.is_empty() {
            true => "protected".to_owned(),
            false => format!("NOT protected: {}", it.why.join("; ")),
        };
        let name = named(&it.machine, &it.host);
        row(&name)
            .with(el("td").with(standing))
            .all([&it.team, &it.version, &it.bundle].map(|it| el("td").with(it)))
            .with(number(it.waiting))
            .with(el("td").with(&it.told))
    });
    let columns = [
        "machine",
        "standing",
        "team",
        "belay",
        "bundle serial",
        "records waiting",
        "last status (UTC)",
    ];
    let mut html: Html = el("p").with(said).into();
    let table = table("Machines, those not protected first", &columns);
    html.push(wide("Machines", table.with(el("tbody").all(cells))));
    html
}

fn teams(rows: &[TeamRow]) -> Html {
    if rows.is_empty() {
        return quiet("No calls yet.").into();
    }
    let cells = rows.iter().map(|it| {
        let name = match it.team.is_empty() {
            true => "(no team)",
            false => &it.team,
        };
        let numbers = [it.machines, it.calls, it.asks, it.denies];
        row(name).all(numbers.map(number))
    });
    let columns = ["team", "machines", "calls", "asked", "denied"];
    let table = table("Calls by team", &columns);
    wide("Teams", table.with(el("tbody").all(cells))).into()
}

fn trends(rows: &[DayRow]) -> Html {
    if rows.is_empty() {
        return quiet("No calls yet.").into();
    }
    let series = |name, class, value: fn(&DayRow) -> u64| Series {
        name,
        class,
        values: rows.iter().map(value).collect(),
    };
    let plot = Plot {
        title: "Verdicts of the fleet by day",
        labels: rows.iter().map(|it| it.day.clone()).collect(),
        series: vec![
            series("allowed", "allow", |it| {
                it.calls.saturating_sub(it.asks + it.denies)
            }),
            series("asked", "ask", |it| it.asks),
            series("denied", "deny", |it| it.denies),
        ],
        per: 1,
        unit: "",
    };
    let mut html: Html = el("div").set("class", "plots").with(plot.bars()).into();
    let cells = rows.iter().rev();
    let cells = cells.map(|it| row(&it.day).all([it.calls, it.asks, it.denies].map(number)));
    let table = table("Calls by day", &["day", "calls", "asked", "denied"]);
    html.push(wide("Days", table.with(el("tbody").all(cells))));
    html
}

fn gaps(rows: &[GapRow]) -> Html {
    if rows.is_empty() {
        return quiet("No record is missing.").into();
    }
    let cells = rows.iter().map(|it| {
        let why = match it.why.as_str() {
            "missing" => "missing, and nobody says why".to_owned(),
            why => format!("left out by the machine: {why}"),
        };
        row(&named(&it.machine, &it.host))
            .with(el("td").with(&it.team))
            .all([it.first, it.last].map(number))
            .with(number((it.last + 1).saturating_sub(it.first)))
            .with(el("td").with(why))
    });
    let columns = ["machine", "team", "from", "to", "records", "why"];
    let table = table("Missing records", &columns);
    wide("Gaps", table.with(el("tbody").all(cells))).into()
}

/// Returns the name that people know a machine by, with the beginning of the one in the trail.
fn named(machine: &str, host: &str) -> String {
    match host.is_empty() {
        true => machine.to_owned(),
        false => format!("{host} ({})", short(machine, 9)),
    }
}

fn row(name: &str) -> El {
    let head = el("th").set("scope", "row").set("title", name);
    el("tr").with(head.with(short(name, 60)))
}

fn number(number: u64) -> El {
    el("td").set("class", "number").with(number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "<img src=x onerror=alert(1)>\u{202e}";

    fn rows<T>(rows: Vec<T>) -> Looked<T> {
        let all = rows.len() as u64 + 2;
        Looked::Rows { rows, all }
    }

    fn view() -> FleetView {
        let text = || HOSTILE.to_owned();
        FleetView {
            source: text(),
            machines: rows(vec![MachineRow {
                machine: text(),
                host: text(),
                team: text(),
                version: text(),
                bundle: text(),
                told: text(),
                why: vec![text()],
                waiting: 3,
            }]),
            teams: rows(vec![TeamRow {
                team: text(),
                calls: 7,
                ..TeamRow::default()
            }]),
            days: rows(vec![DayRow {
                day: text(),
                ..DayRow::default()
            }]),
            gaps: rows(vec![GapRow {
                machine: text(),
                host: text(),
                team: text(),
                first: 4,
                last: 6,
                why: text(),
            }]),
        }
    }

    #[test]
    fn what_a_machine_says_of_itself_is_text() {
        let html = fleet(&view()).into_string();
        assert!(!html.contains("<img"), "{html}");
        assert!(!html.contains('\u{202e}'), "{html}");
        assert!(html.contains("NOT protected: &lt;img"), "{html}");
        assert!(html.contains("and 2 more"), "{html}");
    }

    #[test]
    fn a_receiver_that_is_down_is_said_in_each_part() {
        let down = || "connection refused".to_owned();
        let html = fleet(&FleetView {
            source: "https://fleet.example.com".to_owned(),
            machines: Looked::Nothing(down()),
            teams: Looked::Nothing(down()),
            days: Looked::Nothing(down()),
            gaps: Looked::Nothing(down()),
        });
        let html = html.into_string();
        let said = "The receiver does not tell: connection refused";
        assert_eq!(html.matches(said).count(), 4, "{html}");
        assert!(!html.contains("<table"), "{html}");
    }

    #[test]
    fn nothing_wrong_is_said() {
        let none = FleetView {
            machines: Looked::Rows {
                rows: vec![MachineRow::default()],
                all: 1,
            },
            gaps: Looked::Rows {
                rows: Vec::new(),
                all: 0,
            },
            ..view()
        };
        let html = fleet(&none).into_string();
        assert!(
            html.contains("Every machine listed is protected."),
            "{html}"
        );
        assert!(html.contains("No record is missing."), "{html}");
    }
}
