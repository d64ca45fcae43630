//! Copies what is planned into a draft. INVARIANT: a file whose state changed between plan and end of copy is refused.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::time::Instant;

use rustix::fs::{OFlags, SeekFrom};
use sha2::{Digest, Sha256};

use crate::beneath::{self, Spot};
use crate::manifest::{Attribute, Contents, Entry, Kind, Time};
use crate::plan::{Item, Plan, Seen, in_time};

/// The file of the store that small files share.
pub const PACK: &str = "packed";
/// Up to so many bytes a file is small.
const SMALL: u64 = 64 << 10;
/// Bytes read at once.
const CHUNK: usize = 256 << 10;
/// Extended attributes that are the user's own.
const OWN_ATTRIBUTES: &str = "user.";

/// Copies files into one draft.
pub struct Copier<'a> {
    plan: &'a Plan,
    draft: &'a Path,
    until: Instant,
    pack: io::BufWriter<File>,
    packed: u64,
    count: u64,
    /// Whether the file system may share blocks between files; known after the first try.
    shares: bool,
    buffer: Vec<u8>,
}

impl<'a> Copier<'a> {
    /// Begins to fill a draft.
    pub fn new(plan: &'a Plan, draft: &'a Path, until: Instant) -> io::Result<Self> {
        let pack = belay_store::create(&draft.join(PACK))?;
        Ok(Self {
            plan,
            draft,
            until,
            pack: io::BufWriter::with_capacity(CHUNK, pack),
            packed: 0,
            count: 0,
            shares: true,
            buffer: vec![0; CHUNK],
        })
    }

    /// Copies everything, then looks whether all of it is still as it was.
    pub fn all(mut self) -> Result<Vec<Entry>, String> {
        let mut entries = Vec::with_capacity(self.plan.items.len());
        for (path, item) in &self.plan.items {
            entries.push(match item {
                Item::There(seen) => self.one(path, seen)?,
                Item::Nothing => plain(path, Kind::Absent),
                Item::Given(bytes) => {
                    let failed = |why| format!("cannot write: {why}");
                    plain(path, Kind::File(self.packed_in(bytes).map_err(failed)?))
                }
            });
        }
        let failed = |why: io::Error| format!("cannot write: {why}");
        self.pack.flush().map_err(failed)?;
        for (path, item) in &self.plan.items {
            if let Item::There(seen) = item
                && !seen.kind().is_dir()
            {
                self.still(path, seen)?;
            }
        }
        Ok(entries)
    }

    fn one(&mut self, path: &Path, seen: &Seen) -> Result<Entry, String> {
        in_time(self.until)?;
        let kind = seen.kind();
        let failed = |why: io::Error| format!("`{}` cannot be kept: {why}", path.display());
        let mut attributes = Vec::new();
        let kind = if kind.is_file() {
            let (mut contents, own) = self.file(path, seen)?;
            contents.shared = (seen.0.st_nlink > 1).then_some(seen.0.st_ino);
            attributes = own;
            Kind::File(contents)
        } else if kind.is_dir() {
            let opened = beneath::open(&self.plan.opened, path, beneath::folder_flags());
            let opened = opened.map_err(|why| failed(why.into()))?;
            attributes = attributes_of(&opened).map_err(failed)?;
            Kind::Folder
        } else if kind.is_symlink() {
            let spot = Spot::find(&self.plan.opened, path).map_err(|why| failed(why.into()))?;
            let target = rustix::fs::readlinkat(&spot.folder, spot.name.as_os_str(), Vec::new());
            let target = target.map_err(|why| failed(why.into()))?;
            Kind::Link(std::ffi::OsString::from_vec(target.into_bytes()))
        } else if kind.is_fifo() {
            Kind::Pipe
        } else {
            Kind::Other
        };
        Ok(Entry {
            path: path.to_owned(),
            kind,
            mode: seen.mode(),
            modified: Time {
                seconds: seen.0.st_mtime,
                parts: i64::try_from(seen.0.st_mtime_nsec).unwrap_or_default(),
            },
            attributes,
        })
    }

    fn file(&mut self, path: &Path, seen: &Seen) -> Result<(Contents, Vec<Attribute>), String> {
        let failed = |why: io::Error| format!("`{}` cannot be kept: {why}", path.display());
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let opened = beneath::open(&self.plan.opened, path, flags);
        let opened = opened.map_err(|why| failed(why.into()))?;
        let before = rustix::fs::fstat(&opened).map_err(|why| failed(why.into()))?;
        if !seen.is_same(&Seen(before)) {
            return Err(changes(path));
        }
        let attributes = attributes_of(&opened).map_err(failed)?;
        let size = u64::try_from(before.st_size).unwrap_or_default();
        let mut file = File::from(opened);
        let contents = if size <= SMALL {
            self.small(&mut file, size)
        } else {
            self.large(&mut file, size)
        };
        match contents {
            Ok(Some(contents)) => Ok((contents, attributes)),
            Ok(None) if Instant::now() > self.until => in_time(self.until).map(|()| unreached()),
            Ok(None) => Err(changes(path)),
            Err(why) => Err(failed(why)),
        }
    }

    /// Adds a small file to the pack; nothing when its size is another by now.
    fn small(&mut self, file: &mut File, size: u64) -> io::Result<Option<Contents>> {
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        file.take(size + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != size {
            return Ok(None);
        }
        self.packed_in(&bytes).map(Some)
    }

    fn packed_in(&mut self, bytes: &[u8]) -> io::Result<Contents> {
        self.pack.write_all(bytes)?;
        let (at, size) = (self.packed, bytes.len() as u64);
        self.packed += size;
        Ok(Contents {
            blob: PACK.to_owned(),
            at,
            size,
            hash: hex(&Sha256::digest(bytes)),
            shared: None,
        })
    }

    /// Gives a large file one of its own: sharing blocks where it can be, leaving holes where they are.
    fn large(&mut self, file: &mut File, size: u64) -> io::Result<Option<Contents>> {
        self.count += 1;
        let blob = format!("{}", self.count);
        let mut into = belay_store::create(&self.draft.join(&blob))?;
        let shared = self.shares && share(&into, file);
        self.shares = shared;
        if !shared {
            into.set_len(size)?;
        }
        let mut hasher = Sha256::new();
        let mut at = 0;
        while at < size {
            let (from, to) = data_after(file, at, size)?;
            if !hash_hole(&mut hasher, from - at, self.until) {
                return Ok(None);
            }
            file.seek(io::SeekFrom::Start(from))?;
            if !shared {
                into.seek(io::SeekFrom::Start(from))?;
            }
            at = from;
            while at < to {
                if Instant::now() > self.until {
                    return Ok(None);
                }
                let most = usize::try_from(to - at).unwrap_or(CHUNK).min(CHUNK);
                let count = file.read(self.buffer.get_mut(..most).unwrap_or_default())?;
                let chunk = self.buffer.get(..count).unwrap_or_default();
                if count == 0 {
                    return Ok(None);
                }
                hasher.update(chunk);
                if !shared {
                    into.write_all(chunk)?;
                }
                at += count as u64;
            }
        }
        Ok(Some(Contents {
            blob,
            at: 0,
            size,
            hash: hex(&hasher.finalize()),
            shared: None,
        }))
    }

    fn still(&self, path: &Path, seen: &Seen) -> Result<(), String> {
        let spot = Spot::find(&self.plan.opened, path);
        let now = spot.and_then(|it| it.stat()).map(Seen);
        match now {
            Ok(now) if seen.is_same(&now) => Ok(()),
            Ok(_) | Err(_) => Err(changes(path)),
        }
    }
}

/// Makes an entry of which nothing is known but what it is.
fn plain(path: &Path, kind: Kind) -> Entry {
    Entry {
        path: path.to_owned(),
        kind,
        mode: 0,
        modified: Time::default(),
        attributes: Vec::new(),
    }
}

fn unreached() -> (Contents, Vec<Attribute>) {
    (Contents::default(), Vec::new())
}

fn changes(path: &Path) -> String {
    format!("`{}` changed while it was being kept", path.display())
}

/// Lets a file share the blocks of another, where the file system can.
#[cfg(target_os = "linux")]
pub fn share(into: &File, from: &File) -> bool {
    rustix::fs::ioctl_ficlone(into, from).is_ok()
}

/// Lets a file share the blocks of another, where the file system can.
#[cfg(not(target_os = "linux"))]
pub fn share(_: &File, _: &File) -> bool {
    false
}

/// Returns the next range of a file that holds data; an empty one at the end where nothing more does.
#[cfg(target_os = "linux")]
fn data_after(file: &File, at: u64, size: u64) -> io::Result<(u64, u64)> {
    match rustix::fs::seek(file, SeekFrom::Data(at)) {
        Ok(from) => {
            let to = rustix::fs::seek(file, SeekFrom::Hole(from))?;
            Ok((from.min(size), to.min(size)))
        }
        Err(rustix::io::Errno::NXIO) => Ok((size, size)),
        Err(_) => Ok((at, size)),
    }
}

#[cfg(not(target_os = "linux"))]
fn data_after(_: &File, at: u64, size: u64) -> io::Result<(u64, u64)> {
    Ok((at, size))
}

/// Reads a hole as the zeros it stands for; tells whether there was time for it.
fn hash_hole(hasher: &mut Sha256, mut length: u64, until: Instant) -> bool {
    static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
    while length > 0 {
        if Instant::now() > until {
            return false;
        }
        let most = usize::try_from(length)
            .unwrap_or(ZEROS.len())
            .min(ZEROS.len());
        hasher.update(ZEROS.get(..most).unwrap_or_default());
        length -= most as u64;
    }
    true
}

/// Returns the user's own extended attributes.
fn attributes_of(file: &OwnedFd) -> io::Result<Vec<Attribute>> {
    let mut list = [0_u8; 4096];
    let length = match rustix::fs::flistxattr(file.as_fd(), &mut list[..]) {
        Ok(length) => length,
        Err(rustix::io::Errno::OPNOTSUPP) => 0,
        Err(why) => return Err(why.into()),
    };
    let names = list.get(..length).unwrap_or_default();
    let mut found = Vec::new();
    for name in names.split(|it| *it == 0).filter(|it| !it.is_empty()) {
        let name = String::from_utf8_lossy(name).into_owned();
        if !name.starts_with(OWN_ATTRIBUTES) {
            continue;
        }
        let mut value = vec![0_u8; 64 << 10];
        let length = rustix::fs::fgetxattr(file.as_fd(), name.as_str(), &mut value[..])?;
        value.truncate(length);
        found.push(Attribute { name, value });
    }
    Ok(found)
}

/// Writes bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |it: u8| char::from(DIGITS.get(usize::from(it)).copied().unwrap_or(b'0'));
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}
