//! Where a call stands, as owned values that a frame can borrow.

use belay_model::{Answer, Call, Question, Surroundings};
use belay_places::{Frame, Path};
use belay_settings::Settings;
use belay_settings::glob::Bases;

/// The folders, hosts and places of one call.
pub(crate) struct Stand<'a> {
    pub(crate) cwd: String,
    pub(crate) home: Option<String>,
    pub(crate) roots: Vec<String>,
    temps: Vec<String>,
    hosts: Vec<String>,
    gate: &'a [String],
    protected: Vec<String>,
    pub(crate) bases: Bases,
}

impl<'s> Stand<'s> {
    pub(crate) fn new(call: &Call, settings: &Settings, gate: &'s [String]) -> Self {
        let cwd = if call.cwd.starts_with('/') {
            Path::new(&call.cwd).into_text()
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
        roots.extend(trusted(settings, call.home.as_deref()));
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
            gate,
            protected: protected(settings, &bases),
            bases,
        }
    }

    /// Adds the working trees that are linked to the project's repository. From one of them, neither the main one nor its
    /// siblings are the project: who works there was put there to leave them alone.
    pub(crate) fn with_worktrees(&mut self, world: &dyn Surroundings) {
        let Some(root) = self.roots.first() else {
            return;
        };
        let Answer::Names(tops) = world.ask(&Question::Worktrees(root.clone())) else {
            return;
        };
        let Some((main, linked)) = tops.split_first() else {
            return;
        };
        let inside = |it: &String| Path::new(root).is_within(it);
        if !inside(main) || linked.iter().any(inside) {
            return;
        }
        let home = self.home.clone();
        let above = |it: &String| {
            home.as_deref()
                .is_some_and(|home| Path::new(home).is_within(it))
        };
        let added: Vec<String> = linked.iter().filter(|it| !above(it)).cloned().collect();
        self.roots.extend(added);
    }

    pub(crate) fn frame<'a>(&'a self, world: &'a dyn Surroundings) -> Frame<'a> {
        Frame {
            cwd: &self.cwd,
            home: self.home.as_deref(),
            roots: &self.roots,
            temps: &self.temps,
            hosts: &self.hosts,
            gate: self.gate,
            protected: &self.protected,
            world,
        }
    }
}

/// Returns the folders that a person wants treated like the project.
fn trusted(settings: &Settings, home: Option<&str>) -> impl Iterator<Item = String> {
    let places = settings.places.trusted.iter();
    places.filter_map(move |it| {
        let text = it.text.trim_end_matches('/');
        let folder = text.strip_suffix("/**").unwrap_or(text);
        let folder = home_path(folder, home);
        let plain = folder.starts_with('/') && !folder.contains(['*', '?', '[']);
        plain.then_some(folder)
    })
}

/// Returns the globs of protected places, each hung where it belongs.
fn protected(settings: &Settings, bases: &Bases) -> Vec<String> {
    let globs = settings.places.protected.iter();
    let hung = globs.filter_map(|it| match it.text.as_str() {
        text if text.starts_with('/') => Some(text.to_owned()),
        text if text.starts_with('~') => Some(home_path(text, bases.home.as_deref())),
        text if text.contains('/') => {
            let root = bases.root.as_deref()?;
            Some(format!("{root}/{}", text.trim_start_matches("./")))
        }
        text => Some(format!("**/{text}")),
    });
    hung.collect()
}

fn home_path(text: &str, home: Option<&str>) -> String {
    match (text.strip_prefix('~'), home) {
        (Some(rest), Some(home)) => format!("{home}{rest}"),
        _ => text.to_owned(),
    }
}
