//! Bodies against schemas of the documented requests, written by us; and the readers.

mod schemas;
mod validator;

use super::*;
use validator::violations;

const FORMS: [Form; 5] = [
    Form::Forced,
    Form::Auto,
    Form::Structured,
    Form::Word,
    Form::Prose,
];

const PROVIDERS: [Provider; 4] = [
    Provider::Anthropic,
    Provider::OpenAi,
    Provider::Compatible,
    Provider::Gemini,
];

fn prompt(system: &str) -> Prompt {
    Prompt {
        system: system.to_owned(),
        context: "the call".to_owned(),
        key: String::new(),
    }
}

fn body_of(provider: Provider, form: Form) -> Json {
    let ask = Ask {
        prompt: &prompt("rules"),
        model: provider.default_model().unwrap_or("qwen3:4b"),
        max_tokens: 256,
        form,
    };
    body(provider, &ask)
}

#[test]
fn every_body_is_as_documented() {
    for provider in PROVIDERS {
        for form in FORMS {
            let body = body_of(provider, form);
            let found = violations(&schemas::of(provider), &body);
            assert!(
                found.is_empty(),
                "{provider:?} {form:?}: {found:?}\n{body:#}"
            );
        }
    }
}

/// A mutant of a good body: where, and what stands there instead.
struct Mutant(Provider, &'static str, Option<Json>);

#[test]
fn the_validator_rejects_mutants() {
    let (anthropic, openai) = (Provider::Anthropic, Provider::OpenAi);
    let (chat, gemini) = (Provider::Compatible, Provider::Gemini);
    let mutants = [
        Mutant(anthropic, "/max_tokens", None),
        Mutant(anthropic, "/max_tokens", Some(json!("256"))),
        Mutant(anthropic, "/model", None),
        Mutant(anthropic, "/messages", Some(json!("hello"))),
        Mutant(anthropic, "/messages/0/role", Some(json!("system"))),
        Mutant(anthropic, "/tools/0/input_schema", None),
        Mutant(anthropic, "/tools/0/parameters", Some(json!({}))),
        Mutant(anthropic, "/tool_choice/name", None),
        Mutant(anthropic, "/tool_choice/type", Some(json!("function"))),
        Mutant(anthropic, "/response_format", Some(json!({}))),
        Mutant(openai, "/messages", Some(json!([]))),
        Mutant(openai, "/max_tokens", Some(json!(256))),
        Mutant(openai, "/input", None),
        Mutant(openai, "/tools/0/strict", None),
        Mutant(openai, "/tools/0/function", Some(json!({ "name": "x" }))),
        Mutant(openai, "/tools/0/name", None),
        Mutant(
            openai,
            "/tool_choice/function",
            Some(json!({ "name": "x" })),
        ),
        Mutant(openai, "/input/0/content/0/type", Some(json!("text"))),
        Mutant(openai, "/max_output_tokens", Some(json!(8))),
        Mutant(chat, "/messages", None),
        Mutant(chat, "/messages/0/role", Some(json!("model"))),
        Mutant(chat, "/tools/0/function/name", None),
        Mutant(chat, "/tools/0/name", Some(json!("x"))),
        Mutant(chat, "/tool_choice/function", None),
        Mutant(chat, "/max_output_tokens", Some(json!(256))),
        Mutant(gemini, "/contents", None),
        Mutant(gemini, "/contents/0/role", Some(json!("assistant"))),
        Mutant(gemini, "/model", Some(json!("gemini"))),
        Mutant(gemini, "/generationConfig/max_tokens", Some(json!(1))),
        Mutant(
            gemini,
            "/toolConfig/functionCallingConfig/mode",
            Some(json!("any")),
        ),
        Mutant(
            gemini,
            "/tools/0/functionDeclarations/0/parameters/additionalProperties",
            Some(json!(false)),
        ),
    ];
    for Mutant(provider, place, value) in mutants {
        let mut body = body_of(provider, Form::Forced);
        let (parent, name) = place.rsplit_once('/').unwrap();
        let parent = body.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match value {
            Some(value) => parent.insert(name.to_owned(), value),
            None => parent.remove(name),
        };
        let found = violations(&schemas::of(provider), &body);
        assert!(!found.is_empty(), "{provider:?} {place} was accepted");
    }
}

#[test]
fn the_tool_is_forced() {
    let choice = |provider, path: &str| body_of(provider, Form::Forced).pointer(path).cloned();
    assert_eq!(
        choice(Provider::Anthropic, "/tool_choice/name"),
        Some(json!(TOOL))
    );
    assert_eq!(
        choice(Provider::OpenAi, "/tool_choice/name"),
        Some(json!(TOOL))
    );
    assert_eq!(
        choice(Provider::Compatible, "/tool_choice/function/name"),
        Some(json!(TOOL))
    );
    let mode = "/toolConfig/functionCallingConfig";
    let any = json!({ "mode": "ANY", "allowedFunctionNames": [TOOL] });
    assert_eq!(choice(Provider::Gemini, mode), Some(any));
}

#[test]
fn strict_schemas_are_closed() {
    let body = body_of(Provider::OpenAi, Form::Forced);
    assert_eq!(body.pointer("/tools/0/strict"), Some(&json!(true)));
    let closed = body.pointer("/tools/0/parameters/additionalProperties");
    assert_eq!(closed, Some(&json!(false)));
}

#[test]
fn a_cache_marker_only_where_it_counts() {
    let marked = |model: &str, chars: usize| {
        let prompt = prompt(&"x".repeat(chars));
        let ask = Ask {
            prompt: &prompt,
            model,
            max_tokens: 256,
            form: Form::Forced,
        };
        let body = body(Provider::Anthropic, &ask);
        body.pointer("/system/0/cache_control").is_some()
    };
    assert!(!marked("claude-haiku-4-5-20251001", 8000));
    assert!(marked("claude-haiku-4-5-20251001", 20_000));
    assert!(marked("claude-sonnet-4-5", 8000));
}

#[test]
fn both_stages_begin_alike() {
    let same = [
        (Provider::Anthropic, "/tools"),
        (Provider::Anthropic, "/system"),
        (Provider::Anthropic, "/messages/0/content/0"),
        (Provider::OpenAi, "/tools"),
        (Provider::OpenAi, "/instructions"),
        (Provider::OpenAi, "/input/0/content/0"),
        (Provider::Gemini, "/tools"),
        (Provider::Gemini, "/systemInstruction"),
        (Provider::Gemini, "/contents/0/parts/0"),
    ];
    for (provider, place) in same {
        let (first, second) = (
            body_of(provider, Form::Word),
            body_of(provider, Form::Forced),
        );
        assert_eq!(
            first.pointer(place),
            second.pointer(place),
            "{provider:?} {place}"
        );
        assert!(first.pointer(place).is_some());
    }
}

#[test]
fn models_that_refuse_force_are_not_forced() {
    let first = |model| first_form(Provider::Anthropic, model);
    assert_eq!(first("claude-opus-5-5"), Form::Auto);
    assert_eq!(first("claude-haiku-4-5-20251001"), Form::Forced);
}

#[test]
fn addresses() {
    let check = |provider, base: Option<&str>, expected: &str| {
        let mut endpoint = Endpoint::new(provider);
        endpoint.base_url = base.map(str::to_owned);
        assert_eq!(address(&endpoint, "m"), expected);
    };
    let host = "https://h";
    check(
        Provider::Anthropic,
        None,
        "https://api.anthropic.com/v1/messages",
    );
    check(
        Provider::Anthropic,
        Some("https://h/x/"),
        "https://h/x/v1/messages",
    );
    check(
        Provider::Anthropic,
        Some("https://h/v1"),
        "https://h/v1/messages",
    );
    check(
        Provider::OpenAi,
        None,
        "https://api.openai.com/v1/responses",
    );
    check(Provider::OpenAi, Some(host), "https://h/v1/responses");
    check(
        Provider::Compatible,
        Some("http://localhost:11434/v1/"),
        "http://localhost:11434/v1/chat/completions",
    );
    check(
        Provider::Compatible,
        Some("http://localhost:11434"),
        "http://localhost:11434/v1/chat/completions",
    );
    check(
        Provider::Gemini,
        None,
        "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
    );
}

const GOOD: &str = r#"{"thinking":"t","should_block":false,"reason":"r"}"#;

fn verdict(provider: Provider, form: Form, reply: &Json) -> Result<bool, Fault> {
    match read(provider, form, reply.to_string().as_bytes()).0? {
        Said::Verdict(it) => Ok(it.should_block),
        Said::Words(words) => panic!("{words}"),
    }
}

fn input() -> Json {
    serde_json::from_str(GOOD).unwrap()
}

fn anthropic(stop: &str, content: Json) -> Json {
    json!({ "type": "message", "role": "assistant", "stop_reason": stop, "content": content, "usage": { "input_tokens": 10, "output_tokens": 2, "cache_read_input_tokens": 5 } })
}

#[test]
fn anthropic_replies() {
    let call = json!({ "type": "tool_use", "id": "1", "name": TOOL, "input": input() });
    let text = json!({ "type": "text", "text": GOOD });
    let read = |reply: Json| verdict(Provider::Anthropic, Form::Forced, &reply);
    assert_eq!(read(anthropic("tool_use", json!([call]))), Ok(false));
    assert_eq!(read(anthropic("tool_use", json!([text, call]))), Ok(false));
    assert_eq!(
        read(anthropic("tool_use", json!([call, call]))),
        Err(Fault::SeveralAnswers(2))
    );
    assert_eq!(
        read(anthropic("end_turn", json!([text]))),
        Err(Fault::NoToolCall)
    );
    assert_eq!(
        read(anthropic("max_tokens", json!([call]))),
        Err(Fault::CutOff)
    );
    assert!(matches!(
        read(anthropic("refusal", json!([]))),
        Err(Fault::Declined(_))
    ));
    assert!(matches!(
        read(anthropic("pause_turn", json!([call]))),
        Err(Fault::Malformed(_))
    ));
    let other = json!({ "type": "tool_use", "id": "1", "name": "allow", "input": input() });
    assert_eq!(
        read(anthropic("tool_use", json!([other]))),
        Err(Fault::WrongTool("allow".to_owned()))
    );
    let written = verdict(
        Provider::Anthropic,
        Form::Structured,
        &anthropic("end_turn", json!([text])),
    );
    assert_eq!(written, Ok(false));
}

#[test]
fn tokens_are_counted() {
    let reply = anthropic("tool_use", json!([])).to_string();
    let (_, usage) = read(Provider::Anthropic, Form::Forced, reply.as_bytes());
    assert_eq!((usage.input, usage.output), (15, 2));
}

#[test]
fn responses_replies() {
    let reply = |status: &str, output: Json| json!({ "object": "response", "status": status, "output": output });
    let call = json!({ "type": "function_call", "call_id": "1", "name": TOOL, "arguments": GOOD });
    let refusal = json!({ "type": "message", "content": [{ "type": "refusal", "refusal": "no" }] });
    let text = json!({ "type": "message", "content": [{ "type": "output_text", "text": GOOD }] });
    let reasoning = json!({ "type": "reasoning", "summary": [] });
    let read = |reply: Json| verdict(Provider::OpenAi, Form::Forced, &reply);
    assert_eq!(
        read(reply("completed", json!([reasoning, call]))),
        Ok(false)
    );
    assert_eq!(
        read(reply("completed", json!([call, call]))),
        Err(Fault::SeveralAnswers(2))
    );
    assert_eq!(read(reply("incomplete", json!([call]))), Err(Fault::CutOff));
    assert_eq!(
        read(reply("completed", json!([refusal]))),
        Err(Fault::Declined("no".to_owned()))
    );
    assert_eq!(
        read(reply("completed", json!([text]))),
        Err(Fault::NoToolCall)
    );
    assert!(matches!(
        read(reply("failed", json!([call]))),
        Err(Fault::Malformed(_))
    ));
    let cut = json!({ "type": "function_call", "name": TOOL, "arguments": "{\"thinking\":\"" });
    assert!(matches!(
        read(reply("completed", json!([cut]))),
        Err(Fault::Malformed(_))
    ));
    let written = verdict(
        Provider::OpenAi,
        Form::Structured,
        &reply("completed", json!([text])),
    );
    assert_eq!(written, Ok(false));
}

#[test]
fn chat_replies() {
    let reply = |finish: &str, message: Json| json!({ "choices": [{ "index": 0, "finish_reason": finish, "message": message }] });
    let call = json!({ "type": "function", "function": { "name": TOOL, "arguments": GOOD } });
    let calls = |calls: Json| json!({ "role": "assistant", "content": "", "tool_calls": calls });
    let text = json!({ "role": "assistant", "content": GOOD });
    let read = |reply: Json| verdict(Provider::Compatible, Form::Forced, &reply);
    assert_eq!(read(reply("tool_calls", calls(json!([call])))), Ok(false));
    assert_eq!(read(reply("stop", calls(json!([call])))), Ok(false));
    assert_eq!(
        read(reply("tool_calls", calls(json!([call, call])))),
        Err(Fault::SeveralAnswers(2))
    );
    assert_eq!(read(reply("stop", text.clone())), Err(Fault::NoToolCall));
    assert_eq!(
        read(reply("length", calls(json!([call])))),
        Err(Fault::CutOff)
    );
    assert!(matches!(
        read(reply("content_filter", calls(json!([call])))),
        Err(Fault::Declined(_))
    ));
    assert!(matches!(
        read(json!({ "choices": [] })),
        Err(Fault::NoToolCall)
    ));
    assert!(matches!(read(json!({})), Err(Fault::Malformed(_))));
    let written =
        |text: Json| verdict(Provider::Compatible, Form::Structured, &reply("stop", text));
    assert_eq!(written(text), Ok(false));
    assert!(written(json!({ "content": "should_block: false" })).is_err());
    assert!(written(json!({ "content": format!("{GOOD}{GOOD}") })).is_err());
}

#[test]
fn gemini_replies() {
    let reply = |finish: &str, parts: Json| json!({ "candidates": [{ "finishReason": finish, "content": { "role": "model", "parts": parts } }] });
    let call = json!({ "functionCall": { "name": TOOL, "args": input() } });
    let thought = json!({ "text": "hm", "thought": true });
    let text = json!({ "text": GOOD });
    let read = |reply: Json| verdict(Provider::Gemini, Form::Forced, &reply);
    assert_eq!(read(reply("STOP", json!([thought, call]))), Ok(false));
    assert_eq!(
        read(reply("STOP", json!([call, call]))),
        Err(Fault::SeveralAnswers(2))
    );
    assert_eq!(read(reply("STOP", json!([text]))), Err(Fault::NoToolCall));
    assert_eq!(read(reply("MAX_TOKENS", json!([call]))), Err(Fault::CutOff));
    assert!(matches!(
        read(reply("SAFETY", json!([call]))),
        Err(Fault::Declined(_))
    ));
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    assert!(matches!(read(blocked), Err(Fault::Declined(_))));
    let written = verdict(
        Provider::Gemini,
        Form::Structured,
        &reply("STOP", json!([thought, text])),
    );
    assert_eq!(written, Ok(false));
}

#[test]
fn one_word_is_only_words() {
    let text = anthropic("end_turn", json!([{ "type": "text", "text": "pass" }])).to_string();
    let (said, _) = read(Provider::Anthropic, Form::Word, text.as_bytes());
    assert_eq!(said, Ok(Said::Words("pass".to_owned())));
}

/// A reply that says block, in each provider's own way.
fn blocking() -> [(Provider, String); 4] {
    let input = json!({ "thinking": "t", "should_block": true, "reason": "r" });
    let text = input.to_string();
    let block = json!({ "type": "tool_use", "name": TOOL, "input": input });
    let item = json!({ "type": "function_call", "name": TOOL, "arguments": text });
    let call = json!({ "function": { "name": TOOL, "arguments": text } });
    let choice = json!({ "finish_reason": "stop", "message": { "tool_calls": [call] } });
    let part = json!({ "functionCall": { "name": TOOL, "args": input } });
    let candidate = json!({ "finishReason": "STOP", "content": { "parts": [part] } });
    [
        (
            Provider::Anthropic,
            anthropic("tool_use", json!([block])).to_string(),
        ),
        (
            Provider::OpenAi,
            json!({ "status": "completed", "output": [item] }).to_string(),
        ),
        (
            Provider::Compatible,
            json!({ "choices": [choice] }).to_string(),
        ),
        (
            Provider::Gemini,
            json!({ "candidates": [candidate] }).to_string(),
        ),
    ]
}

fn passes(provider: Provider, bytes: &[u8]) -> bool {
    FORMS
        .iter()
        .any(|form| match read(provider, *form, bytes).0 {
            Ok(Said::Verdict(verdict)) => !verdict.should_block,
            Ok(Said::Words(words)) => words.trim().eq_ignore_ascii_case("pass"),
            Err(_) => false,
        })
}

#[test]
fn no_damage_turns_block_into_pass() {
    for (provider, reply) in blocking() {
        let bytes = reply.as_bytes();
        for at in 0..bytes.len() {
            assert!(!passes(provider, &bytes[..at]), "{provider:?} cut at {at}");
            let mut without = bytes.to_vec();
            without.remove(at);
            assert!(!passes(provider, &without), "{provider:?} without {at}");
            for other in [b'"', b'{', b'}', b'\\', b'0', 0, 255] {
                let mut damaged = bytes.to_vec();
                damaged[at] = other;
                assert!(!passes(provider, &damaged), "{provider:?} {other} at {at}");
            }
        }
    }
}

#[test]
fn anything_at_all_is_read_without_harm() {
    let mut seed = 1_u64;
    for _ in 0..2000 {
        let mut bytes = Vec::new();
        for _ in 0..seed % 60 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let letters = br#"{}[]":,truefalsn"should_block"0 "#;
            bytes.push(letters[usize::try_from(seed >> 33).unwrap() % letters.len()]);
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        for provider in PROVIDERS {
            assert!(!passes(provider, &bytes));
        }
    }
}
