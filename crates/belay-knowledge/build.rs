//! Packs `knowledge/` into one file of bytes; refuses with all that is wrong.
#![expect(clippy::print_stderr, reason = "cargo shows a failed build's errors")]
#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

#[path = "src/compile/mod.rs"]
mod compile;
#[path = "src/deeds.rs"]
#[expect(dead_code, reason = "the library uses more of it than the build")]
mod deeds;
#[path = "src/glob.rs"]
#[expect(dead_code, reason = "the library uses more of it than the build")]
mod glob;
#[path = "src/kinds.rs"]
mod kinds;
#[path = "src/layout.rs"]
#[expect(dead_code, reason = "the library uses more of it than the build")]
mod layout;
#[path = "src/printing.rs"]
mod printing;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use compile::{File, Shown};

const KINDS: [&str; 5] = ["commands", "builtins", "variables", "tools", "lists"];

/// With `BELAY_KNOWLEDGE=none` nothing is packed, so that every command is unknown: for checking files
/// while some are faulty.
const NONE: &str = "BELAY_KNOWLEDGE";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-env-changed={NONE}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("knowledge");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for kind in KINDS {
        println!("cargo:rerun-if-changed={}", folder.join(kind).display());
        collect(&folder.join(kind), kind, &mut files)?;
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    if env::var_os(NONE).is_some_and(|it| it == "none") {
        files.clear();
    }
    match compile::compile(&files) {
        Ok(compiled) => {
            let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
            println!(
                "cargo:rustc-env=BELAY_KNOWLEDGE_HASH={:016x}",
                hash(&compiled.bytes)
            );
            fs::write(out.join("knowledge.bin"), compiled.bytes)?;
            fs::write(out.join("examples.txt"), listed(&compiled.examples))
        }
        Err(faults) => {
            for fault in &faults {
                eprintln!("{fault}\n");
            }
            Err(io::Error::other(format!(
                "{} faults in knowledge/",
                faults.len()
            )))
        }
    }
}

/// FNV-1a: names a version, and needs to withstand nobody.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Reads all files below a folder; a folder that is not there is empty.
fn collect(folder: &Path, under: &str, into: &mut Vec<File>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{under}/{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &path, into)?;
        } else if name.ends_with(".toml") {
            into.push(File {
                shown: format!("knowledge/{path}"),
                path,
                text: fs::read_to_string(entry.path())?,
            });
        }
    }
    Ok(())
}

/// Writes examples as records: file, line, command and effects, parted by control characters.
fn listed(examples: &[Shown]) -> String {
    examples
        .iter()
        .map(|it| {
            let mut parts = vec![it.file.clone(), it.line.to_string(), it.command.clone()];
            parts.extend(it.effects.iter().cloned());
            parts.join("\u{1f}")
        })
        .collect::<Vec<_>>()
        .join("\u{1e}")
}
