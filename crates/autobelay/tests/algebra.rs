//! The worked examples of the design: risk, bands, soft rules, floor, headless.

mod house;

use autobelay::{Call, Classify, Gate, Nowhere, Ruling, Settings, Sight, Verdict};
use belay_settings::Source;
use belay_settings::load_texts;

struct Says(Ruling);

impl Classify for Says {
    fn classify(&self, _: &Call, _: &Sight, _: &Settings) -> Ruling {
        self.0.clone()
    }
}

fn settings(text: &str) -> Settings {
    let loaded = load_texts(&[(Source::User, "config.toml", text)]);
    assert!(!loaded.broken, "{:?}", loaded.errors);
    *loaded.settings
}

fn check((text, model): (&str, Option<Ruling>), command: &str, expected: Verdict) {
    let mut gate = Gate::new(settings(text));
    if let Some(ruling) = model {
        gate = gate.asking(Box::new(Says(ruling)));
    }
    let call = house::call("Bash", house::object(&[("command", command)]));
    let found = gate.judge_in(&call, &Nowhere);
    assert_eq!(found.verdict, expected, "{command}: {:?}", found.trail);
}

fn pass() -> Option<Ruling> {
    Some(Ruling::Pass("fine".to_owned()))
}

#[test]
fn an_allow_rule_does_not_lift_the_floor() {
    check(
        ("[rules]\nallow = [\"rm -rf\"]", None),
        "ls && rm -rf ~",
        Verdict::Deny,
    );
}

#[test]
fn a_stranger_is_asked_about_unless_the_model_knows() {
    check(("", None), "frobnicate", Verdict::Ask);
    check(("", pass()), "frobnicate", Verdict::Allow);
    check(
        ("", Some(Ruling::Block("no".to_owned()))),
        "frobnicate",
        Verdict::Deny,
    );
    check(
        ("", Some(Ruling::NoVerdict("late".to_owned()))),
        "frobnicate",
        Verdict::Ask,
    );
}

#[test]
fn the_model_speaks_only_in_its_band() {
    check(("", pass()), "git push --force origin topic", Verdict::Deny);
    check(("", pass()), "sudo ls", Verdict::Ask);
}

#[test]
fn an_exact_rule_lowers_what_it_names() {
    let rule =
        "[[rule]]\nid = \"mine\"\neffect = [\"rewrite origin topic\"]\nverdict = \"allow\"\n";
    check(
        (rule, None),
        "git push --force origin topic",
        Verdict::Allow,
    );
    check((rule, None), "git push --force origin main", Verdict::Deny);
}

#[test]
fn a_soft_rule_is_released_to_the_verdict_beneath() {
    let soft = "[rules]\nsoft_deny = [\"npm publish\"]";
    check((soft, pass()), "npm publish", Verdict::Ask);
    check((soft, None), "npm publish", Verdict::Deny);
}

#[test]
fn every_command_must_be_covered() {
    let allow = "[rules]\nallow = [\"frobnicate\"]";
    check((allow, None), "frobnicate", Verdict::Allow);
    let wrapper = "[rules]\nallow = [\"timeout *\", \"env *\"]";
    check((wrapper, None), "timeout 5 defrobnicate", Verdict::Ask);
    check((allow, None), "frobnicate && defrobnicate", Verdict::Ask);
}

#[test]
fn tools_that_look_pass_soft_rules_but_not_hard_ones() {
    let read = house::call(
        "Read",
        house::object(&[("file_path", "/work/app/src/a.rs")]),
    );
    let soft = Gate::new(settings("[rules]\nsoft_deny = [\"reading anything\"]"));
    assert_eq!(soft.judge_in(&read, &Nowhere).verdict, Verdict::Allow);
    let hard = Gate::new(settings(
        "[[rule]]\npath = [\"src/a.rs\"]\nverdict = \"deny\"\n",
    ));
    assert_eq!(hard.judge_in(&read, &Nowhere).verdict, Verdict::Deny);
}

#[test]
fn an_agents_settings_are_denied_to_every_tool() {
    let gate = Gate::new(Settings::default());
    for (tool, member) in [
        ("Write", "file_path"),
        ("Edit", "file_path"),
        ("write_file", "file_path"),
        ("create", "path"),
    ] {
        let call = house::call(tool, house::object(&[(member, ".claude/settings.json")]));
        assert_eq!(
            gate.judge_in(&call, &Nowhere).verdict,
            Verdict::Deny,
            "{tool}"
        );
    }
}

#[test]
fn nobody_to_ask_means_deny() {
    let mut call = house::call("Bash", house::object(&[("command", "sudo apt update")]));
    let gate = Gate::new(Settings::default());
    assert_eq!(gate.judge_in(&call, &Nowhere).verdict, Verdict::Ask);
    call.headless = true;
    assert_eq!(gate.judge_in(&call, &Nowhere).verdict, Verdict::Deny);
}

#[test]
fn broken_settings_allow_nothing() {
    let gate = Gate::new(Settings::default()).broken(Some("line 3".to_owned()));
    let call = house::call("Read", house::object(&[("file_path", "a")]));
    assert_eq!(gate.judge_in(&call, &Nowhere).verdict, Verdict::Ask);
}

#[test]
fn nonsense_is_never_an_error_path_to_allow() {
    for input in [
        autobelay::Value::Null,
        house::object(&[("command", "")]),
        house::object(&[("cmd", "ls")]),
        house::object(&[("command", "ls"), ("command", "rm x")]),
    ] {
        let gate = Gate::new(Settings::default());
        let found = gate.judge_in(&house::call("Bash", input.clone()), &Nowhere);
        if input != house::object(&[("cmd", "ls")]) {
            assert_ne!(found.verdict, Verdict::Allow, "{input:?}");
        }
    }
}

#[test]
fn wrappers_without_end_are_a_limit_not_a_crash() {
    for wrapper in [
        "sudo ",
        "timeout 5 ",
        "env A=1 ",
        "command ",
        "xargs ",
        "eval ",
        "nice ",
    ] {
        let command = wrapper.repeat(3000) + "rm -rf ~";
        assert_ne!(house::verdict(&command), Verdict::Allow, "{wrapper}");
    }
    assert_ne!(
        house::verdict(&("cd a;".repeat(20_000) + "rm -rf ~")),
        Verdict::Allow
    );
}

#[test]
fn a_script_changed_and_run_in_one_call_is_not_old_code() {
    for command in [
        "echo 'rm -rf ~' >> b.sh && bash b.sh",
        "cp /tmp/x b.sh && sh b.sh",
        "sed -i 's/a/b/' b.sh && ./b.sh",
    ] {
        assert_ne!(house::verdict(command), Verdict::Allow, "{command}");
    }
}

#[test]
fn a_hard_rule_that_asks_lowers_nothing() {
    for rule in [
        "[[rule]]\ntool = \"*\"\nverdict = \"ask\"\n",
        "[paths]\nask = [\"**\"]\n",
        "[rules]\nhard_deny = [\"git push $X\"]\n",
    ] {
        check((rule, None), "git push --force origin topic", Verdict::Deny);
        check((rule, None), "rm -rf ~", Verdict::Deny);
    }
    let ask = "[[rule]]\ncommand = \"frobnicate\"\nverdict = \"ask\"\n";
    let block = Some(Ruling::Block("no".to_owned()));
    check((ask, block), "frobnicate", Verdict::Deny);
    check((ask, pass()), "frobnicate", Verdict::Ask);
    let gate = Gate::new(Settings::default()).broken(Some("line 3".to_owned()));
    let push = house::object(&[("command", "git push --force origin topic")]);
    let found = gate.judge_in(&house::call("Bash", push), &Nowhere);
    assert_eq!(found.verdict, Verdict::Deny);
}

#[test]
fn a_project_does_not_lower_the_risk_of_a_tool() {
    let risk = "[tools]\n\"*\" = \"none\"\n";
    let call = house::call("mcp__x__do", house::object(&[("a", "b")]));
    let verdict = |source| {
        let loaded = load_texts(&[(source, "f", risk)]);
        Gate::new(loaded.settings).judge_in(&call, &Nowhere).verdict
    };
    assert_eq!(verdict(Source::User), Verdict::Allow);
    assert_eq!(verdict(Source::Project), Verdict::Ask);
}

#[test]
fn an_exact_rule_may_name_a_tool() {
    let rule = "[[rule]]\ntool = \"mcp__jira__*\"\nverdict = \"allow\"\n";
    let call = |tool: &str| house::call(tool, house::object(&[("title", "x")]));
    let verdict = |text: &str, tool: &str| {
        Gate::new(settings(text))
            .judge_in(&call(tool), &Nowhere)
            .verdict
    };
    assert_ne!(verdict("", "mcp__jira__delete_issue"), Verdict::Allow);
    assert_eq!(verdict(rule, "mcp__jira__delete_issue"), Verdict::Allow);
    assert_ne!(verdict(rule, "mcp__git__delete_issue"), Verdict::Allow);
}

#[test]
fn a_shell_is_not_exact_by_its_name() {
    let rule = "[[rule]]\ntool = [\"Bash\", \"*\"]\nverdict = \"allow\"\n";
    check((rule, None), "frobnicate", Verdict::Ask);
    check((rule, None), "echo x > ~/notes.txt", Verdict::Ask);
}

#[test]
fn an_exact_rule_may_name_a_command() {
    let rule = "[[rule]]\ncommand = \"git push -f origin topic\"\nverdict = \"allow\"\n";
    check(
        (rule, None),
        "git push --force origin topic",
        Verdict::Allow,
    );
    check((rule, None), "git push --force origin main", Verdict::Deny);
    check(
        (rule, None),
        "git push --force origin topic && frobnicate",
        Verdict::Deny,
    );
    check(
        (rule, None),
        "git push -f origin topic $(frobnicate)",
        Verdict::Deny,
    );
    let both = "[[rule]]\ncommand = \"frobnicate\"\neffect = \"fetch\"\nverdict = \"allow\"\n";
    check((both, None), "frobnicate", Verdict::Ask);
}

#[test]
fn an_allowed_path_may_be_touched() {
    let notes = "[paths]\nallow = [\"~/notes/**\"]\n";
    check(("", None), "echo x > ~/notes/a.md", Verdict::Ask);
    check((notes, None), "echo x > ~/notes/a.md", Verdict::Allow);
    check((notes, None), "echo x > ~/notes/../a.md", Verdict::Ask);
    check(
        (notes, None),
        "echo x > ~/notes/a.md; frobnicate",
        Verdict::Ask,
    );
    check((notes, None), "rm -rf ~", Verdict::Deny);
    let all = "[paths]\nallow = [\"/**\", \"~/**\"]\n";
    check((all, None), "rm -rf ~", Verdict::Deny);
    check((all, None), "echo x > ~/.bashrc", Verdict::Deny);
    let tool = "[paths]\nallow = [\"~/notes/**\"]\n[tools]\nBash = \"high\"\n";
    check((tool, None), "echo x > ~/notes/a.md", Verdict::Ask);
}

#[test]
fn a_trusted_place_is_like_the_project() {
    let trusted = "[places]\ntrusted = [\"~/gen/**\"]\n";
    check(("", None), "echo x > ~/gen/a", Verdict::Ask);
    check((trusted, None), "echo x > ~/gen/a", Verdict::Allow);
    check((trusted, None), "echo x > ~/generic/a", Verdict::Ask);
    check((trusted, None), "rm -rf ~/gen", Verdict::Deny);
}

#[test]
fn a_protected_place_leaves_the_fast_path() {
    let edit = |text: &str, path: &str| {
        let input = house::object(&[("file_path", path), ("content", "x")]);
        Gate::new(settings(text))
            .judge_in(&house::call("Write", input), &Nowhere)
            .verdict
    };
    let protected = "[places]\nprotected = [\"deploy/*\", \"*.lock\", \"~/keep/**\"]\n";
    for path in ["/work/app/deploy/a.sh", "/work/app/x/y.lock"] {
        assert_eq!(edit("", path), Verdict::Allow, "{path}");
        assert_ne!(edit(protected, path), Verdict::Allow, "{path}");
    }
    assert_eq!(edit(protected, "/work/app/src/a.rs"), Verdict::Allow);
}

#[test]
fn a_grant_is_named_as_one() {
    let call = house::call(
        "Bash",
        house::object(&[("command", "git push --force origin topic")]),
    );
    let grant = belay_settings::grants::Grant {
        id: "g7".to_owned(),
        effects: vec!["rewrite origin topic".to_owned()],
        judgement: None,
        folder: "/work/app".to_owned(),
        at: 0,
        until: u64::MAX,
        uses: None,
        session: None,
    };
    let gate = Gate::new(Settings::default());
    let found = gate.judge_granted(&call, &Nowhere, &[grant]);
    assert_eq!(found.verdict, Verdict::Allow, "{:?}", found.trail);
    assert_eq!(
        found.reason.because,
        "The user granted this for a while (g7)."
    );
    assert_eq!(gate.judge_in(&call, &Nowhere).verdict, Verdict::Deny);
}

#[test]
fn examples_of_rules_are_proved() {
    let said = |text: &str| {
        let failing = Gate::new(settings(text)).failing_examples(&|_| true);
        failing.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let rule =
        "[[rule]]\nid = \"prod\"\ncommand = \"kubectl --context prod\"\nverdict = \"deny\"\n";
    let holds = "examples = { deny = [\"kubectl delete pod x --context=prod\"], allow = [\"kubectl get pods\"] }";
    assert_eq!(said(&format!("{rule}{holds}")), [""; 0]);
    let fails = "examples = { deny = [\"kubectl --context staging get pods\"] }";
    assert_eq!(
        said(&format!("{rule}{fails}")),
        [
            "the example `kubectl --context staging get pods` of rule `prod` is allow, not deny: It only looks."
        ]
    );
    let headless = format!("headless = true\n{rule}examples = {{ ask = [\"frobnicate\"] }}");
    assert_eq!(said(&headless), [""; 0]);
    let many = vec!["\"ls\""; 1900].join(", ");
    let more = format!("{rule}examples = {{ allow = [{many}] }}\n");
    assert!(said(&more.repeat(2))[0].contains("more than 2000"));
}

#[test]
fn a_users_knowledge_speaks_of_strangers_only() {
    let files = [
        (
            "commands/frobnicate.toml",
            "about = \"Frobs.\"\nusage = \"frobnicate [FILE]\"\neffects = [\"read FILE\"]\ninert = \"-v --verbose\"\n[examples]\n\"frobnicate a\" = [\"read ./a\"]\n\"frobnicate -v a\" = [\"read ./a\"]\n\"frobnicate --wipe\" = [\"unknown flag --wipe\"]\n",
        ),
        (
            "commands/rm.toml",
            "about = \"Nothing.\"\nalias = \"ls\"\n[examples]\n\"rm x\" = []\n\"rm y\" = []\n\"rm z\" = []\n",
        ),
        (
            "commands/git.toml",
            "about = \"Nothing.\"\nusage = \"git [WORD...]\"\n[examples]\n\"git x\" = []\n\"git y\" = []\n\"git z\" = []\n",
        ),
    ];
    let knowledge = autobelay::Knowledge::load_texts(&files)
        .unwrap()
        .behind_ours();
    let gate = Gate::new(Settings::default()).knowing(knowledge);
    let verdict = |command: &str| {
        let call = house::call("Bash", house::object(&[("command", command)]));
        gate.judge_in(&call, &Nowhere).verdict
    };
    assert_eq!(verdict("frobnicate -v a"), Verdict::Allow);
    assert_eq!(verdict("frobnicate --wipe a"), Verdict::Ask);
    assert_eq!(verdict("rm -rf ~"), Verdict::Deny);
    assert_eq!(verdict("git push --force origin main"), Verdict::Deny);
}

#[test]
fn a_line_about_a_taught_command_means_what_was_taught() {
    let file = (
        "commands/frobnicate.toml",
        "about = \"Frobs.\"\nusage = \"frobnicate [FILE]\"\neffects = [\"write FILE\"]\ninert = \"-v --verbose\"\n[examples]\n\"frobnicate a\" = [\"write ./a\"]\n\"frobnicate -v a\" = [\"write ./a\"]\n\"frobnicate --wipe\" = [\"unknown flag --wipe\"]\n",
    );
    let knowledge = autobelay::Knowledge::load_texts(&[file])
        .unwrap()
        .behind_ours();
    let verdict = |rules: &str| {
        let gate = Gate::new(settings(rules)).knowing(knowledge.clone());
        let call = house::call("Bash", house::object(&[("command", "frobnicate ../x/a")]));
        gate.judge_in(&call, &Nowhere).verdict
    };
    assert_eq!(verdict(""), Verdict::Ask);
    assert_eq!(
        verdict("[rules]\nallow = [\"frobnicate ../x/a\"]"),
        Verdict::Allow
    );
}

fn by_name(tool: &str, members: &[(&str, &str)]) -> Verdict {
    let gate = Gate::new(Settings::default()).asking(Box::new(Says(Ruling::Pass("fine".into()))));
    let call = house::call(tool, house::object(members));
    gate.judge_in(&call, &Nowhere).verdict
}

/// What deletes, sends, merges or runs elsewhere is a person's to decide; a model may only vouch for the rest.
#[test]
fn no_model_lets_a_strange_tool_act() {
    for tool in [
        "mcp__forge__delete_repo",
        "mcp__chat__send_message",
        "mcp__forge__mergePullRequest",
        "mcp__registry__publish",
        "mcp__box__execute-command",
        "mcp__db__get_and_delete",
        "mcp_Forge_delete_repo",
        "purge_everything",
    ] {
        assert_eq!(by_name(tool, &[("id", "3")]), Verdict::Ask, "{tool}");
    }
    let wrapped = [("server_name", "forge"), ("tool_name", "delete_repo")];
    assert_eq!(by_name("use_mcp_tool", &wrapped), Verdict::Ask);
    for tool in [
        "mcp__forge__get_thing",
        "mcp__forge__create_draft",
        "mcp__x__frobnicate",
    ] {
        assert_eq!(by_name(tool, &[("id", "3")]), Verdict::Allow, "{tool}");
    }
}
