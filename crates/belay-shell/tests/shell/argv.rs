//! The words of every command, compared with shfmt's tree of the same text.

use crate::{oracle, probes, walk::Seen};
use belay_shell::{Dialect, parse};
use std::io::Write;
use std::process::{Command, Stdio};

/// Texts like those people and agents write; the corners join them.
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

/// Names shfmt 3.6 sees and we do not, with the reason.
fn accepted(name: &str) -> bool {
    // shfmt takes the `--` after `time` for a command; bash does not.
    name == "--"
}

fn shfmt(text: &str) -> Option<String> {
    let mut child = Command::new("shfmt")
        .args(["-ln=bash", "--to-json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output
        .status
        .success()
        .then(|| compact(&String::from_utf8_lossy(&output.stdout)))
}

/// Removes blanks outside strings, and the places of nodes, so that the JSON can be searched.
fn compact(json: &str) -> String {
    let (mut text, mut quoted, mut escaped) = (String::new(), false, false);
    for sign in json.chars() {
        if quoted || !sign.is_whitespace() {
            text.push(sign);
        }
        quoted ^= sign == '"' && !escaped;
        escaped = sign == '\\' && !escaped;
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("{\"Offset\":") {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[rest.find('}').map_or(rest.len(), |end| end + 1)..];
        plain.push('0');
    }
    plain + rest
}

/// Returns the names of commands in shfmt's JSON: the first literal of the first argument of every call.
fn names(json: &str) -> Vec<String> {
    let mut names = Vec::new();
    for call in json.split("\"Type\":\"CallExpr\"").skip(1) {
        let Some(arguments) = call.find("\"Args\":[{").filter(|&at| at < 400) else {
            continue;
        };
        let first = &call[arguments..];
        let Some(parts) = first.find("\"Parts\":[{") else {
            continue;
        };
        let part = &first[parts + 10..];
        let end = part.find("}]").unwrap_or(part.len());
        // One literal part only: everything else is not a plain name.
        let Some(value) = part
            .find("\"Value\":\"")
            .filter(|_| part.starts_with("\"Type\":\"Lit\""))
        else {
            continue;
        };
        let text = &part[value + 9..];
        let name = &text[..text.find('"').unwrap_or(0)];
        if value < end && !name.contains('\\') && !part[..end].contains("},{\"Type\"") {
            names.push(name.to_owned());
        }
    }
    names
}

#[test]
fn every_command_shfmt_names_is_in_the_tree() {
    if shfmt("true").is_none() {
        eprintln!("SKIPPED: shfmt is not installed, argv lists were not compared");
        return;
    }
    let Some(bash) = oracle::bash() else { return };
    let mut texts: Vec<String> = USUAL.iter().map(|&text| text.to_owned()).collect();
    texts.extend(probes::corners());
    texts.extend(probes::combinations(150));
    let plain: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let valid = oracle::accepts(&bash, &plain);
    let (mut compared, mut named, mut lost) = (0, 0, Vec::new());
    for (text, _) in texts.iter().zip(valid).filter(|(_, valid)| *valid) {
        let Some(json) = shfmt(text) else { continue };
        compared += 1;
        let seen = Seen::of(&parse(text.as_bytes(), Dialect::Bash));
        for name in names(&json) {
            named += 1;
            let found = seen.argvs.iter().any(|argv| {
                argv.first()
                    .is_some_and(|first| first.as_deref() == Some(name.as_bytes()))
            });
            if !found && !accepted(&name) {
                lost.push((name, text.clone()));
            }
        }
    }
    println!(
        "{compared} texts compared with shfmt, {named} names, {} not in the tree",
        lost.len()
    );
    assert!(lost.is_empty(), "{lost:#?}");
}
