//! The lines that are tried: every example whose program is there, and uses of each flag, made by chance.

use std::collections::BTreeSet;
use std::path::Path;

use belay_oracle::dice::Dice;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::fits::{fitting, needs_others};
use crate::tools::Cache;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What is typed.
    pub text: String,
    /// The program it is about.
    pub program: String,
    /// Whether it stands in a file of knowledge.
    pub example: bool,
}

/// A command or sub-command, as far as lines are made from it.
#[derive(Clone, Debug, Default)]
struct Level {
    words: Vec<String>,
    usages: Vec<String>,
    flags: Vec<String>,
    /// What follows these words in examples: operands that fit.
    frames: Vec<String>,
}

/// What knowledge offers to lines.
#[derive(Clone, Debug, Default)]
pub struct Source {
    examples: Vec<Line>,
    levels: Vec<Level>,
    /// Programs of which fewer lines are made: they take long to start, or are one more name of a file.
    rare: BTreeSet<String>,
}

/// What flags and operands are given: names of the world, and such as show that a value is more than text.
const VALUES: [&str; 18] = [
    "@/home/dev/.netrc",
    "file:/home/dev/.netrc",
    "/home/dev/made",
    "made",
    "json",
    "./evil.sh",
    "a.txt",
    "1",
    "x",
    "/home/dev/.netrc",
    "'touch /home/dev/ran'",
    "http://example.com/x",
    "/tmp/made",
    "src",
    "a.json",
    "..",
    "/home/dev/other",
    "a=b",
];

/// What operands are, most of the time.
const OPERANDS: [&str; 24] = [
    "a.txt", "x", "src", "a.json", "a.py", "a.js", "a.tar", "a.zip", "a.gz", "b", ".", "a.db",
    "a.md", "a.yaml", "a.c", "a.ts", "a.csv", "main", "HEAD", "a.bz2", "x.patch", "a.xml",
    "a.html", "made",
];

/// So many lines of a hundred get a strange operand.
const STRANGE: u64 = 15;

/// So many lines of a hundred get the operands of an example, where there is one.
const FRAMED: u64 = 40;

/// So many operands of a hundred are files that the program reads, where that is known.
const FIT: u64 = 70;

/// How many flags a line has besides its own.
const MORE: [u64; 8] = [0, 0, 0, 0, 1, 1, 1, 2];

/// So many uses of a hundred are kept of a program that takes long to start, or is another name: in its time others prove more.
const RARE: u64 = 10;

impl Source {
    /// Reads the files below a folder of commands, of programs that are there.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read(folder: &Path, cache: &Cache) -> Result<Self, String> {
        let mut source = Self::default();
        source.folder(folder, &[], &|it| cache.has(it))?;
        source.frame();
        source.examples.sort_by(|a, b| a.text.cmp(&b.text));
        source.levels.sort_by(|a, b| a.words.cmp(&b.words));
        let names: BTreeSet<&String> = source.levels.iter().filter_map(Level::program).collect();
        let slow: Vec<String> = names
            .into_iter()
            .filter(|it| cache.is_slow(it) || needs_others(it))
            .cloned()
            .collect();
        source.rare.extend(slow);
        Ok(source)
    }

    /// Hands each level what its examples say behind its words, where that is plain.
    fn frame(&mut self) {
        for level in &mut self.levels {
            let words = format!("{} ", level.words.join(" "));
            let rests = self
                .examples
                .iter()
                .filter_map(|it| it.text.strip_prefix(&words));
            // What the shell reads otherwise than as words would make another line of it.
            let plain = |it: &&str| !it.contains(['|', ';', '&', '<', '>', '$', '`', '#', '\n']);
            level.frames = rests.filter(plain).map(str::to_owned).collect();
        }
    }

    fn folder(
        &mut self,
        folder: &Path,
        above: &[String],
        is_there: &dyn Fn(&str) -> bool,
    ) -> Result<(), String> {
        let fault = |why| format!("cannot read `{}`: {why}", folder.display());
        for entry in std::fs::read_dir(folder).map_err(fault)? {
            let path = entry.map_err(fault)?.path();
            let stem = path
                .file_stem()
                .map(|it| it.to_string_lossy().into_owned())
                .unwrap_or_default();
            let own = above.last() == Some(&stem);
            let mut words = above.to_vec();
            if !own {
                words.push(stem);
            }
            if path.is_dir() {
                self.folder(&path, &words, is_there)?;
            } else {
                let text = std::fs::read_to_string(&path).map_err(fault)?;
                let table = text
                    .parse::<Table>()
                    .map_err(|why| format!("`{}` is not TOML: {why}", path.display()))?;
                self.file(&table, &words, is_there);
            }
        }
        Ok(())
    }

    fn file(&mut self, table: &Table, words: &[String], is_there: &dyn Fn(&str) -> bool) {
        let [first, rest @ ..] = words else { return };
        let mut names: Vec<String> = strings(table, "names");
        let tools = table.get("tool").and_then(Value::as_table);
        if names.is_empty() {
            names.push(first.clone());
        }
        let there: Vec<&String> = names.iter().filter(|it| is_there(it)).collect();
        self.rare
            .extend(there.iter().skip(1).map(|it| (*it).clone()));
        for name in there {
            let words: Vec<String> = [name.clone()].into_iter().chain(rest.to_vec()).collect();
            self.level(table, &words);
        }
        for (names, tool) in tools.into_iter().flatten() {
            let tool = tool.as_table().cloned().unwrap_or_default();
            for name in names.split('|').filter(|it| is_there(it)) {
                let mut merged = table.clone();
                merged.remove("tool");
                merged.extend(tool.clone());
                let words: Vec<String> =
                    [name.to_owned()].into_iter().chain(rest.to_vec()).collect();
                self.level(&merged, &words);
            }
        }
        let examples = table.get("examples").and_then(Value::as_table);
        for (text, _) in examples.into_iter().flatten() {
            let program = text.split_whitespace().next().unwrap_or_default();
            if is_there(program) {
                self.examples.push(Line {
                    text: text.clone(),
                    program: program.to_owned(),
                    example: true,
                });
            }
        }
    }

    fn level(&mut self, table: &Table, words: &[String]) {
        let mut usages: Vec<String> = table
            .get("usage")
            .and_then(Value::as_str)
            .map(str::to_owned)
            .into_iter()
            .collect();
        let forms = table.get("form").and_then(Value::as_array);
        for form in forms.into_iter().flatten() {
            usages.extend(form.get("usage").and_then(Value::as_str).map(str::to_owned));
        }
        let mut flags: Vec<String> = table
            .get("inert")
            .and_then(Value::as_str)
            .map(parted)
            .unwrap_or_default();
        for key in ["examined", "flags"] {
            let keys = table.get(key).and_then(Value::as_table);
            flags.extend(
                keys.into_iter()
                    .flat_map(Table::keys)
                    .flat_map(|it| parted(it)),
            );
        }
        self.levels.push(Level {
            words: words.to_vec(),
            usages,
            flags,
            frames: Vec::new(),
        });
        let subs = table.get("sub").and_then(Value::as_table);
        for (names, sub) in subs.into_iter().flatten() {
            let Some(sub) = sub.as_table() else { continue };
            for name in names.split('|').filter(|it| !it.contains('*')) {
                let mut words = words.to_vec();
                words.push(name.to_owned());
                self.level(sub, &words);
            }
        }
    }

    /// Returns the examples, those of one program only where one is named.
    #[must_use]
    pub fn examples(&self, only: Option<&str>) -> Vec<Line> {
        let wanted = |it: &&Line| only.is_none_or(|only| it.program == only);
        self.examples.iter().filter(wanted).cloned().collect()
    }

    /// Returns lines that a person typed.
    #[must_use]
    pub fn typed(&self, texts: &[String]) -> Vec<Line> {
        let line = |text: &String| Line {
            text: text.clone(),
            program: text
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned(),
            example: true,
        };
        texts.iter().map(line).collect()
    }

    /// Makes so many lines by chance. Each flag has its turn before one comes a second time.
    #[must_use]
    pub fn made(&self, count: usize, seed: u64, only: Option<&str>) -> Vec<Line> {
        let mut dice = Dice::new(seed);
        let mut lines = Vec::new();
        while lines.len() < count {
            let uses = self.uses(only, &mut dice);
            if uses.is_empty() {
                break;
            }
            let left = uses.into_iter().take(count - lines.len());
            lines.extend(left.map(|(level, flag)| level.line(flag, &mut dice)));
        }
        lines
    }

    /// Returns every level with each of its flags, in an order by chance.
    fn uses(&self, only: Option<&str>, dice: &mut Dice) -> Vec<(&Level, Option<&String>)> {
        let mut uses = Vec::new();
        for level in &self.levels {
            let Some(program) = level.program() else {
                continue;
            };
            if only.is_some_and(|only| program != only) {
                continue;
            }
            let all = only.is_some() || !self.rare.contains(program);
            let flags = level.flags.iter().map(Some).chain([None]);
            uses.extend(
                flags
                    .filter(|_| all || dice.chance(RARE))
                    .map(|flag| (level, flag)),
            );
        }
        shuffle(&mut uses, dice);
        uses
    }

    /// Returns how many programs there are lines of.
    #[must_use]
    pub fn programs(&self) -> usize {
        let names: BTreeSet<&String> = self.levels.iter().filter_map(Level::program).collect();
        names.len()
    }
}

/// Puts things into an order by chance.
pub fn shuffle<T>(things: &mut [T], dice: &mut Dice) {
    for at in (1..things.len()).rev() {
        let other = dice.below(at as u64 + 1);
        things.swap(at, usize::try_from(other).unwrap_or_default());
    }
}

impl Level {
    fn program(&self) -> Option<&String> {
        self.words.first()
    }

    /// Makes a line with that flag, and others by chance.
    fn line(&self, flag: Option<&String>, dice: &mut Dice) -> Line {
        let mut words = self.words.clone();
        let mut flags: Vec<String> = flag.map(|it| spelled(it, dice)).into_iter().collect();
        // Each flag more makes it likelier that a line only complains.
        let more = dice.pick(&MORE).copied().unwrap_or_default();
        for _ in 0..more {
            flags.extend(dice.pick(&self.flags).map(|it| spelled(it, dice)));
        }
        shuffle(&mut flags, dice);
        let framed = dice.chance(FRAMED);
        let operands = match dice.pick(&self.frames).filter(|_| framed) {
            Some(frame) => vec![frame.clone()],
            None => {
                let usage = dice.pick(&self.usages);
                let own = fitting(self.program().map_or("", String::as_str));
                usage.map(|it| operands(it, &own, dice)).unwrap_or_default()
            }
        };
        // Flags stand behind operands too: some programs stop reading them there.
        if dice.chance(20) {
            words.extend(operands);
            words.extend(flags);
        } else {
            words.extend(flags);
            words.extend(operands);
        }
        if dice.chance(4) {
            words.push(
                if dice.chance(50) {
                    "--help"
                } else {
                    "--version"
                }
                .to_owned(),
            );
        }
        Line {
            text: words.join(" "),
            program: self.program().cloned().unwrap_or_default(),
            example: false,
        }
    }
}

/// Spells a flag as its file writes it: `-o --output=FILE` in one of its ways, with a value.
fn spelled(flag: &str, dice: &mut Dice) -> String {
    let spellings: Vec<&str> = flag
        .split_whitespace()
        .filter(|it| it.starts_with(['-', '+']))
        .collect();
    let Some(word) = dice.pick(&spellings).map(|it| it.replace("[no-]", "")) else {
        return String::new();
    };
    let kind = spellings.iter().rev().find_map(|it| it.split_once('='));
    let optional = flag.contains("[=");
    let bare = word.split(['=', '[']).next().unwrap_or(&word).to_owned();
    let bare = bare.replace("NUM", "3");
    let Some((_, name)) = kind else { return bare };
    let value = value(name.trim_end_matches(']'), dice);
    let long = bare.starts_with("--");
    match (optional, long) {
        (true, _) if dice.chance(50) => bare,
        (true, true) => format!("{bare}={value}"),
        (true, false) => format!("{bare}{value}"),
        (false, true) if dice.chance(50) => format!("{bare}={value}"),
        (false, _) => format!("{bare} {value}"),
    }
}

/// Picks a value: one that the file lists, or one of ours.
fn value(name: &str, dice: &mut Dice) -> String {
    let listed: Vec<&str> = name
        .split('|')
        .filter(|it| {
            !it.is_empty() && !it.contains('*') && it.contains(|c: char| c.is_ascii_lowercase())
        })
        .collect();
    if !listed.is_empty() && dice.chance(60) {
        return dice
            .pick(&listed)
            .map_or_else(String::new, |it| (*it).to_owned());
    }
    let fit = fitting(name);
    if !fit.is_empty() && dice.chance(FIT) {
        return dice
            .pick(&fit)
            .map_or_else(String::new, |it| (*it).to_owned());
    }
    dice.pick(&VALUES)
        .map_or_else(String::new, |it| (*it).to_owned())
}

/// Fills the slots of a usage.
fn operands(usage: &str, own: &[&'static str], dice: &mut Dice) -> Vec<String> {
    let mut out = Vec::new();
    for slot in usage.split_whitespace() {
        let name: String = slot.chars().filter(|c| c.is_ascii_alphabetic()).collect();
        let is_slot = !name.is_empty() && !name.contains(|c: char| c.is_ascii_lowercase());
        if slot == "--" {
            out.push(slot.to_owned());
        }
        if !is_slot || name == "SUBCOMMAND" || (slot.starts_with('[') && dice.chance(40)) {
            continue;
        }
        if name.contains("COMMAND") {
            out.push("true".to_owned());
            continue;
        }
        let rounds = if slot.contains("...") {
            1 + dice.below(2)
        } else {
            1
        };
        // What the program reads says more than what the slot is called.
        let named = if own.is_empty() {
            fitting(&name)
        } else {
            Vec::new()
        };
        let fit: Vec<&str> = own.iter().copied().chain(named).collect();
        for _ in 0..rounds {
            let from: &[&str] = if dice.chance(STRANGE) {
                &VALUES
            } else if !fit.is_empty() && dice.chance(FIT) {
                &fit
            } else {
                &OPERANDS
            };
            out.extend(dice.pick(from).map(|it| (*it).to_owned()));
        }
    }
    out
}

fn strings(table: &Table, key: &str) -> Vec<String> {
    let list = table.get(key).and_then(Value::as_array);
    let all = list.into_iter().flatten().filter_map(Value::as_str);
    all.map(str::to_owned).collect()
}

/// Parts a list of flags at commas that a blank or the next flag follows.
fn parted(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = |it: &char| it.is_whitespace() || *it == '-' || *it == '+';
        if c == ',' && chars.peek().is_none_or(ends) {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    let trimmed = out.iter().map(|it| it.trim().to_owned());
    trimmed.filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_uses_flags_and_fills_slots() {
        let level = Level {
            words: vec!["cp".to_owned()],
            usages: vec!["cp SOURCE... DEST".to_owned()],
            flags: vec!["-S --suffix=TEXT".to_owned()],
            ..Level::default()
        };
        for seed in 0..20 {
            let line = level.line(level.flags.first(), &mut Dice::new(seed)).text;
            assert!(
                line.starts_with("cp ") && line.split(' ').count() >= 4,
                "{line}"
            );
            assert!(line.contains("-S") || line.contains("--suffix"), "{line}");
        }
    }

    #[test]
    fn each_flag_has_its_turn() {
        let level = |program: &str| Level {
            words: vec![program.to_owned()],
            flags: ["--one", "--two", "--three"].map(str::to_owned).to_vec(),
            ..Level::default()
        };
        let source = Source {
            levels: vec![level("cp"), level("mv")],
            ..Source::default()
        };
        let lines = source.made(8, 5, None);
        for flag in ["--one", "--two", "--three"] {
            for program in ["cp", "mv"] {
                let uses = |it: &&Line| it.program == program && it.text.contains(flag);
                assert!(lines.iter().any(|it| uses(&it)), "{program} {flag}");
            }
        }
        assert_eq!(source.made(20, 5, Some("cp")).len(), 20);
        assert!(source.made(20, 5, Some("rm")).is_empty());
    }
}
