//! Settings that execute, hooks, includes; and that none of them ever runs.

use std::path::Path;

use belay_model::{Question, Surroundings};

use crate::sandbox::Sandbox;

#[track_caller]
fn executing(sandbox: Sandbox, expected: &str) {
    assert_eq!(sandbox.ask(Question::ExecutingConfig, "."), expected);
}

#[test]
fn an_ordinary_repository_executes_nothing() {
    executing(Sandbox::new(), "names")
}
#[test]
fn the_repository_is_read() {
    executing(
        Sandbox::new().sh("git config core.fsmonitor ./x"),
        "names repository core.fsmonitor=./x",
    )
}
#[test]
fn the_user_is_read() {
    executing(
        Sandbox::new().sh("git config --global alias.x '!y'"),
        "names user alias.x=!y",
    )
}
#[test]
fn the_machine_is_read() {
    executing(
        Sandbox::new().sh("git config -f ../system diff.external d"),
        "names system diff.external=d",
    )
}
#[test]
fn the_settings_folder_is_read() {
    executing(
        Sandbox::new()
            .sh("mkdir -p ~/.config/git; git config -f ~/.config/git/config diff.external d"),
        "names user diff.external=d",
    );
}
#[test]
fn an_included_file_is_read() {
    executing(
        Sandbox::new().sh("git config include.path ../more; git config -f more diff.external d"),
        "names repository diff.external=d",
    );
}
#[test]
fn a_file_included_for_this_folder_is_read() {
    executing(Sandbox::new().sh("git config --global \"includeIf.gitdir:$ROOT/x/.path\" more; git config -f ~/more diff.external d"), "names");
    executing(Sandbox::new().sh("git config --global \"includeIf.gitdir:$ROOT/r/.path\" more; git config -f ~/more diff.external d"), "names user diff.external=d");
    executing(Sandbox::new().sh("git config --global includeIf.gitdir:r/.path more; git config -f ~/more diff.external d"), "names user diff.external=d");
}
#[test]
fn a_file_included_for_this_branch_is_read() {
    executing(Sandbox::new().sh("git config --global includeIf.onbranch:ma*.path more; git config -f ~/more diff.external d"), "names user diff.external=d");
    executing(Sandbox::new().sh("git config --global includeIf.onbranch:x.path more; git config -f ~/more diff.external d"), "names");
}
#[test]
fn settings_of_one_worktree_are_read() {
    executing(
        Sandbox::new()
            .sh("git config extensions.worktreeConfig true; git config --worktree diff.external d"),
        "names repository diff.external=d",
    );
}
#[test]
fn a_circle_of_includes_is_unknown() {
    executing(
        Sandbox::new().sh("git config include.path config"),
        "unknown",
    )
}
#[test]
fn broken_settings_are_unknown() {
    executing(Sandbox::new().sh("echo '[core' >> .git/config"), "unknown")
}
#[test]
fn outside_any_repository_the_user_counts() {
    let sandbox = Sandbox::new().sh("git config --global diff.external d; git config alias.x '!y'");
    assert_eq!(
        sandbox.ask(Question::ExecutingConfig, "../home"),
        "names user diff.external=d"
    );
}

#[test]
fn samples_are_no_hooks() {
    assert_eq!(Sandbox::new().ask(Question::Hooks, "."), "names")
}
#[test]
fn hooks_are_listed() {
    assert_eq!(Sandbox::new().sh("echo x > .git/hooks/pre-push; chmod +x .git/hooks/pre-push; echo x > .git/hooks/pre-commit; chmod -x .git/hooks/pre-commit").ask(Question::Hooks, "."), "names pre-push");
}
#[test]
fn hooks_elsewhere_are_listed() {
    assert_eq!(Sandbox::new().sh("mkdir .husky; echo x > .husky/pre-commit; chmod +x .husky/pre-commit; git config core.hooksPath .husky").ask(Question::Hooks, "d"), "names pre-commit");
}

/// Every question there is, about one repository.
fn everything(sandbox: &Sandbox) -> Vec<Question> {
    use Question as Q;
    let (top, file) = (sandbox.at("."), sandbox.at("a"));
    let name = || "HEAD".to_owned();
    vec![
        Q::Resolve(file.clone()),
        Q::Standing(file.clone()),
        Q::Standing(sandbox.at("d")),
        Q::Text(file.clone(), 100),
        Q::Branch(top.clone()),
        Q::DefaultBranch(top.clone(), "origin".to_owned()),
        Q::RemoteUrl(top.clone(), "origin".to_owned()),
        Q::Unpushed(top.clone()),
        Q::WorkingTree(top.clone()),
        Q::Changed(top.clone()),
        Q::Untracked(top.clone()),
        Q::Reachable(top.clone(), name()),
        Q::LeftBehind(top.clone(), name()),
        Q::Pushed(top.clone(), name()),
        Q::Revision(top.clone(), name()),
        Q::ArchiveLinks(file.clone()),
        Q::CommitLinks(top.clone(), name()),
        Q::PushTarget(top.clone(), String::new()),
        Q::KnownRemote(top.clone(), "origin".to_owned()),
        Q::TopLevel(top.clone()),
        Q::Worktrees(top.clone()),
        Q::ExecutingConfig(top.clone()),
        Q::Hooks(top.clone()),
        Q::KnownHost("evil.test".to_owned()),
        Q::Provenance(file.clone()),
        Q::SecretsRead,
        Q::Endings,
        Q::Consent("claude-code".to_owned(), top.clone()),
        Q::Kind(file),
        Q::Program("git".to_owned()),
        Q::Entries(top.clone(), 10),
        Q::Declared(top, "npm".to_owned(), "x".to_owned()),
    ]
}

#[test]
fn nothing_of_a_poisoned_repository_runs() {
    let sandbox = Sandbox::new().sh(
        "printf '#!/bin/sh\\ntouch \"$ROOT/ran\"\\n' > ../evil; chmod +x ../evil; E=\"'$ROOT/evil'\"
        for hook in pre-commit post-index-change fsmonitor-watchman reference-transaction; do cp ../evil .git/hooks/$hook; done
        git config filter.x.clean \"$E\"; git config filter.x.smudge \"$E\"; git config filter.x.process \"$E\"; git config diff.external \"$E\"
        git config diff.x.textconv \"$E\"; git config diff.x.command \"$E\"; git config merge.x.driver \"$E\"; git config core.pager \"$E\"
        git config core.editor \"$E\"; git config core.sshCommand \"$E\"; git config credential.helper \"$E\"; git config gpg.program \"$E\"
        git config alias.status \"!$E\"; git config core.hooksPath \"$ROOT/r/.git/hooks\"; echo '* filter=x diff=x merge=x' > .gitattributes
        git config remote.origin.url \"ext::$E\"; git config core.fsmonitor \"$E\"; rm -f ../ran; echo changed > a");
    for question in everything(&sandbox) {
        sandbox.world().ask(&question);
    }
    assert!(!Path::new(&sandbox.at("../ran")).exists());
    assert!(
        Path::new(
            &sandbox
                .sh("git status >/dev/null 2>&1 || true")
                .at("../ran")
        )
        .exists(),
        "the poison works"
    );
}

#[test]
fn asking_changes_nothing() {
    let list = "find .. -path ../home -prune -o -printf '%p %T@ %s %i\\n' | sort";
    let sandbox = Sandbox::new().sh("sleep 0.02; touch a");
    let before = sandbox.prints(list);
    for question in everything(&sandbox) {
        sandbox.world().ask(&question);
    }
    assert_eq!(sandbox.prints(list), before);
}
