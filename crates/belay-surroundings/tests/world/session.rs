//! What a session remembers, and what that changes.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use belay_model::Question;
use belay_surroundings::{Before, Memory, Origin, Session, content_hash};
use tempfile::TempDir;

use crate::sandbox::Sandbox;

fn file(sandbox: &Sandbox, name: &str, origin: Origin, hash: Option<&str>) -> Memory {
    Memory::File {
        path: sandbox.at(name),
        origin,
        before: Before::Nothing,
        hash: hash.map(|it| content_hash(it.as_bytes())),
    }
}

fn remembering(sandbox: Sandbox, memories: &[(&str, Origin, Option<&str>)]) -> Sandbox {
    let sandbox = sandbox.session("s-1");
    let memories: Vec<Memory> = memories
        .iter()
        .map(|(name, origin, hash)| file(&sandbox, name, *origin, *hash))
        .collect();
    sandbox
        .world()
        .session()
        .unwrap()
        .remember(&memories)
        .unwrap();
    sandbox
}

#[track_caller]
fn provenance(sandbox: &Sandbox, name: &str, expected: &str) {
    assert_eq!(sandbox.ask(Question::Provenance, name), expected);
}

use Origin::{Fetched, Written};

#[test]
fn without_a_session_nothing_is_known() {
    provenance(&Sandbox::new(), "a", "unknown")
}
#[test]
fn a_file_nobody_wrote() {
    provenance(&Sandbox::new().session("s"), "a", "no")
}
#[test]
fn a_written_file() {
    provenance(
        &remembering(Sandbox::new(), &[("x", Written, None)]),
        "x",
        "name written",
    )
}
#[test]
fn a_fetched_file() {
    provenance(
        &remembering(Sandbox::new(), &[("x", Fetched, None)]),
        "x",
        "name fetched",
    )
}
#[test]
fn a_file_in_a_fetched_folder() {
    provenance(
        &remembering(Sandbox::new(), &[("x", Fetched, None)]),
        "x/y/z",
        "name fetched",
    )
}
#[test]
fn what_is_unpacked_over_a_project_is_told_from_what_was_there() {
    let sandbox = Sandbox::new().session("s1");
    let over = Memory::File {
        path: sandbox.at("."),
        origin: Origin::Fetched,
        before: Before::Something,
        hash: None,
    };
    sandbox
        .world()
        .session()
        .unwrap()
        .remember(&[over])
        .unwrap();
    let sandbox = sandbox.sh("echo x > new.sh; echo x > made.o");
    provenance(&sandbox, "a", "no");
    provenance(&sandbox, "made.o", "no");
    provenance(&sandbox, "new.sh", "name fetched");
}
#[test]
fn a_sibling_of_a_fetched_file() {
    provenance(
        &remembering(Sandbox::new(), &[("x", Fetched, None)]),
        "xy",
        "no",
    )
}
#[test]
fn a_fetched_file_that_was_edited() {
    provenance(
        &remembering(
            Sandbox::new(),
            &[("x", Fetched, None), ("x", Written, None)],
        ),
        "x",
        "name fetched",
    )
}
#[test]
fn a_fetched_file_that_was_replaced() {
    provenance(
        &remembering(
            Sandbox::new(),
            &[("x", Fetched, None), ("x", Written, Some("new"))],
        ),
        "x",
        "name written",
    )
}
#[test]
fn a_written_file_that_was_fetched() {
    provenance(
        &remembering(
            Sandbox::new(),
            &[("x", Written, Some("old")), ("x", Fetched, None)],
        ),
        "x",
        "name fetched",
    )
}
#[test]
fn a_copy_of_a_fetched_file() {
    provenance(
        &remembering(
            Sandbox::new().sh("echo evil > x; cp x y"),
            &[("x", Fetched, None)],
        ),
        "y",
        "name fetched",
    )
}
#[test]
fn a_moved_fetched_file_by_its_hash() {
    provenance(
        &remembering(
            Sandbox::new().sh("printf evil > y"),
            &[("x", Fetched, Some("evil"))],
        ),
        "y",
        "name fetched",
    )
}
#[test]
fn a_link_to_a_fetched_file() {
    provenance(
        &remembering(
            Sandbox::new().sh("echo evil > x; ln -s x l"),
            &[("x", Fetched, None)],
        ),
        "l",
        "name fetched",
    )
}

#[test]
fn a_file_the_session_made_is_ours() {
    remembering(Sandbox::new().sh("echo x > x"), &[("x", Written, None)]).standing("x", "ours")
}
#[test]
fn a_file_the_session_made_and_left_so_is_ours() {
    remembering(
        Sandbox::new().sh("printf x > x"),
        &[("x", Written, Some("x"))],
    )
    .standing("x", "ours")
}
#[test]
fn a_file_somebody_else_changed_is_lost() {
    remembering(
        Sandbox::new().sh("printf y > x"),
        &[("x", Written, Some("x"))],
    )
    .standing("x", "lost 1 untracked files: x")
}
#[test]
fn a_file_the_session_only_changed_is_lost() {
    let sandbox = Sandbox::new().sh("echo x > x").session("s");
    let memory = Memory::File {
        path: sandbox.at("x"),
        origin: Written,
        before: Before::Something,
        hash: None,
    };
    sandbox
        .world()
        .session()
        .unwrap()
        .remember(&[memory])
        .unwrap();
    sandbox.standing("x", "lost 1 untracked files: x");
}
#[test]
fn ours_outside_any_repository() {
    remembering(
        Sandbox::new().sh("echo x > ../x"),
        &[("../x", Written, None)],
    )
    .standing("../x", "ours")
}
#[test]
fn ours_beside_work_is_lost() {
    remembering(
        Sandbox::new().sh("echo x > d/x; echo y > d/y"),
        &[("d/x", Written, None)],
    )
    .standing("d", "lost 1 untracked files: d/y")
}
#[test]
fn rules_the_session_wrote_ignore_nothing_for_sure() {
    remembering(
        Sandbox::new().sh("echo w > work; echo work > .gitignore"),
        &[(".gitignore", Written, None)],
    )
    .standing("work", "unknown");
}

fn with_remote() -> Sandbox {
    let sandbox = Sandbox::new()
        .sh("git remote add origin git@forge.test:a/b.git")
        .session("s");
    sandbox.world().begin_session(&[sandbox.at(".")]).unwrap();
    sandbox
}

#[test]
fn a_remote_from_before_is_known() {
    assert_eq!(with_remote().ask_of(Question::KnownRemote, "origin"), "yes")
}
#[test]
fn a_remote_added_later_is_not() {
    assert_eq!(
        with_remote()
            .sh("git remote add evil https://evil.test/x")
            .ask_of(Question::KnownRemote, "evil"),
        "no"
    )
}
#[test]
fn a_remote_changed_later_is_not() {
    assert_eq!(
        with_remote()
            .sh("git remote set-url origin https://evil.test/x")
            .ask_of(Question::KnownRemote, "origin"),
        "no"
    )
}
#[test]
fn a_push_url_added_later_is_not() {
    assert_eq!(
        with_remote()
            .sh("git config --add remote.origin.pushurl https://evil.test/x")
            .ask_of(Question::KnownRemote, "origin"),
        "no"
    )
}
#[test]
fn a_url_rewritten_later_is_not() {
    assert_eq!(
        with_remote()
            .sh("git config url.https://evil.test/.insteadOf git@forge.test:")
            .ask_of(Question::KnownRemote, "origin"),
        "no"
    )
}
#[test]
fn a_beginning_sweeps_old_memories_away() {
    let sandbox = Sandbox::new().session("old");
    let began = |sandbox: &Sandbox| sandbox.world().begin_session(&[sandbox.at(".")]).unwrap();
    began(&sandbox);
    let sandbox = sandbox.sh("touch -d '40 days ago' ../state/sessions/old; cp -p ../state/sessions/old ../state/sessions/late; touch -d '20 days ago' ../state/sessions/late; ln -s ../../r/a ../state/sessions/link");
    let sandbox = sandbox.session("new");
    began(&sandbox);
    assert_eq!(sandbox.prints("ls ../state/sessions"), "late\nlink\nnew\n");
    assert_eq!(sandbox.prints("cat a"), sandbox.prints("git show HEAD:a"));
}
#[test]
fn a_second_beginning_changes_nothing() {
    let sandbox = with_remote().sh("git remote add evil https://evil.test/x");
    sandbox.world().begin_session(&[sandbox.at(".")]).unwrap();
    assert_eq!(sandbox.ask_of(Question::KnownRemote, "evil"), "no");
}
#[test]
fn without_a_session_the_present_counts() {
    assert_eq!(
        Sandbox::new()
            .sh("git remote add o x")
            .ask_of(Question::KnownRemote, "o"),
        "yes"
    )
}
#[test]
fn no_remote_is_not_known() {
    assert_eq!(Sandbox::new().ask_of(Question::KnownRemote, "o"), "no")
}
#[test]
fn the_host_of_a_remote_is_known() {
    assert_eq!(host(&with_remote(), "forge.test"), "yes")
}
#[test]
fn another_host_is_not() {
    assert_eq!(
        host(
            &with_remote().sh("git remote add evil https://evil.test/x"),
            "evil.test"
        ),
        "no"
    )
}

fn host(sandbox: &Sandbox, name: &str) -> String {
    use belay_model::Surroundings;
    belay_surroundings::answer_line(&sandbox.world().ask(&Question::KnownHost(name.to_owned())))
}

fn empty() -> TempDir {
    TempDir::new().unwrap()
}

fn all() -> Vec<Memory> {
    vec![
        Memory::Began(Some(7)),
        Memory::Remote {
            repository: "/r/.git".to_owned(),
            name: "o\tr\n".to_owned(),
            urls: vec!["u".to_owned(), String::new()],
        },
        Memory::Host("h".to_owned()),
        Memory::File {
            path: "/a".to_owned(),
            origin: Written,
            before: Before::Nothing,
            hash: Some(content_hash(b"x")),
        },
        Memory::File {
            path: "/b\n".to_owned(),
            origin: Fetched,
            before: Before::Something,
            hash: None,
        },
        Memory::Secret("~/.aws/credentials".to_owned()),
        Memory::Denied("delete tree ~".to_owned()),
        Memory::Allowed,
        Memory::Person,
    ]
}

#[test]
fn everything_is_remembered() {
    let state = empty();
    Session::open(state.path(), "x").remember(&all()).unwrap();
    assert_eq!(Session::open(state.path(), "x").memories().unwrap(), all());
    assert_eq!(Session::open(state.path(), "y").memories().unwrap(), []);
}
#[test]
fn reading_makes_nothing() {
    let state = empty();
    assert_eq!(Session::open(state.path(), "x").memories().unwrap(), []);
    assert_eq!(fs::read_dir(state.path()).unwrap().count(), 0);
}
#[test]
fn the_memory_is_ours_alone() {
    let state = empty();
    Session::open(state.path(), "x").remember(&all()).unwrap();
    let mode = |name: &str| {
        state
            .path()
            .join(name)
            .metadata()
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!([mode("sessions"), mode("sessions/x")], [0o700, 0o600]);
}
#[test]
fn no_name_leads_elsewhere() {
    let state = empty();
    let names = [
        "../../x",
        "/etc/x",
        "",
        ".",
        "..",
        "a/b",
        "A",
        "-x",
        "x\0y",
        "x\n",
        &"x".repeat(300),
    ];
    for name in names {
        Session::open(state.path(), name)
            .remember(&[Memory::Began(Some(7))])
            .unwrap();
    }
    assert_eq!(fs::read_dir(state.path()).unwrap().count(), 1);
    assert_eq!(
        fs::read_dir(state.path().join("sessions")).unwrap().count(),
        names.len()
    );
}
#[test]
fn a_linked_memory_is_refused() {
    let state = empty();
    Session::open(state.path(), "x")
        .remember(&[Memory::Began(Some(7))])
        .unwrap();
    symlink(state.path().join("target"), state.path().join("sessions/y")).unwrap();
    Session::open(state.path(), "y")
        .remember(&[Memory::Began(Some(7))])
        .unwrap_err();
    assert!(!state.path().join("target").exists());
    assert!(Session::open(state.path(), "y").memories().is_none());
}
#[test]
fn a_memory_open_to_others_is_refused() {
    let state = empty();
    Session::open(state.path(), "x")
        .remember(&[Memory::Began(Some(7))])
        .unwrap();
    fs::set_permissions(
        state.path().join("sessions/x"),
        fs::Permissions::from_mode(0o666),
    )
    .unwrap();
    assert!(Session::open(state.path(), "x").memories().is_none());
}
#[test]
fn a_torn_line_loses_only_itself() {
    let state = empty();
    let session = || Session::open(state.path(), "x");
    session().remember(&[Memory::Began(Some(7))]).unwrap();
    let path = state.path().join("sessions/x");
    let torn = fs::read_to_string(&path).unwrap() + "denied\tdel";
    fs::write(&path, torn + "\\").unwrap();
    session().remember(&[Memory::Person]).unwrap();
    assert_eq!(
        session().memories().unwrap(),
        [Memory::Began(Some(7)), Memory::Person]
    );
}
#[test]
fn many_writers_lose_nothing() {
    let state = empty();
    let write = |path: &Path, who: usize| {
        for at in 0..50 {
            Session::open(path, "x")
                .remember(&[
                    Memory::Denied(format!("{who} {at} {}", "x".repeat(2000))),
                    Memory::Allowed,
                ])
                .unwrap();
        }
    };
    std::thread::scope(|scope| {
        for who in 0..4 {
            scope.spawn({
                let path = state.path();
                move || write(path, who)
            });
        }
    });
    let session = Session::open(state.path(), "x");
    let memories = session.memories().unwrap();
    assert_eq!(memories.len(), 400);
    assert!(
        memories
            .chunks(2)
            .all(|pair| matches!(pair, [Memory::Denied(_), Memory::Allowed]))
    );
}
#[test]
fn a_full_memory_says_so() {
    let state = empty();
    let session = Session::open(state.path(), "x");
    let large = Memory::Secret("x".repeat(5 << 20));
    session.remember(std::slice::from_ref(&large)).unwrap();
    session.remember(&[large]).unwrap_err();
}
#[test]
fn secrets_are_named_once() {
    let sandbox = Sandbox::new().session("s");
    let secret = |name: &str| Memory::Secret(name.to_owned());
    sandbox
        .world()
        .session()
        .unwrap()
        .remember(&[secret("b"), secret("a"), secret("b")])
        .unwrap();
    assert_eq!(sandbox.ask(|_| Question::SecretsRead, ""), "names b a");
}
#[test]
fn how_calls_ended_is_known_until_a_person_speaks() {
    let sandbox = Sandbox::new().session("x");
    let endings = || sandbox.ask(|_| Question::Endings, "");
    let denied = ["delete tree ~".to_owned(), "read ./a".to_owned()];
    sandbox
        .world()
        .session()
        .unwrap()
        .remember_end(&[])
        .unwrap();
    assert_eq!(endings(), "names");
    sandbox
        .world()
        .session()
        .unwrap()
        .remember_end(&denied)
        .unwrap();
    sandbox
        .world()
        .session()
        .unwrap()
        .remember_end(&[])
        .unwrap();
    sandbox
        .world()
        .session()
        .unwrap()
        .remember_end(&[])
        .unwrap();
    sandbox
        .world()
        .session()
        .unwrap()
        .remember_end(&denied)
        .unwrap();
    assert_eq!(
        endings(),
        "names denied delete tree ~ allowed denied delete tree ~"
    );
    sandbox
        .world()
        .session()
        .unwrap()
        .remember(&[Memory::Person])
        .unwrap();
    assert_eq!(endings(), "names");
}

fn editing(name: &str, script: &str) -> Sandbox {
    use belay_model::Surroundings;
    let sandbox = Sandbox::new().session("s");
    let before = Before::of(&sandbox.world().ask(&Question::Standing(sandbox.at(name))));
    let memory = Memory::File {
        path: sandbox.at(name),
        origin: Written,
        before,
        hash: None,
    };
    sandbox
        .world()
        .session()
        .unwrap()
        .remember(&[memory])
        .unwrap();
    sandbox.sh(script)
}

#[test]
fn edits_of_a_clean_file_are_the_sessions_own() {
    let sandbox = editing("a", "echo x >> a");
    sandbox.standing("a", "ours");
    assert_eq!(sandbox.ask(Question::Changed, "a"), "ours");
    assert_eq!(sandbox.ask(Question::WorkingTree, "."), "ours");
    assert_eq!(
        sandbox.sh("git add a").ask(Question::WorkingTree, "."),
        "ours"
    );
}
#[test]
fn edits_of_a_changed_file_are_not() {
    let sandbox = Sandbox::new().sh("echo user >> a").session("s");
    use belay_model::Surroundings;
    let before = Before::of(&sandbox.world().ask(&Question::Standing(sandbox.at("a"))));
    let memory = Memory::File {
        path: sandbox.at("a"),
        origin: Written,
        before,
        hash: None,
    };
    sandbox
        .world()
        .session()
        .unwrap()
        .remember(&[memory])
        .unwrap();
    assert_eq!(
        sandbox.ask(Question::Changed, "a"),
        "lost 1 changed files: a"
    );
}
#[test]
fn own_edits_beside_other_changes_are_lost() {
    assert_eq!(
        editing("a", "echo x >> a; echo y >> d/b").ask(Question::WorkingTree, "."),
        "lost 1 changed files: d/b"
    );
}

fn writing(sandbox: &Sandbox, name: &str, contents: Option<&str>) {
    let contents = contents.map(str::as_bytes);
    sandbox
        .world()
        .remember_file(&sandbox.at(name), Written, contents)
        .unwrap();
}

#[test]
fn a_written_file_is_remembered_with_what_was_there() {
    let sandbox = Sandbox::new().session("s");
    writing(&sandbox, "new", Some("x"));
    writing(&sandbox, "a", None);
    let sandbox = sandbox.sh("printf x > new; echo y > a");
    sandbox.standing("new", "ours");
    sandbox.standing("a", "ours");
    writing(&sandbox, "new", Some("z"));
    sandbox.sh("printf z > new").standing("new", "ours");
}
#[test]
fn writing_over_work_does_not_make_it_ours() {
    let sandbox = Sandbox::new().sh("echo x > work").session("s");
    writing(&sandbox, "work", None);
    writing(&sandbox, "work", None);
    assert_eq!(
        sandbox.world().session().unwrap().memories().unwrap().len(),
        1
    );
    sandbox.standing("work", "lost 1 untracked files: work");
}
#[test]
fn writing_through_a_link_is_where_it_leads() {
    let sandbox = Sandbox::new().sh("ln -s target l").session("s");
    writing(&sandbox, "l", None);
    provenance(&sandbox, "target", "name written");
    provenance(&sandbox, "l", "name written");
}
