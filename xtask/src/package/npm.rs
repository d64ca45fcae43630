//! Two packages for npm: a launcher that asks for all platforms as optional, and the binary of one, which `os` and `cpu` choose.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Goods, fresh, mode, put};
use crate::Outcome;
use crate::run::{output, read};

/// Makes both; the main one is the same on every platform.
pub fn make(goods: &Goods) -> Outcome<[PathBuf; 2]> {
    let stage = fresh(&goods.out.join("tree/npm"))?;
    let main = stage.join("main");
    put(
        &main.join("package.json"),
        goods.filled("npm/main.json", &[])?.as_bytes(),
    )?;
    put(
        &main.join("bin/belay.js"),
        read("packaging/npm/launcher.js")?.as_bytes(),
    )?;
    mode(&main.join("bin/belay.js"), 0o755)?;
    put(&main.join("README.md"), read("README.md")?.as_bytes())?;
    let platform = stage.join("platform");
    let said = goods.filled("npm/platform.json", &[])?;
    put(&platform.join("package.json"), said.as_bytes())?;
    let binary = fs::read(goods.tree.join("bin/belay")).map_err(|why| why.to_string())?;
    put(&platform.join("bin/belay"), &binary)?;
    mode(&platform.join("bin/belay"), 0o755)?;
    for folder in [&main, &platform] {
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            put(&folder.join(name), read(name)?.as_bytes())?;
        }
    }
    Ok([packed(&main, goods)?, packed(&platform, goods)?])
}

fn packed(folder: &Path, goods: &Goods) -> Outcome<PathBuf> {
    let mut npm = Command::new("npm");
    npm.args(["pack", "--silent", "--offline", "--pack-destination"])
        .arg(&goods.out);
    let said = output(npm.current_dir(folder))?;
    let name = said.trim().lines().last().unwrap_or_default();
    Ok(goods.out.join(name))
}
