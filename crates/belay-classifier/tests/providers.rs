//! Every way a provider can answer, and that none but a good verdict lets a call pass.

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test"
)]

mod server;

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use belay_classifier::{
    Answer, Classifier, DefaultList, Endpoint, Fault, Key, Limits, Mode, Outcome, Plan, Prices,
    Provider, Question, RuleLists,
};
use belay_model::{Turn, Value};
use serde_json::{Value as Json, json};
use server::{Scene, Server};

const TOOL: &str = "classify_result";

fn verdict(blocks: bool) -> Json {
    json!({ "thinking": "t", "should_block": blocks, "reason": "because" })
}

fn calls(names: &[&str], input: &Json) -> String {
    let block =
        |name: &&str| json!({ "type": "tool_use", "id": "1", "name": name, "input": input });
    let content: Vec<Json> = names.iter().map(block).collect();
    anthropic("tool_use", json!(content))
}

fn anthropic(stop: &str, content: Json) -> String {
    let usage = json!({ "input_tokens": 1500, "output_tokens": 50 });
    json!({ "type": "message", "role": "assistant", "stop_reason": stop, "content": content, "usage": usage }).to_string()
}

fn words(text: &str) -> String {
    anthropic("end_turn", json!([{ "type": "text", "text": text }]))
}

fn good(blocks: bool) -> String {
    calls(&[TOOL], &verdict(blocks))
}

fn question() -> Question {
    Question {
        tool: "Bash".to_owned(),
        input: Value::Object(vec![("command".to_owned(), Value::from("frobnicate"))]),
        cwd: "/work/app".to_owned(),
        effects: vec!["unknown command frobnicate".to_owned()],
        transcript: vec![Turn::User("go on".to_owned())],
        rules: RuleLists {
            with_defaults: vec![DefaultList::SoftDeny, DefaultList::Allow],
            ..RuleLists::default()
        },
        session: Some("s1".to_owned()),
        ..Question::default()
    }
}

fn provider(word: &str) -> Provider {
    Provider::named(word).unwrap()
}

fn at(provider: Provider, url: &str) -> Endpoint {
    Endpoint {
        base_url: Some(url.to_owned()),
        model: Some("m".to_owned()),
        key: Key::Command(["echo", "secret-key"].map(str::to_owned).to_vec()),
        ..Endpoint::new(provider)
    }
}

fn plan(server: &Server) -> Plan {
    Plan {
        endpoints: vec![at(provider("anthropic"), &server.url)],
        deadline: Duration::from_millis(1500),
        retries: 0,
        ..Plan::default()
    }
}

fn ask(plan: &Plan) -> Outcome {
    Classifier::new(plan, &|it| it).ask(&question())
}

fn one(scene: Scene) -> Outcome {
    let server = Server::playing(vec![scene]);
    ask(&plan(&server))
}

fn fault(outcome: &Outcome) -> Fault {
    match &outcome.answer {
        Answer::NoVerdict(faults) => faults.last().unwrap().1.clone(),
        other => panic!("{other:?}"),
    }
}

/// What really goes over the wire, provider by provider: the model thinks, then decides, then explains.
#[test]
fn the_bytes_on_the_wire_keep_the_order() {
    for provider in Provider::all() {
        for mode in [Mode::Single, Mode::TwoStage] {
            let server = Server::playing(vec![Scene::Reply(500, String::new())]);
            let plan = Plan {
                endpoints: vec![at(provider, &server.url)],
                mode,
                ..plan(&server)
            };
            ask(&plan);
            let heard = server.requests().concat();
            let (_, schema) = heard
                .split_once(r#""properties":{"thinking":{"#)
                .unwrap_or_else(|| panic!("{provider:?} {mode:?}: {heard}"));
            let (before, after) = schema.split_once(r#""should_block":{"#).unwrap();
            assert!(!before.contains(r#""reason":{"#), "{provider:?}: {schema}");
            assert!(after.contains(r#""reason":{"#), "{provider:?}: {schema}");
            assert!(heard.contains(TOOL), "{provider:?}: {heard}");
        }
    }
}

#[test]
fn a_good_answer_passes() {
    let outcome = one(Scene::Reply(200, good(false)));
    assert_eq!(
        outcome.answer,
        Answer::Pass("because (anthropic m)".to_owned())
    );
    assert_eq!(outcome.rung, "provider");
    let account = outcome.account;
    assert_eq!(
        (
            account.requests,
            account.input_tokens,
            account.output_tokens
        ),
        (1, 1500, 50)
    );
}

#[test]
fn a_block_blocks() {
    let outcome = one(Scene::Reply(200, good(true)));
    assert_eq!(
        outcome.answer,
        Answer::Block("because (anthropic m)".to_owned())
    );
}

#[test]
fn whatever_else_comes_is_no_verdict() {
    let mut extra = verdict(false);
    extra["confidence"] = json!(1);
    let mut typed = verdict(false);
    typed["should_block"] = json!("false");
    let twice = good(false).replace(
        "\"should_block\":false",
        "\"should_block\":true,\"should_block\":false",
    );
    let mut cut = good(false);
    cut.truncate(cut.len() - 20);
    let ok = |body: String| Scene::Reply(200, body);
    let scenes = [
        ("truncated JSON", ok(cut.clone())),
        ("wrong type", ok(calls(&[TOOL], &typed))),
        ("extra field", ok(calls(&[TOOL], &extra))),
        ("empty input", ok(calls(&[TOOL], &json!({})))),
        ("member twice", ok(twice)),
        ("wrong tool", ok(calls(&["allow"], &verdict(false)))),
        ("two tools", ok(calls(&[TOOL, TOOL], &verdict(false)))),
        (
            "tool beside another",
            ok(calls(&[TOOL, "allow"], &verdict(false))),
        ),
        ("refusal", ok(anthropic("refusal", json!([])))),
        ("only words", ok(words("should_block: false"))),
        (
            "cut off",
            ok(anthropic(
                "max_tokens",
                json!([{ "type": "tool_use", "name": TOOL, "input": verdict(false) }]),
            )),
        ),
        ("no content", ok(anthropic("tool_use", json!([])))),
        ("empty object", ok("{}".to_owned())),
        ("empty", ok(String::new())),
        ("HTML", ok("<html>Gateway says hello</html>".to_owned())),
        (
            "HTML error",
            Scene::Reply(502, "<html>Bad gateway</html>".to_owned()),
        ),
        (
            "verdict with an error status",
            Scene::Reply(500, good(false)),
        ),
        (
            "verdict with another status",
            Scene::Reply(201, good(false)),
        ),
        (
            "redirect",
            Scene::With(307, "location: http://127.0.0.1:9/\r\n", good(false)),
        ),
        ("400", Scene::Reply(400, "{}".to_owned())),
        ("401", Scene::Reply(401, "{}".to_owned())),
        ("403", Scene::Reply(403, "{}".to_owned())),
        ("429", Scene::Reply(429, "{}".to_owned())),
        ("500", Scene::Reply(500, "{}".to_owned())),
        ("529", Scene::Reply(529, "{}".to_owned())),
        ("reset in the body", Scene::CutShort(good(false))),
        ("huge body", Scene::Huge(4 << 20)),
        ("closed", Scene::Closed),
        ("no HTTP", Scene::Garbage),
    ];
    for (name, scene) in scenes {
        let outcome = one(scene);
        assert!(
            matches!(outcome.answer, Answer::NoVerdict(_)),
            "{name}: {outcome:?}"
        );
        assert_eq!(outcome.rung, "none", "{name}");
        assert!(
            outcome.answer.fault().is_some_and(|it| it.len() > 10),
            "{name}"
        );
    }
}

#[test]
fn what_is_slow_ends_at_the_deadline() {
    let slow = Duration::from_secs(5);
    for scene in [
        Scene::SlowHeaders(slow, good(false)),
        Scene::SlowBody(good(false)),
        Scene::Stalled,
    ] {
        let begun = Instant::now();
        let outcome = one(scene);
        assert!(matches!(fault(&outcome), Fault::Late(_)), "{outcome:?}");
        assert!(
            begun.elapsed() < Duration::from_secs(4),
            "{:?}",
            begun.elapsed()
        );
    }
}

#[test]
fn tls_that_fails_is_no_verdict() {
    let server = Server::playing(vec![Scene::Garbage]);
    let mut plan = plan(&server);
    plan.endpoints[0].base_url = Some(server.url.replace("http:", "https:"));
    let outcome = ask(&plan);
    assert!(
        matches!(outcome.answer, Answer::NoVerdict(_)),
        "{outcome:?}"
    );
}

#[test]
fn nobody_there_is_no_verdict_and_says_so() {
    let server = Server::playing(vec![Scene::Closed]);
    let mut plan = plan(&server);
    plan.endpoints[0].base_url = Some("http://127.0.0.1:1".to_owned());
    let text = ask(&plan).answer.fault().unwrap();
    assert!(
        text.starts_with("anthropic m: no connection") && text.ends_with("trying again may help"),
        "{text}"
    );
}

#[test]
fn an_address_that_others_can_read_is_not_used() {
    let server = Server::playing(vec![Scene::Reply(200, good(false))]);
    let mut plan = plan(&server);
    plan.endpoints[0].base_url = Some("http://192.0.2.1".to_owned());
    assert!(matches!(fault(&ask(&plan)), Fault::BadAddress(_)));
}

#[test]
fn the_error_of_the_provider_is_told() {
    let body =
        json!({ "error": { "type": "authentication_error", "message": "invalid x-api-key" } });
    let outcome = one(Scene::Reply(401, body.to_string()));
    let text = outcome.answer.fault().unwrap();
    assert_eq!(text, "anthropic m: error 401: invalid x-api-key");
}

#[test]
fn errors_that_pass_are_tried_again() {
    let busy = || Scene::With(429, "retry-after: 0\r\n", "{}".to_owned());
    let server = Server::playing(vec![
        busy(),
        Scene::Reply(503, "{}".to_owned()),
        Scene::Reply(200, good(false)),
    ]);
    let mut plan = plan(&server);
    plan.retries = 2;
    let outcome = ask(&plan);
    assert!(matches!(outcome.answer, Answer::Pass(_)), "{outcome:?}");
    assert_eq!(outcome.account.requests, 3);
}

#[test]
fn errors_that_stay_are_not() {
    let server = Server::playing(vec![Scene::Reply(401, "{}".to_owned())]);
    let mut plan = plan(&server);
    plan.retries = 5;
    assert_eq!(ask(&plan).account.requests, 1);
}

#[test]
fn a_long_retry_after_is_not_waited_for() {
    let server = Server::playing(vec![Scene::With(
        429,
        "retry-after: 60\r\n",
        "{}".to_owned(),
    )]);
    let mut plan = plan(&server);
    plan.retries = 2;
    let begun = Instant::now();
    assert!(matches!(fault(&ask(&plan)), Fault::Status(429, _)));
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[test]
fn the_next_provider_answers_when_the_first_does_not() {
    let first = Server::playing(vec![Scene::Stalled]);
    let second = Server::playing(vec![Scene::Reply(200, chat(&verdict(true).to_string()))]);
    let mut plan = plan(&first);
    plan.endpoints.push(at(provider("compatible"), &second.url));
    let outcome = ask(&plan);
    assert_eq!(
        outcome.answer,
        Answer::Block("because (compatible m)".to_owned())
    );
    assert_eq!(outcome.rung, "fallback 1");
}

fn chat(arguments: &str) -> String {
    let call = json!({ "type": "function", "function": { "name": TOOL, "arguments": arguments } });
    json!({ "choices": [{ "finish_reason": "tool_calls", "message": { "role": "assistant", "tool_calls": [call] } }] }).to_string()
}

#[test]
fn every_provider_is_spoken_to_in_its_own_way() {
    let input = verdict(false);
    let text = input.to_string();
    let replies = [
        (provider("anthropic"), good(false), "POST /v1/messages", "x-api-key: secret-key"),
        (
            provider("openai"),
            json!({ "status": "completed", "output": [{ "type": "function_call", "name": TOOL, "arguments": text }] }).to_string(),
            "POST /v1/responses",
            "authorization: Bearer secret-key",
        ),
        (provider("compatible"), chat(&text), "POST /v1/chat/completions", "authorization: Bearer secret-key"),
        (
            provider("gemini"),
            json!({ "candidates": [{ "finishReason": "STOP", "content": { "parts": [{ "functionCall": { "name": TOOL, "args": input } }] } }] }).to_string(),
            "POST /v1beta/models/m:generateContent",
            "x-goog-api-key: secret-key",
        ),
    ];
    for (provider, reply, line, key) in replies {
        let server = Server::playing(vec![Scene::Reply(200, reply)]);
        let mut plan = plan(&server);
        plan.endpoints = vec![at(provider, &server.url)];
        let outcome = ask(&plan);
        assert!(
            matches!(outcome.answer, Answer::Pass(_)),
            "{provider:?} {outcome:?}"
        );
        let request = server.requests().remove(0);
        assert!(request.starts_with(line), "{request}");
        assert!(request.contains(key), "{request}");
        let body: Json = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert!(!body.to_string().contains("secret-key"));
    }
}

#[test]
fn a_model_that_refuses_force_is_asked_in_another_form() {
    let state = tempfile::tempdir().unwrap();
    let refused = |what: &str| {
        let error = json!({ "error": { "message": format!("{what} not supported") } });
        Scene::Reply(400, error.to_string())
    };
    let server = Server::playing(vec![
        refused("forced tools are"),
        refused("tools are"),
        Scene::Reply(200, words(&verdict(true).to_string())),
    ]);
    let mut plan = plan(&server);
    plan.remember = Duration::ZERO;
    plan.state = Some(state.path().to_owned());
    assert!(matches!(ask(&plan).answer, Answer::Block(_)));
    let asked = server.requests();
    assert!(asked[0].contains("\"type\":\"tool\"") && asked[1].contains("\"type\":\"auto\""));
    assert!(asked[2].contains("output_config"));
    assert!(matches!(ask(&plan).answer, Answer::Block(_)));
    assert!(
        server.requests()[0].contains("output_config"),
        "the form is remembered"
    );
}

#[test]
fn a_model_that_writes_instead_of_calling_gives_no_verdict() {
    for blocks in [true, false] {
        let server = Server::playing(vec![Scene::Reply(200, words(&verdict(blocks).to_string()))]);
        let outcome = ask(&plan(&server));
        assert_eq!(fault(&outcome), Fault::NoToolCall);
        assert_eq!(outcome.account.requests, 2, "it was free to call, once");
    }
}

#[test]
fn an_error_beside_the_verdict_is_an_error() {
    let mut reply: Json = serde_json::from_str(&good(false)).unwrap();
    reply["error"] = json!({ "message": "over capacity" });
    let outcome = one(Scene::Reply(200, reply.to_string()));
    assert_eq!(fault(&outcome), Fault::Reported("over capacity".to_owned()));
    let text = outcome.answer.fault().unwrap();
    assert!(
        text.ends_with("the provider reported an error: over capacity"),
        "{text}"
    );
}

#[test]
fn the_schema_keeps_its_order_on_every_wire() {
    for provider in Provider::all() {
        for mode in [Mode::Single, Mode::TwoStage] {
            let server = Server::playing(vec![Scene::Reply(200, "{}".to_owned())]);
            let mut plan = plan(&server);
            plan.endpoints = vec![at(provider, &server.url)];
            plan.mode = mode;
            assert!(matches!(ask(&plan).answer, Answer::NoVerdict(_)));
            for sent in server.requests() {
                let (_, schema) = sent.split_once("\"properties\":{\"thinking\":").unwrap();
                let place = |name: &str| schema.find(&format!("\"{name}\":{{")).unwrap();
                assert!(
                    place("should_block") < place("reason"),
                    "{provider:?}: {sent}"
                );
            }
        }
    }
}

fn look(closer: &Json) -> String {
    calls(&["first_look"], &json!({ "look_closer": closer }))
}

#[test]
fn the_first_stage_passes_what_is_clear() {
    let server = Server::playing(vec![Scene::Reply(200, look(&json!(false)))]);
    let mut plan = plan(&server);
    plan.mode = Mode::TwoStage;
    let outcome = ask(&plan);
    assert!(matches!(outcome.answer, Answer::Pass(_)));
    assert_eq!(outcome.account.requests, 1);
}

#[test]
fn the_second_stage_decides_the_rest() {
    let cut = anthropic(
        "max_tokens",
        json!([{ "type": "tool_use", "name": "first_look", "input": { "look_closer": false } }]),
    );
    let more = json!({ "look_closer": false, "sure": true });
    for first in [
        look(&json!(true)),
        look(&json!("false")),
        look(&json!(null)),
        calls(&["first_look"], &more),
        calls(&["first_look"], &json!({})),
        calls(
            &["first_look", "first_look"],
            &json!({ "look_closer": false }),
        ),
        words("pass"),
        words("{\"look_closer\":false}"),
        good(false),
        cut,
        "{}".to_owned(),
    ] {
        let server = Server::playing(vec![
            Scene::Reply(200, first.clone()),
            Scene::Reply(200, good(true)),
        ]);
        let mut plan = plan(&server);
        plan.mode = Mode::TwoStage;
        let outcome = ask(&plan);
        assert!(matches!(outcome.answer, Answer::Block(_)), "{first}");
        assert_eq!(outcome.account.requests, 2, "{first}");
    }
}

#[test]
fn a_provider_that_fails_the_first_look_fails() {
    let server = Server::playing(vec![Scene::Reply(500, "{}".to_owned())]);
    let mut plan = plan(&server);
    plan.mode = Mode::TwoStage;
    assert!(matches!(fault(&ask(&plan)), Fault::Status(500, _)));
}

#[test]
fn verdicts_are_remembered_for_the_same_question() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::playing(vec![
        Scene::Reply(200, good(false)),
        Scene::Reply(200, good(true)),
    ]);
    let mut plan = plan(&server);
    plan.state = Some(state.path().to_owned());
    assert_eq!(ask(&plan).rung, "provider");
    let again = ask(&plan);
    assert_eq!((again.rung.as_str(), again.account.requests), ("cache", 0));
    assert!(matches!(again.answer, Answer::Pass(_)));
    let mut other = question();
    other
        .transcript
        .push(Turn::User("no, stop that".to_owned()));
    let outcome = Classifier::new(&plan, &|it| it).ask(&other);
    assert!(matches!(outcome.answer, Answer::Block(_)), "{outcome:?}");
}

#[test]
fn failures_are_not_remembered() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::playing(vec![
        Scene::Reply(200, "{}".to_owned()),
        Scene::Reply(200, good(false)),
    ]);
    let mut plan = plan(&server);
    plan.state = Some(state.path().to_owned());
    assert!(matches!(ask(&plan).answer, Answer::NoVerdict(_)));
    assert_eq!(ask(&plan).rung, "provider");
}

#[test]
fn the_same_question_at_once_is_asked_once() {
    let state = tempfile::tempdir().unwrap();
    let slow = Scene::SlowHeaders(Duration::from_millis(300), good(false));
    let server = Server::playing(vec![slow]);
    let mut plan = plan(&server);
    plan.state = Some(state.path().to_owned());
    let requests: u64 = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..4).map(|_| scope.spawn(|| ask(&plan))).collect();
        asking
            .into_iter()
            .map(|it| it.join().unwrap().account.requests)
            .sum()
    });
    assert_eq!(requests, 1);
}

#[test]
fn a_provider_that_keeps_failing_is_left_alone() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::playing(vec![Scene::Reply(500, "{}".to_owned())]);
    let mut plan = plan(&server);
    plan.state = Some(state.path().to_owned());
    for _ in 0..3 {
        assert!(matches!(fault(&ask(&plan)), Fault::Status(500, _)));
    }
    assert!(matches!(fault(&ask(&plan)), Fault::Resting(_)));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn too_many_questions_wait_and_then_give_up() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::playing(vec![Scene::Stalled]);
    let mut plan = plan(&server);
    plan.state = Some(state.path().to_owned());
    plan.remember = Duration::ZERO;
    plan.limits.concurrent = 1;
    let mut short = plan.clone();
    short.deadline = Duration::from_millis(300);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| ask(&plan));
        std::thread::sleep(Duration::from_millis(150));
        assert_eq!(fault(&ask(&short)), Fault::Busy);
        first.join().unwrap();
    });
}

#[test]
fn money_ends() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::playing(vec![Scene::Reply(200, good(false))]);
    let mut plan = plan(&server);
    plan.state = Some(state.path().to_owned());
    plan.remember = Duration::ZERO;
    plan.prices = Prices {
        input: Some(1.0),
        output: Some(5.0),
    };
    plan.limits = Limits {
        session: Some(0.005),
        ..Limits::default()
    };
    assert!(matches!(ask(&plan).answer, Answer::Pass(_)));
    let second = ask(&plan);
    assert!((second.account.usd.unwrap() - 0.00175).abs() < 1e-9);
    let text = ask(&plan).answer.fault().unwrap();
    assert_eq!(
        text,
        "anthropic m: the session's limit is reached: $0.0035 spent"
    );
}

#[test]
fn a_limit_without_a_price_asks_nobody() {
    let server = Server::playing(vec![Scene::Reply(200, good(false))]);
    let mut plan = plan(&server);
    plan.endpoints[0].base_url = Some("https://127.0.0.2.invalid".to_owned());
    plan.limits.day = Some(1.0);
    assert!(matches!(fault(&ask(&plan)), Fault::Spent(_)));
}

#[test]
fn dumps_are_private_and_have_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::playing(vec![Scene::Reply(200, good(false))]);
    let mut plan = plan(&server);
    plan.dump = Some(folder.path().join("dump"));
    let outcome = ask(&plan);
    let path = &outcome.account.dumps[0];
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("frobnicate") && text.contains("should_block"));
    assert!(!text.contains("secret-key"));
}

#[test]
fn a_reason_is_redacted() {
    let server = Server::playing(vec![Scene::Reply(200, good(true))]);
    let redact = |value: Value| match value {
        Value::String(_) => Value::from("gone"),
        other => other,
    };
    let plan = plan(&server);
    let outcome = Classifier::new(&plan, &redact).ask(&question());
    assert_eq!(
        outcome.answer,
        Answer::Block("gone (anthropic m)".to_owned())
    );
}

#[test]
fn a_critique_is_words() {
    let server = Server::playing(vec![Scene::Reply(200, words("`rm`: too broad"))]);
    let mut rules = question();
    rules.rules.allow = vec!["rm".to_owned()];
    let plan = plan(&server);
    let (text, _) = Classifier::new(&plan, &|it| it).critique(&rules).unwrap();
    assert_eq!(text, "`rm`: too broad");
    assert!(server.requests()[0].contains("allow: \\\"rm\\\""));
}
