//! Tries packages: each is installed from its file into an empty folder, and its `belay` must judge there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::archive::sum;
use super::{Goods, Made, fresh};
use crate::run::{must, root, shown, target};
use crate::{Outcome, dist};

/// Installs and runs every package of this machine's platform.
pub fn all(goods: &Goods, made: &Made) -> Outcome {
    let room = Room {
        folder: fresh(&goods.out.join("tried"))?,
        version: &goods.version,
    };
    room.by_script(goods)?;
    room.by_pip(&made.wheel)?;
    room.by_npm(&made.npm)?;
    if let Some(package) = &made.debian {
        room.by_dpkg(package)?;
    }
    formula(made)?;
    fs::remove_dir_all(&room.folder).map_err(|why| why.to_string())
}

struct Room<'a> {
    folder: PathBuf,
    version: &'a str,
}

impl Room<'_> {
    fn new_folder(&self, name: &str) -> Outcome<PathBuf> {
        fresh(&self.folder.join(name))
    }

    /// Starts a program in a home of its own, without whatever belay is in this one.
    fn start(&self, program: &Path, words: &[&str]) -> Outcome<Output> {
        let home = self.folder.join("home");
        fs::create_dir_all(home.join(".claude")).map_err(|why| why.to_string())?;
        let mut command = Command::new(program);
        command.args(words).current_dir(&home).env("HOME", &home);
        for name in ["BELAY_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        let line = shown(&command);
        command
            .output()
            .map_err(|why| format!("cannot start `{line}`: {why}"))
    }

    /// Insists that a `belay` says its version, allows what it must, and refuses what it must.
    fn judges(&self, belay: &Path) -> Outcome {
        let said = self.start(belay, &["--version"])?;
        let version = String::from_utf8_lossy(&said.stdout).trim().to_owned();
        if version != format!("belay {}", self.version) {
            return Err(format!("`{}` says `{version}`", belay.display()));
        }
        for (line, code) in [("ls -l", 0), ("rm -rf /", 20)] {
            let done = self.start(belay, &["check", "--", line])?;
            if done.status.code() != Some(code) {
                return Err(format!(
                    "`{}` judges `{line}` with {:?}",
                    belay.display(),
                    done.status
                ));
            }
        }
        Ok(())
    }

    /// `install.sh`, and that it refuses an archive that was changed.
    fn by_script(&self, goods: &Goods) -> Outcome {
        let prefix = self.new_folder("script")?;
        let install = |from: &Path| {
            let mut sh = Command::new("sh");
            sh.arg(goods.out.join("install.sh"));
            sh.env("BELAY_FROM", from).env("PREFIX", &prefix);
            sh.output().map_err(|why| why.to_string())
        };
        let bent = self.new_folder("bent")?;
        let name = format!("belay-{}-{}.tar.gz", goods.version, goods.platform.triple);
        for file in ["SHA256SUMS", &name] {
            fs::copy(goods.out.join(file), bent.join(file)).map_err(|why| why.to_string())?;
        }
        let mut bytes = fs::read(bent.join(&name)).map_err(|why| why.to_string())?;
        bytes.push(0);
        fs::write(bent.join(&name), bytes).map_err(|why| why.to_string())?;
        if install(&bent)?.status.success() || prefix.join("bin/belay").exists() {
            return Err("install.sh installs an archive that was changed".to_owned());
        }
        let done = install(&goods.out)?;
        if !done.status.success() {
            return Err(format!(
                "install.sh: {}",
                String::from_utf8_lossy(&done.stderr)
            ));
        }
        self.judges(&prefix.join("bin/belay"))
    }

    fn by_pip(&self, wheel: &Path) -> Outcome {
        let prefix = self.new_folder("pip")?;
        let mut pip = Command::new("python3");
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-index",
            "--ignore-installed",
            "--no-warn-script-location",
        ]);
        pip.args([
            "--disable-pip-version-check",
            "--root-user-action=ignore",
            "--prefix",
        ]);
        must(pip.arg(&prefix).arg(wheel))?;
        self.judges(&found(&prefix, "belay")?)
    }

    /// npm; and that agents are told of the binary, not of the launcher, and the doctor sees when it has moved.
    fn by_npm(&self, packages: &[PathBuf; 2]) -> Outcome {
        let prefix = self.new_folder("npm")?;
        fs::write(prefix.join("package.json"), "{\"private\":true}")
            .map_err(|why| why.to_string())?;
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--offline",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
            "--prefix",
        ]);
        must(npm.arg(&prefix).args(packages).current_dir(&prefix))?;
        let launcher = prefix.join("node_modules/.bin/belay");
        self.judges(&launcher)?;
        self.start(&launcher, &["install", "--yes", "claude-code"])?;
        let settings = self.folder.join("home/.claude/settings.json");
        let told = fs::read_to_string(&settings).map_err(|why| why.to_string())?;
        if !told.contains("@autobelay") || told.contains("belay.js") {
            return Err(format!("agents are told of another program: {told}"));
        }
        let healthy = self.start(&launcher, &["doctor", "--print", "claude-code"])?;
        let moved = self.folder.join("npm-moved");
        fs::rename(&prefix, &moved).map_err(|why| why.to_string())?;
        let launcher = moved.join("node_modules/.bin/belay");
        let sick = self.start(&launcher, &["doctor", "--print", "claude-code"])?;
        let said = String::from_utf8_lossy(&sick.stdout).into_owned();
        if !healthy.status.success()
            || sick.status.success()
            || !said.contains("fix: belay install")
        {
            return Err(format!(
                "the doctor does not see that belay has moved:\n{said}"
            ));
        }
        Ok(())
    }

    fn by_dpkg(&self, package: &Path) -> Outcome {
        let root = self.new_folder("dpkg")?;
        let records = root.join("var/lib/dpkg");
        for name in ["info", "updates", "triggers"] {
            fs::create_dir_all(records.join(name)).map_err(|why| why.to_string())?;
        }
        fs::write(records.join("status"), "").map_err(|why| why.to_string())?;
        let mut dpkg = Command::new("dpkg");
        dpkg.args([
            "--force-not-root",
            "--force-architecture",
            "--force-script-chrootless",
            "--log=/dev/null",
            "--root",
        ]);
        let done = dpkg.arg(&root).arg("--install").arg(package).output();
        let done = done.map_err(|why| format!("cannot start dpkg: {why}"))?;
        if !done.status.success() {
            return Err(format!("dpkg: {}", String::from_utf8_lossy(&done.stderr)));
        }
        for path in [
            "share/man/man1/belay-check.1.gz",
            "share/bash-completion/completions/belay",
        ] {
            if !root.join("usr").join(path).is_file() {
                return Err(format!("the Debian package lacks `{path}`"));
            }
        }
        self.judges(&root.join("usr/bin/belay"))
    }
}

/// Finds a program below a prefix: whether pip says `bin` or `local/bin` is its host's taste.
fn found(prefix: &Path, name: &str) -> Outcome<PathBuf> {
    let places = ["bin", "local/bin"].map(|it| prefix.join(it).join(name));
    let there = places.into_iter().find(|it| it.is_file());
    there.ok_or_else(|| format!("`{name}` was not installed in `{}`", prefix.display()))
}

/// Reads the formula as Ruby does, and insists that it names the archive as it is.
fn formula(made: &Made) -> Outcome {
    must(
        Command::new("ruby")
            .arg("-c")
            .arg(&made.formula)
            .stdout(std::process::Stdio::null()),
    )?;
    let text = fs::read_to_string(&made.formula).map_err(|why| why.to_string())?;
    if text.contains(&sum(&made.archive)?) {
        Ok(())
    } else {
        Err("the formula names another archive".to_owned())
    }
}

/// Builds the binary that ships once more, from a copy of the tree elsewhere: the bytes must be the same.
pub fn twice_the_same() -> Outcome {
    let here = sum(&dist::run()?)?;
    let copy = fresh(&target().join("elsewhere/a longer path"))?;
    for name in [
        "Cargo.toml",
        "Cargo.lock",
        ".cargo",
        "rust-toolchain.toml",
        "crates",
        "xtask",
        "knowledge",
        "policy",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ] {
        must(
            Command::new("cp")
                .arg("-a")
                .arg(root().join(name))
                .arg(copy.join(name)),
        )?;
    }
    must(
        Command::new("cargo")
            .args(["xtask", "dist"])
            .current_dir(&copy)
            .env_remove("CARGO_TARGET_DIR"),
    )?;
    let there = sum(&copy.join("target/dist/belay"))?;
    eprintln!("package: {here} here, {there} elsewhere");
    if here == there {
        return fs::remove_dir_all(&copy).map_err(|why| why.to_string());
    }
    Err("two builds of the same source differ".to_owned())
}
