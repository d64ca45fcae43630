//! What flows through standard input and output.

use belay_model::Carries;

use crate::machine::value::{DIGITS, PLAIN, Text, Val, escape};

/// What lines begin with that stand behind their numbers. The first word of such a line is no word.
pub(crate) const NUMBERED: &str = "[0-9]*:*";

/// The same, of one line at most.
const NUMBERED_ONCE: &str = "[0-9]*:**";

/// What stands before the names of files that are listed with what became of them; the name follows.
const MARKS: &str = "[ -~][ -~] ";

/// Data on its way from one command to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stream {
    /// The text, when it is known: one value, perhaps of several lines.
    pub(crate) text: Option<Val>,
    /// What is in it.
    pub(crate) carries: Carries,
    /// When it is a list of file names: what they look like.
    pub(crate) paths: Vec<Val>,
    /// What the first word of every line is like, where no more is known of them.
    pub(crate) first: Option<Val>,
    /// When a NUL ends each of its texts, and nothing else is in it: those texts.
    pub(crate) parted: Vec<Val>,
}

/// A list, and what it reads.
pub(crate) struct Fed {
    pub(crate) list: belay_shell::List,
    pub(crate) input: Stream,
}

impl Stream {
    /// Nobody writes to it: the terminal, or an agent that may type later.
    pub(crate) fn terminal() -> Self {
        Self::default()
    }

    /// Nothing comes.
    pub(crate) fn nothing() -> Self {
        Self::of(Val::known(""))
    }

    /// A known text, or a value.
    pub(crate) fn of(val: Val) -> Self {
        Self {
            carries: val.carries,
            text: Some(val),
            paths: Vec::new(),
            first: None,
            parted: Vec::new(),
        }
    }

    /// A text with the end of its line.
    pub(crate) fn line(val: Val) -> Self {
        Self::of(val.then(&Val::known("\n")))
    }

    /// Text nobody can know, of which only the labels are known.
    pub(crate) const fn labelled(carries: Carries) -> Self {
        Self {
            text: None,
            carries,
            paths: Vec::new(),
            first: None,
            parted: Vec::new(),
        }
    }

    /// Texts that a NUL ends each: for whoever does not read them so, text nobody knows.
    pub(crate) fn parted(texts: Vec<Val>) -> Self {
        let carries = texts
            .iter()
            .fold(Carries::UNKNOWN, |sum, it| sum.and(it.carries));
        Self {
            parted: texts,
            ..Self::labelled(carries)
        }
    }

    /// Names of files.
    pub(crate) const fn listing(paths: Vec<Val>) -> Self {
        Self {
            text: None,
            carries: Carries::NOTHING,
            paths,
            first: None,
            parted: Vec::new(),
        }
    }

    /// Names of files, each behind two letters and a blank.
    pub(crate) fn marked(paths: &[Val]) -> Self {
        let behind = |it: &Val| match &it.text {
            Text::Known(text) => Some(Val::glob(MARKS.to_owned() + &escape(text))),
            Text::Glob(text) => Some(Val::glob(MARKS.to_owned() + text)),
            Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
        };
        let lines: Option<Vec<Val>> = paths.iter().map(behind).collect();
        Self {
            first: lines.map(Val::any_of).filter(|it| it.text().is_none()),
            ..Self::labelled(Carries::NOTHING)
        }
    }

    /// Tells whether nothing is in it, for certain.
    pub(crate) fn is_silent(&self) -> bool {
        self.text.as_ref().is_some_and(|it| it.text() == Some(""))
    }

    /// What comes out when another stream follows this one.
    pub(crate) fn then(self, next: Self) -> Self {
        if self.is_silent() {
            return next;
        }
        if next.is_silent() {
            return self;
        }
        let carries = self.carries.and(next.carries);
        let text = match (self.text, &next.text) {
            (Some(a), Some(b)) => Some(a.then(b)),
            (Some(_), None) | (None, _) => None,
        };
        Self {
            text,
            carries,
            paths: both(self.paths, next.paths),
            first: either(self.first, next.first),
            parted: both_parted(self.parted, next.parted),
        }
    }

    /// What comes out when either may have been written.
    pub(crate) fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        if self.text.is_none() && other.is_silent() {
            return self;
        }
        if other.text.is_none() && self.is_silent() {
            return other;
        }
        let carries = self.carries.and(other.carries);
        let text = match (self.text, &other.text) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (Some(_), None) | (None, _) => None,
        };
        Self {
            text,
            carries,
            paths: both(self.paths, other.paths),
            first: either(self.first, other.first),
            parted: Vec::new(),
        }
    }

    /// What is left after somebody read an unknown part of it.
    pub(crate) fn rest(&self) -> Self {
        if self.is_silent() {
            return self.clone();
        }
        Self {
            text: None,
            carries: self.carries,
            paths: self.paths.clone(),
            first: self.first.clone(),
            parted: Vec::new(),
        }
    }

    /// Returns the value that `$( )` makes of it: final line ends are cut.
    pub(crate) fn captured(&self) -> Val {
        match (&self.text, self.paths.as_slice()) {
            (Some(val), _) => Val::any_of(val.choices().into_iter().map(|it| match it.text() {
                Some(text) => {
                    let text = text.trim_end_matches('\n').replace('\0', "");
                    Val::known(text).carrying(it.carries)
                }
                None => it.without_line_end(),
            })),
            (None, []) => Val::any(self.carries),
            // A list of names is one text with line ends in it.
            (None, [one]) if one.is_short_name() => one.clone(),
            (None, paths) => Val::lines(paths, self.carries),
        }
    }

    /// Returns what any end of a line is like, where every such end is like the line itself.
    pub(crate) fn cut_line(&self) -> Option<Val> {
        let plain = |it: &Val| matches!(&it.text, Text::Glob(text) if matches!(text.as_str(), PLAIN | DIGITS));
        let listed = self.text.is_none() && !self.paths.is_empty();
        (listed && self.paths.iter().all(plain)).then(|| self.any_line().or(&Val::known("")))
    }

    /// What comes out where one of its lines does, or nothing.
    pub(crate) fn one_line(&self, carries: Carries) -> Self {
        if self.text.is_none() && self.paths.is_empty() {
            let numbered = self.numbered().map(|_| Val::glob(NUMBERED_ONCE));
            let marked = self.first.clone().filter(|_| self.behind_marks().is_some());
            return Self {
                first: numbered.or(marked),
                ..Self::labelled(carries)
            };
        }
        let line = self.any_line().carrying(carries);
        Self {
            paths: self.paths.clone(),
            ..Self::line(line).or(Self::nothing())
        }
    }

    /// What comes out where the first word of each of its lines does: nothing where it is not known what lines begin with.
    pub(crate) fn first_words(&self) -> Option<Self> {
        if self.numbered().is_some() || self.behind_marks().is_some() {
            return None;
        }
        if let Some(first) = self.first.as_ref().filter(|_| self.text.is_none()) {
            let first = first.clone().carrying(self.carries);
            // What is listed twice is never taken for one answer.
            return Some(Self::listing(vec![first.clone(), first]));
        }
        let solid = |it: &Val| matches!(&it.text, Text::Glob(text) if matches!(text.as_str(), PLAIN | DIGITS));
        let listed = self.text.is_none() && !self.paths.is_empty() && self.paths.iter().all(solid);
        if listed {
            return Some(self.clone());
        }
        let text = self.text.as_ref()?.text()?;
        let words = text
            .lines()
            .map(|it| it.split([' ', '\t']).next().unwrap_or_default());
        let plain = !text
            .lines()
            .any(|it| it.starts_with([' ', '\t']) || it.contains('\t'));
        let firsts: String = words.map(|it| format!("{it}\n")).collect();
        plain.then(|| Self::of(Val::known(firsts).carrying(self.carries)))
    }

    /// Returns what all its lines begin with, where they stand behind their numbers.
    fn numbered(&self) -> Option<&str> {
        match &self.first.as_ref()?.text {
            Text::Glob(text) if text == NUMBERED || text == NUMBERED_ONCE => Some(text),
            Text::Known(_)
            | Text::Glob(_)
            | Text::Prefix { .. }
            | Text::Unknown { .. }
            | Text::OneOf(_) => None,
        }
    }

    /// Returns what the first word of each of its lines is like, where that is known.
    pub(crate) fn begins_with(&self) -> Option<Val> {
        let plain = self.numbered().is_none() && self.behind_marks().is_none();
        self.first.clone().filter(|_| plain)
    }

    /// What comes out where the name behind its marks does of each line. A name with a blank in it stands in quotes: the part up
    /// to the blank is a name in the same folder.
    pub(crate) fn behind_marks(&self) -> Option<Self> {
        let first = self.first.as_ref().filter(|_| self.text.is_none())?;
        let name = |it: &Val| match &it.text {
            Text::Glob(text) => text.strip_prefix(MARKS).map(Val::glob),
            Text::Known(_) | Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
        };
        let names: Option<Vec<Val>> = first.each().iter().map(name).collect();
        Some(Self::listing(names?))
    }

    /// What comes out where the number before each of its lines does.
    pub(crate) fn line_numbers(&self) -> Option<Self> {
        let number = Val::digits().carrying(self.carries.only(Carries::OUTSIDE));
        Some(match self.numbered()? {
            NUMBERED_ONCE => Self::line(number).or(Self::nothing()),
            _ => Self::listing(vec![number.clone(), number]),
        })
    }

    /// Returns what any line of it is like.
    pub(crate) fn any_line(&self) -> Val {
        match (&self.text, self.paths.as_slice()) {
            (Some(val), _) => {
                let lines = val.choices().into_iter().flat_map(|it| match it.text() {
                    Some(text) => text
                        .lines()
                        .map(|line| Val::known(line).carrying(it.carries))
                        .collect(),
                    None => it.listed().map_or_else(|| it.own_lines(), |it| vec![it]),
                });
                Val::any_of(lines)
            }
            (None, []) => Val::any(self.carries),
            (None, paths) => Val::any_of(paths.iter().cloned()).carrying(self.carries),
        }
    }
}

/// Lines begin as both do, where both are known.
fn either(mine: Option<Val>, theirs: Option<Val>) -> Option<Val> {
    let (mine, theirs) = (mine?, theirs?);
    // What numbers or marks stand before is no word like the others.
    let marked = |it: &Val| {
        let before = |text: &str| text.starts_with(MARKS) || text.starts_with(NUMBERED);
        let glob = |it: &Val| matches!(&it.text, Text::Glob(text) if before(text));
        it.each().iter().any(glob)
    };
    let alike = mine == theirs || !marked(&mine) && !marked(&theirs);
    alike.then(|| mine.or(&theirs))
}

/// Texts stay parted where others like them follow.
fn both_parted(mut mine: Vec<Val>, theirs: Vec<Val>) -> Vec<Val> {
    if mine.is_empty() || theirs.is_empty() {
        return Vec::new();
    }
    mine.extend(theirs);
    mine
}

/// Names of files stay such only beside others.
fn both(mine: Vec<Val>, theirs: Vec<Val>) -> Vec<Val> {
    if mine.is_empty() || theirs.is_empty() {
        return Vec::new();
    }
    let mut all = mine;
    for path in theirs {
        if !all.contains(&path) {
            all.push(path);
        }
    }
    all
}
