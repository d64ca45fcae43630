//! Programs that nobody taught us: what their words let one say of them.

use belay_model::{Answer, At, Effect, How, Question, Scope, Verb};

use crate::effects::nouns::Nouns;
use crate::machine::state::State;
use crate::machine::value::Arg;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// A command nobody taught us: looking is fine, anything else is unknown.
    pub(crate) fn stranger(&mut self, name: &str, args: &[Arg], state: &State) {
        let span = args.first().map(|it| it.span).unwrap_or_default();
        let looks = self.at == At::Here
            && name.is_ascii()
            && self.only_looks(args)
            && self.shows_no_secrets(name, args)
            && self.lives_outside(name);
        let effect = if looks {
            Effect::of(Verb::Probe, ["program", name])
        } else if self.makes(name, state) {
            Effect::of(Verb::Run, [name]).how(How::Task)
        } else {
            Effect::of(Verb::Unknown, ["command", name])
        };
        self.emit(effect.spanning(span));
    }

    /// Tells whether words of a stranger only look: a call for help alone, or a reading verb and plain names. A noun
    /// may stand before the verb.
    fn only_looks(&self, args: &[Arg]) -> bool {
        let knowledge = self.scene.knowledge;
        let words: Option<Vec<&str>> = args.iter().skip(1).map(Arg::text).collect();
        let words = words.unwrap_or_default();
        let words = match words.as_slice() {
            [noun, rest @ ..] if knowledge.lists("listed-nouns", noun) => rest,
            all => all,
        };
        match words {
            [only] if words.len() + 1 == args.len() && knowledge.lists("help-words", only) => true,
            [verb, rest @ ..] if knowledge.lists("reading-verbs", verb) => self.are_plain(rest),
            _ => false,
        }
    }

    /// Tells whether words are names, flags that only look, and numbers of what is shown.
    fn are_plain(&self, words: &[&str]) -> bool {
        let knowledge = self.scene.knowledge;
        let acts = |name: &str| {
            ["acting-flags", "acting-names"]
                .iter()
                .any(|it| knowledge.lists(it, name))
        };
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let name = word.trim_start_matches('-');
            if !self.is_plain_name(name) {
                return false;
            }
            if name == *word {
                continue;
            }
            let is_number = |it: &&&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
            if knowledge.lists("counting-flags", name) {
                let _ = words.next_if(is_number);
            }
            if acts(name) || words.peek().is_some_and(|it| !it.starts_with('-')) {
                return false;
            }
        }
        true
    }

    /// Tells whether a stranger's name speaks of no secrets, or its verb only lists their names.
    fn shows_no_secrets(&self, name: &str, args: &[Arg]) -> bool {
        let nouns = Nouns(self.scene.knowledge);
        let verb = args.get(1).and_then(Arg::text).unwrap_or_default();
        !nouns.names_secret(name) || verb.starts_with('-') || nouns.only_names(verb)
    }

    /// Tells whether a word is a name: no path, no address, no setting and nothing secret.
    fn is_plain_name(&self, word: &str) -> bool {
        word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
            && !word.contains("..")
            && !Nouns(self.scene.knowledge).names_secret(word)
    }

    /// Tells whether a command comes from neither the project nor a temporary folder.
    fn lives_outside(&self, name: &str) -> bool {
        let frame = self.scene.frame;
        match frame.world.ask(&Question::Program(name.to_owned())) {
            Answer::Path(path) => {
                let scope = belay_places::scope_of(&belay_places::Path::new(&path), frame);
                !matches!(
                    scope,
                    Scope::Project
                        | Scope::ProjectRoot
                        | Scope::Temp
                        | Scope::TempRoot
                        | Scope::ExecutionBearing
                )
            }
            Answer::Missing(_) | Answer::Unknown => true,
            Answer::Yes
            | Answer::No
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => false,
        }
    }
}
