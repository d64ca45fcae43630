//! Trust and grants, on a real disk.

use std::path::Path;

use belay_model::parse_effect;
use belay_settings::grants::{self, Moment, Wish};
use belay_settings::trust::{self, Change};
use belay_settings::{Loaded, Places, load};

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("project")).unwrap();
        Self { folder }
    }

    fn state(&self) -> std::path::PathBuf {
        self.folder.path().join("state")
    }

    fn project(&self, text: &str) {
        std::fs::write(self.folder.path().join("project/.belay.toml"), text).unwrap();
    }

    fn load(&self, remote: &str) -> Loaded {
        let places = Places {
            user: Some(self.folder.path().join("config.toml")),
            project_root: Some(self.folder.path().join("project")),
            state_dir: Some(self.state()),
            ..Places::default()
        };
        load(&places, &|_: &Path| Some(remote.to_owned()))
    }

    fn subject(&self, remote: &str) -> trust::Subject {
        trust::Subject {
            root: self.folder.path().join("project"),
            remote: Some(remote.to_owned()),
            lines: trust::lines(&self.load(remote).waiting),
        }
    }
}

#[test]
fn trust_counts_for_these_lines_and_this_remote() {
    let desk = Desk::new();
    desk.project("[rules]\nallow = [\"npm publish\"]\n");
    assert_eq!(desk.load("a").waiting.len(), 1);
    trust::accept(&desk.state(), &desk.subject("a"), 7).unwrap();
    let loaded = desk.load("a");
    assert_eq!((loaded.waiting.len(), loaded.trusted.len()), (0, 1));
    assert_eq!(loaded.settings.rules.allow[0].text, "npm publish");
    assert_eq!(desk.load("b").waiting.len(), 1);
    desk.project("[rules]\nallow = [\"npm publish\", \"rm\"]\n");
    let loaded = desk.load("a");
    assert_eq!(loaded.waiting.len(), 2);
    assert!(loaded.settings.rules.allow.is_empty());
    let kept = Change::Kept("rules.allow = \"npm publish\"".to_owned());
    let added = Change::Added("rules.allow = \"rm\"".to_owned());
    assert_eq!(
        trust::changes(&desk.state(), &desk.subject("a")),
        [kept, added]
    );
    assert!(trust::revoke(&desk.state(), &desk.folder.path().join("project")).unwrap());
}

#[test]
fn tightening_needs_no_trust() {
    let desk = Desk::new();
    desk.project("[rules]\nallow = [\"rm\"]\nhard_deny = [\"npm publish\"]\n");
    assert_eq!(desk.load("a").settings.rules.hard_deny.len(), 1);
}

#[test]
fn a_broken_store_trusts_nothing() {
    let desk = Desk::new();
    desk.project("[rules]\nallow = [\"rm\"]\n");
    trust::accept(&desk.state(), &desk.subject("a"), 7).unwrap();
    std::fs::write(desk.state().join("trust.json"), "{").unwrap();
    assert_eq!(desk.load("a").waiting.len(), 1);
}

#[cfg(unix)]
#[test]
fn stores_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new();
    trust::accept(&desk.state(), &desk.subject("a"), 7).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&desk.state()), 0o700);
    assert_eq!(mode(&desk.state().join("trust.json")), 0o600);
}

fn wish(line: &str) -> Wish {
    Wish {
        effects: vec![line.to_owned()],
        folder: "/app".to_owned(),
        ..Wish::default()
    }
}

const fn moment(now: u64) -> Moment<'static> {
    Moment {
        now,
        folder: "/app",
        session: Some("s1"),
    }
}

#[test]
fn a_grant_ends_with_its_time() {
    let desk = Desk::new();
    let timed = Wish {
        seconds: Some(60),
        ..wish("rewrite origin topic")
    };
    grants::grant(&desk.state(), &timed, 1000).unwrap();
    let live = |now: u64| grants::live(&desk.state(), &moment(now)).unwrap().len();
    assert_eq!(
        (live(1000), live(1059), live(1060), live(999)),
        (1, 1, 0, 0)
    );
    let elsewhere = Moment {
        folder: "/other",
        ..moment(1000)
    };
    assert!(grants::live(&desk.state(), &elsewhere).unwrap().is_empty());
}

#[test]
fn a_grant_ends_with_its_uses() {
    let desk = Desk::new();
    let twice = Wish {
        uses: Some(2),
        ..wish("rewrite origin topic")
    };
    let id = grants::grant(&desk.state(), &twice, 1000).unwrap().id;
    let spend = || grants::spend(&desk.state(), &id, &moment(1001)).unwrap();
    assert_eq!((spend(), spend(), spend()), (true, true, false));
}

#[test]
fn uses_are_counted_once_by_many() {
    let desk = Desk::new();
    let few = Wish {
        uses: Some(5),
        ..wish("rewrite origin topic")
    };
    let id = grants::grant(&desk.state(), &few, 1000).unwrap().id;
    let (state, id) = (desk.state(), id.as_str());
    let spent: usize = std::thread::scope(|scope| {
        let spend = || usize::from(grants::spend(&state, id, &moment(1001)).unwrap());
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(spend)).collect();
        threads.into_iter().map(|it| it.join().unwrap()).sum()
    });
    assert_eq!(spent, 5);
}

#[test]
fn a_grant_counts_in_its_session() {
    let desk = Desk::new();
    let session = Wish {
        session: Some("s1".to_owned()),
        ..wish("rewrite origin topic")
    };
    grants::grant(&desk.state(), &session, 1000).unwrap();
    let other = Moment {
        session: Some("s2"),
        ..moment(1000)
    };
    assert!(grants::live(&desk.state(), &other).unwrap().is_empty());
    assert_eq!(grants::live(&desk.state(), &moment(1000)).unwrap().len(), 1);
}

#[test]
fn a_grant_names_one_effect_exactly() {
    let desk = Desk::new();
    let grant =
        grants::grant(&desk.state(), &wish("send example.com carrying content"), 0).unwrap();
    let names = |line: &str| grant.names(&parse_effect(line).unwrap());
    assert!(names("send example.com"));
    assert!(names("send example.com carrying content"));
    assert!(!names("send example.com carrying secret content"));
    assert!(!names("send example.com on ssh web"));
    assert!(!names("fetch example.com"));
}

#[test]
fn what_is_not_exact_is_not_granted() {
    let desk = Desk::new();
    for line in [
        "delete tree ./*",
        "delete ?",
        "send ?",
        "delete ./x/?",
        "frob",
        "",
    ] {
        assert!(
            grants::grant(&desk.state(), &wish(line), 0).is_err(),
            "{line}"
        );
    }
    assert!(grants::grant(&desk.state(), &Wish::default(), 0).is_err());
}
