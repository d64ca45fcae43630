//! The lines of a file from its end, a block at a time: the newest are there at once, however long the file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// So much is read at once; a longer line takes more.
const BLOCK: u64 = 64 * 1024;

/// Lines of a file, the last first, without their ends. What cannot be read has none.
pub struct Backwards {
    file: Option<File>,
    /// Bytes before this place are still to be read.
    from: u64,
    /// What was read and not yet given: it begins at `from`.
    held: Vec<u8>,
}

impl Backwards {
    /// Opens a file.
    pub fn open(path: &Path) -> Self {
        let file = File::open(path).ok();
        let size = file.as_ref().and_then(|it| it.metadata().ok());
        Self {
            from: size.map_or(0, |it| it.len()),
            file,
            held: Vec::new(),
        }
    }

    /// Reads the block before what is held; tells whether there was one.
    fn reach_back(&mut self) -> bool {
        let Some(file) = self.file.as_mut().filter(|_| self.from > 0) else {
            return false;
        };
        // Blocks grow with what is held, so that one long line costs no more than its length.
        let size = BLOCK.max(self.held.len() as u64).min(self.from);
        let start = self.from - size;
        let mut block = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        let read = file
            .seek(SeekFrom::Start(start))
            .and_then(|_| file.take(size).read_to_end(&mut block));
        if read.is_err() || block.len() as u64 != size {
            self.file = None;
            return false;
        }
        block.append(&mut self.held);
        (self.held, self.from) = (block, start);
        true
    }
}

impl Iterator for Backwards {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut searched = 0;
        loop {
            let unsearched = self.held.len().saturating_sub(searched);
            let found = self.held.get(..unsearched).unwrap_or_default();
            if let Some(at) = found.iter().rposition(|it| *it == b'\n') {
                let line = self.held.split_off(at + 1);
                self.held.pop();
                return Some(line);
            }
            searched = self.held.len();
            if !self.reach_back() {
                break;
            }
        }
        let first = std::mem::take(&mut self.held);
        self.file = None;
        (!first.is_empty()).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_comes_once_from_the_end() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let long = "x".repeat(200_000);
        let lines = ["a", "", &long, "b", &"y".repeat(65_535), "c"];
        std::fs::write(file.path(), lines.join("\n")).unwrap();
        let read: Vec<Vec<u8>> = Backwards::open(file.path()).collect();
        let back: Vec<Vec<u8>> = lines
            .iter()
            .rev()
            .map(|it| it.as_bytes().to_vec())
            .collect();
        assert_eq!(read, back);
    }

    #[test]
    fn what_is_not_there_has_no_lines() {
        assert_eq!(Backwards::open(Path::new("/nowhere/at/all")).count(), 0);
    }
}
