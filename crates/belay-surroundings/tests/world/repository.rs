//! What deleting, restoring, cleaning would lose; branches, remotes, working trees.

use belay_model::Question;

use crate::sandbox::Sandbox;

#[test]
fn a_clean_tracked_file_is_kept() {
    Sandbox::new().standing("a", "kept")
}
#[test]
fn a_clean_tracked_folder_is_kept() {
    Sandbox::new().standing("d", "kept")
}
#[test]
fn a_changed_file_is_lost() {
    Sandbox::new()
        .sh("echo x >> a")
        .standing("a", "lost 1 changed files: a")
}
#[test]
fn a_file_changed_in_the_same_moment_is_lost() {
    Sandbox::new()
        .sh("echo 111 > a; git add a; echo 222 > a")
        .standing("a", "lost 1 changed files: a")
}
#[test]
fn a_file_changed_with_its_times_put_back_is_lost() {
    Sandbox::new()
        .sh("sleep 0.05; touch -r a ../t; echo eno > a; touch -r ../t a")
        .standing("a", "lost 1 changed files: a")
}
#[test]
fn a_touched_file_is_kept() {
    Sandbox::new()
        .sh("sleep 0.05; touch a")
        .standing("a", "kept")
}
#[test]
fn other_ends_of_lines_are_kept() {
    let sandbox = Sandbox::new().sh("git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > t; git add t 2> /dev/null; git commit -qm t; touch -d '1 hour ago' t");
    sandbox.standing("t", "kept");
    let sandbox = sandbox.sh("printf 'a\\r\\nc\\r\\n' > t");
    sandbox.standing("t", "lost 1 changed files: t");
}
#[test]
fn a_large_file_kept_by_its_pointer_is_kept() {
    let sandbox = Sandbox::new().sh("printf large > big; blob=$(printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize 5\\n' $(sha256sum big | cut -d' ' -f1) | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$blob,big; git commit -qm big");
    sandbox.standing("big", "kept");
    let sandbox = sandbox.sh("printf other > big");
    sandbox.standing("big", "lost 1 changed files: big");
}
#[test]
fn a_loss_is_not_counted_to_its_end() {
    let sandbox = Sandbox::new().sh(
        "mkdir many; for d in 1 2 3; do mkdir many/$d; (cd many/$d; seq 900 | xargs touch); done",
    );
    let answer = sandbox.ask(Question::Standing, "many");
    assert!(answer.contains("or more untracked files"), "{answer}");
}
#[test]
fn a_copied_repository_is_kept() {
    Sandbox::new().sh("cp -r . ../c").standing("../c/d", "kept")
}
#[test]
fn an_untracked_file_is_lost() {
    Sandbox::new()
        .sh("echo x > notes.md")
        .standing("notes.md", "lost 1 untracked files: notes.md")
}
#[test]
fn an_untracked_file_in_a_folder_is_lost() {
    Sandbox::new()
        .sh("echo x > d/n")
        .standing("d", "lost 1 untracked files: d/n")
}
#[test]
fn both_kinds_of_loss_are_named() {
    Sandbox::new()
        .sh("echo x > d/n; touch -d '1 hour ago' d/n; echo y > d/b")
        .standing("d", "lost 2 untracked or changed files: d/b d/n")
}
#[test]
fn an_ignored_file_is_ignored() {
    Sandbox::new().sh("touch x.o").standing("x.o", "ignored")
}
#[test]
fn an_ignored_folder_is_ignored() {
    Sandbox::new()
        .sh("mkdir -p out/x; touch out/x/y")
        .standing("out", "ignored")
}
#[test]
fn inside_an_ignored_folder_is_ignored() {
    Sandbox::new()
        .sh("mkdir -p out/x; touch out/x/y")
        .standing("out/x", "ignored")
}
#[test]
fn a_tracked_file_in_an_ignored_folder_counts() {
    Sandbox::new()
        .sh("mkdir out; echo 1 > out/k; git add -f out/k; echo 2 >> out/k; touch out/i")
        .standing("out", "lost 1 changed files: out/k")
}
#[test]
fn a_missing_path_is_absent() {
    Sandbox::new().standing("gone/x", "absent")
}
#[test]
fn an_empty_folder_is_kept() {
    Sandbox::new().sh("mkdir e").standing("e", "kept")
}
#[test]
fn a_link_is_itself() {
    Sandbox::new()
        .sh("ln -s d l")
        .standing("l", "lost 1 untracked files: l")
}
#[test]
fn a_tracked_link_is_kept() {
    Sandbox::new()
        .sh("ln -s nowhere l; git add l")
        .standing("l", "kept")
}
#[test]
fn a_changed_link_is_lost() {
    Sandbox::new()
        .sh("ln -s x l; git add l; ln -sfn y l")
        .standing("l", "lost 1 changed files: l")
}
#[test]
fn a_path_through_a_link_is_where_it_leads() {
    Sandbox::new()
        .sh("ln -s d l; echo x >> d/b")
        .standing("l/b", "lost 1 changed files: d/b")
}
#[test]
fn a_staged_file_is_kept() {
    Sandbox::new()
        .sh("echo x > s; git add s")
        .standing("s", "kept")
}
#[test]
fn a_file_meant_to_be_added_is_lost() {
    Sandbox::new()
        .sh("echo x > s; git add -N s")
        .standing("s", "lost 1 changed files: s")
}
#[test]
fn a_conflict_is_lost() {
    let sandbox = Sandbox::new().sh("git checkout -qb t; echo t > a; git commit -qam t; git checkout -q main; echo m > a; git commit -qam m; git merge t || true");
    sandbox.standing("a", "lost 1 changed files: a");
}
#[test]
fn the_whole_repository_is_lost() {
    Sandbox::new().standing(".", "lost 1 repositories: .git")
}
#[test]
fn outside_any_repository_is_unknown() {
    Sandbox::new()
        .sh("echo x > ../f")
        .standing("../f", "unknown")
}
#[test]
fn inside_the_repository_folder_is_unknown() {
    Sandbox::new().standing(".git/HEAD", "unknown")
}

#[test]
fn version_4_is_read() {
    Sandbox::new()
        .sh("git update-index --index-version 4; echo x > d/n; echo y > d/b")
        .standing("d", "lost 2 untracked or changed files: d/b d/n")
}
#[test]
fn version_3_is_read() {
    Sandbox::new()
        .sh("echo x > s; git add -N s; git update-index --index-version 3")
        .standing("d", "kept")
}
#[test]
fn a_split_index_is_unknown() {
    Sandbox::new()
        .sh("git update-index --split-index")
        .standing("a", "unknown")
}
#[test]
fn a_sparse_index_is_unknown() {
    Sandbox::new().sh("mkdir e; echo x > e/f; git add .; git commit -qm e; git sparse-checkout set --cone --sparse-index d").standing("a", "unknown")
}
#[test]
fn a_sparse_checkout_is_read() {
    let sandbox = Sandbox::new().sh("mkdir e; echo x > e/f; git add .; git commit -qm e; git sparse-checkout set --cone --no-sparse-index d");
    sandbox.standing("d", "kept");
    sandbox.standing("e", "absent");
    assert_eq!(sandbox.ask(Question::Changed, "."), "kept");
}
#[test]
fn another_hash_is_unknown() {
    Sandbox::empty()
        .sh("rm -rf .git; git init -q --object-format=sha256 .; echo x > a; git add a")
        .standing("a", "unknown")
}
#[test]
fn a_broken_index_is_unknown() {
    Sandbox::new()
        .sh("head -c 100 .git/index > ../i; cp ../i .git/index")
        .standing("a", "unknown")
}
#[test]
fn an_empty_repository_keeps_nothing() {
    Sandbox::empty()
        .sh("echo x > a")
        .standing("a", "lost 1 untracked files: a")
}

#[test]
fn a_submodule_is_looked_into() {
    let sandbox = Sandbox::new().sh("git init -q ../s; cd ../s; echo x > f; git add f; git commit -qm s; cd ../r; git submodule add -q ../s sub; git commit -qm sub");
    sandbox.standing("sub", "kept");
    sandbox
        .sh("echo y > sub/f")
        .standing("sub", "lost 1 changed files: f");
}
#[test]
fn a_nested_repository_is_lost() {
    Sandbox::new()
        .sh("git init -q out/inner")
        .standing("out", "lost 1 repositories: .git")
}
#[test]
fn a_nested_repository_deep_in_the_tree_is_lost() {
    Sandbox::new()
        .sh("git init -q d/e/inner")
        .standing("d", "lost 1 repositories: .git")
}
#[test]
fn a_linked_worktree_is_looked_into() {
    let sandbox = Sandbox::new().sh("git worktree add -q out/wt -b topic");
    sandbox.standing("out/wt", "kept");
    sandbox.standing("out/wt/d", "kept");
    let sandbox = sandbox.sh("echo x > out/wt/new");
    sandbox.standing("out/wt", "lost 1 untracked files: new");
    sandbox.standing("out", "lost 1 untracked files: new");
}
#[test]
fn a_worktree_deep_in_an_ignored_folder_is_seen() {
    Sandbox::new()
        .sh("git worktree add -q out/x/y/wt -b topic; echo x > out/x/y/wt/new")
        .standing("out", "lost 1 untracked files: new")
}
#[test]
fn a_worktree_without_its_repository_is_unknown() {
    Sandbox::new()
        .sh("git worktree add -q ../wt -b topic; rm -rf .git")
        .standing("../wt/a", "unknown")
}
#[test]
fn home_as_a_repository_ignores_nothing() {
    let sandbox = Sandbox::new()
        .sh("cd ../home; git init -q .; echo '*' > .gitignore; mkdir docs; echo x > docs/y");
    sandbox.standing("../home/docs/y", "lost 1 untracked files: docs/y");
}

#[test]
fn changes_are_counted_by_path() {
    let sandbox = Sandbox::new().sh("echo x >> a; echo x >> d/b; echo x > d/new");
    assert_eq!(
        sandbox.ask(Question::Changed, "d"),
        "lost 1 changed files: d/b"
    );
    assert_eq!(
        sandbox.ask(Question::Changed, "d/b"),
        "lost 1 changed files: d/b"
    );
    assert_eq!(sandbox.ask(Question::Changed, "d/new"), "kept");
}
#[test]
fn staged_changes_are_counted_by_path() {
    let sandbox = Sandbox::new().sh("echo x >> a; echo x >> d/b; git add a d/b");
    assert_eq!(
        sandbox.ask(Question::Changed, "d"),
        "lost 1 changed files: d/b"
    );
    assert_eq!(
        Sandbox::new()
            .sh("echo x >> a; git add a")
            .ask(Question::Changed, "d"),
        "kept"
    );
}
#[test]
fn a_deleted_file_loses_nothing_when_restored() {
    assert_eq!(
        Sandbox::new().sh("rm a").ask(Question::Changed, "."),
        "kept"
    )
}
#[test]
fn untracked_files_are_counted() {
    let sandbox = Sandbox::new().sh("echo x >> a; echo x > d/new; touch x.o; mkdir -p out; touch out/y; git init -q inner; touch inner/z");
    assert_eq!(
        sandbox.ask(Question::Untracked, "."),
        "lost 1 untracked files: d/new"
    );
    assert_eq!(sandbox.ask(Question::Untracked, "out"), "kept");
}

#[test]
fn the_branch_is_named() {
    assert_eq!(Sandbox::new().ask(Question::Branch, "d"), "name main")
}
#[test]
fn an_unborn_branch_is_named() {
    assert_eq!(Sandbox::empty().ask(Question::Branch, "."), "name main")
}
#[test]
fn a_detached_head_has_no_branch() {
    assert_eq!(
        Sandbox::new()
            .sh("git checkout -q --detach")
            .ask(Question::Branch, "."),
        "no"
    )
}
#[test]
fn a_worktree_has_its_own_branch() {
    assert_eq!(
        Sandbox::new()
            .sh("git worktree add -q ../wt -b topic")
            .ask(Question::Branch, "../wt/d"),
        "name topic"
    )
}
#[test]
fn a_folder_to_be_made_has_a_branch() {
    assert_eq!(Sandbox::new().ask(Question::Branch, "not/yet"), "name main")
}
#[test]
fn no_repository_no_branch() {
    assert_eq!(Sandbox::new().ask(Question::Branch, "../home"), "unknown")
}

#[test]
fn the_top_is_found() {
    assert_eq!(Sandbox::new().ask(Question::TopLevel, "d"), "path ROOT/r")
}
#[test]
fn a_worktree_is_its_own_top() {
    assert_eq!(
        Sandbox::new()
            .sh("git worktree add -q ../wt")
            .ask(Question::TopLevel, "../wt/d"),
        "path ROOT/wt"
    )
}
#[test]
fn a_bare_repository_has_no_top() {
    assert_eq!(
        Sandbox::new()
            .sh("git clone -q --bare . ../b")
            .ask(Question::TopLevel, "../b"),
        "missing ROOT/b"
    )
}
#[test]
fn a_bare_repository_has_a_branch() {
    assert_eq!(
        Sandbox::new()
            .sh("git clone -q --bare . ../b")
            .ask(Question::Branch, "../b"),
        "name main"
    )
}
#[test]
fn worktrees_are_listed() {
    let sandbox = Sandbox::new().sh("git worktree add -q ../wt");
    assert_eq!(
        sandbox.ask(Question::Worktrees, "."),
        "names ROOT/r ROOT/wt"
    );
    assert_eq!(
        sandbox.ask(Question::Worktrees, "../wt"),
        "names ROOT/r ROOT/wt"
    );
}
#[test]
fn a_folder_that_is_only_registered_is_no_worktree() {
    let planted = "mkdir -p .git/worktrees/x ../w; echo ROOT/w/.git > .git/worktrees/x/gitdir; touch ../w/.git";
    let sandbox = Sandbox::new().sh(&planted.replace("ROOT", "$(cd .. && pwd)"));
    assert_eq!(sandbox.ask(Question::Worktrees, "."), "names ROOT/r");
}
#[test]
fn a_tree_placed_elsewhere_is_found() {
    Sandbox::new()
        .sh("mkdir ../w; cp -r a d .gitignore ../w; git config core.worktree ../../w")
        .standing("../w/a", "unknown")
}

fn cloned() -> Sandbox {
    Sandbox::new().sh("git clone -q --bare . ../up.git; git remote add origin ../up.git; git fetch -q; git branch -q -u origin/main; git remote set-head origin -a >/dev/null")
}

#[test]
fn the_default_branch_is_what_the_remote_says() {
    assert_eq!(
        cloned().ask_of(Question::DefaultBranch, "origin"),
        "name main"
    )
}
#[test]
fn the_default_branch_is_guessed() {
    assert_eq!(
        cloned()
            .sh("git remote set-head origin -d")
            .ask_of(Question::DefaultBranch, "origin"),
        "name main"
    )
}
#[test]
fn packed_references_are_read() {
    let sandbox =
        cloned().sh("git remote set-head origin -d; git pack-refs --all; rm -rf .git/refs/remotes");
    assert_eq!(
        sandbox.ask_of(Question::DefaultBranch, "origin"),
        "name main"
    );
}
#[test]
fn an_unknown_remote_has_no_default() {
    assert_eq!(cloned().ask_of(Question::DefaultBranch, "x"), "unknown")
}
#[test]
fn a_remote_like_a_path_reads_no_file() {
    assert_eq!(
        cloned().ask_of(Question::DefaultBranch, "../../../etc"),
        "unknown"
    )
}
#[test]
fn the_url_of_a_remote() {
    assert_eq!(
        cloned().ask_of(Question::RemoteUrl, "origin"),
        "name ../up.git"
    )
}
#[test]
fn no_remote_no_url() {
    assert_eq!(cloned().ask_of(Question::RemoteUrl, "x"), "no")
}
#[test]
fn the_push_url_counts() {
    assert_eq!(
        cloned()
            .sh("git remote set-url --push origin https://b.test/x")
            .ask_of(Question::RemoteUrl, "origin"),
        "name https://b.test/x"
    );
}
#[test]
fn rewritten_urls_count() {
    assert_eq!(
        cloned()
            .sh("git config url.https://evil.test/.insteadOf ../")
            .ask_of(Question::RemoteUrl, "origin"),
        "name https://evil.test/up.git"
    );
}

#[test]
fn a_push_goes_to_its_branch() {
    assert_eq!(
        cloned()
            .sh("git checkout -qb topic")
            .ask_of(Question::PushTarget, ""),
        "names origin topic"
    )
}
#[test]
fn a_push_goes_to_the_upstream() {
    assert_eq!(
        cloned()
            .sh("git checkout -q --track -b topic origin/main; git config push.default upstream")
            .ask_of(Question::PushTarget, ""),
        "names origin main"
    );
}
#[test]
fn a_push_with_a_refspec_is_unknown() {
    assert_eq!(
        cloned()
            .sh("git config remote.origin.push refs/heads/a:refs/heads/b")
            .ask_of(Question::PushTarget, "origin"),
        "unknown"
    )
}
#[test]
fn a_mirror_push_is_unknown() {
    assert_eq!(
        cloned()
            .sh("git config remote.origin.mirror true")
            .ask_of(Question::PushTarget, "origin"),
        "unknown"
    )
}
#[test]
fn a_matching_push_is_unknown() {
    assert_eq!(
        cloned()
            .sh("git config push.default matching")
            .ask_of(Question::PushTarget, ""),
        "unknown"
    )
}
#[test]
fn a_push_without_a_branch_is_unknown() {
    assert_eq!(
        cloned()
            .sh("git checkout -q --detach")
            .ask_of(Question::PushTarget, ""),
        "unknown"
    )
}

#[test]
fn a_huge_index_is_read() {
    let sandbox = Sandbox::new().sh(
        "blob=$(git rev-parse HEAD:a); seq 100000 | awk -v b=$blob '{ printf \"100644 %s\\tbig/m%d/f%d\\n\", b, $1 / 100, $1 }' | git update-index --index-info; git commit -qm big
        mkdir -p big/m7; cp a big/m7/f700; echo x > big/m7/f701; echo x > big/m7/new");
    sandbox.standing(
        "big/m7",
        "lost 2 untracked or changed files: big/m7/f701 big/m7/new",
    );
    sandbox.standing("big/m7/f700", "kept");
    assert_eq!(
        sandbox.ask(Question::Changed, "big"),
        "lost 1 changed files: big/m7/f701"
    );
}

#[test]
fn one_judgement_sees_one_world() {
    use belay_model::Surroundings;
    let sandbox = Sandbox::new();
    let recorder = belay_surroundings::Recorder::new(sandbox.world());
    let look = |recorder: &belay_surroundings::Recorder<_>| {
        recorder.ask(&Question::Text(sandbox.at("a"), 9))
    };
    let first = look(&recorder);
    std::fs::write(sandbox.at("a"), "other").unwrap();
    assert_eq!(look(&recorder), first);
    let replay = belay_surroundings::Replay::new(recorder.into_record());
    assert_eq!(replay.ask(&Question::Text(sandbox.at("a"), 9)), first);
}

#[test]
fn what_cannot_be_seen_is_unknown() {
    belay_needs::as_ordinary_user("repository::what_cannot_be_seen_is_unknown", || {
        let sandbox = Sandbox::new().sh("mkdir -p d/e; chmod 000 d/e");
        sandbox.standing("d/e/x", "unknown");
        sandbox.standing("d", "unknown");
        assert_eq!(sandbox.ask(Question::Untracked, "."), "unknown");
        let sandbox = sandbox.sh("chmod 755 d/e; chmod 000 .git/index");
        sandbox.standing("a", "unknown");
        let sandbox = sandbox.sh("chmod 644 .git/index; chmod 000 .git/config");
        assert_eq!(sandbox.ask(Question::ExecutingConfig, "."), "unknown");
        let sandbox = sandbox.sh("chmod 644 .git/config; chmod 000 .git");
        sandbox.standing("a", "unknown");
        drop(sandbox.sh("chmod 755 .git"));
    });
}
