//! Shows that the gate really blocks: what is registered, and a live proof with the user's own
//! client in an empty home, against a scripted model on loopback.
//!
//! INVARIANT: nothing of the user's is changed, no account and no network is used, and the
//! commands of the proof are harmless should they run.

mod copy;
mod live;
mod project;
pub mod recipes;

use std::fs;
use std::path::Path;

pub use live::{Own, Proof, Room, Trial, client, ended, prove, version};
pub use project::attempts;
pub use recipes::tested_version;

use crate::Agent;
use crate::install::way::Written;
use crate::install::{self, Reach, Stance, Wish, settings_file};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How it stands.
    pub mark: Mark,
    /// What was found, one line.
    pub what: String,
    /// What to do about it.
    pub fix: Option<String>,
}

/// How something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As it should.
    Good,
    /// Worth knowing.
    Note,
    /// Not as it should.
    Bad,
}

impl Finding {
    /// It is as it should.
    pub fn good(what: impl Into<String>) -> Self {
        Self {
            mark: Mark::Good,
            what: what.into(),
            fix: None,
        }
    }

    /// It is worth knowing.
    pub fn note(what: impl Into<String>) -> Self {
        Self {
            mark: Mark::Note,
            ..Self::good(what)
        }
    }

    /// It is not as it should; `fix` is what to do.
    pub fn bad(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            mark: Mark::Bad,
            fix: Some(fix.into()),
            ..Self::good(what)
        }
    }
}

/// Looks at what is registered, without running anything.
#[must_use]
pub fn examine(wish: &Wish<'_>) -> Vec<Finding> {
    let again = format!("belay install {}", wish.agent.word());
    let managed = Wish {
        reach: Reach::Managed,
        ..*wish
    };
    let mut findings = vec![registered(wish, &again), program(wish.belay, &again)];
    // What the machine's owner registered holds whatever the user's settings say.
    let holds = is_registered(&managed);
    if holds && let Some(first) = findings.first_mut() {
        *first = Finding::good(format!("{}, set by the machine's owner", place(&managed)));
    }
    if let Some(path) = settings_file(wish) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let settings = Written {
            path: &path,
            text: &text,
        };
        let off = switched_off(&path, &text);
        if !holds {
            findings.extend(wish.agent.adapter().examine(wish, &settings));
            findings.extend(off);
        }
        findings.extend(others(wish.agent, &text));
        // Here they are the user's own, who may know.
        let answered = project::answered_by(wish.agent, &path, &text);
        findings.extend(answered.map(|it| Finding::note(it.what)));
        findings.extend(fenced(wish, &text));
    }
    findings.extend(project::findings(wish, holds));
    findings.extend(wish.agent.adapter().limit().map(Finding::note));
    findings
}

fn registered(wish: &Wish<'_>, again: &str) -> Finding {
    let wish = Wish {
        trust: install::Consent::Missing,
        ..*wish
    };
    match install::install(&wish) {
        Ok(plan) if plan.changes.is_empty() => Finding::good(place(&wish)),
        Ok(_) if watches(&wish) => Finding::bad(
            "registered in observe mode: calls run when belay fails",
            again,
        ),
        Ok(plan) => {
            let there = plan
                .changes
                .iter()
                .filter_map(|change| change.before.as_deref())
                .any(|text| install::is_ours(wish.agent, text));
            let what = if there {
                "registered by a different version of belay"
            } else {
                "not registered"
            };
            Finding::bad(what, again)
        }
        Err(error) => Finding::bad(error.to_string(), "fix the file, then install again"),
    }
}

/// Tells whether we are registered so that no failure of ours stops the agent.
fn watches(wish: &Wish<'_>) -> bool {
    is_registered(&Wish {
        stance: Stance::Observe,
        ..*wish
    })
}

fn is_registered(wish: &Wish<'_>) -> bool {
    install::install(wish).is_ok_and(|plan| plan.changes.is_empty())
}

fn place(wish: &Wish<'_>) -> String {
    match settings_file(wish) {
        Some(path) => format!("registered for every tool in `{}`", path.display()),
        None => "registered for every tool".to_owned(),
    }
}

fn program(belay: &Path, again: &str) -> Finding {
    match fs::metadata(belay) {
        Ok(there) if there.is_file() => Finding::good(format!("program `{}`", belay.display())),
        Ok(_) | Err(_) => Finding::bad(
            format!("program `{}` does not exist", belay.display()),
            again,
        ),
    }
}

/// Tells how a client's version stands to the one our tests run.
#[must_use]
pub fn versions(agent: Agent, found: &str) -> Option<Finding> {
    let tested = tested_version(agent)?;
    if found == tested {
        return Some(Finding::good(format!(
            "version {found}, which our tests run"
        )));
    }
    let fault = agent.adapter().version_fault(found);
    let untested = || Finding::note(format!("version {found}; our tests run {tested}"));
    Some(fault.unwrap_or_else(untested))
}

/// Takes a version apart, so that versions compare.
pub(crate) fn numbers(version: &str) -> Vec<u64> {
    version.split('.').map_while(|it| it.parse().ok()).collect()
}

/// Settings that switch all hooks off, or ours by its name.
fn switched_off(path: &Path, text: &str) -> Option<Finding> {
    let compact: String = text.split_whitespace().collect();
    let (_, config) = compact.split_once("\"hooksConfig\":{").unwrap_or_default();
    let (config, _) = config.split_once('}').unwrap_or((config, ""));
    let signs = [
        (&*compact, "\"disableAllHooks\":true"),
        (&*compact, "\"enableHooks\":false"),
        (&*compact, "\"allowManagedHooksOnly\":true"),
        (config, "\"enabled\":false"),
        (config, "\"belay"),
    ];
    let sign = signs.into_iter().find(|(text, sign)| text.contains(sign));
    let (_, sign) = sign?;
    Some(Finding::bad(
        format!("hooks are switched off in `{}`", path.display()),
        format!("remove `{sign}`"),
    ))
}

/// A list of addresses that hooks may ask, which ours may not be in.
fn fenced(wish: &Wish<'_>, text: &str) -> Option<Finding> {
    let fenced = wish.door.is_some() && text.contains("\"allowedHttpHookUrls\"");
    fenced.then(|| Finding::note("`allowedHttpHookUrls` must name the daemon's address"))
}

/// Hooks of others on the same calls: they may change a call after it was judged.
fn others(agent: Agent, text: &str) -> Option<Finding> {
    let event = agent.adapter().shared_event()?;
    let count = install::foreign(agent, text, event);
    (count > 0).then(|| {
        Finding::note(format!(
            "{count} other hook(s) on the same calls could change a call after belay judged it"
        ))
    })
}
