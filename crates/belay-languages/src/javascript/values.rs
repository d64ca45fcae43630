//! What an expression may stand for.

/// Stands for the home folder in a text, until it is told what the text is for.
pub(super) const HOME: char = '\u{e000}';

/// How many texts one expression may stand for.
const TEXTS: usize = 16;

/// How long a text is followed.
const LENGTH: usize = 8 * 1024;

/// How large a value is followed.
const WEIGHT: usize = 256;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// One of these texts.
    Texts(Vec<String>),
    /// A text that begins like this.
    Starts(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
    Bool(bool),
    Number(String),
    /// Data that never is a text: a number, a truth value.
    Plain,
    /// A function of the program or of the language: it reaches nothing that is not written elsewhere.
    Safe,
    /// Data.
    Unknown,
    /// What stood under a name that was computed: it may be a function that makes code.
    Stranger,
    /// What a module of the project or a package gave.
    Project,
    /// Something of the host by its path: `fs`, `fs.rmSync`.
    Thing(String),
    /// One of several, of which some reach outside.
    Mixed,
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::Texts(vec![text.to_owned()])
    }

    pub(super) fn thing(path: &str) -> Self {
        Self::Thing(path.to_owned())
    }

    /// One value or the other.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::Mixed | Self::Thing(_), _) | (_, Self::Mixed | Self::Thing(_)) => Self::Mixed,
            (Self::Stranger, _) | (_, Self::Stranger) => Self::Stranger,
            (Self::Texts(mut texts), Self::Texts(more)) => {
                for text in more {
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
                if texts.len() > TEXTS {
                    Self::Unknown
                } else {
                    Self::Texts(texts)
                }
            }
            (
                Self::Plain | Self::Number(_) | Self::Bool(_),
                Self::Plain | Self::Number(_) | Self::Bool(_),
            ) => Self::Plain,
            (Self::Project, Self::Safe | Self::Plain)
            | (Self::Safe | Self::Plain, Self::Project) => Self::Project,
            _ => Self::Unknown,
        }
    }

    /// Texts one after the other; numbers are texts there.
    pub(super) fn then(self, other: Self) -> Self {
        let texts = |it: Self| match it {
            Self::Texts(texts) => Some(texts),
            Self::Number(number) if number.chars().all(|c| c.is_ascii_digit()) => {
                Some(vec![number])
            }
            Self::Starts(_)
            | Self::List(_)
            | Self::Object(_)
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Plain
            | Self::Safe
            | Self::Unknown
            | Self::Stranger
            | Self::Project
            | Self::Thing(_)
            | Self::Mixed => None,
        };
        let (one, other) = match (texts(self.clone()), texts(other)) {
            (Some(one), Some(other)) => (one, other),
            (one, _) => return self.beginning(one),
        };
        let size = |all: &[String]| all.iter().map(String::len).max().unwrap_or(0);
        if one.len() * other.len() > TEXTS || size(&one) + size(&other) > LENGTH {
            return Self::Unknown;
        }
        let both = |a: &str, b: &str| match (a.contains(crate::WITHIN), b.chars().next()) {
            // What lies below something below a folder lies below the folder.
            (true, Some(crate::WITHIN)) if a.ends_with(&format!("{}/", crate::WITHIN)) => {
                format!(
                    "{}{}",
                    a.trim_end_matches([crate::WITHIN, '/']),
                    format_args!("/{b}")
                )
            }
            _ => format!("{a}{b}"),
        };
        let join = |a: &String| other.iter().map(|b| both(a, b)).collect::<Vec<_>>();
        let mut all: Vec<String> = Vec::new();
        for text in one.iter().flat_map(join) {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        Self::Texts(all)
    }

    /// A text of which something unknown follows what is known.
    fn beginning(self, known: Option<Vec<String>>) -> Self {
        match (self, known.as_deref()) {
            (Self::Starts(text), _) => Self::Starts(text),
            (_, Some([text])) if !text.is_empty() && text.len() < LENGTH => {
                Self::Starts(text.clone())
            }
            _ => Self::Unknown,
        }
    }

    /// The paths or addresses it stands for; `None` when they may be any.
    pub(super) fn places(&self) -> Option<Vec<String>> {
        match self {
            Self::Texts(texts) => Some(texts.clone()),
            Self::Starts(text) => Some(vec![format!("{text}{}", crate::ANYTHING)]),
            Self::List(_)
            | Self::Object(_)
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Plain
            | Self::Safe
            | Self::Unknown
            | Self::Stranger
            | Self::Project
            | Self::Thing(_)
            | Self::Mixed => None,
        }
    }

    /// Keeps a value that is small enough to be followed wherever it goes.
    pub(super) fn bounded(self) -> Self {
        if self.weight(WEIGHT) > WEIGHT {
            Self::Unknown
        } else {
            self
        }
    }

    /// What is left of a list or object that is changed where it lies: whether it reaches outside.
    pub(super) fn changed(self) -> Self {
        let inner = match self {
            Self::List(items) => items,
            Self::Object(entries) => entries.into_iter().map(|(_, it)| it).collect(),
            other @ (Self::Texts(_)
            | Self::Starts(_)
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Plain
            | Self::Safe
            | Self::Unknown
            | Self::Stranger
            | Self::Project
            | Self::Thing(_)
            | Self::Mixed) => return other,
        };
        let inner = inner.into_iter().map(Self::changed);
        let reaches = |it: &Self| matches!(it, Self::Thing(_) | Self::Mixed);
        let strange = |it: &Self| matches!(it, Self::Stranger | Self::Project);
        let inner: Vec<Self> = inner.collect();
        if inner.iter().any(reaches) {
            Self::Mixed
        } else if inner.iter().any(strange) {
            Self::Stranger
        } else {
            Self::Unknown
        }
    }

    /// Weighs a value, but no further than up to a limit.
    fn weight(&self, limit: usize) -> usize {
        let mut sum = 1;
        let mut add = |it: &Self| {
            sum += it.weight(limit.saturating_sub(sum));
            sum <= limit
        };
        match self {
            Self::List(items) => items.iter().all(&mut add),
            Self::Object(entries) => entries.iter().all(|(_, it)| add(it)),
            Self::Texts(texts) => return texts.iter().map(|it| 1 + it.len() / 64).sum(),
            Self::Starts(_)
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Plain
            | Self::Safe
            | Self::Unknown
            | Self::Stranger
            | Self::Project
            | Self::Thing(_)
            | Self::Mixed => true,
        };
        sum
    }

    /// Tells whether a stranger stands in it.
    pub(super) fn holds_stranger(&self) -> bool {
        match self {
            Self::Stranger => true,
            Self::List(items) => items.iter().any(Self::holds_stranger),
            Self::Object(entries) => entries.iter().any(|(_, it)| it.holds_stranger()),
            Self::Texts(_)
            | Self::Starts(_)
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Plain
            | Self::Safe
            | Self::Unknown
            | Self::Project
            | Self::Thing(_)
            | Self::Mixed => false,
        }
    }

    /// Tells whether it is a number or a truth value.
    pub(super) fn counts(&self) -> bool {
        matches!(self, Self::Plain | Self::Number(_) | Self::Bool(_))
    }

    /// The texts it stands for; `None` when it may be anything.
    pub(super) fn texts(&self) -> Option<&[String]> {
        if let Self::Texts(texts) = self {
            Some(texts)
        } else {
            None
        }
    }

    /// The one text it stands for.
    pub(super) fn one(&self) -> Option<&str> {
        match self.texts()? {
            [text] => Some(text),
            _ => None,
        }
    }
}
