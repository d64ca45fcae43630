//! Looks at disk, repository and session. INVARIANT: reads only, runs no program, opens nothing but
//! regular files, and looks at nothing until it is asked; every look is bounded, and what could not
//! be seen is `Unknown`, never "nothing is lost". Only the memories of sessions are ever written, or swept away once they are old.

mod added;
mod archive;
mod consent;
mod databases;
mod declared;
mod endings;
mod environment;
mod evidence;
mod facts;
mod git;
mod limits;
mod line;
mod links;
mod look;
mod memory;
mod processes;
mod products;
mod program;
mod provenance;
mod record;
mod resolve;
mod services;
mod session;
mod spoken;
mod world;

pub use consent::{Consent, Grant, Pending};
pub use environment::Environment;
pub use git::{Doomed, Work, work};
pub use line::{answer_line, parse_answer, parse_question, question_line};
pub use record::{Record, Recorder, Replay};
pub use session::{Before, Memory, Origin, Session, SessionError, content_hash};
pub use world::{Standpoint, World};
