//! Values of names that sound like a secret: `TOKEN=...`, `token = "..."`, `"password": "..."`,
//! `--api-key ...`, `ENV KEY value`, `login me password ...`, `IDENTIFIED BY '...'`.

use std::ops::Range;

use crate::glimpse::Glimpse;
use crate::lists::{BEFORE, holds};
use crate::names::{HINTS, Sound, sound};
use crate::values::{clip, clip_before, ends, is_code, is_quoted, is_random, is_value, value_at};

/// What stands before `by` where a statement of SQL sets a password.
const IDENTIFIED: &str = "identified";

/// Finds the values.
pub(crate) fn find(text: &str, glimpse: &Glimpse, found: &mut Vec<Range<usize>>) {
    let hinted = HINTS.iter().any(|it| glimpse.may_hold(it));
    if !hinted && !glimpse.may_hold(IDENTIFIED) {
        return;
    }
    let mut before = "";
    let mut start = None;
    let mut gone = 0;
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        match (is_name_byte(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                let name = Name {
                    text,
                    place: begin..at,
                    before,
                };
                // What lies inside a value that is gone announces nothing.
                if let Some(value) = (begin >= gone).then(|| name.value()).flatten() {
                    gone = value.end;
                    found.push(value);
                }
                before = text.get(begin..at).unwrap_or_default();
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A word that may announce a secret, and the word before it.
struct Name<'a> {
    text: &'a str,
    place: Range<usize>,
    before: &'a str,
}

impl Name<'_> {
    fn name(&self) -> &str {
        self.text.get(self.place.clone()).unwrap_or_default()
    }

    fn rest(&self) -> &str {
        self.text.get(self.place.end..).unwrap_or_default()
    }

    fn value(&self) -> Option<Range<usize>> {
        let name = self.name();
        if name.eq_ignore_ascii_case("by") && self.is_identified() {
            return self.after_blank().filter(|it| is_quoted(self.text, it));
        }
        let bare = name.trim_start_matches('-').to_ascii_lowercase();
        let value = match sound(name) {
            Sound::Plain => return None,
            Sound::Weak => self.after_sign().or_else(|| self.after_flag()),
            Sound::Secret if matches!(bare.as_str(), "pwd" | "pass") => self.of_a_word(),
            Sound::Secret => self
                .block()
                .or_else(|| self.after_sign())
                .or_else(|| self.after_flag())
                .or_else(|| self.after_words()),
        };
        let value = value?;
        let shown = self.text.get(value.clone())?;
        let hides = match sound(name) {
            Sound::Secret => true,
            Sound::Weak => is_random(shown),
            Sound::Plain => false,
        };
        hides.then_some(value)
    }

    /// `pass` and `pwd` alone are words of English and of the shell.
    fn of_a_word(&self) -> Option<Range<usize>> {
        if self.name().starts_with("--") {
            return self.after_sign().or_else(|| self.after_flag());
        }
        let rest = self.rest();
        let keyed = rest.starts_with(['"', '\'', '\\']);
        let value = self
            .after_sign()
            .filter(|_| keyed || rest.starts_with('='))?;
        let shown = self.text.get(value.clone())?;
        (!shown.starts_with(['/', '~', '.'])).then_some(value)
    }

    /// The value after `=` or `:`, quotes and escaped quotes on both sides passed over.
    fn after_sign(&self) -> Option<Range<usize>> {
        let rest = self.rest();
        let closed = rest.trim_start_matches(['"', '\'', '\\', ']', '`']);
        let spaced = closed.trim_start_matches([' ', '\t']);
        let compares = ["==", "=~", "::", "://", ":\\"];
        if compares.iter().any(|it| spaced.starts_with(it)) {
            return None;
        }
        let after = [":=", "=>", "+=", "?=", "=", ":"];
        let after = after.iter().find_map(|it| spaced.strip_prefix(it))?;
        let apart = closed.len() != spaced.len();
        let colon = spaced.starts_with(':');
        let value = if colon || apart || rest.len() != closed.len() {
            after.trim_start_matches([' ', '\t'])
        } else {
            after
        };
        let at = self.text.len() - value.len();
        let typed = self.typed(at);
        let at = typed.unwrap_or(at);
        let found = value_at(self.text, at)?;
        let quoted = is_quoted(self.text, &found);
        let shown = self.text.get(found.clone())?;
        if !quoted && is_code(shown, self.name()) && !is_random(shown) {
            return None;
        }
        if quoted || !(apart || colon && after.starts_with(' ')) || !self.begins_line() {
            return Some(found);
        }
        Some(self.to_line_end(&found))
    }

    /// `token: String = "x"` and `token: str = "x"` name a type first.
    fn typed(&self, at: usize) -> Option<usize> {
        let line = clip(self.text, at, 64).split('\n').next()?;
        let (kind, after) = line.split_once(" = ")?;
        let is_type = |it: char| it.is_ascii_alphanumeric() || "<>&_[]|?:' ".contains(it);
        let known = !kind.is_empty() && kind.len() < 40 && kind.chars().all(is_type);
        let quoted = after.trim_start().starts_with(['"', '\'']);
        (known && quoted).then(|| at + kind.len() + 3)
    }

    /// Tells whether nothing but blanks, a dash, quotes and a declaration stand before it.
    fn begins_line(&self) -> bool {
        let before = clip_before(self.text, self.place.start, 200);
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.chars()
            .all(|it| matches!(it, ' ' | '\t' | '-' | '"' | '\''))
    }

    /// In a file of settings the whole line is the value, but for a comment.
    fn to_line_end(&self, value: &Range<usize>) -> Range<usize> {
        let rest = self.text.get(value.start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let line = line.split(" #").next().unwrap_or_default();
        let end = line.trim_end_matches([' ', '\t', '\r', ',', ';']).len();
        value.start..(value.start + end).max(value.end)
    }

    /// `--token x` and `-token x`.
    fn after_flag(&self) -> Option<Range<usize>> {
        if !self.name().starts_with('-') {
            return None;
        }
        self.after_blank().filter(|it| {
            self.text
                .get(it.clone())
                .is_some_and(|it| !it.starts_with('-'))
        })
    }

    fn after_blank(&self) -> Option<Range<usize>> {
        let rest = self.rest();
        let value = rest
            .strip_prefix([' ', '\t'])?
            .trim_start_matches([' ', '\t']);
        value_at(self.text, self.text.len() - value.len())
    }

    /// A value that only blanks part from its name: after a word that assigns, in a line for netrc, in a
    /// statement of SQL, or where it looks random.
    fn after_words(&self) -> Option<Range<usize>> {
        let found = self.after_blank()?;
        let shown = self.text.get(found.clone())?;
        let bare = self.name().to_ascii_lowercase();
        let assigned = holds(BEFORE, self.before) && is_value(shown);
        let password = matches!(
            bare.as_str(),
            "password" | "passwd" | "passphrase" | "secret"
        );
        let quoted = password && is_quoted(self.text, &found);
        let configured = matches!(bare.as_str(), "requirepass" | "masterauth");
        let netrc = password && self.follows(&["login", "machine", "user"], 6);
        let assigned = assigned || self.follows(&["config"], 4);
        (assigned || quoted || configured || netrc || is_random(shown)).then_some(found)
    }

    /// Tells whether one of these words stands among the last so many before it.
    fn follows(&self, words: &[&str], last: usize) -> bool {
        let before = clip_before(self.text, self.place.start, 200);
        let parts = |it: char| ends(it) || it == '.';
        let mut said = before.split(parts).rev().filter(|it| !it.is_empty());
        said.by_ref().take(last).any(|it| words.contains(&it))
    }

    fn is_identified(&self) -> bool {
        let before = clip_before(self.text, self.place.start, 200);
        let words = before.split_whitespace().rev().take(4);
        words
            .into_iter()
            .any(|it| it.eq_ignore_ascii_case(IDENTIFIED))
    }

    /// The lines of a block after `name: |`.
    fn block(&self) -> Option<Range<usize>> {
        let rest = clip(self.text, self.place.end, 16).trim_start_matches(['"', '\'']);
        let head = rest.strip_prefix(':')?.split('\n').next()?.trim();
        if !head.starts_with(['|', '>']) || head.len() > 3 || !self.begins_line() {
            return None;
        }
        let line_start = self
            .text
            .get(..self.place.start)?
            .rfind('\n')
            .map_or(0, |it| it + 1);
        let indent = self.place.start - line_start;
        let start = self.place.end + self.rest().find('\n')? + 1;
        let mut end = start;
        for line in self.text.get(start..)?.split_inclusive('\n') {
            let deeper = line.len() - line.trim_start_matches(' ').len() > indent;
            if !deeper && !line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        let block = self.text.get(start..end)?;
        let from = start + (block.len() - block.trim_start().len());
        let to = start + block.trim_end().len();
        let shown = self.text.get(from..to)?;
        is_value(shown).then_some(from..to)
    }
}
