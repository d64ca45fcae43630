//! The threat model names a test for each invariant: the rows are all there, and so are the tests.

use crate::Outcome;
use crate::run::read;

const PAGE: &str = "docs/threat-model.md";

/// So many invariants have a row each.
const INVARIANTS: usize = 52;

/// Fails when a row is missing, or names a test that does not exist.
pub fn check() -> Outcome {
    let faults = faults(&read(PAGE)?, &|path| read(&format!("crates/{path}")).ok());
    match faults.as_slice() {
        [] => Ok(()),
        faults => Err(faults.join("\n")),
    }
}

fn faults(page: &str, source: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for number in 1..=INVARIANTS {
        let start = format!("| I{number} |");
        let Some(row) = page.lines().find(|it| it.starts_with(&start)) else {
            faults.push(format!("{PAGE}: I{number} has no row"));
            continue;
        };
        let tests: Vec<&str> = row.split('`').filter(|it| it.contains(".rs::")).collect();
        if tests.is_empty() {
            faults.push(format!("{PAGE}: I{number} names no test"));
        }
        let missing = tests.into_iter().filter(|it| !is_there(it, source));
        faults.extend(missing.map(|it| format!("{PAGE}: I{number}: there is no test `{it}`")));
    }
    faults
}

fn is_there(test: &str, source: &dyn Fn(&str) -> Option<String>) -> bool {
    let Some((path, name)) = test.split_once("::") else {
        return false;
    };
    let stated = format!("fn {name}(");
    source(path).is_some_and(|it| it.contains(&stated))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_row_and_a_missing_test_are_named() {
        let rows: String = (2..=INVARIANTS)
            .map(|it| format!("| I{it} | x | `a/b.rs::known` |\n"))
            .collect();
        let source = |path: &str| (path == "a/b.rs").then(|| "fn known() {}".to_owned());
        assert_eq!(faults(&rows, &source).len(), 1);
        let page = format!("| I1 | x | `a/b.rs::gone`, `a/c.rs::known` |\n{rows}");
        assert_eq!(faults(&page, &source).len(), 2);
        let page = format!("| I1 | x | nothing |\n{rows}");
        assert_eq!(faults(&page, &source).len(), 1);
    }
}
