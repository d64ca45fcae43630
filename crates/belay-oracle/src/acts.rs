//! What a program did, as the stubs wrote it down.

use std::path::{Component, Path, PathBuf};

use belay_model::Verb;

/// One thing that was done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Act {
    /// What was done.
    pub verb: Verb,
    /// Which call of a stub did it; nothing for what the shell did itself.
    pub tag: Option<u32>,
    /// To which file, absolute, links followed as the kernel does.
    pub path: String,
}

impl std::fmt::Display for Act {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.verb, self.path)?;
        match self.tag {
            Some(tag) => write!(f, "  (by call {tag})"),
            None => Ok(()),
        }
    }
}

impl std::str::FromStr for Act {
    type Err = String;

    /// Reads what an act is printed as.
    fn from_str(line: &str) -> Result<Self, String> {
        let wrong = || format!("`{line}` is no act");
        let (head, tag) = match line
            .strip_suffix(')')
            .and_then(|it| it.rsplit_once("  (by call "))
        {
            Some((head, tag)) => (head, Some(tag.parse().map_err(|_| wrong())?)),
            None => (line, None),
        };
        let (verb, path) = head.split_once(' ').ok_or_else(wrong)?;
        Ok(Self {
            verb: Verb::from_word(verb).ok_or_else(wrong)?,
            tag,
            path: path.to_owned(),
        })
    }
}

/// Reads a stub's record: for each call its folder, its name, the number of its words, and the words.
#[must_use]
pub fn read(record: &[u8]) -> Vec<Act> {
    let text = String::from_utf8_lossy(record);
    let mut fields = text.split('\0');
    let mut acts = Vec::new();
    while let (Some(folder), Some(name), Some(count)) =
        (fields.next(), fields.next(), fields.next())
    {
        let count = count.parse().unwrap_or_default();
        let words: Vec<&str> = fields.by_ref().take(count).collect();
        acts.extend(acts_of(folder.trim_end_matches('\n'), name, &words));
    }
    acts
}

fn acts_of(folder: &str, name: &str, words: &[&str]) -> Vec<Act> {
    // Whoever knows that no word led through a link says so by no mark.
    let (name, linked) = match name.strip_suffix('@') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let verb = match name {
        "rid" => Verb::Delete,
        "put" => Verb::Write,
        "show" => Verb::Read,
        _ => return Vec::new(),
    };
    let (Some(tag), paths) = (words.first(), words.get(1..).unwrap_or_default()) else {
        return Vec::new();
    };
    // `put` writes one file; what follows is its input.
    let paths = if name == "put" {
        paths.get(..1).unwrap_or_default()
    } else {
        paths
    };
    let Ok(tag) = tag.parse() else {
        return Vec::new();
    };
    let made = |path: &&str| {
        Some(Act {
            verb,
            tag: Some(tag),
            path: led(folder, path, linked)?,
        })
    };
    paths.iter().filter_map(made).collect()
}

/// Returns where a path leads as the kernel would see it; nothing when it leads nowhere.
///
/// The last part is not followed: that is the name which is deleted or written.
#[must_use]
pub fn resolved(folder: &str, path: &str) -> Option<String> {
    led(folder, path, true)
}

fn led(folder: &str, path: &str, linked: bool) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    let mut at = PathBuf::from("/");
    let whole = Path::new(folder).join(path);
    let mut parts = whole.components().peekable();
    while let Some(part) = parts.next() {
        match part {
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            Component::ParentDir => {
                if !at.is_dir() {
                    return None;
                }
                at.pop();
            }
            Component::Normal(name) => {
                at.push(name);
                if linked
                    && parts.peek().is_some()
                    && let Ok(real) = std::fs::canonicalize(&at)
                {
                    at = real;
                }
            }
        }
    }
    Some(at.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read() {
        let acts = read(b"/home/dev/p\n\0rid@\x003\x007\0a\0/b\0/tmp\n\0tell\x001\0x\0/\n\0rid\x002\x008\0../c\0");
        let shown: Vec<String> = acts.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "delete /home/dev/p/a  (by call 7)",
                "delete /b  (by call 7)",
                "delete /c  (by call 8)"
            ]
        );
        let again: Result<Vec<Act>, String> = shown.iter().map(|it| it.parse()).collect();
        assert_eq!(again, Ok(acts));
    }
}
