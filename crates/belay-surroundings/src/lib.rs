//! Looks at disk, repository and session. INVARIANT: reads only, runs no program, opens nothing but
//! regular files, and looks at nothing until it is asked; every look is bounded, and what could not
//! be seen is `Unknown`, never "nothing is lost".

#![expect(dead_code, reason = "the repository looks use the rest of the limits")]

mod limits;
mod line;
mod look;
mod program;
mod record;
mod resolve;
mod world;

pub use line::{answer_line, parse_answer, parse_question, question_line};
pub use record::{Record, Recorder, Replay};
pub use world::{Standpoint, World};
