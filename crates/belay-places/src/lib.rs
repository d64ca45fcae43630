//! Where things lie: paths, links, regions of the disk, hosts, globs.
//!
//! INVARIANT: says where, never whether. Every path is judged as written and with its links
//! followed, and a name the lists of `policy/places.toml` protect is protected wherever it lies.

mod elsewhere;
mod foreign;
mod frame;
mod glob;
mod homes;
mod hosts;
mod lists;
mod meets;
mod parts;
mod paths;
mod places;
mod regions;
mod sets;

/// Names this version of the lists of places and hosts.
pub const HASH: &str = env!("BELAY_PLACES_HASH");

pub use elsewhere::secret_elsewhere;
pub use foreign::{Address, address_in};
pub use frame::Frame;
pub use glob::{matches_name, matches_path};
pub use hosts::{PAGE_PORTS, at_port, host_of, host_scope, is_page, is_registry, page_in};
pub use paths::{Path, absolute, shorten, written};
pub use places::{
    Reached, is_artefact, is_secret, is_workflow, reached, scope_of, scopes_of, unfollowed,
    workflows,
};
pub use regions::temporary_folders;
