//! A draft of a knowledge file, from what a program says of itself.
//!
//! INVARIANT: a draft claims nothing. How flags are spelled is taken over; what they do is unknown until a person reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use autobelay::Bound;

/// The most flags, and the most sub-commands, of a draft.
const MOST: usize = 400;

/// The longest name that is taken over.
const LONGEST: usize = 60;

/// What a program says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Its first sentence.
    about: String,
    /// Its flags, by what they are sorted by.
    flags: BTreeMap<String, String>,
    subs: Vec<String>,
}

impl Draft {
    /// Reads the output of `--help`.
    pub fn of_help(text: &str) -> Self {
        let mut draft = Self::default();
        let mut lists_commands = false;
        for line in text.lines() {
            let bare = line.trim();
            if bare.is_empty() {
                continue;
            }
            if !line.starts_with([' ', '\t']) {
                lists_commands = bare.to_ascii_lowercase().ends_with("commands:");
                draft.introduce(bare);
            } else if bare.starts_with('-') {
                draft.flag(bare);
            } else if lists_commands {
                draft.sub(bare);
            }
        }
        draft
    }

    /// Adds the long flags that a completion script names; it is read as text and never run.
    pub fn and_completions(mut self, text: &str) -> Self {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        for at in text.match_indices("--").map(|(at, _)| at) {
            let before = text.get(..at).and_then(|it| it.chars().next_back());
            let rest = text.get(at..).unwrap_or_default();
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let name = rest.get(..end).unwrap_or_default().trim_end_matches('-');
            let valued = rest.get(end..).is_some_and(|it| it.starts_with('='));
            if before.is_none_or(|c| !is_part(c)) && is_name(name.trim_start_matches('-')) {
                let value = if valued { "=VALUE" } else { "" };
                self.add(&[name.to_owned()], value);
            }
        }
        self
    }

    /// Tells how many flags and sub-commands there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.flags.len(), self.subs.len())
    }

    fn introduce(&mut self, line: &str) {
        let is_sentence = line.contains(' ') && !line.ends_with(':');
        let is_usage = line.to_ascii_lowercase().starts_with("usage");
        if self.about.is_empty() && is_sentence && !is_usage {
            let plain = line.chars().filter(|c| c.is_ascii_graphic() || *c == ' ');
            let plain: String = plain
                .filter(|c| !matches!(c, '"' | '\\'))
                .take(120)
                .collect();
            self.about = plain.trim().to_owned();
        }
    }

    /// Reads `-o, --output <FILE>   Where to`.
    fn flag(&mut self, line: &str) {
        let end = line.find("  ").or_else(|| line.find('\t'));
        let spelled = line.get(..end.unwrap_or(line.len())).unwrap_or(line);
        let mut names = Vec::new();
        let mut value = "";
        for word in spelled.split([' ', ',', '|']).filter(|it| !it.is_empty()) {
            let Some(dashed) = word.strip_prefix('-') else {
                value = valued(word, value);
                continue;
            };
            let end = dashed.find(['=', '[', '<']).unwrap_or(dashed.len());
            let (name, rest) = dashed.split_at(end);
            let (name, rest) = match rest.strip_prefix("[no-]") {
                Some(negated) => (negated, ""),
                None => (name, rest),
            };
            if is_name(name.trim_start_matches('-')) {
                let no = if word.starts_with("--[no-]") {
                    "-[no-]"
                } else {
                    ""
                };
                names.push(format!("-{no}{name}"));
            }
            value = valued(rest, value);
        }
        self.add(&names, value);
    }

    fn add(&mut self, names: &[String], value: &str) {
        let known = |it: &String| self.spells(it);
        let Some(last) = names.last().filter(|_| !names.iter().any(known)) else {
            return;
        };
        if self.flags.len() < MOST {
            let key = last.replace("[no-]", "");
            let key = key.trim_start_matches('-').to_ascii_lowercase();
            let spelled = format!("{}{value}", names.join(" "));
            self.flags.insert(format!("{key} {last}"), spelled);
        }
    }

    fn spells(&self, name: &str) -> bool {
        let word = |it: &str| it.split(['=', '[']).next() == Some(name);
        self.flags.values().any(|it| it.split(' ').any(word))
    }

    fn sub(&mut self, line: &str) {
        let name = line.split([' ', ',', '\t']).next().unwrap_or_default();
        let name = name.trim_end_matches(':');
        let known = self.subs.iter().any(|it| it == name);
        if is_name(name) && name != "help" && !known && self.subs.len() < MOST {
            self.subs.push(name.to_owned());
        }
    }

    /// Writes it as a knowledge file.
    pub fn file(&self, name: &str, bound: &Bound) -> String {
        let about = match self.about.as_str() {
            "" => "Not described yet.",
            said => said,
        };
        let mut text = format!(
            "# A draft by `belay learn {name}`: every flag is unread, and its effect unknown, until you read the manual and describe it here.\n\
             # A flag that only changes what is shown goes from `unread` to `inert`; then `belay knowledge lint` this file.\n\
             about   = \"{about}\"\nusage   = \"{name} [WORD...]\"\ndialect = \"exact\"\neffects = [\"unknown command {name}\"]\n"
        );
        let flags: Vec<&str> = self.flags.values().map(String::as_str).collect();
        if !flags.is_empty() {
            let _ = writeln!(text, "unread  = \"\"\"\n{}\"\"\"", folded(&flags));
        }
        let Bound { path, hash, stamp } = bound;
        let _ = write!(
            text,
            "\n[bound]\npath   = \"{path}\"\nhash   = \"{hash}\"\nstamp  = \"{stamp}\"\n"
        );
        for sub in &self.subs {
            let _ = write!(
                text,
                "\n[sub.\"{sub}\"]\nusage   = \"{name} {sub} [WORD...]\"\neffects = [\"unknown command {name}\"]\n"
            );
        }
        let unknown = format!("[\"unknown command {name}\"]");
        let _ = write!(
            text,
            "\n[examples]\n\"{name}\" = {unknown}\n\"{name} x\" = {unknown}\n\"{name} x y\" = {unknown}\n"
        );
        text
    }
}

/// Returns how a value is written that stands like this behind a flag.
fn valued<'a>(written: &str, so_far: &'a str) -> &'a str {
    let named = written.trim_matches(|c: char| "[]<>=.{}()".contains(c));
    match (so_far, named.is_empty()) {
        ("", false) if written.starts_with("[=") => "[=VALUE]",
        ("", false) => "=VALUE",
        (_, _) => so_far,
    }
}

fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let part = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    starts && text.len() <= LONGEST && text.chars().all(part)
}

/// Folds a list into lines.
fn folded(flags: &[&str]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for (at, flag) in flags.iter().enumerate() {
        let gap = match at {
            0 => "",
            _ if width + flag.len() > 120 => ",\n",
            _ => ", ",
        };
        width = if gap.ends_with('\n') { 0 } else { width } + flag.len() + 2;
        text.push_str(gap);
        text.push_str(flag);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: &str = "\
frob 1.2 frobs \"things\".

Usage: frob [OPTIONS] <COMMAND>

Commands:
  list, ls    Lists them
  push        Sends them
  help        Helps

Options:
  -c, --config <FILE>      Settings
      --color[=WHEN]       Colours
      --[no-]wait          Waits
  -n N                     So many
      --timeout duration   Go's way
  -q, --quiet
  --quiet                  Again
  -h, --help               Helps
";

    fn flags(draft: &Draft) -> Vec<&str> {
        draft.flags.values().map(String::as_str).collect()
    }

    #[test]
    fn help_says_how_flags_are_spelled() {
        let draft = Draft::of_help(HELP);
        assert_eq!(draft.about, "frob 1.2 frobs things.");
        assert_eq!(draft.subs, ["list", "push"]);
        let expected = [
            "--color[=VALUE]",
            "-c --config=VALUE",
            "-h --help",
            "-n=VALUE",
            "-q --quiet",
            "--timeout=VALUE",
            "--[no-]wait",
        ];
        assert_eq!(flags(&draft), expected);
    }

    #[test]
    fn completions_add_long_flags() {
        let draft =
            Draft::of_help(HELP).and_completions("COMPREPLY=(--dry-run --out= --quiet a--b ---)");
        assert!(flags(&draft).contains(&"--dry-run"));
        assert!(flags(&draft).contains(&"--out=VALUE"));
        assert_eq!(draft.counts(), (9, 2));
    }

    #[test]
    fn hostile_help_writes_no_toml() {
        let draft = Draft::of_help(
            "a \"\"\"\n[bound]\n  -x\" = \"\", --evil\"\"\"  x\n  --a=\"$(id)\"  y\nCommands:\n  x\"]  z\n",
        );
        assert!(!draft.about.contains('"'));
        assert_eq!(flags(&draft), ["--a=VALUE"]);
        assert!(draft.subs.is_empty());
    }
}
