//! What is known, as a table and as numbers.

use crate::Outcome;
use crate::judge::judged;
use crate::knowledge::{self, File};
use crate::run::read;

/// Writes the reference of commands: each with what it does, the verdict of its plain use, and its flags.
pub fn commands() -> Outcome<String> {
    let files = knowledge::files()?;
    let uses: Vec<String> = files
        .iter()
        .map(|it| it.plain_use().unwrap_or_else(|| it.command.clone()))
        .collect();
    let verdicts = judged(uses.iter().map(String::as_str))?;
    let mut text = String::from(
        "# The commands\n\nMade by `cargo xtask docs --write` from `knowledge/commands`. The verdict is that of the use shown, in a project, without a\nmodel and without a look at the disk; what other flags and operands do is in the command's file. `+N`: other names it goes by.\nFlags count those of sub-commands in the same file.\n\n| command | what it does | plain use | verdict | flags |\n|---|---|---|---|---|\n",
    );
    for ((file, plain), judged) in files.iter().zip(&uses).zip(verdicts) {
        let more = match file.other_names() {
            0 => String::new(),
            count => format!(" +{count}"),
        };
        let plain = plain.replace('|', "\\|").replace('\n', " ");
        text.push_str(&format!(
            "| `{}`{more} | {} | `{plain}` | {} | {} |\n",
            file.command,
            file.about().replace('|', "\\|"),
            judged.verdict,
            file.flags()
        ));
    }
    Ok(text)
}

/// Returns the README with its numbers as they are now.
pub fn readme() -> Outcome<String> {
    const OPEN: &str = "<!-- counts: cargo xtask docs --write -->\n";
    const CLOSE: &str = "<!-- /counts -->";
    let text = read("README.md")?;
    let parts = text
        .split_once(OPEN)
        .and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1)));
    let Some((before, after)) = parts else {
        return Err(format!("README.md has no `{}`", OPEN.trim_end()));
    };
    Ok(format!("{before}{OPEN}{}{CLOSE}{after}", counts()?))
}

fn counts() -> Outcome<String> {
    let files = knowledge::files()?;
    let names: usize = files
        .iter()
        .filter(|it| !it.command.contains(' '))
        .map(|it| 1 + it.other_names())
        .sum();
    let flags: usize = files.iter().map(File::flags).sum();
    let examples: usize = files.iter().map(|it| it.examples().len()).sum();
    let policy = read("policy/default.toml")?;
    let rules = policy.lines().filter(|it| *it == "[[rule]]").count();
    Ok(format!(
        "| known | how many | where |\n|---|---|---|\n| commands, by all their names; files, sub-commands among them | {}; {} | [`docs/reference/commands.md`](docs/reference/commands.md) |\n| flags of theirs | {} | `knowledge/` |\n| examples, each a test | {} | `cargo test -p belay-analysis --test knowledge` |\n| rules of the default policy, each with examples on both sides | {} | `policy/default.toml` |\n",
        parted(names),
        parted(files.len()),
        parted(flags),
        parted(examples),
        parted(rules)
    ))
}

/// Writes a number with commas between thousands.
fn parted(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_parted() {
        assert_eq!(super::parted(7), "7");
        assert_eq!(super::parted(19419), "19,419");
    }
}
