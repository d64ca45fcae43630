use serde_json::json;

use super::{Asker, Cached, FlagError, Reply, Round, keep, kept, overlay, receive, request};
use crate::{FlagProvider, Flags, Mode, Settings, Source, load_texts};

fn flags(provider: FlagProvider) -> Flags {
    Flags {
        provider,
        url: Some("https://flags.test/".to_owned()),
        ..Flags::default()
    }
}

fn asker() -> Asker {
    Asker {
        id: "machine-1".to_owned(),
        attributes: vec![("team".to_owned(), "core".to_owned())],
        key: Some("sdk-1".to_owned()),
    }
}

fn reply(body: &serde_json::Value) -> Reply {
    Reply {
        status: 200,
        etag: Some("\"v1\"".to_owned()),
        body: body.to_string(),
    }
}

/// A first round, at a time that does not matter.
const fn round<'a>(flags: &'a Flags, asker: &'a Asker) -> Round<'a> {
    Round {
        flags,
        asker,
        known: None,
        now: 100,
    }
}

fn read(provider: FlagProvider, body: &serde_json::Value) -> Cached {
    receive(round(&flags(provider), &asker()), &reply(body)).unwrap()
}

fn laid(values: serde_json::Value) -> (Settings, usize) {
    laid_on("", values)
}

fn laid_on(user: &str, values: serde_json::Value) -> (Settings, usize) {
    let mut settings = load_texts(&[(Source::User, "u", user)]).settings;
    settings.flags.provider = FlagProvider::Ofrep;
    settings.flags.url = Some("u".to_owned());
    let cached = Cached {
        provider: "ofrep".to_owned(),
        url: "u".to_owned(),
        etag: None,
        at: 100,
        values: values.as_object().unwrap().clone(),
        notes: Vec::new(),
    };
    let refused = overlay(&mut settings, &cached, 100).len();
    (*settings, refused)
}

#[test]
fn ofrep_asks_for_all_flags() {
    let request = request(&flags(FlagProvider::Ofrep), &asker(), None).unwrap();
    assert_eq!(request.url, "https://flags.test/ofrep/v1/evaluate/flags");
    let body = json!({"context": {"targetingKey": "machine-1", "team": "core"}});
    assert_eq!(request.body.unwrap(), body.to_string());
}

#[test]
fn ofrep_flags_are_read() {
    let body = json!({"flags": [
        {"key": "belay.thresholds.ask_at", "value": 50, "reason": "STATIC"},
        {"key": "belay.mode", "errorCode": "PARSE_ERROR"},
    ]});
    let cached = read(FlagProvider::Ofrep, &body);
    assert_eq!(cached.values.len(), 1);
    assert_eq!(cached.etag.as_deref(), Some("\"v1\""));
}

#[test]
fn what_is_known_is_renewed() {
    let cached = read(FlagProvider::Ofrep, &json!({"flags": []}));
    let flags = flags(FlagProvider::Ofrep);
    let request = request(&flags, &asker(), Some(&cached)).unwrap();
    let etag = ("If-None-Match".to_owned(), "\"v1\"".to_owned());
    assert!(request.headers.contains(&etag));
    let unchanged = Reply {
        status: 304,
        ..Reply::default()
    };
    let renewed = receive(
        Round {
            known: Some(&cached),
            now: 500,
            ..round(&flags, &asker())
        },
        &unchanged,
    )
    .unwrap();
    assert_eq!(renewed.at, 500);
    assert!(receive(round(&flags, &asker()), &unchanged).is_err());
}

#[test]
fn other_replies_give_nothing() {
    let flags = flags(FlagProvider::Ofrep);
    let gives = |status: u16, body: &str| {
        let reply = Reply {
            status,
            etag: None,
            body: body.to_owned(),
        };
        receive(round(&flags, &asker()), &reply)
    };
    assert_eq!(gives(500, "{}"), Err(FlagError::Status(500)));
    assert!(gives(200, "<html>").is_err());
    assert!(gives(200, "{}").is_err());
    assert!(gives(200, &"[".repeat(100_000)).is_err());
}

#[test]
fn growthbook_features_are_evaluated() {
    let body = json!({"status": 200, "features": {
        "belay.thresholds.ask_at": {"defaultValue": 60, "rules": [
            {"condition": {"team": {"$in": ["web"]}}, "force": 10},
            {"condition": {"$or": [{"team": "core"}, {"team": "x"}]}, "force": 40},
        ]},
        "belay.mode": {"defaultValue": "auto", "rules": [{"condition": {"team": {"$frob": 1}}, "force": "off"}]},
        "half": {"defaultValue": 1, "rules": [{"force": 2, "coverage": 0.0}]},
        "test": {"defaultValue": 1, "rules": [{"variations": [7, 7], "coverage": 1.0}]},
    }});
    let request = request(&flags(FlagProvider::GrowthBook), &asker(), None).unwrap();
    assert_eq!(request.url, "https://flags.test/api/features/sdk-1");
    let values = read(FlagProvider::GrowthBook, &body).values;
    assert_eq!(values["belay.thresholds.ask_at"], 40);
    assert_eq!(values["belay.mode"], "auto");
    assert_eq!(values["test"], 7);
}

#[test]
fn flags_move_thresholds_and_say_so() {
    let (settings, refused) = laid(json!({
        "belay.thresholds.ask_at": 50,
        "belay-classifier-on_error": "deny",
        "other.flag": 3,
    }));
    assert_eq!(refused, 0);
    assert_eq!(settings.thresholds.ask_at, 50);
    let origin = settings.origin("thresholds.ask_at").to_string();
    assert_eq!(origin, "flag belay.thresholds.ask_at");
    assert_eq!(settings.classifier.on_error.word(), "deny");
}

#[test]
fn flags_stay_within_bounds() {
    let (settings, refused) = laid(json!({
        "belay.thresholds.unsure_at": 46,
        "belay.thresholds.ask_at": 71,
        "belay.thresholds.deny_at": 96,
        "belay.classifier.on_error": "allow",
        "belay.classifier.base_url": "https://evil.test",
        "belay.rules.allow": ["rm"],
        "belay.headless": false,
        "belay.mode": "off",
    }));
    assert_eq!(refused, 8);
    assert_eq!(settings.thresholds, belay_model::Thresholds::DEFAULT);
    assert_eq!(settings.mode, Mode::Auto);
}

#[test]
fn modes_are_switched_where_the_user_says_so() {
    let (settings, _) = laid_on(
        "[flags]\nmodes = [\"observe\"]",
        json!({"belay.mode": "observe"}),
    );
    assert_eq!(settings.mode, Mode::Observe);
}

#[test]
fn single_rules_are_switched_off_or_made_stricter() {
    let user = "[[rule]]\nid = \"x\"\ntool = \"T\"\nverdict = \"ask\"";
    let count = |value: &str| laid_on(user, json!({"belay.rule.x": value}));
    assert_eq!(count("deny").0.exact[0].verdict, belay_model::Verdict::Deny);
    assert_eq!(count("allow").1, 1);
    assert!(count("off").0.exact.is_empty());
}

#[test]
fn stale_flags_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings {
        flags: flags(FlagProvider::Ofrep),
        ..Settings::default()
    };
    let body = json!({"flags": [{"key": "belay.thresholds.ask_at", "value": 50}]});
    keep(folder.path(), &read(FlagProvider::Ofrep, &body)).unwrap();
    let cached = kept(folder.path()).unwrap().unwrap();
    overlay(&mut settings, &cached, 100 + 86_401);
    assert_eq!(settings.thresholds.ask_at, 60);
    overlay(&mut settings, &cached, 100 + 86_400);
    assert_eq!(settings.thresholds.ask_at, 50);
    std::fs::write(folder.path().join("flags.json"), "junk").unwrap();
    assert!(kept(folder.path()).is_err());
}

/// The value of `x` with these rules, for someone in team core with id machine-1.
fn by_rule(rules: serde_json::Value) -> serde_json::Value {
    let body = json!({
        "features": {
            "x": {"defaultValue": "default", "rules": rules},
            "parent": {"defaultValue": true},
            "loop": {"defaultValue": 1, "rules": [
                {"parentConditions": [{"id": "loop", "condition": {"value": 1}}], "force": 2},
            ]},
        },
        "savedGroups": {"ours": ["core", "web"]},
    });
    let asker = Asker {
        attributes: [
            ("team", "core"),
            ("age", "30"),
            ("beta", "true"),
            ("version", "1.10.2"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec(),
        ..asker()
    };
    let cached = receive(
        round(&flags(FlagProvider::GrowthBook), &asker),
        &reply(&body),
    );
    cached.unwrap().values["x"].clone()
}

#[test]
fn conditions_of_growthbook() {
    let table = [
        (json!({"team": "core"}), true),
        (json!({"age": "30"}), true),
        (json!({"age": 30}), true),
        (json!({"beta": true}), true),
        (json!({"nobody": false}), false),
        (json!({"nobody": null}), true),
        (json!({"team": {"$regex": "^co.e$"}}), true),
        (json!({"team": {"$regexi": "CORE"}}), true),
        (json!({"team": {"$regex": "^(?=core)"}}), false),
        (json!({"team": {"$regex": "(a|b|ab)*".repeat(200)}}), false),
        (json!({"team": {"$not": {"$regex": "x"}}}), true),
        (json!({"team": {"$ini": ["CORE"]}}), true),
        (json!({"team": {"$inGroup": "ours"}}), true),
        (json!({"team": {"$notInGroup": "ours"}}), false),
        (json!({"team": {"$inGroup": "strangers"}}), false),
        (json!({"age": {"$gte": 30, "$lt": 31}}), true),
        (json!({"nobody": {"$gt": 3}}), false),
        (json!({"version": {"$vgt": "1.9.0"}}), true),
        (json!({"version": {"$vlt": "1.10.2-rc1"}}), false),
        (json!({"version": {"$veq": "v1.10.2+build"}}), true),
        (json!({"age": {"$type": "number"}}), true),
        (
            json!({"team": {"$exists": true}, "nobody": {"$exists": false}}),
            true,
        ),
        (json!({"$nor": [{"team": "web"}, {"age": 1}]}), true),
        (json!({"$and": [{"team": "core"}, {"age": 1}]}), false),
        (json!({"$or": []}), true),
        (json!({"team": {"$frob": 1}}), false),
        (json!({"$and": "core"}), false),
        (json!([]), false),
    ];
    for (condition, holds) in table {
        let value = by_rule(json!([{"condition": condition, "force": "on"}]));
        assert_eq!(value == "on", holds, "{condition}");
    }
}

#[test]
fn a_condition_without_an_end_is_passed_over() {
    let mut condition = json!({"team": "core"});
    for _ in 0..100 {
        condition = json!({"$not": condition});
    }
    assert_eq!(
        by_rule(json!([{"condition": condition, "force": "on"}])),
        "default"
    );
}

#[test]
fn percentages_and_namespaces_of_growthbook() {
    // machine-1 falls at 0.232 for `x`.
    let table = [
        (json!({"force": "on", "coverage": 0.232}), true),
        (json!({"force": "on", "coverage": 0.231}), false),
        (json!({"force": "on", "coverage": 0.0}), false),
        (json!({"force": "on", "range": [0.232, 0.332]}), true),
        (json!({"force": "on", "range": [0.0, 0.232]}), false),
        (
            json!({"force": "on", "coverage": 1.0, "hashAttribute": "nobody"}),
            false,
        ),
        (
            json!({"force": "on", "coverage": 1.0, "hashVersion": 9}),
            false,
        ),
        (json!({"variations": ["on", "off"]}), true),
        (
            json!({"variations": ["on", "off"], "weights": [0.1, 0.9]}),
            false,
        ),
        (json!({"variations": ["on", "off"], "coverage": 0.1}), false),
        (
            json!({"variations": ["on", "off"], "namespace": ["ns", 0.0, 1.0]}),
            true,
        ),
        (
            json!({"variations": ["on", "off"], "namespace": ["ns", 0.99, 1.0]}),
            false,
        ),
        (
            json!({"variations": ["on", "off"], "namespace": "ns"}),
            false,
        ),
        (
            json!({"variations": ["on", "off"], "meta": [{"passthrough": true}, {}]}),
            false,
        ),
        (json!({"variations": ["on", "off"], "active": false}), false),
        (
            json!({"filters": [{"seed": "s", "ranges": [[0.0, 1.0]]}], "force": "on"}),
            true,
        ),
        (
            json!({"filters": [{"seed": "s", "ranges": []}], "force": "on"}),
            false,
        ),
        (
            json!({"filters": [{"ranges": [[0.0, 1.0]]}], "force": "on"}),
            false,
        ),
        (
            json!({"parentConditions": [{"id": "parent", "condition": {"value": true}}], "force": "on"}),
            true,
        ),
        (
            json!({"parentConditions": [{"id": "parent", "condition": {"value": false}}], "force": "on"}),
            false,
        ),
        (
            json!({"parentConditions": [{"id": "x", "condition": {"value": "default"}}], "force": "on"}),
            false,
        ),
    ];
    for (rule, on) in table {
        assert_eq!(by_rule(json!([rule])) == "on", on, "{rule}");
    }
}

#[test]
fn what_cannot_be_told_is_said() {
    let said = |body: serde_json::Value| {
        let flags = flags(FlagProvider::GrowthBook);
        match receive(round(&flags, &asker()), &reply(&body)) {
            Ok(cached) => cached.notes.join("; "),
            Err(why) => why.to_string(),
        }
    };
    let odd = json!({"defaultValue": 1, "rules": [{"condition": {"a": {"$frob": 1}}, "force": 2}]});
    assert_eq!(
        said(json!({"features": {"belay.mode": odd, "theirs": odd}})),
        "rule 1 of `belay.mode` is skipped: its condition uses an operator that belay does not know"
    );
    assert_eq!(
        said(json!({"encryptedFeatures": "abc.def"})),
        "the flag server's answer cannot be read: the features are encrypted; serve them plain"
    );
}

#[test]
fn a_rule_that_is_off_is_shown() {
    let user = "[[rule]]\nid = \"x\"\ntool = \"T\"\nverdict = \"ask\"";
    let (settings, _) = laid_on(user, json!({"belay.rule.x": false}));
    let shown = crate::show::effective(&settings);
    let line = shown.iter().find(|it| it.key == "rule \"x\"").unwrap();
    assert_eq!(
        (line.value.as_str(), line.origin.to_string().as_str()),
        ("\"off\"", "flag belay.rule.x")
    );
}

#[test]
fn a_machine_keeps_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let name = |fresh: &str| super::asker_id(folder.path(), &|| fresh.to_owned()).unwrap();
    assert_eq!(
        (name("one"), name("two")),
        ("one".to_owned(), "one".to_owned())
    );
}
