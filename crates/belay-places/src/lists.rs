//! The lists of `policy/places.toml` and `policy/hosts.toml`, as static data.

use belay_model::Scope;

use crate::sets::{Anchor, Index, Key, PathGlob, PlaceKey, PlaceSet, Shapes};

include!(concat!(env!("OUT_DIR"), "/places.rs"));
