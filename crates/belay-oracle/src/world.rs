//! Small worlds for programs to run in: files that are there or not, variables that are set or not.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use belay_model::Verb;

use crate::acts::Act;
use crate::dice::Dice;

/// The home folder.
pub const HOME: &str = "/home/dev";
/// The project, where programs start.
pub const PROJECT: &str = "/home/dev/p";
/// The folder for temporary files.
pub const TEMP: &str = "/tmp";

/// One world.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Which of the sets of files it has.
    pub set: usize,
    /// Files and what they hold; a name that ends with a slash is a folder.
    pub files: Vec<(String, String)>,
    /// Variables of the environment.
    pub variables: Vec<(String, String)>,
    /// The statuses of the stubs, one digit each.
    pub luck: String,
    /// The positional words the shell starts with.
    pub words: Vec<String>,
    /// Whether there are programs by the names of functions, which reach out of the project.
    pub strangers: bool,
}

/// How many sets of files there are: enough to differ, few enough to be built once.
pub(crate) const SETS: u64 = 48;

/// Files that may be there.
pub(crate) const FILES: [&str; 15] = [
    "a", "b", "c", "d/", "d/e", "d/d/", "d/b", "w/", "w/a", "../q", "../s/", "../s/a", "/tmp/k",
    "/tmp/m/", "x",
];

/// Variables that may be set.
pub(crate) const VARIABLES: [&str; 6] = ["x", "y", "z", "E", "n", "r"];

/// What variables and files hold.
const VALUES: [&str; 14] = [
    "",
    "a",
    "b",
    "d",
    "d/e",
    "/tmp/k",
    "../q",
    "/home/dev/s",
    "a b",
    "1",
    "y",
    "a:b",
    "*",
    "0",
];

/// What files of text hold besides.
const TEXTS: [&str; 8] = [
    "x=/home/dev/s\n",
    "y=../q; x=b\n",
    "cd d\n",
    "a\nb\n../q\n",
    "/tmp/k\n",
    "f() { rid 98 ../q; }\n",
    "set -- ../q b\n",
    "rid 99 /home/dev/s\n",
];

impl World {
    /// Makes one of the worlds of a program.
    #[must_use]
    pub fn of(dice: &mut Dice) -> Self {
        let set = dice.below(SETS);
        let mut world = Self {
            set: usize::try_from(set).unwrap_or_default(),
            files: files(set),
            ..Self::default()
        };
        for name in VARIABLES {
            if dice.chance(30) {
                let value = dice.pick(&VALUES).copied().unwrap_or_default();
                world.variables.push((name.to_owned(), value.to_owned()));
            }
        }
        let bad = dice.pick(&[10, 35, 60]).copied().unwrap_or_default();
        let digit = |_| if dice.chance(bad) { '1' } else { '0' };
        world.luck = (0..61).map(digit).collect();
        world
    }
}

/// Returns the files of a set.
pub(crate) fn files(set: u64) -> Vec<(String, String)> {
    if let Some(files) = crate::hostile::files(set) {
        return files;
    }
    let mut dice = Dice::part(1, set);
    let mut files = Vec::new();
    for file in FILES {
        if dice.chance(60) {
            let text = dice.pick(&VALUES).copied().unwrap_or_default();
            files.push((file.to_owned(), format!("{text}\n")));
        }
    }
    for file in ["l", "v"] {
        if dice.chance(70) {
            let text = dice.pick(&TEXTS).copied().unwrap_or_default();
            files.push((file.to_owned(), text.to_owned()));
        }
    }
    files
}

/// The sets of files, ready to be moved to where programs see them.
pub(crate) struct Sets {
    /// What lies in the root besides what programs leave there.
    root: Vec<OsString>,
}

impl Sets {
    pub(crate) fn build() -> Self {
        for set in 0..SETS + crate::hostile::SETS {
            build(set);
        }
        let entries = fs::read_dir("/").into_iter().flatten().flatten();
        Self {
            root: entries.map(|it| it.file_name()).collect(),
        }
    }

    /// Moves a world's files to where programs see them.
    pub(crate) fn enter(&self, world: &World) {
        let set = kept(world.set as u64);
        let _ = fs::rename(set.join("home"), "/home");
        let _ = fs::rename(set.join("tmp"), TEMP);
    }

    /// Returns which files of a world were written or deleted by the shell or a program that is no stub.
    pub(crate) fn changes(&self, world: &World) -> Vec<Act> {
        let mut now = BTreeMap::new();
        look("/home", &mut now);
        look(TEMP, &mut now);
        for entry in fs::read_dir("/").into_iter().flatten().flatten() {
            if !self.root.contains(&entry.file_name()) {
                look(&entry.path().to_string_lossy(), &mut now);
            }
        }
        let act = |verb, path: &String| Act {
            verb,
            tag: None,
            path: path.clone(),
        };
        let mut before = BTreeMap::new();
        for (name, text) in world.files.iter().filter(|it| !it.0.ends_with('/')) {
            let path = crate::acts::resolved(PROJECT, name);
            before.insert(path.unwrap_or_default(), text.clone().into_bytes());
        }
        let written = now
            .iter()
            .filter(|(path, text)| before.get(*path) != Some(*text));
        let written = written.map(|(path, _)| act(Verb::Write, path));
        let gone = before.keys().filter(|it| !now.contains_key(*it));
        written
            .chain(gone.map(|path| act(Verb::Delete, path)))
            .collect()
    }

    /// Moves a world's files back, or makes them anew where a program may have changed them.
    pub(crate) fn leave(&self, world: &World, changed: bool) {
        let set = kept(world.set as u64);
        if !changed {
            let _ = fs::rename("/home", set.join("home"));
            let _ = fs::rename(TEMP, set.join("tmp"));
            return;
        }
        let _ = fs::remove_dir_all("/home");
        let _ = fs::remove_dir_all(TEMP);
        for entry in fs::read_dir("/").into_iter().flatten().flatten() {
            if !self.root.contains(&entry.file_name()) {
                let _ = fs::remove_dir_all(entry.path());
                let _ = fs::remove_file(entry.path());
            }
        }
        build(world.set as u64);
    }
}

/// Reads all files at or below a path.
fn look(path: &str, into: &mut BTreeMap<String, Vec<u8>>) {
    let Ok(kind) = fs::symlink_metadata(path) else {
        return;
    };
    if kind.is_file() {
        into.insert(path.to_owned(), fs::read(path).unwrap_or_default());
    } else if kind.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            look(&entry.path().to_string_lossy(), into);
        }
    }
}

/// Returns where a set is kept while no program sees it.
fn kept(set: u64) -> PathBuf {
    PathBuf::from(format!("/stub/sets/{set}"))
}

/// Makes the files of a set.
fn build(set: u64) {
    let folder = kept(set);
    let project = folder.join(PROJECT.trim_start_matches('/'));
    let _ = fs::create_dir_all(&project);
    let _ = fs::create_dir_all(folder.join("tmp"));
    for (name, text) in files(set) {
        let path = match name.strip_prefix('/') {
            Some(name) => folder.join(name),
            None => project.join(&name),
        };
        let _ = if name.ends_with('/') {
            fs::create_dir_all(&path)
        } else {
            fs::create_dir_all(path.parent().unwrap_or(&path)).and_then(|()| fs::write(&path, text))
        };
    }
}

impl std::fmt::Display for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, text) in &self.files {
            if name.ends_with('/') {
                write!(f, "{name} ")?;
            } else {
                write!(f, "{name}={text:?} ")?;
            }
        }
        f.write_str("| ")?;
        for (name, value) in &self.variables {
            write!(f, "{name}={value:?} ")?;
        }
        write!(f, "| luck {}", self.luck)
    }
}
