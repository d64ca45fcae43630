//! `belay config`: the settings in force and who set them.

use belay_journal::json;
use belay_model::Value;
use belay_settings::show::{Shown, effective};
use belay_settings::{DEFAULT_FILE, Loaded};

use crate::args::ConfigArgs;
use crate::exit::Exit;
use crate::fleet;
use crate::out::{Failure, Out, harmless, talk};
use crate::places::Here;

/// Prints the settings in force, or the commented default file.
pub fn config(args: &ConfigArgs, out: &mut Out) -> Result<Exit, Failure> {
    if args.default {
        out.bytes(DEFAULT_FILE.as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.schema {
        out.line(format_args!("{:#}", belay_settings::schema::schema()))?;
        return Ok(Exit::Done);
    }
    let here = Here::at(args.folder.as_deref())?;
    let loaded = here.proven();
    let knowledge = here.knowledge();
    let shown = effective(&loaded.settings);
    if args.json {
        out.line(json::compact(&to_json(&shown)))?;
    } else {
        out.line(format_args!("# in the project {}", here.project))?;
        for line in told(&shown, &loaded) {
            out.line(line)?;
        }
        if let Ok(knowledge) = &knowledge
            && !knowledge.own_names().is_empty()
        {
            let names = knowledge.own_names().join(", ");
            out.line(harmless(&format!(
                "# your knowledge files describe {names}"
            )))?;
        }
    }
    let exit = complain(&loaded);
    Ok(match knowledge {
        Ok(_) => exit,
        Err(why) => {
            talk(harmless(&why.to_string()));
            talk("your knowledge files are ignored until this is fixed");
            Exit::Failed
        }
    })
}

/// Says what is wrong with the settings, if anything.
pub fn complain(loaded: &Loaded) -> Exit {
    for error in &loaded.errors {
        talk(harmless(error.render().trim_end()));
    }
    if loaded.broken {
        Exit::Failed
    } else {
        Exit::Done
    }
}

fn told(shown: &[Shown], loaded: &Loaded) -> Vec<String> {
    let widest = shown
        .iter()
        .map(|it| it.key.len())
        .max()
        .unwrap_or_default();
    let mut lines: Vec<String> = loaded
        .files
        .iter()
        .map(|(source, path)| format!("# {source} settings {}", path.display()))
        .collect();
    lines.extend(shown.iter().map(|it| {
        let line = format!("{:<widest$} = {}", it.key, it.value);
        let from = it.origin.to_string();
        harmless(&format!("{line:<60}  # {from}"))
    }));
    lines.extend((fleet::told(&loaded.fleet).iter()).map(|it| harmless(&format!("# {it}"))));
    for waiting in &loaded.waiting {
        lines.push(harmless(&format!(
            "# waits for `belay trust`: {} = {}",
            waiting.key, waiting.text
        )));
    }
    for ignored in &loaded.ignored {
        lines.push(harmless(&format!("# ignored: {ignored}")));
    }
    lines
}

fn to_json(shown: &[Shown]) -> Value {
    let row = |it: &Shown| {
        let members = [
            ("key", Value::from(it.key.as_str())),
            ("value", typed(&it.value)),
            ("origin", Value::from(it.origin.to_string())),
        ];
        let members = members.map(|(name, value)| (name.to_owned(), value));
        Value::Object(members.to_vec())
    };
    Value::Array(shown.iter().map(row).collect())
}

/// Returns a value as what it is. One line of TOML is mostly JSON as it stands; a key without a value is null, and what only
/// TOML can write stays its text.
fn typed(text: &str) -> Value {
    match json::read(text.as_bytes()) {
        Ok(value) => value,
        Err(_) if text.starts_with('(') => Value::Null,
        Err(_) => Value::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(json::compact(&typed(text)), expected, "{text}");
    }

    #[test]
    fn values_keep_their_type() {
        check("70", "70");
        check("true", "true");
        check("[]", "[]");
        check("\"auto\"", "\"auto\"");
        check("(not set)", "null");
        check("{ id = \"x\" }", "\"{ id = \\\"x\\\" }\"");
    }
}
