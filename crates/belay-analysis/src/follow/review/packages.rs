//! Manifests and settings of package managers: scripts, sources and registries.

use belay_knowledge::OURS;

use super::Piece;
use super::kinds::Manifest;

/// Names in a manifest whose value is an address of something that is not installed.
const ADDRESSES: [&str; 14] = [
    "url",
    "homepage",
    "repository",
    "bugs",
    "funding",
    "$schema",
    "license",
    "email",
    "author",
    "docs",
    "support",
    "documentation",
    "source",
    "issues",
];

/// Finds what counts in a manifest.
pub(super) fn pieces(manifest: Manifest, text: &str, found: &mut Vec<Piece>) {
    match manifest {
        Manifest::Npm | Manifest::Composer => json(manifest, text, found),
        Manifest::Requirements => text
            .lines()
            .for_each(|line| requirement(line.trim(), found)),
        Manifest::Pyproject => text.lines().for_each(|line| python(line.trim(), found)),
        Manifest::Cargo => text.lines().for_each(|line| cargo(line.trim(), found)),
        Manifest::Gem => text.lines().for_each(|line| gem(line.trim(), found)),
        Manifest::Go => text.lines().for_each(|line| go(line.trim(), found)),
        Manifest::Gradle => text.lines().for_each(|line| gradle(line.trim(), found)),
    }
}

/// Finds registries in settings of a package manager, and what is switched off there.
pub(super) fn registries(text: &str, found: &mut Vec<Piece>) {
    for line in text
        .lines()
        .map(str::trim)
        .filter(|it| !it.starts_with(['#', ';']))
    {
        let Some((name, value)) = line.split_once(['=', ':', ' ']) else {
            continue;
        };
        let (name, value) = (
            name.trim().to_lowercase(),
            value.trim().trim_matches(['"', '\'', '=', ' ']),
        );
        let has_url = value.contains("://");
        if has_url && !name.starts_with('#') {
            registry(value, found);
        }
        let off = matches!(value.to_lowercase().as_str(), "false" | "0" | "no");
        match name.as_str() {
            "strict-ssl" | "strictssl" | "enablestrictssl" | "httpsonly" if off => {
                found.push(Piece::Setting("registry", "unverified"));
            }
            "trusted-host" => found.push(Piece::Setting("registry", "unverified")),
            "script-shell" | "node-options" | "yarnpath" | "yarn-path" | "plugins"
            | "onload-script" | "git" | "init-module" | "shell" | "preload" => {
                found.push(Piece::Setting("environment", "program"))
            }
            _ => {}
        }
    }
}

fn registry(text: &str, found: &mut Vec<Piece>) {
    for url in text
        .split([' ', '"', '\'', ',', '[', ']', '(', ')'])
        .filter(|it| it.contains("://"))
    {
        let host = belay_places::host_of(url);
        let local = host.starts_with("localhost") || host.starts_with("127.0.0.1");
        if !local && !belay_places::is_registry(&host) && !url.contains("${{") {
            found.push(Piece::Registry(url.to_owned()));
        }
    }
}

/// Reads `"name": "value"` pairs wherever they stand, so that a part of a file can be read too.
fn json(manifest: Manifest, text: &str, found: &mut Vec<Piece>) {
    for (name, value) in pairs(text) {
        let runs = OURS.lists("lifecycle-scripts", &name);
        if runs && !is_version(&value) {
            found.push(Piece::Runs(value.clone()));
        } else if name == "registry" {
            registry(&value, found);
        } else if (lies_in_repository(manifest, text) && name == "url")
            || names_package(&name, &value)
        {
            found.push(Piece::Package(manifest.ecosystem(), value));
        } else if value.contains(' ') {
            found.push(Piece::May(value));
        }
    }
}

/// Tells whether a pair names a package from elsewhere.
fn names_package(name: &str, value: &str) -> bool {
    is_elsewhere(value) && !ADDRESSES.contains(&name)
}

/// Composer's packages from elsewhere lie under an address of their own.
fn lies_in_repository(manifest: Manifest, text: &str) -> bool {
    manifest == Manifest::Composer && text.contains("\"repositories\"")
}

fn is_version(value: &str) -> bool {
    value.starts_with(|it: char| it.is_ascii_digit() || "^~<>=*".contains(it)) || value == "latest"
}

/// Tells whether a package comes from a repository or an address.
fn is_elsewhere(value: &str) -> bool {
    let starts = [
        "git+",
        "git://",
        "git@",
        "ssh://",
        "github:",
        "gitlab:",
        "bitbucket:",
        "gist:",
    ];
    let archive = [".tgz", ".tar.gz", ".git", ".zip", ".whl"];
    let plain = value.split(['#', '?']).next().unwrap_or(value);
    starts.iter().any(|it| value.starts_with(it))
        || value.starts_with("http")
            && value.contains("://")
            && !value.contains(' ')
            && (archive.iter().any(|it| plain.ends_with(it)) || value.contains("/tarball/"))
}

/// Returns names with a text as their value.
fn pairs(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    let mut name: Option<String> = None;
    while let Some(at) = rest.find('"') {
        let (between, from) = rest.split_at(at);
        let Some((word, after)) = string(from) else {
            break;
        };
        let is_value = between.trim() == ":";
        match name.take().filter(|_| is_value) {
            Some(name) => pairs.push((name, word)),
            None => name = Some(word),
        }
        rest = after;
    }
    pairs
}

/// Reads a text in quotes; returns what follows it.
fn string(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut letters = text.strip_prefix('"')?.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some((out, letters.as_str())),
            '\\' => match letters.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
    None
}

fn requirement(line: &str, found: &mut Vec<Piece>) {
    let line = line.split(" #").next().unwrap_or(line);
    if line.starts_with('#') || line.is_empty() {
        return;
    }
    let flags = [
        "--index-url",
        "--extra-index-url",
        "--find-links",
        "-i ",
        "-f ",
    ];
    if flags.iter().any(|it| line.starts_with(it)) {
        return registry(&line.replace('=', " "), found);
    }
    if line.starts_with("--trusted-host") {
        found.push(Piece::Setting("registry", "unverified"));
    } else if line.contains("://") || line.contains("git+") {
        found.push(Piece::Package(
            Manifest::Pyproject.ecosystem(),
            line.to_owned(),
        ));
    }
}

fn python(line: &str, found: &mut Vec<Piece>) {
    if line.starts_with('#') {
        return;
    }
    let value = |name: &str| {
        let (left, right) = line.split_once('=')?;
        (left.trim() == name).then(|| right.trim().to_owned())
    };
    if line.contains("git+")
        || line.contains(" @ http")
        || line.contains("git = \"")
        || line.contains("url = \"http") && line.contains('{')
    {
        found.push(Piece::Package(
            Manifest::Pyproject.ecosystem(),
            line.to_owned(),
        ));
    } else if let Some(url) = value("url")
        .or_else(|| value("index-url"))
        .or_else(|| value("default-index"))
    {
        registry(&url, found);
    }
}

fn cargo(line: &str, found: &mut Vec<Piece>) {
    if line.starts_with('#') {
        return;
    }
    let compact = line.replace(' ', "");
    let own = compact.starts_with("repository=")
        || compact.starts_with("homepage=")
        || compact.starts_with("documentation=");
    if (compact.contains("git=\"") || compact.contains("registry=\"")) && !own {
        found.push(Piece::Package(Manifest::Cargo.ecosystem(), line.to_owned()));
    }
}

fn gem(line: &str, found: &mut Vec<Piece>) {
    if line.starts_with('#') {
        return;
    }
    if line.starts_with("source ") || line.starts_with("source(") {
        registry(line, found);
    } else if ["git:", ":git =>", "github:", ":github =>", "git_source"]
        .iter()
        .any(|it| line.contains(it))
    {
        found.push(Piece::Package(Manifest::Gem.ecosystem(), line.to_owned()));
    }
}

fn go(line: &str, found: &mut Vec<Piece>) {
    if let Some((_, to)) = line.split_once("=>") {
        let to = to.trim();
        if !to.starts_with(['.', '/']) {
            found.push(Piece::Package(Manifest::Go.ecosystem(), to.to_owned()));
        }
    }
}

fn gradle(line: &str, found: &mut Vec<Piece>) {
    let names_one = line.contains("maven") && line.contains("url")
        || line.starts_with("url")
        || line.starts_with("<url>") && line.contains("/maven")
        || line.starts_with("setUrl");
    if names_one {
        registry(&line.replace(['<', '>'], " "), found);
    }
}
