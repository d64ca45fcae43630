//! The tiers of the analysis: `follow` knows `effects` and `machine`, `effects` knows `machine`, and
//! `machine` knows neither, not by a path and not by a method of the walker that all three extend.

use std::collections::BTreeSet;

use super::source::File;

const HOME: &str = "crates/belay-analysis/src/";
/// The tiers, each knowing only those before it.
const TIERS: [&str; 3] = ["machine", "effects", "follow"];

/// Lists files that name a tier above their own, or call a method that only a tier above has.
pub fn faults(files: &[File]) -> Vec<String> {
    let methods: Vec<BTreeSet<String>> = (0..TIERS.len())
        .map(|tier| {
            let own = files.iter().filter(|it| tier_of(it) == Some(tier));
            own.flat_map(methods_of).collect()
        })
        .collect();
    let found = files.iter().filter_map(|it| Some((it, tier_of(it)?)));
    found
        .flat_map(|(file, own)| {
            let (below, above) = methods.split_at(own + 1);
            let above = above.iter().flatten();
            let above = above.filter(|it| !below.iter().any(|known| known.contains(*it)));
            let mut faults = paths_up(file, own);
            faults.extend(calls_up(file, &above.map(String::as_str).collect()));
            faults
        })
        .collect()
}

fn tier_of(file: &File) -> Option<usize> {
    let name = file.path.strip_prefix(HOME)?.split(['/', '.']).next()?;
    TIERS.iter().position(|tier| *tier == name)
}

fn paths_up(file: &File, own: usize) -> Vec<String> {
    let above = TIERS.iter().skip(own + 1);
    let named = above.flat_map(|tier| {
        let path = format!("crate::{tier}");
        let lines = file.lines.iter().filter(move |it| names(it, &path));
        lines.map(move |it| format!("{}: `{}` points up to `{tier}`", file.path, it.trim()))
    });
    named.collect()
}

/// Lists calls of the walker's methods that only a tier above has.
fn calls_up(file: &File, above: &BTreeSet<&str>) -> Vec<String> {
    let code: Vec<&str> = file.lines.iter().map(|it| code_of(it).trim()).collect();
    let code = code.concat();
    let called = ["self.", "walker."].iter().flat_map(|by| {
        let after = code.split(by).skip(1);
        after.filter_map(|it| it.split_once('(')).map(|it| it.0)
    });
    let called: BTreeSet<&str> = called.filter(|it| above.contains(it)).collect();
    let fault = |it: &str| format!("{}: calls `{it}` of a tier above", file.path);
    called.into_iter().map(fault).collect()
}

/// Returns the methods that a file gives or promises the walker: of its own `impl` and of the traits it declares.
fn methods_of(file: &File) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in &file.lines {
        if !line.starts_with([' ', '}']) && !line.is_empty() {
            inside =
                line.starts_with("impl") && line.contains(" Walker<") && !line.contains(" for ")
                    || line.starts_with("pub(crate) trait ");
        }
        let name = line
            .split_once("fn ")
            .filter(|(before, _)| inside && (before.len() == 4 || before.ends_with("pub(crate) ")))
            .and_then(|(_, after)| after.split(['(', '<']).next());
        found.extend(name.map(str::to_owned));
    }
    found
}

fn code_of(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

/// Tells whether code on a line names a path; what a comment says is free.
fn names(line: &str, path: &str) -> bool {
    let code = code_of(line);
    code.match_indices(path).any(|(at, _)| {
        let rest = code.get(at + path.len()..).unwrap_or_default();
        !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File {
            path: format!("{HOME}{path}"),
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    fn check(path: &str, line: &str, wrong: usize) {
        assert_eq!(faults(&[file(path, line)]).len(), wrong, "{path}: {line}");
    }

    #[test]
    fn calls_go_down() {
        check("machine/walk.rs", "use crate::effects::acts::Flows;", 1);
        check(
            "machine/walk.rs",
            "        &mut crate::follow::tasks::x(),",
            1,
        );
        check("effects/acts.rs", "use crate::follow::tasks::Called;", 1);
        check("effects/acts.rs", "use crate::machine::walk::Walker;", 0);
        check("follow/code.rs", "use crate::effects::acts;", 0);
        check("machine/walk.rs", "use crate::follower::x;", 0);
        check("machine/walk.rs", "// as crate::follow does", 0);
        check("lib.rs", "pub use follow::review;", 0);
    }

    #[test]
    fn methods_of_a_tier_above_are_called_by_what_a_trait_promises() {
        let above = "impl Walker<'_> {\n    pub(crate) fn task(&self) {}\n}";
        let above = file("follow/tasks.rs", above);
        let call = file(
            "effects/acts.rs",
            "impl Walker<'_> {\n    fn a(&self) {\n        self\n            .task();\n    }\n}",
        );
        let found = faults(&[above, call]);
        assert_eq!(
            found,
            ["crates/belay-analysis/src/effects/acts.rs: calls `task` of a tier above"]
        );
        let promise = "pub(crate) trait Follow {\n    fn task(&self);\n}";
        let promise = file("effects/called.rs", promise);
        let above = file(
            "follow/tasks.rs",
            "impl Follow for Walker<'_> {\n    fn task(&self) {}\n}",
        );
        let call = file("effects/acts.rs", "        self.task();");
        assert!(faults(&[promise, above, call]).is_empty());
    }
}
