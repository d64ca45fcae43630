//! What a draft says: flags that nobody has read yet, and the one program that it was drafted from.

use toml::de::{DeTable, DeValue};

use super::effect::effects;
use super::model::{Actions, Case, Dialect};
use super::source::{Placed, Source};
use super::spelling::{self, Spelled};

/// Reads the flags that nobody has read yet: how they are spelled is known, what they do is not.
pub fn flags(
    source: &mut Source<'_>,
    table: &DeTable<'_>,
    dialect: Dialect,
) -> Vec<(Spelled, Case, bool)> {
    let Some(key) = source.member(table, "unread") else {
        return Vec::new();
    };
    let spelled = spelling::flags(source, &key, dialect);
    let mut out = Vec::new();
    for it in spelled {
        let longest = it.spellings.iter().map(|(name, _)| name.as_str());
        let longest = longest.max_by_key(|it| it.len()).unwrap_or_default();
        let written = Placed {
            text: format!("unknown flag '{longest}'"),
            span: key.span.clone(),
        };
        let actions = Actions {
            also: effects(source, vec![written], &|_: &str| false),
            ..Actions::default()
        };
        let case = Case {
            values: it.values.clone(),
            actions,
            key: key.clone(),
        };
        out.push((it, case, false));
    }
    out
}

/// Reads the program that a file is bound to; whoever loads the file compares the rest of it.
pub fn bound(source: &mut Source<'_>, table: &DeTable<'_>) -> Option<String> {
    let value = table.get("bound")?;
    let DeValue::Table(inner) = value.get_ref() else {
        source.fault(value.span(), "`bound` is not a table", "write `[bound]`");
        return None;
    };
    source.only(inner, &["path", "hash", "stamp"]);
    let path = source.member(inner, "path");
    if path.is_none() || source.member(inner, "hash").is_none() {
        let hint = "`belay learn COMMAND` writes `path` and `hash`";
        source.fault(value.span(), "`bound` lacks its program", hint);
    }
    path.map(|it| it.text)
}
