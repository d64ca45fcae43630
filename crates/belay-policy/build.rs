//! Turns the rules, branches, consent, words, profiles and sentences of `policy/` into static data. A bad file stops the build with its name and the fault.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::allow_attributes,
    reason = "a build script reports by failing"
)]

#[path = "policy/tables.rs"]
mod tables;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use belay_model::{Carries, How, Risk, Scope, Verb};
use tables::{list, read, strings, written};
use toml::{Table, Value};

fn main() {
    let mut out = String::new();
    rules(&read("default.toml"), &mut out);
    harmful(&read("default.toml"), &mut out);
    let branches = read("branches.toml");
    for name in ["shared", "beginnings"] {
        list(&name.to_uppercase(), &strings(branches.get(name)), &mut out);
    }
    let mut yes = String::new();
    consent(&read("consent.toml"), &mut yes);
    let mut said = String::new();
    spoken(&read("words.toml"), &mut said);
    let (version, of_yes) = (written("policy.rs", &out), written("consent.rs", &yes));
    let mut changed = String::new();
    profiles(
        (&read("profiles.toml"), &read("default.toml")),
        &mut changed,
    );
    let mut lines = String::new();
    sentences(&read("sentences.toml"), &mut lines);
    written("sentences.rs", &lines);
    let of_words = written("spoken.rs", &said);
    let of_profiles = written("profiles.rs", &changed);
    println!("cargo:rustc-env=BELAY_POLICY_HASH={version}-{of_yes}-{of_words}-{of_profiles}");
}

/// What profiles weigh otherwise. A change of a floor or a denial, or to one, is a mistake in the file.
fn profiles((table, rules): (&Table, &Table), out: &mut String) {
    let all = |table: &Table, name: &str| -> Vec<Value> {
        table
            .get(name)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let rules = all(rules, "rule");
    out.push_str("static CHANGES: &[Change] = &[\n");
    for change in all(table, "change") {
        let text = |key: &str| {
            let found = change.get(key).and_then(Value::as_str);
            found
                .unwrap_or_else(|| panic!("policy/profiles.toml: no `{key}`"))
                .to_owned()
        };
        let (profile, name, risk) = (text("profile"), text("rule"), text("risk"));
        let rule = rules
            .iter()
            .find(|it| it.get("id").and_then(Value::as_str) == Some(&name));
        let rule = rule.unwrap_or_else(|| panic!("policy/profiles.toml: no rule `{name}`"));
        let floor = rule.get("floor").and_then(Value::as_bool) == Some(true);
        let was = rule
            .get("risk")
            .and_then(Value::as_str)
            .and_then(Risk::from_word);
        let risk =
            Risk::from_word(&risk).unwrap_or_else(|| panic!("policy/profiles.toml: risk `{risk}`"));
        let critical = Risk::from_word("critical");
        assert!(
            !floor && was < critical && Some(risk) < critical,
            "policy/profiles.toml: `{name}` is denied, or would be"
        );
        assert!(
            ["careful", "bold"].contains(&profile.as_str()),
            "policy/profiles.toml: profile `{profile}`"
        );
        writeln!(
            out,
            "Change {{ profile: {profile:?}, rule: {name:?}, risk: Risk::new({}), call: {:?} }},",
            risk.number(),
            text("call"),
        )
        .expect("writing to a string");
    }
    out.push_str("];\n");
}

/// How effects read in a sentence, those lines first that name most.
fn sentences(table: &Table, out: &mut String) {
    let say = table.get("say").and_then(Value::as_table);
    let mut lines: Vec<(usize, String)> = say
        .expect("policy/sentences.toml has `[say]`")
        .iter()
        .map(|(effect, said)| line(effect, said.as_str().expect("a text")))
        .collect();
    lines.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    out.push_str("static LINES: &[Line] = &[\n");
    out.extend(lines.into_iter().map(|(_, line)| line));
    out.push_str("];\n");
}

/// One line of the sentences, and how much its left side names: labels count most, then names, then the way.
fn line(effect: &str, said: &str) -> (usize, String) {
    let (shape, labels) = effect.split_once(" carrying ").unwrap_or((effect, ""));
    let mut words = shape.split_whitespace().peekable();
    let verb = words.next().and_then(Verb::from_word);
    let verb = verb.unwrap_or_else(|| panic!("policy/sentences.toml: `{effect}` has no verb"));
    let how = words
        .next_if(|it| How::from_word(it).is_some())
        .and_then(How::from_word);
    let words: Vec<&str> = words.collect();
    let is_slot = |it: &&&str| it.bytes().all(|it| it.is_ascii_uppercase());
    let slots = words.iter().filter(is_slot).count();
    let carries: String = labels
        .split_whitespace()
        .map(|it| {
            Carries::from_word(it)
                .unwrap_or_else(|| panic!("policy/sentences.toml: unknown label `{it}`"));
            format!(".and(Carries::{})", it.to_uppercase())
        })
        .collect();
    let open = usize::from(words.last() == Some(&"REST"));
    let names = (words.len() - slots) * 4 + usize::from(how.is_some()) * 2 + slots - open;
    // Of two labels the graver speaks.
    let grave = |it: &str| match it {
        "secret" => 32,
        "fetched" => 24,
        "foreign" => 16,
        _ => 8,
    };
    let weight = labels.split_whitespace().map(grave).sum::<usize>() + names;
    let how = how.map_or("None".to_owned(), |it| format!("Some(How::{it:?})"));
    let text = format!(
        "Line {{ verb: Verb::{verb:?}, how: {how}, words: &{words:?}, carries: Carries::NOTHING{carries}, said: {said:?} }},\n"
    );
    (weight, text)
}

/// What words let through and forbid, class by class.
fn spoken(table: &Table, out: &mut String) {
    let all = table.get("class").and_then(Value::as_array);
    out.push_str("pub(crate) static SPOKEN: &[Spoken] = &[\n");
    for class in all.expect("policy/words.toml has `[[class]]`") {
        let text = |key: &str| class.get(key).and_then(Value::as_str);
        let word = text("word").expect("a class of words has its name");
        let reaches = match text("covers") {
            Some("branch") => "Branch",
            Some("package") => "Package",
            Some("port") => "Port",
            Some("host") => "Host",
            Some("machine") => "Machine",
            Some("any") | None => "Any",
            other => panic!("policy/words.toml: `{word}` covers {other:?}"),
        };
        let mut limits = strings(class.get("limits"));
        let elsewhere = limits.iter().any(|it| it == "elsewhere");
        limits.retain(|it| it != "elsewhere");
        let patterns =
            |all: &[String]| -> String { all.iter().map(|it| pattern(word, it)).collect() };
        writeln!(
            out,
            "Spoken {{ word: {word:?}, rules: &{:?}, grants: &[{}], reaches: Reaches::{reaches}, limits: &[{}], elsewhere: {elsewhere} }},",
            strings(class.get("rules")),
            patterns(&strings(class.get("grants"))),
            patterns(&limits),
        )
        .expect("writing to a string");
    }
    out.push_str("];\n");
}

/// What a person's yes covers, clause by clause; that each rule is named is a test of the façade.
fn consent(table: &Table, out: &mut String) {
    let all = table
        .get("yes")
        .and_then(Value::as_array)
        .expect("policy/consent.toml has `[[yes]]`");
    out.push_str("pub(crate) static COVERINGS: &[Covering] = &[\n");
    for clause in all {
        let text = |key: &str| clause.get(key).and_then(Value::as_str);
        let rule = text("rule").expect("a `[[yes]]` names its rule");
        let cover = match text("covers") {
            Some("host") => "Host",
            Some("machine") => "Machine",
            Some("command") => "Command",
            Some("words") => "Words",
            Some("text") => "Text",
            Some("branch") => "Branch",
            Some("folder") => "Folder",
            Some("package") => "Package",
            Some("checkout") => "Checkout",
            Some("resources") => "Resources",
            Some("unit") => "Unit",
            Some("query") => "Query",
            other => panic!("policy/consent.toml: `{rule}` covers {other:?}"),
        };
        let lasts = clause.get("lasts").and_then(Value::as_bool) == Some(true);
        let effects: String = strings(clause.get("effects"))
            .iter()
            .map(|it| pattern(rule, it))
            .collect();
        writeln!(
            out,
            "Covering {{ rule: {rule:?}, effects: &[{effects}], cover: Cover::{cover}, lasts: {lasts} }},"
        )
        .expect("writing to a string");
    }
    never(table, out);
    let shared = strings(table.get("shared"));
    let jobs = strings(table.get("pushed_jobs"));
    let reaching = strings(table.get("reaching"));
    let flags = strings(table.get("package_flags"));
    for (name, key, about) in [
        (
            "CONTEXTS",
            "contexts",
            "Files that say which cluster is meant.",
        ),
        (
            "WORKLOADS",
            "workloads",
            "Kinds of resources that are work.",
        ),
        (
            "PRIVILEGES",
            "privileges",
            "Words of resources that have more rights than work needs.",
        ),
    ] {
        let words = strings(table.get(key));
        writeln!(out, "/// {about}\npub static {name}: &[&str] = &{words:?};")
            .expect("writing to a string");
    }
    writeln!(
        out,
        "pub(crate) static SHARED_HOSTS: &[&str] = &{shared:?};\npub(crate) static REACHING: &[&str] = &{reaching:?};\npub(crate) static PACKAGE_FLAGS: &[&str] = &{flags:?};\n/// What a host runs once it is pushed: files and folders.\npub static PUSHED_JOBS: &[&str] = &{jobs:?};"
    )
    .expect("writing to a string");
}

/// Why no yes covers what a rule asks about, rule by rule.
fn never(table: &Table, out: &mut String) {
    let why = table.get("never").and_then(Value::as_table);
    let why = why.expect("policy/consent.toml has `[never]`");
    let why: Vec<(&str, &str)> = why
        .iter()
        .filter_map(|(rule, why)| Some((rule.as_str(), why.as_str()?)))
        .collect();
    writeln!(
        out,
        "];\npub(crate) static NEVER: &[(&str, &str)] = &{why:?};"
    )
    .expect("writing to a string");
}

/// The examples of rules that ask or deny for more than doubt, with what a broad rule of a user may let through.
fn harmful(table: &Table, out: &mut String) {
    let rules = table.get("rule").and_then(Value::as_array);
    let mut all = BTreeSet::new();
    for rule in rules.into_iter().flatten() {
        let floor = rule.get("floor").and_then(Value::as_bool) == Some(true);
        let risk = rule.get("risk").and_then(Value::as_str);
        if floor || !matches!(risk, Some("high" | "critical")) {
            continue;
        }
        for verdict in ["ask", "deny"] {
            let examples = rule.get("examples").and_then(|it| it.get(verdict));
            all.extend(strings(examples));
        }
    }
    writeln!(
        out,
        "/// Calls that rules ask about or deny for more than doubt.\npub static HARMFUL: &[&str] = &{:?};",
        all.iter().collect::<Vec<_>>()
    )
    .expect("writing to a string");
}

fn rules(table: &Table, out: &mut String) {
    let all = table
        .get("rule")
        .and_then(Value::as_array)
        .expect("policy/default.toml has rules");
    let mut ids = BTreeSet::new();
    out.push_str("pub(crate) static RULES: &[Rule] = &[\n");
    for rule in all {
        let rule = rule.as_table().expect("a rule is a table");
        let text = |key: &str| rule.get(key).and_then(Value::as_str);
        let id = text("id").expect("a rule has an id");
        assert!(
            ids.insert(id.to_owned()),
            "policy/default.toml: rule `{id}` twice"
        );
        let known = [
            "id", "when", "risk", "floor", "kept", "because", "instead", "examples",
        ];
        for key in rule.keys() {
            assert!(
                known.contains(&key.as_str()),
                "policy/default.toml: rule `{id}`: unknown key `{key}`"
            );
        }
        let risk = text("risk").and_then(Risk::from_word).unwrap_or_else(|| {
            panic!("rule `{id}`: `risk` is none, low, unsure, high or critical")
        });
        let when = rule
            .get("when")
            .and_then(Value::as_table)
            .unwrap_or_else(|| panic!("rule `{id}` has no `when`"));
        let floor = rule.get("floor").and_then(Value::as_bool).unwrap_or(false);
        let kept = rule.get("kept").and_then(Value::as_bool).unwrap_or(false);
        assert!(
            !(floor && kept),
            "rule `{id}`: what nothing lowers is not kept first"
        );
        assert!(
            rule.get("examples").is_some(),
            "rule `{id}` has no examples"
        );
        writeln!(
            out,
            "Rule {{ id: {id:?}, {}, risk: Risk::new({}), floor: {floor}, kept: {kept}, because: {:?}, instead: {:?} }},",
            condition(id, when),
            risk.number(),
            text("because").unwrap_or_else(|| panic!("rule `{id}` has no `because`")),
            text("instead"),
        )
        .expect("writing to a string");
    }
    out.push_str("];\n");
}

fn condition(id: &str, when: &Table) -> String {
    for key in when.keys() {
        let known = ["effect", "scope", "standing", "carries", "at", "path"];
        assert!(
            known.contains(&key.as_str()),
            "rule `{id}`: unknown condition `{key}`"
        );
    }
    let effects: String = strings(when.get("effect"))
        .iter()
        .map(|it| pattern(id, it))
        .collect();
    let scopes: String = strings(when.get("scope"))
        .iter()
        .map(|it| {
            let scope =
                Scope::from_word(it).unwrap_or_else(|| panic!("rule `{id}`: unknown scope `{it}`"));
            format!("Scope::{scope:?},")
        })
        .collect();
    let standing: String = strings(when.get("standing"))
        .iter()
        .map(|it| match it.as_str() {
            "recoverable" => "Recovery::Recoverable,",
            "artefact" => "Recovery::Artefact,",
            "lost" => "Recovery::Lost,",
            "unknown" => "Recovery::Unknown,",
            other => panic!("rule `{id}`: unknown standing `{other}`"),
        })
        .collect();
    let carries: String = strings(when.get("carries"))
        .iter()
        .map(|it| {
            Carries::from_word(it).unwrap_or_else(|| panic!("rule `{id}`: unknown label `{it}`"));
            format!(".and(Carries::{})", it.to_uppercase())
        })
        .collect();
    let at = match when.get("at").map(|it| it.as_str().unwrap_or_default()) {
        None | Some("here") => "Where::Here".to_owned(),
        Some("elsewhere") => "Where::Elsewhere".to_owned(),
        Some("any") => "Where::Any".to_owned(),
        Some(way @ ("ssh" | "container" | "cluster")) => format!("Where::By({way:?})"),
        Some(other) => panic!("rule `{id}`: unknown place `{other}`"),
    };
    let verbs = strings(when.get("effect"))
        .iter()
        .map(|it| verb_bits(it))
        .fold(0, |all, it| all | it);
    format!(
        "verbs: {verbs}, effects: &[{effects}], scopes: &[{scopes}], standing: &[{standing}], carries: Carries::NOTHING{carries}, at: {at}, paths: &{:?}",
        strings(when.get("path")),
    )
}

/// A bit for the verb of a pattern; all bits where it takes any.
fn verb_bits(text: &str) -> u64 {
    text.split_whitespace()
        .next()
        .and_then(Verb::from_word)
        .map_or(u64::MAX, |verb| 1 << verb as u64)
}

fn pattern(id: &str, text: &str) -> String {
    let mut words = text.split_whitespace().peekable();
    let verb = words
        .next()
        .unwrap_or_else(|| panic!("rule `{id}`: an empty effect"));
    let verb = match verb {
        "*" => "None".to_owned(),
        verb => {
            let verb = Verb::from_word(verb)
                .unwrap_or_else(|| panic!("rule `{id}`: `{verb}` is not a verb"));
            format!("Some(Verb::{verb:?})")
        }
    };
    let how = words
        .next_if(|it| How::from_word(it).is_some())
        .and_then(How::from_word)
        .map_or("None".to_owned(), |how| format!("Some(How::{how:?})"));
    let rest: Vec<&str> = words.collect();
    format!("EffectPattern {{ verb: {verb}, how: {how}, words: &{rest:?} }},")
}
