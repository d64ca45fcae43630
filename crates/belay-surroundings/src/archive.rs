//! Links that an archive or a patch brings: which, and what they lead to.

use std::path::Path;

use belay_model::Answer;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::limits;
use crate::look::{self, Gap};

/// So many bytes an archive may unfold to.
const UNFOLDED: usize = 128 << 20;

/// The size of a record.
const BLOCK: usize = 512;

/// Says which links come with an archive or a patch: its name and what it leads to, parted by a NUL, and nothing for either where
/// that is not known; `No` where it cannot be read.
pub fn links(path: &Path) -> Result<Answer, Gap> {
    let bytes = look::whole(path, u64::from(u32::MAX).min(limits::INDEX))?;
    Ok(match found(&bytes) {
        Some(links) if links.len() <= limits::LOSSES => Answer::Names(links),
        Some(_) | None => Answer::No,
    })
}

fn found(bytes: &[u8]) -> Option<Vec<String>> {
    match bytes {
        [0x1f, 0x8b, ..] => {
            let inner = decompress_to_vec_with_limit(deflated(bytes)?, UNFOLDED).ok()?;
            if is_tar(&inner) {
                in_tar(&inner)
            } else {
                in_text(&inner)
            }
        }
        [b'P', b'K', ..] => in_zip(bytes),
        _ if is_tar(bytes) => in_tar(bytes),
        _ => in_text(bytes),
    }
}

/// Returns what follows the head of a compressed file.
fn deflated(bytes: &[u8]) -> Option<&[u8]> {
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        let [low, high, ..] = rest else { return None };
        rest = rest.get(2 + usize::from(u16::from_le_bytes([*low, *high]))..)?;
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let end = rest.iter().position(|it| *it == 0)?;
            rest = rest.get(end + 1..)?;
        }
    }
    rest.get(if flags & 2 != 0 { 2 } else { 0 }..)
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// Walks the records of a tape archive.
fn in_tar(mut bytes: &[u8]) -> Option<Vec<String>> {
    let mut links = Vec::new();
    let (mut name, mut target) = (None, None);
    while let Some(head) = bytes.get(..BLOCK) {
        if head.iter().all(|it| *it == 0) {
            break;
        }
        let size = octal(head.get(124..136)?)?;
        let held = bytes.get(BLOCK..BLOCK.checked_add(size)?)?;
        match head.get(156)? {
            b'L' => name = Some(text(held)),
            b'K' => target = Some(text(held)),
            // What its own records say of a name, nobody here reads.
            b'x' | b'g' if held.windows(9).any(|it| it == b"linkpath=") => {
                links.push("\0".to_owned());
            }
            b'x' | b'g' => {}
            b'1' | b'2' => {
                let hard = head.get(156) == Some(&b'1');
                let part = |range| text(head.get(range).unwrap_or_default());
                let short = || format!("{}/{}", part(345..500), part(0..100));
                let from = name.take().unwrap_or_else(short);
                let to = target.take().unwrap_or_else(|| part(157..257));
                // A hard link leads to another member, or to what a link among them leads to.
                if !hard {
                    links.push(format!("{}\0{to}", from.trim_start_matches('/')));
                }
            }
            _ => (name, target) = (None, None),
        }
        bytes = bytes.get(BLOCK + size.div_ceil(BLOCK) * BLOCK..)?;
    }
    Some(links)
}

fn octal(field: &[u8]) -> Option<usize> {
    let digits = text(field);
    usize::from_str_radix(digits.trim(), 8).ok()
}

/// Returns a text up to its NUL.
fn text(field: &[u8]) -> String {
    let end = field.iter().position(|it| *it == 0);
    let field = field.get(..end.unwrap_or(field.len())).unwrap_or_default();
    String::from_utf8_lossy(field).into_owned()
}

/// Looks through the list at the end of a zip archive: what links lead to stands elsewhere.
fn in_zip(bytes: &[u8]) -> Option<Vec<String>> {
    const ENTRY: &[u8] = b"PK\x01\x02";
    let mut links = Vec::new();
    let starts = bytes.windows(4).enumerate().filter(|(_, it)| *it == ENTRY);
    for (at, _) in starts {
        let entry = bytes.get(at..)?;
        let (made_by, mode) = (entry.get(5)?, entry.get(40..42)?);
        let mode = u16::from_le_bytes([*mode.first()?, *mode.get(1)?]);
        if *made_by == 3 && mode & 0o170_000 == 0o120_000 {
            let length = usize::from(u16::from_le_bytes([*entry.get(28)?, *entry.get(29)?]));
            let name = text(entry.get(46..46 + length)?);
            links.push(format!("{name}\0"));
        }
    }
    Some(links)
}

/// Looks through a patch; what is no text cannot be read.
fn in_text(bytes: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(bytes)
        .ok()
        .filter(|it| !it.contains('\0'))?;
    let makes = text.lines().any(|it| it.ends_with("mode 120000"));
    Some(makes.then(|| "\0".to_owned()).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::found;

    fn record(name: &str, kind: u8, to: &str) -> Vec<u8> {
        let mut head = vec![0; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[124..135].copy_from_slice(b"00000000000");
        head[156] = kind;
        head[157..157 + to.len()].copy_from_slice(to.as_bytes());
        head[257..262].copy_from_slice(b"ustar");
        head
    }

    #[test]
    fn links_are_found_in_what_packs_them() {
        let tar = [record("a/x", b'0', ""), record("a/l", b'2', "/home/me")].concat();
        assert_eq!(found(&tar), Some(vec!["a/l\0/home/me".to_owned()]));
        assert_eq!(
            found(b"new file mode 120000\n+/home"),
            Some(vec!["\0".to_owned()])
        );
        assert_eq!(found(b"+ a\n"), Some(vec![]));
        assert_eq!(found(b"\xfd7zXZ\0"), None);
        assert_eq!(found(b"\x1f\x8b\x08"), None);
    }
}
