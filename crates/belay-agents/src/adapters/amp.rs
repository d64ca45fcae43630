//! Amp, as the program a `delegate` rule names. Documented, not run. The tool's input comes on
//! stdin, its name in a variable; the exit code is the verdict: 0 allow, 1 ask, 2 reject.

use std::path::{Path, PathBuf};

use belay_model::{Call, Judgement, Verdict};

use crate::adapter::{Adapter, Name};
use crate::answer::{Answer, attended, line, object};
use crate::install::jsonc::End;
use crate::install::registration::{gone, own};
use crate::install::shapes::Entry;
use crate::install::way::{Hook, OwnFile, Planned, Way, Written, guarded, moved_or};
use crate::install::{InstallError, Plan, Reach, Runs, Stance, Wish};
use crate::reading::{Env, judge, roots, unpacked};
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

const ASK: i32 = 1;

pub(crate) struct Amp;

impl Adapter for Amp {
    fn name(&self) -> Name {
        Name {
            word: "amp",
            title: "Amp",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let tool = env("AGENT_TOOL_NAME").or_else(|| env("TOOL_NAME"));
        let tool = tool.filter(|name| !name.is_empty());
        let input = unpacked(belay_journal::json::read(stdin)?).ok_or(ReadError::NotAnObject)?;
        let cwd = env("PWD").unwrap_or_default();
        let call = Call {
            tool: tool.ok_or(ReadError::Missing("AGENT_TOOL_NAME"))?,
            input,
            project_roots: roots(&cwd),
            cwd,
            session: env("AMP_THREAD_ID").or_else(|| env("AGENT_THREAD_ID")),
            ..Call::default()
        };
        Ok(judge(call, Event::BeforeTool))
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        match said.verdict {
            Verdict::Allow => Answer::silent(),
            Verdict::Ask => Answer {
                stderr: line(&said.reason),
                code: ASK,
                ..Answer::silent()
            },
            Verdict::Deny => Answer::blocked(&said.reason),
        }
    }

    /// A delegate cannot step aside; asking the person is what Amp does without rules.
    fn no_opinion(&self, _: &Heard) -> Answer {
        Answer {
            code: ASK,
            ..Answer::silent()
        }
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        match wish.reach {
            Reach::User | Reach::Managed => {
                let config = moved_or(wish, "XDG_CONFIG_HOME", ".config");
                Ok(config.join("amp"))
            }
            Reach::Project => Err(InstallError::NoSuchReach(wish.agent)),
        }
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let item = object([
            ("tool", "*".into()),
            ("action", "delegate".into()),
            ("to", program(hook.wish)?.display().to_string().into()),
        ]);
        let entry = Entry {
            path: vec!["amp.permissions"],
            item,
            end: End::First,
        };
        Ok(hook.merge("settings.json", vec![entry]))
    }

    fn prepare(&self, wish: &Wish<'_>, _: &Written<'_>, plan: &mut Plan) -> Planned<()> {
        let line = guarded(wish, Stance::Observe)?;
        let run = line.trim_end_matches(" || true");
        let text =
            format!("#!/bin/sh\n{run}\ncase $? in 0) exit 0 ;; 1) exit 1 ;; *) exit 2 ;; esac\n");
        plan.changes.extend(own(OwnFile {
            path: program(wish)?,
            text,
            runs: Runs::Yes,
        })?);
        Ok(())
    }

    fn clear(&self, wish: &Wish<'_>, _: &Path, plan: &mut Plan) -> Planned<()> {
        plan.changes.extend(gone(program(wish)?)?);
        Ok(())
    }
}

/// Returns the program that Amp delegates to: its rules name a program without words after it.
fn program(wish: &Wish<'_>) -> Planned<PathBuf> {
    Ok(Amp.folder(wish)?.join("belay-gate"))
}
