//! Whether what was done was said: every act needs an effect that contains it, or an unknown on that very command.

use belay_model::{At, Effect, How, Place, Span, Target, Trouble, TroubleKind, Verb};
use belay_shell::{Command, Dialect, Function};

use crate::Shell;
use crate::acts::Act;
use crate::predict::{Prediction, is_coarse};
use crate::world::{HOME, PROJECT};

/// A text, where its stubs stand, and what was said of it.
pub struct Cover<'a> {
    text: &'a str,
    said: &'a Prediction,
    /// Every command of the text, nested ones too.
    commands: Vec<Span>,
    functions: Vec<Span>,
    /// The names of its functions: calling one runs text that stands elsewhere.
    names: Vec<&'a str>,
}

/// Words that run text or commands which stand elsewhere.
const CARRIERS: [&str; 17] = [
    "eval", "source", ".", "run", "sh", "bash", "dash", "zsh", "trap", "xargs", "find", "coproc",
    "mapfile", "jobs", "f", "g", "nope",
];

impl<'a> Cover<'a> {
    /// Reads where the commands of a text stand.
    #[must_use]
    pub fn new(text: &'a str, shell: Shell, said: &'a Prediction) -> Self {
        let dialect = match shell {
            Shell::Bash => Dialect::Bash,
            Shell::Sh => Dialect::Sh,
            Shell::Zsh => Dialect::Zsh,
        };
        let tree = belay_shell::parse(text.as_bytes(), dialect);
        let span = |it: belay_shell::Span| Span::new(it.start, it.end);
        Self {
            text,
            said,
            commands: tree
                .every::<Command>()
                .iter()
                .map(|it| span(it.span))
                .collect(),
            functions: tree
                .every::<Function>()
                .iter()
                .map(|it| span(tree.one(it.body).span))
                .collect(),
            names: tree
                .every::<Function>()
                .iter()
                .map(|it| span(tree.one(it.name).span))
                .filter_map(|it| text.get(it.start as usize..it.end as usize))
                .collect(),
        }
    }

    /// Tells whether an act was said.
    #[must_use]
    pub fn holds(&self, act: &Act) -> bool {
        let contains = |act: &Act| self.said.effects.iter().any(|it| contains(it, act));
        contains(act)
            || linked(act).is_some_and(|it| contains(&it))
            || self.moved_in(act)
            || self.doubted(act)
    }

    /// Tells whether a file came with a folder that was moved or copied to where the analysis said: who moves a folder moves
    /// all of it.
    fn moved_in(&self, act: &Act) -> bool {
        let mut effects = self.said.effects.iter();
        let brought = act.tag.is_none() && act.verb == Verb::Write;
        let whole = |it: &&Effect| it.verb == Verb::Write && it.at == At::Here;
        let whole_folder =
            |it: &Effect| it.verb == Verb::Move || it.verb == Verb::Read && it.how == How::Tree;
        brought
            && effects.any(whole_folder)
            && self.said.effects.iter().filter(whole).any(|it| {
                let known = it.place().and_then(Place::known);
                known.is_some_and(|it| is_at(&act.path, &absolute(it), true))
            })
    }

    /// Tells whether the analysis said that it does not know the command which did this.
    fn doubted(&self, act: &Act) -> bool {
        let places = self.places(act);
        let meets = |span: Span| {
            is_coarse(span)
                || places
                    .iter()
                    .any(|it| it.start < span.end && span.start < it.end)
        };
        // What comes after an error of syntax or a limit was not read at all.
        let unread = |it: &Trouble| {
            let ends = matches!(it.kind, TroubleKind::Syntax | TroubleKind::Limit);
            let start = it.span.map_or(0, |it| it.start);
            ends && places.iter().any(|it| start < it.end)
        };
        let effects = self.said.effects.iter();
        let unknown = |it: &Effect| it.verb == Verb::Unknown || is_opaque(it) || is_open(it);
        effects.filter(|it| unknown(it)).any(|it| meets(it.span))
            || self
                .said
                .troubles
                .iter()
                .filter(|it| it.kind != TroubleKind::Note)
                .any(|it| it.span.is_none_or(meets) || unread(it))
    }

    /// Returns where the command stands that did this, and what may have carried its text there.
    fn places(&self, act: &Act) -> Vec<Span> {
        let Some(tag) = act.tag else {
            return self.writing();
        };
        let stub = match act.verb {
            Verb::Delete => "rid",
            Verb::Write => "put",
            Verb::Read
            | Verb::Move
            | Verb::Link
            | Verb::Mark
            | Verb::Run
            | Verb::Eval
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
            | Verb::Destroy
            | Verb::Change
            | Verb::Query
            | Verb::Bypass
            | Verb::Probe
            | Verb::Launch
            | Verb::Unknown => "show",
        };
        let mut places = Vec::new();
        let mut direct = true;
        for at in occurrences(self.text, &format!("{stub} {tag}")) {
            let own = self.innermost(at);
            direct &= own.is_some() && !self.functions.iter().any(|it| holds(*it, at));
            places.push(own.unwrap_or_else(|| line_around(self.text, at)));
        }
        if !direct || places.is_empty() {
            places.extend(self.carriers());
        }
        places
    }

    /// Returns the smallest command that begins here, assignments and the like in front included.
    fn innermost(&self, at: u32) -> Option<Span> {
        let around = self.commands.iter().filter(|it| holds(**it, at));
        let smallest = around.min_by_key(|it| it.end - it.start)?;
        let before = self.text.get(smallest.start as usize..at as usize)?;
        let first = before.split(' ').next().unwrap_or_default();
        let kept = matches!(first, "set" | "echo" | "printf");
        (!kept && !before.contains(['\'', '"', '\n', '('])).then_some(*smallest)
    }

    fn carriers(&self) -> Vec<Span> {
        let carries = |span: &&Span| {
            let text = self.text.get(span.start as usize..span.end as usize);
            let mut words = text.unwrap_or_default().split([' ', '\n', ';', '(']);
            let first = text.unwrap_or_default().trim_start_matches('"');
            first.starts_with('$')
                || words.any(|it| CARRIERS.contains(&it) || self.names.contains(&it))
        };
        self.commands.iter().filter(carries).copied().collect()
    }

    /// Returns the commands that redirect.
    fn writing(&self) -> Vec<Span> {
        let writes = |span: &&Span| {
            let text = self.text.get(span.start as usize..span.end as usize);
            text.unwrap_or_default().contains('>')
        };
        let mut those: Vec<Span> = self.commands.iter().filter(writes).copied().collect();
        those.extend(self.carriers());
        those
    }
}

const fn holds(span: Span, at: u32) -> bool {
    span.start <= at && at < span.end
}

/// Returns an act by the path that the stage's own links have: its `/bin` is one to `/usr/bin`, of which the analysis is not told.
fn linked(act: &Act) -> Option<Act> {
    let path = act.path.strip_prefix("/usr")?;
    let links = ["/bin", "/sbin", "/lib", "/lib32", "/lib64"];
    let mut rests = links.iter().filter_map(|it| path.strip_prefix(*it));
    rests
        .any(|it| it.is_empty() || it.starts_with('/'))
        .then(|| Act {
            path: path.to_owned(),
            ..act.clone()
        })
}

/// Returns where a text stands in another, not as part of a longer word.
fn occurrences(text: &str, wanted: &str) -> Vec<u32> {
    let whole = |(at, _): &(usize, &str)| {
        let after = text.get(at + wanted.len()..).unwrap_or_default();
        !after.starts_with(|it: char| it.is_ascii_digit())
    };
    let found = text.match_indices(wanted).filter(whole);
    found.filter_map(|(at, _)| u32::try_from(at).ok()).collect()
}

fn line_around(text: &str, at: u32) -> Span {
    let (before, after) = text.split_at_checked(at as usize).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let end = before.len() + after.find('\n').unwrap_or(after.len());
    let short = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Span::new(short(start), short(end))
}

/// Tells whether an effect stands for code that was not read.
fn is_opaque(effect: &Effect) -> bool {
    matches!(effect.verb, Verb::Eval | Verb::Run)
}

/// Tells whether only the beginning of a target is known: policy takes what follows for anything.
const fn is_open(effect: &Effect) -> bool {
    matches!(effect.target, Target::Place(Place::Under(_)))
}

/// Tells whether an effect is of the act's verb and its target contains the path.
#[must_use]
pub fn contains(effect: &Effect, act: &Act) -> bool {
    let moved = act.tag.is_none() && act.verb == Verb::Delete && effect.verb == Verb::Move;
    if (effect.verb != act.verb && !moved) || effect.at != At::Here {
        return false;
    }
    let Target::Place(place) = &effect.target else {
        return false;
    };
    let tree = effect.how == How::Tree || moved;
    match place {
        Place::Unknown => true,
        Place::Under(known) => act.path.starts_with(&absolute(known)),
        Place::Exact(known) => {
            let known = absolute(known);
            is_at(&act.path, &known, tree) || is_made(&act.path, &known)
        }
        Place::Pattern(known) => {
            let pattern = absolute(known);
            act.path == pattern
                || matches(&pattern, &act.path, tree)
                || is_made(&act.path, &pattern)
        }
    }
}

/// Tells whether a path has a name that `mktemp` or the shell made up, where the analysis writes one of its own.
fn is_made(path: &str, known: &str) -> bool {
    if let Some(rest) = known.strip_prefix("/dev/fd/1") {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let found = |folder| matches(&format!("{folder}/*{rest}"), path, false);
        return found("/dev/fd") || found("/proc/*/fd");
    }
    let mut parts = known.split("/tmp.XXXXXXXXX");
    let folder = parts.next().unwrap_or_default();
    let rests: Vec<&str> = parts
        .map(|it| it.trim_start_matches(|c: char| c.is_ascii_digit()))
        .collect();
    let Some((rest, between)) = rests.split_last() else {
        return false;
    };
    let made = between
        .iter()
        .fold(format!("{folder}/tmp.??????????"), |made, it| {
            format!("{made}{it}/tmp.??????????")
        });
    // What follows is a text, or a pattern.
    let as_text = path.strip_suffix(rest);
    as_text.is_some_and(|it| matches(&made, it, false))
        || matches(&format!("{made}{rest}"), path, false)
}

fn is_at(path: &str, known: &str, tree: bool) -> bool {
    let below = || {
        let rest = path.strip_prefix(known.trim_end_matches('/'));
        rest.is_some_and(|it| it.starts_with('/'))
    };
    path == known || tree && below()
}

/// Returns a path in short form as an absolute one.
#[must_use]
pub fn absolute(short: &str) -> String {
    let (base, rest) = match short.split_at_checked(1) {
        Some(("~", rest)) if rest.is_empty() || rest.starts_with('/') => (HOME, rest),
        Some((".", rest)) if rest.is_empty() || rest.starts_with('/') => (PROJECT, rest),
        _ if short.starts_with('/') => ("", short),
        _ => return format!("{PROJECT}/{short}"),
    };
    format!("{base}{rest}")
}

/// Tells whether a pattern of places matches a path.
#[must_use]
pub fn matches(pattern: &str, path: &str, tree: bool) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    parts_match(&pattern, &path, tree)
}

fn parts_match(pattern: &[&str], path: &[&str], tree: bool) -> bool {
    match (pattern, path) {
        ([], rest) => rest.is_empty() || tree,
        (["**", after @ ..], rest) => {
            parts_match(after, rest, tree)
                || matches!(rest, [_, rest @ ..] if parts_match(pattern, rest, tree))
        }
        ([_, ..], []) => false,
        ([glob, after @ ..], [name, rest @ ..]) => {
            let glob: Vec<char> = glob.chars().collect();
            let name: Vec<char> = name.chars().collect();
            name_matches(&glob, &name) && parts_match(after, rest, tree)
        }
    }
}

fn name_matches(glob: &[char], name: &[char]) -> bool {
    match (glob, name) {
        ([], rest) => rest.is_empty(),
        (['*', after @ ..], rest) => {
            name_matches(after, rest) || matches!(rest, [_, rest @ ..] if name_matches(glob, rest))
        }
        (['?', after @ ..], [_, rest @ ..]) => name_matches(after, rest),
        (['[', after @ ..], [first, rest @ ..]) => {
            let Some(close) = class_end(after) else {
                return *first == '[' && name_matches(after, rest);
            };
            let (class, after) = after.split_at(close);
            in_class(class, *first) && name_matches(after.get(1..).unwrap_or_default(), rest)
        }
        (['\\', wanted, after @ ..] | [wanted, after @ ..], [first, rest @ ..]) => {
            wanted == first && name_matches(after, rest)
        }
        ([_, ..], []) => false,
    }
}

/// Returns where a class ends: at the first bracket that is neither its first character nor ends a named class.
fn class_end(class: &[char]) -> Option<usize> {
    let mut at = usize::from(class.first() != Some(&'['));
    while let Some(c) = class.get(at) {
        let named = class.get(at..at + 2) == Some(&['[', ':']);
        if named {
            at += 2;
            while class.get(at..at + 2).is_some_and(|it| it != [':', ']']) {
                at += 1;
            }
            at += 1;
        } else if *c == ']' {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn in_class(class: &[char], wanted: char) -> bool {
    let (negated, class) = match class {
        ['!' | '^', rest @ ..] => (true, rest),
        class => (false, class),
    };
    let text: String = class.iter().collect();
    let named = |name: &str, holds: bool| holds && text.contains(&format!("[:{name}:]"));
    let in_named = named("graph", wanted.is_ascii_graphic())
        || named("alnum", wanted.is_ascii_alphanumeric())
        || named("alpha", wanted.is_ascii_alphabetic())
        || named("word", wanted.is_ascii_alphanumeric() || wanted == '_')
        || named("digit", wanted.is_ascii_digit())
        || named("lower", wanted.is_ascii_lowercase())
        || named("upper", wanted.is_ascii_uppercase());
    let ranged = class
        .windows(3)
        .any(|it| matches!(it, [low, '-', high] if (*low..=*high).contains(&wanted)));
    let listed = !text.contains("[:") && class.contains(&wanted);
    (in_named || ranged || listed) != negated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(text: &str, act: (Verb, u32, &str)) -> bool {
        let said = crate::predict::predict(text, Shell::Bash);
        let (verb, tag, path) = act;
        Cover::new(text, Shell::Bash, &said).holds(&Act {
            verb,
            tag: Some(tag),
            path: path.to_owned(),
        })
    }

    #[test]
    fn an_effect_covers_its_own_path_only() {
        assert!(covered("rid 1 a", (Verb::Delete, 1, "/home/dev/p/a")));
        assert!(!covered("rid 1 a", (Verb::Delete, 1, "/home/dev/p/b")));
        assert!(!covered("show 1 a", (Verb::Delete, 1, "/home/dev/p/a")));
        assert!(covered("rid 1 *.o", (Verb::Delete, 1, "/home/dev/p/a.o")));
        assert!(!covered(
            "rid 1 *.o",
            (Verb::Delete, 1, "/home/dev/p/d/a.o")
        ));
        assert!(covered("rid 1 ~/[a-c]", (Verb::Delete, 1, "/home/dev/b")));
        assert!(matches("/[[:graph:]]/t", "/?/t", false));
        assert!(!matches("/[[:digit:]]", "/a", false));
        assert!(matches("/[-0-9]*", "/-12", false));
        assert!(is_made("/tmp/tmp.RkC6jovKif", "/tmp/tmp.XXXXXXXXX1"));
        let twice = "/tmp/tmp.XXXXXXXXX1/tmp/tmp.XXXXXXXXX1";
        assert!(is_made("/tmp/tmp.RkC6jovKif/tmp/tmp.RkC6jovKif", twice));
        assert!(!is_made("/tmp/tmp.RkC6jovKif/a", twice));
    }

    #[test]
    fn an_unknown_covers_its_own_command_only() {
        let text = "rid 1 a\nrid 2 \"$unknown\"";
        assert!(covered(text, (Verb::Delete, 2, "/x")));
        let text = "tell \"$u\"\nrid 2 a";
        assert!(!covered(text, (Verb::Delete, 2, "/x")));
    }
}
