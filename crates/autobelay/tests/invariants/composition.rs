//! Commands beside and inside each other: I1 to I6.

use autobelay::{Value, Verdict};

use crate::house;
use crate::samples::{Ledger, judge, plain, program, quoted, simple, verdict};

const JOINERS: [&str; 7] = [" ; ", " && ", " || ", " | ", " |& ", " & ", "\n"];

/// One neighbour of each verdict.
const NEIGHBOURS: [(&str, Verdict); 3] = [
    ("ls", Verdict::Allow),
    ("frobnicate", Verdict::Ask),
    ("git push --force origin main", Verdict::Deny),
];

#[test]
fn i1_a_neighbour_never_lowers_a_verdict() {
    let mut ledger = Ledger::default();
    for (at, joiner) in JOINERS.iter().enumerate() {
        for sample in plain(7).skip(at) {
            let (neighbour, its) = NEIGHBOURS[at % NEIGHBOURS.len()];
            let least = sample.verdict.max(its);
            ledger.at_least(&format!("{}{joiner}{neighbour}", sample.line), least);
            ledger.at_least(&format!("{neighbour}{joiner}{}", sample.line), least);
        }
    }
    ledger.close();
}

#[test]
fn i1_a_harmless_neighbour_changes_nothing() {
    let mut ledger = Ledger::default();
    for (at, joiner) in [" ; ", " && ", "\n"].iter().enumerate() {
        for sample in plain(5).skip(at) {
            ledger.exactly(&format!("true{joiner}{}", sample.line), sample.verdict);
            ledger.at_least(&format!("{}{joiner}true", sample.line), sample.verdict);
        }
    }
    ledger.close();
}

#[test]
fn i2_the_place_in_a_chain_does_not_matter() {
    let mut ledger = Ledger::default();
    for (part, wanted) in NEIGHBOURS {
        for length in [1_usize, 2, 3, 10, 49, 50, 51, 200] {
            for place in [0, length / 2, length - 1] {
                let parts: Vec<&str> = (0..length)
                    .map(|at| if at == place { part } else { "ls" })
                    .collect();
                ledger.exactly(&parts.join(" && "), wanted);
                ledger.exactly(&parts.join("\n"), wanted);
            }
        }
    }
    ledger.close();
}

/// Ways to put a whole line into another.
const AROUND: [(&str, &str); 14] = [
    ("( ", " )"),
    ("{ ", "; }"),
    ("! ", ""),
    ("if true; then ", "; fi"),
    ("if ", "; then :; fi"),
    ("if false; then :; else ", "; fi"),
    ("for i in 1; do ", "; done"),
    ("while true; do ", "; break; done"),
    ("until false; do ", "; break; done"),
    ("case a in a) ", " ;; esac"),
    ("f() { ", "; }; f"),
    ("function f { ", "; }; f"),
    ("f() ( ", " ); f"),
    ("time ", ""),
];

#[test]
fn i3_what_surrounds_a_line_never_lowers_its_verdict() {
    let mut ledger = Ledger::default();
    for (at, (before, after)) in AROUND.iter().enumerate() {
        for sample in plain(7).skip(at % 7) {
            ledger.at_least(&format!("{before}{}{after}", sample.line), sample.verdict);
        }
    }
    ledger.close();
}

/// Programs that start another one, and builtins that do.
const STARTERS: [&str; 20] = [
    "env",
    "env A=1",
    "env -i",
    "timeout 5",
    "timeout -k 1 5s",
    "nice",
    "nice -n 5",
    "nohup",
    "setsid",
    "stdbuf -oL",
    "time",
    "time -p",
    "command",
    "ionice -c 3",
    "sudo",
    "sudo -n",
    "doas",
    "A=1",
    "flock /tmp/lock",
    "exec",
];

#[test]
fn i3_what_starts_a_program_never_lowers_its_verdict() {
    let mut ledger = Ledger::default();
    for (at, starter) in STARTERS.iter().enumerate() {
        for sample in program(7).skip(at % 7) {
            ledger.at_least(&format!("{starter} {}", sample.line), sample.verdict);
        }
    }
    ledger.close();
}

/// Shells that are handed a text.
const SHELLS: [&str; 7] = [
    "bash -c",
    "sh -c",
    "bash -lc",
    "eval",
    "zsh -c",
    "env bash -c",
    "timeout 9 sh -c",
];

#[test]
fn i3_a_shell_inside_the_shell_never_lowers_a_verdict() {
    let mut ledger = Ledger::default();
    for (at, shell) in SHELLS.iter().enumerate() {
        for sample in plain(7).skip(at) {
            ledger.at_least(&format!("{shell} {}", quoted(&sample.line)), sample.verdict);
        }
    }
    ledger.close();
}

#[test]
fn i3_wrappers_that_add_nothing_leave_harmless_lines_alone() {
    let mut ledger = Ledger::default();
    for (at, starter) in [
        "timeout 5",
        "nice",
        "nice -n 5",
        "time",
        "env A=1",
        "command",
    ]
    .iter()
    .enumerate()
    {
        for sample in program(3)
            .skip(at % 3)
            .filter(|it| it.verdict == Verdict::Allow)
        {
            ledger.exactly(&format!("{starter} {}", sample.line), Verdict::Allow);
        }
    }
    let around = [("( ", " )"), ("{ ", "; }"), ("if true; then ", "; fi")];
    for (at, (before, after)) in around.iter().enumerate() {
        for sample in plain(3).skip(at).filter(|it| it.verdict == Verdict::Allow) {
            ledger.exactly(&format!("{before}{}{after}", sample.line), Verdict::Allow);
        }
    }
    for sample in simple(2).filter(|it| it.verdict == Verdict::Allow) {
        ledger.exactly(&format!("bash -c {}", quoted(&sample.line)), Verdict::Allow);
    }
    ledger.close();
}

/// Redirections that write a file run at every login.
const STARTUP: [&str; 8] = [
    "> ~/.bashrc",
    ">> ~/.bashrc",
    ">| ~/.zshrc",
    "&> ~/.profile",
    "&>> ~/.profile",
    "2> ~/.bashrc",
    "1>> ~/.zshenv",
    "<> ~/.bashrc",
];

#[test]
fn i4_i6_no_line_is_allowed_before_its_redirections_are_seen() {
    let mut ledger = Ledger::default();
    for (at, redirect) in STARTUP.iter().enumerate() {
        for sample in simple(11).skip(at) {
            ledger.exactly(&format!("{} {redirect}", sample.line), Verdict::Deny);
            ledger.exactly(&format!("{redirect} {}", sample.line), Verdict::Deny);
        }
        for sample in plain(29).skip(at) {
            ledger.exactly(&format!("{{ {}; }} {redirect}", sample.line), Verdict::Deny);
            ledger.exactly(&format!("( {} ) {redirect}", sample.line), Verdict::Deny);
            let looped = format!("for i in 1; do {}; done {redirect}", sample.line);
            ledger.exactly(&looped, Verdict::Deny);
        }
        ledger.exactly(redirect, Verdict::Deny);
    }
    ledger.close();
}

#[test]
fn i5_what_says_nothing_is_not_allowed() {
    let inputs = [
        Value::Null,
        Value::Object(Vec::new().into_iter().collect()),
        house::object(&[("command", "")]),
        house::object(&[("command", " \t\n")]),
        house::object(&[("description", "ls")]),
        Value::from("ls -la; rm -rf ~"),
    ];
    let gate = autobelay::Gate::new(autobelay::Settings::default());
    for input in inputs {
        let found = gate.judge_in(&house::call("Bash", input.clone()), &autobelay::Nowhere);
        assert_ne!(found.verdict, Verdict::Allow, "{input:?}");
    }
}

#[test]
fn i46_the_same_line_gets_the_same_judgement() {
    for sample in plain(13) {
        let (one, two) = (judge(&sample.line), judge(&sample.line));
        assert_eq!(one.effects, two.effects, "{}", sample.line);
        assert_eq!(one.reason, two.reason, "{}", sample.line);
        let elsewhere = std::thread::scope(|it| it.spawn(|| verdict(&sample.line)).join());
        assert_eq!(elsewhere.unwrap(), sample.verdict, "{}", sample.line);
    }
}
