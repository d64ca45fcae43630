//! What a look shows: the value of a thing whose name speaks of a secret, or only its name.

use belay_knowledge::{Knowledge, Reading, What};
use belay_model::{Effect, How, Verb};

use crate::machine::value::{Arg, Text};
use crate::machine::walk::Walker;

/// So many words of a call may name what it looks at.
const WORDS: usize = 8;

/// What the lists say of the parts of a name.
#[derive(Clone, Copy)]
pub(crate) struct Nouns<'k>(pub(crate) &'k Knowledge);

impl Nouns<'_> {
    /// Tells whether a name is that of a secret: `db_password`, `npmAuthToken`, `api-key`; not `token-expiry`.
    pub(crate) fn names_secret(self, name: &str) -> bool {
        let parts = parts(name);
        let has = |list: &str| parts.iter().any(|it| self.0.lists(list, it));
        let plain = |it: &String| self.0.lists("plain-nouns", it);
        let sounds = || belay_secrets::is_secret_name(name);
        let noun = || has("secret-nouns") || self.0.lists("secret-nouns", &parts.join("-"));
        !has("public-nouns") && !parts.last().is_some_and(plain) && (noun() || sounds())
    }

    /// Tells whether a word says that only names, states or numbers are shown: `list`, `describe-keys`, `env:list`.
    pub(crate) fn only_names(self, word: &str) -> bool {
        let first = |it: &str| it.split(['-', '_']).next().unwrap_or(it).to_owned();
        word.split(':')
            .any(|it| self.0.lists("naming-verbs", it) || self.0.lists("naming-verbs", &first(it)))
    }

    /// Tells whether a word is a verb: `list`, `get-login-password`.
    fn is_verb(self, word: &str) -> bool {
        let first = word.split(['-', ':']).next().unwrap_or(word);
        self.only_names(word) || first != word && self.0.lists("showing-words", first)
    }

    /// Tells whether a word speaks of a place that keeps values under names: `config`, `get-parameter`, `env:get`.
    fn keeps_values(self, word: &str) -> bool {
        parts(word)
            .iter()
            .any(|it| self.0.lists("value-stores", it))
    }

    /// Tells whether a call shows the variables of a program with their values: by its words, where no query takes plain
    /// fields alone.
    fn describes_variables(self, args: &[Arg]) -> bool {
        let words: Vec<&str> = args
            .iter()
            .filter_map(Arg::text)
            .filter(|it| !it.starts_with('-'))
            .take(WORDS)
            .collect();
        let says = |list: &str| {
            let mut runs = (2..=4).flat_map(|it| words.windows(it));
            runs.any(|it| self.0.lists(list, &it.join(" ")))
        };
        match self.asks_plain_fields(args) {
            Some(plain) => !plain && (says("shows-variables") || says("lists-variables")),
            None => says("shows-variables"),
        }
    }

    /// Tells whether a query of the call takes fields that hold no secret, and nothing else: `--query Functions[].Arn`,
    /// `--format value(status.url)`. One that ends in anything else may show all of it. Nothing without a query.
    fn asks_plain_fields(self, args: &[Arg]) -> Option<bool> {
        let mut words = args.iter();
        while let Some(arg) = words.next() {
            let word = arg.text().unwrap_or_default();
            let (flag, glued) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (word, None),
            };
            if self.0.lists("query-flags", flag) {
                let value = glued.or_else(|| words.next().and_then(Arg::text));
                return Some(value.is_some_and(|it| self.plain_fields(it)));
            }
        }
        None
    }

    fn plain_fields(self, query: &str) -> bool {
        let inner = ["value(", "get(", "table("]
            .iter()
            .find_map(|it| query.strip_prefix(it)?.strip_suffix(')'))
            .unwrap_or(query);
        let all = inner
            .replace("[*]", "")
            .replace("[]", "")
            .replace("[0]", "");
        let list = all.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let mut fields = list.unwrap_or(&all).split(',').map(str::trim);
        fields.all(|field| {
            let named = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.');
            let last = field.rsplit('.').next().unwrap_or_default();
            let ends = parts(last).pop().unwrap_or_default();
            field.chars().all(named) && self.0.lists("plain-fields", &ends)
        })
    }

    /// Tells whether a flag asks for secrets: `--show-secrets`, `--reveal-token`.
    fn reveals(self, flag: &str) -> bool {
        let Some(name) = flag.strip_prefix("--") else {
            return false;
        };
        let (name, value) = name.split_once('=').unwrap_or((name, "true"));
        let parts = parts(name);
        let shows = |it: &String| self.0.lists("showing-words", it);
        value != "false"
            && parts.len() > 1
            && parts.first().is_some_and(shows)
            && self.names_secret(name)
    }
}

/// The parts of a name, in small letters: at signs between them, and where a capital follows a small letter.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        let parted = !c.is_ascii_alphanumeric() || small && c.is_ascii_uppercase();
        if parted && parts.last().is_some_and(|it| !it.is_empty()) {
            parts.push(String::new());
        }
        small = c.is_ascii_lowercase();
        if c.is_ascii_alphanumeric()
            && let Some(last) = parts.last_mut()
        {
            last.push(c.to_ascii_lowercase());
        }
    }
    parts.retain(|it| !it.is_empty());
    parts
}

impl Walker<'_> {
    /// What a command that only looks shows of secrets, by the words that name what it looks at.
    pub(crate) fn shown(&mut self, reading: &Reading<'_>, args: &[Arg]) {
        let Some(service) = looked_at(reading) else {
            return;
        };
        let keeps = |it: &&str| self.scene.knowledge.lists("secret-services", it);
        let service = service.filter(keeps);
        let nouns = Nouns(self.scene.knowledge);
        let text = |it: &Arg| {
            it.text()
                .filter(|it| !it.starts_with('-'))
                .map(str::to_owned)
        };
        let after = reading.named.last().map_or(1, |it| it + 1);
        let typed = |at: &usize| args.get(*at).and_then(text);
        let mut path: Vec<String> = reading.named.iter().skip(1).filter_map(typed).collect();
        // Verbs that a file leaves to its operands: `get-secret-value` of any of a cloud's services.
        let verbs = args.iter().skip(after).take(2).filter_map(text);
        let verbs: Vec<String> = verbs.filter(|it| nouns.is_verb(it)).collect();
        path.extend(verbs);
        let names = path.iter().any(|it| nouns.only_names(it));
        let noun = service.is_some() && path.iter().any(|it| nouns.names_secret(it));
        let mut rest = args.iter().skip(after);
        let value = |it: &Arg| match it.text() {
            Some(word) => !word.starts_with('-') && nouns.names_secret(word),
            None => matches!(it.val.text, Text::Unknown { .. }),
        };
        let asked = path.iter().any(|it| nouns.keeps_values(it)) && rest.clone().any(value);
        let reveals = |it: &Arg| it.text().is_some_and(|it| nouns.reveals(it));
        let revealed = service.is_some() && rest.any(reveals);
        let described = service.is_some() && nouns.describes_variables(args);
        if !names && (noun || asked) || revealed || described {
            let span = args.first().map(|it| it.span).unwrap_or_default();
            let what = service.unwrap_or("settings");
            let effect = Effect::of(Verb::Read, [what]).how(How::Secret);
            self.emit(effect.spanning(span));
        }
    }
}

/// Says what service a command with sub-commands looks at, if any; none where it does more than look.
fn looked_at<'k>(reading: &Reading<'k>) -> Option<Option<&'k str>> {
    if reading.named.len() < 2 {
        return None;
    }
    let mut service = None;
    for act in &reading.acts {
        let What::Effect {
            verb, how, target, ..
        } = &act.what
        else {
            return None;
        };
        match (verb, how) {
            (Verb::Probe, _) => service = target.first().and_then(|it| it.fixed()).or(service),
            (Verb::Read, How::Secret) => return None,
            (Verb::Read, _) => {}
            _ => return None,
        }
    }
    Some(service)
}
