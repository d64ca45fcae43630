//! Packages: for cargo, npm, pip, dpkg, Homebrew and by hand, from one binary, each tried before it counts.
//!
//! INVARIANT: a package is whole only if it was installed from its file into an empty folder and its `belay` judged there.

mod archive;
mod crates;
mod debian;
mod npm;
mod sbom;
mod tried;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist::{self, host};
use crate::run::{must, output, read, root, target};
use crate::{Outcome, metadata};

/// How much is proved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Crates are packed and what they read is in them.
    Short,
    /// Crates are built from what was packed, too; and the binary is built twice, in two folders.
    Long,
}

/// A platform, by the names that others have for it.
pub struct Platform {
    /// Rust's name.
    pub triple: &'static str,
    /// Node's name of the system.
    pub os: &'static str,
    /// Node's name of the processor.
    pub cpu: &'static str,
    /// Debian's name of the processor, where there is one.
    pub debian: Option<&'static str>,
    /// Python's names. Our binary for Linux links nothing, so it runs beside every C library.
    pub wheel: &'static str,
}

/// Every platform that has packages.
pub const PLATFORMS: [Platform; 4] = [
    Platform {
        triple: "x86_64-unknown-linux-musl",
        os: "linux",
        cpu: "x64",
        debian: Some("amd64"),
        wheel: "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    },
    Platform {
        triple: "aarch64-unknown-linux-musl",
        os: "linux",
        cpu: "arm64",
        debian: Some("arm64"),
        wheel: "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    },
    Platform {
        triple: "x86_64-apple-darwin",
        os: "darwin",
        cpu: "x64",
        debian: None,
        wheel: "macosx_10_12_x86_64",
    },
    Platform {
        triple: "aarch64-apple-darwin",
        os: "darwin",
        cpu: "arm64",
        debian: None,
        wheel: "macosx_11_0_arm64",
    },
];

impl Platform {
    /// Finds a platform by Rust's name. Static binaries go by musl's, whichever C library they were linked with.
    pub fn of(triple: &str) -> Outcome<&'static Self> {
        let name = triple.replace("-linux-gnu", "-linux-musl");
        let found = PLATFORMS.iter().find(|it| it.triple == name);
        found.ok_or_else(|| format!("there are no packages for `{triple}`"))
    }
}

/// What all packages are made from.
pub struct Goods {
    /// For where.
    pub platform: &'static Platform,
    /// The version of the workspace.
    pub version: String,
    /// One sentence.
    pub about: String,
    /// Where the source lives.
    pub repository: String,
    /// The tree that is installed: `bin/belay`, `share/man`, completions, licences.
    pub tree: PathBuf,
    /// Where packages go.
    pub out: PathBuf,
}

/// Makes every package from the binary that ships, tries each, and lists them.
pub fn run(words: &[&str]) -> Outcome {
    match words {
        [] => all(&dist::run()?, Proof::Short),
        ["--long"] => all(&dist::run()?, Proof::Long),
        ["--binary", path] => all(&root().join(path), Proof::Short),
        ["--target", triple, "--binary", path] => cross(triple, &root().join(path)),
        _ => {
            Err("usage: cargo xtask package [--long | [--target TRIPLE] --binary PATH]".to_owned())
        }
    }
}

/// For CI: from the binary that the step before has built.
pub fn check(proof: Proof) -> Outcome {
    all(&dist::in_parts()?, proof)
}

fn all(binary: &Path, proof: Proof) -> Outcome {
    must(
        Command::new("bash")
            .arg("scripts/install-packagers")
            .current_dir(root()),
    )?;
    let out = fresh(&target().join("packages"))?;
    let goods = Goods::laid_out(Platform::of(&host()?)?, binary, &out)?;
    let made = make(&goods)?;
    tried::all(&goods, &made)?;
    crates::pack(proof)?;
    if proof == Proof::Long {
        tried::twice_the_same()?;
    }
    list(&out)
}

/// Makes the packages of another platform, which cannot be tried here.
fn cross(triple: &str, binary: &Path) -> Outcome {
    let out = target().join("packages");
    let goods = Goods::laid_out(Platform::of(triple)?, binary, &out)?;
    make(&goods)?;
    list(&out)
}

/// The files of one platform.
pub struct Made {
    /// The archive.
    pub archive: PathBuf,
    /// The wheel.
    pub wheel: PathBuf,
    /// The main package for npm, and the one of the platform.
    pub npm: [PathBuf; 2],
    /// The Debian package.
    pub debian: Option<PathBuf>,
    /// The formula.
    pub formula: PathBuf,
}

fn make(goods: &Goods) -> Outcome<Made> {
    let archive = archive::make(goods)?;
    let made = Made {
        wheel: wheel::make(goods)?,
        npm: npm::make(goods)?,
        debian: debian::make(goods)?,
        formula: archive::formula(goods)?,
        archive,
    };
    sbom::write(goods)?;
    archive::script(goods)?;
    archive::sums(&goods.out)?;
    Ok(made)
}

impl Goods {
    /// Puts everything that is installed into one tree, as below a prefix.
    fn laid_out(platform: &'static Platform, binary: &Path, out: &Path) -> Outcome<Self> {
        let manifest = read("Cargo.toml")?;
        let cli = read("crates/belay-cli/Cargo.toml")?;
        let version = metadata::line(&manifest, "version")?;
        let tree = fresh(
            &out.join("tree")
                .join(format!("belay-{version}-{}", platform.triple)),
        )?;
        let goods = Self {
            platform,
            version,
            about: metadata::line(&cli, "description")?,
            repository: metadata::line(&manifest, "repository")?,
            tree,
            out: out.to_owned(),
        };
        goods.fill(binary)?;
        Ok(goods)
    }

    fn fill(&self, binary: &Path) -> Outcome {
        let belay = self.tree.join("bin/belay");
        put(
            &belay,
            &fs::read(binary)
                .map_err(|why| format!("cannot read `{}`: {why}", binary.display()))?,
        )?;
        mode(&belay, 0o755)?;
        let speaks = if self.platform.triple == Platform::of(&host()?)?.triple {
            belay
        } else {
            target().join("dist/belay")
        };
        let said = |words: &[&str]| output(Command::new(&speaks).args(words).env_remove("COLUMNS"));
        let share = self.tree.join("share");
        for (shell, path) in SHELLS {
            put(&share.join(path), said(&["completions", shell])?.as_bytes())?;
        }
        let pages = share.join("man/man1");
        must(Command::new(&speaks).args(["man", "--dir"]).arg(&pages))?;
        for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
            put(
                &share.join("doc/autobelay").join(name),
                read(name)?.as_bytes(),
            )?;
        }
        Ok(())
    }

    /// Fills in a file of `packaging/`.
    pub fn filled(&self, path: &str, more: &[(&str, &str)]) -> Outcome<String> {
        let mut text = read(&format!("packaging/{path}"))?;
        let usual = [
            ("VERSION", self.version.as_str()),
            ("ABOUT", &self.about),
            ("REPOSITORY", &self.repository),
            ("OS", self.platform.os),
            ("CPU", self.platform.cpu),
        ];
        for (name, value) in usual.iter().chain(more) {
            text = text.replace(&format!("@{name}@"), value);
        }
        Ok(text)
    }
}

/// Shells whose completions go with a package, and where each looks. What no folder is shared for is printed on demand.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/belay"),
    ("zsh", "zsh/site-functions/_belay"),
    ("fish", "fish/vendor_completions.d/belay.fish"),
];

/// Makes an empty folder.
pub fn fresh(path: &Path) -> Outcome<PathBuf> {
    let fault = |why| format!("cannot make `{}`: {why}", path.display());
    if path.exists() {
        fs::remove_dir_all(path).map_err(fault)?;
    }
    fs::create_dir_all(path).map_err(fault)?;
    Ok(path.to_owned())
}

/// Writes a file, with the folders above it.
pub fn put(path: &Path, bytes: &[u8]) -> Outcome {
    let fault = |why| format!("cannot write `{}`: {why}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(fault)?;
    fs::write(path, bytes).map_err(fault)
}

/// Sets who may do what with a file.
pub fn mode(path: &Path, bits: u32) -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(bits)).map_err(|why| why.to_string())
}

fn list(out: &Path) -> Outcome {
    for path in archive::files(out)? {
        let size = fs::metadata(&path).map_or(0, |it| it.len());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        eprintln!("package: {size:>9} {name}");
    }
    println!("{}", out.display());
    Ok(())
}
