//! What `cargo metadata` says about packages, reduced to what the chores ask.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::Outcome;
use crate::run::{cargo, output, read, root};

/// All packages of the build, by their cargo id.
pub struct Packages {
    /// Every package, ours and others'.
    pub all: BTreeMap<String, Package>,
    /// Normal edges of the resolved graph.
    edges: BTreeMap<String, Vec<String>>,
}

/// One package.
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence expression, if it says one.
    pub licence: Option<String>,
    /// Whether it is a member of this workspace.
    pub ours: bool,
    /// What it asks for directly.
    pub wants: Vec<Want>,
}

/// One direct dependency as a manifest states it.
pub struct Want {
    /// The package's name.
    pub name: String,
    /// For what it is needed.
    pub kind: Kind,
}

/// For what a dependency is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// At run time.
    Normal,
    /// By the build script.
    Build,
    /// By tests.
    Dev,
}

impl Packages {
    /// Asks cargo, without a network where the lock file is complete.
    pub fn load() -> Outcome<Self> {
        let text = output(&mut cargo(&[
            "metadata",
            "--format-version",
            "1",
            "--locked",
        ]))?;
        let root: Value =
            serde_json::from_str(&text).map_err(|why| format!("cargo metadata: {why}"))?;
        let members: BTreeSet<&str> = items(&root, "workspace_members")
            .filter_map(Value::as_str)
            .collect();
        let all = items(&root, "packages")
            .map(|it| (string(it, "id"), package(it, &members)))
            .collect();
        let edges = items(&root["resolve"], "nodes")
            .map(|it| (string(it, "id"), normal_edges(it)))
            .collect();
        Ok(Self { all, edges })
    }

    /// Returns the packages of this workspace.
    pub fn ours(&self) -> impl Iterator<Item = &Package> {
        self.all.values().filter(|it| it.ours)
    }

    /// Returns the names of what is linked with these packages of ours, themselves included, not walking
    /// through the packages in `without`.
    pub fn linked_names(&self, names: &[&str], without: &[&str]) -> BTreeSet<&str> {
        let linked = self.linked(names, without).into_iter();
        linked
            .filter_map(|id| self.all.get(&id).map(|it| it.name.as_str()))
            .collect()
    }

    /// Returns the ids of what is linked with these packages of ours, themselves included, not walking
    /// through the packages in `without`: one name may come in two versions.
    pub fn linked(&self, names: &[&str], without: &[&str]) -> BTreeSet<String> {
        let mut open: Vec<&String> = self
            .all
            .iter()
            .filter(|(_, it)| it.ours && names.contains(&it.name.as_str()))
            .map(|(id, _)| id)
            .collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            let skipped = self
                .all
                .get(id)
                .is_some_and(|it| without.contains(&it.name.as_str()));
            if !skipped && seen.insert(id.clone()) {
                open.extend(self.edges.get(id).into_iter().flatten());
            }
        }
        seen
    }
}

/// Returns the names of our crates that are published: those of `crates/` that do not say otherwise.
pub fn published() -> Outcome<Vec<String>> {
    let entries = std::fs::read_dir(root().join("crates")).map_err(|why| why.to_string())?;
    let mut names = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let manifest = read(&format!("crates/{name}/Cargo.toml"))?;
        if !manifest.contains("\npublish = false\n") {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the value of a key of a manifest's package, or of the workspace's.
fn first(manifest: &str, key: &str) -> Outcome<toml::Value> {
    let table: toml::Table = manifest
        .parse()
        .map_err(|why| format!("a manifest: {why}"))?;
    let workspace = table.get("workspace").and_then(|it| it.get("package"));
    let tables = [workspace, table.get("package")];
    let value = tables.into_iter().flatten().find_map(|it| it.get(key));
    value
        .cloned()
        .ok_or_else(|| format!("a manifest has no `{key}`"))
}

/// Returns a text of a manifest's package.
pub fn line(manifest: &str, key: &str) -> Outcome<String> {
    let value = first(manifest, key)?;
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("`{key}` is not a text"))
}

/// Returns a list of texts of a manifest's package.
pub fn list(manifest: &str, key: &str) -> Outcome<Vec<String>> {
    let value = first(manifest, key)?;
    let items = value.as_array().into_iter().flatten();
    Ok(items
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect())
}

fn package(it: &Value, members: &BTreeSet<&str>) -> Package {
    Package {
        name: string(it, "name"),
        version: string(it, "version"),
        licence: it["license"].as_str().map(str::to_owned),
        ours: it["id"].as_str().is_some_and(|id| members.contains(id)),
        wants: items(it, "dependencies").map(want).collect(),
    }
}

fn want(it: &Value) -> Want {
    Want {
        name: string(it, "name"),
        kind: match it["kind"].as_str() {
            Some("build") => Kind::Build,
            Some("dev") => Kind::Dev,
            _ => Kind::Normal,
        },
    }
}

fn normal_edges(node: &Value) -> Vec<String> {
    items(node, "deps")
        .filter(|dep| items(dep, "dep_kinds").any(|kind| kind["kind"].is_null()))
        .map(|dep| string(dep, "pkg"))
        .collect()
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}

fn string(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}
