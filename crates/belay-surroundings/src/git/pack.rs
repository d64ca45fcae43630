//! Packs: many objects in one file, one made from another.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::Id;
use super::objects::{Object, ObjectKind};
use crate::limits;
use crate::line::digit;
use crate::look::{self, Gap};

/// Where the names begin in the list of a pack.
const NAMES: u64 = 8 + 256 * 4;
/// So few names are read at once.
const AT_ONCE: u64 = 64;

/// A pack and its list of names.
#[derive(Debug)]
pub struct Pack {
    list: File,
    objects: File,
    /// How many names begin with each byte or a smaller one.
    counts: Vec<u64>,
}

/// An object as it lies in a pack.
pub enum Packed {
    /// As it is.
    Whole(Object),
    /// As changes to the object at that place.
    From(u64, Vec<u8>),
    /// As changes to the object of that name.
    Of(Id, Vec<u8>),
}

impl Pack {
    /// Opens all packs of a folder.
    pub fn all_in(folder: &Path) -> Result<Vec<Self>, Gap> {
        let names = match look::names(folder) {
            Ok(names) => names,
            Err(Gap::Absent) => return Ok(Vec::new()),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        let lists = names.iter().filter(|it| it.ends_with(".idx"));
        lists.map(|it| Self::open(&folder.join(it))).collect()
    }

    fn open(list: &Path) -> Result<Self, Gap> {
        let objects = look::open(&list.with_extension("pack"))?;
        let list = look::open(list)?;
        let head = bytes_at(&list, 0, NAMES)?;
        let (magic, counts) = head.split_at_checked(8).ok_or(Gap::Closed)?;
        if magic != b"\xfftOc\0\0\0\x02" {
            return Err(Gap::Closed);
        }
        let counts: Vec<u64> = counts.chunks(4).map(number).collect();
        if counts.is_sorted() {
            Ok(Self {
                list,
                objects,
                counts,
            })
        } else {
            Err(Gap::Closed)
        }
    }

    fn total(&self) -> u64 {
        self.counts.last().copied().unwrap_or_default()
    }

    /// Returns where an object lies.
    pub fn find(&self, id: &Id) -> Result<Option<u64>, Gap> {
        let (start, names) = self.around(id)?;
        match names.chunks(20).position(|it| it == id) {
            Some(at) => self.offset(start + at as u64).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the names among which a name would be, and the place of the first.
    fn around(&self, id: &Id) -> Result<(u64, Vec<u8>), Gap> {
        let first = usize::from(*id.first().ok_or(Gap::Closed)?);
        let mut high = self.counts.get(first).copied().ok_or(Gap::Closed)?;
        let mut low = first
            .checked_sub(1)
            .and_then(|it| self.counts.get(it))
            .copied()
            .unwrap_or_default();
        while high - low > AT_ONCE {
            let middle = low + (high - low) / 2;
            if bytes_at(&self.list, NAMES + middle * 20, 20)?.as_slice() <= id.as_slice() {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok((
            low,
            bytes_at(&self.list, NAMES + low * 20, (high - low) * 20)?,
        ))
    }

    fn offset(&self, place: u64) -> Result<u64, Gap> {
        let offsets = NAMES + self.total() * 24;
        let small = number(&bytes_at(&self.list, offsets + place * 4, 4)?);
        if small & 0x8000_0000 == 0 {
            return Ok(small);
        }
        let large = offsets + self.total() * 4 + (small & 0x7fff_ffff) * 8;
        Ok(number(&bytes_at(&self.list, large, 8)?))
    }

    /// Returns the names that begin so; at most two, which is one too many.
    pub fn abbreviated(&self, start: &str) -> Result<Vec<Id>, Gap> {
        let mut low = [0; 20];
        for (at, letter) in start.bytes().enumerate() {
            let into = low.get_mut(at / 2).ok_or(Gap::Closed)?;
            *into |= digit(letter).ok_or(Gap::Closed)? << (4 * (1 - at % 2));
        }
        let (first, mut names) = self.around(&low)?;
        let after = first + names.len() as u64 / 20;
        let more = self.total().saturating_sub(after).min(2);
        names.extend(bytes_at(&self.list, NAMES + after * 20, more * 20)?);
        let ids = names.chunks_exact(20).filter_map(|it| it.try_into().ok());
        Ok(ids
            .filter(|it| super::id_text(it).starts_with(start))
            .take(2)
            .collect())
    }

    /// Reads the object at a place.
    pub fn read(&self, offset: u64) -> Result<Packed, Gap> {
        let head = some_bytes_at(&self.objects, offset, 64)?;
        self.parse(offset, &head)?.ok_or(Gap::Closed)
    }

    fn parse(&self, offset: u64, head: &[u8]) -> Result<Option<Packed>, Gap> {
        let Some((kind, size, mut used)) = object_head(head) else {
            return Ok(None);
        };
        let rest = head.get(used..).unwrap_or_default();
        let kind = match kind {
            1 => ObjectKind::Commit,
            2 => ObjectKind::Tree,
            3 => ObjectKind::Blob,
            4 => ObjectKind::Tag,
            6 => {
                let Some((back, length)) = distance(rest) else {
                    return Ok(None);
                };
                let Some(base) = offset.checked_sub(back).filter(|it| *it < offset) else {
                    return Ok(None);
                };
                used += length;
                return Ok(Some(Packed::From(
                    base,
                    self.inflate(offset + used as u64, size)?,
                )));
            }
            7 => {
                let Some(base) = rest.first_chunk::<20>() else {
                    return Ok(None);
                };
                used += 20;
                return Ok(Some(Packed::Of(
                    *base,
                    self.inflate(offset + used as u64, size)?,
                )));
            }
            _ => return Ok(None),
        };
        let bytes = self.inflate(offset + used as u64, size)?;
        Ok(Some(Packed::Whole(Object { kind, bytes })))
    }

    fn inflate(&self, offset: u64, size: u64) -> Result<Vec<u8>, Gap> {
        if size > limits::OBJECT {
            return Err(Gap::Closed);
        }
        // What cannot be made smaller grows a little.
        let packed = some_bytes_at(&self.objects, offset, size + size / 1000 + 128)?;
        let size = usize::try_from(size).map_err(|_| Gap::Closed)?;
        let bytes =
            decompress_to_vec_zlib_with_limit(&packed, size + 1).map_err(|_| Gap::Closed)?;
        if bytes.len() == size {
            Ok(bytes)
        } else {
            Err(Gap::Closed)
        }
    }
}

fn bytes_at(file: &File, offset: u64, count: u64) -> Result<Vec<u8>, Gap> {
    let mut bytes = vec![0; usize::try_from(count.min(limits::OBJECT)).unwrap_or_default()];
    file.read_exact_at(&mut bytes, offset)
        .map_err(|_| Gap::Closed)?;
    Ok(bytes)
}

fn some_bytes_at(file: &File, offset: u64, count: u64) -> Result<Vec<u8>, Gap> {
    let mut bytes = vec![0; usize::try_from(count).unwrap_or_default()];
    let mut read = 0;
    while let Some(rest) = bytes.get_mut(read..).filter(|it| !it.is_empty()) {
        match file
            .read_at(rest, offset + read as u64)
            .map_err(|_| Gap::Closed)?
        {
            0 => break,
            count => read += count,
        }
    }
    bytes.truncate(read);
    Ok(bytes)
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Reads kind and size of an object, and how many bytes say so.
fn object_head(bytes: &[u8]) -> Option<(u8, u64, usize)> {
    let mut byte = *bytes.first()?;
    let kind = byte >> 4 & 7;
    let mut size = u64::from(byte & 15);
    let mut used = 1;
    let mut shift = 4;
    while byte & 0x80 != 0 {
        byte = *bytes.get(used)?;
        size |= u64::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        used += 1;
    }
    Some((kind, size, used))
}

/// Reads how far back the base lies, and how many bytes say so.
fn distance(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut byte = *bytes.first()?;
    let mut value = u64::from(byte & 0x7f);
    let mut used = 1;
    while byte & 0x80 != 0 {
        byte = *bytes.get(used)?;
        value = value.checked_add(1)?.checked_mul(128)? | u64::from(byte & 0x7f);
        used += 1;
    }
    Some((value, used))
}

/// Makes an object from another and the changes to it.
pub fn apply(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut rest = delta.iter().copied();
    let from = size(&mut rest)?;
    let to = size(&mut rest)?;
    if from != base.len() as u64 || to > limits::OBJECT {
        return None;
    }
    let mut made = Vec::with_capacity(usize::try_from(to).ok()?);
    while let Some(order) = rest.next() {
        if order & 0x80 != 0 {
            let offset = sparse(&mut rest, order, 4)?;
            let count = match sparse(&mut rest, order >> 4, 3)? {
                0 => 0x1_0000,
                count => count,
            };
            made.extend_from_slice(base.get(offset..offset.checked_add(count)?)?);
        } else if order == 0 {
            return None;
        } else {
            let before = made.len();
            made.extend(rest.by_ref().take(usize::from(order)));
            if made.len() - before != usize::from(order) {
                return None;
            }
        }
        if made.len() as u64 > to {
            return None;
        }
    }
    (made.len() as u64 == to).then_some(made)
}

fn size(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut value = 0;
    let mut shift = 0;
    loop {
        let byte = bytes.next()?;
        value |= u64::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
}

/// Reads a number of which only the bytes marked in `present` are written.
fn sparse(bytes: &mut impl Iterator<Item = u8>, present: u8, count: u8) -> Option<usize> {
    let mut value = 0;
    for at in 0..count {
        if present >> at & 1 != 0 {
            value |= usize::from(bytes.next()?) << (8 * at);
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::apply;

    #[test]
    fn changes_copy_and_insert() {
        let delta = [6, 7, 0x90 | 0x01, 2, 3, 2, b'x', b'y', 0x90, 2];
        assert_eq!(apply(b"abcdef", &delta), Some(b"cdexyab".to_vec()));
    }

    #[test]
    fn changes_of_another_object_are_refused() {
        assert_eq!(apply(b"abc", &[6, 1, 0x90, 1]), None);
        assert_eq!(apply(b"abc", &[3, 9, 0x91, 1, 9]), None);
        assert_eq!(apply(b"abc", &[3, 2, 0x90, 1]), None);
    }

    proptest! {
        #[test]
        fn damaged_changes_do_no_harm(base: Vec<u8>, delta: Vec<u8>) {
            apply(&base, &delta);
        }
    }
}
