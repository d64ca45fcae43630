//! Words that a call hands on to a task: `npm test -- --config x` runs the script with them behind it.

use belay_model::{Effect, When};

use super::notation::Notation;
use super::{OwnCode, manifests};
use crate::effects::called::Called;
use crate::machine::cuts::quoted;
use crate::machine::state::State;
use crate::machine::value::Arg;
use crate::machine::walk::Walker;

/// Stands for a word that nobody knows, or that single quotes cannot hold.
const ANY: &str = "\"$1\"";

/// The list of tools that hand on all words behind a task's name.
const HANDS_ON: &str = "hands-on";

impl Walker<'_> {
    /// Walks a task's text with the words behind it that the call hands on. What it does only with them, the call does:
    /// nobody wrote that into the project.
    pub(super) fn hand_on(&mut self, own: &OwnCode<'_>, words: &str, state: &State) {
        let from = self.out.effects.len();
        self.step(own, state);
        let without = self.out.effects.split_off(from);
        let text = format!("{} {words}", own.text);
        let text = &text;
        self.step(&OwnCode { text, ..*own }, state);
        let mut with = self.out.effects.split_off(from);
        with.retain(|effect| !without.iter().any(|it| is_same(it, effect)));
        for effect in with.iter_mut().filter(|it| it.when == When::Task) {
            effect.when = When::Now;
        }
        self.out.effects.extend(without);
        self.out.effects.extend(with);
    }
}

/// Tells whether two effects are one, wherever the text says so.
fn is_same(one: &Effect, other: &Effect) -> bool {
    let plain = |it: &Effect| (it.verb, it.how, it.carries);
    plain(one) == plain(other) && one.target == other.target && one.at == other.at
}

/// Returns the text that a call hands words on to, where tools of that notation do.
pub(super) fn receiving(notation: Notation, text: &str, name: &str) -> Option<String> {
    let name = &[name.to_owned()];
    match notation {
        Notation::PackageJson => manifests::scripts(text, "scripts", name).pop(),
        Notation::DenoJson => manifests::scripts(text, "tasks", name).pop(),
        Notation::ComposerJson
        | Notation::Justfile
        | Notation::Makefile
        | Notation::MiseToml
        | Notation::Taskfile => None,
    }
}

impl Walker<'_> {
    /// Returns the words that a call hands on to its task, as a shell reads them; none where there are none.
    pub(super) fn words_for_task(&self, called: &Called<'_>) -> Option<String> {
        let Called { name, args, .. } = *called;
        let at = args.iter().position(|it| it.text() == Some(name))?;
        let tool = args.first().and_then(Arg::text).unwrap_or_default();
        let knowledge = self.scene.knowledge;
        if at == 1 && knowledge.all_said(HANDS_ON, tool).any(|it| it == name) {
            return None;
        }
        let rest = args.get(at + 1..).filter(|it| !it.is_empty())?;
        let all = knowledge.lists(HANDS_ON, tool);
        let words: Vec<String> = taken(rest, all).into_iter().map(written).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// Returns those of the words behind a task's name that reach it. A tool that does not hand on all of them keeps flags, and the
/// word behind each, which may be its value, up to a `--`.
fn taken(rest: &[Arg], all: bool) -> Vec<&Arg> {
    let is_end = |it: &&Arg| it.text() == Some("--");
    let flag = |it: &Arg| it.text().is_some_and(|it| it.starts_with('-'));
    let mut words = Vec::new();
    let mut behind = false;
    let mut ended = all;
    for it in rest {
        if is_end(&it) && (all || !ended) {
            ended = true;
        } else if ended || !(flag(it) || behind) {
            words.push(it);
        }
        behind = flag(it) && it.text().is_some_and(|it| !it.contains('='));
    }
    words
}

fn written(word: &Arg) -> String {
    let text = word.text().and_then(quoted);
    text.unwrap_or_else(|| ANY.to_owned())
}
