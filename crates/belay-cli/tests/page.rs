//! The page's door: who gets what, for every way somebody may come.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A page in an empty home; its daemon is gone when dropped.
struct Page {
    home: tempfile::TempDir,
    address: String,
}

impl Page {
    fn open() -> Self {
        let home = tempfile::Builder::new().prefix("bp").tempdir().unwrap();
        let printed = belay(home.path(), &["ui", "--print"]);
        let printed = String::from_utf8(printed.stdout).unwrap();
        let address = printed.trim().strip_prefix("http://").unwrap();
        let address = address.split('/').next().unwrap().to_owned();
        Self { home, address }
    }

    fn token(&self) -> String {
        let printed = belay(self.home.path(), &["ui", "--print"]);
        let printed = String::from_utf8(printed.stdout).unwrap();
        printed.trim().split_once('#').unwrap().1.to_owned()
    }

    /// Takes a token for a cookie, as the page's own script does.
    fn cookie(&self) -> String {
        let answer = self.ask(&Asked {
            method: "POST",
            path: "/enter",
            origin: Some(&format!("http://{}", self.address)),
            body: &self.token(),
            ..Asked::at(self)
        });
        let cookie = answer.split("set-cookie: ").nth(1).unwrap();
        assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{answer}");
        cookie.split(';').next().unwrap().to_owned()
    }

    /// Asks the daemon for the code, which a terminal shows.
    fn code(&self) -> String {
        let mut daemon = UnixStream::connect(self.file("daemon/socket")).unwrap();
        daemon
            .write_all(b"POST /belay/ui/code HTTP/1.1\r\ncontent-length: 0\r\n\r\n")
            .unwrap();
        let mut text = String::new();
        daemon.read_to_string(&mut text).unwrap();
        text
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(".local/state/belay").join(name)
    }

    fn ask(&self, asked: &Asked<'_>) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut head = format!("{} {} HTTP/1.1\r\n", asked.method, asked.path);
        let headers = [
            ("host", asked.host),
            ("origin", asked.origin),
            ("sec-fetch-site", asked.site),
            ("cookie", asked.cookie),
            ("authorization", asked.bearer),
        ];
        for (name, value) in headers {
            if let Some(value) = value {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        head.push_str(&format!(
            "content-length: {}\r\n\r\n{}",
            asked.body.len(),
            asked.body
        ));
        let _ = stream.write_all(head.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    fn status(&self, asked: &Asked<'_>) -> u16 {
        let answer = self.ask(asked);
        answer.split(' ').nth(1).unwrap_or("0").parse().unwrap()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        belay(self.home.path(), &["serve", "--stop"]);
    }
}

fn belay(home: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
    command.args(words).arg("--home").arg(home);
    command
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin");
    if let Some(person) = std::env::var_os("BELAY_TEST_PERSON") {
        command.env("BELAY_TEST_PERSON", person);
    }
    command.output().unwrap()
}

#[derive(Clone, Copy)]
struct Asked<'a> {
    method: &'a str,
    path: &'a str,
    host: Option<&'a str>,
    origin: Option<&'a str>,
    site: Option<&'a str>,
    cookie: Option<&'a str>,
    bearer: Option<&'a str>,
    body: &'a str,
}

impl<'a> Asked<'a> {
    fn at(page: &'a Page) -> Self {
        Self {
            method: "GET",
            path: "/",
            host: Some(&page.address),
            origin: None,
            site: None,
            cookie: None,
            bearer: None,
            body: "",
        }
    }
}

/// Every way in, with what a browser or a program says of itself; what was not refused is listed.
#[test]
fn strangers_get_nothing_whatever_they_say() {
    let page = Page::open();
    let cookie = page.cookie();
    let own = format!("http://{}", page.address);
    let port = page.address.split(':').nth(1).unwrap();
    let elsewhere = [
        Some("http://evil.test".to_owned()),
        Some("null".to_owned()),
        Some(format!("https://{}", page.address)),
        Some(format!("http://localhost:{port}")),
        Some("http://127.0.0.1:1".to_owned()),
        Some(format!("http://{}.evil.test", page.address)),
        Some(String::new()),
    ];
    let names = [
        None,
        Some("evil.test".to_owned()),
        Some(format!("evil.test:{port}")),
        Some(format!("localhost:{port}")),
        Some("127.0.0.1".to_owned()),
        Some("127.0.0.1:1".to_owned()),
        Some(format!("{}.evil.test", page.address)),
        Some(format!("[::1]:{port}")),
    ];
    let routes = [
        ("GET", "/"),
        ("GET", "/style.css"),
        ("GET", "/d/x"),
        ("GET", "/rules"),
        ("GET", "/review"),
        ("GET", "/trends"),
        ("GET", "/fleet"),
        ("GET", "/events"),
        ("POST", "/enter"),
        ("POST", "/unlock"),
        ("POST", "/rules/try"),
        ("POST", "/rules/save"),
        ("POST", "/grants/end"),
    ];
    let mut tried = 0;
    for (method, path) in routes {
        let base = Asked {
            method,
            path,
            cookie: Some(&cookie),
            ..Asked::at(&page)
        };
        let by_name = names.iter().map(|host| Asked {
            host: host.as_deref(),
            origin: Some(&own),
            ..base
        });
        let by_origin = elsewhere.iter().map(|origin| Asked {
            origin: origin.as_deref(),
            ..base
        });
        let by_site = ["cross-site", "same-site", "x"].map(|site| Asked {
            site: Some(site),
            origin: Some(&own),
            ..base
        });
        for asked in by_name.chain(by_origin).chain(by_site) {
            tried += 1;
            assert_eq!(
                page.status(&asked),
                403,
                "{method} {path} {:?} {:?} {:?}",
                asked.host,
                asked.origin,
                asked.site
            );
        }
        if method == "POST" {
            tried += 1;
            assert_eq!(page.status(&base), 403, "{path} without an origin");
        }
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn a_cookie_reads_and_changes_nothing() {
    let page = Page::open();
    let cookie = page.cookie();
    let own = format!("http://{}", page.address);
    let views = ["/", "/rules", "/review", "/trends"];
    for path in views {
        let stranger = Asked {
            path,
            ..Asked::at(&page)
        };
        let answer = page.ask(&stranger);
        assert!(
            answer.contains("id=\"enter\"") && !answer.contains("<table"),
            "{path}: {answer}"
        );
        assert_eq!(
            page.status(&Asked {
                cookie: Some(&cookie),
                ..stranger
            }),
            200,
            "{path}"
        );
        for wrong in ["belay_page=", "belay_page=00", "other=1", "belay_page"] {
            let answer = page.ask(&Asked {
                cookie: Some(wrong),
                ..stranger
            });
            assert!(answer.contains("id=\"enter\""), "{path} {wrong}");
        }
    }
    let events = Asked {
        path: "/events",
        ..Asked::at(&page)
    };
    assert_eq!(page.status(&events), 401);
    for path in ["/rules/save", "/grants/end"] {
        let change = Asked {
            method: "POST",
            path,
            origin: Some(&own),
            body: "mode = \"off\"",
            ..Asked::at(&page)
        };
        assert_eq!(page.status(&change), 401, "{path} without a cookie");
        let change = Asked {
            cookie: Some(&cookie),
            ..change
        };
        assert_eq!(page.status(&change), 403, "{path} with the cookie alone");
        let bearer = format!("Bearer {}", cookie.split('=').nth(1).unwrap());
        assert_eq!(
            page.status(&Asked {
                bearer: Some(&bearer),
                ..change
            }),
            403,
            "{path} with the cookie as bearer"
        );
    }
    assert!(!page.home.path().join(".config/belay/config.toml").exists());
}

#[test]
fn a_token_opens_once_and_a_wrong_one_never() {
    let page = Page::open();
    let own = format!("http://{}", page.address);
    let token = page.token();
    let enter = Asked {
        method: "POST",
        path: "/enter",
        origin: Some(&own),
        body: &token,
        ..Asked::at(&page)
    };
    assert_eq!(page.status(&enter), 303);
    assert_eq!(page.status(&enter), 401);
    assert_eq!(page.status(&Asked { body: "", ..enter }), 401);
    assert_eq!(
        page.status(&Asked {
            method: "GET",
            origin: None,
            ..enter
        }),
        401
    );
}

#[test]
fn the_code_is_for_a_person_at_a_terminal() {
    let page = Page::open();
    let cookie = page.cookie();
    let own = format!("http://{}", page.address);
    // The test has no terminal: what asks for the code here is no person.
    let answer = page.code();
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    let printed = belay(page.home.path(), &["ui", "--code"]);
    assert!(!printed.status.success());
    let unlock = Asked {
        method: "POST",
        path: "/unlock",
        origin: Some(&own),
        cookie: Some(&cookie),
        body: "00000000",
        ..Asked::at(&page)
    };
    assert_eq!(page.status(&unlock), 403);
}

#[test]
fn every_answer_is_guarded() {
    let page = Page::open();
    let cookie = page.cookie();
    for path in ["/", "/style.css", "/page.mjs", "/nowhere", "/d/x", "/rules"] {
        let answer = page.ask(&Asked {
            path,
            cookie: Some(&cookie),
            ..Asked::at(&page)
        });
        assert!(
            answer.contains("content-security-policy: default-src 'none'; script-src 'self';"),
            "{answer}"
        );
        assert!(
            answer.contains("frame-ancestors 'none'") && answer.contains("nosniff"),
            "{path}"
        );
    }
}

#[test]
fn the_private_socket_alone_gives_the_address() {
    let page = Page::open();
    let cookie = page.cookie();
    let own = format!("http://{}", page.address);
    for path in [
        "/belay/ui",
        "/belay/ui/code",
        "/belay/stop",
        "/belay/hook/claude-code",
    ] {
        let asked = Asked {
            method: "POST",
            path,
            origin: Some(&own),
            cookie: Some(&cookie),
            ..Asked::at(&page)
        };
        assert_ne!(page.status(&asked), 200, "{path}");
    }
}

/// Answers every question of the page like a receiver, or like one that knows another token.
fn receiver(status: u16, body: &'static str) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for peer in listener.incoming() {
            let mut peer = peer.unwrap();
            let mut head = [0; 4096];
            let _ = peer.read(&mut head);
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            let _ = peer.write_all(answer.as_bytes());
        }
    });
    port
}

#[test]
fn the_fleet_is_shown_only_where_a_receiver_is_named_and_its_texts_stay_texts() {
    let page = Page::open();
    let cookie = page.cookie();
    let fleet = || {
        page.ask(&Asked {
            path: "/fleet",
            cookie: Some(&cookie),
            ..Asked::at(&page)
        })
    };
    assert!(fleet().contains("The settings name no receiver"));
    let folder = page.home.path().join(".config/belay");
    std::fs::create_dir_all(&folder).unwrap();
    let name = |port: u16, variable: &str| {
        let text = format!(
            "[page]\nfleet_url = \"http://127.0.0.1:{port}\"\nfleet_token_env = \"{variable}\"\n"
        );
        std::fs::write(folder.join("config.toml"), text).unwrap();
    };
    let hostile = r#"{"rows":[{"machine":"<script>alert(1)</script>","why":["</td><img src=x>"],"team":"\u202ex","calls":3,"first":2,"until":4,"day":"<b>"}],"all":9}"#;
    name(receiver(200, hostile), "NOT_SET_ANYWHERE");
    assert!(fleet().contains("`NOT_SET_ANYWHERE` is not set for the daemon"));
    // The daemon's environment has PATH and HOME only.
    name(receiver(200, hostile), "PATH");
    let shown = fleet();
    assert!(
        shown.contains("NOT protected: &lt;/td&gt;&lt;img"),
        "{shown}"
    );
    assert!(
        !shown.contains("<script>alert") && !shown.contains("<img"),
        "{shown}"
    );
    assert!(
        !shown.contains('\u{202e}') && shown.contains("and 8 more"),
        "{shown}"
    );
    for (status, says) in [
        (401, "it does not know the token"),
        (403, "the token is not a reader's"),
        (503, "its database does not answer in time"),
        (200, "its answer is"),
    ] {
        name(receiver(status, "no JSON"), "PATH");
        let shown = fleet();
        assert!(
            shown.contains(says) && !shown.contains("<table"),
            "{status}: {shown}"
        );
    }
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = gone.local_addr().unwrap().port();
    drop(gone);
    name(port, "PATH");
    assert!(fleet().contains("The receiver does not tell: "));
}
