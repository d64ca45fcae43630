//! The static binary that installs, packages and benches use.
//!
//! INVARIANT: the same source gives the same bytes wherever it lies: no path of the building machine is in them.

mod order;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::run::{cargo, must, output, root, target};

pub use order::write as write_order;

/// An explicit target keeps these flags away from procedural macros, which cannot be static.
const STATIC: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// Builds `belay` and returns its place, `target/dist/belay`.
pub fn run() -> Outcome<PathBuf> {
    let aim = aim()?;
    must(&mut build(&aim))?;
    keep(&built(&aim), "belay")
}

/// Builds it in parts and with less care, in half the time: static as what ships is, slower and larger. Returns where it lies.
pub fn in_parts() -> Outcome<PathBuf> {
    let aim = aim()?;
    let mut build = build(&aim);
    hurried(&mut build);
    must(&mut build)?;
    Ok(built(&aim))
}

/// Lets a build be done in half the time.
pub fn hurried(build: &mut Command) {
    build.env("CARGO_PROFILE_STATIC_LTO", "off");
    build.env("CARGO_PROFILE_STATIC_OPT_LEVEL", "1");
    build.env("CARGO_PROFILE_STATIC_CODEGEN_UNITS", "16");
}

fn build(host: &str) -> Command {
    let words = ["build", "--package", "belay-cli", "--profile", "static"];
    let mut command = cargo(&words);
    command.args(["--locked", "--target", host]);
    command.env(FLAGS, encoded(host));
    // What is set for other builds would change the bytes of this one.
    command.env_remove("RUSTFLAGS");
    if is_musl(host) {
        // What C there is needs no C library: any compiler for this processor does. Musl's brings all that linking needs.
        let name = host.replace('-', "_");
        let linker = format!("CARGO_TARGET_{}_LINKER", name.to_uppercase());
        command.env(linker, LINKER).env(format!("CC_{name}"), "cc");
    }
    command
}

/// Rust's own linker.
const LINKER: &str = "rust-lld";

fn is_musl(triple: &str) -> bool {
    triple.contains("linux-musl")
}

/// Flags in the form that keeps paths with blanks whole.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// Returns all flags of a build: how it is linked, and what its paths are called in the binary.
fn encoded(triple: &str) -> String {
    let mut words: Vec<String> = flags(triple)
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    words.push(remapped());
    words.extend(PLAIN_HASHES.map(str::to_owned));
    if is_musl(triple) {
        let order = format!("--symbol-ordering-file={}", order::file().display());
        for word in [order.as_str(), "--no-warn-symbol-ordering"] {
            words.extend(["-C".to_owned(), format!("link-arg={word}")]);
        }
    }
    words.join(BETWEEN)
}

/// Hashes in plain code. Where there may be instructions for them, the processor is asked first, which a virtual machine answers in
/// software: that takes three times as long as hashing a record in plain code does.
const PLAIN_HASHES: [&str; 4] = [
    "--cfg",
    "sha2_256_backend=\"soft\"",
    "--cfg",
    "sha1_backend=\"soft\"",
];

/// Parts flags in their encoded form.
const BETWEEN: &str = "\u{1f}";

/// Returns the flags that call the folders of this machine something that is the same everywhere.
pub fn remapped() -> String {
    let folders = [(root(), "/autobelay"), (cargo_home(), "/cargo")];
    let flag = |(folder, name): (PathBuf, &str)| {
        format!("--remap-path-prefix={}={name}", folder.display())
    };
    folders.map(flag).join(BETWEEN)
}

/// Returns the folder in which cargo keeps what it fetched.
fn cargo_home() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

fn built(host: &str) -> PathBuf {
    target().join(host).join("static/belay")
}

/// Builds a program that does nothing with the same flags: what starting any Rust program costs.
pub fn empty() -> Outcome<PathBuf> {
    let aim = aim()?;
    let folder = target().join("dist");
    std::fs::create_dir_all(&folder)
        .map_err(|why| format!("cannot make `{}`: {why}", folder.display()))?;
    let source = folder.join("empty.rs");
    std::fs::write(&source, "fn main() {}\n").map_err(|why| why.to_string())?;
    let built = folder.join("empty");
    let mut rustc = Command::new("rustc");
    rustc
        .args(flags(&aim).split_whitespace())
        .current_dir(root());
    rustc.args([
        "-C",
        "opt-level=3",
        "-C",
        "lto=fat",
        "-C",
        "strip=symbols",
        "--target",
        &aim,
    ]);
    if is_musl(&aim) {
        rustc.args(["-C", &format!("linker={LINKER}")]);
    }
    must(rustc.arg("-o").arg(&built).arg(&source))?;
    Ok(built)
}

/// Builds an empty C program, static: the least that starting any program costs.
pub fn empty_c() -> Outcome<PathBuf> {
    small_c("empty-c", "int main(void) { return 0; }\n")
}

/// Builds a C program of one file, static.
pub fn small_c(name: &str, source: &str) -> Outcome<PathBuf> {
    let folder = target().join("dist");
    std::fs::create_dir_all(&folder)
        .map_err(|why| format!("cannot make `{}`: {why}", folder.display()))?;
    let built = folder.join(name);
    let text = folder.join(format!("{name}.c"));
    std::fs::write(&text, source).map_err(|why| why.to_string())?;
    let mut cc = Command::new("cc");
    cc.args(["-static", "-Os", "-pthread", "-o"])
        .arg(&built)
        .arg(&text);
    must(&mut cc).map_err(|why| format!("no C compiler that links static programs: {why}"))?;
    Ok(built)
}

/// Returns what the binary is built for: this machine, on Linux with musl's C library, whose start does less
/// than half the work of glibc's. Where that target cannot be installed, glibc's is what there is.
fn aim() -> Outcome<String> {
    let host = host()?;
    let musl = host.replace("-linux-gnu", "-linux-musl");
    if musl == host || is_installed(&musl)? {
        return Ok(musl);
    }
    let added = Command::new("rustup")
        .args(["target", "add", &musl])
        .current_dir(root())
        .status();
    if added.is_ok_and(|it| it.success()) && is_installed(&musl)? {
        return Ok(musl);
    }
    eprintln!(
        "dist: `{musl}` cannot be installed, so the hook starts slower: rustup target add {musl}"
    );
    Ok(host)
}

fn is_installed(target: &str) -> Outcome<bool> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    let folder = output(rustc.current_dir(root()))?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// Returns the target triple of this machine.
pub fn host() -> Outcome<String> {
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
