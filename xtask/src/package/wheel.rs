//! A wheel, so that `pip install autobelay` and `uvx` work.

use std::path::PathBuf;
use std::process::Command;

use super::Goods;
use crate::Outcome;
use crate::run::{must, root};

/// Makes the wheel of a platform.
pub fn make(goods: &Goods) -> Outcome<PathBuf> {
    let (version, tags) = (&goods.version, goods.platform.wheel);
    let path = goods
        .out
        .join(format!("autobelay-{version}-py3-none-{tags}.whl"));
    let mut python = Command::new("python3");
    python.arg(root().join("packaging/pypi/wheel.py"));
    python
        .arg(goods.tree.join("bin/belay"))
        .arg(root().join("README.md"))
        .arg(&path);
    must(python.args(["autobelay", version, tags, &goods.about]))?;
    Ok(path)
}
