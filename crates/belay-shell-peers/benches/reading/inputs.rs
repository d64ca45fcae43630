//! What is read.

/// Commands like those that agents run.
pub const USUAL: &[&str] = &[
    "ls -la",
    "git status --short",
    "cd crates/belay-shell && cargo test -p belay-shell 2>&1 | tail -40",
    "grep -rn 'fn main' --include='*.rs' . | head -20",
    "sed -n '1,120p' src/lib.rs",
    "python3 -c \"import json,sys; print(json.load(sys.stdin)['name'])\" < package.json",
    "cat > /tmp/a.py <<'EOF'\nimport os\nfor name in os.listdir('.'):\n    print(name)\nEOF\npython3 /tmp/a.py",
    "for f in $(find . -name '*.txt'); do wc -l \"$f\"; done",
    "find . -type f -name '*.log' -mtime +7 -exec rm {} \\; 2>/dev/null",
    "if [ -f Cargo.toml ]; then cargo build --release; else make; fi",
    "curl -s -H \"Authorization: Bearer $TOKEN\" https://api.example.test/v1/items?limit=10 | jq -r '.[].name'",
    "docker run --rm -v \"$PWD\":/src -w /src node:20 npm test -- --watch=false",
    "export PATH=\"$HOME/.local/bin:$PATH\"; which python3",
    "x=$(( $(wc -l < a) + 1 )); echo \"${x:-none}\" >> log.txt",
    "git commit -m \"$(cat <<'EOF'\nshell: read here-documents\n\nThey come after the line.\nEOF\n)\"",
];

/// Text that is made by repeating something.
pub struct Shape {
    pub name: &'static str,
    unit: &'static str,
    open: &'static str,
    close: &'static str,
    /// Whether it is one of those that are shown beside the peers.
    pub shown: bool,
}

impl Shape {
    /// Returns about this many bytes of it.
    pub fn text(&self, bytes: usize) -> String {
        let Self {
            unit, open, close, ..
        } = self;
        format!("{open}{}{close}", unit.repeat(bytes / unit.len()))
    }
}

/// Returns every shape.
pub fn shapes() -> impl Iterator<Item = Shape> {
    SHAPES.iter().map(|&(name, unit, open, close)| Shape {
        name,
        unit,
        open,
        close,
        shown: SHOWN.contains(&name),
    })
}

/// The shapes of the budget: separators, words, quotes, nesting, here-documents.
const SHOWN: [&str; 9] = [
    "a;",
    "a &&",
    "a |",
    "words",
    "single quotes",
    "double quotes",
    "substitutions",
    "groups",
    "here-documents",
];

/// A name, what is repeated, and what stands before and after it.
const SHAPES: &[(&str, &str, &str, &str)] = &[
    ("a;", "a;", "", ""),
    ("a &&", "a && ", "", "a"),
    ("a |", "a | ", "", "a"),
    ("words", "word ", "echo ", ""),
    ("single quotes", "'a b' ", "echo ", ""),
    ("double quotes", "\"a $x b\" ", "echo ", ""),
    ("one word of quotes", "'a'\"b\"", "echo ", ""),
    ("escapes", "\\a", "echo ", ""),
    ("continuations", "a\\\n", "echo ", ""),
    ("substitutions", "$(a) ", "echo ", ""),
    ("backticks", "`a` ", "echo ", ""),
    ("escaped backticks", "`a \\`b\\`` ", "echo ", ""),
    ("parameters", "${x:-a}", "echo ", ""),
    ("arithmetic", "$((1+a))", "echo ", ""),
    ("one sum", "+1", "echo $((1", "))"),
    ("subscripts", "a[1]=2 ", "", ""),
    ("array", "a ", "x=(", ")"),
    ("braces", "{a,b}", "echo ", ""),
    ("open braces", "{", "echo ", ""),
    ("commas", "a,", "echo {", "}"),
    ("globs", "@(a|b)", "echo ", ""),
    ("redirections", ">a ", "echo ", ""),
    ("here-documents", "cat <<E\nx $y\nE\n", "", ""),
    ("here-documents in one line", "<<E ", "cat ", "\nx\n"),
    (
        "lines of a here-document",
        "some line\n",
        "cat <<E\n",
        "E\n",
    ),
    ("lines that continue", "x\\\n", "cat <<E\n", "E\n"),
    ("tests", "a == b && ", "[[ ", "a ]]"),
    ("comments", "# c\n", "", ""),
    ("groups", "{ a; };", "", ""),
    ("open groups", "{ ", "", ""),
    ("open subshells", "( ", "", ""),
    ("open double parentheses", "(", "", ""),
    ("open arithmetic", "$((", "echo ", ""),
    ("open substitutions", "$(", "echo ", ""),
    ("open quoted substitutions", "\"$(", "echo ", ""),
    ("open parameters", "${x:-", "echo ", ""),
    ("open subscripts", "a[", "", ""),
    ("open backslashed backticks", "\\`", "`", "`"),
    ("bangs", "!(", "", ""),
    ("ifs", "if ", "", ""),
    ("cases", "case x in x) ", "", ""),
    ("closed subshells", "((a) );", "", ""),
    ("dollar scripts", "$((a) );", "", ""),
    ("less", "<", "", ""),
    ("arrays with errors", "x=(<\n", "", ""),
    ("nuls", "\0", "", ""),
];
