//! The house inspects itself: conventions are checks, not reviews.

mod agents;
mod architecture;
mod facts;
mod knowledge;
mod lengths;
mod lists;
mod literals;
mod names;
mod parameters;
mod purity;
mod rooms;
mod source;
mod tiers;

pub use facts::print as names;

use crate::Outcome;
use crate::metadata::Packages;

/// Runs every check and lists all faults.
pub fn run() -> Outcome {
    let packages = Packages::load()?;
    let files = source::files()?;
    let mut faults = rooms::faults(&packages);
    faults.extend(lengths::faults(&files));
    faults.extend(names::faults(&files));
    faults.extend(parameters::faults(&files));
    faults.extend(tiers::faults(&files));
    faults.extend(agents::faults(&files));
    faults.extend(architecture::faults(&packages, &files)?);
    faults.extend(purity::faults()?);
    let known = crate::knowledge::files()?;
    faults.extend(knowledge::faults(&known));
    faults.extend(facts::faults(&files, &known)?);
    faults.extend(lists::faults(&files)?);
    if faults.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = faults.iter().map(|it| format!("tidy: {it}")).collect();
    Err(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(faults: Vec<String>) {
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn dependencies_point_up_the_table_only() {
        check(rooms::faults(&Packages::load().expect("cargo metadata")));
    }

    #[test]
    fn architecture_tells_the_truth() {
        let packages = Packages::load().expect("cargo metadata");
        let files = source::files().expect("sources");
        check(architecture::faults(&packages, &files).expect("ARCHITECTURE.md"));
    }

    #[test]
    fn tiers_of_the_analysis_know_only_those_below() {
        check(tiers::faults(&source::files().expect("sources")));
    }

    #[test]
    fn each_agent_has_one_file() {
        check(agents::faults(&source::files().expect("sources")));
    }

    #[test]
    fn files_and_functions_are_short() {
        check(lengths::faults(&source::files().expect("sources")));
    }

    #[test]
    fn parameters_become_no_more() {
        check(parameters::faults(&source::files().expect("sources")));
    }

    #[test]
    fn no_forbidden_names() {
        check(names::faults(&source::files().expect("sources")));
    }

    #[test]
    fn files_of_knowledge_are_in_order() {
        check(knowledge::faults(
            &crate::knowledge::files().expect("knowledge"),
        ));
    }

    #[test]
    fn no_list_of_facts_stands_twice() {
        let files = source::files().expect("sources");
        check(lists::faults(&files).unwrap());
    }

    #[test]
    fn names_of_commands_stand_in_knowledge() {
        let files = source::files().expect("sources");
        let known = crate::knowledge::files().expect("knowledge");
        check(facts::faults(&files, &known).expect("facts.toml"));
    }

    #[test]
    fn pure_crates_forbid_the_world() {
        check(purity::faults().expect("manifests"));
    }
}
