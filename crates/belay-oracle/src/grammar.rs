//! Grammars as text: rules with weighted alternatives, from which programs are written at random.
//!
//! A line `name:` begins a rule; the lines below it, indented, are its alternatives: a weight, perhaps marks
//! after a slash, then text. In the text `<name>` stands for a rule, `<'name>` for what a rule wrote, quoted
//! for the shell, `§` for a number that no other alternative gets, and `\n` for the end of a line.
//! Marks say where an alternative may be used: `b`, `s`, `z` for the shells, `w` for programs that go beyond
//! the project's folder.

use std::collections::BTreeMap;

use crate::Shell;
use crate::dice::Dice;

/// How deep rules may stand in rules.
const DEPTH: usize = 13;

/// Rules by name.
#[derive(Debug, Default)]
pub struct Grammar {
    rules: BTreeMap<String, Vec<Alternative>>,
}

#[derive(Debug)]
struct Alternative {
    weight: u64,
    marks: String,
    parts: Vec<Part>,
    /// How deep the shortest text of it is.
    least: usize,
}

#[derive(Debug)]
enum Part {
    Text(String),
    Rule(String),
    Quoted(String),
    Number,
}

/// What kind of program is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The shell that runs it.
    pub shell: Shell,
    /// Whether it may reach beyond the project's folder.
    pub wild: bool,
}

impl Style {
    fn allows(self, marks: &str) -> bool {
        let shells: String = marks.chars().filter(|it| "bsz".contains(*it)).collect();
        let shell = shells.is_empty() || shells.contains(self.shell.letter());
        shell && (self.wild || !marks.contains('w'))
    }
}

impl Grammar {
    /// Reads a grammar.
    ///
    /// # Errors
    /// When a line is not understood or a rule is missing.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut grammar = Self::default();
        grammar.add(text)?;
        grammar.measure()?;
        Ok(grammar)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let mut rule = String::new();
        for line in text.lines() {
            if line.trim().is_empty() || line.starts_with("//") {
                continue;
            }
            if let Some(name) = line.strip_suffix(':')
                && !line.starts_with(' ')
            {
                name.clone_into(&mut rule);
                continue;
            }
            let alternative =
                Alternative::read(line.trim_start()).ok_or_else(|| format!("what is `{line}`?"))?;
            self.rules
                .entry(rule.clone())
                .or_default()
                .push(alternative);
        }
        Ok(())
    }

    /// Finds for each alternative how deep its shortest text is, until nothing changes.
    fn measure(&mut self) -> Result<(), String> {
        loop {
            let least: BTreeMap<String, usize> = self
                .rules
                .iter()
                .map(|(name, those)| (name.clone(), shortest(those)))
                .collect();
            let mut settled = true;
            for alternative in self.rules.values_mut().flatten() {
                let depth = alternative.depth(&least)?;
                settled &= depth == alternative.least;
                alternative.least = depth;
            }
            if settled {
                break;
            }
        }
        match self.rules.iter().find(|it| shortest(it.1) == usize::MAX) {
            Some((name, _)) => Err(format!("rule `{name}` never ends")),
            None => Ok(()),
        }
    }

    /// Writes a program.
    pub fn write(&self, style: Style, dice: &mut Dice) -> String {
        self.write_rules(&["program"], style, dice)
    }

    /// Writes a program of these rules, each on lines of its own.
    pub fn write_rules(&self, rules: &[&str], style: Style, dice: &mut Dice) -> String {
        let mut writer = Writer {
            grammar: self,
            style,
            dice,
            numbers: 0,
        };
        let mut text = String::new();
        for rule in rules {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            writer.rule(rule, DEPTH, &mut text);
        }
        text
    }
}

fn shortest(those: &[Alternative]) -> usize {
    those.iter().map(|it| it.least).min().unwrap_or(usize::MAX)
}

impl Alternative {
    fn read(line: &str) -> Option<Self> {
        let (head, text) = line.split_once(' ')?;
        let (weight, marks) = head.split_once('/').unwrap_or((head, ""));
        Some(Self {
            weight: weight.parse().ok()?,
            marks: marks.to_owned(),
            parts: parts(&text.replace("\\n", "\n")),
            least: usize::MAX,
        })
    }

    fn depth(&self, least: &BTreeMap<String, usize>) -> Result<usize, String> {
        let mut deepest = 0;
        for part in &self.parts {
            if let Part::Rule(name) | Part::Quoted(name) = part {
                let below = least
                    .get(name)
                    .ok_or_else(|| format!("there is no rule `{name}`"))?;
                deepest = deepest.max(below.saturating_add(1));
            }
        }
        Ok(deepest)
    }
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(['<', '§']) {
        let number = rest
            .get(before.len()..)
            .is_some_and(|it| it.starts_with('§'));
        parts.push(Part::Text(before.to_owned()));
        rest = after;
        if number {
            parts.push(Part::Number);
        } else if let Some((name, after)) = named(after) {
            parts.push(match name.strip_prefix('\'') {
                Some(name) => Part::Quoted(name.to_owned()),
                None => Part::Rule(name.to_owned()),
            });
            rest = after;
        } else {
            parts.push(Part::Text("<".to_owned()));
        }
    }
    parts.push(Part::Text(rest.to_owned()));
    parts
}

/// Returns the name of the rule that stands here, and what follows it.
fn named(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.split_once('>')?;
    let bare = name.strip_prefix('\'').unwrap_or(name);
    let is_name = !bare.is_empty() && bare.chars().all(|it| it.is_ascii_lowercase() || it == '-');
    is_name.then_some((name, after))
}

struct Writer<'a> {
    grammar: &'a Grammar,
    style: Style,
    dice: &'a mut Dice,
    numbers: u32,
}

impl<'a> Writer<'a> {
    fn rule(&mut self, name: &str, room: usize, into: &mut String) {
        let Some(alternative) = self.choose(name, room) else {
            return;
        };
        let mut number = None;
        for part in &alternative.parts {
            match part {
                Part::Text(text) => into.push_str(text),
                Part::Rule(name) => self.rule(name, room.saturating_sub(1), into),
                Part::Quoted(name) => {
                    let mut text = String::new();
                    self.rule(name, room.saturating_sub(1), &mut text);
                    into.push_str(&format!("'{}'", text.replace('\'', r"'\''")));
                }
                Part::Number => {
                    let number = *number.get_or_insert_with(|| {
                        self.numbers += 1;
                        self.numbers
                    });
                    into.push_str(&number.to_string());
                }
            }
        }
    }

    fn choose(&mut self, name: &str, room: usize) -> Option<&'a Alternative> {
        let style = self.style;
        let those = self.grammar.rules.get(name)?;
        let usable = || those.iter().filter(move |it| style.allows(&it.marks));
        let least = usable().map(|it| it.least).min()?;
        let fits = || usable().filter(move |it| it.least <= room.max(least));
        let mut left = self.dice.below(fits().map(|it| it.weight).sum());
        fits().find(|it| {
            let found = left < it.weight;
            left = left.saturating_sub(it.weight);
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "program:\n  1 say <word> <'word> §§\nword:\n  1/b it's\n  1/z no\n";

    #[test]
    fn a_rule_is_written_with_quotes_and_numbers() {
        let grammar = Grammar::read(SMALL).unwrap();
        let style = Style {
            shell: Shell::Bash,
            wild: false,
        };
        let text = grammar.write(style, &mut Dice::new(1));
        assert_eq!(text, r"say it's 'it'\''s' 11");
    }

    #[test]
    fn a_rule_that_is_missing_or_never_ends_is_refused() {
        assert!(Grammar::read("program:\n  1 <word>\n").is_err());
        assert!(Grammar::read("program:\n  1 <program>\n").is_err());
    }
}
