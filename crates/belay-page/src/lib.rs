//! Renders the page a person looks at: HTML with everything escaped, plots, and its assets.
//!
//! INVARIANT: a pure function of what it is given; every text is escaped by construction ([`html`]), nothing is fetched from
//! elsewhere, and what is shown can be read without a script.

pub mod chart;
pub mod html;

mod filter;
mod frame;
mod views;

pub use filter::Filter;
pub use frame::{
    Asset, Frame, Listed, Strip, View, asset, enter_page, fault_page, self_contained, standing,
};
pub use views::decision::{DecisionView, Mark, Same, decision};
pub use views::fleet::{DayRow, FleetView, GapRow, Looked, MachineRow, TeamRow, fleet};
pub use views::now::{NowView, Pending, card, live_row, now};
pub use views::replayed::{Turned, replayed};
pub use views::review::{Agreed, Group, Proposal, ReviewView, review};
pub use views::rules::{Changed, Changes, Proposed, RuleRow, RulesView, changes, rules};
pub use views::trends::{in_tenths, trends};
