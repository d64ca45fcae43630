//! Every shell text of the repository.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use crate::attacks::ATTACKS;
use crate::corners;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Texts like those people and agents write.
const USUAL: &[&str] = &[
    "ls -la | grep foo && rm -f 'a b' \"c d\"",
    "git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\"",
    "for f in *.c; do gcc -c \"$f\" -o \"${f%.c}.o\" || exit 1; done",
    "find . -name '*.py' -exec grep -l foo {} +",
    "cd /tmp && tar xzf a.tgz --strip-components=1; cd -",
    "if [ -d x ]; then rm -r x; elif test -f y; then :; else mkdir x; fi",
    "while read -r line; do echo \"$line\"; done < file",
    "case \"$1\" in start|stop) run \"$1\";; *) usage; exit 2;; esac",
    "f() { local a=$1; shift; command \"$@\"; }; f a b c",
    "cat > out.txt <<EOF\nhello $USER\nEOF\nwc -l out.txt",
    "curl -sSL https://x.test/i.sh | sh -s -- --yes",
    "sed -i 's/a/b/g' file && awk '{print $1}' file | sort -u",
    "export A=1 B='two words'; env | grep ^A=",
    "python3 - <<'PY'\nprint('x; rm -rf /')\nPY",
    "[[ $x == a* && -n $y ]] && echo ok > /dev/null 2>&1",
    "xargs -0 -n1 sh -c 'echo \"$1\"' _ < list",
    "docker run --rm -it -e A=b img bash -lc 'a && b'",
    "npm ci && npm run build -- --mode=prod &",
    "diff <(sort a) <(sort b) >/dev/null || echo differ",
    "echo $((1 + 2)) ${x:-y} `date` $(date +%s)",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    found.sort();
}

/// Commands of the labelled calls.
fn calls() -> Vec<String> {
    let mut paths = Vec::new();
    files(&root().join("corpus"), "jsonl", &mut paths);
    let mut texts = Vec::new();
    for path in paths {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let call: Value = serde_json::from_str(line).unwrap();
            match &call["input"]["command"] {
                Value::String(text) => texts.push(text.clone()),
                Value::Array(words) => {
                    texts.extend(words.last().and_then(Value::as_str).map(str::to_owned))
                }
                _ => {}
            }
        }
    }
    texts
}

/// Examples of the knowledge, which are shell text.
fn examples() -> Vec<String> {
    let mut paths = Vec::new();
    files(&root().join("knowledge"), "toml", &mut paths);
    let mut texts = Vec::new();
    for path in paths {
        let table: toml::Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        if let Some(examples) = table.get("examples").and_then(toml::Value::as_table) {
            texts.extend(examples.keys().cloned());
        }
    }
    texts
}

/// All of them once, in order, without those that other readers cannot take as text.
pub fn all() -> Vec<String> {
    let mut texts: Vec<String> = USUAL.iter().map(|&text| text.to_owned()).collect();
    texts.extend(corners::corners());
    texts.extend(ATTACKS.iter().map(|&text| text.to_owned()));
    texts.extend(corners::combinations(800));
    let seeds = corners::seeds().into_iter();
    texts.extend(seeds.filter_map(|seed| String::from_utf8(seed).ok()));
    texts.extend(calls());
    texts.extend(examples());
    let mut known = std::collections::BTreeSet::new();
    // Others treat these bytes in ways of their own, and overflow their stacks on deep text.
    texts.retain(|text| {
        !text.contains(['\r', '\0', '\u{b}', '\u{c}'])
            && text.len() < 20_000
            && known.insert(text.clone())
    });
    texts
}
