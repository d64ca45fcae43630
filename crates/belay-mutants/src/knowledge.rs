//! Files of knowledge that say nothing, and single lines of them that do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use belay_analysis::{Scene, Shell, analyse};
use belay_knowledge::{Example, Knowledge};
use belay_model::Nowhere;
use belay_places::Frame;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use crate::changes::{Fates, shared};
use crate::labelled::read;

/// Files that are compiled together: a command and its sub-commands, by path and text.
type Tree = BTreeMap<String, String>;

/// Changes every file, and every line of it that says what is done, in turn.
pub fn run(root: &Path) -> Result<BTreeMap<&'static str, Fates>, String> {
    let trees = trees(&root.join("knowledge"))?;
    for tree in &trees {
        stands(tree)?;
    }
    let files = shared(&trees, |tree| fates(tree, whole));
    let lines = shared(&trees, |tree| fates(tree, parts));
    Ok(BTreeMap::from([
        ("files emptied", files),
        ("lines emptied", lines),
    ]))
}

/// Reads all files, by the command, builtin or group of variables they speak of.
fn trees(folder: &Path) -> Result<Vec<Tree>, String> {
    let mut trees: BTreeMap<String, Tree> = BTreeMap::new();
    for kind in ["commands", "builtins", "variables"] {
        let mut todo = vec![kind.to_owned()];
        while let Some(path) = todo.pop() {
            let full = folder.join(&path);
            if full.is_dir() {
                let entries = std::fs::read_dir(&full).map_err(|why| format!("{path}: {why}"))?;
                let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
                todo.extend(names.map(|it| format!("{path}/{it}")));
            } else if let Some(stem) = path.strip_suffix(".toml") {
                // Names of variables may be patterns that overlap, so all of them are read together.
                let deep = if kind == "variables" { 1 } else { 2 };
                let key: Vec<&str> = stem.split('/').take(deep).collect();
                let tree = trees.entry(key.join("/")).or_default();
                tree.insert(path.clone(), read(&full)?);
            }
        }
    }
    Ok(trees.into_values().collect())
}

/// Returns what is known when a tree is read anew; `None` when it is refused.
fn known(tree: &Tree) -> Option<Knowledge> {
    let texts: Vec<(&str, &str)> = tree.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    Knowledge::load_texts(&texts).ok()
}

/// Fails when a tree that nobody changed does not hold: nothing could be told of changes then.
fn stands(tree: &Tree) -> Result<(), String> {
    let name = tree.keys().next().map_or("", String::as_str);
    let known = known(tree).ok_or(format!("`{name}` cannot be read on its own"))?;
    match known.examples().iter().find(|it| !holds(it, &known)) {
        Some(it) => Err(format!("{}:{}: `{}` fails", it.file, it.line, it.command)),
        None => Ok(()),
    }
}

/// Returns what became of the changes to each file of a tree.
fn fates(tree: &Tree, changes: impl Fn(&str) -> Vec<(String, String)>) -> Fates {
    let mut fates = Fates::default();
    for (path, text) in tree {
        for (what, changed) in changes(text) {
            fates.all += 1;
            let mut tree = tree.clone();
            tree.insert(path.clone(), changed);
            if survives(&tree, path) {
                fates.survivors.push(format!("{path}{what}"));
            }
        }
    }
    fates
}

/// Tells whether the examples of the file still hold; a file that is refused does not come as far.
fn survives(tree: &Tree, path: &str) -> bool {
    let Some(known) = known(tree) else {
        return false;
    };
    let own = known.examples().iter().filter(|it| it.file == path);
    own.into_iter().all(|it| holds(it, &known))
}

fn holds(example: &Example, knowledge: &Knowledge) -> bool {
    let normal = |it: &String| {
        belay_model::parse_effect(it).map_or_else(|_| it.clone(), |it| it.to_string())
    };
    let expected: BTreeSet<String> = example.effects.iter().map(normal).collect();
    let frame = Frame {
        cwd: "/work/app",
        home: Some("/home/me"),
        roots: &["/work/app".to_owned()],
        temps: &[],
        hosts: &[],
        gate: &[],
        protected: &[],
        world: &Nowhere,
    };
    let scene = Scene {
        frame: &frame,
        shell: Shell::Bash,
        knowledge,
    };
    let analysis = analyse(&example.command, scene);
    let found: BTreeSet<String> = analysis.effects.iter().map(ToString::to_string).collect();
    expected == found
}

/// Returns the file without anything that is done: one change, or none where nothing is.
fn whole(text: &str) -> Vec<(String, String)> {
    let Ok(mut document) = text.parse::<DocumentMut>() else {
        return Vec::new();
    };
    let places = places(&document);
    for place in &places {
        empty(document.as_table_mut(), place);
    }
    let changed = (String::new(), document.to_string());
    let said = !places.is_empty();
    said.then_some(changed).into_iter().collect()
}

fn places(document: &DocumentMut) -> Vec<Vec<Step>> {
    let mut places = Vec::new();
    gather(document.as_table(), &mut Vec::new(), &mut places);
    places
}

/// Returns the file once for each line that says what is done, without that line.
fn parts(text: &str) -> Vec<(String, String)> {
    let Ok(document) = text.parse::<DocumentMut>() else {
        return Vec::new();
    };
    let changes = places(&document).into_iter().filter_map(|place| {
        let mut changed = document.clone();
        empty(changed.as_table_mut(), &place)?;
        Some((format!(" {}", shown(&place)), changed.to_string()))
    });
    changes.collect()
}

fn shown(place: &[Step]) -> String {
    let words = place.iter().map(|it| match it {
        Step::Key(key) => key.clone(),
        Step::Item(at) => at.to_string(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// One step on the way to a line.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Item(usize),
}

/// Lists where a table says what is done: `effects`, flags and values that are not inert, here and below.
fn gather(table: &dyn TableLike, way: &mut Vec<Step>, places: &mut Vec<Vec<Step>>) {
    for (key, item) in table.iter() {
        way.push(Step::Key(key.to_owned()));
        match key {
            "effects" if !is_inert(item) => places.push(way.clone()),
            "flags" | "values" => {
                for (name, item) in item.as_table_like().into_iter().flat_map(TableLike::iter) {
                    if !is_inert(item) {
                        places.push([&way[..], &[Step::Key(name.to_owned())]].concat());
                    }
                }
            }
            "sub" => below(item, way, places),
            "form" => {
                for (at, inner) in item.as_array_of_tables().into_iter().flatten().enumerate() {
                    way.push(Step::Item(at));
                    gather(inner, way, places);
                    way.pop();
                }
            }
            _ => {}
        }
        way.pop();
    }
}

fn below(item: &Item, way: &mut Vec<Step>, places: &mut Vec<Vec<Step>>) {
    for (name, inner) in item.as_table_like().into_iter().flat_map(TableLike::iter) {
        if let Some(inner) = inner.as_table_like() {
            way.push(Step::Key(name.to_owned()));
            gather(inner, way, places);
            way.pop();
        }
    }
}

/// Tells whether a line says that nothing is done.
fn is_inert(item: &Item) -> bool {
    match (item.as_str(), item.as_array()) {
        (Some(text), _) => text.is_empty(),
        (_, Some(list)) => list.is_empty(),
        (None, None) => item.as_table_like().is_some_and(TableLike::is_empty),
    }
}

/// Lets a line say that nothing is done.
fn empty(table: &mut Table, place: &[Step]) -> Option<()> {
    let (last, way) = place.split_last()?;
    let mut item: &mut dyn TableLike = table;
    let mut way = way.iter();
    while let Some(step) = way.next() {
        let Step::Key(key) = step else { return None };
        let inner = item.get_mut(key)?;
        item = match (inner.is_array_of_tables(), way.clone().next()) {
            (true, Some(Step::Item(at))) => {
                way.next();
                inner.as_array_of_tables_mut()?.get_mut(*at)?
            }
            _ => inner.as_table_like_mut()?,
        };
    }
    let Step::Key(key) = last else { return None };
    let inner = item.get_mut(key)?;
    *inner = match key.as_str() {
        "effects" => Item::Value(Value::Array(toml_edit::Array::new())),
        _ => toml_edit::value(""),
    };
    Some(())
}
