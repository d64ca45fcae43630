//! From asks that keep coming back, the narrowest rules that would settle them.
//!
//! INVARIANT: a suggestion names a host, a package, a branch, a path, or a sub-command of a program nobody
//! knows; never a bare program or a flag, never code that was not read, and nothing that would allow
//! any code. Whether it is good is for a person to say.

use std::collections::BTreeMap;

use belay_model::{Effect, How, Place, Target, Verb};

use crate::breadth::is_too_broad;
use crate::command::{CommandView, Lexicon, compile};
use crate::show::quoted;

/// One command that was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its words.
    pub argv: Vec<String>,
    /// What it would have done.
    pub effects: Vec<Effect>,
    /// How often.
    pub times: u32,
}

/// A rule that would settle asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The rule.
    pub rule: Suggested,
    /// How many of the asks it would have settled.
    pub settles: u32,
    /// Which of them, by their place in the list.
    pub asks: Vec<usize>,
}

/// What to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggested {
    /// A line for `rules.allow`.
    Line(String),
    /// A `[[rule]]` that allows exactly this effect.
    Effect(String),
}

impl Suggested {
    /// Returns the suggestion as TOML that holds in one project only.
    #[must_use]
    pub fn in_project(&self, project: &str) -> String {
        let (key, text) = match self {
            Self::Line(text) => ("command", text),
            Self::Effect(line) => ("effect", line),
        };
        format!(
            "[[rule]]\n{key} = {}\nproject = {}\nverdict = \"allow\"\n",
            quoted(text),
            quoted(project)
        )
    }

    /// Returns the suggestion as TOML that holds everywhere.
    #[must_use]
    pub fn to_toml(&self) -> String {
        match self {
            Self::Line(text) => format!("[rules]\nallow = [\"$defaults\", {}]\n", quoted(text)),
            Self::Effect(line) => {
                format!("[[rule]]\neffect = {}\nverdict = \"allow\"\n", quoted(line))
            }
        }
    }
}

/// Suggests rules for asks that came at least so often, most settling first.
#[must_use]
pub fn suggest(asks: &[Asked], least: u32, lexicon: &dyn Lexicon) -> Vec<Suggestion> {
    let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, ask) in asks.iter().enumerate() {
        let Some(program) = ask.argv.first() else {
            continue;
        };
        let sub = ask.argv.get(1).filter(|it| is_name(it));
        let sub = sub.map(String::as_str).unwrap_or_default();
        groups.entry((program, sub)).or_default().push(at);
    }
    let mut found: Vec<Suggestion> = Vec::new();
    for members in groups.values() {
        let picked: Vec<&Asked> = members.iter().filter_map(|it| asks.get(*it)).collect();
        // What is understood is named by what it does; words stand only for what nobody knows.
        let line = by_words(&picked).filter(|it| is_worth(it) && are_strangers(&picked));
        match line {
            Some(line) => found.extend(for_line(line, asks, lexicon)),
            None => found.extend(by_effects(asks, members)),
        }
    }
    found.retain(|it| it.settles >= least);
    found.sort_by(|a, b| b.settles.cmp(&a.settles).then_with(|| a.asks.cmp(&b.asks)));
    found
}

/// Tells whether a word is a sub-command rather than a flag, a path or a value.
fn is_name(word: &str) -> bool {
    let plain = |it: char| it.is_ascii_alphanumeric() || "-_:".contains(it);
    !word.starts_with('-') && !word.is_empty() && word.chars().all(plain)
}

/// A line must name a sub-command: a program with a flag is any use of the program.
fn is_worth(line: &str) -> bool {
    line.split_whitespace().nth(1).is_some_and(is_name)
        && !is_too_broad(line)
        && crate::command::reads_as_command(line)
}

/// Tells whether nobody knows what these commands do.
fn are_strangers(members: &[&Asked]) -> bool {
    let mut effects = members.iter().flat_map(|it| &it.effects);
    effects.all(|it| it.verb == Verb::Unknown)
}

/// Tells whether a rule on this effect is narrow: it has one exact target, and is of a kind that a
/// person may settle once and for all.
fn is_narrow(effect: &Effect) -> bool {
    let kind = match effect.verb {
        Verb::Read | Verb::Write | Verb::Fetch | Verb::Send | Verb::Listen => true,
        Verb::Install | Verb::Publish | Verb::Probe | Verb::Query | Verb::Change => true,
        Verb::Signal | Verb::Link | Verb::Mark | Verb::Move | Verb::Delete => true,
        Verb::Run | Verb::Eval | Verb::Launch | Verb::Unknown => false,
        Verb::Rewrite | Verb::Discard | Verb::History | Verb::Destroy => false,
        Verb::Escalate | Verb::Persist | Verb::Configure | Verb::Bypass => false,
    };
    let exact = match &effect.target {
        Target::Place(place) => matches!(place, Place::Exact(_)),
        Target::Host(host) => host != "?",
        // `install npm left-pad` names a package; `change cluster` names everything there is.
        Target::Names(names) => names.len() > 1,
    };
    kind && exact && effect.how == How::Plain && effect.carries.is_nothing()
}

/// Returns the words all members begin with, and the flags all of them share.
fn by_words(members: &[&Asked]) -> Option<String> {
    let (first, rest) = members.split_first()?;
    let shared = |at: usize, word: &String| rest.iter().all(|it| it.argv.get(at) == Some(word));
    let leading = first
        .argv
        .iter()
        .enumerate()
        .take_while(|(at, word)| shared(*at, word));
    let leading: Vec<&String> = leading.map(|(_, word)| word).collect();
    let later = first.argv.iter().skip(leading.len());
    let flags =
        later.filter(|word| word.starts_with("--") && rest.iter().all(|it| it.argv.contains(word)));
    let words: Vec<&str> = leading
        .iter()
        .copied()
        .chain(flags)
        .map(String::as_str)
        .collect();
    let safe =
        |it: &&str| !it.contains(['\'', '"', '*', '$', '`']) && !it.contains(char::is_whitespace);
    words.iter().all(safe).then(|| words.join(" "))
}

fn for_line(line: String, asks: &[Asked], lexicon: &dyn Lexicon) -> Option<Suggestion> {
    let compiled = compile(&line, lexicon);
    let covered = |ask: &Asked| {
        let view = CommandView {
            argv: ask.argv.iter().cloned().map(Some).collect(),
            effects: &ask.effects,
        };
        compiled.covers(&view, lexicon)
    };
    let covered = asks.iter().enumerate().filter(|(_, it)| covered(it));
    let (places, times): (Vec<usize>, Vec<u32>) = covered.map(|(at, it)| (at, it.times)).unzip();
    (!places.is_empty()).then(|| Suggestion {
        rule: Suggested::Line(line),
        settles: times.iter().sum(),
        asks: places,
    })
}

fn by_effects(asks: &[Asked], members: &[usize]) -> Vec<Suggestion> {
    let mut lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for at in members {
        let Some([effect]) = asks.get(*at).map(|it| it.effects.as_slice()) else {
            continue;
        };
        let line = effect.to_string();
        if is_narrow(effect) && !line.contains(['?', '*', '[', '\'']) {
            lines.entry(line).or_default().push(*at);
        }
    }
    let suggestion = |(line, places): (String, Vec<usize>)| Suggestion {
        settles: places
            .iter()
            .filter_map(|it| asks.get(*it))
            .map(|it| it.times)
            .sum(),
        rule: Suggested::Effect(line),
        asks: places,
    };
    lines.into_iter().map(suggestion).collect()
}

#[cfg(test)]
mod tests {
    use belay_model::parse_effect;

    use super::{Asked, suggest};
    use crate::command::Plain;
    use crate::{Source, load_texts};

    fn asked(line: &str, effect: &str, times: u32) -> Asked {
        Asked {
            argv: line.split(' ').map(str::to_owned).collect(),
            effects: vec![parse_effect(effect).unwrap()],
            times,
        }
    }

    fn lines(asks: &[Asked]) -> Vec<String> {
        let found = suggest(asks, 2, &Plain);
        for it in &found {
            let text = it.rule.to_toml();
            assert_eq!(
                load_texts(&[(Source::User, "u", &text)]).errors,
                [],
                "{text}"
            );
        }
        found
            .iter()
            .map(|it| format!("{} {:?}", it.settles, it.rule))
            .collect()
    }

    #[test]
    fn the_longest_common_beginning() {
        let asks = [
            asked("bd update 12 --status open", "unknown command bd", 3),
            asked("bd update 13 --status done", "unknown command bd", 2),
            asked("bd delete 13", "unknown command bd", 1),
        ];
        assert_eq!(lines(&asks), ["5 Line(\"bd update --status\")"]);
    }

    #[test]
    fn interpreters_are_settled_by_effect_or_not_at_all() {
        let asks = [
            asked("python x.py", "fetch example.com", 2),
            asked("python -c 1", "eval python", 1),
        ];
        assert_eq!(lines(&asks), ["2 Effect(\"fetch example.com\")"]);
    }

    #[test]
    fn what_is_understood_is_named_by_what_it_does() {
        let asks = [
            asked("curl -s https://a.test/x", "fetch a.test", 3),
            asked("curl -s https://b.test/y", "fetch b.test", 2),
            asked("npm install left-pad", "install npm left-pad", 2),
            asked("npm install right-pad", "install npm right-pad", 1),
            asked("git push origin topic", "publish origin topic", 2),
            asked("kubectl apply -f x.yml", "change cluster", 4),
            asked("sudo make install", "escalate root", 4),
        ];
        assert_eq!(
            lines(&asks),
            [
                "3 Effect(\"fetch a.test\")",
                "2 Effect(\"fetch b.test\")",
                "2 Effect(\"install npm left-pad\")",
                "2 Effect(\"publish origin topic\")",
            ]
        );
    }

    #[test]
    fn a_flag_or_a_bare_program_is_no_rule() {
        let asks = [
            asked("frob -x 1", "unknown command frob", 3),
            asked("frob -x 2", "unknown command frob", 3),
            asked("twiddle", "unknown command twiddle", 5),
        ];
        assert_eq!(lines(&asks), [""; 0]);
    }

    #[test]
    fn one_ask_is_no_habit() {
        assert_eq!(
            lines(&[asked("bd update 1", "unknown command bd", 1)]),
            [""; 0]
        );
    }
}
