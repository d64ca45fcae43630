//! An accident never reads as allow: each is really done to the built binary, for every agent
//! whose client runs commands as hooks, and each must end in the refusing form.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const AGENTS: [&str; 5] = ["claude-code", "codex", "gemini", "qwen", "copilot"];

/// A call that is allowed when nothing goes wrong.
fn harmless(project: &Path) -> Vec<u8> {
    let project = project.display();
    format!(
        r#"{{"session_id":"s","transcript_path":"/nowhere","cwd":"{project}","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{{"file_path":"{project}/a.rs"}},"tool_use_id":"t"}}"#
    )
    .into_bytes()
}

struct Hook {
    home: tempfile::TempDir,
    command: Command,
}

impl Hook {
    fn of(agent: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("project")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        command
            .args(["hook", agent, "--home"])
            .arg(home.path())
            .env_clear()
            .env("HOME", home.path());
        command.current_dir(home.path().join("project"));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self { home, command }
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    fn file(self, path: &str, text: &[u8]) -> Self {
        let path = self.home.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn call(&self) -> Vec<u8> {
        harmless(&self.home.path().join("project"))
    }

    fn hears(mut self, input: &[u8]) -> Output {
        let mut child = self.command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The hook may refuse before it has read everything.
        let _ = stdin.write_all(input);
        drop(stdin);
        child.wait_with_output().unwrap()
    }
}

fn is_refusal(what: &str, output: &Output) {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let said = format!("{what}: {}\n{stdout}\n{stderr}", output.status);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!stderr.trim().is_empty(), "{said}");
    assert!(
        stdout.starts_with(r#"{"decision":"block","#) && stdout.ends_with('}'),
        "{said}"
    );
    assert!(stdout.contains(r#""permissionDecision":"deny""#), "{said}");
    assert!(!stdout.contains("allow"), "{said}");
}

fn check(prepare: impl Fn(Hook) -> Hook, input: impl Fn(&Hook) -> Vec<u8>) {
    for agent in AGENTS {
        let hook = prepare(Hook::of(agent));
        let input = input(&hook);
        is_refusal(agent, &hook.hears(&input));
    }
}

#[test]
fn nothing_goes_wrong() {
    let hook = Hook::of("claude-code");
    let call = hook.call();
    let output = hook.hears(&call);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        stdout.contains(r#""permissionDecision":"allow""#),
        "{output:?}"
    );
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn panic() {
    check(|it| it.env("BELAY_TEST_ACCIDENT", "panic"), Hook::call);
}

#[test]
fn deadline() {
    let late = |it: Hook| {
        it.env("BELAY_TEST_ACCIDENT", "hang")
            .env("BELAY_TEST_DEADLINE_MS", "50")
    };
    check(late, Hook::call);
}

/// What a parent does to signals is inherited: the deadline holds all the same.
#[test]
#[cfg(target_os = "linux")]
fn a_deadline_whose_signal_is_ignored_and_blocked() {
    let belay = env!("CARGO_BIN_EXE_belay");
    let mut hook = Hook::of("claude-code");
    let call = hook.call();
    let words: Vec<_> = hook.command.get_args().map(ToOwned::to_owned).collect();
    let mut env = Command::new("env");
    env.args(["--ignore-signal=ALRM", "--block-signal=ALRM", belay]);
    env.args(words);
    env.env("BELAY_TEST_ACCIDENT", "hang");
    env.env("BELAY_TEST_DEADLINE_MS", "50");
    env.stdin(Stdio::piped()).stdout(Stdio::piped());
    hook.command = env;
    hook.command.stderr(Stdio::piped());
    is_refusal("signal held back", &hook.hears(&call));
}

#[test]
fn an_agent_that_never_stops_writing() {
    let mut hook = Hook::of("claude-code").env("BELAY_TEST_DEADLINE_MS", "200");
    let mut child = hook.command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"hook_event_name\":").unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    is_refusal("open stdin", &output);
}

#[test]
fn closed_stdin() {
    check(|it| it, |_| Vec::new());
    let belay = env!("CARGO_BIN_EXE_belay");
    let script = format!("'{belay}' hook claude-code <&-");
    let output = Command::new("sh")
        .args(["-c", &script])
        .env_remove("HOME")
        .output()
        .unwrap();
    is_refusal("stdin closed", &output);
}

#[test]
fn closed_stdout() {
    let belay = env!("CARGO_BIN_EXE_belay");
    for script in [
        format!("'{belay}' hook claude-code >&- </dev/null"),
        format!("'{belay}' hook claude-code </dev/null >/dev/full"),
    ] {
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn invalid_utf8() {
    check(
        |it| it,
        |hook| {
            hook.call()
                .iter()
                .map(|it| if *it == b'/' { 0xff } else { *it })
                .collect()
        },
    );
}

#[test]
fn not_json() {
    for input in [
        "",
        " ",
        "null",
        "[]",
        "{",
        "allow",
        "{}",
        "{\"tool_name\":3}",
        "\0",
    ] {
        check(|it| it, |_| input.as_bytes().to_vec());
    }
}

#[test]
fn sixty_four_megabytes() {
    let hook = Hook::of("claude-code");
    let mut input = hook.call();
    input.resize(64 * 1024 * 1024 + 1, b' ');
    is_refusal("too large", &hook.hears(&input));
}

#[test]
fn sixty_four_megabytes_of_command() {
    let hook = Hook::of("claude-code");
    let command = "x ".repeat(31 * 1024 * 1024);
    let input = format!(
        r#"{{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{command}"}},"tool_use_id":"t"}}"#
    );
    let output = hook.hears(input.as_bytes());
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(!stdout.contains(r#""allow""#), "{}", output.status);
    assert!(
        output.status.code() == Some(2)
            || stdout.contains(r#""ask""#)
            || stdout.contains(r#""deny""#),
        "{}",
        output.status
    );
}

#[test]
fn nested_without_end() {
    check(|it| it, |_| "[".repeat(1_000_000).into_bytes());
    check(|it| it, |_| "{\"a\":".repeat(1_000_000).into_bytes());
}

#[test]
fn a_command_nested_without_end() {
    for (open, times) in [
        ("$(", 50_000),
        ("( ", 50_000),
        ("{ ", 50_000),
        ("if ", 50_000),
        ("${a:-", 50_000),
        ("bash -c '", 2_000),
    ] {
        let hook = Hook::of("claude-code");
        let input = format!(
            r#"{{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{}"}},"tool_use_id":"t"}}"#,
            open.repeat(times)
        );
        let output = hook.hears(input.as_bytes());
        let stdout = String::from_utf8_lossy(&output.stdout);
        let judged = stdout.contains(r#""ask""#) || stdout.contains(r#""deny""#);
        assert!(judged, "{open} {} {stdout}", output.status);
    }
}

#[test]
fn unreadable_settings() {
    check(
        |it| it.file(".config/belay/config.toml", b"mode = [\n"),
        Hook::call,
    );
    check(
        |it| it.file(".config/belay/config.toml", b"\xff\xfe"),
        Hook::call,
    );
    check(
        |it| it.file(".config/belay/config.toml/folder", b""),
        Hook::call,
    );
}

#[test]
fn a_missing_home_is_no_accident_the_registration_names_it() {
    let mut hook = Hook::of("claude-code");
    hook.command.env_remove("HOME");
    let call = hook.call();
    let output = hook.hears(&call);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("allow"));
}

#[test]
fn a_journal_that_cannot_be_written() {
    check(
        |it| it.file(".local/state/belay", b"a file where a folder should be"),
        Hook::call,
    );
    check(
        |it| it.file(".local/state", b"a file where a folder should be"),
        Hook::call,
    );
}

#[test]
fn an_unknown_agent() {
    let hook = Hook::of("nobody");
    let call = hook.call();
    is_refusal("nobody", &hook.hears(&call));
    let output = Command::new(env!("CARGO_BIN_EXE_belay"))
        .arg("hook")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    is_refusal("no agent", &output);
}

/// What the hook of Claude Code made of a call, started as an agent starts it.
struct Ended {
    output: Output,
    records: usize,
}

impl Ended {
    /// Runs the registered line of shell after `before`, with `around` behind it.
    fn of(command: &str, before: &str, around: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("project");
        std::fs::create_dir(&project).unwrap();
        let call = serde_json::json!({"session_id": "s", "transcript_path": "/nowhere", "cwd": project, "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"});
        let input = home.path().join("input");
        std::fs::write(&input, call.to_string()).unwrap();
        let script = format!(
            "{before} {{ '{}' hook claude-code --home '{}' || {{ echo 'belay: refused' >&2; exit 2; }}; }} {around}",
            env!("CARGO_BIN_EXE_belay"),
            home.path().display(),
        );
        let output = Command::new("sh")
            .args(["-c", &script])
            .stdin(std::fs::File::open(input).unwrap())
            .current_dir(&project)
            .env_clear()
            .output()
            .unwrap();
        let journal = home.path().join(".local/state/belay");
        let records = lines_below(&journal);
        Self { output, records }
    }

    /// Tells whether the agent would run the call; what is neither that nor a refusal is a fault.
    fn runs(&self, what: &str) -> bool {
        let said = String::from_utf8_lossy(&self.output.stdout);
        let fault = format!("{what}: {:?}", self.output);
        if self.output.status.code() == Some(2) {
            assert!(!said.contains(r#""allow""#), "{fault}");
            return false;
        }
        assert_eq!(self.output.status.code(), Some(0), "{fault}");
        let answer: serde_json::Value = serde_json::from_str(&said).unwrap_or_default();
        let word = answer.pointer("/hookSpecificOutput/permissionDecision");
        let word = word.and_then(serde_json::Value::as_str);
        assert!(word.is_some(), "{fault}");
        assert!(self.records > 0, "no record, {fault}");
        word == Some("allow")
    }
}

fn lines_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let count = |path: &Path| match path.is_dir() {
        true => lines_below(path),
        false if path.extension().is_some_and(|it| it == "jsonl") => {
            std::fs::read(path)
                .unwrap()
                .split(|it| *it == b'\n')
                .count()
                - 1
        }
        false => 0,
    };
    entries.map(|it| count(&it.path())).sum()
}

#[test]
fn small_limits_end_in_an_answer_or_a_refusal() {
    assert!(Ended::of("ls", "", "").runs("no limit"));
    let files = [0, 1, 2, 4].map(|it| format!("ulimit -f {it};"));
    let open = (3..14).map(|it| format!("ulimit -n {it};"));
    let memory = [4, 8, 16, 24, 32, 48, 64, 96, 128].map(|it| format!("ulimit -v {};", it * 1024));
    for limit in files.into_iter().chain(open).chain(memory) {
        let _ = Ended::of("ls", &limit, "").runs(&limit);
        assert!(!Ended::of("rm -rf ~", &limit, "").runs(&limit), "{limit}");
    }
    assert!(!Ended::of("ls", "ulimit -f 0;", "").runs("no file may grow"));
}

#[test]
fn closed_descriptors_end_in_an_answer_or_a_refusal() {
    for around in [
        "<&-",
        ">&-",
        "<&- >&-",
        ">&- 2>&-",
        "<&- >&- 2>&-",
        ">/dev/null",
    ] {
        let ended = Ended::of("ls", "", around);
        assert!(!ended.runs(around), "{around}: {:?}", ended.output);
        assert!(!Ended::of("rm -rf ~", "", around).runs(around), "{around}");
    }
    // Nobody reads the reasons, which is no reason to refuse.
    assert!(Ended::of("ls", "", "2>&-").runs("2>&-"));
    assert!(!Ended::of("rm -rf ~", "", "2>&-").runs("2>&-"));
}
