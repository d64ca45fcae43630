//! Turns `policy/places.toml` and `policy/hosts.toml` into static data. A bad file stops the build with its name and the fault.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::allow_attributes,
    reason = "a build script reports by failing"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use belay_model::Scope;
use toml::{Table, Value};

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../policy");
    let mut out = String::new();
    let lists = read(&root, "places.toml");
    places(&lists, &mut out);
    regions(&lists, &mut out);
    hosts(&read(&root, "hosts.toml"), &mut out);
    println!("cargo:rustc-env=BELAY_PLACES_HASH={:016x}", hash(&out));
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("places.rs");
    std::fs::write(target, out).expect("the build folder is writable");
}

/// FNV-1a: names a version, and needs to withstand nobody.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

fn read(root: &Path, name: &str) -> Table {
    let path = root.join(name);
    println!("cargo:rerun-if-changed={}", path.display());
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("policy/{name}: {error}"));
    text.parse()
        .unwrap_or_else(|error| panic!("policy/{name}: {error}"))
}

fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        None => Vec::new(),
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items
            .iter()
            .map(|it| {
                it.as_str()
                    .unwrap_or_else(|| panic!("not a string: {it}"))
                    .to_owned()
            })
            .collect(),
        Some(other) => panic!("neither a string nor a list: {other}"),
    }
}

fn places(table: &Table, out: &mut String) {
    let list = table
        .get("place")
        .and_then(Value::as_array)
        .expect("policy/places.toml has places");
    out.push_str("pub(crate) static PLACES: &[PlaceSet] = &[\n");
    for place in list {
        let word = place
            .get("scope")
            .and_then(Value::as_str)
            .expect("a place has a scope");
        let scope = Scope::from_word(word)
            .unwrap_or_else(|| panic!("policy/places.toml: unknown scope `{word}`"));
        place_set(&format!("{scope:?}"), place.get("paths"), out);
    }
    out.push_str("];\n");
    place_keys(list, out);
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
fn place_keys(list: &[Value], out: &mut String) {
    let mut keys = Vec::new();
    for (set, place) in list.iter().enumerate() {
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
        "PlaceSet {{ scope: Scope::{scope}, globs: &[{}], keyed: &{keyed:?}, loose: &{loose:?} }},",
        globs.join(", "),
    )
    .expect("writing to a string");
}

fn hosts(table: &Table, out: &mut String) {
    let mut names = BTreeSet::new();
    for group in table
        .get("group")
        .and_then(Value::as_array)
        .expect("policy/hosts.toml has groups")
    {
        names.extend(strings(group.get("hosts")));
    }
    let names: Vec<String> = names.into_iter().collect();
    let metadata = strings(table.get("metadata").and_then(|it| it.get("hosts")));
    let near = strings(table.get("near").and_then(|it| it.get("endings")));
    for (list, names) in [("HOSTS", names), ("METADATA", metadata), ("NEAR", near)] {
        assert!(!names.is_empty(), "policy/hosts.toml: `{list}` is empty");
        writeln!(out, "pub(crate) static {list}: &[&str] = &{names:?};")
            .expect("writing to a string");
    }
}

/// Writes the plain lists of the disk's regions.
fn regions(table: &Table, out: &mut String) {
    let lists = table
        .get("region")
        .and_then(Value::as_table)
        .expect("policy/places.toml has regions");
    for (name, value) in lists {
        let paths = strings(value.get("paths"));
        assert!(
            !paths.is_empty(),
            "policy/places.toml: region `{name}` is empty"
        );
        let name = name.to_uppercase();
        writeln!(out, "pub(crate) static {name}: &[&str] = &{paths:?};")
            .expect("writing to a string");
    }
}
