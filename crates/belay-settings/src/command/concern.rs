//! What a line of prose may speak of, so that a model hears it where it counts.
//!
//! A sentence decides nothing by itself. Its words name kinds of effects and things; a call that has
//! such an effect, or names such a thing, is put to the model even where understanding alone would
//! allow it. Reaching too far costs a question to the model; not far enough costs the rule.

use belay_model::{At, Effect, How, Verb};

use super::prose::is_sentence_word;

/// A kind of effects, and the words that speak of it.
struct Class {
    /// How `belay rules` calls it.
    name: &'static str,
    /// Whole words, or beginnings where a `*` ends them.
    words: &'static [&'static str],
    verbs: &'static [Verb],
    reach: Reach,
}

/// How much an effect of the kind says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Such an effect is enough.
    Alone,
    /// Nearly every call has one: it counts where the line names nothing else, or the call names it.
    Beside,
}

#[rustfmt::skip]
const CLASSES: &[Class] = &[
    Class { name: "delete", reach: Reach::Alone, verbs: &[Verb::Delete, Verb::Discard, Verb::Destroy, Verb::Move],
        words: &["delet*", "remov*", "eras*", "wip*", "destroy*", "drop", "dropp*", "purg*", "clean*", "rm", "discard*", "overwrit*", "los*", "truncat*"] },
    Class { name: "publish", reach: Reach::Alone, verbs: &[Verb::Publish, Verb::Rewrite, Verb::Change],
        words: &["push*", "publish*", "releas*", "deploy*", "ship*", "merg*", "tag", "tags", "tagg*", "upload*", "announc*", "rollout*", "pr", "prs"] },
    Class { name: "change history", reach: Reach::Alone, verbs: &[Verb::History, Verb::Rewrite, Verb::Discard, Verb::Publish, Verb::Change],
        words: &["commit*", "branch*", "rebas*", "amend*", "histor*", "squash*", "git", "stash*", "reset*", "revert*"] },
    Class { name: "send", reach: Reach::Alone, verbs: &[Verb::Send, Verb::Publish],
        words: &["send*", "sent", "upload*", "shar*", "leak*", "post", "posts", "posting", "email*", "mail*", "expos*", "exfiltrat*", "external*", "third-party", "notif*", "messag*", "slack"] },
    Class { name: "use the network", reach: Reach::Alone, verbs: &[Verb::Fetch, Verb::Send, Verb::Listen, Verb::Probe, Verb::Install],
        words: &["network*", "internet", "download*", "fetch*", "http", "https", "url*", "host", "hosts", "online", "web", "website*", "api", "apis", "request*", "connect*", "port", "ports", "tunnel*", "proxy"] },
    Class { name: "install", reach: Reach::Alone, verbs: &[Verb::Install],
        words: &["install*", "dependenc*", "package*", "librar*", "upgrad*", "updat*", "plugin*", "extension*", "bump*"] },
    Class { name: "use a database", reach: Reach::Alone, verbs: &[Verb::Query, Verb::Destroy, Verb::Change],
        words: &["database*", "db", "dbs", "sql", "table", "tables", "migrat*", "schema*", "quer*", "row", "rows", "record", "records", "data", "seed*", "backup*"] },
    Class { name: "change a service", reach: Reach::Alone, verbs: &[Verb::Change, Verb::Destroy, Verb::Publish, Verb::Send],
        words: &["prod", "production", "staging", "cluster*", "kubernetes", "infra*", "server*", "cloud*", "service*", "container*", "remote*", "environment*", "terraform", "dns"] },
    Class { name: "gain rights", reach: Reach::Alone, verbs: &[Verb::Escalate, Verb::Bypass, Verb::Mark],
        words: &["sudo", "root", "admin*", "privileg*", "permission*", "bypass*", "disabl*"] },
    Class { name: "signal processes", reach: Reach::Alone, verbs: &[Verb::Signal, Verb::Change],
        words: &["kill*", "stop*", "restart*", "process*", "terminat*", "shutdown"] },
    Class { name: "change settings", reach: Reach::Alone, verbs: &[Verb::Configure, Verb::Bypass, Verb::Persist],
        words: &["config*", "setting*", "hook", "hooks", "schedul*", "cron*", "startup", "preferenc*"] },
    Class { name: "reach secrets", reach: Reach::Beside, verbs: &[Verb::Read, Verb::Send],
        words: &["secret*", "credential*", "token*", "password*", "key", "keys", "personal"] },
    Class { name: "write", reach: Reach::Beside, verbs: &[Verb::Write, Verb::Link, Verb::Mark, Verb::Move, Verb::Delete],
        words: &["writ*", "edit*", "modif*", "chang*", "touch*", "creat*", "add", "adds", "adding", "generat*", "renam*", "mov*", "format*", "rewrit*", "refactor*"] },
    Class { name: "read", reach: Reach::Beside, verbs: &[Verb::Read],
        words: &["read*", "open*", "view*", "look*", "access*", "print*", "show*"] },
    Class { name: "run", reach: Reach::Beside, verbs: &[Verb::Run, Verb::Eval, Verb::Launch],
        words: &["run*", "execut*", "start*", "launch*", "build*", "test", "tests", "testing", "script*", "command*", "program*", "agent*"] },
];

/// Words that name no particular thing.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "all", "ask", "asked", "asks", "agent", "approval", "avoid", "code", "confirm", "confirmation", "directory", "directories", "else", "explicit", "explicitly",
    "file", "files", "first", "folder", "folders", "have", "has", "i", "kind", "me", "new", "no", "nothing", "other", "others", "own", "person", "project", "repo", "repository",
    "some", "something", "stuff", "than", "thing", "things", "told", "us", "use", "used", "user", "using", "way", "we", "what", "which", "will", "work", "would",
];

/// What a line of prose may speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concern {
    /// The kinds of effects it names, and the beginnings of the words that name them.
    classes: Vec<(usize, String)>,
    /// The things it names.
    names: Vec<String>,
}

impl Concern {
    /// Reads a line.
    #[must_use]
    pub fn of(line: &str) -> Self {
        let mut concern = Self {
            classes: Vec::new(),
            names: Vec::new(),
        };
        for word in tokens(line) {
            let before = concern.classes.len();
            for (at, class) in CLASSES.iter().enumerate() {
                if let Some(stem) = class.words.iter().find_map(|it| fits(it, &word)) {
                    concern.classes.push((at, stem));
                }
            }
            let is_class = concern.classes.len() > before;
            let is_plain = word.len() < 3 || PLAIN.contains(&word.as_str());
            if !is_class && !is_plain && !is_sentence_word(&word) {
                concern.names.push(word);
            }
        }
        concern.names.sort_unstable();
        concern.names.dedup();
        concern
    }

    /// Tells whether the line names neither a kind of effects nor a thing: then it is heard only for
    /// calls that go to the model anyway.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.names.is_empty()
    }

    /// Tells whether the line may speak of a call with these effects and words.
    #[must_use]
    pub fn meets(&self, effects: &[&Effect], words: &[&str]) -> bool {
        let shown = effects.iter().map(ToString::to_string);
        let mut said: Vec<String> = shown
            .flat_map(|it| tokens(&it).collect::<Vec<_>>())
            .collect();
        said.extend(words.iter().flat_map(|it| tokens(it)));
        let names = |stem: &str| said.iter().any(|it| it.starts_with(stem));
        let named = self.names.iter().any(|it| names(stem(it)));
        let no_kind = self.strong().next().is_none();
        let nothing_else = no_kind && self.names.is_empty();
        let by_class = self.classes.iter().any(|(at, stem)| {
            let Some(class) = CLASSES.get(*at) else {
                return false;
            };
            let has = effects.iter().any(|it| is_of(class, it));
            match class.reach {
                Reach::Alone => has || names(stem),
                Reach::Beside => has && (named || nothing_else),
            }
        });
        by_class || (no_kind && named)
    }

    fn strong(&self) -> impl Iterator<Item = &'static Class> {
        let found = self.classes.iter().filter_map(|(at, _)| CLASSES.get(*at));
        found.filter(|it| it.reach == Reach::Alone)
    }

    /// Says for which calls the model hears the line.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut kinds: Vec<&str> = Vec::new();
        for class in self.classes.iter().filter_map(|(at, _)| CLASSES.get(*at)) {
            if !kinds.contains(&class.name) {
                kinds.push(class.name);
            }
        }
        let names: Vec<String> = self.names.iter().map(|it| format!("`{it}`")).collect();
        let calls = match (kinds.as_slice(), names.as_slice()) {
            ([], []) => "that are unsure anyway".to_owned(),
            ([], names) => format!("that name {}", names.join(", ")),
            (kinds, []) => format!("that {}", kinds.join(", ")),
            (kinds, names) => format!("that {} (named: {})", kinds.join(", "), names.join(", ")),
        };
        format!("prose: the model is asked about calls {calls}")
    }
}

fn is_of(class: &Class, effect: &Effect) -> bool {
    let elsewhere = effect.at != At::Here && class.name == "change a service";
    let secret = effect.how == How::Secret && class.name == "reach secrets";
    elsewhere || secret || class.verbs.contains(&effect.verb)
}

/// Returns the beginning that a word shares with a word of a class.
fn fits(pattern: &str, word: &str) -> Option<String> {
    match pattern.strip_suffix('*') {
        Some(start) => word.starts_with(start).then(|| start.to_owned()),
        None => (pattern == word).then(|| word.to_owned()),
    }
}

/// Cuts the endings of a plural and of a verb, so that `invoices` finds `invoice`.
fn stem(word: &str) -> &str {
    let cut = ["ing", "ed", "es", "s"]
        .iter()
        .find_map(|it| word.strip_suffix(it));
    cut.filter(|it| it.chars().count() > 2).unwrap_or(word)
}

fn tokens(text: &str) -> impl Iterator<Item = String> {
    text.split(|it: char| !it.is_alphanumeric() && it != '\'')
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(line: &str, effects: &[&str], words: &str) -> bool {
        let effects: Vec<Effect> = effects
            .iter()
            .map(|it| belay_model::parse_effect(it).unwrap())
            .collect();
        let effects: Vec<&Effect> = effects.iter().collect();
        let words: Vec<&str> = words.split_whitespace().collect();
        Concern::of(line).meets(&effects, &words)
    }

    #[test]
    fn a_line_meets_what_it_may_speak_of() {
        for (line, effect, words) in [
            (
                "never delete fixtures",
                "delete ./fixtures/a",
                "rm fixtures/a",
            ),
            (
                "do not remove anything",
                "delete tree ./build",
                "rm -rf build",
            ),
            (
                "never push without asking",
                "publish origin topic",
                "git push",
            ),
            (
                "never run migrations without asking",
                "run task migrate",
                "npm run migrate",
            ),
            (
                "no migrations",
                "run ./manage.py",
                "python manage.py migrate",
            ),
            (
                "never touch the billing code",
                "write ./src/billing/a.rs",
                "touch src/billing/a.rs",
            ),
            (
                "don't touch the invoices module",
                "write ./invoice.py",
                "touch invoice.py",
            ),
            (
                "ask before you install packages",
                "install npm left-pad",
                "npm install left-pad",
            ),
            ("no network", "fetch docs.rs", "curl https://docs.rs"),
            (
                "never edit anything in vendor/",
                "write ./vendor/a",
                "touch vendor/a",
            ),
            (
                "keine Rechnungen anfassen",
                "write ./rechnungen/a",
                "touch rechnungen/a",
            ),
        ] {
            assert!(meets(line, &[effect], words), "{line}: {words}");
        }
    }

    #[test]
    fn a_line_leaves_other_calls_alone() {
        for (line, effect, words) in [
            (
                "never delete fixtures",
                "read ./src/main.rs",
                "cat src/main.rs",
            ),
            (
                "never push to main",
                "read ./src/main.rs",
                "cat src/main.rs",
            ),
            (
                "never touch the billing code",
                "write ./src/a.rs",
                "touch src/a.rs",
            ),
            (
                "never run migrations without asking",
                "run task test",
                "npm test",
            ),
            (
                "ask before you install packages",
                "run task build",
                "npm run build",
            ),
            ("no network", "write ./a", "touch a"),
        ] {
            assert!(!meets(line, &[effect], words), "{line}: {words}");
        }
    }

    #[test]
    fn a_line_that_names_nothing_is_empty() {
        for line in ["do what we told you", "ask me first", "never do it"] {
            assert!(Concern::of(line).is_empty(), "{line}");
        }
        assert_eq!(
            Concern::of("never delete anything in billing").describe(),
            "prose: the model is asked about calls that delete (named: `billing`)"
        );
    }
}
