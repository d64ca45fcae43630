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
    loaded.settings
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
