#![expect(
    clippy::disallowed_methods,
    reason = "the tables are read from disk, as the build reads them"
)]

use proptest::prelude::*;

use super::{Kind, Said, heard};

fn tables() -> Vec<(String, toml::Table)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../knowledge/words");
    let mut all: Vec<(String, toml::Table)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| {
            let path = it.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            (path.display().to_string(), text.parse().unwrap())
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn lines(class: &toml::Value, key: &str) -> Vec<String> {
    let items = class.get(key).and_then(toml::Value::as_array);
    let items = items.into_iter().flatten();
    items.map(|it| it.as_str().unwrap().to_owned()).collect()
}

fn says(said: &[Said], kind: Kind, class: &str) -> bool {
    said.iter().any(|it| it.kind == kind && it.class == class)
}

#[test]
fn every_example_of_the_tables_holds() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (file, table) in tables() {
        for class in table["class"].as_array().unwrap() {
            let name = class["class"].as_str().unwrap();
            assert!(
                lines(class, "neither").len() >= 3,
                "{file}: {name} has too few sentences that say nothing"
            );
            for (key, kind) in [("grants", Kind::Grant), ("limits", Kind::Limit)] {
                for line in lines(class, key) {
                    count += 1;
                    if !says(&heard(&line), kind, name) {
                        wrong.push(format!(
                            "{file}: {line:?} should say {kind:?} {name}: {:?}",
                            heard(&line)
                        ));
                    }
                }
            }
            for line in lines(class, "neither") {
                count += 1;
                if heard(&line).iter().any(|it| it.class == name) {
                    wrong.push(format!(
                        "{file}: {line:?} should say nothing of {name}: {:?}",
                        heard(&line)
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(count > 200, "{count}");
}

#[test]
fn each_phrase_says_what_its_class_says() {
    for (file, table) in tables() {
        let grants = table["grants"].as_bool().unwrap();
        for class in table["class"].as_array().unwrap() {
            let name = class["class"].as_str().unwrap();
            for phrase in lines(class, "limit")
                .into_iter()
                .chain(lines(class, "implied"))
            {
                let line = with_targets(&phrase);
                assert!(says(&heard(&line), Kind::Limit, name), "{file}: {line}");
                assert!(
                    !says(&heard(&format!("{line}?")), Kind::Limit, name),
                    "{file}: {line}?"
                );
            }
            for phrase in lines(class, "grant")
                .into_iter()
                .chain(lines(class, "bare"))
            {
                assert!(grants, "{file}: a table that nobody read grants {phrase}");
                let line = with_targets(&phrase);
                assert!(says(&heard(&line), Kind::Grant, name), "{file}: {line}");
                for spoilt in [
                    format!("if it works, {line}"),
                    format!("{line}?"),
                    format!("\"{line}\""),
                    format!("> {line}"),
                    format!("{line}\nmore"),
                    format!("{line} {}", "x".repeat(300)),
                    format!("the user said: {line}"),
                    format!("don't {line}"),
                ] {
                    let polite = ["can you", "could you"]
                        .iter()
                        .any(|it| line.starts_with(it));
                    assert!(
                        polite || !says(&heard(&spoilt), Kind::Grant, name),
                        "{file}: {spoilt}"
                    );
                }
            }
        }
    }
}

fn with_targets(phrase: &str) -> String {
    phrase
        .replace("BRANCH", "feature/login")
        .replace("PACKAGE", "left-pad")
        .replace("PORT", "3000")
        .replace("URL", "https://docs.vendor.test/a")
        .replace("HOST", "box.test")
        .replace("PATH", "src/a.ts")
}

#[test]
fn targets_are_taken_as_they_were_typed() {
    let target = |line: &str, class: &str| {
        let said = heard(line).into_iter().find(|it| it.class == class);
        said.and_then(|it| it.target)
    };
    for (line, class, expected) in [
        ("push to Feature/X", "push", Some("Feature/X")),
        ("push to origin main", "push", Some("main")),
        ("push it", "push", None),
        ("never push to main", "push", Some("main")),
        ("don't push yet", "push", None),
        ("install @scope/name", "install", Some("@scope/name")),
        ("kill port 8080", "port", Some("8080/tcp")),
        ("kill port 99999", "port", None),
        (
            "read https://Docs.Vendor.test:8443/a?b=1",
            "address",
            Some("docs.vendor.test:8443"),
        ),
        ("read https://me:secret@vendor.test/a", "address", None),
        ("ssh into me@box.test", "machine", Some("me@box.test")),
        ("don't touch `src/api/`", "place", Some("src/api")),
        ("only touch ./docs/", "only", Some("docs")),
    ] {
        assert_eq!(target(line, class).as_deref(), expected, "{line}");
    }
    let both = heard("just commit and push");
    assert!(
        says(&both, Kind::Grant, "push") && !says(&both, Kind::Limit, "push"),
        "{both:?}"
    );
    assert!(heard("install dependencies").is_empty());
    assert!(heard("read https://me:secret@vendor.test/a").is_empty());
}

#[test]
fn what_forbids_wins_in_one_text() {
    let said = heard("Push it. Actually no, don't push.");
    assert!(!says(&said, Kind::Grant, "push"));
    assert!(says(&said, Kind::Limit, "push"));
}

proptest! {
    /// Whatever is typed is read without a fault, and pasted logs of many lines grant nothing.
    #[test]
    fn any_text_is_read(text in "[a-zA-Z0-9 .,!?'`\"\n>$/:@-]{0,400}", other in "\\PC{0,200}") {
        for text in [text, other] {
            let said = heard(&text);
            let short = !text.trim().contains('\n');
            prop_assert!(short || said.iter().all(|it| it.kind == Kind::Limit), "{:?}", said);
        }
    }
}
