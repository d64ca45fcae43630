//! Keeping, as the gate asks for it.

use std::path::PathBuf;
use std::time::Instant;

use belay_secrets::redact;

use crate::copy::Copier;
use crate::loss::{Told, Wish};
use crate::manifest::{Head, Manifest};
use crate::plan::Planner;
use crate::store::{Limits, Store, now};

/// What became of a wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// All of it is kept, under that name.
    Kept(String),
    /// All of it could be kept: somebody only wants to know.
    CouldBe,
    /// There is nothing at all to keep.
    Nothing,
    /// Not all of it can be kept: why.
    Not(String),
}

/// Keeps what a call would take away, before it does.
pub trait Keeper {
    /// Keeps all of a wish or nothing. INVARIANT: what is called kept can be given back whole.
    fn keep(&self, wish: &Wish<'_>) -> Keeping;

    /// Tells whether the project is on this disk at all: of one that is not, nothing is said.
    fn is_there(&self, roots: &[PathBuf]) -> bool {
        roots.iter().any(|it| it.is_dir())
    }
}

impl Keeper for Store {
    fn keep(&self, wish: &Wish<'_>) -> Keeping {
        match self.kept(wish) {
            Ok(id) => Keeping::Kept(id),
            Err(why) => Keeping::Not(why),
        }
    }
}

/// Looks whether all of it could be kept, and keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure(pub Limits);

impl Keeper for Measure {
    fn keep(&self, wish: &Wish<'_>) -> Keeping {
        match Planner::plan(wish, self.0, Instant::now() + self.0.time) {
            Ok(_) => Keeping::CouldBe,
            Err(why) => Keeping::Not(why),
        }
    }
}

/// Takes secrets out of what is told of a call.
fn without_secrets(told: &Told) -> Told {
    Told {
        command: redact(&told.command).into_owned(),
        effects: told
            .effects
            .iter()
            .map(|it| redact(it).into_owned())
            .collect(),
        ..told.clone()
    }
}

impl Store {
    pub(crate) fn kept(&self, wish: &Wish<'_>) -> Result<String, String> {
        let until = Instant::now() + self.limits.time;
        let plan = Planner::plan(wish, self.limits, until)?;
        self.make_room(plan.bytes)?;
        let failed = |why: std::io::Error| format!("the store cannot be written: {why}");
        let draft = self.draft().map_err(failed)?;
        let entries = Copier::new(&plan, draft.path(), until)
            .map_err(failed)?
            .all()?;
        let manifest = Manifest {
            head: Head {
                id: String::new(),
                when: now(),
                root: plan.root.clone(),
                told: without_secrets(&wish.told),
                count: entries.len() as u64,
                bytes: plan.bytes,
            },
            entries,
        };
        draft.finish(manifest).map_err(failed)
    }
}
