//! Names of commits, as people write them.

use super::objects::Objects;
use super::refs::is_name;
use super::repository::Repository;
use super::{Id, parse_id};
use crate::limits;
use crate::look::{self, Gap};

impl Repository {
    /// Returns the commit a name stands for; nothing when nothing has that name. A spelling that we
    /// do not read is a gap.
    pub fn revision(&self, text: &str) -> Result<Option<Id>, Gap> {
        let at = text
            .find(['~', '^'])
            .or_else(|| text.find("@{"))
            .unwrap_or(text.len());
        let at = text.find("@{").map_or(at, |it| it.min(at));
        let (base, mut rest) = text.split_at_checked(at).ok_or(Gap::Closed)?;
        let mut found = if let Some(inner) = rest.strip_prefix("@{") {
            let (inner, after) = inner.split_once('}').ok_or(Gap::Closed)?;
            rest = after;
            self.at_braces(base, inner)?
        } else {
            self.base(base)?
        };
        while let Some(id) = found.filter(|_| !rest.is_empty()) {
            (found, rest) = step(self.objects(), id, rest)?;
        }
        match found {
            Some(id) => Ok(Some(self.objects().commit(&id)?.0)),
            None => Ok(None),
        }
    }

    fn base(&self, name: &str) -> Result<Option<Id>, Gap> {
        let name = if name == "@" { "HEAD" } else { name };
        if let Some(id) = parse_id(name) {
            return Ok(Some(id));
        }
        if !is_name(name) {
            return Err(Gap::Closed);
        }
        let tail = format!("refs/remotes/{name}/HEAD");
        let top = name.starts_with("refs/")
            || name.bytes().all(|it| it.is_ascii_uppercase() || it == b'_');
        let spelled = [
            if top {
                name.to_owned()
            } else {
                format!("refs/{name}")
            },
            format!("refs/tags/{name}"),
            format!("refs/heads/{name}"),
            format!("refs/remotes/{name}"),
            tail,
        ];
        for full in spelled {
            if let Some(id) = self.reference(&full)? {
                return Ok(Some(id));
            }
        }
        let is_short = (4..40).contains(&name.len())
            && name
                .bytes()
                .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        if is_short {
            self.objects().abbreviated(name)
        } else {
            Ok(None)
        }
    }

    /// `@{upstream}`, `@{push}` as far as it is that, and `@{3}`.
    fn at_braces(&self, base: &str, inner: &str) -> Result<Option<Id>, Gap> {
        let branch = match base {
            "" | "@" | "HEAD" => self.branch()?,
            name => Some(name.to_owned()),
        };
        if matches!(inner, "u" | "upstream") {
            let branch = branch.ok_or(Gap::Closed)?;
            return self.upstream(&branch);
        }
        let count: usize = inner.parse().map_err(|_| Gap::Closed)?;
        let log = match base {
            "" | "@" | "HEAD" => self.git_dir.join("logs/HEAD"),
            "stash" => self.common.join("logs/refs/stash"),
            name if is_name(name) => self.common.join("logs/refs/heads").join(name),
            _ => return Err(Gap::Closed),
        };
        let text = look::text(&log)?;
        let line = text.lines().rev().nth(count).ok_or(Gap::Closed)?;
        Ok(line.split(' ').nth(1).and_then(parse_id))
    }

    fn upstream(&self, branch: &str) -> Result<Option<Id>, Gap> {
        let config = self.config();
        let (Some(remote), Some(merge)) = (
            config.get(&format!("branch.{branch}.remote")),
            config.get(&format!("branch.{branch}.merge")),
        ) else {
            return Ok(None);
        };
        match (remote, merge.strip_prefix("refs/heads/")) {
            (".", Some(_)) => self.reference(merge),
            (_, Some(name)) => self.reference(&format!("refs/remotes/{remote}/{name}")),
            (_, None) => Err(Gap::Closed),
        }
    }
}

/// Takes one `~N`, `^N` or `^{commit}` off the front.
fn step<'a>(objects: &Objects, id: Id, rest: &'a str) -> Result<(Option<Id>, &'a str), Gap> {
    let (id, commit) = objects.commit(&id)?;
    for peeled in ["^{commit}", "^{}", "^0"] {
        if let Some(after) = rest
            .strip_prefix(peeled)
            .filter(|it| !it.starts_with(|it: char| it.is_ascii_digit()))
        {
            return Ok((Some(id), after));
        }
    }
    let mut letters = rest.chars();
    let kind = letters.next();
    let digits = letters.as_str();
    let end = digits
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(digits.len());
    let (digits, after) = digits.split_at_checked(end).ok_or(Gap::Closed)?;
    let count: usize = if digits.is_empty() {
        1
    } else {
        digits.parse().map_err(|_| Gap::Closed)?
    };
    match kind {
        Some('^') => Ok((
            count
                .checked_sub(1)
                .and_then(|it| commit.parents.get(it))
                .copied(),
            after,
        )),
        Some('~') => Ok((past(objects, id, count)?, after)),
        _ => Err(Gap::Closed),
    }
}

fn past(objects: &Objects, mut id: Id, count: usize) -> Result<Option<Id>, Gap> {
    if count > limits::COMMITS {
        return Err(Gap::Closed);
    }
    for _ in 0..count {
        match objects.commit(&id)?.1.parents.first() {
            Some(parent) => id = *parent,
            None => return Ok(None),
        }
    }
    Ok(Some(id))
}
