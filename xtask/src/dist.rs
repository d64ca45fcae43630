//! The static binary that installs and benches use.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::run::{cargo, must, output, root, target};

/// An explicit target keeps these flags away from procedural macros, which cannot be static.
const STATIC: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// Builds `belay` and returns its place, `target/dist/belay`.
pub fn run() -> Outcome<PathBuf> {
    let host = host()?;
    must(&mut build(&host))?;
    keep(&built(&host), "belay")
}

/// Builds it in parts and with less care, in half the time: static as what ships is, slower and larger. Returns where it lies.
pub fn in_parts() -> Outcome<PathBuf> {
    let host = host()?;
    let mut build = build(&host);
    build.env("CARGO_PROFILE_STATIC_LTO", "off");
    build.env("CARGO_PROFILE_STATIC_OPT_LEVEL", "1");
    build.env("CARGO_PROFILE_STATIC_CODEGEN_UNITS", "16");
    must(&mut build)?;
    Ok(built(&host))
}

fn build(host: &str) -> Command {
    let words = ["build", "--package", "belay-cli", "--profile", "static"];
    let mut command = cargo(&words);
    command.args(["--locked", "--target", host]);
    command.env("RUSTFLAGS", flags(host));
    command
}

fn built(host: &str) -> PathBuf {
    target().join(host).join("static/belay")
}

/// Builds a program that does nothing with the same flags: what starting any program costs.
pub fn empty() -> Outcome<PathBuf> {
    let host = host()?;
    let folder = target().join("dist");
    std::fs::create_dir_all(&folder)
        .map_err(|why| format!("cannot make `{}`: {why}", folder.display()))?;
    let source = folder.join("empty.rs");
    std::fs::write(&source, "fn main() {}\n").map_err(|why| why.to_string())?;
    let built = folder.join("empty");
    let mut rustc = Command::new("rustc");
    rustc
        .args(flags(&host).split_whitespace())
        .current_dir(root());
    rustc.args([
        "-C",
        "opt-level=3",
        "-C",
        "lto=fat",
        "-C",
        "strip=symbols",
        "--target",
        &host,
    ]);
    must(rustc.arg("-o").arg(&built).arg(&source))?;
    Ok(built)
}

/// Returns the target triple of this machine.
fn host() -> Outcome<String> {
    let said = output(Command::new("rustc").arg("-vV").current_dir(root()))?;
    let line = said.lines().find_map(|it| it.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or_else(|| "rustc does not name its host".to_owned())
}

/// Only Linux links its C library statically; elsewhere the ordinary binary is what there is.
fn flags(host: &str) -> &'static str {
    if host.contains("linux") { STATIC } else { "" }
}

fn keep(built: &Path, name: &str) -> Outcome<PathBuf> {
    let folder = target().join("dist");
    let fault = |why| format!("cannot keep `{}`: {why}", built.display());
    std::fs::create_dir_all(&folder).map_err(fault)?;
    let kept = folder.join(name);
    let fresh = folder.join(format!("{name}.new"));
    std::fs::copy(built, &fresh).map_err(fault)?;
    std::fs::rename(&fresh, &kept).map_err(fault)?;
    Ok(kept)
}
