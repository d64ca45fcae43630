//! Commands that come from packages, and modules: the project's own, those we know, strangers.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use belay_analysis::{Scene, Shell, analyse};
use belay_model::{Answer, Question, Surroundings};
use belay_places::Frame;

/// A project that has installed `frob` and has a module `tools.build`.
struct Project;

impl Surroundings for Project {
    fn ask(&self, question: &Question) -> Answer {
        match question {
            Question::Declared(_, kind, name) if kind == "npm-bin" && name == "frob" => Answer::Yes,
            Question::Kind(path) if path == "/work/app/tools/build.py" => {
                Answer::Name("file".to_owned())
            }
            Question::Kind(path) => Answer::Missing(path.clone()),
            _ => Answer::Unknown,
        }
    }
}

#[track_caller]
fn check(line: &str, expected: &[&str]) {
    let frame = Frame {
        cwd: "/work/app",
        home: Some("/home/me"),
        roots: &["/work/app".to_owned()],
        temps: &[],
        hosts: &[],
        gate: &[],
        protected: &[],
        world: &Project,
    };
    let scene = Scene {
        frame: &frame,
        shell: Shell::Bash,
        knowledge: &belay_knowledge::OURS,
    };
    let effects = analyse(line, scene).effects;
    let found: Vec<String> = effects.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{line}");
}

#[test]
fn what_the_project_has_installed_is_its_own() {
    check("npx frob --fix", &["run ./node_modules/.bin/frob"]);
    check("pnpm exec frob", &["run ./node_modules/.bin/frob"]);
}

#[test]
fn a_package_is_not_the_command_that_shares_its_name() {
    check("npx rm x", &["unknown command rm", "delete ./x"]);
    check("npx tsc --noEmit", &["read tree ."]);
    check("npx stranger", &["unknown command stranger"]);
}

#[test]
fn a_module_of_the_project_is_its_own_code() {
    check("python -m tools.build x", &["run ./tools/build.py"]);
    check("python -m tools.other", &["unknown command tools.other"]);
    check("python -m json.tool a", &["read ./a"]);
}
