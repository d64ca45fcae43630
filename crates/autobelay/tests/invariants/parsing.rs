//! Lines that cannot be read, words that are not known, code inside words: I8, I9, I11, I12.

use autobelay::Verdict;

use crate::samples::{Ledger, plain, simple};

/// Endings that no shell accepts.
const BROKEN: [&str; 14] = [
    " '", " \"", " $(", " `", " )", " &&", " |", " ;; ls", "; fi", "; done", "; esac", "; }", " <",
    " $((",
];

#[test]
fn i8_what_no_shell_accepts_is_not_allowed() {
    let mut ledger = Ledger::default();
    for (at, ending) in BROKEN.iter().enumerate() {
        for sample in plain(17).skip(at) {
            ledger.never_allows(&format!("{}{ending}", sample.line));
            // A shell reads line by line: what stands on the lines before has run.
            let before = format!("{}\necho{ending}", sample.line);
            ledger.at_least(&before, sample.verdict.max(Verdict::Ask));
        }
    }
    for (at, opening) in [
        "if ",
        "{ ",
        "( ",
        "while ",
        "for i in a; do ",
        "case x in a) ",
    ]
    .iter()
    .enumerate()
    {
        for sample in plain(17).skip(at) {
            ledger.never_allows(&format!("{opening}{}", sample.line));
        }
    }
    ledger.close();
}

#[test]
fn i9_characters_that_cannot_be_seen_are_not_allowed() {
    let mut ledger = Ledger::default();
    let hidden = [
        '\u{a0}',
        '\u{200b}',
        '\u{202e}',
        '\u{2028}',
        '\u{2060}',
        '\u{feff}',
        '\u{e0020}',
        '\u{3000}',
        '\u{1b}',
        '\u{8}',
        '\u{b}',
    ];
    for (at, hidden) in hidden.iter().enumerate() {
        for sample in simple(31).skip(at) {
            ledger.never_allows(&format!("{} {hidden}", sample.line));
            ledger.never_allows(&format!("{hidden}{}", sample.line));
        }
    }
    ledger.close();
}

/// Places inside a line where another line runs.
const INSIDE: [(&str, &str); 20] = [
    ("echo $(", ")"),
    ("echo \"$(", ")\""),
    ("cat <(", ")"),
    ("ls > >(", ")"),
    ("echo ${v:-$(", ")}"),
    ("echo \"${v:=$(", ")}\""),
    ("echo ${v:+$(", ")}"),
    ("A=$(", ") true"),
    ("A=$(", ")"),
    ("export A=$(", ")"),
    ("a=( $(", ") )"),
    ("for i in $(", "); do :; done"),
    ("[[ -n $(", ") ]]"),
    ("[ -n \"$(", ")\" ]"),
    ("case $(", ") in a) ;; esac"),
    ("ls > /tmp/$(", ")"),
    ("cat <<EOF\n$(", ")\nEOF"),
    ("cat <<< $(", ")"),
    ("echo $(( a[$(", ")] ))"),
    ("echo \"$(echo \"$(", ")\")\""),
];

#[test]
fn i11_what_runs_inside_a_word_is_judged_as_a_line() {
    let mut ledger = Ledger::default();
    for (at, (before, after)) in INSIDE.iter().enumerate() {
        for sample in plain(13).skip(at % 13) {
            ledger.at_least(&format!("{before}{}{after}", sample.line), sample.verdict);
        }
    }
    for sample in plain(13).filter(|it| !it.line.contains(['`', '\\', '"', '$'])) {
        ledger.at_least(&format!("echo `{}`", sample.line), sample.verdict);
        ledger.at_least(
            &format!("cat <<EOF\n`{}`\nEOF", sample.line),
            sample.verdict,
        );
    }
    ledger.close();
}

#[test]
fn i12_a_word_that_is_not_known_is_never_where_it_counts() {
    let mut ledger = Ledger::default();
    for unknown in [
        "$X", "\"$X\"", "${X}", "$(cat x)", "`cat x`", "${!x}", "${x@P}", "$1", "${a[0]}",
    ] {
        for line in [
            "? -la",
            "rm ?",
            "rm -rf ?",
            "rm -rf ?/build",
            "echo x > ?",
            "echo x > ?/a",
            "mv ? b",
            "cp a ?",
            "curl ?",
            "git ?",
            "git push ?",
            "ssh ? ls",
            "bash ?",
            "python3 ?",
            "find . ?",
            "chmod +x ?",
            "tee ?",
            "dd of=?",
            "kill ?",
            "npm install ?",
            "tar -xf a.tar -C ?",
            "ln -s a ?",
            "sed -i s/a/b/ ?",
            "env ? ls",
            "xargs ?",
            "eval ?",
            "bash -c ?",
            "source ?",
            "docker run ?",
        ] {
            ledger.never_allows(&line.replace('?', unknown));
        }
    }
    ledger.close();
}
