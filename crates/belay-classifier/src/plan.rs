//! Whom to ask, and how: plain values that settings are mapped to.

use std::path::PathBuf;
use std::time::Duration;

use crate::Fault;
use crate::wire::Provider;

/// Where the key comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Key {
    /// The variables the provider's own programs use.
    #[default]
    Usual,
    /// This environment variable.
    Variable(String),
    /// What this program prints.
    Command(Vec<String>),
    /// What this file holds.
    File(PathBuf),
}

/// One provider of a model and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Who serves the model.
    pub provider: Provider,
    /// The model; none: the provider's default.
    pub model: Option<String>,
    /// Where; none: the provider's own address.
    pub base_url: Option<String>,
    /// Where the key comes from.
    pub key: Key,
    /// How long it may take; none: as long as there is time.
    pub timeout: Option<Duration>,
}

impl Endpoint {
    /// Makes an endpoint with the provider's defaults.
    #[must_use]
    pub const fn new(provider: Provider) -> Self {
        Self {
            provider,
            model: None,
            base_url: None,
            key: Key::Usual,
            timeout: None,
        }
    }

    pub(crate) fn base(&self) -> &str {
        let named = self.base_url.as_deref();
        named.unwrap_or_else(|| self.provider.default_base())
    }

    pub(crate) fn model(&self) -> Result<&str, Fault> {
        let named = self.model.as_deref().or(self.provider.default_model());
        named.ok_or(Fault::NoModel)
    }

    /// Returns the name under which it is spoken of: `anthropic claude-haiku-4-5-20251001`.
    #[must_use]
    pub fn name(&self) -> String {
        let model = self.model().unwrap_or("no model");
        format!("{} {model}", self.provider.word())
    }

    /// Tells whether the server is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        is_local(self.base())
    }

    pub(crate) fn check_address(&self) -> Result<(), Fault> {
        check_address(self.base())
    }
}

/// Tells whether an address is on this machine.
pub(crate) fn is_local(base: &str) -> bool {
    let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let is_loopback = |it: &str| {
        let ip: Option<std::net::IpAddr> = it.parse().ok();
        ip.is_some_and(|it| it.is_loopback())
    };
    !authority.contains('@') && (host == "localhost" || is_loopback(host))
}

/// Only https, or this machine: nobody on the way may read the question or give the answer.
pub(crate) fn check_address(base: &str) -> Result<(), Fault> {
    let is_fine = base.starts_with("https://") || (base.starts_with("http://") && is_local(base));
    if is_fine && !base.contains('@') {
        return Ok(());
    }
    Err(Fault::BadAddress(base.to_owned()))
}

/// How the model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// One question.
    #[default]
    Single,
    /// One word first, and reasoning for what is not passed by it.
    TwoStage,
}

/// Prices of a million tokens, where ours are not known.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Prices {
    /// Read.
    pub input: Option<f64>,
    /// Written.
    pub output: Option<f64>,
}

/// What may be used up.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Limits {
    /// The most dollars in a day.
    pub day: Option<f64>,
    /// The most dollars in a session.
    pub session: Option<f64>,
    /// The most questions open at once; 0: as many as come.
    pub concurrent: u64,
}

/// Whom to ask, how, and at what cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Whom, in this order.
    pub endpoints: Vec<Endpoint>,
    /// How.
    pub mode: Mode,
    /// How long everything together may take.
    pub deadline: Duration,
    /// How often one provider is tried again.
    pub retries: u64,
    /// The longest answer.
    pub max_tokens: u64,
    /// How long a verdict is remembered; zero: not at all.
    pub remember: Duration,
    /// What may be used up.
    pub limits: Limits,
    /// Prices of the user.
    pub prices: Prices,
    /// Where full requests and replies are written.
    pub dump: Option<PathBuf>,
    /// Our folder for what processes share; without it nothing is shared or remembered.
    pub state: Option<PathBuf>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            endpoints: Vec::new(),
            mode: Mode::Single,
            deadline: Duration::from_secs(8),
            retries: 2,
            max_tokens: 256,
            remember: Duration::from_secs(86_400),
            limits: Limits {
                concurrent: 4,
                ..Limits::default()
            },
            prices: Prices::default(),
            dump: None,
            state: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str) -> bool {
        let mut endpoint = Endpoint::new(Provider::named("compatible").unwrap());
        endpoint.base_url = Some(base.to_owned());
        endpoint.check_address().is_ok()
    }

    #[test]
    fn only_https_or_this_machine() {
        for good in [
            "https://api.example.com",
            "http://localhost:11434/v1",
            "http://127.0.0.1:8080",
            "http://[::1]:8080/v1",
        ] {
            assert!(check(good), "{good}");
        }
        for bad in [
            "http://api.example.com",
            "http://localhost.example.com",
            "http://localhost@example.com",
            "http://127.0.0.1:80@example.com/",
            "http://192.168.1.2",
            "ftp://localhost",
            "file:///etc/passwd",
            "localhost:11434",
            "",
        ] {
            assert!(!check(bad), "{bad}");
        }
    }
}
