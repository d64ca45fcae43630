//! What a yes covers of questions to a database whose address the call takes from a file.
//!
//! INVARIANT: the words are the same, and what they take from files is the same: the session wrote none of these files,
//! and nothing in the call does more than look.

use belay_model::{Answer, Effect, How, Place, Question, Span, Target, Verb};
use belay_places::absolute;

use crate::consent::Subject;
use crate::words;

impl Subject<'_> {
    /// Questions to the same database: the text of the question may differ, as long as it only asks.
    pub(crate) fn query(&self) -> Option<Vec<String>> {
        let [own] = self.chain.as_slice() else {
            return None;
        };
        let findings = self.case.sight().findings.iter();
        if !findings.map(|it| &it.effect).all(|it| self.only_asks(it)) {
            return None;
        }
        let effects = self.case.sight().effects();
        let asks = |it: &Effect| it.verb == Verb::Query;
        let asked = effects.get(own.from..own.to)?.iter().any(asks);
        let folder = own.folder.as_ref().filter(|_| own.plain && asked)?;
        let text = self.case.call.input.get("command")?.text()?;
        let known = own.argv.iter().zip(&own.words);
        let known = known.map(|(word, at)| match word {
            Some(word) => Some(words::without_question(word)),
            None => written(text, *at)
                .filter(|it| is_steady(it))
                .map(str::to_owned),
        });
        let known: Option<Vec<String>> = known.collect();
        let known = known.filter(|it| it.len() == own.argv.len())?;
        Some(vec![format!("{} in {folder}", known.join(" "))])
    }

    /// Tells whether an effect changes nothing and reads nothing that the session made.
    fn only_asks(&self, effect: &Effect) -> bool {
        if effect.verb == Verb::Query {
            effect.carries.is_nothing()
        } else if effect.verb == Verb::Unknown {
            effect.names().last().is_some_and(|it| it == "?")
        } else {
            effect.verb == Verb::Read && self.reads_what_was_there(effect)
        }
    }

    fn reads_what_was_there(&self, effect: &Effect) -> bool {
        let frame = &self.case.frame;
        let (Target::Place(Place::Exact(name)), How::Plain) = (&effect.target, effect.how) else {
            return false;
        };
        let Some(path) = absolute(name, frame.cwd, frame.home()) else {
            return false;
        };
        let question = Question::Provenance(path.text().to_owned());
        frame.world.ask(&question) == Answer::No
    }
}

fn written(text: &str, at: Span) -> Option<&str> {
    let at = usize::try_from(at.start).ok()?..usize::try_from(at.end).ok()?;
    text.get(at)
}

/// Tells whether a word says the same each time: what commands print that stand in it, and no variable.
fn is_steady(word: &str) -> bool {
    let plain = !word.contains(['`', '\n', '<', '>']);
    let mut marks = word.match_indices('$').map(|(at, _)| word.get(at + 1..));
    plain && marks.all(|it| it.is_some_and(|it| it.starts_with('(') && !it.starts_with("((")))
}
