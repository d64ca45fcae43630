//! Remembers what was asked and answered, and answers from such a record alone.

use std::cell::RefCell;
use std::collections::BTreeMap;

use belay_model::{Answer, Question, Surroundings};

use crate::line::{answer_line, parse_answer, parse_question, question_line};

/// Questions and their answers, in the order in which they were first asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record(pub Vec<(Question, Answer)>);

impl Record {
    /// Writes one line for each question and one for each answer, in turn.
    #[must_use]
    pub fn to_lines(&self) -> Vec<String> {
        let pair = |(question, answer): &(Question, Answer)| {
            [question_line(question), answer_line(answer)]
        };
        self.0.iter().flat_map(pair).collect()
    }

    /// Reads a record from its lines; nothing when one of them is not ours.
    pub fn from_lines<S: AsRef<str>>(lines: &[S]) -> Option<Self> {
        let pairs = lines.chunks(2).map(|pair| match pair {
            [question, answer] => Some((
                parse_question(question.as_ref())?,
                parse_answer(answer.as_ref())?,
            )),
            _ => None,
        });
        pairs.collect::<Option<Vec<_>>>().map(Self)
    }
}

/// Asks the surroundings behind it each question once and remembers the answer.
#[derive(Debug)]
pub struct Recorder<S> {
    behind: S,
    seen: RefCell<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    places: BTreeMap<Question, usize>,
    record: Record,
}

impl<S: Surroundings> Recorder<S> {
    /// Records what is asked of these surroundings.
    pub fn new(behind: S) -> Self {
        Self {
            behind,
            seen: RefCell::default(),
        }
    }

    /// Returns what was asked and answered so far.
    pub fn record(&self) -> Record {
        self.seen.borrow().record.clone()
    }

    /// Ends the recording.
    pub fn into_record(self) -> Record {
        self.seen.into_inner().record
    }

    fn remembered(&self, question: &Question) -> Option<Answer> {
        let seen = self.seen.borrow();
        let place = *seen.places.get(question)?;
        seen.record.0.get(place).map(|(_, answer)| answer.clone())
    }
}

impl<S: Surroundings> Surroundings for Recorder<S> {
    fn ask(&self, question: &Question) -> Answer {
        // INVARIANT: one judgement sees one world; a file replaced between two looks is seen once.
        if let Some(answer) = self.remembered(question) {
            return answer;
        }
        let answer = self.behind.ask(question);
        let mut seen = self.seen.borrow_mut();
        let place = seen.record.0.len();
        seen.places.insert(question.clone(), place);
        seen.record.0.push((question.clone(), answer.clone()));
        answer
    }
}

/// Answers from a record; what was not asked then is not known now.
#[derive(Clone, Debug, Default)]
pub struct Replay(BTreeMap<Question, Answer>);

impl Replay {
    /// Replays a record; the first answer to a question counts.
    #[must_use]
    pub fn new(record: Record) -> Self {
        Self(record.0.into_iter().rev().collect())
    }
}

impl Surroundings for Replay {
    fn ask(&self, question: &Question) -> Answer {
        self.0.get(question).cloned().unwrap_or(Answer::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Answers each question with how many were asked before.
    struct Counting(Cell<u32>);

    impl Surroundings for Counting {
        fn ask(&self, _: &Question) -> Answer {
            self.0.set(self.0.get() + 1);
            Answer::Name(self.0.get().to_string())
        }
    }

    fn ask(world: &impl Surroundings, name: &str) -> Answer {
        world.ask(&Question::Kind(name.to_owned()))
    }

    fn name(text: &str) -> Answer {
        Answer::Name(text.to_owned())
    }

    #[test]
    fn a_question_is_answered_once() {
        let recorder = Recorder::new(Counting(Cell::new(0)));
        assert_eq!(
            [
                ask(&recorder, "/a"),
                ask(&recorder, "/b"),
                ask(&recorder, "/a")
            ],
            [name("1"), name("2"), name("1")]
        );
        assert_eq!(recorder.record().0.len(), 2);
    }

    #[test]
    fn a_replay_answers_the_same_and_nothing_else() {
        let recorder = Recorder::new(Counting(Cell::new(0)));
        ask(&recorder, "/a");
        ask(&recorder, "/b");
        let lines = recorder.into_record().to_lines();
        let replay = Replay::new(Record::from_lines(&lines).unwrap());
        assert_eq!(
            [ask(&replay, "/b"), ask(&replay, "/a"), ask(&replay, "/c")],
            [name("2"), name("1"), Answer::Unknown]
        );
    }

    #[test]
    fn half_a_record_is_none() {
        assert_eq!(Record::from_lines(&["kind\t/a"]), None);
    }
}
