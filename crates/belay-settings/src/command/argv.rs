//! The words of a command, parted into program, operands and flags.

use super::{Hit, Lexicon};
use crate::glob::name_matches;

/// A command line, parted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub program: String,
    /// The word the program was called by.
    pub called: String,
    /// Words that are no flags, in order; none where not known.
    pub operands: Vec<Option<String>>,
    /// The sub-command as it was typed, where its usual name is another.
    typed: Vec<String>,
    /// Flags in their one spelling, with `=value` where they have one.
    pub flags: Vec<String>,
    /// Tells that a word that is not known could be a flag.
    pub doubtful: bool,
}

/// Returns the name that a program is known by: the last part of its path. A package is called by its
/// whole name.
pub(super) fn program_name(called: &str) -> &str {
    if called.starts_with('@') {
        return called;
    }
    called.rsplit('/').next().unwrap_or(called)
}

/// Parts a command line; none where not even the program is known.
pub(super) fn parse(argv: &[Option<String>], lexicon: &dyn Lexicon) -> Option<Parsed> {
    let called = argv.first()?.clone()?;
    let mut stands_for = lexicon.program(program_name(&called)).into_iter();
    let mut parsed = Parsed {
        program: stands_for.next()?,
        called: called.clone(),
        operands: stands_for.map(Some).collect(),
        typed: Vec::new(),
        flags: Vec::new(),
        doubtful: false,
    };
    let mut words = argv.iter().skip(1);
    let mut only_operands = false;
    while let Some(word) = words.next() {
        match word.as_deref() {
            Some("--") if !only_operands => only_operands = true,
            Some(flag) if !only_operands && flag.len() > 1 && flag.starts_with('-') => {
                if let Some(flag) = parsed.flag(flag, lexicon) {
                    let value = words.next().cloned().flatten();
                    parsed.doubtful |= value.is_none();
                    parsed.flags.push(with_value(&flag, value.as_deref()));
                }
            }
            Some(operand) => {
                parsed.operands.push(Some(operand.to_owned()));
                parsed.name_usually(lexicon);
            }
            None => {
                parsed.doubtful |= !only_operands;
                parsed.operands.push(None);
            }
        }
    }
    Some(parsed)
}

fn with_value(flag: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("{flag}={value}"),
        None => flag.to_owned(),
    }
}

impl Parsed {
    /// Puts the usual words of a sub-command in the place of its other names.
    fn name_usually(&mut self, lexicon: &dyn Lexicon) {
        let known: Option<Vec<&str>> = self.operands.iter().map(Option::as_deref).collect();
        // Deeper than this lies no sub-command.
        let Some(words) = known.filter(|it| it.len() <= 4) else {
            return;
        };
        if let Some(usual) = lexicon.subcommand(&self.program, &words) {
            self.typed = words.iter().map(|it| (*it).to_owned()).collect();
            self.operands = usual.into_iter().map(Some).collect();
        }
    }

    /// Adds a flag; returns it where its value is the next word.
    fn flag(&mut self, word: &str, lexicon: &dyn Lexicon) -> Option<String> {
        let paths = [self.path(), self.typed_path()];
        let paths = paths.each_ref().map(|path| {
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            words
        });
        let canonical = |flag: &str| paths.iter().find_map(|it| lexicon.canonical(it, flag));
        let takes_value = |flag: &str| paths.iter().any(|it| lexicon.takes_value(it, flag));
        let one = |flag: &str| canonical(flag).unwrap_or_else(|| flag.to_owned());
        if let Some((flag, value)) = word.split_once('=')
            && word.starts_with("--")
        {
            self.flags.push(with_value(&one(flag), Some(value)));
            return None;
        }
        let whole = word.starts_with("--") || word.chars().count() == 2;
        if whole || canonical(word).is_some() {
            if takes_value(word) {
                return Some(one(word));
            }
            self.flags.push(one(word));
            return None;
        }
        let mut letters = word.chars().skip(1);
        while let Some(letter) = letters.next() {
            let flag = format!("-{letter}");
            if !takes_value(&flag) {
                self.flags.push(one(&flag));
                continue;
            }
            let rest: String = letters.collect();
            if rest.is_empty() {
                return Some(one(&flag));
            }
            self.flags.push(with_value(&one(&flag), Some(&rest)));
            return None;
        }
        None
    }

    fn path(&self) -> Vec<String> {
        let known = self.operands.iter().map_while(Clone::clone);
        std::iter::once(self.program.clone())
            .chain(known.take(4))
            .collect()
    }

    /// The path as it was typed; what files say of flags there counts too.
    fn typed_path(&self) -> Vec<String> {
        let typed = self.typed.iter().cloned();
        std::iter::once(self.program.clone()).chain(typed).collect()
    }

    pub(super) fn same_program(&self, command: &Self) -> bool {
        if self.called.contains('/') {
            return self.called == command.called;
        }
        self.program == command.program
    }

    /// Tells whether the program is called by the rule's own spelling, or from where the system
    /// keeps its programs: `./npm` is not `npm`.
    pub(super) fn very_program(&self, command: &Self) -> bool {
        const SYSTEM: [&str; 5] = [
            "/bin/",
            "/usr/bin/",
            "/usr/local/bin/",
            "/opt/homebrew/bin/",
            "/usr/sbin/",
        ];
        let bare = !command.called.contains('/');
        let system = SYSTEM.iter().any(|it| {
            let rest = command.called.strip_prefix(it);
            rest.is_some_and(|it| !it.contains('/'))
        });
        self.same_program(command) && (bare || system || self.called == command.called)
    }

    /// Tells whether an operand lies in a home that is not known here: whose it is cannot be certain.
    pub(super) fn names_home(&self) -> bool {
        let named = |it: &String| it.starts_with("~/");
        self.operands.iter().flatten().any(named)
    }

    /// Tells whether the operands of the rule lead those of a command, in order.
    pub(super) fn operands_lead(&self, command: &Self) -> Hit {
        let mut hit = Hit::Yes;
        for (at, wanted) in self.operands.iter().flatten().enumerate() {
            match command.operands.get(at) {
                Some(Some(word)) if name_matches(wanted, word) => {}
                Some(Some(word)) if in_home(wanted, word) != Hit::No => {
                    hit = hit.min(in_home(wanted, word));
                }
                Some(None) => hit = Hit::Maybe,
                Some(Some(_)) => return Hit::No,
                None => {
                    return if command.doubtful {
                        Hit::Maybe
                    } else {
                        Hit::No
                    };
                }
            }
        }
        hit
    }

    /// Tells whether all flags of the rule are among those of a command.
    pub(super) fn flags_within(&self, command: &Self) -> Hit {
        let given = |flag: &String| command.flags.iter().any(|it| flag_matches(flag, it));
        if self.flags.iter().all(given) {
            return Hit::Yes;
        }
        if command.doubtful {
            Hit::Maybe
        } else {
            Hit::No
        }
    }
}

/// Compares `~/x` of a rule with a path whose home is written out: surely where the folder is one that
/// homes lie in, perhaps elsewhere.
fn in_home(wanted: &str, word: &str) -> Hit {
    let Some(rest) = wanted.strip_prefix("~/").filter(|_| word.starts_with('/')) else {
        return Hit::No;
    };
    let mut parts = word.split('/').skip(1);
    let below = match parts.next() {
        Some("root") => Some(parts),
        Some("home" | "Users") => parts.next().map(|_| parts),
        Some(_) | None => None,
    };
    let below = below.map(|it| it.collect::<Vec<_>>().join("/"));
    if below.is_some_and(|it| name_matches(rest, &it)) {
        return Hit::Yes;
    }
    let ends = word
        .match_indices('/')
        .filter_map(|(at, _)| word.get(at + 1..));
    // A home lies near the root; a path of a thousand folders is not compared a thousand times.
    if ends.take(16).any(|it| name_matches(rest, it)) {
        return Hit::Maybe;
    }
    Hit::No
}

/// Compares a flag of a rule with one of a command; a rule without a value names every value.
fn flag_matches(rule: &str, flag: &str) -> bool {
    match (rule.split_once('='), flag.split_once('=')) {
        (Some((name, wanted)), Some((other, value))) => {
            name == other && name_matches(wanted, value)
        }
        (None, Some((other, _))) => rule == other,
        (None, None) => rule == flag,
        (Some(_), None) => false,
    }
}
