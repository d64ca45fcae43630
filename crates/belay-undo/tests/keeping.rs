//! Keeping, without a gate: whole or not at all, whatever happens meanwhile.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use belay_undo::{
    Keeper as _, Keeping, Limits, Loss, Sieve, Store, Taken, Told, Undo, UndoError, Wish,
};
use proptest::prelude::*;

struct Nothing;

impl Sieve for Nothing {
    fn is_artefact(&self, _: &Path) -> bool {
        false
    }

    fn is_secret(&self, _: &Path) -> bool {
        false
    }

    fn is_ordinary(&self, _: &Path) -> bool {
        true
    }
}

struct Scene {
    folder: tempfile::TempDir,
    store: Store,
}

type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("app")).unwrap();
        let limits = Limits {
            time: Duration::from_secs(60),
            ..Limits::default()
        };
        let store = Store::below(&folder.path().join("state"), limits);
        Self { folder, store }
    }

    fn app(&self) -> PathBuf {
        self.folder.path().join("app")
    }

    fn keep(&self, names: &[&str]) -> Keeping {
        let place = |it: &&str| Loss::Place {
            path: self.app().join(it),
            taken: Taken::Tree,
        };
        let losses: Vec<Loss> = names.iter().map(place).collect();
        self.store.keep(&Wish {
            told: Told::default(),
            roots: &[self.app()],
            home: None,
            losses: &losses,
            sieve: &Nothing,
        })
    }

    fn kept(&self, names: &[&str]) -> String {
        match self.keep(names) {
            Keeping::Kept(id) => id,
            other @ (Keeping::CouldBe | Keeping::Nothing | Keeping::Not(_)) => panic!("{other:?}"),
        }
    }

    fn is_refused(&self, name: &str, because: &str) -> bool {
        matches!(self.keep(&[name]), Keeping::Not(why) if why.contains(because))
    }

    fn undo(&self, id: &str) -> Result<(), UndoError> {
        let undo = Undo {
            id: id.to_owned(),
            ..Undo::default()
        };
        self.store.undo(&undo).map(|_| ())
    }

    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut ahead = vec![self.app()];
        while let Some(folder) = ahead.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    ahead.push(path.clone());
                }
                tree.insert(path.clone(), fs::read(&path).ok());
            }
        }
        tree
    }
}

#[test]
fn many_files_come_back_and_too_many_are_not_kept() {
    let scene = Scene::new();
    let many = scene.app().join("many");
    fs::create_dir(&many).unwrap();
    for at in 0..20_000 {
        fs::write(many.join(format!("{at}")), format!("{at}")).unwrap();
    }
    assert!(scene.is_refused("many", "too many"));
    assert!(scene.store.list().is_empty());
    fs::remove_file(many.join("7")).unwrap();
    let before = scene.tree();
    let id = scene.kept(&["many"]);
    assert_eq!(scene.store.manifest(&id).unwrap().head.count, 20_000);
    fs::remove_dir_all(&many).unwrap();
    scene.undo(&id).unwrap();
    assert_eq!(scene.tree(), before);
}

#[test]
fn large_files_come_back_and_altered_ones_do_not() {
    let scene = Scene::new();
    let path = scene.app().join("large");
    let large: Vec<u8> = (0..700_000_u32).flat_map(u32::to_le_bytes).collect();
    fs::write(&path, &large).unwrap();
    let id = scene.kept(&["large"]);
    fs::remove_file(&path).unwrap();
    scene.undo(&id).unwrap();
    assert_eq!(fs::read(&path).unwrap(), large);
    fs::remove_file(&path).unwrap();
    fs::write(scene.store.folder().join(&id).join("1"), "other").unwrap();
    assert!(matches!(scene.undo(&id), Err(UndoError::Altered(_))));
    assert!(!path.exists());
}

#[test]
fn a_file_that_changes_meanwhile_is_not_called_kept() {
    let scene = Scene::new();
    let path = scene.app().join("busy");
    fs::write(&path, vec![0; 8 << 20]).unwrap();
    let stop = AtomicBool::new(false);
    let refused = std::thread::scope(|scope| {
        scope.spawn(|| {
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            for round in 0_u64.. {
                file.write_at(&round.to_le_bytes(), 5 << 20).unwrap();
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        std::thread::sleep(Duration::from_millis(20));
        let refused = scene.is_refused("busy", "changed");
        stop.store(true, Ordering::Relaxed);
        refused
    });
    assert!(refused);
}

#[test]
fn two_at_once_do_not_meet() {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let scene = Scene::new();
    for name in NAMES {
        fs::write(scene.app().join(name), name).unwrap();
    }
    let ids: Vec<String> = std::thread::scope(|scope| {
        let each = |name: &'static str| {
            let scene = &scene;
            scope.spawn(move || (0..25).map(|_| scene.kept(&[name])).collect::<Vec<_>>())
        };
        let all = NAMES.map(each);
        all.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), 100);
    assert_eq!(scene.store.list().len(), 100);
}

#[test]
fn the_same_call_may_keep_the_same_work_any_number_of_times() {
    let scene = Scene::new();
    fs::write(scene.app().join("a"), "work").unwrap();
    for time in 0..100 {
        let kept = scene.keep(&["a"]);
        assert!(matches!(kept, Keeping::Kept(_)), "{time}: {kept:?}");
    }
}

#[test]
fn what_was_cut_short_is_nothing() {
    let scene = Scene::new();
    fs::write(scene.app().join("a"), "a").unwrap();
    let id = scene.kept(&["a"]);
    let whole = scene.store.folder().join(&id);
    // As a killed process leaves it: everything is there but the name.
    fs::rename(&whole, scene.store.folder().join(".new-1-0-00000000")).unwrap();
    assert!(scene.store.list().is_empty());
    assert!(matches!(scene.undo(&id), Err(UndoError::Unknown(_))));
    // A manifest that lacks a line is damaged.
    let id = scene.kept(&["a"]);
    let manifest = scene.store.folder().join(&id).join("manifest.jsonl");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.trim_end().rsplit_once('\n').unwrap().0).unwrap();
    assert!(matches!(scene.undo(&id), Err(UndoError::Damaged(_))));
}

#[test]
fn only_what_is_old_makes_room() {
    let mut scene = Scene::new();
    fs::write(scene.app().join("a"), vec![7; 4096]).unwrap();
    let first = scene.kept(&["a"]);
    scene.store.limits.max_total = 6000;
    assert!(scene.is_refused("a", "full"));
    let path = scene.store.folder().join(&first).join("manifest.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let when = scene.store.list().first().unwrap().when;
    let member = |when: u64| format!("\"when\":{when}");
    let aged = text.replace(&member(when), &member(when - 15 * 86_400_000));
    fs::write(&path, aged).unwrap();
    scene.kept(&["a"]);
    assert_eq!(scene.store.list().len(), 1);
}

/// A small tree: names to contents; nothing for a folder.
fn trees() -> impl Strategy<Value = BTreeMap<String, Option<Vec<u8>>>> {
    let names = [
        "a", "b", "c d", "é", "a/x", "a/y", "a/b/z", "e", "e/f", "-n", "%41",
    ];
    let name = prop::sample::select(names.to_vec()).prop_map(str::to_owned);
    let contents = prop::option::of(prop::collection::vec(any::<u8>(), 0..200));
    prop::collection::btree_map(name, contents, 0..9)
}

fn make(root: &Path, tree: &BTreeMap<String, Option<Vec<u8>>>) {
    for (name, contents) in tree {
        let path = root.join(name);
        if path.symlink_metadata().is_ok() || fs::create_dir_all(path.parent().unwrap()).is_err() {
            continue;
        }
        let _ = match contents {
            Some(bytes) => fs::write(&path, bytes),
            None => fs::create_dir(&path),
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever stood there, whatever took its place: what is restored is what was.
    #[test]
    fn any_tree_comes_back_over_any_other(before in trees(), after in trees()) {
        let scene = Scene::new();
        let top = scene.app().join("t");
        fs::create_dir(&top).unwrap();
        make(&top, &before);
        let was = scene.tree();
        let id = scene.kept(&["t"]);
        fs::remove_dir_all(&top).unwrap();
        fs::create_dir(&top).unwrap();
        make(&top, &after);
        let newer = scene.tree();
        scene.undo(&id).unwrap();
        let now = scene.tree();
        for (path, contents) in &was {
            prop_assert_eq!(now.get(path), Some(contents));
        }
        // What was not there before stays, unless it stood in the way.
        for path in newer.keys().filter(|it| !now.contains_key(*it)) {
            prop_assert!(was.keys().any(|it| path.starts_with(it)), "{:?}", path);
        }
    }
}
