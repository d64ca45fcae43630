/// A JSON value, as agents send it. Objects keep their order and their duplicates.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// `null`, and what was not sent at all.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as its text.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object: its members in order.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Returns the last member of that name, as most readers of JSON do.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members
                .iter()
                .rev()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) | Self::Array(_) => None,
        }
    }

    /// Returns the text of a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// Returns the items of an array.
    #[must_use]
    pub fn items(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) | Self::Object(_) => {
                None
            }
        }
    }

    /// Returns the members of an object.
    #[must_use]
    pub fn members(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(members) => Some(members),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) | Self::Array(_) => None,
        }
    }

    /// Tells whether an object, at any depth, names a member twice: readers differ on which counts.
    #[must_use]
    pub fn has_duplicates(&self) -> bool {
        match self {
            Self::Object(members) => {
                let twice = || {
                    let names = members.iter().map(|(name, _)| name.as_str());
                    let mut names: Vec<&str> = names.collect();
                    names.sort_unstable();
                    names.windows(2).any(|pair| pair.first() == pair.last())
                };
                members.len() > 1 && twice()
                    || members.iter().any(|(_, value)| value.has_duplicates())
            }
            Self::Array(items) => items.iter().any(Self::has_duplicates),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) => false,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}
