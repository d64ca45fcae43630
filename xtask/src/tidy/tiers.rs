//! The tiers of the analysis: `follow` knows `effects` and `machine`, `effects` knows `machine`, and
//! `machine` knows neither.

use super::source::File;

const HOME: &str = "crates/belay-analysis/src/";
/// The tiers, each knowing only those before it.
const TIERS: [&str; 3] = ["machine", "effects", "follow"];

/// Lists files that name a tier above their own.
pub fn faults(files: &[File]) -> Vec<String> {
    files.iter().flat_map(faults_of).collect()
}

fn faults_of(file: &File) -> Vec<String> {
    let own = file.path.strip_prefix(HOME).and_then(|it| {
        let name = it.split(['/', '.']).next()?;
        TIERS.iter().position(|tier| *tier == name)
    });
    let Some(own) = own else {
        return Vec::new();
    };
    let above = TIERS.iter().skip(own + 1);
    let named = above.flat_map(|tier| {
        let path = format!("crate::{tier}");
        let lines = file.lines.iter().filter(move |it| names(it, &path));
        lines.map(move |it| format!("{}: `{}` points up to `{tier}`", file.path, it.trim()))
    });
    named.collect()
}

/// Tells whether code on a line names a path; what a comment says is free.
fn names(line: &str, path: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    code.match_indices(path).any(|(at, _)| {
        let rest = code.get(at + path.len()..).unwrap_or_default();
        !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, line: &str, wrong: usize) {
        let file = File {
            path: format!("{HOME}{path}"),
            lines: vec![line.to_owned()],
        };
        assert_eq!(faults(&[file]).len(), wrong, "{path}: {line}");
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
}
