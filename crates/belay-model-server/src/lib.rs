//! A scripted model on loopback, for end-to-end tests and for `belay doctor`.
//!
//! It speaks Anthropic Messages, OpenAI Responses, chat completions and Gemini, streaming or not,
//! well enough that a real client makes one scripted tool call per step and then ends its turn.
//!
//! INVARIANT: it keeps no state between requests and listens on loopback only. The step is the
//! number of tool results a request already holds, so retries, side questions and parallel
//! sessions cannot put it out of step; a scripted call is only made where the request offers that
//! tool, and everything else gets plain text.

mod anthropic;
mod chat;
mod gemini;
mod plan;
mod response;
mod responses;
mod script;
mod server;

pub use script::{Fault, Script, ScriptError, Step};
pub use server::{Heard, Server};
