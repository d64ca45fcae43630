use toml::{Table, Value};

/// The program that a file was drafted from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Where it lies, all links followed.
    pub path: String,
    /// The hash of its contents.
    pub hash: String,
    /// What its entry in the file system looked like: while it looks so, nobody need read it again.
    pub stamp: String,
}

impl Bound {
    /// Reads `[bound]` of a file; nothing where it has none. What cannot be read is left to who compiles the file.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        if !text.contains("bound") {
            return None;
        }
        let table: Table = text.parse().ok()?;
        let bound = table.get("bound")?.as_table()?;
        let member = |key: &str| {
            let text = bound.get(key).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        Some(Self {
            path: member("path"),
            hash: member("hash"),
            stamp: member("stamp"),
        })
    }
}
