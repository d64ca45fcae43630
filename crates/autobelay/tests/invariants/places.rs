//! Paths: I21 to I26.

use autobelay::{Gate, Nowhere, Settings, Verdict};

use crate::house;
use crate::samples::{Ledger, verdict};

/// Things done to one path.
const ACTS: [&str; 9] = [
    "rm P",
    "rm -rf P",
    "echo x > P",
    "cat P",
    "sed -i s/a/b/ P",
    "cp a P",
    "mv P /tmp/x",
    "chmod 600 P",
    "tee P",
];

#[test]
fn i21_spellings_of_a_path_are_one_path() {
    let mut ledger = Ledger::default();
    let groups: [&[&str]; 5] = [
        &[
            "src/a",
            "./src/a",
            "src//a",
            "src/./a",
            "src/x/../a",
            "/work/app/src/a",
            "../app/src/a",
            "/work/app/../app/src/a",
            "/work//app/src/a",
        ],
        &[
            "node_modules",
            "./node_modules",
            "node_modules/",
            "src/../node_modules",
            "/work/app/node_modules/.",
        ],
        &[
            "~/.bashrc",
            "/home/me/.bashrc",
            "$HOME/.bashrc",
            "${HOME}/.bashrc",
            "~/x/../.bashrc",
            "~//.bashrc",
            "../../home/me/.bashrc",
            "~me/.bashrc",
        ],
        &[
            "/etc/hosts",
            "//etc/hosts",
            "/etc/./hosts",
            "/etc/x/../hosts",
            "/../etc/hosts",
            "../../etc/hosts",
        ],
        &[
            ".claude/settings.json",
            "./.claude/settings.json",
            ".claude//settings.json",
            "/work/app/.claude/settings.json",
            ".claude/x/../settings.json",
        ],
    ];
    for act in ACTS {
        for group in groups {
            let wanted = verdict(&act.replace('P', group[0]));
            for path in group {
                ledger.exactly(&act.replace('P', path), wanted);
            }
        }
    }
    ledger.close();
}

#[test]
fn i21_a_sibling_with_the_same_beginning_is_outside() {
    let mut ledger = Ledger::default();
    for path in [
        "/work/app-evil/a",
        "/work/app2/a",
        "/work/apps/a",
        "../app-evil/a",
        "/work/app/../app.bak/a",
        "/work/ap/a",
    ] {
        for act in [
            "rm P",
            "echo x > P",
            "sed -i s/a/b/ P",
            "cp a P",
            "mv a P",
            "tee P",
            "touch P",
            "mkdir P",
        ] {
            ledger.never_allows(&act.replace('P', path));
        }
        for tool in ["Write", "write_file", "create"] {
            let input = house::object(&[("file_path", path), ("path", path), ("content", "x")]);
            let found =
                Gate::new(Settings::default()).judge_in(&house::call(tool, input), &Nowhere);
            ledger.note(found.verdict > Verdict::Allow, || {
                format!("{tool} {path} is {}", found.verdict)
            });
        }
    }
    ledger.close();
}

#[test]
fn i22_an_unknown_variable_is_empty_and_anything() {
    let mut ledger = Ledger::default();
    for line in [
        "rm -rf \"$X\"",
        "rm -rf $X/*",
        "rm -rf $X/build",
        "rm -rf ${X}node_modules",
        "rm -rf build$X",
        "rm -rf $X",
        "rm -rf /tmp/$X",
        "echo x > $X/a",
        "mv a $X",
        "cp a \"$X/b\"",
        "rm -rf node_modules $X",
        "rm -rf ./$X",
    ] {
        ledger.never_allows(line);
    }
    ledger.exactly(
        "rm -rf ~/$X",
        verdict("rm -rf ~").max(verdict("rm -rf ~/$X")),
    );
    ledger.close();
}

#[test]
fn i23_a_link_made_in_the_same_line_is_followed() {
    let mut ledger = Ledger::default();
    for line in [
        "ln -s ~/.ssh k; cat k/id_rsa",
        "ln -s ~ h && rm -rf h/x",
        "ln -s /etc e && echo x > e/hosts",
        "ln -sf ~/.bashrc rc && echo x >> rc",
        "ln -s .git g && rm -rf g/objects",
        "ln -s .claude c && echo x > c/settings.json",
        "ln -sfn ~/.aws a; cp a/credentials b",
        "ln ~/.netrc n && cat n",
        "cp -s ~/.ssh/id_rsa k && cat k",
    ] {
        ledger.never_allows(line);
    }
    ledger.close();
}

const PROTECTED: [&str; 14] = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".cursor/mcp.json",
    ".cursor/hooks.json",
    ".mcp.json",
    "opencode.json",
    ".git/hooks/pre-commit",
    ".vscode/tasks.json",
    ".envrc",
    ".husky/pre-push",
    ".belay.toml",
    ".github/workflows/ci.yml",
];

fn swapped(text: &str) -> String {
    text.chars()
        .enumerate()
        .map(|(at, it)| {
            if at % 2 == 0 {
                it.to_ascii_uppercase()
            } else {
                it
            }
        })
        .collect()
}

#[test]
fn i24_protected_names_have_no_case() {
    let mut ledger = Ledger::default();
    let gate = Gate::new(Settings::default());
    for path in PROTECTED.iter().copied().chain([
        "~/.bashrc",
        "~/.ssh/id_rsa",
        "~/.aws/credentials",
        "~/.config/belay/config.toml",
    ]) {
        for spelled in [swapped(path), path.to_ascii_uppercase()] {
            for act in ["echo x > P", "rm P", "cp a P", "cat P", "tee P"] {
                ledger.exactly(
                    &act.replace('P', &spelled),
                    verdict(&act.replace('P', path)),
                );
            }
            let write = |path: &str| {
                let input = house::object(&[("file_path", path), ("content", "x")]);
                gate.judge_in(&house::call("Write", input), &Nowhere)
                    .verdict
            };
            let path = path.replace('~', "/home/me");
            let spelled = spelled.replace('~', "/home/me");
            ledger.note(write(&spelled) == write(&path), || {
                format!("Write {spelled} is {}", write(&spelled))
            });
        }
    }
    ledger.close();
}

#[test]
fn i25_what_is_protected_is_so_in_every_way() {
    let mut ledger = Ledger::default();
    for path in PROTECTED {
        for act in [
            "echo x > P",
            "echo x >> P",
            "tee P",
            "cp a P",
            "mv a P",
            "ln -s a P",
            "ln -sf a P",
            "touch P",
            "sed -i s/a/b/ P",
            "truncate -s 0 P",
            "dd of=P",
            "install a P",
            "rsync a P",
            "curl -s http://localhost:1/ -o P",
            "sort -o P a",
            "cat <<'E' > P\nx\nE",
            "git mv a P",
            "rm -f P && echo x > P",
            "mv P b",
        ] {
            ledger.never_allows(&act.replace('P', path));
        }
    }
    ledger.close();
}

#[test]
fn i25_so_is_every_folder_above_it() {
    let mut ledger = Ledger::default();
    for path in PROTECTED {
        let Some((folder, _)) = path.rsplit_once('/') else {
            continue;
        };
        for act in [
            "cp -r a P",
            "cp a P/",
            "mv a P",
            "mv a P/",
            "ln -s /tmp/a P",
            "ln -sfn a P",
            "rsync -a a/ P/",
            "tar xf a.tar -C P",
            "unzip a.zip -d P",
            "git clone https://github.com/a/b P",
            "git mv a P/",
            "mv P b",
            "rm -rf P",
        ] {
            ledger.never_allows(&act.replace('P', folder));
        }
    }
    ledger.close();
}

#[test]
fn i26_the_folder_is_followed() {
    let mut ledger = Ledger::default();
    for folder in [
        ".claude",
        ".git",
        "~",
        "/",
        "/etc",
        "..",
        "../other",
        "src",
        "/tmp/x",
        "~/.ssh",
        "node_modules",
    ] {
        for act in ["rm -rf P", "echo x > P", "cat P", "cp /tmp/a P", "touch P"] {
            for name in ["settings.json", "id_rsa", "x/y", "hooks"] {
                let there = verdict(&act.replace('P', &format!("{folder}/{name}")));
                let here = act.replace('P', name);
                for line in [
                    format!("cd {folder} && {here}"),
                    format!("cd {folder}; {here}"),
                    format!("(cd {folder} && {here})"),
                    format!("pushd {folder} && {here}"),
                    format!("env -C {folder} {}", here.replace("echo x > ", "tee ")),
                    format!("cd src && cd - && cd {folder} && {here}"),
                ] {
                    let least = if line.starts_with("env") && here.starts_with("echo") {
                        Verdict::Allow
                    } else {
                        there
                    };
                    ledger.at_least(&line, least);
                }
            }
        }
    }
    for line in [
        "cd $X && rm -rf build",
        "cd \"$(cat d)\" && echo x > a",
        "cd $X; touch a",
        "pushd $X && rm -rf dist",
    ] {
        ledger.never_allows(line);
    }
    for line in [
        "(cd /etc && ls); echo x > a",
        "(cd ~); rm -rf node_modules",
        "cd /tmp && cd - && touch a",
        "pushd /etc && popd && touch a",
    ] {
        ledger.exactly(line, Verdict::Allow);
    }
    ledger.close();
}
