//! Every example of every rule in `policy/default.toml`.

mod house;

use autobelay::{Settings, Verdict};

#[test]
fn examples_of_rules_hold() {
    let table: toml::Table = include_str!("../../../policy/default.toml")
        .parse()
        .unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for rule in table["rule"].as_array().unwrap() {
        let id = rule["id"].as_str().unwrap();
        let examples = rule["examples"].as_table().unwrap();
        assert!(
            examples.len() > 1,
            "rule `{id}` has examples on one side only"
        );
        for (word, lines) in examples {
            let expected = Verdict::from_word(word).unwrap();
            for line in lines.as_array().unwrap() {
                let line = line.as_str().unwrap();
                let found = house::shell(Settings::default(), line);
                count += 1;
                if found.verdict != expected {
                    let effects: Vec<String> =
                        found.effects.iter().map(ToString::to_string).collect();
                    wrong.push(format!(
                        "{id}: `{line}` is {}, not {expected}: {} {effects:?}",
                        found.verdict, found.reason.because
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} are wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
