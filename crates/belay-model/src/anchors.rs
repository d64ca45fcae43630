//! What leads to our own settings and state.

/// The variables that lead there when a person calls us, and that count for nothing when an agent does.
pub const LEADING: [&str; 5] = [
    "BELAY_CONFIG",
    "BELAY_STATE",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "HOME",
];
