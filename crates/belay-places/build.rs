//! Turns `policy/places.toml` and `policy/hosts.toml` into static data. A bad file stops the build with its name and the fault.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::allow_attributes,
    reason = "a build script reports by failing"
)]

#[path = "policy/tables.rs"]
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
        place_set(&format!("{scope:?}"), &paths_of(table, place), out);
    }
    out.push_str("];\n");
    let paths: Vec<Vec<String>> = all.iter().map(|it| paths_of(table, it)).collect();
    place_keys(&paths, out);
    for name in ["secret", "artefact", "workflow"] {
        writeln!(out, "pub(crate) static {}: PlaceSet =", name.to_uppercase())
            .expect("writing to a string");
        place_set("Other", &named(table, name), out);
        out.truncate(out.trim_end().trim_end_matches(',').len());
        out.push_str(";\n");
    }
    let workflows = named(table, "workflow").into_iter();
    let workflows: Vec<String> = workflows
        .map(|it| it.trim_end_matches("/**").to_owned())
        .collect();
    list("WORKFLOWS", &workflows, out);
}

/// Returns the paths of a list that has a name.
fn named(table: &Table, name: &str) -> Vec<String> {
    strings(table.get(name).and_then(|it| it.get("paths")))
}

/// Returns the paths of a place, with those of the lists that it names.
fn paths_of(table: &Table, place: &Value) -> Vec<String> {
    let also = strings(place.get("also"));
    let lists = also.iter().flat_map(|it| named(table, it));
    strings(place.get("paths"))
        .into_iter()
        .chain(lists)
        .collect()
}

/// Writes one index over all sets: component, set, glob.
fn place_keys(places: &[Vec<String>], out: &mut String) {
    let mut keys = Vec::new();
    for (set, paths) in places.iter().enumerate() {
        for (at, path) in paths.iter().enumerate() {
            let lower = path.to_lowercase();
            let parts: Vec<&str> = lower
                .trim_start_matches(['!', '~', '/'])
                .split('/')
                .collect();
            if let Some((part, name)) = last_plain(&parts) {
                keys.push((name.to_owned(), set, at, part));
            }
        }
    }
    keys.sort();
    let starts: Vec<usize> = (0..=256)
        .map(|byte| keys.partition_point(|it| first_byte(&it.0) < byte))
        .collect();
    writeln!(
        out,
        "pub(crate) static PLACE_STARTS: [u16; 257] = {starts:?};"
    )
    .expect("writing to a string");
    writeln!(
        out,
        "pub(crate) static PLACE_SHAPES: Shapes = {};",
        shapes(keys.iter().map(|it| it.0.as_str()))
    )
    .expect("writing to a string");
    out.push_str("pub(crate) static PLACE_KEYS: &[PlaceKey] = &[");
    for (_, set, at, part) in keys {
        write!(out, "PlaceKey {{ set: {set}, key: {} }}, ", key(at, part))
            .expect("writing to a string");
    }
    out.push_str("];\n");
}

/// Returns the last part without a wild card, and where it stands.
fn last_plain<T: AsRef<str>>(parts: &[T]) -> Option<(usize, &str)> {
    let names = parts.iter().map(AsRef::as_ref).enumerate();
    names.filter(|(_, it)| is_plain(it)).last()
}

fn first_byte(name: &str) -> usize {
    name.bytes().next().map_or(0, usize::from)
}

fn is_plain(part: &str) -> bool {
    !part.contains(['*', '?', '['])
}

/// Writes which lengths names have that begin alike: a row for the low bits of the first letter, a bit for each length.
fn shapes<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut rows = [0_u32; 32];
    for name in names {
        let row = rows.get_mut(first_byte(name) % 32);
        *row.expect("there are 32 rows") |= 1 << name.len().min(31);
    }
    format!("Shapes({rows:?})")
}

/// Writes where a name stands: texts would be filled with addresses whenever the program starts.
fn key(glob: usize, part: usize) -> String {
    format!("Key {{ glob: {glob}, part: {part} }}")
}

/// Writes one set: its globs, and an index of those that have a plain component, by the last such one.
fn place_set(scope: &str, paths: &[String], out: &mut String) {
    let mut globs = Vec::new();
    let mut keyed = Vec::new();
    let mut loose = Vec::new();
    let mut folded = BTreeSet::new();
    let mut open = BTreeSet::new();
    for (at, path) in paths.iter().enumerate() {
        let (takes_back, path) = path
            .strip_prefix('!')
            .map_or((false, path.as_str()), |rest| (true, rest));
        let (anchor, rest) = match (path.strip_prefix("~/"), path.strip_prefix('/')) {
            (Some(rest), _) => ("Home", rest),
            (None, Some(rest)) => ("Root", rest),
            (None, None) => ("Anywhere", path),
        };
        let parts: Vec<String> = rest.split('/').map(str::to_lowercase).collect();
        match last_plain(&parts) {
            Some((part, name)) => keyed.push((name.to_owned(), key(at, part))),
            None => loose.push(at),
        }
        // A folder above what a glob names bears the name of one of its parts but the last.
        let folders = parts.iter().take_while(|it| *it != "**");
        let folders = folders.take(parts.len() - 1).filter(|_| !takes_back);
        for (part, name) in folders.enumerate() {
            if is_plain(name) {
                let first = parts.iter().position(|it| it == name).unwrap_or(part);
                folded.insert((name.clone(), at, key(at, first)));
            } else {
                open.insert(at);
            }
        }
        globs.push(format!(
            "PathGlob {{ anchor: Anchor::{anchor}, takes_back: {takes_back}, parts: &{parts:?}, depth: {}, folder: {} }}",
            parts.iter().take_while(|it| *it != "**").count(),
            parts.last().is_some_and(|it| it == "**"),
        ));
    }
    // Of equal names the first glob comes first.
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    let keyed_shapes = shapes(keyed.iter().map(|it| it.0.as_str()));
    let above_shapes = shapes(folded.iter().map(|it| it.0.as_str()));
    let keyed: Vec<String> = keyed.into_iter().map(|it| it.1).collect();
    let folded: Vec<String> = folded.into_iter().map(|it| it.2).collect();
    writeln!(
        out,
        "PlaceSet {{ scope: Scope::{scope}, globs: &[{}], keyed: Index {{ shapes: {keyed_shapes}, keys: &[{}] }}, loose: &{loose:?}, above: Index {{ shapes: {above_shapes}, keys: &[{}] }}, above_loose: &{:?} }},",
        globs.join(", "),
        keyed.join(", "),
        folded.join(", "),
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
    let own = strings(table.get("own").and_then(|it| it.get("hosts")));
    for (name, names) in [
        ("HOSTS", names),
        ("REGISTRIES", registries),
        ("METADATA", metadata),
        ("NEAR", near),
        ("OWN_NAMES", own),
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
        list(&name.to_uppercase(), &paths_of(lists, value), out);
    }
}
