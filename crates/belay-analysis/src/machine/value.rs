//! What is known of a text before anything runs.

use std::borrow::Cow;

use belay_knowledge::Word;
use belay_model::Carries;

pub(crate) use crate::machine::args::{Arg, join};
use crate::machine::listing::BEGINS_NO_FLAG;
use crate::machine::processes::Processes;

/// A text as far as it is known, and what flows in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Val {
    pub(crate) text: Text,
    pub(crate) carries: Carries,
    /// The processes that it numbers, where a program was asked for them.
    pub(crate) processes: Option<Box<Processes>>,
}

/// How much of a text is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Text {
    /// All of it.
    Known(String),
    /// A glob: any text it matches; what is unknown in it holds no slash.
    Glob(String),
    /// A beginning; and what the whole is when the unknown parts are empty.
    Prefix { known: String, empty: String },
    /// Nothing; and what the whole is when the unknown parts are empty. Where there are some, it is any number of
    /// lines, each like one of these.
    Unknown { empty: String, lines: Vec<Text> },
    /// One of these, none of which is a choice itself.
    OneOf(Vec<Text>),
}

/// So many texts a value may choose from before it is summed up.
pub(crate) const CHOICES: usize = 8;

/// So many bytes all choices of a value may have together.
const BYTES: usize = 16 * 1024;

/// The longest text that is computed rather than written.
pub(crate) const LONGEST: usize = 64 * 1024;

/// The shape of a number.
pub(crate) const DIGITS: &str = "[0-9]*";

/// The shape of a process's number, which is never zero.
pub(crate) const PROCESS: &str = "[1-9]*";

/// The shape of a number that may be negative.
pub(crate) const NUMBER: &str = "[0-9-]*";

/// The shape of a plain name: letters, digits and underscores.
pub(crate) const PLAIN: &str = "[[:word:]]*";

/// The shape of a word with marks between its letters, as a date has them: no flag and no way up, but its parts may be.
pub(crate) const MARKED: &str = "[[:alnum:]]*";

/// Shapes of texts that are values rather than patterns somebody wrote.
const SHAPES: [&str; 8] = [
    DIGITS,
    PROCESS,
    NUMBER,
    PLAIN,
    MARKED,
    "[!-]*",
    "[!-]**",
    "[[:alpha:]]*",
];

impl Text {
    /// A text with this beginning, if it has one, and an unknown rest.
    fn open(known: &str, empty: String) -> Self {
        if known.is_empty() {
            Self::Unknown {
                empty,
                lines: Vec::new(),
            }
        } else {
            let known = known.to_owned();
            Self::Prefix { known, empty }
        }
    }
}

impl Val {
    pub(crate) fn known(text: impl Into<String>) -> Self {
        Self {
            text: Text::Known(text.into()),
            carries: Carries::NOTHING,
            processes: None,
        }
    }

    pub(crate) const fn unknown() -> Self {
        Self {
            text: Text::Unknown {
                empty: String::new(),
                lines: Vec::new(),
            },
            carries: Carries::UNKNOWN,
            processes: None,
        }
    }

    /// A text of which only the labels are known.
    pub(crate) const fn any(carries: Carries) -> Self {
        Self {
            text: Text::Unknown {
                empty: String::new(),
                lines: Vec::new(),
            },
            carries,
            processes: None,
        }
    }

    /// A number.
    pub(crate) fn digits() -> Self {
        Self::glob(DIGITS)
    }

    /// A number that may be negative: what arithmetic gives.
    pub(crate) fn number() -> Self {
        Self::glob(NUMBER)
    }

    /// A name that is no flag: a hash, a branch, the number of a process.
    pub(crate) fn name() -> Self {
        Self::glob("[!-]*")
    }

    /// Tells whether it is what a program prints as its one answer: a hash, a number.
    pub(crate) fn is_short_name(&self) -> bool {
        matches!(&self.text, Text::Glob(text) if matches!(text.as_str(), "[!-]*" | DIGITS | PROCESS | PLAIN | MARKED))
    }

    /// A name that is no flag and may have slashes: a branch nobody can know.
    pub(crate) fn branch() -> Self {
        Self::glob("[!-]**")
    }

    pub(crate) fn glob(text: impl Into<String>) -> Self {
        Self {
            text: Text::Glob(text.into()),
            carries: Carries::NOTHING,
            processes: None,
        }
    }

    pub(crate) fn carrying(mut self, carries: Carries) -> Self {
        self.carries = self.carries.and(carries);
        self
    }

    /// Returns the text when all of it is known.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.text {
            Text::Known(text) => Some(text),
            Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
        }
    }

    /// Returns what the value may be, one by one.
    pub(crate) fn choices(&self) -> Vec<Self> {
        let one = |text: &Text| Self {
            text: text.clone(),
            carries: self.carries,
            processes: self.processes.clone(),
        };
        match &self.text {
            Text::OneOf(texts) => texts.iter().map(one).collect(),
            Text::Known(_) | Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => {
                vec![self.clone()]
            }
        }
    }

    /// Returns what the value may be, as [`Self::choices`] does, without a copy where it is one.
    pub(crate) fn each(&self) -> Cow<'_, [Self]> {
        match &self.text {
            Text::OneOf(_) => Cow::Owned(self.choices()),
            Text::Known(_) | Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => {
                Cow::Borrowed(std::slice::from_ref(self))
            }
        }
    }

    /// Tells whether files are looked for by it: a pattern that was written, no shape of a text.
    pub(crate) fn is_search(&self) -> bool {
        matches!(&self.text, Text::Glob(text) if !SHAPES.contains(&text.as_str()))
    }

    /// Tells whether it stands for one word: a pattern stands for as many as it finds, a shape perhaps for none.
    pub(crate) fn is_one_word(&self) -> bool {
        match &self.text {
            Text::Known(_) | Text::Prefix { .. } | Text::Unknown { .. } => true,
            Text::Glob(_) => false,
            Text::OneOf(_) => self.choices().iter().all(Self::is_one_word),
        }
    }

    /// Returns the value where no file is looked for: a pattern that was written stays as it is, a shape stays a shape.
    pub(crate) fn unsearched(self) -> Self {
        let Text::Glob(text) = &self.text else {
            return self;
        };
        let shapes = SHAPES;
        if shapes.contains(&text.as_str()) || text == "*" || text == "?" {
            return self;
        }
        if shapes.iter().any(|it| text.contains(it)) {
            return Self::unknown().carrying(self.carries);
        }
        // It was written so, or it is a name that was found by it before.
        let literal = Self::known(text.replace("**//", "**/"));
        literal.or(&self)
    }

    /// Tells whether it is a choice.
    pub(crate) const fn is_choice(&self) -> bool {
        matches!(self.text, Text::OneOf(_))
    }

    /// Tells whether it may be the empty text.
    pub(crate) fn may_be_empty(&self) -> bool {
        match &self.text {
            Text::Known(text) => text.is_empty(),
            Text::Glob(text) => text.chars().all(|c| c == '*'),
            Text::Prefix { .. } => false,
            Text::Unknown { .. } => true,
            Text::OneOf(_) => self.choices().iter().any(Self::may_be_empty),
        }
    }

    /// Returns the value as one text that stands for all choices.
    pub(crate) fn summed_up(self) -> Self {
        match self.text {
            Text::OneOf(texts) => Self {
                text: widened(&texts),
                carries: self.carries.and(Carries::UNKNOWN),
                processes: None,
            },
            Text::Known(_) | Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => self,
        }
    }

    /// Returns the value as the knowledge reads it.
    pub(crate) fn word(&self) -> Word<'_> {
        match &self.text {
            Text::Known(text) => Word::Known(text),
            Text::Glob(text) => Word::Pattern(text),
            Text::Prefix { known, .. } => Word::Prefix(known),
            Text::Unknown { .. } | Text::OneOf(_) => Word::Unknown,
        }
    }

    /// Returns what the text is when all unknown parts are empty.
    fn empty(&self) -> &str {
        match &self.text {
            Text::Known(text) | Text::Glob(text) => text,
            Text::Prefix { empty, .. } | Text::Unknown { empty, .. } => empty,
            Text::OneOf(_) => "",
        }
    }

    /// Returns this text with another behind it.
    pub(crate) fn then(self, next: &Self) -> Self {
        if !self.is_choice() && !next.is_choice() {
            return self.followed(next);
        }
        let (mine, theirs) = (self.choices(), next.choices());
        if mine.len() * theirs.len() > CHOICES {
            return self.summed_up().followed(&next.clone().summed_up());
        }
        let pairs = mine
            .iter()
            .flat_map(|a| theirs.iter().map(move |b| a.clone().followed(b)));
        Self::any_of(pairs)
    }

    fn followed(mut self, next: &Self) -> Self {
        self.carries = self.carries.and(next.carries);
        self.processes = self.processes_with(next);
        match (&mut self.text, &next.text) {
            (Text::Known(a), Text::Known(b)) => a.push_str(b),
            (Text::Glob(a), Text::Glob(b)) => {
                a.push_str(behind(a, b));
                a.push_str(b);
            }
            (Text::Glob(a), Text::Known(b)) => {
                a.push_str(behind(a, b));
                a.push_str(&escape(b));
            }
            // A list stays one where only its last line is ended.
            (Text::Unknown { lines, .. }, Text::Known(b)) if !lines.is_empty() && b == "\n" => {}
            (Text::Prefix { empty, .. }, _) => empty.push_str(next.empty()),
            (Text::Unknown { empty, lines }, _) => {
                empty.push_str(next.empty());
                lines.clear();
            }
            (Text::Known(a), Text::Glob(b)) => self.text = Text::Glob(escape(a) + b),
            (Text::Known(a), Text::Prefix { known, empty }) => {
                self.text = Text::Prefix {
                    known: format!("{a}{known}"),
                    empty: format!("{a}{empty}"),
                }
            }
            (Text::Known(a), Text::Unknown { empty, .. }) => {
                self.text = Text::open(a, format!("{a}{empty}"));
            }
            (Text::Glob(a), Text::Prefix { empty, .. } | Text::Unknown { empty, .. }) => {
                let known = a.split(['*', '?', '[']).next().unwrap_or_default();
                self.text = Text::open(known, format!("{a}{empty}"));
            }
            (Text::OneOf(_), _) | (_, Text::OneOf(_)) => {
                self.text = Text::open("", String::new());
            }
        }
        self
    }

    /// Returns a value that may be any of these; of none, the empty text.
    pub(crate) fn any_of(vals: impl IntoIterator<Item = Self>) -> Self {
        let mut texts: Vec<Text> = Vec::new();
        let mut carries = Carries::NOTHING;
        let mut processes: Option<Option<Box<Processes>>> = None;
        for val in vals {
            carries = carries.and(val.carries);
            // No number is no process.
            if !matches!(&val.text, Text::Known(text) if text.trim_end_matches('\n').is_empty()) {
                processes = match processes {
                    Some(before) if before != val.processes => Some(None),
                    Some(_) | None => Some(val.processes),
                };
            }
            match val.text {
                Text::OneOf(more) => texts.extend(more),
                text @ (Text::Known(_)
                | Text::Glob(_)
                | Text::Prefix { .. }
                | Text::Unknown { .. }) => texts.push(text),
            }
        }
        texts.sort();
        texts.dedup();
        let bytes: usize = texts.iter().map(Text::len).sum();
        let text = match texts.as_slice() {
            [] => Text::Known(String::new()),
            [one] => one.clone(),
            _ if texts.len() > CHOICES || bytes > BYTES => {
                carries = carries.and(Carries::UNKNOWN);
                widened(&texts)
            }
            _ => Text::OneOf(texts),
        };
        Self {
            text,
            carries,
            processes: processes.flatten(),
        }
    }

    /// Returns a value that may be either.
    pub(crate) fn or(&self, other: &Self) -> Self {
        if self.text == other.text && self.processes == other.processes {
            return self.clone().carrying(other.carries);
        }
        Self::any_of([self.clone(), other.clone()])
    }

    /// Returns the text from a byte on, as far as it is known.
    pub(crate) fn from(&self, at: usize) -> Self {
        if at == 0 {
            return self.clone();
        }
        let cut = |text: &str| text.get(at..).unwrap_or_default().to_owned();
        let text = match &self.text {
            Text::Known(text) => Text::Known(cut(text)),
            Text::Glob(text) => Text::Glob(cut(text)),
            Text::Prefix { known, empty } if known.len() > at => Text::Prefix {
                known: cut(known),
                empty: cut(empty),
            },
            Text::Prefix { empty, .. } | Text::Unknown { empty, .. } => Text::open("", cut(empty)),
            Text::OneOf(_) => return Self::any_of(self.choices().iter().map(|it| it.from(at))),
        };
        Self {
            text,
            carries: self.carries,
            processes: self.processes.clone().filter(|it| it.is_inherited()),
        }
    }
}

impl Text {
    fn len(&self) -> usize {
        match self {
            Self::Known(text) | Self::Glob(text) => text.len(),
            Self::Unknown { empty, lines } => {
                empty.len() + lines.iter().map(Self::len).sum::<usize>()
            }
            Self::Prefix { known, empty } => known.len() + empty.len(),
            Self::OneOf(texts) => texts.iter().map(Self::len).sum(),
        }
    }

    /// Tells whether it may begin as a flag does.
    pub(crate) fn may_begin_flag(&self) -> bool {
        match self {
            Self::Known(text) => text.starts_with(['-', '+']),
            Self::Glob(text) => {
                !text.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '/')
                    && !BEGINS_NO_FLAG.iter().any(|it| text.starts_with(it))
            }
            Self::Prefix { known, .. } => known.starts_with(['-', '+']),
            Self::Unknown { .. } => true,
            Self::OneOf(texts) => texts.iter().any(Self::may_begin_flag),
        }
    }

    /// Tells whether it is a plain name.
    fn is_plain(&self) -> bool {
        match self {
            Self::Known(text) => {
                !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            }
            Self::Glob(text) => matches!(text.as_str(), PLAIN | DIGITS),
            Self::Prefix { .. } | Self::Unknown { .. } | Self::OneOf(_) => false,
        }
    }

    /// Returns the text that all texts of this kind begin with.
    fn beginning(&self) -> &str {
        match self {
            Self::Known(text) => text,
            Self::Glob(text) => text.split(['*', '?', '[']).next().unwrap_or_default(),
            Self::Prefix { known, .. } => known,
            Self::Unknown { .. } | Self::OneOf(_) => "",
        }
    }
}

/// Returns one text that stands for all of these: a number, a name, a beginning, or anything.
fn widened(texts: &[Text]) -> Text {
    if texts.iter().all(Text::is_number) {
        return Text::Glob(DIGITS.to_owned());
    }
    if texts.iter().all(Text::is_signed) {
        return Text::Glob(NUMBER.to_owned());
    }
    if texts.iter().all(Text::is_plain) {
        return Text::Glob(PLAIN.to_owned());
    }
    let mut common = texts.first().map_or("", Text::beginning);
    for text in texts {
        let same = common
            .char_indices()
            .zip(text.beginning().chars())
            .find(|((_, a), b)| a != b)
            .map_or(common.len().min(text.beginning().len()), |((at, _), _)| at);
        common = common.get(..same).unwrap_or_default();
    }
    Text::open(common, common.to_owned())
}

/// Returns what marks the way on behind something that a search in depth found: it may be a link. Two slashes say nothing else
/// than one.
fn behind(found: &str, next: &str) -> &'static str {
    let goes_on = next.starts_with('/') && found.split('/').any(|it| it == "**");
    if goes_on { "/" } else { "" }
}

/// Writes literal text so that nothing in it is a wildcard.
pub(crate) fn escape(text: &str) -> String {
    if !text.contains(['*', '?', '[']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '*' | '?' | '[' => {
                out.push('[');
                out.push(c);
                out.push(']');
            }
            c => out.push(c),
        }
    }
    out
}
