//! Where a call stands, as owned values that a frame can borrow.

use belay_model::{Call, Surroundings};
use belay_policy::{Frame, Path};
use belay_settings::Settings;
use belay_settings::glob::Bases;

/// The folders, hosts and places of one call.
pub(crate) struct Stand {
    pub(crate) cwd: String,
    pub(crate) home: Option<String>,
    pub(crate) roots: Vec<String>,
    temps: Vec<String>,
    hosts: Vec<String>,
    gate: Vec<String>,
    protected: Vec<String>,
    pub(crate) bases: Bases,
}

impl Stand {
    pub(crate) fn new(call: &Call, settings: &Settings, gate: &[String]) -> Self {
        let cwd = if call.cwd.starts_with('/') {
            Path::new(&call.cwd).text().to_owned()
        } else {
            String::new()
        };
        let mut roots: Vec<String> = call
            .project_roots
            .iter()
            .filter(|it| it.starts_with('/'))
            .cloned()
            .collect();
        if roots.is_empty() && !cwd.is_empty() {
            roots.push(cwd.clone());
        }
        roots.extend(
            settings
                .roots
                .iter()
                .map(|it| home_path(&it.text, call.home.as_deref())),
        );
        let home = call.home.clone().filter(|it| it.starts_with('/'));
        let bases = Bases {
            home: home.clone(),
            root: roots.first().cloned(),
        };
        Self {
            cwd,
            home,
            roots,
            temps: Vec::new(),
            hosts: settings
                .trusted_hosts
                .iter()
                .map(|it| it.text.clone())
                .collect(),
            gate: gate.to_vec(),
            protected: settings
                .places
                .protected
                .iter()
                .map(|it| it.text.clone())
                .collect(),
            bases,
        }
    }

    pub(crate) fn frame<'a>(&'a self, world: &'a dyn Surroundings) -> Frame<'a> {
        Frame {
            cwd: &self.cwd,
            home: self.home.as_deref(),
            roots: &self.roots,
            temps: &self.temps,
            hosts: &self.hosts,
            gate: &self.gate,
            protected: &self.protected,
            world,
        }
    }
}

fn home_path(text: &str, home: Option<&str>) -> String {
    match (text.strip_prefix('~'), home) {
        (Some(rest), Some(home)) => format!("{home}{rest}"),
        _ => text.to_owned(),
    }
}
