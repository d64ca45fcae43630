//! Variables, options and programs named by a path: I14, I17, I20.

use autobelay::Verdict;

use crate::samples::{Ledger, program};

const VARIABLES: [&str; 34] = [
    "PATH=/tmp/bin",
    "LD_PRELOAD=/tmp/x.so",
    "LD_LIBRARY_PATH=/tmp/x",
    "LD_AUDIT=/tmp/x.so",
    "DYLD_INSERT_LIBRARIES=/tmp/x",
    "BASH_ENV=/tmp/x",
    "ENV=/tmp/x",
    "PAGER='sh -c id'",
    "GIT_PAGER='sh -c id'",
    "MANPAGER=/tmp/x",
    "LESSOPEN='|/tmp/x %s'",
    "EDITOR=/tmp/x",
    "VISUAL=/tmp/x",
    "GIT_EDITOR=/tmp/x",
    "GIT_SEQUENCE_EDITOR=/tmp/x",
    "GIT_SSH=/tmp/x",
    "GIT_SSH_COMMAND='sh -c id'",
    "GIT_EXTERNAL_DIFF=/tmp/x",
    "GIT_DIR=/tmp/x",
    "GIT_EXEC_PATH=/tmp/x",
    "GIT_CONFIG_GLOBAL=/tmp/x",
    "GIT_ASKPASS=/tmp/x",
    "NODE_OPTIONS='--require /tmp/x.js'",
    "PYTHONSTARTUP=/tmp/x.py",
    "PYTHONHOME=/tmp/x",
    "PERL5OPT=-Mx",
    "PERL5LIB=/tmp/x",
    "RUBYOPT=-r/tmp/x",
    "JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar",
    "RUSTC_WRAPPER=/tmp/x",
    "CC=/tmp/x",
    "HTTPS_PROXY=http://evil.test:1",
    "ANTHROPIC_BASE_URL=http://evil.test",
    "PROMPT_COMMAND='sh -c id'",
];

#[test]
fn i14_variables_that_steer_programs_are_never_under_allow() {
    let mut ledger = Ledger::default();
    for set in VARIABLES {
        for line in [
            format!("{set} git log"),
            format!("export {set}"),
            format!("export {set}; git log"),
            format!("declare -x {set}; git log"),
            format!("typeset -x {set}; git log"),
            format!("env {set} git log"),
            format!("set -a; {set}; git log"),
            format!("{set}; export {}; git log", set.split('=').next().unwrap()),
            format!("bash -c \"{} git log\"", set.replace('"', "\\\"")),
        ] {
            ledger.never_allows(&line);
        }
    }
    ledger.close();
}

#[test]
fn i14_harmless_values_are_allowed() {
    let mut ledger = Ledger::default();
    for line in [
        "PAGER=cat git log",
        "GIT_PAGER=cat git log",
        "NODE_OPTIONS=--max-old-space-size=4096 npm run build",
        "CI=1 npm test",
        "export NODE_ENV=test; npm test",
        "env FOO=1 ls",
        "GIT_EDITOR=true git rebase --continue",
        "PYTHONPATH=. pytest",
        "RUST_BACKTRACE=1 cargo test",
        "GOOS=linux go build ./...",
        "LC_ALL=C sort a",
        "TZ=UTC date",
    ] {
        ledger.exactly(line, Verdict::Allow);
    }
    ledger.close();
}

#[test]
fn i17_options_are_read_as_the_program_reads_them() {
    let mut ledger = Ledger::default();
    for line in [
        "rm -rf ~",
        "rm -fr ~",
        "rm -r -f ~",
        "rm -Rf ~",
        "rm --recursive --force ~",
        "rm --rec --forc ~",
        "rm -rf -- ~",
        "rm ~ -rf",
        "rm -vrf ~",
        "git push --force origin main",
        "git push -f origin main",
        "git push -uf origin main",
        "git push origin main -f",
        "git push origin +main",
        "git -C . push -f origin main",
        "git push -vf origin main",
        "sort -o ~/.bashrc a",
        "sort -o/home/me/.bashrc a",
        "sort --output=/home/me/.bashrc a",
        "sort --out=/home/me/.bashrc a",
        "sort a -o ~/.bashrc",
        "sort -uo ~/.bashrc a",
        "docker run --privileged x",
        "docker run --privileged=true x",
        "docker run -it --privileged x",
    ] {
        ledger.exactly(line, Verdict::Deny);
    }
    for name in [
        "ls",
        "cat",
        "head",
        "tail",
        "grep",
        "wc",
        "sort",
        "uniq",
        "cut",
        "tr",
        "rm",
        "cp",
        "mv",
        "mkdir",
        "touch",
        "chmod",
        "find",
        "sed -n p",
        "git status",
        "git log",
        "git diff",
        "git add",
        "git commit -m x",
        "git push",
        "jq .",
        "rg x",
        "diff a b",
        "stat",
        "du",
        "df",
        "ps",
        "date",
        "tar -t",
        "curl",
        "tee",
        "nl",
        "xxd",
        "file",
        "basename",
        "realpath",
        "mktemp",
        "npm ls",
        "pip list",
        "go build",
        "cargo build",
        "docker ps",
        "gh pr list",
    ] {
        ledger.never_allows(&format!("{name} --frobnicate-all a"));
        ledger.never_allows(&format!("{name} --frobnicate-all=x a"));
    }
    ledger.close();
}

#[test]
fn i20_a_program_named_by_a_path_is_that_path() {
    let mut ledger = Ledger::default();
    for (at, sample) in program(7).enumerate() {
        let folder = [
            "/tmp/",
            "/home/me/Downloads/",
            "~/x/",
            "/var/tmp/",
            "/dev/shm/",
        ][at % 5];
        ledger.never_allows(&format!("{folder}{}", sample.line));
    }
    ledger.close();
}

#[test]
fn i20_a_program_in_a_system_folder_is_the_known_one() {
    let mut ledger = Ledger::default();
    for (at, sample) in program(7).enumerate() {
        let folder = ["/usr/bin/", "/bin/"][at % 2];
        ledger.at_least(&format!("{folder}{}", sample.line), sample.verdict);
    }
    for line in [
        "/bin/ls -la",
        "/usr/bin/git status",
        "/usr/bin/env ls",
        "/bin/cat a",
    ] {
        ledger.exactly(line, Verdict::Allow);
    }
    ledger.close();
}
