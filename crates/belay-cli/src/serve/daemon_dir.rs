//! Where the daemon lives: a private folder with its lock, its socket and its token.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use belay_store::{Access, Draft, Lasts};
use nix::unistd::geteuid;

use crate::out::Failure;
use crate::places::Here;

/// So many bytes of chance make a token that nobody guesses.
const TOKEN_BYTES: usize = 32;

fn is_ours(there: &Metadata) -> bool {
    there.uid() == geteuid().as_raw()
}

fn odd(path: &Path, what: &str) -> Failure {
    Failure::Said(format!(
        "`{}` {what}\nhint: delete it, then `belay install claude-code --http` again",
        path.display()
    ))
}

/// The daemon's folder.
pub struct DaemonDir(PathBuf);

impl DaemonDir {
    /// Opens the folder in our state folder, making it private.
    pub fn open() -> Result<Self, Failure> {
        let here = Here::at(None)?;
        let state = here.places.state_dir.ok_or_else(|| {
            Failure::said("there is no folder for the daemon\nhint: set `HOME` or `XDG_STATE_HOME`")
        })?;
        let folder = state.join("daemon");
        belay_store::make_folder(&folder)?;
        let there = fs::symlink_metadata(&folder)?;
        if !there.is_dir() || !is_ours(&there) {
            return Err(odd(&folder, "is not a folder of your own"));
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        Ok(Self(folder))
    }

    /// Returns where the socket is.
    pub fn socket(&self) -> PathBuf {
        self.0.join("socket")
    }

    /// Becomes the one daemon; nothing when there is one. It ends with the file.
    pub fn take(&self) -> io::Result<Option<File>> {
        let file = belay_store::open_lock(&self.0.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(why)) => Err(why),
        }
    }

    /// Listens on the socket; whoever holds the lock may clear away what a crash left.
    pub fn listen(&self) -> Result<UnixListener, Failure> {
        let path = self.socket();
        let _ = fs::remove_file(&path);
        let listener = UnixListener::bind(&path).map_err(|why| {
            Failure::Said(format!(
                "cannot listen on `{}`: {why}\nhint: a shorter `XDG_STATE_HOME` may help",
                path.display()
            ))
        })?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        Ok(listener)
    }

    /// Takes the socket away.
    pub fn leave(&self) {
        let _ = fs::remove_file(self.socket());
    }

    /// Connects to the daemon that runs, if one does.
    pub fn connect(&self) -> Option<UnixStream> {
        UnixStream::connect(self.socket()).ok()
    }

    /// Returns the token, made once.
    pub fn token(&self) -> Result<String, Failure> {
        let path = self.0.join("token");
        if !path.exists() {
            make_token(&path)?;
        }
        let there = fs::symlink_metadata(&path)?;
        if !there.is_file() || !is_ours(&there) {
            return Err(odd(&path, "is not a file of your own"));
        }
        if there.mode() & 0o077 != 0 {
            return Err(odd(
                &path,
                "is readable by others, so its token is not secret",
            ));
        }
        let token = fs::read_to_string(&path)?;
        let token = token.trim();
        let whole =
            token.len() == 2 * TOKEN_BYTES && token.bytes().all(|it| it.is_ascii_hexdigit());
        if !whole {
            return Err(odd(&path, "holds no token"));
        }
        Ok(token.to_owned())
    }
}

/// Writes a token: never half of one, and never another one.
fn make_token(path: &Path) -> io::Result<()> {
    let mut chance = [0; TOKEN_BYTES];
    File::open("/dev/urandom")?.read_exact(&mut chance)?;
    let token: String = chance.iter().map(|it| format!("{it:02x}")).collect();
    let mut draft = Draft::new(path, Access::Private)?;
    draft.fill(token.as_bytes(), Lasts::ThroughCrashes)?;
    draft.settle_first()
}
