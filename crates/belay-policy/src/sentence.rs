//! Says in plain words what effects would do. The notation stays what records, rules and lists hold; this is for the
//! sentence that a person or an agent reads. INVARIANT: nothing here is asked for what is allowed.

use std::collections::HashSet;
use std::fmt::Write as _;

use belay_model::{At, Carries, Effect, How, Place, Target, Verb, When};

include!(concat!(env!("OUT_DIR"), "/sentences.rs"));

/// How many things a list names before it says how many more there are.
const LISTED: usize = 3;
/// The longest name that is shown whole, in characters.
const LONGEST: usize = 120;

/// One line of `policy/sentences.toml`.
struct Line {
    verb: Verb,
    how: Option<How>,
    words: &'static [&'static str],
    carries: Carries,
    said: &'static str,
}

/// What several effects would do, which one rule speaks of.
pub struct Story<'a> {
    /// The effects, the one that matters most first.
    pub effects: &'a [&'a Effect],
    /// Why it matters: the words of the rule.
    pub because: &'a str,
    /// The hosts from which the call gets something.
    pub sources: &'a [&'a str],
}

impl Story<'_> {
    /// Tells the story in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Some(first) = self.effects.first() else {
            return capitalised(self.because);
        };
        let clauses = clauses(self.effects, self.sources);
        let mut text = String::with_capacity(160);
        text.push_str(opening(first));
        text.push_str(&listed(clauses.iter().map(Clause::text)));
        let joint = match clauses.as_slice() {
            [only] => only.joint(first),
            _ => Joint::Loose,
        };
        match &first.at {
            At::Here => text.push_str(&self.ending(joint, first)),
            At::Elsewhere(way, name) => {
                text.push_str(&machine(way, name));
                text.push_str(&self.ending(Joint::Loose, first));
            }
        }
        text.push('.');
        text
    }

    /// Says why, as the rest of a sentence.
    fn ending(&self, joint: Joint, first: &Effect) -> String {
        let because = self.because;
        if because.starts_with("without ") {
            return format!(" {because}");
        }
        if let (Verb::Unknown, Some(rest)) = (first.verb, because.strip_prefix("belay cannot ")) {
            return format!(", so it cannot {rest}");
        }
        let of_it = because.strip_prefix("it ");
        match (joint, of_it, of_it.and_then(plural)) {
            (Joint::Which, Some(rest), _) => format!(", which {rest}"),
            (Joint::WhichAll, _, Some(rest)) => format!(", which {rest}"),
            (Joint::WhichAll, Some(rest), None) => format!("; each {rest}"),
            // A colon behind a secret's name would make our words look like its value, and redacting would take them out.
            _ => format!("; {because}"),
        }
    }
}

/// Says what effects would do, without a reason: "delete ~/a and ~/b".
#[must_use]
pub fn in_words(effects: &[&Effect]) -> String {
    listed(clauses(effects, &[]).iter().map(Clause::text))
}

/// Makes a sentence of a clause.
#[must_use]
pub fn capitalised(clause: &str) -> String {
    let mut text = String::with_capacity(clause.len() + 1);
    let mut chars = clause.chars();
    // The program's own name stays as it is typed.
    match chars.next().filter(|_| !clause.starts_with("belay ")) {
        Some(first) => {
            text.extend(first.to_uppercase());
            text.push_str(chars.as_str());
        }
        None => text.push_str(clause),
    }
    if !text.ends_with(['.', '!', '?', '…']) {
        text.push('.');
    }
    text
}

/// How the reason follows what would be done.
#[derive(Clone, Copy)]
enum Joint {
    Which,
    WhichAll,
    Loose,
}

/// The effects of one line: what it says, with every name that belongs in its list.
struct Clause<'a> {
    line: &'static Line,
    /// The names for the first word in capitals.
    list: List,
    effect: &'a Effect,
    sources: &'a [&'a str],
}

fn clauses<'a>(effects: &[&'a Effect], sources: &'a [&'a str]) -> Vec<Clause<'a>> {
    let mut clauses: Vec<Clause<'a>> = Vec::new();
    for effect in effects {
        let Some(line) = LINES.iter().find(|it| it.fits(effect)) else {
            continue;
        };
        let name = line.list_slot().map(|it| line.value(it, effect));
        let same = |it: &&mut Clause<'_>| {
            std::ptr::eq(it.line, line) && line.other_values(effect) == line.other_values(it.effect)
        };
        match clauses.iter_mut().find(same) {
            Some(clause) => name.into_iter().for_each(|it| clause.list.add(it)),
            None => {
                let mut list = List::default();
                name.into_iter().for_each(|it| list.add(it));
                clauses.push(Clause {
                    line,
                    list,
                    effect,
                    sources,
                });
            }
        }
    }
    clauses
}

/// Names, each once; there may be very many, and few are shown.
#[derive(Default)]
struct List {
    shown: Vec<String>,
    seen: HashSet<String>,
}

impl List {
    fn add(&mut self, name: String) {
        if self.seen.contains(&name) {
            return;
        }
        if self.shown.len() <= LISTED {
            self.shown.push(name.clone());
        }
        self.seen.insert(name);
    }

    fn len(&self) -> usize {
        self.seen.len()
    }

    /// Lists the names as a person would, each written in this way.
    fn text(&self, write: impl Fn(&String) -> String) -> String {
        said(self.shown.iter().map(write).collect(), self.len())
    }
}

impl Line {
    fn fits(&self, effect: &Effect) -> bool {
        let of_verb = self.verb == effect.verb
            && self.how.is_none_or(|it| it == effect.how)
            && effect.carries.holds(self.carries);
        let of_target = || match (&effect.target, self.words) {
            (_, ["REST"]) => true,
            (Target::Place(_), [slot]) => *slot == "PLACE",
            (Target::Host(_), [slot]) => *slot == "HOST",
            (Target::Place(_) | Target::Host(_), _) => false,
            (Target::Names(_), ["PLACE"]) => false,
            (Target::Names(names), words) => {
                let fixed = words.iter().filter(|it| **it != "REST");
                let named = fixed.clone().count() <= names.len();
                named
                    && fixed
                        .zip(names)
                        .all(|(word, it)| is_slot(word) || word == it)
            }
        };
        of_verb && of_target()
    }

    /// Returns the word in capitals that stands for a list: the first on the right.
    fn list_slot(&self) -> Option<&'static str> {
        parts(self.said).find_map(|it| {
            self.words
                .iter()
                .find(|word| **word == it && is_slot(word))
                .copied()
        })
    }

    /// Returns what the words in capitals stand for that are no list.
    fn other_values(&self, effect: &Effect) -> Vec<String> {
        let list = self.list_slot();
        let others = self
            .words
            .iter()
            .filter(|it| is_slot(it) && Some(**it) != list);
        others.map(|it| self.value(it, effect)).collect()
    }

    /// Returns what a word in capitals stands for.
    fn value(&self, slot: &str, effect: &Effect) -> String {
        let text = match &effect.target {
            Target::Place(place) => return placed(place),
            Target::Host(host) => host.clone(),
            Target::Names(names) => {
                let at = self
                    .words
                    .iter()
                    .position(|it| *it == slot)
                    .unwrap_or_default();
                let name = || names.get(at).cloned().unwrap_or_default();
                match slot {
                    "REST" => names.get(at..).unwrap_or_default().join(" "),
                    "EFFECT" => return nested(&name()),
                    _ => name(),
                }
            }
        };
        match text.as_str() {
            "?" => format!("an unknown {}", slot.to_lowercase())
                .replace("unknown rest", "unknown thing"),
            _ => shortened(&text),
        }
    }
}

impl Clause<'_> {
    fn text(&self) -> String {
        let list = self.line.list_slot();
        let mut text = String::new();
        let mut rest = self.line.said;
        while let Some((before, word, after)) = next_slot(rest, self.line.words) {
            text.push_str(before);
            match word {
                "SOURCE" if self.sources.is_empty() => drop_brackets(&mut text),
                "SOURCE" => text.push_str(&listed(self.sources.iter().map(|it| shortened(it)))),
                // Each name of a list has its own quotes.
                _ if Some(word) == list && text.ends_with('`') => {
                    let joined = self.list.text(|it| format!("`{it}`"));
                    text.push_str(joined.trim_matches('`'));
                }
                _ if Some(word) == list => text.push_str(&self.list.text(String::clone)),
                _ => text.push_str(&self.line.value(word, self.effect)),
            }
            let closed = word == "SOURCE" && self.sources.is_empty();
            rest = after.strip_prefix(')').filter(|_| closed).unwrap_or(after);
        }
        text.push_str(rest);
        text
    }

    /// A reason that speaks of "it" follows closely where the list stands last.
    fn joint(&self, first: &Effect) -> Joint {
        let last = self
            .line
            .list_slot()
            .is_some_and(|it| self.line.said.ends_with(it));
        let on_place = matches!(first.target, Target::Place(_) | Target::Host(_));
        match self.list.len() {
            _ if !last || !on_place => Joint::Loose,
            1 => Joint::Which,
            _ => Joint::WhichAll,
        }
    }
}

/// Says an effect that another one names.
fn nested(line: &str) -> String {
    match belay_model::parse_effect(line) {
        Ok(effect) => in_words(&[&effect]),
        Err(_) => shortened(line),
    }
}

fn drop_brackets(text: &mut String) {
    let kept = text.trim_end_matches(['(', ' ']).len();
    text.truncate(kept);
}

fn is_slot(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|it| it.is_ascii_uppercase())
}

/// Returns the words of a text that may be slots.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_ascii_alphanumeric())
}

/// Splits a text at its first word in capitals that stands for something.
fn next_slot<'a>(text: &'a str, words: &[&str]) -> Option<(&'a str, &'a str, &'a str)> {
    let word = parts(text).find(|it| is_slot(it) && (*it == "SOURCE" || words.contains(it)))?;
    let (before, after) = text.split_once(word)?;
    Some((before, word, after))
}

/// Names a place as a person would.
fn placed(place: &Place) -> String {
    match place {
        Place::Exact(path) if path == "." => "the working folder".to_owned(),
        Place::Exact(path) if path == "~" => "the home folder (~)".to_owned(),
        Place::Exact(path) if path == "/" => "the whole file system (/)".to_owned(),
        Place::Exact(_) | Place::Pattern(_) => shortened(&place.to_string()),
        Place::Under(path) => format!("something under {}", shortened(path)),
        Place::Unknown => "a path that is only known when the command runs".to_owned(),
    }
}

/// Cuts a long name, and shows characters that a terminal would act on.
fn shortened(text: &str) -> String {
    let mut short = String::new();
    for (at, it) in text.chars().enumerate() {
        if at == LONGEST {
            short.push('…');
            break;
        }
        match it.is_control() {
            true => short.extend(it.escape_unicode()),
            false => short.push(it),
        }
    }
    short
}

/// Lists what a person can still read: "a", "a and b", "a, b, c and 4 more".
fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let count = items.len();
    said(items, count)
}

/// Says the first of so many things, and how many more there are.
fn said(mut items: Vec<String>, count: usize) -> String {
    let more = count.saturating_sub(LISTED);
    if more == 1 {
        // "and 1 more" is as long as the name.
        items.truncate(LISTED + 1);
    } else if more > 0 {
        items.truncate(LISTED);
        items.push(format!("{more} more"));
    }
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

/// Returns how a sentence about an effect begins.
const fn opening(effect: &Effect) -> &'static str {
    if matches!(effect.verb, Verb::Unknown) {
        return "belay does not know ";
    }
    match effect.when {
        When::Now => "This would ",
        When::Task => "This runs a task or script of the project that would ",
        When::Later => "This writes code that would run by itself later and ",
        When::Own => "This runs a program of the project that would ",
        When::Perhaps => "This writes code that, once run, would ",
    }
}

fn machine(way: &str, name: &str) -> String {
    let known = Some(name).filter(|it| *it != "?" && !it.is_empty());
    let mut text = String::new();
    let name = known.map_or("of unknown name".to_owned(), shortened);
    let written = match (way, known) {
        ("container", _) => write!(text, " in the container {name}"),
        ("cluster", _) => write!(text, " in {name} on the cluster"),
        (_, Some(_)) => write!(text, " on {name}"),
        (_, None) => write!(text, " on another machine"),
    };
    // Writing to a string cannot fail.
    written.map_or_else(|_| String::new(), |()| text)
}

/// Puts the rest of "it is ..." into the plural, where its verb is one that we know.
fn plural(rest: &str) -> Option<String> {
    let (verb, rest) = rest.split_once(' ')?;
    let verb = match verb {
        // "which are a host" is no English; each of them is one.
        "is" if rest.starts_with("a ") || rest.starts_with("an ") => return None,
        "is" => "are",
        "was" => "were",
        "has" => "have",
        "does" => "do",
        "may" | "can" | "could" | "would" => verb,
        _ => return None,
    };
    Some(format!("{verb} {rest}"))
}
