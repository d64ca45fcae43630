//! What a file says that deserves a second look: flags that nobody read, and inert ones whose names speak of more.

use toml::{Table, Value};

use crate::OURS;

/// What was found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lint {
    /// Flags that nobody has read yet, as they are spelled.
    pub unread: Vec<String>,
    /// Inert flags whose names speak of running, writing, sending or settings.
    pub doubtful: Vec<String>,
}

impl Lint {
    /// Looks a file over; one that is not TOML says nothing.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut found = Self::default();
        if let Ok(table) = text.parse::<Table>() {
            found.level(&table);
        }
        found
    }

    fn level(&mut self, table: &Table) {
        let flags = |key: &str| parted(table.get(key).and_then(Value::as_str).unwrap_or_default());
        self.unread.extend(flags("unread"));
        let doubtful = flags("inert").into_iter();
        self.doubtful
            .extend(doubtful.filter(|it| speaks_of_acting(it)));
        for inner in ["sub", "tool"].iter().filter_map(|it| table.get(*it)) {
            let levels = inner.as_table().into_iter().flat_map(Table::values);
            levels
                .filter_map(Value::as_table)
                .for_each(|it| self.level(it));
        }
    }
}

/// Parts a list of flags; a comma inside a value's name does not part.
fn parted(text: &str) -> Vec<String> {
    let flags = text
        .split(',')
        .map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    flags.filter(|it| !it.is_empty()).collect()
}

/// Tells whether a flag's name speaks of running, writing, sending or settings.
fn speaks_of_acting(flag: &str) -> bool {
    let kind = if flag.contains('=') { "value" } else { "alone" };
    let said = |word: &str| OURS.said("examined-names", word);
    flag.split(' ').any(|word| {
        let name = word.replace("[no-]", "");
        let name = name.split(['=', '[']).next().unwrap_or_default();
        let name = name.trim_start_matches(['-', '+']);
        let mut parts = name.rsplit(['-', '_', '.', ':']);
        let last = parts.next().and_then(said);
        let acts = last == Some("both") || last == Some(kind);
        acts && name.len() > 1 && !parts.any(|it| said(it) == Some("denies"))
    })
}

#[cfg(test)]
mod tests {
    use super::Lint;

    #[test]
    fn names_and_drafts_are_told() {
        let text = "inert = \"--config=X, --dry-run, -q --quiet\"\nunread = \"-x, --y=V\"\n[sub.a]\ninert = \"--exec\"\n";
        let found = Lint::of(text);
        assert_eq!(found.unread, ["-x", "--y=V"]);
        assert_eq!(found.doubtful, ["--config=X", "--exec"]);
    }
}
