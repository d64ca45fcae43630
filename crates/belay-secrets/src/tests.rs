use belay_model::Value;
use proptest::prelude::*;

use crate::{redact, redact_value};

fn check(text: &str, expected: &str) {
    assert_eq!(redact(text), expected);
    assert_eq!(redact(expected), expected, "twice");
}

fn kept(text: &str) {
    check(text, text);
}

#[test]
fn tokens_by_their_form() {
    for begin in [
        "sk-ant-api03-",
        "ghp_",
        "github_pat_",
        "xoxb-",
        "glpat-",
        "hf_",
        "npm_",
    ] {
        let token = format!("{begin}{}", "a1B2".repeat(9));
        check(&format!("echo {token}; ls"), "echo [redacted]; ls");
        check(&format!("x={token} y"), "x=[redacted] y");
    }
    check("AKIAIOSFODNN7EXAMPLE", "[redacted]");
    check("(AIzaSyA1234567890abcdefghijklmnopqrstu)", "([redacted])");
    check(
        "t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc",
        "t [redacted]",
    );
}

#[test]
fn words_that_only_begin_like_a_token() {
    kept("sk-learn and npm_config, AKIA, task-list sk-");
    kept("git log --oneline eyJ");
}

#[test]
fn private_keys() {
    check(
        "a\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\n-----END OPENSSH PRIVATE KEY-----\nb",
        "a\n[redacted]\nb",
    );
    check("-----BEGIN PRIVATE KEY-----\nMIIE", "[redacted]");
    kept("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----");
}

#[test]
fn passwords_in_urls() {
    check(
        "psql postgres://app:s3cr3t@db/prod",
        "psql postgres://app:[redacted]@db/prod",
    );
    check("redis://:p@ss@h:6379", "redis://:[redacted]@h:6379");
    check(
        "git clone https://0123456789abcdef0123456789abcdef@h/r",
        "git clone https://[redacted]@h/r",
    );
    kept("ssh://git@github.com/a/b https://a.test/x@y postgres://u:$PW@h");
}

#[test]
fn assignments_of_secret_names() {
    check(
        "export DB_PASSWORD=hunter2 && run",
        "export DB_PASSWORD=[redacted] && run",
    );
    check("PGPASSWORD='a b' psql", "PGPASSWORD='[redacted]' psql");
    check(
        "AWS_SECRET_ACCESS_KEY=wJalr/XUtn",
        "AWS_SECRET_ACCESS_KEY=[redacted]",
    );
    check(
        "AccountName=a;AccountKey=Zm9v==;",
        "AccountName=a;AccountKey=[redacted];",
    );
    check(
        "https://h/?token=abc&x=1",
        "https://h/?token=[redacted]&x=1",
    );
    check(
        "deploy --token abc --api-key=def -v",
        "deploy --token [redacted] --api-key=[redacted] -v",
    );
    check(
        "password: hunter2\nuser: me",
        "password: [redacted]\nuser: me",
    );
    check(
        "ENV['GITHUB_TOKEN'] = 'x1'",
        "ENV['GITHUB_TOKEN'] = '[redacted]'",
    );
}

#[test]
fn json_inside_text() {
    check(
        r#"{"client_secret": "abc", "a": 1}"#,
        r#"{"client_secret": "[redacted]", "a": 1}"#,
    );
    check(
        r#"{\"password\": \"abc\"}"#,
        r#"{\"password\": \"[redacted]\"}"#,
    );
}

#[test]
fn headers() {
    check(
        "curl -H 'Authorization: Bearer abc123def456' h",
        "curl -H 'Authorization: Bearer [redacted]' h",
    );
    check("-H 'X-Api-Key: abc'", "-H 'X-Api-Key: [redacted]'");
    check(
        "authorization: token abc",
        "authorization: token [redacted]",
    );
    check("curl -u me:hunter2 h", "curl -u me:[redacted] h");
}

#[test]
fn what_is_no_secret_stays() {
    kept("PWD=/tmp TOKEN_FILE=/x max_tokens=256 docker run -u 1000:1000");
    kept("echo $TOKEN; API_KEY=$(cat k); --password \"$PW\" SECRET_NAME=a");
    kept("git commit -m 'basic cleanup' && cargo test token");
    kept("src/token.rs:12:5: password is checked here? key: value, monkey=1");
    kept("if (token == other) { secret != a }");
}

#[test]
fn members_by_their_name() {
    let text = |it: &str| Value::from(it);
    let object = |members: &[(&str, Value)]| {
        let named = members
            .iter()
            .map(|(name, it)| ((*name).to_owned(), it.clone()));
        Value::Object(named.collect())
    };
    let list = |secret: &str| Value::Array(vec![object(&[("password", text(secret))])]);
    let with = |secret: &str| {
        object(&[
            ("apiKey", text(secret)),
            ("n", list(secret)),
            ("tool", text("a")),
        ])
    };
    assert_eq!(redact_value(with("abc")), with("[redacted]"));
    let manifest = |secret: &str| {
        object(&[
            ("kind", text("Secret")),
            ("data", object(&[("x", text(secret))])),
        ])
    };
    assert_eq!(redact_value(manifest("aGk=")), manifest("[redacted]"));
}

proptest! {
    #[test]
    fn redacting_twice_changes_nothing_more(text in r#"([ -~\n]|token|password|secret|=|:|"|sk-|://|@|Bearer | ){0,60}"#) {
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once).into_owned(), once);
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let _ = redact(&text);
    }
}
