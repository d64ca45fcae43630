//! Which host a text names, and how well we know it.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;

use belay_model::{Answer, Question, Scope};

use crate::Frame;
use crate::lists::{HOSTS, METADATA, NEAR, OWN_NAMES, REGISTRIES};

/// Returns the host of a URL, of `user@host:path` or of a bare host; `?` when it cannot be told.
#[must_use]
pub fn host_of(text: &str) -> String {
    let unknown = || "?".to_owned();
    if text.is_empty() || text.contains(|c: char| c.is_control() || c == '\\' || c.is_whitespace())
    {
        return unknown();
    }
    let (scheme, rest) = text.split_once("://").unwrap_or_else(|| slack(text));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let web = scheme.is_empty() || is_web(scheme);
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (user, host),
        None => ("", authority),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    // Clients decode what stands for a letter before they look for the host.
    let decoded = host.contains('%').then(|| decoded(host));
    let host = decoded.as_deref().unwrap_or(host);
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

fn is_web(scheme: &str) -> bool {
    ["http", "https", "ws", "wss", "ftp"]
        .iter()
        .any(|it| it.eq_ignore_ascii_case(scheme))
}

/// Parts `http:/host` and `http:host`, which clients take for addresses too, from a bare host.
fn slack(text: &str) -> (&str, &str) {
    match text.split_once(':') {
        Some((scheme, rest)) if is_web(scheme) => (scheme, rest.trim_start_matches('/')),
        Some(_) | None => ("", text),
    }
}

/// Decodes `%7f`; what is none stays.
fn decoded(host: &str) -> String {
    let mut parts = host.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|it| u8::from_str_radix(it, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                text.push(char::from(code));
                text.push_str(part.get(2..).unwrap_or_default());
            }
            None => {
                text.push('%');
                text.push_str(part);
            }
        }
    }
    text
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
    match is_page(host) {
        true => Scope::Gate,
        false => near_or_far(host, frame),
    }
}

/// Tells whether a host with its port is where the gate's own page may be, however this machine is spelled.
#[must_use]
pub fn is_page(host: &str) -> bool {
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let Some((name, port)) = host.rsplit_once(':') else {
        return false;
    };
    port.parse().is_ok_and(|it: u16| PAGE_PORTS.contains(&it)) && is_this_machine(name)
}

/// Returns where the gate's own page is, if a text names it: by its address, or by its port beside this machine. For texts
/// of which nobody knows what becomes of them.
#[must_use]
pub fn page_in(text: &str) -> Option<String> {
    // Nearly every text ends the question here.
    let has_seven = text.bytes().fold(false, |sum, it| sum | (it == b'7'));
    if !has_seven || !text.contains("474") {
        return None;
    }
    let inside = |c: char| c.is_ascii_alphanumeric() || ".-_:[]%@".contains(c);
    let words = || text.split(|c| !inside(c)).filter(|it| !it.is_empty());
    let address = |word: &str| {
        let own = |it: &str| is_page(it).then(|| it.to_ascii_lowercase());
        // Others stand before it: `TCP:host:port`, `8080:host:port`.
        let before = word.rsplit(':').nth(2).and_then(|_| {
            let (head, port) = word.rsplit_once(':')?;
            let (_, name) = head.rsplit_once(':')?;
            own(&format!("{name}:{port}"))
        });
        own(word).or(before)
    };
    let port = || {
        words()
            .filter_map(|it| it.parse().ok())
            .find(|it| PAGE_PORTS.contains(it))
    };
    let machine = |it: &&str| it.parse::<u64>().is_err() && is_this_machine(it);
    words().find_map(address).or_else(|| {
        let port = port()?;
        words().find(machine).map(|it| at_port(it, port))
    })
}

/// Returns a host with a port.
#[must_use]
pub fn at_port(host: &str, port: u16) -> String {
    match host.contains(':') && !host.starts_with('[') {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    }
}

/// Tells whether a name or an address is this machine, in every form that programs take for one.
fn is_this_machine(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let inside = name.trim_start_matches('[').trim_end_matches(']');
    // An interface may stand behind an address.
    let inside = inside.split('%').next().unwrap_or(inside);
    if let Ok(address) = inside.parse::<Ipv6Addr>() {
        let mapped = address.to_ipv4().map(ipv4);
        return address.is_loopback()
            || address.is_unspecified()
            || mapped == Some(Scope::LocalHost);
    }
    match loose_ipv4(name) {
        Some(address) => ipv4(address) == Scope::LocalHost,
        None => {
            let name = name.to_ascii_lowercase();
            name.ends_with(".localhost") || OWN_NAMES.contains(&name.as_str())
        }
    }
}

/// Reads an address as `inet_aton` does: one to four numbers, decimal, octal or hexadecimal, the last of which fills the rest.
fn loose_ipv4(text: &str) -> Option<Ipv4Addr> {
    let number = |it: &str| {
        let lower = it.to_ascii_lowercase();
        match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
            (Some(""), _) => Some(0),
            (Some(hex), _) => u32::from_str_radix(hex, 16).ok(),
            (None, Some(octal)) if !octal.is_empty() => u32::from_str_radix(octal, 8).ok(),
            (None, _) => lower.parse().ok(),
        }
    };
    let parts: Vec<u32> = text.split('.').map(number).collect::<Option<_>>()?;
    let (last, before) = parts.split_last()?;
    let left = 4_usize.checked_sub(before.len())?;
    let room = u64::from(u32::MAX) >> (8 * before.len());
    let fits = left > 0 && before.iter().all(|it| *it < 256) && u64::from(*last) <= room;
    let high = before
        .iter()
        .zip([24, 16, 8])
        .map(|(it, shift)| it << shift);
    fits.then(|| Ipv4Addr::from(high.fold(*last, |all, it| all | it)))
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

    use super::{host_of, host_scope, page_in};
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
            ("http://%31%32%37.0.0.1:47420/", "127.0.0.1:47420"),
            ("http://a%2eb/", "a.b"),
            ("http:/evil.test/x", "evil.test"),
            ("HTTPS:evil.test", "evil.test"),
            ("http://a%20b/", "?"),
            ("http://a%zz/", "?"),
            ("http://a%c3%a9/", "?"),
        ] {
            assert_eq!(host_of(text), host, "{text}");
        }
    }

    #[test]
    fn the_page_is_seen_in_texts() {
        for (text, page) in [
            ("http://127.0.0.1:47420/d/x", Some("127.0.0.1:47420")),
            (
                "() => fetch('http://LOCALHOST:47421/')",
                Some("localhost:47421"),
            ),
            ("TCP:127.0.0.1:47420,fork", Some("127.0.0.1:47420")),
            ("8080:localhost:47420", Some("localhost:47420")),
            ("s.connect(('127.0.0.1', 47420))", Some("127.0.0.1:47420")),
            ("http://[::1]:47420", Some("[::1]:47420")),
            ("connect(47420)", None),
            ("http://127.0.0.1:47419/", None),
            ("http://evil.test:47420/", None),
            ("listen 0 47420", None),
            ("147420 localhost", None),
        ] {
            assert_eq!(page_in(text).as_deref(), page, "{text}");
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
            ("me@localhost:47420", Scope::Gate),
            ("localhost.:47420", Scope::Gate),
            ("app.localhost:47420", Scope::Gate),
            ("ip6-loopback:47420", Scope::Gate),
            ("2130706433:47420", Scope::Gate),
            ("0x7f000001:47420", Scope::Gate),
            ("0x7f.1:47420", Scope::Gate),
            ("017700000001:47420", Scope::Gate),
            ("127.1:47420", Scope::Gate),
            ("127.0.1:47420", Scope::Gate),
            ("0:47420", Scope::Gate),
            ("[::]:47420", Scope::Gate),
            ("[::ffff:127.0.0.1]:47420", Scope::Gate),
            ("[::ffff:7f00:1]:47420", Scope::Gate),
            ("[0:0:0:0:0:0:0:1]:47420", Scope::Gate),
            ("127.1:3000", Scope::OtherHost),
            ("2130706433:3000", Scope::OtherHost),
            ("192.168.1.5:47420", Scope::PrivateHost),
            ("256.0.0.1:47420", Scope::OtherHost),
            ("evil.test:47420", Scope::OtherHost),
            ("localhost.evil.test:47420", Scope::OtherHost),
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
