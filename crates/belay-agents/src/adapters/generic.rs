//! A harness of one's own: our JSON in, our JSON out, and the exit codes of `belay check`.

use std::path::PathBuf;

use belay_journal::{json, judgement_to_json, read_call};
use belay_model::{Judgement, Turn, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::answer::{Answer, attended, line, object};
use crate::install::way::{Hook, Planned, Way};
use crate::install::{InstallError, Wish};
use crate::reading::{Env, judge, roots};
use crate::transcript::entries;
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

pub(crate) struct Generic;

impl Adapter for Generic {
    fn name(&self) -> Name {
        Name {
            word: "generic",
            title: "your own harness",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], _: Env<'_>) -> Result<Heard, ReadError> {
        let mut call = read_call(&json::read(stdin)?).map_err(ReadError::NotACall)?;
        if call.project_roots.is_empty() {
            call.project_roots = roots(&call.cwd);
        }
        Ok(judge(call, Event::BeforeTool))
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        let mut judgement = judgement.clone();
        judgement.id = judgement.id.or_else(|| asked.call.id.clone());
        if said.verdict != judgement.verdict {
            judgement.verdict = said.verdict;
            judgement
                .reason
                .because
                .push_str(" Nobody can be asked here.");
        }
        let mut told = Answer::json(&judgement_to_json(&judgement));
        told.stdout.push(b'\n');
        told.code = code(said.verdict);
        told
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        entries::generic(entry)
    }

    /// Says that there is no verdict; the harness then does as it would without us.
    fn no_opinion(&self, heard: &Heard) -> Answer {
        let id = match heard {
            Heard::Judge(asked) => asked.call.id.as_deref(),
            Heard::Observe(_) | Heard::Ignore => None,
        };
        let mut told = Answer::json(&object([
            ("id", id.map_or(Value::Null, Value::from)),
            ("verdict", Value::Null),
        ]));
        told.stdout.push(b'\n');
        told
    }

    /// Denies, in our own form.
    fn refuse(&self, reason: &str) -> Answer {
        let mut told = Answer::json(&object([
            ("id", Value::Null),
            ("verdict", "deny".into()),
            ("reason", reason.into()),
        ]));
        told.stdout.push(b'\n');
        told.stderr = line(reason);
        told.code = code(Verdict::Deny);
        told
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Err(InstallError::ByHand(wish.agent))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        Err(InstallError::ByHand(hook.wish.agent))
    }

    fn was_run(&self) -> bool {
        true
    }
}

const fn code(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Ask => 10,
        Verdict::Deny => 20,
    }
}
