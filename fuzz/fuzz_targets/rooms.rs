//! Looks for bytes that panic, hang or break what must hold in one room, which `BELAY_FUZZ_TARGET` names.
#![no_main]

mod targets;

use std::sync::OnceLock;

static CHECK: OnceLock<fn(&[u8])> = OnceLock::new();

fn check() -> fn(&[u8]) {
    let name = std::env::var("BELAY_FUZZ_TARGET").unwrap_or_default();
    let found = targets::TARGETS.into_iter().find(|it| it.name == name);
    found.expect("BELAY_FUZZ_TARGET names a target").check
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| CHECK.get_or_init(check)(bytes));
