//! Which files a patch touches, read as the hosts read it.
//!
//! INVARIANT: no reading of ours is narrower than a host's. Codex trims a line before it looks for a
//! header, so a padded header is one; where a line could be a header or text, it counts as both; a
//! line that fits nowhere is kept as unread, and what is unread is never allowed.

use belay_model::Verb;

/// A file that a patch touches, and what is done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) path: String,
    pub(crate) verb: Verb,
    /// The lines that it gains.
    pub(crate) added: String,
    /// Whether these lines are all that the file will hold besides what it holds now.
    pub(crate) from: Source,
}

/// Where a touched file's text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// From the patch alone: nothing is left of what was there.
    New,
    /// From the patch and from the file itself.
    Patch,
    /// Also from another file, which the patch moves or copies here.
    Elsewhere,
}

/// A patch, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Every file it touches, under every reading.
    pub(crate) touched: Vec<Touched>,
    /// The first line that fits nowhere.
    pub(crate) unread: Option<String>,
}

/// Reads a patch; `None` when no line of it is a header.
pub(crate) fn read(text: &str) -> Option<Patch> {
    let mut reader = Reader::default();
    let lines = || {
        text.split('\n')
            .map(|it| it.strip_suffix('\r').unwrap_or(it))
    };
    if lines().any(|line| section(line.trim()).is_some()) {
        lines().for_each(|line| reader.sectioned(line));
    } else {
        let mut before = "";
        for line in lines() {
            reader.unified(line, before);
            before = line;
        }
    }
    let patch = reader.patch;
    (!patch.touched.is_empty()).then_some(patch)
}

/// What a line of Codex's format says, apart from the lines of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section<'t> {
    Add(&'t str),
    Update(&'t str),
    Delete(&'t str),
    Move(&'t str),
    /// Begin, end, end of file.
    Frame,
    /// Starts with the three stars of a header and is none we know.
    Strange,
}

fn section(trimmed: &str) -> Option<Section<'_>> {
    let rest = trimmed.strip_prefix("***")?;
    let named = |name: &str| rest.strip_prefix(name);
    Some(if let Some(path) = named(" Add File:") {
        Section::Add(path)
    } else if let Some(path) = named(" Update File:") {
        Section::Update(path)
    } else if let Some(path) = named(" Delete File:") {
        Section::Delete(path)
    } else if let Some(path) = named(" Move to:") {
        Section::Move(path)
    } else if matches!(rest, " Begin Patch" | " End Patch" | " End of File") {
        Section::Frame
    } else if rest.starts_with(' ') {
        Section::Strange
    } else {
        return None;
    })
}

/// Between which lines we are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    /// No file is open.
    #[default]
    Nothing,
    /// A new file: every line is an added one.
    New,
    /// A changed file.
    Changed,
}

#[derive(Default)]
struct Reader {
    patch: Patch,
    within: Within,
    /// How many of the last files gain the lines that follow: more than one where readings differ.
    open: usize,
    /// Lines left in a hunk of a unified diff: those of the old side and of the new one.
    old_left: usize,
    new_left: usize,
}

impl Reader {
    fn unread(&mut self, line: &str) {
        let first = || line.trim().chars().take(80).collect();
        self.patch.unread.get_or_insert_with(first);
    }

    fn touch(&mut self, path: &str, verb: Verb) {
        if path.is_empty() {
            self.unread("a header without a path");
        }
        self.patch.touched.push(Touched {
            path: path.to_owned(),
            verb,
            added: String::new(),
            from: Source::Patch,
        });
        self.open = 1;
    }

    /// A header's path follows one blank; with more of them hosts disagree on its name.
    fn named<'t>(&mut self, line: &str, rest: &'t str) -> &'t str {
        let path = rest.trim();
        if rest.strip_prefix(' ') != Some(path) {
            self.unread(line);
        }
        path
    }

    fn add(&mut self, line: &str) {
        let open = self.open;
        for file in self.patch.touched.iter_mut().rev().take(open) {
            file.added.push_str(line);
            file.added.push('\n');
        }
    }

    /// One line of Codex's format.
    fn sectioned(&mut self, line: &str) {
        let Some(found) = section(line.trim()) else {
            return self.body(line);
        };
        // Inside a changed file a line that begins with a blank may be text: then what follows
        // still belongs to the files before.
        let also = match self.within {
            Within::Changed if line.starts_with(' ') => self.open,
            Within::Nothing | Within::New | Within::Changed => 0,
        };
        match found {
            Section::Add(rest) => self.header(line, rest, Within::New),
            Section::Update(rest) => self.header(line, rest, Within::Changed),
            Section::Delete(rest) => self.header(line, rest, Within::Nothing),
            Section::Move(rest) => {
                let moved = self.within == Within::Changed;
                self.header(line, rest, Within::Changed);
                self.elsewhere();
                self.open += 1;
                if !moved {
                    self.unread(line);
                }
            }
            Section::Frame => {}
            Section::Strange => self.unread(line),
        }
        self.open += also;
    }

    fn header(&mut self, line: &str, rest: &str, within: Within) {
        let path = self.named(line, rest);
        let verb = match within {
            // Lines follow only where a file is written.
            Within::Nothing => Verb::Delete,
            Within::New | Within::Changed => Verb::Write,
        };
        self.touch(path, verb);
        if let (Within::New, Some(file)) = (within, self.patch.touched.last_mut()) {
            file.from = Source::New;
        }
        self.within = within;
    }

    fn elsewhere(&mut self) {
        if let Some(file) = self.patch.touched.last_mut() {
            file.from = Source::Elsewhere;
        }
    }

    fn body(&mut self, line: &str) {
        let wrapper = line.trim_start().starts_with("apply_patch <<")
            || line.starts_with("<<")
            || line.trim() == "EOF";
        match (self.within, line.as_bytes().first()) {
            (Within::New | Within::Changed, Some(b'+')) => {
                self.add(line.get(1..).unwrap_or_default());
            }
            (Within::Changed, Some(b' ' | b'-' | b'@')) => {}
            _ if line.trim().is_empty() || wrapper => {}
            (Within::Nothing | Within::New | Within::Changed, _) => self.unread(line),
        }
    }

    /// One line of a unified diff.
    fn unified(&mut self, line: &str, before: &str) {
        let trimmed = line.trim_end();
        let old_side = before.trim_end().strip_prefix("--- ").map(side);
        let header = trimmed.strip_prefix("+++ ").map(side).zip(old_side);
        if self.old_left + self.new_left > 0 {
            self.in_hunk(line);
            // Whoever does not count the lines of a hunk sees a header here.
            if let Some((new, old)) = header {
                let open = self.open;
                self.sides(old, new);
                self.open += open;
            }
        } else if let Some((new, old)) = header {
            self.sides(old, new);
        } else if let Some(rest) = trimmed.strip_prefix("@@ ") {
            self.hunk(line, rest);
        } else {
            self.extended(line, trimmed);
        }
    }

    fn sides(&mut self, old: &str, new: &str) {
        match new {
            "/dev/null" => self.touch(old, Verb::Delete),
            new => self.touch(new, Verb::Write),
        }
        self.within = Within::Changed;
    }

    fn in_hunk(&mut self, line: &str) {
        let (old, new) = match line.as_bytes().first() {
            Some(b'+') => {
                self.add(line.get(1..).unwrap_or_default());
                (0, 1)
            }
            Some(b'-') => (1, 0),
            Some(b' ') | None => (1, 1),
            Some(b'\\') => (0, 0),
            Some(_) => {
                self.unread(line);
                (1, 1)
            }
        };
        self.old_left = self.old_left.saturating_sub(old);
        self.new_left = self.new_left.saturating_sub(new);
    }

    /// Reads `-1,3 +1,4 @@`.
    fn hunk(&mut self, line: &str, rest: &str) {
        let count = |text: Option<&str>, sign| -> Option<usize> {
            let text = text?.strip_prefix(sign)?;
            text.split_once(',')
                .map_or(Some(1), |(_, it)| it.parse().ok())
        };
        let mut words = rest.split(' ');
        match (count(words.next(), '-'), count(words.next(), '+')) {
            (Some(old), Some(new)) => (self.old_left, self.new_left) = (old, new),
            (_, _) => self.unread(line),
        }
    }

    /// What stands between the files of a diff.
    fn extended(&mut self, line: &str, trimmed: &str) {
        const KNOWN: [&str; 10] = [
            "diff ",
            "index ",
            "old mode ",
            "new mode ",
            "new file mode ",
            "deleted file mode ",
            "similarity index ",
            "dissimilarity index ",
            "--- ",
            "\\ No newline",
        ];
        let moved = ["rename to ", "copy to "];
        let left = ["rename from ", "copy from "];
        let path = |names: &[&str]| names.iter().find_map(|it| trimmed.strip_prefix(it));
        if let Some(path) = path(&moved) {
            self.touch(path, Verb::Write);
            self.elsewhere();
        } else if trimmed.starts_with("rename from ") {
            self.touch(path(&left).unwrap_or_default(), Verb::Delete);
        } else if let (Some(text), Within::Changed) = (line.strip_prefix('+'), self.within) {
            // Beyond its count, or in a hunk without one.
            self.add(text);
        } else if !trimmed.is_empty()
            && path(&left).is_none()
            && !KNOWN.iter().any(|it| trimmed.starts_with(it))
        {
            self.unread(line);
        }
    }
}

/// Takes the time stamp and the `a/` or `b/` from one side of a unified diff.
fn side(text: &str) -> &str {
    let path = text.split('\t').next().unwrap_or(text).trim();
    path.strip_prefix("a/")
        .or_else(|| path.strip_prefix("b/"))
        .unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::read;

    fn lines(patch: &str) -> Vec<String> {
        let Some(patch) = read(patch) else {
            return vec!["nothing".to_owned()];
        };
        let mut lines: Vec<String> = patch
            .touched
            .iter()
            .map(|it| format!("{} {} {:?}", it.verb, it.path, it.added))
            .collect();
        lines.extend(patch.unread.map(|it| format!("unread {it}")));
        lines
    }

    fn check(patch: &str, expected: &[&str]) {
        assert_eq!(lines(patch), expected, "{patch}");
    }

    #[test]
    fn every_path_counts() {
        check(
            "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@\n+y\n*** Delete File: d\n*** End Patch",
            &[
                r#"write a "x\n""#,
                r#"write b "y\n""#,
                r#"write c "y\n""#,
                r#"delete d """#,
            ],
        );
        check(
            "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n",
            &[r#"write x.rs "b\n""#],
        );
        check("--- a/x.rs\n+++ /dev/null\n", &[r#"delete x.rs """#]);
        check("nothing here", &["nothing"]);
    }

    /// Codex trims a line before it looks for a header.
    #[test]
    fn a_padded_header_is_a_header() {
        for pad in [" ", "\t", "   ", "\u{a0}", "\u{2003}"] {
            for end in ["", " ", "\r"] {
                check(
                    &format!(
                        "*** Begin Patch\n*** Add File: a\n+x\n{pad}*** Add File: /h/.profile{end}\n+evil\n*** End Patch"
                    ),
                    &[r#"write a "x\n""#, r#"write /h/.profile "evil\n""#],
                );
            }
        }
        check(
            "*** Begin Patch\r\n*** Update File: a\r\n@@\r\n x\r\n *** Add File: /h/.profile\r\n+evil\r\n*** End Patch\r\n",
            &[r#"write a "evil\n""#, r#"write /h/.profile "evil\n""#],
        );
    }

    #[test]
    fn text_that_looks_like_a_header_is_text() {
        check(
            "*** Begin Patch\n*** Add File: a.md\n+*** Add File: b\n++++ c\n+--- d\n*** End Patch",
            &[r#"write a.md "*** Add File: b\n+++ c\n--- d\n""#],
        );
        check(
            "*** Begin Patch\n*** Update File: a.md\n@@ heading\n one\n-*** Delete File: b\n+++ x\n\n two\n*** End of File\n*** End Patch\n",
            &[r#"write a.md "++ x\n""#],
        );
    }

    #[test]
    fn a_line_that_fits_nowhere_is_unread() {
        for (patch, line) in [
            ("*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "x"),
            ("*** Begin Patch\n*** Delete File: a\n+x\n", "+x"),
            ("*** Begin Patch\n*** Update File: a\n@@\nx\n", "x"),
            (
                "*** Begin Patch\n*** Rename File: a\n*** Add File: b\n+x",
                "*** Rename File: a",
            ),
            (
                "*** Begin Patch\n*** Environment ID: other\n*** Add File: b\n+x",
                "*** Environment ID: other",
            ),
            (
                "*** Add File:  /h/.profile\n+x",
                "*** Add File:  /h/.profile",
            ),
            ("*** Add File:/h/.profile\n+x", "*** Add File:/h/.profile"),
            ("*** Add File: \n+x", "*** Add File:"),
            ("*** Add File: a\n+x\n*** Move to: b", "*** Move to: b"),
            ("--- a\n+++ b\n@@ x @@\n+y", "@@ x @@"),
            ("--- a\n+++ b\n@@ -1 +1,2 @@\n a\n?b", "?b"),
            ("--- a\n+++ b\nGIT binary patch\n", "GIT binary patch"),
        ] {
            let found = read(patch).and_then(|it| it.unread);
            assert_eq!(found.as_deref(), Some(line), "{patch}");
        }
    }

    #[test]
    fn an_added_line_of_a_diff_is_no_header() {
        check(
            "--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n a\n+++ y\n+curl\n",
            &[r#"write x "++ y\ncurl\n""#],
        );
        // Whoever does not count sees a second file, so it counts twice.
        check(
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n--- b\n+++ y\n+curl\n",
            &[r#"write x "++ y\ncurl\n""#, r#"write y "curl\n""#],
        );
        check(
            "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n",
            &[r#"delete x """#, r#"write y """#],
        );
    }
}
