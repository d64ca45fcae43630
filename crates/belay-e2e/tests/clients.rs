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

macro_rules! boundaries {
    ($($(#[$how:meta])* $name:ident = $client:ident $case:ident;)*) => {
        $($(#[$how])* #[test] fn $name() { check(Client::$client, Case::$case); })*
    };
}

/// Where a cell of the matrix is empty, the client has no such thing.
mod boundaries {
    use super::*;

    boundaries! {
        plan_mode_of_claude_code = ClaudeCode PlanMode;
        plan_mode_of_gemini = Gemini PlanMode;
        plan_mode_of_copilot = Copilot PlanMode;
        #[ignore = "long: the client is slow"] plan_mode_of_qwen = Qwen PlanMode;
        own_rule_of_claude_code = ClaudeCode OwnRule;
        own_rule_of_codex = Codex OwnRule;
        own_rule_of_gemini = Gemini OwnRule;
        #[ignore = "long: the client is slow"] own_rule_of_qwen = Qwen OwnRule;
        planted_for_claude_code = ClaudeCode PlantedEnvironment;
        planted_for_codex = Codex PlantedEnvironment;
        planted_for_gemini = Gemini PlantedEnvironment;
        planted_for_copilot = Copilot PlantedEnvironment;
        #[ignore = "long: the client is slow"] planted_for_qwen = Qwen PlantedEnvironment;
        padded_patch_of_codex = Codex PaddedPatch;
        ignored_folder_of_claude_code = ClaudeCode IgnoredFolder;
        ignored_folder_of_codex = Codex IgnoredFolder;
        ignored_folder_of_gemini = Gemini IgnoredFolder;
        ignored_folder_of_copilot = Copilot IgnoredFolder;
        #[ignore = "long: the client is slow"] ignored_folder_of_qwen = Qwen IgnoredFolder;
        #[ignore = "long: the client is slow"] ignored_folder_of_opencode = OpenCode IgnoredFolder;
    }
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
