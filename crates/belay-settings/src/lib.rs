//! Finds, merges and checks settings.
//!
//! INVARIANT: nothing here judges. A file that cannot be read as it was meant is an error with a
//! place and a hint, and [`Loaded::broken`] says so; a project's file can only tighten until a
//! person has trusted its loosening lines.

mod anchor;
mod breadth;
mod choices;
pub mod command;
mod draft;
mod error;
pub mod exact;
pub mod flags;
pub mod fleet;
pub mod glob;
pub mod grants;
pub mod import;
pub mod keys;
pub mod lint;
mod load;
mod merge;
mod origin;
pub mod proven;
pub mod schema;
mod settings;
mod ship;
pub mod show;
mod store;
pub mod suggest;
mod tables;
pub mod trust;

pub use anchor::{Anchor, planted};
pub use choices::{Asking, FlagProvider, Mode, Privacy, Profile, Provider, Refusal, ShipPrivacy};
pub use command::{CommandView, Compiled, Concern, Hit, Lexicon, compile};
pub use error::{Fault, SettingsError, nearest};
pub use exact::{CallView, EffectPattern, EffectView, ExactRule, Example, Reach};
pub use fleet::Fleet;
pub use load::{Bundles, Loaded, MOST_BYTES, MOST_PROJECT_BYTES, Places, load, load_texts};
pub use merge::Waiting;
pub use origin::{Origin, Source};
pub use settings::{
    Allowlist, Breaker, Classifier, Deadline, DefaultRules, Endpoint, Flags, Journal, Line,
    PathLists, PlaceLists, ProjectMode, RuleText, Rules, Settings, TestCall, TestCase, ToolRisk,
    Undo, Words,
};
pub use ship::{Page, Ship};
pub use store::StoreError;

/// The default settings as a commented file: the reference of every key.
pub const DEFAULT_FILE: &str = include_str!("../default.toml");
