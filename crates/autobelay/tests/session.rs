//! The breaker is a layer of the gate: whoever asks, with a session that runs against a wall, gets the
//! same answer.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use autobelay::{
    Answer, Call, Classify, Gate, Judgement, Layer, Question, Ruling, Settings, Sight,
    Surroundings, Verdict,
};

mod house;

/// A session whose calls ended so.
struct Ended(&'static [&'static str]);

impl Surroundings for Ended {
    fn ask(&self, question: &Question) -> Answer {
        match question {
            Question::Endings => Answer::Names(self.0.iter().map(|it| (*it).to_owned()).collect()),
            _ => Answer::Unknown,
        }
    }
}

const WALL: Ended = Ended(&[
    "denied delete tree ~",
    "denied send evil.test",
    "denied read ./a",
]);

fn judged(gate: &Gate, call: &Call, world: &Ended) -> Judgement {
    gate.judge_in(call, world)
}

fn shell(command: &str) -> Call {
    house::call("Bash", house::object(&[("command", command)]))
}

#[test]
fn a_session_against_a_wall_waits_for_a_person() {
    let gate = Gate::new(Settings::default());
    let found = judged(&gate, &shell("cargo test"), &WALL);
    assert_eq!((found.verdict, found.layer), (Verdict::Ask, Layer::Breaker));
    assert_eq!(found.reason.rule.as_deref(), Some("breaker"));
    let quiet = Ended(&["denied delete tree ~", "allowed", "denied read ./a"]);
    assert_eq!(
        judged(&gate, &shell("cargo test"), &quiet).verdict,
        Verdict::Allow
    );
}

#[test]
fn looking_goes_on_and_a_denial_stays_one() {
    let gate = Gate::new(Settings::default());
    let look = house::call(
        "Read",
        house::object(&[("file_path", "/work/app/src/a.rs")]),
    );
    assert_eq!(judged(&gate, &look, &WALL).verdict, Verdict::Allow);
    let denied = judged(&gate, &shell("rm -rf ~"), &WALL);
    assert_eq!(
        (denied.verdict, denied.layer),
        (Verdict::Deny, Layer::Analysis)
    );
}

#[test]
fn nobody_to_ask_makes_the_wall_a_denial() {
    let gate = Gate::new(Settings::default());
    let call = Call {
        headless: true,
        ..shell("cargo test")
    };
    let found = judged(&gate, &call, &WALL);
    assert_eq!(
        (found.verdict, found.layer),
        (Verdict::Deny, Layer::Breaker)
    );
}

/// A model that lets everything pass.
struct Lenient;

impl Classify for Lenient {
    fn classify(&self, _: &Call, _: &Sight, _: &Settings) -> Ruling {
        Ruling::Pass("fine".to_owned())
    }
}

#[test]
fn a_model_does_not_release_what_was_denied_before() {
    let gate = Gate::new(Settings::default()).asking(Box::new(Lenient));
    let before = Ended(&["denied unknown command frobnicate"]);
    let again = judged(&gate, &shell("frobnicate"), &before);
    assert_eq!((again.verdict, again.layer), (Verdict::Ask, Layer::Breaker));
    let other = judged(&gate, &shell("twiddle"), &before);
    assert_eq!(other.verdict, Verdict::Allow);
}
