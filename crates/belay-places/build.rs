//! Turns `policy/places.toml` and `policy/hosts.toml` into static data. A bad file stops the build with its name and the fault.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::allow_attributes,
    reason = "a build script reports by failing"
)]

#[path = "../../policy/tables.rs"]
mod tables;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use belay_model::Scope;
use tables::{list, read, strings, written};
use toml::{Table, Value};

fn main() {
    let mut out = String::new();
    let lists = read("places.toml");
    places(&lists, &mut out);
    regions(&lists, &mut out);
    hosts(&read("hosts.toml"), &mut out);
    let version = written("places.rs", &out);
    println!("cargo:rustc-env=BELAY_PLACES_HASH={version}");
}

fn places(table: &Table, out: &mut String) {
    let all = table
        .get("place")
        .and_then(Value::as_array)
        .expect("policy/places.toml has places");
    out.push_str("pub(crate) static PLACES: &[PlaceSet] = &[\n");
    for place in all {
        let word = place
            .get("scope")
            .and_then(Value::as_str)
            .expect("a place has a scope");
        let scope = Scope::from_word(word)
            .unwrap_or_else(|| panic!("policy/places.toml: unknown scope `{word}`"));
        place_set(&format!("{scope:?}"), place.get("paths"), out);
    }
    out.push_str("];\n");
    place_keys(all, out);
    for name in ["secret", "artefact"] {
        let paths = table.get(name).and_then(|it| it.get("paths"));
        writeln!(out, "pub(crate) static {}: PlaceSet =", name.to_uppercase())
            .expect("writing to a string");
        place_set("Other", paths, out);
        out.truncate(out.trim_end().trim_end_matches(',').len());
        out.push_str(";\n");
    }
}

/// Writes one index over all sets: component, set, glob.
fn place_keys(places: &[Value], out: &mut String) {
    let mut keys = Vec::new();
    for (set, place) in places.iter().enumerate() {
        for (at, path) in strings(place.get("paths")).iter().enumerate() {
            let lower = path.to_lowercase();
            let parts = lower.trim_start_matches(['!', '~', '/']).split('/').rev();
            let key = parts
                .into_iter()
                .find(|it| !it.contains(['*', '?', '[']))
                .map(str::to_owned);
            if let Some(key) = key {
                keys.push((key, set, at));
            }
        }
    }
    keys.sort();
    writeln!(
        out,
        "pub(crate) static PLACE_KEYS: &[(&str, usize, usize)] = &{keys:?};"
    )
    .expect("writing to a string");
}

/// Writes one set: its globs, and an index of those that have a plain component, by the last such one.
fn place_set(scope: &str, paths: Option<&Value>, out: &mut String) {
    let mut globs = Vec::new();
    let mut keyed = Vec::new();
    let mut loose = Vec::new();
    let mut folded = BTreeSet::new();
    let mut open = BTreeSet::new();
    for (at, path) in strings(paths).iter().enumerate() {
        let (takes_back, path) = path
            .strip_prefix('!')
            .map_or((false, path.as_str()), |rest| (true, rest));
        let (anchor, rest) = match (path.strip_prefix("~/"), path.strip_prefix('/')) {
            (Some(rest), _) => ("Home", rest),
            (None, Some(rest)) => ("Root", rest),
            (None, None) => ("Anywhere", path),
        };
        let parts: Vec<String> = rest.split('/').map(str::to_lowercase).collect();
        match parts.iter().rev().find(|it| !it.contains(['*', '?', '['])) {
            Some(key) => keyed.push((key.clone(), at)),
            None => loose.push(at),
        }
        // A folder above what a glob names bears the name of one of its parts but the last.
        let folders = parts.iter().take_while(|it| *it != "**");
        for part in folders.take(parts.len() - 1).filter(|_| !takes_back) {
            if part.contains(['*', '?', '[']) {
                open.insert(at);
            } else {
                folded.insert((part.clone(), at));
            }
        }
        let plain = parts.iter().take_while(|it| *it != "**");
        globs.push(format!(
            "PathGlob {{ anchor: Anchor::{anchor}, takes_back: {takes_back}, parts: &{parts:?}, plain: &{:?}, folder: {} }}",
            plain.collect::<Vec<_>>(),
            parts.last().is_some_and(|it| it == "**"),
        ));
    }
    keyed.sort();
    writeln!(
        out,
        "PlaceSet {{ scope: Scope::{scope}, globs: &[{}], keyed: &{keyed:?}, loose: &{loose:?}, above: &{:?}, above_loose: &{:?} }},",
        globs.join(", "),
        folded.iter().collect::<Vec<_>>(),
        open.iter().collect::<Vec<_>>(),
    )
    .expect("writing to a string");
}

fn hosts(table: &Table, out: &mut String) {
    let (mut names, mut registries) = (BTreeSet::new(), BTreeSet::new());
    for group in table
        .get("group")
        .and_then(Value::as_array)
        .expect("policy/hosts.toml has groups")
    {
        names.extend(strings(group.get("hosts")));
        if group.get("registry").and_then(Value::as_bool) == Some(true) {
            registries.extend(strings(group.get("hosts")));
        }
    }
    let names: Vec<String> = names.into_iter().collect();
    let registries: Vec<String> = registries.into_iter().collect();
    let metadata = strings(table.get("metadata").and_then(|it| it.get("hosts")));
    let near = strings(table.get("near").and_then(|it| it.get("endings")));
    for (name, names) in [
        ("HOSTS", names),
        ("REGISTRIES", registries),
        ("METADATA", metadata),
        ("NEAR", near),
    ] {
        list(name, &names, out);
    }
}

/// Writes the plain lists of the disk's regions.
fn regions(table: &Table, out: &mut String) {
    let lists = table
        .get("region")
        .and_then(Value::as_table)
        .expect("policy/places.toml has regions");
    for (name, value) in lists {
        list(&name.to_uppercase(), &strings(value.get("paths")), out);
    }
}
