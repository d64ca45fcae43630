//! The daemon: the hook's answers over a socket and over loopback, and never an allow by accident.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A daemon in an empty home, gone when dropped.
struct Daemon {
    home: tempfile::TempDir,
    child: Child,
    port: u16,
}

impl Daemon {
    fn start(env: &[(&str, &str)]) -> Self {
        let home = tempfile::Builder::new().prefix("bd").tempdir().unwrap();
        std::fs::create_dir(home.path().join("project")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut command = belay(home.path(), &["serve", &format!("--http={port}")]);
        command.envs(env.iter().copied());
        let child = command.stderr(Stdio::null()).spawn().unwrap();
        let daemon = Self { home, child, port };
        let begun = Instant::now();
        while UnixStream::connect(daemon.socket()).is_err() {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "the daemon does not start"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        daemon
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home
            .path()
            .join(".local/state/belay/daemon")
            .join(name)
    }

    fn socket(&self) -> PathBuf {
        self.file("socket")
    }

    fn token(&self) -> String {
        std::fs::read_to_string(self.file("token")).unwrap()
    }

    fn call(&self, command: &str) -> String {
        self.call_in("s", command)
    }

    fn call_in(&self, session: &str, command: &str) -> String {
        let project = self.home.path().join("project");
        serde_json::json!({"session_id": session, "transcript_path": "/nowhere", "cwd": project, "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"}).to_string()
    }

    /// Asks over the socket.
    fn ask(&self, command: &str) -> String {
        self.ask_in("s", command)
    }

    fn ask_in(&self, session: &str, command: &str) -> String {
        let stream = UnixStream::connect(self.socket()).unwrap();
        exchange(
            stream,
            &post("claude-code", "", &self.call_in(session, command)),
        )
    }

    fn over_loopback(&self, text: &str) -> String {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        exchange(stream, text)
    }

    fn belay(&self, words: &[&str]) -> Output {
        belay(self.home.path(), words).output().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn belay(home: &std::path::Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
    command.args(words);
    if let Some(&("serve" | "hook")) = words.first() {
        command.arg("--home").arg(home);
    }
    command
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin");
    command
}

fn post(agent: &str, headers: &str, body: &str) -> String {
    format!(
        "POST /belay/hook/{agent} HTTP/1.1\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn exchange(mut stream: impl Read + Write, text: &str) -> String {
    // Who is turned away may be so before all was said.
    let _ = stream.write_all(text.as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

fn is_allow(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 200 ") && answer.contains(r#""permissionDecision":"allow""#)
}

fn is_refusal(answer: &str) -> bool {
    let refused = [r#""permissionDecision":"deny""#, r#""verdict":"deny""#];
    refused.iter().any(|it| answer.contains(it)) && !answer.contains("allow")
}

#[test]
fn it_answers_as_the_hook_does() {
    let daemon = Daemon::start(&[]);
    assert!(is_allow(&daemon.ask("ls")), "{}", daemon.ask("ls"));
    assert!(is_refusal(&daemon.ask("rm -rf ~")));
    let mut hook = belay(daemon.home.path(), &["hook", "claude-code"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let call = daemon.call("git push --force origin main");
    hook.stdin
        .take()
        .unwrap()
        .write_all(call.as_bytes())
        .unwrap();
    let said = hook.wait_with_output().unwrap().stdout;
    let answer = daemon.ask("git push --force origin main");
    assert!(
        answer.ends_with(std::str::from_utf8(&said).unwrap()),
        "{answer}"
    );
    let log = daemon.belay(&["log", "--json"]);
    assert_eq!(String::from_utf8(log.stdout).unwrap().lines().count(), 4);
}

#[test]
fn its_places_are_private() {
    let daemon = Daemon::start(&[]);
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(daemon.file("")), 0o700);
    assert_eq!(mode(daemon.socket()), 0o600);
    assert_eq!(mode(daemon.file("token")), 0o600);
    assert_eq!(daemon.token().len(), 64);
}

#[test]
fn loopback_wants_the_token() {
    let daemon = Daemon::start(&[]);
    let call = daemon.call("ls");
    let token = daemon.token();
    let bearer = |it: &str| format!("Authorization: Bearer {it}\r\n");
    let right = daemon.over_loopback(&post("claude-code", &bearer(&token), &call));
    assert!(is_allow(&right), "{right}");
    let twice = bearer(&token).repeat(2);
    for headers in [
        "",
        &bearer(""),
        &bearer("x"),
        &bearer(token.get(1..).unwrap()),
        &twice,
    ] {
        let answer = daemon.over_loopback(&post("claude-code", headers, &call));
        assert!(
            answer.starts_with("HTTP/1.1 401 ") && is_refusal(&answer),
            "{answer}"
        );
    }
    let stop = format!(
        "POST /belay/stop HTTP/1.1\r\n{}content-length: 0\r\n\r\n",
        bearer(&token)
    );
    assert!(daemon.over_loopback(&stop).starts_with("HTTP/1.1 404 "));
    assert!(is_allow(&daemon.ask("ls")));
}

#[test]
fn what_is_broken_is_refused_and_harms_nobody() {
    let daemon = Daemon::start(&[]);
    let deep = "[".repeat(200_000);
    let nested = daemon.call(&"$(".repeat(50_000));
    let whole = |text: &str| exchange(UnixStream::connect(daemon.socket()).unwrap(), text);
    for body in ["", "{", "null", "[]", "{}", "\0", &deep, &nested] {
        let answer = whole(&post("claude-code", "", body));
        assert!(
            answer.contains("HTTP/1.1 200 ") && !is_allow(&answer),
            "{answer}"
        );
        assert!(
            answer.contains("deny") || answer.contains("\"ask\""),
            "{answer}"
        );
    }
    for text in [
        "GET / HTTP/1.1\r\n\r\n",
        "what\r\n\r\n",
        &post("nobody", "", "{}"),
        &"x".repeat(100_000),
    ] {
        let answer = whole(text);
        assert!(
            is_refusal(&answer) && !answer.contains("HTTP/1.1 200 "),
            "{answer}"
        );
    }
    assert!(is_allow(&daemon.ask("ls")));
}

#[test]
fn a_panic_is_refused_and_the_daemon_goes_on() {
    let daemon = Daemon::start(&[("BELAY_TEST_ACCIDENT", "panic")]);
    for _ in 0..3 {
        assert!(is_refusal(&daemon.ask("ls")));
    }
}

#[test]
fn who_is_late_is_refused() {
    let daemon = Daemon::start(&[
        ("BELAY_TEST_ACCIDENT", "hang"),
        ("BELAY_TEST_DEADLINE_MS", "100"),
    ]);
    let answer = daemon.ask("ls");
    assert!(
        is_refusal(&answer) && answer.contains("no verdict in time"),
        "{answer}"
    );
}

#[test]
fn who_says_nothing_keeps_nobody_waiting() {
    let daemon = Daemon::start(&[]);
    let silent: Vec<UnixStream> = (0..20)
        .map(|_| UnixStream::connect(daemon.socket()).unwrap())
        .collect();
    assert!(is_allow(&daemon.ask("ls")));
    drop(silent);
}

#[test]
fn when_it_is_full_it_refuses() {
    let daemon = Daemon::start(&[]);
    let silent: Vec<UnixStream> = (0..80)
        .map(|_| UnixStream::connect(daemon.socket()).unwrap())
        .collect();
    let answer = daemon.ask("ls");
    assert!(
        answer.starts_with("HTTP/1.1 503 ") && is_refusal(&answer),
        "{answer}"
    );
    drop(silent);
    let begun = Instant::now();
    while !is_allow(&daemon.ask("ls")) {
        assert!(begun.elapsed() < Duration::from_secs(15));
    }
}

#[test]
fn many_are_answered_at_once() {
    let daemon = Daemon::start(&[]);
    std::thread::scope(|scope| {
        for at in 0..24 {
            let daemon = &daemon;
            scope.spawn(move || match at % 2 {
                0 => assert!(is_allow(&daemon.ask_in("calm", "ls"))),
                // Many denials in one session make the gate stricter there.
                _ => assert!(is_refusal(&daemon.ask_in("wild", "rm -rf ~"))),
            });
        }
    });
}

#[test]
fn nobody_can_pretend_to_be_the_person() {
    let daemon = Daemon::start(&[]);
    let prompt =
        r#"{"session_id":"s","cwd":"/p","hook_event_name":"UserPromptSubmit","prompt":"go on"}"#;
    let answer = exchange(
        UnixStream::connect(daemon.socket()).unwrap(),
        &post("claude-code", "", prompt),
    );
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("\r\n\r\n"),
        "{answer}"
    );
    assert!(
        !daemon
            .home
            .path()
            .join(".local/state/belay/sessions")
            .exists()
    );
}

#[test]
fn there_is_one_daemon_and_it_stops_when_told() {
    let mut daemon = Daemon::start(&[]);
    let second = daemon.belay(&["serve"]);
    assert_eq!(second.status.code(), Some(1));
    assert!(
        String::from_utf8(second.stderr)
            .unwrap()
            .contains("already running")
    );
    assert_eq!(
        daemon.belay(&["serve", "--background"]).status.code(),
        Some(0)
    );
    let stopped = daemon.belay(&["serve", "--stop"]);
    assert_eq!(
        String::from_utf8(stopped.stdout).unwrap(),
        "the daemon has stopped\n"
    );
    assert_eq!(daemon.child.wait().unwrap().code(), Some(0));
    assert!(!daemon.socket().exists());
    let stopped = daemon.belay(&["serve", "--stop"]);
    assert_eq!(
        String::from_utf8(stopped.stdout).unwrap(),
        "the daemon is not running\n"
    );
}

#[test]
fn what_a_crash_left_is_no_hindrance() {
    let mut daemon = Daemon::start(&[]);
    daemon.child.kill().unwrap();
    daemon.child.wait().unwrap();
    assert!(daemon.socket().exists());
    let token = daemon.token();
    assert_eq!(
        daemon.belay(&["serve", "--background"]).status.code(),
        Some(0)
    );
    assert!(is_allow(&daemon.ask("ls")));
    assert_eq!(daemon.token(), token);
    assert_eq!(daemon.belay(&["serve", "--stop"]).status.code(), Some(0));
}

#[test]
fn strangers_at_one_door_keep_nobody_waiting_at_the_other() {
    let daemon = Daemon::start(&[]);
    let silent: Vec<TcpStream> = (0..60)
        .map(|_| TcpStream::connect(("127.0.0.1", daemon.port)).unwrap())
        .collect();
    assert!(is_allow(&daemon.ask("ls")));
    let bearer = format!("authorization: Bearer {}\r\n", daemon.token());
    let call = post("claude-code", &bearer, &daemon.call("ls"));
    let answer = daemon.over_loopback(&call);
    assert!(
        answer.starts_with("HTTP/1.1 503 ") && is_refusal(&answer),
        "{answer}"
    );
    // Nobody may stand there for long without saying who they are.
    let begun = Instant::now();
    while !is_allow(&daemon.over_loopback(&call)) {
        assert!(begun.elapsed() < Duration::from_secs(8));
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(silent);
}

#[test]
fn a_refusal_arrives_however_much_is_said() {
    let daemon = Daemon::start(&[]);
    let long = daemon.call(&"x".repeat(8_000_000));
    let answer = daemon.over_loopback(&post("claude-code", "", &long));
    assert!(
        answer.starts_with("HTTP/1.1 401 ") && is_refusal(&answer),
        "{answer}"
    );
    let far = post("claude-code", "", &"x".repeat(17_000_000));
    let answer = exchange(UnixStream::connect(daemon.socket()).unwrap(), &far);
    assert!(
        answer.starts_with("HTTP/1.1 413 ") && is_refusal(&answer),
        "{answer}"
    );
}

#[test]
fn a_web_page_gets_no_answer() {
    let daemon = Daemon::start(&[]);
    let bearer = format!("authorization: Bearer {}\r\n", daemon.token());
    let call = daemon.call("ls");
    let with = |header: &str| {
        let headers = format!("{bearer}{header}");
        daemon.over_loopback(&post("claude-code", &headers, &call))
    };
    for ours in [
        format!("Host: 127.0.0.1:{}\r\n", daemon.port),
        format!("Host: localhost:{}\r\n", daemon.port),
        "Host: localhost\r\n".to_owned(),
    ] {
        assert!(is_allow(&with(&ours)), "{ours}");
    }
    for page in [
        "Host: evil.example\r\n",
        "Host: 127.0.0.1.evil.example:47419\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: \r\n",
        "Origin: null\r\n",
        "Origin: http://127.0.0.1:3000\r\n",
        "Host: localhost\r\nSec-Fetch-Site: same-origin\r\n",
    ] {
        let answer = with(page);
        assert!(
            answer.starts_with("HTTP/1.1 403 ") && is_refusal(&answer),
            "{page}: {answer}"
        );
    }
}

#[test]
fn a_token_that_others_may_read_is_none() {
    let home = tempfile::Builder::new().prefix("bd").tempdir().unwrap();
    let folder = home.path().join(".local/state/belay/daemon");
    let token = folder.join("token");
    let refused = |what: &str| {
        // A port of its own, which is never opened.
        let output = belay(home.path(), &["serve", "--http=1"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && said.contains(what),
            "{what}: {said}"
        );
    };
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(&token, "0".repeat(64)).unwrap();
    let mode = |mode| std::fs::set_permissions(&token, PermissionsExt::from_mode(mode)).unwrap();
    mode(0o640);
    refused("is readable by others");
    mode(0o600);
    std::fs::rename(&token, home.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(home.path().join("elsewhere"), &token).unwrap();
    refused("is not a file of your own");
    std::fs::remove_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(home.path(), &folder).unwrap();
    refused("is not a folder of your own");
}

/// Where modes and owner of the socket let another user through, the daemon still tells who is there.
#[test]
fn another_user_gets_no_answer() {
    let daemon = Daemon::start(&[]);
    let open = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    };
    let socket = daemon.socket();
    let inside = |it: &&std::path::Path| it.starts_with(daemon.home.path());
    for folder in socket.ancestors().skip(1).take_while(inside) {
        open(folder, 0o755);
    }
    open(&socket, 0o666);
    let question = daemon.home.path().join("question");
    std::fs::write(&question, post("claude-code", "", &daemon.call("ls"))).unwrap();
    let script = "import socket, sys\n\
        it = socket.socket(socket.AF_UNIX)\n\
        it.connect(sys.argv[1])\n\
        it.sendall(open(sys.argv[2], 'rb').read())\n\
        print(it.makefile().read())\n";
    let python = belay_needs::program("python3").unwrap();
    let (at, what) = (socket.display().to_string(), question.display().to_string());
    let words = ["-c", script, &at, &what];
    let asked = || belay_needs::as_second_user(&python, &words);
    let Some(done) = belay_needs::Need::SecondUser.met("a second user", asked) else {
        return;
    };
    let answer = String::from_utf8(done.stdout).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 403 ") && is_refusal(&answer),
        "{answer}"
    );
    // The same question of the daemon's own user.
    let own = std::fs::read_to_string(&question).unwrap();
    assert!(is_allow(&exchange(
        UnixStream::connect(&socket).unwrap(),
        &own
    )));
}

/// Whoever does not know the token gets no room for what they send, and everybody gets an answer instead of a reset.
#[test]
fn strangers_cost_little_and_are_told() {
    let daemon = Daemon::start(&[]);
    let long = "x".repeat(4_000_000);
    let heads = ["authorization: Bearer x\r\n", ""];
    let told: Vec<String> = std::thread::scope(|scope| {
        let ask = |at: usize| {
            let (daemon, long) = (&daemon, &long);
            let head = heads.get(at % 2).unwrap();
            scope.spawn(move || daemon.over_loopback(&post("claude-code", head, long)))
        };
        let asked: Vec<_> = (0..100).map(ask).collect();
        asked.into_iter().map(|it| it.join().unwrap()).collect()
    });
    for answer in &told {
        let code = answer.get(..12).unwrap_or_default();
        let known = ["HTTP/1.1 401", "HTTP/1.1 503"].contains(&code);
        assert!(known && is_refusal(answer), "{answer:?}");
    }
    let status = format!("/proc/{}/status", daemon.child.id());
    let status = std::fs::read_to_string(status).unwrap();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    assert!(peak.parse::<u64>().unwrap() < 128 * 1024, "{peak} kB");
    assert!(is_allow(&daemon.ask("ls")));
}

/// Other users' folders and files are not the daemon's.
#[test]
fn what_belongs_to_others_is_not_ours() {
    let home = tempfile::Builder::new().prefix("bd").tempdir().unwrap();
    let folder = home.path().join(".local/state/belay/daemon");
    std::fs::create_dir_all(&folder).unwrap();
    let token = folder.join("token");
    std::fs::write(&token, "0".repeat(64)).unwrap();
    std::fs::set_permissions(&token, PermissionsExt::from_mode(0o600)).unwrap();
    let given = |path: &std::path::Path| std::os::unix::fs::chown(path, Some(65534), None).ok();
    let root = || given(&token);
    if belay_needs::Need::SecondUser
        .met("a second user", root)
        .is_none()
    {
        return;
    }
    let refused = |what: &str| {
        let output = belay(home.path(), &["serve", "--http=1"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(what), "{said}");
    };
    refused("is not a file of your own");
    given(&folder).unwrap();
    refused("is not a folder of your own");
}
