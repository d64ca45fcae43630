//! The other platforms: built on this one with zig as linker, and run where an emulator can.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::package::{PLATFORMS, Platform};
use crate::run::{must, output, root, target};
use crate::{Outcome, dist};

/// How well the binaries are built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// In parts and in half the time: whether it links and runs.
    Quick,
    /// As they ship.
    Shipped,
}

/// Builds for every platform but this one, runs what can be run, and says where each lies.
pub fn run(care: Care) -> Outcome {
    must(
        Command::new("bash")
            .arg("scripts/install-cross")
            .current_dir(root()),
    )?;
    let host = Platform::of(&dist::host()?)?.triple;
    for platform in PLATFORMS.iter().filter(|it| it.triple != host) {
        let binary = build(platform.triple, care)?;
        let size = std::fs::metadata(&binary).map_or(0, |it| it.len());
        let proof = if platform.triple.starts_with("aarch64-unknown-linux") {
            emulated(&binary)?;
            "built, and judged under qemu"
        } else {
            "built; only its own system can run it"
        };
        eprintln!("cross: {}: {size} bytes, {proof}", platform.triple);
        println!("{}", binary.display());
    }
    Ok(())
}

fn build(triple: &str, care: Care) -> Outcome<PathBuf> {
    let tools = root().join(".cache/cross/python");
    let mut command = Command::new(tools.join("bin/cargo-zigbuild"));
    command.args(["zigbuild", "--package", "belay-cli", "--profile", "static"]);
    command
        .args(["--locked", "--target", triple])
        .current_dir(root());
    command.env("CARGO_ZIGBUILD_ZIG_PATH", tools.join("ziglang/zig"));
    command
        .env("CARGO_ENCODED_RUSTFLAGS", dist::remapped())
        .env_remove("RUSTFLAGS");
    if care == Care::Quick {
        dist::hurried(&mut command);
    }
    must(&mut command)?;
    Ok(target().join(triple).join("static/belay"))
}

/// Runs a binary for another processor: it must allow what it should, and refuse what it should.
fn emulated(binary: &Path) -> Outcome {
    let mut version = Command::new("qemu-aarch64");
    let said = output(version.arg(binary).arg("--version"))?;
    for (line, code) in [("ls -l", 0), ("rm -rf /", 20)] {
        let mut command = Command::new("qemu-aarch64");
        command.arg(binary).args(["check", "--", line]);
        let done = command
            .output()
            .map_err(|why| format!("cannot start qemu: {why}"))?;
        if done.status.code() != Some(code) {
            return Err(format!(
                "{} judges `{line}` with {}",
                said.trim(),
                done.status
            ));
        }
    }
    Ok(())
}
