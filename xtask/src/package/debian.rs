//! A Debian package: the tree below `/usr`, with compressed manual pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Goods, fresh, mode, put};
use crate::Outcome;
use crate::run::must;

/// Makes the package, where Debian has a name for the processor.
pub fn make(goods: &Goods) -> Outcome<Option<PathBuf>> {
    let Some(arch) = goods.platform.debian else {
        return Ok(None);
    };
    let stage = fresh(&goods.out.join("tree/debian"))?;
    let usr = stage.join("usr");
    must(Command::new("cp").arg("-R").arg(&goods.tree).arg(&usr))?;
    must(
        Command::new("sh")
            .args(["-c", "gzip -9n \"$0\"/share/man/man1/*.1"])
            .arg(&usr),
    )?;
    let doc = usr.join("share/doc/autobelay");
    let licence = fs::read(doc.join("LICENSE-MIT")).map_err(|why| why.to_string())?;
    put(&doc.join("copyright"), &licence)?;
    let size = (weight(&stage)? / 1024).to_string();
    let control = goods.filled("debian/control", &[("ARCH", arch), ("SIZE", &size)])?;
    put(&stage.join("DEBIAN/control"), control.as_bytes())?;
    // The folder's own mode comes from whoever builds.
    mode(&stage.join("DEBIAN"), 0o755)?;
    must(
        Command::new("chmod")
            .args(["-R", "u+rwX,go+rX,go-w"])
            .arg(&stage),
    )?;
    let path = goods
        .out
        .join(format!("autobelay_{}_{arch}.deb", goods.version));
    let mut build = Command::new("dpkg-deb");
    build
        .args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&stage)
        .arg(&path);
    // Times of files are those of the copy; one fixed time keeps the bytes the same.
    build
        .env("SOURCE_DATE_EPOCH", "0")
        .stdout(std::process::Stdio::null());
    must(
        Command::new("find")
            .arg(&stage)
            .args(["-exec", "touch", "-h", "-d", "@0", "{}", "+"]),
    )?;
    must(&mut build)?;
    Ok(Some(path))
}

fn weight(path: &Path) -> Outcome<u64> {
    let facts = fs::symlink_metadata(path).map_err(|why| why.to_string())?;
    if !facts.is_dir() {
        return Ok(facts.len());
    }
    let mut sum = 0;
    for entry in fs::read_dir(path).map_err(|why| why.to_string())?.flatten() {
        sum += weight(&entry.path())?;
    }
    Ok(sum)
}
