//! On a file system whose files can share blocks, keeping a large file costs none: on a real one, mounted for this test alone.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;

use belay_needs::Need;
use belay_undo::{Keeper as _, Keeping, Limits, Loss, Sieve, Store, Taken, Told, Undo, Wish};

/// Names the mounted folder to the second run of this test.
const MOUNTED: &str = "BELAY_TEST_REFLINKS";
const LARGE: usize = 48 << 20;

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

#[test]
fn large_files_are_kept_without_room() {
    if let Some(folder) = std::env::var_os(MOUNTED) {
        return on_it(Path::new(&folder));
    }
    let made = || belay_needs::program("mkfs.btrfs").or_else(|| there("/usr/sbin/mkfs.btrfs"));
    let Some(maker) = Need::Reflinks.met("btrfs", made) else {
        return;
    };
    let room = tempfile::tempdir().unwrap();
    let image = room.path().join("image");
    fs::File::create(&image)
        .unwrap()
        .set_len(256 << 20)
        .unwrap();
    let done = Command::new(maker).arg("-q").arg(&image).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    fs::create_dir(room.path().join("disk")).unwrap();
    // In a namespace of its own, so that nothing stays mounted however this ends.
    let script = "mount -o loop image disk || exit 77; BELAY_TEST_REFLINKS=$PWD/disk exec \"$0\" --exact large_files_are_kept_without_room";
    let done = Command::new("unshare")
        .args(["--mount", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .current_dir(room.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    if done.status.success() {
        assert!(said.contains("1 passed"), "{said}");
    } else if said.contains("running 1 test") {
        panic!("{said}");
    } else {
        Need::Reflinks.is_left_out("this kernel mounts no btrfs for us");
    }
}

fn there(path: &str) -> Option<PathBuf> {
    Some(PathBuf::from(path)).filter(|it| it.is_file())
}

/// Returns the bytes that are free once everything is on the disk.
fn free(folder: &Path) -> u64 {
    let opened = OwnedFd::from(fs::File::open(folder).unwrap());
    rustix::fs::syncfs(&opened).unwrap();
    let seen = rustix::fs::fstatvfs(&opened).unwrap();
    seen.f_bfree * seen.f_frsize
}

fn on_it(disk: &Path) {
    let app = disk.join("app");
    fs::create_dir(&app).unwrap();
    let path = app.join("large");
    let numbers = (0_u32..).map(|it| it.wrapping_mul(2_654_435_761));
    let large: Vec<u8> = numbers.flat_map(u32::to_le_bytes).take(LARGE).collect();
    fs::write(&path, &large).unwrap();
    let limits = Limits {
        time: std::time::Duration::from_secs(60),
        ..Limits::default()
    };
    let store = Store::below(&disk.join("state"), limits);
    let before = free(disk);
    let kept = store.keep(&Wish {
        told: Told::default(),
        roots: std::slice::from_ref(&app),
        home: None,
        losses: &[Loss::Place {
            path: path.clone(),
            taken: Taken::Unlinked,
        }],
        sieve: &Nothing,
    });
    let Keeping::Kept(id) = kept else {
        panic!("{kept:?}");
    };
    let taken = before.saturating_sub(free(disk));
    assert!(taken < (LARGE / 8) as u64, "{taken} bytes for {LARGE}");

    // The copy is one of its own: what is written to the file now does not reach it.
    fs::write(&path, "newer").unwrap();
    let undo = Undo {
        id,
        ..Undo::default()
    };
    store.undo(&undo).unwrap();
    assert!(fs::read(&path).unwrap() == large, "what was kept differs");
}
