//! The agents' own clients, each case once. A client that is not installed is skipped, loudly;
//! with `BELAY_E2E_REQUIRE=1` that is a failure. `scripts/install-clients` installs them.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail by panicking, and a skipped one must be seen"
)]

use std::path::Path;

use belay_e2e::{Case, Client, Fate, expected, play};

const GATE: &str = env!("CARGO_BIN_EXE_belay-e2e-gate");

fn check(client: Client, case: Case) {
    let slow = matches!(client, Client::Qwen | Client::OpenCode);
    if slow && std::env::var_os("BELAY_E2E_ALL").is_none() {
        eprintln!("SKIPPED {client:?} {case:?}: takes long; set BELAY_E2E_ALL=1");
        return;
    }
    if client.folder().is_none() {
        let required = std::env::var("BELAY_E2E_REQUIRE").is_ok_and(|it| it == "1");
        assert!(!required, "{} is not installed", client.agent().title());
        eprintln!("SKIPPED {client:?} {case:?}: not installed; run scripts/install-clients");
        return;
    }
    let fate = expected(client, case);
    if fate == Fate::None {
        return;
    }
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
    ($($module:ident = $client:ident;)*) => {
        $(mod $module {
            use super::*;
            #[test] fn allow_runs() { check(Client::$client, Case::Allow); }
            #[test] fn deny_stops() { check(Client::$client, Case::Deny); }
            #[test] fn ask_stops_headless() { check(Client::$client, Case::Ask); }
            #[test] fn a_panic_stops() { check(Client::$client, Case::Panics); }
            #[test] fn a_killed_gate_stops() { check(Client::$client, Case::Killed); }
            #[test] fn a_late_gate_stops() { check(Client::$client, Case::Late); }
            #[test] fn a_missing_gate_stops() { check(Client::$client, Case::Missing); }
            #[test] fn broken_settings_stop() { check(Client::$client, Case::Settings); }
            #[test] fn parallel_calls_are_told_apart() { check(Client::$client, Case::Parallel); }
            #[test] fn a_sub_agent_is_judged() { check(Client::$client, Case::SubAgent); }
            #[test] fn an_edit_inside_runs() { check(Client::$client, Case::EditInside); }
            #[test] fn an_edit_outside_stops() { check(Client::$client, Case::EditOutside); }
            #[test] fn the_time_out_of_the_host() { check(Client::$client, Case::HostTimeout); }
        })*
    };
}

cases! {
    claude_code = ClaudeCode;
    codex = Codex;
    gemini = Gemini;
    copilot = Copilot;
    qwen = Qwen;
    opencode = OpenCode;
}
