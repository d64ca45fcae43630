//! Knowledge files for a bundle: `NAME.knowledge` beside the plan, laid out like a user's folder; files right inside it describe
//! commands.

use std::fs;
use std::path::{Path, PathBuf};

use belay_bundle::{RuleSet, Taught, is_knowledge_path};
use belay_settings::fleet;

use crate::fleet::build::failed;
use crate::knowing;
use crate::out::{Failure, harmless, talk};

/// The most folders below each other.
const DEEPEST: usize = 6;

/// The folder with the knowledge of a rule set.
pub struct Folder(PathBuf);

impl Folder {
    /// Names the folder of a rule set.
    pub fn of(plan: &Path, set: &str) -> Self {
        Self(plan.join(format!("{set}.knowledge")))
    }

    /// Reads all its files, in the order of their paths; a folder that is not there has none.
    pub fn files(&self) -> Result<Vec<Taught>, Failure> {
        let mut files = Vec::new();
        if self.0.symlink_metadata().is_ok() {
            self.below(&self.0, &mut files)?;
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    fn below(&self, folder: &Path, files: &mut Vec<Taught>) -> Result<(), Failure> {
        for entry in fs::read_dir(folder).map_err(|it| failed(folder, &it))? {
            let path = entry.map_err(|it| failed(folder, &it))?.path();
            let deep = path.strip_prefix(&self.0).map_or(0, |it| it.iter().count());
            if path.is_dir() && deep <= DEEPEST {
                self.below(&path, files)?;
            } else if path.extension().is_some_and(|it| it == "toml") {
                files.push(self.file(&path)?);
            }
        }
        Ok(())
    }

    fn file(&self, file: &Path) -> Result<Taught, Failure> {
        let inside = file.strip_prefix(&self.0).unwrap_or(file);
        let inside = inside.to_string_lossy().into_owned();
        let path = match inside.contains('/') {
            true => inside,
            false => format!("commands/{inside}"),
        };
        if !is_knowledge_path(&path) {
            return Err(Failure::said(format_args!(
                "a bundle cannot carry this file\n  --> {}\nhint: knowledge in a bundle describes commands (`commands/NAME.toml`, or a file right in the folder) or tools (`tools/NAME.toml`)",
                file.display()
            )));
        }
        let text = fs::read_to_string(file).map_err(|it| failed(file, &it))?;
        Ok(Taught { path, text })
    }

    /// Returns where a file of a bundle lies on the disk.
    fn shown(&self, path: &str) -> String {
        let usual = self.0.join(path);
        let right_inside = path.strip_prefix("commands/").map(|it| self.0.join(it));
        let found = right_inside.filter(|it| it.is_file() && !usual.is_file());
        found.unwrap_or(usual).display().to_string()
    }

    /// Names files as they lie on the disk.
    fn placed(&self, said: &str, set: &RuleSet) -> String {
        let place = |said: String, it: &Taught| {
            let (from, to) = (format!("--> {}", it.path), self.shown(&it.path));
            said.replace(&from, &format!("--> {to}"))
        };
        set.knowledge.iter().fold(said.to_owned(), place)
    }
}

/// Says what is wrong with the knowledge of a rule set, and returns how much. What deserves a second look is a note.
pub fn mistakes(set: &RuleSet, folder: &Folder) -> usize {
    let files = set.knowledge.iter();
    let files: Vec<(&str, &str)> = files
        .map(|it| (it.path.as_str(), it.text.as_str()))
        .collect();
    if files.is_empty() {
        return 0;
    }
    let mut checked = knowing::check_all(&files);
    if checked.faults.is_empty() {
        // What a machine refuses is refused here, in the same words.
        let refused = fleet::taught(set).err();
        checked.faults.extend(refused.map(|it| it.to_string()));
    }
    for fault in &checked.faults {
        talk(harmless(&folder.placed(fault, set)));
    }
    for doubt in &checked.doubts {
        talk(harmless(&folder.placed(doubt, set)));
    }
    if !checked.unread.is_empty() {
        let flags = checked.unread.join(", ");
        let at = folder.0.display();
        talk(harmless(&format!(
            "note: unread flags count as unknown: {flags}\n  --> {at}"
        )));
    }
    if checked.faults.is_empty() {
        talk(harmless(&format!(
            "note: without `may_loosen` in the managed file, knowledge only makes verdicts stricter\n  --> {}",
            folder.0.display()
        )));
    }
    checked.faults.len()
}
