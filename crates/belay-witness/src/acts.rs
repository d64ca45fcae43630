//! What a line did, as the kernel saw it: files by the layer it wrote to, the rest by strace.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use serde::{Deserialize, Serialize};

/// One thing that was done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Act {
    /// A file or folder was made or changed.
    Write(String),
    /// A file or folder went away.
    Delete(String),
    /// A planted secret was opened.
    Read(String),
    /// A program outside the system's folders was started.
    Run(String),
    /// An address beyond this machine was called.
    Connect(String),
    /// A port was opened to others.
    Listen(String),
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(path) => write!(f, "write {path}"),
            Self::Delete(path) => write!(f, "delete {path}"),
            Self::Read(path) => write!(f, "read secret {path}"),
            Self::Run(path) => write!(f, "run {path}"),
            Self::Connect(to) => write!(f, "connect {to}"),
            Self::Listen(at) => write!(f, "listen {at}"),
        }
    }
}

/// Secrets that the world holds, below home.
pub const SECRETS: [&str; 13] = [
    ".ssh/id_rsa",
    ".aws/credentials",
    ".netrc",
    ".git-credentials",
    ".kube/config",
    ".docker/config.json",
    ".npmrc",
    ".pypirc",
    ".config/gh/hosts.yml",
    ".pgpass",
    ".my.cnf",
    ".vault-token",
    "p/.env",
];

/// A layer that lines write to, and what lies below it.
pub struct Layer<'a> {
    /// Where it is mounted, as lines see it: `/home`, or nothing for the root.
    pub at: &'a str,
    /// What was written.
    pub upper: &'a Path,
    /// What was there before, the nearest first.
    pub lowers: &'a [&'a Path],
}

impl Layer<'_> {
    /// Returns what changed in the layer.
    #[must_use]
    pub fn acts(&self) -> Vec<Act> {
        let mut found = Vec::new();
        self.walk("", &mut found);
        found
    }

    fn walk(&self, inside: &str, found: &mut Vec<Act>) {
        let folder = self.upper.join(inside.trim_start_matches('/'));
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let inside = format!("{inside}/{}", entry.file_name().to_string_lossy());
            let Ok(now) = path.symlink_metadata() else {
                continue;
            };
            let shown = format!("{}{inside}", self.at);
            let before = self
                .lowers
                .iter()
                .map(|it| it.join(inside.trim_start_matches('/')))
                .find(|it| it.symlink_metadata().is_ok());
            if now.file_type().is_char_device() && now.rdev() == 0 {
                found.push(Act::Delete(shown));
            } else if now.is_dir() {
                if before.is_none() {
                    found.push(Act::Write(shown));
                }
                self.walk(&inside, found);
            } else if !before.is_some_and(|it| is_same(&it, &path)) {
                found.push(Act::Write(shown));
            }
        }
    }
}

/// Tells whether a file holds what it held: opening for writing alone copies it up.
fn is_same(before: &Path, now: &Path) -> bool {
    let (Ok(one), Ok(other)) = (before.symlink_metadata(), now.symlink_metadata()) else {
        return false;
    };
    let alike = one.mode() == other.mode() && one.len() == other.len();
    alike
        && match (fs::read(before), fs::read(now)) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        }
}

/// Returns what strace wrote down of a line: programs, connections, ports, secrets.
#[must_use]
pub fn traced(trace: &str, home: &str) -> Vec<Act> {
    let callers = callers(trace);
    let heard = |line: &&str| !socket(line).is_some_and(|it| callers.contains(it));
    let mut found: Vec<Act> = trace
        .lines()
        .filter(|it| !it.contains("bind(") || heard(it))
        .filter_map(|it| act(it, home))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The streams that never listened: who binds one chose the port that it calls from.
fn callers(trace: &str) -> BTreeSet<&str> {
    let of = |call: &'static str| trace.lines().filter(move |it| it.contains(call));
    let streams = of("socket(AF_INET").filter(|it| it.contains("SOCK_STREAM"));
    let mut callers: BTreeSet<&str> = streams.filter_map(socket).collect();
    for line in of("listen(") {
        if let Some(socket) = socket(line) {
            callers.remove(socket);
        }
    }
    callers
}

/// The name of the socket that a call is about: `socket:[12]`.
fn socket(line: &str) -> Option<&str> {
    line.split_once("<socket:[")?
        .1
        .split_once(']')
        .map(|it| it.0)
}

fn act(line: &str, home: &str) -> Option<Act> {
    let call = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    if let Some(rest) = call.strip_prefix("execve(\"") {
        let path = rest.split('"').next()?;
        let ran = !line.contains("= -1 ");
        let ours =
            path.starts_with("/home/") || path.starts_with("/tmp/") || path.starts_with("./");
        return (ran && ours).then(|| Act::Run(path.to_owned()));
    }
    if call.starts_with("connect(") {
        return address(call).map(Act::Connect);
    }
    if call.starts_with("bind(") {
        let to = address(call)?;
        return (!to.ends_with(":0")).then_some(Act::Listen(to));
    }
    let opened = line.rsplit_once("= ").map(|it| it.1)?;
    let path = opened.split_once('<')?.1.trim_end().strip_suffix('>')?;
    let inside = path.strip_prefix(home)?.trim_start_matches('/');
    let looks = !line.contains("O_PATH") && !line.contains("O_WRONLY");
    (looks && SECRETS.contains(&inside)).then(|| Act::Read(path.to_owned()))
}

/// Returns the address of a call, if it is one beyond this machine.
fn address(call: &str) -> Option<String> {
    let between = |from: &str, to: char| {
        let rest = call.split_once(from)?.1;
        rest.split(to).next()
    };
    let port = between("htons(", ')').unwrap_or("0");
    let host = between("inet_addr(\"", '"').or_else(|| between("inet_pton(AF_INET6, \"", '"'))?;
    let local = host.starts_with("127.") || host == "::1" || host.ends_with("127.0.0.1");
    (!local).then(|| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_read() {
        let trace = r#"12 execve("/usr/bin/ls", ["ls"], 0x1 /* 9 vars */) = 0
12 execve("/home/dev/p/evil.sh", ["evil.sh"], 0x1 /* 9 vars */) = 0
12 openat(AT_FDCWD</home/dev/p>, "../.netrc", O_RDONLY) = 3</home/dev/.netrc>
13 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.53")}, 16) = -1 ENETUNREACH (x)
13 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 ECONNREFUSED (x)
14 bind(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(8000), sin_addr=inet_addr("0.0.0.0")}, 16) = 0"#;
        let shown: Vec<String> = traced(trace, "/home/dev")
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            shown,
            [
                "read secret /home/dev/.netrc",
                "run /home/dev/p/evil.sh",
                "connect 192.0.2.53:53",
                "listen 0.0.0.0:8000"
            ]
        );
    }

    #[test]
    fn who_calls_from_a_port_does_not_listen() {
        let bound = "bind(5<socket:[7]>, {sa_family=AF_INET, sin_port=htons(10), sin_addr=inet_addr(\"0.0.0.0\")}, 16) = 0";
        let socket = |kind: &str| format!("socket(AF_INET, {kind}, 0) = 5<socket:[7]>\n{bound}\n");
        let counted = |trace: &str| traced(trace, "/home/dev").len();
        assert_eq!(counted(&socket("SOCK_STREAM")), 0);
        assert_eq!(counted(&socket("SOCK_DGRAM")), 1);
        let listening = format!("{}listen(5<socket:[7]>, 9) = 0\n", socket("SOCK_STREAM"));
        assert_eq!(counted(&listening), 1);
    }
}
