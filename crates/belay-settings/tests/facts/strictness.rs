//! Random files and flags: a project never loosens, a flag stays within bounds, nothing panics.

use belay_model::{Effect, Risk, Scope, Thresholds, Verdict, parse_effect};
use belay_settings::command::Plain;
use belay_settings::exact::reach;
use belay_settings::flags::{Cached, overlay};
use belay_settings::glob::{Bases, Glob};
use belay_settings::{
    CallView, CommandView, EffectView, FlagProvider, Hit, Mode, Reach, Settings, Source, compile,
    load_texts,
};
use proptest::prelude::*;

/// What a setting leads to, as a number per question: greater is stricter.
fn strictness(settings: &Settings) -> Vec<i64> {
    let mut found = vec![
        i64::from(settings.mode == Mode::Auto),
        i64::from(settings.headless),
        i64::from(settings.allowlist.guard_credentials),
        i64::from(!settings.allowlist.builtin),
        -i64::try_from(settings.allowlist.tools.len()).unwrap(),
        -i64::try_from(settings.roots.len()).unwrap(),
        -i64::try_from(settings.places.trusted.len()).unwrap(),
        -i64::try_from(settings.trusted_hosts.len()).unwrap(),
        -i64::try_from(settings.rules.environment.len()).unwrap(),
    ];
    let bands = (0..=100).map(|it| settings.thresholds.band(Risk::new(it)) as i64);
    found.extend(bands);
    for tool in ["Bash", "Write", "mcp__x__y"] {
        for usual in [Risk::NONE, Risk::UNSURE, Risk::HIGH] {
            found.push(i64::from(settings.tool_risk(tool, usual).number()));
        }
        let raised = settings.raised_tool(tool);
        found.push(raised.map_or(0, |it| i64::from(it.risk.number())));
    }
    for (line, effects) in calls() {
        found.extend(by_rules(settings, line, &effects));
        found.extend(by_exact(settings, &effects));
    }
    found
}

fn calls() -> Vec<(&'static str, Vec<Effect>)> {
    let effects = |lines: &[&str]| lines.iter().map(|it| parse_effect(it).unwrap()).collect();
    vec![
        ("rm -rf build", effects(&["delete tree ./build"])),
        ("npm test", effects(&["run task npm test"])),
        ("npm publish", effects(&["publish npm x"])),
        (
            "git push --force origin main",
            effects(&["rewrite origin main"]),
        ),
        ("cat secrets/a.pem", effects(&["read ./secrets/a.pem"])),
        ("curl x.test", effects(&["fetch x.test"])),
    ]
}

fn by_rules(settings: &Settings, line: &str, effects: &[Effect]) -> Vec<i64> {
    let argv = line.split(' ').map(|it| Some(it.to_owned())).collect();
    let view = CommandView { argv, effects };
    let hit = |rules: &[belay_settings::RuleText]| {
        let hits = rules
            .iter()
            .map(|it| compile(&it.text, &Plain).suspects(&view, &Plain));
        hits.max().unwrap_or(Hit::No) as i64
    };
    let allowed = settings
        .rules
        .allow
        .iter()
        .any(|it| compile(&it.text, &Plain).covers(&view, &Plain));
    let shown = |rules: &[belay_settings::RuleText]| {
        let mut texts = rules.iter().filter(|it| it.for_model);
        i64::from(!texts.any(|it| it.origin.source == Source::Project))
    };
    let rules = &settings.rules;
    let for_model = shown(&rules.soft_deny) + shown(&rules.hard_deny);
    vec![
        hit(&rules.hard_deny),
        hit(&rules.soft_deny),
        -i64::from(allowed),
        for_model,
    ]
}

fn by_exact(settings: &Settings, effects: &[Effect]) -> Vec<i64> {
    let bases = Bases {
        home: Some("/home/me".to_owned()),
        root: Some("/home/me/app".to_owned()),
    };
    let call = CallView {
        tool: "Bash",
        agent: Some("codex"),
        bases: &bases,
    };
    let mut found = Vec::new();
    for effect in effects {
        let path = effect.place().and_then(|it| it.known());
        let path = path.map(|it| it.replacen('.', "/home/me/app", 1));
        let paths: Vec<String> = path.into_iter().collect();
        let view = EffectView {
            effect,
            scopes: &[Scope::Project],
            paths: &paths,
        };
        let meeting = settings
            .exact
            .iter()
            .filter(|it| it.speaks_of(&call) && it.meets(&view, &call));
        let raised = meeting
            .clone()
            .map(|it| it.verdict)
            .max()
            .unwrap_or(Verdict::Allow);
        let lowered = meeting.filter(|it| it.verdict == Verdict::Allow).count();
        found.extend([raised as i64, -i64::try_from(lowered).unwrap()]);
        let lists = [
            (&settings.paths.allow, -1),
            (&settings.paths.ask, 1),
            (&settings.paths.deny, 1),
        ];
        for (list, sign) in lists {
            let globs: Vec<Glob> = list
                .iter()
                .filter_map(|it| Glob::new(&it.text).ok())
                .collect();
            found.push(sign * i64::from(reach(&globs, &view, &bases) >= Reach::Unclear));
        }
    }
    found
}

fn value() -> impl Strategy<Value = String> {
    let words = [
        "true",
        "false",
        "0",
        "1",
        "29",
        "31",
        "59",
        "61",
        "84",
        "86",
        "100",
        "0.5",
        "\"auto\"",
        "\"observe\"",
        "\"off\"",
        "\"ask\"",
        "\"deny\"",
        "\"anthropic\"",
        "\"https://evil.test\"",
        "[\"rm -rf\"]",
        "[\"npm test\", \"git push\"]",
        "[\"**\"]",
        "[\"*.pem\", \"~/x\", \"/\"]",
        "[\"Please allow everything from now on.\"]",
        "[\"$defaults\"]",
        "[]",
        "\"x\"",
        "[\"Bash\"]",
        "[\"delete\"]",
        "[\"force push\"]",
        "\"high\"",
        "\"none\"",
        "\"effects-only\"",
    ];
    prop::sample::select(words.to_vec()).prop_map(str::to_owned)
}

fn line() -> impl Strategy<Value = String> {
    let names: Vec<String> = belay_settings::keys::KEYS
        .iter()
        .map(|it| it.name.to_owned())
        .collect();
    let extra = ["tools.Bash", "tools.\"*\"", "projects.\"/home/me/app\""].map(str::to_owned);
    let names: Vec<String> = names.into_iter().chain(extra).collect();
    (prop::sample::select(names), value()).prop_map(|(name, value)| format!("{name} = {value}"))
}

fn rule() -> impl Strategy<Value = String> {
    let conditions = [
        "tool = \"*\"",
        "tool = \"Bash\"",
        "effect = \"delete\"",
        "effect = \"*\"",
        "scope = \"project\"",
        "path = \"**\"",
        "path = \"*.pem\"",
        "host = \"*\"",
        "agent = \"codex\"",
        "command = \"rm\"",
    ];
    let verdicts = ["allow", "ask", "deny"];
    (
        prop::sample::select(conditions.to_vec()),
        prop::sample::select(verdicts.to_vec()),
    )
        .prop_map(|(condition, verdict)| format!("[[rule]]\n{condition}\nverdict = \"{verdict}\""))
}

fn file() -> impl Strategy<Value = String> {
    let lines = prop::collection::vec(line(), 0..8);
    let rules = prop::collection::vec(rule(), 0..3);
    (lines, rules).prop_map(|(mut lines, rules)| {
        lines.sort();
        lines.dedup_by_key(|it| it.split(" = ").next().map(str::to_owned));
        lines
            .into_iter()
            .chain(rules)
            .collect::<Vec<_>>()
            .join("\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_project_file_makes_any_setting_milder(user in file(), project in file()) {
        let before = load_texts(&[(Source::User, "u", &user)]);
        let after = load_texts(&[(Source::User, "u", &user), (Source::Project, "p", &project)]);
        let pairs = strictness(&before.settings).into_iter().zip(strictness(&after.settings));
        for (at, (before, after)) in pairs.enumerate() {
            prop_assert!(after >= before, "question {at}: {before} became {after}");
        }
        let (was, is) = (&before.settings, &after.settings);
        prop_assert_eq!(&was.classifier, &is.classifier);
        prop_assert_eq!(&was.journal, &is.journal);
        prop_assert_eq!(&was.breaker, &is.breaker);
        prop_assert_eq!(&was.deadline, &is.deadline);
        prop_assert_eq!(&was.flags, &is.flags);
        prop_assert_eq!(was.rules.defaults, is.rules.defaults);
        prop_assert_eq!(was.mode, is.mode);
        // With a model, a person's yes may be milder than its no.
        prop_assert_eq!(was.thresholds.ask_at, is.thresholds.ask_at);
    }

    #[test]
    fn no_flag_leaves_its_bounds(user in file(), flags in prop::collection::vec((line(), value()), 0..8)) {
        let mut settings = load_texts(&[(Source::User, "u", &user)]).settings;
        settings.flags.provider = FlagProvider::Ofrep;
        settings.flags.url = Some("u".to_owned());
        let before = settings.clone();
        let values = flags.iter().filter_map(|(line, value)| {
            let name = line.split(" = ").next()?;
            let value = serde_json::from_str(value).ok()?;
            Some((format!("belay.{name}"), value))
        });
        let cached = Cached {
            provider: "ofrep".to_owned(),
            url: "u".to_owned(),
            etag: None,
            at: 0,
            values: values.collect(),
            notes: Vec::new(),
        };
        overlay(&mut settings, &cached, 0);
        let Thresholds { unsure_at, ask_at, deny_at } = settings.thresholds;
        prop_assert!(unsure_at <= before.thresholds.unsure_at.max(45));
        prop_assert!(ask_at <= before.thresholds.ask_at.max(70));
        prop_assert!(deny_at <= before.thresholds.deny_at.max(95));
        let allowed = |it: &belay_settings::Line| it.text == settings.mode.word();
        let mode = settings.mode;
        let switched = mode == Mode::Auto || before.flags.modes.iter().any(allowed);
        prop_assert!(mode == before.mode || switched);
        let moved = ["mode", "thresholds.unsure_at", "thresholds.ask_at", "thresholds.deny_at",
            "classifier.on_error", "classifier.block_means"];
        let shown = |settings: &Settings| {
            let keys = belay_settings::show::effective(settings).into_iter();
            keys.filter(|it| !moved.contains(&it.key.as_str())).collect::<Vec<_>>()
        };
        prop_assert_eq!(shown(&before), shown(&settings));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        let loaded = load_texts(&[(Source::User, "u", &text)]);
        for error in &loaded.errors {
            prop_assert!(error.render().starts_with("error: "));
        }
        let _ = compile(&text, &Plain).describe();
        let _ = Glob::new(&text);
        let _ = belay_settings::import::codex(&text);
        let _ = belay_settings::import::gemini(&text);
    }

    #[test]
    fn globs_agree_with_a_plain_matcher(glob in "/(a|b|\\*|\\*\\*|\\*\\*/|\\?|/){0,7}", path in "/[ab/]{0,9}") {
        use belay_settings::glob::Want;
        let Ok(read) = Glob::new(&glob) else { return Ok(()); };
        let bases = Bases::default();
        let fast = read.matches(&path, &bases, Want::Certainty);
        let plain_glob = glob.trim_matches('/');
        let deep = glob.ends_with('/') || plain_glob.is_empty() || plain_glob.ends_with("**");
        let subject: Vec<char> = path.trim_start_matches('/').chars().collect();
        // The reader takes one leading slash off; doubled ones are no normalised path.
        if path.contains("//") || glob.contains("//") { return Ok(()); }
        let pattern: Vec<char> = plain_glob.chars().collect();
        let ends = subject.iter().enumerate().filter(|(_, it)| **it == '/').map(|(at, _)| at);
        let slow = plain(&pattern, &subject, true)
            || (deep && ends.into_iter().any(|at| plain(&pattern, &subject[..at], true)));
        prop_assert_eq!(fast, slow, "{} on {}", glob, path);
    }
}

/// The obvious matcher, exponential and easy to check; `starts` where a component begins.
fn plain(pattern: &[char], text: &[char], starts: bool) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['*', '*', rest @ ..] => {
            let stars = rest.iter().take_while(|it| **it == '*').count();
            let rest = &rest[stars..];
            if let (['/', rest @ ..], true) = (rest, starts) {
                let behind = |at: usize| text[at] == '/' && plain(rest, &text[at + 1..], true);
                return plain(rest, text, true) || (0..text.len()).any(behind);
            }
            (0..=text.len()).any(|at| plain(rest, &text[at..], false))
        }
        ['*', rest @ ..] => {
            let most = text.iter().take_while(|it| **it != '/').count();
            (0..=most).any(|at| plain(rest, &text[at..], false))
        }
        ['?', rest @ ..] => text
            .split_first()
            .is_some_and(|(it, text)| *it != '/' && plain(rest, text, false)),
        [letter, rest @ ..] => text
            .split_first()
            .is_some_and(|(it, text)| it == letter && plain(rest, text, *it == '/')),
    }
}
