//! Which records of the journal somebody wants to see.

use std::path::{Path, PathBuf};

use belay_journal::Record;
use belay_journal::calendar::Moment;
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
