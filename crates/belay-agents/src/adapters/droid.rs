//! Factory's Droid: Claude Code's protocol. Documented, not run.

use std::path::PathBuf;

use belay_model::{Judgement, Turn, Value};

use crate::adapter::{Adapter, Name};
use crate::adapters::claude_shape;
use crate::answer::{Answer, attended};
use crate::install::Wish;
use crate::install::shapes::{Entry, HOST_WAITS, command, entry, group};
use crate::install::way::{Hook, Planned, Way, same_name};
use crate::reading::{Env, Wire};
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

pub(crate) struct Droid;

impl Adapter for Droid {
    fn name(&self) -> Name {
        Name {
            word: "droid",
            title: "Factory Droid",
            also: &["factory"],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        let project = wire.env("FACTORY_PROJECT_DIR");
        claude_shape::read(&mut wire, project)
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        match asked.event {
            Event::BeforeTool => claude_shape::before_tool(&said),
            Event::Approval => claude_shape::approval(&said),
        }
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        // Nobody has seen whose words stand in the user's place.
        claude_shape::actions(entry)
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(same_name(wish, ".factory"))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let item = || group(Some("*"), command(&hook.line, HOST_WAITS));
        // A file of hooks names the event at its top, settings below `hooks`.
        let at_top = Entry {
            path: vec!["PreToolUse"],
            ..entry("PreToolUse", item())
        };
        // Which of the two is read, and when, differs from version to version.
        Ok(Way::Merge(vec![
            hook.settings("hooks.json", vec![at_top]),
            hook.settings("settings.json", vec![entry("PreToolUse", item())]),
        ]))
    }

    fn shared_event(&self) -> Option<&'static str> {
        Some("PreToolUse")
    }

    fn limit(&self) -> Option<&'static str> {
        Some("documented, not run: the agent runs the call when the hook times out")
    }
}
