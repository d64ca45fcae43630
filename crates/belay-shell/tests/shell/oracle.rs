//! Real bash, with nothing in its PATH, in an empty folder.

use belay_needs::{Need, program};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Returns where bash is; `None` only when it is left out on purpose.
pub fn bash() -> Option<PathBuf> {
    Need::Shells.met("bash", || program("bash"))
}

/// A folder of our own that goes away with this value.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "belay-shell-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Tells whether bash, given this text, runs the command `PWN`.
pub fn runs(bash: &Path, text: &[u8]) -> bool {
    runs_within(bash, text, Duration::from_millis(15))
}

/// Like [`runs`], with patience for what goes on in the background on a busy machine.
pub fn runs_at_last(bash: &Path, text: &[u8]) -> bool {
    runs_within(bash, text, Duration::from_secs(2))
}

fn runs_within(bash: &Path, text: &[u8], patience: Duration) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let mut command = Command::new(bash);
    command
        .args(["--norc", "--noprofile", "-c", "--"])
        .arg(std::ffi::OsStr::from_bytes(text))
        .env_clear()
        .env("PATH", "")
        .env(
            "BASH_FUNC_PWN%%",
            format!("() {{ : > '{}/ran'; }}", folder.0.display()),
        );
    finished_within(command, &folder, (text, patience))
}

/// Runs a shell to its end in a folder and waits a moment for what it left in the background.
pub fn finished(command: Command, folder: &Folder, text: &[u8]) -> bool {
    finished_within(command, folder, (text, Duration::from_millis(15)))
}

fn finished_within(command: Command, folder: &Folder, (text, patience): (&[u8], Duration)) -> bool {
    // No process may use more than a second: endless loops end by themselves, in subshells too.
    let mut limited = Command::new("/bin/bash");
    limited
        .args([
            "--norc",
            "--noprofile",
            "-c",
            "ulimit -t 1; exec \"$@\"",
            "-",
        ])
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = limited.spawn().unwrap();
    let start = Instant::now();
    loop {
        match child.try_wait().unwrap() {
            Some(_) => break,
            None if start.elapsed() > Duration::from_secs(5) => {
                let _ = child.kill();
                let _ = child.wait();
                break;
            }
            None => std::thread::sleep(Duration::from_micros(300)),
        }
    }
    let marker = folder.0.join("ran");
    if marker.exists() {
        return true;
    }
    // A background job or a process substitution may outlive the shell for a moment.
    let asynchronous = text.iter().any(|byte| b"&><".contains(byte))
        || text.windows(6).any(|word| word == b"coproc");
    let start = Instant::now();
    while asynchronous && !marker.exists() && start.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    marker.exists()
}

/// Tells whether `bash -n` accepts a text, for many texts with few processes.
pub fn accepts(bash: &Path, texts: &[Vec<u8>]) -> Vec<bool> {
    texts
        .chunks(200)
        .flat_map(|chunk| accepts_chunk(bash, chunk))
        .collect()
}

fn accepts_chunk(bash: &Path, texts: &[Vec<u8>]) -> Vec<bool> {
    let folder = Folder::new();
    for (index, text) in texts.iter().enumerate() {
        std::fs::write(folder.0.join(index.to_string()), text).unwrap();
    }
    let script = format!(
        "i=0; while [ $i -lt {} ]; do t=$(<$i); e=$('{}' --norc --noprofile -n -c -- \"$t\" 2>&1); \
         [[ $? = 0 && $e != *error* && $e != *conditional* && $e != *unexpected* ]] && echo 1 || echo 0; i=$((i+1)); done",
        texts.len(),
        bash.display()
    );
    let output = Command::new(bash)
        .args(["--norc", "--noprofile", "-c", &script])
        .env_clear()
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let answers: Vec<bool> = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| line == b"1")
        .collect();
    assert_eq!(answers.len(), texts.len());
    answers
}
