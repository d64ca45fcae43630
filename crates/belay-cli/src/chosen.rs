//! Which records of the journal somebody wants to see.

use std::path::{Path, PathBuf};

use belay_journal::calendar::Moment;
use belay_journal::{Journal, Kind, Record, Row, Rows};
use belay_model::{Call, Verdict};
use clap::Args;

/// Which records to look at.
#[derive(Args)]
pub struct Chosen {
    /// Only this verdict.
    #[arg(long, value_parser = verdict)]
    verdict: Option<Verdict>,
    /// Only this agent.
    #[arg(long)]
    agent: Option<String>,
    /// Only this session, by the beginning of its name.
    #[arg(long)]
    session: Option<String>,
    /// Only this tool.
    #[arg(long)]
    tool: Option<String>,
    /// Only records that have this text in their call, reason or effects.
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Only records of the last 90s, 30m, 2h or 1d.
    #[arg(long, value_name = "TIME", value_parser = crate::allow::seconds)]
    since: Option<u64>,
    /// Only calls in this folder or below it.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
}

impl Chosen {
    /// Returns the records that are wanted, newest first. Where something is chosen, the index says which lines to read.
    pub fn newest<'a>(&'a self, journal: &Journal) -> Box<dyn Iterator<Item = Record> + 'a> {
        let is_any = self.verdict.is_none()
            && self.agent.is_none()
            && self.session.is_none()
            && self.tool.is_none();
        if is_any {
            let all = journal.newest();
            let late = all.take_while(|it| self.since.is_none_or(|since| is_within(it.at, since)));
            return Box::new(late.filter(|it| self.wants(it)));
        }
        let is_call = |row: &Row| matches!(row.kind, Kind::Call(_));
        let found = journal.newest_of(move |rows, row| is_call(row) && self.glances(rows, row));
        Box::new(found.filter(|it| self.wants(it)))
    }

    /// Returns a glance at all that is wanted, the oldest first.
    pub fn rows(&self, journal: &Journal) -> Rows {
        if self.grep.is_some() || self.project.is_some() {
            return Rows::of_records(self.newest(journal));
        }
        journal.rows(self.begin())
    }

    /// Returns the moment since which records are wanted.
    pub fn begin(&self) -> Moment {
        self.since.map_or(Moment(0), |it| {
            Moment(Moment::now().0.saturating_sub(it.saturating_mul(1000)))
        })
    }

    /// Tells whether a row may be one of those: what only the whole record tells is not asked here.
    pub fn glances(&self, rows: &Rows, row: &Row) -> bool {
        let Kind::Call(verdict) = row.kind else {
            // Answers name no agent, session or tool.
            return self.agent.is_none() && self.session.is_none() && self.tool.is_none();
        };
        let is = |wanted: &Option<String>, name| {
            let wanted = wanted.as_deref();
            wanted.is_none_or(|it| it == rows.name(name))
        };
        let session = self.session.as_deref();
        self.verdict.is_none_or(|it| it == verdict)
            && is(&self.agent, row.agent)
            && is(&self.tool, row.tool)
            && session.is_none_or(|it| rows.name(row.session).starts_with(it))
            && row.at >= self.begin()
    }

    /// Tells whether a record is one of those.
    pub fn wants(&self, record: &Record) -> bool {
        let call = &record.call;
        let session = call.session.as_deref().unwrap_or_default();
        self.verdict.is_none_or(|it| it == record.judgement.verdict)
            && self
                .agent
                .as_ref()
                .is_none_or(|it| Some(it) == call.agent.as_ref())
            && self
                .session
                .as_ref()
                .is_none_or(|it| session.starts_with(it.as_str()))
            && self.tool.as_ref().is_none_or(|it| *it == call.tool)
            && self
                .grep
                .as_ref()
                .is_none_or(|it| record.line().contains(it.as_str()))
            && self.since.is_none_or(|it| is_within(record.at, it))
            && self.project.as_ref().is_none_or(|it| is_below(call, it))
    }
}

fn is_within(at: Moment, seconds: u64) -> bool {
    let first = Moment::now().0.saturating_sub(seconds.saturating_mul(1000));
    at.0 >= first
}

fn is_below(call: &Call, folder: &Path) -> bool {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let folder = folder.components().as_path();
    Path::new(&call.cwd).starts_with(folder)
}

fn verdict(word: &str) -> Result<Verdict, String> {
    Verdict::from_word(word).ok_or_else(|| "a verdict is `allow`, `ask` or `deny`".to_owned())
}
