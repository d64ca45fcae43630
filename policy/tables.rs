//! How build scripts read the files of this folder and write them as static data. Included by those of
//! `belay-places`, `belay-policy` and `belay-secrets`; a bad file stops the build with its name and the fault.

use std::fmt::Write as _;
use std::path::PathBuf;

use toml::{Table, Value};

/// Reads a file of `policy/`, and lets cargo look at it again when it changes.
pub fn read(name: &str) -> Table {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let path = root.join("policy").join(name);
    println!("cargo:rerun-if-changed={}", path.display());
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("policy/{name}: {error}"));
    text.parse()
        .unwrap_or_else(|error| panic!("policy/{name}: {error}"))
}

/// Returns the texts of a string or a list of strings; none where there is no value.
pub fn strings(value: Option<&Value>) -> Vec<String> {
    let text = |it: &Value| {
        it.as_str()
            .unwrap_or_else(|| panic!("not a string: {it}"))
            .to_owned()
    };
    match value {
        None => Vec::new(),
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(other) => vec![text(other)],
    }
}

/// Writes a static list. An empty one is a mistake in the file.
pub fn list(name: &str, words: &[String], out: &mut String) {
    assert!(!words.is_empty(), "`{name}` is empty");
    writeln!(out, "pub(crate) static {name}: &[&str] = &{words:?};").expect("writing to a string");
}

/// Writes the file that the crate includes; returns the name of its version.
pub fn written(file: &str, out: &str) -> String {
    let folder = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(folder.join(file), out).expect("the build folder is writable");
    // FNV-1a: names a version, and needs to withstand nobody.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", out.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
