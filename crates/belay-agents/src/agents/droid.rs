//! Factory's Droid: Claude Code's protocol. Documented, not run.

use belay_model::Judgement;

use crate::agents::claude_shape;
use crate::answer::{Answer, attended};
use crate::reading::{Env, Wire};
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let project = wire.env("FACTORY_PROJECT_DIR");
    claude_shape::read(&mut wire, project)
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    match asked.event {
        Event::BeforeTool => claude_shape::before_tool(&said),
        Event::Approval => claude_shape::approval(&said),
    }
}
