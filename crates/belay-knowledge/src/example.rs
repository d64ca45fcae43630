/// An example of a file of knowledge: what somebody types, and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The file.
    pub file: String,
    /// The line of the example, from 1.
    pub line: usize,
    /// The command; for tools the tool's name and its input as JSON.
    pub command: String,
    /// What it does, one line of the notation each.
    pub effects: Vec<String>,
}

/// Returns the examples of our own commands, builtins and variables: lines for a shell.
#[cfg(feature = "examples")]
pub fn examples() -> impl Iterator<Item = Example> {
    all().filter(|it| !it.file.contains("tools/"))
}

#[cfg(feature = "examples")]
fn all() -> impl Iterator<Item = Example> {
    let all = include_str!(concat!(env!("OUT_DIR"), "/examples.txt"));
    all.split('\u{1e}').filter_map(|record| {
        let mut parts = record.split('\u{1f}').map(str::to_owned);
        Some(Example {
            file: parts.next()?,
            line: parts.next()?.parse().ok()?,
            command: parts.next()?,
            effects: parts.collect(),
        })
    })
}
