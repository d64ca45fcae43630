//! Which share of what agents really run is known: command and flags.

use std::collections::{BTreeMap, BTreeSet};

use crate::judge::{Judged, judged};
use crate::run::read;
use crate::{Outcome, figures};

/// The least share of uses, in all and of each kind of work, whose command and flags are known.
const LEAST: f64 = 97.0;

/// The kinds of work, and the first words of their commands; what is in none is `files and text`.
const KINDS: [(&str, &[&str]); 6] = [
    ("git and forges", &["git", "gh", "glab", "act"]),
    (
        "javascript",
        &[
            "node",
            "npm",
            "npx",
            "pnpm",
            "yarn",
            "bun",
            "bunx",
            "tsc",
            "tsx",
            "nvm",
            "agent-browser",
        ],
    ),
    (
        "python",
        &[
            "python",
            "python3",
            "python3.11",
            "pip",
            "pytest",
            "pylint",
            "pyreverse",
            "uv",
            "conda",
            "django-admin",
            "sphinx-build",
            "sphinx-apidoc",
            "sphinx-quickstart",
        ],
    ),
    (
        "go, java, ruby and tasks",
        &[
            "go",
            "gofmt",
            "golangci-lint",
            "staticcheck",
            "java",
            "ruby",
            "make",
            "mise",
        ],
    ),
    (
        "containers and clouds",
        &[
            "docker",
            "docker-compose",
            "vercel",
            "railway",
            "supabase",
            "psql",
            "sqlite3",
            "curl",
        ],
    ),
    (
        "system and sessions",
        &[
            "ps",
            "kill",
            "pkill",
            "killall",
            "lsof",
            "netstat",
            "tmux",
            "brew",
            "dpkg",
            "apt-get",
            "claude",
            "codex",
            "cursor-agent",
            "open",
            "osacompile",
            "nvidia-smi",
            "pgrep",
        ],
    ),
];

/// A command of `knowledge/usage.tsv`, or one flag seen with it.
struct Use {
    command: String,
    count: u64,
    /// The flag, and the command it belongs to where that is another: `psql` behind `docker exec`.
    flag: Option<(String, String)>,
}

/// Prints the shares; fails when one is too small, or smaller than it was.
pub fn run() -> Outcome {
    let (tallies, mut missing) = tallies()?;
    let mut small = Vec::new();
    for (kind, tally) in &tallies {
        println!("{kind:<26} {tally}");
        if tally.share() < LEAST {
            small.push(*kind);
        }
    }
    missing.sort_by_key(|it| std::cmp::Reverse(it.count));
    for it in missing.iter().take(25) {
        let flag = it.flag.as_ref().map_or("", |(flag, _)| flag);
        println!("  {} {} {flag}", it.count, it.command);
    }
    if !small.is_empty() {
        return Err(format!(
            "less than {LEAST} % known: {}\nhint: teach the commands listed above, or say in knowledge/unknown.txt why they stay unknown",
            small.join(", ")
        ));
    }
    figures::shares_hold(&rounded(&tallies), &figures::committed()?.coverage)
}

/// Returns the share of each kind of work.
pub fn shares() -> Outcome<BTreeMap<String, f64>> {
    tallies().map(|(tallies, _)| rounded(&tallies))
}

fn rounded(tallies: &BTreeMap<&str, Tally>) -> BTreeMap<String, f64> {
    let share = |it: &Tally| (it.share() * 10.0).floor() / 10.0;
    let pairs = tallies.iter();
    pairs
        .map(|(kind, it)| ((*kind).to_owned(), share(it)))
        .collect()
}

/// Counts what is known of each kind of work, and returns what is not.
fn tallies() -> Outcome<(BTreeMap<&'static str, Tally>, Vec<Use>)> {
    let left = left();
    let all = uses(&read("knowledge/usage.tsv")?);
    let kept: Vec<Use> = all.into_iter().filter(|it| !is_left(it, &left)).collect();
    let known = known(&kept)?;
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut missing = Vec::new();
    for (it, known) in kept.into_iter().zip(known) {
        for kind in ["all", kind(&it.command)] {
            tallies.entry(kind).or_default().add(&it, known);
        }
        if !known {
            missing.push(it);
        }
    }
    Ok((tallies, missing))
}

/// What was counted of one kind of work.
#[derive(Default)]
struct Tally {
    commands: (u64, u64),
    flags: (u64, u64),
}

impl Tally {
    fn add(&mut self, it: &Use, known: bool) {
        let pair = if it.flag.is_some() {
            &mut self.flags
        } else {
            &mut self.commands
        };
        pair.0 += if known { it.count } else { 0 };
        pair.1 += it.count;
    }

    /// Returns the least share of uses whose command and flags are all known: every flag that is not
    /// known may have stood in a use of its own.
    fn share(&self) -> f64 {
        let strange = self.flags.1 - self.flags.0;
        percent((self.commands.0.saturating_sub(strange), self.commands.1))
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ((known, all), (flags, of)) = (self.commands, self.flags);
        write!(
            f,
            "{:>5.1} % of uses, at least: {known} of {all} commands, {flags} of {of} flags ({:.1} %)",
            self.share(),
            percent(self.flags)
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a small table")]
fn percent((part, whole): (u64, u64)) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn kind(command: &str) -> &'static str {
    let first = command.split(' ').next().unwrap_or(command);
    let found = KINDS.iter().find(|(_, words)| words.contains(&first));
    found.map_or("files and text", |(kind, _)| kind)
}

/// Reads the words that stay unknown on purpose.
fn left() -> BTreeSet<String> {
    let text = read("knowledge/unknown.txt").unwrap_or_default();
    text.lines()
        .filter_map(|it| it.split('\t').next().map(|it| it.trim().to_owned()))
        .collect()
}

fn is_left(it: &Use, left: &BTreeSet<String>) -> bool {
    let first = it.command.split(' ').next().unwrap_or_default();
    left.contains(&it.command) || left.contains(first)
}

fn uses(text: &str) -> Vec<Use> {
    let mut out = Vec::new();
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        let mut parts = line.split('\t');
        let (Some(command), Some(count)) =
            (parts.next(), parts.next().and_then(|it| it.parse().ok()))
        else {
            continue;
        };
        let of = |flag, count| Use {
            command: command.to_owned(),
            count,
            flag,
        };
        out.push(of(None, count));
        for flag in parts.next().unwrap_or_default().split_whitespace() {
            let mut parts = flag.splitn(3, ':');
            let (Some(flag), Some(count)) = (parts.next(), parts.next()) else {
                continue;
            };
            let owner = parts.next().map_or_else(|| command.to_owned(), spaced);
            let flag = flag.replace("-NUM", "-5");
            out.push(of(Some((flag, owner)), count.parse().unwrap_or(0)));
        }
    }
    out
}

/// Returns the command whose words are joined by `+` in the file.
fn spaced(owner: &str) -> String {
    owner.replace('+', " ")
}

/// Tells of each use whether it is known. The counts do not say where a flag stood: it is known when it
/// is at one of its two places, before the operands or behind the first (a script's own).
fn known(uses: &[Use]) -> Outcome<Vec<bool>> {
    let asked: Vec<[String; 2]> = uses
        .iter()
        .map(|it| match &it.flag {
            None => [it.command.clone(), it.command.clone()],
            Some((flag, owner)) => [format!("{owner} {flag} x"), format!("{owner} x {flag} y")],
        })
        .collect();
    let answers = judged(asked.iter().flatten().map(String::as_str))?;
    let known = |it: &Use, answer: &Judged| {
        let strange: &[&str] = if it.flag.is_some() {
            &["unknown flag", "unknown command -"]
        } else {
            &["unknown command", "unknown subcommand", "unknown flag"]
        };
        let mut effects = answer.effects.iter();
        !effects.any(|effect| strange.iter().any(|it| effect.starts_with(it)))
    };
    let pairs = answers.chunks(2).zip(uses);
    Ok(pairs
        .map(|(answers, it)| answers.iter().any(|answer| known(it, answer)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_may_belong_to_the_command_behind() {
        let all = uses("docker exec\t9\t-i:2 -U:3:psql+x\n");
        let flags: Vec<_> = all.iter().filter_map(|it| it.flag.clone()).collect();
        assert_eq!(
            flags,
            [
                ("-i".to_owned(), "docker exec".to_owned()),
                ("-U".to_owned(), "psql x".to_owned())
            ]
        );
    }

    #[test]
    fn every_flag_that_is_not_known_costs_a_use() {
        let tally = Tally {
            commands: (90, 100),
            flags: (40, 50),
        };
        assert!((tally.share() - 80.0).abs() < 0.01);
    }
}
