//! Names of files that a search found: what operators of parameters make of them, though which they are is not known.

use belay_shell::TrimEnd;

use crate::machine::cuts::recased;
use crate::machine::value::{Text, Val};

/// Files that a search found: the folder they lie in, with the slash behind it, and the pattern of their names. No name
/// begins with a dot, as a star does not find those.
#[derive(Clone, Copy)]
struct Names<'a> {
    folder: &'a str,
    name: &'a str,
}

/// A pattern that is cut off at one end of a text.
#[derive(Clone, Copy)]
pub(crate) struct Trim<'a> {
    pub(crate) end: TrimEnd,
    pub(crate) longest: bool,
    pub(crate) pattern: &'a str,
}

impl<'a> Names<'a> {
    fn of(val: &'a Val) -> Option<Self> {
        let Text::Glob(text) = &val.text else {
            return None;
        };
        let odd = text.contains("**") || text.contains(['?', '[', '{', '\\', '(']);
        let (folder, name) = text.split_at_checked(text.rfind('/').map_or(0, |it| it + 1))?;
        let plain = !odd && !folder.contains('*') && !name.starts_with('.');
        (val.is_search() && plain && name.contains('*')).then_some(Self { folder, name })
    }

    /// Returns what stands in front of the first star of the name, and what behind the last.
    fn sides(self) -> Option<(&'a str, &'a str)> {
        Some((self.name.split_once('*')?.0, self.name.rsplit_once('*')?.1))
    }

    /// Returns the names without so many letters of what stands behind their stars; something must be left of each.
    fn shorter(self, by: usize) -> Option<String> {
        let (before, after) = self.sides()?;
        let left = !before.is_empty() || after.starts_with('.');
        let name = self.name.get(..self.name.len().checked_sub(by)?)?;
        (left && by <= after.len()).then(|| format!("{}{name}", self.folder))
    }

    fn without_end(self, trim: Trim<'_>) -> Option<String> {
        let (_, after) = self.sides()?;
        match (trim.pattern, trim.longest) {
            (".*", false) => self.shorter(after.len() - after.rfind('.')?),
            (text, _) if !is_literal(text) => None,
            (text, _) if after.ends_with(text) => self.shorter(text.len()),
            (text, _) => (after.len() >= text.len()).then(|| self.whole()),
        }
    }

    fn without_start(self, trim: Trim<'_>) -> Option<String> {
        let (before, _) = self.sides()?;
        let head = format!("{}{before}", self.folder);
        match (trim.pattern, trim.longest) {
            ("*/", true) => Some(self.name.to_owned()),
            ("*/", false) => {
                let whole = self.whole();
                Some(match whole.split_once('/') {
                    Some((_, rest)) => rest.to_owned(),
                    None => whole,
                })
            }
            (text, _) if !is_literal(text) => None,
            // Without its beginning a name may be empty, `.` or `..`.
            (text, _) if text.len() > self.folder.len() && head.starts_with(text) => None,
            (text, _) => match self.whole().strip_prefix(text) {
                Some(rest) if head.starts_with(text) => Some(rest.to_owned()),
                Some(_) | None => (head.len() >= text.len()).then(|| self.whole()),
            },
        }
    }

    fn whole(self) -> String {
        format!("{}{}", self.folder, self.name)
    }
}

/// Cuts a pattern off the names that a search found; `None` where nobody can tell what is left.
pub(crate) fn trimmed(val: &Val, trim: Trim<'_>) -> Option<Val> {
    if let (TrimEnd::End, "/") = (trim.end, trim.pattern) {
        return without_slash(val);
    }
    let Some(names) = Names::of(val) else {
        return without_deep_end(val, trim);
    };
    if let (TrimEnd::End, "/*") = (trim.end, trim.pattern)
        && !trim.longest
        && let Some(folder) = names.folder.strip_suffix('/')
    {
        return Some(Val::known(folder).carrying(val.carries));
    }
    let text = match trim.end {
        TrimEnd::Start => names.without_start(trim),
        TrimEnd::End => names.without_end(trim),
    };
    Some(Val::glob(text?).carrying(val.carries))
}

/// Cuts an ending off the names that a search in depth found. What is left of a name may be no more than dots.
fn without_deep_end(val: &Val, trim: Trim<'_>) -> Option<Val> {
    let Text::Glob(text) = &val.text else {
        return None;
    };
    let odd = text.contains(['?', '[', '{', '\\', '(']) || !text.contains("**");
    let ending = trim.end == TrimEnd::End && is_literal(trim.pattern);
    let ends = ending && !trim.pattern.is_empty() && !trim.pattern.contains(['/', '{']);
    let left = text.strip_suffix(trim.pattern).filter(|_| ends && !odd)?;
    let folder = left.strip_suffix('*').filter(|it| it.ends_with('/'))?;
    let names = [left.to_owned(), format!("{folder}."), format!("{folder}..")];
    let names = names.into_iter().map(Val::glob);
    Some(Val::any_of(names).carrying(val.carries))
}

/// Cuts the slash off folders that a search found: it finds names with a slash behind them where it ends with one, and
/// no others.
fn without_slash(val: &Val) -> Option<Val> {
    let Text::Glob(text) = &val.text else {
        return None;
    };
    let odd = text.contains("**") || text.contains(['{', '\\', '(']);
    let bare = text.strip_suffix('/').unwrap_or(text);
    let plain = val.is_search() && !odd && !bare.is_empty() && !bare.ends_with('/');
    plain.then(|| Val::glob(bare).carrying(val.carries))
}

/// Puts another ending, or another text that begins with a dot, into the names that a search found.
pub(crate) fn replaced(val: &Val, pattern: &str, to: &str) -> Option<Val> {
    let Names { folder, .. } = Names::of(val)?;
    let plain = |it: &str| is_literal(it) && !it.contains(['/', '{']);
    let ending = pattern.starts_with('.') && plain(pattern) && plain(to);
    // What a name begins with is no dot, so that it stays.
    (ending && !folder.contains(pattern))
        .then(|| Val::glob(format!("{folder}*")).carrying(val.carries))
}

/// Changes the letters of the names that a search found to one case.
pub(crate) fn recased_names(val: &Val, to: u8) -> Option<Val> {
    let Names { folder, .. } = Names::of(val)?;
    let folder = recased(folder, to, true)?;
    Some(Val::glob(format!("{folder}*")).carrying(val.carries))
}

fn is_literal(pattern: &str) -> bool {
    !pattern.contains(['*', '?', '[', '\\', '(', '<'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(glob: &str, end: TrimEnd, pattern: &str) -> Option<String> {
        let longest = pattern.starts_with("##");
        let pattern = pattern.trim_start_matches('#');
        let trim = Trim {
            end,
            longest,
            pattern,
        };
        let val = trimmed(&Val::glob(glob), trim)?;
        match val.text {
            Text::Known(text) | Text::Glob(text) => Some(text),
            Text::OneOf(texts) => Some(format!("{texts:?}")),
            Text::Prefix { .. } | Text::Unknown { .. } => None,
        }
    }

    #[test]
    fn endings_are_cut_off_names_that_were_found() {
        let end = |glob, pattern| cut(glob, TrimEnd::End, pattern);
        assert_eq!(end("src/*.ts", ".ts").as_deref(), Some("src/*"));
        assert_eq!(end("src/*.d.ts", ".*").as_deref(), Some("src/*.d"));
        assert_eq!(end("src/*.ts", ".js").as_deref(), Some("src/*.ts"));
        assert_eq!(end("src/*.ts", "/*").as_deref(), Some("src"));
        assert_eq!(end("a/*/", "/").as_deref(), Some("a/*"));
        assert_eq!(end("a/*", "/").as_deref(), Some("a/*"));
        assert_eq!(end("a/**/", "/"), None);
        // A file may be called `_test`, and nothing would be left of it.
        assert_eq!(end("src/*_test", "_test"), None);
        assert_eq!(end("src/*", ".ts"), None);
        assert_eq!(end("src/.*.ts", ".ts"), None);
        // In depth names that begin with a dot are found too: `...ts`.
        assert_eq!(
            end("src/**/*.ts", ".ts").as_deref(),
            Some(r#"[Glob("src/**/*"), Glob("src/**/."), Glob("src/**/..")]"#)
        );
        assert_eq!(end("src/**/*.ts", ".js"), None);
        assert_eq!(end("src/**/*_test", "/*_test"), None);
        assert_eq!(end("src/**", "**"), None);
    }

    #[test]
    fn folders_are_cut_off_names_that_were_found() {
        let start = |glob, pattern| cut(glob, TrimEnd::Start, pattern);
        assert_eq!(start("src/*.ts", "src/").as_deref(), Some("*.ts"));
        assert_eq!(start("a/b/*.ts", "##*/").as_deref(), Some("*.ts"));
        assert_eq!(start("a/b/*.ts", "#*/").as_deref(), Some("b/*.ts"));
        assert_eq!(start("*.ts", "a"), None);
        // There may be files called `a`, `a.` and `a..`.
        assert_eq!(start("src/a*", "src/a"), None);
        assert_eq!(start("a*.ts", "a"), None);
        assert_eq!(start("src/ab*", "src/a"), None);
    }
}
