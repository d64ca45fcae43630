//! Settings of shipping: where records go, how much of them, and who tells the page of those of all machines.

use crate::choices::ShipPrivacy;

/// `[ship]`: who collects the journal's records of many machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    /// Where records go; none: nowhere.
    pub url: Option<String>,
    /// The environment variable with the token.
    pub token_env: Option<String>,
    /// How much of a record leaves the machine.
    pub privacy: ShipPrivacy,
    /// The most batches in a minute.
    pub batches_per_minute: u64,
    /// The most bytes that may wait; then whole days are dropped. 0: no bound.
    pub max_waiting_bytes: u64,
    /// Tells whether the names of user and machine are sent.
    pub names: bool,
}

impl Default for Ship {
    fn default() -> Self {
        Self {
            url: None,
            token_env: None,
            privacy: ShipPrivacy::Redacted,
            batches_per_minute: 60,
            max_waiting_bytes: 4 << 30,
            names: false,
        }
    }
}

/// `[page]`: what the page shows besides this machine.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Page {
    /// The receiver that tells of all machines; none: the page knows only this one.
    pub fleet_url: Option<String>,
    /// The environment variable with the reader's token.
    pub fleet_token_env: Option<String>,
}
