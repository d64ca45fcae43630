//! Differences that were looked at, each with its reason.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A difference between a peer and us that is right.
struct Difference {
    peer: String,
    name: String,
    within: String,
    because: String,
}

/// The accepted differences of one peer, and which of them were met.
pub struct Accepted {
    differences: Vec<Difference>,
    met: RefCell<BTreeSet<usize>>,
}

impl Accepted {
    pub fn of(peer: &str) -> Self {
        let text = include_str!("../../accepted.toml");
        let table: toml::Table = toml::from_str(text).unwrap();
        let differences = table["difference"].as_array().unwrap().iter().map(|it| {
            let field = |name: &str| {
                let value = it.get(name).and_then(toml::Value::as_str);
                value.unwrap_or_default().to_owned()
            };
            Difference {
                peer: field("peer"),
                name: field("name"),
                within: field("within"),
                because: field("because"),
            }
        });
        let differences: Vec<Difference> = differences.filter(|it| it.peer == peer).collect();
        for it in &differences {
            assert!(it.because.len() > 10, "`{}` has no reason", it.name);
        }
        Self {
            differences,
            met: RefCell::default(),
        }
    }

    /// Tells whether a difference is accepted; an empty name or text in the list stands for every one.
    pub fn holds(&self, name: &str, text: &str) -> bool {
        let found = self.differences.iter().position(|it| {
            (it.name.is_empty() || it.name == name)
                && (it.within.is_empty() || text.contains(&it.within))
        });
        self.met.borrow_mut().extend(found);
        found.is_some()
    }

    /// Fails for entries that no text needs any more.
    pub fn all_met(&self) {
        let met = self.met.borrow();
        let unmet: Vec<String> = (self.differences.iter().enumerate())
            .filter(|(index, _)| !met.contains(index))
            .map(|(_, it)| {
                format!(
                    "{}: {} within {:?}: {}",
                    it.peer, it.name, it.within, it.because
                )
            })
            .collect();
        assert!(
            unmet.is_empty(),
            "no longer needed in accepted.toml: {unmet:#?}"
        );
    }
}

/// Fails when something is left, and shows a text for each name.
pub fn none_left(lost: &[(String, String)]) {
    let mut texts: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for (name, text) in lost {
        let (count, shortest) = texts.entry(name).or_insert((0, text));
        *count += 1;
        if text.len() < shortest.len() {
            *shortest = text;
        }
    }
    assert!(
        lost.is_empty(),
        "{} of {}: {texts:#?}",
        texts.len(),
        lost.len()
    );
}
