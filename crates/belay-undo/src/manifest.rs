//! The list of what is kept: one line of JSON for the whole, then one for each thing.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::Value;

use crate::loss::Told;

/// What is said of a keep as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Its short name.
    pub id: String,
    /// When, in milliseconds since 1970.
    pub when: u64,
    /// The folder that all paths are below, links followed.
    pub root: PathBuf,
    /// Who took it away.
    pub told: Told,
    /// How many files, links and folders.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What a kept thing is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File(Contents),
    /// A folder.
    Folder,
    /// A link, and where it leads.
    Link(OsString),
    /// A pipe with a name.
    Pipe,
    /// A socket or device: noted, not made again.
    Other,
    /// Nothing was there.
    Absent,
}

/// Where the contents of a file are in the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The file of the store.
    pub blob: String,
    /// Where in it they begin.
    pub at: u64,
    /// How many bytes.
    pub size: u64,
    /// Their SHA-256.
    pub hash: String,
    /// The number of the file, where other names meant it too.
    pub shared: Option<u64>,
}

/// One kept thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the root.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// Permissions.
    pub mode: u32,
    /// When it was last written: seconds and nanoseconds.
    pub modified: Time,
    /// Extended attributes: names and values.
    pub attributes: Vec<Attribute>,
}

/// A time as the system tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds.
    pub parts: i64,
}

/// One extended attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Vec<u8>,
}

/// All that is said of a keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Of the whole.
    pub head: Head,
    /// Of each thing, folders before what they hold.
    pub entries: Vec<Entry>,
}

impl Manifest {
    /// Writes it.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity(256 * (self.entries.len() + 1));
        json::write(&self.head.to_json(), &mut text);
        text.push('\n');
        for entry in &self.entries {
            json::write(&entry.to_json(), &mut text);
            text.push('\n');
        }
        text
    }

    /// Reads it; nothing where a line is not as we write them, or one is missing.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let head = Head::from_line(lines.next()?)?;
        let entries: Option<Vec<Entry>> = lines.map(Entry::from_line).collect();
        let entries = entries?;
        (entries.len() as u64 == head.count).then_some(Self { head, entries })
    }
}

impl Head {
    /// Writes it for programs.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let effects = self.told.effects.iter().map(|it| it.as_str().into());
        object([
            ("version", number(1)),
            ("id", self.id.as_str().into()),
            ("when", number(self.when)),
            ("root", path_text(&self.root).into()),
            ("call", optional(self.told.call.as_deref())),
            ("session", optional(self.told.session.as_deref())),
            ("agent", optional(self.told.agent.as_deref())),
            ("command", self.told.command.as_str().into()),
            ("cwd", self.told.cwd.as_str().into()),
            ("effects", Value::Array(effects.collect())),
            ("count", number(self.count)),
            ("bytes", number(self.bytes)),
        ])
    }

    /// Reads the first line of a manifest.
    #[must_use]
    pub fn from_line(line: &str) -> Option<Self> {
        let value = json::read(line.as_bytes()).ok()?;
        let text = |name: &str| value.get(name).and_then(Value::text).map(str::to_owned);
        (integer(&value, "version") == Some(1)).then_some(())?;
        let effects = value.get("effects")?.items()?.iter();
        Some(Self {
            id: text("id")?,
            when: integer(&value, "when")?,
            root: path_of(&text("root")?)?,
            told: Told {
                call: text("call"),
                session: text("session"),
                agent: text("agent"),
                command: text("command")?,
                cwd: text("cwd")?,
                effects: effects
                    .filter_map(|it| it.text().map(str::to_owned))
                    .collect(),
            },
            count: integer(&value, "count")?,
            bytes: integer(&value, "bytes")?,
        })
    }
}

impl Entry {
    fn to_json(&self) -> Value {
        let mut members = vec![
            ("path", path_text(&self.path).into()),
            ("kind", self.kind.word().into()),
            ("mode", number(self.mode.into())),
            ("seconds", signed(self.modified.seconds)),
            ("parts", signed(self.modified.parts)),
        ];
        match &self.kind {
            Kind::File(contents) => {
                members.extend([
                    ("blob", contents.blob.as_str().into()),
                    ("at", number(contents.at)),
                    ("length", number(contents.size)),
                    ("hash", contents.hash.as_str().into()),
                ]);
                members.extend(contents.shared.map(|it| ("shared", number(it))));
            }
            Kind::Link(target) => members.push(("target", escaped(target.as_bytes()).into())),
            Kind::Folder | Kind::Pipe | Kind::Other | Kind::Absent => {}
        }
        if !self.attributes.is_empty() {
            let each = |it: &Attribute| (it.name.clone(), escaped(&it.value).into());
            let all = self.attributes.iter().map(each).collect();
            members.push(("attributes", Value::Object(all)));
        }
        object(members)
    }

    fn from_line(line: &str) -> Option<Self> {
        let value = json::read(line.as_bytes()).ok()?;
        let text = |name: &str| value.get(name).and_then(Value::text).map(str::to_owned);
        let kind = match text("kind")?.as_str() {
            "file" => Kind::File(Contents {
                blob: text("blob")?,
                at: integer(&value, "at")?,
                size: integer(&value, "length")?,
                hash: text("hash")?,
                shared: integer(&value, "shared"),
            }),
            "folder" => Kind::Folder,
            "link" => Kind::Link(OsString::from_vec(plain(&text("target")?)?)),
            "pipe" => Kind::Pipe,
            "other" => Kind::Other,
            "absent" => Kind::Absent,
            _ => return None,
        };
        let attributes = match value.get("attributes").and_then(Value::members) {
            None => Vec::new(),
            Some(members) => {
                let each = |(name, value): &(String, Value)| {
                    let (name, value) = (name.clone(), plain(value.text()?)?);
                    Some(Attribute { name, value })
                };
                members.iter().map(each).collect::<Option<_>>()?
            }
        };
        Some(Self {
            path: path_of(&text("path")?)?,
            kind,
            mode: u32::try_from(integer(&value, "mode")?).ok()?,
            modified: Time {
                seconds: signed_of(&value, "seconds")?,
                parts: signed_of(&value, "parts")?,
            },
            attributes,
        })
    }
}

impl Kind {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::File(_) => "file",
            Self::Folder => "folder",
            Self::Link(_) => "link",
            Self::Pipe => "pipe",
            Self::Other => "other",
            Self::Absent => "absent",
        }
    }
}

fn object(members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let named = members.into_iter();
    Value::Object(named.map(|(name, it)| (name.to_owned(), it)).collect())
}

fn number(number: u64) -> Value {
    Value::Number(number.to_string())
}

fn signed(number: i64) -> Value {
    Value::Number(number.to_string())
}

fn optional(text: Option<&str>) -> Value {
    text.map_or(Value::Null, Value::from)
}

fn integer(value: &Value, name: &str) -> Option<u64> {
    match value.get(name) {
        Some(Value::Number(text)) => text.parse().ok(),
        Some(
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
        )
        | None => None,
    }
}

fn signed_of(value: &Value, name: &str) -> Option<i64> {
    match value.get(name) {
        Some(Value::Number(text)) => text.parse().ok(),
        Some(
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
        )
        | None => None,
    }
}

/// Writes a path: what is no text, and `%`, as `%` and two digits for each byte.
fn path_text(path: &Path) -> String {
    escaped(path.as_os_str().as_bytes())
}

fn path_of(text: &str) -> Option<PathBuf> {
    Some(PathBuf::from(OsString::from_vec(plain(text)?)))
}

fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '%' => text.push_str("%25"),
                '\0' => text.push_str("%00"),
                letter => text.push(letter),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02x}"));
        }
    }
    text
}

fn plain(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::path::PathBuf;

    use super::{Attribute, Contents, Entry, Head, Kind, Manifest, Time};
    use crate::loss::Told;

    fn odd(bytes: &[u8]) -> OsString {
        OsString::from_vec(bytes.to_vec())
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let entry = |path: &[u8], kind| Entry {
            path: PathBuf::from(odd(path)),
            kind,
            mode: 0o640,
            modified: Time {
                seconds: -3,
                parts: 999,
            },
            attributes: vec![Attribute {
                name: "user.x".to_owned(),
                value: vec![0, 255, b'%'],
            }],
        };
        let contents = Contents {
            blob: "packed".to_owned(),
            at: 7,
            size: 9,
            hash: "ab".to_owned(),
            shared: Some(12),
        };
        let entries = vec![
            entry(b"a \"b\"\n%41", Kind::File(contents)),
            entry(b"\xff\xfe/x", Kind::Link(odd(b"../\xff"))),
            entry(b"p", Kind::Pipe),
            entry(b"gone", Kind::Absent),
        ];
        let manifest = Manifest {
            head: Head {
                id: "7f3".to_owned(),
                when: 5,
                root: PathBuf::from("/work/app"),
                told: Told {
                    command: "rm -rf 'a\nb'".to_owned(),
                    effects: vec!["delete tree ./a".to_owned()],
                    ..Told::default()
                },
                count: 4,
                bytes: 9,
            },
            entries,
        };
        assert_eq!(
            Manifest::from_text(&manifest.to_text()),
            Some(manifest.clone())
        );
        let text = manifest.to_text();
        let cut = text.trim_end().rsplit_once('\n').unwrap().0;
        assert_eq!(Manifest::from_text(cut), None);
    }
}
