//! What calls of the host's things do.

use super::things;
use super::values::{HOME, Value};
use super::walk::Walk;
use crate::Doing;

/// Endings of files that a package loads as code.
const CODE: [&str; 6] = [".js", ".cjs", ".mjs", ".ts", ".mts", ".node"];

impl Walk<'_> {
    /// Calls a thing of the host by its path.
    pub(super) fn do_call(&mut self, path: &str, given: &[Value]) -> Option<Value> {
        let (top, name) = path.split_once('.').unwrap_or((path, ""));
        match (top, name) {
            ("util", "promisify") => match given {
                [Value::Thing(path)] => return Some(Value::Thing(path.clone())),
                [Value::Safe | Value::Project] => return Some(Value::Safe),
                _ => return None,
            },
            ("child_process", name) => {
                let command = program(name, given)?;
                self.emit(Doing::Run(command));
                return Some(Value::Unknown);
            }
            _ => {}
        }
        let given = self.all_given(given)?;
        match (top, name) {
            ("require", "") => match given.as_slice() {
                [module] => self.module(module.one()?),
                _ => None,
            },
            ("fs", name) => self.files(name, &given),
            ("Deno", name) => self.deno(name, &given),
            ("Bun", name) => self.bun(name, &given),
            ("fetch", "") => self.fetched(&given),
            ("http", "get") => self.address(&given, Doing::Fetch),
            ("http", "request") => self.address(&given, Doing::Send),
            ("http", "STATUS_CODES" | "METHODS") => None,
            ("net", "" | "default" | "fetch" | "request") => self.fetched(&given),
            ("net", "get" | "head") => self.address(&given, Doing::Fetch),
            ("net", "post" | "put" | "patch") => {
                let options = given.get(2).is_some();
                let address = given.first().filter(|_| !options);
                self.each(address, Doing::Send);
                Some(Value::Unknown)
            }
            ("net", "delete" | "options") => self.address(&given, Doing::Send),
            ("path", _) => Some(joined(name, &given)),
            ("process", "cwd") => Some(Value::text(".")),
            ("os", "tmpdir") => Some(Value::text("/tmp")),
            ("os", "homedir") => Some(Value::text(&HOME.to_string())),
            ("Math", _) => Some(Value::Plain),
            ("Object", "") => Some(Value::Unknown),
            ("setTimeout" | "setInterval" | "setImmediate" | "queueMicrotask", "") => {
                match given.first() {
                    Some(Value::Safe | Value::Project) => Some(Value::Unknown),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn all_given(&mut self, given: &[Value]) -> Option<Vec<Value>> {
        given.iter().map(|it| self.given(it.clone())).collect()
    }

    /// Does something to every text a value may stand for.
    fn each(&mut self, value: Option<&Value>, make: impl Fn(Option<String>) -> Doing) {
        match value.and_then(Value::places) {
            Some(texts) => {
                for text in texts {
                    self.emit(make(in_home(&text)));
                }
            }
            None => self.emit(make(None)),
        }
    }

    /// A package may read what it is given by name, and run it where it is code.
    pub(super) fn handed(&mut self, value: &Value) {
        match value {
            Value::List(items) => items.iter().for_each(|it| self.handed(it)),
            Value::Object(entries) => entries.iter().for_each(|(_, it)| self.handed(it)),
            Value::Texts(_) | Value::Starts(_) => {
                let texts = value.places().unwrap_or_default();
                for path in texts.iter().filter_map(|it| in_home(it)) {
                    self.handed_path(path);
                }
            }
            Value::Bool(_)
            | Value::Number(_)
            | Value::Plain
            | Value::Safe
            | Value::Unknown
            | Value::Stranger
            | Value::Project
            | Value::Thing(_)
            | Value::Mixed => {}
        }
    }

    /// Of what lies in the project a package may make what it likes.
    fn handed_path(&mut self, path: String) {
        let leads_out = path.starts_with(['/', '~']) || path.split('/').any(|it| it == "..");
        if !leads_out || !path.contains('/') || path.contains([' ', '\n', '<', ':']) {
            return;
        }
        if CODE.iter().any(|it| path.ends_with(it)) {
            self.emit(Doing::Load(path.clone()));
        }
        self.emit(Doing::Read(path));
    }

    fn looked(&mut self, value: Option<&Value>) {
        for text in value.and_then(Value::places).unwrap_or_default() {
            if let Some(path) = in_home(&text) {
                self.emit(Doing::Read(path));
            }
        }
    }

    /// What is in a file is read, unless it is one that is open already.
    fn contents(&mut self, value: Option<&Value>) {
        if value.is_some_and(Value::counts) {
            return;
        }
        let any = || crate::ANYTHING.to_string();
        let places = value.and_then(Value::places);
        for text in places.unwrap_or_else(|| vec![any()]) {
            self.emit(Doing::Read(in_home(&text).unwrap_or_else(any)));
        }
    }

    /// A file is written, unless it is one that is open already.
    fn written(&mut self, value: Option<&Value>) {
        if !value.is_some_and(Value::counts) {
            self.each(value, Doing::Write);
        }
    }

    fn files(&mut self, name: &str, given: &[Value]) -> Option<Value> {
        let (first, second) = (given.first(), given.get(1));
        match name.strip_suffix("Sync").unwrap_or(name) {
            "readFile" | "createReadStream" => self.contents(first),
            "readdir" => {
                self.looked(first);
                // Names of what lies there, and perhaps below.
                let name = Value::text(&crate::WITHIN.to_string());
                let options = match second {
                    None | Some(Value::Texts(_)) => &[][..],
                    Some(Value::Object(options)) => options,
                    Some(_) => return Some(Value::Unknown),
                };
                let typed = options.iter().find(|(name, _)| name == "withFileTypes");
                let item = match typed.map(|(_, it)| it) {
                    None | Some(Value::Bool(false)) => name,
                    Some(Value::Bool(true)) => Value::Object(vec![("name".to_owned(), name)]),
                    Some(_) => return Some(Value::Unknown),
                };
                return Some(Value::List(vec![item]));
            }
            "stat" | "lstat" | "exists" | "access" | "readlink" | "realpath" | "opendir"
            | "statfs" | "glob" => self.looked(first),
            "open" => {
                match second {
                    None | Some(Value::Safe) => self.contents(first),
                    Some(flag) if flag.one() == Some("r") => self.contents(first),
                    Some(_) => self.each(first, Doing::Write),
                }
                return Some(Value::Plain);
            }
            "close" | "read" | "fstat" | "fsync" | "write" | "writev" | "readv" => {}
            "writeFile" | "appendFile" | "mkdir" | "createWriteStream" | "truncate" | "utimes"
            | "mkdtemp" => self.written(first),
            "copyFile" | "cp" => {
                self.contents(first);
                self.each(second, Doing::Write);
            }
            "unlink" => self.each(first, |it| Doing::Delete(it, false)),
            "rm" | "rmdir" => {
                let tree = recursive(second);
                self.each(first, |it| Doing::Delete(it, tree));
            }
            "rename" => self.renamed(first, second),
            "chmod" => {
                let mode = octal(second?)?;
                let path = quoted(first?.one()?);
                self.emit(Doing::Run(Some(format!("chmod {mode} -- {path}"))));
            }
            "symlink" => {
                let (target, path) = (quoted(first?.one()?), quoted(second?.one()?));
                self.emit(Doing::Run(Some(format!("ln -s -- {target} {path}"))));
            }
            _ => return None,
        }
        Some(Value::Unknown)
    }

    fn renamed(&mut self, from: Option<&Value>, to: Option<&Value>) {
        match (from.and_then(Value::one), to.and_then(Value::one)) {
            (Some(from), Some(to)) => {
                let command = format!("mv -- {} {}", quoted(from), quoted(to));
                self.emit(Doing::Run(Some(command)));
            }
            _ => {
                self.each(from, |it| Doing::Delete(it, true));
                self.each(to, Doing::Write);
            }
        }
    }

    fn deno(&mut self, name: &str, given: &[Value]) -> Option<Value> {
        let (first, second) = (given.first(), given.get(1));
        match name.strip_suffix("Sync").unwrap_or(name) {
            "readTextFile" | "readFile" => self.contents(first),
            "stat" | "lstat" | "readDir" | "realPath" => self.looked(first),
            "writeTextFile" | "writeFile" | "mkdir" => self.written(first),
            "copyFile" => {
                self.contents(first);
                self.each(second, Doing::Write);
            }
            "remove" => {
                let tree = recursive(second);
                self.each(first, |it| Doing::Delete(it, tree));
            }
            "rename" => self.renamed(first, second),
            _ => return None,
        }
        Some(Value::Unknown)
    }

    fn bun(&mut self, name: &str, given: &[Value]) -> Option<Value> {
        match name {
            "file" => {
                self.contents(given.first());
                // What it gives can also write and delete the file.
                self.signs.strangers = true;
                Some(Value::Unknown)
            }
            "write" => {
                self.written(given.first());
                Some(Value::Unknown)
            }
            "sleep" => Some(Value::Unknown),
            _ => None,
        }
    }

    /// `fetch(address, options)`
    fn fetched(&mut self, given: &[Value]) -> Option<Value> {
        let get = |it: &Value| matches!(it.one(), Some("GET" | "get" | "HEAD" | "head"));
        let gets = match given.get(1) {
            None => true,
            Some(Value::Object(options)) => {
                options.iter().all(|(name, value)| match name.as_str() {
                    "method" => get(value),
                    "signal" | "redirect" | "cache" | "timeout" => true,
                    "headers" => {
                        matches!(value, Value::Object(headers) if headers.iter().all(|(_, it)| plain_header(it)))
                    }
                    _ => false,
                })
            }
            Some(_) => false,
        };
        self.each(given.first(), if gets { Doing::Fetch } else { Doing::Send });
        Some(Value::Unknown)
    }

    /// Options after an address may name another one.
    fn address(&mut self, given: &[Value], make: fn(Option<String>) -> Doing) -> Option<Value> {
        match given.get(1) {
            None | Some(Value::Safe | Value::Texts(_)) => self.each(given.first(), make),
            Some(_) => self.emit(Doing::Send(None)),
        }
        Some(Value::Unknown)
    }
}

/// Tells whether a header holds nothing that could be a secret.
fn plain_header(value: &Value) -> bool {
    value.texts().is_some()
}

/// Tells whether options ask for all below a folder, or cannot be told.
fn recursive(options: Option<&Value>) -> bool {
    match options {
        None | Some(Value::Safe) => false,
        Some(Value::Object(options)) => options
            .iter()
            .any(|(name, value)| name == "recursive" && *value != Value::Bool(false)),
        Some(_) => true,
    }
}

/// Writes a mode as `chmod` does.
fn octal(mode: &Value) -> Option<String> {
    let digits = if let Value::Number(number) = mode {
        number
            .strip_prefix("0o")
            .or_else(|| number.strip_prefix('0'))?
    } else {
        mode.one()?
    };
    let known = !digits.is_empty() && digits.chars().all(|c| matches!(c, '0'..='7'));
    known.then(|| digits.to_owned())
}

fn joined(name: &str, given: &[Value]) -> Value {
    if let ("basename", [whole]) = (name, given) {
        let base = |it: &String| it.rsplit('/').next().unwrap_or(it).to_owned();
        let bases = whole.texts().map(|it| it.iter().map(base).collect());
        return bases.map_or(Value::Unknown, Value::Texts);
    }
    if !matches!(name, "join" | "resolve" | "normalize") {
        return Value::Unknown;
    }
    let mut whole: Option<Value> = None;
    for part in given {
        let Some(texts) = part.texts() else {
            // A part that is absolute begins anew, but for `join`.
            return match whole.filter(|_| name == "join") {
                Some(before) => before.then(Value::text("/")).then(Value::Unknown),
                None => Value::Unknown,
            };
        };
        let fresh = name == "resolve" && texts.iter().any(|it| it.starts_with('/'));
        if fresh && texts.len() > 1 {
            return Value::Unknown;
        }
        whole = Some(match whole.filter(|_| !fresh) {
            None => part.clone(),
            Some(before) => before.then(Value::text("/")).then(part.clone()),
        });
    }
    match whole {
        Some(whole) => whole,
        None => Value::text("."),
    }
}

pub(super) fn quoted(text: &str) -> String {
    let text = text.replace('\'', "'\\''");
    format!("'{}'", text.replace(HOME, "'\"$HOME\"'"))
}

/// Returns a path or an address as it is written; `None` where the home folder stands inside of it.
fn in_home(text: &str) -> Option<String> {
    match text.strip_prefix(HOME) {
        Some(rest) => (!rest.contains(HOME)).then(|| format!("~{rest}")),
        None => (!text.contains(HOME)).then(|| text.to_owned()),
    }
}

/// Returns a text of the shell; `None` where quotes would keep the home folder from being seen.
fn spoken(text: &str) -> Option<String> {
    let hidden = text.contains(HOME) && text.contains(['\'', '\\']);
    (!hidden).then(|| text.replace(HOME, "$HOME"))
}

/// Returns the command of the shell that a call runs; the inner `None` when it is computed.
#[expect(
    clippy::option_option,
    reason = "not read, and read but computed, are two things"
)]
fn program(name: &str, given: &[Value]) -> Option<Option<String>> {
    let given: Vec<&Value> = given.iter().filter(|it| **it != Value::Safe).collect();
    match name {
        "exec" | "execSync" => {
            let command = given.first().and_then(|it| spoken(it.one()?));
            Some(command.and_then(|it| placed(it, given.get(1).copied())))
        }
        "spawn" | "spawnSync" | "execFile" | "execFileSync" | "fork" => {
            let (items, options) = match given.get(1) {
                Some(Value::List(items)) => (items.as_slice(), given.get(2)),
                Some(Value::Object(_)) => (&[][..], given.get(1)),
                None => (&[][..], None),
                Some(_) => return Some(None),
            };
            let shell = match options {
                Some(Value::Object(options)) => options.iter().find(|(name, _)| name == "shell"),
                _ => None,
            };
            let quote: fn(&str) -> Option<String> = match shell {
                None | Some((_, Value::Bool(false))) => |it| Some(quoted(it)),
                Some((_, Value::Bool(true))) => spoken,
                Some(_) => return Some(None),
            };
            let mut words = Vec::new();
            if name == "fork" {
                words.push("node".to_owned());
            }
            for word in given.first().copied().into_iter().chain(items) {
                if let Value::Thing(_) | Value::Mixed = word {
                    return None;
                }
                match word.one().and_then(quote) {
                    Some(text) => words.push(text),
                    None => return Some(None),
                }
            }
            Some(placed(words.join(" "), options.copied()))
        }
        _ => None,
    }
}

/// A command with the options it runs with; `None` when they cannot be told.
fn placed(command: String, options: Option<&Value>) -> Option<String> {
    let options = match options {
        None => return Some(command),
        Some(Value::Object(options)) => options,
        Some(_) => return None,
    };
    let mut whole = command;
    for (name, value) in options {
        match name.as_str() {
            "stdio" | "encoding" | "timeout" | "maxBuffer" | "windowsHide" | "killSignal"
            | "detached" | "signal" => {}
            "shell" if matches!(value, Value::Bool(_)) => {}
            "cwd" => whole = format!("cd {} && {whole}", quoted(value.one()?)),
            "env" => {
                if let Value::Object(variables) = value {
                    let quiet = variables.iter().all(|(name, _)| things::is_quiet(name));
                    quiet.then_some(())?;
                } else {
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(whole)
}
