//! The order of functions in the static binary: those that ordinary calls run lie side by side, so that few pages are mapped.
//!
//! The names are of one compiler and one state of the sources. One that is gone is passed over, so an old list orders less and
//! breaks nothing; `cargo xtask dist --order` measures it anew.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::bench::{Place, calls};
use crate::run::{must, root, target};

/// Returns where the names stand.
pub fn file() -> PathBuf {
    root().join("xtask/src/dist/hot.txt")
}

/// Builds the binary with its names, watches it answer ordinary calls, and writes down what ran.
pub fn write() -> Outcome {
    let aim = super::aim()?;
    let mut build = super::build(&aim);
    build.env("CARGO_PROFILE_STATIC_STRIP", "none");
    must(&mut build)?;
    let place = Place::at(&target().join("order"))?;
    let mut names = Vec::new();
    let mut known = BTreeSet::new();
    for (at, call) in calls(&place).iter().enumerate() {
        let input = Place::written(&place.home.join(format!("{at}.json")), call)?;
        for name in ran(&super::built(&aim), &place, &input)? {
            if known.insert(name.clone()) {
                names.push(name);
            }
        }
    }
    names.push(String::new());
    std::fs::write(file(), names.join("\n")).map_err(|why| format!("cannot write: {why}"))
}

/// Returns the functions that a call runs, in the order in which they are first named.
fn ran(belay: &Path, place: &Place, input: &Path) -> Outcome<Vec<String>> {
    let seen = place.home.join("callgrind.txt");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--demangle=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", seen.display()));
    valgrind.arg(belay).args(["hook", "claude-code", "--home"]);
    valgrind.arg(&place.home).current_dir(&place.project);
    let input = File::open(input).map_err(|why| why.to_string())?;
    valgrind.stdin(input).stderr(Stdio::null());
    // As agents have it: an answer that nobody can read is refused.
    let heard = valgrind.output();
    heard.map_err(|why| format!("cannot run valgrind (`apt-get install valgrind`): {why}"))?;
    let text = std::fs::read_to_string(&seen).map_err(|why| format!("no profile: {why}"))?;
    Ok(text.lines().filter_map(function).collect())
}

/// Reads a line that names a function for the first time: `fn=(12) name`, or `cfn=` of one that is called.
fn function(line: &str) -> Option<String> {
    let rest = line
        .strip_prefix("cfn=(")
        .or_else(|| line.strip_prefix("fn=("))?;
    let (_, name) = rest.split_once(") ")?;
    // Rounds of a recursion are counted apart.
    let name = name.split('\'').next()?;
    (!name.starts_with("0x")).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_profile() {
        let read = |it: &str| function(it);
        assert_eq!(read("fn=(12) _ZN1a1bE"), Some("_ZN1a1bE".to_owned()));
        assert_eq!(read("cfn=(3) _ZN1cE'2"), Some("_ZN1cE".to_owned()));
        for line in ["fn=(12)", "cfn=(4) 0x00ff", "12 34", "fl=(1) a.rs"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
