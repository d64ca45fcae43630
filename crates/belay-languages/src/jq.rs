//! jq: a filter computes; it can neither write nor run, but it can see the environment and import modules. The yq that
//! is written in Go has operators of its own, which read files and evaluate texts.

use belay_model::Verb;

use crate::Doing;

/// Reads a jq program. Strings may hold `\( )`, which is code too, so words are looked for everywhere.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    let words = words(code);
    // A module may be any file of data.
    if words.iter().any(|it| matches!(*it, "import" | "include")) {
        return None;
    }
    let mut doings: Vec<Doing> = words.iter().filter_map(|it| seen(it)).collect();
    doings.dedup();
    Some(doings)
}

/// Reads a program for either of the two tools that are called yq.
pub(crate) fn read_yq(code: &str) -> Option<Vec<Doing>> {
    let words = words(code);
    let runs = |it: &&str| it.starts_with("load") || matches!(*it, "eval" | "system");
    if words.iter().any(runs) {
        return None;
    }
    let mut doings = read(code)?;
    let mut named = words.iter();
    while let Some(word) = named.next() {
        match *word {
            "strenv" | "env" => {
                doings.extend(named.next().map(|it| Doing::Variable((*it).to_owned())))
            }
            "envsubst" => doings.push(Doing::Other(Verb::Read, vec!["environment"])),
            _ => {}
        }
    }
    Some(doings)
}

fn words(code: &str) -> Vec<&str> {
    let parts = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.');
    code.split(parts).filter(|it| !it.is_empty()).collect()
}

/// What a word shows of the environment.
fn seen(word: &str) -> Option<Doing> {
    let rest = word
        .strip_prefix("$ENV")
        .or_else(|| word.strip_prefix("env"))?;
    match rest.strip_prefix('.') {
        Some(name) if !name.is_empty() && !name.contains('.') => {
            Some(Doing::Variable(name.to_owned()))
        }
        Some(_) => Some(Doing::Other(Verb::Read, vec!["environment"])),
        None if rest.is_empty() => Some(Doing::Other(Verb::Read, vec!["environment"])),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{read, read_yq};
    use crate::Doing;

    #[test]
    fn filters_compute() {
        for code in [
            ".a",
            ".items[] | {id, name}",
            "map(select(.env == 1))",
            ".import",
            "to_entries | .[].value",
        ] {
            assert_eq!(read(code), Some(Vec::new()), "{code}");
            assert_eq!(read_yq(code), Some(Vec::new()), "{code}");
        }
    }

    #[test]
    fn the_environment_is_seen() {
        let one = |name: &str| Some(vec![Doing::Variable(name.to_owned())]);
        let all = Some(vec![Doing::Other(
            belay_model::Verb::Read,
            vec!["environment"],
        )]);
        assert_eq!(read("$ENV.HOME"), one("HOME"));
        assert_eq!(read("env | keys"), all);
        assert_eq!(read("$ENV[\"HOME\"]"), all);
        assert_eq!(
            read_yq("strenv(AWS_SECRET_ACCESS_KEY)"),
            one("AWS_SECRET_ACCESS_KEY")
        );
        assert_eq!(read_yq("\"${HOME}\" | envsubst"), all);
    }

    #[test]
    fn what_reads_files_and_texts_is_not_read() {
        for code in ["import \"/x\" as $d; $d", "include \"a\"; f"] {
            assert_eq!(read(code), None, "{code}");
        }
        for code in [
            "load(\"/x\")",
            "load_str(\"/x\")",
            "eval(.a)",
            "system(\"x\")",
        ] {
            assert_eq!(read_yq(code), None, "{code}");
        }
    }
}
