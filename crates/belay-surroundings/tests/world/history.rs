//! What is staged, pushed, merged; what a reset or a deleted branch would lose.

use belay_model::{Answer, Question, Surroundings};

use crate::sandbox::Sandbox;

#[track_caller]
fn tree(sandbox: &Sandbox, expected: &str) {
    assert_eq!(sandbox.ask(Question::WorkingTree, "d"), expected);
}

#[test]
fn a_clean_tree_loses_nothing() {
    tree(&Sandbox::new(), "kept")
}
#[test]
fn untracked_files_survive_a_reset() {
    tree(&Sandbox::new().sh("echo x > new"), "kept")
}
#[test]
fn a_changed_file_is_lost() {
    tree(
        &Sandbox::new().sh("echo x > d/b"),
        "lost 1 changed files: d/b",
    )
}
#[test]
fn a_staged_change_is_lost() {
    tree(
        &Sandbox::new().sh("echo x > d/b; git add ."),
        "lost 1 changed files: d/b",
    )
}
#[test]
fn a_staged_new_file_is_lost() {
    tree(
        &Sandbox::new().sh("mkdir -p n/m; echo x > n/m/o; git add ."),
        "lost 1 changed files: n/m/o",
    )
}
#[test]
fn a_file_staged_and_changed_counts_once() {
    tree(
        &Sandbox::new().sh("echo x > a; git add .; echo y > a"),
        "lost 1 changed files: a",
    )
}
#[test]
fn a_staged_deletion_loses_nothing() {
    tree(&Sandbox::new().sh("git rm -q a"), "kept")
}
#[test]
fn a_deletion_loses_nothing() {
    tree(&Sandbox::new().sh("rm a"), "kept")
}
#[test]
fn a_file_in_place_of_a_folder_is_lost() {
    tree(
        &Sandbox::new().sh("git rm -rq d; echo x > d; git add d"),
        "lost 1 changed files: d",
    )
}
#[test]
fn a_folder_in_place_of_a_file_is_lost() {
    tree(
        &Sandbox::new().sh("git rm -q a; mkdir a; echo x > a/x; git add a"),
        "lost 1 changed files: a/x",
    )
}
#[test]
fn everything_of_an_unborn_branch_is_lost() {
    assert_eq!(
        Sandbox::empty()
            .sh("echo x > a; git add a")
            .ask(Question::WorkingTree, "."),
        "lost 1 changed files: a"
    );
}
#[test]
fn a_packed_repository_is_read() {
    tree(
        &Sandbox::new().sh("echo x > d/b; git commit -qam two; git gc -q; echo y > d/b; git add ."),
        "lost 1 changed files: d/b",
    )
}
#[test]
fn an_index_without_known_trees_is_read() {
    let sandbox = Sandbox::new().sh("git gc -q; rm .git/index; git read-tree --empty; git add .");
    tree(&sandbox, "kept");
}
#[test]
fn a_borrowing_repository_is_read() {
    let sandbox = Sandbox::new().sh("git clone -q --shared . ../c; cd ../c; echo x > a; git add a");
    assert_eq!(
        sandbox.ask(Question::WorkingTree, "../c"),
        "lost 1 changed files: a"
    );
}
#[test]
fn a_damaged_repository_is_unknown() {
    tree(
        &Sandbox::new().sh("echo x > d/b; git add .; rm -rf .git/objects/??"),
        "unknown",
    )
}
#[test]
fn many_versions_of_a_file_are_unpacked() {
    let sandbox = Sandbox::new().sh(
        "for i in $(seq 60); do seq $i $((i+400)) > d/f$i; seq 1 500 | sed \"s/^$i\\$/x$i/\" > d/b; git add .; git commit -qm c$i; done
        git -c pack.depth=40 gc -q --aggressive; echo y > a; git add a");
    tree(&sandbox, "lost 1 changed files: a");
    assert_eq!(
        sandbox.ask_of(Question::Revision, "HEAD~40"),
        format!("name {}", sandbox.prints("git rev-parse HEAD~40").trim())
    );
}

fn cloned() -> Sandbox {
    Sandbox::new().sh("git clone -q --bare . ../up.git; git remote add origin ../up.git; git fetch -q; git branch -q -u origin/main")
}

fn commit(name: &str) -> String {
    format!("echo {name} > {name}; git add .; git commit -qm {name}")
}

#[test]
fn what_is_on_the_remote_is_kept() {
    assert_eq!(cloned().ask(Question::Unpushed, "."), "kept")
}
#[test]
fn new_commits_are_unpushed() {
    assert_eq!(
        cloned()
            .sh(&commit("x"))
            .sh("sleep 1.1")
            .sh(&commit("y"))
            .ask(Question::Unpushed, "."),
        "lost 2 commits: y x"
    );
}
#[test]
fn pushed_commits_are_kept() {
    assert_eq!(
        cloned()
            .sh(&commit("x"))
            .sh("git push -q")
            .ask(Question::Unpushed, "."),
        "kept"
    )
}
#[test]
fn commits_behind_the_remote_are_kept() {
    assert_eq!(
        cloned()
            .sh(&commit("x"))
            .sh("git push -q; git reset -q --hard HEAD~1")
            .ask(Question::Unpushed, "."),
        "kept"
    )
}
#[test]
fn without_a_remote_everything_is_unpushed() {
    assert_eq!(
        Sandbox::new().ask(Question::Unpushed, "."),
        "lost 1 commits: one"
    )
}
#[test]
fn an_unborn_branch_has_nothing_to_push() {
    assert_eq!(Sandbox::empty().ask(Question::Unpushed, "."), "kept")
}
#[test]
fn a_shallow_clone_is_read() {
    let sandbox = cloned().sh(&commit("x")).sh("git push -q; git clone -q --depth 1 \"file://$ROOT/up.git\" ../c; cd ../c; echo z > z; git add z; git commit -qm z");
    assert_eq!(sandbox.ask(Question::Unpushed, "../c"), "lost 1 commits: z");
}

#[test]
fn a_pushed_commit_is_pushed() {
    assert_eq!(cloned().ask_of(Question::Pushed, "HEAD"), "yes")
}
#[test]
fn a_new_commit_is_not_pushed() {
    assert_eq!(
        cloned().sh(&commit("x")).ask_of(Question::Pushed, "HEAD"),
        "no"
    )
}
#[test]
fn the_past_of_a_new_commit_is_pushed() {
    assert_eq!(
        cloned().sh(&commit("x")).ask_of(Question::Pushed, "HEAD~1"),
        "yes"
    )
}
#[test]
fn a_range_of_new_commits_is_not_pushed() {
    assert_eq!(
        cloned()
            .sh(&commit("x"))
            .sh(&commit("y"))
            .ask_of(Question::Pushed, "origin/main..HEAD"),
        "no"
    )
}
#[test]
fn a_range_with_a_pushed_commit_is_pushed() {
    let sandbox = cloned()
        .sh("git checkout -qb topic")
        .sh(&commit("x"))
        .sh("git push -q origin topic")
        .sh(&commit("y"));
    assert_eq!(sandbox.ask_of(Question::Pushed, "main..topic"), "yes");
    assert_eq!(sandbox.ask_of(Question::Pushed, "origin/topic.."), "no");
}
#[test]
fn a_wrong_name_is_unknown() {
    assert_eq!(cloned().ask_of(Question::Pushed, "nobody"), "unknown")
}

#[test]
fn a_merged_branch_is_kept() {
    assert_eq!(
        Sandbox::new()
            .sh("git checkout -qb t")
            .sh(&commit("x"))
            .sh("git checkout -q main; git merge -q --no-ff -m m t")
            .ask_of(Question::Reachable, "t"),
        "kept"
    );
}
#[test]
fn an_unmerged_branch_is_lost() {
    assert_eq!(
        Sandbox::new()
            .sh("git checkout -qb t")
            .sh(&commit("x"))
            .sh("git checkout -q main")
            .ask_of(Question::Reachable, "t"),
        "lost 1 commits: x"
    );
}
#[test]
fn a_branch_with_a_twin_is_kept() {
    assert_eq!(
        Sandbox::new()
            .sh("git checkout -qb t")
            .sh(&commit("x"))
            .sh("git branch twin; git checkout -q main")
            .ask_of(Question::Reachable, "t"),
        "kept"
    );
}
#[test]
fn a_tagged_branch_is_kept() {
    assert_eq!(
        Sandbox::new()
            .sh("git checkout -qb t")
            .sh(&commit("x"))
            .sh("git tag -a -m v v1; git checkout -q main; git pack-refs --all")
            .ask_of(Question::Reachable, "t"),
        "kept"
    );
}
#[test]
fn a_pushed_branch_is_kept() {
    assert_eq!(
        cloned()
            .sh("git checkout -qb t")
            .sh(&commit("x"))
            .sh("git push -q origin t; git checkout -q main")
            .ask_of(Question::Reachable, "t"),
        "kept"
    );
}
#[test]
fn a_tag_of_a_file_keeps_nothing() {
    let sandbox = Sandbox::new()
        .sh("git tag blob $(git rev-parse HEAD:a); git checkout -qb t")
        .sh(&commit("x"))
        .sh("git checkout -q main");
    assert_eq!(
        sandbox.ask_of(Question::Reachable, "t"),
        "lost 1 commits: x"
    );
}
#[test]
fn the_head_without_its_branch_is_lost() {
    assert_eq!(
        Sandbox::new().ask_of(Question::Reachable, "HEAD"),
        "lost 1 commits: one"
    )
}
#[test]
fn no_branch_is_absent() {
    assert_eq!(Sandbox::new().ask_of(Question::Reachable, "t"), "absent")
}
#[test]
fn a_stash_is_lost() {
    let sandbox = Sandbox::new().sh("echo x > a; git stash -q; echo y > a; git stash -q");
    assert_eq!(
        sandbox.ask_of(Question::Reachable, "stash@{1}"),
        "lost 1 stashes: WIP on main: ".to_owned()
            + sandbox.prints("git log -1 --format='%h %s'").trim()
    );
    assert!(
        sandbox
            .ask_of(Question::Reachable, "stash")
            .starts_with("lost 2 stashes")
    );
    assert_eq!(sandbox.ask_of(Question::Reachable, "stash@{2}"), "absent");
}
#[test]
fn no_stash_is_absent() {
    assert_eq!(
        Sandbox::new().ask_of(Question::Reachable, "stash"),
        "absent"
    )
}

#[test]
fn revisions_are_what_git_says() {
    let sandbox = cloned().sh(&commit("x")).sh("git checkout -qb t HEAD~1").sh(&commit("y"))
        .sh("git checkout -q main; git merge -q --no-ff -m m t; git tag -a -m v v1; git push -q origin main; git gc -q").sh(&commit("z"));
    let short = sandbox.prints("git rev-parse --short HEAD~1");
    for name in [
        "HEAD",
        "@",
        "main",
        "t",
        "v1",
        "v1^{commit}",
        "HEAD~1",
        "HEAD~1^2",
        "HEAD^^2~1",
        "origin/main",
        "origin",
        "refs/heads/t",
        "heads/t",
        "@{u}",
        "main@{upstream}",
        "@{1}",
        "main@{2}",
        "HEAD^0",
        short.trim(),
    ] {
        let git = sandbox.run_or_nothing(&format!("git rev-parse --verify -q '{name}^{{commit}}'"));
        let expected = if git.is_empty() {
            "no".to_owned()
        } else {
            format!("name {git}")
        };
        assert_eq!(sandbox.ask_of(Question::Revision, name), expected, "{name}");
    }
}
#[test]
fn a_name_nobody_has_is_none() {
    assert_eq!(Sandbox::new().ask_of(Question::Revision, "nobody"), "no")
}
#[test]
fn a_name_like_a_path_is_unknown() {
    assert_eq!(
        Sandbox::new().ask_of(Question::Revision, "../../config"),
        "unknown"
    )
}
#[test]
fn other_spellings_are_unknown() {
    for name in ["HEAD@{yesterday}", ":/fix", "@{-1}", "HEAD:a", "--all", ""] {
        assert!(
            matches!(
                Sandbox::new().ask_of(Question::Revision, name).as_str(),
                "unknown" | "no"
            ),
            "{name}"
        );
    }
}

#[test]
fn what_a_reset_leaves_behind_is_lost_unless_something_holds_it() {
    let ask = |sandbox: &Sandbox, to: &str| sandbox.ask_of(Question::LeftBehind, to);
    let sandbox = cloned().sh(&commit("x")).sh(&commit("y"));
    assert_eq!(ask(&sandbox, "HEAD"), "kept");
    assert_eq!(ask(&sandbox, "HEAD~1"), "lost 1 commits: y");
    assert!(ask(&sandbox, "origin/main").starts_with("lost 2 commits"));
    assert_eq!(ask(&sandbox, "nobody"), "unknown");
    let sandbox = sandbox.sh("git branch other");
    assert_eq!(ask(&sandbox, "origin/main"), "kept");
    assert_eq!(ask(&sandbox, "nobody"), "kept");
    let sandbox = sandbox
        .sh("git branch -qD other; git checkout -q --detach; git branch -qf main origin/main");
    assert!(ask(&sandbox, "origin/main").starts_with("lost 2 commits"));
}

#[test]
fn links_that_a_commit_brings_lead_out_of_the_working_tree() {
    let sandbox = Sandbox::new().sh(
        "git checkout -q -b l; mkdir e; ln -s ../../x e/out; ln -s ../a e/in; ln -s /x all; git add -A; git commit -qm l; git checkout -q main",
    );
    let links = |revision: &str| {
        let question = Question::CommitLinks(sandbox.at("."), revision.to_owned());
        sandbox.world().ask(&question)
    };
    let pair = |from: &str, to: &str| format!("{}\0{to}", sandbox.at(from));
    let brought = vec![pair("all", "/x"), pair("e/out", &sandbox.at("../x"))];
    assert_eq!(links("l"), Answer::Names(brought));
    assert_eq!(links("main"), Answer::Names(vec![]));
    assert_eq!(links(":"), Answer::Names(vec![]));
    assert_eq!(links("nobody"), Answer::Unknown);
}

#[test]
fn links_that_an_archive_brings_are_found() {
    let sandbox = Sandbox::new().sh(
        "mkdir e; ln -s /x e/l; tar cf a.tar e; tar czf a.tgz e; echo a > t; tar czf b.tgz t; echo a > plain.gz",
    );
    let links = |name: &str| {
        sandbox
            .world()
            .ask(&Question::ArchiveLinks(sandbox.at(name)))
    };
    let brought = Answer::Names(vec!["e/l\0/x".to_owned()]);
    assert_eq!(links("a.tar"), brought);
    assert_eq!(links("a.tgz"), brought);
    assert_eq!(links("b.tgz"), Answer::Names(vec![]));
    assert_eq!(links("none.tgz"), Answer::Unknown);
}
