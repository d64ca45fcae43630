//! Where lines run: layers over the system in which nothing outlives a line, as a user without rights.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use belay_oracle::world::{HOME, PROJECT};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

use crate::acts::{Act, Layer, traced};
use crate::patience::{End, waited};
use crate::tools::Cache;

/// Where the stage is built.
pub const STAGE: &str = "/mnt";
/// What of the kernel's work is written down.
const CALLS: &str = "trace=execve,socket,connect,bind,listen,open,openat,openat2";

/// The stage of one worker, which is the first process of its namespace.
pub struct Stage {
    cache: Cache,
    played: u64,
}

/// What came of a line.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What it did.
    pub acts: Vec<Act>,
    /// How it ended.
    pub end: End,
}

impl Stage {
    /// Makes sure that this is a stage.
    ///
    /// # Errors
    /// When it is not.
    pub fn new(cache: Cache) -> Result<Self, String> {
        if std::process::id() != 1 || !Path::new(STAGE).join("world/home/dev/p").is_dir() {
            return Err("a worker must be the first process of its stage".to_owned());
        }
        Ok(Self { cache, played: 0 })
    }

    /// Runs a line and returns what it did.
    ///
    /// # Errors
    /// When the layers cannot be laid: then nothing was proved.
    pub fn play(&mut self, line: &str) -> Result<Outcome, String> {
        let layers = Layers::lay(self.played, &self.cache)?;
        self.played += 1;
        let trace = Path::new(STAGE).join("run/trace");
        let _ = fs::remove_file(&trace);
        let mut child = self
            .inside()
            .args([
                "setpriv",
                "--ambient-caps=-all",
                "--inh-caps=-all",
                "--bounding-set=-all",
            ])
            .args(["strace", "-f", "-qq", "-y", "-s", "256", "--seccomp-bpf"])
            .args(["-e", CALLS, "-e", "signal=none", "-o", "/run/trace"])
            .args(["bash", "-c", line])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|why| format!("cannot run a line: {why}"))?;
        let end = waited(&mut child);
        let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
        let _ = child.wait();
        while waitpid(Pid::from_raw(-1), None).is_ok() {}
        let trace = fs::read(&trace).unwrap_or_default();
        let mut acts = traced(&String::from_utf8_lossy(&trace), HOME);
        acts.extend(layers.acts(&self.cache));
        layers.lift()?;
        acts.sort();
        Ok(Outcome { acts, end })
    }

    /// Runs something on a fresh stage and returns what it printed.
    ///
    /// # Errors
    /// When the layers cannot be laid, or it cannot be run.
    pub fn ask(&mut self, words: &[&str], input: Vec<u8>) -> Result<String, String> {
        let layers = Layers::lay(self.played, &self.cache)?;
        self.played += 1;
        let fault = |why: std::io::Error| format!("cannot run `{}`: {why}", words.join(" "));
        let mut child = self
            .inside()
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(fault)?;
        let mut stdin = child.stdin.take().ok_or("no standard input")?;
        let writer = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &input));
        let done = child.wait_with_output().map_err(fault)?;
        let _ = writer.join();
        layers.lift()?;
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// Returns a command on the stage, in the project, with a plain environment.
    fn inside(&self) -> Command {
        let mut command = Command::new("chroot");
        command
            .arg(root())
            .args([
                "env",
                "-i",
                "-C",
                PROJECT,
                "LC_ALL=C.UTF-8",
                "USER=dev",
                "TERM=dumb",
            ])
            // Nobody answers, and nobody is to wait for it.
            .arg("npm_config_fetch_retries=0")
            .arg(format!("HOME={HOME}"))
            .arg(format!("PATH={}", self.cache.path()));
        command
    }
}

fn root() -> PathBuf {
    Path::new(STAGE).join("root")
}

/// A place that lines may change: where it is, and what lies below it, on the stage and on the machine.
struct Area {
    at: &'static str,
    lowers: Vec<PathBuf>,
}

/// Returns the places, those first that hold others.
fn areas(cache: &Cache) -> Vec<Area> {
    let stage = |it: &str| Path::new(STAGE).join(it);
    let machine = |at: &'static str, own: Option<PathBuf>| {
        let unpacked = cache.layer().join(at.trim_start_matches('/'));
        let all = own.into_iter().chain([unpacked, PathBuf::from(at)]);
        Area {
            at,
            lowers: all.filter(|it| it.is_dir()).collect(),
        }
    };
    let made = |at, own: &str| Area {
        at,
        lowers: vec![stage(own)],
    };
    let all = [
        made("", "world/top"),
        machine("/usr", None),
        machine("/etc", Some(stage("world/etc"))),
        machine("/var", None),
        machine("/opt", None),
        machine("/root", None),
        made("/home", "world/home"),
        made("/tmp", "world/tmp"),
    ];
    all.into_iter().filter(|it| !it.lowers.is_empty()).collect()
}

/// The layers of one line.
struct Layers {
    folder: PathBuf,
    areas: Vec<Area>,
}

impl Layers {
    fn lay(number: u64, cache: &Cache) -> Result<Self, String> {
        let layers = Self {
            folder: Path::new(STAGE).join(format!("lines/{number}")),
            areas: areas(cache),
        };
        for (index, area) in layers.areas.iter().enumerate() {
            let (upper, work) = (layers.upper(index), layers.folder.join(format!("w{index}")));
            for folder in [&upper, &work] {
                fs::create_dir_all(folder).map_err(|why| format!("cannot lay a layer: {why}"))?;
            }
            let lowers: Vec<String> = area
                .lowers
                .iter()
                .map(|it| it.display().to_string())
                .collect();
            let options = format!(
                "lowerdir={},upperdir={},workdir={},userxattr",
                lowers.join(":"),
                upper.display(),
                work.display()
            );
            mounted("overlay", &inside(area.at), Some(("overlay", &options)))?;
        }
        for name in ["dev", "run"] {
            mounted(&format!("{STAGE}/{name}"), &root().join(name), None)?;
        }
        mounted("/proc", &root().join("proc"), None)?;
        let folder = cache.folder().display().to_string();
        fs::create_dir_all(inside(&folder)).map_err(|why| why.to_string())?;
        mounted(&folder, &inside(&folder), None)?;
        // It is no layer: what a line changed there would outlive it (`pip-sync` takes away the other programs).
        only_read(&inside(&folder))?;
        Ok(layers)
    }

    fn upper(&self, index: usize) -> PathBuf {
        self.folder.join(format!("u{index}"))
    }

    fn acts(&self, cache: &Cache) -> Vec<Act> {
        let mut found = Vec::new();
        for (index, area) in self.areas.iter().enumerate() {
            let upper = self.upper(index);
            let lowers: Vec<&Path> = area.lowers.iter().map(PathBuf::as_path).collect();
            let layer = Layer {
                at: area.at,
                upper: &upper,
                lowers: &lowers,
            };
            found.extend(layer.acts());
        }
        let own = cache.folder().display().to_string();
        found.retain(|it| !matches!(it, Act::Write(path) if own.starts_with(path.as_str())));
        found
    }

    fn lift(&self) -> Result<(), String> {
        umount2(&root(), MntFlags::MNT_DETACH)
            .map_err(|why| format!("cannot lift layers: {why}"))?;
        let _ = fs::remove_dir_all(&self.folder);
        Ok(())
    }
}

/// Returns where a place of the stage is mounted.
fn inside(at: &str) -> PathBuf {
    PathBuf::from(format!("{}{at}", root().display()))
}

/// Lets nobody write to a place that is mounted.
fn only_read(at: &Path) -> Result<(), String> {
    let flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY;
    // What the machine forbids there stays forbidden: who says less is refused.
    let strict = flags | MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let remounted = |flags| mount(None::<&str>, at, None::<&str>, flags, None::<&str>);
    remounted(flags)
        .or_else(|_| remounted(strict))
        .map_err(|why| format!("cannot keep `{}` as it is: {why}", at.display()))
}

/// Mounts a file system of a kind with its options, or else a folder in a second place.
fn mounted(from: &str, to: &Path, kind: Option<(&str, &str)>) -> Result<(), String> {
    let done = match kind {
        Some((kind, options)) => mount(Some(from), to, Some(kind), MsFlags::empty(), Some(options)),
        None => mount(
            Some(from),
            to,
            None::<&str>,
            MsFlags::MS_BIND | MsFlags::MS_REC,
            None::<&str>,
        ),
    };
    done.map_err(|why| format!("cannot mount `{from}` on `{}`: {why}", to.display()))
}
