//! Turns the tables of `knowledge/words/` into static data. A bad file stops the build with its name and the fault.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::allow_attributes,
    reason = "a build script reports by failing"
)]

use std::fmt::Write as _;
use std::path::PathBuf;

use toml::{Table, Value};

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let folder = root.join("knowledge/words");
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("`knowledge/words` is there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    files.sort();
    let mut out = String::from("static LANGUAGES: &[Language] = &[\n");
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        let text = std::fs::read_to_string(&file).expect("a table of words can be read");
        let table: Table = text
            .parse()
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        language(&table, &mut out);
    }
    out.push_str("];\n");
    let folder = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(folder.join("languages.rs"), out).expect("the build folder is writable");
}

fn language(table: &Table, out: &mut String) {
    let list = |name: &str| strings(table.get(name));
    let flag = |name: &str| table.get(name).and_then(Value::as_bool) == Some(true);
    writeln!(
        out,
        "Language {{ grants: {}, unspaced: {}, opening: &{:?}, closing: &{:?}, polite: &{:?}, doubts: &{:?}, beside: &{:?}, joins: &{:?}, follows: &{:?}, classes: &[",
        flag("grants"),
        flag("unspaced"),
        list("opening"),
        list("closing"),
        list("polite"),
        list("doubts"),
        list("beside"),
        list("joins"),
        list("follows"),
    )
    .expect("writing to a string");
    let classes = table.get("class").and_then(Value::as_array);
    for class in classes.expect("a table of words has classes") {
        let list = |name: &str| strings(class.get(name));
        let name = class.get("class").and_then(Value::as_str);
        writeln!(
            out,
            "Class {{ name: {:?}, bare: &{:?}, grant: &{:?}, limit: &{:?}, whole: &{:?}, after: &{:?}, implied: &{:?}, unless: &{:?} }},",
            name.expect("a class has its name"),
            list("bare"),
            list("grant"),
            list("limit"),
            list("whole"),
            list("after"),
            list("implied"),
            list("unless"),
        )
        .expect("writing to a string");
    }
    out.push_str("] },\n");
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array);
    let text = |it: &Value| it.as_str().expect("a phrase is a text").to_owned();
    items.map_or_else(Vec::new, |items| items.iter().map(text).collect())
}
