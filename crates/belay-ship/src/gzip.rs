//! As much of gzip (RFC 1952) as a body of HTTP and an archive need.

use std::fmt;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// Checksum and length.
const FOOT: usize = 8;
/// Journal lines repeat themselves; more effort gains little.
const EFFORT: u8 = 6;

/// Bits of the head that say that more of it follows.
const CHECKSUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// Why bytes could not be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// They are not gzip, or not whole.
    Malformed,
    /// There is more inside than may be.
    TooLong,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the body is not gzip",
            Self::TooLong => "the body is too long once unpacked",
        })
    }
}

impl std::error::Error for Fault {}

/// Packs bytes.
#[must_use]
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = HEAD.to_vec();
    packed.extend(compress_to_vec(bytes, EFFORT));
    packed.extend(checksum(bytes).to_le_bytes());
    packed.extend(length(bytes).to_le_bytes());
    packed
}

/// Unpacks bytes of one member, of which at most so many may come out.
///
/// # Errors
/// Returns why they could not be unpacked.
pub fn unpack(bytes: &[u8], most: usize) -> Result<Vec<u8>, Fault> {
    let rest = after_head(bytes).ok_or(Fault::Malformed)?;
    let end = rest.len().checked_sub(FOOT).ok_or(Fault::Malformed)?;
    let (packed, foot) = rest.split_at(end);
    let plain = decompress_to_vec_with_limit(packed, most).map_err(|why| {
        match why.status == TINFLStatus::HasMoreOutput {
            true => Fault::TooLong,
            false => Fault::Malformed,
        }
    })?;
    let mut told = Vec::with_capacity(FOOT);
    told.extend(checksum(&plain).to_le_bytes());
    told.extend(length(&plain).to_le_bytes());
    (told == foot).then_some(plain).ok_or(Fault::Malformed)
}

fn after_head(bytes: &[u8]) -> Option<&[u8]> {
    let (head, mut rest) = bytes.split_at_checked(HEAD.len())?;
    let [0x1f, 0x8b, 8, flags, ..] = head else {
        return None;
    };
    if flags & EXTRA != 0 {
        let (size, after) = rest.split_first_chunk::<2>()?;
        rest = after.get(usize::from(u16::from_le_bytes(*size))..)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let end = rest.iter().position(|it| *it == 0)?;
            rest = rest.get(end + 1..)?;
        }
    }
    match flags & CHECKSUM {
        0 => Some(rest),
        _ => rest.get(2..),
    }
}

/// The length is told modulo 2^32.
fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len() & 0xffff_ffff).unwrap_or_default()
}

/// CRC-32, by a table of the sixteen half bytes.
fn checksum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 16] = {
        let mut table = [0; 16];
        let mut at: u32 = 0;
        while at < 16 {
            let mut value = at;
            let mut bit = 0;
            while bit < 4 {
                value = (value >> 1) ^ (0xedb8_8320 & (value & 1).wrapping_neg());
                bit += 1;
            }
            #[expect(clippy::indexing_slicing, reason = "`at` is below the table's length")]
            {
                table[at as usize] = value;
            }
            at += 1;
        }
        table
    };
    let half = |sum: u32| {
        let at = usize::try_from(sum & 15).unwrap_or_default();
        (sum >> 4) ^ TABLE.get(at).copied().unwrap_or_default()
    };
    let step = |sum: u32, byte: &u8| half(half(sum ^ u32::from(*byte)));
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let text = "belay ".repeat(5000);
        let packed = pack(text.as_bytes());
        assert!(packed.len() < text.len() / 20);
        assert_eq!(unpack(&packed, 1 << 20).unwrap(), text.as_bytes());
    }

    #[test]
    fn a_checksum_is_the_usual_one() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn what_grows_too_long_is_refused() {
        let bomb = pack(&vec![0; 1 << 20]);
        assert_eq!(unpack(&bomb, 1000), Err(Fault::TooLong));
    }

    #[test]
    fn a_changed_or_cut_body_is_refused() {
        let packed = pack(b"hello hello hello");
        for end in 0..packed.len() {
            assert_eq!(unpack(&packed[..end], 100), Err(Fault::Malformed), "{end}");
        }
        let mut changed = packed;
        let last = changed.len() - 5;
        changed[last] ^= 1;
        assert_eq!(unpack(&changed, 100), Err(Fault::Malformed));
    }

    #[test]
    fn a_name_in_the_head_is_passed_over() {
        let mut named = pack(b"x");
        named[3] = NAME;
        named.splice(10..10, *b"a.txt\0");
        assert_eq!(unpack(&named, 10).unwrap(), b"x");
    }
}
