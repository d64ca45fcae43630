//! Looks for bytes that panic, overflow, or do not survive printing. `cargo fuzz run read`; `cargo xtask fuzz` is the
//! short run of CI.
#![no_main]

mod checks;
#[path = "../../crates/belay-shell/tests/shell/shape.rs"]
mod shape;

libfuzzer_sys::fuzz_target!(|text: &[u8]| checks::check(text));
