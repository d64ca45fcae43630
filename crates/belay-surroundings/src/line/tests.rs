use belay_model::{Answer, Question, Standing};
use proptest::prelude::*;

use super::{answer_line, join, parse_answer, parse_question, question_line, split};

fn questions(a: &str, b: &str, n: u32) -> Vec<Question> {
    use Question as Q;
    let (a, b) = (a.to_owned(), b.to_owned());
    let one = [
        Q::Resolve,
        Q::Standing,
        Q::Branch,
        Q::Unpushed,
        Q::WorkingTree,
        Q::Changed,
        Q::Untracked,
        Q::TopLevel,
        Q::Worktrees,
        Q::ExecutingConfig,
        Q::Hooks,
        Q::KnownHost,
        Q::Provenance,
        Q::Brought,
        Q::Kind,
        Q::Words,
        Q::Program,
        Q::Links,
    ];
    let two = [
        Q::DefaultBranch,
        Q::RemoteUrl,
        Q::Reachable,
        Q::LeftBehind,
        Q::Pushed,
        Q::Revision,
        Q::PushTarget,
        Q::KnownRemote,
        Q::Consent,
        Q::OwnProgram,
        Q::Added,
    ];
    let mut all: Vec<Question> = one.iter().map(|it| it(a.clone())).collect();
    all.extend(two.iter().map(|it| it(a.clone(), b.clone())));
    all.extend([
        Q::Text(a.clone(), n),
        Q::Entries(a.clone(), n),
        Q::OwnServices(a.clone()),
        Q::ToolFolder(a.clone()),
        Q::OwnDatabase(a.clone(), b.clone()),
        Q::NamedHost(a.clone(), b.clone()),
        Q::NamedMachine(a.clone(), b.clone()),
        Q::OwnProcesses(a.clone(), b.clone(), a.clone()),
        Q::Declared(a.clone(), b.clone(), b),
        Q::SecretsRead,
        Q::Endings,
    ]);
    all
}

fn answers(a: &str, bytes: Vec<u8>, n: u64) -> Vec<Answer> {
    let a = a.to_owned();
    let lost = |newest, names| Standing::Lost {
        count: n,
        what: a.clone(),
        newest,
        names,
    };
    let mut all = vec![
        Answer::Unknown,
        Answer::Yes,
        Answer::No,
        Answer::Path(a.clone()),
        Answer::Missing(a.clone()),
        Answer::Name(a.clone()),
        Answer::Names(vec![]),
        Answer::Names(vec![a.clone(), String::new()]),
        Answer::Text(bytes.clone(), true),
        Answer::Text(bytes, false),
    ];
    all.extend(
        [
            Standing::Absent,
            Standing::Kept,
            Standing::Ignored,
            Standing::Ours,
            lost(None, vec![]),
            lost(Some(n), vec![a.clone(), "x".to_owned()]),
        ]
        .map(Answer::Standing),
    );
    all
}

proptest! {
    #[test]
    fn questions_read_back(a in ".*", b in ".*", n: u32) {
        for question in questions(&a, &b, n) {
            let line = question_line(&question);
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(parse_question(&line), Some(question));
        }
    }

    #[test]
    fn answers_read_back(a in ".*", bytes: Vec<u8>, n: u64) {
        for answer in answers(&a, bytes, n) {
            let line = answer_line(&answer);
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(parse_answer(&line), Some(answer));
        }
    }

    #[test]
    fn any_line_is_read_without_harm(line in ".*") {
        drop((parse_question(&line), parse_answer(&line)));
    }

    #[test]
    fn words_read_back(words in prop::collection::vec(any::<Vec<u8>>(), 1..5)) {
        prop_assert_eq!(split(&join(&words)), Some(words));
    }
}

#[test]
fn a_question_reads_as_one_line() {
    let question = Question::Text("/a b/c\td".to_owned(), 10);
    assert_eq!(question_line(&question), "text\t/a b/c\\td\t10");
}

#[test]
fn a_loss_reads_as_one_line() {
    let lost = Standing::Lost {
        count: 2,
        what: "untracked files".to_owned(),
        newest: Some(120),
        names: vec!["notes.md".to_owned()],
    };
    assert_eq!(
        answer_line(&Answer::Standing(lost)),
        "standing\tlost\t2\tuntracked files\t120\tnotes.md"
    );
}

#[test]
fn a_number_with_a_sign_is_not_ours() {
    assert_eq!(parse_question("text\t/a\t+1"), None);
}
