//! Turns `policy/secrets.toml` into static data. A bad file stops the build with the fault.
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
    let path = root.join("../../policy/secrets.toml");
    println!("cargo:rerun-if-changed={}", path.display());
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("policy/secrets.toml: {error}"));
    let table: Table = text
        .parse()
        .unwrap_or_else(|error| panic!("policy/secrets.toml: {error}"));
    let mut out = String::new();
    tokens(&table, &mut out);
    flags(&table, &mut out);
    let names = table.get("names").and_then(Value::as_table);
    let names = names.expect("`[names]` is missing");
    let lists = [
        ("WEBHOOKS", table.get("webhook")),
        ("HEADERS", table.get("header")),
        ("SCHEMES", table.get("scheme")),
        ("BEFORE", table.get("before").or(names.get("before"))),
        ("SECRET", names.get("secret")),
        ("KEY_KINDS", names.get("key")),
        ("WEAK", names.get("weak")),
        ("HARMLESS", names.get("harmless")),
        ("ABOUT", names.get("about")),
    ];
    for (name, list) in lists {
        let mut list = strings(list.unwrap_or_else(|| panic!("no list for `{name}`")));
        list.sort();
        writeln!(out, "pub(crate) static {name}: &[&str] = &{list:?};")
            .expect("memory is writable");
    }
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("secrets.rs");
    std::fs::write(target, out).expect("the build folder is writable");
}

fn strings(value: &Value) -> Vec<String> {
    let items = value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"));
    let text = |it: &Value| {
        it.as_str()
            .unwrap_or_else(|| panic!("no text: {it}"))
            .to_owned()
    };
    items.iter().map(text).collect()
}

fn number(value: Option<&Value>) -> Option<i64> {
    value.map(|it| it.as_integer().unwrap_or_else(|| panic!("no number: {it}")))
}

fn tokens(table: &Table, out: &mut String) {
    let forms = table
        .get("token")
        .and_then(Value::as_array)
        .expect("`token` is missing");
    out.push_str("pub(crate) static FORMS: &[Form] = &[\n");
    for form in forms {
        let begin = form
            .get("begin")
            .and_then(Value::as_str)
            .expect("a form begins with something");
        let least = number(form.get("least")).expect("a form has a least length");
        let real = number(form.get("real")).unwrap_or(least);
        writeln!(
            out,
            "    Form {{ begin: {begin:?}, least: {least}, real: {real} }},"
        )
        .expect("memory is writable");
    }
    out.push_str("];\n");
}

fn flags(table: &Table, out: &mut String) {
    let flags = table
        .get("flag")
        .and_then(Value::as_array)
        .expect("`[[flag]]` is missing");
    out.push_str("pub(crate) static FLAGS: &[Flag] = &[\n");
    for flag in flags {
        let list = |name: &str| strings(flag.get(name).unwrap_or_else(|| panic!("no `{name}`")));
        let text = |name: &str| flag.get(name).and_then(Value::as_str);
        let takes = list("takes");
        let has = |name: &str| takes.iter().any(|it| it == name);
        writeln!(
            out,
            "    Flag {{ programs: &{:?}, flags: &{:?}, glued: {}, next: {}, part: {:?}, with: {:?} }},",
            list("programs"), list("flags"), has("glued"), has("next"),
            text("part").and_then(|it| it.chars().next()), text("with"),
        )
        .expect("memory is writable");
    }
    out.push_str("];\n");
}
