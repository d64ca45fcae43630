//! What a call would lose is kept before it runs, and `belay undo` gives it back: with the built binary and real git.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

mod stand;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use stand::Stand;

/// What stands at every path: kind, mode and contents.
type Tree = BTreeMap<Vec<u8>, String>;

impl Stand {
    /// Makes a repository with two commits, a changed file, a staged file, an untracked one and an ignored one.
    fn new() -> Self {
        let play = Self::empty();
        // A build for tests on a busy machine is slow.
        play.settings("[undo]\nmax_ms = 10000\n");
        play.sh("git init -q -b main . && git config user.name me && git config user.email me@example.test");
        play.sh("mkdir src && echo one > src/a && echo two > src/b && printf '*.db\\ntarget/\\n' > .gitignore");
        play.sh("git add . && git commit -qm first && echo three > src/c && git add . && git commit -qm second");
        play.sh("git branch topic && git switch -q topic && echo t > src/t && git add . && git commit -qm topical && git switch -q main");
        play
    }

    /// Makes the same with work in it that no commit holds.
    fn busy() -> Self {
        let play = Self::new();
        play.sh("echo changed >> src/a && echo staged > src/s && git add src/s && echo again >> src/s && rm src/b");
        play.sh("echo notes > notes.md && mkdir -p draft/deep && echo d > draft/deep/x && echo base > my.db");
        play
    }

    fn asked_to_run(&self, command: &str) -> (String, String) {
        self.asked("Bash", json!({ "command": command }))
    }

    /// Lets the hook keep what a command loses, runs the command, and returns the name of the keep.
    fn lose(&self, command: &str) -> String {
        let (decision, reason) = self.asked_to_run(command);
        assert_eq!(decision, "allow", "{command}: {reason}");
        let id = kept_as(&reason);
        self.sh(command);
        id
    }

    /// Loses something and gives it back: everything is as it was.
    fn lost_and_found(&self, command: &str) {
        let before = (self.tree(), self.git());
        let id = self.lose(command);
        assert_ne!(before, (self.tree(), self.git()), "{command} loses nothing");
        let (code, said) = self.belay(&["undo", &id], "");
        assert_eq!(code, 0, "{command}: {said}");
        assert_eq!(self.tree(), before.0, "{command}: {said}");
        assert_eq!(self.git(), before.1, "{command}: {said}");
    }

    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        walk(&self.app(), &self.app(), &mut tree);
        tree
    }

    /// What git says of references, index and stashes.
    fn git(&self) -> String {
        self.sh("git rev-parse HEAD; git symbolic-ref HEAD; git for-each-ref; git ls-files -s; git status --porcelain; git stash list; git fsck --connectivity-only 2>&1 | grep -v dangling || true")
    }
}

fn kept_as(reason: &str) -> String {
    let (_, id) = reason.rsplit_once("belay undo ").expect(reason);
    id.trim().to_owned()
}

fn walk(top: &Path, folder: &Path, tree: &mut Tree) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let seen = path.symlink_metadata().unwrap();
        let name = path
            .strip_prefix(top)
            .unwrap()
            .as_os_str()
            .as_bytes()
            .to_vec();
        if name == b".git" {
            continue;
        }
        let mode = seen.permissions().mode() & 0o777;
        let what = if seen.is_symlink() {
            format!("link {}", path.read_link().unwrap().display())
        } else if seen.is_dir() {
            walk(top, &path, tree);
            format!("folder {mode:o}")
        } else if seen.file_type().is_fifo() {
            format!("pipe {mode:o}")
        } else if seen.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            format!("file {mode:o} {bytes:?}")
        } else {
            continue;
        };
        tree.insert(name, what);
    }
}

#[test]
fn files_come_back() {
    for command in [
        "rm notes.md",
        "rm -rf draft",
        "rm -rf draft notes.md",
        "rm *.md",
        "find . -name '*.md' -delete",
        "echo x > notes.md",
        "cp src/a notes.md",
        "mv src/a notes.md",
        "mv notes.md b && rm b",
        "truncate -s0 notes.md",
        "install src/a notes.md",
        "ln -sf src/a notes.md",
        "ln -f src/a notes.md",
        "cd draft && rm -rf deep",
        "rm -r src",
        "for f in notes.md draft/deep/x; do rm $f; done",
        "if test -f notes.md; then rm notes.md; fi",
    ] {
        Stand::busy().lost_and_found(command);
    }
}

/// Both names of a file mean it before and after; another file that takes its place is left alone.
#[test]
fn a_file_with_two_names_comes_back_under_both() {
    let play = Stand::busy();
    play.sh("ln notes.md twin");
    play.lost_and_found("echo x > notes.md");
    play.sh("test notes.md -ef twin");
    play.lost_and_found("ln -f src/a notes.md");
    play.sh("test ! notes.md -ef src/a");
}

#[test]
fn what_git_discards_comes_back() {
    for command in [
        "git reset --hard",
        "git reset --hard HEAD~1",
        "git reset --hard topic",
        "git checkout -- .",
        "git checkout -- src/a",
        "git checkout HEAD src",
        "git checkout topic -- src",
        "git restore src/a",
        "git restore -SW .",
        "git restore --source=HEAD~1 -SW .",
        "git checkout -f topic",
        "git switch -f topic",
        "git -C src reset --hard",
        "cd src && git checkout -- .",
        "git clean -fd",
        "git clean -fdx",
        "git clean -fX",
        "git rm -rqf src",
        "rm my.db",
    ] {
        Stand::busy().lost_and_found(command);
    }
}

#[test]
fn commits_that_a_reset_leaves_come_back_even_after_git_forgot_them() {
    for command in [
        "git reset -q --hard HEAD~1",
        "git reset --hard topic",
        "git reset -q --keep HEAD~1",
    ] {
        let play = Stand::new();
        play.sh("echo more >> src/a && git commit -qam third && git gc -q");
        let (tree, git) = (play.tree(), play.git());
        let id = play.lose(command);
        play.sh("git reflog expire --expire=now --all && git gc -q --prune=now");
        assert_ne!(play.git(), git, "{command}");
        assert_eq!(play.belay(&["undo", &id], "").0, 0);
        play.sh("git fsck --strict && git show HEAD");
        assert_eq!(
            (play.git(), play.tree().len()),
            (git, tree.len()),
            "{command}"
        );
    }
    // What something else holds is nobody's loss.
    let play = Stand::new();
    play.sh("git branch other");
    let (verdict, reason) = play.asked_to_run("git reset -q --hard HEAD~1");
    assert_eq!(verdict, "allow");
    assert!(!reason.contains("kept as"), "{reason}");
}

#[test]
fn files_in_the_way_of_a_reset_come_back() {
    let play = Stand::busy();
    play.sh("mkdir src/t && echo mine > src/t/x && git rm -q --cached src/c && echo other > src/c");
    play.lost_and_found("git reset --hard topic");
}

#[test]
fn stashes_branches_and_tags_come_back_even_after_git_forgot_them() {
    for (before, command) in [
        (
            "git stash -qu && echo 2 > more && git stash -qu",
            "git stash drop",
        ),
        (
            "git stash -qu && echo 2 > more && git stash -qu",
            "git stash drop stash@{1}",
        ),
        (
            "git stash -qu && echo 2 > more && git stash -qu",
            "git stash clear",
        ),
        ("true", "git branch -D topic"),
        ("git gc -q --prune=now", "git branch -D topic"),
        (
            "git tag -am told v1 topic && git branch -qD topic",
            "git tag -d v1",
        ),
        (
            "git tag light topic && git branch -qD topic && git pack-refs --all",
            "git tag -d light",
        ),
    ] {
        let play = Stand::busy();
        play.sh(before);
        let was = (play.tree(), play.git());
        let id = play.lose(command);
        play.sh("git -c gc.reflogExpire=now reflog expire --expire=now --expire-unreachable=now HEAD refs/heads/main && git gc -q --prune=now");
        assert_ne!(was.1, play.git(), "{command}");
        let (code, said) = play.belay(&["undo", &id], "");
        assert_eq!(code, 0, "{command}: {said}");
        assert_eq!(
            was,
            (play.tree(), play.git()),
            "{before}; {command}: {said}"
        );
        play.sh("git fsck --full --strict 2>&1 | grep -v '^dangling' | grep . && exit 1 || exit 0");
    }
}

#[test]
fn what_git_would_do_must_be_known() {
    for command in [
        "git reset --hard @{-1}",
        "git checkout -f -",
        "git reset --hard nowhere",
        "git add -A && git reset --hard",
        "git stash pop && git reset --hard",
        "git fetch && git reset --hard origin/main",
        "git clean -fd :/",
        "git -C \"$X\" reset --hard",
    ] {
        let (decision, reason) = Stand::busy().asked_to_run(command);
        assert_ne!(decision, "allow", "{command}: {reason}");
    }
    let play = Stand::busy();
    play.sh("git init -q --ref-format=reftable tabled && cd tabled && git config user.name me && git config user.email me@x.test && echo 1 > a && git add a && git commit -qm 1 && echo 2 > a");
    let (decision, reason) = play.asked_to_run("git -C tabled reset --hard");
    assert_ne!(decision, "allow", "{reason}");
}

#[test]
fn whole_file_replacements_by_tools_come_back() {
    let play = Stand::busy();
    let before = play.tree();
    let input = json!({ "file_path": play.app().join("notes.md"), "content": "other" });
    let (decision, reason) = play.asked("Write", input);
    assert_eq!(decision, "allow", "{reason}");
    play.sh("printf other > notes.md");
    let id = kept_as(&reason);
    assert_eq!(play.belay(&["undo", &id], "").0, 0);
    assert_eq!(play.tree(), before);
}

#[test]
fn what_may_come_later_or_is_not_all_known_is_asked() {
    for command in [
        "sleep 3; rm notes.md",
        "npm test && rm notes.md",
        "(sleep 1; rm notes.md) &",
        "rm notes.md &",
        "while true; do rm notes.md; done",
        "f() { rm notes.md; }; f",
        "bash -c 'sleep 9; rm notes.md'",
        "true; npm test; bash -c 'rm notes.md'",
        "rm my.db; npm test; bash -c 'rm notes.md'",
        "timeout 5 rm notes.md",
        "rm \"$X\"",
        "ln -s draft d && rm -rf d/deep",
        "ln -sf draft notes.md && rm -rf notes.md/deep",
        "git stash -u && git stash drop",
        "python3 -c \"import os; os.remove('notes.md')\"",
        "rm notes.md; curl https://example.test/x",
        "rm notes.md ~/elsewhere",
        "cat <(rm notes.md)",
        "find . -name '*.md' -exec sleep 9 ; -delete",
        "find . -name '*.md' -exec sh -c 'sleep 9; rm notes.md' ;",
        "GIT_DIR=../x/.git git reset --hard",
        "GIT_WORK_TREE=..; git reset --hard",
        "cat pipe; rm notes.md",
        "cat <<E > notes.md\n$(sleep 9)\nE",
        "cat $(sleep 9) > notes.md && rm my.db",
        "{ sleep 9; } > a; rm notes.md",
    ] {
        let play = Stand::busy();
        play.sh("mkfifo pipe");
        let (decision, reason) = play.asked_to_run(command);
        assert_ne!(decision, "allow", "{command}: {reason}");
        assert!(!reason.contains("kept as"), "{command}: {reason}");
        assert!(
            !play.home.path().join(".local/state/belay/undo").exists(),
            "{command}"
        );
    }
}

#[test]
fn what_comes_after_the_loss_may_take_its_time() {
    for command in [
        "rm notes.md; sleep 0",
        "sleep 0 > notes.md",
        "rm -rf draft && make -v",
    ] {
        let (decision, reason) = Stand::busy().asked_to_run(command);
        assert_eq!(decision, "allow", "{command}: {reason}");
        assert!(reason.contains("kept as"), "{command}: {reason}");
    }
}

#[test]
fn secrets_are_never_copied() {
    let play = Stand::new();
    play.sh("mkdir conf && echo KEY=1 > conf/.env && echo x > conf/x");
    let (decision, reason) = play.asked_to_run("rm -rf conf");
    assert_ne!(decision, "allow", "{reason}");
    assert!(reason.contains("secrets"), "{reason}");
    play.sh("mkdir .claude && echo '{}' > .claude/settings.json && echo x > settings.json");
    for command in [
        "find . -name 'settings*.json' -delete",
        "find . -name HEAD -delete",
        "rm -rf */settings.json .c*/settings.json",
    ] {
        let (decision, reason) = play.asked_to_run(command);
        assert_ne!(decision, "allow", "{command}: {reason}");
    }
}

#[test]
fn odd_names_links_pipes_and_holes_come_back() {
    let play = Stand::new();
    play.sh("mkdir odd && cd odd && printf x > \"$(printf 'a\\nb')\" && printf y > \"$(printf '\\377')\" && printf z > 'c \"%41'");
    play.sh("cd odd && ln -s /etc/passwd out && ln -s nowhere gone && mkfifo pipe && truncate -s 3M hole && printf end >> hole");
    play.sh("cd odd && mkdir closed && echo 1 > closed/f && chmod 555 closed && touch -d '2 days ago' closed/f && mkdir empty && chmod 4755 'c \"%41'");
    let before = play.tree();
    let time = |it: &Stand| it.app().join("odd/closed/f").metadata().unwrap().mtime();
    let old = time(&play);
    let id = play.lose("rm -rf odd");
    assert_eq!(play.belay(&["undo", &id], "").0, 0);
    assert_eq!(play.tree(), before);
    assert_eq!(time(&play), old);
    let hole = play.app().join("odd/hole").metadata().unwrap();
    assert!(hole.blocks() * 512 < hole.len(), "the hole is a hole again");
    let set = play.app().join("odd/c \"%41").metadata().unwrap();
    assert_eq!(set.mode() & 0o7000, 0, "nothing runs with other rights");
    play.sh("chmod -R u+w odd");
}

/// What came from outside is still from outside when it is given back.
#[test]
fn where_a_file_came_from_comes_back_with_it() {
    let play = Stand::busy();
    play.asked_to_run("curl -so draft/x.sh https://example.test/x.sh");
    let call = json!({
        "session_id": "s1", "hook_event_name": "PostToolUse", "cwd": play.app(), "permission_mode": "default", "tool_name": "Bash",
        "tool_input": { "command": "curl -so draft/x.sh https://example.test/x.sh" }, "tool_response": { "stdout": "" }, "tool_use_id": "t1",
    });
    play.sh("echo 'echo hello' > draft/x.sh");
    let home = play.home.path().to_str().unwrap();
    play.belay(&["hook", "claude-code", "--home", home], &call.to_string());
    let before = play.asked_to_run("sh draft/x.sh");
    assert_ne!(before.0, "allow", "{before:?}");
    play.lost_and_found("rm -rf draft");
    assert_eq!(play.asked_to_run("sh draft/x.sh").0, before.0);
    let (_, stats) = play.belay(&["stats"], "");
    assert!(
        stats.contains("for 1 of the allowed calls belay kept"),
        "{stats}"
    );
}

#[test]
fn nothing_newer_is_lost_by_an_undo() {
    let play = Stand::busy();
    let id = play.lose("rm notes.md");
    play.sh("echo newer > notes.md");
    let newer = play.tree();
    let (code, said) = play.belay(&["undo", &id], "");
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        std::fs::read_to_string(play.app().join("notes.md")).unwrap(),
        "notes\n"
    );
    assert_eq!(play.belay(&["undo", &kept_as(&said)], "").0, 0);
    assert_eq!(play.tree(), newer);
}

#[test]
fn no_link_leads_out_of_the_project() {
    let play = Stand::busy();
    let id = play.lose("rm -rf draft");
    play.sh("mkdir ../other && ln -s ../other draft");
    let (_, said) = play.belay(&["undo", &id], "");
    assert!(
        std::fs::read_dir(play.home.path().join("other"))
            .unwrap()
            .next()
            .is_none(),
        "{said}"
    );
    assert!(play.app().join("draft/deep/x").is_file(), "{said}");
    assert!(!play.app().join("draft").is_symlink());
}

#[test]
fn it_is_listed_shown_and_restored_in_part_and_elsewhere() {
    let play = Stand::busy();
    assert_eq!(play.belay(&["undo", "--list"], "").1, "nothing is kept\n");
    let id = play.lose("rm -rf draft notes.md");
    let (_, list) = play.belay(&["undo", "--list"], "");
    assert!(
        list.contains(&id) && list.contains("rm -rf draft notes.md"),
        "{list}"
    );
    let (_, list) = play.belay(&["undo", "--list", "--json"], "");
    let head: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(
        (head["session"].as_str(), head["call"].as_str()),
        (Some("s1"), Some("t1"))
    );
    let gone = play.tree();
    let (_, shown) = play.belay(&["undo", "--last", "--dry-run"], "");
    assert!(shown.contains("notes.md: would be restored"), "{shown}");
    assert_eq!(play.tree(), gone, "a dry run does nothing");
    let into = play.home.path().join("elsewhere");
    assert_eq!(
        play.belay(&["undo", &id, "--into", into.to_str().unwrap()], "")
            .0,
        0
    );
    assert!(into.join("draft/deep/x").is_file());
    assert_eq!(play.tree(), gone);
    assert_eq!(play.belay(&["undo", &id, "draft/deep"], "").0, 0);
    assert!(play.app().join("draft/deep/x").is_file() && !play.app().join("notes.md").exists());
    assert_eq!(play.belay(&["undo", &id, "nothing"], "").0, 1);
    assert_eq!(play.belay(&["undo", "abc123"], "").0, 1);
    assert_eq!(play.belay(&["undo", "../../x"], "").0, 1);
    assert_eq!(play.belay(&["undo"], "").0, 64);
    assert_eq!(play.belay(&["undo", "--list", &id], "").0, 64);
}

#[test]
fn an_agent_cannot_run_it() {
    let play = Stand::busy();
    let id = play.lose("rm notes.md");
    for command in [
        format!("belay undo {id}"),
        "rm -rf ~/.local/state/belay/undo".to_owned(),
    ] {
        let (decision, reason) = play.asked_to_run(&command);
        assert_eq!(decision, "deny", "{command}: {reason}");
    }
    assert_eq!(play.asked_to_run("belay undo --list").0, "allow");
}

#[test]
fn over_the_limits_a_person_is_asked() {
    let play = Stand::new();
    play.sh("mkdir many && for i in 1 2 3 4 5 6; do echo $i > many/$i; done");
    for (text, why) in [
        ("[undo]\nmax_files = 3\n", "too many to keep"),
        ("[undo]\nmax_bytes = 3\n", "too much to keep"),
        ("[undo]\nmax_total_bytes = 3\n", "is full"),
        ("[undo]\nmax_ms = 0\n", "too long"),
        ("[undo]\nkeep = false\n", "saved nowhere else"),
    ] {
        play.settings(text);
        let (decision, reason) = play.asked_to_run("rm -rf many");
        assert!(
            decision != "allow" && reason.contains(why),
            "{text}: {reason}"
        );
    }
    play.settings("mode = \"observe\"\n");
    let call = json!({ "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": play.app(), "tool_name": "Bash", "tool_input": { "command": "rm -rf many" } });
    play.belay(
        &[
            "hook",
            "claude-code",
            "--home",
            play.home.path().to_str().unwrap(),
        ],
        &call.to_string(),
    );
    let store = play.home.path().join(".local/state/belay/undo");
    let kept = std::fs::read_dir(store).map_or(0, |it| {
        it.filter(|it| {
            !it.as_ref()
                .unwrap()
                .file_name()
                .to_string_lossy()
                .starts_with('.')
        })
        .count()
    });
    assert_eq!(kept, 0, "who only watches keeps nothing");
}

/// A process that is killed at any moment leaves either all of it or nothing.
#[test]
fn a_killed_hook_leaves_nothing_that_looks_whole() {
    let play = Stand::new();
    play.sh("mkdir many && for i in $(seq 400); do echo $i > many/$i; done && head -c 3000000 /dev/urandom > many/large");
    let before = play.tree();
    let call = json!({
        "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": play.app(),
        "tool_name": "Bash", "tool_input": { "command": "rm -rf many" }, "tool_use_id": "t1",
    });
    let home = play.home.path().to_str().unwrap().to_owned();
    let start = std::time::Instant::now();
    play.belay(&["hook", "claude-code", "--home", &home], &call.to_string());
    let usual = start.elapsed();
    let mut whole = 0;
    // A machine that is busy by now takes longer than it did: then more rounds wait longer.
    let kept = || {
        play.belay(&["undo", "--list", "--json"], "")
            .1
            .lines()
            .count()
    };
    let mut round = 0_u32;
    while round < 60 || round < 300 && kept() < 2 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
            .args(["hook", "claude-code", "--home", &home])
            .current_dir(play.app())
            .env_clear()
            .env("HOME", &home)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(call.to_string().as_bytes())
            .unwrap();
        std::thread::sleep(usual * round / 40);
        let _ = child.kill();
        child.wait().unwrap();
        round += 1;
    }
    let (_, list) = play.belay(&["undo", "--list", "--json"], "");
    for line in list.lines() {
        let head: Value = serde_json::from_str(line).unwrap();
        let into = play.home.path().join("into");
        let id = head["id"].as_str().unwrap();
        let (code, said) = play.belay(&["undo", id, "--into", into.to_str().unwrap()], "");
        assert_eq!(code, 0, "{said}");
        let mut found = Tree::new();
        walk(&into, &into, &mut found);
        let wanted: Tree = before
            .clone()
            .into_iter()
            .filter(|(name, _)| name.starts_with(b"many"))
            .collect();
        assert_eq!(found, wanted);
        std::fs::remove_dir_all(&into).unwrap();
        whole += 1;
    }
    assert!(
        whole > 1 && whole <= round,
        "{whole} of {} were kept",
        round + 1
    );
}

/// Where nothing can be written, nothing is allowed.
#[test]
fn a_full_disk_is_asked_about() {
    let play = Stand::new();
    play.sh("mkdir d && head -c 3000000 /dev/urandom > d/large");
    let call = json!({
        "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": play.app(),
        "tool_name": "Bash", "tool_input": { "command": "rm -rf d" }, "tool_use_id": "t1",
    });
    std::fs::write(play.home.path().join("call"), call.to_string()).unwrap();
    let belay = env!("CARGO_BIN_EXE_belay");
    let home = play.home.path().display();
    let said = play.sh(&format!(
        "ulimit -f 2000; '{belay}' hook claude-code --home '{home}' < '{home}/call'"
    ));
    assert!(
        said.contains("\"ask\"") && said.contains("cannot be kept first"),
        "{said}"
    );
    assert_eq!(play.belay(&["undo", "--list"], "").1, "nothing is kept\n");
}

#[test]
fn a_check_says_the_same_and_keeps_nothing() {
    let play = Stand::busy();
    let (code, said) = play.belay(&["check", "--", "rm notes.md"], "");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("would be kept first"), "{said}");
    assert!(!play.home.path().join(".local/state/belay/undo").exists());
}
