//! Files of knowledge: short, sorted, shown from both sides, and no flag left unexamined.

use toml::{Table, Value};

use crate::knowledge::{File, parted, texts};
use crate::states;

/// The most lines of a file; a longer one is split.
const LONGEST: usize = 80;

/// Words of flags' names, and what they say: a flag so named is inert only under `examined`, with a reason.
const NAMES: &str = include_str!("../../../knowledge/lists/examined-names.toml");

/// Lists files whose programs share flags that were not proved for each.
fn shared(files: &[File]) -> Vec<String> {
    let alone = |it: &&File| !it.command.contains(' ');
    let shared = files.iter().filter(alone).filter(|it| states::shares(it));
    let told = |it: &File| {
        format!(
            "{}: its programs share flags: prove each for each in a `[tool.NAME]`, or part the file",
            it.path
        )
    };
    shared.map(told).collect()
}

/// Lists what is wrong with the files.
pub fn faults(files: &[File]) -> Vec<String> {
    let mut faults = shared(files);
    for file in files {
        let lines = file.text.lines().count();
        if lines > LONGEST {
            faults.push(format!("{}: {lines} lines, at most {LONGEST}", file.path));
        }
        for level in file.levels() {
            let found = inert(level).into_iter().map(|it| (&file.path, it));
            faults.extend(found.map(|(path, what)| format!("{path}: {what}")));
        }
        faults.extend(sides(file).map(|it| format!("{}: {it}", file.path)));
    }
    faults
}

/// Lists inert flags out of order, and those whose names want an examination.
fn inert(level: &Table) -> Vec<String> {
    let list = level.get("inert").and_then(Value::as_str);
    let flags = list.map(parted).unwrap_or_default();
    let mut faults = Vec::new();
    for pair in flags.windows(2) {
        if let [one, other] = pair
            && order(one) > order(other)
        {
            faults.push(format!("`{other}` comes before `{one}` in `inert`"));
        }
    }
    let names = names();
    for flag in flags.iter().filter(|it| speaks_of_acting(&names, it)) {
        faults.push(format!(
            "`{flag}` is inert, but its name says otherwise: give it its effect, or a reason under `examined`"
        ));
    }
    faults
}

/// Returns what a flag is sorted by: its long name, or else its first.
fn order(flag: &str) -> (String, &str) {
    let words: Vec<&str> = flag.split_whitespace().collect();
    let long = words.iter().find(|it| it.starts_with("--"));
    let name = long.or(words.first()).copied().unwrap_or(flag);
    (bare(name).to_lowercase(), flag)
}

/// Returns a name without dashes and value.
fn bare(word: &str) -> String {
    let word = word.replace("[no-]", "");
    let end = word
        .find("[=")
        .or_else(|| word.find('='))
        .unwrap_or(word.len());
    let name = word.get(..end).unwrap_or(&word);
    name.trim_start_matches(['-', '+']).to_owned()
}

/// Tells whether a flag's name speaks of running, writing, sending or settings.
fn speaks_of_acting(words: &Table, flag: &str) -> bool {
    let valued = flag.contains('=');
    flag.split_whitespace()
        .filter(|it| it.starts_with('-'))
        .any(|word| {
            let name = bare(word);
            let parts: Vec<&str> = name.split(['-', '_', '.', ':']).collect();
            name.len() > 1 && says(words, &parts, valued)
        })
}

fn says(words: &Table, parts: &[&str], valued: bool) -> bool {
    let said = |word: &str| words.get(word).and_then(Value::as_str).unwrap_or_default();
    let Some((last, before)) = parts.split_last() else {
        return false;
    };
    let denied = before.iter().any(|it| said(it) == "denies");
    let acts = said(last) == "both" || said(last) == if valued { "value" } else { "alone" };
    acts && !denied
}

/// Returns what is said of the words of flags' names.
fn names() -> Table {
    let list: Table = NAMES.parse().unwrap_or_default();
    let words = list.get("words").and_then(Value::as_table);
    words.cloned().unwrap_or_default()
}

/// Lists the sides that no example shows: a command that can both look and do more shows both.
fn sides(file: &File) -> impl Iterator<Item = &'static str> {
    let (mut looks, mut acts) = (false, false);
    for effects in file.levels().into_iter().flat_map(outcomes) {
        looks |= effects.whole && effects.all.iter().all(|it| is_mild(it));
        acts |= effects.all.iter().any(|it| !is_mild(it));
    }
    let examples = file.examples();
    let shown = |mild: bool| {
        let all = examples
            .iter()
            .map(|(_, it)| it.iter().all(|it| is_mild(it)));
        all.into_iter().any(|it| it == mild)
    };
    let harmless = (looks && !shown(true)).then_some("no example of a harmless use");
    let harmful = (acts && !shown(false)).then_some("no example of a use that does more than look");
    harmless.into_iter().chain(harmful)
}

/// Effects that a level may have: alone, or beside others.
struct Outcomes<'t> {
    all: Vec<&'t str>,
    whole: bool,
}

fn outcomes(level: &Table) -> Vec<Outcomes<'_>> {
    let mut out = Vec::new();
    let forms = level.get("form").and_then(Value::as_array);
    let forms = forms.into_iter().flatten().filter_map(Value::as_table);
    for form in forms.chain([level]) {
        out.extend(form.get("effects").map(|it| Outcomes {
            all: texts(it),
            whole: true,
        }));
    }
    let tables = ["flags", "values"].map(|it| level.get(it).and_then(Value::as_table));
    for (_, case) in tables.into_iter().flatten().flatten() {
        match case {
            Value::Table(case) => {
                out.extend(["also", "instead", "spares"].iter().filter_map(|key| {
                    Some(Outcomes {
                        all: texts(case.get(*key)?),
                        whole: *key != "also",
                    })
                }))
            }
            other @ (Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_)) => out.push(Outcomes {
                all: texts(other),
                whole: false,
            }),
        }
    }
    out
}

/// Tells whether an effect only looks.
fn is_mild(effect: &str) -> bool {
    let mut words = effect.split_whitespace();
    let looks = matches!(words.next(), Some("read" | "probe"));
    looks && !matches!(words.next(), Some("secret" | "personal" | "environment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_speak_of_acting() {
        for flag in [
            "--exec=X",
            "-o --output=FILE",
            "--log-driver=X",
            "--config-file=F",
            "--run",
            "--data-dir=D",
            "--host=H",
        ] {
            assert!(speaks_of_acting(&names(), flag), "{flag}");
        }
        for flag in [
            "--dry-run",
            "--no-plugins",
            "-o=X",
            "--raw-output",
            "--ignore-scripts",
            "-e",
        ] {
            assert!(!speaks_of_acting(&names(), flag), "{flag}");
        }
    }

    #[test]
    fn flags_are_sorted_by_their_long_names() {
        let level: Table = "inert = '-z --all, --beta[=X], --[no-]able'"
            .parse()
            .expect("TOML");
        assert_eq!(
            inert(&level),
            ["`--[no-]able` comes before `--beta[=X]` in `inert`"]
        );
    }
}
