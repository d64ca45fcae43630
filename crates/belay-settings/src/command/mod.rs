//! Lines of `[rules]` as matchers: what reads as a command, a statement of SQL or an effect is
//! matched exactly; prose stays prose.
//!
//! INVARIANT: a matcher for allow is certain or silent; one for deny may suspect.

mod argv;
mod concern;
mod prose;

use std::fmt::Write as _;

use belay_model::{Effect, Verb};

use crate::exact::{EffectPattern, EffectView};
use crate::glob::Want;
use argv::{Parsed, parse, program_name};
pub use concern::Concern;

/// What is known of commands and their flags; the knowledge itself lives elsewhere.
pub trait Lexicon {
    /// Returns the one spelling that stands for all spellings of a flag (`-R` and `--recursive`
    /// are `-r`), or none where the flag is not known. The path is the program and the operands
    /// before the flag: look for the longest prefix that is a command.
    fn canonical(&self, path: &[&str], flag: &str) -> Option<String>;

    /// Tells whether a flag takes the next word as its value.
    fn takes_value(&self, path: &[&str], flag: &str) -> bool;

    /// Tells whether there is such a program.
    fn knows(&self, program: &str) -> bool;

    /// Returns the words that stand for all names of a sub-command (`npm i` is `npm install`, `docker
    /// container run` is `docker run`), or none where the words are the usual ones. The words are all
    /// sub-commands after the program.
    fn subcommand(&self, _program: &str, _words: &[&str]) -> Option<Vec<String>> {
        None
    }

    /// Returns the words that a name stands for: `docker compose` for `docker-compose`, `python` for
    /// `python3`; the name itself where it stands for nothing else.
    fn program(&self, name: &str) -> Vec<String> {
        vec![name.to_owned()]
    }

    /// Returns the verb that the flags of a command line add to what it does without them, so that
    /// another spelling of the same effect is found too: `git push --force` rewrites, and so does `git
    /// push origin +main`.
    fn known_for(&self, _words: &[&str]) -> Option<Verb> {
        None
    }
}

/// The lexicon of those who have no knowledge at hand: the few spellings nearly all programs share.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Lexicon for Plain {
    fn canonical(&self, _path: &[&str], flag: &str) -> Option<String> {
        let one = match flag {
            "-r" | "-R" | "--recursive" => "-r",
            "-f" | "--force" => "-f",
            _ => return None,
        };
        Some(one.to_owned())
    }

    fn takes_value(&self, path: &[&str], flag: &str) -> bool {
        let Some((program, words)) = path.split_first() else {
            return false;
        };
        let known = belay_knowledge::find(program);
        let spelling = known.and_then(|it| belay_knowledge::spelling(it, words, flag));
        spelling.is_some_and(|it| it.takes_next)
    }

    fn knows(&self, _program: &str) -> bool {
        false
    }
}

/// One simple command of a call, its wrappers removed, with its effects. Words that are not known
/// are none.
#[derive(Clone, Debug)]
pub struct CommandView<'a> {
    /// The words.
    pub argv: Vec<Option<String>>,
    /// What it would do.
    pub effects: &'a [Effect],
}

/// Whether a rule names a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hit {
    /// It does not.
    No,
    /// It would, if a word that is not known were the right one.
    Maybe,
    /// It does.
    Yes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Matcher {
    Command(CommandMatcher),
    /// A statement of SQL, in lower case.
    Statement(String),
    Effect(EffectPattern),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct CommandMatcher {
    words: Parsed,
    /// The line ends with `*`: whatever follows, known or not.
    open: bool,
    /// The words of the line.
    line: Vec<String>,
    known_program: bool,
}

/// One line of `[rules]`, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    text: String,
    matchers: Vec<Matcher>,
}

/// Understands a line of `[rules]`.
#[must_use]
pub fn compile(text: &str, lexicon: &dyn Lexicon) -> Compiled {
    let matchers = match prose::words(text) {
        Some(words) => matchers(&words, lexicon),
        None => Vec::new(),
    };
    Compiled {
        text: text.to_owned(),
        matchers,
    }
}

/// Tells whether a line of `[rules]` reads as a command and not as prose.
pub(crate) fn reads_as_command(text: &str) -> bool {
    !compile(text, &Plain).is_prose()
}

fn matchers(words: &[prose::Word], lexicon: &dyn Lexicon) -> Vec<Matcher> {
    if let Some(statement) = prose::statement(words) {
        return vec![Matcher::Statement(statement)];
    }
    if prose::is_force_push(words) {
        return EffectPattern::parse("rewrite")
            .into_iter()
            .map(Matcher::Effect)
            .collect();
    }
    if prose::reads_as_prose(words, lexicon) {
        return Vec::new();
    }
    let effect = prose::effect(words).map(Matcher::Effect);
    let command = command(words, lexicon).map(Matcher::Command);
    effect.into_iter().chain(command).collect()
}

fn command(words: &[prose::Word], lexicon: &dyn Lexicon) -> Option<CommandMatcher> {
    let mut texts: Vec<&str> = words.iter().map(|it| it.text.as_str()).collect();
    let open = texts.len() > 1 && texts.last() == Some(&"*");
    if open {
        texts.pop();
    }
    let argv: Vec<Option<String>> = texts.iter().map(|it| Some((*it).to_owned())).collect();
    let words = parse(&argv, lexicon)?;
    Some(CommandMatcher {
        open,
        line: texts.iter().map(|it| (*it).to_owned()).collect(),
        known_program: lexicon.knows(&words.program),
        words,
    })
}

impl Compiled {
    /// Returns the line as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Tells whether only a model can apply the line.
    #[must_use]
    pub const fn is_prose(&self) -> bool {
        self.matchers.is_empty()
    }

    /// Tells whether the line is understood as a command.
    #[must_use]
    pub fn names_command(&self) -> bool {
        self.matchers
            .iter()
            .any(|it| matches!(it, Matcher::Command(_)))
    }

    /// Tells whether the line speaks of a command with whatever follows: it ends with `*`, or names a
    /// program and nothing else.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.matchers.iter().any(|it| match it {
            Matcher::Command(rule) => {
                let words = &rule.words;
                rule.open || (words.operands.is_empty() && words.flags.is_empty())
            }
            Matcher::Statement(_) | Matcher::Effect(_) => false,
        })
    }

    /// Tells whether the line is an effect that names all of these.
    #[must_use]
    pub fn names_effects(&self, effects: &[Effect]) -> bool {
        self.matchers.iter().any(|it| match it {
            Matcher::Command(_) | Matcher::Statement(_) => false,
            Matcher::Effect(pattern) => {
                let sure = |it: &Effect| pattern.matches(&bare(it), Want::Certainty);
                !effects.is_empty() && effects.iter().all(sure)
            }
        })
    }

    /// Says how the line was understood.
    #[must_use]
    pub fn describe(&self) -> String {
        let parts: Vec<String> = self.matchers.iter().map(Matcher::describe).collect();
        match parts.is_empty() {
            true => "prose, for the model only".to_owned(),
            false => parts.join(", or "),
        }
    }

    /// Tells whether a deny or ask of this line speaks of a command.
    #[must_use]
    pub fn suspects(&self, command: &CommandView<'_>, lexicon: &dyn Lexicon) -> Hit {
        let hits = self.matchers.iter().map(|it| it.suspects(command, lexicon));
        hits.max().unwrap_or(Hit::No)
    }

    /// Tells whether a deny or ask of this line speaks of one of a call's effects, whatever
    /// command or tool leads to them.
    #[must_use]
    pub fn suspects_effects(&self, effects: &[EffectView<'_>]) -> Hit {
        let found = self.matchers.iter().any(|it| match it {
            Matcher::Command(_) => false,
            Matcher::Statement(text) => effects.iter().any(|it| states(text, it.effect)),
            Matcher::Effect(pattern) => effects
                .iter()
                .any(|it| pattern.matches(it, Want::Suspicion)),
        });
        if found { Hit::Yes } else { Hit::No }
    }

    /// Tells whether an allow of this line covers a command for certain, with all its words.
    #[must_use]
    pub fn covers(&self, command: &CommandView<'_>, lexicon: &dyn Lexicon) -> bool {
        self.matchers.iter().any(|it| match it {
            Matcher::Command(rule) => rule.covers(command, lexicon),
            Matcher::Statement(_) | Matcher::Effect(_) => false,
        }) || self.names_effects(command.effects)
    }
}

const fn bare(effect: &Effect) -> EffectView<'_> {
    EffectView {
        effect,
        scopes: &[],
        paths: &[],
    }
}

impl Matcher {
    fn suspects(&self, command: &CommandView<'_>, lexicon: &dyn Lexicon) -> Hit {
        match self {
            Self::Command(rule) => rule.suspects(command, lexicon),
            Self::Statement(text) => {
                let said =
                    |word: &Option<String>| word.as_deref().is_some_and(|it| holds(it, text));
                let done = command.effects.iter().any(|it| states(text, it));
                // Who only looks at a text that has the words, or writes it down, does not do it.
                let runs = || command.effects.iter().any(may_run_text);
                if done || (runs() && command.argv.iter().any(said)) {
                    Hit::Yes
                } else {
                    Hit::No
                }
            }
            Self::Effect(pattern) => {
                let found = |it: &Effect| pattern.matches(&bare(it), Want::Suspicion);
                if command.effects.iter().any(found) {
                    Hit::Yes
                } else {
                    Hit::No
                }
            }
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Command(rule) => rule.describe(),
            Self::Statement(text) => format!("the SQL statement `{}`", text.to_uppercase()),
            Self::Effect(pattern) => format!("the effect `{}`", pattern.text()),
        }
    }
}

impl CommandMatcher {
    /// Parts the words of a command, if it is of the rule's program; most are not.
    fn parted(&self, view: &CommandView<'_>, lexicon: &dyn Lexicon) -> Option<Parsed> {
        let called = view.argv.first()?.as_deref()?;
        if lexicon.program(program_name(called)).first() != Some(&self.words.program) {
            return None;
        }
        parse(&view.argv, lexicon).filter(|it| self.words.same_program(it))
    }

    fn suspects(&self, view: &CommandView<'_>, lexicon: &dyn Lexicon) -> Hit {
        let Some(command) = self.parted(view, lexicon) else {
            return Hit::No;
        };
        let place = self.words.operands_lead(&command);
        let flags = self.words.flags_within(&command);
        if place == Hit::No || flags == Hit::Yes || self.words.flags.is_empty() {
            return place.min(flags);
        }
        let line: Vec<&str> = self.line.iter().map(String::as_str).collect();
        let done = |verb: Verb| view.effects.iter().any(|it| it.verb == verb);
        match lexicon.known_for(&line) {
            Some(verb) if done(verb) => place,
            Some(_) | None => place.min(flags),
        }
    }

    fn covers(&self, view: &CommandView<'_>, lexicon: &dyn Lexicon) -> bool {
        let all_known = view.argv.iter().all(Option::is_some);
        let Some(command) = self
            .parted(view, lexicon)
            .filter(|_| all_known || self.open)
        else {
            return false;
        };
        self.words.very_program(&command)
            && !self.words.names_home()
            && self.words.operands_lead(&command) == Hit::Yes
            && self.words.flags_within(&command) == Hit::Yes
    }

    fn describe(&self) -> String {
        let mut text = format!("the command `{}", self.words.program);
        for operand in self.words.operands.iter().flatten() {
            let _ = write!(text, " {operand}");
        }
        text.push('`');
        for (at, flag) in self.words.flags.iter().enumerate() {
            let joint = if at == 0 { " with" } else { " and" };
            let _ = write!(text, "{joint} `{flag}`");
        }
        let tail = if self.open { ", whatever follows" } else { "" };
        let doubt = if self.known_program {
            ""
        } else {
            " (no program that belay knows)"
        };
        text + tail + doubt
    }
}

/// Tells whether an effect is what a statement of SQL does.
fn states(statement: &str, effect: &Effect) -> bool {
    let destroys = ["drop", "truncate"]
        .iter()
        .any(|it| statement.starts_with(it));
    let names = effect.names();
    let database = names.first().is_some_and(|it| it == "database");
    (destroys && effect.verb == Verb::Destroy && database)
        || names.iter().any(|it| holds(it, statement))
        || holds(&names.join(" "), statement)
}

/// Tells whether a command with this effect may do what a text in its words says: it speaks to a
/// database, runs code, or nobody knows what it does.
fn may_run_text(effect: &Effect) -> bool {
    match effect.verb {
        Verb::Query | Verb::Eval | Verb::Launch | Verb::Unknown => true,
        Verb::Change | Verb::Destroy => effect.names().first().is_some_and(|it| it == "database"),
        Verb::Read
        | Verb::Write
        | Verb::Delete
        | Verb::Move
        | Verb::Link
        | Verb::Mark
        | Verb::Run
        | Verb::Fetch
        | Verb::Send
        | Verb::Listen
        | Verb::Install
        | Verb::Publish
        | Verb::Rewrite
        | Verb::Discard
        | Verb::History
        | Verb::Escalate
        | Verb::Signal
        | Verb::Persist
        | Verb::Configure
        | Verb::Bypass
        | Verb::Probe => false,
    }
}

/// Tells whether a text holds a phrase, in any case and with any blanks, as whole words.
fn holds(text: &str, phrase: &str) -> bool {
    if text.len() < phrase.len() {
        return false;
    }
    let edge = |it: char| !(it.is_alphanumeric() || it == '_');
    let words: Vec<String> = text
        .split(edge)
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect();
    let wanted: Vec<&str> = phrase.split(' ').collect();
    words
        .windows(wanted.len())
        .any(|it| it.iter().zip(&wanted).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests;
