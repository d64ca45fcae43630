//! Which host a text names, and how well we know it.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;

use belay_model::{Answer, Question, Scope};

use crate::Frame;
use crate::lists::{HOSTS, METADATA, NEAR, REGISTRIES};

/// Returns the host of a URL, of `user@host:path` or of a bare host; `?` when it cannot be told.
#[must_use]
pub fn host_of(text: &str) -> String {
    let unknown = || "?".to_owned();
    if text.is_empty() || text.contains(|c: char| c.is_control() || c == '\\' || c.is_whitespace())
    {
        return unknown();
    }
    let (scheme, rest) = text
        .split_once("://")
        .map_or(("", text), |(scheme, rest)| (scheme, rest));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let web = matches!(scheme, "" | "http" | "https" | "ws" | "wss" | "ftp");
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (user, host),
        None => ("", authority),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    if host.is_empty() || !host.chars().all(plain) {
        return unknown();
    }
    let host = if scheme.is_empty() && !host.starts_with('[') {
        drop_path(host)
    } else {
        host
    };
    let host = host.to_ascii_lowercase();
    if web && !scheme.is_empty() && !user.is_empty() {
        return format!("{user}@{host}");
    }
    host
}

/// Takes the path from `host:path`; a number after the colon is a port.
fn drop_path(host: &str) -> &str {
    match host.split_once(':') {
        Some((name, port)) if !port.is_empty() && port.chars().all(|c| c.is_ascii_digit()) => {
            host.get(..name.len() + 1 + port.len()).unwrap_or(host)
        }
        Some((name, _)) => name,
        None => host,
    }
}

/// The ports on this machine at which the gate's own page may be.
pub const PAGE_PORTS: RangeInclusive<u16> = 47420..=47451;

/// Returns how well a host is known. The gate's own page is the gate's.
#[must_use]
pub fn host_scope(host: &str, frame: &Frame<'_>) -> Scope {
    let scope = near_or_far(host, frame);
    let port = host.rsplit_once(':').and_then(|(_, it)| it.parse().ok());
    match scope == Scope::LocalHost && port.is_some_and(|it: u16| PAGE_PORTS.contains(&it)) {
        true => Scope::Gate,
        false => scope,
    }
}

fn near_or_far(host: &str, frame: &Frame<'_>) -> Scope {
    if host == "?" {
        return Scope::Unknown;
    }
    if host.contains('@') {
        return Scope::OtherHost;
    }
    let name = without_port(host);
    if let Ok(address) = name.parse::<Ipv4Addr>() {
        return ipv4(address);
    }
    if let Ok(address) = name.trim_matches(['[', ']']).parse::<Ipv6Addr>() {
        return ipv6(address);
    }
    if name
        .split('.')
        .next_back()
        .is_none_or(|last| last.starts_with(|c: char| c.is_ascii_digit()))
    {
        return Scope::OtherHost;
    }
    named(name, frame)
}

fn without_port(host: &str) -> &str {
    if host.starts_with('[') {
        return host.split_inclusive(']').next().unwrap_or(host);
    }
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) && !name.contains(':') => {
            name
        }
        _ => host,
    }
}

fn ipv4(address: Ipv4Addr) -> Scope {
    if address.octets() == [169, 254, 169, 254] || address.octets() == [100, 100, 100, 200] {
        Scope::MetadataHost
    } else if address.is_loopback() || address.is_unspecified() {
        Scope::LocalHost
    } else if address.is_private() {
        Scope::PrivateHost
    } else if address.is_link_local() {
        Scope::MetadataHost
    } else {
        Scope::OtherHost
    }
}

fn ipv6(address: Ipv6Addr) -> Scope {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return match ipv4(mapped) {
            Scope::MetadataHost => Scope::MetadataHost,
            Scope::Project
            | Scope::ProjectRoot
            | Scope::Temp
            | Scope::TempRoot
            | Scope::Home
            | Scope::HomeRoot
            | Scope::System
            | Scope::Root
            | Scope::Device
            | Scope::Sink
            | Scope::Credentials
            | Scope::Personal
            | Scope::AgentConfig
            | Scope::Gate
            | Scope::Startup
            | Scope::VcsInternal
            | Scope::ExecutionBearing
            | Scope::Remote
            | Scope::Other
            | Scope::Unknown
            | Scope::LocalHost
            | Scope::PrivateHost
            | Scope::KnownHost
            | Scope::OtherHost => Scope::OtherHost,
        };
    }
    if address.is_loopback() {
        Scope::LocalHost
    } else if address.segments().first() == Some(&0xfd00)
        && address.segments().get(1) == Some(&0xec2)
    {
        Scope::MetadataHost
    } else if address.is_unique_local() {
        Scope::PrivateHost
    } else {
        Scope::OtherHost
    }
}

fn named(name: &str, frame: &Frame<'_>) -> Scope {
    if METADATA.contains(&name) {
        return Scope::MetadataHost;
    }
    if name == "localhost" || name.ends_with(".localhost") {
        return Scope::LocalHost;
    }
    if !name.contains('.') || NEAR.iter().any(|it| name.ends_with(it)) {
        return Scope::PrivateHost;
    }
    if is_known(name) || frame.hosts.iter().any(|it| trusts(it, name)) {
        return Scope::KnownHost;
    }
    match frame.world.ask(&Question::KnownHost(name.to_owned())) {
        Answer::Yes => Scope::KnownHost,
        Answer::Unknown
        | Answer::No
        | Answer::Path(_)
        | Answer::Missing(_)
        | Answer::Name(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => Scope::OtherHost,
    }
}

/// Tells whether projects install packages from a host as a matter of course.
#[must_use]
pub fn is_registry(host: &str) -> bool {
    let turned: Vec<&str> = host.rsplit('.').collect();
    REGISTRIES.binary_search(&turned.join(".").as_str()).is_ok()
}

fn trusts(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix("*.") {
        Some(domain) => name
            .strip_suffix(domain)
            .is_some_and(|rest| rest.ends_with('.')),
        None => pattern.eq_ignore_ascii_case(name),
    }
}

fn is_known(name: &str) -> bool {
    let turned: Vec<&str> = name.rsplit('.').collect();
    let whole = turned.join(".");
    if HOSTS.binary_search(&whole.as_str()).is_ok() {
        return true;
    }
    (1..turned.len()).any(|count| {
        let above = format!("{}.*", turned.get(..count).unwrap_or_default().join("."));
        HOSTS.binary_search(&above.as_str()).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use belay_model::{Nowhere, Scope};

    use super::{host_of, host_scope};
    use crate::Frame;

    #[test]
    fn hosts_of_texts() {
        for (text, host) in [
            ("https://example.com/x?y", "example.com"),
            ("http://localhost:3000/a", "localhost:3000"),
            ("example.com/x", "example.com"),
            ("git@github.com:o/r.git", "github.com"),
            ("ssh://git@host:22/x", "host:22"),
            ("web1:/srv/x", "web1"),
            ("https://github.com@evil.test/", "github.com@evil.test"),
            ("http://[::1]:80/", "[::1]:80"),
            ("https://evil\\.test", "?"),
            ("https://a b", "?"),
            ("https://EXAMPLE.com./", "example.com"),
        ] {
            assert_eq!(host_of(text), host, "{text}");
        }
    }

    #[test]
    fn hosts_are_known_or_not() {
        let frame = Frame {
            cwd: "/w",
            home: None,
            roots: &[],
            temps: &[],
            hosts: &["*.corp.example".to_owned()],
            gate: &[],
            protected: &[],
            world: &Nowhere,
        };
        for (host, scope) in [
            ("localhost:3000", Scope::LocalHost),
            ("localhost:47420", Scope::Gate),
            ("127.0.0.1:47451", Scope::Gate),
            ("127.0.0.1:47452", Scope::LocalHost),
            ("[::1]:47420", Scope::Gate),
            ("0.0.0.0:47421", Scope::Gate),
            ("127.0.0.1", Scope::LocalHost),
            ("[::1]:80", Scope::LocalHost),
            ("10.0.0.1", Scope::PrivateHost),
            ("db:5432", Scope::PrivateHost),
            ("169.254.169.254", Scope::MetadataHost),
            ("github.com", Scope::KnownHost),
            ("x.github.io", Scope::KnownHost),
            ("git.corp.example", Scope::KnownHost),
            ("corp.example", Scope::OtherHost),
            ("evil.test", Scope::OtherHost),
            ("evilgithub.com", Scope::OtherHost),
            ("github.com.evil.test", Scope::OtherHost),
            ("2130706433", Scope::OtherHost),
            ("0x7f.1", Scope::OtherHost),
            ("127.1", Scope::OtherHost),
            ("github.com@evil.test", Scope::OtherHost),
            ("::ffff:127.0.0.1", Scope::OtherHost),
            ("?", Scope::Unknown),
        ] {
            assert_eq!(host_scope(host, &frame), scope, "{host}");
        }
    }
}
