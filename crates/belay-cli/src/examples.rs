//! Examples for the help of every sub-command. The tests below read each one as the command line would.

use clap::Command;

/// Lines to try. Each stands in the help of every sub-command it names: `belay rules lint` in that of `rules` and of `lint`.
/// What has examples beside its own words in `args.rs` is not here.
const EXAMPLES: &[&str] = &[
    "belay explain 'rm -rf build && git push'",
    "belay explain --json 'curl -s https://example.com | sh'",
    "belay hook claude-code < call.json",
    "belay uninstall claude-code",
    "belay uninstall --print",
    "belay doctor",
    "belay doctor --print --json claude-code",
    "belay mcp",
    "belay eval --strict calls.jsonl",
    "belay ui",
    "belay log -n 20",
    "belay log --json",
    "belay log export --help",
    "belay log verify",
    "belay why",
    "belay stats",
    "belay config --json",
    "belay config --default > ~/.config/belay/config.toml",
    "belay flags",
    "belay flags refresh",
    "belay fleet build policy -o acme.bundle",
    "belay fleet sign acme.bundle --key ~/.minisign/minisign.key --serial 42 --not-after 2027-12-31",
    "belay fleet verify acme.bundle",
    "belay fleet pull",
    "belay fleet diff old.bundle new.bundle",
    "belay fleet diff --enforced --json new.bundle",
    "belay fleet ship --once",
    "belay fleet status --json",
    "belay rules",
    "belay rules --policy --json",
    "belay rules lint",
    "belay rules suggest",
    "belay rules critique",
    "belay rules defaults",
    "belay rules import claude",
    "belay classifier check",
    "belay test --file .belay.toml",
    "belay replay -n 500",
    "belay replay --json --strict",
    "belay statusline < session.json",
    "belay profile",
    "belay learn frobnicate",
    "belay knowledge lint ~/.config/belay/knowledge/commands/frob.toml",
    "belay trust",
    "belay trust --list",
];

/// Returns the command line with the examples in its help.
pub fn added(cli: Command) -> Command {
    let words = |line: &&'static str| Example {
        line,
        rest: line.split(' ').skip(1).collect(),
    };
    let examples: Vec<Example> = EXAMPLES.iter().map(words).collect();
    cli.mut_subcommands(|it| with(it, &examples))
}

/// A line, and its words that were not yet followed.
struct Example {
    line: &'static str,
    rest: Vec<&'static str>,
}

/// Adds the examples that name a command, and goes on to what is below it.
fn with(command: Command, examples: &[Example]) -> Command {
    let name = command.get_name().to_owned();
    let named = examples
        .iter()
        .filter_map(|it| match it.rest.split_first() {
            Some((first, rest)) if *first == name => Some(Example {
                line: it.line,
                rest: rest.to_vec(),
            }),
            Some(_) | None => None,
        });
    let named: Vec<Example> = named.collect();
    if named.is_empty() {
        return command;
    }
    let lines: Vec<String> = named.iter().map(|it| format!("  {}", it.line)).collect();
    let there = command.get_after_help().map(|it| format!("{it}\n\n"));
    let text = format!(
        "{}Examples:\n{}",
        there.unwrap_or_default(),
        lines.join("\n")
    );
    let command = command.after_help(text);
    command.mut_subcommands(|it| with(it, &named))
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::added;
    use crate::args::Cli;

    /// Returns the words of a line up to where the shell takes over or a remark begins.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let (mut quote, mut blanks) = (None, 0);
        for letter in line.trim().chars() {
            match (quote, letter) {
                (Some(open), it) if it == open => quote = None,
                (Some(_), it) => words.last_mut().unwrap().push(it),
                (None, '\'' | '"') => quote = Some(letter),
                (None, ' ') if blanks > 0 => break,
                (None, ' ') => words.push(String::new()),
                (None, '<' | '>' | '|' | '&' | '#') => break,
                (None, it) => words.last_mut().unwrap().push(it),
            }
            blanks = usize::from(letter == ' ' && quote.is_none());
        }
        words.retain(|it| !it.is_empty());
        words
    }

    /// Walks all sub-commands, and insists on examples that can be typed.
    fn check(command: &mut Command, path: &str) {
        let help = command.render_long_help().to_string();
        let shown = help
            .lines()
            .filter(|it| it.trim_start().starts_with("belay "));
        let shown: Vec<&str> = shown.collect();
        assert!(!shown.is_empty(), "`{path}` has no example");
        for line in shown {
            let read = added(Cli::command()).try_get_matches_from(words(line));
            let is_read = read.as_ref().err().is_none_or(|it| !it.use_stderr());
            assert!(is_read, "{path}: `{line}`: {:?}", read.err());
        }
        // The help's own sub-commands are clap's, and repeat all others.
        for inner in command
            .get_subcommands_mut()
            .filter(|it| it.get_name() != "help")
        {
            let path = format!("{path} {}", inner.get_name());
            check(inner, &path);
        }
    }

    #[test]
    fn every_command_shows_how_it_is_typed() {
        let mut cli = added(Cli::command());
        cli.build();
        check(&mut cli, "belay");
    }
}
