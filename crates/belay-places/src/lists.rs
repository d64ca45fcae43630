//! The lists of `policy/places.toml` and `policy/hosts.toml`, as static data.

use belay_model::Scope;

use crate::places::{Anchor, Key, PathGlob, PlaceSet};

include!(concat!(env!("OUT_DIR"), "/places.rs"));
