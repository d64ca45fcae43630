//! Files that speak for several tools: what they share, and what each says for itself.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::{Placed, Source};

/// One tool of a file: its names, none where they follow from the file, and all that counts for it.
pub struct Own<'t> {
    pub names: Vec<Placed>,
    pub table: DeTable<'t>,
}

/// Parts a file into its tools. What stands outside `[tool]` counts for each of them, and for the file's
/// own `names`; of what a tool says, lists of flags add and everything else replaces.
pub fn tools<'t>(source: &mut Source<'_>, mut table: DeTable<'t>) -> Vec<Own<'t>> {
    let Some((_, tools)) = table.remove_entry("tool") else {
        return vec![Own {
            names: Vec::new(),
            table,
        }];
    };
    let examples = table.remove_entry("examples");
    let mut base = table.clone();
    base.remove("names");
    let mut out = Vec::new();
    if table.contains_key("names") {
        out.push(Own {
            names: Vec::new(),
            table,
        });
    }
    let span = tools.span();
    let DeValue::Table(tools) = tools.into_inner() else {
        source.fault(span, "`tool` is not a table", "write `[tool.NAME]`");
        return out;
    };
    for (key, value) in tools {
        let DeValue::Table(own) = value.into_inner() else {
            source.fault(key.span(), "not a table", "write `[tool.NAME]`");
            continue;
        };
        let name = |it: &str| Placed {
            text: it.trim().to_owned(),
            span: key.span(),
        };
        out.push(Own {
            names: key.get_ref().split('|').map(name).collect(),
            table: over(base.clone(), own),
        });
    }
    // One of them keeps the examples: they are the file's.
    if let (Some(first), Some((key, value))) = (out.first_mut(), examples) {
        first.table.insert(key, value);
    }
    out
}

/// Puts what a tool says over what all share.
fn over<'t>(mut base: DeTable<'t>, own: DeTable<'t>) -> DeTable<'t> {
    for (key, value) in own {
        let Some(old) = base.remove(key.get_ref().as_ref()) else {
            base.insert(key, value);
            continue;
        };
        let span = value.span();
        let merged = match (key.get_ref().as_ref(), old.into_inner(), value.into_inner()) {
            ("inert", DeValue::String(shared), DeValue::String(mine)) => {
                DeValue::String(format!("{shared}, {mine}").into())
            }
            (
                "flags" | "examined" | "values" | "prints",
                DeValue::Table(shared),
                DeValue::Table(mine),
            ) => DeValue::Table(over(shared, mine)),
            (_, _, mine) => mine,
        };
        base.insert(key, Spanned::new(span, merged));
    }
    base
}
