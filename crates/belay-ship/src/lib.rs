//! Ships the journal to whoever collects a fleet's trail: a cursor over its lines, batches as OTLP JSON, retries and privacy.
//!
//! INVARIANT: the journal is the spool. The cursor moves only after the other side said that it has the records, so that a crash
//! sends some of them twice and loses none; the key (machine, number) makes twice once. Nothing here opens a connection: that is
//! behind [`Wire`]; and nothing here runs while a call waits for its answer.

pub mod gzip;
pub mod otlp;

mod batch;
mod cursor;
mod event;
mod metrics;
mod outbox;
mod protobuf;
mod retry;
mod run;
mod shipper;
mod spool;
mod status;

pub use batch::Bounds;
pub use cursor::Cursor;
pub use event::{DECISION, FOLLOW, GAP, Privacy, STATUS, event, masked};
pub use outbox::{Outbox, Seat};
pub use retry::{Backoff, Pace};
pub use run::{Ended, Run, Time};
pub use shipper::{Halt, Reply, Shipped, Shipper, Terms, Wire};
pub use spool::{Line, Spool};
pub use status::{AgentStatus, Status};
