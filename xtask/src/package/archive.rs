//! Archives for people without a package manager: what is fetched, its checksums, the script that checks them, the formula.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::{Goods, PLATFORMS, mode, put};
use crate::Outcome;
use crate::run::must;

/// Makes `belay-VERSION-TRIPLE.tar.gz`. The same tree gives the same bytes: sorted, nobody's, at a fixed time.
pub fn make(goods: &Goods) -> Outcome<PathBuf> {
    let name = file_of(goods, goods.platform.triple);
    let path = goods.out.join(&name);
    let folder = goods.tree.parent().unwrap_or(&goods.tree);
    let top = goods.tree.file_name().unwrap_or_default();
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args([
        "--mtime=@0",
        "--mode=u+rw,go=rX",
        "--use-compress-program=gzip -9n",
    ]);
    must(tar.arg("-cf").arg(&path).arg("-C").arg(folder).arg(top))?;
    Ok(path)
}

fn file_of(goods: &Goods, triple: &str) -> String {
    format!("belay-{}-{triple}.tar.gz", goods.version)
}

/// Writes `SHA256SUMS` over everything in the folder, in the form that `sha256sum -c` reads.
pub fn sums(out: &Path) -> Outcome {
    let mut text = String::new();
    for path in files(out)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name != "SHA256SUMS" {
            text.push_str(&format!("{}  {name}\n", sum(&path)?));
        }
    }
    put(&out.join("SHA256SUMS"), text.as_bytes())
}

/// Returns the checksum of a file.
pub fn sum(path: &Path) -> Outcome<String> {
    let bytes = fs::read(path).map_err(|why| format!("cannot read `{}`: {why}", path.display()))?;
    let digest = Sha256::digest(&bytes);
    Ok(digest.iter().map(|it| format!("{it:02x}")).collect())
}

/// Returns the files of a folder, in order.
pub fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let fault = |why| format!("cannot list `{}`: {why}", folder.display());
    let entries = fs::read_dir(folder).map_err(fault)?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    files.retain(|it| it.is_file());
    files.sort();
    Ok(files)
}

/// Writes `install.sh`.
pub fn script(goods: &Goods) -> Outcome {
    let path = goods.out.join("install.sh");
    put(&path, goods.filled("install.sh", &[])?.as_bytes())?;
    mode(&path, 0o755)
}

/// Writes the formula, with the archives that are in the folder: a platform that was not built is not offered.
pub fn formula(goods: &Goods) -> Outcome<PathBuf> {
    let mut offers = String::new();
    for platform in &PLATFORMS {
        let name = file_of(goods, platform.triple);
        let archive = goods.out.join(&name);
        if !archive.exists() {
            continue;
        }
        let os = if platform.os == "darwin" {
            "macos"
        } else {
            "linux"
        };
        let cpu = if platform.cpu == "arm64" {
            "arm"
        } else {
            "intel"
        };
        let url = format!(
            "{}/releases/download/v{}/{name}",
            goods.repository, goods.version
        );
        let sum = sum(&archive)?;
        offers.push_str(&format!(
            "  on_{os} do\n    on_{cpu} do\n      url \"{url}\"\n      sha256 \"{sum}\"\n    end\n  end\n"
        ));
    }
    let path = goods.out.join("belay.rb");
    let text = goods.filled("homebrew/belay.rb", &[("PLATFORMS", &offers)])?;
    put(&path, text.as_bytes())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::line;
    use crate::run::read;

    /// What cargo-binstall would fetch and look for is what we make.
    #[test]
    fn binstall_finds_the_archive() {
        let cli: toml::Table = read("crates/belay-cli/Cargo.toml")
            .unwrap()
            .parse()
            .unwrap();
        let told = &cli["package"]["metadata"]["binstall"];
        let manifest = read("Cargo.toml").unwrap();
        let (version, repo) = (
            line(&manifest, "version").unwrap(),
            line(&manifest, "repository").unwrap(),
        );
        let filled = |key: &str| {
            let text = told[key].as_str().unwrap().replace("{ repo }", &repo);
            let text = text
                .replace("{ version }", &version)
                .replace("{ bin }", "belay");
            text.replace("{ target }", "T")
        };
        let script = read("packaging/install.sh")
            .unwrap()
            .replace("@VERSION@", &version);
        assert!(script.contains("name=belay-$version-$triple"));
        let name = format!("belay-{version}-T");
        assert_eq!(
            filled("pkg-url"),
            format!("{repo}/releases/download/v{version}/{name}.tar.gz")
        );
        assert_eq!(filled("bin-dir"), format!("{name}/bin/belay"));
    }

    #[test]
    fn every_platform_of_the_script_has_packages() {
        let script = read("packaging/install.sh").unwrap();
        for platform in &PLATFORMS {
            assert!(script.contains(&format!("triple={}", platform.triple)));
        }
    }
}
