//! Holes that were found, as files: a program, and what a real shell did with it.
//!
//! The first lines say which shell ran it and what it did; the rest is the program.

use std::fs;
use std::path::Path;

use crate::Shell;
use crate::acts::Act;
use crate::cover::Cover;
use crate::predict::predict;
use crate::worker::Hole;

/// One hole that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The shell that ran it.
    pub shell: Shell,
    /// What it did.
    pub acts: Vec<Act>,
    /// The program.
    pub program: String,
}

impl Found {
    /// Reads a file.
    ///
    /// # Errors
    /// When it does not say which shell did what.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut shell = None;
        let mut acts = Vec::new();
        let mut program = String::new();
        for line in text.split_inclusive('\n') {
            if let Some(name) = line.strip_prefix("#shell ") {
                shell = Shell::from_word(name.trim_end());
            } else if let Some(act) = line.strip_prefix("#does ") {
                acts.push(act.trim_end().parse()?);
            } else {
                program.push_str(line);
            }
        }
        let shell = shell.ok_or("no `#shell` line")?;
        if acts.is_empty() {
            return Err("no `#does` line".to_owned());
        }
        Ok(Self {
            shell,
            acts,
            program,
        })
    }

    /// Returns what the analysis does not say of it.
    #[must_use]
    pub fn uncovered(&self) -> Vec<&Act> {
        let said = predict(&self.program, self.shell);
        let cover = Cover::new(&self.program, self.shell, &said);
        self.acts.iter().filter(|it| !cover.holds(it)).collect()
    }
}

/// Writes holes into a folder, one file each, named after what is in them.
///
/// # Errors
/// When a file cannot be written.
pub fn keep(folder: &Path, holes: &[Hole]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for hole in holes {
        let mut text = format!("#shell {}\n", hole.shell);
        for act in hole.done.iter().filter(|it| !it.contains('\n')) {
            text.push_str(&format!("#does {act}\n"));
        }
        text.push_str(hole.program.trim_end());
        text.push('\n');
        if Found::read(&text).is_ok_and(|it| !it.uncovered().is_empty()) {
            fs::write(folder.join(name(&text)), text)?;
        }
    }
    Ok(())
}

fn name(text: &str) -> String {
    let mixed = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{mixed:016x}.sh")
}
