//! Packs `knowledge/javascript/`, `plain/`, `python/` and `sql/` into static tables; refuses what it cannot read.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use toml::{Table, Value};

/// Members by the name of what they belong to.
type Things = BTreeMap<String, BTreeMap<String, String>>;

fn main() -> io::Result<()> {
    for language in ["javascript", "plain", "python", "sql"] {
        pack(language)?;
    }
    Ok(())
}

/// Packs the files of one language.
fn pack(language: &str) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("knowledge")
        .join(language);
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|it| it.map(|it| it.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    let mut kinds: BTreeMap<String, Things> = BTreeMap::new();
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        let text = fs::read_to_string(&file)?;
        let table: Table = toml::from_str(&text).map_err(|why| fault(&file, &why.to_string()))?;
        gather(&table, (&mut kinds, &mut lists)).map_err(|why| fault(&file, &why))?;
    }
    let mut out = String::new();
    let mut tables = Tables::default();
    for (kind, things) in &kinds {
        tables
            .add(kind, things, &mut out)
            .map_err(io::Error::other)?;
    }
    if !kinds.is_empty() {
        tables.write(&mut out);
    }
    for (name, mut words) in lists {
        words.sort();
        words.dedup();
        let mut pool = Pool::default();
        let words: Vec<String> = words.iter().map(|it| pool.put(it)).collect();
        let _ = writeln!(
            out,
            "pub(crate) static {}: &Words = &Words {{ pool: {:?}, words: &[{}] }};",
            name.to_uppercase(),
            pool.text,
            words.join(", "),
        );
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(folder.join(format!("{language}.rs")), out)
}

fn fault(file: &Path, why: &str) -> io::Error {
    io::Error::other(format!("{}: {why}", file.display()))
}

/// Adds what one file says.
fn gather(
    table: &Table,
    (kinds, lists): (
        &mut BTreeMap<String, Things>,
        &mut BTreeMap<String, Vec<String>>,
    ),
) -> Result<(), String> {
    for (key, value) in table {
        match value {
            Value::String(words) => lists
                .entry(key.clone())
                .or_default()
                .extend(words.split_whitespace().map(str::to_owned)),
            Value::Table(things) if ["module", "object", "package"].contains(&key.as_str()) => {
                let into = kinds.entry(key.clone()).or_default();
                for (name, members) in things {
                    let members = members.as_table().ok_or(format!("`{name}` is no table"))?;
                    add(into.entry(name.clone()).or_default(), (name, members))?;
                }
            }
            Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_)
            | Value::Table(_) => return Err(format!("unknown key `{key}`")),
        }
    }
    Ok(())
}

fn add(
    into: &mut BTreeMap<String, String>,
    (thing, members): (&str, &Table),
) -> Result<(), String> {
    for (names, steps) in members {
        let steps = steps
            .as_str()
            .ok_or(format!("`{thing}.{names}` is no text"))?;
        for name in names.split_whitespace() {
            if into.insert(name.to_owned(), steps.to_owned()).is_some() {
                return Err(format!("`{thing}.{name}` is said twice"));
            }
        }
    }
    Ok(())
}

/// Texts one behind the other, each known by its place: a table of places is mapped as it is, where one of texts
/// would be filled with addresses whenever the program starts.
#[derive(Default)]
struct Pool {
    text: String,
    places: BTreeMap<String, usize>,
}

impl Pool {
    /// Returns the place of a text as code.
    fn put(&mut self, text: &str) -> String {
        let end = self.text.len();
        let at = *self.places.entry(text.to_owned()).or_insert(end);
        if at == end {
            self.text.push_str(text);
        }
        format!("Spot({at}, {})", text.len())
    }
}

/// The members of all things, their names and their steps.
#[derive(Default)]
struct Tables {
    pool: Pool,
    members: Vec<String>,
    steps: Vec<String>,
}

impl Tables {
    fn add(&mut self, kind: &str, things: &Things, out: &mut String) -> Result<(), String> {
        let kind = kind.to_uppercase();
        let _ = writeln!(out, "pub(crate) static {kind}S: &[Thing] = &[");
        for (name, members) in things {
            let of = self.pool.put(name);
            let from = self.members.len();
            for (member, steps) in members {
                let fault = |why| format!("`{name}.{member}`: {why}");
                let first = self.steps.len();
                self.steps.extend(written(steps).map_err(fault)?);
                let last = self.steps.len();
                let member = self.pool.put(member);
                self.members.push(format!(
                    "Member {{ of: {of}, name: {member}, steps: ({first}, {last}) }},\n"
                ));
            }
            let to = self.members.len();
            let _ = writeln!(out, "Thing {{ name: {name:?}, members: ({from}, {to}) }},");
        }
        out.push_str("];\n");
        Ok(())
    }

    fn write(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "static MEMBERS: &[Member] = &[{}];\nstatic STEPS: &[Step] = &[{}];\nstatic NAMES: &str = {:?};",
            self.members.concat(),
            self.steps.concat(),
            self.pool.text,
        );
    }
}

/// Writes steps (`read 0:path, -> text`) as the table holds them.
fn written(steps: &str) -> Result<Vec<String>, String> {
    let parts = steps.split(',').map(str::trim).filter(|it| !it.is_empty());
    parts.map(step).collect()
}

fn step(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (verb, rest) = match words.as_slice() {
        ["->", "object" | "member", name] => {
            let kind = if words.get(1) == Some(&"object") {
                "Object"
            } else {
                "Alias"
            };
            return Ok(format!("Step::{kind}({name:?}),"));
        }
        ["->", what, rest @ ..] => (format!("-> {what}"), rest),
        ["delete", "tree", rest @ ..] => ("delete tree".to_owned(), rest),
        [verb, rest @ ..] => ((*verb).to_owned(), rest),
        [] => return Err("a step without a verb".to_owned()),
    };
    let variant = match verb.as_str() {
        "read" => "Read",
        "write" => "Write",
        "drives" => "Drives",
        "unpack" => "Unpack",
        "delete" => "Delete",
        "delete tree" => "DeleteTree",
        "open" => "Open",
        "shell" => "Shell",
        "program" => "Program",
        "words" => "Words",
        "sql" => "Sql",
        "python" => "Python",
        "fetch" => "Fetch",
        "send" => "Send",
        "shows" => "Shows",
        "quiet" => "Quiet",
        "drops" => "Drops",
        "unread" => "Unread",
        "variable" => "Variable",
        "personal" => "Personal",
        "search" => "Search",
        "sets" => "Sets",
        "folder" => "Folder",
        "keeps" => "Keeps",
        "-> same" => "Same",
        "-> same-path" => "SamePath",
        "-> join" => "Join",
        "-> path" => "Path",
        "-> below" => "Below",
        "-> names" => "Names",
        "-> walk" => "Walk",
        "-> text" => "Text",
        "-> parent" => "Parent",
        "-> last" => "Last",
        "-> package" => "Package",
        "special" => return Ok(format!("Step::Special({:?}),", rest.first().unwrap_or(&""))),
        other => return Err(format!("unknown step `{other}`")),
    };
    let places: Vec<String> = rest.iter().map(|it| place(it)).collect::<Result<_, _>>()?;
    Ok(match (takes(variant), places.as_slice()) {
        (0, []) => format!("Step::{variant},"),
        (1, [one]) => format!("Step::{variant}({one}),"),
        (2, [one, two]) => format!("Step::{variant}({one}, {two}),"),
        _ => return Err(format!("`{text}` has the wrong number of places")),
    })
}

/// How many places a step names.
fn takes(variant: &str) -> usize {
    match variant {
        "Open" | "Sets" => 2,
        "Shows" | "Quiet" | "Drops" | "Unread" | "Personal" | "Words" | "Program" | "Join"
        | "Keeps" | "Package" => 0,
        _ => 1,
    }
}

/// Writes a place: `0:path`, `:key`, `self`, `*`, or a text that begins like a path.
fn place(text: &str) -> Result<String, String> {
    if text == "self" {
        return Ok("Place::Myself".to_owned());
    }
    if text == "*" {
        return Ok("Place::All".to_owned());
    }
    if text.starts_with(['~', '/', '.', '?']) {
        return Ok(format!("Place::Text({text:?})"));
    }
    let (number, name) = text.split_once(':').unwrap_or((text, ""));
    if number.is_empty() {
        return Ok(format!("Place::Named({name:?})"));
    }
    let number: u8 = number
        .parse()
        .map_err(|_| format!("`{text}` is no place"))?;
    Ok(format!("Place::At({number}, {name:?})"))
}
