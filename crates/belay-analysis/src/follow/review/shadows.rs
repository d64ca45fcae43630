//! Modules that stand in front of those of the language.

use belay_model::{Answer, Question};

use crate::scene::Scene;

/// Modules of Python that programs load without a thought.
const MODULES: [&str; 74] = [
    "abc",
    "argparse",
    "ast",
    "asyncio",
    "base64",
    "bisect",
    "codecs",
    "collections",
    "contextlib",
    "copy",
    "csv",
    "ctypes",
    "dataclasses",
    "datetime",
    "decimal",
    "email",
    "encodings",
    "enum",
    "fnmatch",
    "functools",
    "genericpath",
    "getpass",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "posixpath",
    "random",
    "re",
    "runpy",
    "secrets",
    "select",
    "selectors",
    "shutil",
    "signal",
    "site",
    "socket",
    "socketserver",
    "sqlite3",
    "ssl",
    "stat",
    "string",
    "struct",
    "subprocess",
    "tarfile",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "tokenize",
    "traceback",
    "typing",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
    "zipfile",
];

/// Returns the module that a new file would stand in front of: one at the top of what is searched for modules.
pub(super) fn shadowed(path: &str, scene: Scene<'_>) -> Option<&'static str> {
    let stem = path
        .strip_suffix(".py")
        .or_else(|| path.strip_suffix("/__init__.py"))?;
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let (folder, name) = stem.rsplit_once('/')?;
    let at = MODULES.binary_search(&name).ok()?;
    let world = scene.frame.world;
    let is_there = |path: String| world.ask(&Question::Kind(path));
    if matches!(is_there(path.to_owned()), Answer::Name(_)) {
        return None;
    }
    let mut roots = scene.frame.roots.iter();
    let top = roots.clone().any(|it| it == folder);
    // Programs start at the top of a project, or one folder below it.
    let below = |root: &String| {
        let rest = folder.strip_prefix(root.as_str())?.strip_prefix('/')?;
        (!rest.contains('/')).then_some(())
    };
    if !top && roots.find_map(below).is_none() {
        return None;
    }
    // A folder that is a package is not searched itself.
    match is_there(format!("{folder}/__init__.py")) {
        Answer::Missing(_) => {}
        Answer::Unknown if top => {}
        _ => return None,
    }
    MODULES.get(at).copied()
}

#[cfg(test)]
mod tests {
    use super::MODULES;

    #[test]
    fn modules_are_sorted() {
        assert!(MODULES.is_sorted());
    }
}
