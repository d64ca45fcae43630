//! Small worlds for programs to run in: files that are there or not, variables that are set or not.

use std::fs;
use std::path::Path;

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
    /// Files and what they hold; a name that ends with a slash is a folder.
    pub files: Vec<(String, String)>,
    /// Variables of the environment.
    pub variables: Vec<(String, String)>,
    /// The statuses of the stubs, one digit each.
    pub luck: String,
}

/// Files that may be there.
const FILES: [&str; 14] = [
    "a", "b", "c", "d/", "d/e", "d/d/", "d/b", "w/", "w/a", "../q", "../s/", "../s/a", "/tmp/k",
    "/tmp/m/",
];

/// Variables that may be set.
const VARIABLES: [&str; 6] = ["x", "y", "z", "E", "n", "r"];

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
        let mut world = Self::default();
        for file in FILES {
            if dice.chance(60) {
                let text = dice.pick(&VALUES).copied().unwrap_or_default();
                world.files.push((file.to_owned(), format!("{text}\n")));
            }
        }
        for file in ["l", "v"] {
            if dice.chance(70) {
                let text = dice.pick(&TEXTS).copied().unwrap_or_default();
                world.files.push((file.to_owned(), text.to_owned()));
            }
        }
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

    /// Makes the world's files, and nothing else, be there.
    pub(crate) fn make(&self) {
        clear(Path::new("/home"));
        clear(Path::new(TEMP));
        let _ = fs::create_dir_all(PROJECT);
        for (name, text) in &self.files {
            let path = Path::new(PROJECT).join(name);
            let _ = if name.ends_with('/') {
                fs::create_dir_all(&path)
            } else {
                fs::create_dir_all(path.parent().unwrap_or(&path))
                    .and_then(|()| fs::write(&path, text))
            };
        }
    }
}

/// Empties a folder.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(&path),
            _ => fs::remove_file(&path),
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
