//! Feature flags of both kinds, from a scripted server to the verdict of the built binary.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const OFREP: &str = r#"{"flags":[{"key":"belay.thresholds.ask_at","value":40},{"key":"belay.thresholds.deny_at","value":100},{"key":"theirs","value":true}]}"#;
const GROWTHBOOK: &str = r#"{"status":200,"features":{
    "belay.thresholds.ask_at":{"defaultValue":60,"rules":[{"condition":{"team":{"$in":["core"]}},"force":40}]},
    "belay.mode":{"defaultValue":"off"}}}"#;

/// What a scripted server does with its next peers, in order.
#[derive(Clone)]
enum Script {
    /// A whole reply.
    Says(u16, &'static str, String),
    /// A reply that ends before its length is reached.
    Cut(&'static str),
    /// Nothing, for longer than anybody waits.
    Sleeps,
}

/// A server that plays its script, and tells what it heard.
struct Server {
    port: u16,
    heard: Receiver<String>,
}

impl Server {
    fn playing(scripts: Vec<Script>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, heard) = channel();
        std::thread::spawn(move || {
            for script in scripts {
                let (mut peer, _) = listener.accept().unwrap();
                tell.send(request(&peer)).unwrap();
                play(&script, &mut peer);
            }
        });
        Self { port, heard }
    }
}

fn request(peer: &TcpStream) -> String {
    let mut reader = BufReader::new(peer);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(it) = line.to_lowercase().strip_prefix("content-length:") {
            length = it.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line.to_lowercase());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

fn play(script: &Script, peer: &mut TcpStream) {
    let head = |status: u16, more: &str, length: usize| {
        format!(
            "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n{more}\r\n"
        )
    };
    // Nobody may listen any more.
    let _ = match script {
        Script::Says(status, more, body) => {
            peer.write_all((head(*status, more, body.len()) + body).as_bytes())
        }
        Script::Cut(body) => peer.write_all((head(200, "", body.len() + 9) + body).as_bytes()),
        Script::Sleeps => {
            std::thread::sleep(Duration::from_secs(30));
            Ok(())
        }
    };
}

struct Home(tempfile::TempDir);

impl Home {
    fn with(provider: &str, url: &str) -> Self {
        let home = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        std::fs::create_dir_all(home.0.path().join(".config/belay")).unwrap();
        std::fs::create_dir_all(home.0.path().join("project")).unwrap();
        home.set(provider, url, "");
        home
    }

    fn set(&self, provider: &str, url: &str, more: &str) {
        let settings = format!(
            "[flags]\nprovider = \"{provider}\"\nurl = \"{url}\"\nkey_env = \"FLAGS_KEY\"\nattributes = [\"team=core\"]\n{more}"
        );
        std::fs::write(self.0.path().join(".config/belay/config.toml"), settings).unwrap();
    }

    fn kept(&self) -> PathBuf {
        self.0.path().join(".local/state/belay/flags.json")
    }

    /// Returns the exit code and all that was printed.
    fn belay(&self, words: &[&str]) -> (i32, String) {
        let done = Command::new(env!("CARGO_BIN_EXE_belay"))
            .args(words)
            .env_clear()
            .env("HOME", self.0.path())
            .env("FLAGS_KEY", "sdk-test")
            .current_dir(self.0.path().join("project"))
            .output()
            .unwrap();
        let text = [done.stdout, done.stderr].concat();
        (
            done.status.code().unwrap(),
            String::from_utf8(text).unwrap(),
        )
    }

    fn refresh(&self, code: i32, said: &str) {
        let (found, text) = self.belay(&["flags", "refresh"]);
        assert!(found == code && text.contains(said), "{found}: {text}");
    }

    /// The threshold in force and its origin.
    fn ask_at(&self) -> String {
        let (_, text) = self.belay(&["config", "--effective"]);
        let line = text.lines().find(|it| it.starts_with("thresholds.ask_at"));
        let words: Vec<&str> = line.unwrap().split_whitespace().skip(2).collect();
        words.join(" ")
    }
}

fn served(provider: &str, scripts: Vec<Script>) -> (Home, Server) {
    let server = Server::playing(scripts);
    let home = Home::with(provider, &format!("http://127.0.0.1:{}", server.port));
    (home, server)
}

fn good(body: &str) -> Script {
    Script::Says(200, "etag: \"v1\"\r\n", body.to_owned())
}

const FLAG: &str = "40 # flag belay.thresholds.ask_at";
const SETTINGS: &str = "60 # default";

#[test]
fn ofrep_flags_move_a_threshold_and_say_so() {
    let (home, server) = served("ofrep", vec![good(OFREP)]);
    assert_eq!(home.ask_at(), SETTINGS);
    home.refresh(0, "new: 3 flags, 2 of them for belay");
    let heard = server.heard.recv().unwrap();
    assert!(
        heard.starts_with("post /ofrep/v1/evaluate/flags "),
        "{heard}"
    );
    assert!(heard.contains("authorization: bearer sdk-test"), "{heard}");
    assert!(
        heard.contains("\"team\":\"core\"") && heard.contains("\"targetingKey\""),
        "{heard}"
    );
    assert_eq!(home.ask_at(), FLAG);
    let mode = std::fs::metadata(home.kept()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (code, listed) = home.belay(&["flags"]);
    assert_eq!(code, 0);
    assert!(
        listed.contains("belay.thresholds.ask_at = 40\n"),
        "{listed}"
    );
    assert!(
        listed.contains("belay.thresholds.deny_at = 100  # refused: a feature flag may not set"),
        "{listed}"
    );
    assert!(
        listed.contains("# 1 more that are not for belay"),
        "{listed}"
    );
}

#[test]
fn growthbook_features_are_told_by_attributes() {
    let (home, server) = served("growthbook", vec![good(GROWTHBOOK)]);
    home.refresh(0, "new: 2 flags, 2 of them for belay");
    let heard = server.heard.recv().unwrap();
    assert!(heard.starts_with("get /api/features/sdk-test "), "{heard}");
    assert_eq!(home.ask_at(), FLAG);
    let (_, config) = home.belay(&["config"]);
    assert!(
        config.contains("# ignored: a feature flag may not set `mode` to `\"off\"`"),
        "{config}"
    );
}

#[test]
fn what_is_known_is_renewed_without_a_body() {
    for (provider, body) in [("ofrep", OFREP), ("growthbook", GROWTHBOOK)] {
        let (home, server) = served(
            provider,
            vec![good(body), Script::Says(304, "", String::new())],
        );
        home.refresh(0, "new: ");
        home.refresh(0, "the same: ");
        assert!(!server.heard.recv().unwrap().contains("if-none-match"));
        assert!(
            server
                .heard
                .recv()
                .unwrap()
                .contains("if-none-match: \"v1\"")
        );
        assert_eq!(home.ask_at(), FLAG);
    }
}

#[test]
fn whatever_goes_wrong_the_last_good_flags_stay() {
    let says = |status: u16, body: &str| Script::Says(status, "", body.to_owned());
    let faults = [
        (says(401, "no"), "the server rejects the key in `FLAGS_KEY`"),
        (says(500, "no"), "the flag server answered 500"),
        (says(503, ""), "the flag server answered 503"),
        (
            Script::Says(302, "location: http://127.0.0.1:1/\r\n", String::new()),
            "the flag server answered 302",
        ),
        (
            Script::Cut(r#"{"flags":[],"features":{}}"#),
            "no flags from",
        ),
        (says(200, r#"{"flags":[{"#), "cannot be read"),
        (says(200, r#"{"flags":{},"features":[]}"#), "cannot be read"),
        (says(200, "<html>hello</html>"), "cannot be read"),
        (says(200, &"[".repeat(100_000)), "cannot be read"),
        (says(200, &"x".repeat((4 << 20) + 1)), "no flags from"),
    ];
    for (provider, body) in [("ofrep", OFREP), ("growthbook", GROWTHBOOK)] {
        for (fault, said) in &faults {
            let (home, _server) = served(provider, vec![good(body), fault.clone()]);
            home.refresh(0, "new: ");
            let before = std::fs::read(home.kept()).unwrap();
            home.refresh(1, said);
            assert_eq!(std::fs::read(home.kept()).unwrap(), before, "{said}");
            assert_eq!(home.ask_at(), FLAG, "{said}");
        }
    }
}

#[test]
fn nobody_waits_for_a_server_that_does_not_answer() {
    let (home, _server) = served("ofrep", vec![good(OFREP), Script::Sleeps]);
    home.refresh(0, "new: ");
    let start = Instant::now();
    home.refresh(1, "used until");
    assert!(start.elapsed() < Duration::from_secs(20));
    let start = Instant::now();
    let (code, _) = home.belay(&["check", "--", "ls"]);
    assert_eq!(code, 0);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn flags_that_are_too_old_leave_the_settings() {
    let (home, server) = served("ofrep", vec![good(OFREP)]);
    home.refresh(0, "new: ");
    let text = std::fs::read_to_string(home.kept()).unwrap();
    let mut kept: serde_json::Value = serde_json::from_str(&text).unwrap();
    kept["at"] = 1.into();
    std::fs::write(home.kept(), kept.to_string()).unwrap();
    assert_eq!(home.ask_at(), SETTINGS);
    let (_, listed) = home.belay(&["flags"]);
    assert!(listed.contains("too old since"), "{listed}");
    drop(server);
    home.refresh(1, "are too old; belay uses the settings");
    std::fs::write(home.kept(), "junk").unwrap();
    assert_eq!(home.ask_at(), SETTINGS);
}

#[test]
fn flags_of_another_address_do_not_count() {
    let (home, _server) = served("ofrep", vec![good(OFREP)]);
    home.refresh(0, "new: ");
    home.set("ofrep", "https://elsewhere.test", "");
    assert_eq!(home.ask_at(), SETTINGS);
}

#[test]
fn only_https_or_this_machine() {
    let home = Home::with("ofrep", "http://flags.example.com");
    home.refresh(1, "no flags fetched yet; belay uses the settings");
    assert!(!home.kept().exists());
}

#[test]
fn without_a_provider_there_is_nothing_to_ask() {
    let home = Home::with("none", "https://flags.example.com");
    home.refresh(1, "`flags.provider` and `flags.url` are not set");
    assert_eq!(home.belay(&["flags"]).0, 0);
}

#[test]
fn the_daemon_asks_from_time_to_time() {
    let server = Server::playing(vec![good(OFREP), Script::Says(304, "", String::new())]);
    // A socket's path must be short.
    let home = Home(tempfile::tempdir().unwrap());
    std::fs::create_dir_all(home.0.path().join(".config/belay")).unwrap();
    std::fs::create_dir_all(home.0.path().join("project")).unwrap();
    let url = format!("http://127.0.0.1:{}", server.port);
    home.set("ofrep", &url, "refresh_seconds = 1\n");
    let folder = home.0.path().to_str().unwrap().to_owned();
    let serve = ["serve", "--background", "--home", &folder];
    assert_eq!(home.belay(&serve).0, 0);
    for asked in ["post /ofrep", "if-none-match: \"v1\""] {
        let heard = server.heard.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(heard.contains(asked), "{heard}");
    }
    let (_, text) = home.belay(&["serve", "--stop"]);
    assert!(text.contains("has stopped"), "{text}");
    assert_eq!(home.ask_at(), FLAG);
}
