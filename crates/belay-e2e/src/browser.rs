use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

/// A person's browser at the page of the daemon, as far as the page can tell: it entered with the token of `belay ui`, and
/// may change things since the code was typed. The daemon ends with it.
#[derive(Debug)]
pub struct Browser {
    belay: PathBuf,
    home: PathBuf,
    address: String,
    cookie: String,
    bearer: String,
    /// The stream, as long as somebody looks.
    looking: Option<TcpStream>,
}

impl Browser {
    /// Starts the daemon, lets questions wait at its page, and enters there.
    ///
    /// # Errors
    /// Returns what did not go as it should.
    pub fn open(belay: &Path, home: &Path) -> io::Result<Self> {
        let mut browser = Self {
            belay: belay.to_owned(),
            home: home.to_owned(),
            address: String::new(),
            cookie: String::new(),
            bearer: String::new(),
            looking: None,
        };
        browser.belay(&["ui", "--answers", "on"])?;
        let printed = browser.belay(&["ui", "--print"])?;
        let printed = String::from_utf8_lossy(&printed.stdout).trim().to_owned();
        let strange = || io::Error::other(format!("`belay ui` prints `{printed}`"));
        let opened = printed.strip_prefix("http://").ok_or_else(strange)?;
        let (address, token) = opened.split_once("/#").ok_or_else(strange)?;
        browser.address = address.to_owned();
        let entered = browser.post("/enter", token)?;
        let (_, cookie) = entered.split_once("set-cookie: ").ok_or_else(strange)?;
        browser.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        let unlocked = browser.post("/unlock", &browser.code()?)?;
        browser.bearer = body(&unlocked).to_owned();
        Ok(browser)
    }

    fn belay(&self, words: &[&str]) -> io::Result<Output> {
        // The debug build lets a test stand in for the person at the terminal.
        Command::new(&self.belay)
            .args(words)
            .arg("--home")
            .arg(&self.home)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", "/usr/bin:/bin")
            .env("BELAY_TEST_PERSON", "1")
            .output()
    }

    /// Returns the code that a terminal shows.
    fn code(&self) -> io::Result<String> {
        let socket = self.home.join(".local/state/belay/daemon/socket");
        let mut daemon = UnixStream::connect(socket)?;
        daemon.write_all(b"POST /belay/ui/code HTTP/1.1\r\ncontent-length: 0\r\n\r\n")?;
        let mut answer = String::new();
        daemon.read_to_string(&mut answer)?;
        Ok(body(&answer).to_owned())
    }

    fn connected(&self, line: &str, sent: &str) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect(&self.address)?;
        let address = &self.address;
        let mut head =
            format!("{line} HTTP/1.1\r\nhost: {address}\r\nsec-fetch-site: same-origin\r\n");
        if line.starts_with("POST") {
            head.push_str(&format!("origin: http://{address}\r\n"));
        }
        head.push_str(&format!("cookie: {}\r\n", self.cookie));
        if !self.bearer.is_empty() {
            head.push_str(&format!("authorization: Bearer {}\r\n", self.bearer));
        }
        let length = sent.len();
        stream.write_all(format!("{head}content-length: {length}\r\n\r\n{sent}").as_bytes())?;
        Ok(stream)
    }

    fn asked(&self, line: &str, sent: &str) -> io::Result<String> {
        let mut answer = String::new();
        self.connected(line, sent)?.read_to_string(&mut answer)?;
        Ok(answer)
    }

    fn post(&self, path: &str, sent: &str) -> io::Result<String> {
        self.asked(&format!("POST {path}"), sent)
    }

    /// Looks at the page from now on; questions wait only while somebody does.
    ///
    /// # Errors
    /// Returns that the page cannot be reached.
    pub fn look(&mut self) -> io::Result<()> {
        let mut stream = self.connected("GET /events", "")?;
        let mut first = [0; 15];
        stream.read_exact(&mut first)?;
        self.looking = Some(stream);
        match first.starts_with(b"HTTP/1.1 200 ") {
            true => Ok(()),
            false => Err(io::Error::other("the page does not let us look")),
        }
    }

    /// Closes the page.
    pub fn leave(&mut self) {
        self.looking = None;
    }

    /// Waits for a question about a call with this word, and returns what an answer must name.
    #[must_use]
    pub fn question(&self, word: &str, patience: Duration) -> Option<String> {
        let begun = Instant::now();
        while begun.elapsed() < patience {
            let page = self.asked("GET /", "").unwrap_or_default();
            let found = page.split("data-nonce=\"").skip(1).find_map(|it| {
                let card = it.split("</article>").next().unwrap_or_default();
                card.contains(word).then(|| it.split('"').next()).flatten()
            });
            if let Some(nonce) = found {
                return Some(nonce.to_owned());
            }
            thread::sleep(Duration::from_millis(100));
        }
        None
    }

    /// Answers a question, and tells whether the answer counts.
    #[must_use]
    pub fn answer(&self, nonce: &str, said: &str) -> bool {
        let answer = self.post("/answer", &format!("{nonce} {said}"));
        answer.is_ok_and(|it| it.starts_with("HTTP/1.1 200 "))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.belay(&["serve", "--stop"]));
    }
}

fn body(answer: &str) -> &str {
    answer
        .split_once("\r\n\r\n")
        .map_or("", |(_, body)| body)
        .trim()
}
