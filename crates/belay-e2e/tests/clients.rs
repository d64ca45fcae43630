//! The agents' own clients, each case once. `scripts/install-clients` installs them; one that is missing is a failure.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail by panicking, and say what they saw"
)]

use std::path::Path;

use belay_e2e::{Case, Client, Fate, expected, play};
use belay_needs::Need;

const GATE: &str = env!("CARGO_BIN_EXE_belay-e2e-gate");

fn check(client: Client, case: Case) {
    let found = Need::Clients.met(client.agent().title(), || client.folder());
    if found.is_none() {
        return;
    }
    let fate = expected(client, case);
    assert_ne!(fate, Fate::None, "{client:?} has no {case:?}");
    let (became, outcome) = play(client, case, Path::new(GATE)).unwrap();
    assert_eq!(
        became, fate,
        "{client:?} {case:?}: {}\n{:#?}",
        outcome.said, outcome.journal
    );
    assert!(
        outcome.tried(),
        "{client:?} {case:?}: no call came: {}",
        outcome.said
    );
    eprintln!("{client:?} {case:?} {became:?} {:?}", outcome.took);
}

macro_rules! cases {
    ($($(#[$how:meta])* $module:ident = $client:ident;)*) => {
        $(mod $module {
            use super::*;
            $(#[$how])* #[test] fn allow_runs() { check(Client::$client, Case::Allow); }
            $(#[$how])* #[test] fn deny_stops() { check(Client::$client, Case::Deny); }
            $(#[$how])* #[test] fn ask_stops_headless() { check(Client::$client, Case::Ask); }
            $(#[$how])* #[test] fn a_panic_stops() { check(Client::$client, Case::Panics); }
            $(#[$how])* #[test] fn a_killed_gate_stops() { check(Client::$client, Case::Killed); }
            $(#[$how])* #[test] fn a_late_gate_stops() { check(Client::$client, Case::Late); }
            $(#[$how])* #[test] fn a_missing_gate_stops() { check(Client::$client, Case::Missing); }
            $(#[$how])* #[test] fn broken_settings_stop() { check(Client::$client, Case::Settings); }
            $(#[$how])* #[test] fn parallel_calls_are_told_apart() { check(Client::$client, Case::Parallel); }
            $(#[$how])* #[test] fn a_sub_agent_is_judged() { check(Client::$client, Case::SubAgent); }
            $(#[$how])* #[test] fn an_edit_inside_runs() { check(Client::$client, Case::EditInside); }
            $(#[$how])* #[test] fn an_edit_outside_stops() { check(Client::$client, Case::EditOutside); }
        })*
    };
}

cases! {
    claude_code = ClaudeCode;
    codex = Codex;
    gemini = Gemini;
    copilot = Copilot;
    #[ignore = "long: the client is slow"] qwen = Qwen;
    #[ignore = "long: the client is slow"] opencode = OpenCode;
}

/// OpenCode has none.
mod the_time_out_of_the_host {
    use super::*;

    #[test]
    fn of_claude_code() {
        check(Client::ClaudeCode, Case::HostTimeout);
    }

    #[test]
    fn of_codex() {
        check(Client::Codex, Case::HostTimeout);
    }

    #[test]
    fn of_gemini() {
        check(Client::Gemini, Case::HostTimeout);
    }

    #[test]
    fn of_copilot() {
        check(Client::Copilot, Case::HostTimeout);
    }

    #[test]
    #[ignore = "long: the client is slow"]
    fn of_qwen() {
        check(Client::Qwen, Case::HostTimeout);
    }
}
