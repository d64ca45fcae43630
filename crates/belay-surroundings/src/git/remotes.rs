//! Remotes: their URLs, their default branches, where a push would go.

use super::config::{Config, is_true};
use super::refs::Held;
use super::repository::Repository;
use crate::look::Gap;

/// Where a push would go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushTarget {
    /// The remote.
    pub remote: String,
    /// The branch there.
    pub branch: String,
}

impl Repository {
    /// Returns the names of all remotes, each once.
    pub fn remotes(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for setting in &self.config().settings {
            if let ("remote", Some(name), "url" | "pushurl") = setting.parts()
                && !names.iter().any(|it| it == name)
            {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Returns the URLs of a remote that a push would use, then those that a fetch would.
    pub fn urls(&self, remote: &str) -> Vec<String> {
        let config = self.config();
        let own = |name| values(config, &format!("remote.{remote}.{name}"));
        let fetched = own("url");
        let fetch = fetched
            .iter()
            .map(|url| rewritten(config, url, "insteadof"));
        let pushed = own("pushurl");
        let mut urls: Vec<String> = if pushed.is_empty() {
            let pushed = |url: &&str| rewritten_push(config, url);
            fetched.iter().map(|url| pushed(&url.as_ref())).collect()
        } else {
            pushed
                .iter()
                .map(|url| rewritten(config, url, "insteadof"))
                .collect()
        };
        for url in fetch {
            if !urls.contains(&url) {
                urls.push(url);
            }
        }
        urls
    }

    /// Returns the default branch of a remote, as last seen.
    pub fn default_branch(&self, remote: &str) -> Result<Option<String>, Gap> {
        let prefix = format!("refs/remotes/{remote}/");
        if let Some(Held::Name(name)) = self.held(&format!("{prefix}HEAD"))? {
            return Ok(name.strip_prefix(&prefix).map(str::to_owned));
        }
        for name in ["main", "master"] {
            if self.reference(&format!("{prefix}{name}"))?.is_some() {
                return Ok(Some(name.to_owned()));
            }
        }
        Ok(None)
    }

    /// Returns where `git push` would push to; nothing when that is more than one branch or nowhere.
    pub fn push_target(&self, remote: &str) -> Result<Option<PushTarget>, Gap> {
        let config = self.config();
        let Some(branch) = self.branch()? else {
            return Ok(None);
        };
        let upstream = config.get(&format!("branch.{branch}.remote"));
        let chosen = [
            Some(remote).filter(|it| !it.is_empty()),
            config.get(&format!("branch.{branch}.pushremote")),
            config.get("remote.pushdefault"),
            upstream,
        ];
        let Some(remote) = chosen
            .into_iter()
            .flatten()
            .next()
            .map_or_else(|| self.only_remote(), |it| Some(it.to_owned()))
        else {
            return Ok(None);
        };
        let special = config.get(&format!("remote.{remote}.push")).is_some()
            || config
                .get(&format!("remote.{remote}.mirror"))
                .is_some_and(|it| it.is_empty() || is_true(it));
        if special {
            return Ok(None);
        }
        let merged = config
            .get(&format!("branch.{branch}.merge"))
            .and_then(|it| it.strip_prefix("refs/heads/"));
        let target = match config.get("push.default").unwrap_or("simple") {
            "simple" | "current" => Some(branch),
            "upstream" | "tracking" => merged.map(str::to_owned),
            _ => None,
        };
        Ok(target.map(|branch| PushTarget { remote, branch }))
    }

    /// Git falls back on the only remote, or on `origin`.
    fn only_remote(&self) -> Option<String> {
        match self.remotes().as_slice() {
            [only] => Some(only.clone()),
            many => many.iter().find(|it| *it == "origin").cloned(),
        }
    }
}

fn values(config: &Config, key: &str) -> Vec<String> {
    let mut values = Vec::new();
    for setting in config.settings.iter().filter(|it| it.key == key) {
        match setting.value.as_deref() {
            None | Some("") => values.clear(),
            Some(value) => values.push(value.to_owned()),
        }
    }
    values
}

fn rewritten_push(config: &Config, url: &str) -> String {
    let pushed = rewritten(config, url, "pushinsteadof");
    if pushed == url {
        rewritten(config, url, "insteadof")
    } else {
        pushed
    }
}

/// Replaces the longest beginning that a setting says to replace.
fn rewritten(config: &Config, url: &str, name: &str) -> String {
    let mut best: Option<(&str, &str)> = None;
    for setting in &config.settings {
        if let ("url", Some(base), key) = setting.parts()
            && key == name
            && let Some(prefix) = setting.value.as_deref()
            && url.starts_with(prefix)
            && best.is_none_or(|(longest, _)| prefix.len() > longest.len())
        {
            best = Some((prefix, base));
        }
    }
    match best {
        Some((prefix, base)) => format!("{base}{}", url.strip_prefix(prefix).unwrap_or(url)),
        None => url.to_owned(),
    }
}

/// Returns the host of a remote's URL; nothing for a path on this machine.
pub fn host_of(url: &str) -> Option<String> {
    let authority = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.split(['/', '?', '#']).next()?,
        None => {
            let (host, _) = url.split_once(':')?;
            if host.contains('/') {
                return None;
            }
            host
        }
    };
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next()?,
        None => host.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::host_of;

    fn host(url: &str, expected: &str) {
        assert_eq!(host_of(url).as_deref().unwrap_or("-"), expected, "{url}");
    }

    #[test]
    fn hosts_of_urls() {
        host("https://github.com/a/b.git", "github.com");
        host("https://me:pw@Git.Example.test:8443/a", "git.example.test");
        host("https://github.com@evil.test/a", "evil.test");
        host("git@github.com:a/b.git", "github.com");
        host("ssh://git@[::1]:22/a", "::1");
        host("/srv/git/a.git", "-");
        host("./a:b", "-");
        host("file:///srv/a", "-");
    }
}
