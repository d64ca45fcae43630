//! Verdicts that are remembered, a file each.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value as Json, json};

use crate::clock::now;
use crate::store::Folder;
use crate::{Plan, Verdict};

/// One in so many writes clears out what is too old.
const SELDOM: u64 = 32;

/// The remembered verdicts of one plan.
pub(crate) struct Cache {
    folder: Folder,
    remember: Duration,
}

/// A verdict from before.
pub(crate) struct Remembered {
    pub(crate) verdict: Verdict,
    /// Who gave it.
    pub(crate) by: String,
    /// How many seconds ago.
    pub(crate) age: u64,
}

impl Cache {
    /// Opens the cache, unless nothing is remembered.
    pub(crate) fn open(plan: &Plan, folder: &Folder) -> Option<Self> {
        if plan.remember.is_zero() {
            return None;
        }
        let folder = folder.inner("cache").ok()?;
        Some(Self {
            folder,
            remember: plan.remember,
        })
    }

    /// Finds a verdict that is not too old. What is damaged or from the future is not there.
    pub(crate) fn find(&self, key: &str) -> Option<Remembered> {
        let entry = self.folder.read(&name(key))?;
        if text(&entry, "key")? != key {
            return None;
        }
        let age = now().checked_sub(entry.get("at")?.as_u64()?)? / 1000;
        if age >= self.remember.as_secs() {
            return None;
        }
        let verdict = Verdict {
            thinking: String::new(),
            should_block: entry.get("should_block")?.as_bool()?,
            reason: text(&entry, "reason")?,
        };
        let by = text(&entry, "by")?;
        Some(Remembered { verdict, by, age })
    }

    /// Remembers a verdict; failing to is no harm.
    pub(crate) fn keep(&self, key: &str, verdict: &Verdict, by: &str) {
        let entry = json!({
            "key": key,
            "at": now(),
            "should_block": verdict.should_block,
            "reason": verdict.reason,
            "by": by,
        });
        let _ = self.folder.write(&name(key), &entry);
        if now().is_multiple_of(SELDOM) {
            self.clear_out();
        }
    }

    fn clear_out(&self) {
        let Ok(entries) = fs::read_dir(self.folder.path("")) else {
            return;
        };
        let oldest = SystemTime::now().checked_sub(self.remember);
        for entry in entries.flatten() {
            let written = entry.metadata().and_then(|it| it.modified()).ok();
            if written < oldest {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn name(key: &str) -> String {
    format!("{key}.json")
}

fn text(entry: &Json, name: &str) -> Option<String> {
    entry.get(name)?.as_str().map(str::to_owned)
}
