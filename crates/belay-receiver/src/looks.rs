//! What those who may look get to see of the fleet: machines, teams, days and gaps, as JSON that PostgreSQL writes.
//!
//! INVARIANT: nothing is changed here, no answer has more than [`MOST_ROWS`] rows, and none may take longer than the store is told.

use postgres::{Client, NoTls};

use crate::store::Fault;

/// No answer has more rows.
pub const MOST_ROWS: usize = 500;

/// Days that teams and trends look back.
const DAYS: u64 = 30;

/// Who looks changes nothing, and does not keep the store from writing.
const TERMS: &str = "SET default_transaction_read_only = on; SET statement_timeout = '8s'";

/// Something to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Every machine, those that are not protected first.
    Machines,
    /// What the calls of each team came to.
    Teams,
    /// The course of days.
    Trends,
    /// Numbers that are missing in the trail of a machine.
    Gaps,
}

impl Look {
    /// Reads a path.
    pub fn of(path: &str) -> Option<Self> {
        Some(match path {
            "/v1/fleet/machines" => Self::Machines,
            "/v1/fleet/teams" => Self::Teams,
            "/v1/fleet/trends" => Self::Trends,
            "/v1/fleet/gaps" => Self::Gaps,
            _ => return None,
        })
    }

    /// Looks, and returns `{"rows":[...],"all":N}`: the first rows, and how many there are.
    ///
    /// # Errors
    /// Returns why the store does not answer.
    pub fn at(self, address: &str) -> Result<String, Fault> {
        let mut client = Client::connect(address, NoTls)?;
        client.batch_execute(TERMS)?;
        let rows = self.rows();
        let text = format!(
            "WITH looked AS ({rows}) SELECT json_build_object('rows', coalesce((SELECT json_agg(it) FROM (SELECT * FROM looked LIMIT {MOST_ROWS}) AS it), '[]'), 'all', (SELECT count(*) FROM looked))::text"
        );
        Ok(client.query_one(&text, &[])?.get(0))
    }

    fn rows(self) -> String {
        match self {
            Self::Machines => MACHINES.to_owned(),
            Self::Teams => format!("WITH sums AS ({}) {TEAMS}", sums()),
            Self::Trends => format!("WITH sums AS ({}) {TRENDS}", sums()),
            Self::Gaps => GAPS.to_owned(),
        }
    }
}

const MACHINES: &str = "SELECT m.machine, coalesce(m.host, '') AS host, m.team, coalesce(m.version, '') AS version, coalesce(m.mode, '') AS mode, \
    coalesce(m.bundle::text, '') AS serial, m.unshipped AS waiting, to_char(m.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS told, coalesce(u.why, '{}') AS why \
    FROM machine AS m LEFT JOIN unprotected AS u USING (machine) ORDER BY u.why IS NULL, m.at, m.machine";

const TEAMS: &str = "SELECT coalesce(s.team, m.team) AS team, coalesce(m.machines, 0) AS machines, coalesce(s.calls, 0) AS calls, coalesce(s.asks, 0) AS asks, coalesce(s.denies, 0) AS denies \
    FROM (SELECT team, sum(calls)::bigint AS calls, coalesce(sum(calls) FILTER (WHERE verdict = 1), 0)::bigint AS asks, coalesce(sum(calls) FILTER (WHERE verdict = 2), 0)::bigint AS denies FROM sums GROUP BY team) AS s \
    FULL JOIN (SELECT team, count(*) AS machines FROM machine GROUP BY team) AS m USING (team) ORDER BY 3 DESC, 1";

const TRENDS: &str = "SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(calls)::bigint AS calls, coalesce(sum(calls) FILTER (WHERE verdict = 1), 0)::bigint AS asks, \
    coalesce(sum(calls) FILTER (WHERE verdict = 2), 0)::bigint AS denies FROM sums GROUP BY 1 ORDER BY 1";

/// What nobody explains comes before what the machine itself reported.
const GAPS: &str = "SELECT g.machine, coalesce(m.host, '') AS host, coalesce(m.team, '') AS team, g.first, g.last AS until, g.last - g.first + 1 AS missing, g.why \
    FROM (SELECT machine, first, last, 'missing' AS why FROM holes UNION ALL SELECT machine, first, last, coalesce(said, '') FROM follow WHERE kind = 'gap') AS g \
    LEFT JOIN machine AS m USING (machine) ORDER BY g.why <> 'missing', g.machine, g.first";

/// Sums of hours; those of hours that wait for their sum are counted here.
fn sums() -> String {
    let since = format!("now() - interval '{DAYS} days'");
    format!(
        "SELECT hour, team, verdict, calls FROM rollup WHERE hour >= {since} AND hour NOT IN (SELECT hour FROM rollup_due) \
        UNION ALL SELECT d.hour, it.team, it.verdict, count(*) FROM (SELECT DISTINCT hour FROM rollup_due) AS d \
        JOIN decision AS it ON it.at >= d.hour AND it.at < d.hour + interval '1 hour' WHERE d.hour >= {since} GROUP BY 1, 2, 3"
    )
}
