//! Licences, banned crates and package counts, from the lock file alone.

use std::collections::BTreeSet;

use toml::Value;

use crate::metadata::{Package, Packages};
use crate::{Outcome, run};

/// Rooms on the hook's static path.
pub const STATIC_PATH: [&str; 5] = [
    "autobelay",
    "belay-agents",
    "belay-journal",
    "belay-settings",
    "belay-surroundings",
];

/// The room that may bring a network client; it is behind the static path.
pub const BEHIND: [&str; 1] = ["belay-classifier"];

const MOST_ON_STATIC_PATH: usize = 60;

/// Checks all packages against `deny.toml`, and counts them.
pub fn run() -> Outcome {
    let packages = Packages::load()?;
    let lists = Lists::load()?;
    let mut faults: Vec<String> = packages
        .all
        .values()
        .filter(|it| !it.ours)
        .filter_map(|it| lists.fault(it))
        .collect();
    let linked = linked_alone(&STATIC_PATH)?;
    let whole = linked_alone(&["belay-cli"])?;
    eprintln!("deny: {linked} packages on the static path, {whole} in the whole binary");
    if linked > MOST_ON_STATIC_PATH {
        faults.push(format!(
            "deny: {linked} packages on the static path, more than {MOST_ON_STATIC_PATH}"
        ));
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n"))
    }
}

/// Counts what these rooms link when they are built alone, as they ship: what `cargo metadata` says of the whole workspace has features in
/// it that only a program beside them turns on. Macros run while we build and are linked into nothing; packages of other systems count.
fn linked_alone(rooms: &[&str]) -> Outcome<usize> {
    let words = [
        "tree",
        "--locked",
        "--edges",
        "normal,no-proc-macro",
        "--target",
        "all",
        "--prefix",
        "none",
    ];
    let mut command = run::cargo(&words);
    for room in rooms {
        command.args(["--package", room]);
    }
    let text = run::output(&mut command)?;
    let named = |line: &str| Some(line.split(" (").next()?.trim().to_owned());
    let all = text.lines().filter_map(named).filter(|it| !it.is_empty());
    Ok(all.collect::<BTreeSet<String>>().len())
}

struct Lists {
    allowed: Vec<String>,
    banned: Vec<String>,
}

impl Lists {
    fn load() -> Outcome<Self> {
        let text = run::read("deny.toml")?;
        let root: Value = toml::from_str(&text).map_err(|why| format!("deny.toml: {why}"))?;
        let list = |table: &str, name: &str| -> Vec<Value> {
            let found = root.get(table).and_then(|it| it.get(name));
            found.and_then(Value::as_array).cloned().unwrap_or_default()
        };
        Ok(Self {
            allowed: list("licenses", "allow")
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            banned: list("bans", "deny")
                .iter()
                .filter_map(|it| it.get("crate").and_then(Value::as_str).map(str::to_owned))
                .collect(),
        })
    }

    fn fault(&self, package: &Package) -> Option<String> {
        let Package { name, version, .. } = package;
        if self.banned.contains(name) {
            return Some(format!("deny: `{name} {version}` is banned"));
        }
        match &package.licence {
            None => Some(format!("deny: `{name} {version}` states no licence")),
            Some(licence) if self.permits(licence) => None,
            Some(licence) => Some(format!("deny: `{name} {version}` is under `{licence}`")),
        }
    }

    /// Tells whether a licence expression can be met by allowed licences: one side of every `OR`,
    /// both sides of every `AND`.
    fn permits(&self, expression: &str) -> bool {
        let spaced = expression
            .replace('/', " OR ")
            .replace('(', " ( ")
            .replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let (held, rest) = self.any(&words);
        held && rest.is_empty()
    }

    fn any<'a>(&self, words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
        let (mut held, mut rest) = self.every(words);
        while let Some((&"OR", after)) = rest.split_first() {
            let (other, left) = self.every(after);
            held |= other;
            rest = left;
        }
        (held, rest)
    }

    fn every<'a>(&self, words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
        let (mut held, mut rest) = self.one(words);
        while let Some((&"AND", after)) = rest.split_first() {
            let (other, left) = self.one(after);
            held &= other;
            rest = left;
        }
        (held, rest)
    }

    fn one<'a>(&self, words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
        match words {
            ["(", rest @ ..] => {
                let (held, rest) = self.any(rest);
                (held, rest.strip_prefix(&[")"]).unwrap_or(rest))
            }
            [name, "WITH", exception, rest @ ..] => {
                (self.has(&format!("{name} WITH {exception}")), rest)
            }
            [name, rest @ ..] => (self.has(name), rest),
            [] => (false, words),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.allowed.iter().any(|it| it == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &str, expected: bool) {
        let allowed = ["MIT", "Apache-2.0", "ISC"].map(str::to_owned).to_vec();
        let lists = Lists {
            allowed,
            banned: Vec::new(),
        };
        assert_eq!(lists.permits(expression), expected, "{expression}");
    }

    #[test]
    fn one_allowed_side_of_or_is_enough() {
        check("GPL-3.0 OR MIT", true);
        check("MIT/Apache-2.0", true);
    }

    #[test]
    fn both_sides_of_and_are_needed() {
        check("MIT AND ISC", true);
        check("MIT AND GPL-3.0", false);
    }

    #[test]
    fn parentheses_bind() {
        check("(MIT OR GPL-3.0) AND ISC", true);
        check("(GPL-2.0 OR GPL-3.0) AND ISC", false);
    }

    #[test]
    fn an_exception_is_not_its_licence() {
        check("Apache-2.0 WITH LLVM-exception", false);
    }

    #[test]
    fn this_house_holds() {
        run().expect("licences and bans");
    }
}
