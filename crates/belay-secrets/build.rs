//! Turns `policy/secrets.toml` into static data. A bad file stops the build with the fault.
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

use std::fmt::Write as _;

use tables::{list, read, strings, written};
use toml::{Table, Value};

fn main() {
    let table = read("secrets.toml");
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
    for (name, words) in lists {
        let mut words = strings(words);
        words.sort();
        list(name, &words, &mut out);
    }
    written("secrets.rs", &out);
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
        let words = |name: &str| {
            assert!(flag.get(name).is_some(), "a flag has no `{name}`");
            strings(flag.get(name))
        };
        let text = |name: &str| flag.get(name).and_then(Value::as_str);
        let takes = words("takes");
        let has = |name: &str| takes.iter().any(|it| it == name);
        writeln!(
            out,
            "    Flag {{ programs: &{:?}, flags: &{:?}, glued: {}, next: {}, part: {:?}, with: {:?} }},",
            words("programs"), words("flags"), has("glued"), has("next"),
            text("part").and_then(|it| it.chars().next()), text("with"),
        )
        .expect("memory is writable");
    }
    out.push_str("];\n");
}
